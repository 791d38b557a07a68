"""The instructor of a machine: wind, the load and its centre of gravity, brakes that do not hold."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

import viser

from taut.scene import Scene
from taut.view import levers, readout, sliders
from taut.view.bounds import half_size
from taut.view.changeable import WIND, centre, direction, load_of, mass, quantity, wind_speed, without_dust
from taut.view.changes import Changes
from taut.view.entries import Entry
from taut.view.frame import Control
from taut.view.made import Made, Row
from taut.view.runner import Runner

Triple = tuple[float, float, float]


class Instructor:
    """A folder of the panel. Wind and load are changes of the scene, which can be undone; faults act at once."""

    def __init__(self, gui: viser.GuiApi, folder: viser.GuiFolderHandle, runner: Runner, changes: Changes) -> None:
        self._runner, self._changes = runner, changes
        self._start = changes.scene
        self._load = load = load_of(self._start)
        self._faults: dict[str, Entry] = {}
        self._on_the_way: list[str] = []
        self._resets = runner.resets
        with folder:
            wind = wind_speed(self._start)
            self._wind: Any = gui.add_slider(
                "wind [m/s]", 0.0, max(30.0, wind), 0.5, wind, hint="steady, at 10 m where it grows with height"
            )
            self._way: Any = gui.add_slider(
                "blows to [deg]",
                -180.0,
                180.0,
                5.0,
                direction(self._start),
                hint="from the x axis on; the windsock shows it",
            )
            gui.add_html(readout.about("0° to the right, 90° to the back, 180° to the left, as seen at the start"))
            self._mass: Any = None
            self._centre: Any = None
            if load is not None:
                name = load.replace("_", " ")
                self._mass = gui.add_text(f"mass of the {name}", "", hint="with any unit: 12 t, 800 kg")
                stood = centre(self._start, load)
                low, high = _inside(self._start, load, stood)
                self._centre = gui.add_vector3(
                    f"centre of gravity of the {name}: x, y, z [m]",
                    stood,
                    min=low,
                    max=high,
                    step=0.05,
                    hint="from its middle, along its own axes; off the middle it hangs askew",
                )
                gui.add_html(
                    readout.about("from its middle: x to the right, y to the back, z up, as it lies at the start")
                )
            self._entries = {f"{WIND}.speed": Entry(self._wind), f"{WIND}.direction": Entry(self._way)}
            if load is not None:
                self._entries |= {f"{load}.mass": Entry(self._mass), f"{load}.centre": Entry(self._centre)}
            words = "Set wind and load" if load is not None else "Set wind"
            gui.add_button(words, icon=viser.Icon.CHECK, hint="the run goes on from the present pose").on_click(
                lambda _: self.set()
            )
            for control in runner.controls():
                if sliders.is_fault(control):
                    self._add_fault(gui, control)
            gui.add_button("As at the start", icon=viser.Icon.REFRESH, hint="wind, load and brakes").on_click(
                lambda _: self.calm()
            )
            gui.add_html(readout.trainee_link())
        changes.aside.append(self)
        changes.heard.append(self._show)
        self._show()

    def set(self) -> None:
        """Wind and load as they stand in the folder."""
        wanted = {place: entry.hand_over() for place, entry in self._entries.items()}
        self._changes.make(lambda made: [
            (f"{place}={self._written(place, value)}",)
            for place, value in wanted.items() if self._as_typed(made, place) != value
        ])  # fmt: skip

    def calm(self) -> None:
        """Everything as it was at the start."""
        for name, box in self._faults.items():
            box.say(False, anyway=True)
            self._set_fault(name, 0.0)
        # at once, not when it is done: what was typed and never set goes too, what is typed from now on does not
        start = Made(self._start)
        for place, entry in self._entries.items():
            entry.say(self._as_typed(start, place), anyway=True)
        self._changes.take_back(*self._entries)

    def show(self) -> None:
        """Faults as they are after the run has gone back."""
        # not before what was ticked is so: the controls are those of before
        if self._resets != self._runner.resets and not self._on_the_way:
            self._resets = self._runner.resets
            values = {control.name: control.value for control in self._runner.controls()}
            for name, box in self._faults.items():
                box.say(values.get(name, 0.0) > 0.5)
            self._changes.show_made()

    def rows(self) -> list[Row]:
        """Brakes that do not hold."""
        return [
            Row(name, f"{_winch(name)} brake", "holds", "does not hold")
            for name, box in self._faults.items()
            if box.value
        ]

    def take_back(self, place: str) -> bool:
        """A brake holds again; whether the place is that of a brake."""
        if place in self._faults:
            self._faults[place].say(False, anyway=True)
            self._set_fault(place, 0.0)
        return place in self._faults

    def _add_fault(self, gui: viser.GuiApi, control: Control) -> None:
        box = gui.add_checkbox(
            f"{_winch(control.name)}: brake does not hold", control.value > 0.5, hint="at once; tick again to mend it"
        )
        box.on_update(partial(self._fault, control.name))
        self._faults[control.name] = Entry(box)

    def _fault(self, name: str, event: Any) -> None:
        if event.client_id is not None:
            self._set_fault(name, float(self._faults[name].hand_over()))

    def _set_fault(self, name: str, value: float) -> None:
        self._on_the_way.append(name)
        self._runner.set_control(name, value)
        self._runner.between_steps(lambda: self._on_the_way.remove(name))
        self._changes.show_made()

    def _show(self) -> None:
        """The scene as it is now."""
        for place, entry in self._entries.items():
            entry.say(self._as_typed(self._changes.made, place))

    def _as_typed(self, made: Made, place: str) -> Any:
        """A value of the scene as its field holds it."""
        element, _, field = place.partition(".")
        if element == WIND:
            return wind_speed(made.now) if field == "speed" else direction(made.now)
        if field == "mass":
            return made.written(place) or quantity(mass(made.now, element), "kg")
        return centre(made.now, element)

    def _written(self, place: str, value: Any) -> str:
        """What a field holds as a scene takes it."""
        if place == f"{WIND}.direction":
            return _compass(value)
        return value.strip() if isinstance(value, str) else _vector(value) if isinstance(value, tuple) else f"{value:g}"


def is_wanted(scene: Scene, runner: Runner) -> bool:
    """Whether there is a machine to instruct: one that has levers, and is no recording."""
    return runner.player.duration is None and bool(levers.of_scene(scene, runner.controls()))


def _inside(scene: Scene, load: str, centre: tuple[float, float, float]) -> tuple[Triple, Triple]:
    """Lowest and highest place for the centre of gravity of a load in its frame [m]: where it is solid, and where it began."""
    half = half_size(scene.bodies[load].shape)
    (x, y, z), (u, v, w) = half, centre
    return (min(-x, u), min(-y, v), min(-z, w)), (max(x, u), max(y, v), max(z, w))


def _winch(control: str) -> str:
    """The winch of a fault, for people."""
    return control.partition(".")[0].replace("_", " ")


def _compass(degrees: float) -> str:
    turn = math.radians(degrees)
    return _vector(without_dust((math.cos(turn), math.sin(turn), 0.0)))


def _vector(parts: Sequence[float]) -> str:
    return f"[{', '.join(f'{part:.9g}' for part in parts)}]"
