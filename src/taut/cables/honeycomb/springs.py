"""Springs: force, slope and energy of one, and the forces of all.

A spring of length l, rest length l0, from a to b with the unit vector E, pulls its masses together with

    F = f(l) + c (v_b - v_a) . E        f = k (l - l0)                 hooke
                                        f = k l q |q|,  q = l/l0 - 1   quadratic: the paper's law, made odd
                                        f = k l0 g(q)                  table

Paper 4 prints an even law (the same sign in stretch and compression) and F_damp = +K_d (v_0 - v_i), which feeds energy
and resists rigid rotation; both are put right here. A one-sided spring that is inactive does not damp either.
"""

from __future__ import annotations

import math

import numpy as np

from taut.cables.honeycomb.arrays import (
    DAMP,
    FACTOR,
    FORM,
    HOOKE,
    QUADRATIC,
    REST,
    SIDE,
    SLOPE,
    STIFF,
    STRAIN,
    WORK,
)  # fmt: skip
from taut.core.jit import kernel

Array = np.ndarray


@kernel
def table_row(table: Array, strain: float) -> int:
    """Last row whose strain is not above."""
    row = 0
    while row + 1 < table.shape[0] and table[row + 1, STRAIN] <= strain:
        row += 1
    return row


@kernel
def pull(law: Array, s: int, table: Array, l: float) -> float:
    """Elastic force of spring s at length l, positive in pull [N]."""
    k, rest = law[s, STIFF], law[s, REST]
    if law[s, FORM] == HOOKE:
        f = k * (l - rest)
    elif law[s, FORM] == QUADRATIC:
        q = l / rest - 1.0
        f = k * l * q * abs(q)
    else:
        q = l / rest - 1.0
        row = table_row(table, q)
        f = k * rest * (table[row, FACTOR] + table[row, SLOPE] * (q - table[row, STRAIN]))
    return 0.0 if f * law[s, SIDE] < 0.0 else f


@kernel
def slope(law: Array, s: int, table: Array, l: float) -> float:
    """df/dl of spring s [N/m]."""
    k, rest = law[s, STIFF], law[s, REST]
    q = l / rest - 1.0
    if q * law[s, SIDE] < 0.0:
        return 0.0
    if law[s, FORM] == HOOKE:
        return k
    if law[s, FORM] == QUADRATIC:
        return k * (q * abs(q) + 2.0 * abs(q) * l / rest)
    return k * table[table_row(table, q), SLOPE]


@kernel
def stored(law: Array, s: int, table: Array, l: float) -> float:
    """Energy of spring s at length l [J]: the integral of its force."""
    k, rest = law[s, STIFF], law[s, REST]
    q = l / rest - 1.0
    if q * law[s, SIDE] < 0.0:
        return 0.0
    if law[s, FORM] == HOOKE:
        return 0.5 * k * (l - rest) ** 2
    if law[s, FORM] == QUADRATIC:
        return k * rest * rest * (abs(q) ** 3 / 3.0 + math.copysign(0.25 * q**4, q))
    row = table_row(table, q)
    x = q - table[row, STRAIN]
    return k * rest * rest * (table[row, WORK] + table[row, FACTOR] * x + 0.5 * table[row, SLOPE] * x * x)


@kernel
def rate(x: float, y: float, z: float, l: float, u: float, v: float, w: float, mean: float) -> float:
    """Rate of a length l along (x, y, z) whose ends move apart by (u, v, w) [m/s].

    Where velocities are means over a step of `mean` seconds: the change of length over it, so that nothing is damped that
    only turns.
    """
    if mean > 0.0:
        x, y, z = x - mean * u, y - mean * v, z - mean * w
        return (l - math.sqrt(x * x + y * y + z * z)) / mean
    return (u * x + v * y + w * z) / l


@kernel
def spring_forces(
    pos: Array, vel: Array, spring: Array, law: Array, table: Array, mean: float, force: Array, first: int, step: int
) -> None:
    """Add the forces of every `step`-th spring from the first on to `force`."""
    for s in range(first, spring.shape[0], step):
        a, b = spring[s, 0], spring[s, 1]
        x, y, z = pos[b, 0] - pos[a, 0], pos[b, 1] - pos[a, 1], pos[b, 2] - pos[a, 2]
        l = math.sqrt(x * x + y * y + z * z)
        inverse = 1.0 / l
        # Hooke's law on both sides is what nearly all springs have: written out, it costs a third of the general one
        if law[s, FORM] == HOOKE and law[s, SIDE] == 0.0:
            f = law[s, STIFF] * (l - law[s, REST])
            damped = True
        else:
            f = pull(law, s, table, l)
            damped = f != 0.0 or law[s, SIDE] == 0.0
        if damped:
            u, v, w = vel[b, 0] - vel[a, 0], vel[b, 1] - vel[a, 1], vel[b, 2] - vel[a, 2]
            f += law[s, DAMP] * ((u * x + v * y + w * z) * inverse if mean == 0.0 else rate(x, y, z, l, u, v, w, mean))
        f *= inverse
        x, y, z = f * x, f * y, f * z
        force[a, 0] += x
        force[a, 1] += y
        force[a, 2] += z
        force[b, 0] -= x
        force[b, 1] -= y
        force[b, 2] -= z


@kernel
def spring_state(pos: Array, spring: Array, law: Array, table: Array, tension: Array, strain: Array) -> float:
    """Elastic force [N] and strain of every spring; returns their energy [J]."""
    energy = 0.0
    for s in range(spring.shape[0]):
        a, b = spring[s, 0], spring[s, 1]
        x, y, z = pos[b, 0] - pos[a, 0], pos[b, 1] - pos[a, 1], pos[b, 2] - pos[a, 2]
        l = math.sqrt(x * x + y * y + z * z)
        tension[s] = pull(law, s, table, l)
        strain[s] = l / law[s, REST] - 1.0
        energy += stored(law, s, table, l)
    return energy
