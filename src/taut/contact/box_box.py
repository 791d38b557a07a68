"""Boxes against boxes: separating axes decide how they touch, the manifold says where.

Fifteen axes as in Gottschalk, Lin, Manocha 1996 (OBBTree): three faces of each box, nine products of edges. On a face
axis the other box's nearest face is clipped; on an edge axis the two edges give their crossing and how far they stay near. Corner against corner or
edge, when apart, has no axis of its own: such boxes touch once they overlap.
"""

from __future__ import annotations

import math

from taut.contact.box_edge import edge_points
from taut.contact.box_face import CHOSEN, face_manifold
from taut.core.jit import kernel

#: cosine above which two axes compete for the same contact, and the calmer one is kept (about 8 degrees)
ALIKE = 0.99
#: how much of the margin an axis may be worse than a later one and still be kept
CALM = 0.1
#: row of `local` with the axis on trial; the one chosen, unit, from a to b, is CHOSEN
TRIAL = 4


@kernel
def try_axis(axis, a, b, pose, local):
    """Axis 0..2 of a, 3..5 of b, 6.. the product of edges (axis - 6) // 3 and axis % 3, to `local`.

    Returns its length, and the sum of the half widths of both boxes along its direction.
    """
    square = 0.0
    i, j = (axis - 6) // 3, axis % 3
    for k in range(3):
        x = pose[a, 3 * k + j]
        if axis >= 6:
            u, v = 3 * ((k + 1) % 3), 3 * ((k + 2) % 3)
            x = pose[a, u + i] * pose[b, v + j] - pose[a, v + i] * pose[b, u + j]
        elif axis >= 3:
            x = pose[b, 3 * k + j]
        local[TRIAL, k] = x
        square += x * x
    length = math.sqrt(square)
    half = 0.0
    for m in range(3):
        x, y = 0.0, 0.0
        for k in range(3):
            x += local[TRIAL, k] * pose[a, 3 * k + m]
            y += local[TRIAL, k] * pose[b, 3 * k + m]
        half += abs(x) * pose[a, 12 + m] + abs(y) * pose[b, 12 + m]
    return length, half / length


@kernel
def separate(a, b, reach, margin, pose, local):
    """Axis of largest separation and that separation; gives up (axis -1) when it is above `reach`.

    Near ties stay with the first: faces of a, then of b, then edges, so that a manifold of four points does not come
    and go with round-off.
    """
    chosen, best = -1, -math.inf
    for axis in range(15):
        length, half = try_axis(axis, a, b, pose, local)
        if length < 1e-5:
            # parallel edges: their product is no direction, and the faces cover the case
            continue
        away, alike = 0.0, 0.0
        for k in range(3):
            away += local[TRIAL, k] * (pose[b, 9 + k] - pose[a, 9 + k]) / length
            alike += local[TRIAL, k] * local[CHOSEN, k] / length
        gap = abs(away) - half
        if gap > reach:
            return -1, gap
        tie = 1e-10 * half
        if abs(alike) > ALIKE:
            tie += CALM * margin
        if chosen < 0 or gap > best + tie:
            chosen, best = axis, gap
            for k in range(3):
                local[CHOSEN, k] = local[TRIAL, k] / math.copysign(length, away)
    return chosen, best


@kernel
def box_box(a, b, reach, margin, pose, found, local):
    """Up to four points of box b on box a within `reach`; the normal goes from a to b."""
    axis, separation = separate(a, b, reach, margin, pose, local)
    if axis < 0:
        return 0
    if axis >= 6:
        return edge_points(a, b, axis - 6, separation, reach, pose, found, local)
    r, i, turn = a, b, 1.0
    if axis >= 3:
        r, i, turn = b, a, -1.0
    return face_manifold(r, i, axis % 3, turn, reach, separation, pose, found, local)
