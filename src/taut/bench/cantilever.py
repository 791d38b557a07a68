"""A cantilever under its own weight beside other engines: what its equilibrium costs at equal accuracy."""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from taut.bench.display import Display
from taut.bench.peers.cantilevers import ENGINES, GRAVITY, Engine, Running, Static
from taut.bench.timing import interleaved, time_of
from taut.validate.rod_reference import hanging_tip

#: how far off the end may be [of the length]
ACCURACY = 1e-3
SEGMENTS = (5, 10, 20, 40, 80)
#: steps that are tried, largest first [s]; simulated time between two looks, and after which there is no more waiting [s]
STEPS = tuple(0.2 * 0.5**k for k in range(15))
LOOK, PATIENCE = 1.0, 12.0
#: processor time of one attempt after which an engine is given up [s]
BUDGET, ROUNDS = 60.0, 5


def run(
    display: Display, engines: Sequence[Engine] = ENGINES, segments: Sequence[int] = SEGMENTS, rounds: int = ROUNDS,
    budget: float = BUDGET,
) -> dict[str, Any]:  # fmt: skip
    """Find for each engine the fewest segments, the largest step and the shortest run that are accurate; time them; show."""
    there = [engine for engine in engines if importlib.util.find_spec(engine.needs) is not None]
    absent = {
        engine.name: f"{engine.needs} is not installed (extra peers)" for engine in engines if engine not in there
    }
    jobs: dict[str, Callable[[], float]] = {}
    rows: dict[str, dict[str, Any]] = {}
    with display.progress("looking for what is accurate") as progress:
        for engine in there:
            progress(engine.name)
            found = _static(engine, segments) if engine.static else _running(engine, segments, budget)
            if found is None:
                absent[engine.name] = f"no accurate result within {budget:g} s of processor time"
                continue
            rows[engine.name], jobs[engine.name] = found
        timings = interleaved(jobs, rounds, progress)
    ours = timings[engines[0].name].best
    out = [
        {"engine": name, **row, "solve": timings[name].plain("equilibrium"), "times_ours": timings[name].best / ours}
        for name, row in rows.items()
    ]
    display.table(
        f"equilibrium of a cantilever, w L^3/EI = {GRAVITY:g}: end within {ACCURACY:g} of its length",
        ("engine", "segments", "error of the tip", "step [ms]", "run for [s]", "ms", "times ours"),
        [
            (
                r["engine"], str(r["segments"]), f"{r['error']:.1e}", "static" if r["step"] is None else f"{1e3 * r['step']:.3g}",
                "" if r["seconds"] is None else f"{r['seconds']:g}", f"{1e3 * r['solve']['best']:.3f}", f"{r['times_ours']:.1f}",
            )
            for r in out
        ],
    )  # fmt: skip
    for name, reason in absent.items():
        display.note(f"not compared: {name} ({reason})")
    return {"rows": out, "missing": absent}


known_tip = cache(hanging_tip)


def error(tip: tuple[float, float]) -> float:
    """Distance of an end from where the elastica has it [of the length]; infinite for one that is lost."""
    known = known_tip(GRAVITY)
    distance = math.hypot(tip[0] - known[0], tip[1] - known[1])
    return distance if math.isfinite(distance) else math.inf


def _static(engine: Engine, segments: Sequence[int]) -> tuple[dict[str, Any], Callable[[], float]] | None:
    assert engine.static is not None
    for count in segments:
        solver = engine.static(count)
        solver.solve()
        off = error(solver.tip())
        if off <= ACCURACY:
            return {"segments": count, "error": off, "step": None, "seconds": None}, _timed_solve(solver)
    return None


def _timed_solve(solver: Static) -> Callable[[], float]:
    def job() -> float:
        solver.reset()
        return time_of(solver.solve)

    return job


def _running(
    engine: Engine, segments: Sequence[int], budget: float
) -> tuple[dict[str, Any], Callable[[], float]] | None:
    """The fewest segments for which some step is accurate, with the largest such step."""
    assert engine.running is not None
    for count in segments:
        for step in STEPS:
            runner = engine.running(count, step)
            runner.reset()
            if time_of(lambda: runner.run(3.0 * step)) / (3.0 * step) * PATIENCE > budget:  # noqa: B023
                break
            seconds, off = _settled(runner)
            if off <= ACCURACY:
                return {"segments": count, "error": off, "step": step, "seconds": seconds}, _timed(runner, seconds)
            if math.isfinite(off):
                # it rests elsewhere: there no step is small enough for so few segments
                break
    return None


def _timed(runner: Running, seconds: float) -> Callable[[], float]:
    def job() -> float:
        runner.reset()
        return time_of(lambda: runner.run(seconds))

    return job


def _settled(runner: Running) -> tuple[float, float]:
    """After how long the end rests [s], and how far off it is then [of the length]; infinite if it does not rest.

    At rest: within the accuracy at two looks in a row, or at two places that differ by a hundredth of it.
    """
    runner.reset()
    done, before = 0.0, math.inf
    while done < PATIENCE:
        runner.run(LOOK)
        done += LOOK
        now = error(runner.tip())
        if max(before, now) <= ACCURACY or abs(now - before) <= 0.01 * ACCURACY:
            return done - LOOK, before
        if math.isinf(now):
            break
        before = now
    return done, math.inf
