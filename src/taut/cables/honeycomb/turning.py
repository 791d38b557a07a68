"""A Newton step of a lattice, with its layers turned and not sheared apart.

The springs within a layer are far stiffer than anything that keeps it from turning, often a hundred thousand times: a layer whose
masses go straight on along a turn by q is stretched by q^2/2, and the force of that is more than what would turn it unless q
is below 1e-4. Newton's method then goes to and fro, or away. Here the part of a step that turns a layer about its centre of
mass is made as a turn. That moves the masses by more or less along their arms only: the sum of their momenta stays as it is.
"""

from __future__ import annotations

import numpy as np

from taut.cables.honeycomb.arrays import INVERSE, LAYERS, MASS, PER_LAYER, Arrays
from taut.core.jit import kernel
from taut.core.quat import exponential, rotate

Array = np.ndarray

#: determinant of the inertia of a layer, over the cube of its trace, below which it has no arms to be turned by
NO_ARMS = 1e-6


@kernel
def turn_layers(a: Arrays, step: Array) -> None:
    """a.pos += step, shape (N, 3), zero for held masses, with the turn of every free layer made as one."""
    layers, per = a.size[LAYERS], a.size[PER_LAYER]
    for n in range(layers):
        first = n * per
        free, total, cx, cy, cz, sx, sy, sz = True, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for i in range(first, first + per):
            free = free and a.node[i, INVERSE] > 0.0
            mass = a.node[i, MASS]
            total += mass
            cx, cy, cz = cx + mass * a.pos[i, 0], cy + mass * a.pos[i, 1], cz + mass * a.pos[i, 2]
            sx, sy, sz = sx + mass * step[i, 0], sy + mass * step[i, 1], sz + mass * step[i, 2]
        cx, cy, cz, sx, sy, sz = cx / total, cy / total, cz / total, sx / total, sy / total, sz / total
        wx, wy, wz = 0.0, 0.0, 0.0
        if free:
            wx, wy, wz = _turn_of(a, step, first, first + per, cx, cy, cz, sx, sy, sz)
        q, i, j, k = exponential(wx, wy, wz)
        for p in range(first, first + per):
            x, y, z = a.pos[p, 0] - cx, a.pos[p, 1] - cy, a.pos[p, 2] - cz
            tx, ty, tz = rotate(q, i, j, k, x, y, z)
            a.pos[p, 0] += step[p, 0] + (tx - x - (wy * z - wz * y))
            a.pos[p, 1] += step[p, 1] + (ty - y - (wz * x - wx * z))
            a.pos[p, 2] += step[p, 2] + (tz - z - (wx * y - wy * x))


@kernel
def _turn_of(
    a: Arrays, step: Array, first: int, last: int, cx: float, cy: float, cz: float, sx: float, sy: float, sz: float
) -> tuple[float, float, float]:
    """The turn in the step of masses first to last about their centre: I w = sum m r x (d - d_centre)."""
    xx, xy, xz, yy, yz, zz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    tx, ty, tz = 0.0, 0.0, 0.0
    for i in range(first, last):
        m, x, y, z = a.node[i, MASS], a.pos[i, 0] - cx, a.pos[i, 1] - cy, a.pos[i, 2] - cz
        u, v, w = step[i, 0] - sx, step[i, 1] - sy, step[i, 2] - sz
        tx, ty, tz = tx + m * (y * w - z * v), ty + m * (z * u - x * w), tz + m * (x * v - y * u)
        xx, yy, zz = xx + m * (y * y + z * z), yy + m * (x * x + z * z), zz + m * (x * x + y * y)
        xy, xz, yz = xy - m * x * y, xz - m * x * z, yz - m * y * z
    a00, a01, a02 = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
    a11, a12, a22 = xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy
    whole = xx * a00 + xy * a01 + xz * a02
    if not whole > NO_ARMS * (xx + yy + zz) ** 3:
        return 0.0, 0.0, 0.0
    return (
        (a00 * tx + a01 * ty + a02 * tz) / whole,
        (a01 * tx + a11 * ty + a12 * tz) / whole,
        (a02 * tx + a12 * ty + a22 * tz) / whole,
    )
