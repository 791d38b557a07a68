"""Twist between the two ends of a rope, over its whole route.

A section vector is carried from the first end to the last, by the shortest turn from one tangent p to the next q; on a
wheel by way of the tangent in the middle of its arc, which is fixed to the wheel's body. What is left between it and the
section vector of the last end is the twist. Its rate needs no angle:

    Omega' = sum over kinks of (p + q) . (w_q - w_p) / (1 + p . q)

with w of a span u x u', of an end or a wheel that of its body. A pure swing reads zero, vertical ropes are ordinary, and
only a kink of 180 degrees is singular. (Paper 0's Euler angle is singular where hoisting ropes hang.)
"""

from __future__ import annotations

import math

from taut.cables.massless.columns import (
    N_BLOCK,
    N_BODY,
    N_KIND,
    N_TANGENT,
    N_TURN,
    P_FIRST,
    P_LAST,
    P_SEGMENTS,
    POINT_PART,
    W_ARRIVES,
    W_AXIS,
    W_FIRST,
    W_LEAVES,
    W_SECOND,
)
from taut.core.buffers import column, index_table, table
from taut.core.jit import kernel
from taut.core.model import (
    B_AT,
    BLOCK_INT,
    BODY_POS,
    BODY_QUAT,
    G_BLOCK,
    G_START,
    GROUP_INT,
    JAC,
    PART_FRAME,
    PART_INT,
    PART_PLACE,
    ROPE_ENDS,
    ROPE_INT,
    ROPE_TWIST,
    ROW_PHI,
)
from taut.core.quat import rotate

#: columns of rope_ends: tangent and section vector at the first end and at the last, in principal axes of their bodies
E_TANGENT, E_SECTION, E_TANGENT_LAST, E_SECTION_LAST = 0, 3, 6, 9


@kernel
def _dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def _cross(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel
def _carried(d, p, q):
    """d after the shortest turn from p to q."""
    k = _cross(p, q)
    a = _cross(k, d)
    b = _cross(k, a)
    f = 1.0 / max(1.0 + _dot(p, q), 1e-9)
    return d[0] + a[0] + f * b[0], d[1] + a[1] + f * b[1], d[2] + a[2] + f * b[2]


@kernel
def _of_body(quat, b, v, at):
    return rotate(quat[b, 0], quat[b, 1], quat[b, 2], quat[b, 3], v[at], v[at + 1], v[at + 2])


@kernel
def _add_spin(jac, at, c, sign):
    """Add the rate sign c . w to a row."""
    jac[at + 3] += sign * c[0]
    jac[at + 4] += sign * c[1]
    jac[at + 5] += sign * c[2]


@kernel
def _add_span(jac, one, two, c, u, length, ra, rb):
    """Add c . (u x (V2 - V1)) / l, the part of a span's own turning."""
    f = _cross(c, u)
    f = (f[0] / length, f[1] / length, f[2] / length)
    m = _cross(rb, f)
    n = _cross(ra, f)
    for k in range(3):
        jac[two + k] += f[k]
        jac[two + 3 + k] += m[k]
        jac[one + k] -= f[k]
        jac[one + 3 + k] -= n[k]


@kernel
def twist_row(r, g, m, s, w):
    """Jacobian and value of the twist of rope r, the last row of its group; the spans have been placed before."""
    rope, part, ends = index_table(m, ROPE_INT), index_table(m, PART_INT), table(m, ROPE_ENDS)
    pos, quat, frame = table(s, BODY_POS), table(s, BODY_QUAT), table(m, PART_FRAME)
    place, group, block = table(w, PART_PLACE), index_table(w, GROUP_INT), index_table(w, BLOCK_INT)
    jac, phi, last = column(w, JAC), column(s, ROW_PHI), column(s, ROPE_TWIST)
    row, first = rope[r, P_SEGMENTS], group[g, G_BLOCK]
    start, stop = rope[r, P_FIRST], rope[r, P_LAST]
    body = part[start, N_BODY]
    p = _of_body(quat, body, ends[r], E_TANGENT)
    d = _of_body(quat, body, ends[r], E_SECTION)
    at = block[first + part[start, N_BLOCK], B_AT] + 6 * row
    # what turned with p: a body's block (span < 0), or a span with its points
    one, two, length = -1, -1, 0.0
    ra, rb = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for k in range(start, stop):
        if k + 1 < stop:
            a, b = part[k, N_BODY], part[k + 1, N_BODY]
            x, y = place[k, W_LEAVES : W_LEAVES + 3], place[k + 1, W_ARRIVES : W_ARRIVES + 3]
            span = max(math.sqrt((y[0] - x[0]) ** 2 + (y[1] - x[1]) ** 2 + (y[2] - x[2]) ** 2), 1e-12)
            q = ((y[0] - x[0]) / span, (y[1] - x[1]) / span, (y[2] - x[2]) / span)
        else:
            a, b, span = part[k, N_BODY], part[k, N_BODY], 0.0
            q = _of_body(quat, a, ends[r], E_TANGENT_LAST)
        wheel = part[k, N_KIND] != POINT_PART and start < k < stop - 1
        for side in range(2 if wheel else 1):
            # a wheel has two kinks, to its tangent in the middle of the arc and on from there; any other part has one
            goal = q
            if wheel and side == 0:
                c, e = math.cos(frame[k, N_TANGENT]), math.sin(frame[k, N_TANGENT])
                axis = (place[k, W_AXIS], place[k, W_AXIS + 1], place[k, W_AXIS + 2])
                n = (
                    c * place[k, W_FIRST] + e * place[k, W_SECOND],
                    c * place[k, W_FIRST + 1] + e * place[k, W_SECOND + 1],
                    c * place[k, W_FIRST + 2] + e * place[k, W_SECOND + 2],
                )
                t, f = _cross(axis, n), float(part[k, N_TURN])
                goal = (f * t[0], f * t[1], f * t[2])
            f = 1.0 / max(1.0 + _dot(p, goal), 1e-9)
            c = (f * (p[0] + goal[0]), f * (p[1] + goal[1]), f * (p[2] + goal[2]))
            # leave p ...
            if one >= 0:
                _add_span(jac, one, two, (-c[0], -c[1], -c[2]), p, length, ra, rb)
            else:
                _add_spin(jac, at, c, -1.0)
            # ... and take up the next
            d = _carried(d, p, goal)
            p = goal
            if (wheel and side == 0) or k + 1 == stop:
                one, two = -1, -1
                at = block[first + part[k, N_BLOCK], B_AT] + 6 * row
                _add_spin(jac, at, c, 1.0)
            else:
                one = block[first + part[k, N_BLOCK], B_AT] + 6 * row
                two = block[first + part[k + 1, N_BLOCK], B_AT] + 6 * row
                length = span
                ra = (x[0] - pos[a, 0], x[1] - pos[a, 1], x[2] - pos[a, 2])
                rb = (y[0] - pos[b, 0], y[1] - pos[b, 1], y[2] - pos[b, 2])
                _add_span(jac, one, two, c, p, length, ra, rb)
    e = _of_body(quat, part[stop - 1, N_BODY], ends[r], E_SECTION_LAST)
    value = math.atan2(_dot(p, _cross(d, e)), _dot(d, e))
    value += 2.0 * math.pi * math.floor((last[r] - value) / (2.0 * math.pi) + 0.5)
    last[r] = value
    phi[group[g, G_START] + row] = value
