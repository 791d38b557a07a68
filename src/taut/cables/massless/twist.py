"""Twist between the two ends of a rope, over its whole route.

A section vector is carried from the first end to the last, by the shortest turn from one tangent p to the next q; on a
wheel by way of the tangent in the middle of its arc, which is fixed to the wheel's body. What is left between it and the
section vector of the last end is the twist. Its rate needs no angle:

    Omega' = sum over kinks of (p + q) . (w_q - w_p) / (1 + p . q)

with w of a span u x u', of an end or a wheel that of its body; u' has the motion of the tangent points along their wheels
in it, which counts where the rope runs at an angle to the groove (see geometry.py). A pure swing reads zero, vertical
ropes are ordinary, and only a kink of 180 degrees is singular. (Paper 0's Euler angle is singular where hoisting ropes hang.)

Near that pose the twist changes by radians in a step: a body on a slack rope that turns over against its own end would be
given energy out of nothing. Where a kink is sharper than SHARPEST, or a span so short that it turns by more than FASTEST in a step, the rope therefore
turns freely and keeps the twist it had; and twist that a step did not expect, beyond UNEXPECTED, is let go where it would
add energy.
"""

from __future__ import annotations

import math

from taut.cables.massless.columns import (
    N_BLOCK,
    N_BODY,
    N_KIND,
    N_RADIUS,
    N_TANGENT,
    N_TURN,
    O_EXPECTED,
    O_KINKED,
    O_LET_GO,
    O_TWIST,
    P_FIRST,
    P_LAST,
    P_SEGMENTS,
    POINT_PART,
    W_ARRIVES,
    W_AXIS,
    W_CENTRE,
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
    BODY_VEL,
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

#: cosine of the sharpest kink that carries twist: 120 degrees
SHARPEST = -0.5
#: largest turn of a span in a step over which twist is carried [rad]
FASTEST = 0.5
#: twist beyond what the rates of a step amount to that is taken as it comes [rad]: a hundred times what hoisting shows
UNEXPECTED = 1e-3
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
def _normal(place, k, frame, at):
    """Radial unit vector at the tangent point `at` (W_LEAVES or W_ARRIVES) of a wheel, and the tangent a x n."""
    p, radius = place[k], frame[k, N_RADIUS]
    n = (
        (p[at] - p[W_CENTRE]) / radius, (p[at + 1] - p[W_CENTRE + 1]) / radius, (p[at + 2] - p[W_CENTRE + 2]) / radius,
    )  # fmt: skip
    return n, _cross((p[W_AXIS], p[W_AXIS + 1], p[W_AXIS + 2]), n)


@kernel
def _add_slide(jac, one, two, c, u, length, place, frame, k, pos, a, b):
    """Add what the tangent points of the span from part k sliding along their wheels turn it: c . (u x dA) / l.

    Their angles follow the bodies by J dtheta = -dc, c1 = d . n1, c2 = d . n2; with J^T m = -k this is a force
    m1 n1 + m2 n2 at the points and couples m n x d on the wheels, as in the derivative of the length.
    """
    ri, rj = frame[k, N_RADIUS], frame[k + 1, N_RADIUS]
    if ri == 0.0 and rj == 0.0:
        return
    f = _cross(c, u)
    n1, t1, n2, t2 = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    if ri > 0.0:
        n1, t1 = _normal(place, k, frame, W_LEAVES)
    if rj > 0.0:
        n2, t2 = _normal(place, k + 1, frame, W_ARRIVES)
    d = (length * u[0], length * u[1], length * u[2])
    k1, k2 = -ri * _dot(f, t1) / length, rj * _dot(f, t2) / length
    j11 = _dot(d, t1) if ri > 0.0 else 1.0
    j22 = _dot(d, t2) if rj > 0.0 else 1.0
    j12, j21 = rj * _dot(t2, n1), -ri * _dot(t1, n2)
    det = j11 * j22 - j12 * j21
    if det == 0.0:
        return
    m1, m2 = -(j22 * k1 - j21 * k2) / det, -(j11 * k2 - j12 * k1) / det
    g = (m1 * n1[0] + m2 * n2[0], m1 * n1[1] + m2 * n2[1], m1 * n1[2] + m2 * n2[2])
    p, q = place[k, W_LEAVES : W_LEAVES + 3], place[k + 1, W_ARRIVES : W_ARRIVES + 3]
    ra = (p[0] - pos[a, 0], p[1] - pos[a, 1], p[2] - pos[a, 2])
    rb = (q[0] - pos[b, 0], q[1] - pos[b, 1], q[2] - pos[b, 2])
    x, y, z1, z2 = _cross(ra, g), _cross(rb, g), _cross(n1, d), _cross(n2, d)
    for e in range(3):
        jac[one + e] -= g[e]
        jac[one + 3 + e] += m1 * z1[e] - x[e]
        jac[two + e] += g[e]
        jac[two + 3 + e] += m2 * z2[e] + y[e]


@kernel
def _turning(va, vb, u, ra, rb):
    """Speed across a span of its end relative to its start, both points fixed to their bodies."""
    a, b = _cross((va[3], va[4], va[5]), ra), _cross((vb[3], vb[4], vb[5]), rb)
    v = _cross(u, (vb[0] + b[0] - va[0] - a[0], vb[1] + b[1] - va[1] - a[1], vb[2] + b[2] - va[2] - a[2]))
    return math.sqrt(_dot(v, v))


@kernel
def _middle_tangent(k, part, frame, place):
    """Direction of the rope in the middle of its arc on a wheel."""
    c, e, f = math.cos(frame[k, N_TANGENT]), math.sin(frame[k, N_TANGENT]), float(part[k, N_TURN])
    axis = (place[k, W_AXIS], place[k, W_AXIS + 1], place[k, W_AXIS + 2])
    n = (
        c * place[k, W_FIRST] + e * place[k, W_SECOND],
        c * place[k, W_FIRST + 1] + e * place[k, W_SECOND + 1],
        c * place[k, W_FIRST + 2] + e * place[k, W_SECOND + 2],
    )
    t = _cross(axis, n)
    return (f * t[0], f * t[1], f * t[2])


@kernel
def twist_row(r, g, m, s, w, h):
    """Jacobian and value of the twist of rope r, the last row of its group; the spans have been placed before."""
    rope, part, ends = index_table(m, ROPE_INT), index_table(m, PART_INT), table(m, ROPE_ENDS)
    pos, quat, frame, vel = table(s, BODY_POS), table(s, BODY_QUAT), table(m, PART_FRAME), table(s, BODY_VEL)
    place, group, block = table(w, PART_PLACE), index_table(w, GROUP_INT), index_table(w, BLOCK_INT)
    jac, phi, last = column(w, JAC), column(s, ROW_PHI), table(s, ROPE_TWIST)
    row, first = rope[r, P_SEGMENTS], group[g, G_BLOCK]
    start, stop = rope[r, P_FIRST], rope[r, P_LAST]
    body = part[start, N_BODY]
    p = _of_body(quat, body, ends[r], E_TANGENT)
    d = _of_body(quat, body, ends[r], E_SECTION)
    at = block[first + part[start, N_BLOCK], B_AT] + 6 * row
    # what turned with p: a body's block (span < 0), or a span with its points
    one, two, length = -1, -1, 0.0
    ra, rb = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    sharpest, fastest, spanned = 1.0, 0.0, start
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
                goal = _middle_tangent(k, part, frame, place)
            sharpest = min(sharpest, _dot(p, goal))
            f = 1.0 / max(1.0 + _dot(p, goal), 1e-9)
            c = (f * (p[0] + goal[0]), f * (p[1] + goal[1]), f * (p[2] + goal[2]))
            # leave p ...
            if one >= 0:
                less = (-c[0], -c[1], -c[2])
                _add_span(jac, one, two, less, p, length, ra, rb)
                _add_slide(
                    jac, one, two, less, p, length, place, frame, spanned, pos, part[spanned, N_BODY], part[spanned + 1, N_BODY]
                )  # fmt: skip
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
                spanned = k
                fastest = max(fastest, h * _turning(vel[a], vel[b], p, ra, rb) / length)
                _add_span(jac, one, two, c, p, length, ra, rb)
                _add_slide(jac, one, two, c, p, length, place, frame, spanned, pos, a, b)
    e = _of_body(quat, part[stop - 1, N_BODY], ends[r], E_SECTION_LAST)
    value = math.atan2(_dot(p, _cross(d, e)), _dot(d, e))
    turned = value + last[r, O_LET_GO]
    turned += 2.0 * math.pi * math.floor((last[r, O_TWIST] - turned) / (2.0 * math.pi) + 0.5)
    kinked, kept = sharpest < SHARPEST or fastest > FASTEST, turned
    if last[r, O_KINKED] == 1.0 and kinked:
        kept = last[r, O_TWIST]
    elif abs(turned) > abs(last[r, O_EXPECTED]) and (kinked or abs(turned - last[r, O_EXPECTED]) > UNEXPECTED):
        kept = last[r, O_EXPECTED]  # never more energy than the step gave it
    if kept != turned:
        last[r, O_LET_GO] = kept - value
    last[r, O_TWIST], last[r, O_KINKED] = kept, 1.0 if kinked else 0.0
    phi[group[g, G_START] + row] = last[r, O_TWIST]
