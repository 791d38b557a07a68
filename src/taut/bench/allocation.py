"""Does a step take memory? Compiled code and interpreter are both asked."""

from __future__ import annotations

import tracemalloc
from importlib import import_module
from typing import Any

from numba.core.runtime import rtsys

#: numba's own counters of memory; they are off unless asked for
_counters: Any = import_module("numba.core.runtime._nrt_python")


def allocations(sim: Any, steps: int = 1000) -> dict[str, float]:
    """What `steps` steps in one call take beyond what a single step takes, per step.

    `compiled`: arrays taken by compiled code; `interpreter`: bytes at the peak, taken by Python.
    """
    sim.run(1)
    enabled = _counters.memsys_stats_enabled()
    if not enabled:
        _counters.memsys_enable_stats()
    tracing = tracemalloc.is_tracing()
    if not tracing:
        tracemalloc.start()
    try:
        _taken(sim, 1)
        one, many = _taken(sim, 1), _taken(sim, 1 + steps)
    finally:
        if not tracing:
            tracemalloc.stop()
        if not enabled:
            _counters.memsys_disable_stats()
    return {"compiled": (many[0] - one[0]) / steps, "interpreter": max(0, many[1] - one[1]) / steps, "steps": steps}


def _taken(sim: Any, steps: int) -> tuple[int, int]:
    """Arrays taken by compiled code, and bytes at the peak by Python, in one call of `run`."""
    before = rtsys.get_allocation_stats().alloc
    tracemalloc.reset_peak()
    start = tracemalloc.get_traced_memory()[0]
    sim.run(steps)
    return rtsys.get_allocation_stats().alloc - before, tracemalloc.get_traced_memory()[1] - start
