"""What is watched in a long run: each watch looks at the simulation now and then and keeps its worst."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from taut.cables.massless.columns import F_FLOW, F_STATUS, HELD, T_MASS, U_Z_LAST
from taut.cables.massless.drum import V_TRANSFER
from taut.core.codes import DISTANCE, POINT_ON_LINE, SLIDER
from taut.core.model import J_A, J_ARM_A, J_ARM_B, J_B, J_KIND, J_REST
from taut.measure import energy
from taut.measure.ropes import winch_of
from taut.scene import AngularLimits, LinearLimits, Winch

#: what is not accounted for, as a part of all energy that was moved to and fro. A step takes lengths and masses of rope as they are at
#: its start: of first order in the part of them that changes in it, 1.5 m/s for 1/60 s on a run of 25 m
ENERGY = 1e-3
#: rope that appears or vanishes between drum and parts [m]: two additions a step to lengths of 100 m, each rounded to 2e-16 of them,
#: add up to this in the 216,000 steps of an hour if all err to the same side
LENGTH = 1e-8
#: largest miss of a row [m/s]: a sixteenth of what gravity adds to a speed in a step, g h = 0.16 m/s. More could not be told from a
#: contact or a joint that carries less than its load
MISS = 1e-2
#: opening of a rigid joint [m] beyond what turning explains (`Openings`): what its row leaves of a miss in a step, MISS / 60, rounded up
OPENING = 2e-4
#: a rope may not push, but for round-off of its force [part of the largest tension]: sums of some hundred terms of 1e-12 of it at most
PUSH = 1e-9
#: how far past its end stop a joint may be carried [m or rad]: the way of a step at the 1 m/s or rad/s that the hand asks for
STOP = 0.02
#: rope past a winch's limit [m]: two steps at 1.5 m/s, in the first of which the limit is noticed
WINCH_STOP = 0.05
#: beyond motor, brake and what turns the drum faster, as a part of them: what the rounds of a slipping drum leave
#: (`cables.massless.transfers`), 1e-5 of the tension at most, which may be some times the force of the drum
PULL = 1e-4
#: how deep a body may be in another, as a speed [m/s]: what is hit in a step goes on for the rest of it before its own next contact is found.
#: Twice the speed at which the hand begins to hold back, or the fastest that is there, should that be more
DEPTH = 3.0
#: what memory may grow by once all is warm [bytes]: an hour that kept 40 bytes of each step would show
MEMORY = 8 * 2**20


@dataclass
class Watch:
    """One thing that must hold, the worst of it so far and when that was."""

    name: str
    unit: str
    limit: float
    reason: str
    look: Callable[[], float]
    #: called before the step after which it looks, by a watch that compares the two
    before: Callable[[], None] | None = None
    #: looks after every step instead of now and then
    always: bool = False
    worst: float = 0.0
    at: float = 0.0

    @property
    def passed(self) -> bool:
        """Whether the worst is within the limit."""
        return bool(np.isfinite(self.worst)) and self.worst <= self.limit

    def take(self, time: float) -> None:
        """Look, and keep it if it is the worst."""
        value = self.look()
        if not value <= self.worst:
            self.worst, self.at = value, time


@dataclass
class Throughput:
    """The energy account over a long run: what was moved in all, which the remainder is compared with."""

    sim: Any
    moved: float = 0.0
    last: tuple[float, ...] = field(default=())

    def __post_init__(self) -> None:
        # before anything has moved there is nothing to compare with: a hand's breadth of height of all that moves
        bodies = self.sim.compiled.bodies
        weight = float(bodies.mass[bodies.node_body].sum()) * float(np.linalg.norm(self.sim.scene.gravity))
        self.moved = 0.1 * weight + energy.kinetic(self.sim)

    def remainder(self) -> float:
        """What is not accounted for, relative to everything that was moved so far [-]."""
        parts = (energy.kinetic, energy.potential, energy.elastic, energy.supplied, energy.dissipated)
        now = tuple(part(self.sim) for part in parts)
        if self.last:
            self.moved += sum(abs(new - old) for new, old in zip(now, self.last))
        self.last = now
        return abs(energy.remainder(self.sim)) / self.moved if self.moved > 0.0 else 0.0


@dataclass
class Openings:
    """Rigid joints. A body goes straight on in a step while it turns by w h: a point at r from its centre is off by r (w h)^2 / 2 at the
    end, which its joint takes back in the next one; so is one that goes by v h across a rod of length l, by (v h)^2 / 2 l; and one that
    goes by v h along a rail is off by v h w h, for the rail has turned by w h meanwhile (half of Coriolis' way, the other half of which is
    in the rates). That is the order of the stepper; the rest is for the solve to explain. Openings are those that a step has found, which
    the one before it left: a trolley that has met its end stop since was still fast then."""

    sim: Any
    last: float = 0.0

    def note(self) -> None:
        """Before a step: what is explained by the rates that led here."""
        self.last = self._explained()

    def beyond(self) -> float:
        """Largest opening beyond what turning explains [m]."""
        return max(0.0, float(self.sim.read("residual.constraint")) - max(self.last, self._explained()))

    def _explained(self) -> float:
        joints, h = self.sim.compiled.joints, self.sim.dt
        if len(joints.integers) == 0:
            return 0.0
        velocity = self.sim.state.body_vel[:, :3]
        spin = np.linalg.norm(self.sim.state.body_vel[:, 3:], axis=1)
        a, b = joints.integers[:, J_A], joints.integers[:, J_B]
        lever_a = np.linalg.norm(joints.frames[:, J_ARM_A : J_ARM_A + 3], axis=1)
        lever_b = np.linalg.norm(joints.frames[:, J_ARM_B : J_ARM_B + 3], axis=1)
        off = 0.5 * h * h * (lever_a * spin[a] ** 2 + lever_b * spin[b] ** 2)
        past = np.linalg.norm(velocity[b] - velocity[a], axis=1) + lever_a * spin[a] + lever_b * spin[b]
        rod = joints.integers[:, J_KIND] == DISTANCE
        off[rod] += 0.5 * (h * past[rod]) ** 2 / np.maximum(joints.values[rod, J_REST], 1e-6)
        rail = np.isin(joints.integers[:, J_KIND], (SLIDER, POINT_ON_LINE))
        place, turn = self.sim.state.body_pos, self.sim.state.body_vel[:, 3:]
        away = place[b[rail]] - place[a[rail]]
        along = np.linalg.norm(velocity[b[rail]] - velocity[a[rail]] - np.cross(turn[a[rail]], away), axis=1)
        off[rail] += h * h * along * spin[a[rail]]
        return float(off.max())


@dataclass
class Depths:
    """Contacts, and the fastest body at this look and the one before."""

    sim: Any
    last: float = 0.0

    def beyond(self) -> float:
        """Depth of the deepest contact beside the way of a step [-]."""
        fastest = float(np.linalg.norm(self.sim.state.body_vel[:, :3], axis=1).max(initial=0.0))
        way = self.sim.dt * max(DEPTH, fastest, self.last)
        self.last = fastest
        return float(self.sim.read("contact.penetration")) / way


def watches_of(sim: Any) -> list[Watch]:
    """All that apply to a scene."""
    touches, openings = "contact.penetration" in sim.names, Openings(sim)
    return [
        Watch("state that is not finite", "-", 0.0, "a number that is none spoils all others", lambda: _not_finite(sim)),
        Watch("energy not accounted for", "-", ENERGY, "error of the steps over all energy moved", Throughput(sim).remainder),
        Watch("miss of a row", "m/s", MISS, "what the solve leaves in joints, ropes and contacts", lambda: float(sim.read("residual.speed")), always=True),
        Watch("opening of rigid joints", "m", OPENING, "beyond r (w h)^2 / 2, by which bodies that turn leave the straight line of a step", openings.beyond, before=openings.note),
        Watch("depth of contacts", "-", 1.0, "beside the way of a step at 3 m/s, or of the fastest body", Depths(sim).beyond if touches else lambda: 0.0),
        *_ropes(sim), *_winches(sim), *_stops(sim),
    ]  # fmt: skip


def _not_finite(sim: Any) -> float:
    """1 where a number is none, or a body is infinitely far or fast; limits that are not set are infinite by right."""
    state = sim.state
    moving = all(np.isfinite(part).all() for part in (state.body_pos, state.body_vel, state.body_quat, state.row_lam))
    # where a wrap was in the last step is not known when it is new, which is written as a number that is none
    none = np.isnan(sim.compiled.state.floats).sum() - np.isnan(state.wrap_state[:, U_Z_LAST]).sum()
    return 0.0 if moving and none == 0 else 1.0


def _ropes(sim: Any) -> Iterator[Watch]:
    names = list(sim.scene.ropes())
    if names:
        yield Watch("push of a rope", "-", PUSH, "ropes pull only", lambda: max(_push(sim, name) for name in names))
    counted = [(name, _wound(sim, name)) for name in names]
    kept = [Lengths(sim, name, wound) for name, wound in counted if wound is not None]
    if kept:
        yield Watch(
            "rope gained or lost", "m", LENGTH, "rope out and on drums is what there was",
            lambda: max(one.gained() for one in kept),
        )  # fmt: skip


@dataclass
class Lengths:
    """The rope of one cable: what is out and what is on its drums, since the first look. Of a rope that lies round or across things its
    length for a given tension is known with the first step only."""

    sim: Any
    rope: str
    drums: list[tuple[str, float]]
    start: float | None = None

    def gained(self) -> float:
        """How much more or less there is than at first [m]."""
        now = _total(self.sim, self.rope, self.drums)
        self.start = now if self.start is None else self.start
        return abs(now - self.start)


def _push(sim: Any, name: str) -> float:
    pulls = np.atleast_1d(sim.read(f"{name}.tensions"))
    return float(max(0.0, -pulls.min()) / max(1.0, pulls.max()))


def _wound(sim: Any, name: str) -> list[tuple[str, float]] | None:
    """Drums of a rope with their radius; None where layers make the radius change."""
    drums = [part for part in sim.scene.cables[name].parts() if isinstance(part, Winch)]
    if any(drum.layer_turns > 0.0 for drum in drums):
        return None
    return [(drum.name or name, float(drum.radius)) for drum in drums]


def _total(sim: Any, name: str, drums: list[tuple[str, float]]) -> float:
    on_drums = sum(radius * float(sim.read(f"{drum}.drum_angle")) for drum, radius in drums)
    return float(sim.read(f"{name}.rope_out")) + on_drums


def _winches(sim: Any) -> Iterator[Watch]:
    found = [
        (part.name or name, name, part)
        for name, cable in sim.scene.ropes().items()
        for part in cable.parts()
        if isinstance(part, Winch)
    ]
    ends = [Ends(sim, *one) for one in found if one[2].upper_limit is not None or one[2].lower_limit is not None]
    if ends:
        yield Watch(
            "rope past a winch's limit", "m", WINCH_STOP, "the drive slows down before it; an emergency stop may roll past",
            lambda: max(one.past() for one in ends),
        )  # fmt: skip
    strong = [Pull(sim, winch, max(part.force, part.brake)) for winch, _, part in found if part.force and part.brake]
    if strong:

        def begin() -> None:
            for one in strong:
                one.begin()

        yield Watch(
            "pull beyond motor and brake", "-", PULL, "they slip at their limit; the rest makes the drum turn faster",
            lambda: max(one.beyond() for one in strong), begin,
        )  # fmt: skip


@dataclass
class Pull:
    """What holds the rope of a winch. While its drum slips, the tensions T after and before it work against motor or brake F and the
    inertia of all that turns with it, m = J / r^2 and rope beside it:  T_after - T_before = F + m df/dt,  with the flow f of rope. Of a drum at an end
    of its rope one of them is zero."""

    sim: Any
    winch: str
    most: float
    flow: float = 0.0

    def begin(self) -> None:
        """Before the step that is looked at."""
        self.flow = float(self.sim.state.transfer_state[self._transfer(), F_FLOW])

    def beyond(self) -> float:
        """By how much motor or brake was stronger than it can be, as a part of it."""
        t, state = self._transfer(), self.sim.state
        force = self._tension(t, 1) - self._tension(t, 0)
        if state.transfer_state[t, F_STATUS] != HELD:
            faster = float(state.transfer_state[t, F_FLOW]) - self.flow
            force -= float(self.sim.model.transfer_law[t, T_MASS]) * faster / self.sim.dt
        return max(0.0, abs(force) / self.most - 1.0)

    def _transfer(self) -> int:
        return int(self.sim.model.winch_int[winch_of(self.sim, self.winch), V_TRANSFER])

    def _tension(self, t: int, side: int) -> float:
        state = self.sim.state
        row = int(state.transfer_row[t, side])
        return float(state.transfer_head[t, side]) - float(state.row_lam[row]) / self.sim.dt if row >= 0 else 0.0


@dataclass
class Ends:
    """The limits of a winch. While a brake closes or slips nothing holds the rope: what runs out then is no fault."""

    sim: Any
    winch: str
    rope: str
    part: Winch
    excused: bool = False

    def past(self) -> float:
        """How far past its limits the drive has brought the rope [m]."""
        out = float(self.sim.read(f"{self.rope}.rope_out"))
        low = self.part.upper_limit if self.part.upper_limit is not None else -np.inf
        high = self.part.lower_limit if self.part.lower_limit is not None else np.inf
        beyond = float(max(0.0, low - out, out - high))
        signals = (f"{self.winch}.emergency_signal", f"{self.winch}.slipping_signal")
        if any(float(self.sim.read(name)) for name in signals):
            self.excused = True
        elif beyond == 0.0:
            self.excused = False
        return 0.0 if self.excused else beyond


def _stops(sim: Any) -> Iterator[Watch]:
    """Joints with end stops, which are stiff but not harder than a step."""
    joints = []
    for name, spec in sim.scene.joints.items():
        limits = getattr(spec, "limits", None)
        quantity = {"slider": "travel", "hinge": "angle", "distance": "length"}.get(spec.type)
        if isinstance(limits, LinearLimits | AngularLimits) and quantity:
            low = -np.inf if limits.lower is None else limits.lower
            high = np.inf if limits.upper is None else limits.upper
            joints.append((f"{name}.{quantity}", float(low), float(high)))
    if joints:
        yield Watch(
            "past an end stop", "m or rad", STOP, "one step at full speed",
            lambda: max(max(0.0, low - float(sim.read(q)), float(sim.read(q)) - high) for q, low, high in joints),
        )  # fmt: skip


def memory() -> float | None:
    """Memory of this process now, or the most it has had where only that is known [bytes]; None where neither is."""
    try:
        with open("/proc/self/statm") as file:  # noqa: PTH123
            import os

            return float(int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE"))
    except (OSError, ValueError):
        pass
    try:
        import resource
    except ModuleNotFoundError:
        return None
    unit = 1 if sys.platform == "darwin" else 1024
    return float(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit)
