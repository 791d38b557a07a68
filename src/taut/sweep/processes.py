"""Cases in processes of this machine. A process that dies takes nothing with it but the time of its case."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from taut.sweep.task import Outcome, Task, run_case

#: a case whose process has died this often is given up: it is the case that kills it
MOST_DEATHS = 3


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
        waiting = iter(rows)
        # not forked: this process may have threads, which a fork would leave behind half-way
        context = multiprocessing.get_context("spawn")
        pools = [ProcessPoolExecutor(1, mp_context=context) for _ in range(self.workers)]
        running: dict[Future[Outcome], tuple[int, int, Sequence[str]]] = {}
        deaths: dict[int, int] = {}

        def give(k: int, item: tuple[int, Sequence[str]] | None) -> None:
            if item is not None:
                running[pools[k].submit(run_case, task, item[1])] = (k, *item)

        try:
            for k in range(self.workers):
                give(k, next(waiting, None))
            while running:
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    k, place, row = running.pop(future)
                    try:
                        outcome = future.result()
                    except BrokenProcessPool:
                        pools[k].shutdown(wait=False)
                        pools[k] = ProcessPoolExecutor(1, mp_context=context)
                        deaths[place] = deaths.get(place, 0) + 1
                        if deaths[place] < MOST_DEATHS:
                            give(k, (place, row))
                            continue
                        outcome = _given_up(task)
                    give(k, next(waiting, None))
                    yield place, outcome
        finally:
            for pool in pools:
                # what runs is not waited for: nobody will read it
                for process in list((pool._processes or {}).values()):
                    process.terminate()
                pool.shutdown(wait=False, cancel_futures=True)


def _given_up(task: Task) -> Outcome:
    reason = f"its process died {MOST_DEATHS} times while it ran (out of memory?)"
    return Outcome((float("nan"),) * len(task.measures), reason, 0.0)
