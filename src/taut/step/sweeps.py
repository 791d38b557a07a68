"""Impulses of a few contacts on the dense matrix of the border, as nearly all steps find them.

Sweeps solve every contact in turn with its own 3 x 3 cone problem (taut.step.cone), and Newton's method tries to end them
(taut.step.polish): soon or never. What to do then is in taut.step.search.
"""

from __future__ import annotations

from taut.core.jit import kernel
from taut.core.model import R_FRICTION
from taut.step.cone import coulomb
from taut.step.polish import IMPULSE, RIGHT, polish

#: rounds of sweeps over the contacts, each followed by a try to solve with the states found; change that ends them
ROUNDS, SWEEPS, TOLERANCE = 2, 20, 1e-12


@kernel
def sweep(border, side, row, start, count, weights):
    """Solve every contact once; returns (largest change, largest impulse)."""
    change, size = 0.0, 0.0
    for i in range(0, count, 3):
        qn, qt, qs = side[i, RIGHT], side[i + 1, RIGHT], side[i + 2, RIGHT]
        for j in range(count):
            lam = side[j, IMPULSE]
            if lam != 0.0 and (j < i or j > i + 2):
                qn -= border[i, j] * lam
                qt -= border[i + 1, j] * lam
                qs -= border[i + 2, j] * lam
        weights[0] = border[i, i]
        weights[1] = 0.5 * (border[i, i + 1] + border[i + 1, i])
        weights[2] = 0.5 * (border[i, i + 2] + border[i + 2, i])
        weights[3] = border[i + 1, i + 1]
        weights[4] = 0.5 * (border[i + 1, i + 2] + border[i + 2, i + 1])
        weights[5] = border[i + 2, i + 2]
        mu = row[start + i + 1, R_FRICTION]
        n, t, u = coulomb(weights, mu, qn, qt, qs, side[i + 1, IMPULSE], side[i + 2, IMPULSE])
        change = max(change, abs(n - side[i, IMPULSE]), abs(t - side[i + 1, IMPULSE]), abs(u - side[i + 2, IMPULSE]))
        size = max(size, n)
        side[i, IMPULSE], side[i + 1, IMPULSE], side[i + 2, IMPULSE] = n, t, u
    return change, size


@kernel
def settle(border, factors, side, row, start, count, rounds, sweeps):
    """Sweeps and Newton's method in turn; whether one of them ended."""
    weights = side[count, 0:6]
    for _ in range(rounds):
        for _ in range(sweeps):
            change, size = sweep(border, side, row, start, count, weights)
            if change <= TOLERANCE * size:
                return True
        if polish(border, factors, side, row, start, count):
            return True
    return False
