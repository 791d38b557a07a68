"""Drums: where their rope lies, layer upon layer, and the columns of a winch's tables.

A drum with a pitch lays its rope turn beside turn: the point where it leads off moves along the axis, to and fro with the
layers. The reversal is spread over half a turn on each side, so that the point moves smoothly (C1).
"""

from __future__ import annotations

import math

from taut.core.jit import kernel

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
