"""Random piles of bodies and ropes: whatever falls onto whatever, the state stays finite, nothing stays inside another, and no energy appears."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from taut.scene import Body, Box, Cable, Capsule, Material, Plane, Scene, Sphere
from taut.scene.parts import Free
from taut.scene.quantity import Vec3
from taut.validate.item import Item, below, told
from taut.validate.lab import Lab, triple

#: thickness of the ropes [m]
THICK = 0.03


def _rope(rng: np.random.Generator, height: float) -> Cable:
    """A coil somewhere above the ground."""
    segments, radius = int(rng.integers(8, 20)), float(rng.uniform(0.12, 0.3))
    turn, x, y = 0.08 / radius, *rng.uniform(-0.2, 0.2, 2)
    rise = 1.6 * THICK * turn / (2.0 * math.pi)
    places: list[Vec3] = [
        triple((x + radius * math.cos(k * turn), y + radius * math.sin(k * turn), height + k * rise))
        for k in range(segments + 1)
    ]
    return Cable(
        model="segmented", places=tuple(places), route=(Free(at=places[0]), Free(at=places[-1])), mass_per_length=float(rng.uniform(0.1, 2.0)),
        diameter=THICK, axial_stiffness=1e5, bending_stiffness=1e-2, torsional_stiffness=1e-2, damping_time=0.02, collide=True,
        material="m",
    )  # fmt: skip


def pile(seed: int) -> Scene:
    """Bodies and ropes in layers above the ground, none touching another at first."""
    rng = np.random.default_rng(seed)
    bodies = {"ground": Body(kind="static", shape=Plane(), material="m")}
    cables, height = {}, 0.2
    for k in range(int(rng.integers(3, 7))):
        kind = int(rng.integers(4))
        if kind == 3:
            cables[f"rope{k}"] = _rope(rng, height)
            height += 0.35
            continue
        shape = (Box(size=(0.2, 0.15, 0.12)), Sphere(radius=0.08), Capsule(radius=0.06, length=0.2))[kind]
        at = triple((*rng.uniform(-0.15, 0.15, 2), height + 0.1))
        spin = triple(rng.uniform(-2.0, 2.0, 3))
        bodies[f"body{k}"] = Body(
            shape=shape, mass=float(10.0 ** rng.uniform(-1.0, 1.0)), position=at, spin=spin, material="m"
        )
        height += 0.35
    return Scene(materials={"m": Material(friction=float(rng.uniform(0.0, 0.9)))}, bodies=bodies, cables=cables)


def random_piles(lab: Lab) -> Iterator[Item]:
    """Many piles, each let fall and watched until it lies."""
    count, seconds = lab.choose((6, 2.0), (200, 5.0))
    deepest, worst, most = 0.0, 0.0, 0.0
    for seed in range(count):
        sim = lab.simulate(pile(seed))
        start = float(sim.read("energy.mechanical"))
        for _ in range(round(seconds / sim.dt)):
            sim.step()  # ends the check with an error, should anything not be finite
            worst = max(worst, float(sim.read("contact.penetration")))
            most = max(most, (float(sim.read("energy.kinetic")) + float(sim.read("energy.potential"))) / start)
        deepest = max(deepest, float(sim.read("contact.penetration")))
    yield below(
        "contact.piles.depth", deepest, 0.05 * THICK, unit="m", source="no penetration", reason="a twentieth of the ropes' thickness",
        note=f"{count} piles after {seconds:g} s",
    )  # fmt: skip
    yield below(
        "contact.piles.energy", most, 1.0 + 1e-3, unit="-", source="contact gives no energy",
        reason="of motion and height, over all that was there at the start, bending included",
    )  # fmt: skip
    yield told("contact.piles.worst", worst, unit="m", source="no penetration", note="deepest in any step of any pile")
