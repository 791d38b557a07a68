"""The compiled loop over the members of a batch: one call for many members and many steps, without the interpreter."""

from __future__ import annotations

from taut.core.jit import kernel
from taut.core.stage import state_of, work_of
from taut.step.pipeline import run


@kernel(entry=True)
def run_members(stages, contexts, members, backup, dt, passes, steps, made, status):  # type: ignore[no-untyped-def]
    """Make `steps` steps of each member, one member after the other, so that its arrays stay in the cache.

    contexts: address of every member's context. members: those to run. backup: scratch of this thread. made, status:
    steps made and status of the last one, by member.
    """
    for k in range(members.size):
        i = members[k]
        context = contexts[i]
        made[i], status[i] = run(
            stages, context, state_of(context), work_of(context), backup, dt, passes, steps
        )  # fmt: skip
