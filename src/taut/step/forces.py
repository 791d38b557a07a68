"""Forces from outside, and the velocity every body would have without joints, cables and contacts.

Translation:  v_free = v + h f / m.
Rotation: the angular momentum about the centre of mass is the state, so that a free body keeps it exactly. Over the
step the body turns with one angular velocity w; the inertia is taken where the body is half way (midpoint rule):

    I(R_mid) w = L,     R_mid = exp(h w / 2) R

In body axes, W = R^T w, P = R^T L:   I W = exp(-h W / 2) P, solved by Newton with the matrix I - (h/2) [P_mid]x. Segments
of cables turn by Cayley's map (taut.step.integrate); half way is half of that.
A one-step implicit gyroscopic term would lose 40 to 75 % of a tumbling box's energy in ten minutes.

A needle, the thin segment of a cable, hardly resists a turn about its own axis u. Large torques act across it, and where
inertia and torques are not taken about the very same axis a small part of them spins it: 1e5 times too fast for a rope of
1 mm. Its momentum across (I w - (I w.u) u) and its spin along u are therefore carried on by themselves, and the
inertia is that of the pose in which the rows are taken. Neglected is the gyroscopic moment of the spin along u.
"""

from __future__ import annotations

import math

from taut.core.buffers import column, indices, table
from taut.core.codes import GENERAL, NEEDLE, POINT, STOUT
from taut.core.jit import kernel
from taut.core.model import (
    BODY_DRAG_AREA,
    BODY_FREE,
    BODY_INERTIA,
    BODY_MASS,
    BODY_MOMENTUM,
    BODY_POS,
    BODY_PUSH,
    BODY_QUAT,
    BODY_ROTOR,
    BODY_VEL,
    BODY_WORLD_INERTIA,
    D_TARGET,
    DRIVE,
    LEDGER,
    NODE_BLOCK,
    NODE_BODY,
    NODE_RHS,
    TIME,
    WIND,
    WIND_DENSITY,
    WIND_DIRECTION,
    WIND_DRIVE,
    WIND_EXPONENT,
    WIND_GUST,
    WIND_HEIGHT,
    WIND_PERIOD,
)
from taut.core.quat import exponential, half_straight, multiply, rotate, rotate_inverse

NEWTON_STEPS = 12


@kernel
def half_turn(straight, x, y, z):
    """Quaternion of half the rotation that a body makes in a step: by the exponential map, or `straight` by Cayley's."""
    if straight:
        return half_straight(x, y, z)
    return exponential(0.5 * x, 0.5 * y, 0.5 * z)


@kernel
def midpoint_spin(ix, iy, iz, px, py, pz, h, straight):
    """Body-axes angular velocity over a step of h for principal inertias i and body-axes momentum p at its start."""
    x, y, z = px / ix, py / iy, pz / iz
    size = abs(px) + abs(py) + abs(pz)
    for _ in range(NEWTON_STEPS):
        w, a, b, c = half_turn(straight, -h * x, -h * y, -h * z)
        mx, my, mz = rotate(w, a, b, c, px, py, pz)
        fx, fy, fz = ix * x - mx, iy * y - my, iz * z - mz
        if abs(fx) + abs(fy) + abs(fz) <= 4e-16 * size:
            break
        # (I - h/2 [m]x) d = f
        k = 0.5 * h
        a00, a01, a02 = ix, k * mz, -k * my
        a10, a11, a12 = -k * mz, iy, k * mx
        a20, a21, a22 = k * my, -k * mx, iz
        c0 = a11 * a22 - a12 * a21
        c1 = a12 * a20 - a10 * a22
        c2 = a10 * a21 - a11 * a20
        det = 1.0 / (a00 * c0 + a01 * c1 + a02 * c2)
        dx = det * (c0 * fx + (a02 * a21 - a01 * a22) * fy + (a01 * a12 - a02 * a11) * fz)
        dy = det * (c1 * fx + (a00 * a22 - a02 * a20) * fy + (a02 * a10 - a00 * a12) * fz)
        dz = det * (c2 * fx + (a01 * a20 - a00 * a21) * fy + (a00 * a11 - a01 * a10) * fz)
        x, y, z = x - dx, y - dy, z - dz
    return x, y, z


@kernel
def add_wind(m, s, w, h):
    """Quadratic drag F = 1/2 rho Cd A |u| u of the relative wind u, implicit in |u|: it can stop a body, not throw it.

    Speed at height z: (speed + gust sin(2 pi t / period)) (z / reference)^exponent.
    """
    body_of, mass, area = indices(m, NODE_BODY), column(m, BODY_MASS), column(m, BODY_DRAG_AREA)
    wind, pos, vel, free = column(m, WIND), table(s, BODY_POS), table(s, BODY_VEL), table(w, BODY_FREE)
    target = table(s, DRIVE)[indices(m, WIND_DRIVE)[0], D_TARGET]
    time = column(s, LEDGER)[TIME]
    ground = target + wind[WIND_GUST] * math.sin(2.0 * math.pi * time / wind[WIND_PERIOD])
    for node in range(body_of.shape[0]):
        i = body_of[node]
        c = 0.5 * wind[WIND_DENSITY] * area[i]
        if c == 0.0:
            continue
        speed = ground
        if wind[WIND_EXPONENT] != 0.0:
            speed *= (max(pos[i, 2], 0.0) / wind[WIND_HEIGHT]) ** wind[WIND_EXPONENT]
        # against the velocity it has, not the one it would have without its joints: what hangs at rest feels nothing
        ux = speed * wind[WIND_DIRECTION] - vel[i, 0]
        uy = speed * wind[WIND_DIRECTION + 1] - vel[i, 1]
        uz = speed * wind[WIND_DIRECTION + 2] - vel[i, 2]
        k = h * c * math.sqrt(ux * ux + uy * uy + uz * uz) / mass[i]
        k = k / (1.0 + k)
        free[i, 0] += k * ux
        free[i, 1] += k * uy
        free[i, 2] += k * uz


@kernel
def free_motion(settings, m, s, w, h):
    """Free velocity of every body and its inertia at mid-step."""
    body_of, mass, moments, rotor = (
        indices(m, NODE_BODY),
        column(m, BODY_MASS),
        table(m, BODY_INERTIA),
        indices(m, BODY_ROTOR),
    )
    quat, vel = table(s, BODY_QUAT), table(s, BODY_VEL)
    momentum, push = table(s, BODY_MOMENTUM), table(s, BODY_PUSH)
    free, inertia = table(w, BODY_FREE), table(w, BODY_WORLD_INERTIA)
    gx, gy, gz = h * settings.gravity_x, h * settings.gravity_y, h * settings.gravity_z
    for node in range(body_of.shape[0]):
        i = body_of[node]
        k = h / mass[i]
        free[i, 0] = vel[i, 0] + gx + k * push[i, 0]
        free[i, 1] = vel[i, 1] + gy + k * push[i, 1]
        free[i, 2] = vel[i, 2] + gz + k * push[i, 2]
        lx, ly, lz = momentum[i, 0] + h * push[i, 3], momentum[i, 1] + h * push[i, 4], momentum[i, 2] + h * push[i, 5]
        ix, iy, iz = moments[i, 0], moments[i, 1], moments[i, 2]
        if rotor[i] == NEEDLE:
            ux, uy, uz = rotate(quat[i, 0], quat[i, 1], quat[i, 2], quat[i, 3], 0.0, 0.0, 1.0)
            along = lx * ux + ly * uy + lz * uz
            pushed = h * (push[i, 3] * ux + push[i, 4] * uy + push[i, 5] * uz)
            spin = vel[i, 3] * ux + vel[i, 4] * uy + vel[i, 5] * uz + pushed / iz - along / ix
            free[i, 3], free[i, 4], free[i, 5] = lx / ix + spin * ux, ly / ix + spin * uy, lz / ix + spin * uz
            d = iz - ix
            inertia[i, 0], inertia[i, 1], inertia[i, 2] = ix + d * ux * ux, d * ux * uy, d * ux * uz
            inertia[i, 3], inertia[i, 4], inertia[i, 5] = ix + d * uy * uy, d * uy * uz, ix + d * uz * uz
            continue
        if rotor[i] < GENERAL:
            k = 0.0 if rotor[i] == POINT else 1.0 / ix
            free[i, 3], free[i, 4], free[i, 5] = k * lx, k * ly, k * lz
            inertia[i, 0], inertia[i, 1], inertia[i, 2] = ix, 0.0, 0.0
            inertia[i, 3], inertia[i, 4], inertia[i, 5] = ix, 0.0, ix
            continue
        q0, q1, q2, q3 = quat[i, 0], quat[i, 1], quat[i, 2], quat[i, 3]
        px, py, pz = rotate_inverse(q0, q1, q2, q3, lx, ly, lz)
        wx, wy, wz = midpoint_spin(ix, iy, iz, px, py, pz, h, rotor[i] == STOUT)
        free[i, 3], free[i, 4], free[i, 5] = rotate(q0, q1, q2, q3, wx, wy, wz)
        a, b, c, d = half_turn(rotor[i] == STOUT, h * wx, h * wy, h * wz)
        q0, q1, q2, q3 = multiply(q0, q1, q2, q3, a, b, c, d)
        _world_inertia(inertia, i, ix, iy, iz, q0, q1, q2, q3)


@kernel
def _world_inertia(inertia, i, ix, iy, iz, w, x, y, z):
    """I = i_z 1 + (i_x - i_z) e_x e_x^T + (i_y - i_z) e_y e_y^T; for a body of revolution i_x 1 + (i_z - i_x) e_z e_z^T."""
    if ix == iy:
        base, p, q = ix, iz - ix, 0.0
        a0, a1, a2 = 2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)
        b0, b1, b2 = 0.0, 0.0, 0.0
    else:
        base, p, q = iz, ix - iz, iy - iz
        a0, a1, a2 = 1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)
        b0, b1, b2 = 2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)
    inertia[i, 0] = base + p * a0 * a0 + q * b0 * b0
    inertia[i, 1] = p * a0 * a1 + q * b0 * b1
    inertia[i, 2] = p * a0 * a2 + q * b0 * b2
    inertia[i, 3] = base + p * a1 * a1 + q * b1 * b1
    inertia[i, 4] = p * a1 * a2 + q * b1 * b2
    inertia[i, 5] = base + p * a2 * a2 + q * b2 * b2


@kernel
def body_blocks(m, w):
    """Mass matrix and right side M v_free of every dynamic body, before geometric stiffness is added."""
    body_of, mass = indices(m, NODE_BODY), column(m, BODY_MASS)
    block, rhs, inertia, free = (
        table(w, NODE_BLOCK),
        table(w, NODE_RHS),
        table(w, BODY_WORLD_INERTIA),
        table(w, BODY_FREE),
    )
    for node in range(body_of.shape[0]):
        i = body_of[node]
        k = mass[i]
        for c in range(36):
            block[node, c] = 0.0
        block[node, 0], block[node, 7], block[node, 14] = k, k, k
        xx, xy, xz = inertia[i, 0], inertia[i, 1], inertia[i, 2]
        yy, yz, zz = inertia[i, 3], inertia[i, 4], inertia[i, 5]
        block[node, 21] = xx
        block[node, 27], block[node, 28] = xy, yy
        block[node, 33], block[node, 34], block[node, 35] = xz, yz, zz
        a, b, c = free[i, 3], free[i, 4], free[i, 5]
        rhs[node, 0], rhs[node, 1], rhs[node, 2] = k * free[i, 0], k * free[i, 1], k * free[i, 2]
        rhs[node, 3] = xx * a + xy * b + xz * c
        rhs[node, 4] = xy * a + yy * b + yz * c
        rhs[node, 5] = xz * a + yz * b + zz * c
