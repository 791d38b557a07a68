"""A camera that fills its picture with what there is to see: for the small pictures of the gallery."""

from __future__ import annotations

import numpy as np

from taut.compile import frames
from taut.scene import Plane, Scene
from taut.view.bounds import half_size
from taut.view.frame import Frame
from taut.view.stage import FIELD_OF_VIEW

#: share of the picture that is filled, and rounds in which distance and middle are found together
FILLED, ROUNDS = 0.8, 24
#: least depth of a point, over the distance: nothing lies behind the eye
NEAREST = 0.05
#: corners of a box over half its size
CORNERS = np.array([(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])


def seen_points(scene: Scene, frame: Frame) -> np.ndarray:
    """Corners of all bodies that are shown, planes left out, and points along ropes [m], shape (n, 3)."""
    points = [np.zeros((0, 3))]
    for k, body in enumerate(scene.all_bodies().values()):
        if not isinstance(body.shape, Plane) and body.visible and k < len(frame.positions):
            turned = frames.rotate(frame.orientations[k].astype(float), CORNERS * half_size(body.shape))
            points.append(frame.positions[k] + turned)
    for rope in frame.cables.values():
        points += [line for line in (rope.line, rope.course) if line is not None]
    return np.concatenate(points)


def closer(
    position: np.ndarray, target: np.ndarray, points: np.ndarray, aspect: float
) -> tuple[np.ndarray, np.ndarray]:
    """Where a camera stands and what it looks at when it goes along its own line of sight until the points fill the picture [m].

    `aspect`: width over height. One that would have to go back stays where it is: what it leaves out is left out on purpose.
    """
    ahead = (target - position) / np.linalg.norm(target - position)
    right = np.cross(ahead, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    up = np.cross(right, ahead)
    half = np.tan(0.5 * FIELD_OF_VIEW) * FILLED
    middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
    away = distance = float((middle - position) @ ahead)
    for _ in range(ROUNDS):
        from_eye = points - (middle - distance * ahead)
        depth = np.maximum(from_eye @ ahead, NEAREST * distance)
        across, above = (from_eye @ right) / depth, (from_eye @ up) / depth
        middle = middle + 0.5 * distance * ((across.max() + across.min()) * right + (above.max() + above.min()) * up)
        distance *= max(np.ptp(across) / (2.0 * half * aspect), np.ptp(above) / (2.0 * half))
    if not distance < away:
        return position, target
    return middle - distance * ahead, middle
