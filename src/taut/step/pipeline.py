"""One time step, on one page.

    drive -> forces -> collide -> assemble -> solve -> integrate -> guard

The stages are those of paper 1, Algorithm 1. `run` is the only call from Python: it makes any number of steps, holds no
interpreter lock and takes no memory.
"""

from __future__ import annotations

from enum import IntEnum

from taut.core.buffers import column, indices
from taut.core.jit import kernel
from taut.core.model import (
    BAD_BODY,
    BUILT,
    COUNT,
    COUNTER,
    LEDGER,
    PLANS,
    REDONE,
    SECOND_PASSES,
    STEPS,
    SUBSTEPS,
    TIME,
)
from taut.core.plan import PLAN_OK
from taut.step.assemble import assemble_joints
from taut.step.collide import collide
from taut.step.drive import follow_controls, move_kinematic
from taut.step.forces import blow, body_blocks, free_motion
from taut.step.geometric import add_geometric_stiffness
from taut.step.guard import copy_state, first_bad_body
from taut.step.integrate import integrate
from taut.step.ledger import account_bodies, account_rows
from taut.step.relinearise import relinearise
from taut.step.snatch import flag_redundant, note_multipliers, tension_jumped
from taut.step.solve import solve_rows
from taut.step.system import build_plan


class Stage(IntEnum):
    """Names of the stages, for profile, trace and docs."""

    DRIVE = 0
    FORCES = 1
    COLLIDE = 2
    ASSEMBLE = 3
    SOLVE = 4
    INTEGRATE = 5
    GUARD = 6


#: what a step can come back with: fine; a pool that Python must enlarge; a state that cannot be trusted
OK, PLAN_FULL, CONTACTS_FULL, BAD_STATE = 0, 10, 20, 30


@kernel
def advance(settings, m, s, w, h, passes, extra, wind, contact):
    """One step of length h with at most `passes` solves; `extra` steps of damping on every row (redone steps only).

    m, s, w: model, state and scratch. `wind` and `contact` are None where the scene has none: then their code is not
    compiled.
    """
    # drive: controls and their ramps, kinematic bodies
    follow_controls(m, s, h)
    move_kinematic(m, s, w, h)

    # forces: what every body would do on its own
    free_motion(settings, m, s, w, h)
    blow(wind, m, s, w, h)

    # collide: contacts become rows
    found = collide(contact, settings, m, s, w, h)
    if found < 0:
        return CONTACTS_FULL - found

    # assemble: rows of the joints, and the elimination plan when the set of rows changed
    assemble_joints(settings, m, s, w, h, extra)
    if indices(w, COUNT)[BUILT] == 0:
        status = build_plan(m, w)
        if status != PLAN_OK:
            return PLAN_FULL + status
        indices(w, COUNT)[BUILT] = 1
        indices(s, COUNTER)[PLANS] += 1

    # solve: once with the last step's tensions in the geometric stiffness, again when they jumped
    note_multipliers(s, w)
    for attempt in range(passes):
        body_blocks(m, w)
        if settings.geometric > 0.0:
            add_geometric_stiffness(settings, m, s, w, h)
        solve_rows(settings, m, s, w)
        flag_redundant(m, s, w)
        indices(s, COUNTER)[SECOND_PASSES] += attempt
        if settings.passes == 0 and not tension_jumped(m, s, w):
            break
    if settings.relinearise > 0:
        relinearise(settings, m, s, w, h)

    # integrate: account first, while the old velocities are still there
    account_rows(m, s, w, h)
    account_bodies(settings, m, s, w, h)
    integrate(m, s, w, h)
    column(s, LEDGER)[TIME] += h

    # guard
    return OK if first_bad_body(s) < 0 else BAD_STATE


@kernel
def run(settings, m, s, w, backup, steps, wind, contact):
    """Make `steps` steps; returns (steps made, status of the last one).

    A step whose result cannot be trusted is redone with a second pass and two steps of damping, then in four substeps;
    when that fails too, the last good state stands.
    """
    h = settings.dt
    passes = settings.passes if settings.passes > 0 else 2
    counter = indices(s, COUNTER)
    for made in range(steps):
        copy_state(s, backup)
        redone = 0
        status = OK
        for care in range(3):
            if care > 0:
                redone += 1
                counter[BAD_BODY] = first_bad_body(s)
                copy_state(backup, s)
                indices(w, COUNT)[BUILT] = 0
            status = OK
            for _ in range(4 if care == 2 else 1):
                if status == OK:
                    status = advance(
                        settings, m, s, w, 0.25 * h if care == 2 else h, passes if care == 0 else max(passes, 2),
                        2.0 if care > 0 else 0.0, wind, contact,
                    )  # fmt: skip
            if status != BAD_STATE:
                break
        if status != OK:
            bad = first_bad_body(s)
            copy_state(backup, s)
            counter[BAD_BODY] = bad
            indices(w, COUNT)[BUILT] = 0
            return made, status
        counter[STEPS] += 1
        counter[REDONE] += redone
        counter[SUBSTEPS] += 4 if redone == 2 else 0
    return steps, OK
