"""How large a scene is, for the camera, the light and the grid."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from taut.compile import frames
from taut.scene import Body, Box, Capsule, Cylinder, HeightField, Hull, Mesh, Plane, Shape, Sphere


def half_size(shape: Shape | None) -> tuple[float, float, float]:
    """Half the size of a shape along its own axes [m]; a mesh counts from its origin."""
    if isinstance(shape, Box):
        return (0.5 * shape.size[0], 0.5 * shape.size[1], 0.5 * shape.size[2])
    if isinstance(shape, Sphere):
        return (shape.radius,) * 3
    if isinstance(shape, Capsule):
        return (shape.radius, shape.radius, 0.5 * shape.length + shape.radius)
    if isinstance(shape, Cylinder):
        return (shape.radius, shape.radius, 0.5 * shape.length)
    if isinstance(shape, Mesh | Hull | HeightField):
        x, y, z = np.abs(shape.content().vertices).max(axis=0)
        return (float(x), float(y), float(z))
    return (0.0, 0.0, 0.0)


def bounds(bodies: Mapping[str, Body], points: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Corners of the box around all bodies at the start, planes left out, and some points [m]."""
    seen = [body for body in bodies.values() if not isinstance(body.shape, Plane)]
    beside = np.zeros((0, 3)) if points is None else points
    if not seen:
        return (beside.min(axis=0), beside.max(axis=0)) if len(beside) else (np.full(3, -1.0), np.full(3, 1.0))
    centre = np.array([body.start_position for body in seen])
    turn = np.array([body.start_orientation for body in seen], float)
    half = np.array([half_size(body.shape) for body in seen])
    # the box around a turned box: the sizes through the absolute rotation matrix
    reach = sum(np.abs(frames.rotate(turn, half * axis)) for axis in np.eye(3))
    corners = np.concatenate([centre - reach, centre + reach, beside])
    return corners.min(axis=0), corners.max(axis=0)


def extent(bodies: Mapping[str, Body], points: np.ndarray | None = None) -> float:
    """The longest side of the box around the scene [m]."""
    low, high = bounds(bodies, points)
    return float(max((high - low).max(), 0.1))
