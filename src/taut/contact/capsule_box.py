"""Capsules and spheres against boxes: exact distance outside; pushed through the nearest face when the axis is inside.

In the frame of the box the axis is x(t) = c + t d, |t| <= l. Rows of `local`: 0 holds c and d, 1 the half sizes of the
box.
"""

from __future__ import annotations

import math

from taut.contact.capsule import clamp, settle
from taut.contact.frame import IN_HAND, put_local
from taut.core.jit import kernel

#: sine between axis and face below which the contact gets two points (about 6 degrees)
FLAT = 0.1


@kernel
def slope(t, local):
    """Half the derivative of the squared distance to the box at t: sum_k d_k (x_k - clamp(x_k))."""
    total = 0.0
    for k in range(3):
        x = local[0, k] + t * local[0, 3 + k]
        total += local[0, 3 + k] * (x - clamp(x, local[1, k]))
    return total


@kernel
def nearest(l, local):
    """Where on |t| <= l the axis is nearest to the box.

    The squared distance is convex and piecewise quadratic with breaks where the axis crosses a face plane: close the
    bracket at each break, then the slope is linear in between and its root exact.
    """
    low, high = -l, l
    for side in range(6):
        k = side >> 1
        h = local[1, k] if side & 1 else -local[1, k]
        # parallel to the face: infinite or not a number, outside the bracket either way
        t = (h - local[0, k]) / local[0, 3 + k]
        if low < t < high:
            if slope(t, local) > 0.0:
                high = t
            else:
                low = t
    first, last = slope(low, local), slope(high, local)
    if first >= 0.0:
        return low
    if last <= 0.0:
        return high
    return low + (high - low) * first / (first - last)


@kernel
def between(l, but, steep, local):
    """Part of |t| <= l between the face planes of all axes but one; first > last when there is none.

    Planes that the axis meets at a sine below `steep` do not count: along an edge the whole length is near the box.
    """
    first, last = -l, l
    for k in range(3):
        d = local[0, 3 + k]
        if k == but or abs(d) < steep:
            continue
        middle, half = -local[0, k] / d, local[1, k] / abs(d)
        first = max(first, middle - half)
        last = min(last, middle + half)
    return first, last


@kernel
def put_ball(t, r, face, sign, b, pose, local, found, row):
    """Ball at t: seen from the nearest point of the box, or from face `face` (>= 0) on side `sign` when inside."""
    total = 0.0
    for k in range(3):
        x = local[0, k] + t * local[0, 3 + k]
        over = x - clamp(x, local[1, k])
        if face >= 0:
            over = sign if k == face else 0.0
        local[IN_HAND, k] = x
        local[IN_HAND, 3 + k] = over
        total += over * over
    length = math.sqrt(total)
    height = length
    if face >= 0:
        height = sign * local[IN_HAND, face] - local[1, face]
    # half-way between the ball's surface and its foot on the box
    for k in range(3):
        local[IN_HAND, 3 + k] /= length
        local[IN_HAND, k] -= 0.5 * (height + r) * local[IN_HAND, 3 + k]
    put_local(b, height - r, 1.0 * row, pose, local, found, row)


@kernel
def way_out(first, last, local):
    """Face (and its side) through which the part first..last of the axis, inside the box, leaves soonest."""
    face, sign, least = 0, 1.0, math.inf
    for side in range(6):
        k = side >> 1
        s = 1.0 if side & 1 else -1.0
        # depth of the deeper end below the face
        depth = local[1, k] - s * local[0, k] + max(-s * first * local[0, 3 + k], -s * last * local[0, 3 + k])
        if depth < least - 1e-12:
            face, sign, least = k, s, depth
    return face, sign


@kernel
def box_capsule(b, c, pose, found, local):
    """Points of capsule (or sphere) c on box b; the normal goes from the box to the capsule."""
    r, l = pose[c, 15], pose[c, 14]
    for k in range(3):
        x, d = 0.0, 0.0
        for j in range(3):
            x += pose[b, 3 * j + k] * (pose[c, 9 + j] - pose[b, 9 + j])
            d += pose[b, 3 * j + k] * pose[c, 3 * j + 2]
        local[0, k] = x
        local[0, 3 + k] = d
        local[1, k] = pose[b, 12 + k]
    t = nearest(l, local)
    distance, most, across = 0.0, -1.0, 0
    for k in range(3):
        x = local[0, k] + t * local[0, 3 + k]
        over = abs(x - clamp(x, local[1, k]))
        distance += over
        if over > most:
            most, across = over, k
    points, first, last, face, sign = 1, t, t, -1, 1.0
    if distance <= 1e-9 * (local[1, 0] + local[1, 1] + local[1, 2] + r):
        # so close the direction would be round-off: the axis is inside
        first, last = between(l, -1.0, 1e-14, local)
        first, last = clamp(first, l), clamp(last, l)
        face, sign = way_out(first, last, local)
        points = 2 if last > first else 1
    elif abs(local[0, 3 + across]) < FLAT:
        low, high = between(l, 1.0 * across, FLAT, local)
        if high - low > 0.01 * r:
            points, first, last = 3, low, high
    for row in range(points):
        x = first if row == 0 else (last if row == 1 else t)
        put_ball(x, r, face, sign, b, pose, local, found, row)
    return settle(found, points, t - first - last + t)
