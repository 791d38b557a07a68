"""The last digits of a contact problem: with the state of every contact known it is a linear system.

Sweeps over single contacts find quickly who is open, sticks or slides, but under a heavy weight on a light box they
creep towards the impulses. With the states given,

    open:  lam = 0          sticks:  W lam = q          slides:  (W lam = q)_n,  lam_t = -mu lam_n d

is solved at once; states and directions of sliding d are then corrected as in an active-set method. Only an answer in which
all contacts agree with their states is taken.
"""

from __future__ import annotations

import math

from taut.core.jit import kernel
from taut.core.model import R_FRICTION

#: columns of border_side: velocity to undo, impulse, trial impulse, state of a contact, direction of sliding
RIGHT, IMPULSE, TRIAL, STATUS, WAY = 0, 1, 2, 3, 4
OPEN, STICKS, SLIDES = 0.0, 1.0, 2.0
#: corrections of the states, and what counts as agreement
CORRECTIONS, AGREES = 8, 1e-10
#: round-off of a slip, relative to the speeds that it is the difference of
ROUND_OFF = 1e-14


@kernel
def _eliminate(a, x, n):
    """Gauss elimination with row exchanges: x becomes the solution of a x = x; False for a singular matrix."""
    for k in range(n):
        best, size = k, abs(a[k, k])
        for i in range(k + 1, n):
            if abs(a[i, k]) > size:
                best, size = i, abs(a[i, k])
        if size == 0.0:
            return False
        if best != k:
            for j in range(k, n):
                a[k, j], a[best, j] = a[best, j], a[k, j]
            x[k, TRIAL], x[best, TRIAL] = x[best, TRIAL], x[k, TRIAL]
        for i in range(k + 1, n):
            f = a[i, k] / a[k, k]
            if f != 0.0:
                for j in range(k + 1, n):
                    a[i, j] -= f * a[k, j]
                x[i, TRIAL] -= f * x[k, TRIAL]
    for k in range(n - 1, -1, -1):
        total = x[k, TRIAL]
        for j in range(k + 1, n):
            total -= a[k, j] * x[j, TRIAL]
        x[k, TRIAL] = total / a[k, k]
    return True


@kernel
def _undone(border, side, i, count, which):
    """(W lam - q) of one row: the velocity that is left."""
    left = -side[i, RIGHT]
    for j in range(count):
        left += border[i, j] * side[j, which]
    return left


@kernel
def _read_states(border, side, row, start, count):
    """States and directions of sliding that the sweeps have come to."""
    for i in range(0, count, 3):
        n, t, u = side[i, IMPULSE], side[i + 1, IMPULSE], side[i + 2, IMPULSE]
        limit, size = row[start + i + 1, R_FRICTION] * n, math.sqrt(t * t + u * u)
        side[i, STATUS] = OPEN if n <= 0.0 else SLIDES if size >= limit * (1.0 - 1e-9) else STICKS
        side[i, WAY] = -t / size if size > 0.0 else 1.0
        side[i + 1, WAY] = -u / size if size > 0.0 else 0.0


@kernel
def _load(border, factors, side, row, start, count):
    """The linear system of the present states."""
    for i in range(count):
        contact = i - i % 3
        status = side[contact, STATUS]
        side[i, TRIAL] = 0.0
        if status == STICKS or (status == SLIDES and i == contact):
            for j in range(count):
                factors[i, j] = border[i, j]
            side[i, TRIAL] = side[i, RIGHT]
        else:
            for j in range(count):
                factors[i, j] = 0.0
            factors[i, i] = 1.0
            if status == SLIDES:
                factors[i, contact] = row[start + i, R_FRICTION] * side[contact + (i - contact - 1), WAY]


@kernel
def _agree(border, side, row, start, count):
    """Correct states and directions; True when nothing had to be corrected."""
    force, speed = 1e-300, 1e-300
    for i in range(count):
        force, speed = max(force, abs(side[i, TRIAL])), max(speed, abs(side[i, RIGHT]))
    good = True
    for i in range(0, count, 3):
        n, t, u = side[i, TRIAL], side[i + 1, TRIAL], side[i + 2, TRIAL]
        limit = row[start + i + 1, R_FRICTION] * n
        if side[i, STATUS] == OPEN:
            if _undone(border, side, i, count, TRIAL) < -AGREES * speed:
                side[i, STATUS] = STICKS if row[start + i + 1, R_FRICTION] > 0.0 else SLIDES
                good = False
        elif n < -AGREES * force:
            side[i, STATUS] = OPEN
            good = False
        elif side[i, STATUS] == STICKS:
            size = math.sqrt(t * t + u * u)
            if size > limit * (1.0 + AGREES) + AGREES * force:
                side[i, STATUS] = SLIDES
                side[i, WAY], side[i + 1, WAY] = -t / size, -u / size
                good = False
        elif row[start + i + 1, R_FRICTION] > 0.0:
            x, y = _undone(border, side, i + 1, count, TRIAL), _undone(border, side, i + 2, count, TRIAL)
            slip = math.sqrt(x * x + y * y)
            if slip <= AGREES * speed:
                continue
            if x * side[i, WAY] + y * side[i + 1, WAY] < 0.0:
                side[i, STATUS] = STICKS
                good = False
            else:
                turned = abs(x / slip - side[i, WAY]) + abs(y / slip - side[i + 1, WAY])
                if turned > AGREES + ROUND_OFF * speed / slip:
                    good = False
                side[i, WAY], side[i + 1, WAY] = x / slip, y / slip
    return good


@kernel
def polish(border, factors, side, row, start, count):
    """Solve with the states found so far, correcting them a few times; True when they agreed and the answer was taken."""
    _read_states(border, side, row, start, count)
    for _ in range(CORRECTIONS):
        _load(border, factors, side, row, start, count)
        if not _eliminate(factors, side, count):
            return False
        if _agree(border, side, row, start, count):
            for i in range(count):
                slick = row[start + i, R_FRICTION] == 0.0
                # without the round-off of the elimination
                side[i, IMPULSE] = max(side[i, TRIAL], 0.0) if i % 3 == 0 else 0.0 if slick else side[i, TRIAL]
            return True
    return False
