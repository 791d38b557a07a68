"""How values are written and how far charts reach: units that fit, numbers that do not jump about, steady things as straight lines."""

from __future__ import annotations

import math

import numpy as np

from taut.view.sliders import DEGREES

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
_PREFIXES = {1e9: "G", 1e6: "M", 1e3: "k", 1.0: "", 1e-3: "m", 1e-6: "µ"}
_SCALABLE = ("J", "N", "N m", "W")


class Scale:
    """A prefix that brings values into a readable size, 42156 N as 42.2 kN, and does not flicker at its edge. Angles are in degrees."""

    def __init__(self, unit: str) -> None:
        self.unit = unit
        self.size = math.radians(1.0) if unit in DEGREES else 1.0

    def fit(self, values: np.ndarray) -> None:
        """Follow the largest value; a prefix stays while it fits at all."""
        finite = np.abs(values[np.isfinite(values)])
        top = float(finite.max(initial=0.0))
        if self.unit not in _SCALABLE:
            return
        if top == 0.0:
            self.size = 1.0  # nothing needs no prefix
        if top == 0.0 or 0.3 <= top / self.size < 3000.0:
            return
        self.size = next((size for size in _PREFIXES if top >= size), 1e-6)

    @property
    def text(self) -> str:
        """The unit with its prefix, e.g. kN."""
        if self.unit in DEGREES:
            return DEGREES[self.unit]
        return "" if self.unit == "-" else _PREFIXES[self.size] + self.unit


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


def together(tracks: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Moments of all tracks of (time, value) from which on all of them are known, shape (n,), and all values then, shape (tracks, n): a
    chart draws nothing at all of a line with gaps."""
    begin = max(track[0, 0] for track in tracks)
    moments = np.unique(np.concatenate([track[0, track[0] >= begin] for track in tracks]))
    return moments, np.array([np.interp(moments, *track) for track in tracks])
