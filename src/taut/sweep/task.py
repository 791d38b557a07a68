"""One case: the scene with its values, run from start to end, measured. The same code here and on a cluster."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from taut.scene import Scene
    from taut.simulation import Simulation

#: longest reason that is kept of a failed case [characters]
LONGEST_REASON = 400


@dataclass(frozen=True)
class Task:
    """What all cases of a sweep have in common: plain text and numbers, so that it travels to any worker."""

    scene: str
    """The scene as YAML."""
    names: tuple[str, ...]
    """What is varied: fields of the scene, or controls."""
    controls: tuple[str, ...]
    """Those of the names that are controls, set at the start of the run."""
    measures: tuple[tuple[str, str], ...]
    """What is measured: statistic and name."""
    seconds: float
    """Simulated time of a run [s]."""


class Outcome(NamedTuple):
    """What came of a case: a value for each measure, or the reason why there is none; and the time it took [s]."""

    values: tuple[float, ...]
    reason: str
    wall: float


@lru_cache(maxsize=4)
def _scene(text: str) -> Scene:
    from taut.scene import Scene

    return Scene.from_yaml(text)


def simulation_of(task: Task, row: Sequence[str]) -> Simulation:
    """The simulation of a case, ready to run. Raises SceneError and ValueError."""
    from taut.scene.units import NUMBER, parse
    from taut.simulation import Simulation

    given = dict(zip(task.names, row))
    changes = [f"{name}={value}" for name, value in given.items() if name not in task.controls]
    base = _scene(task.scene)
    sim = Simulation(base.with_overrides(changes) if changes else base)
    for name in task.controls:
        sim.controls[name] = parse(given[name], NUMBER)
    return sim


def run_case(task: Task, row: Sequence[str]) -> Outcome:
    """Run a case. What goes wrong in it is its outcome, never an exception: the other cases go on."""
    from taut.record.statistics import Measure, Watch
    from taut.scene import SceneError
    from taut.simulation import SimulationError

    begun = time.perf_counter()
    measures = [Measure(*measure) for measure in task.measures]
    nothing = (float("nan"),) * len(measures)
    try:
        sim = simulation_of(task, row)
        watch = Watch(sim, [measure.name for measure in measures])
        _run(sim, round(task.seconds / sim.dt), watch)
    except (SceneError, SimulationError, KeyError, ValueError, ArithmeticError, MemoryError) as error:
        return Outcome(nothing, _words(error), time.perf_counter() - begun)
    return Outcome(tuple(watch.value(measure).value for measure in measures), "", time.perf_counter() - begun)


def _run(sim: Simulation, steps: int, watch: Any) -> None:
    for _ in range(steps):
        sim.step()
        watch.note()


def _words(error: BaseException) -> str:
    return (" ".join(str(error).split()) or type(error).__name__)[:LONGEST_REASON]
