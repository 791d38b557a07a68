"""A running simulation as the page sees it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from taut.cables.massless.columns import W_LENGTH, W_SEGMENT
from taut.cables.massless.drum import V_ROPE
from taut.compile.reweigh import reweigh
from taut.core.model import C_POINT
from taut.measure import air, contacts, courses, energy, joints, poses, rims, ropes, waves
from taut.measure.first import OF_A_STEP
from taut.measure.names import name_in
from taut.scene import Distance, Scene
from taut.scene.cables import Cable
from taut.simulation import Simulation, Snapshot
from taut.view.frame import (
    COURSE_SPEED,
    COURSE_SWAY,
    COURSE_TOUCH,
    SAG,
    Account,
    Control,
    Forces,
    Frame,
    Hook,
    Machine,
    Rope,
)
from taut.view.hauling import Haul, length_of, set_length
from taut.view.made import Made
from taut.view.recollection import NotKept, Recollection
from taut.view.sliders import driven_sheaves, without_lever
from taut.view.springs import Grip, SpanSpring, Spring, hold

#: shown beside the clock
READINGS = ("step.redone", "residual.relative")
#: names offered for the plot; more than that nobody finds anything in
MOST_NAMES = 400
MOST_COMPONENTS = 4
#: joints whose forces are shown
MOST_JOINTS = 100
#: a hook whose rope pulls with more than this share of the weight of what it holds carries it
BORNE = 0.05


class Moment(NamedTuple):
    """A state to go back to."""

    floats: np.ndarray
    ints: np.ndarray
    compiled: Any
    rests: np.ndarray  # of the joints between two points [m]
    hauls: tuple[Haul, ...]


class LivePlayer:
    """Steps a simulation and copies out what is to be shown."""

    begins = 0.0
    duration: float | None = None

    def __init__(
        self,
        source: Scene | Simulation,
        progress: Callable[[int, int, str], None] | None = None,
        made: Made | None = None,
    ) -> None:
        """Compile what the scene needs, or load what was compiled before; `progress` hears (ready, total, name). A
        simulation goes on from where it stands; `made` tells what was changed of it before."""
        self.sim = source if isinstance(source, Simulation) else Simulation(source)
        self.scene = scene = source.scene if isinstance(source, Simulation) else source
        self._written = scene if made is None else made.scene
        self._spring: Spring | None = None
        self._grip: Grip | None = None
        self._target = np.zeros(3)
        self._hauls: list[Haul] = []
        self._heir: Simulation | None = None
        self._reader: Recollection | None = None
        self._starts = _starts(self.sim)
        self._ties = [name for name, joint in scene.joints.items() if isinstance(joint, Distance)]
        self.dt = self.sim.dt
        self.sim.prepare(progress).compile_ahead()
        self._count = len(self.sim.compiled.bodies.names) - 1
        self._ropes = [name for name, joint in scene.joints.items() if isinstance(joint, Distance) and joint.rope]
        self._segmented = list(scene.strands())
        bodies = scene.all_bodies()
        kinds = [bodies[name].kind if name in bodies else "static" for name in self.sim.compiled.bodies.names]
        self._rests = np.array([kind == "static" for kind in kinds])
        self._joints = list(scene.joints)[:MOST_JOINTS]
        self._winches = [] if self.sim.compiled.ropes is None else list(self.sim.compiled.ropes.winch_names)
        self._sheaves = driven_sheaves(scene)
        self._without_lever = without_lever(scene)
        self._base = float(self.sim.read("energy.potential")) if made is None else made.base
        self._look_at_cables()

    def _look_at_cables(self) -> None:
        """What kinds of cables there are: a frame needs to know, and asking the scene each time would cost more than it."""
        self._cables = self.scene.ropes()
        self._wrapping = {name for name, cable in self._cables.items() if courses.wraps_round(cable)}
        self._hooks = [name for name, cable in self._cables.items() if cable.reach is not None]
        self._weights = {name: self._weight_on(self._cables[name]) for name in self._hooks}
        self._layered = [name for name, cable in self._cables.items() if cable.model in ("layered", "auto")]

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self.sim.time

    @property
    def controls(self) -> list[Control]:
        """Controls of the scene with their values now, less those that it wants no levers for."""
        values = self.sim.controls
        return [Control(name, values.unit(name), values[name]) for name in values if name not in self._without_lever]

    @property
    def quantities(self) -> dict[str, str]:
        """Names that can be plotted, with their units: those the scene asks for first."""
        found: dict[str, str] = {}
        for quantity in self.sim.names.values():
            if quantity.size == 0:
                found[quantity.name] = quantity.unit
            for k in range(min(quantity.size, MOST_COMPONENTS)):
                found[f"{quantity.name}[{k}]"] = quantity.unit
        asked = [name_in(text) for text in self.scene.measures]
        first = [
            name for one in asked for name in (one, *(f"{one}[{k}]" for k in range(MOST_COMPONENTS))) if name in found
        ]
        ordered = dict.fromkeys([*first, *sorted(found, key=_seldom)])  # in their order but for that
        return {name: found[name] for name in list(ordered)[:MOST_NAMES]}

    def advance(self, steps: int) -> None:
        """Make so many steps. Raises SimulationError."""
        if self._spring is not None:
            self._spring.pull(self._target)
        for _ in range(steps if self._hauls else 0):
            left = [haul for haul in self._hauls if haul.go_on(self.sim, self.dt)]
            self.sim.step()
            for haul in self._hauls:
                haul.book(self.sim)
            self._hauls, steps = left, steps - 1
        self.sim.run(steps)

    def change(self, changes: Sequence[str]) -> None:
        """Go on with a changed scene, all changes since the start at once, from the present pose. Raises SceneError, or
        ValueError where the change asks for other parts."""
        scene = self._written.with_overrides(changes) if changes else self._written
        self._let_go()
        made = Simulation(scene)
        lengths = {name: length_of(made, name) for name in (*scene.ropes(), *self._ties)}
        starts, base = _starts(made), float(made.read("energy.potential"))
        made.take_over(self.sim)
        for name, value in starts.items():
            if name in self._starts and self._starts[name] != value:  # such as that of the wind: not as it was
                made.controls[name] = value
        reweigh(self.sim.compiled, made.compiled)
        made.balance(energy.remainder(self.sim))
        made.prepare()
        self._hauls = self._to_haul(scene, made, lengths)
        if not np.array_equal(made.compiled.bodies.mass, self.sim.compiled.bodies.mass):
            self._base = base  # of the same start, of other masses
        self.sim, self.scene, self._starts = made, scene, starts
        self._look_at_cables()

    def _to_haul(self, scene: Scene, made: Simulation, lengths: dict[str, float]) -> list[Haul]:
        """Ropes and ties whose length was changed, or is still on its way; they have what they had before."""
        found = []
        on = {haul.name: haul.speed for haul in self._hauls}
        for name, length in lengths.items():
            if name in self._ties:
                set_length(made, name, length_of(self.sim, name))
                changed = length_of(made, name) != length
            else:
                changed = scene.cables[name].length != self.scene.cables[name].length
            if changed or name in on:
                found.append(Haul(name, length, on.get(name, 0.0)))
        return found

    def remade(self, changes: Sequence[str]) -> tuple[Simulation, float]:
        """A simulation of a scene in which cables have other models, from the present pose, and its potential energy at the
        start [J]. Raises SceneError, or ValueError for what cannot be taken over."""
        self._let_go()
        made = Simulation(self._written.with_overrides(changes) if changes else self._written)
        base = float(made.read("energy.potential"))
        made.go_on_from(self.sim)
        self._heir = made
        return made, base

    def pull(self, grip: Grip | None, target: np.ndarray | None = None) -> None:
        """Pull what is held to a target in the world by a spring [m]; without them, let go."""
        if grip is None or target is None:
            self._let_go()
            return
        if self._spring is None or self._grip is not grip:
            self._let_go()
            self._spring, self._grip = hold(self.sim, grip), grip
        self._target = target

    @property
    def pulling(self) -> np.ndarray:
        """Force of the pointer's spring [N], shape (3,)."""
        return np.zeros(3) if self._spring is None else self._spring.force

    def _let_go(self) -> None:
        if self._spring is not None:
            self._spring.rest()
        self._spring = self._grip = None

    def reset(self) -> None:
        """Back to the start, controls included."""
        self._let_go()
        self.sim.reset()
        for haul in self._hauls:
            set_length(self.sim, haul.name, haul.target)
        self._hauls = []

    def seek(self, time: float) -> None:
        """A simulation only goes forward: nothing happens."""

    def set_control(self, name: str, value: float) -> None:
        """Change a control from the next step on; also of a simulation that is to go on in place of this one."""
        self.sim.controls[name] = value
        if self._heir is not None:
            self._heir.controls[name] = value

    def keep(self) -> Moment:
        """The state of this moment; what the pointer holds is none of it."""
        if self._spring is not None:
            self._spring.rest()
        rests = np.array([length_of(self.sim, name) for name in self._ties])
        return Moment(*self.sim.snapshot(), rests, tuple(replace(haul) for haul in self._hauls))

    def recall(self, kept: Moment) -> None:
        """Go back to a state that was kept, and to what was being hauled then."""
        self._let_go()
        self.sim.restore(Snapshot(kept.floats, kept.ints, kept.compiled))
        for name, length in zip(self._ties, kept.rests.tolist()):
            set_length(self.sim, name, length)
        self._hauls = [replace(haul) for haul in kept.hauls]

    def value_then(self, quantity: str, frame: Frame, kept: Moment) -> float | None:
        """What a quantity was at a moment that was kept; not a number where no step had found it, None if nothing tells it."""
        if self._reader is None or self._reader.sim is not self.sim:
            self._reader = Recollection(self.sim)
        try:
            return self._reader.value(quantity, kept, frame)
        except NotKept:
            return None

    def frame(self, quantities: Sequence[str], account: bool, forces: bool = False) -> Frame:
        """This moment."""
        sim = self.sim
        return Frame(
            time=sim.time,
            step=sim.steps,
            positions=poses.positions(sim)[: self._count].astype(np.float32),
            orientations=poses.orientations(sim)[: self._count].astype(np.float32),
            slack={name: self._slack(name) for name in self._ropes},
            cables={name: self._cable(name) for name in self._cables}
            | self._strands()
            | self._rods()
            | self._lattices()
            | self._ties_and_chains(),
            machines={name: self._machine(name) for name in self._winches},
            hooks={f"{name}.hook": self._hook(name) for name in self._hooks},
            readings={name: float(sim.read(name)) for name in READINGS} | self._sag() | self._course(),
            account=self._account() if account else None,
            values={name: self._value(name) for name in quantities},
            forces=self._forces() if forces else {},
            wind=None if sim.scene.wind is None else air.wind(sim),
        )

    def unit_of(self, name: str) -> str | None:
        """Unit of a quantity, also of a component that is not listed; None: there is none of that name."""
        stem, bracket, number = name.partition("[")
        known = self.sim.names.get(stem)
        if known is None or bool(bracket) != bool(known.size):
            return None
        return known.unit if not bracket or int(number.rstrip("]")) < known.size else None

    def _value(self, quantity: str) -> float:
        """Of a quantity that is plotted; not a number where no step has found it yet."""
        if self.sim.steps == 0 and self.unit_of(quantity) in OF_A_STEP:
            return math.nan
        return _number(self.sim.read(quantity))

    def _forces(self) -> dict[str, Forces]:
        """Forces of contacts on what moves, and of joints, ties among them, on their second body."""
        sim = self.sim
        if sim.steps == 0:
            return {}
        found = {}
        if sim.state.contact_int.shape[0]:
            pair, force = contacts.vectors(sim)
            point = sim.state.contact_geometry[: len(pair), C_POINT : C_POINT + 3].copy()
            # what stands still is pressed by the other one
            found["contact"] = Forces(point, np.where(self._rests[pair[:, 1:]], -force, force))
        if self._joints:
            point = np.array([joints.points(sim, name)[1] for name in self._joints])
            found["joint"] = Forces(point, np.array([joints.force(sim, name) for name in self._joints]))
        return found

    def _sag(self) -> dict[str, float]:
        """Largest sag over span, where there are layered cables."""
        if not self._layered:
            return {}
        return {SAG: max(float(self.sim.read(f"{name}.sag_ratio")) for name in self._layered)}

    def _course(self) -> dict[str, float]:
        """What an exercise counts of its load, where there is one."""
        course, read = self.scene.view.course, self.sim.read
        if course is None:
            return {}
        force = read(f"{course.load}.contact_force") if self.sim.steps else np.zeros(3)
        return {
            COURSE_SPEED: float(read(f"{course.load}.speed")),
            COURSE_SWAY: float(read(f"{course.load}.sway")),
            COURSE_TOUCH: float(np.linalg.norm(force) > 0.0),
        }

    def _machine(self, name: str) -> Machine:
        """Signals of a winch, and how much of what is rated hangs on it; what hangs on both sides of a driven sheave."""
        signals = tuple(signal for signal, on in ropes.winch_signals(self.sim, name).items() if on)
        if (driven := self._sheaves.get(name)) is not None:
            if not self.sim.steps:
                return Machine(signals)
            return Machine(
                signals, sheave=driven.sides(ropes.drive_sides(self.sim, name), ropes.winch_grip(self.sim, name))
            )
        share = f"{name}.load_share"
        assert self.sim.compiled.ropes is not None
        rope = self.sim.compiled.ropes.names[int(self.sim.model.winch_int[ropes.winch_of(self.sim, name), V_ROPE])]
        return Machine(
            signals,
            float(self.sim.read(share)) if share in self.sim.names else None,
            max(0.0, ropes.winch_pull(self.sim, name)) if self.sim.steps else None,
            ropes.rope_out(self.sim, rope),
            self._load(f"{name}.hook_load"),
        )

    def _load(self, name: str) -> float | None:
        """Mass that a force bears at rest; None where it is not known [kg]."""
        gravity = float(np.linalg.norm(self.scene.gravity))
        known = name in self.sim.names and self.sim.steps and gravity
        return max(0.0, float(self.sim.read(name))) / gravity if known else None

    def _hook(self, name: str) -> Hook:
        """Whether a hook holds, and what it lacks if it does not."""
        reach = float(self._cables[name].reach or 0.0)
        short = ropes.path_length(self.sim, name) - ropes.rope_out(self.sim, name) - reach
        if ropes.is_parted(self.sim, name):
            return Hook(False, short, reach)
        pull = float(np.max(self.sim.read(f"{name}.tensions")))
        return Hook(True, short, reach, pull, pull > BORNE * self._weights[name])

    def _weight_on(self, cable: Cable) -> float:
        """Weight of the heaviest body that a cable is tied to [N]."""
        bodies = self.scene.bodies
        tied = {part.on for part in cable.parts()} & set(bodies)
        moved = [bodies[name].mass_properties().mass for name in tied if bodies[name].kind == "dynamic"]
        return float(max(moved, default=0.0) * np.linalg.norm(self.scene.gravity))

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

    def _ties_and_chains(self) -> dict[str, Rope]:
        """Tension of ropes between two points, and at every joint of the chains."""
        if self.sim.steps == 0:
            return {}
        names = [*self._ropes, *self.scene.chains]
        return {name: Rope(np.zeros(0), np.atleast_1d(self.sim.read(f"{name}.tension"))) for name in names}

    def _twist(self, name: str) -> float | None:
        """Twist of a segmented cable; one that chooses its model has none while it is massless or layered [rad]."""
        known = f"{name}.twist" in self.sim.names
        return float(self.sim.read(f"{name}.twist")) if known else None

    def _strands(self) -> dict[str, Rope]:
        """Tension along the segmented cables."""
        if self.sim.steps == 0:
            return {}
        read = self.sim.read
        return {name: Rope(np.zeros(0), read(f"{name}.tensions"), twist=self._twist(name)) for name in self._segmented}

    def _lattices(self) -> dict[str, Rope]:
        """Surface and tension of the honeycomb cables."""
        names = self.scene.lattices()
        if not names:
            return {}
        from taut.measure import lattices  # only here: kernels take time to load

        return {
            name: Rope(
                np.zeros(0),
                np.asarray(self.sim.read(f"{name}.tensions")) if self.sim.steps else np.zeros(0),
                rings=np.array(lattices.rings(self.sim, name)),
                twist=float(self.sim.read(f"{name}.twist")),
            )
            for name in names
        }

    def _rods(self) -> dict[str, Rope]:
        """Shape of the rods, and tension along them."""
        read = self.sim.read
        return {
            name: Rope(
                np.zeros(0),
                read(f"{name}.tensions"),
                points=read(f"{name}.shape").reshape(-1, 3),
                twist=float(read(f"{name}.twist")),
            )
            for name in self.scene.rods()
        }

    def _cable(self, name: str) -> Rope:
        """Slack and tension of every span of a cable, and how it is pulled aside."""
        rope = replace(self._as_it_lies(name), reached=rims.reached(self.sim, name) if self.sim.steps else "")
        spring = self._spring
        if not isinstance(spring, SpanSpring) or spring.name != name or rope.loose is not None:
            return rope
        bend = np.zeros((len(rope.slack), 9, 3)) if rope.bend is None else rope.bend.copy()
        bend[spring.span] += spring.kink()
        return replace(rope, bend=bend)

    def _as_it_lies(self, name: str) -> Rope:
        sim = self.sim
        place = sim.work.part_place[ropes.parts(sim, name)][:-1]
        run = place[:, W_SEGMENT].astype(int)
        if ropes.is_parted(sim, name):
            return Rope(np.zeros(len(run)), np.zeros(len(run)), loose=ropes.rope_out(sim, name))
        if waves.is_layered(sim, name) and not courses.wraps_round(self.scene.ropes()[name]):
            pull, spans = waves.end_tensions(sim, name).max(axis=1), waves.of_spans(sim, name)
            return Rope(np.zeros(len(run)), pull, waves.bend(sim, name), spans=spans)
        if sim.steps == 0:
            return self._with_course(name, Rope(np.zeros(len(run)), np.zeros(len(run))))
        tension, over = ropes.tensions(sim, name), np.maximum(0.0, -sim.state.row_phi[ropes.rows(sim, name)])
        whole = np.bincount(run, place[:, W_LENGTH], len(tension))
        # below a tenth of a millimetre it is a taut rope without load
        slack = np.where((tension <= 0.0) & (over > 1e-4), over / np.maximum(whole, 1e-9), 0.0)
        return self._with_course(name, Rope(slack[run] * place[:, W_LENGTH], tension[run]))

    def _with_course(self, name: str, rope: Rope) -> Rope:
        """The same with the course and its tension, if it is a cable that wraps round things."""
        if name not in self._wrapping:
            return rope
        tension = ropes.course_tension(self.sim, name)
        return replace(rope, course=courses.course(self.sim, name), course_tension=tension)


def _starts(sim: Simulation) -> dict[str, float]:
    """Controls as they are at the start."""
    return {name: float(value) for name, value in zip(sim.compiled.controls.names, sim.compiled.controls.start)}


def _seldom(quantity: str) -> int:
    """How seldom a person wants to see a quantity: turning comes after the rest, the account of the solver last."""
    element, _, what = quantity.partition("[")[0].rpartition(".")
    return 2 if element in ("step", "residual") else 1 if what in ("orientation", "spin") else 0


def _number(value: object) -> float:
    """A single number; not a number where there is none."""
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return math.nan
    return number
