"""The last minute of a run: what was shown, and the state to go on from."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from typing import Any

from taut.view.frame import Frame

#: how far back one can go, how close moments lie at best, as the slider has them [s], and the memory of it all [bytes]
SPAN, INTERVAL, MOST_BYTES = 60.0, 0.1, 60e6


class Past:
    """Moments of the last minute, the newest last. One thread uses it."""

    def __init__(self) -> None:
        self._kept: deque[tuple[float, Frame, Any]] = deque()
        self._interval = INTERVAL

    @property
    def reach(self) -> float:
        """How far back it goes [s]."""
        return self._kept[-1][0] - self._kept[0][0] if self._kept else 0.0

    def clear(self) -> None:
        """Forget everything."""
        self._kept.clear()

    def wants(self, time: float) -> bool:
        """Whether a moment lies far enough from the last one."""
        return not self._kept or time - self._kept[-1][0] >= 0.999 * self._interval

    def add(self, frame: Frame, state: Any) -> None:
        """Keep a moment; what is older than a minute is let go. Large states are kept less often."""
        self._interval = max(INTERVAL, SPAN * _bytes(frame, state) / MOST_BYTES)
        self._kept.append((frame.time, frame, state))
        while frame.time - self._kept[0][0] > SPAN:
            self._kept.popleft()

    def at(self, back: float) -> tuple[Frame, Any] | None:
        """What was shown so long before the newest moment, and the state then [s]; None if nothing was kept."""
        if not self._kept:
            return None
        times = [time for time, _, _ in self._kept]
        _, frame, state = self._kept[min(bisect_left(times, times[-1] - back - 1e-9), len(times) - 1)]
        return frame, state

    def forget_after(self, time: float) -> None:
        """What lies after a moment has not happened [s]."""
        while self._kept and self._kept[-1][0] > time:
            self._kept.pop()


def _bytes(frame: Frame, state: Any) -> float:
    arrays = [frame.positions, frame.orientations, *(part for part in _parts(state) if hasattr(part, "nbytes"))]
    return float(sum(array.nbytes for array in arrays))


def _parts(state: Any) -> tuple[Any, ...]:
    return state if isinstance(state, tuple) else ()
