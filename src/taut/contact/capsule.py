"""Capsules against capsules. A sphere is a capsule without length: the same code, exactly.

Each reported point is a ball on one axis against its nearest ball on the other, so every gap is a true distance
between the two surfaces; long parallel contacts get one at either end of the overlap.
"""

from __future__ import annotations

import math

from taut.core.jit import kernel

#: squared sine below which two axes count as parallel enough for two points (about 6 degrees)
PARALLEL = 0.01


@kernel
def clamp(x, h):
    """x limited to -h .. h."""
    if x > h:
        return h
    return -h if x < -h else x


@kernel
def closest(local):
    """Closest points of two segments: Ericson, Real-Time Collision Detection, 5.1.9.

    Rows 0 and 1 of `local`: centre (3), unit direction (3), half length. Minimises |w + s u - t v| and returns s, t
    and the products u.v, u.w, v.w.
    """
    c, d, e = 0.0, 0.0, 0.0
    for k in range(3):
        w, u, v = local[0, k] - local[1, k], local[0, 3 + k], local[1, 3 + k]
        c += u * v
        d += u * w
        e += v * w
    sine2 = 1.0 - c * c
    s = 0.0
    if sine2 > 1e-12:
        s = clamp((c * e - d) / sine2, local[0, 6])
    t = clamp(e + s * c, local[1, 6])
    return clamp(t * c - d, local[0, 6]), t, c, d, e


@kernel
def put_balls(s, t, a, b, pose, local, found, row):
    """Balls at s and t along the axes of capsules a and b; the normal goes from a to b."""
    total = 0.0
    for k in range(3):
        x, y = local[0, k] + s * local[0, 3 + k], local[1, k] + t * local[1, 3 + k]
        found[row, k] = 0.5 * (x + y)
        found[row, 3 + k] = y - x
        total += (y - x) ** 2
    distance = math.sqrt(total)
    ra, rb = pose[a, 15], pose[b, 15]
    found[row, 6] = distance - ra - rb
    found[row, 7] = row
    if distance <= 1e-12 * (ra + rb):
        # the axes meet: part them along their common perpendicular, which lies across a as (-y, x)
        x, y = 0.0, 0.0
        for k in range(3):
            x += pose[a, 3 * k] * local[1, 3 + k]
            y += pose[a, 3 * k + 1] * local[1, 3 + k]
        distance = math.sqrt(x * x + y * y)
        if distance < 1e-9:
            # parallel as well, or concentric spheres: any direction across a
            x, y, distance = 0.0, -1.0, 1.0
        for k in range(3):
            found[row, 3 + k] = x * pose[a, 3 * k + 1] - y * pose[a, 3 * k]
    for k in range(3):
        found[row, 3 + k] /= distance
        found[row, k] += 0.5 * (ra - rb) * found[row, 3 + k]


@kernel
def capsule_capsule(a, b, pose, found, local):
    """Closest point of two capsules or spheres; when nearly parallel, both ends of their overlap."""
    for k in range(3):
        local[0, k] = pose[a, 9 + k]
        local[1, k] = pose[b, 9 + k]
        local[0, 3 + k] = pose[a, 3 * k + 2]
        local[1, 3 + k] = pose[b, 3 * k + 2]
    la, lb = pose[a, 14], pose[b, 14]
    local[0, 6] = la
    local[1, 6] = lb
    s, _, c, d, e = closest(local)
    points, first, last = 1, s, s
    if 1.0 - c * c < PARALLEL:
        # projection of b onto a, as far as a goes
        first, last = clamp(-d - abs(c) * lb, la), clamp(-d + abs(c) * lb, la)
        if last - first > 0.01 * (pose[a, 15] + pose[b, 15]):
            points = 3
        else:
            first = s
    for row in range(points):
        x = first if row == 0 else (last if row == 1 else s)
        put_balls(x, clamp(e + x * c, lb), a, b, pose, local, found, row)
    return settle(found, points, s - first - last + s)


@kernel
def settle(found, points, side):
    """The closest point (row 2) is never lost: closer than both ends, it takes the place of the one on its side."""
    if points < 3:
        return points
    row = 1 if side > 0.0 else 0
    if found[2, 6] < found[0, 6] - 1e-12 and found[2, 6] < found[1, 6] - 1e-12:
        for k in range(7):
            found[row, k] = found[2, k]
    return 2
