"""Ropes with more contacts than a border takes: friction to its tolerance, and no energy from it."""

from __future__ import annotations

import numpy as np

import taut
from taut.validate.contact_capstan import Wrap
from taut.validate.segmented_scene import settle


def test_every_contact_of_a_hauled_rope_is_on_its_cone():
    """Half a turn hauled slowly: eighteen contacts that all slide. Force and slip of each obey Coulomb's law."""
    wrap = Wrap(0.3, 1)
    sim = taut.Simulation(wrap.scene(speed=0.05))
    settle(sim, 10.0, 40)
    found = sim.contacts()
    normal = np.abs((found.force * found.normal).sum(axis=1))
    across = found.force - (found.force * found.normal).sum(axis=1)[:, None] * found.normal
    acting = normal > 1e-3 * normal.max()
    assert acting.sum() >= 16
    assert np.allclose(np.linalg.norm(across, axis=1)[acting], 0.3 * normal[acting], rtol=1e-4)
    # friction on b opposes the slip of b
    assert ((across * found.slip).sum(axis=1)[acting] < 0.0).all()
    assert sim.read("residual.cone") < 1e-5
