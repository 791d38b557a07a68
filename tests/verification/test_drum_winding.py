"""A segmented rope that winds on a drum by contact."""

from __future__ import annotations

import math

import numpy as np
import pytest

import taut
from taut.scenes import open_scene

#: of the scene: radius of the drum, thickness of the rope [m], weight of the load [N]
DRUM, THICK, WEIGHT = 0.15, 0.012, 5.0 * 9.81


def test_a_drum_winds_rope_by_contact():
    """The load rises by what the drum takes up, (R + d/2) times its angle less what segments cut off as chords of their circle; the rope lies on the
    drum turn beside turn, and carries no more than the load."""
    sim = taut.Simulation(open_scene("drum_winding"))
    start = float(sim.read("load.position[2]"))
    deepest = 0.0
    for _ in range(round(5.0 / sim.dt)):
        sim.step()
        deepest = max(deepest, float(sim.read("contact.penetration")))
    # 2 rad/s, reached after half a second
    angle = 2.0 * (5.0 - 0.25)
    rise = float(sim.read("load.position[2]")) - start
    assert rise == pytest.approx((DRUM + 0.5 * THICK) * angle, rel=0.02)
    assert deepest < 0.05 * 0.5 * THICK
    found = sim.contacts()
    distance = np.hypot(found.point[:, 0], found.point[:, 2] - 0.6)
    on_drum = np.abs(distance - DRUM) < 0.1 * THICK
    turns = angle / (2.0 * math.pi)
    assert on_drum.sum() > 15 * turns
    # turn beside turn: the drum has travelled, the rope comes on in one plane
    assert np.ptp(found.point[on_drum, 1]) > 0.5 * THICK
    assert float(np.asarray(sim.read("rope.tensions"))[-2]) == pytest.approx(WEIGHT, rel=0.1)
    assert np.isfinite(sim.state.body_pos).all()
