"""What the colours of ropes stand for: one scale of tension and one of bend for everything in the page."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from taut.view.colours import heat
from taut.view.frame import Rope


class Scales:
    """Where red begins. All parts of the picture share them, so that one legend is true of all."""

    def __init__(self) -> None:
        self.highest = 0.0
        """The tension that is shown as hot: the largest since the scale was cleared [N]."""
        self.sharpest = 0.0
        """The curvature that is shown as hot: the largest since the scale was cleared [1/m]."""

    def clear(self) -> None:
        """Nothing that was before counts any more."""
        self.highest = self.sharpest = 0.0

    def note(self, ropes: Iterable[Rope]) -> None:
        """The tensions of a moment, before anything is coloured by them."""
        for rope in ropes:
            for pull in (rope.tension, rope.course_tension):
                if pull is not None and len(pull):
                    self.highest = max(self.highest, float(np.max(pull)))

    def by_tension(self, pull: np.ndarray, plain: np.ndarray) -> np.ndarray:
        """Colours of tensions [N], shape (n, 3); the plain ones where it is not a number, which means that it is not known."""
        shown = heat(np.nan_to_num(pull) / max(self.highest, 1e-9))
        return np.where(np.isnan(pull)[:, None], plain, shown).astype(np.uint8)

    def by_bend(self, curvature: np.ndarray) -> np.ndarray:
        """Colours of curvatures [1/m], shape (n, 3)."""
        self.sharpest = max(self.sharpest, float(curvature.max(initial=0.0)))
        return heat(curvature / max(self.sharpest, 1e-9))


def largest_pull(rope: Rope | None) -> float:
    """Largest tension of a rope [N]; not a number where it is not known."""
    return float(rope.tension.max()) if rope is not None and len(rope.tension) else np.nan


def pull_along(rope: Rope | None, count: int) -> np.ndarray:
    """Tension of each of so many pieces of a rope [N]; not a number where it is not known."""
    if rope is None or not len(rope.tension):
        return np.full(count, np.nan)
    places = np.linspace(0.0, 1.0, len(rope.tension))
    return np.interp(np.linspace(0.0, 1.0, count), places, np.maximum(rope.tension, 0.0))
