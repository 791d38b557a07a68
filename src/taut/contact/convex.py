"""Any two convex solids: the direction that parts them, and up to four points where their faces meet."""

from __future__ import annotations

import math

from taut.contact.gjk import WITNESS, part
from taut.contact.patch import (
    INCIDENT,
    REFERENCE,
    SIDES,
    choose_four,
    clip_to_sides,
    heights_above_edge,
    measure_heights,
    overlap_of_edges,
)
from taut.contact.shapes import FEATURES
from taut.contact.support import BASE, face_towards, round_of
from taut.core.jit import kernel

#: features of the nearest point itself, which belongs to no corner
NEAREST = FEATURES - 1


@kernel
def faces_meet(ka, kb, a, b, x, y, z, tie, pose, data, corner, face, loop, facing, local):
    """Corners (at INCIDENT, with their heights) where the face of b meets that of a; returns their number, negative when
    the face of b is the reference, 0 when only single points meet."""
    sides = face_towards(ka, a, x, y, z, pose, data, corner, face, loop, facing, local, REFERENCE, SIDES)
    if sides == 0:
        return 0
    count = face_towards(kb, b, -x, -y, -z, pose, data, corner, face, loop, facing, local, INCIDENT, SIDES)
    if count == 0:
        return 0
    if sides == 2 and count == 2:
        count = overlap_of_edges(local)
        if count == 2:
            heights_above_edge(round_of(ka, a, pose) + round_of(kb, b, pose) > 0.0, x, y, z, local)
        return count
    turned = 1
    if sides == 2:
        # an edge on a face: the face is the reference
        for m in range(max(sides, count)):
            for c in range(5):
                local[REFERENCE + m, c], local[INCIDENT + m, c] = local[INCIDENT + m, c], local[REFERENCE + m, c]
        sides, count, turned = count, sides, -1
    count = clip_to_sides(sides, count, x, y, z, local)
    measure_heights(count, turned * x, turned * y, turned * z, local)
    return turned * choose_four(count, tie, x, y, z, local)


@kernel
def put_point(px, py, pz, x, y, z, gap, feature, local, found, row):
    """A point half-way between both surfaces, and the normal."""
    found[row, 0], found[row, 1], found[row, 2] = local[BASE, 0] + px, local[BASE, 1] + py, local[BASE, 2] + pz
    found[row, 3], found[row, 4], found[row, 5] = x, y, z
    found[row, 6], found[row, 7] = gap, feature


@kernel
def convex_pair(ka, kb, a, b, reach, margin, pose, data, corner, face, loop, facing, found, local):
    """Up to four points of solid b on solid a within `reach`, normals from a to b. BASE must hold the centre of a."""
    size = 0.0
    for k in range(12, 16):
        size += pose[a, k] + pose[b, k]
    gap = part(ka, kb, a, b, size, pose, data, corner, local)
    return meet(ka, kb, a, b, gap, reach, margin, pose, data, corner, face, loop, facing, found, local)


@kernel
def meet(ka, kb, a, b, gap, reach, margin, pose, data, corner, face, loop, facing, found, local):
    """Points of two cores `gap` apart along the direction at WITNESS."""
    ra, rb = round_of(ka, a, pose), round_of(kb, b, pose)
    near = gap - ra - rb
    if near > reach:
        return 0
    x, y, z = local[WITNESS, 3], local[WITNESS, 4], local[WITNESS, 5]
    wx, wy, wz = local[WITNESS, 0], local[WITNESS, 1], local[WITNESS, 2]
    count = faces_meet(ka, kb, a, b, x, y, z, 1e-3 * margin, pose, data, corner, face, loop, facing, local)
    turned = -1.0 if count < 0 else 1.0
    count = abs(count)
    lowest, points = math.inf, 0
    for m in range(count):
        i = INCIDENT + m
        height = local[i, 5]
        # the corner lies on the core of b, or on that of a: half-way to the other surface
        back = 0.5 * turned * (height + turned * (rb - ra))
        lowest = min(lowest, height - ra - rb)
        feature = min(local[i, 3] + (0.0 if turned > 0.0 else 2048.0), NEAREST - 1.0)
        put_point(
            local[i, 0] - back * x, local[i, 1] - back * y, local[i, 2] - back * z,
            x, y, z, height - ra - rb, feature, local, found, points,
        )  # fmt: skip
        points += 1
    # the nearest point is never lost
    if lowest > near + 1e-3 * margin:
        back = ra + 0.5 * near
        put_point(wx + back * x, wy + back * y, wz + back * z, x, y, z, near, 1.0 * NEAREST, local, found, points)
        points += 1
    return points
