"""The equilibrium of one rod of a scene, in compiled code: the iteration of `newton.py` without contacts.

Its three parts (look, factor, step) are stages of their own, called by address: in one piece they take minutes to
compile. They work on the rows of one rod in the tables of all, and on scratch that the rods share.
"""

from __future__ import annotations

import math

from taut.cables.rod.arrays import (
    BENT,
    BORDER,
    EQUATIONS,
    FREE,
    LOST,
    MOVE,
    PAIRS,
    POS,
    ROWS,
    STEP,
    TURNED,
)
from taut.cables.rod.columns import (
    RI_FRAME,
    RI_FRAMES,
    RI_ROWS,
    RL_SCALES,
    TK_ADDED,
    TK_ENERGY,
    TK_FALL,
    TK_FOUND,
    TK_LARGEST,
    TK_MERIT,
    TK_PART,
    TK_SHIFT,
    TK_WEIGHT,
)
from taut.cables.rod.factor import factor
from taut.cables.rod.newton import (
    ENOUGH,
    FIRST_SHIFT,
    GROWTH,
    HALVINGS,
    LARGEST_TURN,
    NEUTRAL,
    SHIFTINGS,
    look,
    step,
)
from taut.cables.rod.turning import accept
from taut.core.buffers import column, index_table, indices, table
from taut.core.jit import kernel
from taut.core.model import (
    ROD_BLOCK,
    ROD_BODY,
    ROD_BORDER,
    ROD_CARRY,
    ROD_CHAIN_NEW,
    ROD_DENSE,
    ROD_DENSE_FREE,
    ROD_FORCE_NEW,
    ROD_FRAME_NEW,
    ROD_INT,
    ROD_LAW,
    ROD_ROW,
    ROD_TABLE_NEW,
    ROD_TALK,
    ROD_TALLY,
    ROD_TOUCH,
    ROD_TRIAL,
)
from taut.core.order import ROD_FACTOR, ROD_LOOK, ROD_STEP
from taut.core.stage import call_stage

#: residual that is asked for, and iterations in one go; a drag of a centimetre takes three
TOLERANCE, ITERATIONS = 1e-8, 25


@kernel
def look_at_rod(m, w, k):
    """Take a part of the step and assemble there: energy, residual and merit into rod_talk."""
    place, talk = index_table(m, ROD_INT)[k], column(w, ROD_TALK)
    first, last = place[RI_FRAME], place[RI_FRAME] + place[RI_FRAMES]
    talk[TK_ENERGY], talk[TK_FOUND], talk[TK_MERIT] = look(
        table(w, ROD_TABLE_NEW)[first:last], table(w, ROD_CHAIN_NEW)[k : k + 1], table(w, ROD_BODY),
        table(w, ROD_ROW)[3 * k : 3 * k + 3], table(w, ROD_FRAME_NEW)[first:last],
        column(w, ROD_FORCE_NEW)[3 * k : 3 * k + 3], table(w, ROD_BLOCK), indices(w, ROD_TALLY),
        table(m, ROD_LAW)[k, RL_SCALES : RL_SCALES + 6], talk[TK_PART], talk[TK_WEIGHT], table(w, ROD_TRIAL),
    )  # fmt: skip


@kernel
def factor_rod(m, w, k, free):
    """Eliminate the segments; returns the negative eigenvalues. `free`: with both ends as unknowns of the border."""
    place, law = index_table(m, ROD_INT)[k], table(m, ROD_LAW)[k, RL_SCALES : RL_SCALES + 6]
    first, last = place[RI_FRAME], place[RI_FRAME] + place[RI_FRAMES]
    dense = table(w, ROD_DENSE_FREE) if free else table(w, ROD_DENSE)
    return factor(
        table(w, ROD_TABLE_NEW)[first:last], table(w, ROD_CHAIN_NEW)[k : k + 1], table(w, ROD_BODY),
        table(w, ROD_ROW)[3 * k : 3 * k + 3], column(w, ROD_FORCE_NEW)[3 * k : 3 * k + 3], table(w, ROD_BLOCK),
        table(w, ROD_BORDER), dense, indices(w, ROD_TALLY), index_table(w, ROD_TOUCH), table(w, ROD_CARRY),
        column(w, ROD_TALK)[TK_SHIFT], law[2], law,
    )  # fmt: skip


@kernel
def step_rod(m, w, k):
    """Newton's step from the unknowns of the border."""
    place, talk = index_table(m, ROD_INT)[k], column(w, ROD_TALK)
    first, last = place[RI_FRAME], place[RI_FRAME] + place[RI_FRAMES]
    talk[TK_WEIGHT], talk[TK_ADDED], talk[TK_FALL], talk[TK_LARGEST], _ = step(
        table(w, ROD_TABLE_NEW)[first:last], table(w, ROD_CHAIN_NEW)[k : k + 1], table(w, ROD_BODY),
        table(w, ROD_ROW)[3 * k : 3 * k + 3], column(w, ROD_FORCE_NEW)[3 * k : 3 * k + 3], table(w, ROD_BLOCK),
        table(w, ROD_BORDER), table(w, ROD_DENSE), indices(w, ROD_TALLY), index_table(w, ROD_TOUCH), talk[TK_WEIGHT],
    )  # fmt: skip


@kernel
def place_bodies(w, rows, pose):
    """Both bodies in their poses, held; nothing moves yet."""
    body, tally = table(w, ROD_BODY), indices(w, ROD_TALLY)
    for e in range(2):
        for c in range(body.shape[1]):
            body[e, c] = 0.0
        for c in range(3):
            body[e, POS + c] = pose[7 * e + c]
        for c in range(4):
            body[e, TURNED + c] = pose[7 * e + 3 + c]
        body[e, BORDER] = -1.0
    tally[ROWS], tally[EQUATIONS], tally[BENT], tally[LOST], tally[PAIRS] = rows, rows, 0, 0, 0


@kernel
def free_bodies(w):
    """Both bodies as unknowns: what is left after the segments is the stiffness of the ends."""
    body = table(w, ROD_BODY)
    for e in range(2):
        body[e, BORDER] = 6.0 * e
        for c in range(6):
            body[e, FREE + c] = 1.0
            body[e, MOVE + c] = 0.0


@kernel
def equilibrium(context, m, w, k, pose, h):
    """Frames and multipliers of rod k for these poses of its bodies, from those that stand; 1 if it was found."""
    place, law, talk = index_table(m, ROD_INT)[k], table(m, ROD_LAW)[k], column(w, ROD_TALK)
    first, last, rows = place[RI_FRAME], place[RI_FRAME] + place[RI_FRAMES], place[RI_ROWS]
    block, quat, trial, body = (
        table(w, ROD_BLOCK),
        table(w, ROD_FRAME_NEW)[first:last],
        table(w, ROD_TRIAL),
        table(w, ROD_BODY),
    )
    force_scale, length, stiffness, softest = law[0], law[1], law[2], law[3]
    place_bodies(w, rows, pose)
    for i in range(last - first):
        for c in range(3):
            block[i, STEP + c] = 0.0
    talk[TK_PART], talk[TK_WEIGHT] = 1.0, force_scale / length
    before, fall, worst, shift, iterations, halvings = math.inf, 0.0, math.inf, 0.0, 0, 0
    while True:
        call_stage(ROD_LOOK, context, h, float(k))
        energy, found, after = talk[TK_ENERGY], talk[TK_FOUND], talk[TK_MERIT]
        slack = 1e-12 * (abs(energy) + force_scale * length)
        if not (after <= before + ENOUGH * talk[TK_PART] * fall + slack or found < 0.1 * worst):
            talk[TK_PART] *= 0.5
            halvings += 1
            if halvings > HALVINGS:
                return 0
            continue
        accept(quat, trial, body)
        worst = found
        if worst <= TOLERANCE:
            return 1
        if iterations >= ITERATIONS:
            return 0
        last_shift, shift, tries = shift, NEUTRAL * softest, 0
        while True:
            talk[TK_SHIFT] = shift
            inertia = call_stage(ROD_FACTOR, context, h, float(k))
            if inertia == rows or tries >= SHIFTINGS:
                break
            shift = max(0.2 * last_shift, FIRST_SHIFT * stiffness) if tries == 0 else GROWTH * shift
            tries += 1
        if inertia != rows:
            return 0
        iterations += 1
        call_stage(ROD_STEP, context, h, float(k))
        before, fall, largest = energy + talk[TK_ADDED], talk[TK_FALL], talk[TK_LARGEST]
        talk[TK_PART] = 1.0 if largest <= LARGEST_TURN else LARGEST_TURN / largest
        halvings = 0
