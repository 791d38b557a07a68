"""Pendulums, tops and chains against closed forms.

Tolerances: period errors of the stepper are (w h)^2/24, and 0.46 (w h)^2 with geometric stiffness; the start velocity
belongs to half a step before the start, which shifts a path by h/2 and leaves periods alone.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import jn_zeros, jv

import taut
from taut.measure import joints
from taut.scene import Ball, Body, Box, Chain, Distance, Hinge, Scene, SolverSettings, Sphere, Wind
from taut.validate import reference
from taut.validate.watch import separation, watch

G = reference.G
PLAIN = SolverSettings(geometric_stiffness=0.0)


@pytest.mark.parametrize("degrees", [5.0, 30.0, 90.0, 150.0])
def test_simple_pendulum(degrees):
    """T = 4 sqrt(l/g) K(sin^2(a/2)). Large swings are faster at the bottom: (w h)^2 there is 4 g h^2/l sin^2(a/2), and
    the damping floor takes amplitude, which shortens T."""
    angle = math.radians(degrees)
    bob = Body(kind="particle", mass=2.0, position=(math.sin(angle), 0, -math.cos(angle)))
    scene = Scene(bodies={"bob": bob}, joints={"rod": Distance(b="bob", point_a=(0, 0, 0))}, dt=1 / 240, solver=PLAIN)
    seen = watch(taut.Simulation(scene), 8.0, {"x": "bob.position[0]"})
    assert reference.period(seen.time, seen["x"]) == pytest.approx(reference.pendulum_period(1.0, angle), rel=1e-3)


def test_period_with_geometric_stiffness_is_longer_by_its_known_share():
    """1 + 0.46 (w h)^2, the documented price."""
    angle, h = math.radians(10.0), 1.0 / 60.0
    bob = Body(kind="particle", mass=2.0, position=(math.sin(angle), 0, -math.cos(angle)))
    scene = Scene(bodies={"bob": bob}, joints={"rod": Distance(b="bob", point_a=(0, 0, 0))})
    seen = watch(taut.Simulation(scene), 20.0, {"x": "bob.position[0]"})
    late = reference.period(seen.time, seen["x"]) / reference.pendulum_period(1.0, angle) - 1.0
    assert late == pytest.approx(0.46 * G * h * h, rel=0.15)


def test_double_pendulum_modes():
    """Two equal rods on hinges: l^2 [[4/3, 1/2], [1/2, 1/3]] a'' + g l [[3/2, 0], [0, 1/2]] a = 0."""
    l, amplitude = 1.0, 0.02
    inertia, pull = l * l * np.array([[4 / 3, 0.5], [0.5, 1 / 3]]), G * l * np.diag([1.5, 0.5])
    squares, modes = np.linalg.eig(np.linalg.solve(inertia, pull))
    for square, mode in zip(squares, modes.T):
        a, b = amplitude * mode / np.abs(mode).max()
        ends = np.array([[0, 0, 0], [l * math.sin(a), 0, -l * math.cos(a)]])
        ends = np.vstack([ends, ends[1] + [l * math.sin(b), 0, -l * math.cos(b)]])
        bodies = {}
        for k, turn in enumerate((a, b)):
            # a rod along local z, turned about -y
            bodies[f"r{k}"] = Body(
                mass=1.0, inertia=(l * l / 12, l * l / 12, 1e-4), position=tuple(0.5 * (ends[k] + ends[k + 1])),
                orientation=(math.cos(0.5 * turn), 0, -math.sin(0.5 * turn), 0),
            )  # fmt: skip
        pins = {
            "top": Hinge(b="r0", at=(0, 0, 0), axis=(0, 1, 0)),
            "elbow": Hinge(a="r0", b="r1", at=tuple(ends[1]), axis=(0, 1, 0)),
        }
        sim = taut.Simulation(Scene(dt=1 / 240, bodies=bodies, joints=pins, solver=PLAIN))
        seen = watch(sim, 6.0, {"x": "r0.position[0]"})
        sign = 1.0 if seen["x"][0] > 0 else -1.0
        # amplitude 0.02: a^2/16 of the nonlinear period, (w h)^2/24 of the stepper
        assert reference.period(seen.time, sign * seen["x"]) == pytest.approx(
            2.0 * math.pi / math.sqrt(square), rel=1e-3
        )


def test_slow_precession_of_a_top():
    """A fast wheel on a ball joint: W = m g r / (I w). Nutation and (W/w) I_t/I are its error, 1 %."""
    arm, rate, mass = 0.5, 120.0, 2.0
    moment = 0.5 * mass * 0.3**2
    across = 0.25 * mass * 0.3**2
    turn = mass * G * arm / (moment * rate)
    wheel = Body(
        mass=mass,
        inertia=(moment, across, across),
        position=(arm, 0, 0),
        spin=(rate, 0, turn),
        velocity=(0, turn * arm, 0),
    )
    sim = taut.Simulation(Scene(dt=1 / 1000, bodies={"wheel": wheel}, joints={"pivot": Ball(b="wheel", at=(0, 0, 0))}))
    sim.run(1000)
    x, y, z = sim.read("wheel.position")
    assert math.atan2(y, x) == pytest.approx(turn, rel=1e-2)
    assert abs(z) < 0.02 * arm


def test_hanging_chain_first_mode():
    """x'' = g (s x')': w = j0/2 sqrt(g/L), j0 the first zero of J0. 40 rods against a chain: O(1/n^2); the shape of the
    release is a straight line, so other modes are in it; the period of the mean angle is near the first mode's."""
    length, links, angle = 2.0, 40, 0.02
    end = (length * math.sin(angle), 0, -length * math.cos(angle))
    chain = Chain(start=(0, 0, 0), end=end, links=links, mass_per_length=1.0)
    sim = taut.Simulation(Scene(dt=1 / 240, chains={"c": chain}, solver=PLAIN))
    rope = [sim.compiled.bodies.index[name] for name in chain.link_names("c")]
    # projected on the first mode J0(j0 sqrt(s)), s from the free end
    j0 = jn_zeros(0, 1)[0]
    s = 1.0 - (np.arange(links) + 0.5) / links
    shape = jv(0, j0 * np.sqrt(s))
    seen = watch(sim, 12.0, {"q": lambda t: float(shape @ t.state.body_pos[rope, 0])}, every=4)
    theory = 2.0 * math.pi / (0.5 * j0 * math.sqrt(G / length))
    assert reference.period(seen.time, seen["q"]) == pytest.approx(theory, rel=5e-3)


def test_catenary():
    """A chain between two points at rest: horizontal pull H with sinh(w d / 2H) = w L / 2H, each end carries w L / 2.
    Fifty rods hang in a polygon: O(1/n^2) = 4e-4."""
    span, length, weight, links = 4.0, 5.0, 2.0, 50
    chain = Chain(
        start=(0, 0, 0), end=(span, 0, 0), links=links, mass_per_length=weight, b="world", slack=length / span - 1.0
    )
    # ball joints have no friction: thick air brings the chain to rest
    sim = taut.Simulation(Scene(chains={"c": chain}, wind=Wind(speed=0.0, air_density=100_000.0)))
    sim.run(120 * 60)
    low, high = 1e-3, 1e3
    for _ in range(200):
        H = math.sqrt(low * high)
        ratio = math.sinh(weight * G * span / (2 * H)) / (weight * G * length / (2 * H))
        low, high = (H, high) if ratio > 1.0 else (low, H)
    force = joints.force(sim, "c_joint_0")
    assert abs(force[0]) == pytest.approx(H, rel=5e-3)
    assert abs(force[2]) == pytest.approx(0.5 * weight * G * length, rel=5e-3)
    sag = H / (weight * G) * (math.cosh(weight * G * span / (2 * H)) - 1.0)
    assert -sim.read("c.lowest") == pytest.approx(sag, rel=5e-3)


def test_heavy_chain_swings_as_one():
    """24 links under 1e9 times a link, 30 degrees: the compound pendulum, joints closed to 1e-3 of a link."""
    from taut.validate.chain_scene import Hanging

    case = Hanging()
    seen = watch(taut.Simulation(case.scene()), 14.0, {"x": "load.position[0]", "gap": separation})
    assert seen["gap"].max() < 1e-3 * case.link_length
    assert reference.period(seen.time, seen["x"]) == pytest.approx(
        reference.pendulum_period(10.0, case.angle), rel=5e-3
    )


def test_dropped_chain_does_not_explode():
    """A plain chain let go from the horizontal whips; it may lose energy, it must not gain any: 5 % of M g L, which is
    what the joints' opening can store."""
    chain = Chain(start=(0, 0, 0), end=(10, 0, 0), links=24, mass_per_length=1.0)
    sim = taut.Simulation(Scene(chains={"c": chain}))
    scale = 10.0 * G * 10.0
    for _ in range(600):
        sim.run(1)
        assert sim.read("energy.mechanical") - sim.start_energy < 0.05 * scale, f"at {sim.time:.2f} s"


def test_bifilar_box():
    """A box on two parallel ropes of length l turns about the vertical with w^2 = m g d^2 / (4 I l), d their distance."""
    l, d, mass = 2.0, 0.6, 5.0
    size = (0.8, 0.2, 0.1)
    moment = mass * (size[0] ** 2 + size[1] ** 2) / 12.0
    angle = 0.05
    box = Body(shape=Box(size=size), mass=mass, orientation=(math.cos(0.5 * angle), 0, 0, math.sin(0.5 * angle)))
    ends = [0.5 * d * np.array([math.cos(angle), math.sin(angle), 0]) * s for s in (1, -1)]
    rise = math.sqrt(l * l - (2 * 0.5 * d * math.sin(0.5 * angle)) ** 2)
    ropes = {
        name: Distance(b="box", point_a=(s * 0.5 * d, 0, rise), point_b=tuple(end), length=l, rope=True)
        for name, s, end in (("left", 1, ends[0]), ("right", -1, ends[1]))
    }
    sim = taut.Simulation(Scene(dt=1 / 240, bodies={"box": box}, joints=ropes, solver=PLAIN))
    seen = watch(sim, 12.0, {"q": "box.orientation[3]"})
    theory = 2.0 * math.pi / math.sqrt(mass * G * d * d / (4.0 * moment * l))
    assert reference.period(seen.time, seen["q"]) == pytest.approx(theory, rel=2e-3)


def test_sphere_on_a_pivot_is_a_compound_pendulum():
    """l = d + 2/5 r^2 / d: the ball turns with its rod. Geometric stiffness adds 0.46 (w h)^2 = 0.13 %."""
    radius, arm, angle = 0.3, 1.0, 0.2
    bob = Body(shape=Sphere(radius=radius), mass=3.0, position=(arm * math.sin(angle), 0, -arm * math.cos(angle)))
    sim = taut.Simulation(Scene(bodies={"bob": bob}, joints={"pivot": Ball(b="bob", at=(0, 0, 0))}))
    seen = watch(sim, 12.0, {"x": "bob.position[0]"})
    theory = reference.pendulum_period(arm + 0.4 * radius**2 / arm, angle)
    assert reference.period(seen.time, seen["x"]) == pytest.approx(theory, rel=2e-3)
