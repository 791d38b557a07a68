"""Units: what people type, in SI; and what is refused, with words that say what was expected."""

import math

import numpy as np
import pytest

from taut.scene import units
from taut.scene.units import UnitError, parse, parse_vector


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("12 mm", units.LENGTH, 0.012),
        ("12mm", units.LENGTH, 0.012),
        ("-3 cm", units.LENGTH, -0.03),
        ("2 in", units.LENGTH, 0.0508),
        ("1 ft", units.LENGTH, 0.3048),
        ("5 µm", units.LENGTH, 5e-6),
        (".5 km", units.LENGTH, 500.0),
        ("1.2 t", units.MASS, 1200.0),
        ("3 tonne", units.MASS, 3000.0),
        ("250 g", units.MASS, 0.25),
        ("1 lb", units.MASS, 0.45359237),
        ("1/60 s", units.TIME, 1 / 60),
        ("1/60", units.TIME, 1 / 60),
        ("20 ms", units.TIME, 0.02),
        ("2 min", units.TIME, 120.0),
        ("1 h", units.TIME, 3600.0),
        ("1e9", units.STIFFNESS, 1e9),
        ("+1.5E+3", units.STIFFNESS, 1500.0),
        ("40 kN", units.FORCE, 4e4),
        ("2 MN", units.FORCE, 2e6),
        ("20 kN/m", units.STIFFNESS, 2e4),
        ("3 N/mm", units.STIFFNESS, 3000.0),
        ("5 kN m", units.TORQUE, 5000.0),
        ("5 kN*m", units.TORQUE, 5000.0),
        ("5 kN·m", units.TORQUE, 5000.0),
        ("2 kN m/rad", units.ANGULAR_STIFFNESS, 2000.0),
        ("2 kN m", units.ANGULAR_STIFFNESS, 2000.0),
        ("1 N m/deg", units.ANGULAR_STIFFNESS, 180 / math.pi),
        ("30 N s/m", units.DAMPING, 30.0),
        ("110 GPa", units.PRESSURE, 1.1e11),
        ("1 N/mm^2", units.PRESSURE, 1e6),
        ("1 N/mm²", units.PRESSURE, 1e6),
        ("7850 kg/m^3", units.DENSITY, 7850.0),
        ("7850 kg/m3", units.DENSITY, 7850.0),
        ("7.85 g/cm**3", units.DENSITY, 7850.0),
        ("0.4 kg/m", units.LINEAR_DENSITY, 0.4),
        ("36 km/h", units.SPEED, 10.0),
        ("9.81 m/s^2", units.ACCELERATION, 9.81),
        ("9.81 m/s/s", units.ACCELERATION, 9.81),
        ("9.81 m s^-2", units.ACCELERATION, 9.81),
        ("180 deg", units.ANGLE, math.pi),
        ("180°", units.ANGLE, math.pi),
        ("1 rev", units.ANGLE, 2 * math.pi),
        ("60 rpm", units.ANGULAR_SPEED, 2 * math.pi),
        ("90 deg/s", units.ANGULAR_SPEED, math.pi / 2),
        ("50 Hz", units.FREQUENCY, 50.0),
        ("3 1/s", units.FREQUENCY, 3.0),
        ("2 kJ", units.ENERGY, 2000.0),
        ("15 kW", units.POWER, 15000.0),
        ("3 kg m^2", units.INERTIA, 3.0),
        ("5 %", units.NUMBER, 0.05),
        ("7", units.NUMBER, 7.0),
        ("12 tonnes", units.MASS, 12e3),
        ("3 kilograms", units.MASS, 3.0),
        ("250 grams", units.MASS, 0.25),
        ("1 gram", units.MASS, 1e-3),
        ("2 pounds", units.MASS, 2 * 0.45359237),
        ("2 metres", units.LENGTH, 2.0),
        ("2 meters", units.LENGTH, 2.0),
        ("5 millimetres", units.LENGTH, 5e-3),
        ("3 feet", units.LENGTH, 0.9144),
        ("2 inches", units.LENGTH, 0.0508),
        ("20 seconds", units.TIME, 20.0),
        ("20 milliseconds", units.TIME, 0.02),
        ("3 ms", units.TIME, 3e-3),
        ("2 minutes", units.TIME, 120.0),
        ("2 hours", units.TIME, 7200.0),
        ("180 degrees", units.ANGLE, math.pi),
        ("2 turns", units.ANGLE, 4 * math.pi),
        ("5 newtons", units.FORCE, 5.0),
        ("5 kilonewtons", units.FORCE, 5e3),
        ("3 metres/second", units.SPEED, 3.0),
    ],
)
def test_values_with_units_become_si(text: str, kind: units.Kind, value: float) -> None:
    assert parse(text, kind) == pytest.approx(value, rel=1e-15)


def test_plain_numbers_are_si_and_exact() -> None:
    assert parse(0.1, units.LENGTH) == 0.1
    assert parse(3, units.MASS) == 3.0
    assert parse(np.float64(0.3), units.MASS) == 0.3
    assert parse("0.1", units.LENGTH) == 0.1


@pytest.mark.parametrize(
    ("value", "kind", "words"),
    [
        ("3 kg", units.LENGTH, ["expected a length, e.g. 2.5 or '12 mm'", "got '3 kg'", "(a mass)"]),
        ("3 deg", units.LENGTH, ["a length", "an angle"]),
        ("3 m", units.ANGLE, ["an angle", "a length"]),
        ("3 m/s", units.ANGULAR_SPEED, ["an angular speed", "a speed"]),
        ("3 Hz", units.ANGULAR_SPEED, ["an angular speed", "a frequency"]),
        ("3 m^5", units.LENGTH, ["in m^5"]),
        ("3 KN", units.FORCE, ["no unit 'KN', did you mean 'kN'?"]),
        ("50 kM", units.FORCE, ["no unit 'kM', did you mean 'kN'?"]),
        ("50 kM", units.LENGTH, ["no unit 'kM', did you mean 'km'?"]),
        ("3 mters", units.LENGTH, ["no unit 'mters', did you mean 'meters'?"]),
        ("3 m/", units.LENGTH, ["'m/' is no unit"]),
        ("heavy", units.MASS, ["expected a mass, e.g. 2.5 or '1.2 t'; got 'heavy'"]),
        ("1/0 s", units.TIME, ["divides by zero"]),
        ("1e999 m", units.LENGTH, ["not a finite number"]),
        (math.nan, units.LENGTH, ["not a finite number"]),
        (math.inf, units.LENGTH, ["not a finite number"]),
        (10**400, units.LENGTH, ["not a finite number"]),
        (True, units.LENGTH, ["expected a length"]),
        (None, units.LENGTH, ["expected a length"]),
        ([1.0], units.LENGTH, ["expected a length"]),
        ("", units.LENGTH, ["expected a length"]),
        ("1" * 300, units.LENGTH, ["300 characters"]),
        ("3 kg", units.NUMBER, ["expected a plain number", "a mass"]),
    ],
)
def test_what_is_no_such_quantity_is_refused_in_words(value: object, kind: units.Kind, words: list[str]) -> None:
    with pytest.raises(UnitError) as error:
        parse(value, kind)
    for word in words:
        assert word in str(error.value)
    assert len(str(error.value)) < 300


@pytest.mark.parametrize(
    "value",
    [
        [1, 2, 3],
        (1.0, 2.0, 3.0),
        ["1 m", "200 cm", 3],
        "[1, 2, 3] m",
        "1 2 3 m",
        "1, 2, 3",
        "1000 2000 3000 mm",
        np.arange(1, 4),
    ],
)
def test_vectors_may_be_typed_in_several_ways(value: object) -> None:
    assert parse_vector(value, units.LENGTH) == pytest.approx((1.0, 2.0, 3.0))


@pytest.mark.parametrize("value", [[1, 2], "1 2 m", [1, 2, "3 kg"], "1 2 3 kg", 5, None, "1 m 2 m 3 m", {"x": 1}])
def test_what_is_no_vector_is_refused(value: object) -> None:
    with pytest.raises(UnitError, match="expected"):
        parse_vector(value, units.LENGTH)


def test_every_kind_reads_its_own_example_and_unit() -> None:
    for kind in units.KINDS:
        if kind.example:
            assert math.isfinite(parse(kind.example, kind))
            assert parse(f"2 {kind.unit}", kind) == 2.0


@pytest.mark.parametrize(
    ("text", "kind"), [("2 kgs", units.MASS), ("3 mms", units.LENGTH), ("4 Ns", units.FORCE), ("5 degs", units.ANGLE)]
)
def test_symbols_have_no_plural(text: str, kind: units.Kind) -> None:
    with pytest.raises(UnitError):
        parse(text, kind)


def test_a_word_does_not_become_another_unit_by_its_prefix() -> None:
    """`minute` is not a prefix and a word, and no word hides a symbol."""
    assert parse("1 min", units.TIME) == 60.0 and parse("1 minute", units.TIME) == 60.0
    with pytest.raises(UnitError, match="no unit 'kilotonnes'"):
        parse("1 kilotonnes", units.MASS)
