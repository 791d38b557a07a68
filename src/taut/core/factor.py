"""Numeric sparse block L D L^T along an elimination plan, and the triangular solves."""

from __future__ import annotations

from taut.core.blocks import columns_any, factor_any, take_rows
from taut.core.jit import kernel
from taut.core.lanes import columns_33, columns_36, columns_63, columns_66, row_33, row_36, row_63, row_66
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
    P_WIDTH,
    U_LEFT,
    U_RIGHT,
    U_STRIDE,
    U_TARGET,
    U_WIDTH,
    UNKNOWNS,
)
from taut.core.unrolled import (
    down_36,
    down_63,
    down_66,
    eliminate_36,
    eliminate_63,
    eliminate_66,
    lower_6,
    up_36,
    up_63,
    up_66,
    upper_6,
)


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
        if last > first:
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
    """A node with any number of neighbours: its panel, then what it does to them."""
    k = plan.node[position, P_ORDER]
    n, width = nodes[k, N_DIM], plan.node[position, P_WIDTH]
    base = plan.nb[plan.node[position, P_NB], 1]
    if n == 6:
        _columns_of_6(width, slots, plan.node[k, P_DIAG], inv, plan.node[k, P_UNKNOWN], base, scratch)
        _update_by_6(nodes, plan, position, slots, scratch, base)
    elif n == 3:
        _columns_of_3(width, slots, plan.node[k, P_DIAG], inv, plan.node[k, P_UNKNOWN], base, scratch)
        _update_by_3(nodes, plan, position, slots, scratch, base)
    else:
        columns_any(n, width, slots, plan.node[k, P_DIAG], inv, plan.node[k, P_UNKNOWN], slots, base, scratch, 0)
        _update_by_any(n, nodes, plan, position, slots, scratch, base)


@kernel
def _columns_of_6(width, slots, d, inv, p, b, scratch):
    """Columns of a node with six unknowns."""
    j = 0
    while j + 5 < width:
        columns_66(slots, d, inv, p, b + j, width, scratch, j)
        j += 6
    while j + 2 < width:
        columns_63(slots, d, inv, p, b + j, width, scratch, j)
        j += 3
    if j < width:
        columns_any(6, width, slots, d, inv, p, slots, b, scratch, j)


@kernel
def _columns_of_3(width, slots, d, inv, p, b, scratch):
    """Columns of a node with three unknowns."""
    j = 0
    while j + 5 < width:
        columns_36(slots, d, inv, p, b + j, width, scratch, j)
        j += 6
    while j + 2 < width:
        columns_33(slots, d, inv, p, b + j, width, scratch, j)
        j += 3
    if j < width:
        columns_any(3, width, slots, d, inv, p, slots, b, scratch, j)


# C -= Z^T Y for all updates of a node, with Z its columns in the panel and Y in scratch, both `apart` from row to row; all of a node in
# one call, which costs more than a block.


@kernel
def _update_by_6(nodes, plan, position, slots, scratch, base):
    apart = plan.node[position, P_WIDTH]
    for u in range(plan.node[position, P_UP], plan.node[position + 1, P_UP]):
        left, stride, width = plan.up[u, U_LEFT], plan.up[u, U_STRIDE], plan.up[u, U_WIDTH]
        y = plan.nb[plan.up[u, U_RIGHT], 1] - base
        at, q = plan.up[u, U_TARGET], plan.nb[left, 1]
        for _ in range(nodes[plan.nb[left, 0], N_DIM]):
            j = 0
            while j + 5 < width:
                row_66(slots, at + j, slots, q, apart, scratch, y + j, apart)
                j += 6
            while j + 2 < width:
                row_63(slots, at + j, slots, q, apart, scratch, y + j, apart)
                j += 3
            while j < width:
                for k in range(6):
                    slots[at + j] -= slots[q + k * apart] * scratch[y + k * apart + j]
                j += 1
            at += stride
            q += 1


@kernel
def _update_by_3(nodes, plan, position, slots, scratch, base):
    apart = plan.node[position, P_WIDTH]
    for u in range(plan.node[position, P_UP], plan.node[position + 1, P_UP]):
        left, stride, width = plan.up[u, U_LEFT], plan.up[u, U_STRIDE], plan.up[u, U_WIDTH]
        y = plan.nb[plan.up[u, U_RIGHT], 1] - base
        at, q = plan.up[u, U_TARGET], plan.nb[left, 1]
        for _ in range(nodes[plan.nb[left, 0], N_DIM]):
            j = 0
            while j + 5 < width:
                row_36(slots, at + j, slots, q, apart, scratch, y + j, apart)
                j += 6
            while j + 2 < width:
                row_33(slots, at + j, slots, q, apart, scratch, y + j, apart)
                j += 3
            while j < width:
                for k in range(3):
                    slots[at + j] -= slots[q + k * apart] * scratch[y + k * apart + j]
                j += 1
            at += stride
            q += 1


@kernel
def _update_by_any(n, nodes, plan, position, slots, scratch, base):
    apart = plan.node[position, P_WIDTH]
    for u in range(plan.node[position, P_UP], plan.node[position + 1, P_UP]):
        left, stride, width = plan.up[u, U_LEFT], plan.up[u, U_STRIDE], plan.up[u, U_WIDTH]
        y = plan.nb[plan.up[u, U_RIGHT], 1] - base
        at, q = plan.up[u, U_TARGET], plan.nb[left, 1]
        for _ in range(nodes[plan.nb[left, 0], N_DIM]):
            for k in range(n):
                f = slots[q + k * apart]
                for j in range(width):
                    slots[at + j] -= f * scratch[y + k * apart + j]
            at += stride
            q += 1


@kernel
def _down_any(nodes, plan, position, slots, x):
    """Forward substitution of a node of any size."""
    k = plan.node[position, P_ORDER]
    n, d, p = nodes[k, N_DIM], plan.node[k, P_DIAG], plan.node[k, P_UNKNOWN]
    if n == 6:
        lower_6(slots, d, x, p)
    else:
        for i in range(1, n):
            s = x[p + i]
            for j in range(i):
                s -= slots[d + i * n + j] * x[p + j]
            x[p + i] = s
    width = plan.node[position, P_WIDTH]
    for e in range(plan.node[position, P_NB], plan.node[position + 1, P_NB]):
        node, z = plan.nb[e, 0], plan.nb[e, 1]
        m, q = nodes[node, N_DIM], plan.node[node, P_UNKNOWN]
        if n == 6 and m == 6:
            row_66(x, q, x, p, 1, slots, z, width)
        elif n == 6 and m == 3:
            row_63(x, q, x, p, 1, slots, z, width)
        elif n == 3 and m == 6:
            row_36(x, q, x, p, 1, slots, z, width)
        else:
            for i in range(n):
                f = x[p + i]
                for j in range(m):
                    x[q + j] -= slots[z + i * width + j] * f


@kernel
def _up_any(nodes, plan, position, slots, inv, x, scratch):
    """Back substitution of a node of any size."""
    k = plan.node[position, P_ORDER]
    n, d, p = nodes[k, N_DIM], plan.node[k, P_DIAG], plan.node[k, P_UNKNOWN]
    for i in range(n):
        x[p + i] *= inv[p + i]
    first, last, width = plan.node[position, P_NB], plan.node[position + 1, P_NB], plan.node[position, P_WIDTH]
    if last > first:
        at = 0
        for e in range(first, last):
            q = plan.node[plan.nb[e, 0], P_UNKNOWN]
            for j in range(nodes[plan.nb[e, 0], N_DIM]):
                scratch[at + j] = x[q + j]
            at += nodes[plan.nb[e, 0], N_DIM]
        take_rows(n, width, slots, plan.nb[first, 1], scratch, x, p)
    if n == 6:
        upper_6(slots, d, x, p)
        return
    for i in range(n - 2, -1, -1):
        s = x[p + i]
        for j in range(i + 1, n):
            s -= slots[d + j * n + i] * x[p + j]
        x[p + i] = s


@kernel
def solve(nodes, plan, slots, inv, x, scratch, begin=0, end=-1, wide=None):
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
    back_substitute(nodes, plan, slots, inv, x, scratch, begin, end, wide)


@kernel
def back_substitute(nodes, plan, slots, inv, x, scratch, begin, end, wide):
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
        _up_any(nodes, plan, position, slots, inv, x, scratch)
