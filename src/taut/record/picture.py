"""Curves of a recording over time, as a picture file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from taut.record.errors import RecordError
from taut.record.recording import Recording
from taut.record.whole import save_figure
from taut.record.wording import scaled_unit

DEFAULT = tuple(
    f"energy.{kind}" for kind in ("kinetic", "potential", "elastic", "mechanical", "dissipated", "remainder")
)
FORMATS = (".png", ".svg", ".pdf")
#: components drawn one by one; of more, their range and mean are drawn
MOST_CURVES = 6
#: points of a curve beyond which it is thinned, extremes kept
MOST_POINTS = 20_000
_FORCES = ("N", "N m")


def check_picture(path: Path) -> None:
    """Refuse a name that no picture can be written to. Raises RecordError."""
    if path.suffix.lower() not in FORMATS:
        raise RecordError(f"{path}: pictures can be written as {', '.join(FORMATS)}")
    if not path.parent.is_dir():
        raise RecordError(f"{path}: there is no folder {path.parent}")


def draw(recording: Recording, names: Sequence[str], path: Path) -> None:
    """Draw names over time, one panel for each unit. Raises UnknownName and RecordError."""
    check_picture(path)
    panels: dict[str, list[str]] = {}
    for name in names:
        panels.setdefault(recording.unit(name), []).append(name)
    # imported here: matplotlib is heavy; no window is ever opened
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.0, 1.2 + 2.8 * len(panels)), layout="constrained")
    axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
    times = recording.times
    for axis, (unit, members) in zip(axes, panels.items()):
        values = {name: recording[name] for name in members}
        factor, shown = scaled_unit(max(float(np.nanmax(np.abs(v), initial=0.0)) for v in values.values()), unit)
        # no force is known before the first step
        first = 1 if unit in _FORCES and len(times) > 1 and recording["step"][0] == 0 else 0
        for name in members:
            _curves(axis, times[first:], values[name][first:] / factor, name)
        axis.set_ylabel(_label(shown or unit, members))
        axis.grid(True, alpha=0.3)
        axis.legend(loc="best", fontsize="small")
    axes[-1].set_xlabel("time [s]")
    title = recording.title
    if title:
        figure.suptitle(title)
    save_figure(figure, path, RecordError)


def _label(unit: str, members: Sequence[str]) -> str:
    kinds = dict.fromkeys(name.rpartition(".")[2].partition("[")[0] for name in members)
    families = dict.fromkeys(name.partition(".")[0] for name in members)
    word = next(iter(kinds)) if len(kinds) == 1 else next(iter(families)) if len(families) == 1 else ""
    return f"{word} [{unit}]".strip()


def _curves(axis: Any, times: np.ndarray, values: np.ndarray, name: str) -> None:
    if values.ndim == 1:
        axis.plot(*_thinned(times, values), label=name, linewidth=1.2)
    elif values.shape[1] <= MOST_CURVES:
        for k in range(values.shape[1]):
            axis.plot(*_thinned(times, values[:, k]), label=f"{name}[{k}]", linewidth=1.2)
    else:
        (line,) = axis.plot(*_thinned(times, values.mean(axis=1)), label=f"{name}: mean and range", linewidth=1.2)
        stride = max(1, len(times) // MOST_POINTS)
        low, high = values.min(axis=1)[::stride], values.max(axis=1)[::stride]
        axis.fill_between(times[::stride], low, high, alpha=0.2, color=line.get_color())


def _thinned(times: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Least and largest value of each stretch, so that no peak is lost."""
    stretch = 2 * len(times) // MOST_POINTS
    if stretch < 3:
        return times, values
    count = len(times) // stretch
    blocks = values[: count * stretch].reshape(count, stretch)
    first = stretch * np.arange(count)
    both = np.sort(np.stack([first + blocks.argmin(axis=1), first + blocks.argmax(axis=1)], axis=1), axis=1).ravel()
    places = np.concatenate([both, np.arange(count * stretch, len(times))])
    return times[places], values[places]
