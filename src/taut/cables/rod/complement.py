"""Which rows that may only push do so: the complementarity problem of one Newton step, on the Schur complement.

With S turn = side for the rows of the working set and force + turn = 0 for the others, the linearised gap of a row is
(S turn - side). Wanted: push >= 0 in the working set, gap >= 0 outside of it. Found by principal pivoting: all rows that
are wrong change sides at once; should that not end soon, one at a time, which ends always (Murty 1974).
"""

from __future__ import annotations

from taut.cables.rod.arrays import CHANGE, EQUATIONS, GAP, ORDER, PUSHES, ROWS, SIDE, TURN, WORKS, Array
from taut.cables.rod.dense import pivot, substitute
from taut.core.jit import kernel

#: rounds in which all wrong rows change at once, and rounds in all
BLOCKS, ROUNDS = 12, 400


@kernel
def complement(row: Array, force: Array, dense: Array, count: Array, force_scale: float, length: float) -> int:
    """Unknowns of the border into the column TURN; returns the negative eigenvalues of S, or -1.

    A row outside of the working set counts as one negative eigenvalue, so that the wanted inertia is always the number
    of rows.
    """
    room, rows = dense.shape[0], count[ROWS]
    freedoms = room - row.shape[0]
    size, turn = freedoms + rows, 2 * room + TURN
    negative = -1
    for attempt in range(ROUNDS):
        negative = solve_border(row, force, dense, rows, freedoms, size, room)
        if negative < 0:
            return -1
        if rows == count[EQUATIONS]:
            break
        wrong = False
        for r in range(rows):
            if row[r, PUSHES] <= 0.0:
                continue
            if row[r, WORKS] > 0.0:
                flip = force[r] + dense[freedoms + r, turn] > 1e-13 * force_scale
            else:
                flip = row[r, GAP] + row[r, CHANGE] < -1e-13 * length
            if flip:
                row[r, WORKS] = 1.0 - row[r, WORKS]
                wrong = True
                if attempt >= BLOCKS:
                    break
        if not wrong:
            break
    return negative


@kernel
def solve_border(row: Array, force: Array, dense: Array, rows: int, freedoms: int, size: int, room: int) -> int:
    """With the present working set."""
    turn, side, order = 2 * room + TURN, 2 * room + SIDE, 2 * room + ORDER
    for i in range(size):
        for j in range(size):
            dense[i, room + j] = dense[i, j]
        dense[i, turn] = dense[i, side]
    for r in range(rows):
        if row[r, WORKS] == 0.0:
            at = freedoms + r
            for i in range(size):
                dense[i, turn] += dense[i, at] * force[r]
            for i in range(size):
                dense[i, room + at], dense[at, room + i] = 0.0, 0.0
            dense[at, room + at] = -1.0
    for r in range(rows):
        if row[r, WORKS] == 0.0:
            dense[freedoms + r, turn] = force[r]
    negative = pivot(dense, room, size, order)
    if negative < 0:
        return -1
    substitute(dense, room, size, order, turn)
    for r in range(rows):
        at = freedoms + r
        change = -dense[at, side] - row[r, GAP]
        for j in range(size):
            change += dense[at, j] * dense[j, turn]
        row[r, CHANGE] = change
    return negative
