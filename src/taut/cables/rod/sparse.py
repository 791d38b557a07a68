"""Many contacts: condensed where they touch instead of standing in the border.

A row that may only push has a small compliance c, so that it is a stiff spring of the point it touches at; the elimination
of `factor.py` carries the shift of that point along, and takes any number of such springs at the same cost. The border,
whose work grows with its square for every segment and with its cube at the end, is left with held points and bodies. Which
rows work is found as in `complement.py`, with one elimination for each trial; the step is the same, up to round-off.
"""

from __future__ import annotations

from taut.cables.rod.arrays import (
    BODY,
    CHANGE,
    DIRECTOR,
    EQUATIONS,
    GAP,
    NORMAL,
    PART_A,
    PUSHES,
    ROW_A,
    ROW_B,
    ROWS,
    SHIFTED,
    STEP,
    TURN,
    WORKS,
    Array,
)
from taut.cables.rod.complement import BLOCKS, ROUNDS, solve_border
from taut.cables.rod.factor import reduce
from taut.cables.rod.substitution import solve
from taut.core.jit import kernel

#: contacts above which they are condensed; with a few, the border is as fast
MANY = 8


@kernel
def condensable(row: Array, count: Array, many: int) -> bool:
    """Whether there are so many contacts, all of them with things that do not move by themselves."""
    if count[ROWS] - count[EQUATIONS] <= many:
        return False
    for r in range(count[EQUATIONS], count[ROWS]):
        if row[r, PUSHES] <= 0.0 or row[r, ROW_A] < 0.0 or row[r, ROW_B] >= 0.0 or row[r, BODY] >= 0.0:
            return False
    return True


@kernel
def factor_sparse(
    rod: Array, chain: Array, body: Array, row: Array, force: Array, block: Array, border: Array, dense: Array,
    count: Array, touch: Array, carry: Array, shift: float, scale: float, scales: Array,
) -> int:  # fmt: skip
    """As `factor`, with contacts condensed; the steps of the frames are there already."""
    length, soft, equations, rows = scales[1], scales[4], count[EQUATIONS], count[ROWS]
    room = dense.shape[0]
    freedoms = room - row.shape[0]
    negative, more = 0, 0
    for attempt in range(ROUNDS):
        negative = reduce(
            rod,
            chain,
            body,
            row,
            force,
            block,
            border,
            dense,
            count,
            touch,
            carry,
            shift,
            scale,
            length,
            soft,
            equations,
        )
        if negative < 0:
            return -1
        more = solve_border(row, force, dense, equations, freedoms, freedoms + equations, room)
        if more < 0:
            return -1
        solve(rod, chain, body, row, block, border, dense, count, touch)
        if not _judge(row, force, block, dense, count, soft, scales[0], length, attempt >= BLOCKS):
            break
    return negative + more + rows - equations


@kernel
def _judge(
    row: Array, force: Array, block: Array, dense: Array, count: Array, soft: float, force_scale: float, length: float,
    one: bool,
) -> bool:  # fmt: skip
    """Pushes and changes of the gaps that the step brings; rows that are wrong change sides, all or one. True: some did."""
    freedoms, turn = dense.shape[0] - row.shape[0], 2 * dense.shape[0] + TURN
    wrong = False
    for r in range(count[EQUATIONS], count[ROWS]):
        q, a = row[r], block[int(row[r, ROW_A])]
        change = 0.0
        for c in range(3):
            turned = a[DIRECTOR + c] * a[STEP + 1] - a[DIRECTOR + 3 + c] * a[STEP]
            change += q[NORMAL + c] * (a[SHIFTED + c] + q[PART_A] * turned)
        push = (q[GAP] + change) / soft if q[WORKS] > 0.0 else -force[r]
        dense[freedoms + r, turn], q[CHANGE] = push, change - soft * push
        if one and wrong:
            continue
        if q[WORKS] > 0.0:
            flip = force[r] + push > 1e-13 * force_scale
        else:
            flip = q[GAP] + q[CHANGE] < -1e-13 * length
        if flip:
            q[WORKS] = 1.0 - q[WORKS]
            wrong = True
    return wrong
