"""What a person types for a rod, as SI numbers and arrays; mistakes in words."""

from __future__ import annotations

from typing import Any

import numpy as np

from taut.cables.typed import Reader
from taut.scene import units
from taut.scene.units import Kind

Array = np.ndarray

BENDING, CURVATURE = units.BENDING_STIFFNESS, units.CURVATURE


class RodError(ValueError):
    """A rod that cannot be built or solved as asked. Its text is meant to be read."""


_read = Reader(RodError)
number, length, vector, direction = _read.number, _read.length, _read.vector, _read.direction


def along(name: str, value: Any, kind: Kind, segments: int, columns: int, *, positive: bool = False) -> Array:
    """Values of each segment, shape (segments, columns): from one, one per column, one per segment, or all of them."""
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
        raise RodError(f"{name}: expected one number{pair} or one per segment ({segments}); got shape {shape}")
    if positive and not (table > 0.0).all():
        bad = int(np.argmin(table.min(axis=1)))
        raise RodError(f"{name}: {table[bad].min():g} at segment {bad} - expected {kind.name} greater than 0")
    return table
