"""Convex solids as their cores see them: the furthest point in a direction, and the face that looks that way.

A core is a point (sphere), segment (capsule), box, cylinder, hull or triangle; the radius of spheres and capsules lies
around it. Places are relative to the origin in row BASE of `local`, so that nothing is lost far from the world's.
"""

from __future__ import annotations

import math

from taut.contact.shapes import BOX, CAPSULE, CYLINDER, HULL, SPHERE, TRIANGLE
from taut.core.jit import kernel

#: rows of `local`: origin of the pair, corners of the triangle in hand and its unit normal
BASE, CORNERS, FACING = 7, 28, 31
#: sine below which a face or an edge counts as square to a direction (about 6 degrees)
FLAT = 0.1
#: corners of the polygon that stands for the end of a cylinder
RIM = 8


@kernel
def furthest(kind, c, scale, x, y, z, pose, data, corner, local):
    """Point of core c, shrunk about its centre by `scale`, furthest along (x, y, z)."""
    if kind == TRIANGLE:
        best, most = 0, -math.inf
        for k in range(3):
            lean = local[CORNERS + k, 0] * x + local[CORNERS + k, 1] * y + local[CORNERS + k, 2] * z
            if lean > most:
                best, most = CORNERS + k, lean
        return local[best, 0], local[best, 1], local[best, 2]
    u = pose[c, 0] * x + pose[c, 3] * y + pose[c, 6] * z
    v = pose[c, 1] * x + pose[c, 4] * y + pose[c, 7] * z
    w = pose[c, 2] * x + pose[c, 5] * y + pose[c, 8] * z
    if kind == HULL:
        best, most = data[c, 0], -math.inf
        for i in range(data[c, 0], data[c, 0] + data[c, 1]):
            lean = corner[i, 0] * u + corner[i, 1] * v + corner[i, 2] * w
            if lean > most:
                best, most = i, lean
        u, v, w = corner[best, 0], corner[best, 1], corner[best, 2]
    elif kind == BOX:
        u, v, w = (
            math.copysign(pose[c, 12], u),
            math.copysign(pose[c, 13], v),
            math.copysign(pose[c, 14], w),
        )
    elif kind == CYLINDER:
        across = math.sqrt(u * u + v * v)
        r = pose[c, 15] / across if across > 1e-12 * abs(w) else 0.0
        u, v, w = r * u, r * v, math.copysign(pose[c, 14], w)
    elif kind == CAPSULE:
        u, v, w = 0.0, 0.0, math.copysign(pose[c, 14], w)
    else:
        u, v, w = 0.0, 0.0, 0.0
    return outside(c, scale * u, scale * v, scale * w, pose, local)


@kernel
def outside(c, u, v, w, pose, local):
    """A point given in the frame of c, relative to the origin of the pair."""
    return (
        pose[c, 9] - local[BASE, 0] + pose[c, 0] * u + pose[c, 1] * v + pose[c, 2] * w,
        pose[c, 10] - local[BASE, 1] + pose[c, 3] * u + pose[c, 4] * v + pose[c, 5] * w,
        pose[c, 11] - local[BASE, 2] + pose[c, 6] * u + pose[c, 7] * v + pose[c, 8] * w,
    )


@kernel
def round_of(kind, c, pose):
    """Radius around a core."""
    return pose[c, 15] if kind == SPHERE or kind == CAPSULE else 0.0


@kernel
def _put(c, u, v, w, feature, pose, local, row):
    x, y, z = outside(c, u, v, w, pose, local)
    local[row, 0], local[row, 1], local[row, 2] = x, y, z
    local[row, 3], local[row, 4] = feature, feature


@kernel
def _box_face(c, u, v, w, pose, local, row):
    """Face, edge or corner of a box; bit k of a corner's number says on which side of axis k it lies."""
    flat = (1 if abs(u) < FLAT else 0) + (2 if abs(v) < FLAT else 0) + (4 if abs(w) < FLAT else 0)
    low = (0 if u > 0.0 else 1) + (0 if v > 0.0 else 2) + (0 if w > 0.0 else 4)
    count = 0
    for m in range(8):
        # gray order goes round a face
        bits = m ^ (m >> 1)
        if flat == 5:
            bits = ((bits & 1) << 2) | ((bits & 2) >> 1) | ((bits & 4) >> 1)
        elif flat == 6:
            bits = ((bits & 3) << 1) | (bits >> 2)
        if (bits ^ low ^ 7) & (7 - flat) == 0:
            x = pose[c, 12] if bits & 1 else -pose[c, 12]
            y = pose[c, 13] if bits & 2 else -pose[c, 13]
            z = pose[c, 14] if bits & 4 else -pose[c, 14]
            _put(c, x, y, z, 1.0 * bits, pose, local, row + count)
            count += 1
    return count


@kernel
def _cylinder_face(c, u, v, w, pose, local, row):
    """The end as a polygon, first corner where it is lowest; the line along the side; or nothing."""
    r, l = pose[c, 15], pose[c, 14]
    across = math.sqrt(u * u + v * v)
    if across < FLAT:
        # straight up the lowest corner is round-off: it stays where it is
        x, y = (r, 0.0) if across < 1e-6 else (r * u / across, r * v / across)
        turn = math.copysign(math.pi / 4.0, w)
        for k in range(RIM):
            a, b = math.cos(k * turn), math.sin(k * turn)
            _put(c, a * x - b * y, b * x + a * y, math.copysign(l, w), 1.0 * k, pose, local, row + k)
        return RIM
    if abs(w) < FLAT:
        x, y = r * u / across, r * v / across
        _put(c, x, y, -l, 0.0, pose, local, row)
        _put(c, x, y, l, 1.0, pose, local, row + 1)
        return 2
    return 0


@kernel
def _hull_face(c, u, v, w, pose, data, corner, face, loop, facing, local, row, room):
    """The face that looks most along (u, v, w), else its edge that lies square to it, else nothing."""
    best, most = -1, -2.0
    for f in range(data[c, 2], data[c, 2] + data[c, 3]):
        lean = facing[f, 0] * u + facing[f, 1] * v + facing[f, 2] * w
        # equal leans choose the same face every time
        if lean > most + 1e-9:
            best, most = f, lean
    first, count = face[best, 0], min(face[best, 1], room)
    if most > 1.0 - 0.5 * FLAT * FLAT:
        for k in range(count):
            i = loop[first + k]
            _put(c, corner[i, 0], corner[i, 1], corner[i, 2], 1.0 * k, pose, local, row + k)
        return count
    edge, highest = -1, -math.inf
    for k in range(count):
        i, j = loop[first + k], loop[first + (k + 1) % count]
        p, q, s = corner[j, 0] - corner[i, 0], corner[j, 1] - corner[i, 1], corner[j, 2] - corner[i, 2]
        rise = abs(p * u + q * v + s * w)
        if rise < FLAT * math.sqrt(p * p + q * q + s * s):
            height = (corner[i, 0] + corner[j, 0]) * u + (corner[i, 1] + corner[j, 1]) * v
            height += (corner[i, 2] + corner[j, 2]) * w
            if height > highest:
                edge, highest = k, height
    if edge < 0:
        return 0
    for m in range(2):
        k = (edge + m) % count
        i = loop[first + k]
        _put(c, corner[i, 0], corner[i, 1], corner[i, 2], 1.0 * k, pose, local, row + m)
    return 2


@kernel
def face_towards(kind, c, x, y, z, pose, data, corner, face, loop, facing, local, row, room):
    """Corners of the face of core c that looks along the unit vector (x, y, z), from `row` on: a polygon of three and
    more, an edge of two, or none. Returns how many; column 3 and 4 of each row hold its number."""
    if kind == SPHERE:
        return 0
    if kind == TRIANGLE:
        lean = local[FACING, 0] * x + local[FACING, 1] * y + local[FACING, 2] * z
        if abs(lean) < 1.0 - 0.5 * FLAT * FLAT:
            return 0
        for k in range(3):
            # the other way round when seen from behind
            corner_row = CORNERS + (k if lean > 0.0 else 2 - k)
            for m in range(3):
                local[row + k, m] = local[corner_row, m]
            local[row + k, 3] = local[row + k, 4] = 1.0 * k
        return 3
    u = pose[c, 0] * x + pose[c, 3] * y + pose[c, 6] * z
    v = pose[c, 1] * x + pose[c, 4] * y + pose[c, 7] * z
    w = pose[c, 2] * x + pose[c, 5] * y + pose[c, 8] * z
    if kind == BOX:
        count = _box_face(c, u, v, w, pose, local, row)
        return count if count > 1 else 0
    if kind == CYLINDER:
        return _cylinder_face(c, u, v, w, pose, local, row)
    if kind == HULL:
        return _hull_face(c, u, v, w, pose, data, corner, face, loop, facing, local, row, room)
    if abs(w) < FLAT:
        _put(c, 0.0, 0.0, -pose[c, 14], 0.0, pose, local, row)
        _put(c, 0.0, 0.0, pose[c, 14], 1.0, pose, local, row + 1)
        return 2
    return 0
