"""The sparse factorisation against dense solves.

The residual of each row relative to its own terms is round-off when the elimination is stable. There is no pivoting, so
what one elimination multiplies another by is lost: a heavy body that leaves before a light one costs log10 of their
ratio, a row of compliance sigma on a mass m costs log10(1/(sigma m)). Two refinements with the same factor must bring
those digits back: then the factor is good whatever the ratio. LAPACK's own residual is the yardstick.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from graphs import System, scaled_residual


def check(system: System, growth: float = 1e4) -> None:
    """`growth`: by how much round-off may be multiplied before refinement."""
    A = system.matrix()
    b = np.random.default_rng(5).normal(size=len(A))
    x = system.solve(b)
    yardstick = scaled_residual(A, np.linalg.solve(A, b), b)
    assert scaled_residual(A, x, b) < growth * max(yardstick, 1e-15)
    for _ in range(2):
        x = x + system.solve(b - A @ x)
    assert scaled_residual(A, x, b) < max(100.0 * yardstick, 1e-12)


@pytest.mark.parametrize("dim", range(1, 7))
@pytest.mark.parametrize("links", [1, 2, 3, 10, 40])
def test_chains(links, dim):
    rng = np.random.default_rng(links * 10 + dim)
    system = System(rng)
    bodies = [system.body(10.0 ** rng.uniform(-1, 1)) for _ in range(links)]
    system.row(bodies[:1], dim, 1e-9)
    for a, b in itertools.pairwise(bodies):
        system.row([a, b], dim, 1e-9)
    check(system)


@pytest.mark.parametrize("seed", range(10))
def test_trees(seed):
    rng = np.random.default_rng(seed)
    system = System(rng)
    bodies = [system.body(10.0 ** rng.uniform(-2, 2))]
    for _ in range(30):
        parent = bodies[int(rng.integers(len(bodies)))]
        bodies.append(system.body(10.0 ** rng.uniform(-2, 2)))
        system.row([parent, bodies[-1]], int(rng.integers(1, 6)), 1e-9)
    check(system)


@pytest.mark.parametrize("links", [3, 8, 60])
def test_loops(links):
    rng = np.random.default_rng(links)
    system = System(rng)
    bodies = [system.body(1.0) for _ in range(links)]
    for i in range(links):
        system.row([bodies[i], bodies[(i + 1) % links]], 3, 1e-9)
    check(system)


@pytest.mark.parametrize("arms", [2, 10, 60])
def test_stars(arms):
    rng = np.random.default_rng(arms)
    system = System(rng)
    hub = system.body(5.0)
    for _ in range(arms):
        system.row([hub, system.body(1.0)], 3, 1e-9)
    check(system)


@pytest.mark.parametrize("seed", range(30))
def test_random_graphs(seed):
    """Rows between one, two or three bodies, soft and rigid, and stiffness between bodies."""
    rng = np.random.default_rng(seed)
    system = System(rng)
    bodies = [system.body(10.0 ** rng.uniform(-2, 2)) for _ in range(int(rng.integers(2, 15)))]
    budget = 6 * len(bodies)
    for _ in range(int(rng.integers(1, 15))):
        chosen = [int(b) for b in rng.choice(bodies, min(len(bodies), int(rng.integers(1, 4))), replace=False)]
        dim, soft = int(rng.integers(1, 7)), bool(rng.random() < 0.4)
        # rigid rows stay fewer than the unknowns they hold
        if not soft:
            budget -= dim
            if budget < 6:
                continue
        system.row(chosen, dim, 10.0 ** rng.uniform(-3, -1) if soft else 1e-9, soft)
    for _ in range(int(rng.integers(0, 6))):
        a, b = (int(k) for k in rng.choice(bodies, 2, replace=False))
        system.pair(a, b, 10.0 ** rng.uniform(-1, 2))
    check(system, 1e6)


@pytest.mark.parametrize("ratio", [1e3, 1e6, 1e9, 1e12])
@pytest.mark.parametrize("where", ["end", "middle", "start"])
def test_heavy_body_in_a_light_chain(ratio, where):
    """At the anchored end it leaves last and nothing is lost; elsewhere log10 of the ratio, and refinement repairs it."""
    rng = np.random.default_rng(3)
    system = System(rng)
    links = 24
    heavy = {"end": links - 1, "middle": links // 2, "start": 0}[where]
    bodies = [system.body(ratio if i == heavy else 1.0) for i in range(links)]
    system.row(bodies[:1], 3, 1e-12)
    for a, b in itertools.pairwise(bodies):
        system.row([a, b], 3, 1e-12)
    check(system, 10.0 if where == "start" else 10.0 * ratio)


@pytest.mark.parametrize("seed", range(10))
def test_light_and_heavy_in_loops(seed):
    rng = np.random.default_rng(100 + seed)
    system = System(rng)
    bodies = [system.body(10.0 ** rng.uniform(-4, 5)) for _ in range(12)]
    for i in range(12):
        system.row([bodies[i], bodies[(i + 1) % 12]], 3, 1e-12)
    check(system, 1e9)


def test_stiffness_over_thirteen_decades():
    """Rows of every compliance in one system."""
    rng = np.random.default_rng(9)
    system = System(rng)
    bodies = [system.body(1.0) for _ in range(14)]
    for k, (a, b) in enumerate(itertools.pairwise(bodies)):
        system.row([a, b], 3, 10.0**-k, soft=k < 6)
    check(system, 1e6)
