"""The explicit scheme in the engine: tension and waves of a step from what is known when it begins, as in paper 2.

    T = max(0, EA/L (lhat - L) + tau EA/L (lhat - L)'),    (m/2) (p+ - p) + c . (w+ - w) = h ((c . 1) g - T kappa q) - (m/2) b h (p + p+)/2

Central differences in time on the same modes, with the tension as a known force in the row: one solve, and no iteration. It stands for
omega h <= 2; the paper's gate lets waves go up to sqrt(1/2) of that, and throws away those of a span that has passed it. At low tension it has
a second limit, h omega_T <= 2 with omega_T = (g/T) sqrt(rho EA l/L), which the gate does not see.
"""

from __future__ import annotations

import math

from taut.cables.layered.columns import (
    C_ENDS,
    C_GRAVITY,
    C_LENGTH,
    C_MASS,
    C_MEAN,
    M_P,
    M_Q,
    S_AA,
    S_AB,
    S_COUNT,
    S_FA,
    S_FB,
    X_NEW,
)
from taut.cables.layered.modes import arc_length
from taut.core.jit import kernel

#: part of the limit omega h = 2 up to which waves are let go
GATE = math.sqrt(0.5)


@kernel
def passes_gate(tension, mass, length, count, h):
    """Whether the fastest wave of a span is beyond the gate."""
    return 0.5 * h * math.pi * count * math.sqrt(tension / (mass * length)) >= GATE


@kernel
def bend_now(mode, first, count, span):
    """How much longer than its chord a span is now, and how fast that grows [m, m/s]; its arc is kept for this step."""
    arc, grows = arc_length(mode, first, count, span[C_LENGTH], 0.0), 0.0
    for k in range(count):
        i, a = first + k, math.pi * (k + 1)
        grows += 0.5 * a * a * (mode[i, M_Q] * mode[i, M_P] + mode[i, M_Q + 1] * mode[i, M_P + 1])
    span[C_MEAN] = arc
    return arc - span[C_LENGTH], grows / arc


@kernel
def thrown_sums(mode, first, count, span, tension, damping, h, total):
    """Sums over the modes of a span that its ends need, as modes.condense_modes, with a tension that is known."""
    mass, half, drift = span[C_MASS], 0.5 / span[C_MEAN], 0.5 * span[C_MASS] * damping * h
    inverse = 1.0 / (0.5 * mass + 0.5 * drift)
    for k in range(S_COUNT):
        total[k] = 0.0
    for k in range(count):
        i, a = first + k, math.pi * (k + 1)
        near = mass / a
        far = near if k % 2 == 0 else -near
        total[S_AA] += near * near * inverse
        total[S_AB] += near * far * inverse
        for d in range(2):
            force = (
                h * (near + far) * span[C_GRAVITY + d]
                - h * tension * half * a * a * mode[i, M_Q + d]
                - drift * mode[i, M_P + d]
            )
            total[S_FA + d] += near * force * inverse
            total[S_FB + d] += far * force * inverse


@kernel
def throw_modes(mode, work, first, count, span, tension, damping, h):
    """New velocities of a span's modes under a tension that is known, its ends moving as solved."""
    mass, half, drift = span[C_MASS], 0.5 / span[C_MEAN], 0.5 * span[C_MASS] * damping * h
    inverse = 1.0 / (0.5 * mass + 0.5 * drift)
    for k in range(count):
        i, a = first + k, math.pi * (k + 1)
        near = mass / a
        far = near if k % 2 == 0 else -near
        for d in range(2):
            force = (
                h * (near + far) * span[C_GRAVITY + d]
                - h * tension * half * a * a * mode[i, M_Q + d]
                - drift * mode[i, M_P + d]
            )
            force -= near * span[C_ENDS + d] + far * span[C_ENDS + 2 + d]
            work[i, X_NEW + d] = mode[i, M_P + d] + force * inverse
