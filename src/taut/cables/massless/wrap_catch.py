"""Wraps that come and go: a span that has met an obstacle gets one, and one whose turn is used up leaves."""

from __future__ import annotations

import math

from taut.cables.layered.meet import curve_touch, least_turn
from taut.cables.layered.reshape import is_layered, join_spans, split_span
from taut.cables.massless.columns import (
    A_PARTS,
    N_BODY,
    N_WRAP,
    O_BODY,
    O_CENTRE,
    O_EDGE,
    O_EDGES,
    O_KIND,
    O_PLANE,
    O_PLANES,
    O_QUAT,
    O_ROPE_RADIUS,
    O_SIZE,
    O_SLOT,
    O_SLOTS,
    P_FIRST,
    P_LAST,
    P_OBSTACLE,
    P_OBSTACLES,
    U_AXIS,
    U_BALL,
    U_CENTRE,
    U_EDGE,
    U_FIRST,
    U_HIGH,
    U_LEAST,
    U_LIVE,
    U_LOW,
    U_ONE,
    U_RADIUS,
    U_REFERENCE,
    U_SENSE,
    U_TWO,
    U_Z_LAST,
    U_Z_ONE,
    U_Z_TWO,
    W_ARRIVES,
    W_AXIS,
    W_CENTRE,
    W_FIRST,
    W_LEAVES,
    W_LENGTH,
    W_SECOND,
)
from taut.cables.massless.wrap_path import place_points, place_wrap
from taut.cables.massless.wrap_rows import add_wrap, drop_wrap
from taut.contact.shapes import BOX, CAPSULE, SPHERE
from taut.contact.wrapping.edges import highest_edge, least_way_out
from taut.contact.wrapping.touch import first_touch
from taut.contact.wrapping.turn import fresh_turn, turn_between
from taut.contact.wrapping.vectors import across, cross, dot, minus, plus, put, size, three, turned, turned_back, unit
from taut.core.buffers import index_table, indices, table
from taut.core.jit import kernel
from taut.core.model import (
    BODY_POS,
    BODY_QUAT,
    BODY_VEL,
    HULL_EDGE,
    HULL_PLANE,
    OBSTACLE_FRAME,
    OBSTACLE_INT,
    PART_INT,
    PART_PLACE,
    ROPE_INT,
    ROPE_LIVE,
    ROPE_ORDER,
    WRAP_INT,
    WRAP_STATE,
)
from taut.core.quat import multiply

#: least height of an obstacle above a span, and least turn, for which a wrap appears [m, rad]
LEAST_HEIGHT, LEAST_TURN = 1e-10, 1e-9


#: what wrap_ropes returns when a rope has no slot left on an obstacle, less the number of the obstacle
SLOTS_FULL = -1


@kernel
def _obstacle_pose(o, m, s):
    """Centre and quaternion of an obstacle's shape in the world."""
    frame, b = table(m, OBSTACLE_FRAME)[o], index_table(m, OBSTACLE_INT)[o, O_BODY]
    quat = table(s, BODY_QUAT)[b]
    centre = plus(three(table(s, BODY_POS)[b], 0), 1.0, turned(quat, three(frame, O_CENTRE)))
    q = multiply(
        quat[0], quat[1], quat[2], quat[3], frame[O_QUAT], frame[O_QUAT + 1], frame[O_QUAT + 2], frame[O_QUAT + 3]
    )
    return centre, q


@kernel
def _free_slot(o, m, s):
    """A wrap slot of an obstacle that is not on the path, as a part; -1: none."""
    obstacle, part, wrap = index_table(m, OBSTACLE_INT), index_table(m, PART_INT), index_table(s, WRAP_INT)
    for k in range(obstacle[o, O_SLOT], obstacle[o, O_SLOTS]):
        if wrap[part[k, N_WRAP], U_LIVE] == 0:
            return k
    return -1


@kernel
def _set_cylinder(k, o, centre, axis, first, radius, low, high, sense, ball, edge, m, s):
    """Give a wrap its cylinder, in axes of the world; kept in those of its body."""
    part, b = index_table(m, PART_INT), index_table(m, OBSTACLE_INT)[o, O_BODY]
    state, quat = table(s, WRAP_STATE)[part[k, N_WRAP]], table(s, BODY_QUAT)[b]
    put(state, U_CENTRE, turned_back(quat, minus(centre, three(table(s, BODY_POS)[b], 0))))
    put(state, U_AXIS, turned_back(quat, axis))
    put(state, U_FIRST, turned_back(quat, first))
    state[U_RADIUS], state[U_LOW], state[U_HIGH], state[U_SENSE], state[U_BALL] = radius, low, high, sense, ball
    index_table(s, WRAP_INT)[part[k, N_WRAP], U_EDGE] = edge


@kernel
def _begin_turn(k, a, b, m, s, w):
    """First guess of the tangent points of a new wrap between two points; returns its turn."""
    part, row = index_table(m, PART_INT), table(w, PART_PLACE)[k]
    state = table(s, WRAP_STATE)[part[k, N_WRAP]]
    place_wrap(k, m, s, w)
    centre, axis = three(row, W_CENTRE), three(row, W_AXIS)
    first, second = three(row, W_FIRST), three(row, W_SECOND)
    one, two = fresh_turn(a, b, centre, first, second, state[U_RADIUS], state[U_SENSE])
    state[U_ONE], state[U_Z_ONE], state[U_TWO], state[U_Z_TWO] = turn_between(
        a, b, centre, axis, first, second, state[U_RADIUS], state[U_SENSE], one, two
    )
    if state[U_BALL] > 0.0:
        state[U_Z_ONE], state[U_Z_TWO] = 0.0, 0.0
    state[U_REFERENCE], state[U_Z_LAST], state[U_LEAST] = 0.5 * (one + two), math.nan, 0.0
    place_points(k, m, s, w)
    return state[U_SENSE] * (state[U_TWO] - state[U_ONE])


@kernel
def _wrap_edge(k, o, e, a, b, out, m, s, w):
    """Lay a wrap over an edge, on the side `out` (world); returns its turn."""
    edge, frame = table(m, HULL_EDGE)[e], table(m, OBSTACLE_FRAME)[o]
    centre, quat = _obstacle_pose(o, m, s)
    one, two = plus(centre, 1.0, turned(quat, three(edge, 0))), plus(centre, 1.0, turned(quat, three(edge, 3)))
    axis = unit(minus(two, one))
    first = across(out, axis)
    sense = 1.0 if dot(cross(axis, first), minus(b, a)) > 0.0 else -1.0
    _set_cylinder(k, o, one, axis, first, frame[O_ROPE_RADIUS], 0.0, size(minus(two, one)), sense, 0.0, e, m, s)
    return _begin_turn(k, a, b, m, s, w)


@kernel
def _wrap_round(k, o, y, a, b, out, m, s, w):
    """Lay a wrap over a ball, a cylinder or a capsule, on the side `out` (world); returns its turn, 0: it slips off."""
    frame, kind = table(m, OBSTACLE_FRAME)[o], index_table(m, OBSTACLE_INT)[o, O_KIND]
    centre, quat = _obstacle_pose(o, m, s)
    along, half, radius = turned(quat, (0.0, 0.0, 1.0)), frame[O_SIZE + 1], frame[O_SIZE] + frame[O_ROPE_RADIUS]
    if kind == SPHERE or (kind == CAPSULE and (y <= 0.0 or y >= 1.0)):
        if kind == CAPSULE:
            centre = plus(centre, -half if y <= 0.0 else half, along)
        d = across(minus(b, a), out)
        _set_cylinder(k, o, centre, cross(out, d), out, radius, -math.inf, math.inf, 1.0, 1.0, -1, m, s)
        return _begin_turn(k, a, b, m, s, w)
    first = across(out, along)
    sense = 1.0 if dot(cross(along, first), minus(b, a)) > 0.0 else -1.0
    _set_cylinder(k, o, centre, along, first, radius, -half, half, sense, 0.0, -1, m, s)
    turn = _begin_turn(k, a, b, m, s, w)
    state = table(s, WRAP_STATE)[index_table(m, PART_INT)[k, N_WRAP]]
    middle = 0.5 * (state[U_Z_ONE] + state[U_Z_TWO])
    return turn if -half <= middle <= half else 0.0


@kernel
def weigh_wrap(r, at, k, length, out, gravity, m, s, w, h, waves):
    """Least turn with which part k, a wrap behind place `at` with spans of this length beside it, stays; zero without weight."""
    least = 0.0
    if waves is not None:
        if is_layered(r, m):
            least = least_turn(r, at, length, out, gravity, m, s, w, h)
    table(s, WRAP_STATE)[index_table(m, PART_INT)[k, N_WRAP], U_LEAST] = least
    return least


@kernel
def _put_on(r, at, k, m, s, w, h, waves):
    """Put part k, a wrap, on the path behind place `at`."""
    add_wrap(r, at, k, m, s, w)
    if waves is not None:
        if is_layered(r, m):
            split_span(r, at, m, s, w, h)


@kernel
def _take_off(r, at, m, s, w, h, waves):
    """Take the wrap at place `at` off the path."""
    if waves is not None:
        if is_layered(r, m):
            join_spans(r, at, m, s, w, h)
    drop_wrap(r, at, m, s, w)


@kernel
def _seen_span(r, at, o, m, s, w):
    """Both ends of the span at place `at` in the frame of an obstacle."""
    place, order, first = table(w, PART_PLACE), indices(s, ROPE_ORDER), index_table(m, ROPE_INT)[r, P_FIRST]
    centre, quat = _obstacle_pose(o, m, s)
    a, b = three(place[order[first + at]], W_LEAVES), three(place[order[first + at + 1]], W_ARRIVES)
    return turned_back(quat, minus(a, centre)), turned_back(quat, minus(b, centre))


@kernel
def _too_near(end, point, centre, axis, radius, m):
    """Whether the rope is tied (part `end`, at `point`) nearer to an edge than its own radius: no tangent to the rounded edge
    begins there, and the rope ends at the edge instead of bending over it."""
    if index_table(m, PART_INT)[end, N_WRAP] >= 0:
        return False
    d = minus(point, centre)
    return size(plus(d, -dot(d, axis), axis)) < radius


@kernel
def _catch_edge(r, at, o, out, left, line, gravity, m, s, w, h, waves):
    """Put a wrap on the edge that stands highest above a line (both ends in the obstacle's frame) that is the span at place `at` or a
    piece of it, seen in direction `out` (world), but not on the edge `left` that it has just slid off.

    Returns 1: done, 0: none does, or SLOTS_FULL - o.
    """
    rope, part, place = index_table(m, ROPE_INT), index_table(m, PART_INT), table(w, PART_PLACE)
    order, first, obstacle, wrap = (
        indices(s, ROPE_ORDER),
        rope[r, P_FIRST],
        index_table(m, OBSTACLE_INT),
        index_table(s, WRAP_INT),
    )
    k, n = order[first + at], order[first + at + 1]
    a, b = three(place[k], W_LEAVES), three(place[n], W_ARRIVES)
    _, quat = _obstacle_pose(o, m, s)
    skip_one = wrap[part[k, N_WRAP], U_EDGE] if part[k, N_WRAP] >= 0 and part[k, N_BODY] == obstacle[o, O_BODY] else -1
    skip_two = wrap[part[n, N_WRAP], U_EDGE] if part[n, N_WRAP] >= 0 and part[n, N_BODY] == obstacle[o, O_BODY] else -1
    e, above, _ = highest_edge(
        line[0], line[1], turned_back(quat, out), table(m, HULL_EDGE), obstacle[o, O_EDGE], obstacle[o, O_EDGES], table(m, OBSTACLE_FRAME)[o, O_ROPE_RADIUS],
        skip_one, skip_two, left,
    )  # fmt: skip
    if e < 0 or above <= LEAST_HEIGHT:
        return 0
    edge, radius = table(m, HULL_EDGE)[e], table(m, OBSTACLE_FRAME)[o, O_ROPE_RADIUS]
    one, along = three(edge, 0), unit(minus(three(edge, 3), three(edge, 0)))
    whole = _seen_span(r, at, o, m, s, w)
    if _too_near(k, whole[0], one, along, radius, m) or _too_near(n, whole[1], one, along, radius, m):
        return 0
    slot = _free_slot(o, m, s)
    if slot < 0:
        return SLOTS_FULL - o
    turn = _wrap_edge(slot, o, e, a, b, out, m, s, w)
    if turn - weigh_wrap(r, at, slot, place[k, W_LENGTH], out, gravity, m, s, w, h, waves) <= LEAST_TURN:
        return 0
    _put_on(r, at, slot, m, s, w, h, waves)
    return 1


@kernel
def outward(k, m, s, w):
    """Direction from the body to the rope in the middle of a wrap (world)."""
    state, row = table(s, WRAP_STATE)[index_table(m, PART_INT)[k, N_WRAP]], table(w, PART_PLACE)[k]
    middle = 0.5 * (state[U_ONE] + state[U_TWO])
    c, f = math.cos(middle), math.sin(middle)
    one, two = three(row, W_FIRST), three(row, W_SECOND)
    return c * one[0] + f * two[0], c * one[1] + f * two[1], c * one[2] + f * two[2]


@kernel
def _catch(r, at, o, gravity, m, s, w, h, waves):
    """See whether the span at place `at` has met an obstacle, and put a wrap there; returns as _catch_edge does."""
    rope, part, place = index_table(m, ROPE_INT), index_table(m, PART_INT), table(w, PART_PLACE)
    order, first, obstacle = indices(s, ROPE_ORDER), rope[r, P_FIRST], index_table(m, OBSTACLE_INT)
    k, n = order[first + at], order[first + at + 1]
    body, kind = obstacle[o, O_BODY], obstacle[o, O_KIND]
    for end in (k, n):
        if part[end, N_BODY] == body and part[end, N_WRAP] < 0:
            return 0  # tied to it: what it begins on does not stand in its way
    for end in (k, n):
        if part[end, N_BODY] == body:
            # beside a wrap on the same body: a round one is out of the way, edges may follow
            if kind != BOX:
                return 0
            line = _seen_span(r, at, o, m, s, w)
            return _catch_edge(r, at, o, outward(end, m, s, w), -1, line, gravity, m, s, w, h, waves)
    a, b = three(place[k], W_LEAVES), three(place[n], W_ARRIVES)
    centre, quat = _obstacle_pose(o, m, s)
    met, out, y, a1, b1 = 0, (0.0, 0.0, 0.0), 0.0, a, b
    bent = False
    if waves is not None:
        if is_layered(r, m):
            bent = True
            met, out, y, a1, b1 = curve_touch(r, at, o, centre, quat, m, s, w, h)
    if not bent:
        a1, b1 = _seen_span(r, at, o, m, s, w)
        a0 = plus(a1, -h, turned_back(quat, _seen_speed(part[k, N_BODY], a, body, s)))
        b0 = plus(b1, -h, turned_back(quat, _seen_speed(part[n, N_BODY], b, body, s)))
        frame = table(m, OBSTACLE_FRAME)[o]
        met, out, y = first_touch(
            kind, frame[O_SIZE : O_SIZE + 3], table(m, HULL_PLANE), obstacle[o, O_PLANE], obstacle[o, O_PLANES],
            frame[O_ROPE_RADIUS], a0, b0, a1, b1,
        )  # fmt: skip
    if met == 0:
        return 0
    if kind == BOX and met == 2:
        out = least_way_out(a1, b1, table(m, HULL_EDGE), obstacle[o, O_EDGE], obstacle[o, O_EDGES])
    out = turned(quat, out)
    if kind == BOX:
        return _catch_edge(r, at, o, out, -1, (a1, b1), gravity, m, s, w, h, waves)
    slot = _free_slot(o, m, s)
    if slot < 0:
        return SLOTS_FULL - o
    turn = _wrap_round(slot, o, y, a, b, out, m, s, w)
    if turn == 0.0 or turn - weigh_wrap(r, at, slot, place[k, W_LENGTH], out, gravity, m, s, w, h, waves) <= LEAST_TURN:
        return 0
    _put_on(r, at, slot, m, s, w, h, waves)
    return 1


@kernel
def _seen_speed(body, p, other, s):
    """Velocity of a point of a body as seen from another body."""
    pos, vel = table(s, BODY_POS), table(s, BODY_VEL)
    one, two = (
        cross(three(vel[body], 3), minus(p, three(pos[body], 0))),
        cross(three(vel[other], 3), minus(p, three(pos[other], 0))),
    )
    return minus(plus(three(vel[body], 0), 1.0, one), plus(three(vel[other], 0), 1.0, two))


@kernel
def release(r, gravity, m, s, w, h, waves):
    """Take off one wrap whose turn is used up, or that has slid off; 1: one went, 0: none, or SLOTS_FULL - o."""
    rope, part, obstacle = index_table(m, ROPE_INT), index_table(m, PART_INT), index_table(m, OBSTACLE_INT)
    order, first, wrap = indices(s, ROPE_ORDER), rope[r, P_FIRST], index_table(s, WRAP_INT)
    place = table(w, PART_PLACE)
    for i in range(1, index_table(s, ROPE_LIVE)[r, A_PARTS] - 1):
        k = order[first + i]
        if part[k, N_WRAP] < 0 or k < rope[r, P_LAST]:
            continue  # a roller of the route stays
        state = table(s, WRAP_STATE)[part[k, N_WRAP]]
        middle = 0.5 * (state[U_Z_ONE] + state[U_Z_TWO])
        before, after = order[first + i - 1], order[first + i + 1]
        jammed = wrap[part[k, N_WRAP], U_EDGE] >= 0 and (
            _too_near(
                before,
                three(place[before], W_LEAVES),
                three(place[k], W_CENTRE),
                three(place[k], W_AXIS),
                state[U_RADIUS],
                m,
            )
            or _too_near(
                after,
                three(place[after], W_ARRIVES),
                three(place[k], W_CENTRE),
                three(place[k], W_AXIS),
                state[U_RADIUS],
                m,
            )
        )
        if jammed or state[U_SENSE] * (state[U_TWO] - state[U_ONE]) < state[U_LEAST]:
            _take_off(r, i, m, s, w, h, waves)
            return 1
        if middle < state[U_LOW] or middle > state[U_HIGH]:
            edge = wrap[part[k, N_WRAP], U_EDGE]
            a, b = three(place[before], W_LEAVES), three(place[after], W_ARRIVES)
            # seen from the straight line, the rope has gone past the corner on this side
            out = across(minus(three(place[k], W_ARRIVES), a), unit(minus(b, a)))
            _take_off(r, i, m, s, w, h, waves)
            for o in range(rope[r, P_OBSTACLE], rope[r, P_OBSTACLES]):
                if edge >= 0 and obstacle[o, O_SLOT] <= k < obstacle[o, O_SLOTS]:
                    # an edge round the corner takes over
                    line = _seen_span(r, i - 1, o, m, s, w)
                    found = _catch_edge(r, i - 1, o, out, edge, line, gravity, m, s, w, h, waves)
                    if found < 0:
                        return found
            return 1
    return 0


@kernel
def catch_any(r, gravity, m, s, w, h, waves):
    """The first span that has met an obstacle gets a wrap."""
    rope = index_table(m, ROPE_INT)
    for at in range(index_table(s, ROPE_LIVE)[r, A_PARTS] - 1):
        for o in range(rope[r, P_OBSTACLE], rope[r, P_OBSTACLES]):
            found = _catch(r, at, o, gravity, m, s, w, h, waves)
            if found != 0:
                return found
    return 0
