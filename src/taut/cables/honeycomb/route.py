"""Where the rope lies at the beginning: layers along a route, their frames carried along it without twist."""

from __future__ import annotations

from typing import Any

import numpy as np

from taut.cables.honeycomb.arrangement import Arrangement
from taut.cables.honeycomb.values import HoneycombError, vector
from taut.scene import units

Array = np.ndarray


def read_route(given: Any) -> Array:
    """Points of a polyline [m], shape (n, 3)."""
    try:
        points = np.array([vector(f"route[{k}]", point, units.LENGTH) for k, point in enumerate(given)])
    except TypeError:
        raise HoneycombError(f"route: {given!r} - expected a list of points") from None
    if len(points) < 2:
        raise HoneycombError(f"route: {len(points)} points - expected at least 2")
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    if steps.min() < 1e-9:
        raise HoneycombError(f"route: points {steps.argmin()} and {steps.argmin() + 1} are the same")
    return points


def arc_length(points: Array) -> Array:
    """From the first point [m], shape (n,)."""
    return np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])


def sample(points: Array, count: int) -> Array:
    """`count` points at equal arc length along a polyline."""
    s = arc_length(points)
    where = np.linspace(0.0, s[-1], count)
    return np.column_stack([np.interp(where, s, points[:, k]) for k in range(3)])


def frames(centres: Array) -> Array:
    """Frames along a curve, columns (d1, d2, tangent), each turned the short way from the last, shape (n, 3, 3)."""
    tangents = np.gradient(centres, axis=0)
    tangents /= np.linalg.norm(tangents, axis=1, keepdims=True)
    up = np.array([0.0, 0.0, 1.0]) if abs(tangents[0, 2]) < 0.99 else np.array([1.0, 0.0, 0.0])
    found = np.empty((len(centres), 3, 3))
    for k, t in enumerate(tangents):
        first = up - (up @ t) * t
        first /= np.linalg.norm(first)
        found[k] = np.column_stack([first, np.cross(t, first), t])
        up = first
    return found


def place(section: Arrangement, side: float, points: Array, layers: int) -> Array:
    """The masses along a route [m], shape (N, 3)."""
    centres = sample(points, layers)
    axes = frames(centres)
    flat = side * section.points
    across = flat[None, :, 0, None] * axes[:, None, :, 0] + flat[None, :, 1, None] * axes[:, None, :, 1]
    return np.ascontiguousarray((centres[:, None, :] + across).reshape(-1, 3))
