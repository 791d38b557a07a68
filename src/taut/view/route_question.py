"""Mesh files do not say their unit: the studio asks, and shows what size follows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from taut.cables.rod.route import Route
from taut.cables.rod.touch import solid_mesh
from taut.scene import mesh_file
from taut.view.route_edits import Edits

#: what is assumed until a person says otherwise
UNIT, UP = "mm", "z"


class Question:
    """A folder of the panel that is there until it is answered; each choice is seen at once."""

    def __init__(self, gui: Any, route: Route, edits: Edits, answer: Callable[[str, str], Route]) -> None:
        self._answer = answer
        self._folder = gui.add_folder("Is this the size of your parts?")
        with self._folder:
            self.sizes: Any = gui.add_markdown(_sizes(route))
            self.unit: Any = gui.add_dropdown("their unit", list(mesh_file.METRES), initial_value=UNIT)
            self.up: Any = gui.add_dropdown("their up axis", ["z", "y"], initial_value=UP)
            yes = gui.add_button("Yes")
        for one in (self.unit, self.up):
            one.on_update(edits.guarded(lambda _: self.choose()))
        yes.on_click(edits.guarded(lambda _: self._folder.remove()))

    def choose(self) -> None:
        """Show the parts as chosen."""
        self.sizes.content = _sizes(self._answer(self.unit.value, self.up.value))


def _sizes(route: Route) -> str:
    """Each part with its size along x, y, z."""
    lines = []
    for name, shape in route.shapes.items():
        x, y, z = 1e3 * np.ptp(solid_mesh(shape)[0], axis=0)
        lines.append(f"**{name}** is {x:.4g} x {y:.4g} x {z:.4g} mm")
    return "\n\n".join(lines)
