"""Triangles of the shapes: a box with its edges broken, and everything round as a turned profile.

Corners are shared only where a surface is smooth, so that edges stay edges in the light.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np

from taut.scene import Box, Capsule, Cylinder, HeightField, Hull, Mesh, Shape, Sphere
from taut.view.colours import Colour

#: share of the smallest edge that is taken off, and the most of it [m]
CHAMFER, MOST_CHAMFER = 0.06, 0.02
SIDES = 32


#: a point of a broken box: the signs of its corner, and the axis of its face
Point = tuple[tuple[float, float, float], int]


class Solid(NamedTuple):
    """Triangles around the origin."""

    vertices: np.ndarray
    """Corner points [m], shape (n, 3)."""
    faces: np.ndarray
    """Corners of each triangle, counter-clockwise from outside, shape (m, 3)."""
    paint: np.ndarray | None = None
    """Of every corner, how much of the colour of its body it has, and the red, green and blue beside it, from 0 to 1, shape
    (n, 4); None: all of it, and nothing else."""

    def painted(self, colour: Colour) -> np.ndarray:
        """Colours of all corners on a body of that colour, from 0 to 1, shape (n, 3)."""
        if self.paint is None:
            return np.tile(colour, (len(self.vertices), 1))
        return self.paint[:, :1] * np.asarray(colour) + self.paint[:, 1:]


def of_shape(shape: Shape) -> Solid | None:
    """The triangles of a shape; None for a plane, which is drawn as the ground."""
    if isinstance(shape, Box):
        return box(shape.size)
    if isinstance(shape, Sphere):
        return ball(shape.radius)
    if isinstance(shape, Capsule):
        return capsule(shape.radius, shape.length)
    if isinstance(shape, Cylinder):
        return cylinder(shape.radius, shape.length)
    if isinstance(shape, Mesh | Hull | HeightField):
        content = shape.content()
        return Solid(content.vertices, content.faces)
    return None


def unit(shape: Shape) -> tuple[Solid, tuple[float, float, float]] | None:
    """A solid of size one and the scales that make it the shape: for scenes where every size differs."""
    if isinstance(shape, Box):
        return box((1.0, 1.0, 1.0)), shape.size
    if isinstance(shape, Sphere):
        return ball(1.0), (shape.radius,) * 3
    if isinstance(shape, Cylinder):
        return cylinder(1.0, 1.0), (shape.radius, shape.radius, shape.length)
    return None


def box(size: Sequence[float]) -> Solid:
    """A box with broken edges: 6 faces, 12 edges, 8 corners, each flat."""
    half = 0.5 * np.asarray(size, float)
    cut = min(CHAMFER * 2.0 * float(half.min()), MOST_CHAMFER)
    corner, face, faces = _broken_box()
    # a point lies on the face across one axis, and is drawn in along the other two
    return Solid(corner * (half - cut * (np.arange(3) != face[:, None])), faces)


@cache
def _broken_box() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of each point of a broken box the corner it belongs to (three signs) and the axis of its face; the triangles."""
    signs = [(x, y, z) for x, y, z in product((-1.0, 1.0), repeat=3)]
    rings: list[list[Point]] = [[(s, axis) for axis in range(3)] for s in signs]
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3

        def corner(along: float, su: float, sv: float, axis: int = axis) -> tuple[float, float, float]:
            x, y, z = np.roll([along, su, sv], axis).tolist()
            return (x, y, z)

        around = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))
        rings += [[(corner(side, *sides), axis) for sides in around] for side in (-1.0, 1.0)]
        # the four edges along this axis
        for sides in around:
            low, high = corner(-1.0, *sides), corner(1.0, *sides)
            rings.append([(low, u), (high, u), (high, v), (low, v)])
    points: list[Point] = []
    faces: list[tuple[int, int, int]] = []
    for ring in rings:
        at = np.array([np.asarray(s) * (1.0 - 0.1 * (np.arange(3) != axis)) for s, axis in ring])
        # all triangles look outwards
        turned_in = np.cross(at[1] - at[0], at[2] - at[0]) @ at.mean(axis=0) < 0.0
        first = len(points)
        points += ring[::-1] if turned_in else ring
        faces += [(first, first + k, first + k + 1) for k in range(1, len(ring) - 1)]
    return np.array([s for s, _ in points]), np.array([axis for _, axis in points]), np.array(faces)


def turned(profile: Sequence[Sequence[tuple[float, float]]], sides: int = SIDES) -> Solid:
    """A profile turned about z: strokes of points (radius, height) from bottom to top, smooth along each stroke."""
    angle = 2.0 * np.pi * np.arange(sides) / sides
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    vertices, faces = [], []
    first = 0
    for stroke in profile:
        for radius, height in stroke:
            vertices.append(np.column_stack([radius * circle, np.full(sides, height)]))
        for row in range(len(stroke) - 1):
            a = first + row * sides + np.arange(sides)
            b = first + row * sides + (np.arange(sides) + 1) % sides
            if stroke[row][0] > 0.0:
                faces.append(np.column_stack([a, b, b + sides]))
            if stroke[row + 1][0] > 0.0:
                faces.append(np.column_stack([a, b + sides, a + sides]))
        first += len(stroke) * sides
    return Solid(np.concatenate(vertices), np.concatenate(faces))


def ball(radius: float) -> Solid:
    """A ball."""
    return turned([_arc(radius, 0.0, -0.5 * np.pi, 0.5 * np.pi, 18)])


def capsule(radius: float, length: float, sides: int = 20) -> Solid:
    """A cylinder along z of that length, with round ends beyond it."""
    half = 0.5 * length
    low = _arc(radius, -half, -0.5 * np.pi, 0.0, 6)
    high = _arc(radius, half, 0.0, 0.5 * np.pi, 6)
    return turned([low + high], sides)


def cylinder(radius: float, length: float, sides: int = SIDES) -> Solid:
    """A cylinder along z with its rims broken."""
    half = 0.5 * length
    cut = min(CHAMFER * min(2.0 * radius, length), MOST_CHAMFER)
    r, h = radius - cut, half - cut
    strokes = [[(0.0, -half), (r, -half)], [(r, -half), (radius, -h)], [(radius, -h), (radius, h)]]
    strokes += [[(radius, h), (r, half)], [(r, half), (0.0, half)]]
    return turned(strokes, sides)


def _arc(radius: float, height: float, start: float, end: float, parts: int) -> list[tuple[float, float]]:
    angles = np.linspace(start, end, parts + 1)
    points = [(radius * float(np.cos(a)), height + radius * float(np.sin(a))) for a in angles]
    # the poles exactly on the axis
    return [(0.0 if r < 1e-9 * radius else r, z) for r, z in points]
