"""The coupled system of one step: its graph and plan, loading its blocks, and the linear solve.

Unknowns are the new velocities and the negated multipliers:

    [ M  G^T   ] [  v+  ]   [ M v + h f ]
    [ G -Sigma ] [ -lam ] = [ b         ]

A row at a bound leaves the system without changing its structure: its Jacobian is not loaded, its diagonal is -1, and
its known multiplier acts on the right side of the bodies.
"""

from __future__ import annotations

import math

from taut.contact.shapes import CAPSULE
from taut.core.buffers import column, index_table, indices, table
from taut.core.codes import FREE
from taut.core.factor import back_substitute, factorise, solve
from taut.core.jit import kernel
from taut.core.model import (
    B_APART,
    B_AT,
    B_BODY,
    B_SLOT,
    BLOCK_INT,
    BODY_NEW,
    BODY_NODE,
    BOUNDED,
    COLUMNS,
    COUNT,
    COUNTER,
    FILLED,
    FOUND_A,
    FOUND_B,
    FOUND_SHAPE_A,
    FOUND_SHAPE_B,
    G_BLOCK,
    G_DIM,
    G_SOFT,
    G_START,
    G_TENSE,
    GRAPH_LINK,
    GRAPH_NODE,
    GRAPH_SIZE,
    GROUP_INT,
    GROUPS,
    INV,
    JAC,
    JOINT_GROUPS,
    JOINT_INT,
    NEARBY,
    NODE_BLOCK,
    NODE_BODY,
    NODE_RHS,
    PAIR_BLOCK,
    PAIR_INT,
    PAIR_NODE,
    PEAK,
    PLAN_NB,
    PLAN_NODE,
    PLAN_SIZE,
    PLAN_UP,
    R_COUPLE,
    R_FLOOR,
    R_HELD,
    R_KNOWN,
    R_RATE_NEW,
    R_RHS,
    R_SIGMA,
    R_TENSION,
    ROCK,
    ROCK_INT,
    ROW,
    ROW_BOUND,
    ROW_LAM,
    SHAPE_TYPE,
    SLOTS,
    STEPS,
    T_CHANGE,
    T_FLOOR,
    T_LARGEST,
    T_RELATIVE,
    T_SPEED,
    TALLY,
    X,
)
from taut.core.plan import (
    BODY,
    N_HEAP,
    N_SUPPORT,
    NODES,
    P_DIAG,
    P_ORDER,
    P_POSITION,
    P_UNKNOWN,
    PLAN_EDGES_FULL,
    PLAN_OK,
    RIGID_ROW,
    SLOT_FLOATS,
    SOFT_ROW,
    Graph,
    Plan,
    add_edge,
    add_node,
    clear_graph,
    order_nodes,
    place_blocks,
    slot_between,
)

#: nodes of the plan that are loaded and eliminated at a time, where each has its neighbours among the next so many
PIECE = 16
#: nodes that are loaded before all others at most: those that hang on both ends of a long chain
MOST_EARLY = 32
#: with more groups than this, one in so many is checked in each step
MANY_GROUPS, SAMPLED = 64, 16


@kernel
def graph_of(w):
    """The graph in the scratch of the step."""
    return Graph(index_table(w, GRAPH_NODE), index_table(w, GRAPH_LINK), indices(w, GRAPH_SIZE))


@kernel
def plan_of(w):
    """The plan in the scratch of the step."""
    return Plan(index_table(w, PLAN_NODE), index_table(w, PLAN_NB), index_table(w, PLAN_UP), indices(w, PLAN_SIZE))


@kernel
def _rocking_nodes(m, w, c):
    """Nodes of the bodies of a contact that may rock on each other (taut.step.rocking), else -1."""
    kind, node_of = indices(m, SHAPE_TYPE), indices(m, BODY_NODE)
    if kind[indices(w, FOUND_SHAPE_A)[c]] != CAPSULE or kind[indices(w, FOUND_SHAPE_B)[c]] != CAPSULE:
        return -1, -1
    a, b = node_of[indices(w, FOUND_A)[c]], node_of[indices(w, FOUND_B)[c]]
    return (a, b) if a >= 0 and b >= 0 else (-1, -1)


@kernel
def build_plan(m, w):
    """Graph of the present bodies and rows, elimination order, and the place of every block."""
    g, plan = graph_of(w), plan_of(w)
    node_of, pair_node, pair = indices(m, BODY_NODE), index_table(m, PAIR_NODE), index_table(w, PAIR_INT)
    group, block, rock = index_table(w, GROUP_INT), index_table(w, BLOCK_INT), index_table(w, ROCK_INT)
    nodes, groups = indices(m, NODE_BODY).shape[0], indices(w, COUNT)[GROUPS]
    clear_graph(g)
    for _ in range(nodes):
        add_node(g, 6, BODY)
    for k in range(groups):
        node = add_node(g, group[k, G_DIM], SOFT_ROW if group[k, G_SOFT] == 1 else RIGID_ROW)
        for e in range(group[k, G_BLOCK], group[k + 1, G_BLOCK]):
            other = node_of[block[e, B_BODY]]
            if other >= 0 and not add_edge(g, node, other):
                return PLAN_EDGES_FULL
    for k in range(pair_node.shape[0]):
        if not add_edge(g, pair_node[k, 0], pair_node[k, 1]):
            return PLAN_EDGES_FULL
    for c in range(groups - indices(w, COUNT)[JOINT_GROUPS]):
        a, b = _rocking_nodes(m, w, c)
        if a >= 0 and not add_edge(g, a, b):
            return PLAN_EDGES_FULL
    status = order_nodes(g, plan)
    if status == PLAN_OK:
        status = place_blocks(g, plan, column(w, SLOTS).shape[0])
    if status != PLAN_OK:
        return status
    # blocks of bodies and rows and where they meet; what lies beyond is fill-in, or where bodies meet
    own = 36 * nodes
    for k in range(groups):
        dim = group[k, G_DIM]
        own += dim * dim
        for e in range(group[k, G_BLOCK], group[k + 1, G_BLOCK]):
            if node_of[block[e, B_BODY]] >= 0:
                own += 6 * dim
    indices(w, COUNT)[FILLED] = 0 if own == plan.size[SLOT_FLOATS] else 1
    for k in range(groups):
        for e in range(group[k, G_BLOCK], group[k + 1, G_BLOCK]):
            other = node_of[block[e, B_BODY]]
            block[e, B_SLOT] = -1
            if other >= 0:
                slot, apart, first = slot_between(plan, other, nodes + k)
                block[e, B_SLOT], block[e, B_APART] = slot, apart if first else -apart
    for k in range(pair_node.shape[0]):
        slot, apart, first = slot_between(plan, pair_node[k, 0], pair_node[k, 1])
        pair[k, 0], pair[k, 1] = slot, apart if first else -apart
    for c in range(groups - indices(w, COUNT)[JOINT_GROUPS]):
        a, b = _rocking_nodes(m, w, c)
        rock[c, 0] = -1
        if a >= 0:
            slot, apart, first = slot_between(plan, a, b)
            rock[c, 0], rock[c, 1] = slot, apart if first else -apart
    # without fill-in the graph's own edges are all there are
    near = own == plan.size[SLOT_FLOATS] and pair_node.shape[0] == 0
    indices(w, COUNT)[NEARBY] = _note_early(m, w) if near else 0
    return PLAN_OK


@kernel
def _note_early(m, w):
    """Note nodes with a neighbour far off in the order, which are loaded before all others; one more than their number, or
    zero for too many."""
    node, plan, node_of = index_table(w, GRAPH_NODE), index_table(w, PLAN_NODE), indices(m, BODY_NODE)
    group, block, nodes = index_table(w, GROUP_INT), index_table(w, BLOCK_INT), indices(m, NODE_BODY).shape[0]
    groups, early = indices(w, COUNT)[GROUPS], 0
    for k in range(nodes + groups):
        node[k, N_SUPPORT] = 0
    for k in range(groups):
        for e in range(group[k, G_BLOCK], group[k + 1, G_BLOCK]):
            other = node_of[block[e, B_BODY]]
            if other < 0 or abs(plan[nodes + k, P_POSITION] - plan[other, P_POSITION]) <= PIECE:
                continue
            for i in (other, nodes + k):
                if node[i, N_SUPPORT] == 0:
                    if early == MOST_EARLY:
                        return 0
                    node[i, N_SUPPORT] = 1
                    node[early, N_HEAP] = i
                    early += 1
    return 1 + early


@kernel
def _load_rocking(w, contacts):
    """Stiffness against rocking between two bodies, into the turns of both."""
    slots, rock, place = column(w, SLOTS), table(w, ROCK), index_table(w, ROCK_INT)
    for c in range(contacts):
        if place[c, 0] < 0:
            continue
        down, along = (place[c, 1], 1) if place[c, 1] > 0 else (1, -place[c, 1])
        k = 0
        for i in range(3, 6):
            for j in range(i, 6):
                slots[place[c, 0] + down * i + along * j] -= rock[c, k]
                if i != j:
                    slots[place[c, 0] + down * j + along * i] -= rock[c, k]
                k += 1


@kernel
def load_blocks(m, s, w):
    """Write mass matrices, compliances and Jacobians of the free rows into the factorisation's slots."""
    plan_node, slots = index_table(w, PLAN_NODE), column(w, SLOTS)
    node_block, pair_block, pair = table(w, NODE_BLOCK), table(w, PAIR_BLOCK), index_table(w, PAIR_INT)
    group, block, jac = index_table(w, GROUP_INT), index_table(w, BLOCK_INT), column(w, JAC)
    row, bound = table(w, ROW), indices(s, ROW_BOUND)
    nodes, joints = node_block.shape[0], index_table(m, JOINT_INT).shape[0]  # only ropes and contacts couple rows
    contacts = indices(w, COUNT)[JOINT_GROUPS]
    if indices(w, COUNT)[FILLED] == 1:
        for k in range(indices(w, PLAN_SIZE)[SLOT_FLOATS]):
            slots[k] = 0.0
    for node in range(nodes):
        at = plan_node[node, P_DIAG]
        for c in range(36):
            slots[at + c] = node_block[node, c]
    for k in range(pair.shape[0]):
        down, along = (pair[k, 1], 1) if pair[k, 1] > 0 else (1, -pair[k, 1])
        for i in range(6):
            for j in range(6):
                slots[pair[k, 0] + down * i + along * j] += pair_block[k, 6 * i + j]
    _load_rocking(w, indices(w, COUNT)[GROUPS] - contacts)
    for g in range(indices(w, COUNT)[GROUPS]):
        dim, start, at = group[g, G_DIM], group[g, G_START], plan_node[nodes + g, P_DIAG]
        for k in range(at, at + dim * dim):
            slots[k] = 0.0
        for r in range(dim):
            slots[at + r * dim + r] = -row[start + r, R_SIGMA] if bound[start + r] == FREE else -1.0
        for r in range(dim - 1 if g >= joints else 0):
            if row[start + r, R_COUPLE] != 0.0 and bound[start + r] == FREE and bound[start + r + 1] == FREE:
                slots[at + (r + 1) * dim + r] = -row[start + r, R_COUPLE]
        if g >= contacts and row[start + 2, R_COUPLE] != 0.0:
            slots[at + 6] = -row[start + 2, R_COUPLE]  # second friction row and normal row
        for e in range(group[g, G_BLOCK], group[g + 1, G_BLOCK]):
            slot, j = block[e, B_SLOT], block[e, B_AT]
            if slot < 0:
                continue
            down, along = (1, block[e, B_APART]) if block[e, B_APART] > 0 else (-block[e, B_APART], 1)
            for r in range(dim):
                taken = 1.0 if bound[start + r] == FREE else 0.0
                for c in range(6):
                    slots[slot + r * down + c * along] = taken * jac[j + 6 * r + c]


@kernel
def _load_node(k, m, w):
    """Blocks and right side of one node of the plan; if it is a row group, it has no bounds."""
    plan_node, slots, x = index_table(w, PLAN_NODE), column(w, SLOTS), column(w, X)
    node_block, rhs, row = table(w, NODE_BLOCK), table(w, NODE_RHS), table(w, ROW)
    group, block, jac = index_table(w, GROUP_INT), index_table(w, BLOCK_INT), column(w, JAC)
    nodes, at, to = node_block.shape[0], plan_node[k, P_DIAG], plan_node[k, P_UNKNOWN]
    if k < nodes:
        for c in range(36):
            slots[at + c] = node_block[k, c]
        for c in range(6):
            x[to + c] = rhs[k, c]
        return
    g = k - nodes
    dim, start = group[g, G_DIM], group[g, G_START]
    for c in range(at, at + dim * dim):
        slots[c] = 0.0
    for r in range(dim):
        slots[at + r * dim + r] = -row[start + r, R_SIGMA]
        x[to + r] = row[start + r, R_RHS] - row[start + r, R_KNOWN]
    for e in range(group[g, G_BLOCK], group[g + 1, G_BLOCK]):
        slot, j = block[e, B_SLOT], block[e, B_AT]
        if slot < 0:
            continue
        apart = block[e, B_APART]
        if apart > 0:
            for r in range(dim):
                for c in range(6):
                    slots[slot + c * apart + r] = jac[j + 6 * r + c]
        elif apart == -6:
            for c in range(6 * dim):
                slots[slot + c] = jac[j + c]
        else:
            for r in range(dim):
                for c in range(6):
                    slots[slot - r * apart + c] = jac[j + 6 * r + c]


@kernel
def load_part(m, w, first, last):
    """Blocks and right sides of the nodes at some positions of the plan, less those that were loaded before all others."""
    node, plan_node = index_table(w, GRAPH_NODE), index_table(w, PLAN_NODE)
    if first == 0:
        for i in range(indices(w, COUNT)[NEARBY] - 1):
            _load_node(node[i, N_HEAP], m, w)
    for position in range(first, last):
        k = plan_node[position, P_ORDER]
        if node[k, N_SUPPORT] == 0:
            _load_node(k, m, w)


@kernel
def right_side(m, s, w):
    """Right side of the system; multipliers at their bounds act on the bodies."""
    plan_node, x, rhs, node_of = index_table(w, PLAN_NODE), column(w, X), table(w, NODE_RHS), indices(m, BODY_NODE)
    group, block, jac = index_table(w, GROUP_INT), index_table(w, BLOCK_INT), column(w, JAC)
    row, bound, lam = table(w, ROW), indices(s, ROW_BOUND), column(s, ROW_LAM)
    nodes = rhs.shape[0]
    for node in range(nodes):
        at = plan_node[node, P_UNKNOWN]
        for c in range(6):
            x[at + c] = rhs[node, c]
    for g in range(indices(w, COUNT)[GROUPS]):
        start, at = group[g, G_START], plan_node[nodes + g, P_UNKNOWN]
        for r in range(group[g, G_DIM]):
            i = start + r
            if bound[i] == FREE:
                x[at + r] = row[i, R_RHS] - row[i, R_KNOWN]
                continue
            x[at + r] = 0.0
            if lam[i] != 0.0:
                for e in range(group[g, G_BLOCK], group[g + 1, G_BLOCK]):
                    node = node_of[block[e, B_BODY]]
                    if node >= 0:
                        j, k = block[e, B_AT] + 6 * r, plan_node[node, P_UNKNOWN]
                        for c in range(6):
                            x[k + c] += jac[j + c] * lam[i]


@kernel
def read_solution(m, s, w):
    """New velocities into BODY_NEW, multipliers of free rows into the state, and G v+ of every row.

    A free row fulfils G v+ = b - Sigma lam up to the error of the solve. Where there are many joints, G v+ is formed
    from the velocities for a part of them only, another one in each step: enough to know that error.
    """
    plan_node, x, new, body_of = index_table(w, PLAN_NODE), column(w, X), table(w, BODY_NEW), indices(m, NODE_BODY)
    group, block, jac = index_table(w, GROUP_INT), index_table(w, BLOCK_INT), column(w, JAC)
    row, bound, lam = table(w, ROW), indices(s, ROW_BOUND), column(s, ROW_LAM)
    nodes, joints, groups = body_of.shape[0], index_table(m, JOINT_INT).shape[0], indices(w, COUNT)[GROUPS]
    for node in range(nodes):
        body, at = body_of[node], plan_node[node, P_UNKNOWN]
        for c in range(6):
            new[body, c] = x[at + c]
    floor, speed, relative, largest, change = 0.0, 0.0, 0.0, 0.0, 0.0
    every = SAMPLED if groups > MANY_GROUPS else 1
    phase = indices(s, COUNTER)[STEPS] % every
    for g in range(groups):
        start, at, dim = group[g, G_START], plan_node[nodes + g, P_UNKNOWN], group[g, G_DIM]
        formed, held = g >= joints or g % every == phase, 0.0
        for r in range(dim):
            i = start + r
            if bound[i] == FREE:
                lam[i] = -x[at + r]
                row[i, R_RATE_NEW] = row[i, R_RHS] - row[i, R_SIGMA] * lam[i]
                held += (row[i, R_FLOOR] * (lam[i] - row[i, R_HELD])) ** 2
            else:
                formed = True
        floor = max(floor, held)
        # the rows of a joint are one force, whose length does not depend on the axes of the world; those of a rope are many
        size, differs = 0.0, 0.0
        for i in range(start, start + group[g, G_TENSE]):
            size, differs = size + lam[i] * lam[i], differs + (lam[i] - row[i, R_TENSION]) ** 2
            if g >= joints:
                largest, change = max(largest, size), max(change, differs)
                size, differs = 0.0, 0.0
        largest, change = max(largest, size), max(change, differs)
        if not formed:
            continue
        for r in range(dim):
            row[start + r, R_RATE_NEW] = 0.0
        for e in range(group[g, G_BLOCK], group[g + 1, G_BLOCK]):
            body, j = block[e, B_BODY], block[e, B_AT]
            for r in range(dim):
                rate = 0.0
                for c in range(6):
                    rate += jac[j + 6 * r + c] * new[body, c]
                row[start + r, R_RATE_NEW] += rate
        for i in range(start, start + dim):
            if bound[i] == FREE:
                miss = abs(row[i, R_RATE_NEW] + row[i, R_SIGMA] * lam[i] - row[i, R_RHS])
                size = abs(row[i, R_RATE_NEW]) + abs(row[i, R_RHS]) + abs(row[i, R_SIGMA] * lam[i]) + 1e-9
                speed, relative = max(speed, miss), max(relative, miss / size)
    tally = column(w, TALLY)
    tally[T_FLOOR], tally[T_SPEED], tally[T_RELATIVE] = math.sqrt(floor), speed, relative
    tally[T_LARGEST], tally[T_CHANGE] = math.sqrt(largest), math.sqrt(change)


@kernel
def factorise_system(m, s, w, wide):
    """Factorise with the present active set, and begin the solution of the present right side.

    A long chain does not fit the caches: where it can be, a piece of it is loaded and eliminated at a time, the next one
    always loaded before, and every block goes through memory once.
    """
    plan, count = plan_of(w), indices(w, COUNT)
    total = plan.size[NODES]
    piece = total
    if count[NEARBY] > 0 and count[BOUNDED] == 0 and count[GROUPS] == count[JOINT_GROUPS]:
        piece = PIECE
        load_part(m, w, 0, min(piece, total))
    else:
        load_blocks(m, s, w)
        right_side(m, s, w)
    for begin in range(0, total, max(piece, 1)):
        end = min(begin + piece, total)
        if piece < total:
            load_part(m, w, end, min(end + piece, total))
        factorise(
            index_table(w, GRAPH_NODE), plan, column(w, SLOTS), column(w, INV), column(w, PEAK), column(w, COLUMNS),
            begin, end, wide, column(w, X),
        )  # fmt: skip


@kernel
def solve_in_place(w, wide):
    """Solve with the present factors for the right side that stands in x."""
    solve(
        index_table(w, GRAPH_NODE), plan_of(w), column(w, SLOTS), column(w, INV), column(w, X), column(w, COLUMNS),
        0, -1, wide,
    )  # fmt: skip


@kernel
def substitute(m, s, w, begun, wide):
    """Solve with the present factors; `begun` right after they were made, by a call that took the right side along."""
    if begun:
        back_substitute(
            index_table(w, GRAPH_NODE), plan_of(w), column(w, SLOTS), column(w, INV), column(w, X), column(w, COLUMNS),
            0, -1, wide,
        )  # fmt: skip
    else:
        right_side(m, s, w)
        solve_in_place(w, wide)
    read_solution(m, s, w)
