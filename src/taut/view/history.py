"""The last minute of what the plots show: every sample of the last seconds, of what lies before them some."""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Sequence

import numpy as np

from taut.view.frame import Account, Frame

#: simulated time between two samples, how many are kept as they are (ten seconds), and how long they are kept at all [s]
INTERVAL, FINE, SPAN = 1.0 / 30.0, 300, 60.0
#: of older samples one of so many is kept: a chart of a minute has not more points across
GROUP = 5

Row = tuple[float, ...]


class Track:
    """Samples of one curve, the time first. One thread adds, others read."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._old: deque[Row] = deque()
        self._new: deque[Row] = deque()

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._old.clear()
            self._new.clear()

    def add(self, row: Row) -> None:
        """A new moment."""
        with self._lock:
            self._new.append(row)
            if len(self._new) >= FINE + 2 * GROUP:
                group = [self._new.popleft() for _ in range(GROUP)]
                before = self._old[-1] if self._old else group[0]
                self._old.append(_telling(before, group, [self._new[k] for k in range(GROUP)]))
            while self._old and row[0] - self._old[0][0] > SPAN:
                self._old.popleft()

    def add_before(self, row: Row) -> None:
        """A moment before all others."""
        with self._lock:
            self._old.appendleft(row)

    def forget_after(self, time: float) -> None:
        """What lies after a moment has not happened [s]."""
        with self._lock:
            for rows in (self._new, self._old):
                while rows and rows[-1][0] > time:
                    rows.pop()

    def rows(self) -> list[Row]:
        """All samples, the oldest first."""
        with self._lock:
            return [*self._old, *self._new]


class History:
    """Samples of energies and of some quantities, of each no more than a number of them."""

    def __init__(self) -> None:
        self._energies = Track()
        self._values: dict[str, Track] = {}
        self._last: float | None = None

    def clear(self) -> None:
        """Forget everything."""
        self._energies.clear()
        for track in self._values.values():
            track.clear()
        self._last = None

    def choose(self, quantities: Sequence[str]) -> list[str]:
        """What is plotted from now on; what was plotted before, and the energies, keep what is known of them. Those that are new."""
        known = self._values
        self._values = {name: known.get(name) or Track() for name in quantities}
        return [name for name in self._values if name not in known]

    def forget_after(self, time: float) -> None:
        """What lies after a moment has not happened [s]."""
        for track in (self._energies, *self._values.values()):
            track.forget_after(time)
        self._last = None if self._last is None else min(self._last, time)

    def wants(self, time: float) -> bool:
        """Whether a moment lies far enough from the last sample."""
        return self._last is None or abs(time - self._last) >= INTERVAL * 0.999

    def add(self, frame: Frame) -> None:
        """Keep what the plots show of a moment."""
        account = frame.account or Account(math.nan, math.nan, math.nan, math.nan)
        self._energies.add((frame.time, account.kinetic, account.potential, account.elastic, account.lost))
        for name, track in self._values.items():
            if math.isfinite(value := frame.values.get(name, math.nan)):
                track.add((frame.time, value))
        self._last = frame.time

    def add_before(self, quantity: str, time: float, value: float) -> None:
        """Keep a quantity of a moment before all that are known of it; of one that is not, nothing."""
        track = self._values.get(quantity)
        if track is None or not math.isfinite(value):
            return
        rows = track.rows()
        if not (rows and rows[0][0] <= time):
            track.add_before((time, value))

    def columns(self) -> np.ndarray:
        """Time [s], kinetic, potential, elastic, lost [J]; shape (5, samples)."""
        return np.array(self._energies.rows(), float).reshape(-1, 5).T

    def values(self, quantity: str) -> np.ndarray:
        """Time [s] and a quantity where it is known; shape (2, samples)."""
        track = self._values.get(quantity)
        return np.array([] if track is None else track.rows(), float).reshape(-1, 2).T


def _telling(before: Row, group: Sequence[Row], after: Sequence[Row]) -> Row:
    """The sample of a group by which a line through one before and the middle of those after changes most, crests and troughs first:
    they stay, jerks stay, and what is smooth stays so. (The largest triangle of three buckets, Steinarsson 2013.)"""
    known = np.nan_to_num(np.array([before, *group, *after]))  # energies of a moment may be unknown
    first, rows, last = known[0], known[1 : 1 + len(group)], known[1 + len(group) :].mean(axis=0)
    size = np.ptp(known, axis=0)
    across = (rows[:, :1] - first[0]) * (last - first)[1:] - (rows - first)[:, 1:] * (last[0] - first[0])
    share = np.abs(across) / np.where(size[1:] > 0.0, size[1:], 1.0)
    slopes = np.diff(known[: 2 + len(group), 1:], axis=0)
    turns = (slopes[:-1] * slopes[1:] < 0.0).any(axis=1)
    return group[int(np.where(turns | ~turns.any(), share.sum(axis=1), -1.0).argmax())]
