"""Many simulations of one scene at once, on all cores: roll-outs for learning, for sampling, for finite differences."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from taut.compile import Compiled, compile_scene
from taut.core.buffers import Buffer, Field
from taut.core.model import BUILT, STATE
from taut.core.stage import Context, places_of
from taut.measure import Quantity
from taut.scene import Scene
from taut.simulation import Simulation, SimulationError, Snapshot
from taut.sweep.members import run_members
from taut.sweep.processes import cores

#: pieces of work for each thread: enough that none waits long for the last one
_PIECES = 8
#: most memory that a batch may take [B]
MOST_BYTES = 16 * 1024**3


class Fields:
    """The state of all members by name, zero-copy: `batch.state.body_pos` has the shape (n, bodies, 3)."""

    def __init__(self, fields: tuple[Field, ...], floats: np.ndarray, ints: np.ndarray, at: np.ndarray) -> None:
        for field, (start, rows, columns) in zip(fields, at.tolist()):
            data = floats if field.kind is float else ints
            view = data[:, start : start + rows * max(columns, 1)]
            setattr(self, field.name, view.reshape(len(data), rows, columns) if columns else view)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"no field {name!r}; fields: {', '.join(vars(self))}")


class Batch:
    """`n` simulations of one scene that run together; each makes bit by bit what it would make alone.

    batch = taut.Batch(scene, 512); batch.set("load.mass", masses); batch.reset(); batch.step({"hoist.speed": speeds}, 10)
    batch.read("load.position")           # (512, 3)
    """

    def __init__(self, scene: Scene | str | Path, n: int, *, threads: int | None = None) -> None:
        """Compile the scene once and take the memory of `n` members; `threads`: as many as cores if not given."""
        if n < 1:
            raise ValueError(f"a batch of {n} simulations; expected at least 1")
        template = Simulation(scene)
        self.scene = template.scene
        self.threads = max(1, min(int(threads or cores()), n))
        self._check_memory(template, n)
        engine = template.prepare()
        engine.complete()
        self._stages: np.ndarray = engine.stages
        compiled = template.compiled
        for name in compiled.choices:
            raise ValueError(f"{name} changes its model while running: all members of a batch share one structure")
        for pool in compiled.pools:
            if pool.auto or pool.fed:
                what = "merged and split" if pool.auto else "paid out"
                raise ValueError(f"{pool.name} is {what} while running: all members of a batch share one structure")
        self._features = _features(compiled)
        self._floats = np.tile(compiled.state.floats, (n, 1))
        self._ints = np.tile(compiled.state.ints, (n, 1))
        self._start = Snapshot(self._floats.copy(), self._ints.copy())
        self.state: Any = Fields(STATE, self._floats, self._ints, compiled.state.at)
        self._template = template
        self._changes: list[dict[str, str]] = [{} for _ in range(n)]
        self._members: list[Simulation] = []
        self._contexts: list[Context] = []
        self._addresses = np.zeros(n, np.int64)
        for i in range(n):
            self._members.append(self._member(compiled, i))
            self._contexts.append(self._context(i))
        self._backups = [_copy(compiled.state) for _ in range(self.threads)]
        self._places = [np.array(places_of(backup), np.int64) for backup in self._backups]
        self._pool = ThreadPoolExecutor(self.threads, "batch") if self.threads > 1 else None
        self._made, self._status = np.zeros(n, np.int64), np.zeros(n, np.int64)
        self.diverged = np.zeros(n, bool)
        """Members that could not make a step: frozen in their last good state until they are reset, shape (n,)."""
        self.reasons = [""] * n
        """Why, for each of them."""

    def _check_memory(self, template: Simulation, n: int) -> None:
        each = sum(
            buffer.floats.nbytes + buffer.ints.nbytes
            for buffer in (template._work, template.compiled.state, template.compiled.state)
        )
        if n * each > MOST_BYTES:
            raise MemoryError(
                f"{n} members of {each / 1e6:.2f} MB each are {n * each / 1e9:.0f} GB; at most "
                f"{MOST_BYTES // each} fit {MOST_BYTES / 1e9:.0f} GB. Lower solver.contact_capacity, or make several batches"
            )

    def _member(self, compiled: Compiled, i: int) -> Simulation:
        """The simulation that shares row i of the states."""
        row = Buffer(self._floats[i], self._ints[i], compiled.state.at)
        sim = Simulation.of(dataclasses.replace(compiled, state=row))
        if compiled is self._template.compiled:
            sim._names = self._template._all_names()
        # its state is a row of ours: it goes back through us, and what would give it a state of another shape is refused
        sim.reset = lambda: self.reset([i])  # type: ignore[method-assign]
        sim.restore = lambda snapshot: self.reset([i], snapshot)  # type: ignore[method-assign]
        sim._regrip = _refuse_grips  # type: ignore[method-assign]
        return sim

    def _context(self, i: int) -> Context:
        compiled = self._members[i].compiled
        context = Context(compiled.model, compiled.state, self._members[i]._work, compiled.settings, self._stages)
        self._addresses[i] = context.address
        return context

    # ---- members -----------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._members)

    def __getitem__(self, i: int) -> Simulation:
        """Member i as a simulation of its own: it reads and changes the state of the batch."""
        return self._members[i]

    @property
    def dt(self) -> float:
        """Time step [s]."""
        return self._template.dt

    @property
    def time(self) -> np.ndarray:
        """Simulated time of each member [s], shape (n,)."""
        return np.array([member.time for member in self._members])

    @property
    def controls(self) -> list[str]:
        """Names of the controls, in the order of the columns that `step` takes."""
        return list(self._template.controls)

    @property
    def names(self) -> dict[str, Quantity]:
        """All quantities that can be read, by name."""
        return self._template.names

    def read(self, name: str) -> np.ndarray:
        """A quantity of all members, shape (n,) or (n, size). Raises UnknownName."""
        self._template.read(name)  # says what is wrong with a name
        return np.array([member.read(name) for member in self._members])

    # ---- time --------------------------------------------------------------------------------------------------------

    def step(self, controls: Mapping[str, Any] | np.ndarray | None = None, n: int = 1) -> np.ndarray:
        """Set controls, then make `n` steps of every member that has not diverged; returns who has, shape (members,).

        controls: values by name, one for all or one for each member; or an array (members, controls) in the order of
        `batch.controls`. None leaves them as they are.
        """
        if controls is not None:
            self._control(controls)
        active = np.flatnonzero(~self.diverged)
        if active.size == 0 or n < 1:
            return self.diverged.copy()
        settings = self._template.compiled.settings
        pieces = np.array_split(active, min(active.size, _PIECES * self.threads if self.threads > 1 else 1))

        def work(thread: int) -> None:
            # each thread takes every threads-th piece: what runs where changes nothing in the numbers
            for piece in pieces[thread :: self.threads]:
                run_members(
                    self._addresses, piece, self._places[thread], settings.dt, n, self._made, self._status
                )  # fmt: skip

        if self._pool is None:
            work(0)
        else:
            list(self._pool.map(work, range(self.threads)))
        for i in active[self._status[active] != 0]:
            self._recover(int(i), n)
        return self.diverged.copy()

    def _recover(self, i: int, steps: int) -> None:
        """A member that came back early: with more scratch it goes on, else it is flagged and frozen."""
        member = self._members[i]
        try:
            member._recover(int(self._status[i]))
            self._contexts[i] = self._context(i)
            member.run(steps - int(self._made[i]))
            self._contexts[i] = self._context(i)
        except SimulationError as error:
            self.diverged[i], self.reasons[i] = True, str(error)

    def _control(self, controls: Mapping[str, Any] | np.ndarray) -> None:
        if isinstance(controls, Mapping):
            for name, values in controls.items():
                self.state.control[:, self._column(name)] = _per_member(name, values, len(self))
            return
        values = np.asarray(controls, float)
        if values.shape != self.state.control.shape:
            raise ValueError(
                f"controls of shape {values.shape}; expected {self.state.control.shape}: {', '.join(self.controls)}"
            )
        if not np.isfinite(values).all():
            raise ValueError("controls: not all of them are finite numbers")
        self.state.control[:] = values

    def _column(self, name: str) -> int:
        if name not in self.controls:
            raise KeyError(f"no control {name!r}; controls: {', '.join(self.controls) or 'none'}")
        return self.controls.index(name)

    # ---- state -------------------------------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """A copy of the states of all members, each array with a leading n."""
        return Snapshot(self._floats.copy(), self._ints.copy())

    def reset(self, mask: Any = None, state: Snapshot | None = None) -> None:
        """Bring members back to the start, or to a state: a snapshot of one simulation, of as many as are reset, or of all.

        mask: which ones, as booleans of shape (n,) or as numbers; all if None. A member that has diverged runs again.
        """
        chosen = self._chosen(mask)
        if state is None:
            self._floats[chosen], self._ints[chosen] = self._start.floats[chosen], self._start.ints[chosen]
        else:
            floats, ints = np.atleast_2d(state.floats), np.atleast_2d(state.ints)
            if floats.shape[1] != self._floats.shape[1] or ints.shape[1] != self._ints.shape[1]:
                raise ValueError("this state belongs to another scene")
            if len(floats) not in (1, len(chosen), len(self)):
                raise ValueError(f"{len(floats)} states for {len(chosen)} members; expected 1, as many, or {len(self)}")
            if len(floats) == len(self) != len(chosen):
                floats, ints = floats[chosen], ints[chosen]
            self._floats[chosen], self._ints[chosen] = floats, ints
        self.diverged[chosen] = False
        for i in chosen:
            self.reasons[i] = ""
            self._members[i].work.count[BUILT] = 0

    def set(self, name: str, values: Any, mask: Any = None) -> None:
        """Give members values of their own: a field of the scene such as load.mass, or a control.

        values: one, or one for each chosen member; numbers in SI units or texts with a unit. A field acts from the next
        step on; what it changes at the start of a run (a position, a stretch) acts from the next `reset` on. Raises
        SceneError for a name or value that the scene does not take, ValueError for what changes the scene's structure.
        """
        chosen = self._chosen(mask)
        if name in self.controls and not self._is_field(name, values):
            self.state.control[chosen, self._column(name)] = _per_member(name, values, len(chosen))
            return
        texts = [_text(value) for value in _listed(name, values, len(chosen))]
        compiled: dict[tuple[tuple[str, str], ...], Compiled] = {}
        for i, text in zip(chosen.tolist(), texts):
            changes = {**self._changes[i], name: text}
            key = tuple(changes.items())
            if key not in compiled:
                compiled[key] = self._compile(changes)
            self._give(i, changes, compiled[key])

    def _is_field(self, name: str, values: Any) -> bool:
        from taut.scene import SceneError

        try:
            self.scene.with_overrides([f"{name}={_text(np.ravel(np.asarray(values, object))[0])}"])
        except SceneError:
            return False
        return True

    def _compile(self, changes: dict[str, str]) -> Compiled:
        made = compile_scene(self.scene.with_overrides([f"{name}={text}" for name, text in changes.items()]))
        ours = self._template.compiled
        same = made.settings.dt == ours.settings.dt and made.settings.passes == ours.settings.passes
        same = same and _features(made) == self._features
        for theirs, mine in ((made.model, ours.model), (made.state, ours.state)):
            same = same and np.array_equal(theirs.at, mine.at)
        if not same:
            raise ValueError(
                f"{', '.join(changes)}: this changes the structure of the scene (its step, or what there is in it), which all "
                "members share; put it into the scene before the batch is made"
            )
        return made

    def _give(self, i: int, changes: dict[str, str], compiled: Compiled) -> None:
        """Put a changed model under member i; its present state stays."""
        self._changes[i] = changes
        self._start.floats[i], self._start.ints[i] = compiled.state.floats, compiled.state.ints
        self._members[i] = self._member(compiled, i)
        self._contexts[i] = self._context(i)

    def _chosen(self, mask: Any) -> np.ndarray:
        if mask is None:
            return np.arange(len(self))
        given = np.asarray(mask)
        if given.dtype == bool:
            if given.shape != (len(self),):
                raise ValueError(f"a mask of shape {given.shape}; expected ({len(self)},)")
            return np.flatnonzero(given)
        return np.atleast_1d(given).astype(np.int64)


def _refuse_grips(grips: Any) -> None:
    raise SimulationError("a member of a batch cannot attach or detach: all members share one structure")


def _features(compiled: Compiled) -> Any:
    from taut.step.features import features_of

    return features_of(compiled)


def _copy(buffer: Buffer) -> Buffer:
    return Buffer(buffer.floats.copy(), buffer.ints.copy(), buffer.at)


def _per_member(name: str, values: Any, n: int) -> np.ndarray:
    numbers = np.asarray(values, float)
    if numbers.shape not in ((), (n,)):
        raise ValueError(f"{name}: values of shape {numbers.shape}; expected one, or one for each of {n} members")
    if not np.isfinite(numbers).all():
        raise ValueError(f"{name}: not all values are finite numbers")
    return numbers


def _listed(name: str, values: Any, n: int) -> Sequence[Any]:
    if isinstance(values, str) or np.ndim(values) == 0:
        return [values] * n
    if len(values) != n:
        raise ValueError(f"{name}: {len(values)} values for {n} members")
    return list(values)


def _text(value: Any) -> str:
    """A value as a scene file would have it."""
    if isinstance(value, str):
        return value
    plain = value.tolist() if hasattr(value, "tolist") else value
    return repr(list(plain)) if isinstance(plain, tuple | list) else repr(plain)
