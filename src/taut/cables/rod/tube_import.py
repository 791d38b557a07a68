"""A tessellated hose, as it comes from CAD, turned back into a cable: centreline, radius, length, and poses of its ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.cables.rod.arrays import Array
from taut.cables.rod.values import RodError

#: stations along the centreline
STATIONS = 60


@dataclass(frozen=True)
class Tube:
    """What was found in a mesh."""

    centreline: Array  # [m], shape (k, 3), equally spaced
    radius: float  # [m]
    length: float  # [m]
    directions: tuple[Array, Array]  # tangents at start and end, both along growing arc length


def read_tube(vertices: Array, faces: Array, name: str = "mesh") -> Tube:
    """Centreline of one connected tube [m]: rings at equal distance along the surface, then cut across."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components, dijkstra

    edges = np.unique(np.sort(faces[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1), axis=0)
    weight = np.linalg.norm(vertices[edges[:, 0]] - vertices[edges[:, 1]], axis=1)
    graph = coo_matrix((weight, (edges[:, 0], edges[:, 1])), shape=(len(vertices),) * 2).tocsr()
    pieces, _ = connected_components(graph, directed=False)
    if pieces != 1:
        raise RodError(f"{name}: holds {pieces} separate pieces; import one hose at a time")
    # farthest apart along the surface: one on each end
    far = int(np.argmax(dijkstra(graph, directed=False, indices=0)))
    away = dijkstra(graph, directed=False, indices=far)
    levels = np.linspace(0.1, 0.9, STATIONS) * away.max()
    centres = np.array([_ring(vertices, edges, away, level).mean(axis=0) for level in levels])
    radius = 0.0
    for _ in range(4):
        centres, radius = _recentre(vertices, edges, _smooth(centres))
    line = _extend(vertices, edges, centres, radius)
    line = _extend(vertices, edges, line[::-1], radius)[::-1]
    step = np.linalg.norm(np.diff(line, axis=0), axis=1)
    length = float(step.sum())
    if length < 4.0 * radius:
        raise RodError(f"{name}: is {1e3 * length:.1f} mm long and {2e3 * radius:.1f} mm thick; that is no hose")
    at = np.concatenate([[0.0], np.cumsum(step)])
    even = np.linspace(0.0, length, STATIONS + 1)
    from scipy.interpolate import make_interp_spline

    curve: Any = make_interp_spline(at, line, k=3)
    points = curve(even)
    length = float(np.linalg.norm(np.diff(curve(np.linspace(0.0, at[-1], 20 * STATIONS)), axis=0), axis=1).sum())
    first, last = curve(0.0, nu=1), curve(at[-1], nu=1)
    return Tube(points, radius, length, (first / np.linalg.norm(first), last / np.linalg.norm(last)))


def _ring(vertices: Array, edges: Array, field: Array, level: float) -> Array:
    """Points where edges cross a level of a field."""
    a, b = field[edges[:, 0]], field[edges[:, 1]]
    cut = (a < level) != (b < level)
    share = (level - a[cut]) / (b[cut] - a[cut])
    p, q = vertices[edges[cut, 0]], vertices[edges[cut, 1]]
    return p + share[:, None] * (q - p)


def _smooth(points: Array) -> Array:
    inner = 0.25 * points[:-2] + 0.5 * points[1:-1] + 0.25 * points[2:]
    return np.vstack([points[:1], inner, points[-1:]])


def _recentre(vertices: Array, edges: Array, centres: Array) -> tuple[Array, float]:
    """Cut across the tangent at each station and fit a circle to what is cut nearby."""
    tangents = np.gradient(centres, axis=0)
    tangents /= np.linalg.norm(tangents, axis=1, keepdims=True)
    found = [_circle(vertices, edges, centre, tangent) for centre, tangent in zip(centres, tangents)]
    radii = [radius for _, radius in found if radius > 0.0]
    return np.array([centre for centre, _ in found]), float(np.median(radii)) if radii else 0.0


def _circle(vertices: Array, edges: Array, centre: Array, tangent: Array) -> tuple[Array, float]:
    """Centre and radius of what a plane cuts out of the mesh near a point; radius 0 where it cuts nothing."""
    ring = _ring(vertices, edges, (vertices - centre) @ tangent, 0.0)
    off = np.linalg.norm(ring - centre, axis=1)
    # other passes of the hose through this plane lie further away
    ring = ring[off < 3.0 * max(float(off.min(initial=np.inf)), 1e-12)]
    if len(ring) < 3:
        return centre, 0.0
    x = np.cross(tangent, np.eye(3)[int(np.argmin(np.abs(tangent)))])
    x /= np.linalg.norm(x)
    y = np.cross(tangent, x)
    u, v = (ring - centre) @ x, (ring - centre) @ y
    # circle u^2 + v^2 = 2 a u + 2 b v + c (Kasa)
    a, b, c = np.linalg.lstsq(np.column_stack([2 * u, 2 * v, np.ones(len(u))]), u * u + v * v, rcond=None)[0]
    return centre + a * x + b * y, float(np.sqrt(max(c + a * a + b * b, 0.0)))


def _extend(vertices: Array, edges: Array, line: Array, radius: float) -> Array:
    """Walk on beyond the last station, one radius at a time, to where the mesh ends."""
    points = list(line)
    for _ in range(200):
        way = points[-1] - points[-2]
        way /= np.linalg.norm(way)
        beside = np.linalg.norm(np.cross(vertices - points[-1], way), axis=1) < 1.5 * radius
        ahead = (vertices[beside] - points[-1]) @ way
        reach = float(ahead[ahead < 4.0 * radius].max(initial=0.0))
        if reach <= 1.5 * radius:
            return np.vstack([*points, _tip(vertices, np.array(points), radius, reach)])
        centre, _ = _circle(vertices, edges, points[-1] + radius * way, way)
        points.append(centre)
    return np.array(points)


def _tip(vertices: Array, line: Array, radius: float, reach: float) -> Array:
    """Where the centreline meets the end face: a line that is bent up to there goes on as bent as it was.

    Straight on, a bend of ten radii would turn the end by five degrees, and the whole shape with it.
    """
    back = np.concatenate([[0.0], -np.cumsum(np.linalg.norm(np.diff(line[::-1], axis=0), axis=1))])
    near = max(4, int((back > -5.0 * radius).sum()))
    terms = back[:near, None] ** np.arange(1, 3)
    tangent, half = np.linalg.lstsq(terms, line[::-1][:near] - line[-1], rcond=None)[0]
    for _ in range(5):
        tip = line[-1] + reach * tangent + reach * reach * half
        way = tangent + 2.0 * reach * half
        way /= np.linalg.norm(way)
        # the face lies across the way at the tip: its vertices tell how far it is, wherever they are on it
        off = vertices - tip
        beside = np.linalg.norm(off - np.outer(off @ way, way), axis=1) < 1.5 * radius
        ahead = off[beside] @ way
        reach = max(0.0, reach + float(ahead[np.abs(ahead) < 2.0 * radius].max(initial=-reach)))
    found: Array = line[-1] + reach * tangent + reach * reach * half
    return found
