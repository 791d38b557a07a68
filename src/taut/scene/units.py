"""Units: from what a person types, `12 mm` or `1/60 s`, to a plain SI number.

A unit is a factor and a dimension; a dimension is four exponents (length, mass, time, angle). Angle counts as a
dimension of its own, so that `3 deg` is refused where a length is meant. Compound units are products read from left
to right: `N m/rad` is (N m)/rad, `kg/m^3` is kg/(m^3).
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from typing import NamedTuple


class Dimension(NamedTuple):
    """Exponents of metre, kilogram, second and radian."""

    length: int = 0
    mass: int = 0
    time: int = 0
    angle: int = 0

    def times(self, other: "Dimension", power: int = 1) -> "Dimension":
        return Dimension(*(x + power * y for x, y in zip(self, other)))

    def text(self) -> str:
        """In SI units, e.g. 'kg m/s^2'."""
        parts = [(unit, n) for unit, n in zip(("m", "kg", "s", "rad"), self) if n]
        over = " ".join(unit if n == 1 else f"{unit}^{n}" for unit, n in parts if n > 0)
        under = "".join(f"/{unit}" if n == -1 else f"/{unit}^{-n}" for unit, n in parts if n < 0)
        return (over or "1") + under


@dataclass(frozen=True)
class Kind:
    """A kind of quantity: what a field expects, how it is called, its SI unit and an example."""

    name: str
    unit: str
    dimension: Dimension
    example: str
    also: tuple[Dimension, ...] = ()
    """Dimensions that mean the same to most people, e.g. N m for an angular stiffness."""

    @property
    def expected(self) -> str:
        return f"expected {self.name}, e.g. 2.5 or '{self.example}'" if self.example else f"expected {self.name}"


NUMBER = Kind("a plain number", "-", Dimension(), "")
LENGTH = Kind("a length", "m", Dimension(1), "12 mm")
AREA = Kind("an area", "m^2", Dimension(2), "80 mm^2")
VOLUME = Kind("a volume", "m^3", Dimension(3), "2 m^3")
MASS = Kind("a mass", "kg", Dimension(0, 1), "1.2 t")
TIME = Kind("a time", "s", Dimension(0, 0, 1), "20 ms")
ANGLE = Kind("an angle", "rad", Dimension(0, 0, 0, 1), "30 deg")
FREQUENCY = Kind("a frequency", "Hz", Dimension(0, 0, -1), "50 Hz")
SPEED = Kind("a speed", "m/s", Dimension(1, 0, -1), "3 km/h")
ACCELERATION = Kind("an acceleration", "m/s^2", Dimension(1, 0, -2), "9.81 m/s^2")
ANGULAR_SPEED = Kind("an angular speed", "rad/s", Dimension(0, 0, -1, 1), "30 rpm")
ANGULAR_ACCELERATION = Kind("an angular acceleration", "rad/s^2", Dimension(0, 0, -2, 1), "10 deg/s^2")
FORCE = Kind("a force", "N", Dimension(1, 1, -2), "40 kN")
TORQUE = Kind("a torque", "N m", Dimension(2, 1, -2), "5 kN m", (Dimension(2, 1, -2, -1),))
ENERGY = Kind("an energy", "J", Dimension(2, 1, -2), "3 kJ")
POWER = Kind("a power", "W", Dimension(2, 1, -3), "15 kW")
PRESSURE = Kind("a pressure or modulus", "Pa", Dimension(-1, 1, -2), "110 GPa")
DENSITY = Kind("a density", "kg/m^3", Dimension(-3, 1), "7850 kg/m^3")
LINEAR_DENSITY = Kind("a mass per length", "kg/m", Dimension(-1, 1), "0.4 kg/m")
INERTIA = Kind("a moment of inertia", "kg m^2", Dimension(2, 1), "3 kg m^2")
STIFFNESS = Kind("a stiffness", "N/m", Dimension(0, 1, -2), "20 kN/m")
ANGULAR_STIFFNESS = Kind(
    "an angular stiffness", "N m/rad", Dimension(2, 1, -2, -1), "2 kN m/rad", (Dimension(2, 1, -2),)
)
BENDING_STIFFNESS = Kind("a bending or torsional stiffness", "N m^2", Dimension(3, 1, -2), "12 N m^2")
CURVATURE = Kind("a curvature or a twist per length", "1/m", Dimension(-1), "2 1/m", (Dimension(-1, 0, 0, 1),))
DAMPING = Kind("a damping", "N s/m", Dimension(0, 1, -1), "30 N s/m")

KINDS: tuple[Kind, ...] = tuple(value for value in list(globals().values()) if isinstance(value, Kind))


class UnitError(ValueError):
    """A value that is no such quantity: what was expected, and what was found instead."""

    def __init__(self, expected: str, value: object, found: str = "") -> None:
        self.expected, self.value, self.found = expected, value, found
        shown = repr(value) if len(repr(value)) <= 60 else repr(value)[:57] + "..."
        super().__init__(f"{expected}; got {shown}" + (f" ({found.removeprefix('this is ')})" if found else ""))


def _prefixed() -> dict[str, tuple[float, Dimension]]:
    """Every unit we read, each prefix only where people use it: `min` must stay a minute."""
    newton, gram = 1.0, 1e-3
    prefixes = {"n": 1e-9, "u": 1e-6, "µ": 1e-6, "m": 1e-3, "c": 1e-2, "": 1.0, "k": 1e3, "M": 1e6, "G": 1e9}
    plain = [
        ("m", 1.0, LENGTH, ("n", "u", "µ", "m", "c", "", "k")),
        ("g", gram, MASS, ("m", "", "k")),
        ("s", 1.0, TIME, ("u", "µ", "m", "")),
        ("N", newton, FORCE, ("m", "", "k", "M", "G")),
        ("Pa", 1.0, PRESSURE, ("", "k", "M", "G")),
        ("J", 1.0, ENERGY, ("m", "", "k", "M")),
        ("W", 1.0, POWER, ("", "k", "M")),
        ("Hz", 1.0, FREQUENCY, ("", "k")),
        ("rad", 1.0, ANGLE, ("m", "")),
    ]
    table = {p + unit: (prefixes[p] * size, kind.dimension) for unit, size, kind, allowed in plain for p in allowed}
    inch, pound, turn = 0.0254, 0.45359237, 2.0 * math.pi
    pound_force = pound * 9.80665
    others = [
        (("in", "inch"), inch, LENGTH),
        (("ft",), 12 * inch, LENGTH),
        (("t", "tonne"), 1e3, MASS),
        (("lb", "lbs"), pound, MASS),
        (("min",), 60.0, TIME),
        (("h", "hr"), 3600.0, TIME),
        (("deg", "°"), turn / 360, ANGLE),
        (("rev", "turn"), turn, ANGLE),
        (("rpm",), turn / 60, ANGULAR_SPEED),
        (("mph",), 1609.344 / 3600, SPEED),
        (("knot",), 1852 / 3600, SPEED),
        (("lbf",), pound_force, FORCE),
        (("psi",), pound_force / inch**2, PRESSURE),
        (("bar",), 1e5, PRESSURE),
        (("%",), 0.01, NUMBER),
    ]
    table |= {name: (size, kind.dimension) for names, size, kind in others for name in names}
    return table | _words(table)


def _words(table: dict[str, tuple[float, Dimension]]) -> dict[str, tuple[float, Dimension]]:
    """Units written out, one of them or several; symbols have no plural: `ms` stays milliseconds."""
    words = {"metre": "m", "meter": "m", "gram": "g", "second": "s", "newton": "N", "pascal": "Pa", "joule": "J"}
    words |= {"watt": "W", "radian": "rad", "tonne": "t", "pound": "lb", "minute": "min", "hour": "h", "degree": "deg"}
    words |= {"turn": "turn", "revolution": "rev", "knot": "knot"}
    prefixes = {"": "", "micro": "u", "milli": "m", "centi": "c", "kilo": "k", "mega": "M", "giga": "G"}
    found = {
        f"{prefix}{word}{plural}": table[small + symbol]
        for word, symbol in words.items()
        for prefix, small in prefixes.items()
        for plural in ("", "s")
        if small + symbol in table
    }
    uneven = {"inches": "in", "foot": "ft", "feet": "ft", "hertz": "Hz", "kilohertz": "kHz", "percent": "%"}
    return found | {word: table[symbol] for word, symbol in uneven.items()}


UNITS = _prefixed()

LONGEST = 200
"""Characters in a quantity; nothing a person types is longer."""

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_VALUE = re.compile(rf"\s*({_NUMBER})(?:\s*/\s*({_NUMBER}))?\s*,?")
_FACTOR = re.compile(r"\s*([*/·]?)\s*(1(?!\d)|[A-Za-zµμ°%]+)\s*(?:(?:\^|\*\*)\s*([-+]?\d)(?!\d)|([23²³](?!\d)))?")
_SUPERSCRIPT = {"²": "2", "³": "3"}


class NoUnitError(ValueError):
    """A name that is no unit, and those that are like it; of `fitting` ones, which are told first, a distant likeness is enough."""

    def __init__(self, name: str, fitting: Sequence[str] = ()) -> None:
        self.name = name
        near = _near(name, fitting, 0.5) or _near(name, list(UNITS), 0.6)
        super().__init__(f"no unit '{name}'" + (f", did you mean '{near}'?" if near else ""))


@lru_cache(maxsize=256)
def unit(text: str) -> tuple[float, Dimension]:
    """Factor to SI and dimension of a unit such as 'kN/m'. Raises ValueError with the reason."""
    factor, dimension, place = 1.0, Dimension(), 0
    text = text.strip()
    while place < len(text):
        match = _FACTOR.match(text, place)
        if match is None:
            raise ValueError(f"'{text}' is no unit")
        name = match[2].replace("μ", "µ")
        if name != "1" and name not in UNITS:
            raise NoUnitError(name)
        size, base = (1.0, Dimension()) if name == "1" else UNITS[name]
        exponent = match[3] or _SUPERSCRIPT.get(match[4], match[4]) or "1"
        power = int(exponent) * (-1 if match[1] == "/" else 1)
        factor, dimension, place = factor * size**power, dimension.times(base, power), match.end()
    return factor, dimension


def _near(name: str, among: Sequence[str], likeness: float) -> str:
    lowered = {known.lower(): known for known in among}
    found = [lowered[name.lower()]] if name.lower() in lowered else get_close_matches(name, among, 1, likeness)
    return found[0] if found else ""


def parse(value: object, kind: Kind) -> float:
    """The SI number that a person meant: 2.5, '2.5', '12 mm', '1/60 s'. Raises UnitError."""
    value = _plain(value)
    if isinstance(value, str):
        numbers, rest = _leading_numbers(value, kind, 1)
        return _finite(numbers[0] * _factor(rest, value, kind), value, kind)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise UnitError(kind.expected, value)
    return _finite(_as_float(value), value, kind)


def parse_vector(value: object, kind: Kind, count: int = 3) -> tuple[float, ...]:
    """`count` SI numbers, from a list (each with or without unit) or one string, '[1, 2, 3] m'. Raises UnitError."""
    value = _plain(value)
    # plain numbers need no look at units: a dragged end hands over three of them in every frame
    if isinstance(value, (list, tuple)) and len(value) == count and all(type(x) is float for x in value):
        if all(map(math.isfinite, value)):
            return tuple(value)
    each = f", each {kind.name}, e.g. 2.5 or '{kind.example}'" if kind.example else ""
    expected = f"expected {count} numbers{each}"
    if isinstance(value, str):
        inner = value.strip().removeprefix("[").replace("]", " ", 1)
        numbers, rest = _leading_numbers(inner, kind, count, expected, value)
        factor = _factor(rest, value, kind, expected)
        return tuple(_finite(number * factor, value, kind) for number in numbers)
    if not isinstance(value, (list, tuple)):
        raise UnitError(expected, value)
    if len(value) != count:
        raise UnitError(expected, value, f"{len(value)} given")
    return tuple(parse(item, kind) for item in value)


def _plain(value: object) -> object:
    """numpy numbers and arrays as the plain ones they stand for."""
    tolist = getattr(value, "tolist", None)
    return tolist() if callable(tolist) else value


def _leading_numbers(
    text: str, kind: Kind, count: int, expected: str = "", whole: object = None
) -> tuple[list[float], str]:
    expected, whole = expected or kind.expected, text if whole is None else whole
    if len(text) > LONGEST:
        raise UnitError(expected, whole, f"this has {len(text)} characters")
    numbers: list[float] = []
    place = 0
    while len(numbers) < count:
        match = _VALUE.match(text, place)
        if match is None:
            found = f"only {len(numbers)} can be read" if numbers else ""
            raise UnitError(expected, whole, found)
        below = float(match[2]) if match[2] else 1.0
        if below == 0.0:
            raise UnitError(expected, whole, "this divides by zero")
        numbers.append(float(match[1]) / below)
        place = match.end()
    return numbers, text[place:]


def _factor(text: str, whole: object, kind: Kind, expected: str = "") -> float:
    if not text.strip():
        return 1.0
    try:
        factor, dimension = unit(text)
    except NoUnitError as error:
        # '50 kM' of a force is meant as kN; in a product, such as kN/mm, any dimension may be meant
        alone = text.strip() == error.name
        fitting = [known for known, (_, of) in UNITS.items() if of in (kind.dimension, *kind.also)] if alone else []
        raise UnitError(expected or kind.expected, whole, str(NoUnitError(error.name, fitting))) from None
    except (ValueError, OverflowError) as error:
        raise UnitError(expected or kind.expected, whole, str(error)) from None
    if dimension not in (kind.dimension, *kind.also):
        raise UnitError(expected or kind.expected, whole, f"this is {_called(dimension)}")
    return factor


def _called(dimension: Dimension) -> str:
    """'a mass', or 'in kg m/s' for what has no name here."""
    names = [kind.name for kind in KINDS if kind.dimension == dimension]
    return " or ".join(names[:2]) if names else f"in {dimension.text()}"


def _as_float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _finite(number: float, value: object, kind: Kind) -> float:
    if not math.isfinite(number):
        raise UnitError(kind.expected, value, "this is not a finite number")
    return number
