"""How ropes are bent, from points along them."""

from __future__ import annotations

import numpy as np

from taut.compile import frames

#: curvature below which a rope counts as straight [1/m]
STRAIGHT = 1e-3


def curvatures(points: np.ndarray) -> np.ndarray:
    """Curvature at the inner points of a line [1/m], shape (n - 2,): one over the radius of the circle through a point and
    its neighbours, 2 |a x b| / (|a| |b| |a + b|)."""
    a, b = points[1:-1] - points[:-2], points[2:] - points[1:-1]
    sizes = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1) * np.linalg.norm(a + b, axis=1)
    twice = 2.0 * np.linalg.norm(frames.cross(a, b), axis=1)
    return np.where(sizes > 1e-15, twice / np.maximum(sizes, 1e-15), 0.0)


def along_pieces(values: np.ndarray, count: int) -> np.ndarray:
    """Values at places evenly spread along a rope, for each of so many pieces of it; nothing known is zero."""
    if not len(values):
        return np.zeros(count)
    return np.interp(np.linspace(0.0, 1.0, count), np.linspace(0.0, 1.0, len(values)), values)
