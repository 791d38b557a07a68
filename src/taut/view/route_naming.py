"""The name of what is chosen, to be typed: of a cable, a clip, a part, a connector, a branch, a tie."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from taut.view.route_called import call
from taut.view.route_edits import Edits
from taut.view.route_names import name_of, renamed
from taut.view.route_places import CABLE, HAND
from taut.view.route_tools import held


class Naming:
    """A field and a button of what is chosen."""

    def __init__(self, gui: Any, edits: Edits, choose: Callable[[str], None]) -> None:
        """choose: called with the key of what got another name."""
        self._edits, self._choose = edits, choose
        self._key = self._shown = ""
        self.name: Any = gui.add_text(
            "name", "", visible=False, hint="what it is called in results, reports and messages"
        )
        self.button: Any = gui.add_button("rename", visible=False)
        self.button.on_click(edits.guarded(lambda _: self.set_name()))

    def show(self, key: str) -> None:
        """The name of what is chosen, of a cable that is in hand its own; what a person types there stays until something else is chosen or
        called otherwise."""
        kind, _, rest = key.partition("/")
        key = f"{CABLE}/{rest}" if kind == HAND else key
        name = name_of(self._edits.route.data, key) if key else ""
        for field in (self.name, self.button):
            if field.visible != bool(name):
                field.visible = bool(name)
        if (key, name) != (self._key, self._shown):
            self._key, self._shown = key, name
            self.name.value = name

    def set_name(self) -> None:
        """It gets the name that was typed."""
        key, edits, new = self._key, self._edits, str(self.name.value).strip()
        data = edits.route.data
        old = name_of(data, key) if key else ""
        if not old or new == old:
            return
        there, why = renamed(data, key, new)
        if why:
            self.name.value = old
            edits.refuse(f"name {new!r}", why)
        else:
            in_hand = f"{HAND}/{old}" in held(edits.route) and key.startswith(f"{CABLE}/")
            edits.label(lambda: call(edits.route, key, new))
            self._choose(f"{HAND}/{new}" if in_hand else there)
