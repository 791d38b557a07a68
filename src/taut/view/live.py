"""A running simulation as the page sees it."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from taut.cables.massless.columns import W_LENGTH, W_SEGMENT
from taut.measure import courses, poses, ropes, waves
from taut.measure.names import name_in
from taut.scene import Distance, Scene
from taut.simulation import Simulation
from taut.view.frame import SAG, Account, Control, Frame, Rope

#: shown beside the clock
READINGS = ("step.redone", "residual.relative")
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
        self._segmented = list(scene.strands())
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
        first = [name for text in self.scene.measures if (name := name_in(text)) in found]
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
            cables={name: self._cable(name) for name in self.scene.ropes()} | self._strands(),
            readings={name: float(sim.read(name)) for name in READINGS} | self._sag(),
            account=self._account() if account else None,
            value=_number(sim.read(quantity)) if quantity else None,
        )

    def _sag(self) -> dict[str, float]:
        """Largest sag over span, where there are layered cables."""
        layered = [name for name, cable in self.scene.cables.items() if cable.model == "layered"]
        return {SAG: max(waves.sag_ratio(self.sim, name) for name in layered)} if layered else {}

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

    def _strands(self) -> dict[str, Rope]:
        """Tension along the segmented cables."""
        if self.sim.steps == 0:
            return {}
        return {name: Rope(np.zeros(0), self.sim.read(f"{name}.tensions")) for name in self._segmented}

    def _cable(self, name: str) -> Rope:
        """Slack and tension of every span of a cable."""
        sim = self.sim
        place = sim.work.part_place[ropes.parts(sim, name)][:-1]
        run = place[:, W_SEGMENT].astype(int)
        if waves.is_layered(sim, name):
            return Rope(np.zeros(len(run)), waves.end_tensions(sim, name).max(axis=1), waves.bend(sim, name))
        if sim.steps == 0:
            return Rope(np.zeros(len(run)), np.zeros(len(run)), None, *self._course(name, ropes.tensions(sim, name)))
        tension, over = ropes.tensions(sim, name), np.maximum(0.0, -sim.state.row_phi[ropes.rows(sim, name)])
        whole = np.bincount(run, place[:, W_LENGTH], len(tension))
        # below a tenth of a millimetre it is a taut rope without load
        slack = np.where((tension <= 0.0) & (over > 1e-4), over / np.maximum(whole, 1e-9), 0.0)
        return Rope(slack[run] * place[:, W_LENGTH], tension[run], None, *self._course(name, tension))

    def _course(self, name: str, tension: np.ndarray) -> tuple[np.ndarray | None, np.ndarray | None]:
        """Course and its tension of a cable that wraps round things."""
        if not courses.wraps_round(self.scene.ropes()[name]):
            return None, None
        return courses.course(self.sim, name), tension[courses.course_rows(self.sim, name)]


def _number(value: object) -> float:
    """A single number; not a number where there is none."""
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return math.nan
    return number
