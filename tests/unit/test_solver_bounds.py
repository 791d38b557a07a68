"""The bounded solve against an independent interior-point solver.

Without friction a step is a convex program: with A = G M^-1 G^T + Sigma and q = G M^-1 r - b,

    min over lam   lam^T A lam / 2 + q^T lam     low <= lam <= high,

whose gradient A lam + q is the slack of each row: zero where lam is free, >= 0 at low, <= 0 at high.
"""

from __future__ import annotations

import clarabel
import numpy as np
import pytest
from machines import random_machine
from scipy.sparse import csc_matrix, vstack
from systems import Dense, dense_system

import taut
from taut.core.codes import FREE, HIGH, LOW
from taut.scene import Body, Distance, Scene


def with_open_friction(d: Dense) -> Dense:
    """Friction rows (state 3) carry nothing here: their bounds are zero."""
    idle = d.bound == 3
    assert not d.lam[idle].any()
    low, high = d.low.copy(), d.high.copy()
    low[idle], high[idle] = 0.0, 0.0
    return d._replace(low=low, high=high)


def scaled(d: Dense):
    """The program in multipliers scaled by the diagonal, so that the solver's tolerances mean the same for each row."""
    inverse = np.linalg.inv(d.M)
    A = d.G @ inverse @ d.G.T + np.diag(d.sigma)
    q = d.G @ inverse @ d.r - d.b
    s = 1.0 / np.sqrt(np.diag(A))
    return A * np.outer(s, s), q * s, d.low / s, d.high / s, s


def by_clarabel(A, q, low, high):
    """Box-bounded program; rows with equal bounds as equalities."""
    n = len(q)
    eye = csc_matrix(np.eye(n))
    fixed = low == high
    above, below = np.isfinite(high) & ~fixed, np.isfinite(low) & ~fixed
    blocks = [eye[fixed], eye[above], -eye[below]]
    rhs = np.concatenate([low[fixed], high[above], -low[below]])
    cones = [clarabel.ZeroConeT(int(fixed.sum())), clarabel.NonnegativeConeT(int(above.sum() + below.sum()))]
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-12
    settings.max_iter = 500
    solution = clarabel.DefaultSolver(
        csc_matrix(np.triu(A)), q, csc_matrix(vstack(blocks)), rhs, cones, settings
    ).solve()
    return np.array(solution.x)


def check(sim):
    d = with_open_friction(dense_system(sim))
    if not np.isfinite(np.concatenate([d.low, d.high])).any():
        return 0
    A, q, low, high, s = scaled(d)
    ours, theirs = d.lam / s, by_clarabel(A, q, low, high)
    size = np.abs(ours).max() + np.abs(theirs).max() + 1e-9

    def value(x):
        return 0.5 * x @ A @ x + q @ x

    # nothing beyond a bound, and no higher than what the other solver found
    assert (ours >= low - 1e-9 * size).all() and (ours <= high + 1e-9 * size).all()
    # (values are differences of large terms: their round-off counts)
    scale = np.abs(ours) @ np.abs(A) @ np.abs(ours) + np.abs(q) @ np.abs(ours) + 1e-9
    assert value(ours) <= value(np.clip(theirs, low, high)) + 1e-9 * scale
    # slack has the right sign where a multiplier is at its bound
    slack = A @ ours + q
    speed = np.abs(q).max() + np.abs(A @ ours).max()
    moving = low < high
    assert np.abs(slack[d.bound == FREE]).max(initial=0.0) < 1e-7 * speed
    assert slack[(d.bound == LOW) & moving].min(initial=0.0) > -1e-7 * speed
    assert slack[(d.bound == HIGH) & moving].max(initial=0.0) < 1e-7 * speed
    # and the motion is the same: G^T lam, as redundant rows share a force in any proportion
    push = np.abs(d.G.T @ d.lam).max() + 1e-9
    assert np.abs(d.G.T @ (d.lam - s * theirs)).max() < 1e-3 * push
    return int((d.bound != FREE).sum())


@pytest.mark.parametrize("seed", range(24))
def test_random_mechanisms(seed):
    """Ropes, motors with force limits, end stops and a smooth floor in one problem."""
    sim = taut.Simulation(random_machine(seed, floor=seed % 3 != 0))
    for _ in range(6):
        sim.run(4)
        check(sim)


def test_the_test_sees_active_bounds():
    """Else it would test nothing: over some scenes, dozens of multipliers sit at a bound."""
    active = 0
    for seed in range(8):
        sim = taut.Simulation(random_machine(seed))
        sim.run(12)
        active += check(sim)
    assert active > 20


def test_a_net_of_ropes():
    """Sixteen weights on a net where most ropes are slack: many active sets are possible, one is right."""
    rng = np.random.default_rng(0)
    bodies, joints = {}, {}
    for i in range(4):
        for k in range(4):
            bodies[f"n{i}{k}"] = Body(kind="particle", mass=float(10.0 ** rng.uniform(-1, 1)), position=(i, k, 0))
    for i in range(4):
        for k in range(4):
            for a, b in ((i + 1, k), (i, k + 1)):
                if a < 4 and b < 4:
                    joints[f"r{i}{k}{a}{b}"] = Distance(
                        a=f"n{i}{k}", b=f"n{a}{b}", length=float(rng.uniform(1.0, 1.3)), rope=True
                    )
    for i, k in ((0, 0), (3, 3), (0, 3), (3, 0)):
        joints[f"hang{i}{k}"] = Distance(
            b=f"n{i}{k}", point_a=(i, k, 1), length=float(rng.uniform(1.0, 1.2)), rope=True
        )
    sim = taut.Simulation(Scene(bodies=bodies, joints=joints))
    for _ in range(20):
        sim.run(3)
        check(sim)
