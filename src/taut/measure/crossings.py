"""Wheels round which a rope was led the wrong way: the spans before and behind them cross each other."""

from __future__ import annotations

from typing import Any

import numpy as np

from taut.cables.massless.columns import N_RADIUS, W_ARRIVES, W_LEAVES
from taut.measure import ropes
from taut.scene.parts import Wheel

#: spans cross where they come nearer to each other than this part of the radius, between their ends [-]
NEAR = 0.5
#: how far from the ends of both spans, as a part of them
INSIDE = 1e-3


def crossed(sim: Any) -> list[str]:
    """In words, for each wheel with a `turn` whose rope crosses itself as it stands."""
    found = []
    for name in () if sim.compiled.ropes is None else sim.compiled.ropes.names:
        cable = sim.compiled.ropes.specs[list(sim.compiled.ropes.names).index(name)]
        parts, rows = list(cable.parts()), ropes.parts(sim, name)
        place, radius = sim.work.part_place[rows], sim.model.part_frame[rows, N_RADIUS]
        for k in range(1, len(parts) - 1):
            part = parts[k]
            if not isinstance(part, Wheel) or part.turn == "auto":
                continue
            before = place[k - 1, W_LEAVES : W_LEAVES + 3], place[k, W_ARRIVES : W_ARRIVES + 3]
            behind = place[k, W_LEAVES : W_LEAVES + 3], place[k + 1, W_ARRIVES : W_ARRIVES + 3]
            if _cross(before, behind, NEAR * float(radius[k])):
                other = "right" if part.turn == "left" else "left"
                found.append(
                    f"{name}: it crosses itself beside {part.name or f'part {k}'}, round which it is led with turn: {part.turn}; "
                    f"turn: {other}, or none, leads it the short way"
                )
    return found


def _cross(one: tuple[np.ndarray, np.ndarray], two: tuple[np.ndarray, np.ndarray], near: float) -> bool:
    """Whether two straight spans come within a distance of each other, away from their ends."""
    u, v, w = one[1] - one[0], two[1] - two[0], one[0] - two[0]
    a, b, c, d, e = u @ u, u @ v, v @ v, u @ w, v @ w
    level = a * c - b * b
    if level <= 1e-12 * a * c:
        return False  # side by side
    s, t = (b * e - c * d) / level, (a * e - b * d) / level
    inside = INSIDE < s < 1.0 - INSIDE and INSIDE < t < 1.0 - INSIDE
    return bool(inside and np.linalg.norm(w + s * u - t * v) < near)
