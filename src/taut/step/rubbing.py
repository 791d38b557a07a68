"""The bounded solve with many contacts, or with contacts along ropes.

First Newton's method goes on from the states of the last step (taut.step.newton): where nothing changes that is one factorisation, at rest
and in steady motion a few. Where it is lost, an interior-point method solves the step (taut.step.interior), and Newton's method is
tried from the states that it found, which also brings in what that method leaves open; should this not end either, its solution stands. In a
pass after which the tensions ask for another one neither is brought to an end: all that is left of it are these tensions.
"""

from __future__ import annotations

import math

from taut.core.buffers import column, index_table, indices, table
from taut.core.codes import FREE
from taut.core.jit import kernel
from taut.core.model import (
    BOUND_ITERATIONS,
    COUNT,
    COUNTER,
    G_START,
    GROUP_INT,
    GROUPS,
    I_SLACK,
    INNER,
    JOINT_GROUPS,
    LEDGER,
    MORE,
    R_FRICTION,
    R_STICK,
    RESIDUAL_CONE,
    ROW,
    ROW_BOUND,
    ROW_INT,
    ROW_LAM,
)
from taut.core.order import FACTORISE, SUBSTITUTE
from taut.core.stage import call_stage
from taut.step.border import name_contacts
from taut.step.bounds import note_residuals, settle_bounds
from taut.step.friction import begin_friction, cone_residual, grip, keep_slip, let_go, slide, turn_rows
from taut.step.interior import contact_scales, hold_found, remember, solve_interior
from taut.step.newton import solve_newton
from taut.step.snatch import differs
from taut.step.solve import BEGUN

#: factorisations by Newton's method before and after the interior-point method
FIRST, SECOND = 16, 6
#: part of the contacts that may change their state in the first round before it, more means that it will be lost; and after it
FAR, ANY = 0.125, 1.0


@kernel
def _begin_from_found(s, w, force, speed):
    """States of contacts for Newton's method from what the interior-point method found: a contact slides if its slip is larger, beside
    the scales of impulse and speed, than what its friction lacks of its limit."""
    group, row, inner = index_table(w, GROUP_INT), table(w, ROW), table(w, INNER)
    lam, bound, joints = column(s, ROW_LAM), indices(s, ROW_BOUND), indices(w, COUNT)[JOINT_GROUPS]
    for g in range(joints, indices(w, COUNT)[GROUPS]):
        n = group[g, G_START]
        i, j = n + 1, n + 2
        limit = row[i, R_FRICTION] * lam[n]
        if not limit > 0.0:
            if lam[n] > 0.0:
                bound[n] = FREE
            let_go(row, lam, bound, i)
            continue
        bound[n] = FREE
        slip = math.sqrt(inner[i, I_SLACK] ** 2 + inner[j, I_SLACK] ** 2)
        size = math.sqrt(lam[i] ** 2 + lam[j] ** 2)
        if size > 0.0 and slip * force > (limit - size) * speed:
            turn_rows(s, w, g, g - joints, -lam[i] / size, -lam[j] / size)
            slide(row, lam, bound, i, limit, max(row[i, R_STICK], slip / limit))
        else:
            grip(row, bound, i)


@kernel
def _finish(context, settings, s, w, h, force, speed):
    """Newton's method from what the interior-point method found, which stands where that does not end."""
    _begin_from_found(s, w, force, speed)
    if not solve_newton(context, settings, s, w, h, SECOND, ANY):
        hold_found(s, w, force, speed)
        call_stage(FACTORISE, context, h, 0.0)
        call_stage(SUBSTITUTE, context, h, BEGUN)
        indices(s, COUNTER)[BOUND_ITERATIONS] += 1


@kernel
def solve_rubbing(context, settings, s, w, h):
    """Solve the step's system with all its bounds and the friction of all its contacts; the residuals go to the ledger."""
    row, cone, bound, lam = table(w, ROW), index_table(w, ROW_INT), indices(s, ROW_BOUND), column(s, ROW_LAM)
    count = indices(w, COUNT)
    rows = index_table(w, GROUP_INT)[count[GROUPS], G_START]
    ledger, force_speed = column(s, LEDGER), contact_scales(s, w)
    settle_bounds(row, cone, lam, bound, rows)
    remember(s, w)
    begin_friction(s, w)
    if not solve_newton(context, settings, s, w, h, FIRST, FAR):
        more = count[MORE] == 1
        if solve_interior(context, s, w, h, force_speed[0], force_speed[1], more) and not differs(w):
            remember(s, w)
            solve_interior(context, s, w, h, force_speed[0], force_speed[1], False)
        if not (more and differs(w)):
            _finish(context, settings, s, w, h, force_speed[0], force_speed[1])
    name_contacts(s, w)
    note_residuals(row, lam, bound, ledger, rows)
    ledger[RESIDUAL_CONE] = cone_residual(s, w)
    keep_slip(s, w)
