"""Bodies at rest on each other under heavy loads, and bodies that start inside each other."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from taut.scene import Body, Box, Plane, Scene, Sphere
from taut.validate.contact_reference import G
from taut.validate.item import Item, below, close
from taut.validate.lab import Lab
from taut.validate.watch import watch

GROUND = Body(kind="static", shape=Plane())


def heavy_stack(lab: Lab) -> Iterator[Item]:
    """Ten boxes, each 1.67 times as heavy as the one below: a hundred to one from bottom to top, and nothing moves."""
    count, seconds = 10, lab.choose(5.0, 60.0)
    masses = 100.0 ** (np.arange(count) / (count - 1.0))
    bodies = {"ground": GROUND}
    for i, mass in enumerate(masses):
        bodies[f"b{i}"] = Body(shape=Box(size=(1, 1, 0.5)), mass=float(mass), position=(0, 0, 0.25 + 0.5 * i))
    sim = lab.simulate(Scene(bodies=bodies))
    start = np.array([sim.read(f"b{i}.position") for i in range(count)])
    sim.run(round(seconds / sim.dt))
    end = np.array([sim.read(f"b{i}.position") for i in range(count)])
    yield below(
        "contact.heavy_stack.moved", float(np.abs(end - start).max()), 1e-3, unit="m", source="it stands",
        reason="each face sinks in by g h^2/1e4 of what it carries", note=f"mass ratio 100, {seconds:g} s",
    )  # fmt: skip
    yield close(
        "contact.heavy_stack.force", float(sim.read("contact.force")), G * float(np.cumsum(masses[::-1]).sum()), 1e-3, unit="N",
        source="every face carries what lies above", reason="acceptance",
    )  # fmt: skip


def inside_each_other(lab: Lab) -> Iterator[Item]:
    """Boxes and balls that start in the same place part at a limited speed, and lie apart in the end."""
    bodies = {"ground": GROUND}
    for i in range(6):
        shape = Box(size=(0.4, 0.4, 0.4)) if i % 2 else Sphere(radius=0.2)
        bodies[f"b{i}"] = Body(shape=shape, mass=1.0 + i, position=(0.01 * i, 0.004 * i, 0.3))
    sim = lab.simulate(Scene(bodies=bodies))
    seen = watch(sim, 6.0, {f"v{i}": f"b{i}.speed" for i in range(6)} | {"depth": "contact.penetration"})
    fastest = max(float(seen[f"v{i}"].max()) for i in range(6))
    yield below(
        "contact.inside.speed", fastest, 4.0, unit="m/s", source="let out at 1 m/s, six at once; they fall from half a metre",
        reason="an explosion would be tens of metres a second",
    )  # fmt: skip
    yield below(
        "contact.inside.depth", float(seen["depth"][-1]), 1e-4, unit="m", source="apart in the end",
        reason="rest depth: micrometres",
    )  # fmt: skip
