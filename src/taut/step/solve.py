"""The bounded solve: equalities and inequalities of a step in one problem.

Bounds are found by pivoting on the direct solve (taut.step.bounds). Coulomb friction |lam_t| <= mu lam_n is not a convex
program: a few contacts of a small system are a border, solved exactly (taut.step.border); more are iterated with the bounds
(taut.step.rubbing).
"""

from __future__ import annotations

from taut.core.buffers import column, index_table, indices, table
from taut.core.jit import kernel
from taut.core.model import (
    BODY_NEW,
    BOUND_ITERATIONS,
    BOUNDED,
    COUNT,
    COUNTER,
    G_START,
    GROUP_INT,
    GROUPS,
    JOINT_GROUPS,
    LEDGER,
    RESIDUAL_CONE,
    RESIDUAL_FORCE,
    RESIDUAL_RELATIVE,
    RESIDUAL_SPEED,
    ROW,
    ROW_BOUND,
    ROW_INT,
    ROW_LAM,
    T_FLOOR,
    T_RELATIVE,
    T_SPEED,
    TALLY,
)
from taut.core.order import FACTORISE, SUBSTITUTE, YIELD
from taut.core.stage import call_stage, has_stage
from taut.step.border import name_contacts, release_contacts, solve_border
from taut.step.bounds import CLOSING, PATIENCE, note_residuals, settle_bounds, take_off_floor, update_bounds
from taut.step.friction import cone_residual, keep_slip

#: told to SUBSTITUTE: the factorisation has begun the solution
BEGUN = 1.0
#: told to SUBSTITUTE: the right side stands in x, where the solution is left
IN_PLACE = 2.0


@kernel
def solve_rows(context, settings, s, w, h):
    """Solve the step's system with all its bounds, contacts as a border; the residuals go to the ledger. False when CONES is needed and
    not there."""
    count = indices(w, COUNT)
    if count[BOUNDED] == 1 or count[GROUPS] > count[JOINT_GROUPS]:
        return _solve_bounded(context, settings, s, w, h)
    _solve_free(context, settings, s, w, h)
    return True


@kernel
def _solve_free(context, settings, s, w, h):
    """No bounds: the only reason to solve again is the floor of the rigid rows."""
    row, bound, lam, tally = table(w, ROW), indices(s, ROW_BOUND), column(s, ROW_LAM), column(w, TALLY)
    rows = index_table(w, GROUP_INT)[indices(w, COUNT)[GROUPS], G_START]
    call_stage(FACTORISE, context, h, 0.0)
    call_stage(SUBSTITUTE, context, h, BEGUN)
    for _ in range(settings.refinements):
        if not take_off_floor(tally[T_FLOOR], row, lam, bound, table(w, BODY_NEW), rows):
            break
        call_stage(SUBSTITUTE, context, h, 0.0)
    ledger = column(s, LEDGER)
    ledger[RESIDUAL_SPEED], ledger[RESIDUAL_RELATIVE], ledger[RESIDUAL_FORCE] = tally[T_SPEED], tally[T_RELATIVE], 0.0


@kernel
def _solve_bounded(context, settings, s, w, h):
    row, cone, bound, lam = table(w, ROW), index_table(w, ROW_INT), indices(s, ROW_BOUND), column(s, ROW_LAM)
    tally, count, counter = column(w, TALLY), indices(w, COUNT), indices(s, COUNTER)
    rows = index_table(w, GROUP_INT)[count[GROUPS], G_START]
    joint_rows = index_table(w, GROUP_INT)[count[JOINT_GROUPS], G_START]
    settle_bounds(row, cone, lam, bound, rows)
    bordered, roped = count[GROUPS] > count[JOINT_GROUPS], has_stage(context, YIELD)
    if bordered:
        release_contacts(s, w)
    refactor, refined, fewest, patience, yields = True, 0, 1 << 60, PATIENCE, 0
    for iteration in range(settings.bound_iterations + CLOSING):
        if refactor:
            call_stage(FACTORISE, context, h, 0.0)
        if bordered:
            if not solve_border(context, s, w, h):
                return False
        else:
            call_stage(SUBSTITUTE, context, h, BEGUN if refactor else 0.0)
        counter[BOUND_ITERATIONS] += 1
        closing = iteration >= settings.bound_iterations
        found = update_bounds(row, cone, lam, bound, joint_rows, patience <= 0 and not closing, closing)
        fresh, refactor = refactor, found > 0
        if found > 0:
            # block pivoting while it helps, then one row at a time
            patience = PATIENCE if found < fewest else patience - 1
            fewest = min(found, fewest)
            continue
        if roped and not closing:
            moved = call_stage(YIELD, context, h, (1.0 if fresh else 0.0) + (2.0 if yields > PATIENCE else 0.0))
            if moved > 0:
                yields += 1 if moved == 1 else 0
                refactor = moved == 1
                continue
        if refined >= settings.refinements or not take_off_floor(
            tally[T_FLOOR], row, lam, bound, table(w, BODY_NEW), joint_rows
        ):
            break
        refined += 1
    if bordered:
        name_contacts(s, w)
    note_residuals(row, lam, bound, column(s, LEDGER), rows)
    column(s, LEDGER)[RESIDUAL_CONE] = cone_residual(s, w)
    keep_slip(s, w)
    return True
