"""Checks shared out among processes: each takes the next one, results come back in the order of the sets."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass

from taut.validate.item import Item
from taut.validate.lab import Lab, Plot
from taut.validate.run import checks_of, run_check, stopped


@dataclass(frozen=True)
class Done:
    """What a check came to, and the processor time that it took [s]."""

    items: list[Item]
    plots: list[Plot]
    cost: float


def carry_out(name: str, number: int, quick: bool) -> Done:
    """One check of a set, in this process."""
    lab, begun = Lab(quick=quick), time.process_time()
    items = list(run_check(checks_of(name)[number], lab))
    return Done(items, lab.plots, time.process_time() - begun)


def run_checks(
    checks: Sequence[tuple[str, int]], quick: bool, jobs: int, told: Callable[[int, str], None]
) -> list[Done]:
    """All checks (set and number in it), `jobs` at a time. A process that is lost makes failed items of all that were left."""
    context = multiprocessing.get_context("spawn")
    results: dict[int, Done] = {}
    # not forked: this process may have threads, which a fork would leave behind half-way
    with ProcessPoolExecutor(jobs, mp_context=context) as pool:
        waiting: dict[Future[Done], int] = {
            pool.submit(carry_out, name, number, quick): k for k, (name, number) in enumerate(checks)
        }
        for future in as_completed(waiting):
            k = waiting[future]
            name, number = checks[k]
            try:
                results[k] = future.result()
            except BrokenProcessPool as error:
                results[k] = Done([stopped(checks_of(name)[number], error)], [], 0.0)
            told(len(results), f"{name}: {checks_of(name)[number].__name__.replace('_', ' ')}")
    return [results[k] for k in range(len(checks))]
