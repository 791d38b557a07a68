"""A rope whose ends move as told: a whole step of the scene in its own substeps, with what it does to bodies it touches."""

from __future__ import annotations

import math

from taut.cables.honeycomb.arrays import (
    FINE,
    GIVEN,
    GRAVITY,
    HELD_BY,
    LIMITED,
    MASS,
    NOT_CONVERGED,
    NOT_FINITE,
    REST,
    TOUCHES,
    UNSTABLE,
)  # fmt: skip
from taut.cables.honeycomb.columns import X_BEFORE, X_FRESH, X_REDONE, X_STABLE, X_SUBSTEPS, X_TOUCHES
from taut.cables.honeycomb.explicit import EVALUATE, PAPER, note_ends, run_explicit
from taut.cables.honeycomb.frequency import stable_step
from taut.cables.honeycomb.implicit import implicit_step, largest_jump
from taut.cables.honeycomb.limiter import limit_strain
from taut.cables.honeycomb.springs import stored
from taut.core.jit import kernel

#: as in taut.cables.honeycomb.stepping
SAFETY, AGAIN, RUNAWAY, PIECES, TOLERANCE, FAR, IMPACT = 0.8, 5, 5.0, 64, 1e-7, 2.0, 3.0


@kernel
def runs_away(a):
    """Whether a spring is strained beyond all reason."""
    for k in range(a.spring.shape[0]):
        p, q = a.pos[a.spring[k, 0]], a.pos[a.spring[k, 1]]
        l = math.sqrt((p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2 + (p[2] - q[2]) ** 2)
        if not abs(l / a.law[k, REST] - 1.0) < RUNAWAY:
            return True
    return False


@kernel
def explicit_step(a, number, modes, scheme, asked, threshold, most, sweeps, pushes, h, extra):
    """A step of h in stable substeps, twice as many where the step is redone. Returns FINE or what went wrong."""
    number[X_STABLE] = stable_step(a, modes, AGAIN)
    count = asked if asked > 0 else max(1, math.ceil(h / (SAFETY * number[X_STABLE])))
    if extra > 0.0:
        count *= 2
    dt = h / count
    number[X_SUBSTEPS] = count
    if dt > number[X_STABLE]:
        return UNSTABLE
    # what the rope does to bodies belongs to the forces, and is not remembered
    if number[X_FRESH] == 0.0 or pushes:
        status = run_explicit(a, EVALUATE, 1, 0.0, dt, 0.0, 0.0, 0)
        if status != FINE:
            return status
    if scheme == PAPER and number[X_BEFORE] != dt:
        # its memory is a position one step ago
        for i in range(a.pos.shape[0]):
            for k in range(3):
                a.old_pos[i, k] = a.pos[i, k] - dt * a.vel[i, k]
    status = run_explicit(a, scheme, count, 0.0, dt, threshold, most, sweeps)
    if status != FINE:
        return status
    number[X_FRESH], number[X_BEFORE] = 1.0 if most == 0.0 else 0.0, dt
    return NOT_FINITE if runs_away(a) else FINE


@kernel
def implicit_pieces(a, number, side, most, sweeps, h, system, work, pushes):
    """A step of h by BDF2, in pieces where Newton's method does not converge. Returns FINE or what went wrong."""
    done, piece, count = 0.0, h, 0.0
    gravity = math.sqrt(a.field[GRAVITY] ** 2 + a.field[GRAVITY + 1] ** 2 + a.field[GRAVITY + 2] ** 2)
    while done < h * (1.0 - 1e-9):
        part = min(piece, h - done)
        status = implicit_step(
            a, part, number[X_BEFORE], done, TOLERANCE * side, FAR * side, system, work, pushes
        )  # fmt: skip
        if status == NOT_CONVERGED or status == NOT_FINITE:
            number[X_REDONE] += 1.0
            number[X_BEFORE] = 0.0
            piece = 0.5 * part
            if piece < h / PIECES:
                return NOT_CONVERGED
            continue
        if status != FINE:
            return status
        note_ends(a, part)
        if most > 0.0:
            a.flow[LIMITED] += limit_strain(a.pos, a.vel, a.node, a.spring, a.law, most, sweeps, part)
        number[X_BEFORE] = 0.0 if largest_jump(a) > IMPACT * gravity * part else part
        done += part
        count += 1.0
    number[X_SUBSTEPS] = count
    number[X_TOUCHES] = a.tally[TOUCHES]
    return FINE


@kernel
def energy_of(a, law, pos, vel, out, with_start, with_end):
    """Kinetic, elastic and potential energy at these positions and velocities [J], into `out`.

    Masses that follow an end which moves as told belong to what moves it.
    """
    kinetic, potential, elastic = 0.0, 0.0, 0.0
    for i in range(pos.shape[0]):
        if (a.node[i, HELD_BY] == 0.0 and not with_start) or (a.node[i, HELD_BY] == 1.0 and not with_end):
            continue
        mass = a.node[i, MASS]
        for k in range(3):
            kinetic += 0.5 * mass * vel[i, k] * vel[i, k]
            potential -= mass * a.field[GRAVITY + k] * pos[i, k]
    for k in range(a.spring.shape[0]):
        p, q = pos[a.spring[k, 0]], pos[a.spring[k, 1]]
        l = math.sqrt((p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2 + (p[2] - q[2]) ** 2)
        elastic += stored(law, k, a.table, l)
    out[0], out[1], out[2] = kinetic, elastic, potential


@kernel
def clear_flow(a):
    """Nothing has gone through the ends yet, nor into obstacles."""
    for k in range(a.flow.shape[0]):
        a.flow[k] = 0.0
    for o in range(a.shape.shape[0]):
        for k in range(6):
            a.shape[o, GIVEN + k] = 0.0
