"""From a compiled scene to machine code: the stages it needs, compiled or taken from the cache, and the call into them."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numba import typeof, types

from taut.core.buffers import Buffer
from taut.core.jit import CACHED, cache_directory
from taut.core.stage import MOST_STAGES, Context, compile_stage
from taut.step.pipeline import run as _run
from taut.step.stages import Features, Stage, features_of, functions_for

#: told as each stage is ready: (stages ready, stages in all, name of the last one)
Progress = Callable[[int, int, str], None]

#: processes that compile at a cold start, on a machine with so many cores
MOST_PROCESSES = 4
#: stages that take longest to compile; they are begun first, so that all processes end at about the same time
_LONGEST = (Stage.COLLIDE, Stage.REEVE, Stage.SOLVE, Stage.ASSEMBLE, Stage.PLAN, Stage.FACTORISE, Stage.SUBSTITUTE)

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
    """Addresses of all stages, zero for those that are not needed. What is not in the cache is compiled, on all cores."""
    if features not in _loaded:
        functions = functions_for(features)
        marker = cache_directory() / f"ready-{hashlib.sha256(repr(features).encode()).hexdigest()[:12]}"
        ready = _compile_together(features, progress) if CACHED and not marker.exists() else {}
        for stage, function in functions.items():
            if stage not in ready:
                ready[stage] = compile_stage(function)
                if progress is not None:
                    progress(len(ready), len(functions), stage.name.lower())
        if CACHED:
            marker.touch()
        _loaded[features] = ready
    addresses = np.zeros(MOST_STAGES, np.int64)
    for stage, unit in _loaded[features].items():
        addresses[stage] = unit.address
    return addresses


def _compile_together(features: Features, progress: Progress | None) -> dict[Stage, Any]:
    """Fill the cache with several processes, of which this is one; returns what this one has compiled.

    Should another process fail, its stages are not in the cache and are compiled by who asks for them next.
    """
    ready: dict[Stage, Any] = {}
    functions = functions_for(features)
    with tempfile.TemporaryDirectory(prefix="taut-", ignore_cleanup_errors=True) as folder:
        claims = Path(folder)
        others = _start_others(features, claims)
        for stage in _claim(functions, claims):
            ready[stage] = compile_stage(functions[stage])
            if progress is not None:
                done = len(list(claims.iterdir())) - len(others)
                progress(max(done, len(ready)), len(functions), stage.name.lower())
        _compile_run()
        for process in others:
            process.wait()
    return ready


def _compile_run() -> None:
    """Compile the page of the step for the arguments that `Engine.run` gives it."""
    buffer = typeof(Buffer(np.zeros(0), np.zeros(0, np.int64), np.zeros((0, 3), np.int64)))
    number, real = types.int64, types.float64
    _run.compile((number[::1], number, buffer, buffer, buffer, real, number, number))


def _claim(stages: Iterable[Stage], claims: Path) -> Iterator[Stage]:
    """Stages that no other process has begun, longest first. A file says that a stage is taken."""
    for stage in sorted(stages, key=lambda stage: _LONGEST.index(stage) if stage in _LONGEST else len(_LONGEST)):
        try:
            (claims / stage.name).touch(exist_ok=False)
        except FileExistsError:
            continue
        yield stage


def _start_others(features: Features, claims: Path) -> list[subprocess.Popen[bytes]]:
    """The other processes: one for each further core."""
    command = [sys.executable, "-m", "taut.step.engine", json.dumps(features), str(claims)]
    started: list[subprocess.Popen[bytes]] = []
    for _ in range(min(os.cpu_count() or 1, MOST_PROCESSES) - 1):
        try:
            started.append(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        except OSError:
            break
    return started


def _help(features: str, claims: str) -> None:
    """Body of another process."""
    given = Features(*json.loads(features))
    given = given._replace(families=None if given.families is None else tuple(given.families))
    functions = functions_for(given)
    for stage in _claim(functions, Path(claims)):
        compile_stage(functions[stage])


if __name__ == "__main__":
    _help(*sys.argv[1:])
