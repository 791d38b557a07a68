"""Motion along a line: the discrete result is known exactly, so tolerances are round-off."""

from __future__ import annotations

import math

import numpy as np
import pytest

import taut
from taut.scene import Body, Box, Distance, Hinge, LinearLimits, LinearMotor, Lock, Scene, Slider, SolverSettings
from taut.validate import reference
from taut.validate.oscillator import MASS, STIFFNESS, STRETCH, spring_scene
from taut.validate.watch import watch

G, H = reference.G, 1.0 / 60.0


def test_projectile():
    """x = v t, z = v t - g h^2 n (n + 1)/2."""
    sim = taut.Simulation(Scene(bodies={"p": Body(kind="particle", mass=1.0, velocity=(3, 0, 5))}))
    sim.run(100)
    assert sim.read("p.position[0]") == pytest.approx(3 * 100 * H, rel=1e-13)
    assert sim.read("p.position[2]") == pytest.approx(
        5 * 100 * H - reference.falling_steps(G, H, np.array(100)), rel=1e-12
    )


@pytest.mark.parametrize(
    "settings, tau, matrix",
    [
        ({"damping_floor": 0.0}, 0.0, reference.variational_spring(STIFFNESS, MASS, 0.0, H)),
        ({}, 0.0, reference.variational_spring(STIFFNESS, MASS, 0.1 * H, H)),
        ({}, 0.02, reference.variational_spring(STIFFNESS, MASS, 0.02, H)),
        ({"stepper": "first_order"}, 0.0, reference.first_order_spring(STIFFNESS, MASS, 0.0, H)),
        ({"stepper": "first_order"}, 0.02, reference.first_order_spring(STIFFNESS, MASS, 0.02, H)),
    ],
)
def test_spring_recurrence(settings, tau, matrix):
    """Each step is the 2 x 2 matrix of the stepper, to round-off times 300 steps."""
    sim = taut.Simulation(spring_scene(tau, **settings))
    theory = reference.recurrence(matrix, np.array([STRETCH, 0.0]), 300)
    for n in range(1, 301):
        sim.run(1)
        assert sim.read("bob.position[0]") - 1.0 == pytest.approx(theory[n, 0], abs=1e-11)


def test_the_undamped_matrix_has_the_stated_frequency():
    """tan(theta/2) = omega h / 2, modulus one."""
    values = np.linalg.eigvals(reference.variational_spring(STIFFNESS, MASS, 0.0, H))
    assert np.abs(values) == pytest.approx(1.0, abs=1e-14)
    assert abs(np.angle(values[0])) == pytest.approx(2.0 * math.atan(0.5 * math.sqrt(STIFFNESS / MASS) * H), rel=1e-12)


def test_two_masses_on_a_spring_keep_their_centre():
    """Reduced mass: w^2 = k (1/m1 + 1/m2); the centre of mass stays to round-off."""
    k, m1, m2 = 500.0, 1.0, 3.0
    bodies = {
        "a": Body(kind="particle", mass=m1, position=(0, 0, 0)),
        "b": Body(kind="particle", mass=m2, position=(1.1, 0, 0)),
    }
    spring = {"s": Distance(a="a", b="b", length=1.0, stiffness=k)}
    sim = taut.Simulation(Scene(gravity=0, bodies=bodies, joints=spring, solver=SolverSettings(damping_floor=0.0)))
    seen = watch(
        sim,
        4.0,
        {
            "x": lambda s: s.read("s.length") - 1.0,
            "c": lambda s: m1 * s.read("a.position[0]") + m2 * s.read("b.position[0]"),
        },
    )
    omega = math.sqrt(k * (1 / m1 + 1 / m2))
    # crossings by cubics through 15 samples a period
    assert reference.period(seen.time, seen["x"]) == pytest.approx(math.pi * H / math.atan(0.5 * omega * H), rel=3e-4)
    assert np.abs(seen["c"] - m2 * 1.1).max() < 1e-13


def test_lever():
    """Two weights on a hinged beam: a'' = (m1 - m2) g l cos a / ((m1 + m2) l^2 + I), from rest: the first step exactly,
    but for the 1e-12 floor of eighteen rigid rows."""
    m1, m2, l = 3.0, 2.0, 1.5
    beam = Body(shape=Box(size=(0.1, 0.1, 0.1)), mass=1.0)
    bodies = {"beam": beam}
    joints = {"pin": Hinge(b="beam", at=(0, 0, 0), axis=(0, 1, 0))}
    for name, mass, x in (("one", m1, l), ("two", m2, -l)):
        bodies[name] = Body(shape=Box(size=(0.1, 0.1, 0.1)), mass=mass, position=(x, 0, 0), collide=False)
        joints[f"to_{name}"] = Lock(a="beam", b=name)
    sim = taut.Simulation(Scene(bodies=bodies, joints=joints))
    sim.run(1)
    own = (1.0 + m1 + m2) * (0.1**2 + 0.1**2) / 12.0
    theory = (m1 - m2) * G * l / ((m1 + m2) * l * l + own)
    assert sim.read("pin.rate") / H == pytest.approx(theory, rel=1e-7)


def test_two_carts_pulled_by_a_falling_weight():
    """Over a rope and a ring one pulls what another carries: here by a motor of constant force. a = F / (m1 + m2)."""
    bodies = {
        f"c{i}": Body(shape=Box(size=(0.5, 0.5, 0.5)), mass=2.0 + i, position=(i, 0, 0), collide=False)
        for i in range(2)
    }
    joints = {f"r{i}": Slider(b=f"c{i}", axis=(1, 0, 0)) for i in range(2)}
    joints["r1"] = Slider(b="c1", axis=(1, 0, 0), motor=LinearMotor(target=1e3, force_limit=10.0))
    joints["link"] = Distance(a="c0", b="c1", rope=True)
    sim = taut.Simulation(Scene(bodies=bodies, joints=joints))
    sim.run(60)
    assert sim.read("c0.velocity[0]") == pytest.approx(10.0 / 5.0, rel=1e-9)
    assert sim.read("link.tension") == pytest.approx(2.0 * 10.0 / 5.0, rel=1e-9)


@pytest.mark.parametrize("speed", [0.5, 1.0, 1.8, 3.0])
def test_narrow_end_stops(speed):
    """Stops nearer to each other than the way of a step: overshoot by one step's way at most, then held inside."""
    cage = Body(shape=Box(size=(0.1, 0.1, 0.1)), mass=1.0, velocity=(speed, 0, 0))
    rail = Slider(b="cage", axis=(1, 0, 0), limits=LinearLimits(lower=-0.02, upper=0.025))
    sim = taut.Simulation(Scene(gravity=0, bodies={"cage": cage}, joints={"rail": rail}))
    seen = watch(sim, 2.0, {"x": "rail.travel"})
    assert np.abs(seen["x"]).max() < 0.025 + speed * H + 1e-9
    assert -0.0201 < seen["x"][-1] < 0.0251


@pytest.mark.parametrize("drop", [0.5, 0.6, 0.7, 0.8, 0.9, 1.0])
def test_a_rope_that_catches_gives_no_energy(drop):
    """A weight falls into a slack rigid rope: whatever the phase of the step, it leaves no faster than it came."""
    hook = Body(kind="particle", mass=10.0, position=(0, 0, -2.0 + drop))
    rope = Distance(b="hook", point_a=(0, 0, 0), length=2.0, rope=True)
    sim = taut.Simulation(Scene(bodies={"hook": hook}, joints={"rope": rope}))
    seen = watch(sim, 1.0, {"v": "hook.velocity[2]", "e": "energy.mechanical", "pull": "rope.tension"})
    fall = -seen["v"].min()
    # time-centred energy: the weight of half a step's way
    assert seen["e"].max() - sim.start_energy < 10.0 * G * fall * H
    assert seen["v"].max() < 1.02 * fall
    assert seen["pull"].min() >= 0.0
