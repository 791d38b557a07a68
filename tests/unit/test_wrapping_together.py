"""Wraps of ropes together with what else ropes have: weight, drums with a traverse, cuts, hooks, and grips beside them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from taut import Simulation
from taut.measure import courses, ropes
from taut.scene import Body, Box, Cable, Cylinder, End, Material, Scene, Sheave, Winch

G = 9.81
Y = (0.0, 1.0, 0.0)
ACROSS = (math.cos(math.pi / 4.0), math.sin(math.pi / 4.0), 0.0, 0.0)


@pytest.mark.parametrize("inertia", [0.0, 0.4])
def test_rope_with_weight_runs_over_a_roller_as_over_a_wheel(inertia):
    bodies = {
        "one": Body(kind="particle", mass=50.0, position=(-0.2, 0, -30)),
        "two": Body(kind="particle", mass=60.0, position=(0.2, 0, -10)),
    }
    seen = []
    for groove in (True, False):
        wheel = Sheave(at=(0, 0, 0), axis=Y, radius=0.2, groove=groove, inertia=inertia)
        rope = Cable(route=(End(on="one"), wheel, End(on="two")), mass_per_length=1.5, weight=True)
        sim = Simulation(Scene(bodies=bodies, cables={"rope": rope}))
        start = sim.read("rope.path"), sim.read("energy.potential")
        sim.run(120)
        assert abs(sim.read("energy.remainder")) < 1e-6
        seen.append([*start, sim.read("one.velocity[2]"), sim.read("rope.path"), *sim.read("rope.sides")])
    assert abs(seen[0][2]) > 3.0
    assert seen[1] == pytest.approx(seen[0], rel=1e-9)


def over_an_edge(friction: float = 0.0, **winch: object) -> Scene:
    """A load that hangs straight down from the edge of a quay, its winch behind it."""
    quay = Body(kind="static", shape=Box(size=(4, 6, 4)), position=(-2, 0, 2), collide=False, material="stone")
    load = Body(kind="particle", mass=400.0, position=(0.012, 0, 2.5))
    drum = Winch(at=(-6, 0, 3.5), axis=Y, turn="left", radius=0.25, acceleration=0.5, **winch)  # type: ignore[arg-type]
    rope = Cable(
        route=(drum, End(on="load")), obstacles=("quay",), diameter=0.024, axial_stiffness=2e6, damping_time=0.02,
        tension=400.0 * G, material="stone", mass_per_length=3.0, weight=True,
    )  # fmt: skip
    return Scene(
        bodies={"quay": quay, "load": load}, cables={"haul": rope}, materials={"stone": Material(friction=friction)}
    )


def test_tension_rises_with_height_over_smooth_edges():
    sim = Simulation(over_an_edge())
    sim.run(1200)
    leads_off = float(courses.course(sim, "haul")[0][2])
    expected = (400.0 + 3.0 * (leads_off - sim.read("load.position[2]"))) * G
    assert sim.read("haul.wraps_on_quay") == 2
    assert sim.read("haul.sides[1]") == pytest.approx(expected, rel=1e-4)
    # largest at the edges, which are parts of its path but not of its route
    highest = (400.0 + 3.0 * (4.012 - sim.read("load.position[2]"))) * G
    assert sim.read("haul.tension") == pytest.approx(highest, rel=1e-4)
    assert sim.read("haul.sides").shape == (4,)
    assert abs(sim.read("energy.remainder")) < 1e-6


@pytest.mark.parametrize("friction", [0.0, 0.2])
def test_a_drum_with_a_traverse_hauls_over_an_edge(friction):
    sim = Simulation(over_an_edge(friction, pitch=0.05))
    sim.run(60)
    before = sim.read("haul.friction_on_quay")
    assert abs(sim.read("haul.traverse")) < 1e-6
    sim.controls["haul.speed"] = 0.5
    sim.run(120)
    way = sim.read("haul.traverse")
    assert way == pytest.approx(0.05 * sim.read("haul.drum_angle") / (2.0 * math.pi), rel=0.05)
    assert float(courses.course(sim, "haul")[0][1]) == pytest.approx(way, abs=1e-9)
    assert ropes.fleet_angle(sim, "haul") != 0.0
    assert abs(sim.read("haul.friction_on_quay")) > abs(before) or friction == 0.0
    assert abs(sim.read("energy.remainder")) < 1e-3 * sim.read("energy.motors")


def pegged(mu: float = 0.3) -> Scene:
    """A bob that swings against a rough peg, and two boxes beside it that nobody touches."""
    peg = Body(
        kind="static", shape=Cylinder(radius=0.05, length=1.0), position=(0.08, 0.0, -1.0), orientation=ACROSS,
        collide=False, material="peg",
    )  # fmt: skip
    bodies = {
        "far": Body(shape=Box(size=(0.2, 0.2, 0.2)), mass=1.0, position=(50.0, 0.0, 0.0)),
        "near": Body(shape=Box(size=(0.2, 0.2, 0.2)), mass=1.0, position=(51.0, 0.0, 0.0)),
        "peg": peg,
        "bob": Body(kind="particle", mass=1.0, position=(-1.2, 0.0, -1.6)),
    }
    rope = Cable(
        route=(End(at=(0, 0, 0)), End(on="bob")), obstacles=("peg",), diameter=0.01, axial_stiffness=1e5, damping_time=0.01,
        material="peg",
    )  # fmt: skip
    return Scene(bodies=bodies, cables={"rope": rope}, materials={"peg": Material(friction=mu)})


def on_the_peg(sim: Simulation) -> None:
    while not sim.read("rope.wraps_on_peg"):
        sim.run(1)


def test_a_grip_made_beside_it_changes_nothing_for_a_wrapped_rope():
    alone, gripped = Simulation(pegged()), Simulation(pegged())
    for sim in (alone, gripped):
        on_the_peg(sim)
    gripped.attach("near", body="far")
    for sim in (alone, gripped):
        sim.run(40)
    assert gripped.read("rope.wraps_on_peg") == 1
    assert gripped.read("bob.position") == pytest.approx(alone.read("bob.position"), abs=1e-9)
    assert gripped.read("rope.tensions") == pytest.approx(alone.read("rope.tensions"), rel=1e-6)


def test_a_wrapped_rope_is_cut_where_it_is_and_tied_again():
    sim = Simulation(pegged())
    with pytest.raises(ValueError, match="runs 0 to 0"):
        sim.cut("rope", run=1)
    on_the_peg(sim)
    sim.run(5)
    assert sim.read("rope.tensions[1]") > 0.0
    sim.cut("rope", run=1)
    before = sim.read("bob.velocity[2]")
    sim.run(3)
    assert sim.read("rope.tensions[1]") == 0.0
    assert sim.read("bob.velocity[2]") == pytest.approx(before - 3 * sim.dt * G, abs=1e-9)  # it falls
    sim.tie("rope")
    sim.run(120)
    assert sim.read("rope.tension") > 0.0
    assert np.isfinite(sim.read("bob.position")).all()


def test_a_winch_that_holds_its_position_holds_it_round_an_edge():
    sim = Simulation(over_an_edge(mode="position", stored=20.0))
    sim.run(300)
    assert sim.read("load.position[2]") == pytest.approx(2.5, abs=1e-3)
    assert sim.controls["haul.position"] == pytest.approx(sim.read("haul.rope_out"), abs=1e-6)
    sim.controls["haul.position"] = sim.read("haul.rope_out") - 0.5
    sim.run(300)
    assert sim.read("load.position[2]") == pytest.approx(3.0, abs=1e-3)
