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
