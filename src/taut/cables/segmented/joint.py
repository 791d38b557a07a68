"""Bend and twist of one joint: two frames, z along the cable, x and y across it.

With q = conj(a) b the turn from frame a to frame b, u the z axis of b seen from a, c = u_z and theta = acos c,

    bend    phi = f (-u_y, u_x),  f = theta / sin theta
    twist   phi = 2 atan2(q_z, q_w), the turn that is left after a has been carried to b the short way

The length of the bend vector is theta, so that the energy is the same for every direction of bend; all are smooth but for a
fold by 180 degrees. Rates, in the axes of a, times the relative spin w_b - w_a:

    f (u_z, 0, -u_x) - f' u_y (u_y, -u_x, 0),   f (0, u_z, -u_y) + f' u_x (u_y, -u_x, 0),   (u_x, u_y, 1 + u_z)/(1 + u_z)

with f' = df/dc = (theta c / sin theta - 1) / sin^2 theta. Paper 1 has one bend row only (its rows are at the end of the
file): it holds the bend in its present plane, and the stiffness across that plane is left to explicit forces.
"""

from __future__ import annotations

import math

from taut.core.angles import turn_about_z
from taut.core.jit import kernel
from taut.core.quat import multiply, rotate

#: below this sin^2(theta/2) the series of f is exact to round-off
SERIES = 0.01
#: nearest to a fold that is told apart, in 1 - sin^2(theta/2)
FOLD = 1e-6
#: what paper 1 adds to |d_x| so that its rows stay finite in a straight cable
STRAIGHT = 1e-9


@kernel
def bend_factor(s):
    """f and df/dc for s = sin^2(theta/2)."""
    if s < SERIES:
        # asin(x)/(x sqrt(1 - x^2)) = sum 4^n n!^2/(2n+1)! x^2n, x^2 = s; dc = -2 ds
        f = 1.0 + s * (2 / 3 + s * (8 / 15 + s * (16 / 35 + s * (128 / 315 + s * (256 / 693 + s * (1024 / 3003))))))
        slope = 2 / 3 + s * (16 / 15 + s * (48 / 35 + s * (512 / 315 + s * (1280 / 693 + s * (6144 / 3003)))))
        return f, -0.5 * slope
    s = min(s, 1.0 - FOLD)
    theta = 2.0 * math.asin(math.sqrt(s))
    sine, cosine = 2.0 * math.sqrt(s * (1.0 - s)), 1.0 - 2.0 * s
    return theta / sine, (theta * cosine / sine - 1.0) / (sine * sine)


@kernel
def six_rows(aw, ax, ay, az, bw, bx, by, bz):
    """Bend about x and y, twist within a turn [rad], and their three directions in world axes."""
    w, x, y, z = multiply(aw, -ax, -ay, -az, bw, bx, by, bz)
    s = x * x + y * y
    ux, uy, uz = 2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * s
    f, slope = bend_factor(s)
    gx, gy = slope * ux, slope * uy
    e = rotate(aw, ax, ay, az, f * uz - gy * uy, gy * ux, -f * ux)
    g = rotate(aw, ax, ay, az, gx * uy, f * uz - gx * ux, -f * uy)
    k = 1.0 / (1.0 + max(uz, -1.0 + FOLD))
    t = rotate(aw, ax, ay, az, k * ux, k * uy, 1.0)
    return -f * uy, f * ux, turn_about_z(w, z), e, g, t


@kernel
def paper_rows(alternative, aw, ax, ay, az, bw, bx, by, bz):
    """Bend and twist angle [rad] of paper 1, equations 21 and 22 with their sign mended, and both directions.

    Its twist compares x of a with y of b, which are normal to each other at rest, or x with x (`alternative`).
    """
    ux, uy, uz = rotate(aw, ax, ay, az, 0.0, 0.0, 1.0)
    px, py, pz = rotate(bw, bx, by, bz, 0.0, 0.0, 1.0)
    nx, ny, nz = uy * pz - uz * py, uz * px - ux * pz, ux * py - uy * px
    size = math.sqrt(nx * nx + ny * ny + nz * nz)
    bend = math.atan2(size, ux * px + uy * py + uz * pz)
    k = 1.0 / (size + STRAIGHT)
    vx, vy, vz = rotate(aw, ax, ay, az, 1.0, 0.0, 0.0)
    if alternative:
        qx, qy, qz = rotate(bw, bx, by, bz, 1.0, 0.0, 0.0)
    else:
        qx, qy, qz = rotate(bw, bx, by, bz, 0.0, 1.0, 0.0)
    mx, my, mz = vy * qz - vz * qy, vz * qx - vx * qz, vx * qy - vy * qx
    across = math.sqrt(mx * mx + my * my + mz * mz)
    sign = 1.0 if mx * ux + my * uy + mz * uz >= 0.0 else -1.0
    twist = math.atan2(sign * across, vx * qx + vy * qy + vz * qz)
    if not alternative:
        twist -= 0.5 * math.pi
        if twist <= -math.pi:
            twist += 2.0 * math.pi
    j = sign / (across + STRAIGHT)
    return bend, twist, (k * nx, k * ny, k * nz), (j * mx, j * my, j * mz)
