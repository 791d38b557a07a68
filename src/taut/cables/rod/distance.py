"""Signed distance of a point to solids, with its gradient and Hessian, in the frame of the solid.

The distance to a feature has the Hessian W = (1 - n n')/rho for a corner, (1 - n n' - e e')/rho for an edge along e, and
zero for a face; rho is the distance to the feature itself. A rim of radius R has m m'/rho + (n_r/r) t t'.
"""

from __future__ import annotations

import math

from taut.cables.rod.obstacles import BOX, CAPSULE, CYLINDER, DISTANCE, HESSIAN, OUTWARD, PLANE, SIZES, SPHERE, Array
from taut.core.jit import kernel


@kernel
def put(out: Array, d: float, x: float, y: float, z: float) -> None:
    """Distance and normal, no curvature."""
    out[DISTANCE], out[OUTWARD], out[OUTWARD + 1], out[OUTWARD + 2] = d, x, y, z
    for k in range(6):
        out[HESSIAN + k] = 0.0


@kernel
def bend(out: Array, c: float, x: float, y: float, z: float) -> None:
    """Add curvature c along the direction (x, y, z)."""
    out[HESSIAN] += c * x * x
    out[HESSIAN + 1] += c * x * y
    out[HESSIAN + 2] += c * x * z
    out[HESSIAN + 3] += c * y * y
    out[HESSIAN + 4] += c * y * z
    out[HESSIAN + 5] += c * z * z


@kernel
def corner(out: Array, x: float, y: float, z: float, radius: float, ax: float, ay: float, az: float) -> None:
    """Distance to a ball of this radius around a point at -(x, y, z), or to a rod along the axis a through it."""
    rho = math.sqrt(x * x + y * y + z * z)
    if rho < 1e-12:
        x, y, z, rho = 0.0, 0.0, 1e-12, 1e-12
    x, y, z = x / rho, y / rho, z / rho
    put(out, rho - radius, x, y, z)
    # 1 - n n' - a a'
    c = 1.0 / rho
    out[HESSIAN] += c
    out[HESSIAN + 3] += c
    out[HESSIAN + 5] += c
    bend(out, -c, x, y, z)
    bend(out, -c, ax, ay, az)


@kernel
def solid(kind: int, shape: Array, x: float, y: float, z: float, out: Array) -> None:
    """Probe one of the solids at a point of its own frame."""
    a, b, c = shape[SIZES], shape[SIZES + 1], shape[SIZES + 2]
    if kind == PLANE:
        put(out, z, 0.0, 0.0, 1.0)
    elif kind == SPHERE:
        corner(out, x, y, z, a, 0.0, 0.0, 0.0)
    elif kind == CAPSULE:
        inside = abs(z) < b
        corner(out, x, y, z - min(b, max(-b, z)), a, 0.0, 0.0, 1.0 if inside else 0.0)
    elif kind == CYLINDER:
        _cylinder(a, b, x, y, z, out)
    elif kind == BOX:
        _box(a, b, c, x, y, z, out)


@kernel
def _cylinder(radius: float, half: float, x: float, y: float, z: float, out: Array) -> None:
    r = math.hypot(x, y)
    ex, ey = (x / r, y / r) if r > 1e-12 else (1.0, 0.0)
    side, cap, up = r - radius, abs(z) - half, 1.0 if z >= 0.0 else -1.0
    if side > 0.0 and cap > 0.0:
        rho = math.hypot(side, cap)
        nr, nz = side / rho, up * cap / rho
        put(out, rho, nr * ex, nr * ey, nz)
        bend(out, 1.0 / rho, -nz * ex, -nz * ey, nr)
        bend(out, nr / r, -ey, ex, 0.0)
    elif side > cap:
        put(out, side, ex, ey, 0.0)
        bend(out, 1.0 / max(r, 1e-12), -ey, ex, 0.0)
    else:
        put(out, cap, 0.0, 0.0, up)


@kernel
def _box(a: float, b: float, c: float, x: float, y: float, z: float, out: Array) -> None:
    sx, sy, sz = (1.0 if x >= 0.0 else -1.0), (1.0 if y >= 0.0 else -1.0), (1.0 if z >= 0.0 else -1.0)
    dx, dy, dz = abs(x) - a, abs(y) - b, abs(z) - c
    outside = int(dx > 0.0) + int(dy > 0.0) + int(dz > 0.0)
    if outside >= 2:
        corner(
            out, sx * max(dx, 0.0), sy * max(dy, 0.0), sz * max(dz, 0.0), 0.0, (1.0 if dx <= 0.0 else 0.0), (1.0 if dy <= 0.0 else 0.0),
            (1.0 if dz <= 0.0 else 0.0),
        )  # fmt: skip
    elif dx >= dy and dx >= dz:
        put(out, dx, sx, 0.0, 0.0)
    elif dy >= dz:
        put(out, dy, 0.0, sy, 0.0)
    else:
        put(out, dz, 0.0, 0.0, sz)
