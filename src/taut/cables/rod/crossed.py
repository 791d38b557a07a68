"""Curvature of the distance between two segments of rods that cross, as further columns of the border.

Both places of touching slide. With n the normal, rho the distance, u and v the chords, M = [u, -v] in the plane across n,
p the shift of one touching point against the other in that plane, and a = (n.du, -n.dv) the tilts of the chords, the
second variation of the distance is

    -2 a'M^-1 p - rho a'(M'M)^-1 a  =  c'Q c,     c = (p, n.du, n.dv)

A pressed pair adds -push Q to the Hessian, which couples all segments before both places. It is a form of four numbers,
each a condition like any other row: bordered by these rows with the block (push Q)^-1 the matrix is the same (Schur), and
its inertia grows by that of the block: two of each sign.
"""

from __future__ import annotations

from taut.cables.rod.arrays import (
    BODY,
    CHANGE,
    CURVE,
    DIRECTOR,
    EQUATIONS,
    GAP,
    KEY,
    LOST,
    NORMAL,
    OFFSET,
    PAIRS,
    PART_A,
    PART_B,
    PUSHES,
    ROW_A,
    ROW_B,
    ROWS,
    SEG,
    WORKS,
    Array,
)
from taut.core.jit import kernel


@kernel
def crossings(rod: Array, row: Array, force: Array, block: Array, count: Array) -> None:
    """Four rows for each pair of segments that press against each other with their insides."""
    contacts = count[ROWS]
    count[PAIRS] = 0
    for r in range(count[EQUATIONS], contacts):
        if row[r, ROW_B] >= 0.0 and force[r] < 0.0:
            if count[ROWS] + 4 > row.shape[0]:
                count[LOST] += 1
                return
            if _cross(rod, row, block, r, count[ROWS], -force[r]):
                for k in range(count[ROWS], count[ROWS] + 4):
                    force[k] = 0.0
                count[ROWS] += 4
                count[PAIRS] += 1


@kernel
def _cross(rod: Array, row: Array, block: Array, r: int, at: int, push: float) -> bool:
    q = row[r]
    i, j = int(q[ROW_A]), int(q[ROW_B])
    l, m = rod[i, SEG], rod[j, SEG]
    inside = 1e-9 * l < q[PART_A] < l * (1.0 - 1e-9) and 1e-9 * m < q[PART_B] < m * (1.0 - 1e-9)
    ux, uy, uz = block[i, DIRECTOR + 6], block[i, DIRECTOR + 7], block[i, DIRECTOR + 8]
    vx, vy, vz = block[j, DIRECTOR + 6], block[j, DIRECTOR + 7], block[j, DIRECTOR + 8]
    nx, ny, nz = q[NORMAL], q[NORMAL + 1], q[NORMAL + 2]
    wx, wy, wz = ny * uz - nz * uy, nz * ux - nx * uz, nx * uy - ny * ux
    # v in the axes (u, w): M = [[l, -m c], [0, -m s]]
    c, s = vx * ux + vy * uy + vz * uz, vx * wx + vy * wy + vz * wz
    if not inside or abs(s) < 0.05:
        return False
    # Q = [[0, B'], [B, A]] has the inverse [[-B^-1 A B^-T, B^-1], [B^-T, 0]]; B = -F M^-1, F = diag(1, -1), so that
    # B^-1 = -M F = [[-l, -m c], [0, -m s]] and B^-1 A B^-T = -rho
    rho = q[GAP] + q[OFFSET]
    f = 1.0 / push
    inverse = row[at, CURVE : CURVE + 10]
    # rows of the block in the order p_u, p_w, n.du, n.dv; upper triangle by rows
    inverse[0], inverse[1], inverse[2], inverse[3] = f * rho, 0.0, -f * l, -f * m * c
    inverse[4], inverse[5], inverse[6] = f * rho, 0.0, -f * m * s
    inverse[7], inverse[8], inverse[9] = 0.0, 0.0, 0.0
    _row(row, at, i, q[PART_A], j, q[PART_B], ux, uy, uz)
    _row(row, at + 1, i, q[PART_A], j, q[PART_B], wx, wy, wz)
    _row(row, at + 2, i, l, i, 0.0, nx, ny, nz)
    _row(row, at + 3, j, m, j, 0.0, nx, ny, nz)
    return True


@kernel
def _row(
    row: Array, r: int, i: int, part: float, j: int, other: float, x: float, y: float, z: float
) -> None:  # fmt: skip
    q = row[r]
    q[ROW_A], q[PART_A], q[ROW_B], q[PART_B], q[BODY] = i, part, j, other, -1.0
    q[NORMAL], q[NORMAL + 1], q[NORMAL + 2], q[OFFSET] = x, y, z, 0.0
    # a key that is equal to none
    q[PUSHES], q[GAP], q[CHANGE], q[WORKS], q[KEY] = -1.0, 0.0, 0.0, 1.0, float("nan")


@kernel
def crossed(row: Array, dense: Array, rows: int, freedoms: int) -> None:
    """Put the blocks of pressed pairs into the border."""
    r = 0
    while r < rows:
        if row[r, PUSHES] >= 0.0:
            r += 1
            continue
        k = 0
        for a in range(4):
            for b in range(a, 4):
                value = row[r, CURVE + k]
                dense[freedoms + r + a, freedoms + r + b] += value
                if a != b:
                    dense[freedoms + r + b, freedoms + r + a] += value
                k += 1
        r += 4
