"""Ropes with more contacts than a border takes: friction to its tolerance, and no energy from it."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

import taut
from taut.validate.contact_capstan import Wrap, haul
from taut.validate.contact_ground import heap_scene
from taut.validate.contact_reference import segmented_exponent
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


def test_a_hauled_rope_keeps_eulers_law_while_segments_come_and_go():
    """Two and a half turns, mu theta = 6.28: a whole segment comes onto the post and another leaves it. The ratio of both pulls, e^6.1, is that of
    rigid segments in every step, to one per cent of its logarithm."""
    wrap = Wrap(0.4, 5)
    law = segmented_exponent(wrap.friction, wrap.angle, wrap.radius, wrap.thickness, wrap.per_turn)
    seen = haul(taut.Simulation(wrap.scene(speed=0.1)), wrap, 1.0)
    assert len(seen.exponents) > 30
    assert np.mean(seen.exponents) == pytest.approx(law, rel=2e-3)
    assert np.allclose(seen.exponents, law, rtol=1e-2)


def test_a_heap_lands_with_its_friction_solved():
    """Sixty segments fall onto each other: every step ends, no energy of motion and height appears, none passes through another, and they
    come to rest."""
    sim = taut.Simulation(heap_scene(60))
    start = sim.read("energy.mechanical")
    cones = []
    for _ in range(60):
        before = sim.read("step.bound_iterations")
        sim.step()
        cones.append(sim.read("residual.cone"))
        assert sim.read("energy.kinetic") + sim.read("energy.potential") < start
        assert sim.read("contact.penetration") < 0.5 * 0.01
        assert sim.read("step.bound_iterations") - before < 500
    assert np.median(cones) < 1e-5
    assert np.abs(sim.state.body_vel[:, :3]).max() < 0.1


def test_a_knot_pulled_tight_holds() -> None:
    """An overhand knot, drawn tight by a load that is lifted: what stands in the knot stays there, and the rope carries the load."""
    sim = taut.Simulation("knot")
    rope = sum(math.dist(a, b) for a, b in pairwise(sim.scene.cables["rope"].places))
    start = float(sim.read("load.position[2]"))

    def span() -> float:
        # from where the rope is tied to the load, 16 cm above its centre
        return float(sim.read("hand.position[2]") - sim.read("load.position[2]")) - 0.16

    sim.run(round(6.0 / sim.dt))
    assert sim.read("load.position[2]") > start + 0.1  # it hangs
    tight = span()
    # an ideal overhand knot takes some ten diameters of rope; none is left of one that has run through
    assert 0.08 < rope - tight < 0.16
    sim.run(round(2.0 / sim.dt))
    assert span() == pytest.approx(tight, abs=1e-3)
    assert sim.read("contact.penetration") < 0.05 * 0.005
    assert float(sim.read("rope.tensions")[2]) == pytest.approx(5.0 * 9.81, rel=0.05)
    assert sim.read("step.redone") == 0
