"""Numbers that a person types: they count when they are complete, and nobody writes over them meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

#: digits of lengths [mm] and angles [deg], and of directions
FINE, FINER = 2, 4
#: of a stiffness [N m^2] and a mass per metre [kg/m], which are small in thin cables
FINEST = 9
#: a number that is typed counts when nothing was typed for so long: browsers tell every key [s]
TYPING = 0.8


class Typing:
    """The boxes of a panel that somebody types in."""

    def __init__(self, guarded: Callable[[Callable[..., Any]], Callable[..., None]]) -> None:
        """guarded: puts a guard around an action."""
        self._guarded = guarded
        self._typed: dict[int, threading.Timer] = {}

    def when_typed(self, box: Any, act: Callable[[], None]) -> None:
        """Act once a person has typed a number, not at each of its digits."""

        guarded = self._guarded(act)

        def complete() -> None:
            self._typed.pop(id(box), None)
            guarded()

        def typed(event: Any) -> None:
            if event.client_id is None:
                return  # set by ourselves
            if (waiting := self._typed.pop(id(box), None)) is not None:
                waiting.cancel()
            self._typed[id(box)] = threading.Timer(TYPING, complete)
            self._typed[id(box)].daemon = True
            self._typed[id(box)].start()

        typed.guarded = True  # type: ignore[attr-defined]
        box.on_update(typed)

    @staticmethod
    def digits(count: int, *boxes: Any) -> None:
        """So many digits after the point can be typed and are shown, whatever the step of the arrows beside a box."""
        for box in boxes:
            box.precision = count

    def when_chosen(self, box: Any, act: Callable[[], None]) -> None:
        """Act at once when a person chooses; what we show ourselves is no choice."""
        guarded = self._guarded(act)

        def chosen(event: Any) -> None:
            if event.client_id is not None:
                guarded()

        chosen.guarded = True  # type: ignore[attr-defined]
        box.on_update(chosen)

    def finish(self, *boxes: Any) -> None:
        """What was typed there counts now: the boxes are about to stand for something else."""
        for box in boxes:
            if (waiting := self._typed.pop(id(box), None)) is not None:
                waiting.cancel()
                waiting.function()

    def forget(self, *boxes: Any) -> None:
        """What was typed there does not count: the boxes stand for something else already."""
        for box in boxes:
            if (waiting := self._typed.pop(id(box), None)) is not None:
                waiting.cancel()

    def put(self, box: Any, value: Any) -> None:
        """Show a value, unless somebody types another one there, or it stands there already."""
        if id(box) not in self._typed and box.value != value:
            box.value = value
