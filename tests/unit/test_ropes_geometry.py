"""The path of a rope over its parts: every derivative against finite differences, tangents against a second way."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import fsolve
from scipy.spatial.transform import Rotation

import taut
from taut.cables.massless.columns import O_EXPECTED
from taut.cables.massless.rows import measure_rope
from taut.cables.massless.twist import twist_row
from taut.compile.reeving import Placed, tangent, wrap_angle
from taut.core.model import B_AT, B_BODY, G_BLOCK, G_DIM, G_START
from taut.measure import ropes
from taut.scene import Body, Box, Cable, End, Ring, Scene, Sheave, Winch

Y = (0.0, 1.0, 0.0)
#: offset of the second wheel along its axis: 3 m away, so 11 degrees of fleet angle
ASIDE = 0.6


def block(position, **more):
    return Body(shape=Box(size=(0.3, 0.4, 0.5)), mass=2.0, position=position, collide=False, **more)


def machine(case: str) -> taut.Simulation:
    """Bodies that carry the parts, in poses that are not special; a rope without tension."""
    turned = tuple(Rotation.from_rotvec([0.1, 0.2, -0.15]).as_quat(scalar_first=True))
    bodies = {
        "a": block((0.2, -0.1, 0.1), orientation=turned),
        "b": block((3.1, 0.3, 0.2)),
        "c": block((5.0, 0.1, -2.0)),
    }
    one = Sheave(on="a", at=(0.0, 0.0, 0.0), axis=(0.05, 1.0, 0.02), radius=0.4, turn="left")
    two = Sheave(on="b", at=(3.0, 0.0, 0.1), axis=Y, radius=0.25, turn="left")
    start, end = End(at=(-0.6, 0.1, -2.5)), End(on="c")
    routes = {
        "points": (start, End(on="a")),
        "rings": (start, Ring(on="a", at=(0.1, 0.0, 0.4)), Ring(on="b"), end),
        "sheave": (start, one, end),
        "sheaves": (start, one, two, end),
        "crossed": (start, one, two.model_copy(update={"turn": "right"}), End(on="c", at=(5.0, 0.1, 2.0))),
        "fleet": (start, one, two.model_copy(update={"at": (3.0, ASIDE, 0.1)}), End(on="c", at=(5.0, 0.4, -2.0))),
        "wraps": (start, one.model_copy(update={"wraps": 2}), two, end),
        "twice": (start, two.model_copy(update={"at": (3.0, 0.1, 0.4)}), Ring(on="a"), two, end),
        "holds": (start, one.model_copy(update={"efficiency": 0.9}), two.model_copy(update={"inertia": 0.1}), end),
        "drum": (Winch(on="a", at=(0.0, 0.0, 0.0), axis=Y, radius=0.4, turn="left"), two, end),
    }
    rope = Cable(route=routes[case], torsional_stiffness=10.0 if case in ("points", "rings", "sheaves") else None)
    sim = taut.Simulation(Scene(gravity=0, bodies=bodies, cables={"rope": rope}))
    sim.run(1)
    return sim


def measured(sim, twist=False):
    """Values of the rows of the rope, and their Jacobian by body."""
    g = len(sim.compiled.joints.groups)
    m, s, w = sim.compiled.model, sim.compiled.state, sim._work
    measure_rope(0, m, s, w, True, g)
    if twist:
        twist_row(0, g, m, s, w, 0.0)
    group, blocks = sim.work.group_int, sim.work.block_int
    start, dim = int(group[g, G_START]), int(group[g, G_DIM])
    found = {}
    for e in range(int(group[g, G_BLOCK]), int(group[g + 1, G_BLOCK])):
        at = int(blocks[e, B_AT])
        found[int(blocks[e, B_BODY])] = sim.work.jac[at : at + 6 * dim].reshape(dim, 6).copy()
    return sim.state.row_phi[start : start + dim].copy(), found


def moved(sim, body, axis, way):
    """Move (axis 0 to 2) or turn (3 to 5) a body, world axes."""
    if axis < 3:
        sim.state.body_pos[body, axis] += way
        return
    turn = Rotation.from_rotvec(way * np.eye(3)[axis - 3])
    old = Rotation.from_quat(sim.state.body_quat[body], scalar_first=True)
    sim.state.body_quat[body] = (turn * old).as_quat(scalar_first=True)


def differences(sim, twist=False, step=1e-4):
    """Largest difference of the Jacobian from central differences of fourth order."""
    base = sim.snapshot()
    _, jacobian = measured(sim, twist)
    worst = 0.0
    for body, rows in jacobian.items():
        if not sim.compiled.bodies.dynamic[body]:
            continue
        for axis in range(6):
            values = []
            for way in (-2.0, -1.0, 1.0, 2.0):
                sim.compiled.state.floats[:] = base.floats
                moved(sim, body, axis, way * step)
                values.append(measured(sim, twist)[0])
            slope = (values[0] - 8.0 * values[1] + 8.0 * values[2] - values[3]) / (12.0 * step)
            worst = max(worst, float(np.abs(slope - rows[:, axis]).max()))
    sim.compiled.state.floats[:] = base.floats
    return worst


CASES = ("points", "rings", "sheave", "sheaves", "crossed", "fleet", "wraps", "twice", "holds", "drum")


@pytest.mark.parametrize("case", CASES)
def test_the_row_is_the_derivative_of_the_length(case):
    """Round-off of the differences is 1e-16 / 1e-4, their order (1e-4)^4: 1e-10 is exact."""
    assert differences(machine(case)) < 1e-10


@pytest.mark.parametrize("case", ["points", "rings"])
def test_the_twist_row_is_the_derivative_of_the_twist(case):
    """Parallel transport has no derivative of its own: the rate of the twist holds at a rope that is not twisted too."""
    sim = machine(case)
    assert differences(sim, twist=True) < 1e-9
    # and far from where it was laid
    moved(sim, sim.compiled.bodies.index["a"], 5, 1.2)
    moved(sim, sim.compiled.bodies.index["a"], 0, 0.3)
    sim.state.rope_twist[0, O_EXPECTED] = 10.0  # no step went there: what it did not expect would be let go
    assert differences(sim, twist=True) < 1e-9


def test_the_twist_row_over_wheels():
    """In the planes of the wheels and out of them: the tangent points slide along, which turns the span at a fleet angle."""

    def over_wheels(aside):
        bodies = {"a": block((0.2, 0, 0.1)), "b": block((3.1, 0, 0.2)), "c": block((5.0, 0, -2.0))}
        one = Sheave(on="a", at=(0, 0, 0), axis=Y, radius=0.4, turn="left")
        two = Sheave(on="b", at=(3, aside, 0.1), axis=Y, radius=0.25, turn="left")
        rope = Cable(route=(End(at=(-0.6, 0, -2.5)), one, two, End(on="c")), torsional_stiffness=10.0)
        sim = taut.Simulation(Scene(gravity=0, bodies=bodies, cables={"rope": rope}))
        sim.run(1)
        return sim

    for aside in (0.0, 0.1, 0.4, 0.6):
        assert differences(over_wheels(aside), twist=True) < 1e-9


def test_moving_everything_changes_no_length():
    """A rigid motion of all bodies, with no part on the world."""
    bodies = {"a": block((0, 0, 0)), "b": block((3, 0.2, 0)), "c": block((5, 0, -2))}
    wheel = Sheave(on="b", at=(3, 0.2, 0), axis=(0.1, 1.0, 0.0), radius=0.3, turn="left")
    rope = Cable(route=(End(on="a"), wheel, End(on="c")))
    sim = taut.Simulation(Scene(gravity=0, bodies=bodies, cables={"rope": rope}))
    sim.run(1)
    before, jacobian = measured(sim)
    turn, shift = Rotation.from_rotvec([0.4, -0.8, 1.1]), np.array([3.0, -2.0, 1.0])
    total = np.zeros(3)
    for rows in jacobian.values():
        total += rows[0, :3]
    assert np.abs(total).max() < 1e-14
    for body in jacobian:
        sim.state.body_pos[body] = turn.apply(sim.state.body_pos[body]) + shift
        old = Rotation.from_quat(sim.state.body_quat[body], scalar_first=True)
        sim.state.body_quat[body] = (turn * old).as_quat(scalar_first=True)
    assert measured(sim)[0] == pytest.approx(before, abs=1e-13)


def test_the_angle_of_a_wheel_follows_over_full_turns():
    """A wheel body that is carried once round its partner keeps its count."""
    sim = machine("sheave")
    wraps = ropes.wraps(sim, "rope")[1]
    end = sim.compiled.bodies.index["c"]
    start, lengths = sim.state.body_pos[end].copy(), []
    for angle in np.linspace(0.0, 2.0 * math.pi, 200):
        turn = Rotation.from_rotvec([0.0, angle, 0.0])
        sim.state.body_pos[end] = turn.apply(start)
        lengths.append(measured(sim)[0][0])
    assert np.abs(np.diff(lengths)).max() < 0.1
    assert ropes.wraps(sim, "rope")[1] - wraps == pytest.approx(2.0 * math.pi, abs=1e-6)
    assert lengths[-1] - lengths[0] == pytest.approx(0.4 * 2.0 * math.pi, abs=1e-6)


@pytest.mark.parametrize("turns", [(1, 1), (1, -1), (-1, 1), (-1, -1)])
@pytest.mark.parametrize("aside", [0.0, 0.5])
def test_tangents_by_another_way(turns, aside):
    """Both tangent conditions solved by a general root finder."""
    one = Placed(np.zeros(3), np.array(Y), np.array([1.0, 0.0, 0.0]), 0.4, turns[0])
    two = Placed(np.array([3.0, aside, 0.4]), np.array(Y), np.array([1.0, 0.0, 0.0]), 0.25, turns[1])
    a, b, length = tangent(one, two)

    def conditions(x):
        d = two.at(x[1]) - one.at(x[0])
        return d @ (one.at(x[0]) - one.centre), d @ (two.at(x[1]) - two.centre)

    root = fsolve(conditions, [a + 0.05, b - 0.05], xtol=1e-12)
    assert [a, b] == pytest.approx(list(root), abs=1e-9)
    assert length == pytest.approx(float(np.linalg.norm(two.at(b) - one.at(a))), abs=1e-14)
    # leaves and arrives the way the wheels turn
    d = two.at(b) - one.at(a)
    for wheel, angle in ((one, a), (two, b)):
        assert wheel.turn * np.cross(Y, wheel.at(angle) - wheel.centre) @ d > 0.0


def test_wrap_angles():
    assert wrap_angle(0.2, 1.2, 1, 0) == pytest.approx(1.0)
    assert wrap_angle(1.2, 0.2, -1, 0) == pytest.approx(1.0)
    assert wrap_angle(0.2, 1.2, 1, 3) == pytest.approx(1.0 + 6.0 * math.pi)
    # slightly less than touching is a small negative angle, not almost a turn
    assert wrap_angle(0.2, 0.1, 1, 0) == pytest.approx(-0.1)
    assert wrap_angle(0.0, 1.4 * math.pi, 1, 0) == pytest.approx(1.4 * math.pi)
