"""A recording as the page sees it: the same page, moved through time by a slider."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from taut.cables.massless.columns import SIGNALS
from taut.measure.air import blowing
from taut.scene import Distance
from taut.view.frame import Account, Control, Frame, Machine, Rope
from taut.view.sliders import driven_sheaves, winches

if TYPE_CHECKING:
    from taut.record import Recording
    from taut.simulation import Simulation
    from taut.view.springs import Grip

#: how recordings usually end
SUFFIXES = (".h5", ".hdf5")
READINGS = ("step.redone", "residual.relative")
#: frames that are read at once: looking one up in the file takes far longer than reading it
AHEAD = 256
_ENERGIES = ("energy.kinetic", "energy.potential", "energy.elastic", "energy.dissipated")


def is_recording(source: object) -> bool:
    """Whether a source names a recording rather than a scene."""
    return isinstance(source, str | Path) and Path(source).suffix.lower() in SUFFIXES


def open_recording(path: str | Path) -> Any:
    """The reader of recordings, which brings HDF5 with it. Raises RecordError."""
    from taut.record import Recording

    return Recording(path)


class ReplayPlayer:
    """Walks through the frames of a recording."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self.scene = recording.scene
        self._times = recording.times
        if len(self._times) == 0:
            raise ValueError(f"{recording.path}: holds no frame")
        self.dt = float(np.median(np.diff(self._times))) if len(self._times) > 1 else float(recording.dt)
        self.duration: float | None = float(self._times[-1])
        self.begins = float(self._times[0])
        """When its first frame was [s]: what is driven in the page is recorded from any moment on."""
        self._count = len(recording.body_names) - 1
        self._at = 0
        self._columns: dict[str, np.ndarray] = {}
        self._known: dict[str, bool] = {}
        self._blocks: dict[str, tuple[int, np.ndarray]] = {}
        self._poses: tuple[int, tuple[np.ndarray, np.ndarray]] | None = None

    @property
    def time(self) -> float:
        """Time of the frame it stands at [s]."""
        return float(self._times[self._at])

    @property
    def controls(self) -> list[Control]:
        """None: what was done is done."""
        return []

    @property
    def quantities(self) -> dict[str, str]:
        """What was recorded, with units; of several components the first."""
        found = {}
        for name in self._recording.names:
            several = self._recording.block(name, 0, 1).ndim > 1
            found[f"{name}[0]" if several else name] = self._recording.unit(name)
        return found

    def unit_of(self, name: str) -> str | None:
        """Unit of a quantity that was recorded; None: it was not."""
        return self.quantities.get(name)

    def advance(self, steps: int) -> None:
        """Go on by so many frames, to the last one."""
        self._at = min(self._at + steps, len(self._times) - 1)

    def reset(self) -> None:
        """Back to the first frame."""
        self._at = 0

    def seek(self, time: float) -> None:
        """To the frame nearest to a time [s]."""
        self._at = int(np.argmin(np.abs(self._times - time)))

    def set_control(self, name: str, value: float) -> None:
        """A recording has no controls: nothing happens."""

    def change(self, changes: Sequence[str]) -> None:
        """What was done is done. Raises ValueError."""
        raise ValueError("a recording cannot be changed")

    def remade(self, changes: Sequence[str]) -> tuple[Simulation, float]:
        """No cable of a recording gets another model. Raises ValueError."""
        raise ValueError("a recording cannot be changed")

    def pull(self, grip: Grip | None, target: np.ndarray | None = None) -> None:
        """Nothing gives way in a recording: nothing happens."""

    def keep(self) -> None:
        """Nothing is kept: all of it is on disk."""

    def recall(self, kept: Any) -> None:
        """Nothing was kept: nothing happens."""

    def value_then(self, quantity: str, frame: Frame, kept: Any) -> None:
        """Nothing was kept: nothing is told."""

    def frame(self, quantities: Sequence[str], account: bool, forces: bool = False) -> Frame:
        """The frame it stands at; forces are not recorded."""
        position, orientation = self._pose()
        return Frame(
            time=self.time,
            step=int(self._value("step") or 0),
            positions=position[: self._count].astype(np.float32),
            orientations=orientation[: self._count].astype(np.float32),
            cables={name: rope for name in self.scene.ropes() if (rope := self._cable(name)) is not None}
            | self._rods()
            | self._lattices()
            | self._others(),
            machines=self._machines(),
            readings={name: value for name in READINGS if (value := self._value(name)) is not None},
            account=self._account() if account else None,
            values={name: value for name in quantities if (value := self._value(name)) is not None},
            wind=self._wind(),
        )

    def _wind(self) -> np.ndarray | None:
        """As it blew."""
        wind, speed = self.scene.wind, self._value("wind.speed")
        return None if wind is None or speed is None else blowing(wind, speed, self.time)

    def _machines(self) -> dict[str, Machine]:
        """Winches whose signals were recorded."""
        found = {}
        for name in winches(self.scene):
            lamps = {signal: self._value(f"{name}.{signal}_signal") for signal in SIGNALS}
            if any(lamp is not None for lamp in lamps.values()):
                on = tuple(signal for signal, lamp in lamps.items() if lamp)
                load, gravity = self._value(f"{name}.hook_load"), float(np.linalg.norm(self.scene.gravity))
                found[name] = Machine(
                    on,
                    self._value(f"{name}.load_share"),
                    self._value(f"{name}.pull"),
                    self._value(f"{name}.rope_out"),
                    max(0.0, load) / gravity if load is not None and gravity else None,
                )
        for name, sheave in driven_sheaves(self.scene).items():
            sides = self._value(f"{name}.before"), self._value(f"{name}.after")
            if sides[0] is not None and sides[1] is not None:
                on = tuple(signal for signal in SIGNALS if self._value(f"{name}.{signal}_signal"))
                found[name] = Machine(on, sheave=sheave.sides((sides[0], sides[1]), self._value(f"{name}.grip") or 0.0))
        return found

    def _account(self) -> Account | None:
        now = [self._value(name) for name in _ENERGIES]
        if any(value is None for value in now):
            return None
        kinetic, potential, elastic, lost = (float(value) for value in now if value is not None)
        return Account(kinetic, potential - float(self._columns["energy.potential"][0]), elastic, lost)

    def _cable(self, name: str) -> Rope | None:
        """Slack of a cable, where its length and that of its path were recorded; how a layered one hangs."""
        if self._has(f"{name}.bend") and not self._has(f"{name}.course"):
            bend = self._row(f"{name}.bend").reshape(-1, 9, 3)
            spans = self._spans(name)
            pull = self._pull(name) if spans is None else spans[:, :2].max(axis=1)
            return Rope(np.zeros(len(bend)), pull, bend, spans=spans)
        course = None
        if self._has(f"{name}.course"):
            course = self._row(f"{name}.course").reshape(-1, 3)
        rope_out, path, pull = self._value(f"{name}.rope_out"), self._value(f"{name}.path"), self._pull(name)
        if rope_out is None or path is None:
            return None
        along = None
        if self._has(f"{name}.course_tension"):
            along = self._row(f"{name}.course_tension").ravel()
        elif course is not None and len(pull):
            # of this recording nothing but the largest tension is known, shown along all of it
            along = np.full(len(course) - 1, pull.max())
        return Rope(np.array([max(0.0, rope_out - path)]), pull, course=course, course_tension=along)

    def _spans(self, name: str) -> np.ndarray | None:
        """Readings of the spans of a layered cable, where they were recorded."""
        names = [f"{name}.{what}" for what in ("upper_tension", "lower_tension", "sag", "frequency")]
        if any(not self._has(known) for known in names):
            return None
        blocks = [self._row(known).ravel() for known in names]
        return np.stack(blocks, axis=1)

    def _lattices(self) -> dict[str, Rope]:
        """Honeycomb cables whose surface was recorded."""
        found = {}
        for name in self.scene.lattices():
            if self._has(f"{name}.surface"):
                block = self._row(f"{name}.surface")
                rings = block.reshape(-1, self._outline(name), 3)
                found[name] = Rope(np.zeros(0), self._pull(name), rings=rings)
        return found

    def _others(self) -> dict[str, Rope]:
        """Segmented cables, chains, and ropes between two points, whose shape follows from the poses of bodies."""
        between = [name for name, joint in self.scene.joints.items() if isinstance(joint, Distance) and joint.rope]
        names = [*self.scene.strands(), *self.scene.chains, *between]
        return {name: Rope(np.zeros(0), pull) for name in names if len(pull := self._pull(name))}

    def _pull(self, name: str) -> np.ndarray:
        """Tension as it was recorded, of most kinds the largest along it; empty if it was not [N]."""
        if not self._has(f"{name}.tension"):
            return np.zeros(0)
        return self._row(f"{name}.tension").ravel()

    def _outline(self, name: str) -> int:
        """Masses around the surface of a honeycomb cable."""
        from taut.cables.honeycomb.arrangement import arrangement
        from taut.cables.honeycomb.describe import description

        return len(arrangement(description(self.scene.cables[name]).arrangement).outline)

    def _rods(self) -> dict[str, Rope]:
        """Shape of the rods, where it was recorded."""
        found = {}
        for name in self.scene.rods():
            if self._has(f"{name}.shape"):
                shape = self._row(f"{name}.shape")
                found[name] = Rope(np.zeros(0), self._pull(name), points=shape.reshape(-1, 3))
        return found

    def _has(self, name: str) -> bool:
        """Whether a quantity was recorded."""
        if name not in self._known:
            self._known[name] = name in self._recording
        return self._known[name]

    def _row(self, name: str) -> np.ndarray:
        """A recorded quantity of several components at this frame."""
        start = self._at // AHEAD * AHEAD
        held = self._blocks.get(name)
        if held is None or held[0] != start:
            held = start, np.asarray(self._recording.block(name, start, start + AHEAD), float)
            self._blocks[name] = held
        return held[1][self._at - start]

    def _pose(self) -> tuple[np.ndarray, np.ndarray]:
        """Positions [m] and orientations of all bodies at this frame."""
        start = self._at // AHEAD * AHEAD
        if self._poses is None or self._poses[0] != start:
            self._poses = start, self._recording.pose_block(start, start + AHEAD)
        position, orientation = self._poses[1]
        return position[self._at - start], orientation[self._at - start]

    def _value(self, name: str) -> float | None:
        """A recorded quantity at this frame; None if it was not recorded."""
        if name not in self._columns:
            if not self._has(name):
                return None
            self._columns[name] = self._recording[name]
        return float(self._columns[name][self._at])
