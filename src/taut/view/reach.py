"""How far a scene reaches beyond its bodies, before anything is solved: what the world holds, and about where rods lie. For its size and the first camera."""

from __future__ import annotations

import numpy as np

from taut.cables.rod.first import chords
from taut.compile.reeving import point_of
from taut.scene import WORLD, Scene
from taut.scene.cables import Cable
from taut.scene.parts import Clip, Free, RoutePart, Wheel

#: points of a rod
POINTS = 13


def points_of(scene: Scene) -> np.ndarray:
    """The parts that are held by the world, and points along rods [m], shape (n, 3)."""
    found = []
    for cable in scene.ropes().values():
        found += [_around(part) for part in cable.parts() if part.on == WORLD]
    for cable in scene.lattices().values():
        found += [_around(part) for part in cable.parts() if part.at is not None]
    found += [rod_points(cable, scene) for cable in scene.rods().values()]
    return np.concatenate(found) if found else np.zeros((0, 3))


def _around(part: RoutePart) -> np.ndarray:
    point = np.zeros(3) if part.at is None else np.asarray(part.at, float)
    radius = part.radius if isinstance(part, Wheel) else 0.0
    return point + radius * np.array([[1.0, 0.0, 1.0], [-1.0, 0.0, -1.0]])


def rod_points(cable: Cable, scene: Scene) -> np.ndarray:
    """The smooth curve of its length through what holds it, from which the search for its shape begins [m], shape (n, 3)."""
    if cable.places:
        return np.asarray(cable.places, float)
    held = [part for part in cable.route if not isinstance(part, Free)]
    points = np.array([point_of(part, scene.bodies).tolist() for part in held]).reshape(-1, 3)  # type: ignore[arg-type]
    length = cable.length or 0.0
    # from end to end: of what hangs free nothing is known yet
    if len(held) < 2 or len(held) < len(cable.route) or not length > 0.0:
        return points
    arcs = np.array([0.0, *(part.s for part in held if isinstance(part, Clip)), length])
    if len(arcs) != len(points) or not (np.diff(arcs) > 0.0).all():
        return points
    given = [None if part.direction is None else np.asarray(part.direction, float) for part in held]  # type: ignore[union-attr]
    units = [None if one is None else one / np.linalg.norm(one) for one in given]
    gravity = np.asarray(scene.gravity, float)
    size = float(np.linalg.norm(gravity))
    down = gravity / size if size > 0.0 else np.array([0.0, 0.0, -1.0])
    nodes = np.linspace(0.0, length, POINTS)
    steps = chords(points, arcs, units, down, nodes) * (length / (POINTS - 1))
    return points[0] + np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])
