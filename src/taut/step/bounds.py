"""Bounds low <= lam <= high of rows (tension only, push only, force limits) by block principal pivoting on the direct solve.

All rows that violate their bound change sides at once; when that does not reduce the number of violations any more, one
row at a time (Murty's rule), which ends after finitely many steps because Sigma > 0. With the last step's active set as a
start this is one factorisation per step most of the time.
"""

from __future__ import annotations

import math

from taut.core.codes import FREE, HIGH, LOW, SLIDE
from taut.core.jit import kernel
from taut.core.model import (
    R_CONE,
    R_COUPLE,
    R_FLOOR,
    R_HELD,
    R_HIGH,
    R_LOW,
    R_RATE_NEW,
    R_RHS,
    R_SIGMA,
    RESIDUAL_FORCE,
    RESIDUAL_RELATIVE,
    RESIDUAL_SPEED,
)

BOUND_TOLERANCE = 1e-11
#: rounds without fewer violations after which one row at a time changes its side
PATIENCE = 10
#: refinement when the floors of rigid rows act by more than this part of the largest speed, or of this one [m/s]
FLOOR_TOLERANCE, LEAST_SPEED = 1e-7, 1e-3
#: iterations after the last allowed one, in which rows only go to their bounds
CLOSING = 16


@kernel
def slack(row, lam, i):
    """Velocity by which a row at its bound is already satisfied: G v+ + Sigma lam - b."""
    left = row[i, R_RATE_NEW] + row[i, R_SIGMA] * lam[i] - row[i, R_RHS]
    if row[i, R_COUPLE] != 0.0:
        left += row[i, R_COUPLE] * lam[i + 1]
    if i > 0 and row[i - 1, R_COUPLE] != 0.0:
        left += row[i - 1, R_COUPLE] * lam[i - 1]
    return left


@kernel
def scales(row, lam, count):
    """Sizes against which a violation counts: largest multiplier and largest rate."""
    force, speed = 1e-300, 1e-300
    for i in range(count):
        force = max(force, abs(lam[i]))
        speed = max(speed, abs(row[i, R_RATE_NEW]), abs(row[i, R_RHS]))
    return force, speed


@kernel
def _violation(row, lam, bound, i, force, speed):
    """0, or the side the row should change to plus one: 1 free, 2 low, 3 high."""
    if bound[i] == FREE:
        if lam[i] < row[i, R_LOW] - BOUND_TOLERANCE * force:
            return 1 + LOW
        if lam[i] > row[i, R_HIGH] + BOUND_TOLERANCE * force:
            return 1 + HIGH
    elif bound[i] == LOW:
        if row[i, R_LOW] < row[i, R_HIGH] and slack(row, lam, i) < -BOUND_TOLERANCE * speed:
            return 1 + FREE
    elif bound[i] == HIGH:
        if row[i, R_LOW] < row[i, R_HIGH] and slack(row, lam, i) > BOUND_TOLERANCE * speed:
            return 1 + FREE
    return 0


@kernel
def _move(row, lam, bound, i, side):
    bound[i] = side
    if side == LOW:
        lam[i] = row[i, R_LOW]
    elif side == HIGH:
        lam[i] = row[i, R_HIGH]


@kernel
def settle_bounds(row, cone, lam, bound, count):
    """Bounds move between steps: a row at a bound takes its present value, or the other side when that is gone."""
    for i in range(count):
        if cone[i, R_CONE] >= 0 or bound[i] == FREE:
            continue
        low, high = math.isfinite(row[i, R_LOW]), math.isfinite(row[i, R_HIGH])
        if bound[i] == LOW and not low:
            bound[i] = HIGH if high else FREE
        elif bound[i] == HIGH and not high:
            bound[i] = LOW if low else FREE
        _move(row, lam, bound, i, bound[i])


@kernel
def update_bounds(row, cone, lam, bound, count, single, closing):
    """Change the sides of violating rows, all or only the last one; returns how many violate.

    `closing`: rows only go to their bounds, none is freed any more, so that the iteration ends without a forbidden force.
    """
    force, speed = scales(row, lam, count)
    found, last = 0, -1
    for i in range(count):
        if cone[i, R_CONE] >= 0 and bound[i] == SLIDE:
            continue
        side = _violation(row, lam, bound, i, force, speed)
        if closing and side == 1 + FREE:
            side = 0
        if side > 0:
            found += 1
            last = i
            if not single:
                _move(row, lam, bound, i, side - 1)
    if single and last >= 0:
        _move(row, lam, bound, last, _violation(row, lam, bound, last, force, speed) - 1)
    return found


@kernel
def take_off_floor(miss, row, lam, bound, new, count):
    """Let the floors of rigid rows act from the multipliers just found; False when that changes nothing to speak of.
    `miss` is the largest speed by which they do."""
    if miss <= FLOOR_TOLERANCE * LEAST_SPEED:
        return False
    fastest = LEAST_SPEED * LEAST_SPEED
    for i in range(new.shape[0]):
        fastest = max(fastest, new[i, 0] * new[i, 0] + new[i, 1] * new[i, 1] + new[i, 2] * new[i, 2])
    if miss <= FLOOR_TOLERANCE * math.sqrt(fastest):
        return False
    for i in range(count):
        if bound[i] == FREE:
            row[i, R_RHS] += row[i, R_FLOOR] * (lam[i] - row[i, R_HELD])
            row[i, R_HELD] = lam[i]
    return True


@kernel
def note_residuals(row, lam, bound, ledger, rows):
    """Natural map of every row: what its equation or its bound misses, in m/s and relative to its own terms."""
    speed, relative, force = 0.0, 0.0, 0.0
    for i in range(rows):
        if bound[i] == FREE:
            miss = abs(slack(row, lam, i))
            force = max(force, row[i, R_LOW] - lam[i], lam[i] - row[i, R_HIGH])
            speed = max(speed, miss)
            size = abs(row[i, R_RATE_NEW]) + abs(row[i, R_RHS]) + abs(row[i, R_SIGMA] * lam[i]) + 1e-9
            relative = max(relative, miss / size)
        elif bound[i] == LOW and row[i, R_LOW] < row[i, R_HIGH]:
            speed = max(speed, -slack(row, lam, i))
        elif bound[i] == HIGH and row[i, R_LOW] < row[i, R_HIGH]:
            speed = max(speed, slack(row, lam, i))
    ledger[RESIDUAL_SPEED] = speed
    ledger[RESIDUAL_RELATIVE] = relative
    ledger[RESIDUAL_FORCE] = force
