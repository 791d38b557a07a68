"""Live plots: the energies, and one quantity that is chosen from a list."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import viser
from viser import uplot

from taut.measure.names import name_in
from taut.view import readout
from taut.view.runner import Runner

HEIGHT, LABEL = 112, 18
#: a series that is not seen: it keeps the axis of a chart from looking closer than it should
FRAME = "frame"
#: least height of a chart, as a share of what it shows: what is steadier is a straight line
LEAST = 0.01
#: least height of the chart of something steady, in the numbers at its axis, which have three decimals: marks are to differ
MARKED = 0.003
#: what nobody sees or feels, whatever the scene: a chart reaches over at least so much, and less is shown as nothing
NOTHING = {
    "m": 1e-6,
    "m/s": 1e-6,
    "m/s^2": 1e-5,
    "rad": 1e-6,
    "rad/s": 1e-6,
    "N": 1e-4,
    "N m": 1e-4,
    "J": 1e-6,
    "W": 1e-4,
}
_LINES = ("#0f7aa8", "#e0342b", "#2b8a3e", "#343a40")
_ENERGIES = ("kinetic", "potential", "elastic", "lost")
_PREFIXES = {1e9: "G", 1e6: "M", 1e3: "k", 1.0: "", 1e-3: "m", 1e-6: "µ"}
_SCALABLE = ("J", "N", "N m", "W")


class Scale:
    """A prefix that brings values into a readable size, 42156 N as 42.2 kN, and does not flicker at its edge."""

    def __init__(self, unit: str) -> None:
        self.unit = unit
        self.size = 1.0

    def fit(self, values: np.ndarray) -> None:
        """Follow the largest value; a prefix stays while it fits at all."""
        finite = np.abs(values[np.isfinite(values)])
        top = float(finite.max(initial=0.0))
        if top == 0.0:
            self.size = 1.0  # nothing needs no prefix
        if self.unit not in _SCALABLE or top == 0.0 or 0.3 <= top / self.size < 3000.0:
            return
        self.size = next((size for size in _PREFIXES if top >= size), 1e-6)

    @property
    def text(self) -> str:
        """The unit with its prefix, e.g. kN."""
        return _PREFIXES[self.size] + self.unit


def first_choice(quantities: dict[str, str], measures: tuple[str, ...]) -> str:
    """What is plotted until a person chooses: what the scene measures, else a tension, else a speed."""
    for name in measures:
        for choice in (name, f"{name}[0]"):
            if choice in quantities:
                return choice
    for end in (".tension", ".tension[0]", ".speed"):
        found = [name for name in quantities if name.endswith(end)]
        if found:
            return found[0]
    return next(iter(quantities), "")


def number(value: float) -> str:
    """Four digits that do not jump about."""
    if not math.isfinite(value):
        return "–"
    if value != 0.0 and not 1e-3 <= abs(value) < 1e5:
        return f"{value:.2e}"
    digits = 3 if value == 0.0 else min(3 - math.floor(math.log10(abs(value))), 4)
    return f"{value + 0.0:.{max(digits, 0)}f}"


def value_at(moment: float, time: np.ndarray, value: np.ndarray) -> float:
    """What a quantity was at a moment of its history; not a number beyond it [s]."""
    known = np.isfinite(value)
    if not known.any() or not time[known][0] - 1e-9 <= moment <= time[known][-1] + 1e-9:
        return math.nan
    return float(np.interp(moment, time[known], value[known]))


def framed(values: np.ndarray, least: float = 0.0) -> np.ndarray:
    """As many numbers, between which a chart reaches at least: round-off is not to look like a storm, nor two marks of the axis
    to bear the same number. `least`: over so much in any case."""
    low, high = float(values.min()), float(values.max())
    more = max(0.0, 0.5 * (max(least, LEAST * max(abs(low), abs(high))) - (high - low)))
    found = np.full(len(values), low - more)
    found[-1] = high + more
    return found


def scaled(values: np.ndarray, scale: Scale) -> tuple[np.ndarray, np.ndarray]:
    """Series [.., n] in the unit that a scale finds for them, and n numbers between which their chart reaches at least."""
    nothing = NOTHING.get(scale.unit, 0.0)
    finite = values[np.isfinite(values)] if np.isfinite(values).any() else np.zeros(1)
    scale.fit(np.where(np.abs(values) < nothing, 0.0, values))
    # around nothing at all in whole numbers: marks of 0, 0 and -0 would tell nothing
    least = nothing / scale.size if np.abs(finite).max() > nothing else 2.0
    if np.ptp(finite) <= LEAST * np.abs(finite).max():
        least = max(least, MARKED)
    ends = framed(np.array([finite.min(), finite.max()]) / scale.size, least)
    frame = np.full(values.shape[-1], ends[0])
    frame[1::2] = ends[1]
    return values / scale.size, frame


class Plots:
    """Two charts at the foot of the panel, fed from the history of a runner."""

    def __init__(self, server: viser.ViserServer, runner: Runner, wanted: str = "") -> None:
        """`wanted` is plotted first, where there is such a quantity."""
        self._runner = runner
        self._quantities = runner.player.quantities
        gui = server.gui
        measures = tuple(map(name_in, runner.player.scene.measures))
        choice = wanted if wanted in self._quantities else first_choice(self._quantities, measures)
        self._energy_scale = Scale("J")
        self._scale = Scale(self._quantities[choice])
        with gui.add_folder("Plots"):
            self._choice = gui.add_dropdown("quantity", list(self._quantities), initial_value=choice)
            self._now = gui.add_html("")
            self._value = _chart(gui, ("value", FRAME), HEIGHT, legend=False)
            self._heading = gui.add_html("")
            self._energy = _chart(gui, (*_ENERGIES, FRAME), HEIGHT + 20, legend=True)
        runner.choose(choice)
        self._choice.on_update(self._chosen)

    def choose(self, name: str) -> None:
        """Plot something else, as if a person had chosen it from the list."""
        chooser: Any = self._choice
        if name in self._quantities and chooser.value != name:
            chooser.value = name
            self._choose(name)

    @property
    def quantity(self) -> str:
        """What is plotted."""
        return str(self._choice.value)

    @property
    def quantities(self) -> dict[str, str]:
        """What can be plotted, with units."""
        return self._quantities

    def _choose(self, name: str) -> None:
        self._scale = Scale(self._quantities[name])
        self._runner.choose(name)

    def _chosen(self, event: Any) -> None:
        if event.client_id is not None:
            self._choose(event.target.value)

    def show(self) -> None:
        """Draw the last minute."""
        moments, value = self._runner.history.values()
        self._write(moments, value)
        time, *energies = self._runner.history.columns()
        if len(time) < 2:
            return
        shown, frame = scaled(np.array(energies), self._energy_scale)
        self._energy.data = (time, *shown, frame)
        # not as the title of the chart, which would be built anew with each change
        self._heading.content = readout.heading(f"energy [{self._energy_scale.text}], potential since the start")
        if len(value):
            shown, frame = scaled(value, self._scale)
            self._value.data = (moments, shown, frame)
        else:
            self._value.data = (np.zeros(1),) * 3  # what was plotted before is not this quantity

    def _write(self, time: np.ndarray, value: np.ndarray) -> None:
        """The value of the moment that is shown, which may lie in the past."""
        frame, scale = self._runner.frame, self._scale
        if frame is None:
            return
        shown = value_at(frame.time, time, value) if self._runner.looks_back else frame.value
        if shown is None or not math.isfinite(shown):
            shown = math.nan
        else:
            shown = 0.0 if abs(shown) < NOTHING.get(scale.unit, 0.0) else shown
            scale.fit(np.array([shown]))
        self._now.content = readout.value(number(shown / scale.size), "" if scale.text == "-" else scale.text)


def _chart(gui: viser.GuiApi, names: tuple[str, ...], height: int, legend: bool) -> viser.GuiUplotHandle:
    lines = (
        uplot.Series(label=name, width=0.0, points={"show": False})
        if name == FRAME
        else uplot.Series(label=name, stroke=colour, width=1.5)
        for name, colour in zip(names, (*_LINES, ""))
    )
    font = "11px system-ui, sans-serif"
    ticks = uplot.Axis_Ticks(show=False)
    below = uplot.Axis(size=22, font=font, ticks=ticks, label="time [s]", labelFont=font, labelSize=LABEL, labelGap=0)
    return gui.add_uplot(
        (np.zeros(1),) * (len(names) + 1),
        (uplot.Series(label="t"), *lines),
        height=height + LABEL,
        scales={"x": uplot.Scale(time=False, auto=True)},
        axes=(below, uplot.Axis(size=48, font=font, ticks=ticks, space=24)),
        legend=uplot.Legend(show=legend, live=False),
        padding=(8, 14, 0, 0),
    )
