"""The last stage: is the new state one that can be trusted?"""

from __future__ import annotations

import math

from taut.core.buffers import table
from taut.core.jit import kernel
from taut.core.model import BODY_POS, BODY_VEL

#: a body faster than this has run away [m/s]; nothing that hangs on a rope is
RUNAWAY = 1.0e6


@kernel
def first_bad_body(s):
    """Index of the first body that is not finite or has run away, -1 when all is well."""
    pos, vel = table(s, BODY_POS), table(s, BODY_VEL)
    for i in range(pos.shape[0]):
        total = 0.0
        for k in range(3):
            total += abs(pos[i, k]) * 1e-9 + abs(vel[i, k]) + abs(vel[i, 3 + k]) * 1e-3
        if not (math.isfinite(total) and total < RUNAWAY):
            return i
    return -1


@kernel
def copy_state(source, target):
    """Keep or bring back a whole state."""
    for i in range(source.floats.shape[0]):
        target.floats[i] = source.floats[i]
    for i in range(source.ints.shape[0]):
        target.ints[i] = source.ints[i]
