"""Cylinders against spheres. Other partners, planes apart, are not supported yet: see `shapes.SUPPORTED`."""

from __future__ import annotations

import math

from taut.contact.frame import IN_HAND, put_local
from taut.core.jit import kernel


@kernel
def cylinder_sphere(c, b, pose, found, local):
    """Sphere b against cylinder c, in the plane through its axis: nearest of side, cap and rim."""
    for k in range(3):
        x = 0.0
        for j in range(3):
            x += pose[c, 3 * j + k] * (pose[b, 9 + j] - pose[c, 9 + j])
        local[0, k] = x
    x, y, z, r = local[0, 0], local[0, 1], local[0, 2], pose[b, 15]
    rho = math.sqrt(x * x + y * y)
    side, cap = rho - pose[c, 15], abs(z) - pose[c, 14]
    # outward, along the radius and along the axis
    out, up = 1.0, 0.0
    height = side
    if side > 0.0 and cap > 0.0:
        height = math.sqrt(side * side + cap * cap)
        out, up = side / height, cap / height
    elif cap > side:
        height, out, up = cap, 0.0, 1.0
    if rho <= 1e-12 * r:
        # on the axis any radius will do
        x, rho = 1.0, 1.0
    local[IN_HAND, 3] = out * x / rho
    local[IN_HAND, 4] = out * y / rho
    local[IN_HAND, 5] = math.copysign(up, z)
    for k in range(3):
        local[IN_HAND, k] = local[0, k] - 0.5 * (height + r) * local[IN_HAND, 3 + k]
    put_local(c, height - r, 0.0, pose, local, found, 0)
    return 1
