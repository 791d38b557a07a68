"""Thin and fast at 1/60 s: what would be through within one step is stopped, ropes by bodies and bodies by ropes."""

from __future__ import annotations

import numpy as np
import pytest

import taut
from taut.scene import Body, Box, Cable, End, Material, Scene, Sphere
from taut.scene.parts import Free

WITHOUT_WEIGHT = (0.0, 0.0, 0.0)


def rope(places: list[tuple[float, float, float]], diameter: float, ends: type, **more: object) -> Cable:
    """A light rope of rigid segments that touches."""
    return Cable(
        model="segmented", places=tuple(places), route=(ends(at=places[0]), ends(at=places[-1])), mass_per_length=0.2,
        diameter=diameter, axial_stiffness=1e5, bending_stiffness=1e-2, torsional_stiffness=1e-2, damping_time=0.02, collide=True,
        material="smooth", **more,
    )  # fmt: skip


@pytest.mark.parametrize("speed", [3.0, 30.0, 120.0])
@pytest.mark.parametrize(("diameter", "plate"), [(0.004, 0.001), (0.02, 0.01)])
def test_a_flying_rope_does_not_pass_through_a_plate(speed, diameter, plate):
    """Up to two metres a step against a plate of a millimetre: no segment is ever beyond it, and all momentum is taken."""
    places = [(-0.37, 0.0, -0.25 + 0.05 * k) for k in range(11)]
    body = Body(kind="static", shape=Box(size=(plate, 4.0, 4.0)), material="smooth")
    sim = taut.Simulation(
        Scene(
            gravity=WITHOUT_WEIGHT,
            materials={"smooth": Material(friction=0.0)},
            bodies={"plate": body},
            cables={"rope": rope(places, diameter, Free)},
        )
    )
    segments = sim.model.node_body
    sim.state.body_vel[segments, 0] = speed
    for _ in range(round(60 * 0.5 / speed) + 30):
        sim.step()
        assert sim.state.body_pos[segments, 0].max() < -0.5 * (plate + diameter) + 0.05 * diameter
    assert abs(sim.state.body_vel[segments, 0]).max() < 1e-3 * speed


@pytest.mark.parametrize("speed", [3.0, 30.0, 120.0])
@pytest.mark.parametrize(("diameter", "radius"), [(0.004, 0.005), (0.02, 0.02)])
def test_a_thrown_ball_does_not_pass_through_a_rope(speed, diameter, radius):
    """A ball of grams against the middle of a rope that is held at both ends: it stays on its side and is caught or thrown back."""
    places = [(0.0, 0.0, -0.5 + 0.1 * k) for k in range(11)]
    ball = Body(
        shape=Sphere(radius=radius),
        mass=0.005,
        position=(-0.37, 0.0, 0.05),
        velocity=(speed, 0.0, 0.0),
        material="smooth",
    )
    sim = taut.Simulation(
        Scene(
            gravity=WITHOUT_WEIGHT,
            materials={"smooth": Material(friction=0.0)},
            bodies={"ball": ball},
            cables={"rope": rope(places, diameter, End)},
        )
    )
    segments = [i for i in sim.model.node_body if i != sim.compiled.bodies.index["ball"]]
    middle = segments[int(np.argmin(np.abs(sim.state.body_pos[segments, 2] - 0.05)))]
    for _ in range(round(60 * 0.4 / speed) + 30):
        sim.step()
        gap = sim.state.body_pos[middle, 0] - float(sim.read("ball.position[0]"))
        # at an angle the segment's middle may be nearer than both radii by what it has turned
        assert gap > 0.5 * (0.5 * diameter + radius)
    assert float(sim.read("ball.velocity[0]")) < 0.5 * speed
