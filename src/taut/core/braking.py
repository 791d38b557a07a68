"""How fast one may go towards a limit."""

from __future__ import annotations

import math

from taut.core.jit import kernel


@kernel
def brakeable(way, slowing, h):
    """Largest speed from which one stops within a way."""
    if way <= 0.0:
        return 0.0
    if math.isinf(way) or math.isinf(slowing):
        return way / h
    # in steps of h: v h + (v - a h) h + ... = way
    return min(slowing * (math.sqrt(0.25 * h * h + 2.0 * way / slowing) - 0.5 * h), way / h)
