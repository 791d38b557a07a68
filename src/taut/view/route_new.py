"""The folder of the routing studio in which a cable is told in numbers: from where to where, how long, made of what."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from taut.cables.rod.material_cards import cards
from taut.cables.rod.values import RodError
from taut.scene import units
from taut.view.route_edits import Edits
from taut.view.route_tools import SLACK
from taut.view.route_typing import FINE, Typing

#: a place as a cable is laid to it: a point [m], and the outward normal of the face that it would stand on
Place = tuple[np.ndarray, np.ndarray]
#: directions shorter than this are none
NONE = 1e-9
#: what stands where nobody has said how long it is, or where it points
AUTOMATIC, STRAIGHT = "automatic", "straight"


class NewCable:
    """A folder of the panel. Its length and material also count for a cable that is laid by two clicks."""

    def __init__(self, gui: Any, edits: Edits, lay: Callable[[Place, Place, str], bool]) -> None:
        """lay: makes the cable between two places, with words of where that is."""
        self._edits, self._lay = edits, lay
        towards = f"along the cable, as in 0, 0, 1; {STRAIGHT}: from one point to the other"
        with gui.add_folder("New cable", expand_by_default=edits.fresh):
            self.card: Any = gui.add_dropdown("made of", list(cards()))
            self.length: Any = gui.add_text(
                "its length [mm]", AUTOMATIC,
                hint=f"{AUTOMATIC}: {SLACK:g} times as far as its ends are apart. It counts for two clicks, too",
            )  # fmt: skip
            self.first: Any = gui.add_vector3("from [mm]", (0.0, 0.0, 0.0), step=1.0)
            self.leaves: Any = gui.add_text("leaves along", STRAIGHT, hint=towards)
            self.last: Any = gui.add_vector3("to [mm]", (300.0, 0.0, 0.0), step=1.0)
            self.arrives: Any = gui.add_text("arrives along", STRAIGHT, hint=towards)
            button = gui.add_button("cable between these points")
        Typing.digits(FINE, self.first, self.last)
        button.on_click(edits.guarded(lambda _: self.make()))

    @property
    def asked_length(self) -> float | None:
        """The length that was typed [m], if one was. Raises RodError."""
        written = str(self.length.value).strip()
        if written.lower() in ("", AUTOMATIC, "auto", "0"):
            return None
        try:
            # a plain number is of mm, as the label says
            found = 1e-3 * float(written) if _is_plain(written) else units.parse(written, units.LENGTH)
        except units.UnitError:
            found = math.nan
        if not 0.0 < found < math.inf:
            raise RodError(
                f"its length {written!r} is refused: expected a number of mm, a length with its unit as 53 cm, or {AUTOMATIC}"
            )
        return found

    @property
    def words(self) -> str:
        """What was typed of it besides its places."""
        length = self.asked_length
        return "" if length is None else f", {1e3 * length:g} mm long"

    def made(self) -> None:
        """A cable was made: the next one has its own length."""
        self.length.value = AUTOMATIC

    def make(self) -> None:
        """A cable between the points that were typed."""
        points = [1e-3 * np.array(box.value, float) for box in (self.first, self.last)]
        straight = points[1] - points[0]
        if float(np.linalg.norm(straight)) < 1e-3:
            raise RodError("a cable between these points: they are the same; type another one")
        out, into = (_way(box.label, str(box.value), straight) for box in (self.leaves, self.arrives))
        places = (points[0], out / np.linalg.norm(out)), (points[1], -into / np.linalg.norm(into))
        if self._lay(*places, f"a cable from {_told(self.first.value)} to {_told(self.last.value)} mm{self.words}"):
            self._edits.look()


def _is_plain(written: str) -> bool:
    """Whether it is a number without a unit."""
    try:
        float(written)
    except ValueError:
        return False
    return True


def _way(what: str, written: str, straight: np.ndarray) -> np.ndarray:
    """A direction that was typed, or the straight one. Raises RodError."""
    words = written.strip(" []()").replace(",", " ").split()
    if not words or words[0].lower() == STRAIGHT:
        return straight
    try:
        found = np.array(words, float)
    except ValueError:
        found = np.zeros(0)
    if found.shape != (3,) or not np.isfinite(found).all():
        raise RodError(f"{what} {written!r} is refused: expected three numbers, as in 0, 0, 1, or {STRAIGHT}")
    return found if float(np.linalg.norm(found)) > NONE else straight


def _told(values: Any) -> str:
    return f"({', '.join(f'{value:g}' for value in values)})"
