"""Distance of two convex cores (Gilbert, Johnson, Keerthi 1988) and the direction that parts them.

The distance algorithm sees only cores that are apart. Cores without a radius touch when their distance is zero, where a
direction is round-off: both are then shrunk about their centres by a thousandth, and by more while they overlap, until they
are apart. Shrinking turns no face, so the direction of a face or of two crossing edges stays exact; the gap is measured
along it on the cores as they are, max over the one less min over the other. At size zero two centres always have a
direction: however deep bodies start inside each other, there is a way out.
"""

from __future__ import annotations

import math

from taut.contact.shapes import TRIANGLE
from taut.contact.simplex import nearest_of
from taut.contact.support import BASE, FACING, furthest
from taut.core.jit import kernel

#: rows of `local`: corners of the simplex, and (at WITNESS) the nearest point of the first core and the unit direction
SIMPLEX, WITNESS = 32, 36
#: iterations at most; curved cores take twenty
MOST = 64
#: relative to their sizes: nearer than this, the direction of two cores is taken from smaller ones
NEAR = 1e-5


@kernel
def apart(ka, kb, a, b, scale, pose, data, corner, local):
    """Distance of two cores at a scale, 0 when they overlap; unit direction from a to b and the point of a go to WITNESS.

    Of a triangle and a solid only the solid is scaled.
    """
    sa = 1.0 if ka == TRIANGLE else scale
    # from centre to centre, or along the triangle's normal
    x, y, z = pose[b, 9] - local[BASE, 0], pose[b, 10] - local[BASE, 1], pose[b, 11] - local[BASE, 2]
    if ka == TRIANGLE or x * x + y * y + z * z == 0.0:
        x, y, z = local[FACING, 0], local[FACING, 1], local[FACING, 2]
        if ka != TRIANGLE:
            x, y, z = 0.0, 0.0, 1.0
    count, square = 0, math.inf
    for _ in range(MOST):
        px, py, pz = furthest(ka, a, sa, x, y, z, pose, data, corner, local)
        qx, qy, qz = furthest(kb, b, scale, -x, -y, -z, pose, data, corner, local)
        u, v, w = qx - px, qy - py, qz - pz
        # no corner of the difference is nearer than the present point, up to round-off
        if count > 0 and square - (x * u + y * v + z * w) <= 1e-14 * square:
            break
        row = SIMPLEX + count
        local[row, 0], local[row, 1], local[row, 2] = u, v, w
        local[row, 3], local[row, 4], local[row, 5] = px, py, pz
        count = nearest_of(local, SIMPLEX, count + 1)
        if count == 4:
            return 0.0
        u, v, w = 0.0, 0.0, 0.0
        for i in range(SIMPLEX, SIMPLEX + count):
            u += local[i, 6] * local[i, 0]
            v += local[i, 6] * local[i, 1]
            w += local[i, 6] * local[i, 2]
        now = u * u + v * v + w * w
        if now == 0.0:
            return 0.0
        # needles of corners next to each other end in round-off: what was nearer stands
        if now >= square:
            break
        x, y, z, square = u, v, w, now
        for m in range(3):
            local[WITNESS, m] = 0.0
            for i in range(SIMPLEX, SIMPLEX + count):
                local[WITNESS, m] += local[i, 6] * local[i, 3 + m]
    distance = math.sqrt(square)
    local[WITNESS, 3], local[WITNESS, 4], local[WITNESS, 5] = x / distance, y / distance, z / distance
    return distance


@kernel
def part(ka, kb, a, b, size, pose, data, corner, local):
    """Gap of two cores, below zero when they overlap; direction and a point of a near the contact go to WITNESS."""
    distance = apart(ka, kb, a, b, 1.0, pose, data, corner, local)
    if distance > NEAR * size:
        return distance
    scale, shrink = 1.0, 1e-3
    while distance <= NEAR * size:
        scale = max(1.0 - shrink, 0.0)
        if scale == 0.0 and ka != TRIANGLE:
            break
        distance = apart(ka, kb, a, b, scale, pose, data, corner, local)
        if scale == 0.0:
            break
        shrink = 10.0 * shrink if shrink < 0.05 else shrink + 0.15
    if distance == 0.0:
        # centre in centre, or in the triangle: any way out will do
        x, y, z = pose[b, 9] - local[BASE, 0], pose[b, 10] - local[BASE, 1], pose[b, 11] - local[BASE, 2]
        length = math.sqrt(x * x + y * y + z * z)
        if ka == TRIANGLE:
            x, y, z, length = local[FACING, 0], local[FACING, 1], local[FACING, 2], 1.0
        elif length == 0.0:
            z, length = 1.0, 1.0
        local[WITNESS, 3], local[WITNESS, 4], local[WITNESS, 5] = x / length, y / length, z / length
    x, y, z = local[WITNESS, 3], local[WITNESS, 4], local[WITNESS, 5]
    return gap_along(ka, kb, a, b, x, y, z, pose, data, corner, local)


@kernel
def gap_along(ka, kb, a, b, x, y, z, pose, data, corner, local):
    """How far core b begins beyond the end of core a along a unit vector; the end of a goes to WITNESS."""
    px, py, pz = furthest(ka, a, 1.0, x, y, z, pose, data, corner, local)
    qx, qy, qz = furthest(kb, b, 1.0, -x, -y, -z, pose, data, corner, local)
    gap = (qx - px) * x + (qy - py) * y + (qz - pz) * z
    # the end of b, brought back onto the surface of a
    local[WITNESS, 0], local[WITNESS, 1], local[WITNESS, 2] = qx - gap * x, qy - gap * y, qz - gap * z
    return gap
