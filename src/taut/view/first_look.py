"""From where a browser looks at a scene first: as its file says, or so far back that its own window shows as much."""

from __future__ import annotations

from typing import Any

import numpy as np
import viser

from taut.scene import Scene
from taut.scene.parts import Traction, Winch
from taut.view.bounds import bounds
from taut.view.eye import look
from taut.view.framing import backed, start_points
from taut.view.reach import points_of
from taut.view.stage import camera, field

#: the box of levers over the lower left of the picture: its width and height, and the least window that has it there [px]
BOX, PHONE = (550.0, 165.0), 576.0
#: most of the picture that the box counts for [-]
MOST = 0.3
#: a camera that nobody moved is as near to its place as this share of how far it sees [-]
STILL = 1e-3


class FirstLook:
    """The first camera of one scene, for every window. Asked from any thread."""

    def __init__(self, scene: Scene) -> None:
        low, high = bounds(scene.all_bodies(), points_of(scene))
        self._start = camera(scene, low, high)
        self._groups = start_points(scene)
        self._levers = has_levers(scene)
        self._placed: dict[int, np.ndarray] = {}

    def pose(self, camera: Any) -> tuple[np.ndarray, np.ndarray]:
        """Where a camera of viser stands and what it looks at [m]."""
        try:
            width, height = float(camera.image_width), float(camera.image_height)
        except (AttributeError, AssertionError, TypeError):
            return self._start
        if not (width > 0.0 and height > 0.0):
            return self._start
        covered = (BOX[0] / width, min(BOX[1] / height, MOST)) if self._levers and width > PHONE else (0.0, 0.0)
        return backed(*self._start, self._groups, width / height, field(width / height), covered)

    def place(self, client: viser.ClientHandle) -> None:
        """Let a browser look from there."""
        position, target = self.pose(client.camera)
        with client.atomic():
            look(client.camera, position, target)
        self._placed[client.client_id] = position

    def overtaken(self, client: viser.ClientHandle) -> bool:
        """Whether a browser took the camera of the file after it had been placed: viser's page does so while it loads."""
        placed, start = self._placed.get(client.client_id), self._start[0]
        size = STILL * float(np.linalg.norm(start - self._start[1]))
        now = np.asarray(client.camera.position, float)
        return bool(placed is not None and np.linalg.norm(placed - start) > size and np.linalg.norm(now - start) < size)

    def stands(self, client: viser.ClientHandle) -> bool:
        """Whether a browser still looks from there: nobody has moved its camera."""
        placed = self._placed.get(client.client_id)
        if placed is None:
            return False
        now = np.asarray(client.camera.position, float)
        return bool(np.linalg.norm(now - placed) < STILL * np.linalg.norm(placed - self._start[1]))


def has_levers(scene: Scene) -> bool:
    """Whether there is something to drive, whose levers lie over the picture."""
    parts = [part for cable in scene.cables.values() for part in cable.parts()]
    motors = [getattr(joint, "motor", None) for joint in scene.joints.values()]
    return (
        any(isinstance(part, Winch | Traction) for part in parts)
        or any(motor is not None and motor.mode == "speed" for motor in motors)
        or any(getattr(body.motion, "type", "") == "control" for body in scene.bodies.values())
    )
