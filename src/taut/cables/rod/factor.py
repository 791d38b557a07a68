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
    BODY_A,
    BODY_B,
    BORDER,
    CURVED,
    DIAG,
    DIRECTOR,
    EQUATIONS,
    FIRST,
    FRAME_A,
    FRAME_B,
    GAP,
    GATE,
    GRAD,
    LAST,
    LINK,
    LOCK,
    LOWER,
    MOVE,
    NORMAL,
    PART_A,
    PART_B,
    POINT_A,
    PRESSED,
    PUSHES,
    RIGHT,
    ROW_A,
    ROW_B,
    ROWS,
    SEG,
    SHIFTED,
    SIDE,
    SPARSE,
    STEP,
    TRY_TURNED,
    UPPER,
    WORKS,
    Array,
)
from taut.cables.rod.bodies import lock, stiffen, to_frame
from taut.cables.rod.complement import complement
from taut.cables.rod.crossed import crossed
from taut.core import quat as rotation
from taut.core.jit import kernel

#: a pivot below this share of the largest stiffness is taken as zero
TINY = 1e-14
# places in `carry` after its columns: gradient, then Y, Z (two rows: 9 numbers), P
SLOPES, FORM = 0, 1


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
    # curved contacts, and those that are condensed
    curved = PRESSED if count[SPARSE] > 0 else CURVED if count[BENT] > 0 else 0
    negative = 0
    for c in range(chain.shape[0]):
        columns = touching(chain, body, row, c, touch, rows, freedoms)
        found = _chain(
            rod, chain, body, row, force, block, border, dense, touch, carry, c, columns, shift, TINY * scale, curved,
            count, soft,
        )  # fmt: skip
        if found < 0:
            return -1
        negative += found
        # the first joint by the first frame itself
        for k in range(6):
            carry[carry.shape[0] - 1, k] += block[int(chain[c, FIRST]), DIAG + k]
        _begin(chain, body, dense, touch, carry, c, columns)
    lock(body, dense, size)
    return negative


@kernel
def _chain(
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
                _enter(rod, chain, row, block, carry, touch, c, k, i, last, freedoms)
        if count[SPARSE] > 0:
            press(rod, row, force, block, carry, count, i, soft)
        found = _eliminate(rod, block, carry, i, first, shift, tiny, curved)
        if found < 0:
            return -1
        negative += found
        _forward(rod, block, border, dense, touch, carry, i, first, columns, curved)
    return negative


@kernel
def _enter(
    rod: Array, chain: Array, row: Array, block: Array, carry: Array, touch: Array, c: int, k: int, i: int, last: int,
    freedoms: int,
) -> None:  # fmt: skip
    """Add to column k what is local to segment i: carry holds (pull on the next point, moment on this frame)."""
    at = touch[0, k]
    if at < freedoms:
        if i == last - 1:
            a, axis = block[i], at % 6 - 3
            ex, ey, ez = to_frame(
                chain, c, FRAME_B, (1.0 if axis == 0 else 0.0), (1.0 if axis == 1 else 0.0), (1.0 if axis == 2 else 0.0)
            )
            for j in range(3):
                u = UPPER + 3 * j
                carry[k, 3 + j] += a[u] * ex + a[u + 1] * ey + a[u + 2] * ez
        return
    q = row[at - freedoms]
    for sign in (1.0, -1.0):
        here, part = (q[ROW_A], q[PART_A]) if sign > 0.0 else (q[ROW_B], q[PART_B])
        if here == i:
            a, l = block[i], rod[i, SEG]
            nx, ny, nz = sign * q[NORMAL], sign * q[NORMAL + 1], sign * q[NORMAL + 2]
            # the point moves with the next one but for the part of the segment beyond it
            less = l - part
            carry[k, 0] += nx
            carry[k, 1] += ny
            carry[k, 2] += nz
            carry[k, 3] += less * (nx * a[DIRECTOR + 3] + ny * a[DIRECTOR + 4] + nz * a[DIRECTOR + 5])
            carry[k, 4] -= less * (nx * a[DIRECTOR] + ny * a[DIRECTOR + 1] + nz * a[DIRECTOR + 2])


@kernel
def press(
    rod: Array, row: Array, force: Array, block: Array, carry: Array, count: Array, i: int, soft: float
) -> None:  # fmt: skip
    """Contacts on segment i that are condensed: a row that works, with its compliance c, is the spring

        (gap + n.dx)^2/(2 c),   dx = y + (part/l) u

    of the touching point; a row that does not gives its force back.
    """
    a, l = block[i], rod[i, SEG]
    for k in range(21):
        a[PRESSED + k] = a[CURVED + k]
    v = carry[carry.shape[0] - 5 + SLOPES]
    for r in range(count[EQUATIONS], count[ROWS]):
        q = row[r]
        if q[ROW_A] != i:
            continue
        nx, ny, nz = q[NORMAL], q[NORMAL + 1], q[NORMAL + 2]
        push = -force[r]
        if q[WORKS] > 0.0:
            push = q[GAP] / soft
            for c in range(3):
                for d in range(3):
                    stiff, part = q[NORMAL + c] * q[NORMAL + d] / soft, q[PART_A] / l
                    a[PRESSED + 6 + 3 * c + d] += part * stiff
                    if d >= c:
                        at = d if c == 0 else c + d + 1
                        a[PRESSED + at] += stiff
                        a[PRESSED + 15 + at] += part * part * stiff
        # as a column of the border would enter
        less = l - q[PART_A]
        v[0] += push * nx
        v[1] += push * ny
        v[2] += push * nz
        v[3] += push * less * (nx * a[DIRECTOR + 3] + ny * a[DIRECTOR + 4] + nz * a[DIRECTOR + 5])
        v[4] -= push * less * (nx * a[DIRECTOR] + ny * a[DIRECTOR + 1] + nz * a[DIRECTOR + 2])


@kernel
def _eliminate(
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
            y0, y1, y2 = _line(Y, 0, r, 0), _line(Y, 0, r, 1), _line(Y, 0, r, 2)
            # B = l (-d2, d1, 0)
            t = curved + 6 + 3 * r
            q0, q1, q2 = y0 + a[t], y1 + a[t + 1], y2 + a[t + 2]
            z0, z1, z2 = _cell(Z, W, 3 * r), _cell(Z, W, 3 * r + 1), _cell(Z, W, 3 * r + 2)
            g[3 * r] = z0 - l * (q0 * a[DIRECTOR + 3] + q1 * a[DIRECTOR + 4] + q2 * a[DIRECTOR + 5])
            g[3 * r + 1] = z1 + l * (q0 * a[DIRECTOR] + q1 * a[DIRECTOR + 1] + q2 * a[DIRECTOR + 2])
            g[3 * r + 2] = z2
            u0, u1, u2 = (
                y0 + _line(a, curved + 15, r, 0),
                y1 + _line(a, curved + 15, r, 1),
                y2 + _line(a, curved + 15, r, 2),
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
            P[k] = -_weighed(a, LINK + 3 * r, LINK + 3 * s, i0, i1, i2)
            k += 1
    if curved > 0:
        for r in range(3):
            g[3 * r + 1] -= l10 * g[3 * r]
            g[3 * r + 2] -= l20 * g[3 * r] + l21 * g[3 * r + 1]
        k = 0
        for r in range(3):
            for s in range(r, 3):
                Y[k] += a[curved + k] - _weighed(a, GATE + 3 * r, GATE + 3 * s, i0, i1, i2)
                k += 1
        for r in range(3):
            for s in range(3):
                value = -_weighed(a, GATE + 3 * r, LINK + 3 * s, i0, i1, i2)
                k = 3 * r + s
                if k < 6:
                    Z[k] = value
                else:
                    W[k - 6] = value
    return int(i0 < 0.0) + int(i1 < 0.0) + int(i2 < 0.0)


@kernel
def _line(a: Array, at: int, r: int, c: int) -> float:
    """Element of a symmetric matrix kept as xx, xy, xz, yy, yz, zz."""
    low, high = min(r, c), max(r, c)
    return a[at + (high if low == 0 else low + high + 1)]


@kernel
def _cell(Z: Array, W: Array, k: int) -> float:
    """Element k of the nine in two rows of six."""
    return Z[k] if k < 6 else W[k - 6]


@kernel
def _weighed(a: Array, r: int, s: int, i0: float, i1: float, i2: float) -> float:
    """Product of two reduced columns."""
    return a[r] * a[s] * i0 + a[r + 1] * a[s + 1] * i1 + a[r + 2] * a[s + 2] * i2


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


@kernel
def _start_motion(chain: Array, body: Array, c: int, k: int) -> tuple[float, float, float, float, float, float]:
    """Shift of a chain's first point and turn of its first frame when body freedom k moves by one."""
    if k < 3:
        return (1.0 if k == 0 else 0.0), (1.0 if k == 1 else 0.0), (1.0 if k == 2 else 0.0), 0.0, 0.0, 0.0
    ex, ey, ez = (1.0 if k == 3 else 0.0), (1.0 if k == 4 else 0.0), (1.0 if k == 5 else 0.0)
    q, b = chain[c], int(chain[c, BODY_A])
    x, y, z = q[POINT_A], q[POINT_A + 1], q[POINT_A + 2]
    t = body[b, TRY_TURNED : TRY_TURNED + 4]
    x, y, z = rotation.rotate(t[0], t[1], t[2], t[3], ey * z - ez * y, ez * x - ex * z, ex * y - ey * x)
    ex, ey, ez = to_frame(chain, c, FRAME_A, ex, ey, ez)
    return x, y, z, ex, ey, ez


@kernel
def _begin(chain: Array, body: Array, dense: Array, touch: Array, carry: Array, c: int, columns: int) -> None:
    """What is left of a chain at its start acts on the body there."""
    at = int(body[int(chain[c, BODY_A]), BORDER])
    if at < 0:
        return
    end, side = carry.shape[0] - 5, 2 * dense.shape[0] + SIDE
    Y, Z, W, P = carry[end + 1], carry[end + 2], carry[end + 3], carry[end + 4]
    v = carry[end + SLOPES]
    for k in range(6):
        x, y, z, p, s, t = _start_motion(chain, body, c, k)
        dense[at + k, side] -= x * v[0] + y * v[1] + z * v[2] + p * v[3] + s * v[4] + t * v[5]
        for j in range(columns):
            u, here = carry[j], touch[0, j]
            value = x * u[0] + y * u[1] + z * u[2] + p * u[3] + s * u[4] + t * u[5]
            dense[at + k, here] += value
            dense[here, at + k] += value
        for j in range(6):
            a0, a1, a2, c0, c1, c2 = _start_motion(chain, body, c, j)
            value = 0.0
            for r in range(3):
                h = x if r == 0 else y if r == 1 else z
                e = p if r == 0 else s if r == 1 else t
                value += h * (_line(Y, 0, r, 0) * a0 + _line(Y, 0, r, 1) * a1 + _line(Y, 0, r, 2) * a2)
                z0, z1, z2 = _cell(Z, W, 3 * r), _cell(Z, W, 3 * r + 1), _cell(Z, W, 3 * r + 2)
                value += h * (z0 * c0 + z1 * c1 + z2 * c2)
                value += e * (_cell(Z, W, r) * a0 + _cell(Z, W, 3 + r) * a1 + _cell(Z, W, 6 + r) * a2)
                value += e * (_low(P, r, 0) * c0 + _low(P, r, 1) * c1 + _low(P, r, 2) * c2)
            dense[at + k, at + j] += value


@kernel
def _low(P: Array, r: int, c: int) -> float:
    """Element of a symmetric matrix kept as xx, yx, yy, zx, zy, zz."""
    low, high = min(r, c), max(r, c)
    return P[high * (high + 1) // 2 + low]


@kernel
def solve(
    rod: Array, chain: Array, body: Array, row: Array, block: Array, border: Array, dense: Array, count: Array,
    touch: Array,
) -> None:  # fmt: skip
    """Steps of bodies and frames from the unknowns of the border, chains from start to end."""
    rows, freedoms, turn = (
        count[EQUATIONS] if count[SPARSE] > 0 else count[ROWS],
        dense.shape[0] - row.shape[0],
        2 * dense.shape[0],
    )
    for b in range(body.shape[0]):
        at = int(body[b, BORDER])
        for k in range(6):
            body[b, MOVE + k] = dense[at + k, turn] if at >= 0 else 0.0
    for c in range(chain.shape[0]):
        first, last, b = int(chain[c, FIRST]), int(chain[c, LAST]), int(chain[c, BODY_A])
        columns = touching(chain, body, row, c, touch, rows, freedoms)
        y0, y1, y2, p0, p1, p2 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        if body[b, BORDER] >= 0.0:
            for k in range(6):
                x, y, z, p, s, t = _start_motion(chain, body, c, k)
                m = body[b, MOVE + k]
                y0, y1, y2, p0, p1, p2 = y0 + m * x, y1 + m * y, y2 + m * z, p0 + m * p, p1 + m * s, p2 + m * t
        for i in range(first + 1, last):
            a, l = block[i], rod[i, SEG]
            a[SHIFTED], a[SHIFTED + 1], a[SHIFTED + 2] = y0, y1, y2
            r0, r1, r2 = a[RIGHT], a[RIGHT + 1], a[RIGHT + 2]
            for k in range(columns):
                if touch[1, k] >= i:
                    t = dense[touch[0, k], turn]
                    r0 += border[i, 3 * k] * t
                    r1 += border[i, 3 * k + 1] * t
                    r2 += border[i, 3 * k + 2] * t
            r0 += a[GATE] * y0 + a[GATE + 3] * y1 + a[GATE + 6] * y2
            r1 += a[GATE + 1] * y0 + a[GATE + 4] * y1 + a[GATE + 7] * y2
            r2 += a[GATE + 2] * y0 + a[GATE + 5] * y1 + a[GATE + 8] * y2
            r0 += a[LINK] * p0 + a[LINK + 3] * p1 + a[LINK + 6] * p2
            r1 += a[LINK + 1] * p0 + a[LINK + 4] * p1 + a[LINK + 7] * p2
            r2 += a[LINK + 2] * p0 + a[LINK + 5] * p1 + a[LINK + 8] * p2
            p2 = -r2 * a[LOWER + 5]
            p1 = -r1 * a[LOWER + 4] - a[LOWER + 2] * p2
            p0 = -r0 * a[LOWER + 3] - a[LOWER] * p1 - a[LOWER + 1] * p2
            a[STEP], a[STEP + 1], a[STEP + 2] = p0, p1, p2
            y0 += l * (a[DIRECTOR] * p1 - a[DIRECTOR + 3] * p0)
            y1 += l * (a[DIRECTOR + 1] * p1 - a[DIRECTOR + 4] * p0)
            y2 += l * (a[DIRECTOR + 2] * p1 - a[DIRECTOR + 5] * p0)
        block[last, SHIFTED], block[last, SHIFTED + 1], block[last, SHIFTED + 2] = y0, y1, y2
