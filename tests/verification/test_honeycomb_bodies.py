"""Honeycomb cables with bodies of the scene: they carry them, push them and are pushed, and keep what is to be kept."""

import numpy as np
import pytest

import taut
from taut.scenes import open_scene

MATERIAL = """
    axial_stiffness: 8 kN
    bending_stiffness: 0.2 N m^2
    torsional_stiffness: 0.15 N m^2
    diameter: 40 mm
    mass_per_length: 0.8 kg/m
"""
IN_SPACE = f"""
taut: 1
gravity: 0
bodies:
  a: {{mass: 1 kg, velocity: [0, 0.3, 0.5], spin: [0, 1, 2], shape: {{type: box, size: [0.1, 0.1, 0.1]}}}}
  b: {{position: [0.3, 0, 0], mass: 2 kg, velocity: [0.2, -0.5, 0], shape: {{type: box, size: [0.1, 0.2, 0.1]}}}}
cables:
  rope:
    model: honeycomb
{MATERIAL}
    route:
      - {{type: end, on: a, at: [0.05, 0, 0], hold: pose}}
      - {{type: end, on: b, at: [0.25, 0, 0], hold: pose}}
"""
HANGING = f"""
taut: 1
bodies:
  load: {{position: [0, 0, -0.4], mass: 5 kg, shape: {{type: sphere, radius: 0.05}}}}
cables:
  rope:
    model: honeycomb
{MATERIAL}
    damping_time: 2 ms
    tension: 49.8 N
    route:
      - {{type: end, at: [0, 0, 0], hold: pose}}
      - {{type: end, on: load, at: [0, 0, -0.35], hold: pose}}
"""
MEETING = """
taut: 1
gravity: 0
bodies:
  ball: {position: [0.1, 0.01, 0.2], velocity: [0, 0, -1.5], mass: 0.3 kg, shape: {type: sphere, radius: 0.05}}
  hand: {kind: kinematic, position: [5, 0, 0]}
cables:
  rope:
    model: honeycomb
    scheme: SCHEME
    collide: true
    axial_stiffness: 4 kN
    bending_stiffness: 0.2 N m^2
    torsional_stiffness: 0.15 N m^2
    diameter: 40 mm
    mass_per_length: 0.8 kg/m
    route:
      - {type: free, at: [0, 0, 0.1]}
      - {type: free, at: [0.2, 0, 0.1]}
"""


@pytest.mark.parametrize(("rate", "most"), [(60, 1e-3), (240, 1e-4)])
def test_momentum_of_two_bodies_and_their_rope(rate: int, most: float) -> None:
    sim = taut.Simulation(taut.Scene.from_yaml(IN_SPACE).with_overrides([f"dt=1/{rate}"]))
    linear, angular = sim.read("momentum.linear"), sim.read("momentum.angular")
    sim.run(3 * rate // 4)
    # what a body gets the rope gives, at every linearisation: round-off alone
    assert sim.read("momentum.linear") == pytest.approx(linear, abs=1e-12)
    # angular momentum, also in the first steps, in which spinning bodies jerk a rope that lay straight: the moment of the mean
    # force is taken back, to 1e-4 of the hexagon's side at which passes end
    assert np.linalg.norm(sim.read("momentum.angular") - angular) < most * np.linalg.norm(angular)


def test_a_load_hangs_at_rest_and_weighs_what_it_weighs() -> None:
    sim = taut.Simulation(taut.Scene.from_yaml(HANGING))
    sim.run(120)
    weight = (5.0 + 0.5 * 0.8 * 0.35) * 9.81
    assert np.mean(sim.read("rope.tensions")) == pytest.approx(weight, rel=2e-3)
    # the end layer moves with the load: its half cell hangs on it too
    assert sim.read("rope.force_on_load")[2] == pytest.approx(5.0 * 9.81, rel=2e-3)
    assert sim.read("load.speed") < 1e-3
    # strain under the mean tension, EA = 8 kN
    assert sim.read("rope.stretch") == pytest.approx(weight / 8e3, rel=0.02)
    assert abs(sim.read("energy.remainder")) < 1e-3


def test_a_ball_and_a_rope_meet_in_space() -> None:
    sim = taut.Simulation(taut.Scene.from_yaml(MEETING.replace("SCHEME", "verlet")))
    before = sim.read("momentum.linear")
    sim.run(15)
    # they have met: the ball was stopped, the rope set in motion
    assert sim.read("ball.velocity[2]") > -1.2
    assert sim.read("rope.fastest") > 0.3
    # half and half of the forces at both ends of a substep, on both sides: round-off
    assert sim.read("momentum.linear") == pytest.approx(before, abs=1e-12)


def test_an_implicit_lattice_does_not_push_bodies_and_says_so() -> None:
    with pytest.raises(taut.SceneError, match="cannot push dynamic bodies"):
        taut.Simulation(taut.Scene.from_yaml(MEETING.replace("SCHEME", "implicit")))


def test_a_shoved_load_settles_in_few_passes() -> None:
    """Layers that turn are turned, and the balance of moments is taken by what the last pass did: 4 passes a step throughout. With
    masses that go straight on, and whole corrections, it is up to 10 here, and in rougher use more than there are."""
    scene = open_scene("honeycomb_hoist")
    rope = scene.cables["rope"]
    free = rope.model_copy(update={"lattice": rope.lattice.model_copy(update={"strain_limit": None})})
    sim = taut.Simulation(scene.model_copy(update={"cables": {"rope": free}}))
    sim.run(60)
    redone, most = sim.read("step.redone"), 0.0
    for push in ((300.0, 0.0, 0.0), (0.0, 400.0, 0.0), (-400.0, 200.0, 0.0)):
        sim.push("hook", np.array(push))
        for step in range(45):
            if step == 15:
                sim.push("hook")
            sim.run(1)
            most = max(most, sim.read("rope.passes"))
    assert most <= 6.0
    assert sim.read("step.redone") == redone


def test_a_strain_limit_moves_whole_layers_and_survives_shoves() -> None:
    """As shipped, with a hand that shoves at random: a limit that moves single masses, or goes by springs that only bend, stops
    within six seconds."""
    from taut.soak import soak

    report = soak("honeycomb_hoist", 8.0, seed=1)
    assert report.passed, report


def test_a_strain_limit_of_layers_keeps_momentum_and_form() -> None:
    from taut.cables.honeycomb import Elastic, Honeycomb
    from taut.cables.honeycomb.arrays import MASS, PER_LAYER
    from taut.cables.honeycomb.limiter import limit_layers

    material = Elastic(EA=6e4, EI=0.4, GJ=0.3, diameter=0.04, mass_per_length=1.0)
    rope = Honeycomb([(0, 0, 0), (0, 0, -0.2)], material, layers=12, start="free")
    a = rope._a
    per, mass = int(a.size[PER_LAYER]), a.node[:, MASS]
    middle = slice(5 * per, 6 * per)
    form = a.pos[middle] - a.pos[middle.start]
    a.pos[6 * per :] += np.array([0.0, 0.0, -0.002])
    before, centre = mass @ a.vel, mass @ a.pos
    assert limit_layers(a, a.law, 0.05, 50, 1e-3) < 50
    assert mass @ a.vel == pytest.approx(before, abs=1e-12)
    assert mass @ a.pos == pytest.approx(centre, abs=1e-12)
    assert a.pos[middle] - a.pos[middle.start] == pytest.approx(form, abs=1e-12)
