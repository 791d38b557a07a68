"""A rope that carries bodies: one implicit step, solved together with the bodies it hangs on and touches.

In the kinematics of the bodies, x+ = x + h v+, with the mean force of three positions, which is centred and unconditionally
stable, and springs damped by at least `floor` seconds (the solver's damping floor):

    M (v+ - v) = h [ (F(x-) + 2 F(x) + F(x+))/4 + D(x+, v+) + contacts and air at (x+, v+) + weight ]

Linearised at a guess, the free masses answer the motion of both ends by dx = y0 + sum_c y_c (V+ - V_guess)_c, and the
impulse on the body at an end is P0 - S (V+ - V_guess). S goes into the bodies' mass matrices, P0 + S V_guess to their right
side; after the solve dx is known, and the next pass starts from there. What a body gets is what the rope gives at every
linearisation: linear momentum is kept to round-off, converged or not. Angular momentum is kept as far as the step has
converged: what moment the mean force has is taken back (`balance.py`).
"""

from __future__ import annotations

import math

from taut.cables.honeycomb.arrays import (
    DAMP,
    FINE,
    FORM,
    GRAVITY,
    HELD_BY,
    INVERSE,
    LAYERS,
    MASS,
    MEAN,
    PER_LAYER,
    REST,
    SIDE,
    SPEED,
    STIFF,
)  # fmt: skip
from taut.cables.honeycomb.balance import balance
from taut.cables.honeycomb.blocks import factorise
from taut.cables.honeycomb.columns import (
    K_BODY,
    K_PAIR,
    X_END,
    Z_GUESS,
    Z_IMPULSE,
    Z_STIFF,
)
from taut.cables.honeycomb.ends_motion import place_held
from taut.cables.honeycomb.forces import freeze_touches
from taut.cables.honeycomb.implicit import residual, solve
from taut.cables.honeycomb.springs import spring_forces
from taut.cables.honeycomb.tables import clear, copy
from taut.cables.honeycomb.tangent import assemble, spring_block
from taut.cables.honeycomb.turning import turn_layers
from taut.core.jit import kernel

#: which of the rope's own vectors (work) hold what, beside those of the linear solve
RIGHT, BLOCK, NOW, FIELD = 5, 6, 9, 10
#: which of its columns is the answer to the residual; those before it answer the ends
OWN = 12


@kernel
def begin_step(a, law, floor, h):
    """Springs as this step takes them, the share of the old positions in its force, and a first guess.

    On return pos2 is x, vel2 the velocity that the old positions' forces lead to, acc these forces [N], old_vel is v.
    """
    for k in range(law.shape[0]):
        a.law[k, STIFF] = 0.25 * law[k, STIFF]
        a.law[k, DAMP] = max(law[k, DAMP], floor * law[k, STIFF])
        a.law[k, REST], a.law[k, SIDE], a.law[k, FORM] = law[k, REST], law[k, SIDE], law[k, FORM]
    a.field[MEAN] = h
    clear(a.vel2)
    clear(a.acc)
    clear(a.force)
    spring_forces(a.pos, a.vel2, a.spring, a.law, a.table, 0.0, a.force, 0, 1)
    spring_forces(a.old_pos, a.vel2, a.spring, a.law, a.table, 0.0, a.acc, 0, 1)
    for i in range(a.pos.shape[0]):
        for k in range(3):
            a.acc[i, k] += 2.0 * a.force[i, k]
            a.pos2[i, k], a.old_vel[i, k] = a.pos[i, k], a.vel[i, k]
            a.vel2[i, k] = a.vel[i, k] + h * a.acc[i, k] / a.node[i, MASS]
    status = freeze_touches(a, a.pos2)
    for i in range(a.pos.shape[0]):
        for k in range(3):
            a.pos[i, k] += h * a.vel[i, k]
    return status


@kernel
def follow_ends(a, h):
    """Held masses at the end of the step, with their mean velocities over it."""
    place_held(h, a.size[PER_LAYER], a.node, a.arm, a.ends, a.pos, a.vel)
    for i in range(a.pos.shape[0]):
        if a.node[i, INVERSE] == 0.0:
            for k in range(3):
                a.vel[i, k] = (a.pos[i, k] - a.pos2[i, k]) / h


@kernel
def at_held(a, h, soft, u, out, block):
    """out = K u over the springs that touch a held mass; complete for those masses, and for all where u is theirs alone."""
    clear(out)
    # in the first and in the last cell
    each, count = a.kind.shape[0], a.spring.shape[0]
    later = max((a.size[LAYERS] - 2) * each, each)
    for n in range(each + count - later):
        s = n if n < each else n - each + later
        i, j = a.spring[s, 0], a.spring[s, 1]
        if a.node[i, INVERSE] > 0.0 and a.node[j, INVERSE] > 0.0:
            continue
        spring_block(a, s, h, soft, block)
        x, y, z = u[j, 0] - u[i, 0], u[j, 1] - u[i, 1], u[j, 2] - u[i, 2]
        for k in range(3):
            f = block[k, 0] * x + block[k, 1] * y + block[k, 2] * z
            out[i, k] -= f
            out[j, k] += f


@kernel
def gather(a, side, f, factor, out):
    """out += factor J^T f over the masses held by an end: force, and moment about its body's centre of mass."""
    for i in range(a.node.shape[0]):
        if a.node[i, HELD_BY] == side:
            x, y, z = a.arm[i, 0], a.arm[i, 1], a.arm[i, 2]
            out[0] += factor * f[i, 0]
            out[1] += factor * f[i, 1]
            out[2] += factor * f[i, 2]
            out[3] += factor * (y * f[i, 2] - z * f[i, 1])
            out[4] += factor * (z * f[i, 0] - x * f[i, 2])
            out[5] += factor * (x * f[i, 1] - y * f[i, 0])


@kernel
def move_end(a, side, c, h, u):
    """u: the masses of an end displaced by h times unit velocity c of its body, all others at rest."""
    clear(u)
    for i in range(a.node.shape[0]):
        if a.node[i, HELD_BY] == side:
            x, y, z = a.arm[i, 0], a.arm[i, 1], a.arm[i, 2]
            if c < 3:
                u[i, c] = h
            elif c == 3:
                u[i, 1], u[i, 2] = -h * z, h * y
            elif c == 4:
                u[i, 0], u[i, 2] = h * z, -h * x
            else:
                u[i, 0], u[i, 1] = -h * y, h * x


@kernel
def condense(a, h, moves, system, work, pushes, columns, out):
    """Linearise at the guess: answers to both ends into `columns`, impulses and stiffness of the ends into `out`.

    moves[side]: 1 where the body of that end is to be solved. Returns 1, or 0 where the matrix is beyond repair.
    """
    masses = a.pos.shape[0]
    now, u = work[NOW].reshape(masses, 3), work[FIELD].reshape(masses, 3)
    right = work[RIGHT]
    step, block = right.reshape(masses, 3), work[BLOCK, 0, :9].reshape(3, 3)
    follow_ends(a, h)
    balance(a, h, now)
    if residual(a, h, a.pos2, a.vel2, now) != FINE:
        return 0
    soft = 1.0
    assemble(a, h, soft, system, block, pushes)
    while not factorise(system):
        if soft == 0.0:
            return 0
        soft -= 0.25
        assemble(a, h, soft, system, block, pushes)
    copy(now, step)
    if not solve(a, system, pushes, right, work):
        return 0
    own = columns[OWN].reshape(masses, 3)
    copy(step, own)
    # on the held masses: forces of now, of the old positions, inertia, and what the free masses' own answer changes
    copy(own, u)
    for i in range(masses):
        if a.node[i, INVERSE] == 0.0:
            u[i, 0], u[i, 1], u[i, 2] = 0.0, 0.0, 0.0
    at_held(a, h, soft, u, now, block)
    for i in range(masses):
        for k in range(3):
            inertia = a.node[i, MASS] * (a.vel[i, k] - a.old_vel[i, k]) / h
            now[i, k] = a.force[i, k] + a.acc[i, k] - inertia - now[i, k]
    for side in range(2):
        for k in range(Z_IMPULSE, Z_IMPULSE + 78):
            out[side, k] = 0.0
        for k in range(6):
            out[side, Z_GUESS + k] = a.ends[side, SPEED + k]
        gather(a, side, now, h, out[side, Z_IMPULSE : Z_IMPULSE + 6])
    wrench = work[BLOCK, 0, 9:15]
    for side in range(2):
        if moves[side] == 0:
            continue
        for c in range(6):
            move_end(a, side, c, h, u)
            at_held(a, h, soft, u, now, block)
            for i in range(masses):
                for k in range(3):
                    step[i, k] = -now[i, k] if a.node[i, INVERSE] > 0.0 else 0.0
            solve(a, system, pushes, right, work)
            answer = columns[6 * side + c].reshape(masses, 3)
            for i in range(masses):
                for k in range(3):
                    if a.node[i, INVERSE] > 0.0:
                        u[i, k] = step[i, k]
                    answer[i, k] = step[i, k] if a.node[i, INVERSE] > 0.0 else 0.0
            at_held(a, h, soft, u, now, block)
            for i in range(masses):
                if a.node[i, HELD_BY] == side:
                    for k in range(3):
                        now[i, k] += a.node[i, MASS] / (h * h) * u[i, k]
            for other in range(2):
                if moves[other] == 0:
                    continue
                for k in range(6):
                    wrench[k] = 0.0
                gather(a, other, now, h, wrench)
                for k in range(6):
                    out[other, Z_STIFF + 12 * k + 6 * side + c] = wrench[k]
    return 1


@kernel
def put_into_bodies(out, numbers, node_of, block, rhs, pair_block, added, pair_added):
    """Stiffness and impulses of both ends into the blocks and right sides of their bodies; kept in `added` too."""
    nodes = (
        node_of[numbers[K_BODY]] if numbers[K_BODY] >= 0 else -1,
        node_of[numbers[K_BODY + 1]] if numbers[K_BODY + 1] >= 0 else -1,
    )
    for a in range(2):
        n = nodes[a]
        if n < 0:
            continue
        for i in range(6):
            total = out[a, Z_IMPULSE + i]
            for b in range(2):
                if nodes[b] < 0:
                    continue
                for j in range(6):
                    S = out[a, Z_STIFF + 12 * i + 6 * b + j]
                    total += S * out[b, Z_GUESS + j]
                    if nodes[b] == n and j <= i:
                        # a rope with both ends on one body adds all four
                        S = 0.5 * (S + out[b, Z_STIFF + 12 * j + 6 * a + i])
                        block[n, 6 * i + j] += S
                        added[n, 6 * i + j] += S
                    elif nodes[b] != n and a == 0:
                        S = 0.5 * (S + out[b, Z_STIFF + 12 * j + 6 * a + i])
                        pair_block[numbers[K_PAIR], 6 * i + j] += S
                        pair_added[numbers[K_PAIR], 6 * i + j] += S
            rhs[n, i] += total


@kernel
def answer_ends(a, h, moves, columns, out, number, step):
    """The free masses from the solution: both ends move as a.ends says. Returns the largest change of a position [m].

    `step` is scratch, shape (N, 3).
    """
    masses, change = a.pos.shape[0], 0.0
    own = columns[OWN].reshape(masses, 3)
    for i in range(masses):
        for k in range(3):
            step[i, k] = 0.0
            if a.node[i, INVERSE] == 0.0:
                continue
            d = own[i, k]
            for side in range(2):
                if moves[side] == 1:
                    for c in range(6):
                        d += columns[6 * side + c, 3 * i + k] * (a.ends[side, SPEED + c] - out[side, Z_GUESS + c])
            step[i, k] = d
            change = max(change, abs(d)) if math.isfinite(d) else math.inf
    turn_layers(a, step)
    # velocities of held masses as they were linearised, so that what they carry off is what their body was charged with
    for i in range(masses):
        side = int(a.node[i, HELD_BY])
        if side >= 0 and moves[side] == 1:
            x, y, z = a.arm[i, 0], a.arm[i, 1], a.arm[i, 2]
            u = a.ends[side, SPEED + 3] - out[side, Z_GUESS + 3]
            v = a.ends[side, SPEED + 4] - out[side, Z_GUESS + 4]
            w = a.ends[side, SPEED + 5] - out[side, Z_GUESS + 5]
            a.vel[i, 0] += a.ends[side, SPEED] - out[side, Z_GUESS] + v * z - w * y
            a.vel[i, 1] += a.ends[side, SPEED + 1] - out[side, Z_GUESS + 1] + w * x - u * z
            a.vel[i, 2] += a.ends[side, SPEED + 2] - out[side, Z_GUESS + 2] + u * y - v * x
    place_held(h, a.size[PER_LAYER], a.node, a.arm, a.ends, a.pos, a.vel2)
    for side in range(2):
        for i in range(6):
            P = out[side, Z_IMPULSE + i]
            for other in range(2):
                if moves[other] == 1:
                    for j in range(6):
                        dv = a.ends[other, SPEED + j] - out[other, Z_GUESS + j]
                        P -= out[side, Z_STIFF + 12 * i + 6 * other + j] * dv
            number[X_END + 6 * side + i] = P / h
    return change


@kernel
def commit(a, h):
    """Velocities of the step, and what the next one remembers."""
    for i in range(a.pos.shape[0]):
        for k in range(3):
            if a.node[i, INVERSE] > 0.0:
                a.vel[i, k] = (a.pos[i, k] - a.pos2[i, k]) / h
            a.old_pos[i, k] = a.pos2[i, k]


@kernel
def work_of_known(a, moves):
    """Work on the rope by ends that move as told, with the forces of the last linearisation [J]."""
    total = 0.0
    for i in range(a.node.shape[0]):
        side = int(a.node[i, HELD_BY])
        if side >= 0 and moves[side] == 0:
            for k in range(3):
                f = a.force[i, k] + a.acc[i, k] - a.node[i, MASS] * a.field[GRAVITY + k]
                total -= f * (a.pos[i, k] - a.pos2[i, k])
    return total
