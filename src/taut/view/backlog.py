"""What is still to be read back: quantities that were chosen, at moments that were kept, a few at a time while the run goes on."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

from taut.view.frame import Frame, Player
from taut.view.history import History


class Backlog:
    """Moments to be read for each quantity, the newest first. One thread uses it."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._moments: dict[str, deque[tuple[Frame, Any]]] = {}

    @property
    def left(self) -> bool:
        """Whether anything is still to be read."""
        return bool(self._moments)

    def choose(self, quantities: Sequence[str]) -> None:
        """Nothing else is read any more."""
        self._moments = {name: moments for name, moments in self._moments.items() if name in quantities}

    def fill(self, quantities: Sequence[str], kept: Iterable[tuple[Frame, Any]]) -> None:
        """Read these too, at moments with what was kept of them, the newest first."""
        moments = list(kept)
        self._moments |= {name: deque(moments) for name in quantities}

    def clear(self) -> None:
        """Nothing that was kept tells anything any more."""
        self._moments.clear()

    def read(self, player: Player, until: float) -> None:
        """Read into the history until a time of the clock [s], one moment at least."""
        while self._moments:
            name, moments = next(iter(self._moments.items()))
            if not (moments and self._read_one(player, name, *moments.popleft())):
                del self._moments[name]
            if time.perf_counter() >= until:
                return

    def _read_one(self, player: Player, name: str, frame: Frame, kept: Any) -> bool:
        """Whether those before it may tell something, too."""
        if frame.time >= player.time:
            return True  # one went on from before it: it has not happened
        value = player.value_then(name, frame, kept)
        if value is None:
            return False
        self._history.add_before(name, frame.time, value)
        return True
