"""The last seconds of what the plots show."""

from __future__ import annotations

import math
import threading
from collections import deque

import numpy as np

from taut.view.frame import Account, Frame

#: simulated time between two samples, and how many are kept: the last twenty seconds [s]
INTERVAL = 1.0 / 30.0
SAMPLES = 600


class History:
    """Samples of energies and of one quantity, a fixed number of them. One thread adds, others read."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rows: deque[tuple[float, ...]] = deque(maxlen=SAMPLES)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._rows.clear()

    def forget_value(self, now: float | None = None) -> None:
        """Another quantity is plotted from now on, whose value is known of the last moment at most; the energies stay."""
        with self._lock:
            self._rows = deque(((*row[:-1], math.nan) for row in self._rows), SAMPLES)
            if self._rows and now is not None:
                self._rows[-1] = (*self._rows[-1][:-1], now)

    def forget_after(self, time: float) -> None:
        """What lies after a moment has not happened [s]."""
        with self._lock:
            while self._rows and self._rows[-1][0] > time:
                self._rows.pop()

    def wants(self, time: float) -> bool:
        """Whether a moment lies far enough from the last sample."""
        return not self._rows or abs(time - self._rows[-1][0]) >= INTERVAL * 0.999

    def add(self, frame: Frame) -> None:
        """Keep what the plots show of a moment."""
        account = frame.account or Account(math.nan, math.nan, math.nan, math.nan)
        value = math.nan if frame.value is None else frame.value
        row = (frame.time, account.kinetic, account.potential, account.elastic, account.lost, value)
        with self._lock:
            self._rows.append(row)

    def columns(self) -> np.ndarray:
        """Time [s], kinetic, potential, elastic, lost [J], value; shape (6, samples)."""
        with self._lock:
            rows = list(self._rows)
        return np.array(rows, float).reshape(-1, 6).T
