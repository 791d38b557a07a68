"""A set of joints solved as one, while the impulses of all other sets stand (paper 1, Algorithm 1, line 13).

Without its own impulses the bodies of the set have the momentum p = M v_free + (impulses of the others). Then

    [ M  G^T   ] [  v   ]   [ p ]
    [ G -Sigma ] [ -lam ] = [ b ]

gives the set's multipliers and the velocities of its bodies at once: the Schur complement S_aa of the paper is never
formed, so that a chain keeps the digits of its mass ratio. Bounds are met by pivoting within the set.
"""

from __future__ import annotations

from taut.core.buffers import column, index_table, indices, table
from taut.core.codes import FREE
from taut.core.factor import factorise, solve
from taut.core.jit import kernel
from taut.core.model import (
    B_APART,
    B_AT,
    B_SLOT,
    BLOCK_COPY,
    BLOCK_INT,
    BODY_NEW,
    COLUMNS,
    COPY_NODE,
    G_BLOCK,
    G_DIM,
    G_SOFT,
    G_START,
    GRAPH_NODE,
    GROUP_INT,
    INV,
    JAC,
    NODE_BLOCK,
    NODE_BODY,
    NODE_IMPULSE,
    NODE_RHS,
    PEAK,
    PLAN_NODE,
    PLAN_SIZE,
    R_KNOWN,
    R_RHS,
    R_SIGMA,
    ROW,
    ROW_BOUND,
    ROW_INT,
    ROW_LAM,
    S_BOUNDED,
    S_GROUP,
    S_GROUP_END,
    S_NODE,
    S_NODE_END,
    S_ROW_NODE,
    S_STALE,
    SET_INT,
    SLOTS,
    X,
)
from taut.core.order import FACTORISE, SUBSTITUTE
from taut.core.plan import (
    BODY,
    NODES,
    P_DIAG,
    P_ORDER,
    P_UNKNOWN,
    PLAN_EDGES_FULL,
    PLAN_OK,
    RIGID_ROW,
    SLOT_FLOATS,
    SOFT_ROW,
    add_edge,
    add_node,
    clear_graph,
    order_nodes,
    place_blocks,
    slot_between,
)
from taut.core.stage import call_stage
from taut.step.bounds import update_bounds
from taut.step.impulses import add_impulse, add_rates
from taut.step.system import graph_of, plan_of

#: active sets tried in one visit: from SINGLE on one row changes sides at a time, after TRIES rows only go to bounds
SINGLE, TRIES = 4, 12


@kernel
def plan_sets(w):
    """One plan for all sets: they share nothing, and each leaves in its own range of positions."""
    g, plan, sets, group = graph_of(w), plan_of(w), index_table(w, SET_INT), index_table(w, GROUP_INT)
    block, copy = index_table(w, BLOCK_INT), indices(w, BLOCK_COPY)
    clear_graph(g)
    plan.size[NODES] = 0
    for k in range(sets.shape[0]):
        for _ in range(sets[k, S_NODE], sets[k, S_ROW_NODE]):
            add_node(g, 6, BODY)
        for j in range(sets[k, S_GROUP], sets[k, S_GROUP_END]):
            node = add_node(g, group[j, G_DIM], SOFT_ROW if group[j, G_SOFT] == 1 else RIGID_ROW)
            for e in range(group[j, G_BLOCK], group[j + 1, G_BLOCK]):
                if copy[e] >= 0 and not add_edge(g, node, copy[e]):
                    return PLAN_EDGES_FULL
        status = order_nodes(g, plan, sets[k, S_NODE])
        if status != PLAN_OK:
            return status
    status = place_blocks(g, plan, column(w, SLOTS).shape[0])
    if status != PLAN_OK:
        return status
    for k in range(sets.shape[0]):
        for j in range(sets[k, S_GROUP], sets[k, S_GROUP_END]):
            node = sets[k, S_ROW_NODE] + j - sets[k, S_GROUP]
            for e in range(group[j, G_BLOCK], group[j + 1, G_BLOCK]):
                block[e, B_SLOT] = -1
                if copy[e] >= 0:
                    slot, apart, first = slot_between(plan, copy[e], node)
                    block[e, B_SLOT], block[e, B_APART] = slot, apart if first else -apart
    return PLAN_OK


@kernel
def load_set(s, w, k):
    """Mass matrices, compliances and Jacobians of the free rows of one set into its slots."""
    plan_node, slots, node_block = index_table(w, PLAN_NODE), column(w, SLOTS), table(w, NODE_BLOCK)
    group, block, jac = index_table(w, GROUP_INT), index_table(w, BLOCK_INT), column(w, JAC)
    row, bound, sets, source = table(w, ROW), indices(s, ROW_BOUND), index_table(w, SET_INT), indices(w, COPY_NODE)
    size, begin, end = indices(w, PLAN_SIZE), sets[k, S_NODE], sets[k, S_NODE_END]
    stop = plan_node[plan_node[end, P_ORDER], P_DIAG] if end < size[NODES] else size[SLOT_FLOATS]
    for at in range(plan_node[plan_node[begin, P_ORDER], P_DIAG], stop):
        slots[at] = 0.0
    for copy in range(begin, sets[k, S_ROW_NODE]):
        at = plan_node[copy, P_DIAG]
        for c in range(36):
            slots[at + c] = node_block[source[copy], c]
    for g in range(sets[k, S_GROUP], sets[k, S_GROUP_END]):
        dim, start = group[g, G_DIM], group[g, G_START]
        at = plan_node[sets[k, S_ROW_NODE] + g - sets[k, S_GROUP], P_DIAG]
        for r in range(dim):
            # a row at its bound stays in the structure: no Jacobian, diagonal -1
            slots[at + r * dim + r] = -row[start + r, R_SIGMA] if bound[start + r] == FREE else -1.0
        for e in range(group[g, G_BLOCK], group[g + 1, G_BLOCK]):
            slot, j = block[e, B_SLOT], block[e, B_AT]
            if slot < 0:
                continue
            # row-major, the node that leaves first in front
            along, across = (1, block[e, B_APART]) if block[e, B_APART] > 0 else (-block[e, B_APART], 1)
            for r in range(dim):
                if bound[start + r] == FREE:
                    for c in range(6):
                        slots[slot + r * along + c * across] += jac[j + 6 * r + c]


@kernel
def _right_side(s, w, k):
    """Momentum without the set's own impulses, except those of rows at their bounds; right sides of the free rows."""
    plan_node, x, rhs, impulse = index_table(w, PLAN_NODE), column(w, X), table(w, NODE_RHS), table(w, NODE_IMPULSE)
    group, block, jac, row = index_table(w, GROUP_INT), index_table(w, BLOCK_INT), column(w, JAC), table(w, ROW)
    bound, lam, sets = indices(s, ROW_BOUND), column(s, ROW_LAM), index_table(w, SET_INT)
    source, copy = indices(w, COPY_NODE), indices(w, BLOCK_COPY)
    for node in range(sets[k, S_NODE], sets[k, S_ROW_NODE]):
        at = plan_node[node, P_UNKNOWN]
        for c in range(6):
            x[at + c] = rhs[source[node], c] + impulse[source[node], c]
    for g in range(sets[k, S_GROUP], sets[k, S_GROUP_END]):
        start, at = group[g, G_START], plan_node[sets[k, S_ROW_NODE] + g - sets[k, S_GROUP], P_UNKNOWN]
        for r in range(group[g, G_DIM]):
            i = start + r
            if bound[i] == FREE:
                x[at + r] = row[i, R_RHS] - row[i, R_KNOWN]
                continue
            x[at + r] = 0.0
            for e in range(group[g, G_BLOCK], group[g + 1, G_BLOCK]):
                if copy[e] >= 0:
                    j, body = block[e, B_AT] + 6 * r, plan_node[copy[e], P_UNKNOWN]
                    for c in range(6):
                        x[body + c] += jac[j + c] * lam[i]


@kernel
def _read_solution(m, s, w, k):
    """Velocities of the set's bodies and multipliers of its free rows; returns the largest change of a multiplier."""
    plan_node, x, new, body_of = index_table(w, PLAN_NODE), column(w, X), table(w, BODY_NEW), indices(m, NODE_BODY)
    group, bound, lam = index_table(w, GROUP_INT), indices(s, ROW_BOUND), column(s, ROW_LAM)
    sets, source = index_table(w, SET_INT), indices(w, COPY_NODE)
    for node in range(sets[k, S_NODE], sets[k, S_ROW_NODE]):
        body, at = body_of[source[node]], plan_node[node, P_UNKNOWN]
        for c in range(6):
            new[body, c] = x[at + c]
    change = 0.0
    for g in range(sets[k, S_GROUP], sets[k, S_GROUP_END]):
        start, at = group[g, G_START], plan_node[sets[k, S_ROW_NODE] + g - sets[k, S_GROUP], P_UNKNOWN]
        for r in range(group[g, G_DIM]):
            if bound[start + r] == FREE:
                change = max(change, abs(x[at + r] + lam[start + r]))
                lam[start + r] = -x[at + r]
    return change


@kernel
def _settle(s, w, k, single, closing):
    """Rows of the set that are on the wrong side of a bound change sides; False when there were any."""
    sets, group, row, cone = index_table(w, SET_INT), index_table(w, GROUP_INT), table(w, ROW), index_table(w, ROW_INT)
    lam, bound, new = column(s, ROW_LAM), indices(s, ROW_BOUND), table(w, BODY_NEW)
    for g in range(sets[k, S_GROUP], sets[k, S_GROUP_END]):
        add_rates(g, group, index_table(w, BLOCK_INT), column(w, JAC), new, row)
    a, b = group[sets[k, S_GROUP], G_START], group[sets[k, S_GROUP_END], G_START]
    return update_bounds(row[a:b], cone[a:b], lam[a:b], bound[a:b], b - a, single, closing) == 0


@kernel
def factorise_set(s, w, k):
    """Factorise set k with its present active set."""
    sets = index_table(w, SET_INT)
    load_set(s, w, k)
    factorise(
        index_table(w, GRAPH_NODE), plan_of(w), column(w, SLOTS), column(w, INV), column(w, PEAK), column(w, COLUMNS),
        sets[k, S_NODE], sets[k, S_NODE_END],
    )  # fmt: skip


@kernel
def substitute_set(s, w, k):
    """Solve set k with its present factors."""
    sets = index_table(w, SET_INT)
    _right_side(s, w, k)
    solve(
        index_table(w, GRAPH_NODE), plan_of(w), column(w, SLOTS), column(w, INV), column(w, X),
        column(w, COLUMNS), sets[k, S_NODE], sets[k, S_NODE_END],
    )  # fmt: skip


@kernel
def solve_set(context, m, s, w, k, h):
    """Solve set k against the present impulses of all others; returns the largest change of a multiplier."""
    sets, group = index_table(w, SET_INT), index_table(w, GROUP_INT)
    first, last = sets[k, S_GROUP], sets[k, S_GROUP_END]
    for g in range(first, last):
        add_impulse(m, s, w, g, -1.0)
    change = 0.0
    for attempt in range(TRIES + group[last, G_START] - group[first, G_START] + 1):
        if sets[k, S_STALE] == 1:
            call_stage(FACTORISE, context, h, float(k))
            sets[k, S_STALE] = 0
        call_stage(SUBSTITUTE, context, h, float(k))
        change = max(change, _read_solution(m, s, w, k))
        if sets[k, S_BOUNDED] == 0 or _settle(s, w, k, SINGLE <= attempt < TRIES, attempt >= TRIES):
            break
        sets[k, S_STALE] = 1
    for g in range(first, last):
        add_impulse(m, s, w, g, 1.0)
    return change
