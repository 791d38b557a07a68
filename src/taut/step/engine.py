"""From a compiled scene to machine code: the stages it needs, compiled or taken from the cache, and the call into them."""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import subprocess
import sys
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from taut.core.collecting import no_collection
from taut.core.jit import STEP_FOLDERS, kept_at
from taut.core.locks import held
from taut.core.model import COUNTER, STEPS
from taut.core.objects import ObjectCode, load_object, read_object, write_object
from taut.core.order import Stage
from taut.core.stage import MOST_STAGES, Context
from taut.step.features import OUTSIDE, Form, features_of, stages_for, stages_later
from taut.step.status import LACKING

#: told as each stage is ready: (stages ready, stages in all, name of the last one)
Progress = Callable[[int, int, str], None]

#: processes that compile at a cold start, on a machine with so many cores
MOST_PROCESSES = 4
#: stages that take longest to compile; they are begun first, so that all processes end at about the same time
_LONGEST = (
    Stage.ROD_LEAN,
    Stage.COLLIDE,
    Stage.REEVE,
    Stage.SOLVE,
    Stage.RUB,
    Stage.CONES,
    Stage.FACTORISE,
    Stage.SUBSTITUTE,
    Stage.PLAN,
    Stage.PAY,
    Stage.ASSEMBLE,
    Stage.YIELD,
)

#: a stage as Python calls it; the interpreter lock is not held meanwhile
STAGE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_double, ctypes.c_double)

_addresses: dict[tuple[Stage, Form], int] = {}


class Engine:
    """The compiled stages bound to one simulation's arrays."""

    def __init__(self, compiled: Any, work: Any, backup: Any, progress: Progress | None = None) -> None:
        self._compiled = compiled
        self._features = features_of(compiled)
        self.stages = load_stages(stages_for(self._features), progress)
        """Addresses of the stages, zero for those that are not needed."""
        self._context = Context(compiled.model, compiled.state, work, compiled.settings, self.stages, backup)
        self._address = self._context.address
        self._run = STAGE(int(self.stages[Stage.RUN]))
        at = compiled.state.at[COUNTER, 0] + STEPS
        self._steps = compiled.state.ints[at : at + 1]
        self._ahead: subprocess.Popen[bytes] | None = None

    def run(self, steps: int) -> tuple[int, int]:
        """Make `steps` steps; returns (steps made, status of the last one)."""
        before, made, status = int(self._steps[0]), 0, LACKING
        while status == LACKING:
            status = self._run(self._address, self._compiled.settings.dt, float(steps - made))
            made = int(self._steps[0]) - before
            if status == LACKING:
                self.complete()
        return made, status

    def complete(self) -> None:
        """Compile or load also what the scene may need while it runs."""
        self._add(self._later())

    def compile_ahead(self) -> None:
        """Have another process compile what the scene may need while it runs, so that no step has to wait for it; what is in the cache
        is loaded at once."""
        later = self._later()
        self._add({stage: form for stage, form in later.items() if _is_kept(stage, form)})
        if (absent := self._later()) and self._ahead is None and kept_at(STEP_FOLDERS) is not None:
            self._ahead = _start_other(absent, aside=True)
            if self._ahead is not None:
                weakref.finalize(self, _end, self._ahead)  # nobody waits for it any more

    def _later(self) -> dict[Stage, Form]:
        """What the scene may need while it runs and does not have."""
        return {stage: form for stage, form in stages_later(self._features).items() if self.stages[stage] == 0}

    def _add(self, forms: dict[Stage, Form]) -> None:
        added = load_stages(forms)
        self.stages[added != 0] = added[added != 0]


def load_stages(forms: dict[Stage, Form], progress: Progress | None = None) -> np.ndarray:
    """Addresses of stages, zero for those that are not asked for. What is not in the cache is compiled, on all cores."""
    if missing := {stage: form for stage, form in forms.items() if (stage, form) not in _addresses}:
        kept = _read_all(missing)
        if absent := {stage: form for stage, form in missing.items() if stage not in kept}:
            kept |= _compile_all(absent, progress)
        for stage, form in missing.items():
            _addresses[stage, form] = load_object(kept[stage])
    addresses = np.zeros(MOST_STAGES, np.int64)
    for stage, form in forms.items():
        addresses[stage] = _addresses[stage, form]
    return addresses


def _key(stage: Stage, form: Form) -> str:
    """Name of a stage in one of its forms."""
    return f"{stage.name.lower()}_{hashlib.sha256(repr(form).encode()).hexdigest()[:12]}"


def _file(stage: Stage, form: Form) -> Path | None:
    """Where a stage is kept; None where nothing can be."""
    folder = kept_at((*STEP_FOLDERS, OUTSIDE[stage]) if stage in OUTSIDE else STEP_FOLDERS)
    return None if folder is None else folder / f"{_key(stage, form)}.o"


def _is_kept(stage: Stage, form: Form) -> bool:
    """Whether a stage is loaded already, or in the cache."""
    file = _file(stage, form)
    return (stage, form) in _addresses or (file is not None and file.exists())


def _read_all(forms: dict[Stage, Form]) -> dict[Stage, ObjectCode]:
    """What is in the cache."""
    found: dict[Stage, ObjectCode] = {}
    for stage, form in forms.items():
        file = _file(stage, form)
        code = None if file is None else read_object(file)
        if code is not None:
            found[stage] = code
    return found


def _compile(stage: Stage, form: Form) -> ObjectCode:
    """Compile one stage and keep it."""
    from taut.core.compiler import compile_stage  # only here: a start from the cache imports no compiler
    from taut.step.stages import function_of

    code = compile_stage(function_of(stage, form), f"taut_{_key(stage, form)}")
    if (file := _file(stage, form)) is not None:
        write_object(file, code)
    return code


def _compile_all(forms: dict[Stage, Form], progress: Progress | None) -> dict[Stage, ObjectCode]:
    """Compile stages with several processes, of which this is one; other programs that start now do their share too.

    Should another process fail, its stages are not in the cache and are compiled here.
    """

    def tell(stage: Stage) -> None:
        if progress is not None:
            progress(
                sum(each in ready or _is_kept(each, form) for each, form in forms.items()),
                len(forms),
                stage.name.lower(),
            )

    ready: dict[Stage, ObjectCode] = {}
    if progress is not None:
        # the first ones are the longest: how many there are is told before one is ready
        progress(0, len(forms), "")
    with no_collection():
        others = _start_others(forms) if kept_at(STEP_FOLDERS) is not None else []
        for wait in (False, True):
            for stage, code in _compile_share({s: f for s, f in forms.items() if s not in ready}, wait):
                ready[stage] = code
                tell(stage)
        for process in others:
            process.wait()
    return ready


def _compile_share(forms: dict[Stage, Form], wait: bool) -> Iterator[tuple[Stage, ObjectCode]]:
    """Stages, longest first, compiled here unless another process has done it, or is at it: then it is left to that one, or waited for."""
    for stage in sorted(forms, key=lambda stage: _LONGEST.index(stage) if stage in _LONGEST else len(_LONGEST)):
        file = _file(stage, forms[stage])
        with held(None if file is None else file.with_suffix(".lock"), wait) as mine:
            if mine:
                yield stage, (read_object(file) if file is not None else None) or _compile(stage, forms[stage])


def _start_others(forms: dict[Stage, Form]) -> list[subprocess.Popen[bytes]]:
    """The other processes: one for each further core."""
    others = (_start_other(forms) for _ in range(min(os.cpu_count() or 1, MOST_PROCESSES, len(forms)) - 1))
    return [process for process in others if process is not None]


def _start_other(forms: dict[Stage, Form], aside: bool = False) -> subprocess.Popen[bytes] | None:
    """Another process that compiles stages into the cache; `aside`: with less right to a core than what runs. None where there can be none."""
    given = json.dumps({stage.name: form for stage, form in forms.items()})
    command = [sys.executable, "-m", "taut.step.engine", given, *(["aside"] if aside else [])]
    try:
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except OSError:
        return None


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    process.wait()


def _help(given: str, aside: str = "") -> None:
    """Body of another process."""
    if aside and hasattr(os, "nice"):
        os.nice(10)
    with no_collection():
        for _ in _compile_share({Stage[name]: tuple(form) for name, form in json.loads(given).items()}, wait=False):
            pass


if __name__ == "__main__":
    _help(*sys.argv[1:])
