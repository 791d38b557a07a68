"""Changing the world while it runs: fields of bodies and ropes, wind, the load; undone, and saved as a scene file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import viser

from taut.scene import Scene
from taut.scene.edits import edited
from taut.scene.parts import Winch
from taut.scene.problems import SceneError
from taut.view.cameras import LOADS
from taut.view.runner import Runner

#: names of what an instructor makes heavier: what hangs on the hook rather than the hook
WEIGHED = ("load", "cabin", *LOADS)
OF_CABLE = ("axial_stiffness", "damping_time", "breaking_load")


class Changes:
    """A folder of the panel. `warn` shows what is wrong with a change."""

    def __init__(
        self, server: viser.ViserServer, scene: Scene, runner: Runner, file: Path | None, warn: Callable[[str], None]
    ) -> None:
        self._scene, self._runner, self._file, self._warn = scene, runner, file, warn
        self.made: list[str] = []
        """All changes so far, such as 'load.mass=2 t'."""
        self._before: list[int] = []  # how many there were before each step that can be undone
        self._load = load_of(scene)
        self._elements = elements(scene)
        gui = server.gui
        with gui.add_folder("Change", expand_by_default=False):
            if self._elements:
                first = next(iter(self._elements))
                self._element = gui.add_dropdown("element", list(self._elements), initial_value=first)
                self._field = gui.add_dropdown("field", self._elements[first])
                self._value = gui.add_text(
                    "value", self._now(), hint="a number in SI units, or with a unit: 2 t, 12 mm, 40 kN"
                )
                self._element.on_update(lambda event: self._choose(event.target.value))
                self._field.on_update(lambda event: self._show())
                gui.add_button("Apply", icon=viser.Icon.CHECK).on_click(lambda _: self._apply())
            load = self._load
            with gui.add_folder("Instructor", expand_by_default=False):
                wind = wind_speed(scene)
                self._wind = gui.add_slider(
                    "wind [m/s]", 0.0, max(30.0, wind), 0.5, wind, hint="along x, or as the scene says"
                )
                self._mass = None if load is None else gui.add_text(f"{load} mass", f"{mass(scene, load):g} kg")
                self._centre = (
                    None
                    if load is None
                    else gui.add_vector3(
                        f"{load} centre of gravity [m]",
                        centre(scene, load),
                        step=0.05,
                        hint="in the frame of the load: x, y, z; off the middle it hangs askew",
                    )
                )
                gui.add_button("Set", hint="wind and load as they stand here").on_click(lambda _: self._instruct(load))
            self._undo = gui.add_button("Undo", icon=viser.Icon.ARROW_BACK_UP, disabled=True)
            self._undo.on_click(lambda _: self.undo())
            self._save = gui.add_button("Save scene", icon=viser.Icon.DOWNLOAD, disabled=True)
            self._save.on_click(self._download)

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
            return self._scene.with_overrides(self.made).to_yaml()
        return edited(self._file.read_text(encoding="utf-8"), self.made, type(self._scene).model_fields)

    def _try(self, changes: list[str], before: list[int]) -> None:
        def told(message: str) -> None:
            self._warn(message)
            if not message:
                self.made, self._before = changes, before
                self._undo.disabled = self._save.disabled = not changes
                self._show()

        self._runner.change(changes, told)

    def _apply(self) -> None:
        text = self._value.value.strip()
        if text:
            self.make(f"{self._element.value}.{self._field.value}={text}")

    def _instruct(self, load: str | None) -> None:
        now, wanted = self._scene_now(), []
        if self._wind.value != wind_speed(now):
            wanted.append(f"wind.speed={self._wind.value:g}")
        if load is not None and self._mass is not None and self._mass.value != f"{mass(now, load):g} kg":
            wanted.append(f"{load}.mass={self._mass.value}")
        if load is not None and self._centre is not None and tuple(self._centre.value) != centre(now, load):
            wanted.append(f"{load}.centre=[{', '.join(f'{part:g}' for part in self._centre.value)}]")
        self.make(*wanted)

    def _scene_now(self) -> Scene:
        """The scene, changes included."""
        return self._scene.with_overrides(self.made) if self.made else self._scene

    def _download(self, event: Any) -> None:
        try:
            content = self.saved()
        except (SceneError, OSError) as error:
            self._warn(str(error))
            return
        name = f"{self._file.stem if self._file is not None else self._scene.name or 'scene'}_changed.yaml"
        event.client.send_file_download(name, content.encode(), save_immediately=True)

    def _choose(self, name: str) -> None:
        field: Any = self._field
        field.options = self._elements[name]
        self._show()

    def _show(self) -> None:
        if self._elements:
            value: Any = self._value
            value.value = self._now()
        now = self._scene_now()
        wind: Any = self._wind
        weight: Any = self._mass
        middle: Any = self._centre
        wind.value = wind_speed(now)
        if self._load is not None:
            weight.value, middle.value = f"{mass(now, self._load):g} kg", centre(now, self._load)

    def _now(self) -> str:
        """The value of the chosen field: as changed, as written, or as it follows from what is written."""
        element, field = self._element.value, self._field.value
        for change in reversed(self.made):
            path, _, value = change.partition("=")
            if path == f"{element}.{field}":
                return value
        if field == "mass":
            return f"{mass(self._scene, element):g} kg"
        held = getattr(self._scene.cables[element], field)
        if field == "axial_stiffness" and held is None:
            held = self._scene.cables[element].stiffness()
        return "" if held is None else f"{held:g}"


def elements(scene: Scene) -> dict[str, tuple[str, ...]]:
    """What can be changed while it runs, with the fields of each."""
    found: dict[str, tuple[str, ...]] = {
        name: ("mass",) for name, body in scene.bodies.items() if body.kind in ("dynamic", "particle")
    }
    for name, cable in scene.ropes().items():
        wound = any(isinstance(part, Winch) for part in cable.parts())
        found[name] = OF_CABLE if wound else ("length", *OF_CABLE)
    return found


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
