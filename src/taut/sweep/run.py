"""A sweep from start to end: cases go out, results come back and are on disk before the next one is looked at."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from taut.sweep.plan import Plan
from taut.sweep.processes import Processes
from taut.sweep.store import Store
from taut.sweep.task import Outcome, Task, simulation_of


class Place(Protocol):
    """Where cases run: processes here, or a cluster."""

    @property
    def about(self) -> str:
        """Where that is, in words."""

    def run(self, task: Task, rows: Iterable[tuple[int, Sequence[str]]]) -> Iterator[tuple[int, Outcome]]:
        """Run rows of the table; yields (place, outcome) as they come."""


#: told after each case: (cases finished in all, cases in all, failed in all, time left [s])
Progress = Callable[[int, int, int, float], None]


@dataclass
class Finished:
    """What a call made of a sweep."""

    made: int = 0
    """Cases run now."""
    failed: int = 0
    """Of these, failed."""
    left: int = 0
    """Cases still open."""
    wall: float = 0.0
    """Time on the clock [s]."""
    busy: float = 0.0
    """Sum of the time that the cases took where they ran [s]."""
    interrupted: bool = False


def sweep(
    plan: Plan,
    out: str | Path,
    where: Place | None = None,
    *,
    resume: bool = False,
    overwrite: bool = False,
    retry: bool = False,
    progress: Progress | None = None,
) -> Finished:
    """Run all open cases of a plan into the file `out`; returns what was made. Raises SweepError.

    where: `Processes(4)`, or `Cluster("tcp://...")`; all cores of this machine if none. resume: go on with the file.
    retry: run failed cases again. Ctrl-C ends it: what is finished is in the file.
    """
    place: Place = Processes() if where is None else where
    told = Finished()
    with Store(out, plan, resume=resume, overwrite=overwrite) as store:
        rows = store.open_cases(retry)
        told.left = len(rows)
        failed_before = 0 if retry else int((store.status == 2).sum())
        if rows and isinstance(place, Processes):
            # compiled once here, rather than by every worker at the same time
            simulation_of(plan.task, plan.cases.rows[rows[0]]).prepare()
            place.workers = min(place.workers, len(rows))
        begun = time.perf_counter()
        try:
            for row, outcome in place.run(plan.task, [(row, plan.cases.rows[row]) for row in rows]):
                store.put(row, outcome)
                told.made += 1
                told.left -= 1
                told.failed += bool(outcome.reason)
                told.busy += outcome.wall
                told.wall = time.perf_counter() - begun
                if progress is not None:
                    finished = len(plan.cases) - told.left
                    progress(finished, len(plan.cases), failed_before + told.failed, told.wall / told.made * told.left)
        except KeyboardInterrupt:
            told.interrupted = True
        told.wall = time.perf_counter() - begun
    return told
