"""Rods between bodies that move: solved to equilibrium at the end of each step, felt by the bodies during it.

Over a step of h a rod gives the bodies at its ends the impulse

    (1 - b) h (F- + 2 F + F+)/4 + b h F+ - h tau K v+,     F+ = F(y) - K (h v+ - y)

F- and F are its wrenches one step ago and now, F+ the one at the end of the step, linearised about a motion y, first zero.
With b = 0 this is the variational step of all compliant rows (Lacoursiere): it keeps energy, and swings on where a stiff
rod pulls at a light body, whose vibration no step of this length could show. There b goes to 1, the implicit step that
comes to rest at once; what it loses is booked. The system keeps its size: ((1 - b)/4 + b) h^2 K + h tau K goes into the
blocks of the two bodies. After the solve the rod is brought to where the bodies will be; where its wrench is not the one
expected, the step is solved again, linearised there.

Beyond LONGEST of its length a rod is not solved: its end is drawn back along the chord, and the linear law
spans the rest. Where a step does not settle (something slips off or snaps through) it is begun anew with a drag (`lost.py`). A rod
without a shape for a step keeps the one it had, with its wrenches, and is counted.
"""

from __future__ import annotations

from taut.cables.rod.columns import (
    RE_BEFORE,
    RE_ENERGY,
    RE_LOST,
    RE_MIDDLE,
    RE_NOW,
    RE_UNSOLVED,
    RI_A,
    RI_FRAME,
    RI_FRAMES,
    RI_PAIR,
    RI_ROW,
    RI_ROWS,
    RI_RUN,
    RK_SHIFT,
    RK_WRENCH,
    RL_TAU,
    RN_ENERGY,
    RN_SHIFT,
    RN_WRENCH,
)
from taut.cables.rod.follow import end_pose, follow
from taut.cables.rod.lean_bodies import (
    STIFF,
    account_leaning,
    begin_leaning,
    course_leaning,
    hold_leaning,
    miss_leaning,
    rest_leaning,
    stand_still,
    stand_still_run,
    stands,
)
from taut.cables.rod.lean_follow import is_at_leaning
from taut.cables.rod.lost import LEVELS, between, drag_mass, flung, next_level
from taut.cables.rod.sharing import AGREED
from taut.cables.rod.slide import NOISE
from taut.cables.rod.sliding import driven, lay_rod, run_end
from taut.core.buffers import column, index_table, indices, table
from taut.core.jit import kernel
from taut.core.model import (
    BODY_MASS,
    BODY_NEW,
    BODY_NODE,
    BODY_VEL,
    BODY_WORLD_INERTIA,
    COUNT,
    GEOMETRIC,
    LEDGER,
    LOSS_JOINT,
    MORE,
    NODE_BLOCK,
    NODE_RHS,
    PAIR_BLOCK,
    ROD_END,
    ROD_END_NEW,
    ROD_FORCE,
    ROD_FORCE_NEW,
    ROD_FRAME,
    ROD_FRAME_NEW,
    ROD_INT,
    ROD_LAW,
    ROD_LINE,
    ROD_LINE_STIFFNESS,
    ROD_LOST,
    ROD_PASS,
    ROD_POSE,
    ROD_POSE_NEW,
    ROD_SLIDE,
    ROD_SLIDE_NEW,
    ROD_STIFFNESS,
    ROD_STIFFNESS_NEW,
    WORK_KINEMATIC,
)
from taut.core.order import SLIDE_RUN
from taut.core.stage import call_stage


@kernel
def flex_rods(m, s, w, leaning):
    """The rods as they stand: from here the step begins. `leaning` is None where none leans on bodies, as in all of these."""
    lost = indices(w, ROD_LOST)
    for k in range(lost.shape[0]):
        lost[k] = 0
    _begin(m, s, w, leaning)


@kernel
def _begin(m, s, w, leaning):
    """The same where the step is begun anew."""
    if leaning is not None:
        begin_leaning(m, s, w)
    ends, new = table(s, ROD_END), table(w, ROD_END_NEW)
    _copy(table(s, ROD_FRAME), table(w, ROD_FRAME_NEW))
    _copy(table(s, ROD_POSE), table(w, ROD_POSE_NEW))
    _copy(table(s, ROD_STIFFNESS), table(w, ROD_STIFFNESS_NEW))
    _copy(table(s, ROD_SLIDE), table(w, ROD_SLIDE_NEW))
    force, force_new = column(s, ROD_FORCE), column(w, ROD_FORCE_NEW)
    for i in range(force.shape[0]):
        force_new[i] = force[i]
    for k in range(ends.shape[0]):
        for c in range(12):
            new[k, RN_WRENCH + c], new[k, RN_SHIFT + c] = ends[k, RE_NOW + c], 0.0
        new[k, RN_ENERGY] = ends[k, RE_ENERGY]
        lay_rod(m, w, k)


@kernel
def _copy(source, target):
    for i in range(source.shape[0]):
        for c in range(source.shape[1]):
            target[i, c] = source[i, c]


@kernel
def hold_rods(settings, m, s, w, h, extra, leaning):
    """Impulses of the rods on the right side, their stiffness into the blocks of the bodies; linearised where they were
    found last."""
    _copy(table(w, ROD_STIFFNESS_NEW), table(w, ROD_LINE_STIFFNESS))
    found = table(w, ROD_END_NEW)
    place, law, node_of = index_table(m, ROD_INT), table(m, ROD_LAW), indices(m, BODY_NODE)
    ends, line, stiff = table(s, ROD_END), table(w, ROD_LINE), table(w, ROD_LINE_STIFFNESS)
    block, rhs, pairs, new = table(w, NODE_BLOCK), table(w, NODE_RHS), table(w, PAIR_BLOCK), table(w, BODY_NEW)
    for k in range(place.shape[0]):
        if leaning is not None:
            if stands(m, k) > 0:
                if stands(m, k) == 1:
                    hold_leaning(m, s, w, k, h, _tau(settings, law, k, h, extra))
                continue
        for c in range(12):
            line[k, RK_WRENCH + c], line[k, RK_SHIFT + c] = found[k, RN_WRENCH + c], found[k, RN_SHIFT + c]
        K, damped, b = stiff[k], h * _tau(settings, law, k, h, extra), _blend(m, w, k, h)
        f, d, length = (0.25 + 0.75 * b) * h * h + damped, _drag(m, s, w, k, h), law[k, 1]
        for e in range(2):
            node = node_of[place[k, RI_A + e]]
            if node < 0:
                continue
            known = place[k, RI_A + 1 - e]
            for i in range(6):
                r = 6 * e + i
                value = line[k, RK_WRENCH + r]
                for j in range(12):
                    value += K[12 * r + j] * line[k, RK_SHIFT + j]
                value *= (0.25 + 0.75 * b) * h
                value += 0.25 * (1.0 - b) * h * (2.0 * ends[k, RE_NOW + r] + ends[k, RE_BEFORE + r])
                if node_of[known] < 0:
                    # the other end moves as given
                    for j in range(6):
                        other = 6 * (1 - e) + j
                        value -= (f * K[12 * r + other] + d * between(r, other, 2, length)) * new[known, j]
                rhs[node, i] += value
                for j in range(i + 1):
                    block[node, 6 * i + j] += f * K[12 * r + 6 * e + j] + d * between(r, 6 * e + j, 2, length)
                    if node == node_of[known]:
                        # both ends on one body: they move together
                        other = 6 * (1 - e) + j
                        block[node, 6 * i + j] += f * K[12 * r + other] + d * between(r, other, 2, length)
        pair = place[k, RI_PAIR]
        if pair >= 0:
            for i in range(6):
                for j in range(6):
                    pairs[pair, 6 * i + j] = f * K[12 * i + 6 + j] + d * between(i, 6 + j, 2, length)


@kernel
def _drag(m, s, w, k, h):
    """The drag of a step that is begun anew for rod k [kg]; an end that is free drags nothing."""
    law, ends, force = table(m, ROD_LAW)[k], table(s, ROD_END)[k], table(m, ROD_LAW)[k, 0]
    if index_table(m, ROD_INT)[k, RI_ROWS] == 0:
        return 0.0
    for r in range(12):
        force = max(force, abs(ends[RE_NOW + r]) / (1.0 if r % 6 < 3 else law[1]))
    return drag_mass(indices(w, ROD_LOST)[k], force, law[1], h)


@kernel
def _course(m, s, w, k, h):
    """Of the two bodies of rod k: 0, none moves by itself, 1, one does, 2, one is flung out of its course."""
    place, found = index_table(m, ROD_INT)[k], 0
    for e in range(2):
        i = place[RI_A + e]
        if indices(m, BODY_NODE)[i] >= 0:
            far = flung(table(s, BODY_VEL), table(w, BODY_NEW), i, h, table(m, ROD_LAW)[k, 1])
            found = max(found, 2 if far else 1)
    return found


@kernel
def _tau(settings, law, k, h, extra):
    """Damping time of a rod [s]: its own, the floor of all rows, and what a redone step adds."""
    return max(law[k, RL_TAU], settings.floor * h) + extra * h


@kernel
def _blend(m, w, k, h):
    """Part b of the implicit step: 0 for a soft rod, 1 for one that is stiff beside the inertia of its bodies."""
    place, K, node_of = index_table(m, ROD_INT)[k], table(w, ROD_LINE_STIFFNESS)[k], indices(m, BODY_NODE)
    mass, inertia = column(m, BODY_MASS), table(w, BODY_WORLD_INERTIA)
    stiff = 0.0
    if indices(w, ROD_LOST)[k] > 0:
        return 1.0
    for r in range(12):
        i, c = place[RI_A + r // 6], r % 6
        if node_of[i] >= 0:
            # xx, yy, zz of the inertia stand at 0, 3, 5
            own = mass[i] if c < 3 else inertia[i, 0 if c == 3 else 3 if c == 4 else 5]
            stiff = max(stiff, h * h * K[13 * r] / own)
    return stiff * stiff / (stiff * stiff + STIFF * STIFF)


@kernel
def relax_rods(context, m, s, w, h, leaning):
    """Bring the rods to where the bodies will be; 1 when a wrench there is not the one the solution was made with, 2 when the step does
    not settle and is to be begun anew, with a drag."""
    place, law = index_table(m, ROD_INT), table(m, ROD_LAW)
    line, stiff = table(w, ROD_LINE), table(w, ROD_LINE_STIFFNESS)
    found, again = table(w, ROD_END_NEW), 0
    lost, last, anew = indices(w, ROD_LOST), indices(w, COUNT)[MORE] == 0, False
    end = 0
    while end < place.shape[0]:
        first, end = end, run_end(m, end)
        if end - first == 1:
            follow(context, m, first, h)
        else:
            call_stage(SLIDE_RUN, context, h, float(first))
    for k in range(place.shape[0]):
        if leaning is not None:
            if stands(m, k) > 0:
                if stands(m, k) == 1:
                    miss, course = miss_leaning(m, w, k), course_leaning(m, s, w, k, h)
                    again = 1 if miss > AGREED else again
                    level = next_level(lost[k], miss, last, course == 2) if course > 0 else lost[k]
                    anew, lost[k] = anew or lost[k] < level <= LEVELS, level
                continue
        worst, size = 0.0, law[k, 0]
        for r in range(12):
            unit = 1.0 if r % 6 < 3 else law[k, 1]
            expected = line[k, RK_WRENCH + r]
            for j in range(12):
                expected -= stiff[k, 12 * r + j] * (found[k, RN_SHIFT + j] - line[k, RK_SHIFT + j])
            worst = max(worst, abs(found[k, RN_WRENCH + r] - expected) / unit)
            size = max(size, abs(found[k, RN_WRENCH + r]) / unit)
        if worst > AGREED * size:
            again = 1
        course = _course(m, s, w, k, h)
        level = next_level(lost[k], worst / size, last, course == 2) if course > 0 else lost[k]
        anew, lost[k] = anew or lost[k] < level <= LEVELS, level
    if anew:
        _begin(m, s, w, leaning)
        return 2
    return again


@kernel
def _is_at(m, s, w, k, h, leaning):
    """Whether the shape of rod k is that of the poses at the end of the step."""
    if leaning is not None:
        if index_table(m, ROD_INT)[k, RI_ROW] >= 0:
            return is_at_leaning(m, s, w, k, h)
    pose, target = table(w, ROD_POSE_NEW)[k], table(w, ROD_PASS)[0]
    end_pose(m, s, w, k, h, target, table(w, ROD_END_NEW)[k])
    same = True
    for c in range(14):
        same = same and pose[c] == target[c]
    return same


@kernel
def rest_rods(settings, context, m, s, w, h, extra, leaning):
    """The rods of a step that is taken: energy account, then what was found stands."""
    place, ends, found = index_table(m, ROD_INT), table(s, ROD_END), table(w, ROD_END_NEW)
    pose = table(w, ROD_POSE_NEW)
    end = 0
    while end < place.shape[0]:
        first, end = end, run_end(m, end)
        if indices(w, ROD_LOST)[first] > LEVELS:
            # no drag has helped: what there was stands
            _keep(m, s, w, first, end, leaning)
            ends[first, RE_UNSOLVED] += 1.0
            ends[first, RE_LOST] = 2.0
            continue
        there = end - first == 1 or driven(m, w, first, end) <= NOISE
        for k in range(first, end):
            there = there and _is_at(m, s, w, k, h, leaning)
        # constraints may have been corrected after the last look
        if not there:
            alone = end - first == 1
            stands_there = follow(context, m, first, h) if alone else call_stage(SLIDE_RUN, context, h, -1.0 - first)
            if stands_there == 0:
                ends[first, RE_UNSOLVED] += 1.0
                ends[first, RE_LOST] = 2.0
    jumped = 0.0
    for k in range(place.shape[0]):
        if leaning is None:
            jumped += _account(settings, m, s, w, k, h, extra)
        elif stands(m, k) == 1:
            jumped += account_leaning(m, s, w, k, h, _tau(settings, table(m, ROD_LAW), k, h, extra))
        elif stands(m, k) == 0:
            jumped += _account(settings, m, s, w, k, h, extra)
        for c in range(12):
            ends[k, RE_BEFORE + c] = ends[k, RE_NOW + c]
            ends[k, RE_NOW + c] = found[k, RN_WRENCH + c]
        ends[k, RE_ENERGY] = found[k, RN_ENERGY]
    # what one gains there another has lost; never more than that
    column(s, LEDGER)[LOSS_JOINT] += max(0.0, jumped)
    if leaning is not None:
        rest_leaning(m, s, w)
    _copy(table(w, ROD_FRAME_NEW), table(s, ROD_FRAME))
    _copy(pose, table(s, ROD_POSE))
    _copy(table(w, ROD_STIFFNESS_NEW), table(s, ROD_STIFFNESS))
    _copy(table(w, ROD_SLIDE_NEW), table(s, ROD_SLIDE))
    force, force_new = column(s, ROD_FORCE), column(w, ROD_FORCE_NEW)
    for i in range(force.shape[0]):
        force[i] = force_new[i]


@kernel
def _keep(m, s, w, first, end, leaning):
    """Rods first to end stand as they did before the step."""
    place, ends, found = index_table(m, ROD_INT), table(s, ROD_END), table(w, ROD_END_NEW)
    for k in range(first, end):
        at, count = place[k, RI_FRAME], place[k, RI_FRAMES]
        _copy(table(s, ROD_FRAME)[at : at + count], table(w, ROD_FRAME_NEW)[at : at + count])
        _copy(table(s, ROD_POSE)[k : k + 1], table(w, ROD_POSE_NEW)[k : k + 1])
        _copy(table(s, ROD_STIFFNESS)[k : k + 1], table(w, ROD_STIFFNESS_NEW)[k : k + 1])
        _copy(table(s, ROD_SLIDE)[k : k + 1], table(w, ROD_SLIDE_NEW)[k : k + 1])
        for c in range(3):
            column(w, ROD_FORCE_NEW)[3 * k + c] = column(s, ROD_FORCE)[3 * k + c]
        for c in range(12):
            found[k, RN_WRENCH + c] = ends[k, RE_NOW + c]
        found[k, RN_ENERGY] = ends[k, RE_ENERGY]
        if leaning is not None:
            if place[k, RI_ROW] >= 0:
                stand_still(m, s, w, k)
    if leaning is not None:
        if place[first, RI_RUN] >= 0:
            stand_still_run(m, s, w, first)


@kernel
def _account(settings, m, s, w, k, h, extra):
    """Work of kinematic ends, loss, energy at the middle of the step E' = (E + E+)/2 - h^2 v K v/8. Returns what is lost where the step
    was begun anew, there is no shape, or was none [J]: what was there and the bodies have not received."""
    place, law, node_of = index_table(m, ROD_INT)[k], table(m, ROD_LAW), indices(m, BODY_NODE)
    ends, found, line = table(s, ROD_END)[k], table(w, ROD_END_NEW)[k], table(w, ROD_LINE)[k]
    K, ledger = table(w, ROD_LINE_STIFFNESS)[k], column(s, LEDGER)
    vel, new = table(s, BODY_VEL), table(w, BODY_NEW)
    damped, b, d, length = h * _tau(settings, law, k, h, extra), _blend(m, w, k, h), _drag(m, s, w, k, h), law[k, 1]
    loss, curved, doubled, given, work = 0.0, 0.0, 0.0, 0.0, 0.0
    for r in range(12):
        i = place[RI_A + r // 6]
        mean, dynamic = 0.5 * (vel[i, r % 6] + new[i, r % 6]), node_of[i] >= 0
        bent, drag, slowed = 0.0, 0.0, 0.0
        for j in range(12):
            other = place[RI_A + j // 6]
            value, held = K[12 * r + j], d * between(r, j, 2, length)
            bent += value * (h * new[other, j % 6] - line[RK_SHIFT + j])
            drag += value * new[other, j % 6]
            slowed += held * new[other, j % 6]
            if dynamic and node_of[other] >= 0:
                # booked with the geometric stiffness by the account of the bodies
                value = ((0.25 + 0.75 * b) * h * h + damped) * value + held
                doubled += 0.5 * value * (new[i, r % 6] * new[other, j % 6] - vel[i, r % 6] * vel[other, j % 6])
        past, last = 0.25 * (2.0 * ends[RE_NOW + r] + ends[RE_BEFORE + r]), line[RK_WRENCH + r] - bent
        impulse = h * ((0.25 + 0.75 * b) * last + (1.0 - b) * past)
        slowed += damped * drag
        loss += (slowed - b * h * (0.75 * last - past)) * mean
        curved += new[i, r % 6] * drag
        work += (impulse - slowed) * mean
        if not dynamic:
            given -= (impulse - slowed) * mean
    ledger[WORK_KINEMATIC] += given
    ledger[GEOMETRIC] -= doubled
    anew, before, lost = indices(w, ROD_LOST)[k] > 0, ends[RE_MIDDLE], ends[RE_LOST] > 0.0
    bow, most = 0.125 * h * h * curved, abs(found[RN_ENERGY] - ends[RE_ENERGY])
    if anew and abs(bow) > most:
        # no parabola: no further from both ends than these are apart
        bow = most if bow > 0.0 else -most
    ends[RE_MIDDLE] = 0.5 * (ends[RE_ENERGY] + found[RN_ENERGY]) - bow
    ends[RE_LOST] = 1.0 if anew or ends[RE_LOST] > 1.0 else 0.0
    if anew or lost:
        return before - ends[RE_MIDDLE] - work
    ledger[LOSS_JOINT] += loss
    return 0.0
