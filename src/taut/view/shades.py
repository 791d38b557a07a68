"""What the colours of ropes stand for: one scale of tension and one of bend for everything in the page."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from taut.view.colours import heat
from taut.view.frame import Rope

#: simulated time in which half of what was larger before is forgotten [s]
HALVED = 5.0


class Largest:
    """The largest value of the last while. A single jerk does not make everything pale for good: it is forgotten by and by."""

    def __init__(self) -> None:
        self.value = 0.0
        """That value, in the unit of what is noted."""
        self._time = 0.0

    def note(self, value: float, time: float) -> None:
        """A value at a time [s]; where time goes back, as in a replay, nothing is forgotten."""
        self.value = max(value, self.value * 0.5 ** (max(0.0, time - self._time) / HALVED))
        self._time = time


class Scales:
    """Where red begins. All parts of the picture share them, so that one legend is true of all."""

    def __init__(self) -> None:
        self.whole = False
        """Whether tensions are shares of what breaks the rope: red is then all of it."""
        self.clear()

    def clear(self) -> None:
        """Nothing that was before counts any more."""
        self._pull, self._bend, self._time = Largest(), Largest(), 0.0

    @property
    def highest(self) -> float:
        """The tension that is shown as hot [N]."""
        return self._pull.value

    @property
    def sharpest(self) -> float:
        """The curvature that is shown as hot [1/m]."""
        return self._bend.value

    def note(self, ropes: Iterable[Rope], time: float) -> None:
        """The tensions of a moment [s], before anything is coloured by them."""
        self._time = time
        self._pull.note(max((pull for rope in ropes if not np.isnan(pull := largest_pull(rope))), default=0.0), time)

    def by_tension(self, pull: np.ndarray, plain: np.ndarray) -> np.ndarray:
        """Colours of tensions [N] or of their shares, shape (n, 3); the plain ones where it is not a number, which means that it is not known."""
        shown = heat(np.nan_to_num(pull) / (1.0 if self.whole else max(self.highest, 1e-9)))
        return np.where(np.isnan(pull)[:, None], plain, shown).astype(np.uint8)

    def by_bend(self, curvature: np.ndarray) -> np.ndarray:
        """Colours of curvatures [1/m], shape (n, 3)."""
        self._bend.note(float(curvature.max(initial=0.0)), self._time)
        return heat(curvature / max(self.sharpest, 1e-9))


def largest_pull(rope: Rope | None) -> float:
    """Largest tension of a rope [N]; not a number where it is not known."""
    pulls = () if rope is None else (rope.tension, rope.course_tension)
    return max((float(np.max(pull)) for pull in pulls if pull is not None and len(pull)), default=np.nan)


def pull_along(rope: Rope | None, count: int) -> np.ndarray:
    """Tension of each of so many pieces of a rope [N]; not a number where it is not known."""
    if rope is None or not len(rope.tension):
        return np.full(count, np.nan)
    places = np.linspace(0.0, 1.0, len(rope.tension))
    return np.interp(np.linspace(0.0, 1.0, count), places, np.maximum(rope.tension, 0.0))
