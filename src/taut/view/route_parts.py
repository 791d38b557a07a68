"""The folder of the routing studio in which parts are added: from a mesh file, or told by their sizes."""

from __future__ import annotations

from typing import Any

from taut.view import route_solids
from taut.view.route_chosen import Chosen
from taut.view.route_edits import Edits
from taut.view.route_meshes import Upload
from taut.view.route_places import PART
from taut.view.route_sizes import BOX, CYLINDER, SPHERE
from taut.view.route_typing import FINE, Typing


class Parts:
    """A folder of the panel."""

    def __init__(self, gui: Any, edits: Edits, chosen: Chosen) -> None:
        self._edits, self._chosen = edits, chosen
        with gui.add_folder("Parts", expand_by_default=not edits.route.shapes):
            self.unit: Any = gui.add_dropdown("unit of meshes", ["mm", "cm", "m", "in"])
            self.up: Any = gui.add_dropdown("up axis of meshes", ["z", "y"])
            mesh = gui.add_upload_button(
                "add a mesh file",
                hint="STL, OBJ, PLY, glTF; in this unit and with this axis up, which glTF says itself",
            )
            self.shape: Any = gui.add_dropdown("shape", [BOX, CYLINDER, SPHERE])
            self.size: Any = gui.add_vector3("size [mm]", (100.0, 60.0, 20.0), min=(0.01,) * 3, step=1.0)
            self.diameter: Any = gui.add_number("its diameter [mm]", 40.0, min=0.01, step=1.0, visible=False)
            self.length: Any = gui.add_number("its length [mm]", 100.0, min=0.01, step=1.0, visible=False)
            add = gui.add_button("add this shape", hint="below all that is there; it is chosen then, and can be moved")
            self.along: Any = gui.add_checkbox(
                "ends that stand on a part go with it", initial_value=True, hint="when the part is moved or turned"
            )
        Typing.digits(FINE, self.size, self.diameter, self.length)
        mesh.on_upload(edits.guarded(lambda _: self.upload(mesh.value.name, mesh.value.content)))
        self.shape.on_update(edits.guarded(lambda _: self._ask()))
        add.on_click(edits.guarded(lambda _: self.add()))

    def _ask(self) -> None:
        """Ask for the sizes that the shape has."""
        kind = self.shape.value
        self.size.visible, self.diameter.visible, self.length.visible = kind == BOX, kind != BOX, kind == CYLINDER

    def add(self) -> None:
        """A shape of these sizes becomes a part, and is chosen."""
        made = {
            BOX: lambda: route_solids.box(self.size.value),
            CYLINDER: lambda: route_solids.cylinder(self.diameter.value, self.length.value),
            SPHERE: lambda: route_solids.sphere(self.diameter.value),
        }[self.shape.value]()
        name: list[str] = []
        edits = self._edits
        asked = f"adding a {self.shape.value}"
        if edits.alter(lambda: name.append(route_solids.add(edits.route, made, not edits.fresh)), asked=asked):
            self._added(name[0])

    def upload(self, name: str, content: bytes) -> None:
        """A mesh file becomes a part, in the unit and with the up axis that are chosen."""
        edits, made, done = self._edits, Upload(self._edits.folder, name, content), False
        unit, up = self.unit.value, self.up.value
        try:
            done = edits.edit(lambda: made.add(edits.route.data, unit, up), name)
        finally:
            if not done:
                made.drop()
        if done:
            self._added(made.part)
            if made.told:
                edits.say("; ".join(filter(None, (f"{name} is added as part {made.part}; {made.told}", edits.message))))

    def _added(self, part: str) -> None:
        """It is chosen, and seen."""
        self._edits.look()
        self._chosen.choose(f"{PART}/{part}")
