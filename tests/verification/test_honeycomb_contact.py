"""Contact of the honeycomb rope: rest on the ground, friction on a slope, itself, obstacles, snapshots."""

import math
from dataclasses import replace

import numpy as np
import pytest

from taut.cables.honeycomb import Honeycomb, Obstacle, Springs, Surroundings
from taut.scene import Box, Capsule, Plane, Sphere

ROPE = Springs(
    radius=0.02,
    spacing=0.02,
    mass=0.01,
    structural=2e3,
    tension=2e3,
    torsion=1e3,
    bending=1e3,
    diagonal=300,
    damping=0.3,
)
PLAIN = Surroundings(contact_stiffness=800, contact_damping=2.0)


@pytest.mark.parametrize("scheme", ["verlet", "implicit"])
def test_the_ground_bears_the_weight(scheme: str) -> None:
    around = replace(PLAIN, obstacles=(Obstacle(Plane()),))
    rope = Honeycomb([(0, 0, 0.02), (0.12, 0, 0.02)], ROPE, start="free", scheme=scheme, surroundings=around)
    rope.step(120)
    pressed = -rope.positions[rope.positions[:, 2] < 0.0, 2].sum() * 800.0
    # at rest: residual motion below a thousandth of g
    assert pressed == pytest.approx(9.81 * rope.masses.sum(), rel=5e-3)
    assert np.abs(rope.velocities).max() < 1e-3


@pytest.mark.parametrize("scheme", ["verlet", "implicit"])
def test_friction_on_a_slope(scheme: str) -> None:
    """Slides with g (sin a - mu cos a), or stays but for the creep below slip_speed."""
    angle = math.radians(25.0)
    turned = (math.cos(angle / 2), 0.0, math.sin(angle / 2), 0.0)
    along = np.array([math.cos(angle), 0.0, -math.sin(angle)])
    for mu in (0.2, 0.8):
        around = replace(PLAIN, obstacles=(Obstacle(Plane(), quaternion=turned, friction=mu),))
        start = 0.0173 * np.array([math.sin(angle), 0.0, math.cos(angle)])
        rope = Honeycomb([start, start + 0.12 * along], ROPE, start="free", scheme=scheme, surroundings=around)
        rope.step(30)
        before = rope.momentum @ along
        rope.step(30)
        gained = (rope.momentum @ along - before) / rope.masses.sum() / 0.5
        if mu < math.tan(angle):
            # friction in an implicit step follows the pressure by one step; the rope still shakes a little
            assert gained == pytest.approx(9.81 * (math.sin(angle) - mu * math.cos(angle)), rel=0.03)
        else:
            # slip_speed; in explicit steps friction is at most m v/(2 h), borne by the two lower masses of seven
            creep = 5e-3 if scheme == "implicit" else 2.0 * rope.dt / rope.substeps * 9.81 * math.sin(angle) * 3.5
            assert abs(rope.momentum @ along) / rope.masses.sum() < 1.2 * creep


@pytest.mark.parametrize("shape", [Sphere(radius=0.1), Box(size=(0.2, 0.2, 0.2)), Capsule(radius=0.1, length=0.2)])
def test_nothing_passes_through_an_obstacle(shape) -> None:
    """A rope dropped across it hangs over it; no mass is deeper than it falls into the springs of the contact."""
    quaternion = (
        (math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5))
        if isinstance(shape, Box)
        else (math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0)
    )
    around = replace(PLAIN, obstacles=(Obstacle(shape, quaternion=quaternion, friction=0.8),))
    rope = Honeycomb([(-0.2, 0.004, 0.14), (0.2, 0.004, 0.14)], ROPE, start="free", surroundings=around)
    rope.step(30)
    assert rope.counts["touches"] > 0
    x, y, z = np.abs(rope.positions.T)
    if isinstance(shape, Sphere):
        depth = 0.1 - np.sqrt(x**2 + y**2 + z**2)
    elif isinstance(shape, Capsule):
        depth = 0.1 - np.hypot(x, z)[y < 0.1]
    else:
        depth = np.minimum(np.minimum(0.1 - x, 0.1 - y), 0.1 - z)
    # v^2/g of a drop by 2 cm: sqrt(2 g h m/k) = 2.2 mm a mass alone, a few times that with what it carries
    assert depth.max() < 0.012


@pytest.mark.parametrize("scheme", ["verlet", "implicit"])
def test_two_parts_of_a_rope_collide_and_keep_their_momentum(scheme: str) -> None:
    """A hairpin whose legs are thrown at each other: they part again, and linear momentum stays."""
    angle = np.linspace(0.0, math.pi, 12)
    bend = np.column_stack([0.3 + 0.07 * np.sin(angle), -0.07 * np.cos(angle), 0.0 * angle])
    route = np.concatenate([[(0.0, -0.07, 0.0)], bend, [(0.0, 0.07, 0.0)]])
    around = replace(PLAIN, gravity=(0, 0, 0), self_contact=True, self_friction=0.0)
    rope = Honeycomb(route, ROPE, start="free", scheme=scheme, surroundings=around)
    legs = rope.positions[:, 0] < 0.15
    rope.velocities[:, 1] = np.where(legs, -0.6 * np.sign(rope.positions[:, 1]), 0.0)
    before, most, apart = rope.momentum, 0, math.inf
    for _ in range(30):
        rope.step()
        most = max(
            most, rope.counts["touches"] - rope.counts["frozen"] if scheme == "verlet" else rope.counts["frozen"]
        )
        axis = rope.axis
        apart = min(apart, float(np.abs(axis[:5, 1] - axis[-5:, 1][::-1]).min()))
    assert most > 0
    # legs of hexagons 35 to 40 mm across: they do not pass through each other
    assert apart > 0.02
    assert np.abs(rope.momentum - before).max() < 1e-9


def test_culling_leaves_few_pairs() -> None:
    around = replace(PLAIN, self_contact=True)
    rope = Honeycomb([(0, 0, 0), (2, 0, 0)], ROPE, start="free", surroundings=around)
    rope.step()
    counts = rope.counts
    assert counts["cell_pairs"] == 0 and counts["culled_cells"] == 100 * 99 // 2


def test_a_snapshot_continues_to_the_bit() -> None:
    around = replace(PLAIN, obstacles=(Obstacle(Plane()),), self_contact=True)
    for scheme in ("verlet", "implicit"):
        rope = Honeycomb([(0, 0, 0.05), (0.2, 0, 0.05)], ROPE, scheme=scheme, surroundings=around)
        rope.step(5)
        kept = rope.snapshot()
        rope.step(10)
        there = rope.positions.copy()
        rope.restore(kept)
        rope.step(10)
        assert np.array_equal(rope.positions, there)


def test_moved_ends_arrive_and_bear_the_weight() -> None:
    rope = Honeycomb([(0, 0, 0), (0, 0, -0.12)], replace(ROPE, damping=1.0), end_mass=0.5, scheme="implicit")
    rope.move_end("start", (0.01, 0.0, 0.02))
    rope.step()
    assert rope.axis[0] == pytest.approx((0.01, 0.0, 0.02), abs=1e-12)
    rope.drive_end("start", spin=(0, 0, 1))
    rope.step(240)
    assert rope.end_force("start")[2] == pytest.approx(9.81 * rope.masses.sum(), rel=1e-2)
    vertices, faces = rope.surface(12, 2)
    assert faces.max() == len(vertices) - 1 and np.isfinite(vertices).all()
