"""A recording as the page sees it: the same page, moved through time by a slider."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from taut.view.frame import Account, Control, Frame, Rope

if TYPE_CHECKING:
    from taut.record import Recording

#: how recordings usually end
SUFFIXES = (".h5", ".hdf5")
READINGS = ("step.redone", "residual.relative")
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
        self._count = len(recording.body_names) - 1
        self._at = 0
        self._columns: dict[str, np.ndarray] = {}

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

    def frame(self, quantity: str, account: bool) -> Frame:
        """The frame it stands at."""
        position, orientation = self._recording.poses(self._at)
        return Frame(
            time=self.time,
            step=int(self._value("step") or 0),
            positions=position[: self._count].astype(np.float32),
            orientations=orientation[: self._count].astype(np.float32),
            cables={name: rope for name in self.scene.ropes() if (rope := self._cable(name)) is not None},
            readings={name: value for name in READINGS if (value := self._value(name)) is not None},
            account=self._account() if account else None,
            value=self._value(quantity) if quantity else None,
        )

    def _account(self) -> Account | None:
        now = [self._value(name) for name in _ENERGIES]
        if any(value is None for value in now):
            return None
        kinetic, potential, elastic, lost = (float(value) for value in now if value is not None)
        return Account(kinetic, potential - float(self._columns["energy.potential"][0]), elastic, lost)

    def _cable(self, name: str) -> Rope | None:
        """Slack of a cable, where its length and that of its path were recorded; how a layered one hangs."""
        if f"{name}.bend" in self._recording:
            bend = np.asarray(self._recording.block(f"{name}.bend", self._at, self._at + 1), float).reshape(-1, 9, 3)
            return Rope(np.zeros(len(bend)), np.zeros(0), bend)
        course = None
        if f"{name}.course" in self._recording:
            course = np.asarray(self._recording.block(f"{name}.course", self._at, self._at + 1), float).reshape(-1, 3)
        rope_out, path = self._value(f"{name}.rope_out"), self._value(f"{name}.path")
        if rope_out is None or path is None:
            return None
        return Rope(np.array([max(0.0, rope_out - path)]), np.zeros(0), None, course)

    def _value(self, name: str) -> float | None:
        """A recorded quantity at this frame; None if it was not recorded."""
        if name not in self._columns:
            if name not in self._recording:
                return None
            self._columns[name] = self._recording[name]
        return float(self._columns[name][self._at])
