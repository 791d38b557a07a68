"""Cases in processes of this machine. A process that dies takes nothing with it but the time of its case."""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from taut.sweep.task import Outcome, Task, run_case

#: a case whose process has died this often is given up: it is the case that kills it
MOST_DEATHS = 3
#: a worker whose cases are shorter than this is given the next one before it asks, so that it does not wait for us [s]
SHORT = 10.0


def cores() -> int:
    """Cores that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


class Processes:
    """A fixed number of worker processes, each making one case at a time."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or cores()

    @property
    def about(self) -> str:
        """Where the cases run, in words."""
        return f"{self.workers} process{'es' if self.workers > 1 else ''} here"

    def run(self, task: Task, rows: Iterable[tuple[int, Sequence[str]]]) -> Iterator[tuple[int, Outcome]]:
        """Run rows of the table; yields (place, outcome) as they come, in no order.

        Each worker is a pool of one: when its process dies, it is known which case it had, and no other is lost.
        """
        waiting = deque(rows)
        workers = [_Worker(task) for _ in range(self.workers)]
        deaths: dict[int, int] = {}
        try:
            for worker in workers:
                worker.fill(waiting, 1)
            while given := [worker.given[0][0] for worker in workers if worker.given]:
                wait(given, return_when=FIRST_COMPLETED)
                for worker in workers:
                    if not (worker.given and worker.given[0][0].done()):
                        continue
                    future, place, row = worker.given.popleft()
                    try:
                        outcome = future.result()
                    except BrokenProcessPool:
                        worker.begin_again(waiting)
                        deaths[place] = deaths.get(place, 0) + 1
                        if deaths[place] < MOST_DEATHS:
                            waiting.appendleft((place, row))
                            for free in (worker, *workers):
                                free.fill(waiting, 1)
                            continue
                        outcome = _given_up(task)
                    # the last cases are not handed out ahead: they go to whoever is free first
                    worker.fill(waiting, 2 if outcome.wall < SHORT and len(waiting) >= self.workers else 1)
                    yield place, outcome
        finally:
            for worker in workers:
                worker.end()


class _Worker:
    """A pool of one process, and what it was given: the case that it makes, and the one after it, first ones first."""

    def __init__(self, task: Task) -> None:
        self.given: deque[tuple[Future[Outcome], int, Sequence[str]]] = deque()
        self._task = task
        self._pool = self._new()

    def fill(self, waiting: deque[tuple[int, Sequence[str]]], most: int) -> None:
        """Hand out cases until it has so many."""
        while waiting and len(self.given) < most:
            place, row = waiting.popleft()
            try:
                self.given.append((self._pool.submit(run_case, self._task, row), place, row))
            except BrokenProcessPool:  # it died this very moment
                waiting.appendleft((place, row))
                if self.given:
                    return  # with a case, which will be told to be lost
                self.begin_again(waiting)

    def begin_again(self, waiting: deque[tuple[int, Sequence[str]]]) -> None:
        """With another process; a case that it had not begun goes back to those that wait."""
        self._pool.shutdown(wait=False)
        self._pool = self._new()
        waiting.extendleft((place, row) for _, place, row in reversed(self.given))
        self.given.clear()

    def end(self) -> None:
        """At once: what runs is not waited for, since nobody will read it."""
        for process in list((self._pool._processes or {}).values()):
            process.terminate()
        self._pool.shutdown(wait=False, cancel_futures=True)

    @staticmethod
    def _new() -> ProcessPoolExecutor:
        # not forked: this process may have threads, which a fork would leave behind half-way
        return ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))


def _given_up(task: Task) -> Outcome:
    reason = f"its process died {MOST_DEATHS} times while it ran (out of memory?)"
    return Outcome((float("nan"),) * len(task.measures), reason, 0.0)
