"""The last digits of a contact problem: with the state of every contact known it is nearly a linear system.

Sweeps over single contacts find quickly who is open, sticks or slides, but under a heavy weight on a light box they
creep towards the impulses, and so do directions of sliding. Newton's method on the natural map of every contact,

    p = lam_t - rho s,   e = p/|p|,   L = mu lam_n,
    open:  lam = 0       sticks:  W lam = q       slides:  (W lam = q)_n,   lam_t = L e,

has, where a contact slides, the linear equations (P = 1 - e e^T, from the last solution: e and a = L/|p|)

    (1 - a P) lam_t + a rho P (W lam)_t - mu e lam_n = a rho P q_t

(Alart, Curnier 1991) and converges quadratically once nobody changes state. Only an answer in which all contacts agree with their states
and their directions is taken.
"""

from __future__ import annotations

import math

from taut.core.jit import kernel
from taut.core.model import R_FRICTION, R_RHO

#: columns of border_side: velocity to undo, impulse, trial impulse, state of a contact, and of a sliding one e and L/|p|; row that was exchanged;
#: for taut.step.interior_border the best impulse so far, y, t and what the equations miss
RIGHT, IMPULSE, TRIAL, STATUS, WAY, PIVOT, BEST, SLACK, AIM, MISS = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
OPEN, STICKS, SLIDES = 0.0, 1.0, 2.0
#: corrections of the states, what counts as agreement, and as round-off beside the largest impulse
CORRECTIONS, AGREES, ROUND_OFF = 12, 1e-10, 1e-14


@kernel
def factorise(a, side, n):
    """Gauss elimination with row exchanges, which are noted in `side`; False for a singular matrix."""
    for k in range(n):
        best, size = k, abs(a[k, k])
        for i in range(k + 1, n):
            if abs(a[i, k]) > size:
                best, size = i, abs(a[i, k])
        if not size > 0.0:
            return False
        side[k, PIVOT] = best
        if best != k:
            for j in range(n):
                a[k, j], a[best, j] = a[best, j], a[k, j]
        for i in range(k + 1, n):
            f = a[i, k] / a[k, k]
            a[i, k] = f
            if f != 0.0:
                for j in range(k + 1, n):
                    a[i, j] -= f * a[k, j]
    return True


@kernel
def substitute(a, side, n):
    """The trial impulses, a right side before, become the solution."""
    for k in range(n):
        best = int(side[k, PIVOT])
        if best != k:
            side[k, TRIAL], side[best, TRIAL] = side[best, TRIAL], side[k, TRIAL]
    for i in range(n):
        total = side[i, TRIAL]
        for j in range(i):
            total -= a[i, j] * side[j, TRIAL]
        side[i, TRIAL] = total
    for k in range(n - 1, -1, -1):
        total = side[k, TRIAL]
        for j in range(k + 1, n):
            total -= a[k, j] * side[j, TRIAL]
        side[k, TRIAL] = total / a[k, k]


@kernel
def undone(border, side, i, count, which):
    """(W lam - q) of one row: the velocity that is left."""
    left = -side[i, RIGHT]
    for j in range(count):
        left += border[i, j] * side[j, which]
    return left


@kernel
def natural(border, side, row, start, i, count, which):
    """p of a contact."""
    rho = row[start + i, R_RHO]
    x = side[i + 1, which] - rho * undone(border, side, i + 1, count, which)
    y = side[i + 2, which] - rho * undone(border, side, i + 2, count, which)
    return x, y


@kernel
def _point(side, i, limit, x, y):
    """Note where a sliding contact is pushed by friction; returns how far its impulse is from there."""
    size = math.sqrt(x * x + y * y)
    if size > 0.0:
        side[i, WAY], side[i + 1, WAY], side[i + 2, WAY] = x / size, y / size, min(limit / size, 1.0)
    return abs(side[i + 1, TRIAL] - limit * side[i, WAY]) + abs(side[i + 2, TRIAL] - limit * side[i + 1, WAY])


@kernel
def _read_states(border, side, row, start, count):
    """States and directions that the sweeps have come to."""
    for i in range(0, count, 3):
        n, mu = side[i, IMPULSE], row[start + i + 1, R_FRICTION]
        side[i, WAY], side[i + 1, WAY], side[i + 2, WAY] = 0.0, 0.0, 0.0
        side[i, STATUS] = OPEN if n <= 0.0 else SLIDES
        if n > 0.0 and mu > 0.0:
            x, y = natural(border, side, row, start, i, count, IMPULSE)
            if x * x + y * y <= (mu * n) ** 2:
                side[i, STATUS] = STICKS
            _point(side, i, mu * n, x, y)


@kernel
def _load(border, factors, side, row, start, count):
    """The linear system of the present states and directions."""
    for i in range(0, count, 3):
        status, mu = side[i, STATUS], row[start + i + 1, R_FRICTION]
        for k in range(i, i + 3):
            kept = status == STICKS or (status == SLIDES and k == i)
            for j in range(count):
                factors[k, j] = border[k, j] if kept else 0.0
            factors[k, k] += 0.0 if kept else 1.0
            side[k, TRIAL] = side[k, RIGHT] if kept else 0.0
        if status == SLIDES and mu > 0.0:
            x, y, a = side[i, WAY], side[i + 1, WAY], side[i + 2, WAY]
            rho = row[start + i, R_RHO]
            # P = (y, -x) (y, -x)^T
            for j in range(count):
                across = a * rho * (y * border[i + 1, j] - x * border[i + 2, j])
                factors[i + 1, j] += y * across
                factors[i + 2, j] -= x * across
            across = a * rho * (y * side[i + 1, RIGHT] - x * side[i + 2, RIGHT])
            side[i + 1, TRIAL], side[i + 2, TRIAL] = y * across, -x * across
            factors[i + 1, i + 1] -= a * y * y
            factors[i + 1, i + 2] += a * x * y
            factors[i + 2, i + 1] += a * x * y
            factors[i + 2, i + 2] -= a * x * x
            factors[i + 1, i] -= mu * x
            factors[i + 2, i] -= mu * y


@kernel
def _agree(border, side, row, start, count):
    """Correct states and directions; True when nothing had to be corrected."""
    force, speed = 1e-300, 1e-300
    for i in range(count):
        force, speed = max(force, abs(side[i, TRIAL])), max(speed, abs(side[i, RIGHT]))
    good = True
    for i in range(0, count, 3):
        n, mu = side[i, TRIAL], row[start + i + 1, R_FRICTION]
        limit = mu * max(n, 0.0)
        if side[i, STATUS] == OPEN:
            if undone(border, side, i, count, TRIAL) < -AGREES * speed:
                side[i, STATUS] = STICKS if mu > 0.0 else SLIDES
                good = False
        elif n < -AGREES * force:
            side[i, STATUS] = OPEN
            good = False
        elif mu > 0.0:
            x, y = natural(border, side, row, start, i, count, TRIAL)
            size = math.sqrt(x * x + y * y)
            missed = _point(side, i, limit, x, y)
            if side[i, STATUS] == STICKS:
                if size > limit * (1.0 + AGREES) + AGREES * force:
                    side[i, STATUS] = SLIDES
                    good = False
            elif size < limit * (1.0 - AGREES) - AGREES * force:
                side[i, STATUS] = STICKS
                good = False
            elif missed > AGREES * limit + ROUND_OFF * force:
                good = False
    return good


@kernel
def polish(border, factors, side, row, start, count):
    """Solve with the states found so far, correcting them a few times; True when they agreed and the answer was taken."""
    _read_states(border, side, row, start, count)
    for _ in range(CORRECTIONS):
        _load(border, factors, side, row, start, count)
        if not factorise(factors, side, count):
            return False
        substitute(factors, side, count)
        if _agree(border, side, row, start, count):
            for i in range(count):
                # without the round-off of the elimination
                acts = side[i - i % 3, STATUS] != OPEN and (i % 3 == 0 or row[start + i, R_FRICTION] > 0.0)
                side[i, IMPULSE] = 0.0 if not acts else max(side[i, TRIAL], 0.0) if i % 3 == 0 else side[i, TRIAL]
            return True
    return False
