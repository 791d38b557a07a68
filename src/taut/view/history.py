"""The last minute of what the plots show: every sample of the last seconds, of what lies before them some."""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Callable, Sequence

import numpy as np

from taut.view.frame import Account, Frame

#: simulated time between two samples, how many are kept as they are (ten seconds), and how long they are kept at all [s]
INTERVAL, FINE, SPAN = 1.0 / 30.0, 300, 60.0
#: older samples are kept by two of so many: a chart of a minute has not more points across
GROUP = 10

Row = tuple[float, ...]


class Track:
    """Samples of one curve, the time first. One thread adds, others read."""

    def __init__(self, thin: Callable[[Sequence[Row]], Sequence[Row]]) -> None:
        self._lock, self._thin = threading.Lock(), thin
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
            if len(self._new) >= FINE + GROUP:
                self._old.extend(self._thin([self._new.popleft() for _ in range(GROUP)]))
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
    """Samples of energies and of one quantity, no more than a number of them."""

    def __init__(self) -> None:
        self._energies = Track(lambda rows: rows[:: GROUP // 2])
        self._values = Track(_extremes)
        self._last: float | None = None

    def clear(self) -> None:
        """Forget everything."""
        self._energies.clear()
        self._values.clear()
        self._last = None

    def forget_value(self) -> None:
        """Another quantity is plotted from now on; the energies stay."""
        self._values.clear()

    def forget_after(self, time: float) -> None:
        """What lies after a moment has not happened [s]."""
        self._energies.forget_after(time)
        self._values.forget_after(time)
        self._last = None if self._last is None else min(self._last, time)

    def wants(self, time: float) -> bool:
        """Whether a moment lies far enough from the last sample."""
        return self._last is None or abs(time - self._last) >= INTERVAL * 0.999

    def add(self, frame: Frame) -> None:
        """Keep what the plots show of a moment."""
        account = frame.account or Account(math.nan, math.nan, math.nan, math.nan)
        self._energies.add((frame.time, account.kinetic, account.potential, account.elastic, account.lost))
        self.add_value(frame.time, frame.value)
        self._last = frame.time

    def add_value(self, time: float, value: float | None) -> None:
        """Keep the quantity of a moment, if it is known."""
        if value is not None and math.isfinite(value):
            self._values.add((time, value))

    def add_value_before(self, time: float, value: float) -> None:
        """Keep the quantity of a moment before all that are known of it; of one that is not, nothing."""
        rows = self._values.rows()
        if math.isfinite(value) and not (rows and rows[0][0] <= time):
            self._values.add_before((time, value))

    def columns(self) -> np.ndarray:
        """Time [s], kinetic, potential, elastic, lost [J]; shape (5, samples)."""
        return np.array(self._energies.rows(), float).reshape(-1, 5).T

    def values(self) -> np.ndarray:
        """Time [s] and the quantity where it is known; shape (2, samples)."""
        return np.array(self._values.rows(), float).reshape(-1, 2).T


def _extremes(rows: Sequence[Row]) -> Sequence[Row]:
    """The smallest and the largest of some samples, as they follow each other: a jerk is not to vanish."""
    return sorted({min(rows, key=lambda row: row[1]), max(rows, key=lambda row: row[1])})
