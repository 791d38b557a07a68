"""One chain, taken out of the Newton system segment by segment, from its end to its start; formulas in `factor.py`."""

from __future__ import annotations

from taut.cables.rod.arrays import (
    DIAG,
    DIRECTOR,
    FIRST,
    GATE,
    GRAD,
    LAST,
    LINK,
    LOCK,
    LOWER,
    RIGHT,
    ROW_A,
    ROW_B,
    SEG,
    SIDE,
    SPARSE,
    UPPER,
    Array,
)
from taut.cables.rod.entering import SLOPES, enter, press
from taut.cables.rod.forms import linked, symmetric, weighed
from taut.core.jit import kernel


@kernel
def eliminate(
    rod: Array, chain: Array, body: Array, row: Array, force: Array, block: Array, border: Array, dense: Array,
    touch: Array, carry: Array, c: int, columns: int, shift: float, tiny: float, curved: int, count: Array, soft: float,
) -> int:  # fmt: skip
    """Eliminate one chain; returns its negative pivots, or -1. `curved`: where the curvature of contacts stands, or 0."""
    first, last, freedoms = int(chain[c, FIRST]), int(chain[c, LAST]), dense.shape[0] - row.shape[0]
    end = carry.shape[0] - 5
    for k in range(5):
        for j in range(6):
            carry[end + k, j] = 0.0
    for k in range(columns):
        for j in range(6):
            carry[k, j] = 0.0
    negative = 0
    for i in range(last - 1, first, -1):
        # rows whose point lies here begin to pull; calls cost more than this look
        for k in range(columns):
            at = touch[0, k]
            here = i == last - 1 if at < freedoms else row[at - freedoms, ROW_A] == i or row[at - freedoms, ROW_B] == i
            if here:
                enter(rod, chain, row, block, carry, touch, c, k, i, last, freedoms)
        if count[SPARSE] > 0:
            press(rod, row, force, block, carry, count, i, soft)
        found = _pivots(rod, block, carry, i, first, shift, tiny, curved)
        if found < 0:
            return -1
        negative += found
        _forward(rod, block, border, dense, touch, carry, i, first, columns, curved)
    return negative


@kernel
def _pivots(
    rod: Array, block: Array, carry: Array, i: int, first: int, shift: float, tiny: float, curved: int
) -> int:  # fmt: skip
    """Pivots of segment i, its reduced links, and the form for the segment before; returns negative pivots, or -1."""
    a, end = block[i], carry.shape[0] - 5
    Y, Z, W, P = carry[end + 1], carry[end + 2], carry[end + 3], carry[end + 4]
    f00, f10, f11 = a[DIAG] + P[0] + shift, a[DIAG + 1] + P[1], a[DIAG + 2] + P[2] + shift
    f20, f21, f22 = a[DIAG + 3] + P[3], a[DIAG + 4] + P[4], a[DIAG + 5] + P[5] + shift
    g = a[GATE : GATE + 9]
    if curved > 0:
        l = rod[i, SEG]
        for r in range(3):
            # rows of (Y + Quu) and (Y + Qyu), Y and Quu symmetric
            y0, y1, y2 = symmetric(Y, 0, r, 0), symmetric(Y, 0, r, 1), symmetric(Y, 0, r, 2)
            # B = l (-d2, d1, 0)
            t = curved + 6 + 3 * r
            q0, q1, q2 = y0 + a[t], y1 + a[t + 1], y2 + a[t + 2]
            z0, z1, z2 = linked(Z, W, 3 * r), linked(Z, W, 3 * r + 1), linked(Z, W, 3 * r + 2)
            g[3 * r] = z0 - l * (q0 * a[DIRECTOR + 3] + q1 * a[DIRECTOR + 4] + q2 * a[DIRECTOR + 5])
            g[3 * r + 1] = z1 + l * (q0 * a[DIRECTOR] + q1 * a[DIRECTOR + 1] + q2 * a[DIRECTOR + 2])
            g[3 * r + 2] = z2
            u0, u1, u2 = (
                y0 + symmetric(a, curved + 15, r, 0),
                y1 + symmetric(a, curved + 15, r, 1),
                y2 + symmetric(a, curved + 15, r, 2),
            )
            b0 = -l * (u0 * a[DIRECTOR + 3] + u1 * a[DIRECTOR + 4] + u2 * a[DIRECTOR + 5])
            b1 = l * (u0 * a[DIRECTOR] + u1 * a[DIRECTOR + 1] + u2 * a[DIRECTOR + 2])
            m0, m1 = -l * a[DIRECTOR + 3 + r], l * a[DIRECTOR + r]
            f00 += m0 * (b0 + 2.0 * z0)
            f10 += m1 * (b0 + z0) + m0 * z1
            f11 += m1 * (b1 + 2.0 * z1)
            f20 += m0 * z2
            f21 += m1 * z2
    else:
        for r in range(9):
            g[r] = 0.0
    lock0, lock1, lock2 = rod[i, LOCK] > 0.0, rod[i, LOCK + 1] > 0.0, rod[i, LOCK + 2] > 0.0
    if lock0:
        f00, f10, f20, g[0], g[3], g[6] = 1.0, 0.0, 0.0, 0.0, 0.0, 0.0
    if lock1:
        f10, f11, f21, g[1], g[4], g[7] = 0.0, 1.0, 0.0, 0.0, 0.0, 0.0
    if lock2:
        f20, f21, f22, g[2], g[5], g[8] = 0.0, 0.0, 1.0, 0.0, 0.0, 0.0
    if abs(f00) < tiny:
        return -1
    i0 = 1.0 / f00
    l10, l20 = f10 * i0, f20 * i0
    d1 = f11 - l10 * f10
    if abs(d1) < tiny:
        return -1
    i1 = 1.0 / d1
    m21 = f21 - l20 * f10
    l21 = m21 * i1
    d2 = f22 - l20 * f20 - l21 * m21
    if not abs(d2) >= tiny:
        return -1
    i2 = 1.0 / d2
    a[LOWER], a[LOWER + 1], a[LOWER + 2] = l10, l20, l21
    a[LOWER + 3], a[LOWER + 4], a[LOWER + 5] = i0, i1, i2
    # links L^-1 U' to the frame before, and L^-1 G' to the point before; the clamp's own frame included
    b = block[i - 1]
    for r in range(3):
        h0 = 0.0 if lock0 else b[UPPER + 3 * r]
        h1 = (0.0 if lock1 else b[UPPER + 3 * r + 1]) - l10 * h0
        h2 = (0.0 if lock2 else b[UPPER + 3 * r + 2]) - l20 * h0 - l21 * h1
        a[LINK + 3 * r], a[LINK + 3 * r + 1], a[LINK + 3 * r + 2] = h0, h1, h2
    k = 0
    for r in range(3):
        for s in range(r + 1):
            P[k] = -weighed(a, LINK + 3 * r, LINK + 3 * s, i0, i1, i2)
            k += 1
    if curved > 0:
        for r in range(3):
            g[3 * r + 1] -= l10 * g[3 * r]
            g[3 * r + 2] -= l20 * g[3 * r] + l21 * g[3 * r + 1]
        k = 0
        for r in range(3):
            for s in range(r, 3):
                Y[k] += a[curved + k] - weighed(a, GATE + 3 * r, GATE + 3 * s, i0, i1, i2)
                k += 1
        for r in range(3):
            for s in range(3):
                value = -weighed(a, GATE + 3 * r, LINK + 3 * s, i0, i1, i2)
                k = 3 * r + s
                if k < 6:
                    Z[k] = value
                else:
                    W[k - 6] = value
    return int(i0 < 0.0) + int(i1 < 0.0) + int(i2 < 0.0)


@kernel
def _forward(
    rod: Array, block: Array, border: Array, dense: Array, touch: Array, carry: Array, i: int, first: int,
    columns: int, bent: int,
) -> None:  # fmt: skip
    """Take segment i out of the gradient and of the border columns; adds to S and its right side.

    A column (v_y, v_psi) becomes that of the segment before. Written out: a call for each column of each segment would
    cost ten times the work. The gradient stands in a row of `carry` behind the columns, and is taken first.
    """
    a, l, end, side = block[i], rod[i, SEG], carry.shape[0] - 5, 2 * dense.shape[0] + SIDE
    m00, m01, m02 = -l * a[DIRECTOR + 3], -l * a[DIRECTOR + 4], -l * a[DIRECTOR + 5]
    m10, m11, m12 = l * a[DIRECTOR], l * a[DIRECTOR + 1], l * a[DIRECTOR + 2]
    free0 = 0.0 if rod[i, LOCK] > 0.0 else 1.0
    free1 = 0.0 if rod[i, LOCK + 1] > 0.0 else 1.0
    free2 = 0.0 if rod[i, LOCK + 2] > 0.0 else 1.0
    l10, l20, l21 = a[LOWER], a[LOWER + 1], a[LOWER + 2]
    i0, i1, i2 = a[LOWER + 3], a[LOWER + 4], a[LOWER + 5]
    k00, k01, k02, k10, k11 = a[LINK], a[LINK + 1], a[LINK + 2], a[LINK + 3], a[LINK + 4]
    k12, k20, k21, k22 = a[LINK + 5], a[LINK + 6], a[LINK + 7], a[LINK + 8]
    r0, r1, r2 = 0.0, 0.0, 0.0
    for k in range(-1, columns):
        at = end + SLOPES if k < 0 else k
        if k >= 0 and touch[1, k] < i:
            border[i, 3 * k], border[i, 3 * k + 1], border[i, 3 * k + 2] = 0.0, 0.0, 0.0
            continue
        x, y, z = carry[at, 0], carry[at, 1], carry[at, 2]
        b0 = carry[at, 3] + m00 * x + m01 * y + m02 * z
        b1 = carry[at, 4] + m10 * x + m11 * y + m12 * z
        b2 = carry[at, 5]
        if k < 0:
            b0, b1, b2 = b0 + a[GRAD], b1 + a[GRAD + 1], b2 + a[GRAD + 2]
        b0 *= free0
        b1 = free1 * b1 - l10 * b0
        b2 = free2 * b2 - l20 * b0 - l21 * b1
        w0, w1, w2 = b0 * i0, b1 * i1, b2 * i2
        carry[at, 3] = -(k00 * w0 + k01 * w1 + k02 * w2)
        carry[at, 4] = -(k10 * w0 + k11 * w1 + k12 * w2)
        carry[at, 5] = -(k20 * w0 + k21 * w1 + k22 * w2)
        if bent:
            carry[at, 0] = x - (a[GATE] * w0 + a[GATE + 1] * w1 + a[GATE + 2] * w2)
            carry[at, 1] = y - (a[GATE + 3] * w0 + a[GATE + 4] * w1 + a[GATE + 5] * w2)
            carry[at, 2] = z - (a[GATE + 6] * w0 + a[GATE + 7] * w1 + a[GATE + 8] * w2)
        if k < 0:
            a[RIGHT], a[RIGHT + 1], a[RIGHT + 2] = b0, b1, b2
            r0, r1, r2 = w0, w1, w2
            continue
        border[i, 3 * k], border[i, 3 * k + 1], border[i, 3 * k + 2] = b0, b1, b2
        here = touch[0, k]
        dense[here, side] += b0 * r0 + b1 * r1 + b2 * r2
        for j in range(k + 1):
            if touch[1, j] >= i:
                there = touch[0, j]
                value = w0 * border[i, 3 * j] + w1 * border[i, 3 * j + 1] + w2 * border[i, 3 * j + 2]
                dense[here, there] -= value
                if here != there:
                    dense[there, here] -= value
