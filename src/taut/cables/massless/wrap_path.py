"""The shortest path over the wraps of a rope: nodes move with their bodies and slide until the path is as short as it can be."""

from __future__ import annotations

import math

from taut.cables.massless.columns import (
    A_PARTS,
    N_BODY,
    N_RADIUS,
    N_WRAP,
    P_FIRST,
    U_AXIS,
    U_BALL,
    U_CENTRE,
    U_FIRST,
    U_LEAST,
    U_ONE,
    U_RADIUS,
    U_REFERENCE,
    U_SENSE,
    U_TWO,
    U_Z_ONE,
    U_Z_TWO,
    W_AFTER,
    W_ARRIVES,
    W_AXIS,
    W_BEFORE,
    W_BENT,
    W_CENTRE,
    W_FIRST,
    W_LEAVES,
    W_SECOND,
)
from taut.cables.massless.geometry import span
from taut.contact.wrapping.chain import (
    H_AXIS,
    H_BALL,
    H_CENTRE,
    H_FIRST,
    H_ONE,
    H_RADIUS,
    H_SECOND,
    H_SENSE,
    MOST_NODES,
    tighten,
)
from taut.contact.wrapping.turn import turn_between
from taut.contact.wrapping.vectors import across, cross, dot, minus, plus, put, size, three, turned, turned_back, unit
from taut.core.buffers import column, index_table, indices, table
from taut.core.jit import kernel
from taut.core.model import (
    BODY_POS,
    BODY_QUAT,
    CHAIN_MATRIX,
    CHAIN_NODE,
    CHAIN_SIDE,
    PART_ANGLE,
    PART_FRAME,
    PART_INT,
    PART_PLACE,
    PART_PULL,
    ROPE_INT,
    ROPE_LIVE,
    ROPE_ORDER,
    WRAP_STATE,
)

#: rounds between wheels, balls and the wraps between them; change of the path that ends them [-]
ROUNDS, CLOSE = 40, 1e-13


@kernel
def place_wrap(k, m, s, w):
    """Frame and points of a wrap in the world, as it moves with its body."""
    part, place = index_table(m, PART_INT), table(w, PART_PLACE)
    state, b = table(s, WRAP_STATE)[part[k, N_WRAP]], part[k, N_BODY]
    pos, quat = three(table(s, BODY_POS)[b], 0), table(s, BODY_QUAT)[b]
    p = place[k]
    put(p, W_CENTRE, plus(pos, 1.0, turned(quat, three(state, U_CENTRE))))
    axis, first = turned(quat, three(state, U_AXIS)), turned(quat, three(state, U_FIRST))
    put(p, W_AXIS, axis)
    put(p, W_FIRST, first)
    put(p, W_SECOND, cross(axis, first))
    place_points(k, m, s, w)


@kernel
def _surface(p, radius, angle, z):
    """Point of a wrap's surface in the world."""
    c, s = radius * math.cos(angle), radius * math.sin(angle)
    at = plus(plus(three(p, W_CENTRE), c, three(p, W_FIRST)), s, three(p, W_SECOND))
    return plus(at, z, three(p, W_AXIS))


@kernel
def place_points(k, m, s, w):
    part, place = index_table(m, PART_INT), table(w, PART_PLACE)
    state = table(s, WRAP_STATE)[part[k, N_WRAP]]
    put(place[k], W_ARRIVES, _surface(place[k], state[U_RADIUS], state[U_ONE], state[U_Z_ONE]))
    put(place[k], W_LEAVES, _surface(place[k], state[U_RADIUS], state[U_TWO], state[U_Z_TWO]))


@kernel
def place_wheel(k, m, s, w):
    """Points of a wheel at the angles where the rope met it last. The first round of `tighten_rope` begins with them: they must be of the
    state, for what scratch has from another run would show in the last digits of one that goes on from a snapshot."""
    p, angle, radius = table(w, PART_PLACE)[k], table(s, PART_ANGLE)[k], table(m, PART_FRAME)[k, N_RADIUS]
    if radius > 0.0:
        put(p, W_ARRIVES, _surface(p, radius, angle[0], 0.0))
        put(p, W_LEAVES, _surface(p, radius, angle[1], 0.0))


@kernel
def _turn_ball(k, p, q, m, s, w):
    """Turn the axis of a ball into the normal of the plane of both neighbours; angles go on from where they were."""
    part, place = index_table(m, PART_INT), table(w, PART_PLACE)
    state, row = table(s, WRAP_STATE)[part[k, N_WRAP]], place[k]
    centre, old = three(row, W_CENTRE), three(row, W_AXIS)
    axis = cross(minus(p, centre), minus(q, centre))
    if size(axis) <= 1e-9 * size(minus(p, centre)) * size(minus(q, centre)):
        return
    axis = unit(axis)
    if dot(axis, old) < 0.0:
        axis = (-axis[0], -axis[1], -axis[2])
    # the first direction by the shortest turn from the old axis
    first = three(row, W_FIRST)
    n = cross(old, axis)
    a = cross(n, first)
    first = across(plus(plus(first, 1.0, a), 1.0 / (1.0 + dot(old, axis)), cross(n, a)), axis)
    put(row, W_AXIS, axis)
    put(row, W_FIRST, first)
    put(row, W_SECOND, cross(axis, first))
    quat = table(s, BODY_QUAT)[part[k, N_BODY]]
    put(state, U_AXIS, turned_back(quat, axis))
    put(state, U_FIRST, turned_back(quat, first))


@kernel
def _tighten_chain(r, i, j, m, s, w):
    """Shortest path over the wraps at places i to j of the path; the parts beside them stay."""
    rope, part, place = index_table(m, ROPE_INT), index_table(m, PART_INT), table(w, PART_PLACE)
    order, first, state = indices(s, ROPE_ORDER), rope[r, P_FIRST], table(s, WRAP_STATE)
    nodes = table(w, CHAIN_NODE)
    p, q = three(place[order[first + i - 1]], W_LEAVES), three(place[order[first + j + 1]], W_ARRIVES)
    for k in range(i, j + 1):
        part_of = order[first + k]
        row, at = state[part[part_of, N_WRAP]], place[part_of]
        if row[U_BALL] > 0.0:
            before, after = three(place[order[first + k - 1]], W_LEAVES), three(place[order[first + k + 1]], W_ARRIVES)
            _turn_ball(part_of, before, after, m, s, w)
        node = nodes[k - i]
        put(node, H_CENTRE, three(at, W_CENTRE))
        put(node, H_AXIS, three(at, W_AXIS))
        put(node, H_FIRST, three(at, W_FIRST))
        put(node, H_SECOND, three(at, W_SECOND))
        node[H_RADIUS], node[H_SENSE], node[H_BALL] = row[U_RADIUS], row[U_SENSE], row[U_BALL]
        for c in range(4):
            node[H_ONE + c] = row[U_ONE + c]
    count = j - i + 1
    done = tighten(nodes, count, p, q, column(w, CHAIN_MATRIX), column(w, CHAIN_SIDE))
    for k in range(i, j + 1):
        part_of = order[first + k]
        row, at, node = state[part[part_of, N_WRAP]], place[part_of], nodes[k - i]
        if done:
            for c in range(4):
                row[U_ONE + c] = node[H_ONE + c]
        else:
            # far from the path: one after the other, each by its closed form
            before, after = three(place[order[first + k - 1]], W_LEAVES), three(place[order[first + k + 1]], W_ARRIVES)
            row[U_ONE], row[U_Z_ONE], row[U_TWO], row[U_Z_TWO] = turn_between(
                before, after, three(at, W_CENTRE), three(at, W_AXIS), three(at, W_FIRST), three(at, W_SECOND),
                row[U_RADIUS], row[U_SENSE], row[U_ONE], row[U_TWO],
            )  # fmt: skip
            if row[U_BALL] > 0.0:
                row[U_Z_ONE], row[U_Z_TWO] = 0.0, 0.0
        place_points(part_of, m, s, w)
    return done


@kernel
def tighten_rope(r, m, s, w):
    """Spans between wheels and wraps, round by round until the path does not change; returns its length."""
    rope, part, frame = index_table(m, ROPE_INT), index_table(m, PART_INT), table(m, PART_FRAME)
    place, angle, pull = table(w, PART_PLACE), table(s, PART_ANGLE), column(w, PART_PULL)
    order, first, parts = indices(s, ROPE_ORDER), rope[r, P_FIRST], index_table(s, ROPE_LIVE)[r, A_PARTS]
    last, length = math.inf, 0.0
    for _ in range(ROUNDS):
        done, coupled = True, False
        i = 1
        while i < parts - 1:
            if part[order[first + i], N_WRAP] < 0:
                i += 1
                continue
            j = i
            while j + 1 < parts - 1 and part[order[first + j + 1], N_WRAP] >= 0 and j + 1 - i < MOST_NODES:
                j += 1
            # wheels, balls beside other wraps and chains that were cut in two follow each other
            for k in (i - 1, j + 1):
                coupled = coupled or frame[order[first + k], N_RADIUS] > 0.0 or part[order[first + k], N_WRAP] >= 0
            for k in range(i, j + 1):
                coupled = coupled or (j > i and table(s, WRAP_STATE)[part[order[first + k], N_WRAP], U_BALL] > 0.0)
            done = _tighten_chain(r, i, j, m, s, w) and done
            i = j + 1
        length = 0.0
        for i in range(parts - 1):
            length += span(order[first + i], order[first + i + 1], part, frame, place, angle, pull)
        length += _count_arcs(r, m, s, w)
        if done and (not coupled or abs(length - last) <= CLOSE * length):
            break
        last = length
    return length


@kernel
def _count_arcs(r, m, s, w):
    """Rope on the wraps before and after their reference, and the angle by which each turns it; returns their sum."""
    rope, part, place = index_table(m, ROPE_INT), index_table(m, PART_INT), table(w, PART_PLACE)
    order, first, angle = indices(s, ROPE_ORDER), rope[r, P_FIRST], table(s, PART_ANGLE)
    total = 0.0
    for i in range(1, index_table(s, ROPE_LIVE)[r, A_PARTS] - 1):
        k, n = order[first + i], order[first + i - 1]
        if part[k, N_WRAP] < 0:
            continue
        state = table(s, WRAP_STATE)[part[k, N_WRAP]]
        d = unit(minus(three(place[k], W_ARRIVES), three(place[n], W_LEAVES)))
        climb = dot(d, three(place[k], W_AXIS))
        flat = math.sqrt(max(1.0 - climb * climb, 1e-12))
        f = state[U_RADIUS] * state[U_SENSE] / flat
        place[k, W_BEFORE], place[k, W_AFTER] = (
            f * (state[U_REFERENCE] - state[U_ONE]),
            f * (state[U_TWO] - state[U_REFERENCE]),
        )
        place[k, W_BENT] = max((state[U_SENSE] * (state[U_TWO] - state[U_ONE]) - state[U_LEAST]) * flat, 0.0)
        angle[k, 0], angle[k, 1] = state[U_ONE], state[U_TWO]
        total += place[k, W_BEFORE] + place[k, W_AFTER]
    return total
