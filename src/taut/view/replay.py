"""A recording as the page sees it: the same page, moved through time by a slider."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

import numpy as np

from taut.scene import Scene
from taut.view.frame import Control, Frame

#: how recordings end
SUFFIXES = (".h5", ".hdf5")


class Recorded(Protocol):
    """What the page needs of a recording."""

    scene: Scene
    times: np.ndarray
    """Moments [s], shape (frames,)."""

    def positions(self, frame: int) -> np.ndarray:
        """Origin of every body [m], shape (n, 3)."""

    def orientations(self, frame: int) -> np.ndarray:
        """Orientation of every body, quaternion (w, x, y, z), shape (n, 4)."""


def is_recording(source: object) -> bool:
    """Whether a source names a recording rather than a scene."""
    return isinstance(source, str | Path) and Path(source).suffix.lower() in SUFFIXES


class ReplayPlayer:
    """Walks through the frames of a recording."""

    def __init__(self, recording: Recorded) -> None:
        self._recording = recording
        self.scene = recording.scene
        self._times = np.asarray(recording.times, float)
        if len(self._times) == 0:
            raise ValueError("the recording holds no frames")
        steps = np.diff(self._times)
        self.dt = float(np.median(steps)) if len(steps) else float(self.scene.dt)
        self.duration: float | None = float(self._times[-1])
        self._at = 0

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
        """None yet: the plots of a recording are drawn by `taut plot`."""
        return {}

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
        count = len(self.scene.all_bodies())
        return Frame(
            time=self.time,
            step=self._at,
            positions=np.asarray(self._recording.positions(self._at), np.float32)[:count],
            orientations=np.asarray(self._recording.orientations(self._at), np.float32)[:count],
        )


def open_recording(path: str | Path) -> Any:
    """The reader of recordings, which brings HDF5 with it."""
    from taut.record import Recording

    return Recording(path)
