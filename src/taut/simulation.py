"""The object that runs: a scene, its state, and the calls that move it on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from taut.cables.massless.columns import X_BEGIN, X_WEIGHT
from taut.compile import (
    LOOK,
    MODELS,
    SEGMENTED,
    Compiled,
    carry_over,
    compile_scene,
    cut,
    handed_over,
    make_work,
    rearrange,
    remodelled,
    switched,
    wanted,
)
from taut.compile.joints import LINEAR_ROWS
from taut.compile.rope_carry import keep_tensions
from taut.core.buffers import Buffer, Views
from taut.core.codes import AXIS_MOTOR, GROUP_DIM
from taut.core.model import BAD_BODY, BEGIN, BUILT, LOSS_JOINT, MODEL, STATE, STEPS, TIME, WORK
from taut.core.order import DUE
from taut.measure import ContactTable, Names, Quantity, energy, ropes
from taut.measure.contacts import read_contacts
from taut.measure.gripping import make_grip
from taut.scene import Distance, Scene
from taut.scene.grips import Grip, GripKind
from taut.step.status import CONTACTS_FULL, PLAN_FULL

PLAN_POOL_DOUBLINGS = 8


class SimulationError(RuntimeError):
    """A step that could not be made; the last good state stands."""


class Snapshot(NamedTuple):
    """A state at one moment; restoring it continues bit by bit."""

    floats: np.ndarray
    ints: np.ndarray
    compiled: Compiled | None = None  # what was attached then; None: as it is


class ControlValues(MutableMapping[str, float]):
    """Controls by name. Setting one takes effect at the next step; ramps of the scene apply."""

    def __init__(self, sim: Simulation) -> None:
        self._sim = sim
        self._index = {name: k for k, name in enumerate(sim.compiled.controls.names)}

    def _place(self, name: str) -> int:
        try:
            return self._index[name]
        except KeyError:
            raise KeyError(f"no control {name!r}; controls: {', '.join(self._index) or 'none'}") from None

    def __getitem__(self, name: str) -> float:
        return float(self._sim.state.control[self._place(name)])

    def __setitem__(self, name: str, value: float) -> None:
        number = float(value)
        if not np.isfinite(number):
            raise ValueError(f"control {name}: {value!r} is not a finite number")
        self._sim.state.control[self._place(name)] = number

    def __delitem__(self, name: str) -> None:
        raise TypeError("controls cannot be removed")

    def __iter__(self) -> Iterator[str]:
        return iter(self._index)

    def __len__(self) -> int:
        return len(self._index)

    def unit(self, name: str) -> str:
        """Unit of a control, e.g. m/s."""
        return self._sim.compiled.controls.units[self._place(name)]


class Simulation:
    """A scene that runs.

    sim = taut.Simulation(scene); sim.controls["hoist.speed"] = 0.5; sim.run(60); sim.read("load.position")
    """

    def __init__(self, scene: Scene | str | Path) -> None:
        if not isinstance(scene, Scene):
            from taut.scenes import open_scene

            scene = open_scene(scene)
        if any(cable.lifted for cable in scene.cables.values()):
            from taut.lifting import with_loads_lifted

            scene = with_loads_lifted(scene)
        self._begin(compile_scene(scene))

    @classmethod
    def of(cls, compiled: Compiled) -> Simulation:
        """A simulation of what is compiled already; its state is that of `compiled`, shared and not copied."""
        sim = cls.__new__(cls)
        sim._begin(compiled)
        return sim

    def _begin(self, compiled: Compiled) -> None:
        self.scene = compiled.scene
        self._pool_scale = 1
        self._adopt(compiled)
        self._place()
        self._start = self.snapshot()
        self.controls = ControlValues(self)
        self._start_energy = energy.mechanical(self)

    def _adopt(self, compiled: Compiled) -> None:
        """Go on with this compilation of the scene."""
        last = getattr(self, "compiled", None)
        self.compiled = compiled
        self.model: Any = Views(MODEL, compiled.model)
        self.state: Any = Views(STATE, compiled.state)
        self._take_work()
        self.position_rows = position_rows(compiled)
        self.looked_up: dict[Any, Any] = {}
        """What read-outs have found in the tables of this compilation."""
        if last is None or last.scene is not compiled.scene:
            self._names: Names | None = None

    def _take_work(self) -> None:
        self._work = make_work(self.compiled, self._pool_scale)
        self._backup = _copy(self.compiled.state)
        last = getattr(self, "work", None)
        self.work: Any = Views(WORK, self._work)
        for field in (
            "part_place",
            "span_work",
            "jac",
        ):  # where ropes lay in the last step, and how joints held: forces are read by it: no step has been made since
            if last is not None and getattr(last, field).shape == getattr(self.work, field).shape:
                getattr(self.work, field)[:] = getattr(last, field)
        self._engine: Any = None

    # ---- time --------------------------------------------------------------------------------------------------------

    @property
    def dt(self) -> float:
        """Time step [s]."""
        return float(self.scene.dt)

    @property
    def start_energy(self) -> float:
        """Mechanical energy at the start, half a step before it once the first step is made; of ropes that lie round obstacles it
        is known with the first step [J]."""
        return self._start_energy + float(self.state.rope_energy[X_BEGIN]) + float(self.state.ledger[BEGIN])

    @property
    def centred_dt(self) -> float:
        """Step that the velocities of the state are means over: dt, or zero before the first step [s]."""
        return self.dt if self.steps else 0.0

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return float(self.state.ledger[TIME])

    @property
    def steps(self) -> int:
        """Steps made."""
        return int(self.state.counter[STEPS])

    def step(self) -> None:
        """Make one step."""
        self.run(1)

    def run(self, steps: int) -> None:
        """Make `steps` steps in one compiled call. Raises SimulationError when a step cannot be made."""
        left = int(steps)
        if left != steps or left < 0:
            raise ValueError(f"steps: {steps!r} - expected a whole number, zero or more")
        while left > 0:
            left -= self._run(left)
        self._place()

    def _run(self, steps: int) -> int:
        """Make some of these steps, after a look at which model the auto cables should have; how many were made."""
        if self.compiled.choices:
            if self.steps % LOOK == 0:
                self.switch(wanted(self.compiled, self.work))
            steps = min(steps, LOOK - self.steps % LOOK)
        made, status = self.prepare().run(steps)
        if status == DUE:
            self._rearrange()
        elif made < steps:
            self._recover(status)
        return int(made)

    def _place(self) -> None:
        """Lay the segments of auto cables that are ropes now along them."""
        if self.compiled.choices and self.compiled.pools:
            from taut.measure.autos import place_segments

            place_segments(self)

    def switch(self, models: Mapping[str, str]) -> None:
        """Give auto cables other models from the next step on: massless, layered, or segmented between two ends.

        It is done by itself while running; by hand the next look may change it again.
        """
        for name, model in models.items():
            if name not in self.compiled.choices:
                known = ", ".join(self.compiled.choices) or "none"
                raise KeyError(f"no cable {name!r} with model: auto; there are: {known}")
            allowed = MODELS if self.scene.cables[name].bare else MODELS[:2]
            if model not in allowed:
                raise ValueError(f"model: {model!r} - expected {' or '.join(allowed)} for {name}")
        choices = {**self.compiled.choices, **models}
        if choices == self.compiled.choices:
            return
        before, left = self.compiled, energy.remainder(self)
        self._adopt(switched(self.compiled, self.work, choices))
        now = self.snapshot()
        # one step, and back again: what the account misses by the change is booked as lost
        if not self._try_step():
            self._adopt(before)
            return
        lost = left - energy.remainder(self)
        held = self.state.wave_energy.copy(), self.state.rope_energy.copy()
        self.restore(now)
        self.state.wave_energy[:], self.state.rope_energy[X_WEIGHT] = held[0], held[1][X_WEIGHT]
        if any(self.scene.cables[name].bare for name in choices if choices[name] != before.choices[name]):
            self.state.ledger[LOSS_JOINT] += lost
        else:
            self.state.rope_energy[X_BEGIN] -= lost  # the weight of rope on wheels counts for some models only

    def go_on_from(self, other: Simulation) -> None:
        """Go on from where another simulation stands, whose scene differs by the models of cables: massless, layered, segmented
        or auto. Bodies keep their poses and speeds, winches the rope they have paid out, cables their shape, motion and stretch;
        then one step is made.

        Raises ValueError for what cannot be taken over. `reset` leads to the start of this scene.
        """
        left, lost = energy.remainder(other), float(other.state.ledger[LOSS_JOINT])
        self.take_over(other)
        self.state.ledger[LOSS_JOINT] = lost  # rope that weighs something from now on, or nothing, has lost nothing
        if not self._try_step():
            raise ValueError("model: no step could be made with it; what runs is what ran before")
        self._place()
        self.balance(left)  # what a model counts of the energy of a rope is its own

    def take_over(self, other: Simulation) -> None:
        """Take over the state of another simulation, of almost the same scene: what has the same name goes on as it is, to the bit, stiffer
        ropes with their tension, cables with another model as `go_on_from` says. Raises ValueError for what cannot be taken over."""
        last = other.work
        self._adopt(remodelled(other.compiled, last, self.scene))
        keep_tensions(other, self)
        for field in (
            "part_place",
            "span_work",
            "jac",
        ):  # where ropes lay in the last step, and how joints held: forces are read by it
            if getattr(last, field).shape == getattr(self.work, field).shape:
                getattr(self.work, field)[:] = getattr(last, field)
        self._place()

    def balance(self, left: float) -> None:
        """Count the energy that a change of the scene has brought as if it had been there from the start: the account has `left`
        open, as before the change [J]."""
        self.state.rope_energy[X_BEGIN] -= left - energy.remainder(self)

    def _try_step(self) -> bool:
        """Make one step with what was just compiled; whether it could be made."""
        _, status = self.prepare().run(1)
        while PLAN_FULL <= status < CONTACTS_FULL:
            self._recover(status)
            _, status = self.prepare().run(1)
        return bool(status <= DUE)

    def prepare(self, progress: Any = None) -> Any:
        """Compile (or load) the machine code of this scene now rather than at the first step.

        `progress(ready, total, name)` is told as each stage is ready. Returns the engine that makes the steps.
        """
        if self._engine is None:
            from taut.step.engine import Engine

            self._engine = Engine(self.compiled, self._work, self._backup, progress)
        return self._engine

    def _recover(self, status: int) -> None:
        """Enlarge a pool of the scratch and go on, or say what went wrong."""
        from taut.step.status import BAD_STATE, WRAPS_FULL

        if PLAN_FULL <= status < CONTACTS_FULL and self._pool_scale < 2**PLAN_POOL_DOUBLINGS:
            self._pool_scale *= 2
            self._take_work()
            return
        where = f"step {self.steps + 1}, time {self.time + self.dt:.4g} s"
        if status == DUE:  # in a batch, whose members share one structure
            raise SimulationError(
                f"{where}: a segmented cable has reached its breaking load; in a batch it cannot part"
            )
        if status == BAD_STATE:
            bad = int(self.state.counter[BAD_BODY])
            if bad >= len(self.compiled.bodies.names):
                raise SimulationError(
                    f"{where}: {self.compiled.lattices.trouble(bad - len(self.compiled.bodies.names))}"
                )
            body = self.compiled.bodies.names[bad] if bad >= 0 else "a body"
            raise SimulationError(
                f"{where}: {body} is not finite or has run away, also with more damping and in four substeps; "
                "the last good state stands. A smaller dt, softer joints or gentler motion may help."
            )
        if CONTACTS_FULL <= status < BAD_STATE:
            raise SimulationError(
                f"{where}: more contacts than the {self.compiled.contact_capacity} there is room for; "
                "set solver.contact_capacity higher"
            )
        if status > WRAPS_FULL:
            rope, body = self.compiled.ropes.obstacle_names[status - WRAPS_FULL - 1]  # type: ignore[union-attr]
            raise SimulationError(
                f"{where}: {rope} touches {body} in more places than there is room for; set cables.{rope}.wrap_room higher"
            )
        raise SimulationError(f"{where}: the elimination plan does not fit its memory (status {status})")

    # ---- state -------------------------------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """A copy of the whole state."""
        return Snapshot(self.compiled.state.floats.copy(), self.compiled.state.ints.copy(), self.compiled)

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of this scene; the run continues bit by bit as it did from there. What was attached or
        detached since is so no more."""
        then = snapshot.compiled
        if then is not None and then is not self.compiled and then.scene is self.scene:
            self._adopt(then)
        state = self.compiled.state
        if snapshot.floats.shape != state.floats.shape or snapshot.ints.shape != state.ints.shape:
            raise ValueError("this snapshot belongs to another scene")
        state.floats[:] = snapshot.floats
        state.ints[:] = snapshot.ints
        self.work.count[BUILT] = 0

    def reset(self) -> None:
        """Back to the start."""
        self.restore(self._start)

    # ---- attaching -----------------------------------------------------------------------------------------------------

    def attach(
        self, element: str, *, body: str, s: float | None = None, kind: GripKind = "ball", name: str = ""
    ) -> str:
        """Let `body` hold an element where it is just now; returns the name of the grip, for `detach`.

        `element` is a segmented cable, held at the length `s` from its start [m], or a body, held at its origin. A
        pose is held with its orientation, a ball turns freely, and a cable slides through a slide, from segment to segment
        until it slips off a free end. Nothing jumps: the grip holds what it finds.
        """
        if element in self.compiled.choices and self.scene.cables[element].bare:
            self.switch({element: SEGMENTED})  # and it stays so while it is held
        grip = make_grip(self, element, body, s, kind)
        if name in self.compiled.grips:
            raise ValueError(f"name: {name!r} - something is attached under this name already")
        number = len(self.compiled.grips)
        while not name or name in self.compiled.grips:
            name, number = f"grip_{number}", number + 1
        self._regrip({**self.compiled.grips, name: grip})
        return name

    def detach(self, name: str) -> None:
        """Let go of what was attached under this name."""
        if name not in self.compiled.grips:
            known = ", ".join(self.compiled.grips) or "none"
            raise KeyError(f"nothing is attached as {name!r}; attached now: {known}")
        self._regrip({key: grip for key, grip in self.compiled.grips.items() if key != name})

    def cut(self, cable: str, *, s: float | None = None, run: int | None = None) -> None:
        """Cut a cable through.

        A segmented one at the joint that is nearest to the length `s` from its start [m]. A massless or layered one in the
        run of that number, from its start, or without one where the tension is largest; runs are the stretches of rope
        between parts that hold it back, one for each of its `tensions`.
        """
        if cable in (pool.name for pool in self.compiled.pools):
            if s is None:
                raise ValueError(f"s: say at which length from the start of {cable} to cut it [m]")
            if cable in self.compiled.choices:
                self.switch({cable: SEGMENTED})
            self._adopt(cut(self.compiled, cable, s))
            return
        if cable in self.scene.strands():
            raise ValueError(f"{cable}: give it a breaking_load, so that it can part, to have it cut")
        segments = self._runs(cable)
        pulls = ropes.tensions(self, cable)[: ropes.live_runs(self, cable)]
        if run is not None and not 0 <= run < len(pulls):
            raise ValueError(f"run: {run} - {cable} has runs 0 to {len(pulls) - 1}")
        self.state.rope_broken[segments.start + (int(pulls.argmax()) if run is None else run)] = 1
        self._hooked(cable, False)

    def tie(self, cable: str) -> None:
        """Tie a cable that was cut, parted or off its hook, as things are: where it has become too short it gets longer."""
        segments = self._runs(cable)
        off = np.flatnonzero(self.state.rope_broken[segments])
        if len(off):
            path, length = ropes.run_lengths(self, cable), self.state.rope_length[segments]
            length[off] = np.maximum(length[off], path[off])
            self.state.rope_broken[segments] = 0
        self._hooked(cable, True)

    def _hooked(self, cable: str, on: bool) -> None:
        """Let the control of a hook say what has become of it: the next step would undo it otherwise."""
        if f"{cable}.hook" in self.controls:
            self.controls[f"{cable}.hook"] = float(on)

    def _runs(self, cable: str) -> slice:
        known = [] if self.compiled.ropes is None else list(self.compiled.ropes.names)
        if cable not in known:
            raise KeyError(f"no massless or layered cable {cable!r}; there are: {', '.join(known) or 'none'}")
        return ropes.segments(self, cable)

    def _rearrange(self) -> None:
        """Merge, split, pay out or part segments, and hand grips over to the next one, between two steps."""
        grips = handed_over(self.compiled)
        if grips is not None:
            self._regrip(grips)
        try:
            compiled = rearrange(self.compiled) if self.compiled.pools else None
        except ValueError as error:
            raise SimulationError(f"step {self.steps}, time {self.time:.4g} s: {error}") from None
        if compiled is not None:
            self._adopt(compiled)

    def _regrip(self, grips: dict[str, Grip]) -> None:
        compiled = compile_scene(
            self.scene, grips, self.compiled.layouts, None, self.compiled.choices, self.compiled.chosen
        )
        carry_over(self.compiled, compiled)
        self._adopt(compiled)

    def view(self, *, height: int = 560, play: bool = False) -> Any:
        """The page of this simulation in a notebook, under the cell, `height` pixels high; `play` lets it run at once.

        The page moves this simulation, from where it stands: pause it there before stepping it by hand.
        """
        from taut.view.inline import Inline

        return Inline(self, height, play)

    # ---- reading -----------------------------------------------------------------------------------------------------

    @property
    def names(self) -> dict[str, Quantity]:
        """All quantities that can be read, by name, with unit and meaning."""
        return self._all_names().quantities

    def read(self, name: str) -> Any:
        """Value of a quantity: `sim.read("load.position[2]")` is a float, `sim.read("load.position")` an array."""
        return self._all_names().read(self, name)

    def contacts(self) -> ContactTable:
        """Where bodies touch now: points, normals, forces, slip."""
        return read_contacts(self)

    def _all_names(self) -> Names:
        if self._names is None:
            self._names = Names(self)
        return self._names

    def scene_joint(self, name: str) -> Any:
        """Description of a joint, those of chains included."""
        table = self.compiled.joints
        return table.specs[table.names.index(name)]

    def is_distance(self, name: str) -> bool:
        """Whether a joint is a distance joint."""
        return isinstance(self.scene.joints.get(name), Distance)

    def push(self, body: str, force: Any = (0.0, 0.0, 0.0), torque: Any = (0.0, 0.0, 0.0)) -> None:
        """Apply a force [N] at the centre of mass and a torque [N m], world axes, until changed."""
        try:
            i = self.compiled.bodies.index[body]
        except KeyError:
            raise KeyError(f"no body {body!r}; bodies: {', '.join(self.compiled.bodies.names[:20])}") from None
        if any(i in pool.slots for pool in self.compiled.pools) and not self.compiled.bodies.dynamic[i]:
            raise ValueError(f"body: {body!r} - it is merged with its neighbours or not paid out just now")
        self.state.body_push[i] = [*force, *torque]


def _copy(buffer: Buffer) -> Buffer:
    return Buffer(buffer.floats.copy(), buffer.ints.copy(), buffer.at)


def position_rows(c: Compiled) -> np.ndarray:
    """Rows that hold points together and give way to nothing: motors, servos and limits may be off by intent, what is
    compliant stretches, and angles are no lengths."""
    flags = [
        group.kind < AXIS_MOTOR and r < LINEAR_ROWS[group.kind] and group.compliance[r] == 0.0
        for group in c.joints.groups
        for r in range(GROUP_DIM[group.kind])
    ]
    return np.array(flags, bool)
