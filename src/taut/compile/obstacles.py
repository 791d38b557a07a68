"""Bodies that a rope wraps round: their shapes as balls, cylinders or polyhedra, and the friction of the rope on them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from taut.compile import frames
from taut.compile.bodies import BodyTable
from taut.contact.shapes import BOX, CAPSULE, CYLINDER, SPHERE
from taut.scene import Scene
from taut.scene.cables import Cable
from taut.scene.materials import Material
from taut.scene.shapes import Box, Capsule, Cylinder, Hull, Mesh, Sphere

Array = np.ndarray
#: wraps that one obstacle has room for, where the cable does not say: round ones and polyhedra
ROUND_ROOM, EDGE_ROOM = 2, 6
#: faces whose normals differ by less than this are one [-]
FLAT = 1e-6


@dataclass
class Obstacle:
    """One body in the way of one rope."""

    body: int
    kind: int  # SPHERE, CYLINDER, CAPSULE, or BOX for any polyhedron
    size: tuple[float, float, float]
    centre: Array  # of the shape, in principal axes of the body [m]
    quat: Array  # axes of the shape in them
    friction: float
    room: int
    edges: Array = field(default_factory=lambda: np.zeros((0, 6)))  # both ends [m]
    planes: Array = field(default_factory=lambda: np.zeros((0, 4)))  # outward normal and distance


def obstacles_of(cable: Cable, scene: Scene, bodies: BodyTable) -> list[Obstacle]:
    """What a cable wraps round, in the order it is written."""
    found = []
    for name in cable.obstacles:
        i = bodies.index[name]
        spec = bodies.specs[i]
        assert spec is not None and spec.shape is not None  # the scene's checks have seen to it
        back = frames.conjugate(bodies.frame[i])
        friction = math.sqrt(_friction(scene, cable.material) * _friction(scene, spec.material))
        shape = spec.shape
        centre = frames.rotate(back, -bodies.centre[i])
        if isinstance(shape, Box | Mesh | Hull):
            edges, planes = box_hull(shape.size) if isinstance(shape, Box) else hull_of(shape.content().vertices)
            room = cable.wrap_room or EDGE_ROOM
            found.append(Obstacle(i, BOX, (0.0, 0.0, 0.0), centre, back, friction, room, edges, planes))
            continue
        kind = {Sphere: SPHERE, Capsule: CAPSULE, Cylinder: CYLINDER}[type(shape)]
        half = 0.0 if isinstance(shape, Sphere) else 0.5 * shape.length  # type: ignore[union-attr]
        size = (shape.radius, half, 0.0)  # type: ignore[union-attr]
        found.append(Obstacle(i, kind, size, centre, back, friction, cable.wrap_room or ROUND_ROOM))
    return found


def _friction(scene: Scene, material: str | None) -> float:
    return (scene.materials[material] if material else Material()).friction


def box_hull(size: tuple[float, float, float]) -> tuple[Array, Array]:
    """The twelve edges and six faces of a box of these edge lengths."""
    half = 0.5 * np.asarray(size, float)
    edges = []
    for axis in range(3):
        one, two = (axis + 1) % 3, (axis + 2) % 3
        for s, t in product((-1.0, 1.0), repeat=2):
            start = np.zeros(3)
            start[[axis, one, two]] = -half[axis], s * half[one], t * half[two]
            stop = start.copy()
            stop[axis] = half[axis]
            edges.append([*start, *stop])
    planes = [[*(sign * np.eye(3)[k]), half[k]] for k in range(3) for sign in (1.0, -1.0)]
    return np.array(edges), np.array(planes)


def hull_of(points: Array) -> tuple[Array, Array]:
    """Edges and faces of the convex hull of some points; triangles in one plane are one face."""
    from scipy.spatial import ConvexHull  # only here: it takes time to load

    hull = ConvexHull(np.asarray(points, float))
    normals, offsets = hull.equations[:, :3], -hull.equations[:, 3]
    edges = []
    for k, (triangle, neighbours) in enumerate(zip(hull.simplices, hull.neighbors)):
        for corner, other in enumerate(neighbours):
            if other > k and float(normals[k] @ normals[other]) < 1.0 - 0.5 * FLAT**2 - 1e-12:
                ends = [triangle[c] for c in range(3) if c != corner]
                edges.append([*hull.points[ends[0]], *hull.points[ends[1]]])
    faces: list[Array] = []
    for normal, offset in zip(normals, offsets):
        if not any(normal @ face[:3] > 1.0 - 1e-12 and abs(offset - face[3]) < 1e-9 for face in faces):
            faces.append(np.array([*normal, offset]))
    return np.array(edges), np.array(faces)
