"""Loads on plain ropes: bounce, swing under a trolley, twist in a swing, a light link between heavy slings, Fig. 9."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from taut.scene import Body, Box, Cable, End, PoseMotion, Ring, Scene, SolverSettings, VelocityMotion
from taut.validate import reference
from taut.validate.item import Item, below, between, close
from taut.validate.lab import Lab, triple
from taut.validate.watch import watch

G = reference.G


def bounce(lab: Lab) -> Iterator[Item]:
    """A load on an elastic rope, let go above its rest: omega = sqrt(EA/(L m))."""
    mass, length, stiffness = 500.0, 12.0, 2.4e6
    omega = math.sqrt(stiffness / length / mass)
    sag = mass * G * length / stiffness
    load = Body(kind="particle", mass=mass, position=(0, 0, -length - 0.5 * sag))
    rope = Cable(route=(End(), End(on="load")), length=length, axial_stiffness=stiffness)
    scene = Scene(bodies={"load": load}, cables={"rope": rope}, dt=1 / 240, solver=SolverSettings(damping_floor=0.0))
    sim = lab.simulate(scene)
    seen = watch(sim, 10.0, {"z": "load.position[2]", "pull": "rope.tension"})
    z = seen["z"] + length + sag
    lab.plot(
        "Bounce on a rope", "time [s]", "height above rest [m]",
        {"ours": (seen.time[:240], z[:240]), "theory": (seen.time[:240], 0.5 * sag * np.cos(omega * seen.time[:240]))},
    )  # fmt: skip
    yield close(
        "massless.bounce.period", reference.period(seen.time, z), 2.0 * math.pi / omega, 1e-3, unit="s",
        source="T = 2 pi sqrt(L m / EA)", reason="(omega h)^2/12 = 6e-4",
    )  # fmt: skip
    yield close(
        "massless.bounce.peak", float(seen["pull"].max()), 1.5 * mass * G, 1e-2, unit="N", source="T = m g + k x",
        reason="the tension is a step average: (omega h)^2/4 of the swing",
    )  # fmt: skip


def trolley_swing(lab: Lab) -> Iterator[Item]:
    """A trolley sets off with acceleration a: the load swings between 0 and 2 atan(a/g), in gravity sqrt(g^2 + a^2)."""
    a, length = 1.5, 9.0
    runs = VelocityMotion(times=(0.0, 100.0), velocities=((0, 0, 0), (100.0 * a, 0, 0)))
    bodies = {
        "trolley": Body(kind="kinematic", motion=runs),
        "load": Body(kind="particle", mass=2000.0, position=(0, 0, -length)),
    }
    rope = Cable(route=(End(on="trolley"), End(on="load")))
    sim = lab.simulate(Scene(bodies=bodies, cables={"rope": rope}))
    rest = math.atan2(a, G)
    seen = watch(
        sim, 30.0,
        {"x": lambda s: s.read("trolley.position[0]") - s.read("load.position[0]"), "z": "load.position[2]", "pull": "rope.tension"},
    )  # fmt: skip
    angle = np.arctan2(seen["x"], -seen["z"])
    pull = math.hypot(G, a)
    yield close(
        "massless.trolley.angle", float(angle.max()), 2.0 * rest, 2e-3, unit="rad", source="2 atan(a/g)",
        reason="samples at 1/60 s, period by (omega h)^2",
    )  # fmt: skip
    yield close(
        "massless.trolley.period", reference.period(seen.time, angle - rest), reference.pendulum_period(length, rest, pull), 1e-3,
        unit="s", source="pendulum in gravity sqrt(g^2 + a^2), amplitude atan(a/g)", reason="0.46 (omega h)^2 of geometric stiffness, and crossings",
    )  # fmt: skip
    top = 2000.0 * (pull + 2.0 * pull * (1.0 - math.cos(rest)))
    yield close(
        "massless.trolley.tension", float(seen["pull"].max()), top, 2e-3, unit="N", source="T = m (g' + 2 g' (1 - cos amplitude)) in the middle",
        reason="step average and samples",
    )  # fmt: skip
    yield below(
        "massless.trolley.length", np.abs(np.hypot(seen["x"], seen["z"]) - length).max(), 1e-3, unit="m", source="a rigid rope",
        reason="one linearised solve a step: (w h)^2 l/2",
    )  # fmt: skip


def pure_swing(lab: Lab) -> Iterator[Item]:
    """A body that swings about a horizontal axis without spin does not twist its rope; one that turns does."""
    angles = np.radians(np.linspace(0.0, 80.0, 41))
    for name, axis in (("x", (1.0, 0.0, 0.0)), ("skew", (0.6, 0.8, 0.0))):
        poses = [(math.cos(0.5 * a), *(math.sin(0.5 * a) * np.array(axis))) for a in angles]
        places = [
            triple(3.0 * (math.sin(a) * np.cross(axis, (0.0, 0.0, -1.0)) + math.cos(a) * np.array([0, 0, -1.0])))
            for a in angles
        ]
        motion = PoseMotion(times=tuple(0.1 * k for k in range(41)), positions=tuple(places), orientations=tuple(poses))
        bodies = {"load": Body(kind="kinematic", motion=motion)}
        rope = Cable(route=(End(), End(on="load")), torsional_stiffness=100.0, axial_stiffness=1e4)
        sim = lab.simulate(Scene(bodies=bodies, cables={"rope": rope}))
        seen = watch(sim, 4.5, {"twist": "rope.twist"})
        yield below(
            f"massless.twist.swing.{name}", np.abs(seen["twist"]).max(), 1e-12, unit="rad", source="parallel transport along the rope",
            reason="round-off", note="0 to 80 degrees; the Euler angle of paper 0 reads 0.78 rad",
        )  # fmt: skip
    turn = VelocityMotion(times=(0.0, 1.0), velocities=((0, 0, 0), (0, 0, 0)), spins=((0, 0, 2.0), (0, 0, 2.0)))
    rope = Cable(route=(End(at=(0, 0, 3)), End(on="load", at=(0, 0, 0))), torsional_stiffness=100.0)
    sim = lab.simulate(Scene(bodies={"load": Body(kind="kinematic", motion=turn)}, cables={"rope": rope}))
    sim.run(601)
    yield close(
        "massless.twist.turns", sim.read("rope.twist"), -20.0, 1e-9, unit="rad", source="Omega = w t, against the tangent", reason="round-off over 600 steps",
        note="a vertical rope, over three turns",
    )  # fmt: skip
    yield close(
        "massless.twist.torque", sim.read("rope.twist_torque"), -100.0 / 3.0 * (20.0 + 2.0 * 0.1 * sim.dt), 1e-9, unit="N m",
        source="M = GJ (Omega + tau Omega') / L, tau the floor of a tenth of a step", reason="steady turning: round-off",
    )  # fmt: skip


def master_link(lab: Lab) -> Iterator[Item]:
    """2 kg between four slings of 1 m, two above and two below in one plane, 10 t: across it only the tension holds it.

    omega = sqrt(2 T/(m l)), omega h = 5: a frozen direction of the tension would lose it at once.
    """
    load, link, half, stiffness = 1e4, 2.0, 0.3, 2e7
    drop = math.sqrt(1.0 - half**2)
    bodies = {
        "link": Body(kind="particle", mass=link, position=(0, 0, 0), velocity=(0.2, 0.3, 0)),
        "load": Body(shape=Box(size=(1.2, 1.2, 1.2)), mass=load, position=(0, 0, -drop - 0.6)),
    }
    cables = {}
    for k, x in enumerate((-half, half)):
        above, below_ = (End(at=(x, 0, drop)), End(on="link")), (End(on="link"), End(on="load", at=(x, 0, -drop)))
        cables[f"upper_{k}"] = Cable(route=above, axial_stiffness=stiffness)
        cables[f"lower_{k}"] = Cable(route=below_, axial_stiffness=stiffness)
    sim = lab.simulate(Scene(bodies=bodies, cables=cables))
    seconds = 60.0
    seen = watch(
        sim, seconds,
        {"speed": lambda s: s.read("link.velocity"), "upper": "upper_0.tension", "lower": "lower_0.tension"},
    )  # fmt: skip
    tail = seen.time > min(seconds, seen.time[-1]) - 5.0
    yield below(
        "massless.link.lost", 0.0 if seen.lost is None else seconds - seen.lost, 0.0, unit="s", source="stable", reason="it must run through",
    )  # fmt: skip
    yield below(
        "massless.link.speed", float(np.linalg.norm(seen["speed"][tail], axis=1).max()), 0.18, unit="m/s", source="does not grow: pushed with 0.36 m/s",
        reason="half of the push; across the slings hardly anything damps it",
    )  # fmt: skip
    for name, mass in (("upper", load + link), ("lower", load)):
        pull = 0.0
        for _ in range(20):  # longer slings hang steeper
            long = 1.0 + pull / stiffness
            pull = mass * G * long / (2.0 * math.sqrt(long**2 - half**2))
        yield close(
            f"massless.link.{name}", float(seen[name][tail].mean()), pull, 1e-3, unit="N", source="T = m g / (2 cos alpha), slings stretched",
            reason="swing of a few millimetres",
        )  # fmt: skip


def fig_9(lab: Lab) -> Iterator[Item]:
    """Paper 0, Fig. 9: a trolley on two ropes, a box under it, two small boxes on one rope through the box; g = 10, 0.05 s.

    The paper gives ranges only; the geometry is ours. The two ends of a rope that turns back point opposite ways, so the
    twist holds w_A + w_B at zero and leaves w_A - w_B = 2 rad/s: +1 and -1. Equal weights on a rope without friction are in
    neutral balance, and the one that swings less is drawn up, within three minutes: it then knocks at the box above.
    """
    box = (0.4, 0.4, 0.4)
    bodies = {
        "left": Body(kind="static", shape=Box(size=(0.5, 4.0, 0.5)), position=(-15.3, 0, 0), collide=False),
        "right": Body(kind="static", shape=Box(size=(0.5, 4.0, 0.5)), position=(15.3, 0, 0), collide=False),
        "trolley": Body(shape=Box(size=(2.0, 2.0, 0.4)), mass=100.0, position=(4.0, 0, -1.0), collide=False),
        "block": Body(shape=Box(size=(2.0, 1.0, 0.5)), mass=30.0, position=(4.0, 0, -6.0)),
        "small_a": Body(shape=Box(size=box), mass=5.0, position=(3.2, 0, -9.0), spin=(0, 0, 2.0)),
        "small_b": Body(shape=Box(size=box), mass=5.0, position=(4.8, 0, -9.0)),
    }
    cables = {}
    for name, y in (("rail_1", -1.0), ("rail_2", 1.0)):
        rings = tuple(Ring(on="trolley", at=(x, y, -1.0)) for x in (3.0, 5.0))
        ends = End(on="left", at=(-15.0, y, 0.0)), End(on="right", at=(15.0, y, 0.0))
        cables[name] = Cable(route=(ends[0], *rings, ends[1]), axial_stiffness=1e7 * 30.0)
    hanger = (End(on="trolley", at=(4.0, 0, -1.2)), End(on="block", at=(4.0, 0, -5.75)))
    cables["hanger"] = Cable(route=hanger, axial_stiffness=1e5 * 4.55, torsional_stiffness=10.0 * 4.55)
    pulley = (
        End(on="small_a", at=(3.2, 0, -8.8)), Ring(on="block", at=(3.2, 0, -6.0)), Ring(on="block", at=(4.8, 0, -6.0)),
        End(on="small_b", at=(4.8, 0, -8.8)),
    )  # fmt: skip
    cables["pulley"] = Cable(route=pulley, axial_stiffness=1e3 * 7.2, torsional_stiffness=10.0 * 7.2)
    sim = lab.simulate(Scene(gravity=10, dt=0.05, bodies=bodies, cables=cables))
    seconds = 300.0
    seen = watch(
        sim, seconds,
        {"x": "trolley.position[0]", "a": "small_a.spin[2]", "b": "small_b.spin[2]", "energy": "energy.mechanical"},
    )  # fmt: skip
    lab.plot("Paper 0, Fig. 9", "time [s]", "trolley [m]", {"ours": (seen.time, seen["x"])})
    yield below(
        "massless.fig9.lost", 0.0 if seen.lost is None else seconds - seen.lost, 0.0, unit="s", source="stable", reason="it must run through",
    )  # fmt: skip
    minute = round(60.0 / sim.dt)
    mean = np.convolve(seen["energy"], np.ones(200) / 200, "valid")
    drift = np.abs(mean[minute:] - mean[:-minute]).max() / 1500.0
    yield below(
        "massless.fig9.energy", drift, 5e-3, unit="-", source="energy is kept, of 1500 J in a minute", reason="0.5 %: the floor of damping alone takes 0.4 %",
    )  # fmt: skip
    yield between(
        "massless.fig9.trolley", float(seen["x"][: round(30.0 / sim.dt)].min()), -4.1, -3.5, unit="m", theory=-4.0, source="swings from side to side",
        reason="the hanging boxes swing along and keep some of the energy",
    )  # fmt: skip
    free = seen.time < 120.0
    spins = float(seen["a"][free].mean()), float(seen["b"][free].mean())
    for name, spin, theory in (("spin_a", spins[0], 1.0), ("spin_b", spins[1], -1.0)):
        yield close(
            f"massless.fig9.{name}", spin, theory, 2e-2, unit="rad/s", source="the two spins are opposite, their difference stays",
            reason="the box above turns a little; mean of 120 s, before the first knock",
        )  # fmt: skip
