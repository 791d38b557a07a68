"""Numeric sparse block L D L^T along an elimination plan, and the triangular solves."""

from __future__ import annotations

from taut.core.blocks import columns_any, factor_any, update_any
from taut.core.jit import kernel
from taut.core.plan import (
    BODY,
    MEETING,
    N_DIM,
    N_KIND,
    NODES,
    P_DIAG,
    P_NB,
    P_ORDER,
    P_UNKNOWN,
    P_UP,
    UNKNOWNS,
)
from taut.core.unrolled import down_36, down_63, down_66, eliminate_36, eliminate_63, eliminate_66, up_36, up_63, up_66


@kernel
def factorise(nodes, plan, slots, inv, peak, scratch, begin=0, end=-1, wide=None, x=None):
    """Replay the plan on `slots`; `nodes` is the node table of the graph. `inv` gets 1/D per unknown; `scratch` holds
    L^-1 B of one node's neighbours. From `begin` to `end`: a part of the system that shares nothing with the rest. `wide` is None where no
    node of six has a single neighbour of six, which saves compiling that case. A right side `x` is taken along: its forward
    substitution is done while each block is at hand.

    Where a row meets a row, `peak` keeps the largest diagonal the later one had: a pivot far below it tells that the
    row is redundant.
    """
    if end < 0:
        end = plan.size[NODES]
    meeting = plan.size[MEETING] == 1
    if meeting and begin == 0:
        for k in range(plan.size[UNKNOWNS]):
            peak[k] = 0.0
    for position in range(begin, end):
        k = plan.node[position, P_ORDER]
        n = nodes[k, N_DIM]
        d = plan.node[k, P_DIAG]
        p = plan.node[k, P_UNKNOWN]
        first, last = plan.node[position, P_NB], plan.node[position + 1, P_NB]
        if meeting and nodes[k, N_KIND] != BODY:
            _note_peaks(nodes, plan, first, last, slots, peak)
        if last == first + 1:
            # one neighbour left: the case of every chain and tree
            i = plan.nb[first, 0]
            m = nodes[i, N_DIM]
            b = plan.nb[first, 1]
            c = plan.node[i, P_DIAG]
            if n == 6 and m == 3:
                eliminate_63(slots, d, b, c, inv, p)
                if x is not None:
                    down_63(slots, d, b, x, p, plan.node[i, P_UNKNOWN])
                continue
            if n == 3 and m == 6:
                eliminate_36(slots, d, b, c, inv, p)
                if x is not None:
                    down_36(slots, d, b, x, p, plan.node[i, P_UNKNOWN])
                continue
            if wide is not None:
                if n == 6 and m == 6:
                    eliminate_66(slots, d, b, c, inv, p)
                    if x is not None:
                        down_66(slots, d, b, x, p, plan.node[i, P_UNKNOWN])
                    continue
        factor_any(n, slots, d, inv, p)
        if last == first + 1:
            columns_any(n, m, slots, d, inv, p, slots, b, scratch)
            update_any(n, m, m, slots, c, slots, b, scratch, 0)
        elif last > first:
            _eliminate_wide(nodes, plan, position, slots, inv, scratch)
        if x is not None:
            _down_any(nodes, plan, position, slots, x)


@kernel
def _note_peaks(nodes, plan, first, last, slots, peak):
    for e in range(first, last):
        i = plan.nb[e, 0]
        if nodes[i, N_KIND] != BODY:
            n, p, d = nodes[i, N_DIM], plan.node[i, P_UNKNOWN], plan.node[i, P_DIAG]
            for r in range(n):
                peak[p + r] = max(peak[p + r], abs(slots[d + r * n + r]))


@kernel
def _eliminate_wide(nodes, plan, position, slots, inv, scratch):
    """A node with several neighbours: all its columns, then every pair."""
    k = plan.node[position, P_ORDER]
    n = nodes[k, N_DIM]
    d = plan.node[k, P_DIAG]
    p = plan.node[k, P_UNKNOWN]
    first, last = plan.node[position, P_NB], plan.node[position + 1, P_NB]
    base = plan.nb[first, 1]
    for e in range(first, last):
        m = nodes[plan.nb[e, 0], N_DIM]
        # scratch mirrors the layout of the neighbour blocks
        columns_any(n, m, slots, d, inv, p, slots, plan.nb[e, 1], scratch[plan.nb[e, 1] - base :])
    for u in range(plan.node[position, P_UP], plan.node[position + 1, P_UP]):
        a, b = plan.up[u, 0], plan.up[u, 1]
        update_any(
            n, nodes[plan.nb[a, 0], N_DIM], nodes[plan.nb[b, 0], N_DIM], slots, plan.up[u, 2],
            slots, plan.nb[a, 1], scratch, plan.nb[b, 1] - base,
        )  # fmt: skip


@kernel
def _down_any(nodes, plan, position, slots, x):
    """Forward substitution of a node of any size."""
    k = plan.node[position, P_ORDER]
    n, d, p = nodes[k, N_DIM], plan.node[k, P_DIAG], plan.node[k, P_UNKNOWN]
    for i in range(n):
        s = x[p + i]
        for j in range(i):
            s -= slots[d + i * n + j] * x[p + j]
        x[p + i] = s
    for e in range(plan.node[position, P_NB], plan.node[position + 1, P_NB]):
        node = plan.nb[e, 0]
        m = nodes[node, N_DIM]
        q = plan.node[node, P_UNKNOWN]
        z = plan.nb[e, 1]
        for i in range(n):
            f = x[p + i]
            for j in range(m):
                x[q + j] -= slots[z + i * m + j] * f


@kernel
def solve(nodes, plan, slots, inv, x, begin=0, end=-1, wide=None):
    """Solve with the factors; `x` holds the right side before and the solution after. From `begin` to `end`: a part of
    the system that shares nothing with the rest."""
    if end < 0:
        end = plan.size[NODES]
    for position in range(begin, end):
        k = plan.node[position, P_ORDER]
        n = nodes[k, N_DIM]
        d = plan.node[k, P_DIAG]
        p = plan.node[k, P_UNKNOWN]
        e = plan.node[position, P_NB]
        if plan.node[position + 1, P_NB] == e + 1:
            node = plan.nb[e, 0]
            if n == 6 and nodes[node, N_DIM] == 3:
                down_63(slots, d, plan.nb[e, 1], x, p, plan.node[node, P_UNKNOWN])
                continue
            if n == 3 and nodes[node, N_DIM] == 6:
                down_36(slots, d, plan.nb[e, 1], x, p, plan.node[node, P_UNKNOWN])
                continue
            if wide is not None:
                if n == 6 and nodes[node, N_DIM] == 6:
                    down_66(slots, d, plan.nb[e, 1], x, p, plan.node[node, P_UNKNOWN])
                    continue
        _down_any(nodes, plan, position, slots, x)
    back_substitute(nodes, plan, slots, inv, x, begin, end, wide)


@kernel
def back_substitute(nodes, plan, slots, inv, x, begin, end, wide):
    """The second half of a solution: from the last node to the first."""
    if end < 0:
        end = plan.size[NODES]
    for position in range(end - 1, begin - 1, -1):
        k = plan.node[position, P_ORDER]
        n = nodes[k, N_DIM]
        d = plan.node[k, P_DIAG]
        p = plan.node[k, P_UNKNOWN]
        e = plan.node[position, P_NB]
        if plan.node[position + 1, P_NB] == e + 1:
            node = plan.nb[e, 0]
            if n == 6 and nodes[node, N_DIM] == 3:
                up_63(slots, d, plan.nb[e, 1], inv, x, p, plan.node[node, P_UNKNOWN])
                continue
            if n == 3 and nodes[node, N_DIM] == 6:
                up_36(slots, d, plan.nb[e, 1], inv, x, p, plan.node[node, P_UNKNOWN])
                continue
            if wide is not None:
                if n == 6 and nodes[node, N_DIM] == 6:
                    up_66(slots, d, plan.nb[e, 1], inv, x, p, plan.node[node, P_UNKNOWN])
                    continue
        for i in range(n):
            x[p + i] *= inv[p + i]
        for e in range(plan.node[position, P_NB], plan.node[position + 1, P_NB]):
            node = plan.nb[e, 0]
            m = nodes[node, N_DIM]
            q = plan.node[node, P_UNKNOWN]
            z = plan.nb[e, 1]
            for i in range(n):
                s = x[p + i]
                for j in range(m):
                    s -= slots[z + i * m + j] * x[q + j]
                x[p + i] = s
        for i in range(n - 1, -1, -1):
            s = x[p + i]
            for j in range(i + 1, n):
                s -= slots[d + j * n + i] * x[p + j]
            x[p + i] = s
