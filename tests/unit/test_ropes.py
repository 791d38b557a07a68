"""The catalogue of ropes: every row is whole and has its sources, and agrees with catalogues it was not made from."""

import math
from pathlib import Path

import pytest

from taut.scene.problems import SceneError
from taut.scene.ropes import Rope, RopeChoice, rope_table

ROPES = list(rope_table().values())
POUND_FORCE = 4.448222


def choose(construction: str, diameter: str, grade: int | None = None) -> RopeChoice:
    return RopeChoice(construction=construction, diameter=diameter, grade=grade)


def mistake(**fields: object) -> str:
    with pytest.raises(SceneError) as error:
        RopeChoice(**fields)
    return str(error.value)


@pytest.mark.parametrize("rope", ROPES, ids=lambda rope: rope.name)
def test_every_row_is_whole_and_has_sources(rope: Rope) -> None:
    assert rope.title and rope.diameter_source
    assert 0.0 < rope.least_diameter < rope.most_diameter
    assert all(figure.source and math.isfinite(figure.value) for figure in rope.figures().values())
    for millimetres in (rope.least_diameter, rope.most_diameter):
        for grade in rope.grades or (None,):
            data = choose(rope.name, f"{millimetres} mm", grade).data()
            assert min(data.axial_stiffness, data.torsional_stiffness, data.mass_per_length, data.breaking_load) > 0.0
            assert data.lay_torque >= 0.0
            # between nylon, which stretches to more than its length, and steel, which breaks at a few per cent
            assert 0.3 < data.axial_stiffness / data.breaking_load < 200.0
            assert "breaking: " in data.source and "modulus: " in data.source


@pytest.mark.parametrize("rope", [rope for rope in ROPES if rope.grades], ids=lambda rope: rope.name)
def test_steel_ropes_are_made_of_steel(rope: Rope) -> None:
    """The wires carry more than the rope, fill less than the circle, and weigh at most what the rope does."""
    assert 0.6 < rope.breaking.value / rope.area.value < 1.0
    assert 0.4 < rope.area.value / (math.pi / 4.0) < 0.9
    # lay, core, grease or wax add 7 to 24 % to straight wires
    assert 1.06 < rope.mass.value / (7850e-6 * rope.area.value) < 1.25


def test_enough_of_them() -> None:
    assert len([rope for rope in ROPES if rope.grades]) >= 12
    assert len([rope for rope in ROPES if not rope.grades]) >= 3


# API 9A, table C.1: d [mm], mass of 100 m [kg], breaking force at 1770 and 1960 [kN], rounded there to three digits
@pytest.mark.parametrize(
    ("d", "mass", "f1770", "f1960"), [(10, 34.5, 58.8, 65.1), (20, 138, 235, 260), (32, 353, 602, 666)]
)
def test_6x7_as_in_api_9a(d: int, mass: float, f1770: float, f1960: float) -> None:
    low, high = choose("6x7-FC", f"{d} mm", 1770).data(), choose("6x7-FC", f"{d} mm", 1960).data()
    assert low.mass_per_length * 100 == pytest.approx(mass, rel=5e-3)
    assert low.breaking_load == pytest.approx(f1770 * 1e3, rel=5e-3)
    assert high.breaking_load == pytest.approx(f1960 * 1e3, rel=5e-3)


# OrcaFlex documentation, wire ropes by core (grade 1770), d in m: mass [kg/m], EA [N], breaking force [N], each over d^2.
# It takes one stiffness for all constructions, on a smaller area: 15 %
@pytest.mark.parametrize(
    ("name", "mass", "stiffness", "force"),
    [("6x19S-FC", 3610.9, 3.67e10, 5.84175e8), ("6x19S-IWRC", 3989.7, 4.04e10, 6.33358e8)],
)
def test_6x19_as_in_orcaflex(name: str, mass: float, stiffness: float, force: float) -> None:
    data = choose(name, "26 mm", 1770).data()
    assert data.mass_per_length == pytest.approx(mass * 0.026**2, rel=0.01)
    assert data.breaking_load == pytest.approx(force * 0.026**2, rel=0.01)
    assert data.axial_stiffness == pytest.approx(stiffness * 0.026**2, rel=0.15)


# Strand Core, stretch factors G of galvanised ropes: stretch in per cent = G load [lbf] / d^2 [in^2].
# New ropes of other makers differ by as much: 16 %
@pytest.mark.parametrize(
    ("name", "factor"),
    [
        ("6x19S-IWRC", 1.36e-5),
        ("6x36WS-IWRC", 1.44e-5),
        ("1x19", 6.98e-6),
        ("7x19-WSC", 1.40e-5),
    ],
)
def test_stretch_as_of_strand_core(name: str, factor: float) -> None:
    half_inch = choose(name, "0.5 in", 1770).data()
    assert half_inch.axial_stiffness == pytest.approx(100.0 / factor * 0.5**2 * POUND_FORCE, rel=0.16)


# Engineering Toolbox, 6x19 fibre core of improved plow steel (about 1770): 1 in carries 372 kN
def test_inch_rope() -> None:
    assert choose("6x19S-FC", "1 in", 1770).data().breaking_load == pytest.approx(372e3, rel=0.02)


# Lifting Gear, 7x19 galvanised: 10 mm weighs 38.1 kg per 100 m, 12 mm 54.8
def test_mass_of_7x19() -> None:
    assert choose("7x19-WSC", "10 mm", 1770).data().mass_per_length == pytest.approx(0.381, rel=2e-3)
    assert choose("7x19-WSC", "12 mm", 1770).data().mass_per_length == pytest.approx(0.548, rel=2e-3)


# Robline, Rapallo: 24 mm carries 102 kN
def test_polyester_mooring_line() -> None:
    assert choose("polyester", "24 mm").data().breaking_load == pytest.approx(102e3, rel=0.05)


def test_factors_become_si() -> None:
    data = choose("6x36WS-IWRC", "20 mm", 1960).data()
    assert data.breaking_load == pytest.approx(0.356 * 20**2 * 1960)
    assert data.axial_stiffness == pytest.approx(97000 * 0.460 * 20**2)
    assert data.torsional_stiffness == pytest.approx(400e6 * math.pi * 0.020**4 / 32)
    assert data.lay_torque == pytest.approx(0.07 * 0.020)
    assert data.minimum_sheave_ratio == 23
    assert choose("35x7", "20 mm", 1960).data().minimum_sheave_ratio is None


def test_grades_with_a_unit() -> None:
    assert choose("6x7-FC", "20 mm", "1770 N/mm^2").grade == 1770  # type: ignore[arg-type]
    assert choose("6x7-FC", "20 mm", "1960 MPa").grade == 1960  # type: ignore[arg-type]
    assert choose("6x7-FC", "20 mm", "1770").grade == 1770  # type: ignore[arg-type]


def test_ends_of_the_range_are_allowed() -> None:
    assert choose("6x7-FC", "40 mm", 1770).diameter == pytest.approx(0.04)
    assert choose("6x7-FC", "0.6 cm", 1770).diameter == pytest.approx(0.006)


MISTAKES = [
    (
        {"construction": "6x36WS-IWC", "diameter": "20 mm", "grade": 1770},
        "RopeChoice.construction: '6x36WS-IWC' - no such rope, did you mean '6x36WS-IWRC'? (known here: 6x7-FC, ",
    ),
    ({"construction": "hmpe", "diameter": "20 mm"}, "'hmpe' - no such rope, did you mean 'HMPE'?"),
    ({"construction": 7, "diameter": "20 mm"}, "RopeChoice.construction: 7 - expected text"),
    (
        {"construction": "6x36WS-IWRC", "diameter": 20, "grade": 1770},
        "RopeChoice.diameter: 20 - expected a diameter of 6x36WS-IWRC from 8 mm to 60 mm",
    ),
    (
        {"construction": "1x19", "diameter": "20 kg", "grade": 1770},
        "expected a length, e.g. 2.5 or '12 mm'; this is a mass",
    ),
    (
        {"construction": "6x7-FC", "diameter": "20 mm", "grade": 2160},
        "RopeChoice.grade: 2160 - expected a grade of 6x7-FC in N/mm^2, one of 1570, 1770, 1960",
    ),
    ({"construction": "6x7-FC", "diameter": "20 mm", "grade": "high"}, "'high' - expected a grade of 6x7-FC"),
    ({"construction": "6x7-FC", "diameter": "20 mm", "grade": True}, "expected a grade of 6x7-FC"),
    ({"construction": "6x7-FC", "diameter": "20 mm", "grade": 1770.5}, "expected a grade of 6x7-FC"),
    (
        {"construction": "6x7-FC", "diameter": "20 mm"},
        "RopeChoice.grade: missing: the grade of 6x7-FC [N/mm^2], one of 1570, 1770, 1960",
    ),
    (
        {"construction": "polyester", "diameter": "20 mm", "grade": 1770},
        "RopeChoice.grade: 1770 - polyester is a fibre rope and has no grade: leave it out",
    ),
]


@pytest.mark.parametrize(("fields", "words"), MISTAKES)
def test_mistakes_say_what_is_allowed(fields: dict[str, object], words: str) -> None:
    assert words in mistake(**fields)


def test_one_wrong_name_is_one_mistake() -> None:
    assert len(mistake(construction="rope", diameter="20 mm", grade=3).splitlines()) == 1


def test_all_mistakes_at_once() -> None:
    assert len(mistake(construction="6x7-FC", diameter="1 m", grade=3).splitlines()) == 2


def test_the_page_shows_the_table() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "ropes.md").read_text(encoding="utf-8")
    for rope in ROPES:
        grades = ", ".join(str(grade) for grade in rope.grades) or "-"
        span = f"{rope.least_diameter:g} to {rope.most_diameter:g}"
        figures = (
            f"{rope.breaking.value:g} | {rope.area.value:.3f} | {rope.mass.value:.5f} | {rope.modulus.value / 1e3:.3g}"
        )
        torsion = f"{rope.lay_torque.value:g} | {rope.shear_modulus.value:g}"
        ratio = f"{rope.sheave_ratio.value:g}" if rope.sheave_ratio else "-"
        assert f"| {rope.name} | {grades} | {span} | {figures} | {torsion} | {ratio} |" in page
