"""Harnesses: branches and connectors in balance, ties, and the length that a pull makes."""

import numpy as np
import pytest

from taut.cables.rod import Clamp, Harness, On, Rod, RodError

KIND = {"EI": 1e-2, "GJ": 1e-2, "mass_per_length": 0.1, "radius": 0.004}


def fork() -> Harness:
    harness = Harness()
    harness.add_branch("fork", (0.3, 0, -0.05))
    harness.add_cable("trunk", 0.35, 30, Clamp((0, 0, 0)), On("fork"), **KIND)
    harness.add_cable("left", 0.35, 30, On("fork", direction=(1, 0.5, 0)), Clamp((0.6, 0.15, 0)), **KIND)
    harness.add_cable("right", 0.35, 30, On("fork", direction=(1, -0.5, 0)), Clamp((0.6, -0.15, 0.05)), **KIND)
    return harness


def test_a_branch_is_in_balance() -> None:
    harness = fork()
    found = harness.solve()
    assert found.is_minimum
    assert found.residual < 1e-8
    force, moment = harness.load("fork")
    assert force == pytest.approx(np.zeros(3), abs=1e-6)
    assert moment == pytest.approx(np.zeros(3), abs=1e-6)
    # independently of the body's own account: ends of the three cables, weight of all
    ends = harness["trunk"].end_force("start") + harness["left"].end_force() + harness["right"].end_force()
    assert ends == pytest.approx([0, 0, 3 * 0.35 * 0.1 * 9.81], abs=1e-6)
    forces = [harness["trunk"].end_force(), harness["left"].end_force("start"), harness["right"].end_force("start")]
    assert sum(forces) == pytest.approx(np.zeros(3), abs=1e-6)
    moments = harness["trunk"].end_moment() + harness["left"].end_moment("start") + harness["right"].end_moment("start")
    assert moments == pytest.approx(np.zeros(3), abs=1e-6)
    at = harness.pose("fork")[0]
    for cable, node in (("trunk", -1), ("left", 0), ("right", 0)):
        assert harness[cable].points[node] == pytest.approx(at, abs=1e-7)


def test_a_cable_cut_by_a_branch_is_the_same_cable() -> None:
    """Two halves on a free branch without weight are one cable: half joints in series make the whole joint."""
    whole = Rod(1.0, 40, start=Clamp((0, 0, 0)), end=Clamp((0.6, 0.1, 0), (1, 1, 0)), **KIND)
    whole.solve()
    harness = Harness()
    harness.add_branch("cut", whole.points[20] + 0.01)
    harness.add_cable("one", 0.5, 20, Clamp((0, 0, 0)), On("cut"), **KIND)
    harness.add_cable("two", 0.5, 20, On("cut"), Clamp((0.6, 0.1, 0), (1, 1, 0)), **KIND)
    harness.solve()
    # the chord of a whole joint against two halves: second order in the angle of one joint
    assert harness["one"].points == pytest.approx(whole.points[:21], abs=2e-4)
    assert harness["two"].points == pytest.approx(whole.points[20:], abs=2e-4)


def test_dragging_a_connector_and_letting_one_go() -> None:
    harness = fork()
    harness.solve()
    name = "left.end"
    for k in range(1, 6):
        harness.move(name, (0.6, 0.15, 0.01 * k))
        assert harness.solve().iterations <= 6
    assert np.linalg.norm(harness.load(name)[0]) > 0.1
    harness.release(name)
    harness.solve()
    force, moment = harness.load(name)
    assert force == pytest.approx(np.zeros(3), abs=1e-6)
    assert moment == pytest.approx(np.zeros(3), abs=1e-6)
    assert harness.pose(name)[0][2] < -0.1  # hangs down
    harness.fix(name)
    harness.move(name, (0.6, 0.15, 0.0))
    harness.solve()
    assert harness["left"].points[-1] == pytest.approx([0.6, 0.15, 0.0], abs=1e-7)


def test_a_connector_with_weight_hangs() -> None:
    harness = Harness()
    harness.add_connector("plug", (0, 0, -0.3), fixed=False, mass="50 g", centre=(0, 0, -0.01))
    down = Clamp((0, 0, 0), (0, 0, -1))
    harness.add_cable("lead", 0.3, 30, down, On("plug", direction=(0, 0, -1)), **KIND)
    assert harness.solve().is_minimum
    assert harness["lead"].end_force("start") == pytest.approx([0, 0, 9.81 * (0.05 + 0.03)], rel=1e-6)
    assert harness.pose("plug")[0] == pytest.approx([0, 0, -0.3], abs=1e-6)


def test_a_tie_bundles() -> None:
    harness = Harness()
    for name, y in (("a", 0.0), ("b", 0.08)):
        harness.add_cable(name, 0.8, 40, Clamp((0, y, 0)), Clamp((0.6, y, 0)), **KIND)
    harness.add_tie("strap", {"a": 0.4, "b": 0.4}, (0.3, 0.04, -0.2))
    found = harness.solve()
    assert found.residual < 1e-8
    gap = harness["a"].point_at(0.4) - harness["b"].point_at(0.4)
    assert np.linalg.norm(gap) == pytest.approx(0.008, abs=1e-7)
    assert harness.load("strap")[0] == pytest.approx(np.zeros(3), abs=1e-6)


def test_automatic_length_does_not_depend_on_the_mesh() -> None:
    """E*(L) + T L least; the material force n.t + B k^2/2 is T all along; L* = 0.685 for T = 0.05, as from 15 solves of
    an independent minimisation (B = 1e-2... scaled: B = w = L = 1 there)."""
    found = []
    for segments in (20, 40, 80):
        rod = Rod(1.0, segments, start=Clamp((0, 0, 0)), end=Clamp((0.6, 0.1, 0), (1, 0, 0.5)), EI=1.0, GJ=1.0)
        rod.solve()
        found.append(rod.automatic_length(2.0))
        assert rod.length_force() == pytest.approx(-2.0, rel=1e-4)
    assert found[1] == pytest.approx(found[2], rel=1e-3)
    assert abs(found[0] - found[1]) / abs(found[1] - found[2]) == pytest.approx(4.0, rel=0.25)
    bend = 0.5 * rod.curvature[1:-1] ** 2
    tension = 0.5 * (rod.tension[1:] + rod.tension[:-1])
    # n.t + B k^2/2 is constant along a rod without weight and is minus the derivative by the length
    assert (tension + bend).std() < 0.01 * 2.0
    assert (tension + bend).mean() == pytest.approx(2.0, rel=0.01)


def test_stretched_length() -> None:
    rod = Rod(1.0, 20, start=Clamp((0, 0, 0)), end=Clamp((0.6, 0, 0)), EI=1.0, GJ=1.0)
    assert rod.stretched_length(0.05) == pytest.approx(0.63)
    rod.add_handle(0.5, (0.3, 0, 0.4))
    assert rod.stretched_length() == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda h: h.add_cable("x", 1, 20, On("nothing"), Clamp((0, 0, 0)), **KIND), "x.start: no connector or branch"),
        (lambda h: h.add_cable("x", 1, 20, Clamp((0, 0, 0)), Clamp((1, 0, 0)), EJ=1), "x.EJ: unknown; known: section"),
        (lambda h: h.add_connector("fork", (0, 0, 0)), "there is one already"),
        (lambda h: h["none"], "cable 'none' - there is none; known: trunk, left, right"),
        (lambda h: h.move("fork", (0, 0, 0)), "fork: is free and goes where the cables pull it"),
        (lambda h: h.add_tie("t", {"trunk": 0.1}, (0, 0, 0)), "needs at least two cables"),
    ],
)
def test_mistakes_are_named(act, words) -> None:
    with pytest.raises(RodError) as caught:
        act(fork())
    assert words in str(caught.value)


def test_a_cable_that_is_too_short_is_named() -> None:
    harness = fork()
    harness.solve()
    harness.fix("fork")
    harness.move("fork", (0.3, 0, 0.3))
    with pytest.raises(RodError, match=r"trunk: start and end are .* too short; the last shape is kept"):
        harness.solve()


def test_cables_that_are_too_short_together_are_named() -> None:
    """Plug and one end are held, the branch between them is free: no cable is too short by itself."""
    harness = fork()
    harness.solve()
    harness["left"].set_length(0.05)
    with pytest.raises(
        RodError, match=r"trunk: start and left: end are .*\(trunk, left\) are .* together: .* mm too short; the last"
    ):
        harness.solve()
