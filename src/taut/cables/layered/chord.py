"""What a span's chord adds to the bodies at its two ends: masses across it, forces, and a change of its row."""

from __future__ import annotations

from taut.core.jit import kernel
from taut.core.pair import across


@kernel
def point_speed(v, rx, ry, rz):
    """Velocity of a point at arm r of a body with velocity and spin v."""
    return v[0] + v[4] * rz - v[5] * ry, v[1] + v[5] * rx - v[3] * rz, v[2] + v[3] * ry - v[4] * rx


@kernel
def push_at(out, at, rx, ry, rz, fx, fy, fz):
    """Add J^T F, force and torque of F at arm r, to six numbers that begin at `at`."""
    out[at] += fx
    out[at + 1] += fy
    out[at + 2] += fz
    out[at + 3] += ry * fz - rz * fy
    out[at + 4] += rz * fx - rx * fz
    out[at + 5] += rx * fy - ry * fx


@kernel
def _entry(one, two, i, j):
    return one[i] * two[j] + one[6 + i] * two[6 + j] + one[12 + i] * two[12 + j]


@kernel
def add_masses(block, pair_block, pair, point, na, nb, ra, rb, u, own, cross):
    """Add J^T P [own cross; cross own] P J of the two end points to the bodies' mass matrices (lower parts)."""
    one, two = point[0], point[1]
    across(one, ra[0], ra[1], ra[2], u[0], u[1], u[2])
    across(two, rb[0], rb[1], rb[2], u[0], u[1], u[2])
    for i in range(6):
        for j in range(i + 1):
            if na >= 0:
                block[na, 6 * i + j] += own * _entry(one, one, i, j)
            if nb >= 0:
                block[nb, 6 * i + j] += own * _entry(two, two, i, j)
            if na >= 0 and na == nb:
                block[na, 6 * i + j] += cross * (_entry(one, two, i, j) + _entry(two, one, i, j))
    if na >= 0 and nb >= 0 and na != nb:
        for i in range(6):
            for j in range(6):
                pair_block[pair, 6 * i + j] += cross * _entry(one, two, i, j)
