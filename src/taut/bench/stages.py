"""The stages of a step, called one by one from Python through their addresses, each timed by itself.

The order is that of `taut.step.pipeline`; scratch is our own, the state is the simulation's. FACTORISE and SUBSTITUTE
are called from within SOLVE, so they are called once more after it, which changes nothing, and timed there; what the
second call finds in the processor's cache is counted to SOLVE. Calls from Python add half a microsecond to each stage.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from taut.compile import make_work
from taut.core.buffers import Views
from taut.core.model import BUILT, WORK
from taut.core.order import Stage
from taut.core.stage import Context
from taut.step.engine import STAGE, load_stages
from taut.step.features import features_of, stages_for

#: most doublings of the plan's memory
POOL_DOUBLINGS = 8

BEFORE_SOLVE = (Stage.DRIVE, Stage.FORCES, Stage.WIND, Stage.COLLIDE, Stage.ASSEMBLE, Stage.BEND)
AFTER_SOLVE = (Stage.RELINEARISE, Stage.INTEGRATE, Stage.GUARD)


class Stages:
    """The stages of one simulation, and the best time of each so far."""

    def __init__(self, sim: Any) -> None:
        self._compiled = sim.compiled
        self._addresses = load_stages(stages_for(features_of(sim.compiled)))
        self._functions = {stage: STAGE(int(self._addresses[stage])) for stage in Stage if self._addresses[stage]}
        self.best: dict[Stage, float] = {}
        """Best time of each stage [s]."""
        self._scale = 1
        self._take_work()

    def _take_work(self) -> None:
        c = self._compiled
        work = make_work(c, self._scale)
        self._context = Context(c.model, c.state, work, c.settings, self._addresses)
        self.work: Any = Views(WORK, work)

    def call(self, stage: Stage) -> int:
        """Call one stage, if the scene has it; its result."""
        function = self._functions.get(stage)
        if function is None:
            return 0
        address, dt = self._context.address, self._compiled.settings.dt
        start = time.perf_counter()
        result = function(address, dt, 0.0)
        spent = time.perf_counter() - start
        self.best[stage] = min(self.best.get(stage, np.inf), spent)
        return int(result)

    def plan(self) -> None:
        """Build the elimination plan, with more memory if it asks for it."""
        for _ in range(POOL_DOUBLINGS):
            if self.call(Stage.PLAN) == 0:
                return
            self._scale *= 2
            self._take_work()
            self.up_to_rows()
        raise MemoryError("the elimination plan does not fit its memory")

    def up_to_rows(self) -> None:
        """Everything before the solve."""
        for stage in BEFORE_SOLVE:
            self.call(stage)

    def up_to_solve(self) -> None:
        """A step up to its solution, not yet committed."""
        self.up_to_rows()
        if self.work.count[BUILT] == 0:
            self.plan()
        self.call(Stage.STIFFEN)
        self.call(Stage.SOLVE)

    def step(self) -> None:
        """One step with one solve; factors and substitution timed by themselves besides."""
        self.up_to_solve()
        self.call(Stage.FACTORISE)
        self.call(Stage.SUBSTITUTE)
        for stage in AFTER_SOLVE:
            self.call(stage)

    def shares(self) -> dict[str, float]:
        """Best time of each stage of a step [s]; of SOLVE only what is not factorising and substituting."""
        found = {stage.name.lower(): self.best[stage] for stage in Stage if stage in self.best and stage != Stage.PLAN}
        inner = found["factorise"] + found["substitute"]
        found["solve"] = max(0.0, found["solve"] - inner)
        return found
