"""What wraps do to the rows of their rope: a run is split where one appears and joined where one leaves.

Parts of a rope keep their numbers; `rope_order` says which of them are on its path, in their order, and the first rows of
its group are the runs between those that hold it back. A wrap without friction merges its two sides as a ring does.
"""

from __future__ import annotations

from taut.cables.layered.reshape import bend_of, is_layered
from taut.cables.massless.columns import (
    A_PARTS,
    A_ROWS,
    F_FLOW,
    F_FORCE,
    F_STATUS,
    HELD,
    L_AFTER,
    L_BEFORE,
    N_BODY,
    N_TRANSFER,
    N_WRAP,
    P_FIRST,
    P_PATH,
    P_SEGMENT,
    P_SEGMENTS,
    P_SOFTNESS,
    U_FRESH,
    U_LIVE,
    W_AFTER,
    W_ARRIVES,
    W_BEFORE,
    W_LEAVES,
    W_LENGTH,
    X_BEGIN,
    X_STORED,
)
from taut.cables.massless.drum import V_MORE, V_OUT, V_ROPE, V_SPEED, V_TO_POSITION
from taut.contact.wrapping.vectors import cross, dot, minus, three
from taut.core.buffers import column, index_table, indices, table
from taut.core.codes import FREE, HIGH
from taut.core.jit import kernel
from taut.core.model import (
    BODY_POS,
    BODY_VEL,
    CONTROL,
    D_TARGET,
    DRIVE,
    DRIVE_CONTROL,
    ELASTIC,
    G_START,
    GROUP_INT,
    JOINT_INT,
    LEDGER,
    PART_INT,
    PART_PLACE,
    ROPE_BROKEN,
    ROPE_ENERGY,
    ROPE_INT,
    ROPE_LAW,
    ROPE_LENGTH,
    ROPE_LIVE,
    ROPE_ORDER,
    ROW_AGE,
    ROW_BOUND,
    ROW_LAM,
    ROW_LAM_OLD,
    ROW_PHI,
    ROW_PHI_OLD,
    TRANSFER_ROW,
    TRANSFER_STATE,
    WAVE_TENSION,
    WINCH_INT,
    WINCH_STATE,
    WRAP_INT,
)


@kernel
def _copy_row(s, i, j, segment, other):
    """State of a row and its segment, to another place."""
    for field in (ROW_LAM, ROW_LAM_OLD, ROW_PHI, ROW_PHI_OLD):
        values = column(s, field)
        values[j] = values[i]
    for field in (ROW_BOUND, ROW_AGE):
        numbers = indices(s, field)
        numbers[j] = numbers[i]
    for field in (ROPE_LENGTH, WAVE_TENSION):
        values = column(s, field)
        values[other] = values[segment]
    indices(s, ROPE_BROKEN)[other] = indices(s, ROPE_BROKEN)[segment]


@kernel
def row_of(r, at, m, s):
    """Which run of its rope leaves the part at place `at` of its path."""
    part, order, first = index_table(m, PART_INT), indices(s, ROPE_ORDER), index_table(m, ROPE_INT)[r, P_FIRST]
    row = 0
    for i in range(1, at + 1):
        row += 1 if part[order[first + i], N_TRANSFER] >= 0 else 0
    return row


@kernel
def link_rows(r, m, s, w):
    """Rows before and after every part of rope r that holds it back; none where a wrap is not on the path."""
    rope, part, link = index_table(m, ROPE_INT), index_table(m, PART_INT), index_table(s, TRANSFER_ROW)
    order, parts, first = indices(s, ROPE_ORDER), index_table(s, ROPE_LIVE)[r, A_PARTS], rope[r, P_FIRST]
    row = index_table(w, GROUP_INT)[index_table(m, JOINT_INT).shape[0] + r, G_START]
    for i in range(parts):
        t = part[order[first + i], N_TRANSFER]
        if t < 0:
            continue
        link[t, L_BEFORE] = row if i > 0 else -1
        row += 1 if 0 < i < parts - 1 else 0
        link[t, L_AFTER] = row if i < parts - 1 else -1


@kernel
def add_wrap(r, at, k, m, s, w):
    """Put part k, a wrap, on the path of rope r behind the part at place `at`."""
    rope, part, live = index_table(m, ROPE_INT), index_table(m, PART_INT), index_table(s, ROPE_LIVE)
    order, first, wrap = indices(s, ROPE_ORDER), rope[r, P_FIRST], index_table(s, WRAP_INT)
    t = part[k, N_TRANSFER]
    if t >= 0:
        row = row_of(r, at, m, s)
        start = index_table(w, GROUP_INT)[index_table(m, JOINT_INT).shape[0] + r, G_START]
        for j in range(live[r, A_ROWS] - 1, row - 1, -1):
            _copy_row(s, start + j, start + j + 1, rope[r, P_SEGMENT] + j, rope[r, P_SEGMENT] + j + 1)
        # both sides carry what the run carried; its length is shared out when the path is known
        column(s, ROPE_LENGTH)[rope[r, P_SEGMENT] + row + 1] = 0.0
        live[r, A_ROWS] += 1
        state = table(s, TRANSFER_STATE)
        state[t, F_FLOW], state[t, F_STATUS], state[t, F_FORCE] = 0.0, HELD, 0.0
    for i in range(live[r, A_PARTS] - 1, at, -1):
        order[first + i + 1] = order[first + i]
    order[first + at + 1] = k
    live[r, A_PARTS] += 1
    wrap[part[k, N_WRAP], U_LIVE], wrap[part[k, N_WRAP], U_FRESH] = 1, 1
    link_rows(r, m, s, w)


@kernel
def drop_wrap(r, at, m, s, w):
    """Take the wrap at place `at` off the path of rope r; its two runs become one, with their mean tension."""
    rope, part, live = index_table(m, ROPE_INT), index_table(m, PART_INT), index_table(s, ROPE_LIVE)
    order, first, wrap = indices(s, ROPE_ORDER), rope[r, P_FIRST], index_table(s, WRAP_INT)
    k = order[first + at]
    t = part[k, N_TRANSFER]
    if t >= 0:
        row = row_of(r, at, m, s)  # the run after it
        start, segment = index_table(w, GROUP_INT)[index_table(m, JOINT_INT).shape[0] + r, G_START], rope[r, P_SEGMENT]
        length, broken = column(s, ROPE_LENGTH), indices(s, ROPE_BROKEN)
        one, two = length[segment + row - 1], length[segment + row]
        share = one / (one + two) if one + two > 0.0 else 0.5
        for field in (ROW_LAM, ROW_LAM_OLD):
            values = column(s, field)
            values[start + row - 1] = share * values[start + row - 1] + (1.0 - share) * values[start + row]
        if column(s, ROW_LAM)[start + row - 1] < 0.0:
            indices(s, ROW_BOUND)[start + row - 1] = FREE
        length[segment + row - 1] = one + two
        broken[segment + row - 1] = max(broken[segment + row - 1], broken[segment + row])
        for j in range(row + 1, live[r, A_ROWS]):
            _copy_row(s, start + j, start + j - 1, segment + j, segment + j - 1)
        live[r, A_ROWS] -= 1
        last = live[r, A_ROWS]
        length[segment + last], broken[segment + last] = 0.0, 0
        column(s, ROW_LAM)[start + last], column(s, ROW_LAM_OLD)[start + last] = 0.0, 0.0
        indices(s, ROW_BOUND)[start + last] = HIGH
        link = index_table(s, TRANSFER_ROW)
        link[t, L_BEFORE], link[t, L_AFTER] = -1, -1
        state = table(s, TRANSFER_STATE)
        state[t, F_FLOW], state[t, F_STATUS], state[t, F_FORCE] = 0.0, HELD, 0.0
    for i in range(at + 1, live[r, A_PARTS]):
        order[first + i - 1] = order[first + i]
    live[r, A_PARTS] -= 1
    wrap[part[k, N_WRAP], U_LIVE], wrap[part[k, N_WRAP], U_FRESH] = 0, 0
    link_rows(r, m, s, w)


@kernel
def _point_speed(body, p, pos, vel):
    """Velocity of a point of a body."""
    arm = minus(p, three(pos[body], 0))
    turn = cross(three(vel[body], 3), arm)
    return vel[body, 0] + turn[0], vel[body, 1] + turn[1], vel[body, 2] + turn[2]


@kernel
def _run_path(r, i, m, s, w, waves):
    """(Length of the run that begins at place i of the path, its rate without flows, place where it ends)."""
    part, place, order = index_table(m, PART_INT), table(w, PART_PLACE), indices(s, ROPE_ORDER)
    first, parts = index_table(m, ROPE_INT)[r, P_FIRST], index_table(s, ROPE_LIVE)[r, A_PARTS]
    pos, vel = table(s, BODY_POS), table(s, BODY_VEL)
    length, rate = 0.0, 0.0
    while True:
        k, n = order[first + i], order[first + i + 1]
        length += place[k, W_LENGTH]
        if part[k, N_WRAP] >= 0:
            length += place[k, W_AFTER]
        if part[n, N_WRAP] >= 0:
            length += place[n, W_BEFORE]
        p, q = three(place[k], W_LEAVES), three(place[n], W_ARRIVES)
        apart = minus(_point_speed(part[n, N_BODY], q, pos, vel), _point_speed(part[k, N_BODY], p, pos, vel))
        along = dot(minus(q, p), apart) / max(place[k, W_LENGTH], 1e-12)
        rate += along
        if waves is not None:
            if is_layered(r, m):
                longer, grows = bend_of(r, i, place[k, W_LENGTH], along, m, s)
                length, rate = length + longer, rate + grows
        i += 1
        if part[n, N_TRANSFER] >= 0 or i == parts - 1:
            return length, rate, i


@kernel
def begin_flows(r, m, s, w, waves):
    """Share the length of runs that were just split, and let rope flow over new wraps as it did before they were there.

    All pieces of one run have the same strain and the same rate of strain, so that neither force nor motion jumps. `waves` is
    None where no rope has any.
    """
    rope, part, wrap = index_table(m, ROPE_INT), index_table(m, PART_INT), index_table(s, WRAP_INT)
    order, first, parts = indices(s, ROPE_ORDER), rope[r, P_FIRST], index_table(s, ROPE_LIVE)[r, A_PARTS]
    length, state = column(s, ROPE_LENGTH), table(s, TRANSFER_STATE)
    i, row = 0, rope[r, P_SEGMENT]
    while i < parts - 1:
        # the pieces of what was one run
        whole, rate, rope_of, n, at = 0.0, 0.0, 0.0, 0, i
        while True:
            path, speed, at = _run_path(r, at, m, s, w, waves)
            whole, rate, rope_of, n = whole + path, rate + speed, rope_of + length[row + n], n + 1
            k = part[order[first + at], N_WRAP]
            if at == parts - 1 or k < 0 or wrap[k, U_FRESH] == 0:
                break
        if n > 1:
            t, end = part[order[first + i], N_TRANSFER], part[order[first + at], N_TRANSFER]
            flow = state[t, F_FLOW] if t >= 0 else 0.0
            rate += (state[end, F_FLOW] if end >= 0 else 0.0) - flow
            at = i
            for j in range(n):
                path, speed, at = _run_path(r, at, m, s, w, waves)
                length[row + j] = rope_of * path / whole
                flow += rate * path / whole - speed
                if j + 1 < n:
                    k = order[first + at]
                    state[part[k, N_TRANSFER], F_FLOW] = flow
                    wrap[part[k, N_WRAP], U_FRESH] = 0
        i, row = at, row + n
    for i in range(parts):
        if part[order[first + i], N_WRAP] >= 0:
            wrap[part[order[first + i], N_WRAP], U_FRESH] = 0


@kernel
def stretch_to_path(r, path, m, s, w, h):
    """At the start: a rope whose length is that of its path is as much longer as the way round its obstacles is."""
    rope, length, law = index_table(m, ROPE_INT), column(s, ROPE_LENGTH), table(m, ROPE_LAW)
    start = index_table(w, GROUP_INT)[index_table(m, JOINT_INT).shape[0] + r, G_START]
    energy, more = column(s, ROPE_ENERGY), 0.0
    for k in range(rope[r, P_SEGMENTS]):
        longer = length[rope[r, P_SEGMENT] + k] * (path / law[r, P_PATH] - 1.0)
        length[rope[r, P_SEGMENT] + k] += longer
        tension = column(s, ROW_LAM)[start + k] / h
        stored = 0.5 * tension * tension * law[r, P_SOFTNESS] * longer
        energy[X_STORED] += stored
        energy[X_BEGIN] += stored
        column(s, LEDGER)[ELASTIC] += stored
        more += longer
    _pay_out(r, more, m, s)


@kernel
def _pay_out(r, more, m, s):
    """At the start: the winches of rope r have so much more rope out; one that stays at its position stays there."""
    winch, state, control, drive = (
        index_table(m, WINCH_INT), table(s, WINCH_STATE), column(s, CONTROL), table(s, DRIVE),
    )  # fmt: skip
    for k in range(winch.shape[0]):
        if winch[k, V_ROPE] != r:
            continue
        state[k, V_MORE] = more
        asked = winch[k, V_SPEED]
        wanted = indices(m, DRIVE_CONTROL)[asked]
        if winch[k, V_TO_POSITION] == 1 and control[wanted] == state[k, V_OUT]:
            control[wanted] += more
            drive[asked, D_TARGET] = control[wanted]
        state[k, V_OUT] += more
