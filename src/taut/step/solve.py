"""The bounded solve: equalities and inequalities of a step in one problem.

Bounds low <= lam <= high (tension only, push only, force limits) by block principal pivoting on the direct solve: all
rows that violate their bound change sides at once; when that does not reduce the number of violations any more, one
row at a time (Murty's rule), which ends after finitely many steps because Sigma > 0. With the last step's active set
as a start this is one factorisation per step most of the time.

Coulomb friction |lam_t| <= mu lam_n is not a convex program. A few contacts of a small system are a border, solved exactly
(taut.step.border); more are iterated with the bounds (taut.step.friction). The normal row never sees the friction bound, so
a sliding block does not lift. Should the iteration run out, sliding becomes s + Sigma_t lam_t = 0, which opposes the slip
and adds no energy, and friction beyond its cone is brought back by letting Sigma_t only grow; the residual says what is left.
"""

from __future__ import annotations

import math

from taut.core.buffers import column, index_table, indices, table
from taut.core.jit import kernel
from taut.core.model import (
    BODY_NEW,
    BOUND_ITERATIONS,
    BOUNDED,
    COUNT,
    COUNTER,
    FREE,
    G_START,
    GROUP_INT,
    GROUPS,
    HIGH,
    JOINT_GROUPS,
    LEDGER,
    LOW,
    MOST_CONTACTS,
    NODE_RHS,
    R_CONE,
    R_COUPLE,
    R_FLOOR,
    R_FRICTION,
    R_HELD,
    R_HIGH,
    R_LOW,
    R_RATE_NEW,
    R_RHS,
    R_SIGMA,
    RESIDUAL_CONE,
    RESIDUAL_FORCE,
    RESIDUAL_RELATIVE,
    RESIDUAL_SPEED,
    ROW,
    ROW_BOUND,
    ROW_INT,
    ROW_LAM,
    SLIDE,
    T_FLOOR,
    T_RELATIVE,
    T_SPEED,
    TALLY,
    THREADS,
)
from taut.core.order import FACTORISE, SUBSTITUTE, YIELD
from taut.core.stage import call_stage, has_stage
from taut.step.border import name_contacts, release_contacts, solve_border
from taut.step.friction import (
    REFACTOR,
    SETTLED,
    begin_friction,
    cone_residual,
    follow_limits,
    keep_slip,
    make_viscous,
)

#: told to SUBSTITUTE: the factorisation has begun the solution
BEGUN = 1.0

BOUND_TOLERANCE = 1e-11
#: contacts that are a border whatever the size of the system, and bodies up to which MOST_CONTACTS of them are
FEW_CONTACTS, FEW_BODIES = 4, 64
#: rounds in which friction goes all the way to its new limits whatever changes, and after which it goes a quarter of it
EAGER, LATE = 5, 16
#: iterations of friction, times those of other bounds
RUBBING = 4
PATIENCE = 10
#: refinement when the floors of rigid rows act by more than this part of the largest speed, or of this one [m/s]
FLOOR_TOLERANCE, LEAST_SPEED = 1e-7, 1e-3
#: iterations after the last allowed one, in which rows only go to their bounds
CLOSING = 16


@kernel
def _slack(row, lam, i):
    """Velocity by which a row at its bound is already satisfied: G v+ + Sigma lam - b."""
    left = row[i, R_RATE_NEW] + row[i, R_SIGMA] * lam[i] - row[i, R_RHS]
    if row[i, R_COUPLE] != 0.0:
        left += row[i, R_COUPLE] * lam[i + 1]
    if i > 0 and row[i - 1, R_COUPLE] != 0.0:
        left += row[i - 1, R_COUPLE] * lam[i - 1]
    return left


@kernel
def _scales(row, lam, count):
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
        if row[i, R_LOW] < row[i, R_HIGH] and _slack(row, lam, i) < -BOUND_TOLERANCE * speed:
            return 1 + FREE
    elif bound[i] == HIGH:
        if row[i, R_LOW] < row[i, R_HIGH] and _slack(row, lam, i) > BOUND_TOLERANCE * speed:
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
    force, speed = _scales(row, lam, count)
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
def soften_friction(row, cone, lam, bound, count):
    """Bring viscous friction that is too strong back to its cone; True when there was any. Sigma_t only grows, so this
    ends: |lam_t| = |s| / Sigma_t falls at least as fast as Sigma_t grows."""
    changed = False
    i = 0
    while i < count:
        normal = cone[i, R_CONE]
        if normal < 0:
            i += 1
            continue
        j = i + 1
        limit = row[i, R_FRICTION] * max(lam[normal], 0.0)
        size = math.sqrt(lam[i] * lam[i] + lam[j] * lam[j])
        if bound[i] == FREE and size > limit * (1.0 + 1e-3):
            if limit > 0.0:
                sigma = row[i, R_SIGMA] * size / limit
                row[i, R_SIGMA], row[j, R_SIGMA] = sigma, sigma
            else:
                bound[i], bound[j] = SLIDE, SLIDE
                lam[i], lam[j] = 0.0, 0.0
            changed = True
        i += 2
    return changed


@kernel
def _take_off_floor(miss, row, lam, bound, new, count):
    """Let the floors of rigid rows act from the multipliers just found; False when that changes nothing to speak of.
    `miss` is the largest speed by which they do."""
    if miss <= FLOOR_TOLERANCE * LEAST_SPEED:
        return False
    speed = LEAST_SPEED
    for i in range(new.shape[0]):
        speed = max(speed, abs(new[i, 0]), abs(new[i, 1]), abs(new[i, 2]))
    if miss <= FLOOR_TOLERANCE * speed:
        return False
    for i in range(count):
        if bound[i] == FREE:
            row[i, R_RHS] += row[i, R_FLOOR] * (lam[i] - row[i, R_HELD])
            row[i, R_HELD] = lam[i]
    return True


@kernel
def solve_rows(context, settings, s, w, h):
    """Solve the step's system with all its bounds; the residuals go to the ledger."""
    row, cone, bound, lam = table(w, ROW), index_table(w, ROW_INT), indices(s, ROW_BOUND), column(s, ROW_LAM)
    tally = column(w, TALLY)
    count, ledger, counter = indices(w, COUNT), column(s, LEDGER), indices(s, COUNTER)
    rows = index_table(w, GROUP_INT)[count[GROUPS], G_START]
    bounded = count[BOUNDED] == 1 or count[GROUPS] > count[JOINT_GROUPS]
    if bounded:
        settle_bounds(row, cone, lam, bound, rows)
    contacts = count[GROUPS] - count[JOINT_GROUPS]
    # along a taut rope contacts lean on each other too much to be solved one by one
    few = contacts <= FEW_CONTACTS or (table(w, NODE_RHS).shape[0] <= FEW_BODIES and count[THREADS] == 0)
    bordered = 0 < contacts <= MOST_CONTACTS and few
    rubbing = contacts > 0 and not bordered
    refactor = True
    joint_rows = index_table(w, GROUP_INT)[count[JOINT_GROUPS], G_START]
    pivoted, refined = rows, 0
    roped = has_stage(context, YIELD)
    if bordered:
        pivoted, _ = release_contacts(s, w)
    elif rubbing:
        begin_friction(s, w)
    fewest, patience, rounds, calm, yields = 1 << 60, PATIENCE, 0, True, 0
    last = settings.bound_iterations * (RUBBING if rubbing else 1)
    for iteration in range(last + CLOSING):
        if refactor:
            call_stage(FACTORISE, context, h, 0.0)
        if bordered:
            solve_border(context, s, w, h)
        else:
            call_stage(SUBSTITUTE, context, h, BEGUN if refactor else 0.0)
        if not bounded:
            # no bounds: the only reason to go on is the floor of the rigid rows
            if iteration >= settings.refinements or not _take_off_floor(
                tally[T_FLOOR], row, lam, bound, table(w, BODY_NEW), rows
            ):
                break
            refactor = False
            continue
        counter[BOUND_ITERATIONS] += 1
        closing = iteration >= last
        if rubbing and iteration == last:
            # out of patience: friction that can only brake
            make_viscous(s, w)
            refactor = True
            continue
        found = update_bounds(row, cone, lam, bound, pivoted, patience <= 0 and not closing, closing)
        fresh, refactor = refactor, found > 0
        if found > 0:
            # block pivoting while it helps, then one row at a time
            if found < fewest:
                fewest, patience = found, PATIENCE
            else:
                patience -= 1
            calm = False
            continue
        if roped and not closing:
            moved = call_stage(YIELD, context, h, (1.0 if fresh else 0.0) + (2.0 if yields > PATIENCE else 0.0))
            if moved > 0:
                yields += 1 if moved == 1 else 0
                refactor = moved == 1
                continue
        if refined < settings.refinements and _take_off_floor(
            tally[T_FLOOR], row, lam, bound, table(w, BODY_NEW), joint_rows
        ):
            refined += 1
            continue
        if not rubbing:
            break
        # the bounds hold for these limits of friction: let the limits follow, by less when states keep changing with them
        asked = SETTLED
        if closing:
            asked = REFACTOR if soften_friction(row, cone, lam, bound, rows) else SETTLED
        else:
            fewest, patience, rounds = 1 << 60, PATIENCE, rounds + 1
            force, _ = _scales(row, lam, rows)
            asked = follow_limits(s, w, force, 1.0 if calm or rounds < EAGER else 0.5 if rounds < LATE else 0.25)
        if asked == SETTLED:
            break
        refactor = asked == REFACTOR
        calm = not refactor
    if bordered:
        name_contacts(s, w)
    if not bounded:
        ledger[RESIDUAL_SPEED], ledger[RESIDUAL_RELATIVE], ledger[RESIDUAL_FORCE] = (
            tally[T_SPEED],
            tally[T_RELATIVE],
            0.0,
        )
    else:
        _residuals(row, lam, bound, ledger, rows)
        ledger[RESIDUAL_CONE] = cone_residual(s, w)
        keep_slip(s, w)
        if rubbing:
            name_contacts(s, w)


@kernel
def _residuals(row, lam, bound, ledger, rows):
    """Natural map of every row: what its equation or its bound misses, in m/s and relative to its own terms."""
    speed, relative, force = 0.0, 0.0, 0.0
    for i in range(rows):
        if bound[i] == FREE:
            miss = abs(_slack(row, lam, i))
            force = max(force, row[i, R_LOW] - lam[i], lam[i] - row[i, R_HIGH])
            speed = max(speed, miss)
            size = abs(row[i, R_RATE_NEW]) + abs(row[i, R_RHS]) + abs(row[i, R_SIGMA] * lam[i]) + 1e-9
            relative = max(relative, miss / size)
        elif bound[i] == LOW and row[i, R_LOW] < row[i, R_HIGH]:
            speed = max(speed, -_slack(row, lam, i))
        elif bound[i] == HIGH and row[i, R_LOW] < row[i, R_HIGH]:
            speed = max(speed, _slack(row, lam, i))
    ledger[RESIDUAL_SPEED] = speed
    ledger[RESIDUAL_RELATIVE] = relative
    ledger[RESIDUAL_FORCE] = force
