"""Impulses of a few contacts on the dense matrix of the border, in whatever way leads there.

Sweeps solve every contact in turn with its own 3 x 3 cone problem (taut.step.cone), and Newton's method tries to end them
(taut.step.polish): so it goes in nearly all steps, soon or never. Contacts that hand their load to each other make it go round in circles: interior
points take all of them at once (taut.step.interior_border). Where that comes to a halt too, sweeps and Newton's method begin elsewhere.
"""

from __future__ import annotations

from taut.core.jit import kernel
from taut.core.model import R_FRICTION
from taut.step.cone import coulomb
from taut.step.interior_border import missed, solve_cones
from taut.step.polish import BEST, IMPULSE, RIGHT, polish

#: rounds of sweeps over the contacts, each followed by a try to solve with the states found; change that ends them
ROUNDS, SWEEPS, TOLERANCE = 2, 20, 1e-12
#: other places to begin at, around the best so far by half of the largest impulse to either side
PLACES = 60


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
def _settle(border, factors, side, row, start, count, rounds, sweeps):
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


@kernel
def find_impulses(border, factors, side, row, start, count):
    """Impulses of all contacts from those of the last step; if nothing leads to them, the best that was found."""
    if _settle(border, factors, side, row, start, count, ROUNDS, SWEEPS):
        return
    if solve_cones(border, factors, side, row, start, count):
        return
    best, largest, seed = missed(border, side, row, start, count), 0.0, 1
    for i in range(count):
        largest = max(largest, side[i, BEST])
    for place in range(PLACES):
        for i in range(count):
            # the same numbers in every run (Park, Miller 1988)
            seed = 48271 * seed % 2147483647
            there = side[i, BEST] + (seed / 2147483647.0 - 0.5) * largest
            side[i, IMPULSE] = max(there, 0.0) if i % 3 == 0 else there
        if _settle(border, factors, side, row, start, count, 1, SWEEPS * (place % 2)):
            return
        found = missed(border, side, row, start, count)
        if found < best:
            best = found
            for i in range(count):
                side[i, BEST] = side[i, IMPULSE]
    for i in range(count):
        side[i, IMPULSE] = side[i, BEST]
