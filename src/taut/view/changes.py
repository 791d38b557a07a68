"""Changing the world while it runs: fields of bodies and ropes, wind, the load; undone, and saved as a scene file."""

from __future__ import annotations

import re
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import viser

from taut.scene import Scene, Wind
from taut.scene.edits import edited
from taut.scene.models import MODELS, beside, why_not
from taut.scene.problems import SceneError
from taut.scene.spec import labelled
from taut.scenes import is_route
from taut.view import readout
from taut.view.changeable import (
    centre,
    elements,
    explained,
    kind_of,
    lifted_tension,
    nothing_typed,
    tie_changes,
    value_of,
)
from taut.view.entries import Entry
from taut.view.made import Change, Made, Row
from taut.view.runner import Runner
from taut.view.server import tell

#: a field that is chosen from a list
MODEL = "model"

#: builds the page anew with a simulation of other models, and lets it run or not
Reopen = Callable[[Made, Any, bool], None]
#: what was changed, from what holds when it is asked
Wanted = Callable[[Made], Made]


class Changes:
    """A folder of the panel. `warn` shows what is wrong with a change; `made` is what was changed before the page was built
    anew, which `reopen` does.

    Changes are made one after another: what is asked for while another one is on its way is worked out when that one holds or
    was refused. It is asked for in the server's threads, and told in the runner's.
    """

    def __init__(
        self,
        server: viser.ViserServer,
        scene: Scene,
        runner: Runner,
        file: Path | None,
        warn: Callable[[str], None],
        reopen: Reopen,
        made: Made | None = None,
    ) -> None:
        self.made = Made(scene) if made is None else made
        """What was changed so far."""
        self.scene = self.made.scene
        """As it was opened."""
        self._server, self._runner, self._file, self._warn, self._reopen = server, runner, file, warn, reopen
        self.aside: list[Aside] = []
        """Who has changed what is not part of a scene, and lists it with the changes."""
        self.heard: list[Callable[[], None]] = []
        """Who hears of every change that was made or undone."""
        self._asked: deque[Wanted] = deque()
        self._busy, self._untold, self._lock = False, False, threading.Lock()
        self._refused: int | None = None  # resets of the run when something was refused that is still said
        self._elements = elements(self.now)
        gui = server.gui
        with gui.add_folder("Change", expand_by_default=made is not None):
            first = next(iter(self._elements)) if made is None else made.element
            self._element: Any = gui.add_dropdown("element", list(self._elements), initial_value=first)
            labels = self._labels(first)
            self._field: Any = gui.add_dropdown(
                "field", labels, initial_value=labels[0] if made is None else labels[-1]
            )
            value: Any = gui.add_text("value", "", hint="a number in the unit of the field, or with any other")
            self._value, self._entry = value, Entry(value)
            self._model: Any = gui.add_dropdown(
                "model of the cable", MODELS, visible=False, hint="the run goes on from the present pose"
            )
            self._about = gui.add_html("")
            self._element.on_update(lambda event: self._choose(event.target.value))
            self._field.on_update(lambda event: self._show(chosen=True))
            gui.add_button("Apply", icon=viser.Icon.CHECK).on_click(lambda _: self._apply())
            self._undo = gui.add_button("Undo", icon=viser.Icon.ARROW_BACK_UP, hint="the last step")
            self._undo.on_click(lambda _: self.undo())
            self._save = gui.add_button(
                "Save scene",
                icon=viser.Icon.DOWNLOAD,
                hint="the file with what was changed; faults of brakes are not in it",
            )
            self._save.on_click(self._download)
            self._left_out: Any = gui.add_html("", visible=False)
            self._list = ChangeList(gui, self.take_back, self.take_back_all)
        self._show(chosen=True)
        self.show_made()

    def choose(self, name: str) -> None:
        """An element was picked in the scene: it is the one to change; a link stands for its chain."""
        name = next((chain for chain, spec in self.scene.chains.items() if name in spec.link_names(chain)), name)
        if name in self._elements and self._element.value != name:
            chooser: Any = self._element
            chooser.value = name
            self._choose(name)

    def make(self, wanted: Callable[[Made], Sequence[Change]]) -> None:
        """Go on with some more changes, undone together: those that `wanted` tells from what holds when it is their turn."""
        self._ask(lambda made: made.make(*wanted(made)))

    def take_back(self, *places: str) -> None:
        """Some fields as they were at the start."""
        apart = [place for place in places if any(other.take_back(place) for other in self.aside)]
        fields = [place for place in places if place not in apart]
        if fields:
            self._ask(lambda made: made.take_back(*fields))

    def take_back_all(self) -> None:
        """Everything as it was at the start."""
        self.take_back(*(row.place for row in self.rows()))

    def undo(self) -> None:
        """Take back the last step."""
        self._ask(Made.undo)

    def saved(self) -> str:
        """The scene as a file, and in a comment of it what is not in it. Raises SceneError."""
        found, left = saved(self.scene, self.made.overrides, self._file), self._not_saved()
        return f"{found.rstrip()}\n# {left}\n" if left else found

    def _not_saved(self) -> str:
        """What no scene file can hold, in words; empty: nothing."""
        left = [f"{row.what} {row.now}" for other in self.aside for row in other.rows()]
        return f"not in the file: {', '.join(left)}" if left else ""

    @property
    def now(self) -> Scene:
        """The scene, changes included."""
        return self.made.now

    # ---- one after another -----------------------------------------------------------------------------------------

    def _ask(self, wanted: Wanted) -> None:
        with self._lock:
            self._asked.append(wanted)
        self._next()

    def _next(self) -> None:
        """Begin with what was asked for first, unless something is on its way."""
        while True:
            with self._lock:
                if self._busy or not self._asked:
                    return
                wanted, self._busy = self._asked.popleft(), True
            try:
                made = wanted(self.made)
            except (SceneError, ValueError) as error:
                self._busy = False
                self._refuse(str(error))
                continue
            if made is not self.made:
                self._begin(made)
                return
            self._busy = False  # it is so already
            if self._refused is not None:
                self._refuse("")

    def _begin(self, made: Made) -> None:
        if made.models() != self.made.models():
            self._remake(made)
            return

        def told(message: str) -> None:
            self._refuse(message)
            if not message:
                self.made, self._untold = made, True
                self.show_made()
            self._busy = False
            self._next()
            self._tell()

        self._runner.change(made.overrides, told)

    def _tell(self) -> None:
        """Show what holds where it is typed, once nothing else is on its way: that will be another answer."""
        if self._untold and not self._busy:
            self._untold = False
            self._show()
            for hear in self.heard:
                hear()

    def _remake(self, made: Made) -> None:
        """Go on with other models: bodies and ropes are others then, and all that shows them is built anew."""
        self._about.content = readout.about("The solver is being prepared for this model.")

        def told(message: str, sim: Any, base: float, running: bool) -> None:
            self._refuse(message)
            if message:
                self._show()
                self._busy = False
                self._next()
            else:  # what was asked for since then goes with this folder
                self._reopen(replace(made, element=self._element.value, base=base), sim, running)

        self._runner.remake(made.overrides, told)

    def begin_again(self) -> None:
        """The run went back to its start: what was refused before is over."""
        if self._refused not in (None, self._runner.resets):
            self._refuse("")

    def _refuse(self, message: str) -> None:
        """Say why something was refused; nothing takes it away."""
        self._refused = self._runner.resets if message else None
        self._warn(re.sub(r"^(override '[^']*': )?((bodies|cables|joints|chains)\.)?", "", message, flags=re.MULTILINE))

    def _apply(self) -> None:
        element, field = self._element.value, self._chosen()
        text = self._model.value if field == MODEL else self._entry.hand_over().strip()
        if not text:
            self._refuse(nothing_typed(self.now, element, field))
            return
        self.make(lambda made: _changes(made.now, element, field, text))

    def _download(self, event: Any) -> None:
        try:
            content = self.saved()
        except (SceneError, OSError) as error:
            self._warn(str(error))
            return
        name = f"{self._file.stem if self._file is not None else self.scene.name or 'scene'}_changed.yaml"
        event.client.send_file_download(name, content.encode(), save_immediately=True)
        if other := no_route(self.scene, self.made.overrides, self._file):
            told = f"No route file can hold {', '.join(other)}: limits, comments and whatever else only a route has are not in it."
            tell(self._server, f"Saved as the scene of this route, {name}", told)
        if left := self._not_saved():
            tell(
                self._server,
                f"Saved as {name}",
                f"{left[0].upper()}{left[1:]}. A brake that fails is no part of a scene.",
            )

    def _choose(self, name: str) -> None:
        self._field.options = self._labels(name)
        self._show(chosen=True)

    def _labels(self, element: str) -> tuple[str, ...]:
        return tuple(labelled(kind_of(self.scene, element), field) for field in self._elements[element])

    def _chosen(self) -> str:
        """The field that is chosen, as it is written in a scene."""
        fields = self._elements[self._element.value]
        return fields[self._labels(self._element.value).index(self._field.value)]

    def _show(self, chosen: bool = False) -> None:
        """The field as it is now; one that was just chosen replaces what was typed for another."""
        element, field = self._element.value, self._chosen()
        self._value.visible, self._model.visible = field != MODEL, field == MODEL
        if field == MODEL:
            self._show_models(element)
            return
        value = self.made.written(f"{element}.{field}") or value_of(self.now, element, field)
        self._entry.say(value, anyway=chosen)
        self._about.content = readout.about(explained(self.now, element, field))

    def show_made(self) -> None:
        """The list of what was changed, and whether there is anything to undo or to save."""
        self._undo.disabled, self._save.disabled = not self.made.before, not self.made.rows()
        left = self._not_saved()
        self._left_out.content, self._left_out.visible = readout.about(left), bool(left)
        self._list.show(self.rows())

    def rows(self) -> list[Row]:
        """All that is not as it was at the start."""
        return [*self.made.rows(), *(row for other in self.aside for row in other.rows())]

    def _show_models(self, element: str) -> None:
        """The models that are possible, and why the others are not."""
        now = self.now
        reasons = {model: why_not(now, element, model) for model in MODELS}
        self._model.options = tuple(model for model, reason in reasons.items() if not reason)
        self._model.value = now.cables[element].model
        self._about.content = readout.models([(model, reason) for model, reason in reasons.items() if reason])


class Aside(Protocol):
    """Changes that are no fields of a scene: listed with the others, taken back in a way of their own, not saved."""

    def rows(self) -> list[Row]:
        """What is not as it was at the start."""

    def take_back(self, place: str) -> bool:
        """As it was at the start; whether the place is one of these."""


class ChangeList:
    """What is not as it was at the start, each with a button that takes it back. Buttons are kept for the next change: viser
    does not like what comes and goes quickly."""

    def __init__(self, gui: viser.GuiApi, take_back: Callable[[str], None], take_back_all: Callable[[], None]) -> None:
        self._gui, self._take_back = gui, take_back
        self._folder: Any = gui.add_folder("Changed since the start", visible=False)
        with self._folder:
            self._all: Any = gui.add_button("Undo all of it", icon=viser.Icon.REFRESH, visible=False)
            self._all.on_click(lambda _: take_back_all())
        self._lines: list[tuple[Any, Any]] = []
        self._rows: list[Row] = []
        # a folder that one thread fills must not be filled by another: brakes are told by the page's, changes by the runner's
        self._lock = threading.Lock()

    def show(self, rows: list[Row]) -> None:
        """These and no others."""
        with self._lock:
            self._show(rows)

    def _show(self, rows: list[Row]) -> None:
        self._rows = rows
        with self._folder:
            while len(self._lines) < len(rows):
                line = self._gui.add_html(""), self._gui.add_button("", icon=viser.Icon.ARROW_BACK_UP)
                line[1].on_click(partial(self._pressed, len(self._lines)))
                self._lines.append(line)
        for k, (text, button) in enumerate(self._lines):
            if k < len(rows):
                text.content, button.label = readout.changed(*rows[k][1:]), f"Undo {rows[k].what}"
            text.visible = button.visible = k < len(rows)
        self._folder.visible, self._all.visible = bool(rows), len(rows) > 1

    def _pressed(self, k: int, event: Any) -> None:
        if k < len(self._rows):
            self._take_back(self._rows[k].place)


def _changes(now: Scene, element: str, field: str, text: str) -> list[Change]:
    """What gives a field another value, in a scene as it is now; nothing where it has it."""
    place = f"{element}.{field}"
    if field == MODEL:
        cable = now.cables[element]
        others = beside(cable, text)
        if "lifted" in others:  # only a massless rope finds its tension by itself
            others["tension"] = f"{lifted_tension(now, element):.9g}"
        also = [f"{element}.{other}={_written(value)}" for other, value in others.items()]
        return [(f"{place}={text}", *also)] if text != cable.model else []
    if field == "length" and element in now.joints:
        return [tuple(tie_changes(now, element, text))]
    if field == "length":
        # only one of them says how long it is
        cable = now.cables[element]
        instead = ["tension=null"] * (cable.tension is not None) + ["lifted=false"] * cable.lifted
        return [(f"{place}={text}", *(f"{element}.{other}" for other in instead))]
    return [(f"{place}={text}",)]


def _written(value: Any) -> str:
    """A value as a scene file has it."""
    return {None: "null", False: "false", True: "true"}.get(value, str(value))


def saved(scene: Scene, changes: Sequence[str], file: Path | None) -> str:
    """A changed scene as a file; of one that was read from a file only the changed lines differ, of a route too, unless something was changed
    that a route cannot hold (`no_route`): then it is the scene that was made of it. What was changed back leaves no trace. Raises
    SceneError."""
    left = _needed(scene, changes)
    if file is not None and is_route(file) and not no_route(scene, changes, file):
        from taut.cables.rod.resaved import resaved

        return resaved(file, left)
    if file is None or is_route(file):
        return scene.with_overrides(left).to_yaml()
    return edited(file.read_text(encoding="utf-8"), left, type(scene).model_fields)


def no_route(scene: Scene, changes: Sequence[str], file: Path | None) -> list[str]:
    """Changes that make a scene of what was read from the file of a route; none where it was not."""
    if file is None or not is_route(file):
        return []
    from taut.cables.rod.resaved import foreign

    return foreign(file, _needed(scene, changes))


def _needed(scene: Scene, changes: Sequence[str]) -> list[str]:
    """The last change of each field, less those that lead back to where it was at the start."""
    left = list({change.partition("=")[0]: change for change in changes}.values())
    for change in list(left):
        others = [other for other in left if other is not change]
        try:
            same = _meaning(scene.with_overrides(others)) == _meaning(scene.with_overrides(left))
        except SceneError:  # one of two that only go together
            same = False
        if same:
            left = others
    return left


def _meaning(scene: Scene) -> object:
    """What a scene says, however it is written: a mass or a density, no wind or one that does not blow."""
    weights = {
        name: (round(float(body.mass_properties().mass), 9), centre(scene, name))
        for name, body in scene.bodies.items()
        if body.kind == "dynamic"
    }
    bodies = {
        name: body.model_copy(update={"mass": None, "density": None, "centre": None}) if name in weights else body
        for name, body in scene.bodies.items()
    }
    return scene.model_copy(update={"bodies": bodies, "wind": scene.wind or Wind()}), weights
