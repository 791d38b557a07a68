"""Whether the curve of a layered span meets an obstacle, by the two levels of paper 2 (section 4.2), and what its weight does there.

First the chord with a hull as thick as the waves may reach; where that meets the body, the curve in pieces, each followed through the way
it has made in the step (taut.contact.wrapping.touch). A wave that has gone through the body before its chord came to it does not
say on which side the rope lies: the chord does.

A rope of tension T that lies on a body presses on it by the angle between its tangents, not between its chords. By the balance of
its two half spans with chords that turn by w about the body, outward normal n and masses m1, m2,

    push = T w - (m1 + m2)/2 (g . n) > 0   or   w > (m1 + m2) (g . n)/(2 T)

A rope that has sagged onto something from above keeps its node with chords that turn the other way; one that hangs below it has to
be pulled up by as much. A node comes only where it would stay: nothing to chatter about.
"""

from __future__ import annotations

import math

from taut.cables.layered.columns import M_P, M_Q, V_COUNT, V_FIRST, Y_DENSITY, Y_SPAN
from taut.cables.layered.frame import carry_direction
from taut.cables.layered.lay import span_mass
from taut.cables.layered.reshape import frame_along, point_velocity, run_tension, span_ends
from taut.cables.massless.columns import (
    A_PARTS,
    O_BODY,
    O_KIND,
    O_PLANE,
    O_PLANES,
    O_ROPE_RADIUS,
    O_SIZE,
)
from taut.contact.wrapping.touch import first_touch, gap_of
from taut.contact.wrapping.vectors import dot, minus, plus, size, turned_back, unit
from taut.core.buffers import index_table, table
from taut.core.jit import kernel
from taut.core.model import (
    HULL_PLANE,
    OBSTACLE_FRAME,
    OBSTACLE_INT,
    ROPE_LIVE,
    WAVE_FRAME,
    WAVE_LAW,
    WAVE_MODE,
    WAVE_SPAN,
)

#: pieces in which a span is looked at
PIECES = 64
#: largest turn that weight is taken to ask for or to allow: beyond, the rope is all but slack [rad]
LARGEST = 0.5


@kernel
def least_turn(r, at, length, out, gravity, m, s, w, h):
    """Turn of the chords about a body at which the two spans beside it, together this long, begin to press on it [rad]."""
    weight = 0.5 * table(m, WAVE_LAW)[r, Y_DENSITY] * length * dot(gravity, out)
    pull = run_tension(r, at, m, s, w, h)
    if abs(weight) >= LARGEST * pull:
        return math.copysign(LARGEST, weight) if weight != 0.0 else 0.0
    return weight / pull


@kernel
def curve_point(k, x, ends, one, two, m, s):
    """A point of span k at x from 0 to 1, and its velocity."""
    span, mode = index_table(m, WAVE_SPAN), table(s, WAVE_MODE)
    a, b, va, vb = ends
    at, moves = plus(a, x, minus(b, a)), plus(va, x, minus(vb, va))
    for n in range(span[k, V_COUNT]):
        i, f = span[k, V_FIRST] + n, math.sin(math.pi * (n + 1) * x)
        at = plus(plus(at, f * mode[i, M_Q], one), f * mode[i, M_Q + 1], two)
        moves = plus(plus(moves, f * mode[i, M_P], one), f * mode[i, M_P + 1], two)
    return at, moves


@kernel
def _reach(k, m, s, h):
    """How far the waves of span k take it off its chord at most, now or a step ago [m]."""
    span, mode, now, before = index_table(m, WAVE_SPAN), table(s, WAVE_MODE), 0.0, 0.0
    for i in range(span[k, V_FIRST], span[k, V_FIRST] + span[k, V_COUNT]):
        x, y = mode[i, M_Q], mode[i, M_Q + 1]
        now += math.sqrt(x * x + y * y)
        x, y = x - h * mode[i, M_P], y - h * mode[i, M_P + 1]
        before += math.sqrt(x * x + y * y)
    return max(now, before)


@kernel
def _touch_between(o, centre, quat, p, q, vp, vq, thicker, m, s, h):
    """first_touch of obstacle o and a line from p to q that has moved with vp and vq; also the line in the obstacle's frame."""
    obstacle, frame = index_table(m, OBSTACLE_INT)[o], table(m, OBSTACLE_FRAME)[o]
    p1, q1 = turned_back(quat, minus(p, centre)), turned_back(quat, minus(q, centre))
    p0 = plus(p1, -h, turned_back(quat, minus(vp, point_velocity(obstacle[O_BODY], p, s))))
    q0 = plus(q1, -h, turned_back(quat, minus(vq, point_velocity(obstacle[O_BODY], q, s))))
    met, out, y = first_touch(
        obstacle[O_KIND], frame[O_SIZE : O_SIZE + 3], table(m, HULL_PLANE), obstacle[O_PLANE], obstacle[O_PLANES],
        frame[O_ROPE_RADIUS] + thicker, p0, q0, p1, q1,
    )  # fmt: skip
    return met, out, y, p1, q1


@kernel
def _side_of_chord(o, centre, quat, ends, y, p1, q1, m, s, h):
    """What curve_touch says of a piece p1, q1 that was in obstacle o before the step began."""
    met, out, place, a1, b1 = _touch_between(o, centre, quat, ends[0], ends[1], ends[2], ends[3], 0.0, m, s, h)
    if met > 0:
        return met, out, place, a1, b1
    obstacle, frame = index_table(m, OBSTACLE_INT)[o], table(m, OBSTACLE_FRAME)[o]
    _, out, _ = gap_of(
        obstacle[O_KIND],
        frame[O_SIZE : O_SIZE + 3],
        table(m, HULL_PLANE),
        obstacle[O_PLANE],
        obstacle[O_PLANES],
        a1,
        b1,
    )
    way = minus(q1, p1)
    return 1, out, y, plus(p1, -1.0, way), plus(q1, 1.0, way)


@kernel
def curve_touch(r, at, o, centre, quat, m, s, w, h):
    """Whether the curve of the span at place `at` has met obstacle o whose shape is at `centre`, turned by `quat`.

    Returns what first_touch does, and both ends of the piece that has met it in the obstacle's frame, drawn out by a piece each way.
    """
    k, ends = int(table(m, WAVE_LAW)[r, Y_SPAN]) + at, span_ends(r, at, m, s, w)
    met, out, y, p1, q1 = _touch_between(
        o, centre, quat, ends[0], ends[1], ends[2], ends[3], _reach(k, m, s, h), m, s, h
    )
    if met == 0:
        return met, out, y, p1, q1
    one, two = frame_along(k, unit(minus(ends[1], ends[0])), s)
    p, vp = ends[0], ends[2]
    for i in range(1, PIECES + 1):
        q, vq = curve_point(k, i / PIECES, ends, one, two, m, s)
        met, out, y, p1, q1 = _touch_between(o, centre, quat, p, q, vp, vq, 0.0, m, s, h)
        if met == 2:
            return _side_of_chord(o, centre, quat, ends, y, p1, q1, m, s, h)
        if met == 1:
            way = minus(q1, p1)
            return met, out, y, plus(p1, -1.0, way), plus(q1, 1.0, way)
        p, vp = q, vq
    return 0, out, y, p1, q1


@kernel
def hang_rope(r, tension, m, s, w, gravity):
    """All spans of a rope in the shape in which they hang at rest under a tension, as far as they can; returns how much longer than
    their chords they are."""
    span, mode, frame, law = (
        index_table(m, WAVE_SPAN), table(s, WAVE_MODE), table(s, WAVE_FRAME), table(m, WAVE_LAW),
    )  # fmt: skip
    longer = 0.0
    for at in range(index_table(s, ROPE_LIVE)[r, A_PARTS] - 1):
        k = int(law[r, Y_SPAN]) + at
        a, b, _, _ = span_ends(r, at, m, s, w)
        u, length = unit(minus(b, a)), size(minus(b, a))
        f = frame[k]
        one = carry_direction(f[3], f[4], f[5], f[0], f[1], f[2], u[0], u[1], u[2])
        for c in range(3):
            f[c], f[3 + c] = u[c], one[c]
        one, two = frame_along(k, u, s)
        mass, g1, g2, slope = law[r, Y_DENSITY] * length, dot(gravity, one), dot(gravity, two), 0.0
        for n in range(1, span[k, V_COUNT] + 1, 2):
            slope += 8.0 / (math.pi * n) ** 4
        load = slope * mass * mass * (g1 * g1 + g2 * g2)
        thrust = math.sqrt(max(tension * tension - load, 0.0))
        for n in range(1, span[k, V_COUNT] + 1):
            i = span[k, V_FIRST] + n - 1
            size_of = 4.0 * length * mass / ((math.pi * n) ** 3 * thrust) if n % 2 == 1 and thrust > 0.0 else 0.0
            mode[i, M_Q], mode[i, M_Q + 1], mode[i, M_P], mode[i, M_P + 1] = size_of * g1, size_of * g2, 0.0, 0.0
        longer += length * (tension / thrust - 1.0) if thrust > 0.0 else 0.0
    return longer


@kernel
def height_energy(r, ratio, m, s, w, gravity):
    """Energy of a rope's spans in the field of gravity; `ratio` is that of their unstretched rope to its path [J]."""
    span, mode, law, total = index_table(m, WAVE_SPAN), table(s, WAVE_MODE), table(m, WAVE_LAW), 0.0
    for at in range(index_table(s, ROPE_LIVE)[r, A_PARTS] - 1):
        k = int(law[r, Y_SPAN]) + at
        a, b, _, _ = span_ends(r, at, m, s, w)
        u, length = unit(minus(b, a)), size(minus(b, a))
        one, two = frame_along(k, u, s)
        centre = plus(plus((0.0, 0.0, 0.0), 0.5, a), 0.5, b)
        for n in range(1, span[k, V_COUNT] + 1, 2):
            i, f = span[k, V_FIRST] + n - 1, 2.0 / (math.pi * n)
            centre = plus(plus(centre, f * mode[i, M_Q], one), f * mode[i, M_Q + 1], two)
        total -= span_mass(law[r, Y_DENSITY], length, ratio, 1.0) * dot(gravity, centre)
    return total
