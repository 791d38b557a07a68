"""Error and warning of honeycomb ropes, and `taut.cables.typed` reading what a person types for them."""

from __future__ import annotations

from taut.cables.typed import Reader
from taut.scene import units
from taut.scene.units import Dimension, Kind

BENDING = units.BENDING_STIFFNESS
DRAG = Kind("a drag coefficient", "N s^2/m^2", Dimension(-1, 1, 0), "0.02 kg/m")


class HoneycombError(ValueError):
    """A rope that cannot be built or stepped as asked. Its text is meant to be read."""


class HoneycombWarning(UserWarning):
    """A rope that can be stepped, but not well: another scheme or another model serves better."""


_read = Reader(HoneycombError)
number, length, vector, direction = _read.number, _read.length, _read.vector, _read.direction
whole, one_of = _read.whole, _read.one_of
