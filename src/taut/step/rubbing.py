"""The bounded solve with many contacts, or with contacts along ropes.

First the states of the last step are tried: bounds by pivoting, limits of friction that follow the normal forces
(taut.step.friction). Where little has changed that is one factorisation. Where it does not end soon, an interior-point method solves the
step (taut.step.interior), and pivoting goes on from the states that it found, which also brings in what that method leaves open; should this
not end either, its solution stands.
"""

from __future__ import annotations

from taut.core.buffers import column, index_table, indices, table
from taut.core.codes import FREE
from taut.core.jit import kernel
from taut.core.model import (
    BODY_NEW,
    BOUND_ITERATIONS,
    COUNT,
    COUNTER,
    G_START,
    GROUP_INT,
    GROUPS,
    JOINT_GROUPS,
    LEDGER,
    RESIDUAL_CONE,
    ROW,
    ROW_BOUND,
    ROW_INT,
    ROW_LAM,
    STEPS,
    T_FLOOR,
    TALLY,
    UNSETTLED_FIRST,
    UNSETTLED_SECOND,
)
from taut.core.order import FACTORISE, SUBSTITUTE, YIELD
from taut.core.stage import call_stage, has_stage
from taut.step.border import name_contacts
from taut.step.bounds import PATIENCE, note_residuals, scales, settle_bounds, take_off_floor, update_bounds
from taut.step.friction import REFACTOR, SETTLED, begin_friction, cone_residual, follow_limits, keep_slip
from taut.step.interior import contact_scales, hold_found, solve_interior
from taut.step.solve import BEGUN

#: factorisations by pivoting before and after the interior-point method, and right sides for each of them
FIRST, SECOND, SIDES = 120, 24, 10
#: where that did not settle for some steps in a row, it is tried in every so many steps only, for a short while
STUBBORN, SELDOM, SHORT = 2, 8, 8
#: part of its limit from which on friction is at it
NEAR = 0.999
#: rounds in which friction goes all the way to its new limits whatever changes, and after which it goes a quarter of it
EAGER, LATE = 5, 16


@kernel
def _free_contacts(s, w):
    """Let pivoting start from contacts that are held at their impulses."""
    group, bound, lam = index_table(w, GROUP_INT), indices(s, ROW_BOUND), column(s, ROW_LAM)
    for g in range(indices(w, COUNT)[JOINT_GROUPS], indices(w, COUNT)[GROUPS]):
        n = group[g, G_START]
        if lam[n] > 0.0:
            bound[n] = FREE


@kernel
def _pivot(context, settings, s, w, h, most):
    """Bounds and limits of friction from the present states, in at most so many factorisations; True when all hold."""
    row, cone, bound, lam = table(w, ROW), index_table(w, ROW_INT), indices(s, ROW_BOUND), column(s, ROW_LAM)
    tally, count, counter = column(w, TALLY), indices(w, COUNT), indices(s, COUNTER)
    rows = index_table(w, GROUP_INT)[count[GROUPS], G_START]
    joint_rows = index_table(w, GROUP_INT)[count[JOINT_GROUPS], G_START]
    roped = has_stage(context, YIELD)
    refactor, refined, fewest, patience, yields, rounds, calm, made = True, 0, 1 << 60, PATIENCE, 0, 0, True, 0
    for _ in range(most * SIDES):
        if refactor:
            made += 1
            if made > most:
                break
            call_stage(FACTORISE, context, h, 0.0)
            counter[BOUND_ITERATIONS] += 1
        call_stage(SUBSTITUTE, context, h, BEGUN if refactor else 0.0)
        found = update_bounds(row, cone, lam, bound, rows, patience <= 0, False)
        fresh, refactor = refactor, found > 0
        if found > 0:
            patience = PATIENCE if found < fewest else patience - 1
            fewest, calm = min(found, fewest), False
            continue
        if roped:
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
        fewest, patience, rounds = 1 << 60, PATIENCE, rounds + 1
        force, _ = scales(row, lam, rows)
        asked = follow_limits(s, w, force, 1.0 if calm or rounds < EAGER else 0.5 if rounds < LATE else 0.25)
        if asked == SETTLED:
            return True
        refactor = asked == REFACTOR
        calm = not refactor
    return False


@kernel
def _try(context, settings, s, w, h, place, most):
    """Pivot, unless that has been in vain lately; the ledger remembers."""
    ledger = column(s, LEDGER)
    if ledger[place] >= STUBBORN:
        if (indices(s, COUNTER)[STEPS] + 1) % SELDOM != 0:
            return False
        most = SHORT
    settled = _pivot(context, settings, s, w, h, most)
    ledger[place] = 0.0 if settled else ledger[place] + 1.0
    return settled


@kernel
def solve_rubbing(context, settings, s, w, h):
    """Solve the step's system with all its bounds and the friction of all its contacts; the residuals go to the ledger."""
    row, cone, bound, lam = table(w, ROW), index_table(w, ROW_INT), indices(s, ROW_BOUND), column(s, ROW_LAM)
    count = indices(w, COUNT)
    rows = index_table(w, GROUP_INT)[count[GROUPS], G_START]
    ledger, force_speed = column(s, LEDGER), contact_scales(s, w)
    settle_bounds(row, cone, lam, bound, rows)
    begin_friction(s, w)
    if not _try(context, settings, s, w, h, UNSETTLED_FIRST, FIRST):
        solve_interior(context, s, w, h, force_speed[0], force_speed[1])
        _free_contacts(s, w)
        begin_friction(s, w)
        if not _try(context, settings, s, w, h, UNSETTLED_SECOND, SECOND):
            hold_found(s, w, force_speed[0], force_speed[1])
            call_stage(FACTORISE, context, h, 0.0)
            call_stage(SUBSTITUTE, context, h, BEGUN)
            indices(s, COUNTER)[BOUND_ITERATIONS] += 1
    name_contacts(s, w, NEAR)
    note_residuals(row, lam, bound, ledger, rows)
    ledger[RESIDUAL_CONE] = cone_residual(s, w)
    keep_slip(s, w)
