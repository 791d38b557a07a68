"""The frame of a span: two directions across its chord that turn with it and about it as little as possible.

Taken from the vertical (paper 2) the directions would flip when a pendulum passes its lowest point. Carried along,

    e+ = e + k x e + k x (k x e)/(1 + u.u+),   k = u x u+

the shortest turn from the old chord to the new one, nothing ever flips.
"""

from __future__ import annotations

import math

from taut.core.jit import kernel


@kernel
def carry_direction(ex, ey, ez, ux, uy, uz, vx, vy, vz):
    """Direction e after the shortest turn from u to v, normal to v again to the last digit."""
    kx, ky, kz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    c = 1.0 / max(1.0 + ux * vx + uy * vy + uz * vz, 1e-9)
    ax, ay, az = ky * ez - kz * ey, kz * ex - kx * ez, kx * ey - ky * ex
    bx, by, bz = ky * az - kz * ay, kz * ax - kx * az, kx * ay - ky * ax
    x, y, z = ex + ax + c * bx, ey + ay + c * by, ez + az + c * bz
    along = x * vx + y * vy + z * vz
    x, y, z = x - along * vx, y - along * vy, z - along * vz
    size = math.sqrt(x * x + y * y + z * z)
    return x / size, y / size, z / size
