"""Live plots: quantities that are chosen from a list, those of one unit in one chart, and the energies."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import viser
from viser import uplot

from taut.measure.names import name_in
from taut.view import readout
from taut.view.axes import NOTHING, Scale, number, scaled, together, value_at
from taut.view.runner import Runner

HEIGHT, LABEL = 112, 18
#: a series that is not seen: it keeps the axis of a chart from looking closer than it should
FRAME = "frame"
#: more lines nobody tells apart
MOST_LINES = 4
_LINES = ("#0f7aa8", "#e0342b", "#2b8a3e", "#343a40")
_LINES_OF_A_CHART = ("first", "second", "third", "fourth")
_ENERGIES = ("kinetic", "potential", "elastic", "lost")
_NOTHING_YET = np.zeros(0)


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


class Plots:
    """Charts at the foot of the panel, fed from the history of a runner. What is chosen comes from the server's threads, `show` from
    the one that pushes frames."""

    def __init__(self, server: viser.ViserServer, runner: Runner, wanted: tuple[str, ...] = ()) -> None:
        """`wanted` are plotted first, where there are such quantities."""
        self._runner = runner
        self._quantities = dict(runner.player.quantities)
        gui = self._gui = server.gui
        measures = self._measures = tuple(map(name_in, runner.player.scene.measures))
        self._scales = {unit: Scale(unit) for unit in dict.fromkeys(self._quantities.values())}
        known = tuple(name for name in wanted if self._know(name))
        self._lines = known or (first_choice(self._quantities, measures),)
        self._energy_scale = Scale("J")
        self._folder = gui.add_folder("Plots")
        with self._folder:
            self._choice = gui.add_dropdown("quantity", list(self._quantities), initial_value=self._lines[-1])
            self._now = gui.add_html("")
            # one for each unit that there may be at once, made once: each has all lines, of which most are empty
            self._charts = [
                _chart(gui, _LINES_OF_A_CHART, HEIGHT, legend=False, visible=k == 0) for k in range(MOST_LINES)
            ]
            self._more = gui.add_button(
                "Add another",
                icon=viser.Icon.PLUS,
                color="gray",
                visible=len(self._lines) < MOST_LINES,
                hint="this one stays; what is chosen or clicked next is drawn beside it",
            )
            self._fewer = gui.add_button(
                "Only this one",
                icon=viser.Icon.MINUS,
                color="gray",
                visible=len(self._lines) > 1,
                hint="takes the others out of the plot",
            )
            self._heading = gui.add_html("")
            self._energy = _chart(gui, _ENERGIES, HEIGHT + 20, legend=True)
        runner.choose(*self._lines)
        self._choice.on_update(self._chosen)
        self._more.on_click(lambda _: self._add())
        self._fewer.on_click(lambda _: self._plot(self._lines[-1:]))

    def choose(self, name: str) -> None:
        """Plot something else in place of what was chosen last, as if a person had chosen it from the list, which it joins."""
        chooser: Any = self._choice
        if self._know(name) and chooser.value != name:
            if name not in chooser.options:
                chooser.options = tuple(self._quantities)
            chooser.value = name
            self._choose(name)

    def _know(self, name: str) -> bool:
        """Whether there is such a quantity; one of so many components that not all of them are listed is listed from now on."""
        if name not in self._quantities and (unit := self._runner.player.unit_of(name)) is not None:
            self._quantities[name] = unit
            self._scales.setdefault(unit, Scale(unit))
        return name in self._quantities

    @property
    def chosen(self) -> tuple[str, ...]:
        """What is plotted, the latest choice last."""
        return self._lines

    def _add(self) -> None:
        """Another one beside those that are drawn: of its kind, if there is one, else what the scene measures, or of the same thing."""
        last = self._lines[-1]
        element, _, stem = last.partition("[")[0].rpartition(".")
        others = [name for name in self._quantities if name not in self._lines]
        same = [name for name in others if name.partition("[")[0].endswith(f".{stem}")]
        measured = [name for name in others if name.partition("[")[0] in self._measures]
        own = [name for name in others if name.startswith(f"{element}.")]
        if found := next(iter(same or measured or own or others), ""):
            self._plot((*self._lines, found))

    def _choose(self, name: str) -> None:
        self._plot((*(line for line in self._lines[:-1] if line != name), name))

    def _plot(self, lines: tuple[str, ...]) -> None:
        self._lines = lines[-MOST_LINES:]
        chooser: Any = self._choice
        chooser.value = self._lines[-1]
        self._more.visible, self._fewer.visible = len(self._lines) < MOST_LINES, len(self._lines) > 1
        self._runner.choose(*self._lines)

    def _chosen(self, event: Any) -> None:
        if event.client_id is not None:
            self._choose(event.target.value)

    def show(self) -> None:
        """Draw the last minute."""
        lines = self._lines
        tracks = {name: self._runner.history.values(name) for name in lines}
        self._write(tracks)
        time, *energies = self._runner.history.columns()
        if len(time) < 2:
            return
        shown, frame = scaled(np.array(energies), self._energy_scale)
        self._energy.data = (time, *shown, frame)
        # not as the title of the chart, which would be built anew with each change
        self._heading.content = readout.heading(f"energy [{self._energy_scale.text}], potential since the start")
        self._draw(lines, tracks)

    def _draw(self, lines: tuple[str, ...], tracks: dict[str, np.ndarray]) -> None:
        """Lines of one unit in one chart, each in its colour."""
        units = list(dict.fromkeys(self._quantities[name] for name in lines))
        for k, chart in enumerate(self._charts):
            mine = [name for name in lines if units[k:] and self._quantities[name] == units[k]]
            chart.visible = k == 0 or bool(mine)
            if not any(tracks[name].size for name in mine):
                chart.data = (np.zeros(1),) * (MOST_LINES + 2)  # what was plotted before is not this quantity
                continue
            mine = [name for name in mine if tracks[name].size]
            moments, values = together([tracks[name] for name in mine])
            shown, frame = scaled(values, self._scales[units[k]])
            drawn = [shown[mine.index(name)] if name in mine else _NOTHING_YET for name in lines]
            chart.data = (moments, *drawn, *(_NOTHING_YET,) * (MOST_LINES - len(drawn)), frame)

    def _write(self, tracks: dict[str, np.ndarray]) -> None:
        """The values of the moment that is shown, which may lie in the past."""
        frame = self._runner.frame
        if frame is None:
            return
        told = []
        for name, track in tracks.items():
            scale = self._scales[self._quantities[name]]
            if self._runner.looks_back:
                shown = value_at(frame.time, *track) if track.size else math.nan
            else:
                shown = frame.values.get(name, math.nan)
            if math.isfinite(shown):
                shown = 0.0 if abs(shown) < NOTHING.get(scale.unit, 0.0) else shown
                if len(self._lines) == 1:
                    scale.fit(np.array([shown]))
            told.append((name, number(shown / scale.size), scale.text))
        colours = _LINES if len(told) > 1 else ("",)
        self._now.content = readout.values(told, colours)


def _chart(
    gui: viser.GuiApi, names: tuple[str, ...], height: int, legend: bool, visible: bool = True
) -> viser.GuiUplotHandle:
    """A chart so high [px] in a panel of its usual width."""
    lines = [uplot.Series(label=name, stroke=colour, width=1.5) for name, colour in zip(names, _LINES)]
    lines.append(uplot.Series(label=FRAME, width=0.0, points={"show": False}))
    font = "11px system-ui, sans-serif"
    ticks = uplot.Axis_Ticks(show=False)
    # marks are 1, 2, 2.5 or 5 times a power of ten: up to twice as far apart as asked for, and of those three must fit
    beside = uplot.Axis(size=48, font=font, ticks=ticks, space=13)
    below = uplot.Axis(size=22, font=font, ticks=ticks, label="time [s]", labelFont=font, labelSize=LABEL, labelGap=0)
    return gui.add_uplot(
        (np.zeros(1),) * (len(lines) + 1),
        (uplot.Series(label="t"), *lines),
        # not a height: the chart that viser's button for it enlarges would be no higher
        aspect=338.0 / (height + LABEL),
        scales={"x": uplot.Scale(time=False, auto=True)},
        axes=(below, beside),
        legend=uplot.Legend(show=legend, live=False),
        padding=(8, 14, 0, 0),
        visible=visible,
    )
