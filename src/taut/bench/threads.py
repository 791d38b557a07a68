"""Simulations side by side in threads: a step holds no interpreter lock, so two cores make two simulations."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def scaling(sims: Sequence[Any], steps: int, rounds: int = 3) -> dict[str, float]:
    """Time of `steps` steps of every simulation one after the other, and all at once in threads of their own [s].

    `factor` is the ratio: the number of simulations where there are cores enough, 1 where a lock is held.
    """
    serial, parallel = float("inf"), float("inf")
    with ThreadPoolExecutor(len(sims)) as pool:
        for _ in range(rounds):
            start = time.perf_counter()
            for sim in sims:
                sim.run(steps)
            middle = time.perf_counter()
            list(pool.map(lambda sim: sim.run(steps), sims))
            serial, parallel = min(serial, middle - start), min(parallel, time.perf_counter() - middle)
    return {"threads": len(sims), "serial": serial, "parallel": parallel, "factor": serial / parallel}
