"""Bodies pulled by the pointer: Ctrl and drag stretches a spring, whose force is shown."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np
import viser

from taut.compile import frames
from taut.scene import Scene
from taut.view.bounds import extent
from taut.view.colours import from_hex
from taut.view.frame import Frame
from taut.view.mirror import Mirror
from taut.view.readout import newtons
from taut.view.runner import Runner

COLOUR = from_hex("#ae3ec9")
KEY: Any = "cmd/ctrl"


class Pull:
    """Hears drags from the server's threads; shows the spring from the thread that pushes frames."""

    def __init__(self, server: viser.ViserServer, scene: Scene, runner: Runner, mirror: Mirror) -> None:
        self._api, self._runner = server.scene, runner
        self._names = list(scene.all_bodies())
        self._thick = 0.004 * extent(scene.all_bodies())
        self._held: tuple[int, np.ndarray, np.ndarray] | None = None
        self._arrow: viser.ArrowsHandle | None = None
        moving = {name for name, body in scene.all_bodies().items() if body.kind in ("dynamic", "particle")}
        for group in mirror.groups:
            if any(self._names[k] in moving for k in group.bodies):
                group.handle.on_drag("left", modifier=KEY)(self._drag_of(group.bodies, moving))

    def _drag_of(self, bodies: list[int], moving: set[str]) -> Any:
        def drag(event: Any) -> None:
            body = bodies[event.instance_index or 0]
            frame = self._runner.frame
            if frame is None or self._names[body] not in moving:
                return
            if event.phase == "end":
                self._held = None
                self._runner.pull(self._names[body], None, None)
                return
            if event.phase == "start" or self._held is None:
                arm = self.arm(body, np.asarray(event.start_position, float), frame)
            else:
                arm = self._held[1]
            target = np.asarray(event.end_position, float)
            self._held = body, arm, target
            self._runner.pull(self._names[body], arm, target)

        return drag

    @staticmethod
    def arm(body: int, point: np.ndarray, frame: Frame) -> np.ndarray:
        """A point of the world in the frame of a body [m]."""
        back = frames.conjugate(frame.orientations[body].astype(float))
        return frames.rotate(back, point - frame.positions[body].astype(float))

    def show(self, frame: Frame) -> None:
        """The spring, from the body to the pointer."""
        if self._held is None:
            if self._arrow is not None and self._arrow.visible:
                self._arrow.visible = False
            return
        body, arm, target = self._held
        start = frame.positions[body].astype(float) + frames.rotate(frame.orientations[body].astype(float), arm)
        points = np.array([[start, target]], np.float32)
        if self._arrow is None:
            t = self._thick
            self._arrow = self._api.add_arrows(
                "/pull", points, COLOUR, shaft_radius=t, head_radius=2.4 * t, head_length=6.0 * t
            )
        self._arrow.points = points
        self._arrow.visible = True

    def words(self) -> str:
        """What is pulled and how hard, as markup; empty if nothing is."""
        if self._held is None:
            return ""
        force = float(np.linalg.norm(getattr(self._runner.player, "pulling", np.zeros(3))))
        return f'pulling <b>{escape(self._names[self._held[0]])}</b> <span data-taut="pull">{newtons(force)}</span>'
