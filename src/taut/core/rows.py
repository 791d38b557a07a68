"""How a row of any kind enters the solve: rates, compliance and right side."""

from __future__ import annotations

from taut.core.jit import kernel
from taut.core.model import R_KNOWN, R_KNOWN_OLD, R_RATE, R_TENSION

#: largest change of a multiplier from step to step that is extrapolated, relative to it
MOST_CHANGE = 0.25
#: smallest part of a step for which a rope is taken to be taut
SHORTEST = 0.05


@kernel
def catch(h, phi, rate, compliance):
    """Sigma and right side of a row that did not act in the last step."""
    if phi >= 0.0:
        return 2.0 * compliance / (h * h), -0.5 * phi / h
    taut = 1.0
    if rate > 0.0:
        taut = min(max((phi + h * rate) / (h * rate), SHORTEST), 1.0)
    return 2.0 * compliance / (taut * h * h), -phi / h


@kernel
def expect_tension(row, i, count, lam, old):
    """Multipliers that the geometric stiffness of the first pass is built from: the last two steps', extrapolated.

    The stiffness belongs to the middle of the step. Taking the last tension as it is would be one step late, and a lag
    pumps energy: 5 % of a 1 m pendulum's swing in ten minutes. The `count` rows from i on are components of one force;
    their change is limited by its length, so that the result does not depend on the axes of the world.
    """
    # no further than smooth motion goes: the second step of a rope that snapped taut would expect twice its tension
    size, change = 0.0, 0.0
    for k in range(i, i + count):
        size += lam[k] * lam[k]
        change += (lam[k] - old[k]) * (lam[k] - old[k])
    most = MOST_CHANGE * MOST_CHANGE * size
    # a force that changes by more is not smooth: the more it jumps, the less is made of it
    part = 1.0 if change <= most else most / change
    for k in range(i, i + count):
        row[k, R_TENSION] = lam[k] + part * (lam[k] - old[k])
        old[k] = lam[k]


@kernel
def row_rates(row, start, dim, jac, at, vel, new, known, first):
    """Add one body's part of G v to the rates of a group, and of G v+ where the body's motion is known."""
    for r in range(dim):
        i, o = start + r, at + 6 * r
        rate = 0.0
        for c in range(6):
            rate += jac[o + c] * vel[c]
        given = 0.0
        if known:
            for c in range(6):
                given += jac[o + c] * new[c]
        if first:
            row[i, R_RATE], row[i, R_KNOWN], row[i, R_KNOWN_OLD] = rate, given, rate if known else 0.0
        else:
            row[i, R_RATE] += rate
            row[i, R_KNOWN] += given
            row[i, R_KNOWN_OLD] += rate if known else 0.0


@kernel
def holonomic(settings, h, phi, rate, compliance, tau, extra):
    """Sigma and right side of one holonomic row; `extra` steps of damping are added to the floor."""
    if settings.first_order == 1:
        tau += extra * h
        return compliance / (h * (h + tau)), -phi / (h + tau)
    tau = max(tau, (settings.floor + extra) * h)
    gamma = 1.0 / (1.0 + 4.0 * tau / h)
    return 4.0 * gamma * compliance / (h * h), -(4.0 * gamma / h) * phi + gamma * rate
