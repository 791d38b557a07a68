"""The tension of a segment whose spans wave, its ends moving as given: one equation in one unknown.

Given T the modes are linear (`move_modes`); T is what the segment's row asks for at the rate that comes out,

    T = max(0, (rate + sum g p+ - side + weight sum g p) / (h Sigma))                                  (a row of the engine)
    T = [V(z+) - V(z)] / (z+ - z) + tau k z',   V(z) = k max(z, 0)^2 / 2,   z the stretch half a step back   (one-sided potential)

A higher tension straightens the spans, so the right side falls with T and the root is bracketed: Newton, held in by bisection.
The second form keeps the energy also where the rope goes slack and taut.
"""

from __future__ import annotations

import math

from taut.cables.layered.columns import (
    C_ARC,
    C_MEAN,
    L_EXACT,
    L_KNOWN,
    L_SIDE,
    L_SIGMA,
    L_STIFFNESS,
    L_STRETCH,
    L_TAU,
    L_WEIGHT,
)
from taut.cables.layered.modes import move_modes
from taut.core.jit import kernel

#: evaluations at most, relative agreement at which the search ends, and repetitions for the mean arc
EVALUATIONS, AGREED, ARCS = 60, 1e-13, 12
#: stretch that is lost in rounding, relative to the length
ROUNDING = 4e-16


@kernel
def _asked(law, before, after, longer, h):
    """Tension that the law asks for, and how it grows with the sum g p+."""
    if law[L_EXACT] == 0.0:
        slope = 1.0 / (h * law[L_SIGMA])
        asked = (law[L_KNOWN] + after - law[L_SIDE] + law[L_WEIGHT] * before) * slope
        return (asked, slope) if asked > 0.0 else (0.0, 0.0)
    k, z = law[L_STIFFNESS], law[L_STRETCH]
    change = h * law[L_KNOWN] + longer
    new = z + change
    pull, slope = 0.0, 0.0
    if z >= 0.0 and new >= 0.0:
        pull, slope = 0.5 * k * (z + new), 0.25 * k * h
    elif new > 0.0:
        pull, slope = 0.5 * k * new * new / change, 0.5 * k * h * new / change
    elif z > 0.0:
        pull = -0.5 * k * z * z / change
    if new > 0.0 and law[L_TAU] > 0.0:
        pull += law[L_TAU] * k * change / h
        slope += law[L_TAU] * k
    return (pull, slope) if pull > 0.0 else (0.0, 0.0)


@kernel
def _move(mode, work, first, count, span, tension, damping, h):
    """Modes of a span under a tension, with the mean arc that goes with them."""
    found = (0.0, 0.0, 0.0, 0.0)
    for _ in range(ARCS):
        found = move_modes(mode, work, first, count, span, tension, damping, h)
        mean = 0.5 * (span[C_ARC] + found[3])
        change = abs(mean - span[C_MEAN])
        span[C_MEAN] = mean
        if change <= AGREED * mean:
            break
    return found


@kernel
def find_tension(mode, work, spans, first_span, last_span, first, count, guess, law, damping, h):
    """Tension of a segment and the velocities of its modes to go with it [N]; returns also the number of evaluations."""
    tension, low, high, smallest = guess, 0.0, math.inf, 0.0
    for s in range(first_span, last_span):
        smallest += ROUNDING * law[L_STIFFNESS] * spans[s, C_ARC]
    slack, last, last_miss = tension == 0.0, 0.0, 0.0
    for evaluation in range(EVALUATIONS):
        before, after, fall, longer = 0.0, 0.0, 0.0, 0.0
        for s in range(first_span, last_span):
            b, a, f, late = _move(mode, work, first + (s - first_span) * count, count, spans[s], tension, damping, h)
            before, after, fall, longer = before + b, after + a, fall + f, longer + late - spans[s, C_ARC]
        asked, slope = _asked(law, before, after, longer, h)
        miss = tension - asked
        if abs(miss) <= AGREED * max(tension, asked) + smallest:
            return tension, evaluation + 1
        if miss < 0.0:
            low = max(low, tension)
        else:
            high = min(high, tension)
        steepness = 1.0 + max(slope * fall, 0.0)
        if evaluation > 1 and (miss - last_miss) * (tension - last) > 0.0:
            steepness = (miss - last_miss) / (tension - last)
        stalls = evaluation > 2 and abs(miss) > 0.5 * abs(last_miss)
        last, last_miss = tension, miss
        step = tension - miss / steepness
        if not low <= step <= high or (stalls and math.isfinite(high)):
            step = 0.5 * (low + high) if math.isfinite(high) else 2.0 * tension + 1e-3 * asked
        if asked == 0.0 and low == 0.0 and not slack:
            step, slack = 0.0, True  # is it slack altogether?
        if step == tension:
            return tension, evaluation + 1
        tension = step
    return tension, EVALUATIONS
