"""Live plots: the energies, and one quantity that is chosen from a list."""

from __future__ import annotations

import math

import numpy as np
import viser
from viser import uplot

from taut.view.runner import Runner

HEIGHT = 150
_LINES = ("#2b7a9b", "#d64545", "#8b6fb0", "#8795a5")
_ENERGIES = ("kinetic", "potential", "elastic", "lost")
_PREFIXES = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"))


def scaled(values: np.ndarray, unit: str) -> tuple[float, str]:
    """A factor and a unit that bring values into a readable size: 42156 N are 42.2 kN."""
    finite = np.abs(values[np.isfinite(values)])
    top = float(finite.max(initial=0.0))
    if unit not in ("J", "N", "N m", "W"):
        return 1.0, unit
    for size, prefix in _PREFIXES:
        if top >= size:
            return 1.0 / size, prefix + unit
    return 1.0, unit


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
    """Two charts in a panel of their own, fed from the history of a runner."""

    def __init__(self, server: viser.ViserServer, runner: Runner) -> None:
        self._runner = runner
        self._quantities = runner.player.quantities
        gui = server.gui
        self._energy_unit = "J"
        panel = gui.add_panel()
        with panel.add_tab("Plots", viser.Icon.CHART_LINE):
            self._energy = gui.add_uplot(
                (np.zeros(1),) * 5, _series(_ENERGIES), title="energy [J]", height=HEIGHT + 30, scales=_SCALES, axes=_AXES
            )
            choice = first_choice(self._quantities, runner.player.scene.measures)
            self._choice = gui.add_dropdown("quantity", list(self._quantities) or [""], initial_value=choice)
            self._value = gui.add_uplot(
                (np.zeros(1),) * 2, _series(("value",)), title=" ", height=HEIGHT, scales=_SCALES, axes=_AXES,
                legend=uplot.Legend(show=False),
            )  # fmt: skip
        panel.dock_below(gui.main_panel)
        runner.choose(choice)
        self._choice.on_update(lambda event: runner.choose(event.target.value))

    def show(self) -> None:
        """Draw the last seconds."""
        time, *energies, value = self._runner.history.columns()
        if len(time) < 2:
            return
        factor, unit = scaled(np.array(energies), "J")
        # the others share a chart: a column that is not known draws nothing
        self._energy.data = (time, *(factor * np.nan_to_num(energy) for energy in energies))
        self._energy.title = f"energy [{unit}]"
        name = self._choice.value
        factor, unit = scaled(value, self._quantities.get(name, "-"))
        known = np.isfinite(value)
        if known.any():
            self._value.data = (time[known], factor * value[known])
            now = factor * value[known][-1]
            self._value.title = f"{name}: {number(now)}{'' if unit == '-' else ' ' + unit}"


def number(value: float) -> str:
    """Four digits that do not jump about."""
    if value == 0.0 or not math.isfinite(value):
        return "0" if value == 0.0 else "–"
    digits = max(0, 3 - math.floor(math.log10(abs(value)))) if 1e-3 <= abs(value) < 1e5 else -1
    return f"{value:.{min(digits, 4)}f}" if digits >= 0 else f"{value:.2e}"


def _series(names: tuple[str, ...]) -> tuple[uplot.Series, ...]:
    lines = tuple(uplot.Series(label=name, stroke=colour, width=1.5) for name, colour in zip(names, _LINES))
    return (uplot.Series(label="t"), *lines)


_SCALES = {"x": uplot.Scale(time=False, auto=True)}
_AXES = (uplot.Axis(size=26), uplot.Axis(size=46))
