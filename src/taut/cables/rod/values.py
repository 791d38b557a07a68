"""The error of rods, and `taut.cables.typed` reading what a person types for them."""

from __future__ import annotations

from typing import Any

from taut.cables.rod.written import length_like
from taut.cables.typed import Reader
from taut.scene import units

BENDING, CURVATURE = units.BENDING_STIFFNESS, units.CURVATURE


class RodError(ValueError):
    """A rod that cannot be built or solved as asked. Its text is meant to be read."""


#: lengths below this are told in millimetres [m]
IN_METRES = 10.0


def sized(length: float) -> str:
    """A length [m] as people who lay hoses say it."""
    return f"{1e3 * length:.6g} mm" if abs(length) < IN_METRES else f"{length:.7g} m"


def plain(value: float, digits: int = 3) -> str:
    """A number to so many digits, without an exponent where it is large: 180, not 1.8e+02."""
    return f"{float(f'{value:.{digits}g}'):.12g}"


def outside(s: Any, length: float) -> str:
    """An arc length that a rod of this length [m] does not have, in words and in the unit that was typed."""
    most = length_like(s, length)
    return f"s: {s!r} - the rod goes from 0 to {most if isinstance(most, str) else f'{most:g} m'}"


_read = Reader(RodError)
number, length, vector, direction, along = _read.number, _read.length, _read.vector, _read.direction, _read.along
