"""One try at an exercise: gates in their order, rest in the last one, and what it all costs.

Points are seconds: those of the clock, TOUCH for every time the load hits something, SWAY for every metre that it swung.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from taut.scene.view import Course
from taut.view.hoops import Hoop

#: what a touch costs, and a metre of sway [s]
TOUCH, SWAY = 10.0, 5.0
#: touches that follow each other within this time are one [s]
APART = 0.5
#: a load that comes down in the last gate no faster than this is set down there, and has not hit it [m/s]
GENTLE = 1.0
#: how long a load stays slow in the last gate until it has come to rest there, and not to a turning point [s]
RESTED = 1.0
#: a long pendulum goes there and back within this time [s]
SWING = 12.0
#: of a load that hangs as it was put there
UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])


@dataclass
class Attempt:
    """One try, from its first moment on. Pure arithmetic on what is handed in."""

    course: Course
    hoops: Sequence[Hoop]
    """Its gates."""
    begun: float | None = None
    """Simulated time of its first moment [s]."""
    now: float = 0.0
    passed: int = 0
    """Gates behind it."""
    swayed: float = 0.0
    """Largest sway so far [m]."""
    touches: int = 0
    speed: float = 0.0
    """Of the load now [m/s]."""
    swing: float = 0.0
    """Largest sway within the last SWING seconds [m]."""
    away: float = 0.0
    """From the load to the middle of the next gate [m]."""
    off: np.ndarray = field(default_factory=lambda: np.zeros(3))
    """From the middle of the next gate to the load [m]."""
    miss: np.ndarray = field(default_factory=lambda: np.zeros(3))
    """By how much and where to it is off the opening of the next gate, or off the inside of the last one [m]; zero: it is not."""
    inside: bool = False
    """Whether it is wholly in the last gate, and that is the next."""
    stands: bool = False
    """Whether it has been at rest for as long as it takes, wherever."""
    void: bool = False
    """Whether time went back: what was driven twice does not count."""
    _touched: float = field(default=-np.inf)
    touching: bool = False
    """Whether it touches something now."""
    _along: float | None = None
    _slow: float = field(default=np.inf)
    _still: float = field(default=np.inf)
    _sways: deque[tuple[float, float]] = field(default_factory=deque)

    @property
    def done(self) -> bool:
        """Whether the load has come to rest in the last gate."""
        return self.passed == len(self.course.gates)

    @property
    def over(self) -> bool:
        """Whether nothing counts any more."""
        return self.done or self.void

    @property
    def time(self) -> float:
        """Since it began [s]."""
        return 0.0 if self.begun is None else self.now - self.begun

    @property
    def points(self) -> float:
        """Fewer are better [s]."""
        return self.time + TOUCH * self.touches + SWAY * self.swayed

    @property
    def last(self) -> bool:
        """Whether the next gate is the one to rest in."""
        return self.passed == len(self.course.gates) - 1

    @property
    def wanting(self) -> np.ndarray:
        """From where the load should be for the next gate to where it is [m]: what keeps it from being inside, and the way that is still to
        go to its middle."""
        hoop = self.hoops[self.passed]
        return self.miss if hoop.deep is not None else self.miss + float(self.off @ hoop.way) * hoop.way

    @property
    def near(self) -> bool:
        """Whether it is beside the next gate rather than on its way there."""
        return not self.done and self.away <= 2.0 * self.hoops[self.passed].size

    def note(
        self,
        time: float,
        place: np.ndarray,
        speed: float,
        sway: float,
        touching: bool,
        turn: np.ndarray = UPRIGHT,
    ) -> None:
        """A moment: simulated time [s], the load's place [m], its speed [m/s] and sway [m], whether it touches, its orientation."""
        if self.over:
            return
        if self.begun is None:
            # it may stand on something to begin with
            self.begun = self.now = time
            self._touched = time if touching else -np.inf
            self.touching = touching
        self.void = time < self.now
        before, self.now, self.speed = self.speed, time, speed
        through = self._is_through(time, place, turn)
        if touching:
            # moments may lie further apart than touches, where the run is fast; who sets the load down does what was asked for
            set_down = self.inside and before <= GENTLE
            self.touches += not self.touching and time - self._touched > APART and not set_down
            self._touched = time
        self.touching = touching
        self.swayed = max(self.swayed, sway)
        self._sways.append((time, sway))
        while self._sways[0][0] < time - SWING:
            self._sways.popleft()
        self.swing = max(known for _, known in self._sways)
        self._still = min(self._still, time) if speed <= self.course.rest else np.inf
        self.stands = time - self._still >= RESTED
        if through:
            self.passed += 1
            self._along = None

    def _is_through(self, time: float, place: np.ndarray, turn: np.ndarray) -> bool:
        """Whether the load is seen wholly inside the next gate; in the last one for as long as it takes to rest."""
        hoop = self.hoops[self.passed]
        off = hoop.off(place, turn)
        self.off, self.miss = np.asarray(place - hoop.middle), off.miss
        self.away = float(np.linalg.norm(self.off))
        inside = not off.miss.any()
        self.inside = inside and self.last
        if self.last:
            # since when it is slow there
            self._slow = min(self._slow, time) if inside and self.speed <= self.course.rest else np.inf
            return time - self._slow >= RESTED
        # a small load may have gone through between two moments
        crossed = self._along is not None and self._along * off.along < 0.0
        self._along = off.along
        return inside and (crossed or abs(off.along) <= off.deep)
