"""Pacing: how many steps are due, so that simulated time follows the clock on the wall.

Pure arithmetic on times that are handed in; the runner owns the clock.
"""

from __future__ import annotations

from collections import deque

#: longest time of the wall that is caught up after a delay; what lies further back is let go [s]
CATCH_UP = 0.1
#: longest time one call into the simulation may take, so that a button answers at once [s]
LONGEST_CALL = 0.02
SLOWEST, FASTEST = 0.05, 20.0


class Pace:
    """Steps due for a step of `dt` seconds at a speed; never more than CATCH_UP seconds behind."""

    def __init__(self, dt: float, speed: float = 1.0) -> None:
        self.dt = dt
        self._speed = speed
        self._last: float | None = None
        self._owed = 0.0
        self._cost = 0.0

    @property
    def speed(self) -> float:
        """Simulated seconds per second."""
        return self._speed

    @speed.setter
    def speed(self, value: float) -> None:
        self._speed = min(max(value, SLOWEST), FASTEST)

    @property
    def cost(self) -> float:
        """Time of the wall that a step takes, a mean over the last ones [s]; 0 before the first."""
        return self._cost

    def start(self, now: float) -> None:
        """Begin at `now`, owing nothing: after a pause, a reset, a change of place."""
        self._last, self._owed = now, 0.0

    def due(self, now: float) -> int:
        """Steps to make now. Counts the time since the last call; makes no debt that cannot be paid."""
        if self._last is None:
            self.start(now)
        assert self._last is not None
        self._owed += max(0.0, now - self._last) * self._speed
        self._last = now
        # a delay is caught up a little, not for ever; a step longer than that must still come due
        self._owed = min(self._owed, max(CATCH_UP * self._speed, 1.5 * self.dt))
        steps = min(int(self._owed / self.dt + 1e-9), self._affordable())
        self._owed -= steps * self.dt
        return steps

    def wait(self, now: float) -> float:
        """Time until the next step is due [s]."""
        passed = 0.0 if self._last is None else max(0.0, now - self._last)
        return max(0.0, (self.dt - self._owed) / self._speed - passed)

    def spent(self, steps: int, seconds: float) -> None:
        """Learn what `steps` steps have cost."""
        each = seconds / steps
        self._cost = each if self._cost == 0.0 else 0.9 * self._cost + 0.1 * each

    def _affordable(self) -> int:
        return max(1, int(LONGEST_CALL / self._cost)) if self._cost > 0.0 else 1


class Meter:
    """Real-time factor: simulated time over time of the wall, over the last second or so."""

    def __init__(self, window: float = 1.5) -> None:
        self._window = window
        self._marks: deque[tuple[float, float]] = deque()

    def clear(self) -> None:
        """Forget: after a pause, a reset, a change of place."""
        self._marks.clear()

    def mark(self, now: float, time: float) -> None:
        """At time `now` of the wall, the simulation stood at `time`."""
        self._marks.append((now, time))
        while now - self._marks[0][0] > self._window:
            self._marks.popleft()

    @property
    def factor(self) -> float | None:
        """Simulated seconds per second; None while too little is known."""
        if len(self._marks) < 2 or self._marks[-1][0] - self._marks[0][0] < 0.2:
            return None
        (start, from_time), (now, time) = self._marks[0], self._marks[-1]
        return (time - from_time) / (now - start)
