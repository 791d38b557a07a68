"""All honeycomb ropes of a scene through the four moments of a step: weave, knit, unknit, fasten."""

from __future__ import annotations

import math

from taut.cables.honeycomb.alone import clear_flow, energy_of, explicit_step, implicit_pieces
from taut.cables.honeycomb.arrays import (
    CHANGE,
    DRAG,
    FINE,
    GIVEN,
    LAYERS,
    LIMITED,
    NOT_CONVERGED,
    PULL,
    TOUCHES,
    WORK_OF_ENDS,
)
from taut.cables.honeycomb.carried import (
    FIELD,
    answer_ends,
    begin_step,
    commit,
    condense,
    put_into_bodies,
    work_of_known,
)
from taut.cables.honeycomb.columns import (
    A_COLUMN,
    A_FLOW,
    A_LAW,
    A_MODE,
    A_POS,
    A_PUSHES,
    A_SHAPE,
    A_SIZE,
    A_SYSTEM,
    A_WORK,
    IMPLICIT,
    K_BODY,
    K_CARRIES,
    K_PUSHES,
    K_SCHEME,
    K_SUBSTEPS,
    K_SWEEPS,
    O_BODY,
    U_LIMIT,
    U_SIDE,
    U_THRESHOLD,
    X_ELASTIC,
    X_END,
    X_KINETIC,
    X_LIMITED,
    X_LOST,
    X_PASSES,
    X_POTENTIAL,
    X_SUBSTEPS,
    X_SWEEPS,
    X_TOUCHES,
)
from taut.cables.honeycomb.limiter import limit_layers
from taut.cables.honeycomb.obstacles import move_shapes
from taut.cables.honeycomb.room import blow, place_ends, place_obstacles, room_of, speed_of_end
from taut.core.buffers import (
    column,
    column_part,
    index_table,
    index_table_part,
    indices,
    indices_part,
    table,
    table_part,
)
from taut.core.jit import kernel
from taut.core.model import (
    BODY_DYNAMIC,
    BODY_MASS,
    BODY_NEW,
    BODY_NODE,
    BODY_VEL,
    LATTICE_AT,
    LATTICE_BLOCK,
    LATTICE_COLUMN,
    LATTICE_FLOW,
    LATTICE_INT,
    LATTICE_LAW,
    LATTICE_MODE,
    LATTICE_NUMBER,
    LATTICE_OBSTACLE_INT,
    LATTICE_PAIR_BLOCK,
    LATTICE_PUSH,
    LATTICE_PUSHES,
    LATTICE_RULE,
    LATTICE_SIZE,
    LATTICE_SOLVE,
    LATTICE_SYSTEM,
    LATTICE_WORK,
    LEDGER,
    NODE_BLOCK,
    NODE_RHS,
    PAIR_BLOCK,
    WORK_KINEMATIC,
)  # fmt: skip

#: a pass changed positions by less than this share of the hexagon's side: the step has converged; by more than that it
#: cannot be trusted
SETTLED, TRUSTED = 1e-4, 2e-3
#: what went wrong with a rope, after the bodies: eight numbers for each
KINDS_OF_TROUBLE = 8


@kernel
def trouble(r, status, m):
    """One number for a rope and what went wrong with it, above those of the bodies."""
    return column(m, BODY_MASS).shape[0] + KINDS_OF_TROUBLE * r + status


@kernel
def matrices(r, m, w):
    """The block matrix, vectors, contact matrices and answers of rope r."""
    at = index_table(m, LATTICE_AT)[r]
    n = at[A_POS + 1]
    layers = indices_part(m, LATTICE_SIZE, at[A_SIZE], at[A_SIZE + 1])[LAYERS]
    size = 3 * n // layers
    whole = at[A_SYSTEM + 1]
    system = column_part(w, LATTICE_SYSTEM, at[A_SYSTEM], whole).reshape((layers if whole > 0 else 0, size, 2 * size))
    count = at[A_WORK + 1] // (3 * n)
    work = column_part(w, LATTICE_WORK, at[A_WORK], at[A_WORK + 1]).reshape((count, layers, size))
    pushes = table_part(w, LATTICE_PUSHES, at[A_PUSHES], at[A_PUSHES + 1]).reshape((at[A_PUSHES + 1], 3, 3))
    answers = column_part(w, LATTICE_COLUMN, at[A_COLUMN], at[A_COLUMN + 1]).reshape(
        (at[A_COLUMN + 1] // (3 * n), 3 * n)
    )
    return system, work, pushes, answers


@kernel
def weave(settings, m, s, w, h, extra, windy, explicit, implicit, carried):
    """Ropes whose ends move as told go through the step; those that carry bodies begin it. 0, or 1 + what went wrong.

    The last four arguments are None where no rope of the scene needs that code: it is not compiled.
    """
    numbers, rules, state = index_table(m, LATTICE_INT), table(m, LATTICE_RULE), table(s, LATTICE_NUMBER)
    pushed, node_of = table(w, LATTICE_PUSH), indices(m, BODY_NODE)
    for n in range(pushed.shape[0]):
        for k in range(6):
            pushed[n, k] = 0.0
    for r in range(numbers.shape[0]):
        a = room_of(r, m, s, w)
        at, number, rule, own = index_table(m, LATTICE_AT)[r], state[r], rules[r], numbers[r]
        system, work, pushes, _ = matrices(r, m, w)
        if windy is not None and a.field[DRAG] > 0.0:
            blow(m, s, a, r)
        place_ends(r, m, s, w, a)
        place_obstacles(r, m, s, w, a, False)
        clear_flow(a)
        for side in range(2):
            if own[K_BODY + side] >= 0:
                speed_of_end(r, side, m, s, w, a, False)
        number[X_PASSES] = 0.0
        status = FINE
        if own[K_CARRIES] == 1:
            if carried is not None:
                law = table_part(m, LATTICE_LAW, at[A_LAW], at[A_LAW + 1])
                status = begin_step(a, law, (settings.floor + extra) * h, h)
                number[X_SUBSTEPS] = 1.0
        elif own[K_SCHEME] == IMPLICIT:
            if implicit is not None:
                status = implicit_pieces(a, number, rule[U_SIDE], rule[U_LIMIT], own[K_SWEEPS], h, system, work, pushes)
        elif explicit is not None:
            modes = table_part(s, LATTICE_MODE, at[A_MODE], at[A_MODE + 1]).reshape((2, a.pos.shape[0], 3))
            status = explicit_step(
                a, number, modes, own[K_SCHEME], own[K_SUBSTEPS], rule[U_THRESHOLD], rule[U_LIMIT], own[K_SWEEPS],
                own[K_PUSHES] == 1, h, extra,
            )  # fmt: skip
        if status != FINE:
            return 1 + trouble(r, status, m)
        if own[K_CARRIES] == 1:
            continue
        bodies = index_table_part(m, LATTICE_OBSTACLE_INT, at[A_SHAPE], at[A_SHAPE + 1])
        for o in range(bodies.shape[0]):
            n = node_of[bodies[o, O_BODY]]
            if n >= 0:
                for k in range(6):
                    pushed[n, k] += a.shape[o, GIVEN + k]
    return 0


@kernel
def moves_of(own, m):
    """For both ends: 1 where the body that holds it is to be solved."""
    dynamic = indices(m, BODY_DYNAMIC)
    return (
        dynamic[own[K_BODY]] if own[K_BODY] >= 0 else 0,
        dynamic[own[K_BODY + 1]] if own[K_BODY + 1] >= 0 else 0,
    )


@kernel
def add_pushes(w):
    """Impulses of lattices on bodies that they touched, to the bodies' right sides."""
    rhs, pushed = table(w, NODE_RHS), table(w, LATTICE_PUSH)
    for n in range(pushed.shape[0]):
        for k in range(6):
            rhs[n, k] += pushed[n, k]


@kernel
def knit(m, s, w, h):
    """Lattices into bodies, linearised at the guess so far."""
    numbers, node_of = index_table(m, LATTICE_INT), indices(m, BODY_NODE)
    block, rhs, pair_block = table(w, NODE_BLOCK), table(w, NODE_RHS), table(w, PAIR_BLOCK)
    added, pair_added = table(w, LATTICE_BLOCK), table(w, LATTICE_PAIR_BLOCK)
    add_pushes(w)
    for n in range(added.shape[0]):
        for k in range(36):
            added[n, k] = 0.0
    for n in range(pair_added.shape[0]):
        for k in range(36):
            pair_added[n, k] = 0.0
    for r in range(numbers.shape[0]):
        own, number = numbers[r], table(s, LATTICE_NUMBER)[r]
        if own[K_CARRIES] == 0:
            continue
        a, out = room_of(r, m, s, w), table_part(w, LATTICE_SOLVE, 2 * r, 2)
        system, work, pushes, answers = matrices(r, m, w)
        first = number[X_PASSES] == 0.0
        place_obstacles(r, m, s, w, a, not first)
        move_shapes(a.shape, h)
        if condense(a, h, moves_of(own, m), system, work, pushes, answers, out) == 0:
            a.flow[WORK_OF_ENDS] = math.inf
            continue
        a.flow[WORK_OF_ENDS] = 0.0
        put_into_bodies(out, own, node_of, block, rhs, pair_block, added, pair_added)


@kernel
def unknit(m, s, w, h):
    """Lattices from the solution; 1 when another pass is needed. The largest change waits in `flow` for `fasten`."""
    numbers, again = index_table(m, LATTICE_INT), 0
    for r in range(numbers.shape[0]):
        own, number = numbers[r], table(s, LATTICE_NUMBER)[r]
        if own[K_CARRIES] == 0:
            continue
        a, out = room_of(r, m, s, w), table_part(w, LATTICE_SOLVE, 2 * r, 2)
        if a.flow[WORK_OF_ENDS] == math.inf:
            continue
        _, work, _, answers = matrices(r, m, w)
        for side in range(2):
            if own[K_BODY + side] >= 0:
                speed_of_end(r, side, m, s, w, a, True)
        change = answer_ends(a, h, moves_of(own, m), answers, out, number, work[FIELD].reshape((a.pos.shape[0], 3)))
        a.flow[WORK_OF_ENDS] = change
        number[X_PASSES] += 1.0
        before, side = a.flow[CHANGE], table(m, LATTICE_RULE)[r, U_SIDE]
        a.flow[CHANGE] = change
        # a pass that comes no nearer, of a step that can be trusted: further ones would lead away from it
        stays = number[X_PASSES] > 2.0 and change > before and change < TRUSTED * side
        if not (change < SETTLED * side or stays):
            again = 1
    return again


@kernel
def fasten(m, s, w, h):
    """Commit a step that can be trusted, with its energies; what is wrong with a rope, else -1."""
    numbers, rules, vel, new = (
        index_table(m, LATTICE_INT), table(m, LATTICE_RULE), table(s, BODY_VEL), table(w, BODY_NEW),
    )  # fmt: skip
    for r in range(numbers.shape[0]):
        if numbers[r, K_CARRIES] == 1:
            change = column_part(w, LATTICE_FLOW, index_table(m, LATTICE_AT)[r, A_FLOW], 1)[0]
            if not change < TRUSTED * rules[r, U_SIDE]:
                return trouble(r, NOT_CONVERGED, m)
    _take_back(w)
    for r in range(numbers.shape[0]):
        a, own, number, at = room_of(r, m, s, w), numbers[r], table(s, LATTICE_NUMBER)[r], index_table(m, LATTICE_AT)[r]
        law = table_part(m, LATTICE_LAW, at[A_LAW], at[A_LAW + 1])
        before = number[X_KINETIC] + number[X_ELASTIC] + number[X_POTENTIAL]
        moves, given = moves_of(own, m), 0.0
        bodies = index_table_part(m, LATTICE_OBSTACLE_INT, at[A_SHAPE], at[A_SHAPE + 1])
        for o in range(bodies.shape[0]):
            b = bodies[o, O_BODY]
            for k in range(6):
                given += 0.5 * a.shape[o, GIVEN + k] * (vel[b, k] + new[b, k])
        if own[K_CARRIES] == 1:
            _, work, _, _ = matrices(r, m, w)
            known = work_of_known(a, moves)
            commit(a, h)
            if rules[r, U_LIMIT] > 0.0:
                a.flow[LIMITED] = limit_layers(a, law, rules[r, U_LIMIT], own[K_SWEEPS], h)
            middle = work[FIELD].reshape((a.pos.shape[0], 3))
            for i in range(a.pos.shape[0]):
                for k in range(3):
                    middle[i, k] = a.pos[i, k] - 0.5 * h * a.vel[i, k]
            energy_of(a, law, middle, a.vel, number[X_KINETIC : X_KINETIC + 3], moves[0] == 1, moves[1] == 1)
            for side in range(2):
                b = own[K_BODY + side]
                if moves[side] == 1:
                    for k in range(6):
                        given += 0.5 * h * number[X_END + 6 * side + k] * (vel[b, k] + new[b, k])
        else:
            known = a.flow[WORK_OF_ENDS]
            energy_of(a, law, a.pos, a.vel, number[X_KINETIC : X_KINETIC + 3], False, False)
            for side in range(2):
                for k in range(3):
                    number[X_END + 6 * side + k] = -a.flow[PULL + 3 * side + k] / h
        number[X_TOUCHES] = a.tally[TOUCHES]
        number[X_SWEEPS] += a.flow[LIMITED]
        number[X_LIMITED] += 1.0 if a.flow[LIMITED] > 0.0 else 0.0
        after = number[X_KINETIC] + number[X_ELASTIC] + number[X_POTENTIAL]
        column(s, LEDGER)[WORK_KINEMATIC] += known
        # what damping, air, friction, the strain limit and the scheme took: the difference
        number[X_LOST] += before + known - given - after
    return -1


@kernel
def _take_back(w):
    """The bodies' own mass matrices again: the energy account asks what the geometric stiffness took."""
    block, pair_block, added, pair_added = (
        table(w, NODE_BLOCK), table(w, PAIR_BLOCK), table(w, LATTICE_BLOCK), table(w, LATTICE_PAIR_BLOCK),
    )  # fmt: skip
    for n in range(added.shape[0]):
        for k in range(36):
            block[n, k] -= added[n, k]
    for n in range(pair_added.shape[0]):
        for k in range(36):
            pair_block[n, k] -= pair_added[n, k]
