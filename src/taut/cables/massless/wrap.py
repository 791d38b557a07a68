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

from taut.cables.layered.meet import curve_touch, hang_rope, height_energy, least_turn
from taut.cables.layered.reshape import is_layered, join_spans, run_tension, split_span
from taut.cables.massless.columns import (
    A_PARTS,
    L_AFTER,
    L_BEFORE,
    N_BODY,
    N_RADIUS,
    N_TRANSFER,
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
    P_LAID,
    P_LAST,
    P_OBSTACLE,
    P_OBSTACLES,
    P_PATH,
    P_SEGMENT,
    P_SEGMENTS,
    P_SLOTS,
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
    W_AFTER,
    W_ARRIVES,
    W_AXIS,
    W_BEFORE,
    W_BENT,
    W_CENTRE,
    W_FIRST,
    W_LEAVES,
    W_LENGTH,
    W_SECOND,
    X_BEGIN,
)
from taut.cables.massless.geometry import span
from taut.cables.massless.rows import arcs, place_on_body, segment_of
from taut.cables.massless.wrap_rows import add_wrap, begin_flows, drop_wrap, stretch_to_path
from taut.contact.shapes import BOX, CAPSULE, SPHERE
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
from taut.contact.wrapping.edges import highest_edge, least_way_out
from taut.contact.wrapping.touch import first_touch
from taut.contact.wrapping.turn import fresh_turn, turn_between
from taut.contact.wrapping.vectors import across, cross, dot, minus, plus, put, size, three, turned, turned_back, unit
from taut.core.buffers import column, index_table, indices, table
from taut.core.jit import kernel
from taut.core.model import (
    BODY_POS,
    BODY_QUAT,
    BODY_VEL,
    CHAIN_MATRIX,
    CHAIN_NODE,
    CHAIN_SIDE,
    HULL_EDGE,
    HULL_PLANE,
    LEDGER,
    OBSTACLE_FRAME,
    OBSTACLE_INT,
    PART_ANGLE,
    PART_FRAME,
    PART_INT,
    PART_PLACE,
    PART_PULL,
    ROPE_ENERGY,
    ROPE_INT,
    ROPE_LAW,
    ROPE_LENGTH,
    ROPE_LIVE,
    ROPE_ORDER,
    TIME,
    TRANSFER_ROW,
    WRAP_INT,
    WRAP_STATE,
)
from taut.core.quat import multiply

#: rounds between wheels, balls and the wraps between them; change of the path that ends them [-]
ROUNDS, CLOSE = 40, 1e-13
#: least height of an obstacle above a span, and least turn, for which a wrap appears [m, rad]
LEAST_HEIGHT, LEAST_TURN = 1e-10, 1e-9
#: what wrap_ropes returns when a rope has no slot left on an obstacle, less the number of the obstacle
SLOTS_FULL = -1


@kernel
def _place_wrap(k, m, s, w):
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
    _place_points(k, m, s, w)


@kernel
def _surface(p, radius, angle, z):
    """Point of a wrap's surface in the world."""
    c, s = radius * math.cos(angle), radius * math.sin(angle)
    at = plus(plus(three(p, W_CENTRE), c, three(p, W_FIRST)), s, three(p, W_SECOND))
    return plus(at, z, three(p, W_AXIS))


@kernel
def _place_points(k, m, s, w):
    part, place = index_table(m, PART_INT), table(w, PART_PLACE)
    state = table(s, WRAP_STATE)[part[k, N_WRAP]]
    put(place[k], W_ARRIVES, _surface(place[k], state[U_RADIUS], state[U_ONE], state[U_Z_ONE]))
    put(place[k], W_LEAVES, _surface(place[k], state[U_RADIUS], state[U_TWO], state[U_Z_TWO]))


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
        _place_points(part_of, m, s, w)
    return done


@kernel
def _tighten_rope(r, m, s, w):
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
    _place_wrap(k, m, s, w)
    centre, axis = three(row, W_CENTRE), three(row, W_AXIS)
    first, second = three(row, W_FIRST), three(row, W_SECOND)
    one, two = fresh_turn(a, b, centre, first, second, state[U_RADIUS], state[U_SENSE])
    state[U_ONE], state[U_Z_ONE], state[U_TWO], state[U_Z_TWO] = turn_between(
        a, b, centre, axis, first, second, state[U_RADIUS], state[U_SENSE], one, two
    )
    if state[U_BALL] > 0.0:
        state[U_Z_ONE], state[U_Z_TWO] = 0.0, 0.0
    state[U_REFERENCE], state[U_Z_LAST], state[U_LEAST] = 0.5 * (one + two), math.nan, 0.0
    _place_points(k, m, s, w)
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
def _weigh_wrap(r, at, k, length, out, gravity, m, s, w, h, waves):
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
    slot = _free_slot(o, m, s)
    if slot < 0:
        return SLOTS_FULL - o
    turn = _wrap_edge(slot, o, e, a, b, out, m, s, w)
    if turn - _weigh_wrap(r, at, slot, place[k, W_LENGTH], out, gravity, m, s, w, h, waves) <= LEAST_TURN:
        return 0
    _put_on(r, at, slot, m, s, w, h, waves)
    return 1


@kernel
def _seen_span(r, at, o, m, s, w):
    """Both ends of the span at place `at` in the frame of an obstacle."""
    place, order, first = table(w, PART_PLACE), indices(s, ROPE_ORDER), index_table(m, ROPE_INT)[r, P_FIRST]
    centre, quat = _obstacle_pose(o, m, s)
    a, b = three(place[order[first + at]], W_LEAVES), three(place[order[first + at + 1]], W_ARRIVES)
    return turned_back(quat, minus(a, centre)), turned_back(quat, minus(b, centre))


@kernel
def _outward(k, m, s, w):
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
            return _catch_edge(r, at, o, _outward(end, m, s, w), -1, line, gravity, m, s, w, h, waves)
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
    if (
        turn == 0.0
        or turn - _weigh_wrap(r, at, slot, place[k, W_LENGTH], out, gravity, m, s, w, h, waves) <= LEAST_TURN
    ):
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
def _release(r, gravity, m, s, w, h, waves):
    """Take off one wrap whose turn is used up, or that has slid off; 1: one went, 0: none, or SLOTS_FULL - o."""
    rope, part, obstacle = index_table(m, ROPE_INT), index_table(m, PART_INT), index_table(m, OBSTACLE_INT)
    order, first, wrap = indices(s, ROPE_ORDER), rope[r, P_FIRST], index_table(s, WRAP_INT)
    for i in range(1, index_table(s, ROPE_LIVE)[r, A_PARTS] - 1):
        k = order[first + i]
        if part[k, N_WRAP] < 0 or k < rope[r, P_LAST]:
            continue  # a roller of the route stays
        state = table(s, WRAP_STATE)[part[k, N_WRAP]]
        middle = 0.5 * (state[U_Z_ONE] + state[U_Z_TWO])
        if state[U_SENSE] * (state[U_TWO] - state[U_ONE]) < state[U_LEAST]:
            _take_off(r, i, m, s, w, h, waves)
            return 1
        if middle < state[U_LOW] or middle > state[U_HIGH]:
            edge, place = wrap[part[k, N_WRAP], U_EDGE], table(w, PART_PLACE)
            a, b = three(place[order[first + i - 1]], W_LEAVES), three(place[order[first + i + 1]], W_ARRIVES)
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
def _weigh_wraps(r, gravity, m, s, w, h, waves):
    """Least turn of every wrap of rope r."""
    rope, part, place, order = (
        index_table(m, ROPE_INT), index_table(m, PART_INT), table(w, PART_PLACE), indices(s, ROPE_ORDER),
    )  # fmt: skip
    for i in range(1, index_table(s, ROPE_LIVE)[r, A_PARTS] - 1):
        before, k = order[rope[r, P_FIRST] + i - 1], order[rope[r, P_FIRST] + i]
        if part[k, N_WRAP] >= 0 and k >= rope[r, P_LAST]:
            length = place[before, W_LENGTH] + place[k, W_LENGTH]
            _weigh_wrap(r, i - 1, k, length, _outward(k, m, s, w), gravity, m, s, w, h, waves)


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
                _place_wrap(k, m, s, w)
            else:
                place_on_body(k, m, s, w)
        _tighten_rope(r, m, s, w)
        begins, begun = column(s, LEDGER)[TIME] == 0.0, 0.0
        bent = False
        if waves is not None:
            bent = is_layered(r, m)
            if bent:
                _weigh_wraps(r, gravity, m, s, w, h, waves)
            if bent and begins:
                begun = height_energy(r, _slenderness(r, m, s), m, s, w, gravity)
        for _ in range(4 * (rope[r, P_SLOTS] - rope[r, P_LAST]) + 1):
            found = _release(r, gravity, m, s, w, h, waves)
            if found == 0:
                found = _catch_any(r, gravity, m, s, w, h, waves)
            if found < 0:
                return found
            if found == 0:
                break
            _tighten_rope(r, m, s, w)
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


@kernel
def _catch_any(r, gravity, m, s, w, h, waves):
    """The first span that has met an obstacle gets a wrap."""
    rope = index_table(m, ROPE_INT)
    for at in range(index_table(s, ROPE_LIVE)[r, A_PARTS] - 1):
        for o in range(rope[r, P_OBSTACLE], rope[r, P_OBSTACLES]):
            found = _catch(r, at, o, gravity, m, s, w, h, waves)
            if found != 0:
                return found
    return 0
