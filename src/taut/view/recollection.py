"""What a quantity was at moments that were kept: read from their states, a few at a time, while the run goes on.

The state says where everything was, how fast, and how much every row held. What a step leaves in its scratch (where ropes bend round
wheels, how joints stood) is not kept. A quantity that needs it is taken from what was shown, if that tells it; if not, it
cannot be read back, and begins when it is chosen.
"""

from __future__ import annotations

import math
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from taut.core.buffers import Views
from taut.core.model import MODEL, STATE
from taut.measure.first import OF_A_STEP
from taut.simulation import position_rows

if TYPE_CHECKING:
    from taut.simulation import Simulation
    from taut.view.frame import Frame


class NotKept(AttributeError):
    """Something was asked for that no state tells."""


class Rows:
    """Of the scratch of a step only where the rows of joints and ropes lie: that is the same in every step of a compilation."""

    def __init__(self, work: Any = None) -> None:
        if work is not None:
            self.group_int = work.group_int.copy()

    def __getattr__(self, name: str) -> Any:
        raise NotKept(f"no state tells {name}")


class Recollection:
    """Reads quantities from states of a simulation without touching it."""

    def __init__(self, sim: Simulation) -> None:
        self.sim = sim
        self._then: Any = None

    def value(self, quantity: str, kept: Any, frame: Frame) -> float:
        """Of a moment that was kept; not a number where no step has found it yet. Raises NotKept."""
        sim = self._as_compiled(kept.compiled)
        state = sim.compiled.state
        state.floats[:], state.ints[:] = kept.floats, kept.ints
        name = quantity.partition("[")[0]
        if sim.steps == 0 and sim.names[name].unit in OF_A_STEP:
            return math.nan
        try:
            return float(sim.read(quantity))
        except NotKept:
            element, _, what = quantity.rpartition(".")
            rope = frame.cables.get(element)
            if what != "tension" or rope is None or not len(rope.tension):
                raise
            return float(rope.tension.max())

    def _as_compiled(self, compiled: Any) -> Any:
        """The simulation with a state of its own, to be filled."""
        if self._then is None or self._then[0] is not compiled:
            state = compiled.state
            own = replace(compiled, state=state._replace(floats=state.floats.copy(), ints=state.ints.copy()))
            sim: Any = copy(self.sim)
            sim.compiled, sim.state, sim.model = own, Views(STATE, own.state), Views(MODEL, own.model)
            # where rows lay while cables were divided otherwise is not known any more
            sim.work = Rows(self.sim.work if compiled is self.sim.compiled else None)
            sim.position_rows, sim.looked_up, sim._engine = position_rows(own), {}, None
            self._then = compiled, sim
        return self._then[1]
