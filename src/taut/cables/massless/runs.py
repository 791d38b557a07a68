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
    N_WRAP,
    POINT_PART,
    U_ONE,
    U_RADIUS,
    U_REFERENCE,
    U_SENSE,
    U_TWO,
    U_Z_ONE,
    U_Z_TWO,
    W_ARRIVES,
    W_AXIS,
    W_CENTRE,
    W_FIRST,
    W_LEAVES,
    W_LENGTH,
    W_SECOND,
)

Array = np.ndarray


def runs_of(part: Any, frame: Any, angle: Any, place: Any, wraps: Any) -> tuple[Array, Array]:
    """Length [m] and first moment [m^2] of every run of a rope, from the tables of the parts on its path and that of all
    wraps; shapes (n,) and (n, 3)."""
    part, frame, angle, place = np.asarray(part), np.asarray(frame), np.asarray(angle), np.asarray(place)
    count = len(part)
    length, moment = np.zeros(count - 1), np.zeros((count - 1, 3))
    for k in range(count - 1):
        length[k] = place[k, W_LENGTH]
        ends = place[k, W_LEAVES : W_LEAVES + 3] + place[k + 1, W_ARRIVES : W_ARRIVES + 3]
        moment[k] = 0.5 * place[k, W_LENGTH] * ends
        for p, after in ((k, True), (k + 1, False)):
            inside = 0 < p < count - 1
            if part[p, N_WRAP] >= 0:
                arc, about = _on_wrap(np.asarray(wraps[part[p, N_WRAP]]), place[p], after)
                length[k] += arc
                moment[k] += about
            elif part[p, N_KIND] != POINT_PART and (inside or part[p, N_TRANSFER] >= 0):
                middle = frame[p, N_MIDDLE]
                first, last = (middle, angle[p, 1]) if after else (angle[p, 0], middle)
                turn, radius = part[p, N_TURN], frame[p, N_RADIUS]
                arc = turn * radius * (last - first)
                length[k] += arc
                one, two = place[p, W_FIRST : W_FIRST + 3], place[p, W_SECOND : W_SECOND + 3]
                swept = (np.sin(last) - np.sin(first)) * one - (np.cos(last) - np.cos(first)) * two
                moment[k] += arc * place[p, W_CENTRE : W_CENTRE + 3] + turn * radius**2 * swept
    return length, moment


def _on_wrap(wrap: Array, place: Array, after: bool) -> tuple[float, Array]:
    """Length and first moment of the rope on a wrap, after (or before) the angle from which it is counted."""
    turn = wrap[U_TWO] - wrap[U_ONE]
    rise = (wrap[U_Z_TWO] - wrap[U_Z_ONE]) / turn if abs(turn) > 1e-9 else 0.0
    first, last = (wrap[U_REFERENCE], wrap[U_TWO]) if after else (wrap[U_ONE], wrap[U_REFERENCE])
    pace = wrap[U_SENSE] * np.hypot(wrap[U_RADIUS], rise)
    z = wrap[U_Z_ONE] + rise * (0.5 * (first + last) - wrap[U_ONE])
    one, two = place[W_FIRST : W_FIRST + 3], place[W_SECOND : W_SECOND + 3]
    swept = (np.sin(last) - np.sin(first)) * one - (np.cos(last) - np.cos(first)) * two
    middle = place[W_CENTRE : W_CENTRE + 3] + z * place[W_AXIS : W_AXIS + 3]
    return float(pace * (last - first)), pace * ((last - first) * middle + wrap[U_RADIUS] * swept)
