"""The bounded solve with many contacts, or with contacts along ropes: limits of friction that follow the normal forces.

The normal row never sees the friction bound, so a sliding block does not lift. Should the iteration run out, sliding becomes
s + Sigma_t lam_t = 0, which opposes the slip and adds no energy, and friction beyond its cone is brought back by letting
Sigma_t only grow; the residual says what is left.
"""

from __future__ import annotations

import math

from taut.core.buffers import column, index_table, indices, table
from taut.core.jit import kernel
from taut.core.model import (
    BODY_NEW,
    BOUND_ITERATIONS,
    COUNT,
    COUNTER,
    FREE,
    G_START,
    GROUP_INT,
    GROUPS,
    JOINT_GROUPS,
    LEDGER,
    R_CONE,
    R_FRICTION,
    R_SIGMA,
    RESIDUAL_CONE,
    ROW,
    ROW_BOUND,
    ROW_INT,
    ROW_LAM,
    SLIDE,
    T_FLOOR,
    TALLY,
)
from taut.core.order import FACTORISE, SUBSTITUTE, YIELD
from taut.core.stage import call_stage, has_stage
from taut.step.border import name_contacts
from taut.step.bounds import CLOSING, PATIENCE, note_residuals, scales, settle_bounds, take_off_floor, update_bounds
from taut.step.friction import (
    REFACTOR,
    SETTLED,
    begin_friction,
    cone_residual,
    follow_limits,
    keep_slip,
    make_viscous,
)
from taut.step.solve import BEGUN

#: rounds in which friction goes all the way to its new limits whatever changes, and after which it goes a quarter of it
EAGER, LATE = 5, 16
#: iterations of friction, times those of other bounds
RUBBING = 4


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
def solve_rubbing(context, settings, s, w, h):
    """Solve the step's system with all its bounds and the friction of all its contacts; the residuals go to the ledger."""
    row, cone, bound, lam = table(w, ROW), index_table(w, ROW_INT), indices(s, ROW_BOUND), column(s, ROW_LAM)
    tally, count, counter = column(w, TALLY), indices(w, COUNT), indices(s, COUNTER)
    rows = index_table(w, GROUP_INT)[count[GROUPS], G_START]
    joint_rows = index_table(w, GROUP_INT)[count[JOINT_GROUPS], G_START]
    settle_bounds(row, cone, lam, bound, rows)
    begin_friction(s, w)
    roped = has_stage(context, YIELD)
    refactor, refined, fewest, patience, yields, rounds, calm = True, 0, 1 << 60, PATIENCE, 0, 0, True
    last = settings.bound_iterations * RUBBING
    for iteration in range(last + CLOSING):
        if refactor:
            call_stage(FACTORISE, context, h, 0.0)
        call_stage(SUBSTITUTE, context, h, BEGUN if refactor else 0.0)
        counter[BOUND_ITERATIONS] += 1
        closing = iteration >= last
        if iteration == last:
            # out of patience: friction that can only brake
            make_viscous(s, w)
            refactor = True
            continue
        found = update_bounds(row, cone, lam, bound, rows, patience <= 0 and not closing, closing)
        fresh, refactor = refactor, found > 0
        if found > 0:
            patience = PATIENCE if found < fewest else patience - 1
            fewest, calm = min(found, fewest), False
            continue
        if roped and not closing:
            moved = call_stage(YIELD, context, h, (1.0 if fresh else 0.0) + (2.0 if yields > PATIENCE else 0.0))
            if moved > 0:
                yields += 1 if moved == 1 else 0
                refactor = moved == 1
                continue
        if refined < settings.refinements and take_off_floor(
            tally[T_FLOOR], row, lam, bound, table(w, BODY_NEW), joint_rows
        ):
            refined += 1
            continue
        # the bounds hold for these limits of friction: let the limits follow, by less when states keep changing with them
        if closing:
            asked = REFACTOR if soften_friction(row, cone, lam, bound, rows) else SETTLED
        else:
            fewest, patience, rounds = 1 << 60, PATIENCE, rounds + 1
            force, _ = scales(row, lam, rows)
            asked = follow_limits(s, w, force, 1.0 if calm or rounds < EAGER else 0.5 if rounds < LATE else 0.25)
        if asked == SETTLED:
            break
        refactor = asked == REFACTOR
        calm = not refactor
    note_residuals(row, lam, bound, column(s, LEDGER), rows)
    column(s, LEDGER)[RESIDUAL_CONE] = cone_residual(s, w)
    keep_slip(s, w)
    name_contacts(s, w)
