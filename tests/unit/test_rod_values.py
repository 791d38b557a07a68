"""What a person types for a rod, and what is said when it cannot be."""

import math

import numpy as np
import pytest

from taut.cables.rod import Clamp, Free, Hollow, Pin, Rectangular, Rod, RodError, Round
from taut.cables.rod.ends import multiply, quaternion, rotate, to_vector

ENDS = {"start": Clamp((0, 0, 0)), "end": Clamp((0.6, 0, 0))}
DIRECT = {"EI": 1.0, "GJ": 1.0}


def test_sections() -> None:
    area, i1, i2, j = Round("20 mm").moments()
    assert (area, i1, j) == pytest.approx((math.pi * 1e-4, math.pi * 1e-8 / 4, math.pi * 1e-8 / 2))
    assert i1 == i2
    hose, hole = Hollow(0.02, 0.01).moments(), Round(0.01).moments()
    assert hose == pytest.approx(np.subtract(Round(0.02).moments(), hole))
    area, i1, i2, j = Rectangular(0.01, 0.03).moments()
    assert (area, i1, i2) == pytest.approx((3e-4, 0.01 * 0.03**3 / 12, 0.03 * 0.01**3 / 12))
    # Timoshenko and Goodier, table for b/t = 3 and 1
    assert j == pytest.approx(0.263 * 0.03 * 0.01**3, rel=2e-3)
    assert Rectangular(1.0, 1.0).moments()[3] == pytest.approx(0.1406, rel=5e-4)


def test_material_by_section_is_the_same_as_direct() -> None:
    area, i1, _, j = Round("12 mm").moments()
    made = Rod("1 m", 20, **ENDS, section=Round("12 mm"), E="5 MPa", nu=0.45, density="1200 kg/m^3")
    direct = Rod(1.0, 20, **ENDS, EI=5e6 * i1, GJ=5e6 / 2.9 * j, mass_per_length=1200 * area)
    made.solve()
    direct.solve()
    assert made.points == pytest.approx(direct.points, abs=1e-9)


def test_units_are_read_everywhere() -> None:
    plain = Rod(1.0, 20, **ENDS, EI=0.02, GJ=0.01, mass_per_length=0.1, rest_twist=math.pi)
    typed = Rod(
        "1000 mm", 20, start=Clamp(("0 mm", 0, 0)), end=Clamp("[60, 0, 0] cm"), EI="0.02 N m^2", GJ="0.01 N m^2",
        mass_per_length="100 g/m", rest_twist="180 deg/m",
    )  # fmt: skip
    plain.solve()
    typed.solve()
    assert typed.points == pytest.approx(plain.points, abs=1e-12)


def test_frames_of_clamps() -> None:
    q = Clamp((0, 0, 0), (0, 1, 0), up=(0, 1, 1)).frame("start")
    assert rotate(q, np.array([0.0, 0.0, 1.0])) == pytest.approx([0, 1, 0], abs=1e-15)
    assert rotate(q, np.array([1.0, 0.0, 0.0])) == pytest.approx([0, 0, 1], abs=1e-15)
    rng = np.random.default_rng(0)
    for _ in range(50):
        q = rng.normal(size=4)
        q /= np.linalg.norm(q)
        back = quaternion(*(rotate(q, e) for e in np.eye(3)))
        assert np.linalg.norm(to_vector(multiply(back, q * np.array([1, -1, -1, -1])))) < 1e-14


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"length": -1}, "length: -1 - expected a length greater than 0"),
        ({"length": "3 kg"}, "length: expected a length"),
        ({"segments": 2}, "segments: 2 - expected a whole number from 4"),
        ({"segments": 10.0}, "segments: 10.0"),
        ({"EI": 0.0}, "EI: 0 at segment 0"),
        ({"EI": [1.0] * 19 + [-1.0]}, "EI: -1 at segment 19"),
        ({"EI": [1.0, 2.0, 3.0]}, "EI: expected one number, 2 numbers or one per segment (20)"),
        ({"GJ": None}, "give both"),
        ({"GJ": None, "EI": None}, "missing: EI and GJ"),
        ({"E": 1e6}, "would be ignored"),
        ({"GJ": None, "EI": None, "E": 1e6, "section": Round(0.01)}, "exactly one of the shear modulus"),
        ({"GJ": None, "EI": None, "E": 1e6, "nu": 0.7, "section": Round(0.01)}, "between -1 and 0.5"),
        ({"GJ": None, "EI": None, "E": 1e6, "nu": 0.3, "section": Hollow(0.01, 0.02)}, "smaller than the outer"),
        ({"section": "round"}, "expected Round, Hollow or Rectangular"),
        ({"density": 1000}, "needs a section"),
        ({"density": 1000, "mass_per_length": 1}, "give one of them"),
        ({"mass_per_length": -1}, "must not be negative"),
        ({"gravity": (0, 0)}, "gravity: expected 3 numbers"),
        ({"gravity": (0, 0, math.nan)}, "not a finite number"),
        ({"rest_curvature": 50.0}, "at least 15 are needed: use 120 or more"),
        ({"start": Free(), "end": Free()}, "both are free; hold one of them"),
        ({"end": (1, 2, 3)}, "expected Clamp, Pin or Free"),
        ({"end": Clamp((0.6, 0, 0), (0, 0, 0))}, "end.direction: (0, 0, 0) - a direction must not be zero"),
        ({"end": Clamp((0.6, 0, 0), (1, 0, 0), up=(2, 0, 0))}, "must not lie along the direction"),
        ({"end": Pin("nowhere")}, "end.point: expected 3 numbers"),
    ],
)
def test_mistakes_are_named(changes: dict, words: str) -> None:
    with pytest.raises(RodError) as caught:
        Rod(**{"length": 1.0, "segments": 20, **ENDS, **DIRECT, **changes})
    assert words in str(caught.value)


def test_mistakes_later_on() -> None:
    rod = Rod(1.0, 20, start=Clamp((0, 0, 0)), end=Free(), **DIRECT)
    for act, words in (
        (lambda: rod.points, "call solve() first"),
        (lambda: rod.end_moment(), "call solve() first"),
        (lambda: rod.move_end((1, 0, 0)), "is free and cannot be moved"),
        (lambda: rod.rotate_end((1, 0, 0), 1.0), "is not clamped"),
        (lambda: rod.move_end((1, 0, 0), "middle"), "expected 'start' or 'end'"),
        (lambda: rod.add_handle(0.05, (0, 0, 0)), "less than two segments (0.1 m) from what is held at 0 m"),
        (lambda: rod.add_handle("2 m", (0, 0, 0)), "the rod goes from 0 to 1 m"),
        (lambda: rod.remove_handle(7), "handle 7 - there is none; known: none"),
        (lambda: rod.change_load(3, (0, 0, 0)), "load 3 - there is none"),
        (lambda: rod.set_length("0 m"), "greater than 0"),
        (lambda: rod.solve(tolerance=0.0), "expected 1e-13 to 1e-2"),
    ):
        with pytest.raises(RodError) as caught:
            act()
        assert words in str(caught.value)


def test_ends_too_far_apart_keep_the_last_shape() -> None:
    rod = Rod(1.0, 20, **ENDS, **DIRECT, mass_per_length=1.0)
    rod.solve()
    points, force = rod.points, rod.end_force()
    rod.move_end((1.05, 0, 0))
    with pytest.raises(
        RodError,
        match=r"start and end are 1050 mm apart.*1000 mm long between them: 50 mm too short; the last shape is kept",
    ):
        rod.solve()
    assert rod.points == pytest.approx(points, abs=0.0)
    assert rod.end_force() == pytest.approx(force, abs=0.0)
    # and it goes on from there
    rod.move_end((0.7, 0, 0))
    assert rod.solve().residual < 1e-8
    assert rod.points[-1] == pytest.approx([0.7, 0, 0], abs=1e-8)
    rod.move_end((1.0, 0, 0))
    with pytest.raises(RodError, match="exactly straight, without slack"):
        rod.solve()


def test_a_handle_out_of_reach_is_taken_back() -> None:
    rod = Rod(1.0, 20, **ENDS, **DIRECT, mass_per_length=1.0)
    rod.solve()
    points = rod.points
    number = rod.add_handle(0.5, (0.0, 0.0, 0.6))
    with pytest.raises(
        RodError, match=rf"start and handle {number} are 600 mm apart.*500 mm long between them: 100 mm too short"
    ):
        rod.solve()
    assert rod.points == pytest.approx(points, abs=0.0)
    with pytest.raises(RodError, match="there is none"):
        rod.handle_force(number)
    assert rod.solve().iterations == 0


def test_more_twist_than_the_joints_resolve() -> None:
    rod = Rod(1.0, 12, start=Clamp((0, 0, 0)), end=Clamp((0.99, 0, 0)), EI=1.0, GJ=0.01)
    rod.solve()
    rod.twist_end("1 rev")
    assert rod.solve().largest_angle == pytest.approx(2 * math.pi / 12, rel=0.3)
    twist = rod.twist.mean()
    rod.twist_end("40 rev")
    with pytest.raises(
        RodError, match=r"twist: \d\d degrees between two segments, at most 60.*use \d\d segments or more; the"
    ):
        rod.solve()
    assert rod.twist.mean() == pytest.approx(twist, abs=0.0)
