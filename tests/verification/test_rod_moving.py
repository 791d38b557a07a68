"""Rods between bodies that move: against closed forms, conservation, and at the limits of the step."""

from __future__ import annotations

import math

import numpy as np
import pytest

from taut import Scene, Simulation
from taut.scene import Body, Box, Cable, End, Hinge
from taut.scenes import open_scene

CLAMPED = {"hold": "pose", "direction": (1.0, 0.0, 0.0)}


def arm(mass: float, modulus: float = 6e6, length: float = 1.3, dt: float = 1.0 / 60.0) -> Simulation:
    """An arm on a hinge, a hose from the world clamped to its end."""
    hose = Cable(
        model="rod", length=length, modulus=modulus, density=1200.0, diameter=0.012,
        route=(End(at=(0, 0, 0), **CLAMPED), End(on="arm", at=(0.35, 0, 0), **CLAMPED)),
    )  # fmt: skip
    body = Body(mass=mass, shape=Box(size=(0.3, 0.04, 0.04)), position=(0.5, 0, 0))
    hinge = Hinge(b="arm", at=(0.65, 0, 0), axis=(0, 1, 0))
    return Simulation(Scene(bodies={"arm": body}, joints={"pivot": hinge}, cables={"hose": hose}, dt=dt))


def test_mass_on_a_quarter_ring() -> None:
    """A particle at the end of a rod whose rest shape is a quarter of a ring. By Castigliano, bending only, the compliance
    of its end in x and y is R^3/EI [[pi/4, -1/2], [-1/2, 3 pi/4 - 2]]; the step lowers the frequency by (omega h)^2/12,
    5e-5 here, 60 chords the compliance by 1e-3."""
    stiffness, mass, dt, radius = 1.0, 0.5, 1e-2, 2.0 / math.pi
    rod = Cable(
        model="rod", length=1.0, bending_stiffness=stiffness, torsional_stiffness=1.0, mass_per_length=1e-6, segments=60,
        rest_curvature=(1.0 / radius, 0.0), route=(End(at=(0, 0, 0), **CLAMPED), End(on="ball")),
    )  # fmt: skip
    ball = Body(kind="particle", mass=mass, position=(radius, radius, 0.0))
    scene = Scene(bodies={"ball": ball}, cables={"rod": rod}, gravity=(0.0, 0.0, 0.0), dt=dt)
    sim = Simulation(scene)
    compliance = radius**3 / stiffness * np.array([[math.pi / 4.0, -0.5], [-0.5, 3.0 * math.pi / 4.0 - 2.0]])
    assert sim.state.rod_stiffness[0].reshape(12, 12)[6:8, 6:8] @ compliance == pytest.approx(np.eye(2), abs=0.2)
    values, vectors = np.linalg.eigh(compliance)
    way = vectors[:, -1]
    sim.state.body_vel[sim.compiled.bodies.index["ball"], :2] = 1e-3 * way
    seen = []
    for _ in range(1500):
        sim.run(1)
        seen.append(float(sim.read("ball.position")[:2] @ way))
    y = np.array(seen) - np.mean(seen)
    crossings = np.flatnonzero((y[:-1] < 0.0) & (y[1:] >= 0.0))
    times = crossings + y[crossings] / (y[crossings] - y[crossings + 1])
    period = float(np.diff(times).mean()) * dt
    assert 2.0 * math.pi / period == pytest.approx(math.sqrt(1.0 / (mass * values[-1])), rel=2e-3)


def test_energy_is_accounted_for() -> None:
    """An arm falls and swings with its hose for 2 s: what is not explained stays below a per mille of what moves."""
    sim = arm(0.5)
    most = 0.0
    for _ in range(120):
        sim.run(1)
        most = max(most, sim.read("energy.kinetic"))
    assert abs(sim.read("energy.remainder")) < 2e-3 * most
    assert sim.read("energy.dissipated") > 0.0
    assert sim.read("hose.unsolved") == 0.0


@pytest.mark.parametrize("mass, modulus", [(1e-3, 6e6), (1e-3, 6e8), (3e-4, 1e8), (1e-4, 6e7), (1e-4, 2e8)])
def test_light_body_on_a_stiff_hose(mass, modulus) -> None:
    """At 1/60 s, where its vibration has far less than a step to a period: it comes to rest in a true equilibrium, its hinge
    closed, which the first step, a turn of more than a radian, tears open."""
    sim = arm(mass, modulus)
    sim.run(600)
    assert sim.read("arm.speed") < 1e-3
    assert np.abs(sim.state.row_phi[:3]).max() < 1e-6
    # at rest the torque about the hinge is nil beside the moment of the hose
    centre, hinge = sim.state.body_pos[0], np.array([0.65, 0.0, 0.0])
    force, torque = sim.state.rod_end[0, 6:9], sim.state.rod_end[0, 9:12]
    weight = np.array([0.0, 0.0, -9.81 * mass])
    turning = np.cross(centre - hinge, force + weight) + torque
    assert abs(turning[1]) < 2e-3 * np.abs(sim.read("hose.moment_on_arm")).max()


def test_hose_pulled_taut_holds() -> None:
    """A hose too short for the swing of the arm catches it: beyond 99.9 % of its length it acts as a spring."""
    sim = arm(0.5, length=0.7)
    reach = []
    for _ in range(300):
        sim.run(1)
        reach.append(sim.read("hose.reach"))
    assert max(reach) < 1.02
    assert sim.read("energy.kinetic") < 0.5
    assert np.isfinite(sim.read("hose.tension"))


def test_two_free_bodies_keep_their_momentum() -> None:
    """A bent rod without weight between two bodies in space gives nothing to their sum."""
    rod = Cable(
        model="rod", length=0.5, bending_stiffness=0.05, torsional_stiffness=0.05, mass_per_length=1e-6,
        route=(End(on="one", **CLAMPED), End(on="two", hold="pose", direction=(0.0, 1.0, 0.0))),
    )  # fmt: skip
    box = Box(size=(0.05, 0.06, 0.07))
    bodies = {
        "one": Body(mass=0.2, shape=box, collide=False),
        "two": Body(mass=0.3, shape=box, collide=False, position=(0.3, 0.1, 0.05), velocity=(0.1, 0.0, 0.2)),
    }
    sim = Simulation(Scene(bodies=bodies, cables={"rod": rod}, gravity=(0.0, 0.0, 0.0), dt=1e-3))
    linear, angular = sim.read("momentum.linear").copy(), sim.read("momentum.angular").copy()
    sim.run(300)
    assert sim.read("energy.kinetic") > 0.02
    assert sim.read("momentum.linear") == pytest.approx(linear, abs=1e-6)
    # the wrench acts at the end of the step, the arms are those of its start: of first order in the step
    assert sim.read("momentum.angular") == pytest.approx(angular, abs=3e-4)


def test_goes_on_to_the_bit_after_restore() -> None:
    sim = Simulation(open_scene("robot_hose"))
    sim.run(30)
    then = sim.snapshot()
    sim.run(40)
    first = sim.state.rod_frame.copy(), sim.state.body_pos.copy()
    sim.restore(then)
    sim.run(40)
    assert (sim.state.rod_frame == first[0]).all()
    assert (sim.state.body_pos == first[1]).all()


def test_ends_stay_on_their_bodies() -> None:
    sim = Simulation(open_scene("robot_hose"))
    for _ in range(20):
        sim.run(15)
        points = sim.read("hose.shape").reshape(-1, 3)
        arm_end = _lever_end(sim)
        assert np.linalg.norm(points[-1] - arm_end) < 1e-7
    assert sim.read("hose.unsolved") == 0.0


def _lever_end(sim: Simulation) -> np.ndarray:
    """The lower end of the lever, where the hose is clamped [m]."""
    from taut.compile import frames

    return sim.read("lever.position") + frames.rotate(sim.read("lever.orientation"), np.array([0.0, 0.0, -0.1]))
