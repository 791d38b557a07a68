"""The elimination plan: its rule, its order on known graphs, its pools."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from graphs import System
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_bipartite_matching

from taut.core.plan import (
    BODY,
    FRONT,
    P_NB,
    PLAN_EDGES_FULL,
    PLAN_SLOTS_FULL,
    PLAN_UPDATES_FULL,
    RIGID_ROW,
    add_edge,
    add_node,
    clear_graph,
    make_graph,
    make_plan,
    order_nodes,
    place_blocks,
)


def chain(links: int, anchored: bool = True) -> System:
    system = System(np.random.default_rng(0))
    bodies = [system.body(1.0) for _ in range(links)]
    if anchored:
        system.row(bodies[:1], 3, 1e-12)
    for a, b in itertools.pairwise(bodies):
        system.row([a, b], 3, 1e-12)
    return system


def random_system(rng: np.random.Generator) -> System:
    system = System(rng)
    bodies = [system.body(10.0 ** rng.uniform(-3, 3)) for _ in range(rng.integers(1, 12))]
    for _ in range(rng.integers(0, 16)):
        count = min(len(bodies), int(rng.integers(1, 4)))
        chosen = [int(b) for b in rng.choice(bodies, count, replace=False)]
        system.row(chosen, int(rng.integers(1, 7)), 1e-6, soft=bool(rng.random() < 0.3))
    return system


def test_a_chain_leaves_body_row_body():
    """From both ends inwards: each rigid row right after the body that left for it."""
    system = chain(12)
    order = system.order()
    left = set()
    for k in order:
        if system.kinds[k] == RIGID_ROW:
            mine = system.bodies_of(k)
            assert any(b in left for b in mine)
            # its body left immediately before: no second body in between
            assert order[order.index(k) - 1] in mine
        left.add(k)


@pytest.mark.parametrize("links", [3, 50, 1000])
def test_the_order_of_a_chain_makes_no_fill(links):
    system = chain(links)
    plan = system.plan()
    # every node meets at most one neighbour, but where the two ends meet
    counts = np.diff(plan.node[: len(system.dims) + 1, P_NB])
    assert counts.max() <= 2 and (counts == 2).sum() <= 2
    assert plan.size[FRONT] <= 12


def met_when_leaving(system: System, order: list[int]) -> dict[int, set[int]]:
    """Neighbours of every node at the moment it leaves, fill included: elimination done with plain sets."""
    around = {k: set() for k in order}
    for i, j in system.blocks:
        if i != j:
            around[i].add(j)
            around[j].add(i)
    met = {}
    for k in order:
        met[k] = around.pop(k)
        for i in met[k]:
            around[i] |= met[k] - {i}
            around[i].discard(k)
    return met


@pytest.mark.parametrize("seed", range(40))
def test_no_rigid_row_leaves_without_a_body_that_left_for_it(seed):
    """The rigid rows that leave while a body of theirs is still there can each be given a body that met them when it
    left before them, no body twice: only so has each a pivot of its own."""
    system = random_system(np.random.default_rng(seed))
    order = system.order()
    assert sorted(order) == list(range(len(system.dims)))
    place = {k: i for i, k in enumerate(order)}
    met = met_when_leaving(system, order)
    bodies = [k for k, kind in enumerate(system.kinds) if kind == BODY]
    early = []
    for row in (k for k, kind in enumerate(system.kinds) if kind == RIGID_ROW):
        if any(place[b] > place[row] for b in system.bodies_of(row)):
            early.append([int(row in met[b] and place[b] < place[row]) for b in bodies])
    if early:
        match = maximum_bipartite_matching(csr_matrix(np.array(early)), perm_type="column")
        assert (match >= 0).all()


def test_the_plan_lists_exactly_the_fill():
    for seed in range(10):
        system = random_system(np.random.default_rng(seed))
        order = system.order()
        met = met_when_leaving(system, order)
        starts = system.p.node[: len(order) + 1, P_NB]
        for place, k in enumerate(order):
            assert set(system.p.nb[starts[place] : starts[place + 1], 0].tolist()) == met[k]


def test_contacts_with_the_ground_cost_next_to_no_fill():
    """Soft rows on one body may leave at any time: no front grows beyond a body, its joint and one contact."""
    system = System(np.random.default_rng(1))
    bodies = [system.body(1.0) for _ in range(30)]
    for b in bodies:
        for _ in range(4):
            system.row([b], 3, 1e-2, soft=True)
    for a, b in itertools.pairwise(bodies):
        system.row([a, b], 3, 1e-12)
    assert system.plan().size[FRONT] <= 12


def test_a_star_ends_with_its_hub():
    system = System(np.random.default_rng(2))
    hub = system.body(1.0)
    for _ in range(20):
        arm = system.body(1.0)
        system.row([hub, arm], 6, 1e-12)
    order = system.order()
    # the hub and what is left of one arm come last
    assert hub in order[-3:]


def test_the_order_is_the_same_every_time():
    for seed in range(5):
        orders = [random_system(np.random.default_rng(seed)).order() for _ in range(3)]
        assert orders[0] == orders[1] == orders[2]


def test_full_pools_are_told_apart():
    def build(links, updates, slots):
        g, plan = make_graph(40, links), make_plan(40, links, updates)
        clear_graph(g)
        hub = add_node(g, 6, BODY)
        for _ in range(12):
            body = add_node(g, 6, BODY)
            row = add_node(g, 3, RIGID_ROW)
            if not (add_edge(g, row, hub) and add_edge(g, row, body)):
                return PLAN_EDGES_FULL
        status = order_nodes(g, plan)
        return status or place_blocks(g, plan, slots)

    assert build(400, 400, 4000) == 0
    assert build(20, 400, 4000) == PLAN_EDGES_FULL
    assert build(400, 3, 4000) == PLAN_UPDATES_FULL
    assert build(400, 400, 40) == PLAN_SLOTS_FULL


def test_an_edge_twice_counts_once():
    g = make_graph(2, 8)
    clear_graph(g)
    a, b = add_node(g, 6, BODY), add_node(g, 3, RIGID_ROW)
    assert add_edge(g, a, b) and add_edge(g, b, a) and add_edge(g, a, b)
    assert g.size[2] == 2
