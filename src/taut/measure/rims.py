"""Spans that have no way left: a tied end, a block or another wheel was hauled right up to a wheel, or into it, where no tangent leads.

A massless rope has no thimble that would jam in the groove, so nothing holds a body back that is hauled right up to its sheave. From
there on the length of the rope has no derivative that means anything, and neither have tensions and energies.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from taut.cables.massless.columns import N_BODY, N_RADIUS, W_ARRIVES, W_CENTRE, W_LEAVES
from taut.measure import courses, ropes
from taut.scene.parts import End, RoutePart

#: a straight piece is no tangent where the cosine of its angle with the radius is larger than this; solved ones are at round-off [-]
LEAN = 1e-3
#: straight rope between two bodies that is shorter than this part of the radius beside it is none [-]
SHORT = 0.2
#: time between two looks at a run [s]
OFTEN = 1.0 / 60.0


def run_out(sim: Any, rope: str) -> tuple[int, int] | None:
    """Numbers along the route of the two parts of the first span that has no tangent, or next to no length; None: all are sound."""
    order = courses.order(sim, rope)
    place, radius = sim.work.part_place[order], sim.model.part_frame[order, N_RADIUS]
    body = sim.model.part_int[order, N_BODY]
    leaves, arrives = place[:-1, W_LEAVES : W_LEAVES + 3], place[1:, W_ARRIVES : W_ARRIVES + 3]
    span = arrives - leaves
    first = np.abs(np.einsum("ij,ij->i", span, leaves - place[:-1, W_CENTRE : W_CENTRE + 3]))
    second = np.abs(np.einsum("ij,ij->i", span, arrives - place[1:, W_CENTRE : W_CENTRE + 3]))
    length = np.linalg.norm(span, axis=1)
    bad = (first > LEAN * radius[:-1] * length) & (radius[:-1] > 0.0)
    bad |= (second > LEAN * radius[1:] * length) & (radius[1:] > 0.0)
    bad |= (length < SHORT * np.maximum(radius[:-1], radius[1:])) & (body[:-1] != body[1:])
    if not bad.any():
        return None
    k, base = int(np.argmax(bad)), ropes.parts(sim, rope).start
    return int(order[k]) - base, int(order[k + 1]) - base


def reached(sim: Any, rope: str) -> str:
    """In words, which parts of a cable have run into each other as it stands; empty: none."""
    if ropes.is_parted(sim, rope) or (found := run_out(sim, rope)) is None:
        return ""
    cable = sim.compiled.ropes.specs[list(sim.compiled.ropes.names).index(rope)]
    parts = list(cable.parts())
    if max(found) >= len(parts):  # a thing that it wraps round
        return ""
    return f"{' and '.join(_called(parts[k], k) for k in found)} have run into each other"


def _called(part: RoutePart, number: int) -> str:
    """The end on light; the sheave (part 1), counted as the route is threaded, falls and all."""
    if isinstance(part, End):
        return f"the end on {part.on}"
    kind = getattr(part, "type", "part")
    return f"the {kind} {part.name}" if part.name else f"the {kind} (part {number})"


class Reached:
    """What has run into what in a run so far, and since when."""

    def __init__(self) -> None:
        self.found: dict[str, tuple[float, str]] = {}
        self._next = 0.0

    def note(self, sim: Any) -> None:
        """Look at all ropes of a simulation, not more often than a picture would show it."""
        if sim.compiled.ropes is None or sim.time < self._next - 1e-9:
            return
        self._next = sim.time + OFTEN
        for name in sim.compiled.ropes.names:
            if name not in self.found and (told := reached(sim, name)):
                self.found[name] = (sim.time, told)

    @property
    def words(self) -> list[str]:
        """A line for each cable in which it happened."""
        return [
            f"{name}: {told} at {time:.4g} s; a massless rope has nothing that jams there: its forces and energies from then on are not to be "
            "trusted (a limit of the winch, two_block or something solid in the way ends a lift in time)"
            for name, (time, told) in self.found.items()
        ]
