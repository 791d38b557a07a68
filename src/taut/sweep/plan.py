"""A sweep before it runs: the scene, what is varied, what is measured; checked as far as it can be."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from taut.record.statistics import Measure, measures_of
from taut.scene import Scene, SceneError
from taut.simulation import Simulation
from taut.sweep.cases import Cases, crossed, from_csv, grid, sampled
from taut.sweep.errors import SweepInput
from taut.sweep.ranges import variation
from taut.sweep.task import Task, simulation_of

#: what is measured when neither the command nor the scene names anything
_DEFAULT = ("residual.constraint",)


@dataclass(frozen=True)
class Plan:
    """Everything that decides the numbers of a sweep."""

    task: Task
    cases: Cases
    total: int
    """Cases in the whole table, of which `cases` may be a part."""
    seed: int
    units: tuple[str, ...]
    """Unit of each measure."""
    title: str

    @property
    def measures(self) -> tuple[str, ...]:
        """What is measured, as max(hoist.tension)."""
        return tuple(str(Measure(*measure)) for measure in self.task.measures)

    @property
    def fingerprint(self) -> str:
        """Two plans with the same one give the same numbers, case by case."""
        task = self.task
        told = [task.scene, task.names, task.controls, task.measures, task.seconds, self.cases.first, self.cases.rows]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:32]


def make_plan(
    scene: Scene,
    vary: Sequence[str] = (),
    *,
    sample: str | None = None,
    table: str | Path | None = None,
    cases: str | None = None,
    measures: Sequence[str] = (),
    seconds: float | None = None,
    seed: int = 0,
) -> Plan:
    """Check a request and lay out its cases. Raises SweepInput, SceneError and UnknownName.

    vary: texts such as load.mass=500:2000:10 or wind.speed=0,5,10. sample: lhs:200 draws from them instead of taking
    every combination. table: a CSV file of cases. cases: the part 0:100 of the table. measures: max(hoist.tension), ...;
    those of the scene if none. seconds: simulated time [s]. seed: of the sample.
    """
    whole = _table([variation(text) for text in vary], sample, table, seed)
    chosen = whole.part(cases) if cases is not None else whole
    text = scene.to_yaml()
    told = [name for item in measures for name in _separate(item)] or list(scene.measures) or list(_DEFAULT)
    length = float(scene.duration if seconds is None else seconds)
    controls = _controls(scene, whole)
    first = simulation_of(Task(text, whole.names, controls, (), length), whole.rows[0])
    found = list(dict.fromkeys(measure for item in told for measure in measures_of(item, first)))
    units = tuple(first.names[measure.name.partition("[")[0]].unit for measure in found)
    task = Task(text, whole.names, controls, tuple((m.statistic, m.name) for m in found), length)
    return Plan(task, chosen, len(whole), seed, units, scene.name)


def _table(variations: list, sample: str | None, table: str | Path | None, seed: int) -> Cases:
    if table is not None:
        if sample is not None:
            raise SweepInput("--sample draws cases and --table lists them: use one of them")
        listed = from_csv(Path(table))
        return crossed(listed, variations) if variations else listed
    if sample is not None:
        return sampled(variations, sample, seed)
    if not variations:
        raise SweepInput(
            "nothing is varied; name it with --vary load.mass=500:2000:10, or list cases with --table FILE"
        )
    return grid(variations)


def _separate(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _controls(scene: Scene, cases: Cases) -> tuple[str, ...]:
    """Names that are no fields of the scene but controls of the simulation. Raises SceneError for those that are neither."""
    found = []
    known: list[str] = []
    for name, value in zip(cases.names, cases.rows[0]):
        try:
            scene.with_overrides([f"{name}={value}"])
        except SceneError as error:
            known = known or list(Simulation(scene).controls)
            if name not in known:
                if known and any(name.partition(".")[0] == control.partition(".")[0] for control in known):
                    raise SceneError(
                        [*error.problems, *_hint(name, known)],
                    ) from None
                raise
            found.append(name)
    return tuple(found)


def _hint(name: str, known: list[str]) -> list:
    from taut.scene import Problem

    near = [control for control in known if control.partition(".")[0] == name.partition(".")[0]]
    return [Problem(f"its controls can be varied too: {', '.join(near)}", file=f"--vary {name}")]
