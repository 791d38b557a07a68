"""What was changed of a scene in the page since it was opened: listed, taken back one by one, undone step by step.

It outlives a scene that is built anew because a cable got another model.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from taut.view.changeable import elements, listed

if TYPE_CHECKING:
    from taut.scene import Scene

#: a field with its new value, such as 'load.mass=2 t', and what only goes together with it
Change = tuple[str, ...]


class Row(NamedTuple):
    """A field that is not as it was at the start."""

    place: str
    """Where it is written: 'load.mass'."""
    what: str
    """For people: 'load mass'."""
    start: str
    """Its value at the start; empty if it had none."""
    now: str


@dataclass(frozen=True)
class Made:
    """Changes since a scene was opened. None of its methods changes it."""

    scene: Scene
    """As it was opened."""
    changes: tuple[Change, ...] = ()
    """All that hold, in the order in which they were made."""
    before: tuple[tuple[Change, ...], ...] = ()
    """Those that held before each step that can be undone."""
    element: str = ""
    """What was changed last, before the page was built anew."""
    base: float = 0.0
    """Potential energy at the start [J]."""

    @property
    def overrides(self) -> list[str]:
        """All changes as a scene takes them."""
        return [one for change in self.changes for one in change]

    @cached_property
    def now(self) -> Scene:
        """The scene, changes included. Raises SceneError."""
        return self.scene.with_overrides(self.overrides) if self.changes else self.scene

    def make(self, *changes: Change) -> Made:
        """With some more, undone together."""
        return self._become((*self.changes, *changes)) if changes else self

    def take_back(self, *places: str) -> Made:
        """Without those of some fields, and what went together with them; a step that can be undone like others."""
        return self._become(tuple(change for change in self.changes if place_of(change) not in places))

    def undo(self) -> Made:
        """Without the last step."""
        return replace(self, changes=self.before[-1], before=self.before[:-1]) if self.before else self

    def _become(self, changes: tuple[Change, ...]) -> Made:
        return self if changes == self.changes else replace(self, changes=changes, before=(*self.before, self.changes))

    def written(self, place: str) -> str:
        """What a person wrote for a field last; empty if it was not changed."""
        given = [change[0].partition("=")[2] for change in self.changes if place_of(change) == place]
        return given[-1] if given else ""

    def rows(self) -> list[Row]:
        """Fields that are not as they were at the start, in the order in which they were first changed."""
        now = self.now
        found = []
        for place in dict.fromkeys(place_of(change) for change in self.changes):
            element, _, field = place.partition(".")
            if field not in elements(now).get(element, ()):
                continue
            values = [listed(one, element, field) for one in (self.scene, now)]
            if values[0] != values[1]:
                name = f"{element} {field}".replace("_", " ")
                found.append(Row(place, name, values[0], values[1]))
        return found

    def models(self) -> dict[str, str]:
        """Models that changes give to cables, by the place they are written at."""
        return {place: self.written(place) for place in map(place_of, self.changes) if place.endswith(".model")}


def place_of(change: Change) -> str:
    """The field that a change is about: 'load.mass'."""
    return change[0].partition("=")[0]
