"""What is dragged or typed and not followed yet: told at any time, also while something is solved, and taken in the order it came."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field

import numpy as np

#: a rest after which the same thing moved on, by nobody who holds it, is another step [s]
PAUSE = 1.0
Pose = tuple[np.ndarray, np.ndarray]


@dataclass
class Move:
    """From mouse down to mouse up, or one number that was typed: one step to undo."""

    number: int
    poses: dict[str, Pose] = field(default_factory=dict)  # the last of each key
    asked: str = ""  # what was typed, if it was


class Moves:
    """Moves that wait to be followed. Its lock is held for moments only, so that the thread that hears the page never waits for what
    is solved: what it says would come in another order."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: list[Move] = []
        self._count = 0
        self._grips: dict[str, int] = {}  # number of the move of each key that is held
        self._loose = (0, "", 0.0)  # the last move of what nobody holds: its number, key, and when

    @property
    def held(self) -> frozenset[str]:
        """Keys of the arrows that are held."""
        with self._lock:
            return frozenset(self._grips)

    def hold(self, key: str) -> None:
        """Each hold is a move of its own."""
        with self._lock:
            self._grips[key] = self._next()

    def release(self, key: str) -> None:
        """What is told of it from now on is another one."""
        with self._lock:
            self._grips.pop(key, None)

    def another(self) -> None:
        """What comes is no part of the last move."""
        with self._lock:
            self._loose = (0, "", 0.0)

    def put(self, key: str, pose: Pose, asked: str = "") -> None:
        """Something goes there. asked: what was typed."""
        with self._lock:
            number = self._grips.get(key, 0) if not asked else 0
            if not number:
                number, last, when = self._loose
                now = time.monotonic()
                if asked or not number or last != key or now - when > PAUSE:
                    number = self._next()
                self._loose = (number, key, now)
            # the last one that waits of the same move: what came between is not seen
            if not self._waiting or self._waiting[-1].number != number:
                self._waiting.append(Move(number))
            self._waiting[-1].poses[key] = pose
            self._waiting[-1].asked = asked

    def take(self) -> list[Move]:
        """What waits, the first first; then nothing does."""
        with self._lock:
            taken, self._waiting = self._waiting, []
            return taken

    def _next(self) -> int:
        self._count += 1
        return self._count
