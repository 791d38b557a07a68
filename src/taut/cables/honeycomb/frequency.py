"""The highest frequency of the lattice as it is now, deformed: what an explicit step must resolve.

Largest eigenvalues of M^-1 K and M^-1 C by power iteration from the last vectors. A lattice under load is stiffer than at
rest - a stretched spring also resists sideways with f/l - by up to half at the printed constants.
"""

from __future__ import annotations

import math

import numpy as np

from taut.cables.honeycomb.arrays import CUSHION, INVERSE, PRESS, SELF, Arrays
from taut.cables.honeycomb.ordered import DAMPING, FORM, STIFFNESS, go_over, is_quick, pack_constants
from taut.cables.honeycomb.springs import pull, slope
from taut.core.jit import kernel

Array = np.ndarray


@kernel
def tangent_product(a: Arrays, mode: Array, damping: bool, out: Array) -> None:
    """out = -K mode, or -C mode: k E E^T + max(f, 0)/l (1 - E E^T) per spring. Constants must have been packed."""
    go_over(a, DAMPING if damping else STIFFNESS, a.pos, mode, out)
    if damping:
        return
    kinds = a.kind.shape[0]
    for j in range(kinds):
        if is_quick(a.kind[j, FORM]):
            continue
        for s in range(j, a.spring.shape[0], kinds):
            table_product(a, s, mode, out)


@kernel
def table_product(a: Arrays, s: int, mode: Array, out: Array) -> None:
    """Subtract what a spring with a table does."""
    i, j = a.spring[s, 0], a.spring[s, 1]
    x, y, z = a.pos[j, 0] - a.pos[i, 0], a.pos[j, 1] - a.pos[i, 1], a.pos[j, 2] - a.pos[i, 2]
    l = math.sqrt(x * x + y * y + z * z)
    x, y, z = x / l, y / l, z / l
    u, v, w = mode[j, 0] - mode[i, 0], mode[j, 1] - mode[i, 1], mode[j, 2] - mode[i, 2]
    side = max(pull(a.law, s, a.table, l), 0.0) / l
    along = (u * x + v * y + w * z) * (slope(a.law, s, a.table, l) - side)
    u, v, w = along * x + side * u, along * y + side * v, along * z + side * w
    out[i, 0] += u
    out[i, 1] += v
    out[i, 2] += w
    out[j, 0] -= u
    out[j, 1] -= v
    out[j, 2] -= w


@kernel
def largest(a: Arrays, mode: Array, damping: bool, passes: int, out: Array) -> float:
    """Largest eigenvalue of M^-1 times the tangent."""
    value = 0.0
    for _ in range(passes):
        tangent_product(a, mode, damping, out)
        size, last = 0.0, 0.0
        for i in range(mode.shape[0]):
            inverse = a.node[i, INVERSE]
            for k in range(3):
                if inverse > 0.0:
                    last += mode[i, k] * mode[i, k] / inverse
                    size += out[i, k] * out[i, k] * inverse
        if size == 0.0:
            return 0.0
        value = math.sqrt(size / last)
        for i in range(mode.shape[0]):
            scale = a.node[i, INVERSE] / math.sqrt(size)
            for k in range(3):
                mode[i, k] = out[i, k] * scale
    return value


@kernel
def stable_step(a: Arrays, modes: Array, passes: int) -> float:
    """Largest stable step of velocity Verlet with extrapolated velocities [s]: (2/w)(sqrt(1 + z^2) - z), z = c/w.

    Without damping 2/w; damping alone 1/c, half of what a lagged velocity bears.
    """
    pack_constants(a)
    stiff = largest(a, modes[0], False, passes, a.pos2)
    damp = largest(a, modes[1], True, passes, a.pos2)
    most = 0.0
    for i in range(a.node.shape[0]):
        most = max(most, a.node[i, INVERSE])
    # a contact adds at most its own stiffness, between two surfaces three times that
    sides = (1.0 if a.shape.shape[0] > 0 else 0.0) + (3.0 if a.size[SELF] != 0 else 0.0)
    w = math.sqrt(stiff + sides * a.field[PRESS] * most)
    z = (damp + sides * a.field[CUSHION] * most) / max(w, 1e-300)
    return 2.0 / max(w, 1e-300) * (math.sqrt(1.0 + z * z) - z)
