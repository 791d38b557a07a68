"""How far a run is from the reference, and whether that is good enough."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .case import Hoist
from .reference import Reference
from .trace import Trace, mean, period


@dataclass(frozen=True)
class Errors:
    """Relative errors of one run [-]; infinite when the run was lost."""

    period: float
    tension: float
    """Of the mean tension at the fixed point."""
    energy: float
    """Largest change of the total energy from its first sample, relative to the swing energy."""

    @property
    def good(self) -> bool:
        """Period within 0.5 %, mean tension and energy within 1 %."""
        return abs(self.period) <= 0.005 and abs(self.tension) <= 0.01 and self.energy <= 0.01


LOST = Errors(math.inf, math.inf, math.inf)


def score(trace: Trace, reference: Reference, hoist: Hoist) -> Errors:
    """Compare a recorded run with the reference."""
    if len(trace.time) < 4 or trace.time[-1] < hoist.seconds * (1.0 - 1e-9):
        return LOST
    errors = Errors(
        period(trace.time, trace.load_x) / reference.period - 1.0,
        mean(trace.time, trace.tension_top) / reference.mean_tension - 1.0,
        float(np.max(np.abs(trace.energy - trace.energy[0]))) / hoist.swing_energy,
    )
    return errors if math.isfinite(errors.period + errors.tension + errors.energy) else LOST
