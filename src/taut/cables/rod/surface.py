"""The surface of a connector as balls: what it touches parts with."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from taut.cables.rod.arrays import Array
from taut.cables.rod.values import RodError
from taut.scene import shapes
from taut.scene.mesh_file import MeshError

#: edges of boxes and cylinders are rounded by this part of their least size
ROUNDED = 0.05
#: balls along an edge, at most: between two of them a sharp corner can reach in by half their distance
ALONG = 5
#: balls of a mesh, at most, and their radius beside its least size: it is thicker by that
OF_MESH, GROWN = 200, 0.01


def studs_of(name: str, shape: Any, middle: Array) -> Array:
    """Balls that fill the surface of a shape from inside: points in its frame around its middle, radii [m], shape (n, 4).

    A sphere is one of them. Boxes and cylinders have rounded edges; a mesh is a little thicker than it is.
    """
    if isinstance(shape, shapes.Sphere):
        points, radius = np.zeros((1, 3)), shape.radius
    elif isinstance(shape, shapes.Capsule):
        height = np.linspace(-0.5 * shape.length, 0.5 * shape.length, ALONG)
        points, radius = np.column_stack([0 * height, 0 * height, height]), shape.radius
    elif isinstance(shape, shapes.Box):
        radius = ROUNDED * min(shape.size)
        points = _box([0.5 * edge - radius for edge in shape.size])
    elif isinstance(shape, shapes.Cylinder):
        radius = ROUNDED * min(2.0 * shape.radius, shape.length)
        points = _cylinder(shape.radius - radius, 0.5 * shape.length - radius)
    elif isinstance(shape, shapes.Mesh):
        points, radius = _mesh(name, shape)
    else:
        raise RodError(f"{name}.shape: {type(shape).__name__} - expected sphere, capsule, box, cylinder or mesh")
    return np.column_stack([points + middle, np.full(len(points), radius)])


def _box(half: list[float]) -> Array:
    """Points of the surface of a box, equally spaced along each edge."""
    step = 2.0 * max(half) / (ALONG - 1)
    lines = [np.linspace(-h, h, max(2, math.ceil(2.0 * h / step - 1e-9) + 1)) for h in half]
    grid = np.stack(np.meshgrid(*lines, indexing="ij"), axis=-1).reshape(-1, 3)
    outside = (np.abs(np.abs(grid) - half) < 1e-12 * max(half)).any(axis=1)
    return np.asarray(grid[outside])


def _cylinder(radius: float, half: float) -> Array:
    """Points of the surface of a cylinder along z: rings, and its two ends."""
    turns = np.arange(2 * ALONG) * math.pi / ALONG
    ring = np.column_stack([np.cos(turns), np.sin(turns)])
    found = [np.column_stack([radius * ring, np.full(len(ring), z)]) for z in np.linspace(-half, half, ALONG)]
    for z in (-half, half):
        found += [np.column_stack([part * radius * ring, np.full(len(ring), z)]) for part in (1 / 3, 2 / 3)]
        found.append(np.array([[0.0, 0.0, z]]))
    return np.vstack(found)


def _mesh(name: str, shape: shapes.Mesh) -> tuple[Array, float]:
    """Corners of a mesh, and of its triangles cut in four as often as there is room for."""
    import trimesh

    try:
        content = shape.content()
    except MeshError as error:
        raise RodError(f"{name}.shape.file: {shape.file}: {error}") from None
    vertices, faces = np.asarray(content.vertices, float), np.asarray(content.faces)
    points = np.unique(np.round(vertices, 9), axis=0)
    if len(points) > OF_MESH:
        raise RodError(
            f"{name}.shape.file: {shape.file} has {len(points)} corners, at most {OF_MESH} are looked at; give a coarser mesh"
        )
    while True:
        vertices, faces = trimesh.remesh.subdivide(vertices, faces)
        finer = np.unique(np.round(vertices, 9), axis=0)
        if len(finer) > OF_MESH:
            return points, GROWN * float(np.ptp(points, axis=0).min())
        points = finer
