"""Layered ropes that meet things: a pendulum on a peg, a bar under a sagging span, weights over a rough drum."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from taut.scene import Body, Cable, Cylinder, End, Material, Ring, Scene, SolverSettings, VelocityMotion
from taut.validate import reference
from taut.validate.item import Item, below, close
from taut.validate.lab import Lab
from taut.validate.layered_waves import DENSITY, EA, SPAN

G = reference.G
#: from z, the axis of a cylinder, to y
ACROSS = (math.cos(math.pi / 4.0), math.sin(math.pi / 4.0), 0.0, 0.0)


def interrupted_pendulum(lab: Lab) -> Iterator[Item]:
    """A tonne on 10 m of rope that meets a peg on its way at every swing: one event per crossing, energy kept.

    The peg stands where the bounce that it sets off does not make the rope slack: a rope that snaps taut whips, and the waves that the
    step does not resolve die out.
    """
    length, mass, angle, dt, depth = 10.0, 1000.0, math.radians(20.0), 1.0 / 240.0, 3.0
    peg = Body(
        kind="static", shape=Cylinder(radius=0.05, length=1.0), position=(0.08, 0.0, -depth), orientation=ACROSS, collide=False,
        material="smooth",
    )  # fmt: skip
    bob = Body(kind="particle", mass=mass, position=(-length * math.sin(angle), 0.0, -length * math.cos(angle)))
    rope = Cable(
        model="layered", route=(End(at=(0, 0, 0)), End(on="bob")), obstacles=("peg",), diameter=0.01, axial_stiffness=3.7e6,
        mass_per_length=0.4, tension=mass * G * math.cos(angle), material="smooth",
    )  # fmt: skip
    sim = lab.simulate(
        Scene(
            dt=dt, bodies={"peg": peg, "bob": bob}, cables={"rope": rope}, materials={"smooth": Material(friction=0.0)},
            solver=SolverSettings(damping_floor=0.0),
        )
    )  # fmt: skip
    touching, events, energy = 0, 0, []
    for _ in range(round(lab.choose(12.0, 60.0) / dt)):
        sim.run(1)
        now = int(sim.read("rope.wraps_on_peg") > 0)
        events += int(now != touching)
        touching = now
        energy.append(float(sim.read("energy.mechanical")))
    short = length - depth
    up = math.acos(1.0 - length * (1.0 - math.cos(angle)) / short)
    period = math.pi * (math.sqrt(length / G) * (1.0 + angle**2 / 16.0) + math.sqrt(short / G) * (1.0 + up**2 / 16.0))
    swing, window = mass * G * length * (1.0 - math.cos(angle)), round(period / dt)
    yield close(
        "layered.peg.events", events / sim.time, 2.0 / period, 0.15, unit="1/s", source="two events a period: it meets the peg and leaves it",
        reason="the period of large swings by its first terms, and a run that ends anywhere; chatter would multiply it", note=f"{events} events",
    )  # fmt: skip
    drift = (np.mean(energy[-window:]) - np.mean(energy[:window])) / swing
    yield below(
        "layered.peg.energy", abs(drift), 1e-3, unit="-", source="energy of the swing", reason="0.1 % asked for",
        note=f"{sim.time:.0f} s; the rope that strikes is lost to waves, {float(sim.read('energy.dissipated')) / swing:.1e} booked",
    )  # fmt: skip
    yield below(
        "layered.peg.account", abs(float(sim.read("energy.remainder"))) / swing, 5e-4, unit="-", source="what is lost is booked",
        reason="a peg is met up to a step late",
    )  # fmt: skip


def bar_under_span(lab: Lab) -> Iterator[Item]:
    """A bar is raised slowly under a span that sags, and lowered again: it is met where the rope hangs, and nothing jumps."""
    tension, radius, rope_radius, speed, dt = 3000.0, 0.1, 0.008, 0.02, 1.0 / 60.0
    sag = DENSITY * G * SPAN**2 / (8.0 * tension)
    hangs = -4.0 * sag * 0.4 * 0.6
    start = hangs - radius - rope_radius - 0.04
    turns = (0.0, 6.0, 6.0 + dt, 12.0)
    bar = Body(
        kind="kinematic", shape=Cylinder(radius=radius, length=1.0), position=(0.4 * SPAN, 0.0, start), orientation=ACROSS,
        collide=False, material="smooth",
        motion=VelocityMotion(times=turns, velocities=((0, 0, speed), (0, 0, speed), (0, 0, -speed), (0, 0, -speed))),
    )  # fmt: skip
    rope = Cable(
        model="layered", route=(End(at=(0, 0, 0)), End(at=(SPAN, 0, 0))), obstacles=("bar",), diameter=2 * rope_radius,
        axial_stiffness=EA, mass_per_length=DENSITY, tension=tension, material="smooth", damping_time=0.02, wave_damping=2.0,
    )  # fmt: skip
    sim = lab.simulate(
        Scene(dt=dt, bodies={"bar": bar}, cables={"rope": rope}, materials={"smooth": Material(friction=0.0)})
    )
    touching, events, met, jump, pulls = 0, 0, math.nan, 0.0, [float(sim.read("rope.tensions[0]"))]
    for _ in range(round(12.0 / dt)):
        sim.run(1)
        pulls.append(float(sim.read("rope.tensions[0]")))
        now = int(sim.read("rope.wraps_on_bar") > 0)
        if now != touching:
            events += 1
            jump = max(jump, abs(pulls[-1] - pulls[-2]))
            if events == 1:
                met = float(sim.read("bar.position[2]"))
        touching = now
    yield close(
        "layered.bar.events", float(events), 2.0, 1e-9, unit="-", source="met once, left once", reason="whole number"
    )
    yield below(
        "layered.bar.height", abs(met + radius + rope_radius - hangs), 0.01 * sag + speed * dt, unit="m",
        source="parabola at 0.4 of the span", reason="the curve is looked at in 64 pieces; a step of the bar",
    )  # fmt: skip
    yield below(
        "layered.bar.jump", jump / tension, 1e-3, unit="-", source="the shape goes over as it is", reason="what twelve modes hold of it, and the blow of a bar of 2 cm/s",
        note=f"tension {min(pulls):.0f} to {max(pulls):.0f} N",
    )  # fmt: skip


def rough_drum(lab: Lab) -> Iterator[Item]:
    """Two weights on a light rope over a fixed drum that it is laid over: exp(mu theta); held two per cent below."""
    mu, light, wide, high, diameter = 0.3, 50.0, 1.2, 0.05, 0.01
    radius = 1.0 + 0.5 * diameter
    turn = 2.0 * (0.5 * math.pi - math.atan2(high, wide) - math.acos(radius / math.hypot(wide, high)))
    for kind, load in (("slips", 1.05), ("holds", 0.95)):
        bodies = {
            "drum": Body(kind="static", shape=Cylinder(radius=1.0, length=2.0), orientation=ACROSS, collide=False, material="rough"),
            "heavy": Body(kind="particle", mass=load * light * math.exp(mu * turn), position=(-wide, 0, -3)),
            "light": Body(kind="particle", mass=light, position=(wide, 0, -3)),
        }  # fmt: skip
        rope = Cable(
            model="layered", route=(End(on="heavy"), Ring(at=(-wide, 0, high)), Ring(at=(wide, 0, high)), End(on="light")),
            obstacles=("drum",), material="rough", diameter=diameter, axial_stiffness=1e6, mass_per_length=0.01, tension=light * G,
            damping_time=0.02, wave_damping=2.0,
        )  # fmt: skip
        sim = lab.simulate(Scene(materials={"rough": Material(friction=mu)}, bodies=bodies, cables={"rope": rope}))
        sim.run(60)
        if kind == "holds":
            before = float(sim.read("light.position[2]"))
            sim.run(60)
            yield below(
                "layered.drum.holds", abs(float(sim.read("light.position[2]")) - before), 2e-3, unit="m", source="5 % below exp(mu theta)",
                reason="held; what is left of the bounce of its start",
            )  # fmt: skip
            continue
        pulls = [pull for pull in sim.read("rope.tensions") if pull > 0.0]
        yield close(
            "layered.drum.slips", math.log(pulls[0] / pulls[-1]), mu * float(sim.read("rope.wrap_angle_on_drum")), 1e-2, unit="-",
            source="ln(T1/T2) = mu theta", reason="mean tensions of both runs: their weight is 0.1 % of them",
        )  # fmt: skip
