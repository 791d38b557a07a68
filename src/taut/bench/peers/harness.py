"""The comparison: each engine at the largest step at which it is accurate, all timed in one interleaved run.

Step: from 0.4 s downwards in factors of sqrt(2), every rung a whole number of steps in the run; the first good rung,
then bisected twice against the bad one above it, so that a sharp limit of stability costs nobody more than 9 %. With
more links the search begins near the step found with fewer, and goes up or down from there; where none was found with fewer,
it begins with the smallest step that the budget allows. What was found of an engine serves every comparison of the process.

Time: processor time of the process, which adds up all its threads, so a hidden second thread is a cost and not a gain.
The timed runs record nothing. Rounds go over all engines in turn and each keeps its best round, so that a slow moment
of the machine hits all of them alike. The ratio is that of the best rounds; its range is that of the ratios formed round by round.
"""

from __future__ import annotations

import gc
import math
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from taut.bench.timing import Timing

from . import OURS
from .case import HOIST, Hoist
from .reference import Reference, reference
from .score import LOST, Errors, score
from .trace import Adapter, Runner

LARGEST_STEP = 0.4
"""[s]; sixteen steps per swing, more than any engine here reaches."""
BISECTIONS = 2
FEW = 3
"""Steps by which the cost of a run is foreseen."""
# numba's is not among them: setting it after import makes numba re-read its configuration; no kernel here is parallel
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")

Progress = Callable[[str], None]
#: steps found so far in this process, by engine, number of links, hoist and budget
_FOUND: dict[tuple[Adapter, int, Hoist, float], tuple[float, Errors, bool]] = {}


@dataclass
class Row:
    """One engine at one number of links."""

    adapter: str
    links: int
    dt: float
    """Largest accurate step [s]; where none was found in the budget, the smallest that was tried and was bad."""
    errors: Errors
    cpu: float
    """Processor time per simulated second [s/s]."""
    bound: bool
    """No accurate step was found within the budget: `cpu` and `ratio` are lower bounds, the errors are not known."""
    ratio: float | None = None
    """cpu divided by ours; None without ours."""
    ratio_range: tuple[float, float] | None = None
    """Smallest and largest ratio of a round; None without ours."""
    time: dict[str, Any] | None = None
    """Best, median and worst round, per simulated second, and their spread; None where `cpu` is a bound."""


def time_of(runner: Runner, seconds: float) -> float:
    """Processor time [s] of a run from the release over `seconds` [s], nothing recorded."""
    runner.reset()
    start = time.process_time()
    runner.run(seconds, record=False)
    return time.process_time() - start


@dataclass
class Candidate:
    """An engine at its step, being timed."""

    row: Row
    runner: Runner
    span: float
    """Simulated time of one timed run [s]."""
    repeats: int
    """Timed runs per round."""
    times: list[float] = field(default_factory=list)
    """Of each round so far [s/s]."""

    def time_round(self) -> None:
        """One round: keeps its time per simulated second."""
        spent = sum(time_of(self.runner, self.span) for _ in range(self.repeats))
        self.times.append(spent / (self.repeats * self.span))


@dataclass
class Search:
    """Finds the largest accurate step of one engine at one number of links."""

    adapter: Adapter
    links: int
    hoist: Hoist
    target: Reference
    budget: float
    """Processor time allowed for the steps of one run [s]."""
    progress: Progress

    def row(self, hint: float = math.inf) -> Row:
        """The row, its time still open; the search begins at the rung above `hint` [s], the step with fewer links."""
        rung = max(0, math.floor(2.0 * math.log2(LARGEST_STEP / hint) + 1e-9)) if math.isfinite(hint) else 0
        while rung > 0 and self.too_slow(rung):
            rung -= 1
        errors = self.attempt(rung)
        if errors.good:
            return self.refine(*self.climb(rung, errors))
        while not errors.good:
            if self.too_slow(rung + 1):
                dt = step_at(self.hoist.seconds, rung)
                return Row(self.adapter.name, self.links, dt, LOST, math.nan, bound=True)
            rung += 1
            errors = self.attempt(rung)
        return self.refine(step_at(self.hoist.seconds, rung), errors, step_at(self.hoist.seconds, rung - 1))

    def too_slow(self, rung: int) -> bool:
        """Whether a run would go beyond the budget, as its first steps foresee."""
        dt = step_at(self.hoist.seconds, rung)
        cost = time_of(self.adapter.prepare(self.links, dt), FEW * dt) / (FEW * dt) * self.hoist.seconds
        if cost > self.budget:
            self.progress(f"{self.adapter.name}, {self.links} links, step {dt:.3g} s: not tried, too slow")
        return cost > self.budget

    def climb(self, rung: int, errors: Errors) -> tuple[float, Errors, float]:
        """From a good rung to the last good one: its step, its errors, and the bad step above it."""
        while rung > 0:
            above = self.attempt(rung - 1)
            if not above.good:
                return step_at(self.hoist.seconds, rung), errors, step_at(self.hoist.seconds, rung - 1)
            rung, errors = rung - 1, above
        return step_at(self.hoist.seconds, 0), errors, math.inf

    def refine(self, good: float, errors: Errors, bad: float) -> Row:
        """Bisect between a good and a bad step."""
        for _ in range(BISECTIONS if math.isfinite(bad) else 0):
            dt = self.hoist.seconds / round(self.hoist.seconds / math.sqrt(good * bad))
            found = self.attempt_step(dt)
            if found.good:
                good, errors = dt, found
            else:
                bad = dt
        return Row(self.adapter.name, self.links, good, errors, math.nan, bound=False)

    def attempt(self, rung: int) -> Errors:
        """Run once at a rung of the ladder and compare."""
        return self.attempt_step(step_at(self.hoist.seconds, rung))

    def attempt_step(self, dt: float) -> Errors:
        """Run once with this step and compare."""
        runner = self.adapter.prepare(self.links, dt)
        runner.reset()
        errors = score(runner.run(self.hoist.seconds), self.target, self.hoist)
        self.progress(f"{self.adapter.name}, {self.links} links, step {dt:.3g} s: {'good' if errors.good else 'bad'}")
        return errors


def step_at(seconds: float, rung: int) -> float:
    """Step [s] at a rung: a whole number of steps in the run, downwards in factors of sqrt(2)."""
    return seconds / math.ceil(seconds / LARGEST_STEP * 2.0 ** (0.5 * rung))


def candidate(adapter: Adapter, row: Row, hoist: Hoist, round_time: float) -> Candidate:
    """Choose the timed runs: whole ones, as many as fill `round_time` [s]; of a very slow engine the first steps."""
    runner = adapter.prepare(row.links, row.dt)
    rate = time_of(runner, FEW * row.dt) / (FEW * row.dt)
    whole = rate * hoist.seconds < 10 * round_time
    span = hoist.seconds if whole else max(FEW * row.dt, round_time / rate)
    repeats = math.ceil(round_time / (rate * span))
    return Candidate(row, runner, span, min(repeats, 1000))


def compare(
    adapters: Sequence[Adapter],
    links: Sequence[int] = (10, 25, 100, 400),
    progress: Progress = lambda _text: None,
    *,
    hoist: Hoist = HOIST,
    budget: float = 60.0,
    rounds: int = 7,
    round_time: float = 0.2,
) -> list[Row]:
    """Rows for every number of links and engine; `budget` and `round_time` are processor times of one run [s]."""
    for name in THREADS:
        os.environ.setdefault(name, "1")  # for libraries that are loaded from here on
    target = reference(hoist=hoist)
    candidates: list[Candidate] = []
    hints: dict[str, float] = {}
    for count in sorted(links):
        for adapter in adapters:
            if count > getattr(adapter, "most_links", math.inf):
                progress(f"{adapter.name}, {count} links: cannot be made")
                continue
            row = _largest_step(
                Search(adapter, count, hoist, target, budget, progress), hints.get(adapter.name, math.inf)
            )
            hints[adapter.name] = row.dt
            candidates.append(candidate(adapter, row, hoist, round_time))
    gc.collect()
    for number in range(rounds):
        progress(f"timing, round {number + 1} of {rounds}")
        for each in candidates:
            each.time_round()
    ours = {each.row.links: each.times for each in candidates if each.row.adapter == OURS}
    for each in candidates:
        row, found = each.row, Timing.of(each.times)
        row.cpu = found.best
        row.time = None if row.bound else found.plain("simulated second")
        if row.links in ours:
            row.ratio = row.cpu / min(ours[row.links])
            by_round = [theirs / mine for theirs, mine in zip(each.times, ours[row.links], strict=True)]
            row.ratio_range = (min(by_round), max(by_round))
    return [each.row for each in candidates]


def _largest_step(search: Search, hint: float) -> Row:
    """What a search finds, or has found before in this process."""
    key = (search.adapter, search.links, search.hoist, search.budget)
    if key not in _FOUND:
        row = search.row(hint)
        _FOUND[key] = (row.dt, row.errors, row.bound)
    dt, errors, bound = _FOUND[key]
    return Row(search.adapter.name, search.links, dt, errors, math.nan, bound=bound)


def table(rows: Sequence[Row]) -> str:
    """The rows as text."""
    head = f"{'engine':<16}{'links':>6}{'step':>12}{'period':>9}{'tension':>9}{'energy':>9}{'cpu per s':>14}{'ratio':>10}{'by round':>20}"
    lines = [head]
    for row in rows:
        errors = (row.errors.period, row.errors.tension, row.errors.energy)
        shown = "".join(f"{'-':>9}" if row.bound else f"{100 * error:>8.3f}%" for error in errors)
        step = f"{'<' if row.bound else ''}{1e3 * row.dt:.4g} ms"
        cpu = f"{'>' if row.bound else ''}{1e3 * row.cpu:.3f} ms"
        ratio = "-" if row.ratio is None else f"{'>' if row.bound else ''}{row.ratio:.2f}"
        rounds = "-" if row.ratio_range is None else "{:.2f} to {:.2f}".format(*row.ratio_range)
        lines.append(f"{row.adapter:<16}{row.links:>6}{step:>12}{shown}{cpu:>14}{ratio:>10}{rounds:>20}")
    return "\n".join(lines)
