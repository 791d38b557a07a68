"""The scenes that are timed, built in a few lines each, all with the solver's defaults unless said otherwise."""

from __future__ import annotations

import math
from typing import Any

from taut.scene import Ball, Body, Box, Cable, Chain, End, Plane, Scene, Sphere

GROUND = Body(kind="static", shape=Plane())


def hanging_chain(links: int, dt: float = 1.0 / 60.0, **solver: Any) -> Scene:
    """10 m of chain, 0.4 kg/m, a load of 1000 kg at its end, released at 30 degrees."""
    end = (10.0 * math.sin(math.radians(30.0)), 0.0, -10.0 * math.cos(math.radians(30.0)))
    load = Body(shape=Sphere(radius=0.05), mass=1000.0, position=end, collide=False)
    chain = Chain(start=(0.0, 0.0, 0.0), end=end, links=links, mass_per_length=0.4, b="load")
    return Scene(dt=dt, solver=solver, bodies={"load": load}, chains={"rope": chain})


def hanging_cable(segments: int, dt: float = 1.0 / 60.0, **solver: Any) -> Scene:
    """A segmented cable of 10 m, 0.4 kg/m, EA 10 MN, EI 20 N m^2, GJ 15 N m^2, a load of 1000 kg at its end, released
    stretched at 30 degrees."""
    end = (10.0 * math.sin(math.radians(30.0)), 0.0, -10.0 * math.cos(math.radians(30.0)))
    load = Body(shape=Sphere(radius=0.05), mass=1000.0, position=end, collide=False)
    cable = Cable(
        model="segmented", segments=segments, axial_stiffness=1e7, bending_stiffness=20.0, torsional_stiffness=15.0,
        mass_per_length=0.4, diameter=0.01, tension=1000.0 * 9.81 * math.cos(math.radians(30.0)),
        route=(End(at=(0.0, 0.0, 0.0)), End(on="load", at=end)),
    )  # fmt: skip
    return Scene(dt=dt, solver=solver, bodies={"load": load}, cables={"rope": cable})


def loop(links: int) -> Scene:
    """A chain between two fixed points, hanging through."""
    length = 0.05 * links
    chain = Chain(
        start=(0.0, 0.0, 0.0), end=(0.7 * length, 0.0, 0.0), slack=0.3, links=links, mass_per_length=1.0, b="world"
    )
    return Scene(chains={"rope": chain})


def tree(bodies: int) -> Scene:
    """A binary tree of balls, each hanging from the one above it."""
    ball = Body(shape=Sphere(radius=0.05), mass=1.0, collide=False)
    depth = [int(math.log2(i + 1)) for i in range(bodies)]
    places = [(0.1 * (i + 1 - 1.5 * 2 ** depth[i]), 0.0, -0.3 * (depth[i] + 1)) for i in range(bodies)]
    return Scene(
        bodies={f"ball_{i}": ball.model_copy(update={"position": place}) for i, place in enumerate(places)},
        joints={
            f"joint_{i}": Ball(
                a="world" if i == 0 else f"ball_{(i - 1) // 2}",
                b=f"ball_{i}",
                at=(0.0, 0.0, 0.0) if i == 0 else places[(i - 1) // 2],
            )
            for i in range(bodies)
        },
    )


def boxes(count: int) -> Scene:
    """Boxes side by side on a plane, not touching each other: four contacts each."""
    side = math.ceil(math.sqrt(count))
    return _crates([(0.8 * (i % side), 0.8 * (i // side), 0.25) for i in range(count)])


def stack(count: int) -> Scene:
    """Boxes on top of each other."""
    return _crates([(0.01 * (i % 2), 0.0, 0.25 + 0.5 * i) for i in range(count)])


def _crates(places: list[tuple[float, float, float]]) -> Scene:
    crate = Body(shape=Box(size=(0.5, 0.5, 0.5)), density=250.0)
    crates = {f"box_{i}": crate.model_copy(update={"position": place}) for i, place in enumerate(places)}
    return Scene(bodies={"ground": GROUND, **crates})


def spheres(count: int) -> Scene:
    """Spheres that fall into a square pit and come to rest as a pile."""
    side = max(2, math.ceil((count / 2.0) ** (1.0 / 3.0)))
    width = 0.25 * side + 0.1
    ball = Body(shape=Sphere(radius=0.1), density=500.0)
    bodies = {"ground": GROUND, **_walls(width, 2.0 * width)}
    for i in range(count):
        layer, place = divmod(i, side * side)
        # layers a little off each other: no ball stands exactly on another
        x = 0.25 * (place % side) + 0.03 * (layer % 3) - 0.5 * width + 0.14
        y = 0.25 * (place // side) + 0.03 * (layer % 2) - 0.5 * width + 0.14
        bodies[f"ball_{i}"] = ball.model_copy(update={"position": (x, y, 0.12 + 0.21 * layer)})
    return Scene(bodies=bodies)


def _walls(width: float, height: float) -> dict[str, Body]:
    """Four static walls around the origin, `width` apart inside [m]."""
    walls = {}
    for i, (x, y) in enumerate(((1, 0), (-1, 0), (0, 1), (0, -1))):
        size = (0.2, width + 0.4, height) if x else (width + 0.4, 0.2, height)
        reach = 0.5 * width + 0.1
        walls[f"wall_{i}"] = Body(kind="static", shape=Box(size=size), position=(reach * x, reach * y, 0.5 * height))
    return walls
