"""Running a simulation step by step and keeping what is looked at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from taut.compile import frames
from taut.core.codes import BALL
from taut.core.model import J_A, J_ARM_A, J_ARM_B, J_B, J_KIND
from taut.simulation import Simulation, SimulationError

Array = np.ndarray
Probe = str | Callable[[Simulation], Any]


class Watched:
    """Values over time: `watched["load.position"]` has one row per sample. `lost` is the time of failure, if any."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._values: dict[str, list[Any]] = {name: [] for name in ("time", *names)}
        self.lost: float | None = None

    def note(self, name: str, value: Any) -> None:
        """Keep a value."""
        self._values[name].append(value)

    def __getitem__(self, name: str) -> Array:
        return np.array(self._values[name], float)

    @property
    def time(self) -> Array:
        """Times of the samples [s]."""
        return self["time"]


def watch(
    sim: Simulation,
    seconds: float,
    probes: Mapping[str, Probe],
    *,
    every: int = 1,
    until: Callable[[Watched], bool] | None = None,
) -> Watched:
    """Run and sample every so many steps; ends early when a step cannot be made or `until` says so."""
    watched = Watched(tuple(probes))
    for _ in range(round(seconds / sim.dt / every)):
        try:
            sim.run(every)
        except SimulationError:
            watched.lost = sim.time
            break
        watched.note("time", sim.time)
        for name, probe in probes.items():
            watched.note(name, sim.read(probe) if isinstance(probe, str) else probe(sim))
        if until is not None and until(watched):
            watched.lost = sim.time
            break
    return watched


def separations(sim: Simulation) -> Array:
    """Distance between the two points of every ball joint, from the poses as they are [m]."""
    table, state = sim.compiled.joints, sim.state
    balls = table.integers[:, J_KIND] == BALL
    points = []
    for side, arm in ((J_A, J_ARM_A), (J_B, J_ARM_B)):
        body = table.integers[balls, side]
        points.append(state.body_pos[body] + frames.rotate(state.body_quat[body], table.frames[balls, arm : arm + 3]))
    return np.linalg.norm(points[1] - points[0], axis=1)


def separation(sim: Simulation) -> float:
    """The largest of them [m]."""
    return float(separations(sim).max(initial=0.0))
