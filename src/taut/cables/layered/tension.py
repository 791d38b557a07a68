"""The tension of a segment whose spans wave, its ends moving as given: one equation in one unknown.

Given T the modes are linear (`move_modes`); T is what the change of the stretch z over the step (half a step back to half a step
on) asks for. So that the energy is kept also where the rope goes slack and taut, it is the difference quotient of a potential,

    T = [V(z+) - V(z)]/(z+ - z) + tau k z'+,   V(z) = k max(z, 0)^2/2,   T >= 0

which for a rope that stays taut is k (z + z+)/2. The damping takes the new rate of chords and flows, as the rows of the engine do, so
that what the step does not resolve dies out, and the mean rate of the waves. A higher tension straightens the spans, so the right side
falls with T and the root is bracketed: Newton, held in by bisection. The mean arc in kappa is found along with it: by itself in spans that
are bent, by the way, once a trial, in those that are all but straight.
"""

from __future__ import annotations

import math

from taut.cables.layered.columns import C_ARC, C_LENGTH, C_MEAN, L_KNOWN, L_RATE, L_STIFFNESS, L_STRETCH, L_TAU
from taut.cables.layered.modes import move_modes
from taut.core.jit import kernel

#: evaluations at most, relative agreement at which the search ends; repetitions for the mean arc, and its own agreement; mean square
#: slope up to which it is found by the way, and evaluations for which that is tried
EVALUATIONS, AGREED, ARCS, STRAIGHT, FLAT, QUICK = 60, 1e-11, 12, 1e-13, 0.02, 4
#: stretch that is lost in rounding, relative to the length
ROUNDING = 4e-16


@kernel
def one_sided(k, tau, z, change, speed, share, h):
    """Tension for a change of stretch from z, and its derivative; `speed` is the rate that is damped, and grows by share/h."""
    new = z + change
    pull, slope = 0.0, 0.0
    if z >= 0.0 and new >= 0.0:
        pull, slope = 0.5 * k * (z + new), 0.5 * k
    elif new > 0.0:
        taut = new / change
        pull, slope = 0.5 * k * new * taut, 0.5 * k * taut * (2.0 - taut)
    elif z > 0.0:
        taut = -z / change
        pull, slope = 0.5 * k * z * taut, 0.5 * k * taut * taut
    if new > 0.0:
        pull += tau * k * speed
        slope += share * tau * k / h
    return (pull, slope) if pull > 0.0 else (0.0, 0.0)


@kernel
def _move(mode, work, first, count, span, tension, damping, h, quick):
    """Modes of a span under a tension, with the mean arc that goes with them; returns also by how much that is still off."""
    fall, late, off = 0.0, 0.0, 0.0
    for _ in range(ARCS):
        fall, late = move_modes(mode, work, first, count, span, tension, damping, h)
        mean = 0.5 * (span[C_ARC] + late)
        change = abs(mean / span[C_MEAN] - 1.0)
        span[C_MEAN] = mean
        # the next change would be smaller by the mean square slope at least
        slope = late / span[C_LENGTH]
        square = slope * slope - 1.0
        if change * min(square, 1.0) <= STRAIGHT:
            break
        if quick and square < FLAT:
            off = change * square
            break
    return fall, late, off


@kernel
def find_tension(mode, work, spans, first_span, last_span, first, count, guess, law, damping, h):
    """Tension of a segment [N] and the velocities of its modes to go with it; returns also how much longer the arcs became, and
    the number of evaluations."""
    tension, low, high, smallest, longer = guess, 0.0, math.inf, 0.0, 0.0
    for s in range(first_span, last_span):
        smallest += ROUNDING * law[L_STIFFNESS] * spans[s, C_ARC]
    slack, last, last_miss = tension == 0.0, 0.0, 0.0
    for evaluation in range(EVALUATIONS):
        fall, longer, worst = 0.0, 0.0, 0.0
        for s in range(first_span, last_span):
            at, quick = first + (s - first_span) * count, evaluation < QUICK
            f, late, off = _move(mode, work, at, count, spans[s], tension, damping, h, quick)
            fall, longer, worst = fall + f, longer + late - spans[s, C_ARC], max(worst, off)
        change, speed = h * law[L_KNOWN] + longer, law[L_RATE] + longer / h
        asked, slope = one_sided(law[L_STIFFNESS], law[L_TAU], law[L_STRETCH], change, speed, 1.0, h)
        miss = tension - asked
        settled = worst <= STRAIGHT
        if settled and abs(miss) <= AGREED * max(tension, asked) + smallest:
            return tension, longer, evaluation + 1
        # a bracket is drawn only by arcs that are right
        if settled and miss < 0.0:
            low = max(low, tension)
        elif settled:
            high = min(high, tension)
        steepness = 1.0 + max(0.5 * h * slope * fall, 0.0)
        if evaluation > 1 and (miss - last_miss) * (tension - last) > 0.0:
            steepness = (miss - last_miss) / (tension - last)
        stalls = evaluation > 2 and abs(miss) > 0.5 * abs(last_miss)
        last, last_miss = tension, miss
        step = tension - miss / steepness
        if not low <= step <= high or (stalls and math.isfinite(high)):
            step = 0.5 * (low + high) if math.isfinite(high) else 2.0 * tension + 1e-3 * asked
        if asked == 0.0 and low == 0.0 and not slack:
            step, slack = 0.0, True  # is it slack altogether?
        if step == tension and settled:
            return tension, longer, evaluation + 1
        tension = step
    return tension, longer, EVALUATIONS
