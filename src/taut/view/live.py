"""A running simulation as the page sees it."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from taut.measure import poses
from taut.scene import Distance, Scene
from taut.simulation import Simulation
from taut.view.frame import Account, Control, Frame

#: shown beside the clock
READINGS = ("step.redone", "residual.relative", "residual.constraint")
#: names offered for the plot; more than that nobody finds anything in
MOST_NAMES = 400
MOST_COMPONENTS = 4


class LivePlayer:
    """Steps a simulation and copies out what is to be shown."""

    duration: float | None = None

    def __init__(self, scene: Scene, progress: Callable[[int, int, str], None] | None = None) -> None:
        """Compile what the scene needs, or load what was compiled before; `progress` hears (ready, total, name)."""
        self.scene = scene
        self.sim = Simulation(scene)
        self.dt = self.sim.dt
        self.sim.prepare(progress)
        self._count = len(self.sim.compiled.bodies.names) - 1
        self._ropes = [name for name, joint in scene.joints.items() if isinstance(joint, Distance) and joint.rope]
        self._base = float(self.sim.read("energy.potential"))

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self.sim.time

    @property
    def controls(self) -> list[Control]:
        """Controls of the scene with their values now."""
        values = self.sim.controls
        return [Control(name, values.unit(name), values[name]) for name in values]

    @property
    def quantities(self) -> dict[str, str]:
        """Names that can be plotted, with their units: those the scene asks for first."""
        found: dict[str, str] = {}
        for quantity in self.sim.names.values():
            if quantity.size == 0:
                found[quantity.name] = quantity.unit
            for k in range(min(quantity.size, MOST_COMPONENTS)):
                found[f"{quantity.name}[{k}]"] = quantity.unit
        first = [name for name in self.scene.measures if name in found]
        ordered = dict.fromkeys([*first, *found])
        return {name: found[name] for name in list(ordered)[:MOST_NAMES]}

    def advance(self, steps: int) -> None:
        """Make so many steps. Raises SimulationError."""
        self.sim.run(steps)

    def reset(self) -> None:
        """Back to the start, controls included."""
        self.sim.reset()

    def seek(self, time: float) -> None:
        """A simulation only goes forward: nothing happens."""

    def set_control(self, name: str, value: float) -> None:
        """Change a control from the next step on."""
        self.sim.controls[name] = value

    def frame(self, quantity: str, account: bool) -> Frame:
        """This moment."""
        sim = self.sim
        return Frame(
            time=sim.time,
            step=sim.steps,
            positions=poses.positions(sim)[: self._count].astype(np.float32),
            orientations=poses.orientations(sim)[: self._count].astype(np.float32),
            slack={name: self._slack(name) for name in self._ropes},
            readings={name: float(sim.read(name)) for name in READINGS},
            account=self._account() if account else None,
            value=_number(sim.read(quantity)) if quantity else None,
        )

    def _account(self) -> Account:
        read = self.sim.read
        return Account(
            kinetic=float(read("energy.kinetic")),
            potential=float(read("energy.potential")) - self._base,
            elastic=float(read("energy.elastic")),
            lost=float(read("energy.dissipated")),
        )

    def _slack(self, name: str) -> float:
        """Rope that is paid out beyond the straight line [m]."""
        if self.sim.steps == 0 or self.sim.read(f"{name}.tension") > 0.0:
            return 0.0
        return float(self.sim.read(f"{name}.violation"))


def _number(value: object) -> float:
    """A single number; not a number where there is none."""
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return math.nan
    return number
