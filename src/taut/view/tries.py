"""Attempts of a session: what each cost, how far those came that were broken off, and what was driven in the last one and in the best."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import count

from taut.view.attempt import Attempt
from taut.view.frame import Frame

#: attempts that are listed, the last ones and the best
LISTED = 8
#: columns of the table that is saved
TABLE = ("number", "ended", "driver", "points", "time_s", "touches", "sway_m", "gates_ahead", "conditions")


@dataclass(frozen=True)
class Try:
    """One attempt, brought to its end or broken off."""

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
    missing: int = 0
    """Gates that were still ahead when it was broken off; 0: it was brought to its end."""
    driver: str = ""
    """Who drove, as far as that was told."""
    conditions: str = ""
    """What was not as it is in the scene: wind, load, brakes."""
    ended: str = ""
    """Date and time of day."""

    @property
    def done(self) -> bool:
        """Whether it was brought to its end; only then its points count."""
        return self.missing == 0

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
        """The latest one."""
        return self.all[-1] if self.all else None

    @property
    def best(self) -> Try | None:
        """The one of the fewest points among those that were brought to their end."""
        return _best(self.all)

    @property
    def listed(self) -> list[Try]:
        """Those that are told: the last few, and the best."""
        return [one for k, one in enumerate(self.all) if one is self.best or k >= len(self.all) - LISTED]

    def add(
        self, attempt: Attempt, frames: Sequence[Frame], behind: Sequence[int], driver: str = "", conditions: str = ""
    ) -> None:
        """One that is over, or has just been broken off. Moments of the others are given up, but for those of the best."""
        one = Try(
            next(self._numbers),
            attempt.points,
            attempt.time,
            attempt.touches,
            attempt.swayed,
            tuple(frames),
            tuple(behind),
            len(attempt.course.gates) - attempt.passed,
            driver.strip(),
            conditions,
            datetime.now().isoformat(sep=" ", timespec="seconds"),
        )
        best = _best((*self.all, one))
        self.all = (*(known if known is best else replace(known, frames=(), behind=()) for known in self.all), one)

    def table(self) -> str:
        """All of them as comma separated values, a line each; points of those that were brought to their end."""
        text = io.StringIO()
        out = csv.writer(text, lineterminator="\n")
        out.writerow(TABLE)
        for one in self.all:
            points = f"{one.points:.1f}" if one.done else ""
            told = (one.time, one.touches, one.sway, one.missing)
            out.writerow(
                [
                    one.number,
                    one.ended,
                    one.driver,
                    points,
                    *(f"{value:.2f}" if isinstance(value, float) else value for value in told),
                    one.conditions,
                ]
            )
        return text.getvalue()

    def forget_moments(self) -> None:
        """What was driven was driven in another scene: nothing of it can be shown any more, the list stays."""
        self.all = tuple(replace(one, frames=(), behind=()) for one in self.all)


def _best(tries: Sequence[Try]) -> Try | None:
    return min((one for one in tries if one.done), key=lambda one: one.points, default=None)
