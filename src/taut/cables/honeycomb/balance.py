"""Springs of a rope turn nothing as a whole: what a mean of forces at three positions does against that is taken back.

With x+ = x + h v+ the angular momentum changes by h sum x_i x F_i over a step, x_i the positions that it begins with. Springs pull along their chords, so that forces at x have no moment; those at x- and x+ have

    T = sum x_i x (F_i(x-) + F_i(x+))/4  =  h/4 sum (v_i x F_i(x-) - v+_i x F_i(x+))

of second order where the motion is resolved, and not small where a rope is jerked within a step. It is taken back by forces
-m_i alpha x (x_i - c) with I alpha = T about the rope's centre of mass c: without a sum, and with the moment -T.
"""

from __future__ import annotations

import numpy as np

from taut.cables.honeycomb.arrays import BALANCED, INVERSE, MASS, MEAN, TAKEN, TURNED, Arrays
from taut.cables.honeycomb.springs import spring_forces
from taut.cables.honeycomb.tables import clear
from taut.core.jit import kernel

Array = np.ndarray

#: corrections are taken to this many times themselves at most, and as a whole in so many passes
LARGEST, WHOLE = 2.0, 5.0


@kernel
def balance(a: Arrays, h: float, springs: Array) -> None:
    """Add to the known forces of the step, a.acc and with them a.vel2, what takes the moment of all springs back.

    `springs` is scratch, shape (N, 3). It can be called again at a better guess: then only what is left is taken.
    """
    for i in range(a.node.shape[0]):
        if a.node[i, INVERSE] > 0.0:
            for k in range(3):
                a.vel[i, k] = (a.pos[i, k] - a.pos2[i, k]) / h
    clear(springs)
    spring_forces(a.pos, a.vel, a.spring, a.law, a.table, a.field[MEAN], springs, 0, 1)
    total, cx, cy, cz = 0.0, 0.0, 0.0, 0.0
    for i in range(a.node.shape[0]):
        m = a.node[i, MASS]
        total += m
        cx, cy, cz = cx + m * a.pos2[i, 0], cy + m * a.pos2[i, 1], cz + m * a.pos2[i, 2]
    cx, cy, cz = cx / total, cy / total, cz / total
    xx, xy, xz, yy, yz, zz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    tx, ty, tz = 0.0, 0.0, 0.0
    for i in range(a.node.shape[0]):
        m, x, y, z = a.node[i, MASS], a.pos2[i, 0] - cx, a.pos2[i, 1] - cy, a.pos2[i, 2] - cz
        u, v, w = a.acc[i, 0] + springs[i, 0], a.acc[i, 1] + springs[i, 1], a.acc[i, 2] + springs[i, 2]
        tx, ty, tz = tx + y * w - z * v, ty + z * u - x * w, tz + x * v - y * u
        xx, yy, zz = xx + m * (y * y + z * z), yy + m * (x * x + z * z), zz + m * (x * x + y * y)
        xy, xz, yz = xy - m * x * y, xz - m * x * z, yz - m * y * z
    # I alpha = T by cofactors
    a00, a01, a02 = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
    a11, a12, a22 = xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy
    whole = xx * a00 + xy * a01 + xz * a02
    u = (a00 * tx + a01 * ty + a02 * tz) / whole
    v = (a01 * tx + a11 * ty + a12 * tz) / whole
    w = (a02 * tx + a12 * ty + a22 * tz) / whole
    share = _share(a.flow, u, v, w)
    u, v, w = share * u, share * v, share * w
    for i in range(a.node.shape[0]):
        m, x, y, z = a.node[i, MASS], a.pos2[i, 0] - cx, a.pos2[i, 1] - cy, a.pos2[i, 2] - cz
        px, py, pz = v * z - w * y, w * x - u * z, u * y - v * x
        a.acc[i, 0], a.acc[i, 1], a.acc[i, 2] = a.acc[i, 0] - m * px, a.acc[i, 1] - m * py, a.acc[i, 2] - m * pz
        a.vel2[i, 0], a.vel2[i, 1] = a.vel2[i, 0] - h * px, a.vel2[i, 1] - h * py
        a.vel2[i, 2] = a.vel2[i, 2] - h * pz


@kernel
def _share(flow: Array, u: float, v: float, w: float) -> float:
    """Part of a correction that is taken, from what the last one did (Aitken): a thin rope that is turned about its axis answers with
    more than was taken back, and by whole corrections it would be driven away."""
    share = 1.0
    flow[BALANCED] += 1.0
    # what is left in the end is what the step's angular momentum lacks
    if flow[BALANCED] > WHOLE:
        x, y, z = u - flow[TURNED], v - flow[TURNED + 1], w - flow[TURNED + 2]
        along = flow[TURNED] * x + flow[TURNED + 1] * y + flow[TURNED + 2] * z
        change = x * x + y * y + z * z
        if change > 0.0:
            share = min(max(-flow[TAKEN] * along / change, -LARGEST), LARGEST)
    flow[TURNED], flow[TURNED + 1], flow[TURNED + 2], flow[TAKEN] = u, v, w, share
    return share
