"""Explicit schemes, many substeps in one call.

verlet               v' = v + dt/2 a;  x+ = x + dt v';  v+ = v' + dt/2 a+       a+ at (x+, v + dt a): second order with damping too
predictor_corrector  x+ = x + dt v + dt^2/2 a, v+ = v + dt a; then, with a+ evaluated anew in every pass,
                     x+ = x + dt v + dt^2/4 (a + a+),  v+ = v + dt/2 (a + a+)   until x+ changes by less than epsilon
paper                x0 = 2 x - x_old + dt^2 a; then v_(j+1) = (x_j - x)/dt, x_(j+1) = x + dt/2 (v + v_(j+1))

The paper's corrector holds no force. It halves the distance to x + dt v in every pass, so that converging removes the
force: after J passes masses accelerate by 2/(2^J + 1) of what acts on them. It is here to show that.
"""

from __future__ import annotations

import math

import numpy as np

from taut.cables.honeycomb.arrays import (
    FINE,
    GRAVITY,
    HELD_BY,
    INVERSE,
    LIMITED,
    MASS,
    NOT_FINITE,
    PASSES,
    PER_LAYER,
    PULL,
    WORK_OF_ENDS,
    Arrays,
)
from taut.cables.honeycomb.ends_motion import place_held
from taut.cables.honeycomb.forces import all_forces
from taut.cables.honeycomb.limiter import limit_strain
from taut.cables.honeycomb.obstacles import move_shapes, push_shapes
from taut.cables.honeycomb.ordered import pack_constants
from taut.cables.honeycomb.tables import copy
from taut.core.jit import kernel

Array = np.ndarray

EVALUATE, VERLET, PREDICTOR_CORRECTOR, PAPER = -1, 0, 1, 2
#: most passes of a corrector: one that has not settled by then is above its stability limit
MOST_PASSES = 60


@kernel
def accelerate(a: Arrays, acc: Array) -> None:
    """acc = force / mass; held masses have none of their own."""
    for i in range(a.node.shape[0]):
        inverse = a.node[i, INVERSE]
        for k in range(3):
            acc[i, k] = a.force[i, k] * inverse


@kernel
def begin_verlet(pos: Array, vel: Array, acc: Array, ahead: Array, dt: float) -> None:
    """The first half of the kick, the motion, and velocities at its end; over all coordinates as they lie in memory."""
    for n in range(pos.shape[0]):
        half = vel[n] + 0.5 * dt * acc[n]
        pos[n] += dt * half
        vel[n] = half
        ahead[n] = half + 0.5 * dt * acc[n]


@kernel
def begin(a: Arrays, scheme: int, dt: float) -> None:
    """What a scheme does before it asks for forces; vel2 receives the velocities that they are evaluated at."""
    if scheme == VERLET:
        size = a.pos.size
        begin_verlet(a.pos.reshape(size), a.vel.reshape(size), a.acc.reshape(size), a.vel2.reshape(size), dt)
        return
    if scheme == PREDICTOR_CORRECTOR:
        copy(a.pos, a.old_pos)
        copy(a.vel, a.old_vel)
    for i in range(a.pos.shape[0]):
        for k in range(3):
            v, acc = a.vel[i, k], a.acc[i, k]
            if scheme == PREDICTOR_CORRECTOR:
                a.pos[i, k] += dt * v + 0.5 * dt * dt * acc
                a.vel2[i, k] = v + dt * acc
            else:
                a.vel2[i, k] = v


@kernel
def finish_verlet(a: Arrays, dt: float) -> None:
    """The second half of the kick."""
    node, force, acc, vel, half = a.node, a.force, a.acc, a.vel, 0.5 * dt
    for i in range(node.shape[0]):
        inverse = node[i, INVERSE]
        x, y, z = force[i, 0] * inverse, force[i, 1] * inverse, force[i, 2] * inverse
        acc[i, 0], acc[i, 1], acc[i, 2] = x, y, z
        u, v, w = vel[i, 0] + half * x, vel[i, 1] + half * y, vel[i, 2] + half * z
        vel[i, 0], vel[i, 1], vel[i, 2] = u, v, w


@kernel
def correct(a: Arrays, dt: float, threshold: float) -> bool:
    """One pass of the trapezoid corrector with the force in it; True when it has settled."""
    a.tally[PASSES] += 1
    accelerate(a, a.pos2)
    x, v = a.old_pos, a.old_vel
    change = 0.0
    for i in range(x.shape[0]):
        if a.node[i, INVERSE] == 0.0:
            continue
        for k in range(3):
            mean = 0.5 * (a.acc[i, k] + a.pos2[i, k])
            new = x[i, k] + dt * v[i, k] + 0.5 * dt * dt * mean
            change = max(change, abs(new - a.pos[i, k]))
            a.pos[i, k] = new
            a.vel2[i, k] = v[i, k] + dt * mean
    if change < threshold:
        copy(a.pos2, a.acc)
        copy(a.vel2, a.vel)
        return True
    return False


@kernel
def finish_printed(a: Arrays, dt: float, threshold: float) -> None:
    """The scheme as printed: predictor, and a corrector without a force."""
    accelerate(a, a.acc)
    x, old, new = a.pos, a.old_pos, a.pos2
    for i in range(x.shape[0]):
        for k in range(3):
            new[i, k] = 2.0 * x[i, k] - old[i, k] + dt * dt * a.acc[i, k]
    for _ in range(MOST_PASSES):
        a.tally[PASSES] += 1
        change = 0.0
        for i in range(x.shape[0]):
            for k in range(3):
                v = (new[i, k] - x[i, k]) / dt
                corrected = x[i, k] + 0.5 * dt * (a.vel[i, k] + v)
                change = max(change, abs(corrected - new[i, k]))
                new[i, k] = corrected
                a.vel2[i, k] = v
        if change < threshold:
            break
    copy(x, old)
    copy(new, x)
    copy(a.vel2, a.vel)


@kernel
def finish(a: Arrays, scheme: int, dt: float, threshold: float) -> bool:
    """What a scheme does with the forces; False asks for them once more."""
    if scheme == VERLET:
        finish_verlet(a, dt)
    elif scheme == PREDICTOR_CORRECTOR:
        return correct(a, dt, threshold)
    elif scheme == PAPER:
        finish_printed(a, dt, threshold)
    else:
        accelerate(a, a.acc)
    return True


@kernel
def note_ends(a: Arrays, dt: float) -> None:
    """Work and impulse of what holds the ends over dt, with the forces and velocities of now."""
    per = a.size[PER_LAYER]
    for k in range(2 * per):
        i = k if k < per else a.pos.shape[0] - 2 * per + k
        side = int(a.node[i, HELD_BY])
        if side < 0:
            continue
        for c in range(3):
            f = a.force[i, c]
            a.flow[PULL + 3 * side + c] -= dt * f
            a.flow[WORK_OF_ENDS] -= dt * (f - a.node[i, MASS] * a.field[GRAVITY + c]) * a.vel[i, c]


@kernel
def run_explicit(
    a: Arrays, scheme: int, steps: int, begin_at: float, dt: float, threshold: float, most: float, sweeps: int
) -> int:
    """So many substeps from `begin_at` within the whole step; most: largest strain, or zero. Returns FINE or what went wrong.

    One place asks for forces, whatever the scheme: the code of all forces is compiled into it once.
    """
    pack_constants(a)
    for n in range(steps):
        after = begin_at + (n + 1) * dt if scheme != EVALUATE else 0.0
        if scheme != EVALUATE:
            push_shapes(a.shape, 0.5 * dt)
            move_shapes(a.shape, dt)
        begin(a, scheme, dt)
        if scheme != PAPER:
            place_held(after, a.size[PER_LAYER], a.node, a.arm, a.ends, a.pos, a.vel2)
        settled = False
        for _ in range(MOST_PASSES):
            status = all_forces(a, a.pos, a.vel2, dt)
            if status != FINE:
                return status
            settled = finish(a, scheme, dt, threshold)
            if settled:
                break
        if not settled:
            return NOT_FINITE
        if scheme != EVALUATE:
            push_shapes(a.shape, 0.5 * dt)
            place_held(after, a.size[PER_LAYER], a.node, a.arm, a.ends, a.pos, a.vel)
            note_ends(a, dt)
        if most > 0.0 and scheme != EVALUATE:
            a.flow[LIMITED] += limit_strain(a.pos, a.vel, a.node, a.spring, a.law, most, sweeps, dt)
    for i in range(a.pos.shape[0]):
        if not math.isfinite(a.pos[i, 0] + a.pos[i, 1] + a.pos[i, 2] + a.vel[i, 0] + a.vel[i, 1] + a.vel[i, 2]):
            return NOT_FINITE
    return FINE


def evaluate(a: Arrays, dt: float) -> int:
    """Forces and accelerations of the present state."""
    return int(run_explicit(a, EVALUATE, 1, 0.0, dt, 0.0, 0.0, 0))
