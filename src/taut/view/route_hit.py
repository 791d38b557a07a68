"""Where a ray of the pointer meets a mesh, or passes a line."""

from __future__ import annotations

import numpy as np

from taut.cables.rod.ends import conjugate, rotate


def hit(
    vertices: np.ndarray, faces: np.ndarray, point: np.ndarray, frame: np.ndarray, origin: np.ndarray, way: np.ndarray
) -> tuple[np.ndarray, np.ndarray] | None:
    """Where a ray first meets a mesh that stands at a pose, and the normal there towards the viewer (Moeller-Trumbore)."""
    inverse = conjugate(frame)
    start, direction = rotate(inverse, origin - point), rotate(inverse, way / np.linalg.norm(way))
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    u, v = b - a, c - a
    p = np.cross(direction, v)
    det = (u * p).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = start - a
        s = (t * p).sum(axis=1) / det
        q = np.cross(t, u)
        r = (q @ direction) / det
        far = (v * q).sum(axis=1) / det
        good = (np.abs(det) > 1e-15) & (s >= 0.0) & (r >= 0.0) & (s + r <= 1.0) & (far > 0.0)
    if not good.any():
        return None
    k = int(np.argmin(np.where(good, far, np.inf)))
    normal = np.cross(u[k], v[k])
    normal /= np.linalg.norm(normal)
    normal = normal if normal @ direction < 0.0 else -normal
    return point + rotate(frame, start + far[k] * direction), rotate(frame, normal)


def passes(points: np.ndarray, origin: np.ndarray, way: np.ndarray) -> float:
    """How near a ray passes some points, before the viewer [m]; infinite where all of them lie behind."""
    along = way / np.linalg.norm(way)
    relative = points - origin
    ahead = relative @ along
    away = np.linalg.norm(relative - ahead[:, None] * along, axis=1)
    return float(np.where(ahead > 0.0, away, np.inf).min())
