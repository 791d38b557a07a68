"""Edge of one box on edge of the other: where they cross, and how far each of them stays over the other box.

The crossing is the nearest point. An edge that lies nearly along the other, or nearly in a face beside it, is near the other
box over a long way, and with the least turn the crossing runs from one end of that way to the other: the ends are points of
their own, each with its own gap, so that points, gaps and forces are continuous in the turn.

With n the chosen axis, an edge point of box a at the offset o (square to n) from the edge of b finds b at

    gap = separation + max over both faces beside the edge of b of (g . o) / -(g . n),    g their outward normals
"""

from __future__ import annotations

import math

from taut.contact.box_face import CHOSEN, FACE_FEATURES
from taut.contact.capsule import closest
from taut.contact.frame import IN_HAND
from taut.core.jit import kernel

#: least (g . n) of a face in the gap above: beside a face along n the gap is a step, here a slope of ten
STEEP = 0.1
#: points nearer to each other than this part of the shorter edge are one
SAME = 0.02
#: points of one pair of edges: where they cross, two ends on a, two on b
CROSSING, PER_EDGES = 0, 5


@kernel
def _lean(c, m, toward, pose, local):
    """Chosen axis, as seen by box c (toward 1: it goes out of it, -1: into it), along axis m of the box."""
    return toward * (
        local[CHOSEN, 0] * pose[c, m] + local[CHOSEN, 1] * pose[c, 3 + m] + local[CHOSEN, 2] * pose[c, 6 + m]
    )


@kernel
def place_edge(c, edge, toward, side, pose, local):
    """Edge of box c furthest along the axis (against it for toward -1), to row `side`: middle, direction, half length."""
    for k in range(3):
        local[side, k] = pose[c, 9 + k]
        local[side, 3 + k] = pose[c, 3 * k + edge]
    local[side, 6] = pose[c, 12 + edge]
    for m in range(3):
        if m != edge:
            half = math.copysign(pose[c, 12 + m], _lean(c, m, toward, pose, local))
            for k in range(3):
                local[side, k] += half * pose[c, 3 * k + m]


@kernel
def stay(c, edge, toward, side, at, pose, local):
    """How far (down, up) the edge at row `side` stays over box c from its point `at` on: between the ends of c's own edge,
    and not beyond the far sides of the faces beside it."""
    down, up = -local[side, 6] - at, local[side, 6] - at
    for m in range(3):
        here, way, half = 0.0, 0.0, pose[c, 12 + m]
        for k in range(3):
            here += pose[c, 3 * k + m] * (local[side, k] + at * local[side, 3 + k] - pose[c, 9 + k])
            way += pose[c, 3 * k + m] * local[side, 3 + k]
        if m != edge and _lean(c, m, toward, pose, local) < 0.0:
            here, way = -here, -way
        if abs(way) > 1e-12:
            far, near = (-half - here) / way, (half - here) / way
            if way > 0.0:
                down = max(down, far)
                if m == edge:
                    up = min(up, near)
            else:
                up = min(up, far)
                if m == edge:
                    down = max(down, near)
    return min(down, 0.0), max(up, 0.0)


@kernel
def put_on_edge(c, edge, toward, side, at, separation, feature, pose, found, local, row):
    """Point `at` of the edge at row `side` and its gap to box c; returns the gap."""
    away = toward * separation
    for k in range(3):
        found[row, k] = local[side, k] + at * local[side, 3 + k]
        found[row, 3 + k] = local[CHOSEN, k]
        # from the edge of c, less what lies along the axis
        local[IN_HAND, k] = found[row, k] - local[1 - side, k] - away * local[CHOSEN, k]
    opens = 0.0
    for m in range(3):
        if m != edge:
            lean, offset = _lean(c, m, toward, pose, local), 0.0
            for k in range(3):
                offset += pose[c, 3 * k + m] * local[IN_HAND, k]
            opens = max(opens, (offset if lean > 0.0 else -offset) / max(abs(lean), STEEP))
    gap = separation + opens
    for k in range(3):
        found[row, k] -= 0.5 * toward * gap * local[CHOSEN, k]
    found[row, 6], found[row, 7] = gap, feature
    return gap


@kernel
def _twin(points, apart, found):
    """Earlier row that is the same point as the last one, or -1; it takes the smaller gap of both."""
    for row in range(points):
        square = 0.0
        for k in range(3):
            square += (found[row, k] - found[points, k]) ** 2
        if square < apart * apart:
            found[row, 6] = min(found[row, 6], found[points, 6])
            return row
    return -1


@kernel
def edge_points(a, b, edges, separation, reach, pose, found, local):
    """Up to four points of the edge of a furthest along the axis and the edge of b furthest against it."""
    place_edge(a, edges // 3, 1.0, 0, pose, local)
    place_edge(b, edges % 3, -1.0, 1, pose, local)
    s, t, _, _, _ = closest(local)
    first = 1.0 * FACE_FEATURES + PER_EDGES * edges
    for k in range(3):
        found[0, k] = 0.5 * (local[0, k] + s * local[0, 3 + k] + local[1, k] + t * local[1, 3 + k])
        found[0, 3 + k] = local[CHOSEN, k]
    found[0, 6], found[0, 7] = separation, first + CROSSING
    apart, points = SAME * min(local[0, 6], local[1, 6]), 1
    for side in range(2):
        c, edge, toward, at = b, edges % 3, -1.0, s
        if side == 1:
            c, edge, toward, at = a, edges // 3, 1.0, t
        down, up = stay(c, edge, toward, side, at, pose, local)
        for end in range(2):
            x = at + (down if end == 0 else up)
            gap = put_on_edge(
                c, edge, toward, side, x, separation, first + 1.0 + 2.0 * side + end, pose, found, local, points
            )
            if gap <= reach and points < 4 and _twin(points, apart, found) < 0:
                points += 1
    return points
