"""Winches: what the drive of a drum does in this step, from its control, its limits and its brake.

One state machine per drum sets the target of the flow and the force that resists paying out:

    drive      turns as the control asks, within the force of its torque-speed curve
    stopping   the control is at zero: the motor holds until the brake has closed (brake delay)
    hold       the brake holds up to its own limit and slips above
    emergency  motor off at once; nothing holds until the brake has closed

Limits only ever take motion away that would go further wrong: at the upper limit (least rope out), at overload, at
two-block and beyond the load-moment table one may still lower, at the lower limit and on a slack rope still haul. A winch
that luffs a boom may be guarded by the one that hoists: it then does not pay out while that one must not hoist. What is
cut out slows down along the ramp of the drive.
"""

from __future__ import annotations

import math

from taut.cables.massless.columns import (
    F_FLOW,
    F_LIMIT,
    F_STATUS,
    F_TARGET,
    HELD,
    L_AFTER,
    L_BEFORE,
    P_SEGMENT,
    P_SEGMENTS,
    T_AFTER,
    T_BEFORE,
)
from taut.cables.massless.drum import (
    V_ANGLE,
    V_BLOCK,
    V_BRAKE,
    V_CURVE,
    V_CURVE_END,
    V_DELAY,
    V_EMERGENCY,
    V_FAULT,
    V_GAP,
    V_GUARD,
    V_IDLE,
    V_LEAN,
    V_LEAST_GAP,
    V_LEAST_OUT,
    V_MODE,
    V_MORE,
    V_MOST_OUT,
    V_MOST_SPEED,
    V_OUT,
    V_OVERLOAD,
    V_PACE,
    V_PITCH,
    V_RADIUS,
    V_ROPE,
    V_SHIFT,
    V_SHIFT_START,
    V_SIGNALS,
    V_SLACK_STOP,
    V_SLOWING,
    V_SPEED,
    V_STOP,
    V_TABLE,
    V_TABLE_END,
    V_TO_POSITION,
    V_TOTAL,
    V_TRANSFER,
    V_USED,
    V_WARNS,
    drum_radius,
    drum_shift,
)
from taut.core.braking import brakeable
from taut.core.buffers import column, index_table, table
from taut.core.jit import kernel
from taut.core.model import (
    D_TARGET,
    DRIVE,
    LEDGER,
    LOSS_JOINT,
    ROPE_INT,
    ROPE_LENGTH,
    ROW_LAM,
    TRANSFER_HEAD,
    TRANSFER_INT,
    TRANSFER_ROW,
    TRANSFER_STATE,
    WINCH_CURVE,
    WINCH_INT,
    WINCH_LAW,
    WINCH_STATE,
    WORK_MOTOR,
)

DRIVES, STOPS, HOLDS, EMERGENCY = 0.0, 1.0, 2.0, 3.0
#: signals, as bits
UPPER, LOWER, OVERLOAD, SLACK, STOPPED, SLIPS, FAULT, TWO_BLOCK, WARNING, MOMENT = 1, 2, 4, 8, 16, 32, 64, 128, 256, 512
#: a winch that goes to a position has come there when it is nearer than this [m]
NEAR = 1e-6
#: part of its clearance by which a block must be clear again before the two-block signal goes off
CLEAR = 0.05


@kernel
def _curve_force(curve, first, last, speed):
    """Force of the drive at a speed, by straight lines between the points of its curve."""
    if speed <= curve[first, 0]:
        return curve[first, 1]
    for k in range(first + 1, last):
        if speed <= curve[k, 0]:
            f = (speed - curve[k - 1, 0]) / (curve[k, 0] - curve[k - 1, 0])
            return (1.0 - f) * curve[k - 1, 1] + f * curve[k, 1]
    return curve[last - 1, 1]


@kernel
def run_winches(m, s, h):
    """Target and force limit of every drum for the coming step."""
    for k in range(index_table(m, WINCH_INT).shape[0]):
        tension, slack = _pull(m, s, k, h)
        left, gear = _turn_drum(m, s, k, tension, h)
        speed, signals = _allowed(m, s, k, tension, slack, left, h)
        signals |= _command(m, s, k, speed, left, gear, h)
        table(s, WINCH_STATE)[k, V_SIGNALS] = float(signals)


@kernel
def _at_start(m, t):
    """Whether a drum is where its rope begins: paying out is then flow away from it, else towards it."""
    return index_table(m, TRANSFER_INT)[t, T_BEFORE] < 0


@kernel
def _pull(m, s, k, h):
    """Tension at the drum in the last step, and whether the rope was slack."""
    t, transfer, link = (
        index_table(m, WINCH_INT)[k, V_TRANSFER],
        index_table(m, TRANSFER_INT),
        index_table(s, TRANSFER_ROW),
    )
    lam, head, first = column(s, ROW_LAM), table(s, TRANSFER_HEAD), _at_start(m, t)
    row = link[t, L_AFTER] if first else link[t, L_BEFORE]
    tension = -lam[row] / h + head[t, 1 if first else 0]
    if not first and transfer[t, T_AFTER] >= 0:
        tension = max(tension, -lam[link[t, L_AFTER]] / h + head[t, 1])  # a driven sheave, with rope on both sides
    return tension, lam[row] >= 0.0


@kernel
def _turn_drum(m, s, k, tension, h):
    """Rope out, angle and lead-off point after the last step; returns the rope on the drum and the gain of force at its
    layer over that on the bare drum."""
    winch, law, rope, state = (
        index_table(m, WINCH_INT),
        table(m, WINCH_LAW),
        index_table(m, ROPE_INT),
        table(s, WINCH_STATE),
    )
    t, r, length = winch[k, V_TRANSFER], winch[k, V_ROPE], column(s, ROPE_LENGTH)
    out = 0.0
    for i in range(rope[r, P_SEGMENT], rope[r, P_SEGMENT] + rope[r, P_SEGMENTS]):
        out += length[i]
    left = law[k, V_TOTAL] + state[k, V_MORE] - out
    radius = drum_radius(law, k, left)
    if radius > 0.0:
        state[k, V_ANGLE] += (-h if _at_start(m, t) else h) * table(s, TRANSFER_STATE)[t, F_FLOW] / radius
    state[k, V_OUT] = out
    if law[k, V_PITCH] != 0.0:
        shift = drum_shift(law, k, left) - law[k, V_SHIFT_START]
        # a drum that leads off aslant also lengthens the path: its motor's work, which no rate of a body knows of
        work, ledger = tension * state[k, V_LEAN] * (shift - state[k, V_SHIFT]), column(s, LEDGER)
        ledger[WORK_MOTOR] += work
        ledger[LOSS_JOINT] += work
        state[k, V_SHIFT] = shift
    return left, law[k, V_RADIUS] / radius if radius > 0.0 else 1.0


@kernel
def _allowed(m, s, k, tension, slack, left, h):
    """The speed asked for, hauling positive, less what limits take away; and their signals."""
    winch, law, state = index_table(m, WINCH_INT), table(m, WINCH_LAW), table(s, WINCH_STATE)
    speed, slowing, out = table(s, DRIVE)[winch[k, V_SPEED], D_TARGET], law[k, V_SLOWING], state[k, V_OUT]
    most_out = law[k, V_MOST_OUT]
    if law[k, V_TOTAL] > 0.0 and most_out == law[k, V_TOTAL]:
        most_out = out + left
    if winch[k, V_TO_POSITION] == 1:
        speed = _approach(out - speed, state[k, V_PACE], slowing, h)
    speed = min(max(speed, -law[k, V_MOST_SPEED]), law[k, V_MOST_SPEED])
    # what is cut out slows down along its ramp: the speeds that are still allowed upwards and downwards
    most, least = max(state[k, V_PACE] - slowing * h, 0.0), min(state[k, V_PACE] + slowing * h, 0.0)
    signals = 0
    if out <= law[k, V_LEAST_OUT]:
        signals |= UPPER
    if out >= most_out:
        signals |= LOWER
    # no faster than can be braked before the limit, less the way of this step
    speed = min(speed, brakeable(out - law[k, V_LEAST_OUT], slowing, h))
    speed = max(speed, -brakeable(most_out - out, slowing, h))
    if tension > law[k, V_OVERLOAD]:
        signals |= OVERLOAD
        speed = min(speed, most)
    if winch[k, V_BLOCK] >= 0:
        # slows down before it: the gap closes at most as fast as the rope runs
        speed = min(speed, max(brakeable(state[k, V_GAP] - law[k, V_LEAST_GAP], slowing, h), most))
    signals |= _watched(k, winch, law, state)
    if signals & (MOMENT | TWO_BLOCK):
        speed = min(speed, most)
    if winch[k, V_GUARD] >= 0:
        guard = _watched(winch[k, V_GUARD], winch, law, state)
        signals |= guard
        if guard & (TWO_BLOCK | MOMENT):
            speed = max(speed, least)
    if slack:
        signals |= SLACK
        if law[k, V_SLACK_STOP] > 0.0:
            speed = max(speed, 0.0)
    return speed, signals


@kernel
def _command(m, s, k, speed, left, gear, h):
    """The state machine: which of motor and brake acts, with what target and force; returns its signals."""
    winch, law, curve = index_table(m, WINCH_INT), table(m, WINCH_LAW), table(m, WINCH_CURVE)
    state, flow, drive = table(s, WINCH_STATE), table(s, TRANSFER_STATE), table(s, DRIVE)
    t, signals = winch[k, V_TRANSFER], 0
    sign = 1.0 if _at_start(m, t) else -1.0
    fault = drive[winch[k, V_FAULT], D_TARGET] > 0.5
    stopped = drive[winch[k, V_STOP], D_TARGET] > 0.5
    # the ramp goes on from what is done, not from what was asked for
    state[k, V_PACE] = 0.0 if stopped else speed
    if winch[k, V_TO_POSITION] == 0:
        drive[winch[k, V_SPEED], D_TARGET] = state[k, V_PACE]
    brake = 0.0 if fault else law[k, V_BRAKE] * gear
    motor = _curve_force(curve, winch[k, V_CURVE], winch[k, V_CURVE_END], abs(speed)) * gear
    if fault:
        signals |= FAULT
    if stopped:
        signals |= STOPPED
        state[k, V_EMERGENCY] += h
        state[k, V_MODE] = EMERGENCY
        flow[t, F_TARGET] = 0.0
        # in the step in which it closes it holds for a part of the time: the impulse is what counts
        flow[t, F_LIMIT] = brake * min(max((state[k, V_EMERGENCY] - law[k, V_DELAY]) / h, 0.0), 1.0)
    else:
        state[k, V_EMERGENCY] = 0.0
        flow[t, F_TARGET] = -sign * speed
        if speed != 0.0:
            state[k, V_IDLE] = 0.0
            state[k, V_MODE] = DRIVES
            flow[t, F_LIMIT] = motor
        else:
            state[k, V_IDLE] += h
            state[k, V_MODE] = HOLDS if state[k, V_IDLE] >= law[k, V_DELAY] else STOPS
            flow[t, F_LIMIT] = brake if state[k, V_MODE] == HOLDS else motor
    if law[k, V_TOTAL] > 0.0 and speed <= 0.0 and left <= h * max(sign * flow[t, F_FLOW], 0.0) + NEAR:
        # all of its rope is out in this step: the end is clamped to the drum, whatever the brake does
        flow[t, F_TARGET], flow[t, F_LIMIT] = sign * left / h, math.inf
        signals |= LOWER
    if flow[t, F_STATUS] != HELD:
        signals |= SLIPS
    return signals


@kernel
def _watched(k, winch, law, state):
    """Two-block and load-moment signals of a winch, by what was measured after the last step.

    They stay on until the block is clear by a twentieth more, and the load below the warning: a load that swings must not
    let the machine creep on.
    """
    signals, before = 0, int(state[k, V_SIGNALS])
    if winch[k, V_BLOCK] >= 0:
        more = 1.0 + CLEAR if before & TWO_BLOCK else 1.0
        if state[k, V_GAP] <= more * law[k, V_LEAST_GAP] + NEAR:
            signals |= TWO_BLOCK
    if winch[k, V_TABLE_END] > winch[k, V_TABLE]:
        if state[k, V_USED] > law[k, V_WARNS]:
            signals |= WARNING
        if state[k, V_USED] > 1.0 or (before & MOMENT and signals & WARNING):
            signals |= MOMENT
    return signals


@kernel
def _approach(way, pace, slowing, h):
    """Speed with which to go on towards a position that is `way` ahead, hauling positive, from the speed it has."""
    wanted = math.copysign(brakeable(abs(way), slowing, h), way) if abs(way) > NEAR else 0.0
    change = slowing * h * (1.0 + 1e-9)
    return min(max(wanted, pace - change), pace + change)
