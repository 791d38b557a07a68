"""A route to take with you: centrelines and tubes for other programs, the report, the route file; as downloads."""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from taut.cables.rod.export import export
from taut.cables.rod.packing import packed
from taut.cables.rod.route import Route
from taut.cables.rod.values import RodError
from taut.view.route_edits import NO_CABLE, Edits
from taut.view.route_motion import Motion
from taut.view.route_report import write_report

#: what a cable is written as, by what it is good for
FORMS = {
    "centreline, table (CSV)": ".csv", "centreline, STEP": ".step", "centreline, DXF": ".dxf", "centreline, VDA-FS": ".vda",
    "tube, STL": ".stl", "tube, glTF in one file (GLB)": ".glb", "tube, glTF": ".gltf",
}  # fmt: skip
ALL = "all of them, in a ZIP"


class Takeaway:
    """A folder of the panel."""

    def __init__(self, gui: Any, edits: Edits, motion: Motion) -> None:
        self._edits, self._motion = edits, motion
        self.folder: Any = gui.add_folder("Take it with you", expand_by_default=False)
        with self.folder:
            self.form: Any = gui.add_dropdown("as", list(FORMS))
            self.which: Any = gui.add_dropdown("of", list(edits.route.harness.cables))
            cable = gui.add_button("download it", hint="as it is seen, also in a frame of a motion")
            report = gui.add_button(
                "download the report", hint="limits passed or failed, pictures, and the motion if one was run: one page"
            )
            file = gui.add_button("download the route file", hint="as it stands; mesh files are not in it")
            both = gui.add_button(
                "download it with its meshes (ZIP)", hint="the route file and the meshes of its parts"
            )
        for button, make in (
            (cable, lambda: self.cables(self.which.value, self.form.value)), (report, self.report), (file, self.file),
            (both, self.pack),
        ):  # fmt: skip
            button.on_click(edits.guarded(partial(self._send, make)))

    def follow(self, cable: str) -> None:
        """Another cable is the current one; all of them stay all of them."""
        if self.which.value != ALL and self.which.value != cable and cable in self.which.options:
            self.which.value = cable

    def show(self) -> None:
        """The cables of now."""
        names = tuple(self._edits.route.harness.cables)
        options = (*names, ALL) if len(names) > 1 else names
        if tuple(self.which.options) != options:
            self.which.options = options

    def cables(self, which: str, form: str) -> tuple[str, bytes]:
        """Name and content of the file of a cable, or of all of them, as they are seen. Raises RodError."""
        self._route()
        # a frame of a motion is called like the route of now, which may have been saved since
        route, ending, frame = self._edits.seen, FORMS[form], self._motion.frames.suffix
        called = self._edits.route.name
        if which != ALL:
            return f"{which}{frame}{ending}", _exported(route, which, ending)
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in route.harness.cables:
                archive.writestr(f"{called}_{name}{frame}{ending}", _exported(route, name, ending))
        return f"{called}{frame}{ending}.zip", made.getvalue()

    def report(self) -> tuple[str, bytes]:
        """Name and content of the report. Raises RodError."""
        route = self._route()
        cycle = self._motion.cycle
        return f"{route.name}.html", _written(".html", lambda file: write_report(route, file, cycle))

    def file(self) -> tuple[str, bytes]:
        """Name and content of the route file. Raises RodError."""
        route = self._route()
        return f"{route.name}.yaml", _written(".yaml", route.save)

    def pack(self) -> tuple[str, bytes]:
        """Name and content of the route file with its meshes. Raises RodError."""
        route = self._route()
        return f"{route.name}.zip", packed(route)

    def _route(self) -> Route:
        if self._edits.fresh:
            raise RodError(NO_CABLE)
        return self._edits.route

    def _send(self, make: Callable[[], tuple[str, bytes]], event: Any) -> None:
        """Make a file and hand it to the browser that asked for it."""
        try:
            with self._edits.lock:
                name, content = make()
        except (RodError, OSError) as error:
            self._edits.say(str(error))
            return
        if event.client is not None:
            event.client.send_file_download(name, content, save_immediately=True)


def _exported(route: Route, cable: str, ending: str) -> bytes:
    return _written(ending, lambda file: export(route.harness[cable], file, cable))


def _written(ending: str, write: Callable[[Path], Any]) -> bytes:
    """What is written into a file that ends so."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"made{ending}"
        write(file)
        return file.read_bytes()
