"""What a person types for a cable that is built in Python, as SI numbers; mistakes in words, with the model's own error."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.scene import units
from taut.scene.units import Kind, UnitError

Array = np.ndarray


@dataclass(frozen=True)
class Reader:
    """Reads values and raises `error` for those that cannot be."""

    error: type[ValueError]

    def number(self, name: str, value: Any, kind: Kind, *, positive: bool = False, least: float | None = None) -> float:
        """One SI number."""
        try:
            found = units.parse(value, kind)
        except UnitError as error:
            raise self.error(f"{name}: {error}") from None
        if positive and found <= 0.0:
            raise self.error(f"{name}: {value!r} - expected {kind.name} greater than 0")
        if least is not None and found < least:
            raise self.error(f"{name}: {value!r} - expected {kind.name} of at least {least:g} {kind.unit}")
        return found

    def length(self, name: str, value: Any) -> float:
        """A positive length [m]."""
        return self.number(name, value, units.LENGTH, positive=True)

    def vector(self, name: str, value: Any, kind: Kind) -> Array:
        """Three SI numbers."""
        try:
            return np.array(units.parse_vector(value, kind), float)
        except UnitError as error:
            raise self.error(f"{name}: {error}") from None

    def direction(self, name: str, value: Any) -> Array:
        """A unit vector."""
        found = self.vector(name, value, units.NUMBER)
        size = math.hypot(*found)
        if size < 1e-12:
            raise self.error(f"{name}: {value!r} - a direction must not be zero")
        return found / size

    def whole(self, name: str, value: Any, least: int, most: int) -> int:
        """A whole number in a range."""
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or not least <= value <= most:
            raise self.error(f"{name}: {value!r} - expected a whole number from {least} to {most}")
        return int(value)

    def one_of(self, name: str, value: Any, allowed: tuple[str, ...]) -> str:
        """A word from a list."""
        if value not in allowed:
            raise self.error(f"{name}: {value!r} - expected one of {', '.join(allowed)}")
        return str(value)

    def along(self, name: str, value: Any, kind: Kind, segments: int, columns: int, *, positive: bool = False) -> Array:
        """Values of each segment, shape (segments, columns): from one, one per column, one per segment, or all of them."""
        number = self.number
        shape: tuple[int, ...] = () if isinstance(value, str) else np.shape(value)
        if shape == ():
            table = np.full((segments, columns), number(name, value, kind))
        elif shape == (columns,) and columns > 1:
            table = np.tile([number(f"{name}[{i}]", one, kind) for i, one in enumerate(value)], (segments, 1))
        elif shape == (segments,):
            numbers = [number(f"{name}[{i}]", one, kind) for i, one in enumerate(value)]
            table = np.repeat(np.array(numbers)[:, None], columns, axis=1)
        elif shape == (segments, columns):
            table = np.array([[number(f"{name}[{i}]", one, kind) for one in row] for i, row in enumerate(value)])
        else:
            pair = f", {columns} numbers" if columns > 1 else ""
            raise self.error(f"{name}: expected one number{pair} or one per segment ({segments}); got shape {shape}")
        if positive and not (table > 0.0).all():
            bad = int(np.argmin(table.min(axis=1)))
            raise self.error(f"{name}: {table[bad].min():g} at segment {bad} - expected {kind.name} greater than 0")
        return table
