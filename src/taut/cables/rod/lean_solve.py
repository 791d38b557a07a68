"""A rod of a scene among bodies that it leans on: its equilibrium by the iteration of `newton.py`, and its stiffness.

The contacts of the last shape begin the next one. What the rod does to its seats, the bodies at its ends and those it may
push, follows by the exact stiffness of all of them: what is left when segments, contacts that push and the conditions at the
end are eliminated.
"""

from __future__ import annotations

from taut.cables.rod import sparse
from taut.cables.rod.arrays import EQUATIONS, EXTRA, LOST, RADIUS, ROWS, SPARSE, WORKS, Array
from taut.cables.rod.columns import (
    RI_FRAME,
    RI_FRAMES,
    RI_MATRIX,
    RI_ROOM,
    RI_ROW,
    RI_ROWS,
    RI_SEAT,
    RI_SEATS,
    RI_SHAPE,
    RI_SHAPES,
    RL_NEGATIVE,
    RL_SCALES,
    TK_ENERGY,
)
from taut.cables.rod.end_stiffness import seat_stiffness
from taut.cables.rod.equilibrium import TOLERANCE, free_bodies
from taut.cables.rod.factor import reduce, touching
from taut.cables.rod.lean_columns import ENDS, lean_columns
from taut.cables.rod.newton import DEEPEST, ENERGY, NEUTRAL, RESIDUAL, iterate
from taut.cables.rod.obstacles import Obstacles
from taut.core.buffers import (
    column,
    column_part,
    index_matrix,
    index_table,
    index_table_part,
    indices,
    matrix,
    matrix_part,
    table,
    table_part,
)
from taut.core.jit import kernel
from taut.core.model import (
    LEAN_BLOCK,
    LEAN_BORDER,
    LEAN_CARRY,
    LEAN_COUNT_NEW,
    LEAN_DENSE,
    LEAN_FORCE_NEW,
    LEAN_OLD,
    LEAN_POSE_NEW,
    LEAN_PROBE,
    LEAN_REPORT,
    LEAN_ROW_NEW,
    LEAN_SETTING,
    LEAN_SHAPE_INT,
    LEAN_SHAPE_NEW,
    LEAN_SQUARE,
    LEAN_STACK,
    LEAN_STIFFNESS_NEW,
    LEAN_STUD,
    LEAN_TOUCH,
    LEAN_TREE,
    LEAN_TRIANGLE,
    ROD_BODY,
    ROD_CHAIN_NEW,
    ROD_FRAME_NEW,
    ROD_INT,
    ROD_LAW,
    ROD_POSE_NEW,
    ROD_TABLE_NEW,
    ROD_TALK,
    ROD_TALLY,
    ROD_TRIAL,
)

#: iterations in one go: points move little in one, so that nothing is passed through
ITERATIONS = 60
#: radii that the rod may be inside of something on the way to its shape
DEEP = 2.0


@kernel
def solve_leaning(m, w, k):
    """Frames, contacts and multipliers of rod k for where its bodies and the shapes have been placed; 1 if found."""
    place, tally, report = index_table(m, ROD_INT)[k], indices(w, ROD_TALLY), column(w, LEAN_REPORT)
    first, frames, room = place[RI_FRAME], place[RI_FRAMES], place[RI_ROOM]
    obstacles = Obstacles(
        table_part(w, LEAN_SHAPE_NEW, place[RI_SHAPE], place[RI_SHAPES]), table(m, LEAN_TRIANGLE), table(m, LEAN_TREE),
        table(m, LEAN_SETTING)[k], table(w, LEAN_PROBE), indices(w, LEAN_STACK), table(w, LEAN_STUD),
    )  # fmt: skip
    count = indices(w, LEAN_COUNT_NEW)
    tally[ROWS], tally[LOST] = count[k], 0
    iterate(
        table_part(w, ROD_TABLE_NEW, first, frames), table_part(w, ROD_CHAIN_NEW, k, 1), table(w, ROD_BODY),
        table_part(w, LEAN_ROW_NEW, place[RI_ROW], room), table_part(w, ROD_FRAME_NEW, first, frames),
        column_part(w, LEAN_FORCE_NEW, place[RI_ROW], room), table_part(w, ROD_TRIAL, 0, frames),
        table_part(w, LEAN_BLOCK, 0, frames), matrix(w, LEAN_BORDER, frames, 3 * room),
        matrix(w, LEAN_DENSE, room, 2 * room + EXTRA), table(w, LEAN_OLD), tally, index_matrix(w, LEAN_TOUCH, 2, room),
        table_part(w, LEAN_CARRY, 0, room + 5), obstacles, sparse.MANY,
        table(m, ROD_LAW)[k, RL_SCALES : RL_SCALES + 6], TOLERANCE, ITERATIONS, report,
    )  # fmt: skip
    count[k] = tally[ROWS]
    column(w, ROD_TALK)[TK_ENERGY] = report[ENERGY]
    # what has been further inside on the way may have passed through
    passed = report[DEEPEST] < -DEEP * table(w, ROD_TABLE_NEW)[first + 1, RADIUS]
    return 1 if report[RESIDUAL] <= TOLERANCE and tally[LOST] == 0 and not passed else 0


@kernel
def stiffen_leaning(m, w, k):
    """Stiffness of all seats of rod k, which has just been solved."""
    place, law = index_table(m, ROD_INT)[k], table(m, ROD_LAW)[k]
    first, frames, room, rows, n = (
        place[RI_FRAME],
        place[RI_FRAMES],
        place[RI_ROOM],
        place[RI_ROWS],
        6 * place[RI_SEATS],
    )
    size = room + ENDS
    free_bodies(w)
    lean_stiffness(
        table_part(w, ROD_TABLE_NEW, first, frames), table_part(w, ROD_CHAIN_NEW, k, 1), table(w, ROD_BODY),
        table_part(w, LEAN_ROW_NEW, place[RI_ROW], room), column_part(w, LEAN_FORCE_NEW, place[RI_ROW], room),
        table_part(w, LEAN_BLOCK, 0, frames), matrix(w, LEAN_BORDER, frames, 3 * (room + n)),
        matrix(w, LEAN_DENSE, size, 2 * size + EXTRA), indices(w, ROD_TALLY), index_matrix(w, LEAN_TOUCH, 2, size),
        table_part(w, LEAN_CARRY, 0, room + n + 5), law[RL_SCALES : RL_SCALES + 6],
        index_table_part(m, LEAN_SHAPE_INT, place[RI_SHAPE], place[RI_SHAPES]),
        table_part(w, LEAN_POSE_NEW, place[RI_SEAT], place[RI_SEATS]), table(w, ROD_POSE_NEW)[k], law[RL_NEGATIVE],
        matrix(w, LEAN_SQUARE, n + rows, n + rows),
        matrix_part(w, LEAN_SQUARE, (n + rows) * (n + rows), 2 * n, n),
        column_part(w, LEAN_STIFFNESS_NEW, place[RI_MATRIX], n * n),
    )  # fmt: skip


@kernel
def lean_stiffness(
    rod: Array, chain: Array, body: Array, row: Array, force: Array, block: Array, border: Array, dense: Array,
    tally: Array, touch: Array, carry: Array, scales: Array, seat_of: Array, seats: Array, pose: Array, negative: float,
    S: Array, square: Array, out: Array,
) -> None:  # fmt: skip
    """Stiffness of the seats of a rod that stands in equilibrium, both bodies at its ends free; row by row into `out`."""
    rows, n = tally[EQUATIONS], square.shape[1]
    for r in range(rows, tally[ROWS]):
        row[r, WORKS] = 1.0 if force[r] < 0.0 else 0.0
    tally[SPARSE] = 1
    reduce(
        rod, chain, body, row, force, block, border, dense, tally, touch, carry, NEUTRAL * scales[3], scales[2], scales[1],
        scales[4], rows,
    )  # fmt: skip
    for i in range(n + rows):
        for j in range(n + rows):
            S[i, j] = 0.0
    for i in range(ENDS + rows):
        for j in range(ENDS + rows):
            S[i if i < ENDS else i + n - ENDS, j if j < ENDS else j + n - ENDS] = dense[i, j]
    columns = touching(chain, body, row, 0, touch, rows, ENDS)
    lean_columns(
        rod, chain, body, row, force, block, border, tally, touch, columns, carry, seat_of, seats, scales[4], S, n
    )
    seat_stiffness(S, n, rows, pose, scales[1], negative, square, out)
