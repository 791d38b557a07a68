"""The step's own system, solved again by numpy: velocities and multipliers of whole mechanisms."""

from __future__ import annotations

import numpy as np
import pytest
from machines import random_machine
from systems import dense_system, free_solution

import taut
from taut.scene import Body, Chain, Scene, Sphere


def compare(sim, tolerance=1e-6):
    """The forces of redundant rows may differ along what cancels: compare what they do, G^T lam."""
    d = dense_system(sim)
    v, lam = free_solution(d)
    speed = np.abs(d.v).max() + 1e-3
    assert np.abs(v - d.v).max() < tolerance * speed
    force = np.abs(d.r).max() + np.abs(d.G.T @ lam).max()
    assert np.abs(d.G.T @ (lam - d.lam)).max() < tolerance * force


@pytest.mark.parametrize("seed", range(20))
def test_random_mechanisms(seed):
    sim = taut.Simulation(random_machine(seed))
    for _ in range(6):
        sim.run(5)
        compare(sim)


@pytest.mark.parametrize("ratio", [1.0, 1e3, 1e6])
def test_a_chain_with_a_load(ratio):
    """Mass ratio 1e6: numpy's pivoted solve has 1e-10 of its own at this condition."""
    load = Body(shape=Sphere(radius=0.2), mass=0.1 * ratio, position=(3, 0, -1))
    chain = Chain(start=(0, 0, 0), end=(3, 0, -1), links=16, mass_per_length=0.5, b="load")
    sim = taut.Simulation(Scene(bodies={"load": load}, chains={"c": chain}))
    for _ in range(5):
        sim.run(3)
        compare(sim, 1e-5)


def test_the_residual_that_is_shown_is_the_residual():
    """residual.speed is the largest |G v+ + Sigma lam - b| of the free rows."""
    sim = taut.Simulation(random_machine(3))
    sim.run(10)
    d = dense_system(sim)
    miss = np.abs(d.G @ d.v + d.sigma * d.lam - d.b)[d.bound == 0]
    assert sim.read("residual.speed") == pytest.approx(miss.max(initial=0.0), abs=1e-13)
