"""One time step, on one page.

    drive -> forces -> wind -> collide -> assemble, bend, wrap, reeve, lay -> plan -> stiffen, condense -> solve, ripple
    -> guard, settle -> integrate, pay

Each stage is compiled by itself (taut.step.stages) and called through its address; one that the scene does not need has
address zero. `run` is the only call from Python: it makes any number of steps, holds no interpreter lock and takes no
memory.
"""

from __future__ import annotations

from taut.core.buffers import indices
from taut.core.jit import kernel
from taut.core.model import BAD, BAD_BODY, BUILT, COUNT, COUNTER, REDONE, SECOND_PASSES, STEPS, SUBSTEPS
from taut.core.order import (
    ASSEMBLE,
    BEND,
    COLLIDE,
    CONDENSE,
    DRIVE,
    FORCES,
    GUARD,
    INTEGRATE,
    LAY,
    PAY,
    PLAN,
    REEVE,
    RELINEARISE,
    RIPPLE,
    SETTLE,
    SOLVE,
    STIFFEN,
    TENSE,
    WIND,
    WRAP,
)
from taut.core.plan import PLAN_OK
from taut.core.stage import call, call_if
from taut.step.guard import copy_bodies, copy_rows

#: what a step can come back with: fine; a pool that Python must enlarge; a state that cannot be trusted
OK, PLAN_FULL, CONTACTS_FULL, BAD_STATE, WRAPS_FULL = 0, 10, 20, 30, 40
#: solves of a step at most where the waves of layered ropes ask for another
WAVE_PASSES = 5


@kernel
def advance(stages, context, s, w, h, passes, automatic, extra):
    """One step of length h with at most `passes` solves; `extra` steps of damping on every row (redone steps only)."""
    call(stages[DRIVE], context, h, extra)
    call(stages[FORCES], context, h, extra)
    call_if(stages[WIND], context, h, extra)
    found = call_if(stages[COLLIDE], context, h, extra)
    if found < 0:
        return CONTACTS_FULL - found
    call(stages[ASSEMBLE], context, h, extra)
    call_if(stages[BEND], context, h, extra)
    found = call_if(stages[WRAP], context, h, extra)
    if found < 0:
        return WRAPS_FULL - found
    call_if(stages[REEVE], context, h, extra)
    call_if(stages[LAY], context, h, extra)

    # the order of elimination is found anew only when the set of rows changed
    if indices(w, COUNT)[BUILT] == 0:
        status = call(stages[PLAN], context, h, extra)
        if status != PLAN_OK:
            return PLAN_FULL + status

    # once with the last step's tensions in the geometric stiffness, again when they jumped or waves ask for it
    if stages[RIPPLE] != 0 and automatic:
        passes = max(passes, WAVE_PASSES)
    for attempt in range(passes):
        call(stages[STIFFEN], context, h, extra)
        call_if(stages[TENSE], context, h, extra)
        call_if(stages[CONDENSE], context, h, extra)
        jumped = call(stages[SOLVE], context, h, extra) + call_if(stages[RIPPLE], context, h, extra)
        indices(s, COUNTER)[SECOND_PASSES] += min(attempt, 1)
        if automatic and jumped == 0:
            break
    call_if(stages[RELINEARISE], context, h, extra)

    bad = call(stages[GUARD], context, h, extra)
    if bad < 0 and stages[SETTLE] != 0:
        bad = call(stages[SETTLE], context, h, extra)
    if bad >= 0:
        indices(w, COUNT)[BAD] = bad
        return BAD_STATE
    call(stages[INTEGRATE], context, h, extra)
    call_if(stages[PAY], context, h, extra)
    return OK


@kernel(entry=True)
def run(stages, context, s, w, backup, dt, passes, steps):
    """Make `steps` steps; returns (steps made, status of the last one). `passes` = 0: as many as the tensions ask for.

    A step whose result cannot be trusted is redone with a second pass and two steps of damping, then in four substeps;
    when that fails too, the last good state stands.
    """
    automatic = passes == 0
    most = 2 if automatic else passes
    counter = indices(s, COUNTER)
    for made in range(steps):
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
                    if status != OK:
                        break
            if status != BAD_STATE:
                break
        if status != OK:
            if care == 2:
                copy_bodies(backup, s)
            copy_rows(backup, s)
            counter[BAD_BODY] = indices(w, COUNT)[BAD]
            indices(w, COUNT)[BUILT] = 0
            return made, status
        counter[STEPS] += 1
    return steps, OK
