"""A run from start to end, watched: statistics after every step, frames for the recorder, and a report."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from taut.measure.rims import Reached
from taut.record.errors import RecordError
from taut.record.interrupts import Interrupts
from taut.record.recorder import Recorder
from taut.record.report import EnergyBalance, Figure, Report
from taut.record.statistics import Measure, Watch

#: longest time between two calls of the progress function [s]
TICK = 0.05
_WATCHED = (
    "energy.kinetic", "energy.potential", "energy.elastic", "residual.constraint", "residual.relative",
    "residual.speed", "residual.cone",
)  # fmt: skip

Progress = Callable[[int, float], None]


class _Clock:
    """Time on the clock, step by step; the first step stands apart, it may have to be compiled."""

    def __init__(self) -> None:
        self.first = self.worst = self.total = 0.0
        self.steps = 0

    def note(self, taken: float) -> None:
        self.steps += 1
        if self.steps == 1:
            self.first = taken
            return
        self.total += taken
        self.worst = max(self.worst, taken)

    @property
    def mean(self) -> float:
        return self.total / (self.steps - 1) if self.steps > 1 else 0.0


def run(
    sim: Any,
    steps: int,
    measures: Sequence[Measure] = (),
    recorder: Recorder | None = None,
    progress: Progress | None = None,
    drive: Callable[[Any], None] | None = None,
) -> Report:
    """Make `steps` steps and report on them.

    A step that cannot be made, or Ctrl-C, ends the run early: the report says so and tells of what was made. A
    recording that fails ends, and the run goes on. `progress` hears of steps made and of the time they took [s]. `drive` is
    given the simulation before every step, to set its controls.
    """
    from taut.simulation import SimulationError

    watch = Watch(sim, [*_WATCHED, *(measure.name for measure in measures)])
    clock, reached = _Clock(), Reached()
    stopped, interrupted, recording_error = "", False, ""
    begun = time.perf_counter()
    last_tick = -TICK
    try:
        with Interrupts() as interrupts:
            for made in range(1, steps + 1):
                if drive is not None:
                    drive(sim)
                before = time.perf_counter()
                sim.step()
                now = time.perf_counter()
                clock.note(now - before)
                if made == 1:
                    begun = now
                    interrupts.wait()
                watch.note()
                reached.note(sim)
                if recorder is not None:
                    try:
                        recorder.take()
                    except RecordError as error:
                        recorder, recording_error = None, str(error)
                if progress is not None and (now - last_tick > TICK or made in (1, steps)):
                    last_tick = now
                    progress(made, now - begun)
                if interrupts.asked and made < steps:
                    interrupted = True
                    break
    except SimulationError as error:
        stopped = str(error)
    except KeyboardInterrupt:
        interrupted = True
    wall = time.perf_counter() - begun
    recording_error = recording_error or _last_frame(recorder)
    report = _report(sim, steps, watch, clock, wall if clock.steps > 1 else 0.0)
    report.figures = [Figure(m, watch.units[m.name], *watch.value(m)) for m in measures]
    report.reached = reached.words
    report.stopped, report.interrupted, report.recording_error = stopped, interrupted, recording_error
    return report


def _last_frame(recorder: Recorder | None) -> str:
    """Take the frame that an early end may have left out; returns what went wrong."""
    try:
        if recorder is not None:
            recorder.take()
    except RecordError as error:
        return str(error)
    return ""


def _report(sim: Any, asked: int, watch: Watch, clock: _Clock, wall: float) -> Report:
    worst = {name: max(0.0, tally.high) for name, tally in watch.tallies.items()}
    return Report(
        scene=sim.scene.name,
        dt=sim.dt,
        steps_asked=asked,
        steps=sim.steps,
        simulated=sim.time,
        wall=wall,
        first_step=clock.first,
        mean_step=clock.mean,
        worst_step=clock.worst,
        redone=int(sim.read("step.redone")),
        second_passes=int(sim.read("step.second_passes")),
        redundant_rows=int(sim.read("step.redundant_rows")),
        constraint_error=worst["residual.constraint"],
        residual=worst["residual.relative"],
        residual_speed=worst["residual.speed"],
        cone=worst["residual.cone"],
        energy=balance(sim, watch),
    )


def balance(sim: Any, watch: Watch) -> EnergyBalance:
    """The account of the energy; `watch` has followed the kinetic, potential and elastic part."""
    from taut.measure import energy

    kinetic, potential, elastic = (watch.tallies[f"energy.{kind}"] for kind in ("kinetic", "potential", "elastic"))
    supplied, dissipated = energy.supplied(sim), energy.dissipated(sim)
    moved = [supplied, dissipated]
    if kinetic.count:
        moved += [kinetic.high, potential.high - potential.low, elastic.high]
    return EnergyBalance(
        start=sim.start_energy,
        end=energy.mechanical(sim),
        supplied=supplied,
        dissipated=dissipated,
        geometric=energy.geometric(sim),
        carried=energy.carried(sim),
        remainder=energy.remainder(sim),
        scale=max(abs(part) for part in moved),
    )
