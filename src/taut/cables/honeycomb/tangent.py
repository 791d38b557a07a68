"""Derivatives of all forces of an implicit step, into the block matrix.

With v = (x - x~)/H the residual r = M (v - v~)/H - F(x, v) has the derivative M/H^2 + K + C/H. Of a spring

    K + C/H = (k + c/H) E E^T + F/l (1 - E E^T)

The term F/l is negative in pressed springs and may take the matrix's definiteness; then less of it is kept. Contacts between
two places of the rope do not fit into the band: their part goes to the diagonal blocks, enlarged so that it bounds the true
one, and the exact matrix is met by conjugate gradients.
"""

from __future__ import annotations

import math

import numpy as np

from taut.cables.honeycomb.arrays import (
    CUSHION,
    DAMP,
    DRAG,
    INVERSE,
    LAG,
    MASS,
    MEAN,
    NORMAL,
    PER_LAYER,
    PRESS,
    SIDE,
    TOUCHES,
    WEIGHT,
    WIND,
    Arrays,
)
from taut.cables.honeycomb.blocks import add_block
from taut.cables.honeycomb.springs import pull, rate, slope
from taut.cables.honeycomb.tables import clear
from taut.cables.honeycomb.touch import friction_constant, pressure
from taut.core.jit import kernel

Array = np.ndarray


@kernel
def assemble(a: Arrays, H: float, soft: float, system: Array, block: Array, pushes: Array) -> None:
    """The whole matrix; `soft` is the share of the negative part of F/l that is kept. `pushes` receives the 3 x 3 block of every contact."""
    for n in range(system.shape[0]):
        clear(system[n])
    per = a.size[PER_LAYER]
    for i in range(a.pos.shape[0]):
        clear(block)
        if a.node[i, INVERSE] == 0.0:
            block[0, 0] = block[1, 1] = block[2, 2] = 1.0
        else:
            _inertia_and_air(a, i, H, block)
        add_block(system, per, i, i, block)
    for s in range(a.spring.shape[0]):
        _add_spring(a, s, H, soft, system, block)
    for t in range(a.tally[TOUCHES]):
        push_block(a, t, H, pushes[t])
        total = 0.0
        for k in range(5):
            total += abs(a.touch[t, WEIGHT + k])
        for k in range(5):
            i, share = a.touch_node[t, k], abs(a.touch[t, WEIGHT + k])
            if share > 0.0 and a.node[i, INVERSE] > 0.0:
                for p in range(3):
                    for q in range(3):
                        block[p, q] = share * total * pushes[t, p, q]
                add_block(system, per, i, i, block)


@kernel
def _inertia_and_air(a: Arrays, i: int, H: float, block: Array) -> None:
    inertia = a.node[i, MASS] / (H * H)
    block[0, 0] = block[1, 1] = block[2, 2] = inertia
    if a.field[DRAG] > 0.0:
        # C (|v| 1 + v v^T/|v|)
        u, v, w = a.vel[i, 0] - a.field[WIND], a.vel[i, 1] - a.field[WIND + 1], a.vel[i, 2] - a.field[WIND + 2]
        speed = math.sqrt(u * u + v * v + w * w)
        if speed > 0.0:
            f = a.field[DRAG] / (speed * H)
            block[0, 0] += f * (speed * speed + u * u)
            block[1, 1] += f * (speed * speed + v * v)
            block[2, 2] += f * (speed * speed + w * w)
            block[0, 1] = block[1, 0] = f * u * v
            block[0, 2] = block[2, 0] = f * u * w
            block[1, 2] = block[2, 1] = f * v * w


@kernel
def spring_block(a: Arrays, s: int, H: float, soft: float, block: Array) -> None:
    """K + C/H of one spring."""
    i, j = a.spring[s, 0], a.spring[s, 1]
    x, y, z = a.pos[j, 0] - a.pos[i, 0], a.pos[j, 1] - a.pos[i, 1], a.pos[j, 2] - a.pos[i, 2]
    l = math.sqrt(x * x + y * y + z * z)
    f, along = pull(a.law, s, a.table, l), slope(a.law, s, a.table, l)
    if f != 0.0 or a.law[s, SIDE] == 0.0:
        u, v, w = a.vel[j, 0] - a.vel[i, 0], a.vel[j, 1] - a.vel[i, 1], a.vel[j, 2] - a.vel[i, 2]
        f += a.law[s, DAMP] * rate(x, y, z, l, u, v, w, a.field[MEAN])
        along += a.law[s, DAMP] / H
    x, y, z = x / l, y / l, z / l
    side = f / l if f > 0.0 else soft * f / l
    along -= side
    block[0, 0], block[1, 1], block[2, 2] = along * x * x + side, along * y * y + side, along * z * z + side
    block[0, 1] = block[1, 0] = along * x * y
    block[0, 2] = block[2, 0] = along * x * z
    block[1, 2] = block[2, 1] = along * y * z


@kernel
def _add_spring(a: Arrays, s: int, H: float, soft: float, system: Array, block: Array) -> None:
    i, j, per = a.spring[s, 0], a.spring[s, 1], a.size[PER_LAYER]
    spring_block(a, s, H, soft, block)
    free_i, free_j = a.node[i, INVERSE] > 0.0, a.node[j, INVERSE] > 0.0
    if free_i:
        add_block(system, per, i, i, block)
    if free_j:
        add_block(system, per, j, j, block)
    if free_i and free_j:
        for p in range(3):
            for q in range(3):
                block[p, q] = -block[p, q]
        add_block(system, per, min(i, j), max(i, j), block)


@kernel
def push_block(a: Arrays, t: int, H: float, block: Array) -> None:
    """Derivative of the force of contact t by the motion of its point: normal, and friction with the pressure held."""
    clear(block)
    press, x, y, z = pressure(a.vel, a.field, a.touch, a.touch_node, t)
    if press == 0.0 and a.touch[t, LAG] <= 0.0:
        return
    rub = friction_constant(a.field, a.touch, t, press, x, y, z) / H
    n = a.touch[t, NORMAL : NORMAL + 3]
    # while it slides this bounds the derivative, which vanishes along the motion: with the true one a mass that should
    # stop is thrown to and fro, as its friction changes sign in every iteration
    normal = -rub
    if press > 0.0:
        normal += a.field[PRESS] + (a.field[CUSHION] / H if a.touch[t, LAG] != 0.0 else 0.0)
    for p in range(3):
        for q in range(3):
            block[p, q] = normal * n[p] * n[q]
        block[p, p] += rub
