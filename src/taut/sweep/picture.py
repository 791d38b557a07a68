"""Pictures of a sweep: every result over everything that was varied."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from taut.record.picture import check_picture
from taut.record.whole import save_figure
from taut.record.wording import scaled_unit
from taut.sweep.errors import SweepError
from taut.sweep.results import Results

#: points of one panel beyond which they are drawn small
_MANY = 500


def draw(results: Results, path: Path) -> None:
    """One panel for each result and name; cases that failed are marked at the foot. Raises RecordError and SweepError."""
    check_picture(path)
    # imported here: matplotlib is heavy; no window is ever opened
    from matplotlib.figure import Figure

    rows, columns = len(results.measures), len(results.names)
    figure = Figure(figsize=(1.2 + 3.6 * columns, 1.0 + 2.8 * rows), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, sharex="col", sharey="row")
    for i, measure in enumerate(results.measures):
        values = results.measure(measure)
        known = results.done & np.isfinite(values)
        size = float(np.abs(values[known]).max(initial=0.0))
        factor, shown = scaled_unit(size, results.units[measure])
        for j, name in enumerate(results.names):
            _panel(axes[i, j], results, name, values / factor, known)
        axes[i, 0].set_ylabel(f"{measure} [{shown or results.units[measure]}]")
    for j, name in enumerate(results.names):
        axes[-1, j].set_xlabel(name if results.numbers(name) is None else f"{name} [SI]")
    done, failed = int(results.done.sum()), int(results.failed.sum())
    figure.suptitle(f"{results.title}: {done} of {len(results)} cases" + (f", {failed} failed (red)" if failed else ""))
    save_figure(figure, path, SweepError)


def _panel(axis: Any, results: Results, name: str, values: np.ndarray, known: np.ndarray) -> None:
    places = results.numbers(name)
    if places is None:
        words = list(dict.fromkeys(results.vary(name)))
        places = np.array([words.index(text) for text in results.vary(name)], float)
        axis.set_xticks(range(len(words)), words)
    axis.plot(places[known], values[known], "o", markersize=2 if len(results) > _MANY else 4, alpha=0.6)
    if results.failed.any():
        foot = axis.get_xaxis_transform()
        axis.plot(places[results.failed], np.full(int(results.failed.sum()), 0.02), "r|", transform=foot)
    axis.grid(True, alpha=0.3)
