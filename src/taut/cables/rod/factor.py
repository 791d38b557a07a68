"""One Newton system: block tridiagonal Hessian with border columns for the held points.

    [H A'] [ step  ]   [-gradient]        H = L D L' in 3 x 3 blocks, scalar pivots inside a block
    [A  0] [ turn  ] = [ -gap    ]        S = A H^-1 A',  S turn = gap - A H^-1 gradient

A of a held point has -w d2, w d1, 0 as columns for each segment before it, w the length up to the point. By Sylvester
the matrix has as many negative eigenvalues as H has negative and S positive ones: a minimum has exactly one for each
row of A.
"""

from __future__ import annotations

from taut.cables.rod.arrays import (
    DIAG,
    DIRECTOR,
    GAP,
    GRAD,
    LINK,
    LOWER,
    PART,
    RIGHT,
    SEG,
    SEGMENT,
    STEP,
    TURN,
    UPPER,
    Array,
)
from taut.cables.rod.dense import pivot, substitute
from taut.core.jit import kernel

#: a pivot below this share of the largest stiffness is taken as zero
TINY = 1e-14


@kernel
def factor(rod: Array, held: Array, block: Array, border: Array, dense: Array, shift: float, scale: float) -> int:
    """Factor H + shift and the Schur complement; returns the negative eigenvalues of the whole, or -1."""
    rows = dense.shape[0]
    negative = 0
    for r in range(rows):
        for c in range(rows + TURN + 1):
            dense[r, c] = 0.0
    for i in range(1, block.shape[0] - 1):
        found = _eliminate(block, i, shift, TINY * scale)
        if found < 0:
            return -1
        negative += found
        _forward(rod, held, block, border, dense, i)
    for r in range(rows):
        for c in range(r):
            dense[c, r] = dense[r, c]
    positive = pivot(dense)
    return -1 if positive < 0 else negative + positive


@kernel
def _eliminate(block: Array, i: int, shift: float, tiny: float) -> int:
    """Pivots of block i and its link to the next; returns how many are negative, or -1."""
    a, b = block[i], block[i - 1]
    a00, a10, a11 = a[DIAG] + shift, a[DIAG + 1], a[DIAG + 2] + shift
    a20, a21, a22 = a[DIAG + 3], a[DIAG + 4], a[DIAG + 5] + shift
    if i > 1:
        # less V' W of the block before, W = L^-1 U = V / inverse pivot
        for k in range(3):
            pivot = 1.0 / b[LOWER + 3 + k]
            v0, v1, v2 = b[LINK + 3 * k], b[LINK + 3 * k + 1], b[LINK + 3 * k + 2]
            a00 -= v0 * v0 * pivot
            a10 -= v1 * v0 * pivot
            a11 -= v1 * v1 * pivot
            a20 -= v2 * v0 * pivot
            a21 -= v2 * v1 * pivot
            a22 -= v2 * v2 * pivot
    if abs(a00) < tiny:
        return -1
    i0 = 1.0 / a00
    l10, l20 = a10 * i0, a20 * i0
    d1 = a11 - l10 * a10
    if abs(d1) < tiny:
        return -1
    i1 = 1.0 / d1
    m21 = a21 - l20 * a10
    l21 = m21 * i1
    d2 = a22 - l20 * a20 - l21 * m21
    if not abs(d2) >= tiny:
        return -1
    i2 = 1.0 / d2
    a[LOWER], a[LOWER + 1], a[LOWER + 2] = l10, l20, l21
    a[LOWER + 3], a[LOWER + 4], a[LOWER + 5] = i0, i1, i2
    for c in range(3):
        w0 = a[UPPER + c]
        w1 = a[UPPER + 3 + c] - l10 * w0
        w2 = a[UPPER + 6 + c] - l20 * w0 - l21 * w1
        a[LINK + c], a[LINK + 3 + c], a[LINK + 6 + c] = w0 * i0, w1 * i1, w2 * i2
    return int(i0 < 0.0) + int(i1 < 0.0) + int(i2 < 0.0)


@kernel
def _past(block: Array, i: int, r0: float, r1: float, r2: float) -> tuple[float, float, float]:
    """V' r of block i: what a right side there means for the next."""
    v = block[i]
    return (
        v[LINK] * r0 + v[LINK + 3] * r1 + v[LINK + 6] * r2,
        v[LINK + 1] * r0 + v[LINK + 4] * r1 + v[LINK + 7] * r2,
        v[LINK + 2] * r0 + v[LINK + 5] * r1 + v[LINK + 8] * r2,
    )


@kernel
def _forward(rod: Array, held: Array, block: Array, border: Array, dense: Array, i: int) -> None:
    """Carry the right side and the border columns past block i; adds to S and to A H^-1 (-gradient)."""
    rows, a = dense.shape[0], block[i]
    l10, l20, l21 = a[LOWER], a[LOWER + 1], a[LOWER + 2]
    i0, i1, i2 = a[LOWER + 3], a[LOWER + 4], a[LOWER + 5]
    b0, b1, b2 = -a[GRAD], -a[GRAD + 1], -a[GRAD + 2]
    if i > 1:
        p0, p1, p2 = _past(block, i - 1, block[i - 1, RIGHT], block[i - 1, RIGHT + 1], block[i - 1, RIGHT + 2])
        b0, b1, b2 = b0 - p0, b1 - p1, b2 - p2
    b1 -= l10 * b0
    b2 -= l20 * b0 + l21 * b1
    a[RIGHT], a[RIGHT + 1], a[RIGHT + 2] = b0, b1, b2
    y0, y1, y2 = b0 * i0, b1 * i1, b2 * i2
    for r in range(rows):
        h, c = r // 3, r % 3
        last = held[h, SEGMENT]
        w = rod[i, SEG] if i < last else (held[h, PART] if i == last else 0.0)
        b0, b1, b2 = -w * a[DIRECTOR + 3 + c], w * a[DIRECTOR + c], 0.0
        if i > 1:
            p0, p1, p2 = _past(block, i - 1, border[i - 1, r, 0], border[i - 1, r, 1], border[i - 1, r, 2])
            b0, b1, b2 = b0 - p0, b1 - p1, b2 - p2
        b1 -= l10 * b0
        b2 -= l20 * b0 + l21 * b1
        border[i, r, 0], border[i, r, 1], border[i, r, 2] = b0, b1, b2
        dense[r, rows + TURN] += b0 * y0 + b1 * y1 + b2 * y2
        b0, b1, b2 = b0 * i0, b1 * i1, b2 * i2
        for c in range(r + 1):
            dense[r, c] += b0 * border[i, c, 0] + b1 * border[i, c, 1] + b2 * border[i, c, 2]


@kernel
def solve(block: Array, border: Array, dense: Array) -> None:
    """Newton step and change of the multipliers, from the factors of the last `factor`."""
    rows, last = dense.shape[0], block.shape[0] - 2
    for r in range(rows):
        dense[r, rows + TURN] += dense[r, rows + GAP]
    substitute(dense, rows + TURN)
    for i in range(last, 0, -1):
        a, b = block[i], block[i + 1]
        y0, y1, y2 = a[RIGHT], a[RIGHT + 1], a[RIGHT + 2]
        for r in range(rows):
            t = dense[r, rows + TURN]
            y0 -= border[i, r, 0] * t
            y1 -= border[i, r, 1] * t
            y2 -= border[i, r, 2] * t
        y0, y1, y2 = y0 * a[LOWER + 3], y1 * a[LOWER + 4], y2 * a[LOWER + 5]
        if i < last:
            x0, x1, x2 = b[STEP], b[STEP + 1], b[STEP + 2]
            y0 -= a[LINK] * x0 + a[LINK + 1] * x1 + a[LINK + 2] * x2
            y1 -= a[LINK + 3] * x0 + a[LINK + 4] * x1 + a[LINK + 5] * x2
            y2 -= a[LINK + 6] * x0 + a[LINK + 7] * x1 + a[LINK + 8] * x2
        y1 -= a[LOWER + 2] * y2
        a[STEP], a[STEP + 1], a[STEP + 2] = y0 - a[LOWER] * y1 - a[LOWER + 1] * y2, y1, y2
