"""Where a wrap appears on a layered rope its span becomes two, and one again where it leaves: shape and motion go over.

A span r(x) = (1 - x) A + x B + sum sin(m pi x) q_m gets a node C at x = c. What its curve is off the two new chords is smooth and
zero at A, C and B, so that few modes hold it. With a = m pi c, b = n pi and sinc(t) = sin(t)/t,

    I(a, b) = int_0^1 sin(a y) sin(b y) dy = sinc(a - b) b/(a + b)                                     (overlap)
    q'_n = 2 sum_m q_m sinc(a - b) a^2/(b (a + b))           shape of the first half, less the straight line to its end
    p'_n = 2 (V j_n + sum_m p_m I(a, b)),  j_n = -(-1)^n/b   motion; V is that of the old chord at c as C sees it

and for the second half the same from its far end, signs (-1)^(m + n). Joined again, with D the distance of C from the new chord,

    q_n = 2 (D sin(a)/(b^2 c (1 - c)) + c sum_m q1_m I + (1 - c) sum_m (-1)^(m + n) q2_m I)

Positions are taken half a step back, z = q - (h/2) p, where they and the velocities make up one energy. What the modes cannot hold
(above all the kink in the velocities where a rope strikes) is lost and booked, and so is the motion of modes that the step does not
resolve: a strike would throw them further in a step than they could go.
"""

from __future__ import annotations

import math

from taut.cables.layered.columns import (
    E_KINETIC,
    M_P,
    M_Q,
    V_COUNT,
    V_FIRST,
    Y_DENSITY,
    Y_SPAN,
    Y_WARPED,
    Z_CHORD,
    Z_FIRST,
)
from taut.cables.layered.frame import carry_direction
from taut.cables.layered.modes import warp
from taut.cables.massless.columns import A_PARTS, N_BODY, N_TRANSFER, P_FIRST, P_SEGMENT, W_ARRIVES, W_LEAVES
from taut.contact.wrapping.vectors import cross, dot, minus, plus, put, size, three, unit
from taut.core.buffers import column, index_table, indices, table
from taut.core.jit import kernel
from taut.core.model import (
    BODY_POS,
    BODY_VEL,
    G_START,
    GROUP_INT,
    JOINT_INT,
    LEDGER,
    LOSS_JOINT,
    PART_INT,
    PART_PLACE,
    ROPE_INT,
    ROPE_LIVE,
    ROPE_ORDER,
    ROW_LAM,
    TIME,
    WAVE_ENERGY,
    WAVE_FRAME,
    WAVE_KEPT,
    WAVE_LAW,
    WAVE_MODE,
    WAVE_SPAN,
    WAVE_TENSION,
)

#: a node this near to an end of its span, as a part of it, is taken as that far off
NEAREST = 1e-3


@kernel
def _sinc(t):
    return 1.0 - t * t / 6.0 if abs(t) < 1e-3 else math.sin(t) / t


@kernel
def overlap(a, b):
    """Integral of sin(a y) sin(b y) over y from 0 to 1, b a multiple of pi."""
    return _sinc(a - b) * b / (a + b)


@kernel
def is_layered(r, m):
    """Whether a rope has waves."""
    return table(m, WAVE_LAW)[r, Y_DENSITY] > 0.0


@kernel
def point_velocity(body, p, s):
    """Velocity of a point of a body."""
    vel = table(s, BODY_VEL)[body]
    turn = cross(three(vel, 3), minus(p, three(table(s, BODY_POS)[body], 0)))
    return vel[0] + turn[0], vel[1] + turn[1], vel[2] + turn[2]


@kernel
def span_ends(r, at, m, s, w):
    """Both ends of the span at place `at` of the path, and their velocities."""
    part, place, order = index_table(m, PART_INT), table(w, PART_PLACE), indices(s, ROPE_ORDER)
    i = index_table(m, ROPE_INT)[r, P_FIRST] + at
    a, b = three(place[order[i]], W_LEAVES), three(place[order[i + 1]], W_ARRIVES)
    return a, b, point_velocity(part[order[i], N_BODY], a, s), point_velocity(part[order[i + 1], N_BODY], b, s)


@kernel
def frame_along(k, u, s):
    """Both directions across a chord u that the frame of span k is carried to."""
    f = table(s, WAVE_FRAME)[k]
    one = carry_direction(
        f[Z_FIRST], f[Z_FIRST + 1], f[Z_FIRST + 2], f[Z_CHORD], f[Z_CHORD + 1], f[Z_CHORD + 2], u[0], u[1], u[2]
    )
    return one, cross(u, one)


@kernel
def _copy_span(k, j, m, s):
    """Modes and frame of span k to span j."""
    span, mode, frame = index_table(m, WAVE_SPAN), table(s, WAVE_MODE), table(s, WAVE_FRAME)
    for n in range(span[k, V_COUNT]):
        for c in range(4):
            mode[span[j, V_FIRST] + n, c] = mode[span[k, V_FIRST] + n, c]
    for c in range(6):
        frame[j, c] = frame[k, c]


@kernel
def _set_aside(k, m, s, w, h):
    """Modes of span k into the scratch, positions half a step back."""
    span, mode, kept = index_table(m, WAVE_SPAN), table(s, WAVE_MODE), table(w, WAVE_KEPT)
    for i in range(span[k, V_FIRST], span[k, V_FIRST] + span[k, V_COUNT]):
        for d in range(2):
            kept[i, M_P + d] = mode[i, M_P + d]
            kept[i, M_Q + d] = mode[i, M_Q + d] - 0.5 * h * mode[i, M_P + d]


@kernel
def _energy(r, k, mass, ends, tension, m, s, h):
    """Energy of span k half a step back, as far as a change of its modes alone changes it: of the motion across its chord, and
    of what the tension has spent on its bend [J, J]."""
    span, mode, law = index_table(m, WAVE_SPAN), table(s, WAVE_MODE), table(m, WAVE_LAW)
    a, b, va, vb = ends
    chord = minus(b, a)
    u = unit(chord)
    one, two = frame_along(k, u, s)
    length = size(chord)
    mean = column(s, WAVE_TENSION)[index_table(m, ROPE_INT)[r, P_SEGMENT]]
    base = h * math.pi * math.sqrt(max(mean, 0.0) / (mass * max(length, NEAREST)))
    total, square = 0.0, 0.0
    for d in range(2):
        e = one if d == 0 else two
        wa, wb = dot(va, e), dot(vb, e)
        total += mass * (wa * wa + wa * wb + wb * wb) / 6.0
        for n in range(span[k, V_COUNT]):
            i, f = span[k, V_FIRST] + n, math.pi * (n + 1)
            near = mass / f
            far = near if n % 2 == 0 else -near
            p = mode[i, M_P + d]
            z = mode[i, M_Q + d] - 0.5 * h * p
            own = 0.5 * mass / (warp(base * (n + 1)) if law[r, Y_WARPED] > 0.0 else 1.0)
            total += (near * wa + far * wb) * p + 0.5 * own * p * p
            square += 0.5 * f * f * z * z
    return total, tension * (math.sqrt(length * length + square) - length)


@kernel
def _book(moving, bent, s):
    """Book what a rope loses when its spans are divided anew. Its motion is what the next step begins with (`energy.carried` counts
    from there)."""
    if column(s, LEDGER)[TIME] > 0.0:
        column(s, LEDGER)[LOSS_JOINT] += moving + bent
    column(s, WAVE_ENERGY)[E_KINETIC] -= moving


@kernel
def _resolved(n, tension, density, length, h):
    """Part of the motion of mode n of a span that is kept: all up to omega h = 1, none from 3 on (see modes.calming)."""
    square = (math.pi * n * h / length) ** 2 * tension / density
    return 1.0 - min(max(0.125 * (square - 1.0), 0.0), 1.0)


@kernel
def _offset_square(k, c, m, w):
    """Square of the distance of span k, as it was set aside, from its chord at c [m^2]."""
    span, kept, x, y = index_table(m, WAVE_SPAN), table(w, WAVE_KEPT), 0.0, 0.0
    for n in range(span[k, V_COUNT]):
        i, f = span[k, V_FIRST] + n, math.sin(math.pi * (n + 1) * c)
        x, y = x + f * kept[i, M_Q], y + f * kept[i, M_Q + 1]
    return x * x + y * y


@kernel
def run_tension(r, at, m, s, w, h):
    """Tension of the run that leaves the part at place `at`, of the last step [N]."""
    row = index_table(w, GROUP_INT)[index_table(m, JOINT_INT).shape[0] + r, G_START]
    part, order, first = index_table(m, PART_INT), indices(s, ROPE_ORDER), index_table(m, ROPE_INT)[r, P_FIRST]
    for i in range(1, at + 1):
        row += 1 if part[order[first + i], N_TRANSFER] >= 0 else 0
    return max(-column(s, ROW_LAM)[row] / h, 0.0)


@kernel
def split_span(r, at, m, s, w, h):
    """A wrap has been put behind the part at place `at`: the span that was there becomes two."""
    span, mode, frame, kept = (
        index_table(m, WAVE_SPAN), table(s, WAVE_MODE), table(s, WAVE_FRAME), table(w, WAVE_KEPT),
    )  # fmt: skip
    k = int(table(m, WAVE_LAW)[r, Y_SPAN]) + at
    for j in range(k + index_table(s, ROPE_LIVE)[r, A_PARTS] - 2 - at, k + 1, -1):
        _copy_span(j - 1, j, m, s)
    one, two = span_ends(r, at, m, s, w), span_ends(r, at + 1, m, s, w)
    a, b, va, vb = one[0], two[1], one[2], two[3]
    chord, node, speed = minus(b, a), plus(one[1], 1.0, two[0]), plus(one[3], 1.0, two[2])
    u, length = unit(chord), size(chord)
    node = (0.5 * node[0], 0.5 * node[1], 0.5 * node[2])
    c = min(max(dot(minus(node, a), u) / length, NEAREST), 1.0 - NEAREST)
    seen = plus(plus(va, c, minus(vb, va)), -0.5, speed)
    e1, e2 = frame_along(k, u, s)
    mass = table(m, WAVE_LAW)[r, Y_DENSITY] * length
    tension = run_tension(r, at, m, s, w, h)
    moving, bent = _energy(r, k, mass, (a, b, va, vb), tension, m, s, h)
    _set_aside(k, m, s, w, h)
    # the two chords through a point of the curve are as much longer than the old one. Further out than the curve the node came late,
    # which is the error of the step and no loss
    off = plus(minus(node, plus(a, c, chord)), 0.5 * h, seen)
    bent -= tension * min(_offset_square(k, c, m, w), dot(off, off)) / (2.0 * length * c * (1.0 - c))
    count, first, density = span[k, V_COUNT], span[k, V_FIRST], table(m, WAVE_LAW)[r, Y_DENSITY]
    for half in range(2):
        j, x, ends = k + half, c if half == 0 else 1.0 - c, one if half == 0 else two
        v = unit(minus(ends[1], ends[0]))
        along = carry_direction(e1[0], e1[1], e1[2], u[0], u[1], u[2], v[0], v[1], v[2])
        put(frame[j], Z_CHORD, v)
        put(frame[j], Z_FIRST, along)
        for n in range(1, count + 1):
            beat, target = math.pi * n, span[j, V_FIRST] + n - 1
            line = (1.0 if n % 2 == 1 else -1.0) / beat if half == 0 else 1.0 / beat
            q1, q2, p1, p2 = 0.0, 0.0, line * dot(seen, e1), line * dot(seen, e2)
            for i in range(1, count + 1):
                f = math.pi * i * x
                sign = 1.0 if half == 0 or (i + n) % 2 == 0 else -1.0
                move = sign * overlap(f, beat)
                bend = sign * _sinc(f - beat) * f * f / (beat * (f + beat))
                old = kept[first + i - 1]
                q1, q2 = q1 + bend * old[M_Q], q2 + bend * old[M_Q + 1]
                p1, p2 = p1 + move * old[M_P], p2 + move * old[M_P + 1]
            kept_part = _resolved(n, tension, density, size(minus(ends[1], ends[0])), h)
            p1, p2 = kept_part * p1, kept_part * p2
            mode[target, M_P], mode[target, M_P + 1] = 2.0 * p1, 2.0 * p2
            mode[target, M_Q], mode[target, M_Q + 1] = 2.0 * q1 + h * p1, 2.0 * q2 + h * p2
    whole = size(minus(one[1], one[0])) + size(minus(two[1], two[0]))
    for half in range(2):
        ends = one if half == 0 else two
        part = mass * size(minus(ends[1], ends[0])) / whole
        less = _energy(r, k + half, part, ends, tension, m, s, h)
        moving, bent = moving - less[0], bent - less[1]
    _book(moving, bent, s)


@kernel
def join_spans(r, at, m, s, w, h):
    """The wrap at place `at` is about to leave: the spans before and behind it become one."""
    span, mode, frame, kept = (
        index_table(m, WAVE_SPAN), table(s, WAVE_MODE), table(s, WAVE_FRAME), table(w, WAVE_KEPT),
    )  # fmt: skip
    k = int(table(m, WAVE_LAW)[r, Y_SPAN]) + at - 1
    one, two = span_ends(r, at - 1, m, s, w), span_ends(r, at, m, s, w)
    a, b, va, vb = one[0], two[1], one[2], two[3]
    chord, node, speed = minus(b, a), plus(one[1], 1.0, two[0]), plus(one[3], 1.0, two[2])
    u, length = unit(chord), size(chord)
    node, speed = (
        (0.5 * node[0], 0.5 * node[1], 0.5 * node[2]),
        (0.5 * speed[0], 0.5 * speed[1], 0.5 * speed[2]),
    )
    c = min(max(dot(minus(node, a), u) / length, NEAREST), 1.0 - NEAREST)
    seen = minus(speed, plus(va, c, minus(vb, va)))
    off = plus(minus(node, plus(a, c, chord)), -0.5 * h, seen)
    mass = table(m, WAVE_LAW)[r, Y_DENSITY] * length
    tension = run_tension(r, at - 1, m, s, w, h)
    whole = size(minus(one[1], one[0])) + size(minus(two[1], two[0]))
    moving, bent = 0.0, tension * dot(off, off) / (2.0 * length * c * (1.0 - c))
    for half in range(2):
        ends = one if half == 0 else two
        part = mass * size(minus(ends[1], ends[0])) / whole
        more = _energy(r, k + half, part, ends, tension, m, s, h)
        moving, bent = moving + more[0], bent + more[1]
        _set_aside(k + half, m, s, w, h)
    e1, e2 = frame_along(k, u, s)
    other, _ = frame_along(k + 1, u, s)
    # the second span's directions as the first one's see them
    cosine, sine = dot(other, e1), dot(other, e2)
    put(frame[k], Z_CHORD, u)
    put(frame[k], Z_FIRST, e1)
    count = span[k, V_COUNT]
    for n in range(1, count + 1):
        f, target = math.pi * n, span[k, V_FIRST] + n - 1
        hat = math.sin(f * c) / (f * f * c * (1.0 - c))
        q1, q2, p1, p2 = hat * dot(off, e1), hat * dot(off, e2), hat * dot(seen, e1), hat * dot(seen, e2)
        for half in range(2):
            x = c if half == 0 else 1.0 - c
            for i in range(1, count + 1):
                sign = x if half == 0 or (i + n) % 2 == 0 else -x
                part, old = sign * overlap(f * x, math.pi * i), kept[span[k + half, V_FIRST] + i - 1]
                y1, y2, z1, z2 = old[M_Q], old[M_Q + 1], old[M_P], old[M_P + 1]
                if half == 1:
                    y1, y2 = cosine * y1 - sine * y2, sine * y1 + cosine * y2
                    z1, z2 = cosine * z1 - sine * z2, sine * z1 + cosine * z2
                q1, q2, p1, p2 = q1 + part * y1, q2 + part * y2, p1 + part * z1, p2 + part * z2
        kept_part = _resolved(n, tension, table(m, WAVE_LAW)[r, Y_DENSITY], length, h)
        p1, p2 = kept_part * p1, kept_part * p2
        mode[target, M_P], mode[target, M_P + 1] = 2.0 * p1, 2.0 * p2
        mode[target, M_Q], mode[target, M_Q + 1] = 2.0 * q1 + h * p1, 2.0 * q2 + h * p2
    less = _energy(r, k, mass, (a, b, va, vb), tension, m, s, h)
    _book(moving - less[0], bent - less[1], s)
    last = int(table(m, WAVE_LAW)[r, Y_SPAN]) + index_table(s, ROPE_LIVE)[r, A_PARTS] - 2
    for j in range(k + 1, last):
        _copy_span(j + 1, j, m, s)
    for i in range(span[last, V_FIRST], span[last, V_FIRST] + span[last, V_COUNT]):
        for d in range(4):
            mode[i, d] = 0.0


@kernel
def bend_of(r, at, length, rate, m, s):
    """How much longer than its chord the span at place `at` is, and how fast that grows [m, m/s]."""
    span, mode, k = index_table(m, WAVE_SPAN), table(s, WAVE_MODE), int(table(m, WAVE_LAW)[r, Y_SPAN]) + at
    square, grows = 0.0, 0.0
    for n in range(span[k, V_COUNT]):
        i, f = span[k, V_FIRST] + n, math.pi * (n + 1)
        for d in range(2):
            square += 0.5 * f * f * mode[i, M_Q + d] * mode[i, M_Q + d]
            grows += 0.5 * f * f * mode[i, M_Q + d] * mode[i, M_P + d]
    arc = math.sqrt(length * length + square)
    return arc - length, (length * rate + grows) / max(arc, NEAREST) - rate
