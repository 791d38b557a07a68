"""The elimination plan: in which order bodies and rows leave the system, and where every block goes.

The coupled system is a graph. Nodes are bodies (6 unknowns) and row groups (1 to 6 multipliers); an edge is a
non-zero block. Eliminating a node joins its neighbours pairwise. We eliminate by minimum degree, with one rule that
keeps the digits of extreme mass ratios:

    a rigid row group leaves only after one of its bodies has left *for it* (each body supports one row group this
    way), or after all its bodies have left.

On a chain this is leaf body, its joint, next body, next joint, ... ("body-row-body"). Eliminating all bodies first
(the Schur complement) would add 1/m of a light body to 1/M of a heavy one and lose log10(M/m) digits. Rows with
compliance well above round-off (contacts) may leave at any time; those that touch one body only leave first and cost
no fill at all.

The neighbours of a node stand in the order in which they leave, and the blocks that join it to them are one panel, row by row. Of
the neighbours that a node leaves behind, most are neighbours of each other in the same order: what it does to them are updates of long
runs of numbers, not of single blocks.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from taut.core.jit import kernel

BODY, RIGID_ROW, SOFT_ROW = 0, 1, 2

#: status of a build: fine, or the pool that was too small
PLAN_OK, PLAN_EDGES_FULL, PLAN_UPDATES_FULL, PLAN_SLOTS_FULL = 0, 1, 2, 3
_LATE = 1 << 40


#: columns of Graph.node: unknowns, kind, first link, sum of the neighbours' unknowns, 1 when a body left for this row,
#: bodies left, heap (by place), place in the heap, priority, stamp, scratch (by place)
N_DIM, N_KIND, N_HEAD, N_WEIGHT, N_SUPPORT, N_LEFT, N_HEAP, N_PLACE, N_KEY, N_MARK, N_SCRATCH = range(11)
#: columns of Graph.link
L_NEXT, L_NODE = 0, 1
#: columns of Plan.node: node at a position, position of a node, offset of its diagonal block, of its unknowns, for
#: each position the first neighbour entry and the first update, and the unknowns of all neighbours
P_ORDER, P_POSITION, P_DIAG, P_UNKNOWN, P_NB, P_UP, P_WIDTH = range(7)
#: columns of Plan.up: neighbour entries left and right, unknowns of the run that begins with the right one, offset and row length of
#: the block that they update
U_LEFT, U_RIGHT, U_WIDTH, U_TARGET, U_STRIDE = range(5)
#: places in Plan.size: nodes, slot floats, unknowns, widest front, 1 when rows meet rows
NODES, SLOT_FLOATS, UNKNOWNS, FRONT, MEETING = range(5)


class Graph(NamedTuple):
    """What is to be eliminated, and scratch for the ordering."""

    node: np.ndarray  # see N_..., shape (node_capacity, 11)
    link: np.ndarray  # neighbour lists, shape (link_capacity, 2), two links for every edge alive at one time
    size: np.ndarray  # [nodes, first free link, links used], shape (3,)


class Plan(NamedTuple):
    """The result: a tape that the numeric factorisation replays."""

    node: np.ndarray  # see P_..., shape (node_capacity + 1, 7)
    nb: np.ndarray  # neighbour and offset of its block, whose rows are P_WIDTH apart, shape (link_capacity, 2)
    up: np.ndarray  # see U_..., shape (update_capacity, 5)
    size: np.ndarray  # shape (5,)


def make_graph(nodes: int, links: int) -> Graph:
    """A graph of its own, for tests; a simulation cuts it out of its scratch."""
    return Graph(np.zeros((nodes, 11), np.int64), np.zeros((links, 2), np.int64), np.zeros(3, np.int64))


def make_plan(nodes: int, links: int, updates: int) -> Plan:
    """A plan of its own, for tests."""
    zeros = lambda n, m: np.zeros((n, m), np.int64)  # noqa: E731
    return Plan(zeros(nodes + 1, 7), zeros(links, 2), zeros(updates, 5), np.zeros(5, np.int64))


@kernel
def clear_graph(g):
    """Start an empty graph."""
    g.size[0] = 0
    g.size[1] = -1
    g.size[2] = 0


@kernel
def add_node(g, dim, kind):
    """Append a node and return its index."""
    n = g.size[0]
    g.node[n, N_DIM] = dim
    g.node[n, N_KIND] = kind
    g.node[n, N_HEAD] = -1
    g.node[n, N_WEIGHT] = 0
    g.node[n, N_SUPPORT] = 0
    g.node[n, N_LEFT] = 0
    g.node[n, N_MARK] = -1
    g.size[0] = n + 1
    return n


@kernel
def _take_link(g):
    link = g.size[1]
    if link >= 0:
        g.size[1] = g.link[link, L_NEXT]
        return link
    link = g.size[2]
    if link >= g.link.shape[0]:
        return -1
    g.size[2] = link + 1
    return link


@kernel
def _add_half_edge(g, a, b):
    link = _take_link(g)
    if link < 0:
        return False
    g.link[link, L_NODE] = b
    g.link[link, L_NEXT] = g.node[a, N_HEAD]
    g.node[a, N_HEAD] = link
    g.node[a, N_WEIGHT] += g.node[b, N_DIM]
    if g.node[a, N_KIND] != BODY and g.node[b, N_KIND] == BODY:
        g.node[a, N_LEFT] += 1
    return True


@kernel
def add_edge(g, a, b):
    """Join two nodes; joining them twice counts once. False when the edge pool is full."""
    link = g.node[a, N_HEAD]
    while link >= 0:
        if g.link[link, L_NODE] == b:
            return True
        link = g.link[link, L_NEXT]
    return _add_half_edge(g, a, b) and _add_half_edge(g, b, a)


@kernel
def _less(g, a, b):
    return g.node[a, N_KEY] < g.node[b, N_KEY] or (g.node[a, N_KEY] == g.node[b, N_KEY] and a < b)


@kernel
def _sift_up(g, at):
    node = g.node[at, N_HEAP]
    while at > 0:
        up = (at - 1) // 2
        if not _less(g, node, g.node[up, N_HEAP]):
            break
        g.node[at, N_HEAP] = g.node[up, N_HEAP]
        g.node[g.node[at, N_HEAP], N_PLACE] = at
        at = up
    g.node[at, N_HEAP] = node
    g.node[node, N_PLACE] = at
    return at


@kernel
def _sift_down(g, at, count):
    node = g.node[at, N_HEAP]
    while True:
        down = 2 * at + 1
        if down >= count:
            break
        if down + 1 < count and _less(g, g.node[down + 1, N_HEAP], g.node[down, N_HEAP]):
            down += 1
        if not _less(g, g.node[down, N_HEAP], node):
            break
        g.node[at, N_HEAP] = g.node[down, N_HEAP]
        g.node[g.node[at, N_HEAP], N_PLACE] = at
        at = down
    g.node[at, N_HEAP] = node
    g.node[node, N_PLACE] = at


@kernel
def _priority(g, node):
    if g.node[node, N_KIND] == RIGID_ROW:
        if g.node[node, N_SUPPORT] == 0 and g.node[node, N_LEFT] > 0:
            return _LATE + g.node[node, N_WEIGHT]
        # a row follows the body that left for it at once: on loops too the order stays body-row-body
        return max(g.node[node, N_WEIGHT] - 8, 0)
    return g.node[node, N_WEIGHT]


@kernel
def _requeue(g, node, count):
    g.node[node, N_KEY] = _priority(g, node)
    _sift_down(g, _sift_up(g, g.node[node, N_PLACE]), count)


@kernel
def _support_one_row(g, body, found):
    """A body that leaves supports one rigid row group: the waiting one with the fewest couplings."""
    best = -1
    for s in range(found):
        i = g.node[s, N_SCRATCH]
        if g.node[i, N_KIND] == BODY:
            continue
        g.node[i, N_LEFT] -= 1
        if g.node[i, N_KIND] == RIGID_ROW and g.node[i, N_SUPPORT] == 0:
            if (
                best < 0
                or g.node[i, N_WEIGHT] < g.node[best, N_WEIGHT]
                or (g.node[i, N_WEIGHT] == g.node[best, N_WEIGHT] and i < best)
            ):
                best = i
    if best >= 0:
        g.node[best, N_SUPPORT] = 1


@kernel
def _detach(g, i, k):
    """Take k out of the list of i and stamp what remains."""
    before = -1
    link = g.node[i, N_HEAD]
    while link >= 0:
        after = g.link[link, L_NEXT]
        if g.link[link, L_NODE] == k:
            if before < 0:
                g.node[i, N_HEAD] = after
            else:
                g.link[before, L_NEXT] = after
            g.link[link, L_NEXT] = g.size[1]
            g.size[1] = link
            g.node[i, N_WEIGHT] -= g.node[k, N_DIM]
        else:
            g.node[g.link[link, L_NODE], N_MARK] = i
            before = link
        link = after


@kernel
def _join_neighbours(g, k, found):
    """Fill: the neighbours of k become neighbours of each other."""
    for s in range(found):
        i = g.node[s, N_SCRATCH]
        _detach(g, i, k)
        for t in range(found):
            j = g.node[t, N_SCRATCH]
            if j != i and g.node[j, N_MARK] != i:
                link = _take_link(g)
                if link < 0:
                    return False
                g.link[link, L_NODE] = j
                g.link[link, L_NEXT] = g.node[i, N_HEAD]
                g.node[i, N_HEAD] = link
                g.node[i, N_WEIGHT] += g.node[j, N_DIM]
        g.node[i, N_MARK] = -1
    return True


@kernel
def order_nodes(g, plan, first=0):
    """Minimum-degree order under the rule above; fills order, position and the neighbour lists of the plan.

    Nodes before `first` have their order already and no edge to the others: parts of a system that share nothing are
    ordered one after the other, each in its own range of positions.
    """
    n = g.size[0]
    count = n - first
    for i in range(count):
        node = first + i
        g.node[i, N_HEAP] = node
        g.node[node, N_PLACE] = i
        g.node[node, N_KEY] = _priority(g, node)
        g.node[node, N_MARK] = -1
    for i in range(count // 2, -1, -1):
        if i < count:
            _sift_down(g, i, count)
    entries = 0
    if first == 0:
        plan.size[FRONT] = 0
    else:
        entries = plan.node[first, P_NB]
    for position in range(first, n):
        k = g.node[0, N_HEAP]
        count -= 1
        if count > 0:
            g.node[0, N_HEAP] = g.node[count, N_HEAP]
            g.node[g.node[0, N_HEAP], N_PLACE] = 0
            _sift_down(g, 0, count)
        g.node[k, N_PLACE] = -1
        plan.node[position, P_ORDER] = k
        plan.node[k, P_POSITION] = position
        plan.node[position, P_NB] = entries
        # the neighbours that are left, and their links back to the pool
        found = 0
        link = g.node[k, N_HEAD]
        while link >= 0:
            after = g.link[link, L_NEXT]
            g.node[found, N_SCRATCH] = g.link[link, L_NODE]
            found += 1
            g.link[link, L_NEXT] = g.size[1]
            g.size[1] = link
            link = after
        g.node[k, N_HEAD] = -1
        if entries + found > plan.nb.shape[0]:
            return PLAN_EDGES_FULL
        for s in range(found):
            plan.nb[entries + s, 0] = g.node[s, N_SCRATCH]
        entries += found
        plan.size[FRONT] = max(plan.size[FRONT], g.node[k, N_WEIGHT])
        if g.node[k, N_KIND] == BODY:
            _support_one_row(g, k, found)
        if not _join_neighbours(g, k, found):
            return PLAN_EDGES_FULL
        for s in range(found):
            _requeue(g, g.node[s, N_SCRATCH], count)
    plan.node[n, P_NB] = entries
    plan.size[NODES] = n
    return PLAN_OK


@kernel
def _sort_neighbours(g, plan):
    """Neighbours of every node in the order in which they leave: whom each node is neighbour of, then read in that order."""
    n = plan.size[NODES]
    for k in range(n):
        g.node[k, N_HEAD] = -1
    # the links are free by now, and as many as there are entries
    for position in range(n):
        g.node[position, N_SCRATCH] = plan.node[position, P_NB]
        for e in range(plan.node[position, P_NB], plan.node[position + 1, P_NB]):
            i = plan.nb[e, 0]
            g.link[e, L_NODE] = position
            g.link[e, L_NEXT] = g.node[i, N_HEAD]
            g.node[i, N_HEAD] = e
    for position in range(n):
        i = plan.node[position, P_ORDER]
        e = g.node[i, N_HEAD]
        while e >= 0:
            at = g.link[e, L_NODE]
            plan.nb[g.node[at, N_SCRATCH], 0] = i
            g.node[at, N_SCRATCH] += 1
            e = g.link[e, L_NEXT]


@kernel
def _add_updates(g, plan, position, updates):
    """What a node that leaves does to its neighbours: to each by itself, then in runs to it with those after it."""
    first, last = plan.node[position, P_NB], plan.node[position + 1, P_NB]
    for a in range(first, last):
        i = plan.nb[a, 0]
        at, b = plan.node[i, P_POSITION], a + 1
        e = plan.node[at, P_NB]
        if updates >= plan.up.shape[0]:
            return -1
        plan.up[updates, U_LEFT], plan.up[updates, U_RIGHT], plan.up[updates, U_WIDTH] = a, a, g.node[i, N_DIM]
        plan.up[updates, U_TARGET], plan.up[updates, U_STRIDE] = plan.node[i, P_DIAG], g.node[i, N_DIM]
        updates += 1
        while b < last:
            while plan.nb[e, 0] != plan.nb[b, 0]:
                e += 1
            if updates >= plan.up.shape[0]:
                return -1
            plan.up[updates, U_LEFT], plan.up[updates, U_RIGHT], plan.up[updates, U_WIDTH] = a, b, 0
            plan.up[updates, U_TARGET], plan.up[updates, U_STRIDE] = plan.nb[e, 1], plan.node[at, P_WIDTH]
            while b < last and e < plan.node[at + 1, P_NB] and plan.nb[e, 0] == plan.nb[b, 0]:
                plan.up[updates, U_WIDTH] += g.node[plan.nb[b, 0], N_DIM]
                b += 1
                e += 1
            updates += 1
    return updates


@kernel
def place_blocks(g, plan, slot_capacity):
    """Give every block its offset and every update its target."""
    n = plan.size[NODES]
    slot = 0
    unknown = 0
    for k in range(n):
        plan.node[k, P_UNKNOWN] = unknown
        unknown += g.node[k, N_DIM]
    _sort_neighbours(g, plan)
    # diagonal block and panel in the order they are used: the factorisation streams through memory
    plan.size[MEETING] = 0
    for position in range(n):
        k = plan.node[position, P_ORDER]
        plan.node[k, P_DIAG] = slot
        slot += g.node[k, N_DIM] * g.node[k, N_DIM]
        width = 0
        for e in range(plan.node[position, P_NB], plan.node[position + 1, P_NB]):
            i = plan.nb[e, 0]
            plan.nb[e, 1] = slot + width
            width += g.node[i, N_DIM]
            if g.node[i, N_KIND] != BODY and g.node[k, N_KIND] != BODY:
                plan.size[MEETING] = 1
        plan.node[position, P_WIDTH] = width
        slot += g.node[k, N_DIM] * width
    plan.size[SLOT_FLOATS] = slot
    plan.size[UNKNOWNS] = unknown
    if slot > slot_capacity:
        return PLAN_SLOTS_FULL
    updates = 0
    for position in range(n):
        plan.node[position, P_UP] = updates
        updates = _add_updates(g, plan, position, updates)
        if updates < 0:
            return PLAN_UPDATES_FULL
    plan.node[n, P_UP] = updates
    return PLAN_OK


@kernel
def slot_between(plan, a, b):
    """Offset of the block that joins two nodes, stored at the one that leaves first, how far its rows are apart, and whether
    that one is a."""
    first = plan.node[a, P_POSITION] < plan.node[b, P_POSITION]
    if first:
        early, late = a, b
    else:
        early, late = b, a
    at = plan.node[early, P_POSITION]
    for e in range(plan.node[at, P_NB], plan.node[at + 1, P_NB]):
        if plan.nb[e, 0] == late:
            return plan.nb[e, 1], plan.node[at, P_WIDTH], first
    return -1, 0, first
