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

A drum with a pitch lays its rope turn beside turn: the point where it leads off moves along the axis, to and fro with the
layers. The reversal is spread over half a turn on each side, so that the point moves smoothly (C1).
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

#: columns of winch_int: transfer, rope, drives of speed (or position), emergency stop and brake fault, first and last point
#: of the curve, 1: it goes to a position, body of the block that must not come too near, first and last point of the
#: load-moment table, body on which the load hangs, body that the radius is measured from, winch that guards it; -1: none
(
    V_TRANSFER, V_ROPE, V_SPEED, V_STOP, V_FAULT, V_CURVE, V_CURVE_END, V_TO_POSITION, V_BLOCK, V_TABLE, V_TABLE_END,
    V_HOOK, V_CENTRE, V_GUARD,
) = range(14)  # fmt: skip
#: columns of winch_law: largest speed, force of the brake, its delay, least and largest rope out, overload, 1: stops on a
#: slack rope, deceleration before the limits, drum radius, rise per layer, turns per layer, rope on the drum and out,
#: least clearance of the block, share of the rated load from which it warns, arm of the point that the radius is measured
#: from, pitch of the rope on the drum, way along the drum at the start
(
    V_MOST_SPEED, V_BRAKE, V_DELAY, V_LEAST_OUT, V_MOST_OUT, V_OVERLOAD, V_SLACK_STOP, V_SLOWING, V_RADIUS, V_RISE,
    V_TURNS, V_TOTAL, V_LEAST_GAP, V_WARNS, V_ARM, _, _, V_PITCH, V_SHIFT_START,
) = range(19)  # fmt: skip
#: columns of winch_state: mode, time since motion was last asked for, signals, rope out, drum angle, time since emergency,
#: speed asked of the drive, way of the lead-off point along the drum since the start, lengthening of the path per way,
#: clearance of the block, radius of the load, load, its share of what is rated there, rope that the way round obstacles took at
#: the start beyond the route
(
    V_MODE, V_IDLE, V_SIGNALS, V_OUT, V_ANGLE, V_EMERGENCY, V_PACE, V_SHIFT, V_LEAN, V_GAP, V_REACH, V_LOAD, V_USED, V_MORE,
) = range(14)  # fmt: skip
DRIVES, STOPS, HOLDS, EMERGENCY = 0.0, 1.0, 2.0, 3.0
#: signals, as bits
UPPER, LOWER, OVERLOAD, SLACK, STOPPED, SLIPS, FAULT, TWO_BLOCK, WARNING, MOMENT = 1, 2, 4, 8, 16, 32, 64, 128, 256, 512
#: a winch that goes to a position has come there when it is nearer than this [m]
NEAR = 1e-6
#: part of its clearance by which a block must be clear again before the two-block signal goes off
CLEAR = 0.05


@kernel
def drum_radius(law, k, wound):
    """Radius at which the rope lies, and the slope of layer changes smoothed over one turn [m]."""
    radius, rise, turns = law[k, V_RADIUS], law[k, V_RISE], law[k, V_TURNS]
    if rise <= 0.0 or turns <= 0.0:
        return radius
    layer = 2.0 * math.pi * turns * radius
    left = wound
    while left > layer:
        left -= layer
        radius += rise
        layer = 2.0 * math.pi * turns * radius
    # the last turn of a layer climbs onto the next: 3 x^2 - 2 x^3
    x = (left - (layer - 2.0 * math.pi * radius)) / (2.0 * math.pi * radius)
    return radius + rise * x * x * (3.0 - 2.0 * x) if x > 0.0 else radius


@kernel
def drum_shift(law, k, wound):
    """Way of the lead-off point along the drum with so much rope wound on it, from the first turn [m]."""
    radius, rise, turns, pitch = law[k, V_RADIUS], law[k, V_RISE], law[k, V_TURNS], law[k, V_PITCH]
    if pitch == 0.0:
        return 0.0
    if rise <= 0.0 or turns <= 0.0:
        return pitch * wound / (2.0 * math.pi * radius)
    layers, left = 0, wound
    while left > 2.0 * math.pi * turns * radius:
        left -= 2.0 * math.pi * turns * radius
        radius += rise
        layers += 1
    turn = left / (2.0 * math.pi * radius)
    # turns to the next reversal and from the last; within half a turn the way is a parabola with the same ends and slopes
    ahead, behind = turns - turn, turn
    way = turn
    if ahead < 0.5:
        way = turns - 0.25 - ahead * ahead
    elif layers > 0 and behind < 0.5:
        way = 0.25 + behind * behind
    return pitch * (way if layers % 2 == 0 else turns - way)


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
def run_winches(m, s, w, h):
    """Target and force limit of every drum for the coming step."""
    winch, law, curve = index_table(m, WINCH_INT), table(m, WINCH_LAW), table(m, WINCH_CURVE)
    rope, transfer = index_table(m, ROPE_INT), index_table(m, TRANSFER_INT)
    state, flow, drive = table(s, WINCH_STATE), table(s, TRANSFER_STATE), table(s, DRIVE)
    length, lam, head = column(s, ROPE_LENGTH), column(s, ROW_LAM), table(s, TRANSFER_HEAD)
    ledger, link = column(s, LEDGER), index_table(s, TRANSFER_ROW)
    for k in range(winch.shape[0]):
        t, r = winch[k, V_TRANSFER], winch[k, V_ROPE]
        at_start = transfer[t, T_BEFORE] < 0
        row = link[t, L_AFTER] if at_start else link[t, L_BEFORE]
        sign = 1.0 if at_start else -1.0  # paying out is flow away from the drum
        tension = -lam[row] / h + head[t, 1 if at_start else 0]
        if not at_start and transfer[t, T_AFTER] >= 0:
            tension = max(tension, -lam[link[t, L_AFTER]] / h + head[t, 1])  # a driven sheave, with rope on both sides
        out = 0.0
        for i in range(rope[r, P_SEGMENT], rope[r, P_SEGMENT] + rope[r, P_SEGMENTS]):
            out += length[i]
        total, most_out = law[k, V_TOTAL] + state[k, V_MORE], law[k, V_MOST_OUT]
        if law[k, V_TOTAL] > 0.0 and most_out == law[k, V_TOTAL]:
            most_out = total
        radius = drum_radius(law, k, total - out)
        gear = law[k, V_RADIUS] / radius if radius > 0.0 else 1.0
        state[k, V_ANGLE] -= sign * h * flow[t, F_FLOW] / radius if radius > 0.0 else 0.0
        state[k, V_OUT] = out
        if law[k, V_PITCH] != 0.0:
            shift = drum_shift(law, k, total - out) - law[k, V_SHIFT_START]
            # a drum that leads off aslant also lengthens the path: its motor's work, which no rate of a body knows of
            work = tension * state[k, V_LEAN] * (shift - state[k, V_SHIFT])
            ledger[WORK_MOTOR] += work
            ledger[LOSS_JOINT] += work
            state[k, V_SHIFT] = shift
        signals = 0
        speed, slowing = drive[winch[k, V_SPEED], D_TARGET], law[k, V_SLOWING]
        if winch[k, V_TO_POSITION] == 1:
            speed = _approach(out - speed, state[k, V_PACE], slowing, h)
        speed = min(max(speed, -law[k, V_MOST_SPEED]), law[k, V_MOST_SPEED])
        # what is cut out slows down along its ramp: the speeds that are still allowed upwards and downwards
        most, least = max(state[k, V_PACE] - slowing * h, 0.0), min(state[k, V_PACE] + slowing * h, 0.0)
        if out <= law[k, V_LEAST_OUT]:
            signals |= UPPER
        if out >= most_out:
            signals |= LOWER
        # no faster than can be braked before the limit, less the way of this step
        speed = min(speed, _brakeable(out - law[k, V_LEAST_OUT], slowing, h))
        speed = max(speed, -_brakeable(most_out - out, slowing, h))
        if tension > law[k, V_OVERLOAD]:
            signals |= OVERLOAD
            speed = min(speed, most)
        if winch[k, V_BLOCK] >= 0:
            # slows down before it: the gap closes at most as fast as the rope runs
            speed = min(speed, max(_brakeable(state[k, V_GAP] - law[k, V_LEAST_GAP], slowing, h), most))
        signals |= _watched(k, winch, law, state)
        if signals & (MOMENT | TWO_BLOCK):
            speed = min(speed, most)
        if winch[k, V_GUARD] >= 0:
            guard = _watched(winch[k, V_GUARD], winch, law, state)
            signals |= guard
            if guard & (TWO_BLOCK | MOMENT):
                speed = max(speed, least)
        if lam[row] >= 0.0:
            signals |= SLACK
            if law[k, V_SLACK_STOP] > 0.0:
                speed = max(speed, 0.0)
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
            flow[t, F_LIMIT] = brake if state[k, V_EMERGENCY] >= law[k, V_DELAY] else 0.0
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
        left = total - out
        if law[k, V_TOTAL] > 0.0 and speed <= 0.0 and left <= h * max(sign * flow[t, F_FLOW], 0.0) + NEAR:
            # all of its rope is out in this step: the end is clamped to the drum, whatever the brake does
            flow[t, F_TARGET], flow[t, F_LIMIT] = sign * left / h, math.inf
            signals |= LOWER
        if flow[t, F_STATUS] != HELD:
            signals |= SLIPS
        state[k, V_SIGNALS] = float(signals)


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
    wanted = math.copysign(_brakeable(abs(way), slowing, h), way) if abs(way) > NEAR else 0.0
    change = slowing * h * (1.0 + 1e-9)
    return min(max(wanted, pace - change), pace + change)


@kernel
def _brakeable(way, slowing, h):
    """Largest speed from which one stops within a way."""
    if way <= 0.0:
        return 0.0
    if math.isinf(way) or math.isinf(slowing):
        return way / h
    # in steps of h: v h + (v - a h) h + ... = way
    return min(slowing * (math.sqrt(0.25 * h * h + 2.0 * way / slowing) - 0.5 * h), way / h)
