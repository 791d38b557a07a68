"""From a compiled scene to machine code: the stages it needs, compiled or taken from the cache, and the call into them."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from taut.core.jit import CACHED, cache_directory
from taut.core.stage import MOST_STAGES, Context, compile_stage
from taut.step.pipeline import run as _run
from taut.step.stages import Features, Stage, features_of, functions_for

#: told as each stage is ready: (stages ready, stages in all, name of the last one)
Progress = Callable[[int, int, str], None]

#: what the second process compiles while this one compiles the rest: about half of the work
_BESIDE = (Stage.COLLIDE, Stage.ASSEMBLE, Stage.PLAN, Stage.DRIVE, Stage.STIFFEN, Stage.WIND)

_loaded: dict[Features, dict[Stage, Any]] = {}


class Engine:
    """The compiled stages bound to one simulation's arrays."""

    def __init__(self, compiled: Any, work: Any, backup: Any, progress: Progress | None = None) -> None:
        self._compiled, self._work, self._backup = compiled, work, backup
        self._stages = load_stages(features_of(compiled), progress)
        self._context = Context(compiled.model, compiled.state, work, compiled.settings, self._stages)

    def run(self, steps: int) -> tuple[int, int]:
        """Make `steps` steps; returns (steps made, status of the last one)."""
        settings = self._compiled.settings
        made, status = _run(
            self._stages, self._context.address, self._compiled.state, self._work, self._backup, settings.dt,
            settings.passes, steps,
        )  # fmt: skip
        return int(made), int(status)


def load_stages(features: Features, progress: Progress | None = None) -> np.ndarray:
    """Addresses of all stages, zero for those that are not needed. What is not in the cache is compiled, on two cores."""
    if features not in _loaded:
        functions = functions_for(features)
        marker = cache_directory() / f"ready-{hashlib.sha256(repr(features).encode()).hexdigest()[:12]}"
        helper = None
        order = list(functions)
        if CACHED and not marker.exists():
            helper = _compile_beside(features, [stage for stage in order if stage in _BESIDE])
            order.sort(key=lambda stage: stage in _BESIDE)
        ready: dict[Stage, Any] = {}
        for stage in order:
            if helper is not None and stage in _BESIDE:
                helper.wait()
                helper = None
            ready[stage] = compile_stage(functions[stage])
            if progress is not None:
                progress(len(ready), len(functions), stage.name.lower())
        if CACHED:
            marker.touch()
        _loaded[features] = ready
    addresses = np.zeros(MOST_STAGES, np.int64)
    for stage, unit in _loaded[features].items():
        addresses[stage] = unit.address
    return addresses


def _compile_beside(features: Features, stages: list[Stage]) -> subprocess.Popen[bytes] | None:
    """Fill the cache with these stages in a second process; should that fail, this process compiles them itself."""
    if not stages:
        return None
    task = json.dumps({"features": features._asdict(), "stages": [int(stage) for stage in stages]})
    try:
        return subprocess.Popen(
            [sys.executable, "-m", "taut.step.engine", task], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
    except OSError:
        return None


def _compile_task(task: str) -> None:
    """Body of the second process."""
    wanted = json.loads(task)
    given = wanted["features"]
    families = None if given["families"] is None else tuple(given["families"])
    features = Features(**{**given, "families": families})
    for stage, function in functions_for(features).items():
        if int(stage) in wanted["stages"]:
            compile_stage(function)


if __name__ == "__main__":
    _compile_task(sys.argv[1])
