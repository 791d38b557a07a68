"""The point of a simplex nearest to the origin: point, segment, triangle or tetrahedron.

Rows of `local` from `at` on: place (3), the point of the first core behind it (3), share in the nearest point.
Regions and shares as in Ericson, Real-Time Collision Detection, 5.1.5 and 5.1.6, with the origin as the point.
"""

from __future__ import annotations

import math

from taut.core.jit import kernel

#: volume, relative to the cube of the furthest corner, below which the side of a corner is round-off
FLAT = 1e-14


@kernel
def _dot(local, i, j):
    return local[i, 0] * local[j, 0] + local[i, 1] * local[j, 1] + local[i, 2] * local[j, 2]


@kernel
def _along(local, p, i, j):
    """-(j - i) . p, without the digits that a difference of products would lose."""
    return -(
        (local[j, 0] - local[i, 0]) * local[p, 0]
        + (local[j, 1] - local[i, 1]) * local[p, 1]
        + (local[j, 2] - local[i, 2]) * local[p, 2]
    )


@kernel
def on_segment(local, i, j):
    """Shares of i and j."""
    a, b = _along(local, i, i, j), _along(local, j, i, j)
    if a <= 0.0:
        return 1.0, 0.0
    if b >= 0.0:
        return 0.0, 1.0
    t = a / (a - b)
    return 1.0 - t, t


@kernel
def on_triangle(local, i, j, k):
    """Shares of i, j and k."""
    d1, d2 = _along(local, i, i, j), _along(local, i, i, k)
    if d1 <= 0.0 and d2 <= 0.0:
        return 1.0, 0.0, 0.0
    d3, d4 = _along(local, j, i, j), _along(local, j, i, k)
    if d3 >= 0.0 and d4 <= d3:
        return 0.0, 1.0, 0.0
    d5, d6 = _along(local, k, i, j), _along(local, k, i, k)
    if d6 >= 0.0 and d5 <= d6:
        return 0.0, 0.0, 1.0
    vc = d1 * d4 - d3 * d2
    if vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        t = d1 / (d1 - d3)
        return 1.0 - t, t, 0.0
    vb = d5 * d2 - d1 * d6
    if vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        t = d2 / (d2 - d6)
        return 1.0 - t, 0.0, t
    va = d3 * d6 - d5 * d4
    if va <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        t = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        return 0.0, 1.0 - t, t
    whole = va + vb + vc
    if whole == 0.0:
        return 1.0, 0.0, 0.0
    return va / whole, vb / whole, vc / whole


@kernel
def _volume(local, i, j, k):
    """Six times the volume of the origin with a triangle."""
    return (
        local[i, 0] * (local[j, 1] * local[k, 2] - local[j, 2] * local[k, 1])
        + local[i, 1] * (local[j, 2] * local[k, 0] - local[j, 0] * local[k, 2])
        + local[i, 2] * (local[j, 0] * local[k, 1] - local[j, 1] * local[k, 0])
    )


@kernel
def _square(local, i, j, k, a, b, c):
    total = 0.0
    for m in range(3):
        x = a * local[i, m] + b * local[j, m] + c * local[k, m]
        total += x * x
    return total


@kernel
def nearest_of(local, at, count):
    """Drop the corners that do not matter and give the others their shares; returns how many are left, 4: the origin
    lies inside a tetrahedron."""
    if count == 1:
        local[at, 6] = 1.0
        return 1
    if count == 2:
        local[at, 6], local[at + 1, 6] = on_segment(local, at, at + 1)
    elif count == 3:
        local[at, 6], local[at + 1, 6], local[at + 2, 6] = on_triangle(local, at, at + 1, at + 2)
    else:
        least, left_out = math.inf, -1
        sa, sb, sc = 0.0, 0.0, 0.0
        largest = 0.0
        for i in range(at, at + 4):
            largest = max(largest, _dot(local, i, i))
        flat = FLAT * largest * math.sqrt(largest)
        for out in range(4):
            i, j, k = at + (out + 1) % 4, at + (out + 2) % 4, at + (out + 3) % 4
            # the origin and the fourth corner clearly on one side: this face does not part them
            here = _volume(local, i, j, k)
            there = here - _beyond(local, i, j, k, at + out)
            if (here > flat and there > flat) or (here < -flat and there < -flat):
                continue
            a, b, c = on_triangle(local, i, j, k)
            square = _square(local, i, j, k, a, b, c)
            if square < least:
                least, left_out, sa, sb, sc = square, out, a, b, c
        if left_out < 0:
            return 4
        local[at + left_out, 6] = 0.0
        local[at + (left_out + 1) % 4, 6] = sa
        local[at + (left_out + 2) % 4, 6] = sb
        local[at + (left_out + 3) % 4, 6] = sc
    kept = 0
    for i in range(count):
        if local[at + i, 6] > 0.0:
            if kept != i:
                for m in range(7):
                    local[at + kept, m] = local[at + i, m]
            kept += 1
    return kept


@kernel
def _beyond(local, i, j, k, d):
    """Six times the volume of the tetrahedron over a triangle, signed as `_volume` of the origin less corner d."""
    x, y, z = local[d, 0], local[d, 1], local[d, 2]
    ux, uy, uz = local[j, 0] - local[i, 0], local[j, 1] - local[i, 1], local[j, 2] - local[i, 2]
    vx, vy, vz = local[k, 0] - local[i, 0], local[k, 1] - local[i, 1], local[k, 2] - local[i, 2]
    return x * (uy * vz - uz * vy) + y * (uz * vx - ux * vz) + z * (ux * vy - uy * vx)
