"""What is varied, as a person writes it: load.mass=500:2000:10, wind.speed=0,5,10, left.rope.diameter='16 mm,18 mm'."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from taut.sweep.errors import SweepInput

#: most values of one range; nobody means more
MOST_VALUES = 1_000_000
_NUMBER = re.compile(r"^\s*(?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(?P<unit>[^\d\s].*)?$")


@dataclass(frozen=True)
class Variation:
    """A name, and the values it takes: a list of texts, or a range from `low` to `high` with `count` values."""

    name: str
    values: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 0.0
    count: int = 0
    unit: str = ""

    @property
    def is_range(self) -> bool:
        """Whether it is a range, of which any value may be drawn."""
        return not self.values

    def grid(self) -> tuple[str, ...]:
        """Its values, evenly spaced if it is a range. Raises SweepInput for a range without a count."""
        if not self.is_range:
            return self.values
        if not self.count:
            raise SweepInput(
                f"--vary {self.name}={self.low:g}:{self.high:g}: how many values? Write "
                f"{self.low:g}:{self.high:g}:10 for ten, or draw them with --sample lhs:200"
            )
        return tuple(self._text(float(value)) for value in np.linspace(self.low, self.high, self.count))

    def drawn(self, places: np.ndarray) -> list[str]:
        """The values at places between 0 and 1: of a range anywhere in it, of a list each equally often."""
        if self.is_range:
            return [self._text(float(value)) for value in self.low + (self.high - self.low) * places]
        picked = np.minimum((places * len(self.values)).astype(int), len(self.values) - 1)
        return [self.values[k] for k in picked]

    def _text(self, value: float) -> str:
        return f"{value!r} {self.unit}".rstrip()


def variation(text: str) -> Variation:
    """Read `name=a:b:n`, `name=a:b` or `name=x,y,z`. Raises SweepInput."""
    name, equals, rest = text.partition("=")
    name, rest = name.strip(), rest.strip()
    if not equals or not name or not rest:
        raise SweepInput(f"--vary {text!r}: expected NAME=FROM:TO:COUNT or NAME=A,B,C, as in load.mass=500:2000:10")
    if ":" not in rest:
        values = tuple(dict.fromkeys(value.strip() for value in _split(rest)))
        if "" in values:
            raise SweepInput(f"--vary {text!r}: there is nothing between two commas")
        return Variation(name, values)
    parts = rest.split(":")
    if len(parts) not in (2, 3):
        raise SweepInput(f"--vary {text!r}: a range is FROM:TO:COUNT, as in {name}=500:2000:10")
    (low, unit_low), (high, unit_high) = _number(parts[0], text), _number(parts[1], text)
    if unit_low and unit_high and unit_low != unit_high:
        raise SweepInput(f"--vary {text!r}: both ends of a range are written in one unit; got {unit_low}, {unit_high}")
    count = _count(parts[2], text) if len(parts) == 3 else 0
    return Variation(name, (), low, high, count, unit_high or unit_low)


def _split(text: str) -> list[str]:
    """At commas outside of brackets: '[0, 0, 1],[0, 0, 2]' are two values."""
    parts, depth, start = [], 0, 0
    for k, letter in enumerate(text):
        depth += (letter in "[{(") - (letter in "]})")
        if letter == "," and depth == 0:
            parts.append(text[start:k])
            start = k + 1
    return [*parts, text[start:]]


def _number(text: str, whole: str) -> tuple[float, str]:
    match = _NUMBER.match(text)
    if match is None:
        raise SweepInput(f"--vary {whole!r}: {text.strip()!r} is no number, with or without a unit")
    return float(match["number"]), (match["unit"] or "").strip()


def _count(text: str, whole: str) -> int:
    if not re.fullmatch(r"\s*\d{1,7}\s*", text) or not 1 <= int(text) <= MOST_VALUES:
        raise SweepInput(f"--vary {whole!r}: {text.strip()!r} is no count of values; expected 1 to {MOST_VALUES}")
    return int(text)
