"""One time step, on one page.

    drive, feed -> forces -> wind -> collide -> assemble, bend, haul, wrap, reeve, lay, flex, weave -> plan
    -> stiffen, condense, hold, knit -> solve, ripple, relax, unknit -> guard, settle, fasten, rest -> integrate, pay, watch

Each stage is compiled by itself (taut.step.stages) and called through its address; one that the scene does not need has
address zero. `run`, a stage too, is the only call from Python: it makes any number of steps, holds no interpreter lock and takes no
memory.
"""

from __future__ import annotations

from taut.core.buffers import indices
from taut.core.jit import kernel
from taut.core.model import BAD, BAD_BODY, BUILT, COUNT, COUNTER, MORE, PLANS, REDONE, SECOND_PASSES, STEPS, SUBSTEPS
from taut.core.order import (
    ASSEMBLE,
    BEND,
    COLLIDE,
    CONDENSE,
    DRIVE,
    DUE,
    FASTEN,
    FEED,
    FLEX,
    FORCES,
    GUARD,
    HAUL,
    HOLD,
    INTEGRATE,
    KNIT,
    LAY,
    PAY,
    PLAN,
    REEVE,
    RELAX,
    RELINEARISE,
    REST,
    RIPPLE,
    SETTLE,
    SOLVE,
    STIFFEN,
    TENSE,
    UNKNIT,
    WATCH,
    WEAVE,
    WIND,
    WRAP,
)
from taut.core.plan import PLAN_OK
from taut.core.stage import backup_of, call, call_if, settings_of, stages_of, state_of, work_of
from taut.step.guard import copy_bodies, copy_rows
from taut.step.status import BAD_STATE, CONTACTS_FULL, LACKING, OK, PLAN_FULL, WRAPS_FULL

#: solves of a step at most where the waves of layered ropes, or rods, ask for another
MORE_PASSES = 5
#: and further ones where rods begin the step anew
ANEW_PASSES = 4
#: and where lattices that carry bodies do
LATTICE_PASSES = 12


@kernel
def advance(stages, context, s, w, h, passes, automatic, extra):
    """One step of length h with at most `passes` solves; `extra` steps of damping on every row (redone steps only)."""
    call(stages[DRIVE], context, h, extra)
    call_if(stages[FEED], context, h, extra)
    call(stages[FORCES], context, h, extra)
    call_if(stages[WIND], context, h, extra)
    found = call_if(stages[COLLIDE], context, h, extra)
    if found < 0:
        return CONTACTS_FULL - found
    call(stages[ASSEMBLE], context, h, extra)
    call_if(stages[BEND], context, h, extra)
    call_if(stages[HAUL], context, h, extra)
    found = call_if(stages[WRAP], context, h, extra)
    if found < 0:
        return WRAPS_FULL - found
    call_if(stages[REEVE], context, h, extra)
    call_if(stages[LAY], context, h, extra)
    call_if(stages[FLEX], context, h, extra)
    bad = call_if(stages[WEAVE], context, h, extra) - 1
    if bad >= 0:
        indices(w, COUNT)[BAD] = bad
        return BAD_STATE

    # the order of elimination is found anew only when the set of rows changed
    if indices(w, COUNT)[BUILT] == 0:
        status = call(stages[PLAN], context, h, extra)
        if status != PLAN_OK:
            return PLAN_FULL + status

    # once with the last step's tensions in the geometric stiffness, again when they jumped or waves or rods ask for it
    if automatic and (stages[RIPPLE] != 0 or stages[RELAX] != 0):
        passes = max(passes, MORE_PASSES)
    asked = 1 if automatic else passes
    if stages[UNKNIT] != 0:
        passes = max(passes, LATTICE_PASSES)
    attempt = 0
    while attempt < passes:
        call(stages[STIFFEN], context, h, extra)
        call_if(stages[TENSE], context, h, extra)
        call_if(stages[CONDENSE], context, h, extra)
        call_if(stages[HOLD], context, h, extra)
        call_if(stages[KNIT], context, h, extra)
        # one that may be followed by another need not be exact where the tensions jump
        indices(w, COUNT)[MORE] = 1 if attempt + 1 < passes else 0
        jumped = call(stages[SOLVE], context, h, extra)
        if jumped < 0:
            return LACKING
        jumped += call_if(stages[RIPPLE], context, h, extra)
        anew = call_if(stages[RELAX], context, h, extra)
        if anew > 1:
            passes = max(passes, attempt + 1 + ANEW_PASSES)
        jumped += anew + call_if(stages[UNKNIT], context, h, extra)
        indices(s, COUNTER)[SECOND_PASSES] += min(attempt, 1)
        if jumped == 0 and attempt + 1 >= asked:
            break
        attempt += 1
    call_if(stages[RELINEARISE], context, h, extra)

    bad = call(stages[GUARD], context, h, extra)
    if bad < 0 and stages[SETTLE] != 0:
        bad = call(stages[SETTLE], context, h, extra)
    if bad < 0 and stages[FASTEN] != 0:
        bad = call(stages[FASTEN], context, h, extra)
    if bad >= 0:
        indices(w, COUNT)[BAD] = bad
        return BAD_STATE
    call_if(stages[REST], context, h, extra)
    call(stages[INTEGRATE], context, h, extra)
    call_if(stages[PAY], context, h, extra)
    return DUE if call_if(stages[WATCH], context, h, extra) > 0 else OK


@kernel
def run(context, dt, steps):
    """Make `steps` steps; returns the status of the last one. The scene's `passes` = 0: as many as the tensions ask for.

    A step whose result cannot be trusted is redone with a second pass and two steps of damping, then in four substeps;
    when that fails too, the last good state stands.
    """
    stages, passes = stages_of(context), settings_of(context).passes
    s, w, backup = state_of(context), work_of(context), backup_of(context)
    automatic = passes == 0
    most = 2 if automatic else passes
    counter = indices(s, COUNTER)
    for _ in range(int(steps)):
        copy_rows(s, backup)
        status = OK
        for care in range(3):
            if care > 0:
                copy_rows(backup, s)
                indices(w, COUNT)[BUILT] = 0
                counter[REDONE] += care
                counter[SUBSTEPS] += 4 * (care - 1)
            if care < 2:
                status = advance(
                    stages, context, s, w, dt, most if care == 0 else max(most, 2), automatic and care == 0, 2.0 * care
                )
            else:
                copy_bodies(s, backup)  # substeps that succeed move them
                for _ in range(4):
                    status = advance(stages, context, s, w, 0.25 * dt, max(most, 2), False, 2.0)
                    if status > DUE:
                        break
            if status != BAD_STATE:
                break
        if status > DUE:
            if care == 2:
                copy_bodies(backup, s)
            planned = counter[PLANS] != indices(backup, COUNTER)[PLANS]
            copy_rows(backup, s)
            counter[BAD_BODY] = indices(w, COUNT)[BAD]
            # a step that lacks a stage is made once more, with the plan that it found
            if status != LACKING or planned:
                indices(w, COUNT)[BUILT] = 0
            return status
        counter[STEPS] += 1
        if status == DUE:
            return DUE
    return OK
