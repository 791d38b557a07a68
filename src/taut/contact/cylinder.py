"""Cylinders against spheres and capsules: the nearest point of the axis, exactly.

The signed distance to a convex solid is a convex function of the place, so along the axis x(t) = c + t d, |t| <= l, of a
capsule it has one minimum, inside the cylinder as well as outside: where its slope n(x) . d changes sign.
Row 0 of `local` holds the ball in hand, row 1 the axis: c and d, in the cylinder's frame.
"""

from __future__ import annotations

import math

from taut.contact.capsule import PARALLEL, clamp, settle
from taut.contact.frame import IN_HAND, put_local
from taut.core.jit import kernel

#: sine between axis and end of the cylinder below which the contact gets two points (about 6 degrees)
FLAT = 0.1
#: halvings of the bracket: to the last digit
HALVINGS = 60


@kernel
def _outward(r, l, x, y, z):
    """Signed distance of a point to the cylinder and its gradient: nearest of side, cap and rim."""
    rho = math.sqrt(x * x + y * y)
    side, cap = rho - r, abs(z) - l
    # outward, along the radius and along the axis
    out, up, height = 1.0, 0.0, side
    if side > 0.0 and cap > 0.0:
        height = math.sqrt(side * side + cap * cap)
        out, up = side / height, cap / height
    elif cap > side:
        height, out, up = cap, 0.0, 1.0
    if rho <= 1e-12 * r:
        # on the axis any radius will do
        x, y, rho = 1.0, 0.0, 1.0
    return height, out * x / rho, out * y / rho, math.copysign(up, z)


@kernel
def _slope(r, l, t, local):
    """Derivative of the distance along the axis."""
    _, x, y, z = _outward(
        r, l, local[1, 0] + t * local[1, 3], local[1, 1] + t * local[1, 4], local[1, 2] + t * local[1, 5]
    )
    return x * local[1, 3] + y * local[1, 4] + z * local[1, 5]


@kernel
def _nearest(r, l, half, local):
    """Where on |t| <= half the axis is nearest to the cylinder."""
    if half == 0.0 or _slope(r, l, -half, local) >= 0.0:
        return -half
    if _slope(r, l, half, local) <= 0.0:
        return half
    low, high = -half, half
    # beside the cylinder it is where both axes are nearest to each other
    across = local[1, 3] ** 2 + local[1, 4] ** 2
    if across > PARALLEL:
        t = -(local[1, 0] * local[1, 3] + local[1, 1] * local[1, 4]) / across
        if low < t < high and abs(local[1, 2] + t * local[1, 5]) <= l:
            x, y = local[1, 0] + t * local[1, 3], local[1, 1] + t * local[1, 4]
            if x * x + y * y > r * r:
                return t
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if _slope(r, l, middle, local) > 0.0:
            high = middle
        else:
            low = middle
    return 0.5 * (low + high)


@kernel
def _put_ball(c, t, ball, pose, local, found, row):
    """Ball at t on the axis, half-way between its surface and its foot on the cylinder."""
    for k in range(3):
        local[0, k] = local[1, k] + t * local[1, 3 + k]
    height, x, y, z = _outward(pose[c, 15], pose[c, 14], local[0, 0], local[0, 1], local[0, 2])
    local[IN_HAND, 3], local[IN_HAND, 4], local[IN_HAND, 5] = x, y, z
    for k in range(3):
        local[IN_HAND, k] = local[0, k] - 0.5 * (height + ball) * local[IN_HAND, 3 + k]
    put_local(c, height - ball, 1.0 * row, pose, local, found, row)


@kernel
def _beside(r, l, t, half, local):
    """Part of the axis that runs along the side or over the end which it is nearest to; equal ends: one point."""
    x, y, z = local[1, 0] + t * local[1, 3], local[1, 1] + t * local[1, 4], local[1, 2] + t * local[1, 5]
    u, v, w = local[1, 3], local[1, 4], local[1, 5]
    across = u * u + v * v
    side, cap = math.sqrt(x * x + y * y) - r, abs(z) - l
    if across < PARALLEL and side >= cap:
        first, last = (-l - local[1, 2]) / w, (l - local[1, 2]) / w
        return clamp(min(first, last), half), clamp(max(first, last), half)
    if abs(w) < FLAT and cap > side:
        # |x + t u| <= r
        b, c = local[1, 0] * u + local[1, 1] * v, local[1, 0] ** 2 + local[1, 1] ** 2 - r * r
        root = b * b - across * c
        if root > 0.0:
            root = math.sqrt(root)
            return clamp((-b - root) / across, half), clamp((-b + root) / across, half)
    return t, t


@kernel
def cylinder_capsule(c, b, pose, found, local):
    """Points of capsule (or sphere) b on cylinder c; the normal goes from the cylinder to the capsule."""
    for k in range(3):
        x, d = 0.0, 0.0
        for j in range(3):
            x += pose[c, 3 * j + k] * (pose[b, 9 + j] - pose[c, 9 + j])
            d += pose[c, 3 * j + k] * pose[b, 3 * j + 2]
        local[1, k], local[1, 3 + k] = x, d
    r, l, half, ball = pose[c, 15], pose[c, 14], pose[b, 14], pose[b, 15]
    t = _nearest(r, l, half, local)
    first, last = (t, t) if half == 0.0 else _beside(r, l, t, half, local)
    points = 3
    if last - first <= 0.01 * ball:
        points, first = 1, t
    for row in range(points):
        _put_ball(c, first if row == 0 else (last if row == 1 else t), ball, pose, local, found, row)
    return settle(found, points, t - first - last + t)
