"""A hanging chain from 10 to 10,000 links: what a step costs per link, where it goes, and beside LAPACK."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.bench.allocation import allocations
from taut.bench.banded import BandedSolve
from taut.bench.display import Display
from taut.bench.scenes import hanging_chain
from taut.bench.stages import Stages
from taut.bench.threads import scaling
from taut.bench.timing import Timing, interleaved, repeats_for, time_of
from taut.simulation import Simulation

LINKS = (10, 30, 100, 300, 1000, 3000, 10_000)
#: links from which on stages can be told apart and the exponent is fitted, and the step is held against LAPACK
LARGE, LAPACK_FROM = 100, 1000
#: targets: exponent of the cost, step over LAPACK's solve
MOST_EXPONENT, MOST_RATIO = 1.1, 4.0
#: the release excites the chain; from here on each step is solved once
WARM_UP = 40
#: one measurement [s], steps or solutions in it at least, and how many of them: in a run the memory of the step before is still near, after
#: another chain's turn it is not
SAMPLE, LEAST, ROUNDS = 0.02, 20, 7
STEP, TWO_PASSES, LAPACK = "step", "two_passes", "lapack"


@dataclass(frozen=True)
class Case:
    """What is timed: a scene for a number of links, rows per joint, and the largest ratio to LAPACK that is wanted."""

    title: str
    unit: str
    scene: Callable[..., Any]
    rows: int
    most_ratio: float


CHAIN = Case(
    "one step of a chain with a load of 1000 kg, dt 1/60 s, solver defaults", "link", hanging_chain, 3, MOST_RATIO
)


@dataclass
class Size:
    """A chain of one length, its simulations and its yardstick."""

    links: int
    case: Case = CHAIN

    def __post_init__(self) -> None:
        self.sim = Simulation(self.case.scene(self.links))
        self.twice = Simulation(self.case.scene(self.links, passes=2))
        self.banded = BandedSolve(self.links + 1, self.case.rows)
        for sim in (self.sim, self.twice):
            sim.run(WARM_UP)

    def jobs(self) -> dict[tuple[int, str], Callable[[], float]]:
        """What is to be timed; each returns seconds per step or solution."""
        return {
            (self.links, STEP): _steps(self.sim),
            (self.links, TWO_PASSES): _steps(self.twice),
            (self.links, LAPACK): self._lapack(),
        }

    def _lapack(self) -> Callable[[], float]:
        repeats = max(LEAST, repeats_for(self.banded.mean(3), SAMPLE, 200))
        return lambda: self.banded.mean(repeats)


def _steps(sim: Any) -> Callable[[], float]:
    steps = max(LEAST, repeats_for(time_of(lambda: sim.run(3)) / 3, SAMPLE))
    return lambda: time_of(lambda: sim.run(steps)) / steps


def exponent(links: Sequence[int], seconds: Sequence[float], least: int = 0) -> float | None:
    """p in cost ~ links^p, fitted to the chains of at least `least` links; None with fewer than two."""
    chosen = [(n, s) for n, s in zip(links, seconds) if n >= least]
    if len(chosen) < 2:
        return None
    x, y = np.log(np.array(chosen)).T
    return float(np.polyfit(x, y, 1)[0])


def run(display: Display, links: Sequence[int] = LINKS, rounds: int = ROUNDS) -> dict[str, Any]:
    """Measure, show, and hand back the numbers."""
    return grow(display, CHAIN, links, rounds)


def grow(display: Display, case: Case, links: Sequence[int], rounds: int) -> dict[str, Any]:
    """Time one case over all its sizes."""
    with display.progress("building the chains") as progress:
        sizes = [Size(count, case) for count in links]
        second = {size.links: size.sim.read("step.second_passes") for size in sizes}
        jobs = {key: job for size in sizes for key, job in size.jobs().items()}
        timings = interleaved(jobs, rounds, progress)
        second = {size.links: size.sim.read("step.second_passes") - second[size.links] for size in sizes}
        progress("timing the stages")
        shares = {size.links: _stages(size, timings[size.links, STEP].best) for size in sizes if size.links >= LARGE}
        progress("memory and threads")
        small = min(sizes, key=lambda size: abs(size.links - 300))
        memory = allocations(small.sim)
        threads = scaling([small.sim, small.twice], repeats_for(timings[small.links, TWO_PASSES].best, 0.2))
    rows = [_row(size.links, timings, second[size.links]) for size in sizes]
    best = [timings[count, STEP].best for count in links]
    found = {
        "sizes": rows,
        "exponent": exponent(links, best),
        "exponent_large": exponent(links, best, LARGE),
        "stages": {str(count): times for count, times in shares.items()},
        "allocations_per_step": memory,
        "threads": threads,
    }
    _show(display, found, case)
    return found


def _row(links: int, timings: dict[tuple[int, str], Timing], second_passes: int) -> dict[str, Any]:
    step, twice, lapack = (timings[links, what] for what in (STEP, TWO_PASSES, LAPACK))
    return {
        "links": links,
        STEP: step.plain("step"),
        TWO_PASSES: twice.plain("step"),
        LAPACK: lapack.plain("solve"),
        "microseconds_per_link": 1e6 * step.best / links,
        "times_lapack": step.best / lapack.best,
        "times_lapack_two_passes": twice.best / lapack.best,
        "second_passes": second_passes,
    }


def _stages(size: Size, whole: float) -> dict[str, float]:
    """Time of each stage [s]; `rest` is what `run` adds: the copy of the state it could go back to, and the calls."""
    stages = Stages(size.sim)
    for _ in range(max(LEAST, repeats_for(whole, 4.0 * SAMPLE, 200))):
        stages.step()
    found = stages.shares()
    return {**found, "rest": whole - sum(found.values()), "whole": whole}


def _show(display: Display, found: dict[str, Any], case: Case) -> None:
    display.table(
        case.title,
        (f"{case.unit}s", "step [us]", f"per {case.unit} [us]", "spread", "2 passes [us]", "dpbsv [us]", "step/dpbsv", "2 p./dpbsv"),
        [
            (
                f"{row['links']}", f"{1e6 * row[STEP]['best']:.1f}", f"{row['microseconds_per_link']:.3f}",
                f"{row[STEP]['spread']:.0%}", f"{1e6 * row[TWO_PASSES]['best']:.1f}",
                f"{1e6 * row[LAPACK]['best']:.1f}", f"{row['times_lapack']:.2f}",
                f"{row['times_lapack_two_passes']:.2f}",
            )
            for row in found["sizes"]
        ],
    )  # fmt: skip
    if found["stages"]:
        _show_stages(display, found["stages"], case.unit)
    for name, label in (("exponent", "all"), ("exponent_large", f"from {LARGE}")):
        if found[name] is not None:
            verdict = "reached" if found[name] <= MOST_EXPONENT else "missed"
            display.note(f"cost ~ {case.unit}s^{found[name]:.3f} ({label}); target at most {MOST_EXPONENT}: {verdict}")
    large = [row["times_lapack"] for row in found["sizes"] if row["links"] >= LAPACK_FROM]
    if large:
        verdict = "reached" if max(large) <= case.most_ratio else "missed"
        display.note(
            f"from {LAPACK_FROM} {case.unit}s on a step is {max(large):.2f} times dpbsv; target {case.most_ratio}: {verdict}"
        )
    memory, threads = found["allocations_per_step"], found["threads"]
    display.note(
        f"memory taken per step, over {memory['steps']} steps: {memory['compiled']:g} arrays by compiled code, "
        f"{memory['interpreter']:g} bytes by the interpreter"
    )
    display.note(
        f"{threads['threads']} simulations in as many threads: {threads['factor']:.2f} times one after the other"
    )


def _show_stages(display: Display, stages: dict[str, dict[str, float]], unit: str) -> None:
    names = list(next(iter(stages.values())))
    display.table(
        f"where a step goes, microseconds per {unit}",
        ("stage", *stages),
        [(name, *(f"{1e6 * times[name] / int(links):.3f}" for links, times in stages.items())) for name in names],
    )
