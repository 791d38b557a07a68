"""How the bodies that a rod leans on stand in its stiffness: columns of their motion, through the elimination of `factor.py`.

A body at X moves by t and turns by phi (world axes). Against its solid the point p of a segment, which moves by y, does to
second order

    y - t - phi x (p - X)  -  phi x (y - t) + phi x (phi x (p - X))/2

The gap is a function of that. With f its multiplier, n its normal, Q the curvature and the spring of the contact on its
segment (see `loads.py`, `entering.py`) by the shift of the first point and the change of the chord c, and with the motion
m = (t + phi x (x_i - X), phi x c) that the body alone would give to both, the Lagrangian has the second derivatives

    segment by body   -Q m - f n x phi         body by body   m'Q m + f [t.(n x phi) + ((n.phi)(r.phi) - (n.r) phi^2)/2]

r = p - X. Contacts are condensed as in `sparse.py`, so that any number of them costs the same.
"""

from __future__ import annotations

from taut.cables.rod.arrays import (
    CURVED,
    DIRECTOR,
    EQUATIONS,
    FIRST,
    GATE,
    KEY,
    LAST,
    LINK,
    LOCK,
    LOWER,
    NODE,
    NORMAL,
    PART_A,
    ROW_A,
    ROWS,
    SEG,
    WORKS,
    Array,
)
from taut.cables.rod.chain_start import start_motion
from taut.cables.rod.forms import symmetric
from taut.cables.rod.loads import curve
from taut.core.jit import kernel

#: unknowns of the two ends, which come before those of the bodies that are leaned on
ENDS = 12


@kernel
def lean_columns(
    rod: Array, chain: Array, body: Array, row: Array, force: Array, block: Array, border: Array, count: Array,
    touch: Array, columns: int, carry: Array, seat_of: Array, pose: Array, soft: float, S: Array, n: int,
) -> None:  # fmt: skip
    """Add the seats beyond the ends to the Schur complement S, which holds what `reduce` left of the others.

    seat_of: seat of each shape, or -1, in its second column; pose: where the seats are; S: n unknowns of seats, then the rows.
    """
    first, last = int(chain[0, FIRST]), int(chain[0, LAST])
    for c in range(n - ENDS):
        for j in range(6):
            carry[c, j] = 0.0
    for i in range(last - 1, first, -1):
        for r in range(count[EQUATIONS], count[ROWS]):
            seat = seat_of[int(row[r, KEY]), 1] if int(row[r, ROW_A]) == i else -1
            if seat >= 0 and force[r] < 0.0:
                _enter(rod, row, force, block, block[first], carry, r, i, 6 * seat, pose[seat], soft, S)
        _forward(rod, block, border, touch, columns, carry, i, S, n)
    # what is left at the start acts on the body there, the first of the border
    for k in range(6):
        x, y, z, p, s, t = start_motion(chain, body, 0, k)
        for c in range(n - ENDS):
            u = carry[c]
            value = x * u[0] + y * u[1] + z * u[2] + p * u[3] + s * u[4] + t * u[5]
            S[k, ENDS + c] += value
            S[ENDS + c, k] += value


@kernel
def _enter(
    rod: Array, row: Array, force: Array, block: Array, spare: Array, carry: Array, r: int, i: int, at: int, pose: Array,
    soft: float, S: Array,
) -> None:  # fmt: skip
    """One contact: its columns on the segment, and its part of the body by itself. spare: a row whose curvature is not used."""
    q, a, l, f = row[r], block[i], rod[i, SEG], force[r]
    part = q[PART_A] / l
    for k in range(21):
        spare[CURVED + k] = 0.0
    curve(row, r, -f, l, spare)
    if q[WORKS] > 0.0:
        for c in range(3):
            for d in range(3):
                stiff = q[NORMAL + c] * q[NORMAL + d] / soft
                spare[CURVED + 6 + 3 * c + d] += part * stiff
                if d >= c:
                    k = d if c == 0 else c + d + 1
                    spare[CURVED + k] += stiff
                    spare[CURVED + 15 + k] += part * part * stiff
    nx, ny, nz = q[NORMAL], q[NORMAL + 1], q[NORMAL + 2]
    rx, ry, rz = _arm(a, pose, q[PART_A])
    dot = nx * rx + ny * ry + nz * rz
    for c in range(6):
        yx, yy, yz, ux, uy, uz = _motion(a, l, pose, c)
        # minus Q m
        vx, vy, vz, wx, wy, wz = _weigh(spare, yx, yy, yz, ux, uy, uz)
        for d in range(6):
            bx, by, bz, ex, ey, ez = _motion(a, l, pose, d)
            S[at + d, at + c] -= bx * vx + by * vy + bz * vz + ex * wx + ey * wy + ez * wz
        if c >= 3:
            e0, e1, e2 = (1.0 if c == 3 else 0.0), (1.0 if c == 4 else 0.0), (1.0 if c == 5 else 0.0)
            gx, gy, gz = f * (ny * e2 - nz * e1), f * (nz * e0 - nx * e2), f * (nx * e1 - ny * e0)
            S[at, at + c] += gx
            S[at + 1, at + c] += gy
            S[at + 2, at + c] += gz
            S[at + c, at] += gx
            S[at + c, at + 1] += gy
            S[at + c, at + 2] += gz
            n_c, r_c = nx * e0 + ny * e1 + nz * e2, rx * e0 + ry * e1 + rz * e2
            S[at + 3, at + c] += 0.5 * f * (nx * r_c + rx * n_c)
            S[at + 4, at + c] += 0.5 * f * (ny * r_c + ry * n_c)
            S[at + 5, at + c] += 0.5 * f * (nz * r_c + rz * n_c)
            S[at + c, at + c] -= f * dot
            vx, vy, vz = vx - gx, vy - gy, vz - gz
            wx, wy, wz = wx - part * gx, wy - part * gy, wz - part * gz
        # as in `enter`: a pull on the next point, and what is left of it on this frame
        u = carry[at - ENDS + c]
        u[0] += vx
        u[1] += vy
        u[2] += vz
        wx, wy, wz = l * (wx - vx), l * (wy - vy), l * (wz - vz)
        u[3] -= wx * a[DIRECTOR + 3] + wy * a[DIRECTOR + 4] + wz * a[DIRECTOR + 5]
        u[4] += wx * a[DIRECTOR] + wy * a[DIRECTOR + 1] + wz * a[DIRECTOR + 2]


@kernel
def _arm(a: Array, pose: Array, part: float) -> tuple[float, float, float]:
    """From the centre of a body to the point so far along a segment [m]."""
    return (
        a[NODE] + part * a[DIRECTOR + 6] - pose[0],
        a[NODE + 1] + part * a[DIRECTOR + 7] - pose[1],
        a[NODE + 2] + part * a[DIRECTOR + 8] - pose[2],
    )


@kernel
def _motion(a: Array, l: float, pose: Array, c: int) -> tuple[float, float, float, float, float, float]:
    """What freedom c of a body gives to the first point and to the chord of a segment that moves along with it."""
    e0, e1, e2 = (1.0 if c % 3 == 0 else 0.0), (1.0 if c % 3 == 1 else 0.0), (1.0 if c % 3 == 2 else 0.0)
    if c < 3:
        return e0, e1, e2, 0.0, 0.0, 0.0
    x, y, z = _arm(a, pose, 0.0)
    u, v, w = l * a[DIRECTOR + 6], l * a[DIRECTOR + 7], l * a[DIRECTOR + 8]
    return e1 * z - e2 * y, e2 * x - e0 * z, e0 * y - e1 * x, e1 * w - e2 * v, e2 * u - e0 * w, e0 * v - e1 * u


@kernel
def _weigh(
    s: Array, yx: float, yy: float, yz: float, ux: float, uy: float, uz: float
) -> tuple[float, float, float, float, float, float]:  # fmt: skip
    """-Q m on the first point and on the chord."""
    px, py, pz = (
        _rows(s, 0, yx, yy, yz, ux, uy, uz),
        _rows(s, 1, yx, yy, yz, ux, uy, uz),
        _rows(s, 2, yx, yy, yz, ux, uy, uz),
    )
    qx, qy, qz = (
        _under(s, 0, yx, yy, yz, ux, uy, uz),
        _under(s, 1, yx, yy, yz, ux, uy, uz),
        _under(s, 2, yx, yy, yz, ux, uy, uz),
    )
    return -px, -py, -pz, -qx, -qy, -qz


@kernel
def _rows(s: Array, r: int, yx: float, yy: float, yz: float, ux: float, uy: float, uz: float) -> float:
    """Row r of Qyy y + Qyu u."""
    k = CURVED + 6 + 3 * r
    own = symmetric(s, CURVED, r, 0) * yx + symmetric(s, CURVED, r, 1) * yy + symmetric(s, CURVED, r, 2) * yz
    return own + s[k] * ux + s[k + 1] * uy + s[k + 2] * uz


@kernel
def _under(s: Array, r: int, yx: float, yy: float, yz: float, ux: float, uy: float, uz: float) -> float:
    """Row r of Qyu' y + Quu u."""
    k, m = CURVED + 6 + r, CURVED + 15
    own = symmetric(s, m, r, 0) * ux + symmetric(s, m, r, 1) * uy + symmetric(s, m, r, 2) * uz
    return own + s[k] * yx + s[k + 3] * yy + s[k + 6] * yz


@kernel
def _forward(
    rod: Array, block: Array, border: Array, touch: Array, columns: int, carry: Array, i: int, S: Array, n: int
) -> None:  # fmt: skip
    """Take segment i out of these columns, as `eliminate.py` does with those of the border; adds to S."""
    a, l = block[i], rod[i, SEG]
    m00, m01, m02 = -l * a[DIRECTOR + 3], -l * a[DIRECTOR + 4], -l * a[DIRECTOR + 5]
    m10, m11, m12 = l * a[DIRECTOR], l * a[DIRECTOR + 1], l * a[DIRECTOR + 2]
    free0 = 0.0 if rod[i, LOCK] > 0.0 else 1.0
    free1 = 0.0 if rod[i, LOCK + 1] > 0.0 else 1.0
    free2 = 0.0 if rod[i, LOCK + 2] > 0.0 else 1.0
    for c in range(n - ENDS):
        u, at = carry[c], 3 * (columns + c)
        b0 = free0 * (u[3] + m00 * u[0] + m01 * u[1] + m02 * u[2])
        b1 = free1 * (u[4] + m10 * u[0] + m11 * u[1] + m12 * u[2]) - a[LOWER] * b0
        b2 = free2 * u[5] - a[LOWER + 1] * b0 - a[LOWER + 2] * b1
        w0, w1, w2 = b0 * a[LOWER + 3], b1 * a[LOWER + 4], b2 * a[LOWER + 5]
        for j in range(3):
            u[j] -= a[GATE + 3 * j] * w0 + a[GATE + 3 * j + 1] * w1 + a[GATE + 3 * j + 2] * w2
            u[3 + j] = -(a[LINK + 3 * j] * w0 + a[LINK + 3 * j + 1] * w1 + a[LINK + 3 * j + 2] * w2)
        border[i, at], border[i, at + 1], border[i, at + 2] = b0, b1, b2
        for k in range(columns + c + 1):
            value = w0 * border[i, 3 * k] + w1 * border[i, 3 * k + 1] + w2 * border[i, 3 * k + 2]
            there = touch[0, k] if k < columns else ENDS + k - columns
            if k < columns and there >= ENDS:
                there += n - ENDS
            S[ENDS + c, there] -= value
            if there != ENDS + c:
                S[there, ENDS + c] -= value
