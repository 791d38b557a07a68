"""The weight of a massless rope on the parts it runs over, where it is asked for. The rope has no inertia all the same.

The weight of each span acts half and half at its two ends, that of an arc at its centre of mass on the wheel. A segment of
unstretched length L on a path of length l has the potential

    V = m' g L z,    z its mean height, spans and arcs

whose gradient is these weights and a tension m' g (z_i - z) L/l beyond the mean in a span of mean height z_i: the tension of
a rope at rest rises with height, T(s) = T_mean + m' g (z(s) - z). (That tangent points move along their wheels drops out:
rope goes from span to arc at one height.) The row of the segment knows the mean, which is what stretches it; at a part
that holds the rope back its two sides have m' g (z_part - z) more (`transfer_head`).
"""

from __future__ import annotations

import math

from taut.cables.massless.columns import (
    A_PARTS,
    A_ROWS,
    L_AFTER,
    L_BEFORE,
    N_BODY,
    N_KIND,
    N_MIDDLE,
    N_RADIUS,
    N_TRANSFER,
    N_TURN,
    N_WRAP,
    P_BREAK,
    P_DENSITY,
    P_FIRST,
    P_SEGMENT,
    POINT_PART,
    U_ONE,
    U_RADIUS,
    U_REFERENCE,
    U_TWO,
    U_Z_ONE,
    U_Z_TWO,
    W_AFTER,
    W_ARRIVES,
    W_AXIS,
    W_BEFORE,
    W_CENTRE,
    W_FIRST,
    W_LEAVES,
    W_LENGTH,
    W_SECOND,
    W_SEGMENT,
    X_BEGIN,
    X_WEIGHT,
    X_WOUND,
)
from taut.cables.massless.rows import part_rope
from taut.cables.massless.transfers import flow_of
from taut.core.buffers import column, index_table, indices, table
from taut.core.jit import kernel
from taut.core.model import (
    BODY_NEW,
    BODY_NODE,
    BODY_POS,
    G_START,
    GROUP_INT,
    JOINT_INT,
    LEDGER,
    NODE_RHS,
    PART_ANGLE,
    PART_FRAME,
    PART_INT,
    PART_PLACE,
    ROPE_BROKEN,
    ROPE_ENERGY,
    ROPE_INT,
    ROPE_LAW,
    ROPE_LENGTH,
    ROPE_LIVE,
    ROPE_ORDER,
    ROW_LAM,
    TIME,
    TRANSFER_HEAD,
    TRANSFER_ROW,
    WORK_KINEMATIC,
    WRAP_STATE,
)


@kernel
def _height(settings, x, y, z):
    """Work against gravity of a kilogram at a point [J/kg]."""
    return -(settings.gravity_x * x + settings.gravity_y * y + settings.gravity_z * z)


@kernel
def _rise(wrap):
    """Way along the axis of a wrap for each radian of its arc; both ends of it are on one straight line when unrolled."""
    turn = wrap[U_TWO] - wrap[U_ONE]
    return (wrap[U_Z_TWO] - wrap[U_Z_ONE]) / turn if abs(turn) > 1e-9 else 0.0


@kernel
def _wrap_arc(p, after, m, s, w):
    """Length of the arc on a wrap after (or before) the angle from which its rope is counted, and its first moment."""
    wrap, q = table(s, WRAP_STATE)[index_table(m, PART_INT)[p, N_WRAP]], table(w, PART_PLACE)[p]
    first, last = wrap[U_ONE], wrap[U_REFERENCE]
    if after:
        first, last = wrap[U_REFERENCE], wrap[U_TWO]
    if last == first:
        return 0.0, 0.0, 0.0, 0.0
    arc = q[W_AFTER] if after else q[W_BEFORE]
    z = wrap[U_Z_ONE] + _rise(wrap) * (0.5 * (first + last) - wrap[U_ONE])
    c = arc * wrap[U_RADIUS] / (last - first)
    one, two = c * (math.sin(last) - math.sin(first)), -c * (math.cos(last) - math.cos(first))
    return (
        arc,
        arc * (q[W_CENTRE] + z * q[W_AXIS]) + one * q[W_FIRST] + two * q[W_SECOND],
        arc * (q[W_CENTRE + 1] + z * q[W_AXIS + 1]) + one * q[W_FIRST + 1] + two * q[W_SECOND + 1],
        arc * (q[W_CENTRE + 2] + z * q[W_AXIS + 2]) + one * q[W_FIRST + 2] + two * q[W_SECOND + 2],
    )


@kernel
def _arc(r, i, after, m, s, w):
    """Length of the arc on the part at place i of the path of rope r, after (or before) its middle, as its segment counts
    it, and its first moment."""
    part, frame = index_table(m, PART_INT), table(m, PART_FRAME)
    p = indices(s, ROPE_ORDER)[index_table(m, ROPE_INT)[r, P_FIRST] + i]
    if part[p, N_WRAP] >= 0:
        return _wrap_arc(p, after, m, s, w)
    inside = 0 < i < index_table(s, ROPE_LIVE)[r, A_PARTS] - 1
    if part[p, N_KIND] == POINT_PART or not (inside or part[p, N_TRANSFER] >= 0):
        return 0.0, 0.0, 0.0, 0.0
    angle, q, radius, turn = table(s, PART_ANGLE)[p], table(w, PART_PLACE)[p], frame[p, N_RADIUS], part[p, N_TURN]
    first = frame[p, N_MIDDLE] if after else angle[0]
    last = angle[1] if after else frame[p, N_MIDDLE]
    arc, c = turn * radius * (last - first), turn * radius * radius
    one, two = c * (math.sin(last) - math.sin(first)), -c * (math.cos(last) - math.cos(first))
    return (
        arc,
        arc * q[W_CENTRE] + one * q[W_FIRST] + two * q[W_SECOND],
        arc * q[W_CENTRE + 1] + one * q[W_FIRST + 1] + two * q[W_SECOND + 1],
        arc * q[W_CENTRE + 2] + one * q[W_FIRST + 2] + two * q[W_SECOND + 2],
    )


@kernel
def _middle_height(settings, k, m, s, w):
    """Height of the point of part k at which its two segments meet, or rope leaves its drum, as work against gravity."""
    p, frame, on = table(w, PART_PLACE)[k], table(m, PART_FRAME)[k], index_table(m, PART_INT)[k, N_WRAP]
    radius, angle, z = frame[N_RADIUS], frame[N_MIDDLE], 0.0
    if on >= 0:
        wrap = table(s, WRAP_STATE)[on]
        radius, angle = wrap[U_RADIUS], wrap[U_REFERENCE]
        z = wrap[U_Z_ONE] + _rise(wrap) * (angle - wrap[U_ONE])
    c, e = radius * math.cos(angle), radius * math.sin(angle)
    return _height(
        settings, p[W_CENTRE] + c * p[W_FIRST] + e * p[W_SECOND] + z * p[W_AXIS],
        p[W_CENTRE + 1] + c * p[W_FIRST + 1] + e * p[W_SECOND + 1] + z * p[W_AXIS + 1],
        p[W_CENTRE + 2] + c * p[W_FIRST + 2] + e * p[W_SECOND + 2] + z * p[W_AXIS + 2],
    )  # fmt: skip


@kernel
def _span_height(settings, place, k, n):
    """Mean height of the span from part k to part n, as work against gravity."""
    a, b = place[k, W_LEAVES : W_LEAVES + 3], place[n, W_ARRIVES : W_ARRIVES + 3]
    return 0.5 * _height(settings, a[0] + b[0], a[1] + b[1], a[2] + b[2])


@kernel
def mean_height(settings, r, j, m, s, w):
    """Length of the path of segment j of rope r, and its mean height as work against gravity [m, J/kg]."""
    place, order, first = table(w, PART_PLACE), indices(s, ROPE_ORDER), index_table(m, ROPE_INT)[r, P_FIRST]
    path, total = 0.0, 0.0
    for i in range(index_table(s, ROPE_LIVE)[r, A_PARTS] - 1):
        k = order[first + i]
        if int(place[k, W_SEGMENT]) != j:
            continue
        path += place[k, W_LENGTH]
        total += place[k, W_LENGTH] * _span_height(settings, place, k, order[first + i + 1])
        for side in range(2):
            arc, x, y, z = _arc(r, i + side, side == 0, m, s, w)
            path += arc
            total += _height(settings, x, y, z)
    return path, total / max(path, 1e-9)


@kernel
def weigh_transfers(settings, m, s, w):
    """Tension that the weight of a rope adds on both sides of the parts that hold it back.

    At the start also the energy of their weight as they lie, round their obstacles.
    """
    rope, law, part, place = (
        index_table(m, ROPE_INT), table(m, ROPE_LAW), index_table(m, PART_INT), table(w, PART_PLACE),
    )  # fmt: skip
    head, broken, order, live = (
        table(s, TRANSFER_HEAD), indices(s, ROPE_BROKEN), indices(s, ROPE_ORDER), index_table(s, ROPE_LIVE),
    )  # fmt: skip
    for r in range(rope.shape[0]):
        if law[r, P_DENSITY] == 0.0:
            continue
        first = rope[r, P_FIRST]
        for j in range(live[r, A_ROWS]):
            density = 0.0 if broken[rope[r, P_SEGMENT] + j] == 1 else law[r, P_DENSITY]
            mean = mean_height(settings, r, j, m, s, w)[1]
            for i in range(first, first + live[r, A_PARTS] - 1):
                if int(place[order[i], W_SEGMENT]) != j:
                    continue
                for side in range(2):
                    t = part[order[i + side], N_TRANSFER]
                    if t >= 0:
                        head[t, 1 - side] = density * (_middle_height(settings, order[i + side], m, s, w) - mean)
    if column(s, LEDGER)[TIME] == 0.0:
        energy, now = column(s, ROPE_ENERGY), _raised(settings, m, s, w)
        energy[X_BEGIN] += now - energy[X_WEIGHT]
        energy[X_WEIGHT] = now


@kernel
def _raised(settings, m, s, w):
    """Energy of the weight of all ropes in the field of gravity, at the start of the step, without what is on drums."""
    rope, law, live, broken = (
        index_table(m, ROPE_INT), table(m, ROPE_LAW), index_table(s, ROPE_LIVE), indices(s, ROPE_BROKEN),
    )  # fmt: skip
    total = 0.0
    for r in range(rope.shape[0]):
        for j in range(live[r, A_ROWS] if law[r, P_DENSITY] > 0.0 else 0):
            segment = rope[r, P_SEGMENT] + j
            if broken[segment] == 0:
                mass = law[r, P_DENSITY] * max(column(s, ROPE_LENGTH)[segment], 0.0)
                total += mass * mean_height(settings, r, j, m, s, w)[1]
    return total


@kernel
def _push(body, px, py, pz, x, y, z, m, s, w, h, commit):
    """Give the force (x, y, z) at a point to a body's right side; with `commit` return its work over half the step."""
    pos, new, node = table(s, BODY_POS)[body], table(w, BODY_NEW)[body], indices(m, BODY_NODE)[body]
    back = h if commit else 0.0  # the bodies have moved on by then
    a, b, c = px - pos[0] + back * new[0], py - pos[1] + back * new[1], pz - pos[2] + back * new[2]
    u, v, q = b * z - c * y, c * x - a * z, a * y - b * x
    if not commit:
        if node >= 0:
            rhs = table(w, NODE_RHS)[node]
            rhs[0] += h * x
            rhs[1] += h * y
            rhs[2] += h * z
            rhs[3] += h * u
            rhs[4] += h * v
            rhs[5] += h * q
        return 0.0
    work = h * (x * new[0] + y * new[1] + z * new[2] + u * new[3] + v * new[4] + q * new[5])
    if node < 0:
        column(s, LEDGER)[WORK_KINEMATIC] -= work
    return 0.5 * work


@kernel
def weigh_ropes(settings, m, s, w, h, commit):
    """Weights and differences of tension on the bodies, as impulses; with `commit` the energy half a step on instead.

    The side force of a fleet angle is left out of the differences of tension: a part of them in a thousand.
    """
    rope, law, part, place = (
        index_table(m, ROPE_INT), table(m, ROPE_LAW), index_table(m, PART_INT), table(w, PART_PLACE),
    )  # fmt: skip
    unstretched, broken, total = column(s, ROPE_LENGTH), indices(s, ROPE_BROKEN), 0.0
    order, live = indices(s, ROPE_ORDER), index_table(s, ROPE_LIVE)
    for r in range(rope.shape[0]):
        if law[r, P_DENSITY] == 0.0:
            continue
        first = rope[r, P_FIRST]
        for j in range(live[r, A_ROWS]):
            segment = rope[r, P_SEGMENT] + j
            if broken[segment] == 1:
                continue  # what is parted lies somewhere
            path, mean = mean_height(settings, r, j, m, s, w)
            density = law[r, P_DENSITY] * max(unstretched[segment], 0.0) / max(path, 1e-9)
            total += density * path * mean
            for i in range(live[r, A_PARTS] - 1):
                k, n = order[first + i], order[first + i + 1]
                if int(place[k, W_SEGMENT]) != j:
                    continue
                half = 0.5 * density * place[k, W_LENGTH]
                pull = density * (_span_height(settings, place, k, n) - mean) / max(place[k, W_LENGTH], 1e-9)
                p, q = place[k, W_LEAVES : W_LEAVES + 3], place[n, W_ARRIVES : W_ARRIVES + 3]
                dx, dy, dz = pull * (q[0] - p[0]), pull * (q[1] - p[1]), pull * (q[2] - p[2])
                x, y, z = half * settings.gravity_x, half * settings.gravity_y, half * settings.gravity_z
                a, b = part[k, N_BODY], part[n, N_BODY]
                total -= _push(a, p[0], p[1], p[2], x + dx, y + dy, z + dz, m, s, w, h, commit)
                total -= _push(b, q[0], q[1], q[2], x - dx, y - dy, z - dz, m, s, w, h, commit)
                for side in range(2):
                    arc, x, y, z = _arc(r, i + side, side == 0, m, s, w)
                    if abs(arc) > 1e-9:
                        f = density * arc
                        total -= _push(
                            part[order[first + i + side], N_BODY], x / arc, y / arc, z / arc, f * settings.gravity_x, f * settings.gravity_y,
                            f * settings.gravity_z, m, s, w, h, commit,
                        )  # fmt: skip
    return total


@kernel
def commit_weights(settings, m, s, w, h):
    """Energy of the weight of ropes in the middle of the step; a rope parts where its weight is too much for it.

    Called before the rope of the step has run: a flow takes its weight from one segment, or a drum, to the next.
    """
    rope, law, transfer = index_table(m, ROPE_INT), table(m, ROPE_LAW), index_table(s, TRANSFER_ROW)
    part, place, head = index_table(m, PART_INT), table(w, PART_PLACE), table(s, TRANSFER_HEAD)
    energy, lam = column(s, ROPE_ENERGY), column(s, ROW_LAM)
    joints, group = index_table(m, JOINT_INT).shape[0], index_table(w, GROUP_INT)
    order, live = indices(s, ROPE_ORDER), index_table(s, ROPE_LIVE)
    now = weigh_ropes(settings, m, s, w, h, True) + energy[X_WOUND]
    for r in range(rope.shape[0]):
        if law[r, P_DENSITY] == 0.0:
            continue
        start, first = group[joints + r, G_START], rope[r, P_FIRST]
        for i in range(first, first + live[r, A_PARTS]):
            k = order[i]
            t = part[k, N_TRANSFER]
            if t < 0:
                continue
            flow = flow_of(t, m, s, h)
            now -= 0.5 * h * flow * (head[t, 1] - head[t, 0])
            raised = h * flow * law[r, P_DENSITY] * _middle_height(settings, k, m, s, w)
            if transfer[t, L_BEFORE] < 0:
                energy[X_WOUND] -= raised
            elif transfer[t, L_AFTER] < 0:
                energy[X_WOUND] += raised
        for j in range(live[r, A_ROWS]):
            mean = mean_height(settings, r, j, m, s, w)[1]
            for i in range(first, first + live[r, A_PARTS] - 1):
                k, n = order[i], order[i + 1]
                if int(place[k, W_SEGMENT]) != j:
                    continue
                p, q = place[k, W_LEAVES : W_LEAVES + 3], place[n, W_ARRIVES : W_ARRIVES + 3]
                highest = max(_height(settings, p[0], p[1], p[2]), _height(settings, q[0], q[1], q[2]))
                if law[r, P_DENSITY] * (highest - mean) - lam[start + j] / h > law[r, P_BREAK] and lam[start + j] < 0.0:
                    part_rope(r, rope[r, P_SEGMENT] + j, m, s)
    energy[X_WEIGHT] = now
