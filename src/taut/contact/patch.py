"""Where two faces meet: one polygon (or edge) clipped to the sides of the other, and four of what is left.

Rows of `local`: polygon of the reference face at REFERENCE, the incident one at INCIDENT and CLIPPED in turn; place (3),
feature, number of the edge that leaves the corner, height above the reference face.
"""

from __future__ import annotations

import math

from taut.core.jit import kernel

#: rows of `local` and how many corners there is room for
REFERENCE, INCIDENT, CLIPPED, SIDES, ROOM = 40, 56, 92, 16, 36
#: the reference face is grown by this part of its size, so that equal faces share corners and do not flicker
GROW = 1e-5


@kernel
def clip_to_sides(sides, count, x, y, z, local):
    """Cut the incident polygon to the prism over the reference polygon along (x, y, z) (Sutherland, Hodgman 1974).

    Both go round counter-clockwise seen against (x, y, z) or not: the middle of the reference tells which side is in.
    Returns how many corners are left; they are at INCIDENT again.
    """
    mx, my, mz = 0.0, 0.0, 0.0
    for i in range(REFERENCE, REFERENCE + sides):
        mx, my, mz = mx + local[i, 0] / sides, my + local[i, 1] / sides, mz + local[i, 2] / sides
    for side in range(sides):
        i, j = REFERENCE + side, REFERENCE + (side + 1) % sides
        ux, uy, uz = local[j, 0] - local[i, 0], local[j, 1] - local[i, 1], local[j, 2] - local[i, 2]
        nx, ny, nz = uy * z - uz * y, uz * x - ux * z, ux * y - uy * x
        middle = nx * (mx - local[i, 0]) + ny * (my - local[i, 1]) + nz * (mz - local[i, 2])
        if middle < 0.0:
            nx, ny, nz, middle = -nx, -ny, -nz, -middle
        if middle == 0.0:
            continue
        made = 0
        closed = count if count > 2 else 1  # an edge has no way back
        for m in range(count):
            p, q = INCIDENT + m, INCIDENT + (m + 1) % count
            here = (
                nx * (local[p, 0] - local[i, 0]) + ny * (local[p, 1] - local[i, 1]) + nz * (local[p, 2] - local[i, 2])
            )
            there = (
                nx * (local[q, 0] - local[i, 0]) + ny * (local[q, 1] - local[i, 1]) + nz * (local[q, 2] - local[i, 2])
            )
            here, there = here + GROW * middle, there + GROW * middle
            if here >= 0.0 and made < ROOM:
                for c in range(5):
                    local[CLIPPED + made, c] = local[p, c]
                made += 1
            if m < closed and here * there < 0.0 and made < ROOM:
                t = here / (here - there)
                for c in range(3):
                    local[CLIPPED + made, c] = local[p, c] + t * (local[q, c] - local[p, c])
                local[CLIPPED + made, 3] = 16.0 + 16.0 * local[p, 4] + side
                local[CLIPPED + made, 4] = local[p, 4] if there > 0.0 else 16.0 + side
                made += 1
        count = made
        for m in range(count):
            for c in range(5):
                local[INCIDENT + m, c] = local[CLIPPED + m, c]
    return count


@kernel
def measure_heights(count, x, y, z, local):
    """Height of every incident corner above the plane of the reference polygon, along (x, y, z), to column 5."""
    i, j, k = REFERENCE, REFERENCE + 1, REFERENCE + 2
    ux, uy, uz = local[j, 0] - local[i, 0], local[j, 1] - local[i, 1], local[j, 2] - local[i, 2]
    vx, vy, vz = local[k, 0] - local[i, 0], local[k, 1] - local[i, 1], local[k, 2] - local[i, 2]
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    lean = nx * x + ny * y + nz * z
    for m in range(INCIDENT, INCIDENT + count):
        height = nx * (local[m, 0] - local[i, 0]) + ny * (local[m, 1] - local[i, 1]) + nz * (local[m, 2] - local[i, 2])
        local[m, 5] = height / lean


@kernel
def choose_four(count, tie, x, y, z, local):
    """Four corners of the incident polygon, moved to its front: the lowest, the one furthest from it, and on either
    side of these two the one that spans most. What is not larger by 0.1 % does not take another's place."""
    if count <= 4:
        return count
    first = INCIDENT
    for m in range(INCIDENT, INCIDENT + count):
        if local[m, 5] < local[first, 5] - tie:
            first = m
    _swap(first, INCIDENT, local)
    second, most = INCIDENT + 1, -1.0
    for m in range(INCIDENT + 1, INCIDENT + count):
        far = 0.0
        for c in range(3):
            far += (local[m, c] - local[INCIDENT, c]) ** 2
        if far > 1.001 * most:
            second, most = m, far
    _swap(second, INCIDENT + 1, local)
    for side in range(2):
        best, most = INCIDENT + 2 + side, 0.0
        for m in range(INCIDENT + 2 + side, INCIDENT + count):
            span = _span(m, x, y, z, local) * (1.0 - 2.0 * side)
            if span > 1.001 * most:
                best, most = m, span
        _swap(best, INCIDENT + 2 + side, local)
    return 4


@kernel
def _span(m, x, y, z, local):
    """Twice the area over the first two corners, signed."""
    ux, uy = local[INCIDENT + 1, 0] - local[INCIDENT, 0], local[INCIDENT + 1, 1] - local[INCIDENT, 1]
    uz = local[INCIDENT + 1, 2] - local[INCIDENT, 2]
    vx, vy, vz = local[m, 0] - local[INCIDENT, 0], local[m, 1] - local[INCIDENT, 1], local[m, 2] - local[INCIDENT, 2]
    return x * (uy * vz - uz * vy) + y * (uz * vx - ux * vz) + z * (ux * vy - uy * vx)


@kernel
def _swap(i, j, local):
    if i != j:
        for c in range(6):
            local[i, c], local[j, c] = local[j, c], local[i, c]


@kernel
def overlap_of_edges(local):
    """Incident edge cut to the part beside the reference edge when the two are nearly parallel; corners left, 0 or 2."""
    uu, vv, uv = 0.0, 0.0, 0.0
    for c in range(3):
        u = local[REFERENCE + 1, c] - local[REFERENCE, c]
        v = local[INCIDENT + 1, c] - local[INCIDENT, c]
        uu, vv, uv = uu + u * u, vv + v * v, uv + u * v
    if uu == 0.0 or vv == 0.0 or uv * uv < 0.99 * uu * vv:
        return 0
    # both ends as shares of the reference edge
    begin, end = 0.0, 0.0
    for c in range(3):
        u = local[REFERENCE + 1, c] - local[REFERENCE, c]
        begin += u * (local[INCIDENT, c] - local[REFERENCE, c]) / uu
        end += u * (local[INCIDENT + 1, c] - local[REFERENCE, c]) / uu
    low, high = 0.0, 1.0
    if max(begin, end) <= low or min(begin, end) >= high:
        return 0
    s = min(max((low - begin) / (end - begin), 0.0), 1.0)
    t = min(max((high - begin) / (end - begin), 0.0), 1.0)
    for c in range(3):
        p, v = local[INCIDENT, c], local[INCIDENT + 1, c] - local[INCIDENT, c]
        local[INCIDENT, c] = p + min(s, t) * v
        local[INCIDENT + 1, c] = p + max(s, t) * v
    return 2


@kernel
def heights_above_edge(round_too, x, y, z, local):
    """Gap of both incident corners from the reference edge, to column 5: their height h along (x, y, z) and what it opens by
    at their offset o beside it, so that edges which cross at a small angle have their ends apart.

    Round cores (`round_too`) are sqrt(h^2 + o^2) apart. Beside a sharp edge the solids are taken to fall away by o: exact for
    square edges that lie as two roofs, one on the other.
    """
    uu = 0.0
    for c in range(3):
        uu += (local[REFERENCE + 1, c] - local[REFERENCE, c]) ** 2
    for m in range(INCIDENT, INCIDENT + 2):
        share = 0.0
        for c in range(3):
            u = local[REFERENCE + 1, c] - local[REFERENCE, c]
            share += u * (local[m, c] - local[REFERENCE, c]) / uu
        height, square = 0.0, 0.0
        for c, n in ((0, x), (1, y), (2, z)):
            u = local[REFERENCE + 1, c] - local[REFERENCE, c]
            apart = local[m, c] - local[REFERENCE, c] - share * u
            height += n * apart
            square += apart * apart
        offset = math.sqrt(max(square - height * height, 0.0))
        local[m, 5] = math.sqrt(square) if round_too and height > 0.0 else height + offset
