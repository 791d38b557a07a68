"""Winches: what the drive of a drum does in this step, from its control, its limits and its brake.

One state machine per drum sets the target of the flow and the force that resists paying out:

    drive      turns as the control asks, within the force of its torque-speed curve
    stopping   the control is at zero: the motor holds until the brake has closed (brake delay)
    hold       the brake holds up to its own limit and slips above
    emergency  motor off at once; nothing holds until the brake has closed

Limits only ever take motion away that would go further wrong: at the upper limit (least rope out), at overload and at
two-block one may still lower, at the lower limit and on a slack rope still haul.
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
)

#: columns of winch_int: transfer, rope, drives of speed, emergency stop and brake fault, first and last point of the curve
(
    V_TRANSFER, V_ROPE, V_SPEED, V_STOP, V_FAULT, V_CURVE, V_CURVE_END,
) = range(7)  # fmt: skip
#: columns of winch_law: largest speed, force of the brake, its delay, least and largest rope out, overload, 1: stops on a
#: slack rope, deceleration before the limits, drum radius, rise per layer, turns per layer, rope on the drum and out
(
    V_MOST_SPEED, V_BRAKE, V_DELAY, V_LEAST_OUT, V_MOST_OUT, V_OVERLOAD, V_SLACK_STOP, V_SLOWING, V_RADIUS, V_RISE,
    V_TURNS, V_TOTAL,
) = range(12)  # fmt: skip
#: columns of winch_state: mode, time since motion was last asked for, signals, rope out, drum angle, time since emergency
V_MODE, V_IDLE, V_SIGNALS, V_OUT, V_ANGLE, V_EMERGENCY = range(6)
DRIVES, STOPS, HOLDS, EMERGENCY = 0.0, 1.0, 2.0, 3.0
#: signals, as bits
UPPER, LOWER, OVERLOAD, SLACK, STOPPED, SLIPS, FAULT = 1, 2, 4, 8, 16, 32, 64


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
    link = index_table(s, TRANSFER_ROW)
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
        radius = drum_radius(law, k, law[k, V_TOTAL] - out)
        gear = law[k, V_RADIUS] / radius if radius > 0.0 else 1.0
        state[k, V_ANGLE] -= sign * h * flow[t, F_FLOW] / radius if radius > 0.0 else 0.0
        state[k, V_OUT] = out
        signals = 0
        speed = drive[winch[k, V_SPEED], D_TARGET]
        speed = min(max(speed, -law[k, V_MOST_SPEED]), law[k, V_MOST_SPEED])
        slowing = law[k, V_SLOWING]
        if out <= law[k, V_LEAST_OUT]:
            signals |= UPPER
        if out >= law[k, V_MOST_OUT]:
            signals |= LOWER
        # no faster than can be braked before the limit, less the way of this step
        speed = min(speed, _brakeable(out - law[k, V_LEAST_OUT], slowing, h))
        speed = max(speed, -_brakeable(law[k, V_MOST_OUT] - out, slowing, h))
        if tension > law[k, V_OVERLOAD]:
            signals |= OVERLOAD
            speed = min(speed, 0.0)
        if lam[row] >= 0.0:
            signals |= SLACK
            if law[k, V_SLACK_STOP] > 0.0:
                speed = max(speed, 0.0)
        fault = drive[winch[k, V_FAULT], D_TARGET] > 0.5
        stopped = drive[winch[k, V_STOP], D_TARGET] > 0.5
        # the ramp goes on from what is done, not from what was asked for
        drive[winch[k, V_SPEED], D_TARGET] = 0.0 if stopped else speed
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
        if flow[t, F_STATUS] != HELD:
            signals |= SLIPS
        state[k, V_SIGNALS] = float(signals)


@kernel
def _brakeable(way, slowing, h):
    """Largest speed from which one stops within a way."""
    if way <= 0.0:
        return 0.0
    if math.isinf(way) or math.isinf(slowing):
        return way / h
    # in steps of h: v h + (v - a h) h + ... = way
    return min(slowing * (math.sqrt(0.25 * h * h + 2.0 * way / slowing) - 0.5 * h), way / h)
