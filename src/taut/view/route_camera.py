"""A camera that fills with the route what of the window the panel leaves free."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from taut.cables.rod.ends import rotate
from taut.cables.rod.route import Route
from taut.cables.rod.touch import solid_mesh
from taut.view.route_solids import NOTHING

#: share of the free part of the window that is filled, and rounds in which distance and middle are found together
FILLED, ROUNDS = 0.76, 80
#: the panel beside the free part, the box of words below it, and the least share of the window that counts as free [px], [px], [-]
PANEL, BELOW, LEAST = 400.0, 70.0, 0.4
#: a window of which nothing is known yet [px]
USUAL = (1280.0, 800.0)
#: field of view from top to bottom [rad]: narrow, as in drawing programs, or what stands beside the panel leans outwards
FIELD = float(np.radians(32.0))
#: least depth of a point, over the distance: nothing lies behind the eye
NEAREST = 0.05
#: from where a route is looked at first
FROM = np.array([0.32, -1.04, 0.64])


class Window(NamedTuple):
    """A window of the browser."""

    width: float  # [px]
    height: float  # [px]

    @staticmethod
    def of(camera: Any) -> Window:
        """The one that a camera of viser shows in."""
        try:
            return Window(float(camera.image_width), float(camera.image_height))
        except (AttributeError, AssertionError, TypeError):
            return Window(*USUAL)

    def free(self) -> tuple[float, float, float, float]:
        """Left, right, bottom and top of what nothing covers; the window goes from -1 to 1."""
        right = max(1.0 - PANEL / self.width, LEAST)
        below = min(BELOW / self.height, 1.0 - LEAST)
        return -1.0, 2.0 * right - 1.0, 2.0 * below - 1.0, 1.0


def seen(route: Route, cables: bool) -> np.ndarray:
    """Points around all that is shown [m], shape (n, 3). cables: false as long as nobody has said where they go."""
    points = []
    for cable in route.harness.cables.values() if cables else ():
        points += [cable.points + cable.radius * side for side in (*np.eye(3), *-np.eye(3))]
    for name, shape in route.shapes.items():
        target = route.harness._obstacle(name)
        points.append(target.point + rotate(target.frame, solid_mesh(shape)[0]))
    return np.vstack(points) if points else NOTHING * np.array([[-1.0] * 3, [1.0] * 3])


def fitted(points: np.ndarray, window: Window) -> tuple[np.ndarray, np.ndarray]:
    """Where the camera stands and what it looks at [m]."""
    ahead = -FROM / np.linalg.norm(FROM)
    right = np.cross(ahead, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    up = np.cross(right, ahead)
    half = np.tan(0.5 * FIELD)
    wide = half * window.width / window.height
    west, east, south, north = window.free()
    middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
    distance = float(np.linalg.norm(np.ptp(points, axis=0))) or NOTHING
    for _ in range(ROUNDS):
        from_eye = points - (middle - distance * ahead)
        depth = np.maximum(from_eye @ ahead, NEAREST * distance)
        across, above = (from_eye @ right) / depth, (from_eye @ up) / depth
        middle = middle + _aside(across, depth, wide * (west + east)) * right
        middle = middle + _aside(above, depth, half * (south + north)) * up
        share = max(np.ptp(across) / (wide * (east - west)), np.ptp(above) / (half * (north - south)))
        # half the way: near things grow faster than the distance falls
        distance *= float(np.sqrt(share / FILLED))
    return middle - distance * ahead, middle


def _aside(places: np.ndarray, depth: np.ndarray, wanted: float) -> float:
    """How far the camera goes aside for both outermost places to add up to what is wanted [m]: near ones go by faster."""
    low, high = int(places.argmin()), int(places.argmax())
    return float((places[low] + places[high] - wanted) / (1.0 / depth[low] + 1.0 / depth[high]))
