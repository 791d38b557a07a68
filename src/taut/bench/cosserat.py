"""The independent ranking of cosseratbench: its experiments with our segmented cable and every solver that is installed."""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Sequence
from typing import Any

from taut.bench.display import Display

#: its experiments: a cable alone, then cables that touch
EXPERIMENTS = ("cantilever", "catenary", "pendulum", "twist", "capstan", "crossing", "pile")
NAME = "taut"
#: not shown: how far a run had settled
ASIDE = ("settling_residual",)
#: shown, but not ranked: a heap has no true height, width or number of contacts (cosseratbench calls it an exploration)
NO_TRUTH = ("contacts", "footprint", "pile_height")


def run(
    display: Display, experiments: Sequence[str] = EXPERIMENTS, solvers: Sequence[str] | None = None
) -> dict[str, Any]:
    """Run, show, and hand back the numbers; without cosseratbench there is nothing to run."""
    if importlib.util.find_spec("cosseratbench") is None:
        display.note("not run: cosseratbench is not installed (extra peers)")
        return {"missing": "cosseratbench"}
    found: dict[str, Any] = {}
    absent = _solvers(solvers)[1]
    with display.progress("running the experiments") as progress:
        for name in experiments:
            for solver, made in _solvers(solvers)[0].items():
                progress(f"{name}, {solver}")
                found.setdefault(name, {})[solver] = _outcome(name, made)
    for name, rows in found.items():
        metrics = sorted({metric for row in rows.values() for metric in row["metrics"] if metric not in ASIDE})
        display.table(
            f"{name}: errors as cosseratbench scores them, and time without its warm-up",
            ("solver", *metrics, "wall [s]", ""),
            [
                (
                    solver,
                    *(_shown(row["metrics"].get(metric)) for metric in metrics),
                    _shown(row["wall"]),
                    row["trouble"],
                )
                for solver, row in rows.items()
            ],
        )
    places = ranking(found)
    display.table(
        "ranking: mean place over all errors of all experiments (1 is best; what was not run or failed is last there)",
        ("solver", "mean place", "first", "experiments"),
        [
            (
                row["solver"],
                f"{row['place']:.2f}",
                f"{row['first']} of {row['scores']}",
                f"{row['done']} of {len(found)}",
            )
            for row in places
        ],
    )
    for solver, reason in absent.items():
        display.note(f"not compared: {solver} ({reason})")
    return {"experiments": found, "ranking": places, "unranked": NO_TRUTH, "missing": absent}


def ranking(found: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Solvers by their mean place over all errors: smallest error first, equal ones share the better place."""
    solvers = sorted({solver for rows in found.values() for solver in rows})
    places: dict[str, list[int]] = {solver: [] for solver in solvers}
    for rows in found.values():
        for metric in sorted({m for row in rows.values() for m in row["metrics"] if m not in ASIDE + NO_TRUTH}):
            scores = {solver: _score(rows.get(solver), metric) for solver in solvers}
            for solver in solvers:
                places[solver].append(1 + sum(other < scores[solver] for other in scores.values()))
    done = {s: sum(bool(rows.get(s, {}).get("metrics")) for rows in found.values()) for s in solvers}
    table = [
        {"solver": s, "place": sum(own) / max(len(own), 1), "first": own.count(1), "scores": len(own), "done": done[s]}
        for s, own in places.items()
    ]
    return sorted(table, key=lambda row: row["place"])


def _score(row: dict[str, Any] | None, metric: str) -> float:
    value = None if row is None else row["metrics"].get(metric)
    return abs(value) if value is not None and math.isfinite(value) else math.inf


def _solvers(wanted: Sequence[str] | None) -> tuple[dict[str, Any], dict[str, str]]:
    """Ours first, then what cosseratbench finds; and those that cannot be loaded, with the reason."""
    from importlib.metadata import entry_points

    from taut.bench.peers.cosserat import Taut

    made: dict[str, Any] = {NAME: Taut()}
    absent: dict[str, str] = {}
    for entry in entry_points(group="cosseratbench.solvers"):
        if entry.name != NAME and (wanted is None or entry.name in wanted):
            try:
                made[entry.name] = entry.load()()
            except Exception as error:  # a peer that is not installed, or not for this version of its library
                absent[entry.name] = str(error)
    return made, absent


def _outcome(name: str, solver: Any) -> dict[str, Any]:
    from cosseratbench import Experiment
    from cosseratbench import run as simulate

    module = importlib.import_module(f"cosseratbench.experiments.{name}")
    experiment = next(value for value in vars(module).values() if isinstance(value, Experiment))
    try:
        result = simulate(experiment, solver)
    except Exception as error:  # a peer's failure is a result here
        return {"metrics": {}, "wall": None, "trouble": f"{type(error).__name__}: {error}"[:80]}
    trouble = result.failure or (f"cannot: {', '.join(result.missing)}" if result.missing else "")
    return {"metrics": dict(result.metrics or {}), "wall": result.wall_time, "trouble": trouble[:80]}


def _shown(value: float | None) -> str:
    return "-" if value is None or not math.isfinite(value) else f"{value:.3g}"
