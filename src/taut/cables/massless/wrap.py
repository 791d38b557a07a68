"""Wraps: where a span of a rope meets an obstacle, a node appears, slides along the shortest path, and leaves again.

    place    nodes that are there move with their bodies
    tighten  all of them slide to the shortest path (taut.contact.wrapping.chain)
    release  a node whose turn is used up leaves; so does one that has slid off the end of its edge or cylinder
    catch    a span that has met an obstacle gets a node, on the side from which it came

The straight line and the path over a node that just touches it have the same length and the same derivative, so that
neither tension nor energy jumps when a node comes or goes. Layered ropes meet things with the curve in which they hang
(taut.cables.layered.meet); their waves go over to the spans that there are then (taut.cables.layered.reshape). `waves` is None where
no rope has any: that code is then left out.
"""

from __future__ import annotations

import math

from taut.cables.layered.meet import hang_rope, height_energy
from taut.cables.layered.reshape import is_layered, run_tension
from taut.cables.massless.columns import (
    A_PARTS,
    L_AFTER,
    L_BEFORE,
    N_TRANSFER,
    N_WRAP,
    P_FIRST,
    P_LAID,
    P_LAST,
    P_PATH,
    P_SEGMENT,
    P_SEGMENTS,
    P_SLOTS,
    U_ONE,
    U_RADIUS,
    U_REFERENCE,
    U_SENSE,
    U_Z_LAST,
    U_Z_ONE,
    W_ARRIVES,
    W_AXIS,
    W_LEAVES,
    W_LENGTH,
    X_BEGIN,
)
from taut.cables.massless.rows import arcs, place_on_body, segment_of
from taut.cables.massless.wrap_catch import catch_any, outward, release, weigh_wrap
from taut.cables.massless.wrap_path import place_wheel, place_wrap, tighten_rope
from taut.cables.massless.wrap_rows import begin_flows, stretch_to_path
from taut.contact.wrapping.vectors import dot, minus, three, unit
from taut.core.buffers import column, index_table, indices, table
from taut.core.jit import kernel
from taut.core.model import (
    LEDGER,
    PART_ANGLE,
    PART_FRAME,
    PART_INT,
    PART_PLACE,
    ROPE_ENERGY,
    ROPE_INT,
    ROPE_LAW,
    ROPE_LENGTH,
    ROPE_LIVE,
    ROPE_ORDER,
    TIME,
    TRANSFER_ROW,
    WRAP_STATE,
)


@kernel
def _weigh_wraps(r, gravity, m, s, w, h, waves):
    """Least turn of every wrap of rope r."""
    rope, part, place, order = (
        index_table(m, ROPE_INT), index_table(m, PART_INT), table(w, PART_PLACE), indices(s, ROPE_ORDER),
    )  # fmt: skip
    for i in range(1, index_table(s, ROPE_LIVE)[r, A_PARTS] - 1):
        before, k = order[rope[r, P_FIRST] + i - 1], order[rope[r, P_FIRST] + i]
        if part[k, N_WRAP] >= 0 and k >= rope[r, P_LAST]:
            length = place[before, W_LENGTH] + place[k, W_LENGTH]
            weigh_wrap(r, i - 1, k, length, outward(k, m, s, w), gravity, m, s, w, h, waves)


@kernel
def _hang_round(r, begun, gravity, m, s, w, h):
    """At the start: a layered rope that was laid round obstacles hangs at rest between them; returns how much longer that makes it.
    `begun` is its energy in the field of gravity along its route."""
    longer = hang_rope(r, run_tension(r, 0, m, s, w, h), m, s, w, gravity)
    column(s, ROPE_ENERGY)[X_BEGIN] += height_energy(r, _slenderness(r, m, s), m, s, w, gravity) - begun
    return longer


@kernel
def _slenderness(r, m, s):
    """Unstretched length of a rope over that of its path along the route."""
    rope, length, total = index_table(m, ROPE_INT), column(s, ROPE_LENGTH), 0.0
    for k in range(rope[r, P_SEGMENT], rope[r, P_SEGMENT] + rope[r, P_SEGMENTS]):
        total += length[k]
    return total / table(m, ROPE_LAW)[r, P_PATH]


@kernel
def wrap_ropes(settings, m, s, w, h, waves):
    """Wraps of all ropes for the coming step; 0, or SLOTS_FULL less the obstacle for which there is no slot."""
    gravity = (settings.gravity_x, settings.gravity_y, settings.gravity_z)
    rope, part = index_table(m, ROPE_INT), index_table(m, PART_INT)
    order, live = indices(s, ROPE_ORDER), index_table(s, ROPE_LIVE)
    for r in range(rope.shape[0]):
        first = rope[r, P_FIRST]
        rollers = False
        for k in range(first, rope[r, P_LAST]):
            rollers = rollers or part[k, N_WRAP] >= 0
        if rope[r, P_SLOTS] == rope[r, P_LAST] and not rollers:
            continue
        for i in range(live[r, A_PARTS]):
            k = order[first + i]
            if part[k, N_WRAP] >= 0:
                place_wrap(k, m, s, w)
            else:
                place_on_body(k, m, s, w)
                place_wheel(k, m, s, w)
        tighten_rope(r, m, s, w)
        begins, begun = column(s, LEDGER)[TIME] == 0.0, 0.0
        bent = False
        if waves is not None:
            bent = is_layered(r, m)
            if bent:
                _weigh_wraps(r, gravity, m, s, w, h, waves)
            if bent and begins:
                begun = height_energy(r, _slenderness(r, m, s), m, s, w, gravity)
        for _ in range(4 * (rope[r, P_SLOTS] - rope[r, P_LAST]) + 1):
            found = release(r, gravity, m, s, w, h, waves)
            if found == 0:
                found = catch_any(r, gravity, m, s, w, h, waves)
            if found < 0:
                return found
            if found == 0:
                break
            tighten_rope(r, m, s, w)
        longer = 0.0
        if waves is not None:
            if bent and begins and live[r, A_PARTS] > rope[r, P_LAST] - first:
                longer = _hang_round(r, begun, gravity, m, s, w, h)
            elif bent and begins:
                longer = table(m, ROPE_LAW)[r, P_PATH] - _path(r, m, s, w)
        if begins and rope[r, P_LAID] == 1:
            stretch_to_path(r, _path(r, m, s, w) + longer, m, s, w, h)
        begin_flows(r, m, s, w, waves)
        _slide(r, m, s, w)
    return 0


@kernel
def _path(r, m, s, w):
    """Length of the path of rope r with all its arcs, on drums what has wound off since the start [m]."""
    part, frame, place = index_table(m, PART_INT), table(m, PART_FRAME), table(w, PART_PLACE)
    order, first = indices(s, ROPE_ORDER), index_table(m, ROPE_INT)[r, P_FIRST]
    parts, angle, total = index_table(s, ROPE_LIVE)[r, A_PARTS], table(s, PART_ANGLE), 0.0
    for i in range(parts):
        k = order[first + i]
        if i < parts - 1:
            total += place[k, W_LENGTH]
        before, after = arcs(k, part, frame, angle, place)
        if 0 < i < parts - 1:
            total += before + after
        elif part[k, N_TRANSFER] >= 0:
            total += after if i == 0 else before
    return total


@kernel
def _slide(r, m, s, w):
    """Rope that has friction and slides along an edge or an axis: what that takes from one side it gives to the other.

    The path before the node grows by the sine of its slope times the way, that behind it shrinks by as much; friction acts
    along the rope only, so that this is done without force.
    """
    rope, part, link = index_table(m, ROPE_INT), index_table(m, PART_INT), index_table(s, TRANSFER_ROW)
    order, first, place, length = indices(s, ROPE_ORDER), rope[r, P_FIRST], table(w, PART_PLACE), column(s, ROPE_LENGTH)
    for i in range(1, index_table(s, ROPE_LIVE)[r, A_PARTS] - 1):
        k = order[first + i]
        if part[k, N_WRAP] < 0:
            continue
        state, t = table(s, WRAP_STATE)[part[k, N_WRAP]], part[k, N_TRANSFER]
        d = unit(minus(three(place[k], W_ARRIVES), three(place[order[first + i - 1]], W_LEAVES)))
        climb = dot(d, three(place[k], W_AXIS))
        rise = climb / math.sqrt(max(1.0 - climb * climb, 1e-12))
        z = state[U_Z_ONE] + state[U_RADIUS] * state[U_SENSE] * (state[U_REFERENCE] - state[U_ONE]) * rise
        if t >= 0 and not math.isnan(state[U_Z_LAST]):
            way = climb * (z - state[U_Z_LAST])
            length[segment_of(m, w, link[t, L_BEFORE])] += way
            length[segment_of(m, w, link[t, L_AFTER])] -= way
        state[U_Z_LAST] = z
