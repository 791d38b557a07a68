"""What a person types for a honeycomb rope, as SI numbers; mistakes in words."""

from __future__ import annotations

from typing import Any

import numpy as np

from taut.cables.typed import Reader
from taut.scene import units
from taut.scene.units import Dimension, Kind

Array = np.ndarray

BENDING = units.BENDING_STIFFNESS
DRAG = Kind("a drag coefficient", "N s^2/m^2", Dimension(-1, 1, 0), "0.02 kg/m")


class HoneycombError(ValueError):
    """A rope that cannot be built or stepped as asked. Its text is meant to be read."""


class HoneycombWarning(UserWarning):
    """A rope that can be stepped, but not well: another scheme or another model serves better."""


_read = Reader(HoneycombError)
number, length, vector, direction = _read.number, _read.length, _read.vector, _read.direction


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
