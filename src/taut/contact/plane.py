"""Spheres, capsules, boxes and cylinders against planes, in the frame of the shape: which of its points are lowest.

Row 0 of `local` holds the centre of a ball (or a rim point); the plane's normal n, turned into the shape's frame, is
the normal of every point in hand. gap = n . (x - x_p) - r.
"""

from __future__ import annotations

import math

from taut.contact.frame import IN_HAND, put_local
from taut.contact.patch import INCIDENT, ROOM, choose_four
from taut.core.jit import kernel


@kernel
def face_plane(p, c, pose, local):
    """Normal of plane p in the frame of shape c, to local[IN_HAND, 3:6]; returns the height of c's centre."""
    height = 0.0
    for k in range(3):
        height += pose[p, 3 * k + 2] * (pose[c, 9 + k] - pose[p, 9 + k])
        lean = 0.0
        for j in range(3):
            lean += pose[c, 3 * j + k] * pose[p, 3 * j + 2]
        local[IN_HAND, 3 + k] = lean
    return height


@kernel
def put_on_plane(c, height, r, feature, pose, local, found, row):
    """Ball of radius r at local[0], its shape's centre at `height`; half-way between its lowest point and its foot."""
    for k in range(3):
        height += local[0, k] * local[IN_HAND, 3 + k]
    for k in range(3):
        local[IN_HAND, k] = local[0, k] - 0.5 * (height + r) * local[IN_HAND, 3 + k]
    put_local(c, height - r, feature, pose, local, found, row)


@kernel
def plane_core(p, c, pose, found, local):
    """One ball of a sphere, two of a capsule, the four corners of a box's face that looks most at the plane.

    The lowest corner is always among them. The feature is the corner's number, bit k for the + side of axis k.
    """
    height = face_plane(p, c, pose, local)
    # a sphere is one ball, a capsule two along z
    face, most, count = 1, 0.0, 1
    if pose[c, 14] > 0.0:
        count = 2
    if pose[c, 12] > 0.0:
        count = 4
        for k in range(3):
            # equal leans choose the same face every time
            if abs(local[IN_HAND, 3 + k]) > most + 1e-9:
                face, most = k, abs(local[IN_HAND, 3 + k])
    for row in range(count):
        feature = 0.0
        for m in range(3):
            # bits 0 and 1 of the row go round the face, which itself is the low one
            k = (face + 1 + m) % 3
            local[0, k] = (2.0 * ((row >> m) & 1) - 1.0) * pose[c, 12 + k]
            if m == 2:
                local[0, k] = -math.copysign(pose[c, 12 + k], local[IN_HAND, 3 + k])
            if local[0, k] > 0.0:
                feature += 1 << k
        put_on_plane(c, height, pose[c, 15], feature, pose, local, found, row)
    return count


@kernel
def plane_cylinder(p, c, margin, pose, found, local):
    """Rim points against the half space.

    Upright: four points of the lower rim, the lowest among them. Lying: the lowest point of either rim. In the
    cylinder's frame the lowest direction is -(n_x, n_y) / sine; within a thousandth of the margin of exactly upright
    it is round-off, and the points stay fixed in the body: they then miss the lowest one by less than 3e-4 margins.
    """
    height = face_plane(p, c, pose, local)
    r, l = pose[c, 15], pose[c, 14]
    x, y, z = -local[IN_HAND, 3], -local[IN_HAND, 4], local[IN_HAND, 5]
    sine = math.sqrt(x * x + y * y)
    if r * sine <= 1e-3 * margin or sine < 1e-9:
        x, y, sine = 1.0, 0.0, 1.0
    x, y = r * x / sine, r * y / sine
    upright = 1 if abs(z) > 0.7 else 0
    count = 2 + 2 * upright
    for row in range(count):
        local[0, 0] = x
        local[0, 1] = y
        local[0, 2] = l - 2.0 * l * row
        if upright == 1:
            # a quarter turn further, on the lower rim
            local[0, 2] = -math.copysign(l, z)
            x, y = -y, x
        put_on_plane(c, height, 0.0, 4.0 * upright + row, pose, local, found, row)
    return count


@kernel
def plane_hull(p, c, reach, margin, pose, data, corner, found, local):
    """The lowest corner of a hull and up to three more that are near the plane, spread out."""
    height = face_plane(p, c, pose, local)
    x, y, z = local[IN_HAND, 3], local[IN_HAND, 4], local[IN_HAND, 5]
    lowest = math.inf
    for i in range(data[c, 0], data[c, 0] + data[c, 1]):
        lowest = min(lowest, height + x * corner[i, 0] + y * corner[i, 1] + z * corner[i, 2])
    count = 0
    for i in range(data[c, 0], data[c, 0] + data[c, 1]):
        here = height + x * corner[i, 0] + y * corner[i, 1] + z * corner[i, 2]
        # of more than there is room for, the lowest always
        if here <= max(reach, lowest) and (count < ROOM - 1 or here == lowest) and count < ROOM:
            row = INCIDENT + count
            for k in range(3):
                local[row, k] = corner[i, k]
            local[row, 3], local[row, 5] = 1.0 * (i - data[c, 0]), here
            count += 1
    count = choose_four(count, 1e-3 * margin, x, y, z, local)
    for m in range(count):
        row = INCIDENT + m
        for k in range(3):
            local[0, k] = local[row, k]
        put_on_plane(c, height, 0.0, local[row, 3], pose, local, found, m)
    return count
