"""Changing the world while it runs: fields of bodies and ropes, wind, the load; undone, and saved as a scene file."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import viser

from taut.scene import Body, Cable, Scene
from taut.scene.edits import edited
from taut.scene.parts import Winch
from taut.scene.problems import SceneError
from taut.scene.spec import Spec, labelled, summary, unit_of
from taut.scene.wind import Wind
from taut.view import readout
from taut.view.cameras import LOADS
from taut.view.runner import Runner

#: names of what an instructor makes heavier: what hangs on the hook rather than the hook
WEIGHED = ("load", "cabin", *LOADS)
#: name of the wind among the elements
WIND = "wind"
#: multiples of units, the largest first
MULTIPLES = {
    "N": ((1e6, "MN"), (1e3, "kN"), (1.0, "N")),
    "kg": ((1e3, "t"), (1.0, "kg"), (1e-3, "g")),
    "s": ((1.0, "s"), (1e-3, "ms")),
}
OF_CABLE = ("axial_stiffness", "damping_time", "breaking_load")


class Changes:
    """A folder of the panel. `warn` shows what is wrong with a change."""

    def __init__(
        self, server: viser.ViserServer, scene: Scene, runner: Runner, file: Path | None, warn: Callable[[str], None]
    ) -> None:
        self.scene = scene
        """As it was opened."""
        self._runner, self._file, self._warn = runner, file, warn
        self.made: list[str] = []
        """All changes so far, such as 'load.mass=2 t'."""
        self.heard: list[Callable[[], None]] = []
        """Who hears of every change that was made or undone."""
        self._before: list[int] = []  # how many there were before each step that can be undone
        self._elements = elements(scene)
        gui = server.gui
        with gui.add_folder("Change", expand_by_default=False):
            first = next(iter(self._elements))
            self._element: Any = gui.add_dropdown("element", list(self._elements), initial_value=first)
            self._field: Any = gui.add_dropdown("field", self._labels(first))
            self._value: Any = gui.add_text("value", "", hint="a number in the unit of the field, or with any other")
            self._about = gui.add_html("")
            self._element.on_update(lambda event: self._choose(event.target.value))
            self._field.on_update(lambda event: self._show())
            gui.add_button("Apply", icon=viser.Icon.CHECK).on_click(lambda _: self._apply())
            self._undo = gui.add_button("Undo", icon=viser.Icon.ARROW_BACK_UP, disabled=True)
            self._undo.on_click(lambda _: self.undo())
            self._save = gui.add_button("Save scene", icon=viser.Icon.DOWNLOAD, disabled=True)
            self._save.on_click(self._download)
        self._show()

    def choose(self, name: str) -> None:
        """An element was picked in the scene: it is the one to change."""
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
        """The scene as a file; of one that was read from a file only the changed lines differ. Raises SceneError."""
        if self._file is None:
            return self.scene.with_overrides(self.made).to_yaml()
        return edited(self._file.read_text(encoding="utf-8"), self.made, type(self.scene).model_fields)

    def _try(self, changes: list[str], before: list[int]) -> None:
        def told(message: str) -> None:
            self._warn(re.sub(r"^override '[^']*': ", "", message, flags=re.MULTILINE))
            if not message:
                self.made, self._before = changes, before
                self._undo.disabled = self._save.disabled = not changes
                self._show()
                for hear in self.heard:
                    hear()

        self._runner.change(changes, told)

    def _apply(self) -> None:
        text = self._value.value.strip()
        if text:
            self.make(f"{self._element.value}.{self._chosen()}={text}")

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
        self._value.value = self._written(element, field) or value_of(self.now, element, field)
        self._about.content = readout.about(summary(kind_of(self.scene, element), field))

    def _written(self, element: str, field: str) -> str:
        """What a person wrote for a field; empty if it was not changed."""
        given = [change.partition("=")[2] for change in self.made if change.partition("=")[0] == f"{element}.{field}"]
        return given[-1] if given else ""


def elements(scene: Scene) -> dict[str, tuple[str, ...]]:
    """What can be changed while it runs, with the fields of each; the wind always can."""
    found: dict[str, tuple[str, ...]] = {
        name: ("mass", "centre") if body.kind == "dynamic" else ("mass",)
        for name, body in scene.bodies.items()
        if body.kind in ("dynamic", "particle")
    }
    for name, cable in scene.ropes().items():
        wound = any(isinstance(part, Winch) for part in cable.parts())
        found[name] = OF_CABLE if wound else ("length", *OF_CABLE)
    return {**found, WIND: ("speed", "direction")}


def kind_of(scene: Scene, element: str) -> type[Spec]:
    """What describes an element, and names and explains its fields."""
    return Wind if element == WIND else Body if element in scene.bodies else Cable


def value_of(scene: Scene, element: str, field: str) -> str:
    """The value of a field as a person would write it: as written, or as it follows from what is written."""
    if element == WIND:
        held: Any = getattr(scene.wind or Wind(), field)
    elif field == "mass":
        held = mass(scene, element)
    elif field == "centre":
        held = centre(scene, element)
    else:
        held = getattr(scene.cables[element], field)
    if field == "axial_stiffness" and held is None:
        held = scene.cables[element].stiffness()
    if isinstance(held, tuple):
        return f"[{', '.join(f'{part:.6g}' for part in held)}]"
    return "" if held is None else quantity(float(held), unit_of(kind_of(scene, element), field))


def quantity(value: float, unit: str) -> str:
    """A number with the multiple of its unit that is read most easily: '40 kN', '10.296 t'."""
    if not math.isfinite(value):
        return ""
    multiples = MULTIPLES.get(unit, ()) if value else ()
    size, text = next((one for one in multiples if abs(value) >= one[0]), (1.0, unit))
    return f"{value / size:.7g} {text}"


def load_of(scene: Scene) -> str | None:
    """What an instructor makes heavier; None if nothing has such a name."""
    return next((name for name in WEIGHED if name in scene.bodies and scene.bodies[name].kind == "dynamic"), None)


def wind_speed(scene: Scene) -> float:
    """Of the wind [m/s]."""
    return float(scene.wind.speed) if scene.wind is not None else 0.0


def mass(scene: Scene, body: str) -> float:
    """Of a body, given or from its density [kg]."""
    return float(scene.bodies[body].mass_properties().mass)


def centre(scene: Scene, body: str) -> tuple[float, float, float]:
    """Centre of gravity of a body in its frame, given or from its shape [m]."""
    x, y, z = scene.bodies[body].mass_properties().centre
    return float(x), float(y), float(z)
