"""Editing a rod: many random starts, handles, whole turns, length, and changes of the ends."""

import math

import numpy as np
import pytest

from taut.cables.rod import Clamp, Free, Pin, Rod, RodError


def test_random_first_shapes_are_stable_equilibria() -> None:
    """Any two ends, from stiff to limp (w L^3/EI 0.1 to 2000), isotropic or not, curved at rest or not."""
    rng = np.random.default_rng(11)
    for _ in range(150):
        toward = rng.normal(size=3)
        toward *= rng.uniform(0.0, 0.98) / np.linalg.norm(toward)
        start = rng.choice(["clamp", "clamp", "pin"])
        end = rng.choice(["clamp", "pin", "free"])
        rod = Rod(
            1.0, int(rng.choice([20, 50, 100])),
            start=Clamp((0, 0, 0), rng.normal(size=3)) if start == "clamp" else Pin((0, 0, 0)),
            end={"clamp": Clamp(toward, rng.normal(size=3)), "pin": Pin(toward), "free": Free()}[end],
            EI=(1, rng.choice([1, 4])), GJ=rng.choice([0.3, 1, 3]), mass_per_length=10 ** rng.uniform(-1, 3.3),
            gravity=(0, 0, -1), rest_curvature=rng.choice([0, 3]),
        )  # fmt: skip
        found = rod.solve()
        assert found.residual < 1e-8
        assert found.is_minimum
        if end != "free":
            assert rod.points[-1] == pytest.approx(toward, abs=1e-7)
        assert np.linalg.norm(np.diff(rod.points, axis=0), axis=1) == pytest.approx(1.0 / rod.segments, rel=1e-12)


def test_path_does_not_matter_where_there_is_one_shape() -> None:
    """Dragged there in one go, in many steps, or built there: the same equilibrium."""
    make = {"EI": 1.0, "GJ": 1.0, "mass_per_length": 50.0, "gravity": (0, 0, -1)}
    there = (0.4, 0.25, 0.2)
    built = Rod(1.0, 50, start=Clamp((0, 0, 0)), end=Clamp(there), **make)
    built.solve()
    leapt, dragged = (Rod(1.0, 50, start=Clamp((0, 0, 0)), end=Clamp((0.7, 0, 0)), **make) for _ in range(2))
    leapt.solve()
    dragged.solve()
    leapt.move_end(there)
    assert leapt.solve().steps > 1
    for t in np.linspace(0.0, 1.0, 41):
        dragged.move_end((1 - t) * np.array([0.7, 0, 0]) + t * np.array(there))
        dragged.solve()
    assert leapt.points == pytest.approx(built.points, abs=1e-7)
    assert dragged.points == pytest.approx(built.points, abs=1e-7)


def test_whole_turns_are_kept() -> None:
    rod = Rod(1.0, 60, start=Clamp((0, 0, 0)), end=Clamp((0.9999, 0, 0)), EI=1.0, GJ=50.0)
    rod.solve()
    rod.twist_end("1 rev")
    rod.twist_end("270 deg")
    rod.solve()
    stiff_twist = rod.twist.mean()
    # nearly straight and stiff in torsion, it holds 630 degrees only by writhing: link is twist plus writhe
    assert 0.0 < stiff_twist < math.radians(630)
    soft = Rod(1.0, 60, start=Clamp((0, 0, 0)), end=Clamp((0.9999, 0, 0)), EI=1.0, GJ=0.1)
    soft.solve()
    soft.twist_end("630 deg")
    soft.solve()
    assert soft.twist.mean() == pytest.approx(math.radians(630), rel=2e-3)
    soft.twist_end("-630 deg")
    soft.solve()
    assert soft.twist.mean() == pytest.approx(0.0, abs=1e-6)


def test_handles_hold_move_and_let_go() -> None:
    rod = Rod(
        1.0, 80, start=Clamp((0, 0, 0)), end=Clamp((0.6, 0, 0)), EI=1.0, GJ=1.0, mass_per_length=100, gravity=(0, 0, -1)
    )
    rod.solve()
    before = rod.points
    # held where it is, at a place between two nodes: no force, no change
    one = rod.add_handle(0.503)
    rod.solve()
    assert rod.points == pytest.approx(before, abs=1e-7)
    assert rod.handle_force(one) == pytest.approx(np.zeros(3), abs=1e-4)
    up = rod.point_at(0.503) + np.array([0.0, 0.0, 0.15])
    rod.move_handle(one, up)
    aside = rod.point_at(0.25) + np.array([0.0, 0.05, 0.05])
    two = rod.add_handle(0.25, aside)
    rod.solve()
    assert rod.point_at(0.503) == pytest.approx(up, abs=1e-7)
    assert rod.handle_force(one)[2] > 10.0
    assert rod.point_at(0.25) == pytest.approx(aside, abs=1e-7)
    rod.remove_handle(one)
    rod.remove_handle(two)
    rod.solve()
    assert rod.points == pytest.approx(before, abs=1e-6)


def test_a_handle_in_the_middle_is_two_rods() -> None:
    """Pinned in the middle by symmetry the tangent there is level: each half is a rod between clamps of its own."""
    whole = Rod(
        2.0, 80, start=Clamp((0, 0, 0)), end=Clamp((1.2, 0, 0)), EI=1.0, GJ=1.0, mass_per_length=50, gravity=(0, 0, -1)
    )
    whole.add_handle(1.0, (0.6, 0, 0))
    assert whole.solve().residual < 1e-8
    half = Rod(
        1.0, 40, start=Clamp((0, 0, 0)), end=Clamp((0.6, 0, 0)), EI=1.0, GJ=1.0, mass_per_length=50, gravity=(0, 0, -1)
    )
    half.solve()
    saddle = Rod(
        2.0, 80, start=Clamp((0, 0, 0)), end=Clamp((1.2, 0, 0)), EI=1.0, GJ=1.0, mass_per_length=50, gravity=(0, 0, -1)
    )
    saddle.add_handle(1.0, (0.6, 0, 0))
    saddle.solve(escape=False)
    # a half joint at the clamp against a whole one in the middle: equal to second order in the segment length
    assert saddle.points[:41] == pytest.approx(half.points, abs=1e-3)


def test_length_and_ends_change_with_a_warm_start() -> None:
    rod = Rod(
        0.8, 60, start=Clamp((0, 0, 0)), end=Clamp((0.6, 0, 0)), EI=1.0, GJ=1.0, mass_per_length=50, gravity=(0, 0, -1)
    )
    rod.solve()
    iterations = []
    for length in np.arange(0.81, 1.205, 0.01):
        rod.set_length(length)
        iterations.append(rod.solve().iterations)
    assert max(iterations) <= 4
    fresh = Rod(
        1.2, 60, start=Clamp((0, 0, 0)), end=Clamp((0.6, 0, 0)), EI=1.0, GJ=1.0, mass_per_length=50, gravity=(0, 0, -1)
    )
    fresh.solve()
    assert rod.points == pytest.approx(fresh.points, abs=1e-6)
    rod.hold("end", Free())
    assert rod.solve().is_minimum
    assert rod.end_force() == pytest.approx(np.zeros(3))
    assert rod.points[-1, 2] < -0.5
    rod.hold("end", Clamp((0.6, 0, 0)))
    rod.solve()
    assert rod.points == pytest.approx(fresh.points, abs=1e-6)


def test_a_saddle_is_left_or_told() -> None:
    """A column above its load stands on a saddle; disturbed it bends over and has less energy."""
    column = {"start": Clamp((0, 0, 0), (0, 0, 1)), "end": Free(), "EI": 1.0, "GJ": 1.0, "mass_per_length": 12.0}
    column |= {"gravity": (0, 0, -1)}
    standing, fallen = Rod(1.0, 40, **column), Rod(1.0, 40, **column)
    told = standing.solve(escape=False)
    assert told.residual < 1e-8
    assert not told.is_minimum
    assert fallen.solve().is_minimum
    assert fallen.energy < standing.energy
    assert np.hypot(*fallen.points[-1, :2]) > 0.3


def test_a_clamp_with_the_other_sign_is_the_same_clamp() -> None:
    """q and -q are the same clamp: holding it anew with the other sign changes nothing."""
    rod = Rod(1.0, 30, start=Clamp((0, 0, 0)), end=Clamp((0.6, 0.1, 0)), EI=1.0, GJ=1.0, mass_per_length=5)
    rod.solve()
    points, frame = rod.points, Clamp((0, 0, 0)).frame("end")
    rod.hold("end", Clamp((0.6, 0.1, 0), quaternion=-frame))
    assert rod.solve().iterations <= 1
    assert rod.points == pytest.approx(points, abs=1e-8)


def test_random_editing_never_fails() -> None:
    """Long series of large changes, several at a time: always an equilibrium that is a minimum, or a reason."""
    rng = np.random.default_rng(5)
    for _ in range(12):
        rod = Rod(
            1.0, int(rng.choice([30, 60])), start=Clamp((0, 0, 0), rng.normal(size=3)),
            end=Clamp(0.2 * rng.normal(size=3), rng.normal(size=3)), EI=(1, rng.choice([1, 3])),
            GJ=rng.choice([0.5, 1]), mass_per_length=10 ** rng.uniform(0, 3), gravity=(0, 0, -1),
        )  # fmt: skip
        rod.solve()
        for _ in range(20):
            change(rod, rng, int(rng.integers(7)))
            try:
                found = rod.solve()
            except RodError as error:
                assert "too short" in str(error) or "pass through itself" in str(error)
            else:
                assert found.residual < 1e-8
                assert found.is_minimum


def change(rod: Rod, rng: np.random.Generator, kind: int) -> None:
    """One of the things a person does."""
    clamped = rod._chain.held[1] == "clamped"
    handles = list(rod._chain.handles)
    if kind == 0 and clamped:
        rod.move_end(0.25 * rng.normal(size=3))
        rod.twist_end(rng.uniform(-10, 10))
    elif kind == 1 and clamped:
        rod.rotate_end(rng.normal(size=3), rng.uniform(-3, 3))
    elif kind == 2:
        rod.set_length(rng.uniform(0.9, 1.3))
    elif kind == 3 and not handles:
        rod.add_handle(rng.uniform(0.2, 0.8) * rod.length)
    elif kind == 4 and handles:
        rod.move_handle(handles[0], 0.9 * rod.point_at(0.4) + 0.05 * rng.normal(size=3))
    elif kind == 5 and handles:
        rod.remove_handle(handles[0])
        rod.add_load(0.7 * rod.length, 20.0 * rng.normal(size=3))
    elif kind == 6:
        point, along = 0.25 * rng.normal(size=3), rng.normal(size=3)
        rod.hold("end", [Pin(point), Free(), Clamp(point, along)][rng.integers(3)])


def test_turns_that_a_rod_could_only_lose_through_itself_are_refused() -> None:
    rod = Rod(0.6, 60, start=Clamp((0, 0, 0)), end=Clamp((0.35, 0.08, 0.04)), EI=0.005, GJ=0.0035)
    rod.solve()
    rod.twist_end("1 rev")
    rod.solve()
    before = rod.points
    rod.twist_end("8 rev")
    with pytest.raises(RodError, match=r"twist: .* turns .* pass through itself"):
        rod.solve()
    assert rod.points == pytest.approx(before, abs=1e-9)


def test_a_handle_holds_a_pose() -> None:
    rod = Rod(1.0, 60, start=Clamp((0, 0, 0)), end=Clamp((0.6, 0, 0)), EI=1.0, GJ=0.8)
    rod.solve()
    handle = rod.add_handle(0.5, Clamp((0.3, 0.05, 0.2), (1, 0.2, 0)))
    rod.solve()
    way = rod.point_at(0.505) - rod.point_at(0.495)
    assert way / np.linalg.norm(way) == pytest.approx(np.array([1, 0.2, 0]) / math.hypot(1, 0.2), abs=0.1)
    rod.move_handle(handle, Clamp((0.3, 0.0, 0.22), (1, 0, 0)))
    rod.solve()
    assert rod.point_at(0.5) == pytest.approx([0.3, 0.0, 0.22], abs=1e-8)
    assert np.linalg.norm(rod.handle_force(handle)) > 0.0
    rod.remove_handle(handle)
    rod.solve()
    assert rod.point_at(0.5) != pytest.approx([0.3, 0.0, 0.22], abs=1e-3)


def test_a_slack_that_is_no_share_is_told() -> None:
    rod = Rod(1.0, 20, start=Clamp((0, 0, 0)), end=Clamp((0.6, 0, 0)), EI=1.0, GJ=0.8)
    with pytest.raises(RodError, match="slack: '10 mm' - expected a share"):
        rod.stretched_length("10 mm")
