"""Sine modes of one span between two moving ends, and what is left of them once they are eliminated.

A point of the rope is r(x) = (1 - x) A + x B + sum_n sin(n pi x) q_n, x from 0 to 1, with q_n across the chord of length l.
Mass m, mean tension T, and the arc length closed by its mean square slope,

    lhat = sqrt(l^2 + Y),   Y = sum (n pi q_n)^2 / 2,   d lhat/d q_n = kappa_n q_n,   kappa_n = (n pi)^2 / (2 lhat)

so that chord and modes feel the same force T l/lhat, the component of the tension along the chord. For each direction,
with w the velocities of the two ends along it, c_n = m/(n pi) (1, -(-1)^n) and gravity g along it,

    (m/2) q'' + c_n . w' + T kappa_n q + (m/2) b q' = (c_n . 1) g                                       (mode)
    force on the ends: -m [1/3 1/6; 1/6 1/3] w' - c_n q'' + m g / 2                                        (ends)

Steps are those of the engine: q+ = q + h p+, and a force at the mean of three steps, q_mid = q + (h/4)(p+ - p). On the
half-way positions z = q - (h/2) p this is the midpoint rule, and lhat(z+) - lhat(z) = sum kappa_n q_mid (z+ - z) exactly,
with lhat in kappa the mean of both: tension and waves exchange energy without loss.

With a guess T0, q_mid0 of this step's tension and positions the mode is linear in p+, the ends and the multiplier
lam = -h T,

    mu (p+ - p) + c . (w+ - w) = F + g lam,   mu = m/(2 W) + h^2 T0 kappa/4 + m b h/4,   g = kappa q_mid0,
    F = h (c . 1) g + h T0 kappa (q_mid0 - q) - (m/2) b h p,

symmetric with the row's rate G v+ + sum g p+, and goes into row and ends by its sums (`condense_modes`). At the end of the
outer passes T0 = T and q_mid0 = q_mid. W = (tan(x/2)/(x/2))^2, x = min(omega h, 1), lends a mode the mass that makes its
frequency exact (pre-warping); statics do not notice. Faster modes get a drag -nu p+ that keeps them from ringing.
"""

from __future__ import annotations

import math

from taut.cables.layered.columns import (
    C_ARC,
    C_ENDS,
    C_GRAVITY,
    C_LENGTH,
    C_MASS,
    C_MEAN,
    C_WARPED,
    M_P,
    M_Q,
    S_AA,
    S_AB,
    S_COUNT,
    S_FA,
    S_FB,
    S_GA,
    S_GB,
    S_GF,
    S_GG,
    S_GP,
    X_NEW,
    X_OWN,
)
from taut.core.jit import kernel

#: omega h up to which a mode is pre-warped; faster ones follow their static shape
RESOLVED = 1.0


@kernel
def arc_length(mode, first, count, length, back):
    """Arc length of a span with its modes at q - back p [m]."""
    square = 0.0
    for k in range(count):
        a = math.pi * (k + 1)
        x = mode[first + k, M_Q] - back * mode[first + k, M_P]
        y = mode[first + k, M_Q + 1] - back * mode[first + k, M_P + 1]
        square += 0.5 * a * a * (x * x + y * y)
    return math.sqrt(length * length + square)


@kernel
def warp(omega_h):
    """What divides the mass of a mode so that the step gives its true frequency: (tan(y)/y)^2, y half of omega h, at most 1/2.

    As a series, right to 1e-6 at its end: cheaper than a tangent.
    """
    y = 0.5 * min(omega_h, RESOLVED)
    s = y * y
    tail = s * (62.0 / 315.0 + s * (1382.0 / 14175.0 + s * (21844.0 / 467775.0 + s * 0.0219)))
    return 1.0 + s * (2.0 / 3.0 + s * (17.0 / 45.0 + tail))


@kernel
def begin_modes(mode, work, first, count, span, tension, warped, h):
    """First guess of a step: velocities as they were; own masses by the tension expected."""
    span[C_ARC] = arc_length(mode, first, count, span[C_LENGTH], 0.5 * h)
    span[C_MEAN] = 0.5 * (span[C_ARC] + arc_length(mode, first, count, span[C_LENGTH], -0.5 * h))
    span[C_WARPED] = 1.0 if warped else 0.0
    base = h * math.pi * math.sqrt(max(tension, 0.0) / (span[C_MASS] * span[C_ARC])) if warped else 0.0
    for k in range(count):
        i = first + k
        work[i, X_NEW], work[i, X_NEW + 1] = mode[i, M_P], mode[i, M_P + 1]
        work[i, X_OWN] = 0.5 * span[C_MASS] / (warp(base * (k + 1)) if warped else 1.0)


@kernel
def calming(mass, stiff, warped, h):
    """Drag nu of a mode that the step does not resolve [kg]: 3/4 of h^2 T kappa, none up to omega h = 1, all from 3 on.

    The midpoint rule would let it ring from step to step; with -nu p+ it halves with every step and follows its static shape.
    """
    square = 2.0 * h * h * stiff / mass  # (omega h)^2
    return 0.75 * h * h * stiff * min(0.125 * (square - 1.0), 1.0) if warped > 0.0 and square > 1.0 else 0.0


@kernel
def condense_modes(mode, work, first, count, span, tension, damping, h, total):
    """Sums over the modes of a span that its row and its ends need, from the guess of tension and middle positions.

    `damping` is b [1/s]; `total` is overwritten.
    """
    mass, half, drift = span[C_MASS], 0.5 / span[C_MEAN], 0.5 * span[C_MASS] * damping * h
    for k in range(S_COUNT):
        total[k] = 0.0
    for k in range(count):
        i, a = first + k, math.pi * (k + 1)
        kappa = half * a * a
        stiff = tension * kappa
        drag = calming(mass, stiff, span[C_WARPED], h)
        inverse = 1.0 / (work[i, X_OWN] + 0.25 * h * h * stiff + 0.5 * drift + drag)
        near = mass / a
        far = near if k % 2 == 0 else -near
        total[S_AA] += near * near * inverse
        total[S_AB] += near * far * inverse
        for d in range(2):
            q, p = mode[i, M_Q + d], mode[i, M_P + d]
            mid = q + 0.25 * h * (work[i, X_NEW + d] - p)
            g = kappa * mid
            force = h * (near + far) * span[C_GRAVITY + d] + h * stiff * (mid - q) - (drift + drag) * p
            total[S_GA + d] += near * g * inverse
            total[S_GB + d] += far * g * inverse
            total[S_FA + d] += near * force * inverse
            total[S_FB + d] += far * force * inverse
            total[S_GG] += g * g * inverse
            total[S_GP] += g * p
            total[S_GF] += g * force * inverse


@kernel
def move_modes(mode, work, first, count, span, tension, damping, h):
    """New velocities of a span's modes under a tension, its ends moving as given.

    Returns the fall of sum g p+ per tension, and the arc half a step on.
    """
    mass, half, drift = span[C_MASS], 0.5 / span[C_MEAN], 0.5 * span[C_MASS] * damping * h
    warped, per = span[C_WARPED], mass / math.pi
    # load of odd and of even modes along both directions, times n
    x, y, u, v = span[C_ENDS], span[C_ENDS + 1], span[C_ENDS + 2], span[C_ENDS + 3]
    odd1, odd2 = per * (2.0 * h * span[C_GRAVITY] - x - u), per * (2.0 * h * span[C_GRAVITY + 1] - y - v)
    even1, even2 = per * (u - x), per * (v - y)
    limit, quarter = 0.5 * mass / (h * h), 0.25 * h
    fall, square = 0.0, 0.0
    for k in range(count):
        i, n = first + k, k + 1.0
        slope = (math.pi * n) ** 2
        kappa = half * slope
        stiff = tension * kappa
        drag = calming(mass, stiff, warped, h) if stiff > limit else 0.0
        inverse = 1.0 / (work[i, X_OWN] + quarter * h * stiff + 0.5 * drift + drag)
        share = 1.0 / n
        load1, load2 = (odd1 * share, odd2 * share) if k % 2 == 0 else (even1 * share, even2 * share)
        q1, q2, p1, p2 = mode[i, M_Q], mode[i, M_Q + 1], mode[i, M_P], mode[i, M_P + 1]
        new1 = p1 + (load1 - h * stiff * q1 - (drift + drag) * p1) * inverse
        new2 = p2 + (load2 - h * stiff * q2 - (drift + drag) * p2) * inverse
        late1, late2 = q1 + 0.5 * h * new1, q2 + 0.5 * h * new2
        lean = late1 * (q1 + quarter * (new1 - p1)) + late2 * (q2 + quarter * (new2 - p2))
        fall += h * kappa * kappa * lean * inverse
        square += 0.5 * slope * (late1 * late1 + late2 * late2)
        work[i, X_NEW], work[i, X_NEW + 1] = new1, new2
    return fall, math.sqrt(span[C_LENGTH] * span[C_LENGTH] + square)


@kernel
def commit_modes(mode, work, first, count, h):
    """Positions and velocities at the end of the step."""
    for k in range(first, first + count):
        for d in range(2):
            mode[k, M_P + d] = work[k, X_NEW + d]
            mode[k, M_Q + d] += h * work[k, X_NEW + d]


@kernel
def clear_modes(mode, first, count):
    """A straight span at rest."""
    for k in range(first, first + count):
        for c in range(4):
            mode[k, c] = 0.0
