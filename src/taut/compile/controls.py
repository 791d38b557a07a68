"""Controls: the numbers a user may change while the simulation runs, and the drives that follow them."""

from __future__ import annotations

import math


class Controls:
    """Collects controls while a scene is compiled. One drive per control."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.units: list[str] = []
        self.start: list[float] = []
        self.rate: list[float] = []

    def add(self, name: str, unit: str, start: float, rate: float = math.inf) -> int:
        """A control that starts at `start` and whose drive changes by at most `rate` per second."""
        self.names.append(name)
        self.units.append(unit)
        self.start.append(start)
        self.rate.append(rate)
        return len(self.names) - 1

    def copy(self) -> Controls:
        """The same controls, to which others can be added."""
        other = Controls()
        other.names, other.units, other.start, other.rate = [*self.names], [*self.units], [*self.start], [*self.rate]
        return other
