"""Layered cables that meet obstacles: spans are split and joined as they are, the account closes, nothing chatters."""

from __future__ import annotations

import math

import numpy as np
import pytest

from taut import Simulation
from taut.measure import courses, waves
from taut.scene import Body, Box, Cable, Cylinder, End, Material, Scene, SceneError, SolverSettings, VelocityMotion
from taut.view.live import LivePlayer

G, SPAN, DENSITY, TENSION = 9.81, 30.0, 1.2, 3000.0
SAG = DENSITY * G * SPAN**2 / (8.0 * TENSION)
ACROSS = (math.cos(math.pi / 4.0), math.sin(math.pi / 4.0), 0.0, 0.0)
SMOOTH = {"smooth": Material(friction=0.0)}


def level(body: Body, **more) -> Scene:
    """A span that sags by SAG, and something in its way."""
    rope = Cable(
        model="layered", route=(End(at=(0, 0, 0)), End(at=(SPAN, 0, 0))), obstacles=("body",), diameter=0.016,
        axial_stiffness=3.7425e6, mass_per_length=DENSITY, tension=TENSION, material="smooth", wave_damping=2.0, damping_time=0.02,
        **more,
    )  # fmt: skip
    return Scene(bodies={"body": body}, cables={"rope": rope}, materials=SMOOTH)


def bar(height: float, *speeds: float) -> Body:
    """A bar across the rope in the middle of the span, that moves up for two seconds at each speed."""
    times = tuple(float(t) for k in range(len(speeds)) for t in (2 * k, 2 * k + 1.999))
    motion = (
        VelocityMotion(times=times, velocities=tuple((0, 0, v) for v in speeds for _ in range(2))) if speeds else None
    )
    return Body(
        kind="kinematic" if speeds else "static", shape=Cylinder(radius=0.1, length=1.0), position=(0.5 * SPAN, 0, height),
        orientation=ACROSS, collide=False, material="smooth", motion=motion,
    )  # fmt: skip


def test_a_bar_meets_the_rope_where_it_hangs_and_nothing_jumps():
    sim = Simulation(level(bar(-SAG - 0.128, 0.02, 0.0, -0.02)))
    seen, pulls, heights, pressed = [], [], [], 0.0
    for _ in range(360):
        sim.run(1)
        seen.append(int(sim.read("rope.wraps_on_body")))
        pulls.append(float(sim.read("rope.tensions[0]")))
        heights.append(float(sim.read("body.position[2]")) + 0.108)
        pressed = max(pressed, -float(sim.read("rope.force_on_body[2]")))
    changes = np.flatnonzero(np.diff(seen)) + 1
    assert len(changes) == 2 and seen[200] == 1
    assert heights[changes[0]] == pytest.approx(-SAG, abs=0.01 * SAG)
    assert 5.0 < pressed < DENSITY * G * SPAN
    jumps = np.abs(np.diff(pulls))
    assert jumps[changes - 1].max() < 1e-3 * TENSION
    assert sim.read("step.redone") == 0


def test_spans_there_are_and_room_for_more():
    sim = Simulation(level(bar(-SAG - 0.1)))  # the rope is laid over it from the start
    sim.run(1)
    assert sim.read("rope.wraps_on_body") == 1
    sag = [float(sim.read(f"rope.sag[{k}]")) for k in range(3)]
    assert sag[0] > 0.05 and sag[1] > 0.05 and sag[2] == 0.0
    assert len(waves.shape(sim, "rope")) == 2
    line = courses.course(sim, "rope")
    assert line[:, 2].min() < -0.9 * SAG and np.isfinite(line).all()


def test_a_wave_goes_over_to_the_spans_that_there_are():
    """The curve just before and just after a bar has come under it, and after it has gone: the same line."""
    sim = Simulation(level(bar(-SAG - 0.118, 0.1, -0.1)))
    x, before, lines = np.linspace(0.0, SPAN, 61), None, []
    touching = 0
    for _ in range(240):
        shape = waves.shape(sim, "rope", np.linspace(0.0, 1.0, 200)).reshape(-1, 3)
        before = np.interp(x, shape[:, 0], shape[:, 2])
        sim.run(1)
        if int(sim.read("rope.wraps_on_body")) != touching:
            touching = 1 - touching
            shape = waves.shape(sim, "rope", np.linspace(0.0, 1.0, 200)).reshape(-1, 3)
            lines.append(np.abs(np.interp(x, shape[:, 0], shape[:, 2]) - before).max())
    assert len(lines) == 2 and max(lines) < 0.01 * SAG


def test_a_pendulum_strikes_a_peg_once_and_the_account_closes():
    length, mass, angle = 10.0, 1000.0, math.radians(40.0)
    peg = Body(
        kind="static", shape=Cylinder(radius=0.05, length=1.0), position=(0.08, 0, -5.0), orientation=ACROSS, collide=False,
        material="smooth",
    )  # fmt: skip
    bob = Body(kind="particle", mass=mass, position=(-length * math.sin(angle), 0, -length * math.cos(angle)))
    rope = Cable(
        model="layered", route=(End(at=(0, 0, 0)), End(on="bob")), obstacles=("peg",), diameter=0.01, axial_stiffness=1e6,
        mass_per_length=0.1, tension=mass * G * math.cos(angle), material="smooth",
    )  # fmt: skip
    scene = Scene(
        dt=1 / 240, bodies={"peg": peg, "bob": bob}, cables={"rope": rope}, materials=SMOOTH,
        solver=SolverSettings(damping_floor=0.0),
    )  # fmt: skip
    sim = Simulation(scene)
    swing, start = mass * G * length * (1.0 - math.cos(angle)), float(sim.read("energy.mechanical"))
    seen, highest = [], -math.inf
    for _ in range(round(6.0 / sim.dt)):
        sim.run(1)
        seen.append(int(sim.read("rope.wraps_on_peg")))
        highest = max(highest, float(sim.read("energy.mechanical")) - start)
    assert int(np.abs(np.diff(seen)).sum()) == 2  # meets it once and leaves it once
    assert highest < 2e-4 * swing
    assert 0.0 < sim.read("energy.dissipated") < 5e-4 * swing
    assert abs(sim.read("energy.remainder")) < 1e-6 * swing
    # what dividing the rope anew costs is booked as lost, and not counted again as carried
    assert abs(sim.read("energy.carried")) < 1e-6 * swing


def test_a_run_over_an_edge_goes_on_bit_by_bit_and_is_drawn_along_its_course():
    block = Body(
        kind="static", shape=Box(size=(2.0, 2.0, 2.0)), position=(12.0, 0, -SAG - 0.9), collide=False, material="smooth"
    )
    player = LivePlayer(level(block))
    sim = player.sim
    sim.state.wave_mode[1, 3] = 0.5
    sim.run(30)
    assert sim.read("rope.wraps_on_body") >= 1
    kept = sim.snapshot()
    sim.run(30)
    after = sim.compiled.state.floats.copy()
    sim.restore(kept)
    sim.run(30)
    assert (sim.compiled.state.floats == after).all()
    drawn = player.frame((), False).cables["rope"]
    assert drawn.course is not None and len(drawn.course) == courses.course_size(sim, "rope")


def test_other_models_are_told_that_they_cannot():
    rope = Cable(
        model="segmented", route=(End(at=(0, 0, 0)), End(at=(3, 0, 0))), obstacles=("body",), diameter=0.01, mass_per_length=1.0,
        modulus=1e8,
    )  # fmt: skip
    with pytest.raises(SceneError, match="massless and layered"):
        Simulation(Scene(bodies={"body": bar(-1.0)}, cables={"rope": rope}, materials=SMOOTH))
