"""What the page shows of one moment, and who provides it: a running simulation or a recording."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

if TYPE_CHECKING:
    from taut.scene import Scene
    from taut.simulation import Simulation
    from taut.view.springs import Grip


#: name of the reading of the largest sag over span of layered cables
SAG = "sag_ratio"
#: names of the readings of an exercise: speed [m/s] and sway [m] of its load, and whether it touches anything [-]
COURSE_SPEED, COURSE_SWAY, COURSE_TOUCH = "course.speed", "course.sway", "course.touch"


@dataclass(frozen=True)
class Account:
    """Energies at one moment [J]; the potential counts from the start."""

    kinetic: float
    potential: float
    elastic: float
    lost: float


@dataclass(frozen=True)
class Rope:
    """A cable at one moment."""

    slack: np.ndarray
    """Rope beyond the path in each span; a single number is shared out by length [m]."""
    tension: np.ndarray
    """Tension in each span; empty where it is not known [N]."""
    bend: np.ndarray | None = None
    """Distance of each span from its chord at nine points between its ends [m], shape (spans, 9, 3); None: not layered."""
    loose: float | None = None
    """Length that hangs from its first end, where it is unhooked or has parted [m]; None: it is whole."""
    rings: np.ndarray | None = None
    """Masses of its surface, layer by layer [m], shape (layers, M, 3); None: not a honeycomb."""
    points: np.ndarray | None = None
    """Nodes of a rod [m], shape (n, 3); None: no rod."""
    course: np.ndarray | None = None
    """Points along a cable that wraps round things [m], shape (k, 3); None: its path follows from the poses."""
    course_tension: np.ndarray | None = None
    """Tension of each piece between them [N], shape (k - 1,); None: not known."""
    spans: np.ndarray | None = None
    """Of each span of a layered cable: tension at its upper and lower end [N], sag [m], first natural frequency [Hz], shape (spans, 4)."""

    twist: float | None = None
    """From end to end, over full turns [rad]; None: not known."""
    reached: str = ""
    """Which of its parts have run into each other, in words; empty: none."""

    @property
    def line(self) -> np.ndarray | None:
        """Points along a rod or a honeycomb [m], shape (n, 3); None: its path follows from the poses of bodies."""
        if self.points is not None:
            return self.points
        return None if self.rings is None else self.rings.mean(axis=1)


@dataclass(frozen=True)
class Forces:
    """Forces of one kind at one moment."""

    point: np.ndarray
    """Where they act [m], shape (n, 3)."""
    vector: np.ndarray
    """World axes [N], shape (n, 3)."""


@dataclass(frozen=True)
class Sides:
    """What hangs on a driven sheave at one moment: what its lever raises, then the other side."""

    bodies: tuple[str, str]
    """What hangs there; empty where nothing does."""
    tensions: tuple[float, float]
    """Of the rope at the sheave [N]."""
    grip: float
    """Share of its friction in use; at 1 the rope slips [-]."""


@dataclass(frozen=True)
class Machine:
    """A winch or a driven sheave at one moment."""

    signals: tuple[str, ...]
    """Machine signals that are on, see taut.measure.ropes.SIGNALS."""
    share: float | None = None
    """Of the load that is rated at its radius; None without a load-moment table [-]."""
    pull: float | None = None
    """Tension at its drum; None where it is not known [N]."""
    out: float | None = None
    """Rope that is out; None where it is not known [m]."""
    load: float | None = None
    """Mass that hangs on its hook, block included; None where that is not known [kg]."""
    sheave: Sides | None = None
    """Of a driven sheave, which has no end of rope; None: a drum."""


@dataclass(frozen=True)
class Hook:
    """A cable that is hooked on and off, at one moment."""

    on: bool
    """Whether it holds."""
    short: float
    """How far what it takes is out of its reach; zero or less: within [m]."""
    reach: float
    """How far it reaches beyond its length [m]."""
    pull: float = 0.0
    """Its tension while it holds [N]."""
    carries: bool = False
    """Whether it bears some of the weight of what it holds, which would fall without it."""

    @property
    def within_reach(self) -> bool:
        """Whether it would hold if it were asked to."""
        return self.on or self.short <= 0.0


@dataclass(frozen=True)
class Frame:
    """One moment, copied out of the simulation: nothing in it changes any more."""

    time: float
    """Simulated time [s]."""
    step: int
    """Steps made."""
    positions: np.ndarray
    """Origin of every body, in the order of the scene, links of chains last [m], shape (n, 3)."""
    orientations: np.ndarray
    """Orientation of every body, quaternion (w, x, y, z), shape (n, 4)."""
    slack: Mapping[str, float] = field(default_factory=dict)
    """Rope beyond the straight line, by the name of its distance joint [m]."""
    cables: Mapping[str, Rope] = field(default_factory=dict)
    """What is known of cables, chains and ropes between two points beyond their path, by name."""
    machines: Mapping[str, Machine] = field(default_factory=dict)
    """Winches by name."""
    hooks: Mapping[str, Hook] = field(default_factory=dict)
    """Hooks by the name of their control."""
    readings: Mapping[str, float] = field(default_factory=dict)
    """Health of the run by name, e.g. step.redone."""
    account: Account | None = None
    """Energies, where they are known."""
    values: Mapping[str, float] = field(default_factory=dict)
    """The chosen quantities by name, where they are known."""
    forces: Mapping[str, Forces] = field(default_factory=dict)
    """Forces by kind, 'contact' and 'joint', where they were asked for."""
    wind: np.ndarray | None = None
    """Velocity of the air at its reference height [m/s], shape (3,); None: no wind."""


@dataclass(frozen=True)
class Control:
    """Something a person may change while it runs."""

    name: str
    unit: str
    value: float


@dataclass(frozen=True)
class Progress:
    """How much of the solver is ready: compiled, or loaded where it was compiled before."""

    ready: int = 0
    total: int = 0
    stage: str = ""
    """The last one that was made ready."""


class Player(Protocol):
    """Moves through time and shows where it is. One thread uses it."""

    scene: Scene
    dt: float
    """Time between two moments [s]."""
    begins: float
    """Where it begins [s]."""
    duration: float | None
    """Where it ends [s]; None: never."""

    @property
    def time(self) -> float:
        """Where it is [s]."""

    @property
    def controls(self) -> list[Control]:
        """Controls with their values now."""

    @property
    def quantities(self) -> dict[str, str]:
        """Names that can be plotted, with their units."""

    def unit_of(self, name: str) -> str | None:
        """Unit of a quantity, also of a component that is not listed; None: there is none of that name."""

    def advance(self, steps: int) -> None:
        """Go on by so many steps. Raises SimulationError."""

    def reset(self) -> None:
        """Back to the start."""

    def seek(self, time: float) -> None:
        """Go to a moment, where that is possible [s]."""

    def set_control(self, name: str, value: float) -> None:
        """Change a control."""

    def frame(self, quantities: Sequence[str], account: bool, forces: bool = False) -> Frame:
        """This moment, with some quantities and, if asked, the energies and the forces."""

    def change(self, changes: Sequence[str]) -> None:
        """Go on with a changed scene from the present pose. Raises SceneError or ValueError."""

    def remade(self, changes: Sequence[str]) -> tuple[Simulation, float]:
        """A simulation of a scene in which cables have other models, from the present pose, and its potential energy at the
        start [J]. Raises SceneError or ValueError."""

    def pull(self, grip: Grip | None, target: np.ndarray | None = None) -> None:
        """Pull what is held to a target by a spring [m]; without them, let go."""

    def keep(self) -> Any:
        """The state of this moment, for `recall`; None if it cannot be kept."""

    def recall(self, kept: Any) -> None:
        """Go back to a state that was kept."""

    def value_then(self, quantity: str, frame: Frame, kept: Any) -> float | None:
        """What a quantity was at a moment that was kept; not a number where it was not known yet, None if nothing tells it."""
