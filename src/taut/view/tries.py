"""Attempts of a session that were brought to their end: what each cost, and what was driven in the last one and in the best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count

from taut.view.attempt import Attempt
from taut.view.frame import Frame

#: attempts that are listed, the last ones and the best
LISTED = 8


@dataclass(frozen=True)
class Try:
    """One attempt that was brought to its end."""

    number: int
    """From 1 on, in the order in which they were driven."""
    points: float
    time: float
    """It took [s]."""
    touches: int
    sway: float
    """Largest [m]."""
    frames: Sequence[Frame] = ()
    """Moments of it, to look at it once more; empty where they are not kept."""
    behind: Sequence[int] = ()
    """Gates that were behind the load at each of them."""

    def passed_at(self, moment: float) -> int | None:
        """Gates that were behind the load so long after the beginning of what was kept [s]."""
        if not self.frames or len(self.behind) != len(self.frames):
            return None
        then = self.frames[0].time + moment - 1e-6
        found = next((k for k, frame in enumerate(self.frames) if frame.time >= then), len(self.frames) - 1)
        return self.behind[found]


class Tries:
    """All of them. A reset and another attempt leave them as they are."""

    def __init__(self) -> None:
        self.all: tuple[Try, ...] = ()
        self._numbers = count(1)

    @property
    def last(self) -> Try | None:
        """The one that ended last."""
        return self.all[-1] if self.all else None

    @property
    def best(self) -> Try | None:
        """The one of the fewest points."""
        return min(self.all, key=lambda one: one.points, default=None)

    @property
    def listed(self) -> list[Try]:
        """Those that are told: the last few, and the best."""
        return [one for k, one in enumerate(self.all) if one is self.best or k >= len(self.all) - LISTED]

    def add(self, attempt: Attempt, frames: Sequence[Frame], behind: Sequence[int]) -> None:
        """One that has just been brought to its end. Moments of the others are given up, but for those of the best."""
        one = Try(
            next(self._numbers),
            attempt.points,
            attempt.time,
            attempt.touches,
            attempt.swayed,
            tuple(frames),
            tuple(behind),
        )
        best = min((*self.all, one), key=lambda known: known.points)
        self.all = (*(known if known is best else replace(known, frames=(), behind=()) for known in self.all), one)

    def forget_moments(self) -> None:
        """What was driven was driven in another scene: nothing of it can be shown any more, the list stays."""
        self.all = tuple(replace(one, frames=(), behind=()) for one in self.all)
