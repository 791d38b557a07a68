"""Ropes over parts: closed forms of a few steps each, and what a rope may never do."""

from __future__ import annotations

import math

import numpy as np
import pytest

import taut
from taut.measure import ropes
from taut.scene import Body, Box, Cable, End, Ring, Scene, Sheave, SolverSettings, Winch

G = 9.81
Y = (0.0, 1.0, 0.0)


def point(mass, position, **more):
    return Body(kind="particle", mass=mass, position=position, **more)


def hung(mass=200.0, **cable):
    """A load 4 m under a fixed point."""
    rope = Cable(route=(End(), End(on="load")), **cable)
    return Scene(bodies={"load": point(mass, (0, 0, -4))}, cables={"rope": rope})


def test_a_rope_under_its_tension_starts_at_rest():
    """Nothing jumps: the length for m g of tension, and not a micrometre moves."""
    sim = taut.Simulation(hung(axial_stiffness=1e5, tension=200.0 * G))
    sim.run(1)
    assert sim.read("rope.tension") == pytest.approx(200.0 * G, rel=1e-12)
    sim.run(599)
    assert sim.read("load.position[2]") == pytest.approx(-4.0, abs=1e-12)


def test_catalogue_and_section_give_the_same_stretch():
    """E A from modulus and diameter: sag m g L / EA, at rest."""
    stiffness = 100e9 * math.pi * 0.008**2 / 4.0
    sim = taut.Simulation(hung(modulus="100 GPa", diameter="8 mm", damping_time=0.2))
    sim.run(1200)
    assert -4.0 - sim.read("load.position[2]") == pytest.approx(200.0 * G * 4.0 / stiffness, rel=1e-6)


def test_a_ring_shares_the_tension_and_finds_its_place():
    """A ring that slides on a rope of 10 m between supports 6 m apart at one height hangs in the middle: T = m g / 1.6."""
    rope = Cable(route=(End(at=(-3, 0, 0)), Ring(on="bead"), End(at=(3, 0, 0))))
    bodies = {"bead": point(5.0, (0.0, 0, -4), velocity=(0, 0, 0))}
    sim = taut.Simulation(Scene(bodies=bodies, cables={"rope": rope}))
    sim.run(120)
    assert sim.read("rope.tension") == pytest.approx(5.0 * G / 1.6, rel=1e-9)
    # on its ellipse wherever it is: let go aside it never leaves it, but for (w h)^2
    bodies = {"bead": point(5.0, (2.0, 0, -4.0 * math.sqrt(1 - 4 / 25)))}
    sim = taut.Simulation(Scene(bodies=bodies, cables={"rope": rope}))
    for _ in range(300):
        sim.run(1)
        x, z = sim.read("bead.position[0]"), sim.read("bead.position[2]")
        assert math.hypot(x + 3, z) + math.hypot(x - 3, z) == pytest.approx(10.0, abs=2e-3)


def test_force_on_a_sheave_is_the_sum_of_its_tensions():
    """A sheave on a heavy body between two spans at right angles: T (u1 + u2)."""
    wheel = Sheave(on="mast", at=(0, 0, 0), axis=Y, radius=0.3)
    bodies = {
        "mast": Body(shape=Box(size=(1, 1, 1)), mass=1e6, position=(0, 0, 0), collide=False),
        "load": point(100.0, (0.3, 0, -5)),
    }
    rope = Cable(route=(End(at=(-6, 0, 0.3)), wheel, End(on="load")))
    sim = taut.Simulation(Scene(bodies=bodies, cables={"rope": rope}))
    sim.state.body_push[sim.compiled.bodies.index["mast"], 2] = 1e6 * G
    sim.run(2)
    pull = sim.read("rope.tension")
    assert pull == pytest.approx(100.0 * G, rel=1e-3)
    assert sim.read("rope.force_on_mast") == pytest.approx(np.array([-pull, 0.0, -pull]), abs=1e-3 * pull)
    # the wheel turns freely: no torque about its axis beyond what its place gives
    assert abs(ropes.wrench_on(sim, "rope", "mast")[4]) < 1e-9 * pull


def test_side_force_of_a_fleet_angle():
    """A rope that runs off at an angle b pushes the wheel sideways: equal and opposite to its pull along the axis."""
    aside = 0.8
    wheel = Sheave(on="mast", at=(0, 0, 0), axis=Y, radius=0.3)
    bodies = {
        "mast": Body(shape=Box(size=(1, 1, 1)), mass=1e9, position=(0, 0, 0), collide=False),
        "load": point(100.0, (0.3, aside, -5)),
    }
    rope = Cable(route=(End(at=(-6, 0, 0.3)), wheel, End(on="load")))
    sim = taut.Simulation(Scene(gravity=0, bodies=bodies, cables={"rope": rope}))
    sim.push("load", (0, 0.0, -500.0))
    sim.run(1)
    force = sim.read("rope.force_on_mast") + sim.read("rope.force_on_load")
    pull = sim.read("rope.tension")
    # all that is left is at the fixed end: the sum of forces on the three is zero
    assert force == pytest.approx(np.array([-pull, 0.0, 0.0]), abs=1e-9 * pull)
    # the mass of the load and its push leave only the direction of the rope
    load = sim.read("rope.force_on_load")
    assert load[1] / load[2] == pytest.approx(-aside / 5.0, rel=1e-9)


def test_momentum_of_bodies_on_one_rope_is_kept():
    """Nothing outside pulls: three free bodies, a rope through all of them, one of them with a sheave."""
    rng = np.random.default_rng(3)
    bodies = {
        name: Body(
            shape=Box(size=(0.4, 0.5, 0.6)), mass=3.0, position=place, velocity=tuple(rng.normal(size=3)),
            spin=tuple(rng.normal(size=3)), collide=False,
        )
        for name, place in (("a", (-3, 0, 0)), ("b", (0, 0, 2)), ("c", (3, 0.2, 0)))
    }  # fmt: skip
    wheel = Sheave(on="b", axis=Y, radius=0.3, turn="left")
    rope = Cable(route=(End(on="a"), wheel, End(on="c")), axial_stiffness=1e4, tension=200.0)
    scene = Scene(gravity=0, bodies=bodies, cables={"rope": rope}, solver=SolverSettings(geometric_stiffness=0.0))
    sim = taut.Simulation(scene)
    linear, angular = sim.read("momentum.linear"), sim.read("momentum.angular")
    sim.run(60)
    assert sim.read("momentum.linear") == pytest.approx(linear, abs=1e-11)
    assert sim.read("momentum.angular") == pytest.approx(angular, abs=1e-11)
    assert np.abs(sim.read("a.velocity") - bodies["a"].velocity).max() > 0.5


def test_a_rope_parts_at_its_breaking_load():
    """Hoisted harder and harder: it holds below its breaking load and is gone above."""
    drum = Winch(at=(-0.2, 0, 0), axis=Y, radius=0.2, turn="left", name="drum", acceleration=4.0)
    rope = Cable(route=(drum, End(on="load")), breaking_load=100.0 * (G + 2.0))
    for acceleration, breaks in ((1.5, False), (2.5, True)):
        route = (drum.model_copy(update={"acceleration": acceleration}), End(on="load"))
        scene = Scene(
            bodies={"load": point(100.0, (0, 0, -9))}, cables={"rope": rope.model_copy(update={"route": route})}
        )
        sim = taut.Simulation(scene)
        sim.controls["drum.speed"] = 1.0
        sim.run(20)
        height, speed = sim.read("load.position[2]"), sim.read("load.velocity[2]")
        sim.run(6)
        assert (sim.read("rope.tension") == 0.0) == breaks
        if breaks:
            assert sim.read("load.velocity[2]") == pytest.approx(speed - 6 * G / 60, abs=1e-9)
        else:
            assert sim.read("rope.safety") == pytest.approx((G + 2.0) / (G + 1.5), rel=1e-6)
            assert sim.read("load.position[2]") > height


def test_a_restored_run_goes_on_bit_by_bit():
    """Winch with a brake that closes, sheave with loss and inertia: everything a restart needs is in the state."""
    drum = Winch(at=(-0.2, 0, 0), axis=Y, radius=0.2, turn="left", name="drum", brake=5000.0, brake_delay=0.3)
    wheel = Sheave(on="block", at=(0.3, 0, -6), axis=Y, radius=0.3, turn="left", efficiency=0.95, inertia=0.2)
    bodies = {"block": Body(shape=Box(size=(0.5, 0.5, 0.5)), mass=300.0, position=(0.3, 0, -7), collide=False)}
    rope = Cable(route=(drum, wheel, End(at=(0.6, 0, 0))), axial_stiffness=1e6)
    sim = taut.Simulation(Scene(bodies=bodies, cables={"rope": rope}))
    sim.controls["drum.speed"] = 0.7
    sim.run(50)
    sim.controls["drum.speed"] = 0.0
    sim.run(10)
    there = sim.snapshot()
    sim.run(90)
    first = sim.snapshot()
    sim.restore(there)
    sim.run(90)
    # the integers also count the elimination plans built
    assert np.array_equal(first.floats, sim.snapshot().floats)
    assert sim.read("drum.mode") == 2.0


def test_the_energy_of_a_hoist_is_the_work_of_its_drum():
    """Motor work = m g z + m v^2/2 + elastic + what the sheave took."""
    drum = Winch(at=(-0.2, 0, 0), axis=Y, radius=0.2, turn="left", name="drum", acceleration=0.5)
    wheel = Sheave(on="block", at=(0.3, 0, -6), axis=Y, radius=0.3, turn="left", efficiency=0.9)
    bodies = {"block": Body(shape=Box(size=(0.5, 0.5, 0.5)), mass=300.0, position=(0.3, 0, -7), collide=False)}
    rope = Cable(route=(drum, wheel, End(at=(0.6, 0, 0))))
    sim = taut.Simulation(Scene(bodies=bodies, cables={"rope": rope}))
    start = sim.read("energy.mechanical")
    sim.controls["drum.speed"] = 1.0
    sim.run(420)
    gained = sim.read("energy.mechanical") - start
    work, lost = sim.read("energy.motors"), sim.read("energy.dissipated")
    assert gained == pytest.approx(300.0 * G * 3.0, rel=0.02)
    assert work == pytest.approx(gained + lost + sim.read("energy.geometric"), rel=1e-4)
    # two falls, T and 0.9 T: half of the rope's way passes the sheave and loses 0.1 T there: 5 % of T v
    assert lost / work == pytest.approx(0.1 / 2.0, rel=0.05)
