"""One Newton system: chains with a border of rows (held points, contacts) and free bodies.

    [H  B] [ step ]   [-gradient]        S = D - B'H^-1 B,   S turn = -h + B'H^-1 gradient
    [B' D] [ turn ] = [   -h    ]

H is eliminated segment by segment, from the end of a chain to its start. What lies beyond segment i acts on it as a
quadratic form of the shift y of its first point and the turn psi of the frame before it; segment i turned by f shifts
the next point to y + B f, B f = l (d1 f2 - d2 f1). With (Y, Z, P) the form from beyond, (Qyy, Qyu, Quu) the curvature of
contacts on the segment and U its link to the frame before,

    F = H_ii + P + B'(Y + Quu) B + B'Z + Z'B,     G = (Y + Qyu) B + Z
    Y <- Y + Qyy - G F^-1 G',   Z <- -G F^-1 U',   P <- -U F^-1 U'

which costs the same for any number of curved contacts. Without any, Y and Z are zero and this is block tridiagonal
elimination. By Sylvester the matrix has as many negative eigenvalues as the F and S together: a minimum has exactly
one for each row.
"""

from __future__ import annotations

from taut.cables.rod.arrays import (
    BENT,
    BODY_B,
    BORDER,
    CURVED,
    DIAG,
    FIRST,
    GAP,
    LAST,
    PRESSED,
    PUSHES,
    ROW_A,
    ROW_B,
    ROWS,
    SIDE,
    SPARSE,
    Array,
)
from taut.cables.rod.bodies import lock, stiffen
from taut.cables.rod.chain_start import begin
from taut.cables.rod.complement import complement
from taut.cables.rod.crossed import crossed
from taut.cables.rod.eliminate import eliminate
from taut.cables.rod.studs import stiffen_studs
from taut.core.jit import kernel

#: a pivot below this share of the largest stiffness is taken as zero
TINY = 1e-14


@kernel
def touching(chain: Array, body: Array, row: Array, c: int, touch: Array, rows: int, freedoms: int) -> int:
    """Border columns that touch a chain and the frame rows where they begin; returns how many."""
    first, last = chain[c, FIRST], chain[c, LAST]
    k = 0
    at = int(body[int(chain[c, BODY_B]), BORDER])
    if at >= 0:
        for t in range(3):
            touch[0, k], touch[1, k] = at + 3 + t, int(last) - 1
            k += 1
    for r in range(rows):
        a, b = row[r, ROW_A], row[r, ROW_B]
        top = -1
        if first < a < last:
            top = int(a)
        if first < b < last:
            top = max(top, int(b))
        if top >= 0:
            touch[0, k], touch[1, k] = freedoms + r, top
            k += 1
    return k


@kernel
def factor(
    rod: Array, chain: Array, body: Array, row: Array, force: Array, block: Array, border: Array, dense: Array,
    count: Array, touch: Array, carry: Array, shift: float, scale: float, scales: Array,
) -> int:  # fmt: skip
    """Eliminate H + shift, build the Schur complement and solve it; returns the negative eigenvalues of all, or -1.

    Rows that only push have a small compliance, so that several of them on a rigid piece do not contradict.
    """
    length, soft = scales[1], scales[4]
    negative = reduce(
        rod, chain, body, row, force, block, border, dense, count, touch, carry, shift, scale, length, soft, count[ROWS]
    )
    if negative < 0:
        return -1
    more = complement(row, force, dense, count, scales[0], length)
    return negative + more if more >= 0 else -1


@kernel
def reduce(
    rod: Array, chain: Array, body: Array, row: Array, force: Array, block: Array, border: Array, dense: Array,
    count: Array, touch: Array, carry: Array, shift: float, scale: float, length: float, soft: float, rows: int,
) -> int:  # fmt: skip
    """Eliminate all chains, with the first `rows` rows in the border; returns the negative pivots, or -1."""
    freedoms = dense.shape[0] - row.shape[0]
    size, side = freedoms + rows, 2 * dense.shape[0] + SIDE
    for r in range(size):
        for c in range(size):
            dense[r, c] = 0.0
        dense[r, side] = 0.0
    for r in range(rows):
        dense[freedoms + r, side] = -row[r, GAP]
        if row[r, PUSHES] > 0.0:
            dense[freedoms + r, freedoms + r] = -soft
    for k in range(freedoms):
        dense[k, k] = shift if k % 6 >= 3 else shift / length**2
    crossed(row, dense, rows, freedoms)
    stiffen(chain, body, row, force, block, dense, rows, freedoms)
    stiffen_studs(body, row, force, dense, rows)
    # curved contacts, and those that are condensed
    curved = PRESSED if count[SPARSE] > 0 else CURVED if count[BENT] > 0 else 0
    negative = 0
    for c in range(chain.shape[0]):
        columns = touching(chain, body, row, c, touch, rows, freedoms)
        found = eliminate(
            rod, chain, body, row, force, block, border, dense, touch, carry, c, columns, shift, TINY * scale, curved,
            count, soft,
        )  # fmt: skip
        if found < 0:
            return -1
        negative += found
        # the first joint by the first frame itself
        for k in range(6):
            carry[carry.shape[0] - 1, k] += block[int(chain[c, FIRST]), DIAG + k]
        begin(chain, body, dense, touch, carry, c, columns)
    lock(body, dense, size)
    return negative
