"""The folder of the routing studio in which a machine goes through its motion: the worst of it, where and when, and where the cables
go meanwhile."""

from __future__ import annotations

import copy
import tempfile
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from taut.cables.rod.judging import Row, rows
from taut.cables.rod.jumps import told
from taut.cables.rod.motion import Cycle, read_motion, run_motion
from taut.cables.rod.route import Route
from taut.cables.rod.values import RodError
from taut.view.route_edits import NO_CABLE, Edits
from taut.view.route_frames import Frames
from taut.view.route_results import worst_of
from taut.view.route_scene import RouteScene

#: most shapes of a cable that are shown of a motion
SHAPES = 60
#: colour of where cables go
SWEPT = (240, 140, 0)
COLUMNS = "columns: time in seconds, NAME.x NAME.y NAME.z in metres; other units in the head (NAME.x [mm]) or in a cell (300 mm)"


def _shaped(data: dict[str, Any]) -> dict[str, Any]:
    """What decides the shapes of a route: all but limits."""
    made = copy.deepcopy(data)
    for one in made["route"]["cables"].values():
        one.pop("limits", None)
    return made


class Motion:
    """A folder of the panel."""

    def __init__(self, gui: Any, edits: Edits, scene: RouteScene) -> None:
        self._edits, self._scene = edits, scene
        self.cycle: Cycle | None = None
        """What the last motion showed, as long as the route is the one that went through it."""
        self._of: dict[str, Any] = {}  # the route that did
        self._lines: list[Any] = []
        self._drawn: Cycle | None = None  # whose lines they are
        self.folder: Any = gui.add_folder("Motion", expand_by_default=False)
        with self.folder:
            file = gui.add_upload_button(
                "run a motion (CSV)",
                hint="columns: time [s]; NAME.x NAME.y NAME.z, in metres unless they say another unit, and NAME.qw NAME.qx NAME.qy NAME.qz "
                "(how it is turned: a quaternion) of connectors, parts and ends, as hose.end",
            )
            gui.add_html(f'<div style="padding:0 1em;font-size:0.8em;opacity:0.75">{escape(COLUMNS)}</div>')
            self.frames = Frames(gui, edits)
            self.table: Any = gui.add_html("", visible=False)
            self.shown: Any = gui.add_checkbox("show where the cables go", initial_value=True, visible=False)
        file.on_upload(edits.guarded(lambda _: self.run(file.value.name, file.value.content)))
        self.shown.on_update(edits.guarded(lambda _: self._draw()))

    def run(self, name: str, content: bytes) -> None:
        """Let the route go through a motion; as it stands it stays."""
        edits = self._edits
        if edits.fresh:
            raise RodError(NO_CABLE)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / (Path(name).name or "motion.csv")
            file.write_bytes(content)
            try:
                frames = len(read_motion(file, edits.route))
                edits.asking(f"motion {name}, {frames} frames,")
                moved: Route = edits._as_it_stands()
                self.cycle = run_motion(
                    moved, file, lambda done: edits.asking(f"motion {name}, frame {done} of {frames},"), stills=True
                )
            except (RodError, UnicodeDecodeError) as error:
                why = str(error).replace(f"{folder}/", "").replace("\n", "; ")
                edits.say(f"motion {name} is refused: {why}")
                return
        self._of = _shaped(edits.route.data)
        self.frames.take(self.cycle, moved, name)
        self.show()
        words = f"motion {name}: {frames} frames were solved; the worst of each measure is in the folder Motion, and a slider through all of them"
        edits.say("; ".join([words, *self.cycle.notes, *told(self.cycle.jumps)]))

    @property
    def worst(self) -> list[Row]:
        """The worst of each measure in the last motion, beside the limits of now."""
        return [] if self.cycle is None else rows(self._edits.route, self.cycle)

    def show(self) -> None:
        """What the motion showed, beside the limits of now; nothing any more where the route is another one by now."""
        route = self._edits.route
        if self.cycle is not None and self._of != _shaped(route.data):
            self.cycle = None
            self.frames.take(None, None)
        self.frames.judge(route.limits)
        there, worst = self.cycle is not None, ""
        if self.cycle is not None:
            frames = {key: one.frame for key, one in self.cycle.worst.items() if not self.cycle.constant(key)}
            worst = worst_of(self.worst, frames if self.cycle.stills[1:] else {})
        if self.table.content != worst:
            self.table.content = worst
        for box in (self.table, self.shown):
            if box.visible != there:
                box.visible = there
        self._draw()

    def _draw(self) -> None:
        cycle = self.cycle if self.shown.value else None
        if cycle is self._drawn:
            return
        self._drawn = cycle
        while self._lines:
            self._lines.pop().remove()
        for name, shapes in cycle.shapes.items() if cycle is not None else ():
            some = np.array(shapes[:: max(1, len(shapes) // SHAPES)], float)
            ends = np.stack([some[:, :-1], some[:, 1:]], axis=2).reshape(-1, 2, 3)
            self._lines.append(self._scene.add_lines(f"/motion/{name}", ends, SWEPT))
