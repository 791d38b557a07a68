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

from taut.cables.honeycomb.arrays import FINE, INVERSE, NOT_FINITE, PASSES, Arrays
from taut.cables.honeycomb.ends_motion import place_held
from taut.cables.honeycomb.forces import all_forces
from taut.cables.honeycomb.limiter import limit_strain
from taut.cables.honeycomb.touch import move_shapes
from taut.core.jit import kernel

Array = np.ndarray

VERLET, PREDICTOR_CORRECTOR, PAPER = 0, 1, 2
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
def verlet_step(a: Arrays, dt: float, after: float) -> int:
    """Velocity Verlet; `after` is the time of the new state in the whole step."""
    for i in range(a.pos.shape[0]):
        for k in range(3):
            half = a.vel[i, k] + 0.5 * dt * a.acc[i, k]
            a.pos[i, k] += dt * half
            a.vel[i, k] = half
            a.vel2[i, k] = half + 0.5 * dt * a.acc[i, k]
    place_held(after, a.node, a.arm, a.ends, a.pos, a.vel)
    place_held(after, a.node, a.arm, a.ends, a.pos, a.vel2)
    status = all_forces(a, a.pos, a.vel2, dt)
    accelerate(a, a.acc)
    for i in range(a.pos.shape[0]):
        if a.node[i, INVERSE] > 0.0:
            for k in range(3):
                a.vel[i, k] += 0.5 * dt * a.acc[i, k]
    return status


@kernel
def corrected_step(a: Arrays, dt: float, after: float, threshold: float) -> int:
    """Verlet predictor, trapezoid corrector with the force in it."""
    x, v, acc = a.old_pos, a.old_vel, a.acc
    x[:] = a.pos
    v[:] = a.vel
    for i in range(x.shape[0]):
        for k in range(3):
            a.pos[i, k] = x[i, k] + dt * v[i, k] + 0.5 * dt * dt * acc[i, k]
            a.vel[i, k] = v[i, k] + dt * acc[i, k]
    place_held(after, a.node, a.arm, a.ends, a.pos, a.vel)
    for _ in range(MOST_PASSES):
        status = all_forces(a, a.pos, a.vel, dt)
        if status != FINE:
            return status
        a.count[PASSES] += 1
        accelerate(a, a.vel2)
        change = 0.0
        for i in range(x.shape[0]):
            if a.node[i, INVERSE] == 0.0:
                continue
            for k in range(3):
                mean = 0.5 * (acc[i, k] + a.vel2[i, k])
                new = x[i, k] + dt * v[i, k] + 0.5 * dt * dt * mean
                change = max(change, abs(new - a.pos[i, k]))
                a.pos[i, k] = new
                a.vel[i, k] = v[i, k] + dt * mean
        if change < threshold:
            break
    acc[:] = a.vel2
    return FINE


@kernel
def printed_step(a: Arrays, dt: float, after: float, threshold: float) -> int:
    """The scheme as printed."""
    status = all_forces(a, a.pos, a.vel, dt)
    accelerate(a, a.acc)
    x, old, new = a.pos, a.old_pos, a.pos2
    for i in range(x.shape[0]):
        for k in range(3):
            new[i, k] = 2.0 * x[i, k] - old[i, k] + dt * dt * a.acc[i, k]
    for _ in range(MOST_PASSES):
        a.count[PASSES] += 1
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
    old[:] = x
    x[:] = new
    a.vel[:] = a.vel2
    place_held(after, a.node, a.arm, a.ends, a.pos, a.vel)
    return status


@kernel(entry=True)
def run_explicit(a: Arrays, scheme: int, steps: int, dt: float, threshold: float, most: float, sweeps: int) -> int:
    """So many substeps; most: largest strain, or zero. Returns FINE or what went wrong."""
    for n in range(steps):
        after = (n + 1) * dt
        move_shapes(a.shape, dt)
        if scheme == VERLET:
            status = verlet_step(a, dt, after)
        elif scheme == PREDICTOR_CORRECTOR:
            status = corrected_step(a, dt, after, threshold)
        else:
            status = printed_step(a, dt, after, threshold)
        if status != FINE:
            return status
        if most > 0.0:
            limit_strain(a.pos, a.vel, a.node, a.spring, a.law, most, sweeps, dt)
    for i in range(a.pos.shape[0]):
        if not math.isfinite(a.pos[i, 0] + a.pos[i, 1] + a.pos[i, 2] + a.vel[i, 0] + a.vel[i, 1] + a.vel[i, 2]):
            return NOT_FINITE
    return FINE


@kernel(entry=True)
def evaluate(a: Arrays, dt: float) -> int:
    """Forces and accelerations of the present state."""
    status = all_forces(a, a.pos, a.vel, dt)
    accelerate(a, a.acc)
    return status
