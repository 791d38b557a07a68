"""Runs of a rope, each a span with the arcs that its segment counts: their lengths and first moments, on plain numpy.

The step has its own compiled form (taut.cables.massless.weight); this one serves the start and the read-outs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from taut.cables.massless.columns import (
    N_KIND,
    N_MIDDLE,
    N_RADIUS,
    N_TRANSFER,
    N_TURN,
    POINT_PART,
    W_ARRIVES,
    W_CENTRE,
    W_FIRST,
    W_LEAVES,
    W_LENGTH,
    W_SECOND,
)

Array = np.ndarray


def runs_of(part: Any, frame: Any, angle: Any, place: Any) -> tuple[Array, Array]:
    """Length [m] and first moment [m^2] of every run of a rope, from the tables of its parts; shapes (n,) and (n, 3)."""
    part, frame, angle, place = np.asarray(part), np.asarray(frame), np.asarray(angle), np.asarray(place)
    count = len(part)
    length, moment = np.zeros(count - 1), np.zeros((count - 1, 3))
    for k in range(count - 1):
        length[k] = place[k, W_LENGTH]
        ends = place[k, W_LEAVES : W_LEAVES + 3] + place[k + 1, W_ARRIVES : W_ARRIVES + 3]
        moment[k] = 0.5 * place[k, W_LENGTH] * ends
        for p, after in ((k, True), (k + 1, False)):
            inside = 0 < p < count - 1
            if part[p, N_KIND] != POINT_PART and (inside or part[p, N_TRANSFER] >= 0):
                middle = frame[p, N_MIDDLE]
                first, last = (middle, angle[p, 1]) if after else (angle[p, 0], middle)
                turn, radius = part[p, N_TURN], frame[p, N_RADIUS]
                arc = turn * radius * (last - first)
                length[k] += arc
                one, two = place[p, W_FIRST : W_FIRST + 3], place[p, W_SECOND : W_SECOND + 3]
                swept = (np.sin(last) - np.sin(first)) * one - (np.cos(last) - np.cos(first)) * two
                moment[k] += arc * place[p, W_CENTRE : W_CENTRE + 3] + turn * radius**2 * swept
    return length, moment
