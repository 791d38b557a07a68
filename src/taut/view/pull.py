"""Bodies and ropes pulled by the pointer: Ctrl and drag, or a drag of the cursor's mark, stretches a spring."""

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
from taut.view.pick import Picked, Picker
from taut.view.readout import newtons
from taut.view.runner import Runner
from taut.view.server import TOLD
from taut.view.springs import Grip

COLOUR = from_hex("#ae3ec9")
KEY: Any = "cmd/ctrl"


class Pull:
    """Hears drags from the server's threads; shows the spring from the thread that pushes frames."""

    def __init__(self, server: viser.ViserServer, scene: Scene, runner: Runner, mirror: Mirror, picker: Picker) -> None:
        self._api, self._runner, self._picker = server.scene, runner, picker
        self._names = list(scene.all_bodies())
        self._thick = 0.004 * extent(scene.all_bodies())
        self._held: tuple[Picked, Grip, np.ndarray] | None = None
        self._arrow: viser.ArrowsHandle | None = None
        self._label: viser.LabelHandle | None = None
        moving = {name for name, body in scene.all_bodies().items() if body.moved_by_forces}
        for group in mirror.groups:
            if any(self._names[k] in moving for k in group.bodies):
                group.handle.on_drag("left", modifier=KEY)(self._of_bodies(group.bodies))
        # those that cannot be pulled too: whoever tries is told why not
        for ropes in mirror.rope_handles():
            ropes.on_drag("left", modifier=KEY)(self._of_ropes)

    def hold_by(self, mark: viser.MeshHandle, picked: Picked) -> None:
        """A mark on a picked thing: dragging it pulls what it marks, with the key and without."""
        for key in (None, KEY):
            mark.on_drag("left", modifier=key)(lambda event: self._drag(event, picked))

    def _of_bodies(self, bodies: list[int]) -> Any:
        def drag(event: Any) -> None:
            body, frame = bodies[event.instance_index or 0], self._runner.frame
            if frame is None:
                return
            point = np.asarray(event.start_position, float)
            self._drag(event, Picked("body", self._names[body], point, arm=self.arm(body, point, frame)))

        return drag

    def _of_ropes(self, event: Any) -> None:
        if self._runner.frame is not None:
            picked = self._picker.near(np.asarray(event.start_position, float), self._runner.frame)
            if picked is not None:
                self._drag(event, picked)

    def _drag(self, event: Any, picked: Picked) -> None:
        frame = self._runner.frame
        if frame is None or event.phase == "end":
            self._held = None
            self._runner.pull(None)
            return
        if event.phase == "start" or self._held is None:
            grip = self._picker.grip(picked, frame)
            if grip is None and event.phase == "start":
                event.client.add_notification("Cannot be pulled", self._picker.why_not(picked), auto_close_seconds=TOLD)
        else:
            picked, grip, _ = self._held
        if grip is not None:
            target = np.asarray(event.end_position, float)
            self._held = picked, grip, target
            self._runner.pull(grip, target)

    @staticmethod
    def arm(body: int, point: np.ndarray, frame: Frame) -> np.ndarray:
        """A point of the world in the frame of a body [m]."""
        back = frames.conjugate(frame.orientations[body].astype(float))
        return frames.rotate(back, point - frame.positions[body].astype(float))

    def show(self, frame: Frame) -> None:
        """The spring, from what is held to the pointer."""
        held = self._held
        if held is None:
            for node in (self._arrow, self._label):
                if node is not None and node.visible:
                    node.visible = False
            return
        points = np.array([[self._picker.follow(held[0], frame), held[2]]], np.float32)
        if self._arrow is None:
            t = self._thick
            self._arrow = self._api.add_arrows(
                "/pull", points, COLOUR, shaft_radius=t, head_radius=2.4 * t, head_length=6.0 * t
            )
            # the arrow may lie within what is pulled: the force stands at the pointer, over everything
            self._label = self._api.add_label("/pull_force", "", position=held[2], depth_test=False)
        self._arrow.points = points
        self._arrow.visible = True
        if self._label is not None:
            self._label.position, self._label.visible = held[2], True

    def words(self) -> str:
        """What is pulled and how hard, as markup; empty if nothing is."""
        held = self._held
        if held is None:
            return ""
        force = float(np.linalg.norm(getattr(self._runner.player, "pulling", np.zeros(3))))
        paused = self._runner.status.phase == "paused"
        if self._label is not None:
            self._label.text = "paused" if paused else newtons(force)
        if paused:
            return f"<b>{escape(held[0].name)}</b> paused: the pull acts while the run goes on"
        return f'pulling <b>{escape(held[0].name)}</b> <span data-taut="pull">{newtons(force)}</span>'
