"""The folder of the routing studio in which a cable is told in numbers: from where to where, how long, made of what."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from taut.cables.rod.routing import CARDS
from taut.cables.rod.values import RodError
from taut.view.route_edits import Edits
from taut.view.route_tools import SLACK
from taut.view.route_typing import FINE, FINER, Typing

#: a place as a cable is laid to it: a point [m], and the outward normal of the face that it would stand on
Place = tuple[np.ndarray, np.ndarray]
#: directions shorter than this are none
NONE = 1e-9


class NewCable:
    """A folder of the panel. Its length and material also count for a cable that is laid by two clicks."""

    def __init__(self, gui: Any, edits: Edits, lay: Callable[[Place, Place, str], bool]) -> None:
        """lay: makes the cable between two places, with words of where that is."""
        self._edits, self._lay = edits, lay
        towards = "along the cable; 0, 0, 0: straight from one point to the other"
        with gui.add_folder("New cable", expand_by_default=edits.fresh):
            self.card: Any = gui.add_dropdown("made of", list(CARDS))
            self.length: Any = gui.add_number(
                "length of it [mm]", 0.0, min=0.0, step=1.0,
                hint=f"0: {SLACK:g} times as far as its ends are apart. It counts for two clicks, too",
            )  # fmt: skip
            self.first: Any = gui.add_vector3("from [mm]", (0.0, 0.0, 0.0), step=1.0)
            self.leaves: Any = gui.add_vector3("leaves along", (0.0, 0.0, 0.0), step=0.1, hint=towards)
            self.last: Any = gui.add_vector3("to [mm]", (300.0, 0.0, 0.0), step=1.0)
            self.arrives: Any = gui.add_vector3("arrives along", (0.0, 0.0, 0.0), step=0.1, hint=towards)
            button = gui.add_button("cable between these points")
        Typing.digits(FINE, self.length, self.first, self.last)
        Typing.digits(FINER, self.leaves, self.arrives)
        button.on_click(edits.guarded(lambda _: self.make()))

    @property
    def asked_length(self) -> float | None:
        """The length that was typed [m], if one was."""
        return 1e-3 * float(self.length.value) or None

    @property
    def words(self) -> str:
        """What was typed of it besides its places."""
        return f", {self.length.value:g} mm long" if self.length.value else ""

    def made(self) -> None:
        """A cable was made: the next one has its own length."""
        self.length.value = 0.0

    def make(self) -> None:
        """A cable between the points that were typed."""
        points = [1e-3 * np.array(box.value, float) for box in (self.first, self.last)]
        straight = points[1] - points[0]
        if float(np.linalg.norm(straight)) < 1e-3:
            raise RodError("a cable between these points: they are the same; type another one")
        ways = [np.array(box.value, float) for box in (self.leaves, self.arrives)]
        out, into = (way if float(np.linalg.norm(way)) > NONE else straight for way in ways)
        places = (points[0], out / np.linalg.norm(out)), (points[1], -into / np.linalg.norm(into))
        if self._lay(*places, f"a cable from {_told(self.first.value)} to {_told(self.last.value)} mm{self.words}"):
            self._edits.look()


def _told(values: Any) -> str:
    return f"({', '.join(f'{value:g}' for value in values)})"
