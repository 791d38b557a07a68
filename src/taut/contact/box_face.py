"""Face of one box on face of the other: the incident face, clipped to the reference face, in the reference frame.

Polygon rows of `local`: place (3), feature, number of the edge that leaves the corner. A corner's feature is its number
0..3 or, where edge g (0..3 incident, 4..7 cut by side g - 4) was cut by side s, 4 + 4 g + s.
"""

from __future__ import annotations

import math

from taut.contact.frame import IN_HAND, put_local
from taut.core.jit import kernel

#: rows of `local`: the axis from a to b (written by `box_box`), the polygon and its other buffer, and their length
CHOSEN, POLYGON, OTHER, LONGEST = 3, 8, 18, 10
#: the reference face is grown by this part of its size, so that boxes of equal size share corners and do not flicker
GROW = 1e-5
#: reference box and face (12), incident face (6), corner (36)
FACE_FEATURES = 12 * 6 * 36


@kernel
def incident_face(r, i, turn, pose, local):
    """Number of the face of box i that looks most at box r; its corners, in the frame of r, become the polygon."""
    face, toward, most = 0, 0.0, 0.0
    for j in range(3):
        lean = 0.0
        for k in range(3):
            lean -= turn * local[CHOSEN, k] * pose[i, 3 * k + j]
        if abs(lean) > most + 1e-9:
            face, toward, most = j, lean, abs(lean)
    for corner in range(4):
        row = POLYGON + corner
        for m in range(3):
            local[row, m] = 0.0
        for k in range(3):
            x = pose[i, 9 + k] - pose[r, 9 + k] + math.copysign(pose[i, 12 + face], toward) * pose[i, 3 * k + face]
            for m in range(2):
                # once round: -- +- ++ -+
                j, side = (face + 1 + m) % 3, ((corner + 1 - m) >> 1) & 1
                x += (2.0 * side - 1.0) * pose[i, 12 + j] * pose[i, 3 * k + j]
            for j in range(3):
                local[row, j] += pose[r, 3 * k + j] * x
        local[row, 3] = corner
        local[row, 4] = corner
    return 2 * face + (1 if toward > 0.0 else 0)


@kernel
def clip(r, axis, pose, local):
    """Cut the polygon to the four sides of face `axis` of box r (Sutherland, Hodgman 1974); its corners that remain.

    Side 0 keeps x_u <= h_u, 1 x_u >= -h_u, 2 and 3 the same for v; after four sides the result is back in its buffer.
    """
    count = 4
    for side in range(4):
        odd = side & 1
        source, target = POLYGON + odd * (OTHER - POLYGON), OTHER + odd * (POLYGON - OTHER)
        k = (axis + 1 + (side >> 1)) % 3
        h, sign, made = pose[r, 12 + k] * (1.0 + GROW), 1.0 - 2.0 * odd, 0
        for m in range(count):
            i, j = source + m, source + (m + 1) % count
            here, there = h - sign * local[i, k], h - sign * local[j, k]
            # a square cut four times has eight corners; the limit only guards the buffers
            if here >= 0.0 and made < LONGEST:
                for c in range(5):
                    local[target + made, c] = local[i, c]
                made += 1
            if here * there < 0.0 and made < LONGEST:
                t = here / (here - there)
                for c in range(3):
                    local[target + made, c] = local[i, c] + t * (local[j, c] - local[i, c])
                local[target + made, 3] = 4.0 + 4.0 * local[i, 4] + side
                local[target + made, 4] = local[i, 4] if there > 0.0 else 4.0 + side
                made += 1
        count = made
    return count


@kernel
def thin_out(count, axis, sign, ceiling, tie, local):
    """Four corners of `count`: never without the deepest, first without those above the ceiling, then without those
    that add least area. Depths within `tie` and areas within 0.1 % count as equal, and the first one wins: a patch at
    rest keeps its points."""
    u, v = (axis + 1) % 3, (axis + 2) % 3
    deepest = POLYGON
    for m in range(POLYGON, POLYGON + count):
        if sign * local[m, axis] < sign * local[deepest, axis] - tie:
            deepest = m
    while count > 4:
        least, drop = math.inf, POLYGON
        for m in range(count):
            i, j, k = POLYGON + (m + count - 1) % count, POLYGON + m, POLYGON + (m + 1) % count
            area = (local[j, u] - local[i, u]) * (local[k, v] - local[j, v])
            area = abs(area - (local[j, v] - local[i, v]) * (local[k, u] - local[j, u]))
            if sign * local[j, axis] > ceiling:
                area = 0.0
            if j != deepest and area < least * 0.999:
                least, drop = area, j
        count -= 1
        if drop < deepest:
            deepest -= 1
        for m in range(drop, POLYGON + count):
            for c in range(4):
                local[m, c] = local[m + 1, c]
    return count


@kernel
def face_manifold(r, i, axis, turn, reach, separation, pose, found, local):
    """Incident face of box i clipped to face `axis` of box r; `turn` is 1 when r is a, -1 when it is b."""
    h = pose[r, 12 + axis]
    face = incident_face(r, i, turn, pose, local)
    sign = 0.0
    for k in range(3):
        sign += turn * local[CHOSEN, k] * pose[r, 3 * k + axis]
    sign = math.copysign(1.0, sign)
    count = clip(r, axis, pose, local)
    if count == 0 and separation <= 0.0:
        # deep and askew, nothing above the face: hold the boxes apart at their middle
        count = 1
        for k in range(3):
            middle = 0.0
            for j in range(3):
                middle += 0.5 * pose[r, 3 * j + k] * (pose[i, 9 + j] - pose[r, 9 + j])
            local[POLYGON, k] = middle
        local[POLYGON, axis] = sign * (h + separation)
        local[POLYGON, 3] = 0.0
    count = thin_out(count, axis, sign, h + reach, 1e-3 * reach, local)
    base = (6.0 * (2.0 * axis + 0.5 + 0.5 * sign + 3.0 - 3.0 * turn) + face) * 36.0
    for m in range(count):
        for k in range(3):
            local[IN_HAND, k] = local[POLYGON + m, k]
            local[IN_HAND, 3 + k] = 0.0
        height = sign * local[POLYGON + m, axis] - h
        local[IN_HAND, axis] = sign * (h + 0.5 * height)
        local[IN_HAND, 3 + axis] = sign * turn
        put_local(r, height, base + local[POLYGON + m, 3], pose, local, found, m)
    return count
