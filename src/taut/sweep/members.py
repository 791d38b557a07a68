"""The compiled loop over the members of a batch: one call for many members and many steps, without the interpreter."""

from __future__ import annotations

from taut.core.buffers import indices
from taut.core.jit import kernel
from taut.core.model import COUNTER, STEPS
from taut.core.stage import BACKUP_AT, CONTEXT_SIZE, PLACES, ints_at, state_of
from taut.step.pipeline import run


@kernel(entry=True)
def run_members(contexts, members, backup, dt, steps, made, status):  # type: ignore[no-untyped-def]
    """Make `steps` steps of each member, one member after the other, so that its arrays stay in the cache.

    contexts: address of every member's context. members: those to run. backup: where this thread's backup lies, six
    numbers as in a context. made, status: steps made and status of the last one, by member.
    """
    for k in range(members.size):
        i = members[k]
        context = contexts[i]
        places = ints_at(context, CONTEXT_SIZE)
        for j in range(PLACES):
            places[BACKUP_AT + j] = backup[j]
        steps_made = indices(state_of(context), COUNTER)
        before = steps_made[STEPS]
        status[i] = run(context, dt, steps)
        made[i] = steps_made[STEPS] - before
