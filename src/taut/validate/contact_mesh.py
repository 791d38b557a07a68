"""Meshes that touch meshes: a chain of open links, and a block on a slope, both of triangles."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from taut.scene import Body, Material, Mesh, Scene
from taut.scene.bodies import UPRIGHT
from taut.scene.quantity import Vec3
from taut.validate.contact_reference import G
from taut.validate.item import Item, below, close
from taut.validate.lab import Lab

#: a square link of square bar with a slot narrower than the bar: size, thickness, slot [m]
LINK, BAR, SLOT = 0.5, 0.1, 0.06
#: a quarter turn about the vertical
QUARTER = (math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5))


def pulled_out(xs: list[float], zs: list[float], full: np.ndarray, width: float) -> tuple[np.ndarray, np.ndarray]:
    """Corners [m] and triangles of the full cells of a grid in x and z, pulled out along y by a width about zero."""
    corners = [(x, side * 0.5 * width, z) for side in (-1.0, 1.0) for z in zs for x in xs]
    number = lambda i, j, side: (side * len(zs) + j) * len(xs) + i  # noqa: E731
    solid = np.pad(full, 1)
    faces: list[tuple[int, int, int]] = []
    for i, j in np.argwhere(full):
        a, b, c, d = ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1))
        quads = [[(*a, 0), (*b, 0), (*c, 0), (*d, 0)], [(*a, 1), (*d, 1), (*c, 1), (*b, 1)]]
        sides = (((i, j + 1), (a, d)), ((i + 2, j + 1), (c, b)), ((i + 1, j), (b, a)), ((i + 1, j + 2), (d, c)))
        for beside, (p, q) in sides:
            if not solid[beside]:
                quads.append([(*p, 0), (*q, 0), (*q, 1), (*p, 1)])
        for quad in quads:
            w, x, y, z = (int(number(*at)) for at in quad)
            faces += [(w, x, y), (w, y, z)]
    return np.array(corners, float), np.array(faces)


def write_mesh(folder: str, name: str, corners: np.ndarray, faces: np.ndarray) -> Mesh:
    """A mesh of these triangles [m] as a file in a folder."""
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in corners.tolist()]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces.tolist()]
    path = Path(folder) / f"{name}.obj"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return Mesh(file=str(path), unit="m", up="z")


def link(folder: str) -> Mesh:
    """An open link: C-shaped, with a slot that another link does not pass."""
    xs = [0.0, BAR, LINK - BAR, LINK]
    zs = [0.0, BAR, 0.5 * (LINK - SLOT), 0.5 * (LINK + SLOT), LINK - BAR, LINK]
    full = np.ones((3, 5), bool)
    full[1, 1:4] = full[2, 2] = False
    return write_mesh(folder, "link", *pulled_out(xs, zs, full, BAR))


def chain_of_links(lab: Lab) -> Iterator[Item]:
    """Four open links, each in the one above, the last of a tonne: nothing moves, and the first carries all."""
    masses = (20.0, 20.0, 20.0, 1000.0)
    with tempfile.TemporaryDirectory() as folder:
        shape = link(folder)
        bodies = {"eye": Body(kind="static", shape=shape)}
        for k, mass in enumerate(masses):
            # every other one turned by a quarter, its upper bar on the lower bar of the one above
            place: Vec3 = (0.5 * LINK, -0.5 * LINK, 0.0) if k % 2 == 0 else (0.0, 0.0, 0.0)
            turn = QUARTER if k % 2 == 0 else UPRIGHT
            place = (place[0], place[1], (k + 1) * (2.0 * BAR - LINK))
            bodies[f"link{k}"] = Body(shape=shape, mass=mass, position=place, orientation=turn)
        sim = lab.simulate(Scene(bodies=bodies))
    start = np.array([sim.read(f"link{k}.position") for k in range(len(masses))])
    sim.run(round(lab.choose(3.0, 30.0) / sim.dt))
    end = np.array([sim.read(f"link{k}.position") for k in range(len(masses))])
    yield below(
        "contact.mesh_links.moved", float(np.abs(end - start).max()), 1e-3, unit="m", source="each hangs in the one above",
        reason="each sinks in by g h^2/1e4 of what it carries; hulls would be pushed apart",
    )  # fmt: skip
    yield close(
        "contact.mesh_links.force", float(np.linalg.norm(sim.read("eye.contact_force"))), G * sum(masses), 1e-6, unit="N",
        source="m g of all links", reason="acceptance",
    )  # fmt: skip


def mesh_on_a_slope(lab: Lab) -> Iterator[Item]:
    """A block of triangles slides down a slope of triangles at 20 degrees: g (sin a - mu cos a)."""
    angle, friction = math.radians(20.0), 0.3
    down, up = np.array([math.cos(angle), 0.0, -math.sin(angle)]), np.array([math.sin(angle), 0.0, math.cos(angle)])
    turn = (math.cos(0.5 * angle), 0.0, math.sin(0.5 * angle), 0.0)
    with tempfile.TemporaryDirectory() as folder:
        # a grid of cells makes a face of many triangles, and a notch below keeps the block from being convex
        wide = np.linspace(-4.0, 4.0, 17).tolist()
        slope = write_mesh(folder, "slope", *pulled_out(wide, [-0.4, 0.0], np.ones((16, 1), bool), 4.0))
        full = np.ones((3, 2), bool)
        full[1, 0] = False
        block = write_mesh(folder, "block", *pulled_out([-0.5, -0.2, 0.2, 0.5], [-0.3, 0.0, 0.3], full, 0.8))
        place = -2.0 * down + 0.3 * up
        bodies = {
            "slope": Body(kind="static", shape=slope, orientation=turn, material="m"),
            "block": Body(
                shape=block,
                mass=100.0,
                orientation=turn,
                material="m",
                position=(float(place[0]), 0.05, float(place[2])),
            ),
        }
        sim = lab.simulate(Scene(bodies=bodies, materials={"m": Material(friction=friction)}))
    sim.run(15)
    before, steps = sim.read("block.velocity"), 45
    sim.run(steps)
    gained = float((sim.read("block.velocity") - before) @ down) / (steps * sim.dt)
    yield close(
        "contact.mesh_slope.acceleration", gained, G * (math.sin(angle) - friction * math.cos(angle)), 1e-6, unit="m/s^2",
        source="g (sin a - mu cos a)", reason="it slides from the first step on; edges in the face do not trip it",
    )  # fmt: skip
