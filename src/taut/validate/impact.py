"""Landing, resting, bouncing and colliding."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from taut.scene import Body, Box, Material, Plane, Scene, Sphere
from taut.validate import reference
from taut.validate.item import Item, below, between, close
from taut.validate.lab import Lab
from taut.validate.watch import watch

GROUND = Body(kind="static", shape=Plane())


def landing(lab: Lab) -> Iterator[Item]:
    """A load that lands: at rest the ground carries its weight, and the impulse is its momentum."""
    mass, drop = 500.0, 1.0
    load = Body(shape=Box(size=(1, 1, 1)), mass=mass, position=(0, 0, 0.5 + drop))
    sim = lab.simulate(Scene(bodies={"ground": GROUND, "load": load}))
    seen = watch(
        sim, 4.0, {"force": "contact.force", "z": "load.position[2]", "v": "load.velocity[2]", "e": "energy.mechanical"}
    )
    weight = mass * reference.G
    yield close(
        "contact.landing.force",
        seen["force"][-1],
        weight,
        1e-3,
        unit="N",
        source="N = m g at rest",
        reason="acceptance",
    )
    yield close(
        "contact.landing.impulse", float(seen["force"].sum() * sim.dt), weight * 4.0 + mass * seen["v"][-1], 1e-9, unit="N s",
        source="sum of N dt = m g t + m v", reason="all that acts on it",
    )  # fmt: skip
    yield below(
        "contact.landing.depth", float(np.maximum(0.0, 0.5 - seen["z"]).max()), 1e-4, unit="m", source="no penetration",
        reason="the step that lands ends on the ground; at rest g h^2/1e4 per point",
    )  # fmt: skip
    yield below(
        "contact.landing.rest", abs(seen["v"][-1]), 1e-6, unit="m/s", source="it rests", reason="damped by 0.9 a step"
    )
    yield below(
        "contact.landing.energy", max(0.0, float(np.diff(seen["e"]).max())) / (weight * drop), 1e-4, unit="m g d",
        source="contact gives no energy", reason="what is pushed out of the ground at rest is micrometres of weight",
    )  # fmt: skip


def stack(lab: Lab) -> Iterator[Item]:
    """Boxes on each other: at rest every face carries what lies above, and nothing moves."""
    count = lab.choose(5, 10)
    bodies = {"ground": GROUND}
    for i in range(count):
        bodies[f"b{i}"] = Body(shape=Box(size=(1, 1, 0.5)), mass=20.0, position=(0.05 * (-1) ** i, 0, 0.25 + 0.5 * i))
    sim = lab.simulate(Scene(bodies=bodies))
    start = [sim.read(f"b{i}.position") for i in range(count)]
    seen = watch(sim, lab.choose(10.0, 60.0), {"force": "contact.force", "e": "energy.mechanical"}, every=6)
    moved = max(float(np.linalg.norm(sim.read(f"b{i}.position") - start[i])) for i in range(count))
    speed = max(sim.read(f"b{i}.speed") for i in range(count))
    total = 20.0 * reference.G * count * (count + 1) / 2.0
    yield close(
        "contact.stack.force", float(np.mean(seen["force"][-20:])), total, 1e-3, unit="N", source="sum over faces of the weight above",
        reason="acceptance",
    )  # fmt: skip
    yield below(
        "contact.stack.moved",
        moved,
        1e-3,
        unit="m",
        source="a stack stands",
        reason="sinks in by m g h^2/1e4 per face, then stays",
    )
    yield below("contact.stack.speed", speed, 1e-6, unit="m/s", source="a stack stands", reason="at rest")


def bounce(lab: Lab) -> Iterator[Item]:
    """Height after a bounce e^2, for three coefficients."""
    radius, drop, dt = 0.1, 1.0, 1.0 / 240.0
    for restitution in (0.3, 0.6, 0.9):
        ball = Body(shape=Sphere(radius=radius), mass=2.0, position=(0, 0, radius + drop), material="rubber")
        scene = Scene(
            dt=dt, materials={"rubber": Material(restitution=restitution)}, bodies={"ground": GROUND, "ball": ball}
        )
        sim = lab.simulate(scene)
        seen = watch(sim, 1.5, {"z": "ball.position[2]", "v": "ball.velocity[2]", "e": "energy.mechanical"})
        hit = int(np.flatnonzero(seen["v"] > 0.0)[0])
        height = float(seen["z"][hit:].max()) - radius
        way = math.sqrt(2.0 * reference.G * drop) * dt
        yield between(
            f"contact.bounce.{restitution}", height, restitution**2 * drop - way, restitution**2 * drop + way, unit="m", source="h = e^2 h0",
            theory=restitution**2 * drop, reason="the hit falls inside a step: it turns up to v h above the ground",
        )  # fmt: skip
        before, after = seen["v"][hit - 1], seen["v"][hit]
        yield close(
            f"contact.bounce.{restitution}.speed", after / -before, restitution, 1e-3, unit="-", source="v+ = -e v",
            reason="the softness of the contact takes (1 + e) Sigma m v = 1e-4 of it",
        )  # fmt: skip
        gain = max(0.0, float(np.diff(seen["e"]).max())) / (2.0 * reference.G * drop)
        yield below(
            f"contact.bounce.{restitution}.energy", gain, 1e-2, unit="m g d", source="a bounce gives no energy",
            reason="the time-centred height belongs to half a step before the hit, v h/2",
        )  # fmt: skip


def collision(lab: Lab) -> Iterator[Item]:
    """Two free balls: momentum, restitution, and the line of centres."""
    radius = 0.5
    for restitution in (0.0, 0.8):
        for word, offset in (("head_on", 0.0), ("oblique", 0.5)):
            balls = {
                "one": Body(
                    shape=Sphere(radius=radius),
                    mass=3.0,
                    position=(-1.5, offset, 0),
                    velocity=(4, 0, 0),
                    material="ball",
                ),
                "two": Body(
                    shape=Sphere(radius=radius), mass=1.0, position=(0.5, 0, 0), velocity=(-1, 0, 0), material="ball"
                ),
            }
            materials = {"ball": Material(friction=0.0, restitution=restitution)}
            sim = lab.simulate(Scene(gravity=0, dt=1 / 240, materials=materials, bodies=balls))
            linear, angular, energy = (
                sim.read("momentum.linear"),
                sim.read("momentum.angular"),
                sim.read("energy.kinetic"),
            )
            sim.run(240)
            name = f"contact.collision.{word}.{restitution}"
            yield below(
                f"{name}.momentum", float(np.linalg.norm(sim.read("momentum.linear") - linear) / np.linalg.norm(linear)), 1e-12, unit="-",
                source="sum of m v is constant", reason="round-off",
            )  # fmt: skip
            scale = max(1.0, float(np.linalg.norm(angular)))
            yield below(
                f"{name}.angular", float(np.linalg.norm(sim.read("momentum.angular") - angular)) / scale, 1e-9, unit="-",
                source="L is constant", reason="both bodies feel one force at one point",
            )  # fmt: skip
            yield _separation_speed(name, sim, restitution, offset, radius)
            yield below(
                f"{name}.energy", max(0.0, sim.read("energy.kinetic") / energy - 1.0), 1e-9, unit="-", source="a collision gives no energy",
                reason="round-off",
            )  # fmt: skip


def _separation_speed(name, sim, restitution, offset, radius):  # type: ignore[no-untyped-def]
    """Change of the relative velocity along the line of centres: -(1 + e) times the approach."""
    # the line of centres when they touch
    normal = np.array([math.sqrt(4.0 * radius**2 - offset**2), -offset, 0.0]) / (2.0 * radius)
    approach = np.array([-5.0, 0.0, 0.0]) @ normal
    after = (sim.read("two.velocity") - sim.read("one.velocity")) @ normal
    return close(
        f"{name}.speed", after - approach, -(1.0 + restitution) * approach, 2e-2, unit="m/s", source="v_n+ = -e v_n",
        reason="the line of centres turns within the step of the hit: v h offset / (2 r)^2",
    )  # fmt: skip
