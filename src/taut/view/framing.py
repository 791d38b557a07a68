"""A camera that fills its picture with what there is to see, for the small pictures of the gallery, and one that goes back until a narrow
window shows what a wide one would."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from taut.compile import frames
from taut.scene import Plane, Scene
from taut.view.bounds import half_size
from taut.view.frame import Frame
from taut.view.reach import points_of
from taut.view.stage import FIELD_OF_VIEW

#: share of the picture that is filled, and rounds in which distance and middle are found together
FILLED, ROUNDS = 0.8, 24
#: the picture that cameras of scenes are given for: width over height
WIDE = 16.0 / 9.0
#: share of half a window that is left free at its edges; how far a camera goes back at most, over its distance
EDGE, FARTHEST = 0.03, 1.0
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


def start_points(scene: Scene) -> list[np.ndarray]:
    """Corners of every body that is shown where it stands at the start, and the ends of ropes that are held by the world [m]."""
    groups = [point[None] for point in points_of(scene)]
    for body in scene.all_bodies().values():
        if body.shape is not None and not isinstance(body.shape, Plane) and body.visible:
            turned = frames.rotate(np.asarray(body.start_orientation, float), CORNERS * half_size(body.shape))
            groups.append(np.asarray(body.start_position, float) + turned)
    return groups


def backed(
    position: np.ndarray,
    target: np.ndarray,
    groups: Sequence[np.ndarray],
    aspect: float,
    field: float,
    covered: tuple[float, float] = (0.0, 0.0),
) -> tuple[np.ndarray, np.ndarray]:
    """Where a camera stands and what it looks at when it goes back, and up or down, until its window shows whatever a wide picture
    would show as a whole; as given where it does [m].

    `aspect`: width over height; `field`: of view, from top to bottom [rad]; `covered`: what lies over the lower left corner, as shares
    of width and height. What a wide picture leaves out or cuts off is left out on purpose.
    """
    distance = float(np.linalg.norm(target - position))
    ahead = (target - position) / distance
    right = np.cross(ahead, [0.0, 0.0, 1.0])
    if np.linalg.norm(right) < NEAREST:
        return position, target  # from straight above
    right /= np.linalg.norm(right)
    up = np.cross(right, ahead)
    axes, tall = np.column_stack([right, up, ahead]), float(np.tan(0.5 * FIELD_OF_VIEW))
    placed = [(group - position) @ axes for group in groups]
    whole = [one for one in placed if _within(one, tall * WIDE, np.full(len(one), -tall), tall, NEAREST * distance)]
    if not whole:
        return position, target
    x, y, z = np.concatenate(whole).T
    high = float(np.tan(0.5 * field))
    corner = 2.0 * np.array(covered) - 1.0  # its right and upper edge, where the window goes from -1 to 1
    if _within(np.concatenate(whole), high * aspect, _floor(x / z, high, aspect, corner), high, 0.0):
        return position, target
    high *= 1.0 - EDGE
    back = max(0.0, float((np.abs(x) / (high * aspect) - z).max()))
    low = _floor(x / (z + back), high, aspect, corner)
    # up or down by so much at least and at most; where that cannot be, further back
    least, most = float((y - high * (z + back)).max()), float((y - low * (z + back)).min())
    if least > most:
        more = (least - most) / float(high - low.max())
        back, least, most = back + more, least - high * more, most - float(low.max()) * more
    rise = float(np.clip(0.0, least, max(least, most)))
    return position + rise * up - min(back, FARTHEST * distance) * ahead, target + rise * up


def _floor(across: np.ndarray, high: float, aspect: float, corner: np.ndarray) -> np.ndarray:
    """The lowest direction in which something is seen that lies so far across, as a tangent: above what covers the lower left."""
    return high * np.where(across < high * aspect * corner[0], corner[1], -1.0)


def _within(points: np.ndarray, wide: float, low: np.ndarray, high: float, near: float) -> bool:
    """Whether points (right, up, ahead) all lie in a picture between these tangents."""
    x, y, z = points.T
    return bool((z > near).all() and (np.abs(x) <= wide * z).all() and (y <= high * z).all() and (y >= low * z).all())
