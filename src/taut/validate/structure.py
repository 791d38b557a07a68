"""Systems that are hard for a solver: rows that say the same twice, closed loops, rigid beside soft."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from taut.scene import Ball, Body, Box, Capsule, Lock, Scene, SolverSettings
from taut.validate import reference
from taut.validate.item import Item, below, close
from taut.validate.lab import Lab
from taut.validate.watch import separation, watch


def locked_twice(lab: Lab) -> Iterator[Item]:
    """A body locked to the world by two identical joints: each force is undetermined, their sum is not."""
    joints = {name: Lock(b="box") for name in ("one", "two")}
    sim = lab.simulate(Scene(bodies={"box": Body(shape=Box(size=(1, 1, 1)), mass=50.0)}, joints=joints))
    sim.run(600)
    total = sim.read("one.force[2]") + sim.read("two.force[2]")
    yield close(
        "solver.redundant.force",
        total,
        50.0 * reference.G,
        1e-6,
        unit="N",
        source="sum of the forces = m g",
        reason="statics is exact",
    )
    yield below(
        "solver.redundant.position", np.linalg.norm(sim.read("box.position")), 1e-9, unit="m", source="it does not move", reason="statics is exact",
    )  # fmt: skip
    yield close(
        "solver.redundant.rows", sim.read("step.redundant_rows"), 6.0, 0.0, unit="rows", source="6 of 12 rows are redundant",
        reason="a count; they are found, left out of the geometric stiffness, and shown",
    )  # fmt: skip


def ring_scene(links: int, spin: float, **solver: Any) -> tuple[Scene, float]:
    """A closed ring of rods of 0.1 m and 0.2 kg, turning about its own axis, no gravity; and the tension it must have."""
    length, mass = 0.1, 0.2
    radius = 0.5 * length / math.tan(math.pi / links)
    bodies, joints = {}, {}
    for i in range(links):
        a = 2.0 * math.pi * i / links
        place = (radius * math.cos(a), radius * math.sin(a), 0.0)
        # capsule along the tangent: z turned about the radius
        turn = 0.5 * math.sqrt(2.0)
        bodies[f"l{i}"] = Body(
            shape=Capsule(radius=0.005, length=0.09), mass=mass, position=place, collide=False, spin=(0, 0, spin),
            orientation=(turn, -turn * math.cos(a), -turn * math.sin(a), 0.0),
            velocity=(-spin * place[1], spin * place[0], 0.0),
        )  # fmt: skip
        corner = a + math.pi / links
        outer = 0.5 * length / math.sin(math.pi / links)
        joints[f"j{i}"] = Ball(
            a=f"l{i}", b=f"l{(i + 1) % links}", at=(outer * math.cos(corner), outer * math.sin(corner), 0.0)
        )
    scene = Scene(gravity=0, bodies=bodies, joints=joints, solver=SolverSettings(**solver))
    return scene, reference.ring_tension(links, mass, length, spin)


def ring(lab: Lab) -> Iterator[Item]:
    """A loop of 200 links, spinning: hoop tension, momentum, joints that hold."""
    links, spin = 200, 1.0
    scene, theory = ring_scene(links, spin)
    sim = lab.simulate(scene)
    before = sim.read("momentum.angular[2]")
    seen = watch(sim, 10.0, {"gap": separation, "pull": "j0.tension", "momentum": "momentum.angular[2]"}, every=6)
    lab.plot(
        "Ring of 200 links",
        "time [s]",
        "tension [N]",
        {"ours": (seen.time, seen["pull"]), "theory": (seen.time, theory + 0.0 * seen.time)},
    )
    yield close(
        "solver.ring.tension", float(np.mean(seen["pull"][-20:])), theory, 5e-3, unit="N", source="2 T sin(pi/n) = m w^2 r",
        reason="(w h)^2 of the linearised joints, which open and let the ring grow",
    )  # fmt: skip
    yield below(
        "solver.ring.separation",
        seen["gap"].max() / 0.1,
        5e-3,
        unit="link",
        source="rigid joints",
        reason="(w h)^2 R / (8 gamma) over n links",
    )
    yield below(
        "solver.ring.momentum", np.abs(seen["momentum"] / before - 1.0).max(), 1e-5, unit="-", source="L is constant",
        reason="h^2 |F| |r| |w+ - w| of the geometric stiffness while the joints find their place",
    )  # fmt: skip
