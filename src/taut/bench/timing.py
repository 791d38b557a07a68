"""Repeated, interleaved measurements: the best is the cost, the spread tells how far to trust it."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

Key = TypeVar("Key")

#: processor time of this thread where the system counts it finely: what others do meanwhile does not count then
CLOCK: Callable[[], float] = (
    time.thread_time if time.get_clock_info("thread_time").resolution < 1e-6 else time.perf_counter
)


@dataclass(frozen=True)
class Timing:
    """Time of one unit of work over several rounds [s]."""

    best: float
    median: float
    worst: float
    rounds: int

    @classmethod
    def of(cls, times: list[float]) -> Timing:
        """The timing of a list of times [s]."""
        return cls(min(times), statistics.median(times), max(times), len(times))

    @property
    def spread(self) -> float:
        """How much longer than the best the median took, relative [-]."""
        return self.median / self.best - 1.0 if self.best > 0.0 else 0.0

    def plain(self, unit: str) -> dict[str, Any]:
        """For the JSON file, with the unit of work it belongs to."""
        return {**asdict(self), "spread": self.spread, "unit": f"s per {unit}"}


def time_of(work: Callable[[], object]) -> float:
    """Time of one call [s]."""
    start = CLOCK()
    work()
    return CLOCK() - start


def interleaved(
    jobs: Mapping[Key, Callable[[], float]], rounds: int, progress: Callable[[str], None] = lambda _text: None
) -> dict[Key, Timing]:
    """Go over all jobs `rounds` times, so that a slow moment hits all alike; a job returns its time per unit [s]."""
    times: dict[Key, list[float]] = {key: [] for key in jobs}
    gc.collect()
    for number in range(rounds):
        progress(f"timing, round {number + 1} of {rounds}")
        for key, job in jobs.items():
            times[key].append(job())
    return {key: Timing.of(found) for key, found in times.items()}


def repeats_for(cost: float, wanted: float, most: int = 100_000) -> int:
    """How often work that takes `cost` [s] is repeated to fill `wanted` [s]."""
    return max(1, min(most, round(wanted / max(cost, 1e-9))))
