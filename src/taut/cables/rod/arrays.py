"""The arrays that the compiled solver works on, and what their columns mean.

A call into compiled code costs by the number of arrays, and compiling does too: so there are few. All chains of a
network stand one after the other in the same tables. Of one chain the first row is the frame at its start, the last row
that at its end, the rows between are its segments and, of no length, the frames of its clips; joint j lies between
rows j and j + 1 and stands in row j.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

Array = np.ndarray

# columns of `rod`, one row per frame: what is given
SEG, JOINT, STIFF, REST, LOAD, LOCK, RADIUS, ROD_COLUMNS = 0, 1, 2, 5, 8, 11, 14, 15
# columns of `chain`: rows it begins and ends in, bodies there, points [m] and frames on these bodies, its dead load [N]
FIRST, LAST, BODY_A, BODY_B, POINT_A, POINT_B, FRAME_A, FRAME_B, TOTAL, CHAIN_COLUMNS = (
    0, 1, 2, 3, 4, 7, 10, 14, 18, 21,
)  # fmt: skip
# columns of `body`: point [m], frame, dead force [N] and where on the body it acts [m], which of 6 freedoms are free
# (translation along world axes, rotation about body axes), place in the border or -1, the same pose while it is tried,
# its step, and the derivative of the energy by it
POS, TURNED, PULL, LEVER, FREE, BORDER, TRY, TRY_TURNED, MOVE, SLOPE, BODY_COLUMNS = (
    0, 3, 7, 10, 13, 19, 20, 23, 27, 33, 39,
)  # fmt: skip
# columns of `row`, one scalar condition n.(x_a - x_b) = offset each: row of the segment and length along it [m] for
# both points, or a body and a point on it [m] for the second (row B below 0), or neither; direction n, offset [m];
# 1 if it may only push, -1 if it is no condition but carries curvature (see `crossed.py`); gap [m]; change of the gap that a step brings [m]; whether it is in the working set;
# what it touches and where, to know it again; curvature of the gap: C (6), k (3), s
ROW_A, PART_A, ROW_B, PART_B, BODY, SPOT, NORMAL, OFFSET, PUSHES, GAP, CHANGE, WORKS, KEY, MARK, CURVE, ROW_COLUMNS = (
    0, 1, 2, 3, 4, 5, 8, 11, 12, 13, 14, 15, 16, 17, 18, 28,
)  # fmt: skip
# columns of `block`, one row per frame: gradient, Hessian and link to the next, directors, point where it begins, pull
# on it and beyond, pivots, reduced links to the point and to the frame before, right side, step, shift of the point,
# curvature of contacts by point and chord, the same with contacts that are condensed (see `sparse.py`)
GRAD, DIAG, UPPER, DIRECTOR, NODE, BEYOND, LOWER, GATE, LINK, RIGHT, STEP, SHIFTED, CURVED, PRESSED, BLOCK_COLUMNS = (
    0, 3, 9, 18, 27, 30, 36, 42, 51, 60, 63, 66, 69, 90, 111,
)  # fmt: skip
# columns of `dense` after the Schur complement: unknowns, right side, pivot row, working copy of the right side
TURN, SIDE, ORDER, COPY, EXTRA = 0, 1, 2, 3, 4
# entries of `tally`: rows in use, how many of them are equations, whether contacts have curvature, contacts that found
# no place, rows of the iteration before, pairs of segments whose curvature stands in the border, whether contacts are condensed
ROWS, EQUATIONS, BENT, LOST, BEFORE, PAIRS, SPARSE, COUNTS = 0, 1, 2, 3, 4, 5, 6, 7


class Arrays(NamedTuple):
    """f frames, c chains, b bodies, room for m rows; a border of m rows and the freedoms of the bodies."""

    rod: Array  # shape (f, ROD_COLUMNS): segment and joint length [m], stiffness [N m^2], rest strain [1/m], length
    # times dead load beyond [N m], locked axes, radius [m]
    chain: Array  # shape (c, CHAIN_COLUMNS)
    body: Array  # shape (b, BODY_COLUMNS)
    row: Array  # shape (m, ROW_COLUMNS)
    quat: Array  # frames (w, x, y, z), shape (f, 4): unknown but for those of chain ends
    force: Array  # multipliers: what the rod exerts along the normal on what holds it [N], shape (m,)
    trial: Array  # frames that are being tried, shape (f, 4)
    block: Array  # scratch, shape (f, BLOCK_COLUMNS)
    border: Array  # scratch: columns of the border, reduced, three numbers each, shape (f, 3 size)
    dense: Array  # scratch: Schur complement, its factors and the columns EXTRA, shape (size, 2 size + EXTRA)
    old: Array  # rows and multipliers of the iteration before, shape (m, ROW_COLUMNS + 1)
    tally: Array  # integers, shape (COUNTS,)
    touch: Array  # scratch, integers: border columns that touch a chain and the rows they begin in, shape (2, size)
    carry: Array  # scratch: what the elimination leaves of each column and of the matrix, shape (size + 5, 6)

    @staticmethod
    def empty(frames: int, chains: int, bodies: int, rows: int, freedoms: int) -> Arrays:
        """All zero, frames upright."""
        size, zeros = rows + freedoms, np.zeros
        upright = np.tile([1.0, 0.0, 0.0, 0.0], (frames, 1))
        return Arrays(
            rod=zeros((frames, ROD_COLUMNS)),
            chain=zeros((chains, CHAIN_COLUMNS)),
            body=zeros((bodies, BODY_COLUMNS)),
            row=zeros((rows, ROW_COLUMNS)),
            quat=upright,
            force=zeros(rows),
            trial=upright.copy(),
            block=zeros((frames, BLOCK_COLUMNS)),
            border=zeros((frames, 3 * size)),
            dense=zeros((size, 2 * size + EXTRA)),
            old=zeros((rows, ROW_COLUMNS + 1)),
            tally=np.zeros(COUNTS, np.int64),
            touch=np.zeros((2, max(1, size)), np.int64),
            carry=zeros((size + 5, 6)),
        )
