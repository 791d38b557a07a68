"""A crane driven without mercy, step by step: how long its steps take, the worst ones above all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from taut.bench.display import Display
from taut.bench.timing import CLOCK
from taut.simulation import Simulation

#: steps between two moves of the hand
CHANGE = 90
MARKS = {"p50": 50.0, "p99": 99.0, "p99.9": 99.9, "max": 100.0}


def drive_roughly(sim: Simulation, random: np.random.Generator) -> None:
    """A hand on the controls that knows no mercy: full speed either way, dead stops, emergency stops."""
    for name in sim.controls:
        if name.endswith(".emergency"):
            sim.controls[name] = float(random.random() < 0.05)
        elif name.endswith(".speed"):
            sim.controls[name] = float(random.choice([-1.0, -0.5, 0.0, 0.0, 0.5, 1.0]))


def drive(
    display: Display, sim: Simulation, name: str, seconds: float, look: Callable[[], None] = lambda: None
) -> dict[str, Any]:
    """Drive for some simulated seconds and show the percentiles of a step [s]; `look` is called at every move."""
    sim.prepare()
    sim.run(10)
    random, steps = np.random.default_rng(1), round(seconds / sim.dt)
    times = np.empty(steps)
    with display.progress(f"driving the {name} for {seconds:.0f} s") as tell:
        for k in range(steps):
            if k % CHANGE == 0:
                drive_roughly(sim, random)
                tell(f"driving the {name}: {sim.time:.0f} of {seconds:.0f} s")
                look()
            start = CLOCK()
            sim.run(1)
            times[k] = CLOCK() - start
    found = {mark: float(np.percentile(times, place)) for mark, place in MARKS.items()}
    mean = float(times.mean())
    display.table(
        f"{name}, {seconds:.0f} s of rough driving, one step [us]", (*MARKS, "mean"),
        [[*(f"{1e6 * found[mark]:.1f}" for mark in MARKS), f"{1e6 * mean:.1f}"]],
    )  # fmt: skip
    return {**found, "mean": mean, "real_time_factor": sim.dt / mean, "steps": steps}
