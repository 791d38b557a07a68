"""Ropes that touch: a line on the ground, a field of loops for the broad phase, a coil that falls in a heap."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from taut.contact import make_shapes, make_work
from taut.contact.shapes import CAPSULE, PLANE
from taut.contact.work import DetectWork
from taut.scene import Body, Cable, Material, Plane, Scene
from taut.scene.parts import Free
from taut.scene.quantity import Vec3

#: the rope: thickness and length of a segment [m], mass per length [kg/m], EI and GJ [N m^2], damping time [s], friction
THICK, STEP, LINE, BEND, DAMPING, FRICTION = 0.02, 0.06, 0.2, 1e-2, 0.02, 0.4
#: the coil: radius, height of its lowest point, rise per turn [m]
COIL, LIFT, RISE = 0.12, 0.05, 0.03


def rope(places: list[Vec3]) -> Cable:
    """A segmented rope that touches, free at both ends."""
    return Cable(
        model="segmented", places=tuple(places), route=(Free(at=places[0]), Free(at=places[-1])), mass_per_length=LINE,
        diameter=THICK, axial_stiffness=1e5, bending_stiffness=BEND, torsional_stiffness=BEND, damping_time=DAMPING, collide=True,
        material="rope",
    )  # fmt: skip


def line(segments: int, height: float = 0.0) -> Scene:
    """A straight rope that lies on the ground, or falls freely a long way above it [m]."""
    places: list[Vec3] = [(STEP * k, 0.0, 0.5 * THICK + height) for k in range(segments + 1)]
    ground = Body(kind="static", shape=Plane(), material="rope")
    return Scene(
        materials={"rope": Material(friction=FRICTION)}, bodies={"ground": ground}, cables={"rope": rope(places)}
    )


def coil(segments: int) -> list[Vec3]:
    """Corners of a coil above the ground, wide enough not to touch itself."""
    turn = STEP / COIL
    return [
        (COIL * math.cos(k * turn), COIL * math.sin(k * turn), LIFT + RISE * k * turn / (2 * math.pi))
        for k in range(segments + 1)
    ]


def heap(segments: int) -> Scene:
    """A coil of rope that is let fall."""
    ground = Body(kind="static", shape=Plane(), material="rope")
    return Scene(
        materials={"rope": Material(friction=FRICTION)},
        bodies={"ground": ground},
        cables={"rope": rope(coil(segments))},
    )


def field(count: int, margin: float = 2e-4) -> tuple[Any, np.ndarray, DetectWork]:
    """Segments of rope on a plane, in loops of 100 that lie criss-cross over their neighbours: as dense whatever their number.

    Returns shapes, which of their bodies move, and the scratch of the detection with everything in its place.
    """
    from taut.contact.place import place

    rng = np.random.default_rng(0)
    loops = max(count // 100, 1)
    side = math.ceil(math.sqrt(loops))
    pos, quat = np.zeros((count + 1, 3)), np.zeros((count + 1, 4))
    for i in range(count):
        loop, k = divmod(i, math.ceil(count / loops))
        angle = 2.0 * math.pi * (k % 33) / 33
        x, y = 0.5 * (loop % side), 0.5 * (loop // side)
        pos[i] = (x + 0.3 * math.cos(angle), y + 0.3 * math.sin(angle), 0.5 * THICK + 0.5 * THICK * (k // 33))
        pos[i, :2] += rng.normal(size=2) * 0.02
        half = math.sqrt(0.5)
        quat[i] = (half, -half * math.cos(angle), -half * math.sin(angle), 0.0)
    quat[count] = (1.0, 0.0, 0.0, 0.0)
    shapes = make_shapes(
        [CAPSULE] * count + [PLANE], [[0.5 * THICK, 0.5 * STEP, 0.0]] * count + [[0.0] * 3], range(count + 1)
    )
    moves = np.ones(count + 1, np.int64)
    moves[count] = 0
    work = make_work(count + 1, 8 * count, pair_capacity=64 * count)
    place(shapes, pos, quat, np.zeros((count + 1, 6)), 1.0 / 60.0, margin, work)
    return shapes, moves, work
