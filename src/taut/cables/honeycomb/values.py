"""What a person types for a honeycomb rope, as SI numbers; mistakes in words."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from taut.scene import units
from taut.scene.units import Dimension, Kind, UnitError

Array = np.ndarray

BENDING = units.BENDING_STIFFNESS
DRAG = Kind("a drag coefficient", "N s^2/m^2", Dimension(-1, 1, 0), "0.02 kg/m")


class HoneycombError(ValueError):
    """A rope that cannot be built or stepped as asked. Its text is meant to be read."""


class HoneycombWarning(UserWarning):
    """A rope that can be stepped, but not well: another scheme or another model serves better."""


def number(name: str, value: Any, kind: Kind, *, positive: bool = False, least: float | None = None) -> float:
    """One SI number."""
    try:
        found = units.parse(value, kind)
    except UnitError as error:
        raise HoneycombError(f"{name}: {error}") from None
    if positive and found <= 0.0:
        raise HoneycombError(f"{name}: {value!r} - expected {kind.name} greater than 0")
    if least is not None and found < least:
        raise HoneycombError(f"{name}: {value!r} - expected {kind.name} of at least {least:g} {kind.unit}")
    return found


def length(name: str, value: Any) -> float:
    """A positive length [m]."""
    return number(name, value, units.LENGTH, positive=True)


def vector(name: str, value: Any, kind: Kind) -> Array:
    """Three SI numbers."""
    try:
        return np.array(units.parse_vector(value, kind), float)
    except UnitError as error:
        raise HoneycombError(f"{name}: {error}") from None


def direction(name: str, value: Any) -> Array:
    """A unit vector."""
    found = vector(name, value, units.NUMBER)
    size = math.hypot(*found)
    if size < 1e-12:
        raise HoneycombError(f"{name}: {value!r} - a direction must not be zero")
    return found / size


def whole(name: str, value: Any, least: int, most: int) -> int:
    """A whole number in a range."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not least <= value <= most:
        raise HoneycombError(f"{name}: {value!r} - expected a whole number from {least} to {most}")
    return int(value)


def one_of(name: str, value: Any, allowed: tuple[str, ...]) -> str:
    """A word from a list."""
    if value not in allowed:
        raise HoneycombError(f"{name}: {value!r} - expected one of {', '.join(allowed)}")
    return str(value)
