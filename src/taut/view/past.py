"""The last minute of a run: what was shown, and the state to go on from."""

from __future__ import annotations

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
    def oldest(self) -> float | None:
        """Time of the oldest moment [s]; None if nothing was kept."""
        return self._kept[0][0] if self._kept else None

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

    def at(self, time: float) -> tuple[Frame, Any] | None:
        """The moment that lies nearest to a time, and the state then [s]; None if nothing was kept."""
        if not self._kept:
            return None
        _, frame, state = min(self._kept, key=lambda kept: abs(kept[0] - time))
        return frame, state

    def before(self, time: float) -> list[tuple[Frame, Any]]:
        """Moments before a time, and the states then, the newest first [s]."""
        return [(frame, state) for then, frame, state in reversed(self._kept) if then < time]

    def forget_after(self, time: float) -> None:
        """What lies after a moment has not happened [s]."""
        while self._kept and self._kept[-1][0] > time:
            self._kept.pop()


def _bytes(frame: Frame, state: Any) -> float:
    arrays = [frame.positions, frame.orientations, *(part for part in _parts(state) if hasattr(part, "nbytes"))]
    return float(sum(array.nbytes for array in arrays))


def _parts(state: Any) -> tuple[Any, ...]:
    return state if isinstance(state, tuple) else ()
