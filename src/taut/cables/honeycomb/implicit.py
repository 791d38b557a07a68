"""The implicit scheme: second-order backward differences (BDF2), each step solved by Newton's method.

With w = h/h_before and a0 = (1 + 2w)/(1 + w), a1 = 1 + w, a2 = w^2/(1 + w), H = h/a0:

    v = (x - x~)/H,   x~ = (a1 x_n - a2 x_(n-1))/a0        M (v - v~)/H = F(x, v),   v~ likewise from the velocities

w = 0 is backward Euler, which begins a run and follows an impact: the memory of two steps would otherwise let a rope that
has hit the ground rise again with half its speed. Full Newton steps are taken. A stiff spring that turns by an angle q in a
step is overstretched by q^2/2 and put right in the next; a search for less energy would forbid that.
"""

from __future__ import annotations

import math

import numpy as np

from taut.cables.honeycomb.arrays import (
    FINE,
    FROZEN,
    INVERSE,
    MASS,
    NEWTON,
    NOT_CONVERGED,
    PER_LAYER,
    TOUCHES,
    UNSETTLED,
    WEIGHT,
    Arrays,
)  # fmt: skip
from taut.cables.honeycomb.blocks import factorise, multiply, substitute
from taut.cables.honeycomb.ends_motion import place_held
from taut.cables.honeycomb.forces import all_forces, freeze_touches
from taut.cables.honeycomb.obstacles import move_shapes
from taut.cables.honeycomb.tables import clear, copy
from taut.cables.honeycomb.tangent import assemble
from taut.core.jit import kernel

Array = np.ndarray

#: most iterations; so many of them may fail to shrink to this share before steps are shortened, and so often
MOST_NEWTON, PATIENCE, SHRINK, MOST_SHORTER = 60, 3, 0.8, 6
#: a change this small, of the largest that is allowed, is close to the solution
CLOSE = 0.02
#: and this small it is taken after the last iteration, and counted
UNSEEN = 1e-3
#: conjugate gradients end when the residual has fallen to this share
LINEAR, MOST_LINEAR = 1e-8, 200


@kernel
def off_band(a: Arrays, pushes: Array, x: Array, out: Array) -> None:
    """out += (exact - enlarged) contact matrices times x, both of shape (N, 3)."""
    for t in range(a.tally[TOUCHES]):
        total, u, v, w = 0.0, 0.0, 0.0, 0.0
        for k in range(5):
            i, share = a.touch_node[t, k], a.touch[t, WEIGHT + k]
            total += abs(share)
            if a.node[i, INVERSE] > 0.0:
                u, v, w = u + share * x[i, 0], v + share * x[i, 1], w + share * x[i, 2]
        B = pushes[t]
        for k in range(5):
            i, share = a.touch_node[t, k], a.touch[t, WEIGHT + k]
            if share == 0.0 or a.node[i, INVERSE] == 0.0:
                continue
            big = abs(share) * total
            p, q, r = share * u - big * x[i, 0], share * v - big * x[i, 1], share * w - big * x[i, 2]
            for c in range(3):
                out[i, c] += B[c, 0] * p + B[c, 1] * q + B[c, 2] * r


@kernel
def solve(a: Arrays, system: Array, pushes: Array, right: Array, work: Array) -> bool:
    """right = A^-1 right: directly, or by conjugate gradients where the rope touches itself; False if A is indefinite."""
    layers, size = system.shape[0], system.shape[1]
    masses = a.pos.shape[0]
    if a.tally[FROZEN] == 0:
        substitute(system, right)
        return True
    x, r, z, p, q = work[0], work[1], work[2], work[3], work[4]
    clear(x)
    copy(right, r)
    copy(r, z)
    substitute(system, z)
    copy(z, p)
    rz = dot(r, z)
    start = rz
    for _ in range(MOST_LINEAR):
        if not rz > LINEAR * LINEAR * start:
            break
        multiply(system, p, q)
        off_band(a, pushes, p.reshape(masses, 3), q.reshape(masses, 3))
        curved = dot(p, q)
        if not curved > 0.0:
            return False
        alpha = rz / curved
        for n in range(layers):
            for k in range(size):
                x[n, k] += alpha * p[n, k]
                r[n, k] -= alpha * q[n, k]
        copy(r, z)
        substitute(system, z)
        new = dot(r, z)
        for n in range(layers):
            for k in range(size):
                p[n, k] = z[n, k] + new / rz * p[n, k]
        rz = new
    copy(x, right)
    return True


@kernel
def dot(x: Array, y: Array) -> float:
    """Sum of products."""
    total = 0.0
    for n in range(x.shape[0]):
        for k in range(x.shape[1]):
            total += x[n, k] * y[n, k]
    return total


@kernel
def residual(a: Arrays, H: float, base: Array, base_vel: Array, out: Array) -> int:
    """out = F(x, v) - M (v - v~)/H at a.pos, shape (N, 3); sets a.vel."""
    for i in range(a.pos.shape[0]):
        if a.node[i, INVERSE] > 0.0:
            for k in range(3):
                a.vel[i, k] = (a.pos[i, k] - base[i, k]) / H
    status = all_forces(a, a.pos, a.vel, 0.0)
    for i in range(a.pos.shape[0]):
        for k in range(3):
            inertia = a.node[i, MASS] * (a.vel[i, k] - base_vel[i, k]) / H
            out[i, k] = a.force[i, k] - inertia if a.node[i, INVERSE] > 0.0 else 0.0
    return status


@kernel
def newton(
    a: Arrays, H: float, base: Array, base_vel: Array, tolerance: float, far: float, system: Array, work: Array, pushes: Array
) -> int:  # fmt: skip
    """Solve for the new positions in a.pos, velocities in a.vel.

    After a few iterations that do not shrink, contacts or pressed springs are switching to and fro: then a step is
    shortened until the residual no longer points back along it.
    """
    masses = a.pos.shape[0]
    right, step = work[5], work[5].reshape(masses, 3)
    now, there = work[9].reshape(masses, 3), work[10].reshape(masses, 3)
    block = work[6, 0, :9].reshape(3, 3)
    soft, last, slow = 1.0, math.inf, 0
    for _ in range(MOST_NEWTON):
        status = residual(a, H, base, base_vel, now)
        if status != FINE:
            return status
        a.tally[NEWTON] += 1
        copy(now, step)
        # near the solution, a minimum, the true matrix is definite
        if last < CLOSE * far:
            soft = 1.0
        assemble(a, H, soft, system, block, pushes)
        while not (factorise(system) and solve(a, system, pushes, right, work)):
            # one pressed spring too many: with less of their softening
            if soft == 0.0:
                return NOT_CONVERGED
            soft = soft - 0.25
            copy(now, step)
            assemble(a, H, soft, system, block, pushes)
        change = 0.0
        for i in range(masses):
            for k in range(3):
                change = max(change, abs(step[i, k]))
        if not math.isfinite(change):
            return NOT_CONVERGED
        slow = slow + 1 if change > SHRINK * last else max(0, slow - 1)
        last = change
        copy(a.pos, there)
        ahead = dot(now, step)
        share = min(1.0, far / max(change, 1e-300))
        for _ in range(MOST_SHORTER):
            for i in range(masses):
                for k in range(3):
                    a.pos[i, k] = there[i, k] + share * step[i, k]
            if slow < PATIENCE or change < tolerance:
                break
            status = residual(a, H, base, base_vel, now)
            if status != FINE:
                return status
            back = dot(now, step)
            if back >= -0.5 * ahead:
                break
            share *= min(max(ahead / (ahead - back), 0.1), 0.7)
        if change < tolerance:
            return residual(a, H, base, base_vel, now)
    # friction may go on deciding between sticking and slipping of some mass, at a scale that nobody sees
    if last < UNSEEN * far:
        a.tally[UNSETTLED] += 1
        return residual(a, H, base, base_vel, now)
    return NOT_CONVERGED


@kernel
def implicit_step(
    a: Arrays, h: float, before: float, begin: float, tolerance: float, far: float, system: Array, work: Array, pushes: Array
) -> int:  # fmt: skip
    """One step of h from `begin` within the whole step; `before`: the last one, or zero for backward Euler [s].

    On success old_pos and old_vel hold the state at its beginning; on failure the state is as it was.
    """
    w = h / before if before > 0.0 else 0.0
    a0, a1, a2 = (1.0 + 2.0 * w) / (1.0 + w), 1.0 + w, w * w / (1.0 + w)
    base, base_vel = a.pos2, a.vel2
    start, start_vel = work[7].reshape(a.pos.shape[0], 3), work[8].reshape(a.pos.shape[0], 3)
    copy(a.pos, start)
    copy(a.vel, start_vel)
    for i in range(a.pos.shape[0]):
        for k in range(3):
            base[i, k] = (a1 * a.pos[i, k] - a2 * a.old_pos[i, k]) / a0
            base_vel[i, k] = (a1 * a.vel[i, k] - a2 * a.old_vel[i, k]) / a0
            a.pos[i, k] += h * a.vel[i, k]
    status = freeze_touches(a, start)
    place_held(begin + h, a.size[PER_LAYER], a.node, a.arm, a.ends, a.pos, a.vel)
    move_shapes(a.shape, h)
    if status == FINE:
        status = newton(a, h / a0, base, base_vel, tolerance, far, system, work, pushes)
    if status != FINE:
        copy(start, a.pos)
        copy(start_vel, a.vel)
        move_shapes(a.shape, -h)
        return status
    copy(start, a.old_pos)
    copy(start_vel, a.old_vel)
    return FINE


@kernel
def largest_jump(a: Arrays) -> float:
    """Largest change of velocity of a mass in contact in the last step [m/s]: a measure of impact."""
    most = 0.0
    for t in range(a.tally[TOUCHES]):
        for k in range(5):
            if a.touch[t, WEIGHT + k] != 0.0:
                i = a.touch_node[t, k]
                x, y, z = a.vel[i, 0] - a.old_vel[i, 0], a.vel[i, 1] - a.old_vel[i, 1], a.vel[i, 2] - a.old_vel[i, 2]
                most = max(most, math.sqrt(x * x + y * y + z * z))
    return most
