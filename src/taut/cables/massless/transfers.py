"""What holds the flow of a rope over its parts: loss, friction, drives. And what the step leaves behind.

A held transfer carries the difference of its two tensions as long as that is within its limit; beyond, the rope runs
against the limit, until its speed relative to the target would turn round. Limits follow the tensions of the same step:

    bearing and bending    a + b T_high         efficiency e: b = 1 - e
    rope on a wheel        (1 - exp(-mu wrap)) T_high   (Euler-Eytelwein)
    drive                  force limit of motor or brake, which resists paying out
"""

from __future__ import annotations

import math

from taut.cables.massless.columns import (
    F_FLOW,
    F_FORCE,
    F_LIMIT,
    F_STATUS,
    F_TARGET,
    HELD,
    L_AFTER,
    L_BEFORE,
    N_TURN,
    N_WRAP,
    O_EXPECTED,
    O_KINKED,
    P_BREAK,
    P_FIRST,
    P_SEGMENT,
    P_SEGMENTS,
    P_SLOTS,
    P_SOFTNESS,
    P_TWIST,
    P_TWIST_SOFTNESS,
    T_AFTER,
    T_BEFORE,
    T_FRICTION,
    T_LOSS,
    T_MASS,
    T_PART,
    T_PART_LOST,
    T_SLIP,
    T_WINCH,
    W_BENT,
    X_STORED,
)
from taut.cables.massless.rows import add_transfer, part_rope, segment_of
from taut.cables.massless.slip import S_MISS, S_WEIGHT, forget, improve
from taut.core.buffers import column, index_table, indices, table
from taut.core.jit import kernel
from taut.core.model import (
    ELASTIC,
    G_START,
    GROUP_INT,
    JOINT_INT,
    LEDGER,
    LOSS_JOINT,
    PART_ANGLE,
    PART_INT,
    PART_PLACE,
    R_RATE,
    R_RATE_NEW,
    ROPE_BROKEN,
    ROPE_ENERGY,
    ROPE_INT,
    ROPE_LAW,
    ROPE_LENGTH,
    ROPE_RATE,
    ROPE_TWIST,
    ROW,
    ROW_LAM,
    ROW_PHI,
    SLIP,
    SLIP_COUNT,
    SLIP_FORCE,
    TRANSFER_HEAD,
    TRANSFER_INT,
    TRANSFER_LAW,
    TRANSFER_ROW,
    TRANSFER_STATE,
    WORK_MOTOR,
)

#: agreement of a running force with the limit of its own tensions, as a part of the low side's, and of the high side's;
#: round-off may stand in the way: from this round on a tenfold miss will do, and again in each round, up to the last
TOLERANCE, ROUND_OFF, PATIENT, WORST = 1e-10, 1e-13, 5, 1e-5
#: a force is far off when it misses by more than this part of the low side's, for so many rounds at most
FAR, FAR_ROUNDS = 0.01, 8


@kernel
def _impulses(t, s, h):
    """Tension impulses before and after a transfer, with the weight of a layered rope."""
    link, lam, head = index_table(s, TRANSFER_ROW), column(s, ROW_LAM), table(s, TRANSFER_HEAD)
    a, b = link[t, L_BEFORE], link[t, L_AFTER]
    return h * head[t, 0] - lam[a] if a >= 0 else 0.0, h * head[t, 1] - lam[b] if b >= 0 else 0.0


@kernel
def _limit(t, m, s, w, before, after, h):
    """Largest difference of tension impulses that holds the flow; for a drum only paying out has one."""
    transfer, law, state = index_table(m, TRANSFER_INT), table(m, TRANSFER_LAW), table(s, TRANSFER_STATE)
    if transfer[t, T_WINCH] >= 0 and (transfer[t, T_BEFORE] < 0 or transfer[t, T_AFTER] < 0):
        return h * state[t, F_LIMIT]
    high = max(before, after)
    limit = h * law[t, T_LOSS] + law[t, T_PART_LOST] * high
    if transfer[t, T_WINCH] >= 0:
        limit = h * state[t, F_LIMIT]
    if law[t, T_FRICTION] >= 0.0:
        angle, k = table(s, PART_ANGLE), transfer[t, T_PART]
        wrap = index_table(m, PART_INT)[k, N_TURN] * (angle[k, 1] - angle[k, 0])
        if index_table(m, PART_INT)[k, N_WRAP] >= 0:
            wrap = table(w, PART_PLACE)[k, W_BENT]
        grip = (1.0 - math.exp(-law[t, T_FRICTION] * max(wrap, 0.0))) * high
        limit = min(limit, grip) if limit > 0.0 or transfer[t, T_WINCH] >= 0 else grip
    return limit


@kernel
def yield_transfers(m, s, w, h, renewed, single):
    """Let every transfer hold or run as the tensions just found ask for.

    Returns 0: nothing changed; 1: one began to hold or to run, the factors are out of date; 2: only forces changed.
    `renewed`: the tensions come from new factors. `single`: only one of them may begin to hold or to run, the last along
    the ropes; all at once may go round in circles.
    """
    law, state, slip = table(m, TRANSFER_LAW), table(s, TRANSFER_STATE), table(w, SLIP)
    changed, missed = 0, 0
    rounds = 0 if renewed else indices(w, SLIP_COUNT)[1]
    close = min(TOLERANCE * 10.0 ** max(rounds - PATIENT, 0), WORST)
    # tensions of forces that are far off say nothing about who holds and who runs
    settled = rounds >= FAR_ROUNDS or not _far_off(m, s, w, h)
    for t in range(state.shape[0] - 1, -1, -1):
        before, after = _impulses(t, s, h)
        pull, limit, high = after - before, _limit(t, m, s, w, before, after, h), max(before, after)
        status, force = state[t, F_STATUS], state[t, F_FORCE]
        slip[t, S_MISS], slip[t, S_WEIGHT] = 0.0, h / (high + 1e-300)
        if status == HELD:
            if abs(pull) > limit * (1.0 + TOLERANCE) + 1e-300:
                status, force = math.copysign(1.0, pull), limit / h
        else:
            flow = state[t, F_FLOW] + (pull - h * status * force) / law[t, T_MASS]
            turned = (flow - state[t, F_TARGET]) * status < 0.0
            if math.isinf(limit) or (turned and limit > 0.0 and settled):
                status = HELD
            else:
                slip[t, S_MISS] = limit / h - force
                # against the force on the low side: what a bollard holds, not what it is held by
                if abs(limit - h * force) > close * max(high - limit, 0.0) + ROUND_OFF * high:
                    missed = 1
        if status != state[t, F_STATUS] and (settled or math.isinf(limit)) and not (single and changed == 1):
            add_transfer(t, -1.0, m, s, w, h)
            state[t, F_STATUS], state[t, F_FORCE] = status, force
            add_transfer(t, 1.0, m, s, w, h)
            changed = 1
    if changed == 0 and missed == 0:
        return 0
    if changed == 1 or renewed:
        forget(w)
    _push_back(m, s, w, h)
    return 1 if changed == 1 else 2


@kernel
def _far_off(m, s, w, h):
    """Whether the force of a slipping transfer is far from the limit of the tensions that it makes."""
    state = table(s, TRANSFER_STATE)
    for t in range(state.shape[0]):
        if state[t, F_STATUS] != HELD:
            before, after = _impulses(t, s, h)
            limit, high = _limit(t, m, s, w, before, after, h), max(before, after)
            if math.isfinite(limit) and abs(limit - h * state[t, F_FORCE]) > FAR * max(high - limit, FAR * high):
                return True
    return False


@kernel
def _push_back(m, s, w, h):
    """Put better forces on all transfers that slip."""
    state, force = table(s, TRANSFER_STATE), column(w, SLIP_FORCE)
    for t in range(state.shape[0]):
        force[t] = state[t, F_FORCE]
    improve(w, force)
    for t in range(state.shape[0]):
        if state[t, F_STATUS] != HELD and force[t] != state[t, F_FORCE]:
            add_transfer(t, -1.0, m, s, w, h)
            state[t, F_FORCE] = force[t]
            add_transfer(t, 1.0, m, s, w, h)


@kernel
def flow_of(t, m, s, h):
    """Flow over a transfer at the end of the step."""
    law, state = table(m, TRANSFER_LAW), table(s, TRANSFER_STATE)
    before, after = _impulses(t, s, h)
    if state[t, F_STATUS] == HELD:
        return state[t, F_TARGET] + law[t, T_SLIP] * (after - before) / h
    return state[t, F_FLOW] + (after - before - h * state[t, F_STATUS] * state[t, F_FORCE]) / law[t, T_MASS]


@kernel
def softness_of(t, m):
    """1/EA of the rope that runs over a transfer [1/N]."""
    rope, k = index_table(m, ROPE_INT), index_table(m, TRANSFER_INT)[t, T_PART]
    for r in range(rope.shape[0]):
        if rope[r, P_FIRST] <= k < rope[r, P_SLOTS]:
            return table(m, ROPE_LAW)[r, P_SOFTNESS]
    return 0.0


@kernel
def _twist_energy(r, i, out, m, s, w, h):
    """Energy stored by the twist of rope r of length `out` in the middle of the step."""
    rope, broken, turns = index_table(m, ROPE_INT), indices(s, ROPE_BROKEN), table(m, ROPE_LAW)[r, P_TWIST_SOFTNESS]
    for n in range(rope[r, P_SEGMENT], rope[r, P_SEGMENT] + rope[r, P_SEGMENTS]):
        if broken[n] == 1:
            return 0.0
    if turns <= 0.0 or out <= 0.0:
        return 0.0
    kinked = table(s, ROPE_TWIST)[r, O_KINKED] == 1.0
    middle = column(s, ROW_PHI)[i] + (0.0 if kinked else 0.5 * h * table(w, ROW)[i, R_RATE_NEW])
    return 0.5 * middle * middle / (turns * out)


@kernel
def commit_ropes(m, s, w, h):
    """Unstretched lengths, flows and energies after the step; ropes beyond their breaking load part."""
    rope, law, transfer = index_table(m, ROPE_INT), table(m, ROPE_LAW), index_table(m, TRANSFER_INT)
    tlaw, state, row = table(m, TRANSFER_LAW), table(s, TRANSFER_STATE), table(w, ROW)
    lam, phi, ledger = column(s, ROW_LAM), column(s, ROW_PHI), column(s, LEDGER)
    unstretched, energy, rates = column(s, ROPE_LENGTH), column(s, ROPE_ENERGY), column(w, ROPE_RATE)
    joints, group, head = index_table(m, JOINT_INT).shape[0], index_table(w, GROUP_INT), table(s, TRANSFER_HEAD)
    link = index_table(s, TRANSFER_ROW)
    # work on the bodies, now with the old flows in `rates`; the new ones are added below
    loss, motor, stored = 0.0, 0.0, 0.0
    for r in range(rope.shape[0]):
        start = group[joints + r, G_START]
        for k in range(rope[r, P_SEGMENTS]):
            i = start + k
            loss -= 0.5 * lam[i] * (row[i, R_RATE] + row[i, R_RATE_NEW])
            rates[rope[r, P_SEGMENT] + k] = row[i, R_RATE_NEW]
        if rope[r, P_TWIST] == 1:
            i = start + rope[r, P_SEGMENTS]
            loss -= 0.5 * lam[i] * (row[i, R_RATE] + row[i, R_RATE_NEW])
            twist = table(s, ROPE_TWIST)[r]
            twist[O_EXPECTED] = phi[i] + (h * row[i, R_RATE_NEW] if twist[O_KINKED] == 0.0 else 0.0)
    for t in range(transfer.shape[0]):
        a, b = link[t, L_BEFORE], link[t, L_AFTER]
        flow = flow_of(t, m, s, h)
        before, after = _impulses(t, s, h)
        mean = 0.5 * (flow + state[t, F_FLOW])
        # what a layered rope weighs more on one side is work against gravity, not lost
        loss += h * (head[t, 1] - head[t, 0]) * mean
        if transfer[t, T_WINCH] >= 0:
            # a drive takes what the rope gives it: paying out under tension is negative work of the motor
            work = (
                (after - before) * mean
                if state[t, F_STATUS] == HELD
                else h * state[t, F_STATUS] * state[t, F_FORCE] * mean
            )
            if a < 0 or b < 0:
                # rope comes onto a drum as long as it is stretched, and takes its stretch along: T f (1 + e/2)
                work *= 1.0 + 0.5 * softness_of(t, m) * max(before, after) / h
            motor -= work
            loss -= work
        stored += 0.5 * tlaw[t, T_MASS] * flow * flow if state[t, F_STATUS] != HELD else 0.0
        if a >= 0:
            unstretched[segment_of(m, w, a)] -= h * flow
            rates[segment_of(m, w, a)] += flow
        if b >= 0:
            unstretched[segment_of(m, w, b)] += h * flow
            rates[segment_of(m, w, b)] -= flow
        state[t, F_FLOW] = flow
    for r in range(rope.shape[0]):
        start = group[joints + r, G_START]
        worst, where, out = law[r, P_BREAK] * h, -1, 0.0
        for k in range(rope[r, P_SEGMENTS]):
            segment = rope[r, P_SEGMENT] + k
            if -lam[start + k] > worst:
                worst, where = -lam[start + k], segment
            out += unstretched[segment]
            softness = law[r, P_SOFTNESS] * unstretched[segment]
            middle = phi[start + k] + 0.5 * h * rates[segment]
            if softness > 0.0 and lam[start + k] < 0.0 and middle > 0.0:
                stored += 0.5 * middle * middle / softness
        if where >= 0:
            part_rope(r, where, m, s)
        if rope[r, P_TWIST] == 1:
            stored += _twist_energy(r, start + rope[r, P_SEGMENTS], out, m, s, w, h)
    ledger[LOSS_JOINT] += loss - (stored - energy[X_STORED])
    ledger[WORK_MOTOR] += motor
    energy[X_STORED] = stored
    ledger[ELASTIC] += stored
