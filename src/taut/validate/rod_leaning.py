"""Rods of scenes that lean on bodies: beside the route with the same poses, the weight of what lies on them, momentum."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from taut.cables.rod import Clamp, Hollow, Rod
from taut.scene import Body, Box, Cable, Cylinder, End, Scene, Slider, Sphere
from taut.scene.motions import PoseMotion
from taut.scene.sections import HollowSection
from taut.validate.item import Item, below
from taut.validate.lab import Lab

LENGTH, SEGMENTS = 0.6, 60
ENDS = ((0.0, 0.0, 0.0), (0.35, 0.08, 0.04))
ACROSS = (math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0)
HELD: dict[str, Any] = {"hold": "pose", "direction": (1.0, 0.0, 0.0), "up": (0.0, 0.0, 1.0)}
ROUTE = "the contact solver of routes, from the same poses"


def _hose(part: str, **more: Any) -> Cable:
    """Of 12 mm, clamped at both ends, with a body that it may lean on."""
    given = {
        "model": "rod", "length": LENGTH, "segments": SEGMENTS, "section": HollowSection(diameter=0.012, inner=0.008), "modulus": 6e6,
        "poisson": 0.45, "density": 1200.0, "obstacles": (part,), "route": tuple(End(at=at, **HELD) for at in ENDS),
    }  # fmt: skip
    return Cable.model_validate(given | more)


def pushed(lab: Lab) -> Iterator[Item]:
    """A body comes up under a hanging hose and goes down again."""
    shapes: dict[str, tuple[Any, Any]] = {
        "box": (Box(size=(0.12, 0.5, 0.06)), (1.0, 0.0, 0.0, 0.0)),
        "post": (Cylinder(radius=0.03, length=0.4), ACROSS),
    }
    for name, (shape, turn) in shapes.items():
        low, high = (0.15, 0.0, -0.25), (0.15, 0.0, -0.16)
        motion = PoseMotion(times=(0.0, 1.0, 2.0), positions=(low, high, low))
        body = Body(kind="kinematic", shape=shape, position=low, orientation=turn, collide=False, motion=motion)
        sim = lab.simulate(Scene(bodies={"part": body}, cables={"hose": _hose("part")}))
        rod = Rod(
            LENGTH,
            SEGMENTS,
            start=Clamp(ENDS[0]),
            end=Clamp(ENDS[1]),
            section=Hollow(0.012, 0.008),
            E=6e6,
            nu=0.45,
            density=1200.0,
        )
        rod.solve()
        free, stored = rod.points, sim.read("hose.stored")
        rod.add_obstacle("part", shape, low, turn)
        apart = 0.0
        for _ in range(4):
            sim.run(15)
            rod.move_obstacle("part", list(sim.read("part.position")))
            rod.solve()
            apart = max(apart, float(np.abs(sim.read("hose.shape").reshape(-1, 3) - rod.points).max()))
        gained = sim.read("hose.stored") - stored
        yield below(
            f"rod.lean.{name}.shape", apart / LENGTH, 1e-6, unit="L", source=ROUTE, reason="residuals of 1e-8 on both sides"
        )  # fmt: skip
        force = sim.read("hose.contact_on_part") + rod.contact_force.get("part", np.full(3, math.inf))
        yield below(
            f"rod.lean.{name}.force", float(np.linalg.norm(force)), 1e-5, unit="N", source=ROUTE, reason="1e-4 of a force of 0.2 N and less"
        )  # fmt: skip
        yield below(
            f"rod.lean.{name}.work", abs(sim.read("energy.remainder")) / max(gained, 1e-9), 1e-2, unit="-",
            source="what the body works is what the hose stores", reason="of second order in the step, and once where it is met",
        )  # fmt: skip
        touched = [sim.read("hose.contacts") > 0.0]
        for _ in range(65):
            sim.run(1)
            touched.append(sim.read("hose.contacts") > 0.0)
        changes = [one for one, other in pairwise(touched) if one != other]
        yield below(
            f"rod.lean.{name}.changes", 0.0 if changes == [True] else 1.0, 0.5, unit="-", source="it is left, and once",
            reason="no chatter",
        )  # fmt: skip
        back = float(np.abs(sim.read("hose.shape").reshape(-1, 3) - free).max())
        yield below(
            f"rod.lean.{name}.release", back / LENGTH, 1e-7, unit="L", source="the free hose", reason="residual of 1e-8"
        )  # fmt: skip


def loaded(lab: Lab) -> Iterator[Item]:
    """Posts of 1 g and 200 g on a slide fall on a hose and come to rest at 1/60 s."""
    for mass in (1e-3, 0.2):
        post = Body(
            mass=mass,
            shape=Cylinder(radius=0.03, length=0.3),
            orientation=ACROSS,
            position=(0.2, 0, 0.03),
            collide=False,
        )
        ends = tuple(End(at=at, **HELD) for at in ((0.0, 0.0, 0.0), (0.45, 0.0, 0.0)))
        scene = Scene(
            bodies={"post": post}, joints={"guide": Slider(b="post", axis=(0, 0, 1), at=(0.2, 0, 0.03))},
            cables={"hose": _hose("post", route=ends, length=0.5, segments=50)},
        )  # fmt: skip
        sim = lab.simulate(scene)
        sim.run(lab.choose(900, 1500))
        called = f"rod.lean.{1e3 * mass:g}g"
        yield below(
            f"{called}.rest", sim.read("post.speed"), 1e-5, unit="m/s", source="a body on a hose of 36 g", reason="it lies still"
        )  # fmt: skip
        carried = float(sim.read("hose.contact_on_post")[2])
        yield below(
            f"{called}.weight", abs(carried - 9.81 * mass), 1e-4, unit="N", source="its weight",
            reason="1e-4 of EI/L^2 and the hose's weight, below which a step is not solved again",
        )  # fmt: skip


def struck(lab: Lab) -> Iterator[Item]:
    """A rod without weight between two bodies in space, struck by a ball."""
    rod = Cable(
        model="rod", length=0.5, segments=40, diameter=0.01, bending_stiffness=0.005, torsional_stiffness=0.005, mass_per_length=1e-6,
        obstacles=("ball",),
        route=tuple(End(on=name, hold="pose", direction=(1.0, 0.0, up)) for name, up in (("one", 0.5), ("two", -0.5))),
    )  # fmt: skip
    box = Box(size=(0.05, 0.06, 0.07))
    bodies = {
        "one": Body(mass=2.0, shape=box, collide=False),
        "two": Body(mass=3.0, shape=box, collide=False, position=(0.45, 0.0, 0.0)),
        "ball": Body(
            mass=0.05, shape=Sphere(radius=0.04), centre=(0.005, 0, 0), collide=False, position=(0.2, 0.005, 0.3), velocity=(0.0, 0.0, -0.5)
        ),
    }  # fmt: skip
    sim = lab.simulate(Scene(bodies=bodies, cables={"rod": rod}, gravity=(0.0, 0.0, 0.0), dt=1e-3))
    before, most = sim.read("momentum.linear").copy(), 0.0
    for _ in range(60):
        sim.run(20)
        most = max(most, float(np.linalg.norm(sim.read("rod.contact_on_ball"))))
    change = float(np.linalg.norm(sim.read("momentum.linear") - before))
    yield below(
        "rod.lean.momentum", change, 1e-9, unit="kg m/s", source="action and reaction", reason="round-off, of 0.025"
    )
    yield below(
        "rod.lean.met", 1.0 / max(most, 1e-12), 50.0, unit="1/N", source="they have met", reason="pushed with more than 0.02 N",
    )  # fmt: skip


CHECKS = (pushed, loaded, struck)
