"""What a recording holds, dataset by dataset: the one place where paths, units and shapes are written down.

    /scene                  the scene as YAML text
    /time, /step            of every frame [s, -], shape (frames,)
    /bodies/names           the world last, shape (n,)
    /bodies/position        origin of every body [m], shape (frames, n, 3)
    /bodies/orientation     quaternion (w, x, y, z) of every body, shape (frames, n, 4)
    /quantities/NAME        what was asked for, shape (frames,) or (frames, size); attributes unit and meaning
    /controls/NAME          what was set by the user, shape (frames,)
    /committed              frames that are whole in every dataset: written last, so that a kill cannot tear one

Attributes of the file: format, version, taut, dt [s], every, scene_name, created.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

#: aim for the size of a chunk, and most frames in one: small numbers are flushed often, large arrays seldom [B, -]
CHUNK_BYTES, CHUNK_FRAMES = 256 * 1024, 1024


class Column(NamedTuple):
    """One dataset: where it is, what it means, its shape in one frame, and how it is read from a simulation."""

    path: str
    unit: str
    meaning: str
    shape: tuple[int, ...]
    kind: type
    read: Callable[[Any], Any]

    @property
    def frame_bytes(self) -> int:
        """Size of one frame [B]; eight bytes a number."""
        return 8 * int(np.prod(self.shape, dtype=np.int64))

    @property
    def chunk(self) -> tuple[int, ...]:
        """Shape of a chunk."""
        return (max(1, min(CHUNK_FRAMES, CHUNK_BYTES // max(1, self.frame_bytes))), *self.shape)


def columns(sim: Any, names: Iterable[str]) -> list[Column]:
    """Every dataset of a recording of `sim`. Raises UnknownName."""
    from taut.measure import poses

    bodies = len(sim.compiled.bodies.names)
    found = [
        Column("time", "s", "simulated time", (), float, lambda s: s.time),
        Column("step", "-", "steps made", (), int, lambda s: s.steps),
        Column("bodies/position", "m", "origin of every body", (bodies, 3), float, poses.positions),
        Column("bodies/orientation", "-", "quaternion (w, x, y, z)", (bodies, 4), float, poses.orientations),
    ]
    for name in dict.fromkeys(name.strip() for name in names):
        if name != "time":
            found.append(_quantity(sim, name))
    for k, name in enumerate(sim.controls):
        unit = sim.controls.unit(name)
        found.append(Column(f"controls/{name}", unit, "what was asked for", (), float, _control(k)))
    return found


def reader_of(sim: Any, name: str) -> tuple[Any, Callable[[Any], Any]]:
    """Quantity behind a name and the function that reads it, its component picked. Raises UnknownName."""
    sim.read(name)  # says what is wrong with a name, and which are near
    base, _, rest = name.partition("[")
    quantity = sim.names[base]
    if not rest:
        return quantity, quantity.read
    index = int(rest.rstrip("]"))
    return quantity, lambda s: quantity.read(s)[index]


def _quantity(sim: Any, name: str) -> Column:
    quantity, read = reader_of(sim, name)
    shape = (quantity.size,) if quantity.size and "[" not in name else ()
    return Column(f"quantities/{name}", quantity.unit, quantity.meaning, shape, float, read)


def _control(k: int) -> Callable[[Any], float]:
    return lambda s: s.state.control[k]
