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
    RE_LOST,
    RE_MIDDLE,
    RI_MATRIX,
    RI_ROW,
    RI_RUN,
    RI_RUN_LEAN,
    RI_RUN_MATRIX,
    RI_RUN_SEAT,
    RI_RUN_SEATS,
    RI_SEAT,
    RI_SEATS,
    RN_ENERGY,
)
from taut.cables.rod.lost import between, drag_mass, flung
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
    ROD_LOST,
    SLIDE_PULL,
    SLIDE_PULL_NEW,
    WORK_KINEMATIC,
)

#: (omega h)^2 of a rod and its bodies at which half of the step is the implicit one
STIFF = 4.0


@kernel
def unit_of(m, k):
    """First seat, how many, first number of the stiffness, and how many seats are ends: of rod k, or of the run it begins."""
    place = index_table(m, ROD_INT)[k]
    if place[RI_RUN] < 0:
        return place[RI_SEAT], place[RI_SEATS], place[RI_MATRIX], 2
    return place[RI_RUN_SEAT], place[RI_RUN_SEATS], place[RI_RUN_MATRIX], place[RI_RUN_LEAN]


@kernel
def stands(m, k):
    """0: a rod with two ends and no more, 1: one that leans or the first of a run, 2: another of a run."""
    place = index_table(m, ROD_INT)[k]
    if place[RI_RUN] >= 0:
        return 1 if place[RI_RUN] == k else 2
    return 1 if place[RI_ROW] >= 0 else 0


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
    pulls, pulls_new = column(s, SLIDE_PULL), column(w, SLIDE_PULL_NEW)
    for i in range(pulls.shape[0]):
        if forth:
            pulls_new[i] = pulls[i]
        else:
            pulls[i] = pulls_new[i]
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
def stand_still(m, s, w, k):
    """What rod k, which leans, has to do with its seats stands as it was before the step."""
    place, row, row_new = index_table(m, ROD_INT)[k], table(s, LEAN_ROW), table(w, LEAN_ROW_NEW)
    force, force_new = column(s, LEAN_FORCE), column(w, LEAN_FORCE_NEW)
    count, pose, pose_new = indices(s, LEAN_COUNT)[k], table(s, LEAN_POSE), table(w, LEAN_POSE_NEW)
    indices(w, LEAN_COUNT_NEW)[k] = count
    for r in range(place[RI_ROW], place[RI_ROW] + count):
        for c in range(row.shape[1]):
            row_new[r, c] = row[r, c]
        force_new[r] = force[r]
    for a in range(place[RI_SEAT], place[RI_SEAT] + place[RI_SEATS]):
        for c in range(7):
            pose_new[a, c] = pose[a, c]
    _stand(s, w, place[RI_SEAT], place[RI_SEATS], place[RI_MATRIX])


@kernel
def stand_still_run(m, s, w, k):
    """The same of the run that begins with rod k."""
    first, seats, at, _ = unit_of(m, k)
    _stand(s, w, first, seats, at)


@kernel
def _stand(s, w, first, seats, at):
    """Wrenches and stiffness of some seats as they were before the step."""
    ends, new, n = table(s, LEAN_END), table(w, LEAN_END_NEW), 36 * seats * seats
    stiff, stiff_new = column_part(s, LEAN_STIFFNESS, at, n), column_part(w, LEAN_STIFFNESS_NEW, at, n)
    for r in range(6 * first, 6 * (first + seats)):
        new[r, LN_WRENCH] = ends[r, LE_NOW]
    for i in range(n):
        stiff_new[i] = stiff[i]


@kernel
def hold_leaning(m, s, w, k, h, tau):
    """Impulses of rod k on the right side of its seats, its stiffness into their blocks; tau is its damping time."""
    seat, node_of = indices(m, LEAN_SEAT), indices(m, BODY_NODE)
    first, seats, at, _ = unit_of(m, k)
    n = 6 * seats
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
    f, d, length = (0.25 + 0.75 * b) * h * h + h * tau, _drag(m, s, w, k, h), table(m, ROD_LAW)[k, 1]
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
                value -= (f * K[n * r + j] + d * between(r, j, seats, length)) * new[other, j % 6]
            elif node_of[other] == node and j % 6 <= i:
                # also two seats on one body: they move together
                block[node, 6 * i + j % 6] += f * K[n * r + j] + d * between(r, j, seats, length)
        rhs[node, i] += value
    _couple(m, w, k, f, d)


@kernel
def _drag(m, s, w, k, h):
    """The drag of a step that is begun anew for rod k, or for its run [kg]."""
    law, ends = table(m, ROD_LAW)[k], table(s, LEAN_END)
    first, seats, _, _ = unit_of(m, k)
    force = law[0]
    for r in range(6 * first, 6 * (first + seats)):
        force = max(force, abs(ends[r, LE_NOW]) / (1.0 if r % 6 < 3 else law[1]))
    return drag_mass(indices(w, ROD_LOST)[k], force, law[1], h)


@kernel
def course_leaning(m, s, w, k, h):
    """Of the bodies that rod k or its run holds: 0, none moves by itself, 1, one does, 2, one is flung out of its course."""
    seat, node_of, found = indices(m, LEAN_SEAT), indices(m, BODY_NODE), 0
    first, seats, _, _ = unit_of(m, k)
    for a in range(first, first + seats):
        if node_of[seat[a]] >= 0:
            far = flung(table(s, BODY_VEL), table(w, BODY_NEW), seat[a], h, table(m, ROD_LAW)[k, 1])
            found = max(found, 2 if far else 1)
    return found


@kernel
def _couple(m, w, k, f, d):
    """Stiffness, and drag, between seats on different bodies."""
    pair, pairs = indices(m, LEAN_PAIR), table(w, PAIR_BLOCK)
    _, seats, begin, _ = unit_of(m, k)
    first, n = begin // 36, 6 * seats
    K, length = column_part(w, LEAN_LINE_STIFFNESS, begin, n * n), table(m, ROD_LAW)[k, 1]
    for a in range(seats):
        for b in range(a + 1, seats):
            at = pair[first + seats * a + b]
            if at >= 0:
                for i in range(6):
                    for j in range(6):
                        drag = d * between(6 * a + i, 6 * b + j, seats, length)
                        pairs[at, 6 * i + j] += f * K[n * (6 * a + i) + 6 * b + j] + drag


@kernel
def _look_out(m, s, w, k):
    """Note whether a body is met or let go; once seen in a step, it stays so in all its passes."""
    found, ends = table(w, LEAN_END_NEW), table(s, LEAN_END)
    first, seats, _, own = unit_of(m, k)
    for a in range(first + own, first + seats):
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
    if indices(w, LEAN_SUDDEN)[k] > 0 or indices(w, ROD_LOST)[k] > 0:
        return 1.0
    seat, node_of = indices(m, LEAN_SEAT), indices(m, BODY_NODE)
    first, seats, at, _ = unit_of(m, k)
    mass, inertia, n, stiff = column(m, BODY_MASS), table(w, BODY_WORLD_INERTIA), 6 * seats, 0.0
    K = column_part(w, LEAN_LINE_STIFFNESS, at, n * n)
    for r in range(n):
        i, c = seat[first + r // 6], r % 6
        if node_of[i] >= 0:
            # xx, yy, zz of the inertia stand at 0, 3, 5
            own = mass[i] if c < 3 else inertia[i, 0 if c == 3 else 3 if c == 4 else 5]
            stiff = max(stiff, h * h * K[(n + 1) * r] / own)
    return stiff * stiff / (stiff * stiff + STIFF * STIFF)


@kernel
def miss_leaning(m, w, k):
    """Largest difference of a wrench of rod k, or of its run, to the one the solution was made with, relative to the largest [-]."""
    law = table(m, ROD_LAW)[k]
    first, seats, at, _ = unit_of(m, k)
    n = 6 * seats
    found, line = table_part(w, LEAN_END_NEW, 6 * first, n), table_part(w, LEAN_LINE, 6 * first, n)
    K = column_part(w, LEAN_LINE_STIFFNESS, at, n * n)
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
    """Work of seats that move as told, loss, energy at the middle of the step; of rod k, or of its run. Returns what is lost where its
    forces are no smooth function of time [J]: what was there and the bodies have not received."""
    seat, node_of = indices(m, LEAN_SEAT), indices(m, BODY_NODE)
    first, seats, at, _ = unit_of(m, k)
    n = 6 * seats
    line, ends = table_part(w, LEAN_LINE, 6 * first, n), table_part(s, LEAN_END, 6 * first, n)
    K, ledger, vel, new = (
        column_part(w, LEAN_LINE_STIFFNESS, at, n * n),
        column(s, LEDGER),
        table(s, BODY_VEL),
        table(w, BODY_NEW),
    )
    damped, b, d, length = h * tau, _blend(m, w, k, h), _drag(m, s, w, k, h), table(m, ROD_LAW)[k, 1]
    loss, curved, doubled, given, work = 0.0, 0.0, 0.0, 0.0, 0.0
    for r in range(n):
        i = seat[first + r // 6]
        mean, dynamic = 0.5 * (vel[i, r % 6] + new[i, r % 6]), node_of[i] >= 0
        bent, drag, slowed = 0.0, 0.0, 0.0
        for j in range(n):
            other, value, held = seat[first + j // 6], K[n * r + j], d * between(r, j, seats, length)
            bent += value * (h * new[other, j % 6] - line[j, LN_SHIFT])
            drag += value * new[other, j % 6]
            slowed += held * new[other, j % 6]
            if dynamic and node_of[other] >= 0:
                # booked with the geometric stiffness by the account of the bodies
                value = ((0.25 + 0.75 * b) * h * h + damped) * value + held
                doubled += 0.5 * value * (new[i, r % 6] * new[other, j % 6] - vel[i, r % 6] * vel[other, j % 6])
        past, last = 0.25 * (2.0 * ends[r, LE_NOW] + ends[r, LE_BEFORE]), line[r, LN_WRENCH] - bent
        impulse = h * ((0.25 + 0.75 * b) * last + (1.0 - b) * past)
        slowed += damped * drag
        loss += (slowed - b * h * (0.75 * last - past)) * mean
        curved += new[i, r % 6] * drag
        work += (impulse - slowed) * mean
        if not dynamic:
            given -= (impulse - slowed) * mean
    energy, found = table(s, ROD_END), table(w, ROD_END_NEW)
    last = k + 1
    while (
        index_table(m, ROD_INT)[k, RI_RUN] >= 0
        and last < energy.shape[0]
        and index_table(m, ROD_INT)[last, RI_RUN] == k
    ):
        last += 1
    middle, before, most = 0.0, 0.0, 0.0
    for j in range(k, last):
        before += energy[j, RE_MIDDLE]
        middle += 0.5 * (energy[j, RE_ENERGY] + found[j, RN_ENERGY])
        most += abs(found[j, RN_ENERGY] - energy[j, RE_ENERGY])
        energy[j, RE_MIDDLE] = 0.0
    sudden, anew, lost = indices(w, LEAN_SUDDEN)[k] > 0, indices(w, ROD_LOST)[k] > 0, energy[k, RE_LOST] > 0.0
    bow = 0.125 * h * h * curved
    limited = (sudden or anew) and abs(bow) > most
    if limited:
        # no parabola: no further from both ends than these are apart
        bow = most if bow > 0.0 else -most
    middle -= bow
    ledger[WORK_KINEMATIC] += given
    ledger[GEOMETRIC] -= doubled
    # what follows is not smooth either
    energy[k, RE_LOST] = 1.0 if limited or anew or energy[k, RE_LOST] > 1.0 else 0.0
    # that of a run stands with its first rod
    energy[k, RE_MIDDLE] = middle
    if sudden or anew or lost:
        return before - middle - work
    ledger[LOSS_JOINT] += loss
    return 0.0


@kernel
def rest_leaning(m, s, w):
    """What was found stands."""
    ends, found = table(s, LEAN_END), table(w, LEAN_END_NEW)
    for r in range(ends.shape[0]):
        ends[r, LE_BEFORE] = ends[r, LE_NOW]
        ends[r, LE_NOW] = found[r, LN_WRENCH]
    _carry(m, s, w, False)
