"""What a rod that leans on bodies does to all its seats during a step; the formulas are those of `moving.py`.

Seats are the bodies at its ends and those it may push, in any number; two of them may be one body.

A body that is met or let go during the step, or was in the one before, feels F+ alone (b = 1): a mean with the forces of
before would throw it after it has left. For contacts, whose energy is convex, that step never gains; what it loses is
booked.
"""

from __future__ import annotations

from taut.cables.rod.columns import (
    LE_BEFORE,
    LE_NOW,
    LN_SHIFT,
    LN_WRENCH,
    RE_ENERGY,
    RE_MIDDLE,
    RI_MATRIX,
    RI_ROW,
    RI_SEAT,
    RI_SEATS,
    RN_ENERGY,
)
from taut.core.buffers import column, column_part, index_table, indices, table, table_part
from taut.core.jit import kernel
from taut.core.model import (
    BODY_MASS,
    BODY_NEW,
    BODY_NODE,
    BODY_VEL,
    BODY_WORLD_INERTIA,
    GEOMETRIC,
    LEAN_COUNT,
    LEAN_COUNT_NEW,
    LEAN_END,
    LEAN_END_NEW,
    LEAN_FORCE,
    LEAN_FORCE_NEW,
    LEAN_LINE,
    LEAN_LINE_STIFFNESS,
    LEAN_PAIR,
    LEAN_POSE,
    LEAN_POSE_NEW,
    LEAN_ROW,
    LEAN_ROW_NEW,
    LEAN_SEAT,
    LEAN_STIFFNESS,
    LEAN_STIFFNESS_NEW,
    LEAN_SUDDEN,
    LEDGER,
    LOSS_JOINT,
    NODE_BLOCK,
    NODE_RHS,
    PAIR_BLOCK,
    ROD_END,
    ROD_END_NEW,
    ROD_INT,
    ROD_LAW,
    WORK_KINEMATIC,
)

#: (omega h)^2 of a rod and its bodies at which half of the step is the implicit one
STIFF = 4.0


@kernel
def begin_leaning(m, s, w):
    """Rods that lean as they stand: from here the step begins."""
    ends, new = table(s, LEAN_END), table(w, LEAN_END_NEW)
    for r in range(ends.shape[0]):
        new[r, LN_WRENCH], new[r, LN_SHIFT] = ends[r, LE_NOW], 0.0
    sudden = indices(w, LEAN_SUDDEN)
    for k in range(sudden.shape[0]):
        sudden[k] = 0
    _carry(m, s, w, True)


@kernel
def _carry(m, s, w, forth):
    """Contacts, poses and stiffness from the state into the scratch of the step, or back."""
    place, count, count_new = index_table(m, ROD_INT), indices(s, LEAN_COUNT), indices(w, LEAN_COUNT_NEW)
    row, row_new, force, force_new = (
        table(s, LEAN_ROW),
        table(w, LEAN_ROW_NEW),
        column(s, LEAN_FORCE),
        column(w, LEAN_FORCE_NEW),
    )
    pose, pose_new = table(s, LEAN_POSE), table(w, LEAN_POSE_NEW)
    stiff, stiff_new = column(s, LEAN_STIFFNESS), column(w, LEAN_STIFFNESS_NEW)
    for k in range(place.shape[0]):
        if place[k, RI_ROW] < 0:
            continue
        many = count[k] if forth else count_new[k]
        for r in range(place[k, RI_ROW], place[k, RI_ROW] + many):
            for c in range(row.shape[1]):
                if forth:
                    row_new[r, c] = row[r, c]
                else:
                    row[r, c] = row_new[r, c]
            if forth:
                force_new[r] = force[r]
            else:
                force[r] = force_new[r]
        if forth:
            count_new[k] = many
        else:
            count[k] = many
    for a in range(pose.shape[0]):
        for c in range(7):
            if forth:
                pose_new[a, c] = pose[a, c]
            else:
                pose[a, c] = pose_new[a, c]
    for i in range(stiff.shape[0]):
        if forth:
            stiff_new[i] = stiff[i]
        else:
            stiff[i] = stiff_new[i]


@kernel
def hold_leaning(m, s, w, k, h, tau):
    """Impulses of rod k on the right side of its seats, its stiffness into their blocks; tau is its damping time."""
    place, seat, node_of = index_table(m, ROD_INT)[k], indices(m, LEAN_SEAT), indices(m, BODY_NODE)
    n, first, at = 6 * place[RI_SEATS], place[RI_SEAT], place[RI_MATRIX]
    found, line, ends = (
        table_part(w, LEAN_END_NEW, 6 * first, n),
        table_part(w, LEAN_LINE, 6 * first, n),
        table_part(s, LEAN_END, 6 * first, n),
    )
    K, K_new = column_part(w, LEAN_LINE_STIFFNESS, at, n * n), column_part(w, LEAN_STIFFNESS_NEW, at, n * n)
    block, rhs, new = table(w, NODE_BLOCK), table(w, NODE_RHS), table(w, BODY_NEW)
    for i in range(n * n):
        K[i] = K_new[i]
    for r in range(n):
        line[r, LN_WRENCH], line[r, LN_SHIFT] = found[r, LN_WRENCH], found[r, LN_SHIFT]
    _look_out(m, s, w, k)
    b = _blend(m, w, k, h)
    f = (0.25 + 0.75 * b) * h * h + h * tau
    for r in range(n):
        node, i = node_of[seat[first + r // 6]], r % 6
        if node < 0:
            continue
        value = line[r, LN_WRENCH]
        for j in range(n):
            value += K[n * r + j] * line[j, LN_SHIFT]
        value *= (0.25 + 0.75 * b) * h
        value += 0.25 * (1.0 - b) * h * (2.0 * ends[r, LE_NOW] + ends[r, LE_BEFORE])
        for j in range(n):
            other = seat[first + j // 6]
            if node_of[other] < 0:
                # it moves as given
                value -= f * K[n * r + j] * new[other, j % 6]
            elif node_of[other] == node and j % 6 <= i:
                # also two seats on one body: they move together
                block[node, 6 * i + j % 6] += f * K[n * r + j]
        rhs[node, i] += value
    _couple(m, w, k, f)


@kernel
def _couple(m, w, k, f):
    """Stiffness between seats on different bodies."""
    place, pair, pairs = index_table(m, ROD_INT)[k], indices(m, LEAN_PAIR), table(w, PAIR_BLOCK)
    seats, first, n = place[RI_SEATS], place[RI_MATRIX] // 36, 6 * place[RI_SEATS]
    K = column_part(w, LEAN_LINE_STIFFNESS, place[RI_MATRIX], n * n)
    for a in range(seats):
        for b in range(a + 1, seats):
            at = pair[first + seats * a + b]
            if at >= 0:
                for i in range(6):
                    for j in range(6):
                        pairs[at, 6 * i + j] += f * K[n * (6 * a + i) + 6 * b + j]


@kernel
def _look_out(m, s, w, k):
    """Note whether a body is met or let go; once seen in a step, it stays so in all its passes."""
    place, found, ends = index_table(m, ROD_INT)[k], table(w, LEAN_END_NEW), table(s, LEAN_END)
    for a in range(place[RI_SEAT] + 2, place[RI_SEAT] + place[RI_SEATS]):
        before, now, then = 0.0, 0.0, 0.0
        for r in range(6 * a, 6 * a + 3):
            before, now, then = (
                before + abs(ends[r, LE_BEFORE]),
                now + abs(ends[r, LE_NOW]),
                then + abs(found[r, LN_WRENCH]),
            )
        if (before > 0.0) != (now > 0.0) or (now > 0.0) != (then > 0.0):
            indices(w, LEAN_SUDDEN)[k] = 1


@kernel
def _blend(m, w, k, h):
    """Part b of the implicit step, by the stiffest beside its inertia of all seats: the same for all, so that action is
    reaction."""
    if indices(w, LEAN_SUDDEN)[k] > 0:
        return 1.0
    place, seat, node_of = index_table(m, ROD_INT)[k], indices(m, LEAN_SEAT), indices(m, BODY_NODE)
    mass, inertia, n, stiff = column(m, BODY_MASS), table(w, BODY_WORLD_INERTIA), 6 * place[RI_SEATS], 0.0
    K = column_part(w, LEAN_LINE_STIFFNESS, place[RI_MATRIX], n * n)
    for r in range(n):
        i, c = seat[place[RI_SEAT] + r // 6], r % 6
        if node_of[i] >= 0:
            # xx, yy, zz of the inertia stand at 0, 3, 5
            own = mass[i] if c < 3 else inertia[i, 0 if c == 3 else 3 if c == 4 else 5]
            stiff = max(stiff, h * h * K[(n + 1) * r] / own)
    return stiff * stiff / (stiff * stiff + STIFF * STIFF)


@kernel
def miss_leaning(m, w, k):
    """Largest difference of a wrench of rod k to the one the solution was made with, relative to the largest [-]."""
    place, law, n = index_table(m, ROD_INT)[k], table(m, ROD_LAW)[k], 6 * index_table(m, ROD_INT)[k, RI_SEATS]
    found, line = table_part(w, LEAN_END_NEW, 6 * place[RI_SEAT], n), table_part(w, LEAN_LINE, 6 * place[RI_SEAT], n)
    K = column_part(w, LEAN_LINE_STIFFNESS, place[RI_MATRIX], n * n)
    worst, size = 0.0, law[0]
    for r in range(n):
        unit, expected = 1.0 if r % 6 < 3 else law[1], line[r, LN_WRENCH]
        for j in range(n):
            expected -= K[n * r + j] * (found[j, LN_SHIFT] - line[j, LN_SHIFT])
        worst = max(worst, abs(found[r, LN_WRENCH] - expected) / unit)
        size = max(size, abs(found[r, LN_WRENCH]) / unit)
    return worst / size


@kernel
def account_leaning(m, s, w, k, h, tau):
    """Work of seats that move as told, loss, energy at the middle of the step."""
    place, seat, node_of = index_table(m, ROD_INT)[k], indices(m, LEAN_SEAT), indices(m, BODY_NODE)
    n, first, at = 6 * place[RI_SEATS], place[RI_SEAT], place[RI_MATRIX]
    line, ends = table_part(w, LEAN_LINE, 6 * first, n), table_part(s, LEAN_END, 6 * first, n)
    K, ledger, vel, new = (
        column_part(w, LEAN_LINE_STIFFNESS, at, n * n),
        column(s, LEDGER),
        table(s, BODY_VEL),
        table(w, BODY_NEW),
    )
    damped, b = h * tau, _blend(m, w, k, h)
    loss, curved, doubled, given, work = 0.0, 0.0, 0.0, 0.0, 0.0
    for r in range(n):
        i = seat[first + r // 6]
        mean, dynamic = 0.5 * (vel[i, r % 6] + new[i, r % 6]), node_of[i] >= 0
        bent, drag = 0.0, 0.0
        for j in range(n):
            other, value = seat[first + j // 6], K[n * r + j]
            bent += value * (h * new[other, j % 6] - line[j, LN_SHIFT])
            drag += value * new[other, j % 6]
            if dynamic and node_of[other] >= 0:
                # booked with the geometric stiffness by the account of the bodies
                doubled += 0.5 * value * (new[i, r % 6] * new[other, j % 6] - vel[i, r % 6] * vel[other, j % 6])
        past, last = 0.25 * (2.0 * ends[r, LE_NOW] + ends[r, LE_BEFORE]), line[r, LN_WRENCH] - bent
        impulse = h * ((0.25 + 0.75 * b) * last + (1.0 - b) * past)
        loss += (damped * drag - b * h * (0.75 * last - past)) * mean
        curved += new[i, r % 6] * drag
        work += (impulse - damped * drag) * mean
        if not dynamic:
            given -= (impulse - damped * drag) * mean
    energy = table(s, ROD_END)[k]
    middle = 0.5 * (energy[RE_ENERGY] + table(w, ROD_END_NEW)[k, RN_ENERGY]) - 0.125 * h * h * curved
    if indices(w, LEAN_SUDDEN)[k] > 0:
        # its forces are no smooth function of time: lost is what the bodies have not received
        loss = max(0.0, energy[RE_MIDDLE] - middle - work)
    ledger[LOSS_JOINT] += loss
    ledger[WORK_KINEMATIC] += given
    ledger[GEOMETRIC] -= ((0.25 + 0.75 * b) * h * h + damped) * doubled
    energy[RE_MIDDLE] = middle


@kernel
def rest_leaning(m, s, w):
    """What was found stands."""
    ends, found = table(s, LEAN_END), table(w, LEAN_END_NEW)
    for r in range(ends.shape[0]):
        ends[r, LE_BEFORE] = ends[r, LE_NOW]
        ends[r, LE_NOW] = found[r, LN_WRENCH]
    _carry(m, s, w, False)
