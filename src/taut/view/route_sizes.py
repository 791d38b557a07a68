"""Sizes of the part that is chosen, to be typed: boxes, cylinders and balls can be made larger or smaller."""

from __future__ import annotations

from typing import Any

from taut.cables.rod.values import number, vector
from taut.scene import units
from taut.view import route_solids
from taut.view.route_edits import Edits
from taut.view.route_places import PART
from taut.view.route_typing import FINE, Typing

BOX, CYLINDER, SPHERE = "box", "cylinder", "sphere"


class Sizes:
    """Fields of what is chosen that only a part has."""

    def __init__(self, gui: Any, edits: Edits, typing: Typing) -> None:
        self._edits, self._typing = edits, typing
        self._part = ""
        self.size: Any = gui.add_vector3("size [mm]", (1.0, 1.0, 1.0), step=1.0, visible=False)
        self.diameter: Any = gui.add_number("part diameter [mm]", 1.0, step=1.0, visible=False)
        self.length: Any = gui.add_number("part length [mm]", 1.0, step=1.0, visible=False)
        self.boxes = (self.size, self.diameter, self.length)
        typing.digits(FINE, *self.boxes)
        for box in self.boxes:
            typing.when_typed(box, self.set_sizes)

    def show(self, key: str) -> None:
        """The values of now, of the part with this key; nothing for what is no part."""
        kind, _, part = key.partition("/")
        table = self._edits.route.data["route"].get("parts") or {}
        self._part = part if kind == PART and part in table else ""
        shape = table[self._part]["shape"] if self._part else {}
        what = shape.get("type", "")
        for field, there in ((self.size, what == BOX), (self.diameter, what in (CYLINDER, SPHERE)),
                             (self.length, what == CYLINDER)):  # fmt: skip
            if field.visible != there:
                field.visible = there
        if what == BOX:
            edges = vector("size", shape["size"], units.LENGTH)
            self._typing.put(self.size, tuple(round(1e3 * float(one), 3) for one in edges))
        elif what in (CYLINDER, SPHERE):
            self._typing.put(self.diameter, 2.0 * _mm(shape["radius"]))
        if what == CYLINDER:
            self._typing.put(self.length, _mm(shape["length"]))

    def set_sizes(self) -> None:
        """Sizes were typed: the part stays where it is, about its middle."""
        part, edits = self._part, self._edits
        if not part:
            return
        shape = edits.route.data["route"]["parts"][part]["shape"]
        what = shape["type"]
        asked = {
            BOX: self.size.value,
            CYLINDER: (self.diameter.value, self.length.value),
            SPHERE: (self.diameter.value,),
        }[what]
        told = f"size {' x '.join(f'{one:g}' for one in asked)} mm of {part}"
        if not all(one > 0.0 for one in asked):
            edits.refuse(told, "each size must be more than 0 mm")
            return
        made = {BOX: lambda: route_solids.box(asked), CYLINDER: lambda: route_solids.cylinder(*asked),
                SPHERE: lambda: route_solids.sphere(*asked)}[what]()  # fmt: skip
        edits.edit(lambda: shape.update(made), told)


def _mm(value: Any) -> float:
    """A length as it is written [mm]."""
    return round(1e3 * number("size", value, units.LENGTH), 3)
