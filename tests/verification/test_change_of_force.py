"""Contacts that are many give way for a change of their force, once and by little (docs/contact.md, changes of force)."""

from __future__ import annotations

import numpy as np
import pytest

import taut
from taut.core.model import RUBBING
from taut.step.collide import LAG

G, MASS, MU = 9.81, 10.0, 0.5


def _boxes(count: int) -> taut.Simulation:
    bodies = {"ground": taut.Body(kind="static", shape=taut.Plane(), material="m")}
    for k in range(count):
        bodies[f"box{k}"] = taut.Body(
            shape=taut.Box(size=(0.4, 0.4, 0.2)), mass=MASS, position=(k, 0.0, 0.1), material="m"
        )
    return taut.Simulation(taut.Scene(materials={"m": taut.Material(friction=MU)}, bodies=bodies))


@pytest.mark.parametrize("part", [0.3, 0.9])
def test_a_push_below_the_limit_moves_by_a_thousandth_of_a_fall_once(part: float) -> None:
    sim = _boxes(15)
    sim.run(30)
    assert sim.work.count[RUBBING] == 1  # 60 contacts are too many for a border
    start = np.array([sim.read(f"box{k}.position[0]") for k in range(15)])
    for k in range(15):
        sim.push(f"box{k}", force=(part * MU * MASS * G, 0.0, 0.0))
    sim.step()
    first = np.array([sim.read(f"box{k}.position[0]") for k in range(15)]) - start
    # |s| = eps |change of lam_t| <= LAG g h, since lam_t <= lam_n; w of a corner of a box is up to four times 1/m
    assert (first > 0.0).all() and (first < 4.0 * LAG * G * sim.dt**2).all()
    sim.run(120)
    later = np.array([sim.read(f"box{k}.position[0]") for k in range(15)]) - start
    # what sticks creeps by a millionth of a fall a step; the rest of the change of force is made good in a few steps
    assert (later < 4.0 * LAG * G * sim.dt**2 + 4e-6 * G * sim.dt * 2.0).all()
    assert sim.read("residual.cone") < 1e-6


def test_beyond_the_limit_they_slide_as_blocks_do() -> None:
    sim = _boxes(15)
    sim.run(30)
    for k in range(15):
        sim.push(f"box{k}", force=(1.5 * MU * MASS * G, 0.0, 0.0))
    sim.run(30)
    before = np.array([sim.read(f"box{k}.velocity[0]") for k in range(15)])
    sim.run(60)
    rate = (np.array([sim.read(f"box{k}.velocity[0]") for k in range(15)]) - before) / (60 * sim.dt)
    # a = F/m - mu g; constant forces make exact steps
    assert rate == pytest.approx(0.5 * MU * G, rel=1e-6)
