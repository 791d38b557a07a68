"""Changing the world while it runs: fields of bodies and ropes, wind, the load; undone, and saved as a scene file."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import viser

from taut.scene import Scene, Wind
from taut.scene.edits import edited
from taut.scene.models import MODELS, beside, why_not
from taut.scene.problems import SceneError
from taut.scene.spec import labelled, summary
from taut.scenes import is_route
from taut.view import readout
from taut.view.changeable import centre, elements, kind_of, tie_changes, value_of
from taut.view.made import Made, models
from taut.view.runner import Runner

#: a field that is chosen from a list
MODEL = "model"

#: builds the page anew with a simulation of other models, and lets it run or not
Reopen = Callable[[Made, Any, bool], None]


class Changes:
    """A folder of the panel. `warn` shows what is wrong with a change; `made` is what was changed before the page was built
    anew, which `reopen` does."""

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
        self.scene = scene if made is None else made.scene
        """As it was opened."""
        self._runner, self._file, self._warn, self._reopen = runner, file, warn, reopen
        self.made: list[str] = [] if made is None else list(made.changes)
        """All changes so far, such as 'load.mass=2 t'."""
        self.heard: list[Callable[[], None]] = []
        """Who hears of every change that was made or undone."""
        self._before = [] if made is None else list(made.before)  # how many before each step that can be undone
        self._elements = elements(self.now)
        gui = server.gui
        with gui.add_folder("Change", expand_by_default=made is not None):
            first = next(iter(self._elements)) if made is None else made.element
            self._element: Any = gui.add_dropdown("element", list(self._elements), initial_value=first)
            labels = self._labels(first)
            self._field: Any = gui.add_dropdown(
                "field", labels, initial_value=labels[0] if made is None else labels[-1]
            )
            self._value: Any = gui.add_text("value", "", hint="a number in the unit of the field, or with any other")
            self._model: Any = gui.add_dropdown(
                "model of the cable", MODELS, visible=False, hint="the run goes on from the present pose"
            )
            self._about = gui.add_html("")
            self._element.on_update(lambda event: self._choose(event.target.value))
            self._field.on_update(lambda event: self._show())
            gui.add_button("Apply", icon=viser.Icon.CHECK).on_click(lambda _: self._apply())
            self._undo = gui.add_button("Undo", icon=viser.Icon.ARROW_BACK_UP, disabled=not self.made)
            self._undo.on_click(lambda _: self.undo())
            self._save = gui.add_button("Save scene", icon=viser.Icon.DOWNLOAD, disabled=not self.made)
            self._save.on_click(self._download)
        self._show()

    def choose(self, name: str) -> None:
        """An element was picked in the scene: it is the one to change; a link stands for its chain."""
        name = next((chain for chain, spec in self.scene.chains.items() if name in spec.link_names(chain)), name)
        if name in self._elements and self._element.value != name:
            chooser: Any = self._element
            chooser.value = name
            self._choose(name)

    def make(self, *changes: str) -> None:
        """Go on with some more changes, undone together."""
        if changes:
            self._try([*self.made, *changes], [*self._before, len(self.made)])

    def undo(self) -> None:
        """Take back the last step."""
        if self._before:
            self._try(self.made[: self._before[-1]], self._before[:-1])

    def saved(self) -> str:
        """The scene as a file. Raises SceneError."""
        return saved(self.scene, self.made, self._file)

    def _try(self, changes: list[str], before: list[int]) -> None:
        if models(changes) != models(self.made):
            self._remake(changes, before)
            return

        def told(message: str) -> None:
            self._refuse(message)
            if not message:
                self.made, self._before = changes, before
                self._undo.disabled = self._save.disabled = not changes
                self._show()
                for hear in self.heard:
                    hear()

        self._runner.change(changes, told)

    def _remake(self, changes: list[str], before: list[int]) -> None:
        """Go on with other models: bodies and ropes are others then, and all that shows them is built anew."""
        self._about.content = readout.about("The solver is being prepared for this model.")

        def told(message: str, sim: Any, base: float, running: bool) -> None:
            self._refuse(message)
            if message:
                self._show()
            else:
                element = self._element.value
                self._reopen(Made(self.scene, tuple(changes), tuple(before), element, base), sim, running)

        self._runner.remake(changes, told)

    def _refuse(self, message: str) -> None:
        self._warn(re.sub(r"^override '[^']*': ", "", message, flags=re.MULTILINE))

    def _apply(self) -> None:
        element, field = self._element.value, self._chosen()
        text = (self._model if field == MODEL else self._value).value.strip()
        if field == MODEL:
            cable = self.now.cables[element]
            if text != cable.model:
                also = [f"{element}.{other}={_written(value)}" for other, value in beside(cable, text).items()]
                self.make(f"{element}.{MODEL}={text}", *also)
        elif text and field == "length" and element in self.now.joints:
            self.make(*tie_changes(self.now, element, text))
        elif text and field == "length" and self.now.cables[element].tension is not None:
            # one of the two says how long it is
            self.make(f"{element}.length={text}", f"{element}.tension=null")
        elif text:
            self.make(f"{element}.{field}={text}")

    @property
    def now(self) -> Scene:
        """The scene, changes included."""
        return self.scene.with_overrides(self.made) if self.made else self.scene

    def _download(self, event: Any) -> None:
        try:
            content = self.saved()
        except (SceneError, OSError) as error:
            self._warn(str(error))
            return
        name = f"{self._file.stem if self._file is not None else self.scene.name or 'scene'}_changed.yaml"
        event.client.send_file_download(name, content.encode(), save_immediately=True)

    def _choose(self, name: str) -> None:
        self._field.options = self._labels(name)
        self._show()

    def _labels(self, element: str) -> tuple[str, ...]:
        return tuple(labelled(kind_of(self.scene, element), field) for field in self._elements[element])

    def _chosen(self) -> str:
        """The field that is chosen, as it is written in a scene."""
        fields = self._elements[self._element.value]
        return fields[self._labels(self._element.value).index(self._field.value)]

    def _show(self) -> None:
        element, field = self._element.value, self._chosen()
        self._value.visible, self._model.visible = field != MODEL, field == MODEL
        if field == MODEL:
            self._show_models(element)
            return
        self._value.value = self._written(element, field) or value_of(self.now, element, field)
        self._about.content = readout.about(summary(kind_of(self.scene, element), field))

    def _show_models(self, element: str) -> None:
        """The models that are possible, and why the others are not."""
        now = self.now
        reasons = {model: why_not(now, element, model) for model in MODELS}
        self._model.options = tuple(model for model, reason in reasons.items() if not reason)
        self._model.value = now.cables[element].model
        self._about.content = readout.models([(model, reason) for model, reason in reasons.items() if reason])

    def _written(self, element: str, field: str) -> str:
        """What a person wrote for a field; empty if it was not changed."""
        given = [change.partition("=")[2] for change in self.made if change.partition("=")[0] == f"{element}.{field}"]
        return given[-1] if given else ""


def _written(value: Any) -> str:
    """A value as a scene file has it."""
    return {None: "null", False: "false", True: "true"}.get(value, str(value))


def saved(scene: Scene, changes: Sequence[str], file: Path | None) -> str:
    """A changed scene as a file; of one that was read from a file only the changed lines differ; a route is saved as the scene
    that was made of it. What was changed back leaves no trace. Raises SceneError."""
    left = _needed(scene, changes)
    if file is None or is_route(file):
        return scene.with_overrides(left).to_yaml()
    return edited(file.read_text(encoding="utf-8"), left, type(scene).model_fields)


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
