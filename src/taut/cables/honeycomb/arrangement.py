"""Arrangements: how the masses of one layer lie, and which of them are tied by which family of springs.

A layer is one or several hexagons of side d, each with a mass in its centre (paper 4, Fig. 2). The paper's 320 masses
are no multiple of 7; three hexagons with 20 layers, four with 16 or two without centres with 32 all give them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from taut.cables.honeycomb.values import one_of

Array = np.ndarray
Pairs = tuple[tuple[int, int], ...]

_ROOT = math.sqrt(3.0)
#: centres of the hexagons in units of their side, and whether a mass sits there
_LAYOUT: dict[str, tuple[tuple[tuple[float, float], ...], bool]] = {
    "hexagon": (((0.0, 0.0),), True),
    "two_hexagons": (((0.0, 0.0), (_ROOT, 0.0)), False),
    "three_hexagons": (((0.0, 0.0), (_ROOT, 0.0), (0.5 * _ROOT, 1.5)), True),
    "four_hexagons": (((0.0, 0.0), (_ROOT, 0.0), (0.5 * _ROOT, 1.5), (0.5 * _ROOT, -1.5)), True),
}
ARRANGEMENTS = tuple(_LAYOUT)


@dataclass(frozen=True)
class Arrangement:
    """The masses of one layer, in units of the hexagon's side."""

    name: str
    points: Array  # across the rope, about their centroid, shape (m, 2)
    is_centre: Array  # whether it is the middle of a hexagon, shape (m,)
    outline: Array  # masses of the surface, counter-clockwise
    structural: Pairs  # centre to ring; where there are no centres, along the ring
    torsion: Pairs  # ring masses two apart
    bending: Pairs  # opposite ring masses
    neighbours: Pairs  # all pairs one side apart: between layers they become the diagonals

    @property
    def count(self) -> int:
        """Masses per layer."""
        return len(self.points)

    @property
    def is_round(self) -> bool:
        """Second moments alike about all axes, so that one EI describes it."""
        moments = self.points.T @ self.points
        return bool(abs(moments[0, 0] - moments[1, 1]) < 1e-9 and abs(moments[0, 1]) < 1e-9)


@cache
def arrangement(name: str) -> Arrangement:
    """One of ARRANGEMENTS by name."""
    hexagons, centred = _LAYOUT[one_of("arrangement", name, ARRANGEMENTS)]
    points: list[tuple[float, float]] = []

    def index(x: float, y: float) -> int:
        for k, (a, b) in enumerate(points):
            if math.hypot(a - x, b - y) < 1e-9:
                return k
        points.append((x, y))
        return len(points) - 1

    middles = [index(x, y) for x, y in hexagons] if centred else []
    angles = [math.radians(30.0 + 60.0 * k) for k in range(6)]
    rings = [[index(x + math.cos(a), y + math.sin(a)) for a in angles] for x, y in hexagons]
    where = np.array(points)
    where = where - where.mean(axis=0)
    around = [(ring[k], ring[(k + 1) % 6]) for ring in rings for k in range(6)]
    spokes = [(middle, j) for middle, ring in zip(middles, rings) for j in ring]
    return Arrangement(
        name=name,
        points=where,
        is_centre=np.isin(np.arange(len(points)), middles),
        outline=_outline(around),
        structural=_unique(spokes if centred else around),
        torsion=_unique([(ring[k], ring[(k + 2) % 6]) for ring in rings for k in range(6)]),
        bending=_unique([(ring[k], ring[k + 3]) for ring in rings for k in range(3)]),
        neighbours=_unique(around + spokes),
    )


def _unique(pairs: list[tuple[int, int]]) -> Pairs:
    return tuple(sorted({(min(a, b), max(a, b)) for a, b in pairs}))


def _outline(around: list[tuple[int, int]]) -> Array:
    """Edges that belong to one hexagon only, in order: all hexagons run counter-clockwise, so shared ones run both ways."""
    follows = {a: b for a, b in around if (b, a) not in around}
    loop = [min(follows)]
    while follows[loop[-1]] != loop[0]:
        loop.append(follows[loop[-1]])
    return np.array(loop)
