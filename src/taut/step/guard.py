"""Is the step one that can be trusted? Asked before it is committed, so that the bodies of a bad one are still untouched."""

from __future__ import annotations

import math

from taut.core.buffers import table
from taut.core.jit import kernel
from taut.core.model import BODY_NEW, BODY_PUSH, ROW_LAM

#: a body faster than this has run away [m/s]; nothing that hangs on a rope is
RUNAWAY = 1.0e6


@kernel
def first_bad_body(w):
    """Index of the first body whose new velocity is not finite or has run away, -1 when all is well."""
    new = table(w, BODY_NEW)
    for i in range(new.shape[0]):
        total = 0.0
        for k in range(3):
            total += abs(new[i, k]) + abs(new[i, 3 + k]) * 1e-3
        if not (math.isfinite(total) and total < RUNAWAY):
            return i
    return -1


@kernel
def copy_rows(source, target):
    """Keep or bring back everything but the bodies, which a step changes only when it is committed."""
    for i in range(source.at[ROW_LAM, 0], source.floats.shape[0]):
        target.floats[i] = source.floats[i]
    for i in range(source.ints.shape[0]):
        if target.ints[i] != source.ints[i]:  # most stay as they are: memory is read, not written
            target.ints[i] = source.ints[i]


@kernel
def copy_bodies(source, target):
    """Keep or bring back the bodies. They are the first fields of the state."""
    last = source.at[BODY_PUSH]
    for i in range(last[0] + last[1] * last[2]):
        target.floats[i] = source.floats[i]
