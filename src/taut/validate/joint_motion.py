"""Each kind of joint against the closed form of a motion or a reaction."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from taut.scene import Body, Box, Distance, Hinge, Lock, PointOnLine, Scene, Slider, SolverSettings, Sphere
from taut.validate import reference
from taut.validate.item import Item, below, close
from taut.validate.lab import Lab, triple
from taut.validate.watch import watch

PLAIN = SolverSettings(geometric_stiffness=0.0)
LINEAR = "nothing is linearised along a straight line: the discrete motion is exact, a h^2 n (n + 1)/2"


def hinge(lab: Lab) -> Iterator[Item]:
    """A box on a hinge at its edge: compound pendulum, l = I / (m d)."""
    angle, size = math.radians(20.0), (0.2, 0.1, 1.0)
    arm = 0.5 * size[2]
    moment = (size[0] ** 2 + size[2] ** 2) / 12.0 + arm**2
    theory = reference.pendulum_period(moment / arm, angle)
    position = (-arm * math.sin(angle), 0.0, -arm * math.cos(angle))
    box = Body(
        shape=Box(size=size),
        mass=3.0,
        position=position,
        orientation=(math.cos(0.5 * angle), 0, math.sin(0.5 * angle), 0),
    )
    for name, settings, tolerance in (("default", SolverSettings(), 3e-3), ("plain", PLAIN, 3e-4)):
        scene = Scene(
            bodies={"box": box}, joints={"pin": Hinge(b="box", at=(0, 0, 0), axis=(0, 1, 0))}, solver=settings
        )
        seen = watch(
            lab.simulate(scene), 20.0, {"angle": "pin.angle", "x": "box.position[0]", "off": "residual.constraint"}
        )
        yield close(
            f"solver.hinge.period.{name}", reference.period(seen.time, -seen["x"]), theory, tolerance, unit="s",
            source="4 sqrt(I/(m g d)) K(k)", reason="0.46 (w h)^2 of the geometric stiffness" if name == "default" else "(w h)^2/24",
        )  # fmt: skip
    yield close(
        "solver.hinge.angle", float(seen["angle"].min()), -2.0 * angle, 2e-2, unit="rad", source="the swing is symmetric",
        reason="sampled at 60 points a second, and the half step at the start",
    )  # fmt: skip


def straight(lab: Lab) -> Iterator[Item]:
    """Down an inclined slider or wire: g sin a, to the stepper's own sum."""
    slope, seconds = math.radians(35.0), 2.0
    along = np.array([math.cos(slope), 0.0, -math.sin(slope)])
    steps = round(seconds * 60)
    theory = float(reference.falling_steps(reference.G * math.sin(slope), 1.0 / 60.0, np.array(steps)))
    axis = triple(along)
    box = Body(shape=Box(size=(0.3, 0.2, 0.1)), mass=5.0)
    for name, joint in (("slider", Slider(b="box", axis=axis)), ("point_on_line", PointOnLine(b="box", axis=axis))):
        sim = lab.simulate(Scene(bodies={"box": box}, joints={"rail": joint}))
        sim.run(steps)
        yield close(
            f"solver.{name}.way", float(sim.read("box.position") @ along), theory, 1e-9, unit="m", source="a = g sin(slope)", reason=LINEAR,
        )  # fmt: skip
        yield close(
            f"solver.{name}.force", float(np.linalg.norm(sim.read("rail.force"))), 5.0 * reference.G * math.cos(slope), 1e-9,
            unit="N", source="N = m g cos(slope)", reason="round-off, and the 1e-12 floor of the compliance",
        )  # fmt: skip


def trammel(lab: Lab) -> Iterator[Item]:
    """Two equal weights on a level and an upright rail, joined by a rod: swings like a pendulum of the rod's length."""
    angle, length = math.radians(25.0), 2.0
    across, down = length * math.sin(angle), -length * math.cos(angle)
    scene = Scene(
        bodies={
            name: Body(shape=Sphere(radius=0.05), mass=1.0, collide=False, position=place)
            for name, place in (("level", (across, 0, 0)), ("upright", (0, 0, down)))
        },
        joints={
            "rail": Slider(b="level", axis=(1, 0, 0)),
            "mast": Slider(b="upright", axis=(0, 0, 1)),
            "rod": Distance(a="level", b="upright"),
        },
        solver=PLAIN,
    )
    seen = watch(lab.simulate(scene), 20.0, {"x": "level.position[0]"})
    yield close(
        "solver.trammel.period", reference.period(seen.time, seen["x"]), reference.pendulum_period(length, angle), 1e-3, unit="s",
        source="T = m l^2 a'^2 / 2, U = -m g l cos a", reason="(w h)^2/24, and the damping floor of the rod",
    )  # fmt: skip


def distance(lab: Lab) -> Iterator[Item]:
    """A conical pendulum on a rod: w^2 = g / (l cos a), T = m g / cos a."""
    angle, length, mass = math.radians(40.0), 2.0, 4.0
    rate = math.sqrt(reference.G / (length * math.cos(angle)))
    radius = length * math.sin(angle)
    bob = Body(
        kind="particle", mass=mass, position=(radius, 0, -length * math.cos(angle)), velocity=(0, rate * radius, 0)
    )
    sim = lab.simulate(Scene(dt=1 / 240, bodies={"bob": bob}, joints={"rod": Distance(b="bob", point_a=(0, 0, 0))}))
    seen = watch(sim, 10.0, {"x": "bob.position", "pull": "rod.tension", "length": "rod.length"})
    yield close(
        "solver.distance.tension", float(seen["pull"].mean()), mass * reference.G / math.cos(angle), 2e-3, unit="N",
        source="conical pendulum, T = m g / cos a", reason="0.5 (w h)^2 and the half step at the start",
    )  # fmt: skip
    yield close(
        "solver.distance.period", reference.period(seen.time, seen["x"][:, 0]), 2.0 * math.pi / rate, 2e-3, unit="s",
        source="conical pendulum, w^2 = g / (l cos a)", reason="0.46 (w h)^2 of the geometric stiffness",
    )  # fmt: skip
    yield below(
        "solver.distance.length", np.abs(seen["length"] - length).max() / length, 3e-4, unit="l", source="a rigid rod",
        reason="(w h)^2/(8 gamma) of the linearised row",
    )  # fmt: skip


def lock(lab: Lab) -> Iterator[Item]:
    """A cantilever: reaction m g and m g d; with an angular stiffness it turns by m g d / k."""
    mass, arm, stiffness = 7.0, 0.8, 2000.0
    box = Body(shape=Box(size=(1.6, 0.2, 0.2)), mass=mass, position=(arm, 0, 0))
    sim = lab.simulate(Scene(bodies={"beam": box}, joints={"wall": Lock(b="beam", at=(0, 0, 0))}))
    sim.run(120)
    yield close(
        "solver.lock.force", sim.read("wall.force[2]"), mass * reference.G, 1e-9, unit="N", source="F = m g", reason="statics is exact",
    )  # fmt: skip
    yield close(
        "solver.lock.torque", sim.read("wall.torque[1]"), -mass * reference.G * arm, 1e-9, unit="N m", source="M = m g d",
        reason="statics is exact",
    )  # fmt: skip
    soft = Lock(b="beam", at=(0, 0, 0), angular_stiffness=stiffness, damping_time=0.1)
    sim = lab.simulate(Scene(bodies={"beam": box}, joints={"wall": soft}))
    sim.run(1200)
    # phi = 2 sin(a/2) of the turn, m g d cos(a) = k phi cos(a/2)
    turned = 2.0 * math.asin(min(1.0, abs(sim.read("beam.orientation[2]"))))
    theory = mass * reference.G * arm / stiffness
    yield close(
        "solver.lock.angle", turned, theory, 2e-3, unit="rad", source="a = m g d / k",
        reason="cos a of the arm and sin a of the turn, a^2/2 = 0.04 %",
    )  # fmt: skip
