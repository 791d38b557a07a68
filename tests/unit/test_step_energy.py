"""The energy account: every part by itself, and nothing left over."""

from __future__ import annotations

import numpy as np
import pytest
from machines import random_machine

import taut
from taut.scene import (
    Body,
    Box,
    Distance,
    LinearMotor,
    Material,
    Plane,
    PoseMotion,
    Scene,
    Slider,
    SolverSettings,
    Sphere,
    Wind,
)

PARTS = ("kinetic", "motors", "kinematic", "wind", "push", "dissipated", "geometric")


def account(sim, steps):
    """What appears from nowhere in so many steps, the first one included, relative to what is moved."""
    sim.run(steps)
    moved = sum(abs(sim.read(f"energy.{part}")) for part in PARTS) + abs(
        sim.read("energy.potential") - sim.start_energy
    )
    return abs(sim.read("energy.remainder")) / (moved + 1e-9)


def particles(rng, soft, count=6):
    """Particles on rods and ropes: nothing turns but the rods."""
    bodies, joints = {}, {}
    for k in range(count):
        mass, velocity = float(10.0 ** rng.uniform(-1, 1)), tuple(rng.normal(size=3))
        bodies[f"p{k}"] = Body(kind="particle", mass=mass, position=(k + 1.0, 0, 0), velocity=velocity)
        link = {"a": f"p{k - 1}"} if k else {"point_a": (0, 0, 0)}
        law = {"stiffness": 1e4, "damping_time": 0.01} if soft else {}
        joints[f"r{k}"] = Distance(b=f"p{k}", rope=not soft and bool(rng.random() < 0.5), **law, **link)
    return bodies, joints


@pytest.mark.parametrize("seed", range(6))
def test_nothing_is_left_over(seed):
    """Rigid rods and ropes, wind, a push: the remainder is round-off, for the account sums exact shares."""
    bodies, joints = particles(np.random.default_rng(seed), soft=False)
    sim = taut.Simulation(Scene(bodies=bodies, joints=joints, wind=Wind(speed=5.0)))
    sim.push("p3", (1.0, 2.0, 0.5))
    assert account(sim, 300) < 1e-9


def test_soft_rows_leave_what_they_turn_in_a_step():
    """The stretch at mid-step is linear in the rate; a rope that turns by w h in a step misses l (w h)^2/8. First
    order: the remainder falls with the step."""
    left = []
    for rate in (240, 960):
        bodies, joints = particles(np.random.default_rng(3), soft=True)
        sim = taut.Simulation(Scene(dt=1 / rate, bodies=bodies, joints=joints))
        left.append(account(sim, 2 * rate))
    assert left[1] < 0.5 * left[0] and left[1] < 5e-3


@pytest.mark.parametrize("seed", range(4))
def test_rotation_leaves_its_linearisation(seed):
    """Bodies of unequal moments: the midpoint inertia of the free motion is not that of the real one, O(h^2 w^2)."""
    assert account(taut.Simulation(random_machine(seed, floor=False)), 120) < 2e-2


def test_gravity_does_no_hidden_work():
    sim = taut.Simulation(Scene(bodies={"p": Body(kind="particle", mass=2.0, velocity=(1, 0, 5))}))
    sim.run(1)
    before = sim.read("energy.mechanical")
    sim.run(300)
    assert sim.read("energy.mechanical") == pytest.approx(before, rel=1e-12)


def test_pushing_in_free_space():
    """W = F x: exact with the mean velocity of the step."""
    sim = taut.Simulation(Scene(gravity=0, bodies={"b": Body(shape=Sphere(radius=0.1), mass=2.0)}))
    sim.push("b", (3.0, 0, 0), (0, 0, 0.01))
    sim.run(60)
    assert sim.read("energy.push") == pytest.approx(sim.read("energy.kinetic"), rel=1e-12)


def test_a_kinematic_body_that_lifts():
    """The work of the crane is the rise of the load, its kinetic energy, the spring's share and the loss."""
    motion = PoseMotion(times=(0, 10), positions=((0, 0, 3), (0, 0, 8)))
    crane = Body(kind="kinematic", motion=motion, shape=Box(size=(0.1, 0.1, 0.1)), collide=False)
    load = Body(kind="particle", mass=50.0, position=(0, 0, 1))
    rope = Distance(a="crane", b="load", stiffness=1e5, damping_time=0.02)
    sim = taut.Simulation(Scene(bodies={"crane": crane, "load": load}, joints={"rope": rope}))
    sim.run(500)
    # heights at mid-step
    rise = 50.0 * 9.81 * (sim.read("load.position[2]") - 0.5 * sim.dt * sim.read("load.velocity[2]") - 1.0)
    gained = rise + sim.read("energy.kinetic") + sim.read("energy.elastic")
    assert sim.read("energy.kinematic") == pytest.approx(gained + sim.read("energy.joint_loss"), rel=1e-9)


def test_friction_takes_what_the_block_had():
    """A block that slides to rest: contact loss equals its kinetic energy, but for micrometres of sinking in."""
    block = Body(shape=Box(size=(0.5, 0.5, 0.2)), mass=4.0, position=(0, 0, 0.1), velocity=(3, 0, 0), material="m")
    ground = Body(kind="static", shape=Plane(), material="m")
    sim = taut.Simulation(Scene(materials={"m": Material(friction=0.4)}, bodies={"ground": ground, "block": block}))
    sim.run(120)
    assert sim.read("block.speed") < 1e-6
    assert sim.read("energy.contact_loss") == pytest.approx(0.5 * 4.0 * 9.0, rel=1e-4)


def test_a_motor_that_brakes_takes_energy():
    joint = Slider(b="cage", axis=(0, 0, 1), motor=LinearMotor(target=-1.0))
    sim = taut.Simulation(Scene(bodies={"cage": Body(shape=Box(size=(1, 1, 1)), mass=10.0)}, joints={"lift": joint}))
    sim.run(120)
    # sinks by 2 m at constant speed: all of m g z is braked, but the kinetic energy it keeps
    sunk = -10.0 * 9.81 * (sim.read("lift.travel") + 0.5 * sim.dt)
    assert sim.read("energy.motors") == pytest.approx(-sunk + 5.0, rel=1e-9)


def test_dissipation_of_the_floor_is_shown():
    """A stiff spring with no damping of its own loses by the solver's floor, and the account says so."""
    scene = Scene(
        gravity=0,
        bodies={"p": Body(kind="particle", mass=1.0, position=(1.1, 0, 0))},
        joints={"s": Distance(b="p", point_a=(0, 0, 0), length=1.0, stiffness=1e3)},
        solver=SolverSettings(damping_floor=0.1),
    )
    sim = taut.Simulation(scene)
    start = 0.5 * 1e3 * 0.01
    sim.run(60)
    assert sim.read("energy.dissipated") > 0.1 * start
    assert sim.read("energy.mechanical") + sim.read("energy.dissipated") == pytest.approx(start, rel=1e-9)


def test_a_throw_begins_in_the_middle_of_a_step():
    """A velocity of the start is that of the middle of a step before it; the account begins there, with m g h v/2 less."""
    bodies = {"stone": Body(kind="particle", mass=2.0, velocity=(1.0, 0.0, 8.0))}
    sim = taut.Simulation(Scene(bodies=bodies, gravity=(0, 0, -10)))
    assert sim.read("energy.remainder") == 0.0
    before = sim.start_energy
    sim.run(30)
    assert sim.start_energy == pytest.approx(before - 2.0 * 10.0 * sim.dt * 8.0 / 2.0)
    assert abs(sim.read("energy.remainder")) < 1e-11


def handed_on(dt):
    """A ring on a trolley that runs while its layered rope is held: rope goes from one side to the other, at the trolley's speed."""
    scene = taut.Scene.model_validate({
        "dt": dt,
        "bodies": {
            "trolley": {"mass": 300.0, "shape": {"type": "box", "size": [1, 1, 0.3]}, "velocity": [3.0, 0, 0], "collide": False},
            "hook": {"mass": 200.0, "shape": {"type": "sphere", "radius": 0.3}, "position": [0, 0, -9.5], "velocity": [3.0, 0, 0], "collide": False},
        },
        "joints": {"rail": {"type": "slider", "b": "trolley", "axis": [1, 0, 0]}},
        "cables": {"hoist": {
            "model": "layered", "mass_per_length": 2.0, "modes": 4, "axial_stiffness": 1e6, "damping_time": 0.05, "tension": 2000.0,
            "route": [{"type": "end", "at": [-20, 0, 0]}, {"type": "ring", "on": "trolley", "at": [0, 0, 0]}, {"type": "end", "on": "hook", "at": [0, 0, -9]}],
        }},
    })  # fmt: skip
    sim = taut.Simulation(scene)
    worst = 0.0
    for _ in range(round(2.0 / dt)):
        sim.run(1)
        worst = max(worst, abs(sim.read("energy.remainder")))
    return worst, sim.read("energy.carried"), sim.read("energy.kinetic")


def test_rope_that_is_handed_on_brings_its_energy_along():
    """What mass brings along that goes from span to span is booked by name; what is left is the error of the step, half of it at half
    the step, and not a force that is missing, which would not get less."""
    (worst, carried, moved), (half, _, _) = handed_on(1 / 60), handed_on(1 / 120)
    assert worst < 1e-3 * moved and half < 0.6 * worst
    assert carried > 2.0 * worst


@pytest.mark.parametrize("length", [0.9, 1.3])
def test_elastic_ropes_that_go_slack_and_snap_taut_leave_nothing_over(length):
    """A weight on a rope that is a spring when taut: stretched at the start, or slack. What a rope holds when it goes slack is lost, and
    one that is slack holds nothing, however far it is from taut."""
    bodies = {"weight": Body(kind="particle", mass=5.0, position=(0, 0, -1.0), velocity=(0, 0, 3.0))}
    joints = {
        "rope": Distance(b="weight", point_a=(0, 0, 0), rope=True, length=length, stiffness=1e5, damping_time=0.001)
    }
    sim = taut.Simulation(Scene(bodies=bodies, joints=joints))
    slack = 0
    for _ in range(300):
        sim.run(1)
        slack += sim.read("rope.tension") == 0.0
        assert abs(sim.read("energy.remainder")) < 1e-9
    assert 20 < slack < 290
