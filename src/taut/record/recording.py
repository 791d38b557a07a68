"""Reads a recording: finished, still being written, or left behind by a kill."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from taut.record.errors import FILE_ERRORS, RecordError, reason

if TYPE_CHECKING:
    from taut.scene import Scene

FORMAT = "taut recording"
VERSION = 1
#: files that this process is recording into: the library cannot open a file twice in one process
BEING_WRITTEN: set[Path] = set()
_SIGNATURE = b"\x89HDF\r\n\x1a\n"
_INDEX = re.compile(r"^(?P<base>.+?)\[(?P<index>\d+)\]$")
_OF_BODIES = ("position", "orientation")


class Frame(NamedTuple):
    """One moment: time [s], origins [m] and quaternions (w, x, y, z) of all bodies, the world last."""

    time: float
    positions: np.ndarray
    orientations: np.ndarray


def is_recording(path: str | Path) -> bool:
    """Whether a file is a recording of Taut."""
    try:
        with Recording(path):
            return True
    except RecordError:
        return False


def looks_like_recording(path: str | Path) -> bool:
    """Whether a file begins like a recording: cheap, and enough to tell it from a scene."""
    try:
        with Path(path).open("rb") as file:
            return file.read(len(_SIGNATURE)) == _SIGNATURE
    except OSError:
        return False


class Recording:
    """A recording: `with Recording("run.h5") as rec: rec.times, rec["load.position[2]"], rec.poses(0)`.

    It holds the frames that are whole. While the file is still being written, `refresh` looks for new ones.
    """

    def __init__(self, path: str | Path) -> None:
        import h5py

        self.path = Path(path)
        if self.path.resolve() in BEING_WRITTEN:
            raise RecordError(f"{self.path}: is being recorded by this program; close the recorder first")
        try:
            # as a reader beside a writer: also right for a file whose writer was killed
            self._file = h5py.File(self.path, "r", libver="latest", swmr=True)
        except FILE_ERRORS as error:
            why = "no such file" if not self.path.exists() else f"cannot be read as a recording: {reason(error)}"
            raise RecordError(f"{self.path}: {why}") from error
        try:
            self._check()
            self._frames = 0
            self._known_times = np.zeros(0)
            self.refresh()
            self._frames = min([self._frames, *self._lengths()])
        except FILE_ERRORS as error:
            self._file.close()
            if isinstance(error, RecordError):
                raise
            raise RecordError(f"{self.path}: this recording is damaged: {reason(error)}") from error

    def _check(self) -> None:
        attributes = self._file.attrs
        if attributes.get("format") != FORMAT:
            raise RecordError(f"{self.path}: is an HDF5 file, but not a recording of Taut")
        self.version = int(attributes["version"])
        if self.version > VERSION:
            raise RecordError(f"{self.path}: written by Taut {attributes.get('taut')}, which is newer than this one")
        self.taut = str(attributes["taut"])
        self.dt = float(attributes["dt"])
        self.every = int(attributes["every"])
        self.created = str(attributes["created"])
        self.title = str(attributes["scene_name"])
        self.scene_text: str = self._file["scene"][()].decode()
        self.body_names: tuple[str, ...] = tuple(name.decode() for name in self._file["bodies/names"][()])
        self._body = {name: i for i, name in enumerate(self.body_names)}

    # ---- what it holds -----------------------------------------------------------------------------------------------

    @cached_property
    def scene(self) -> Scene:
        """The scene that ran, changes included. Raises SceneError, e.g. for a mesh file that is gone."""
        from taut.scene import Scene

        return Scene.from_yaml(self.scene_text, str(self.path))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Quantities in the file, poses and controls apart, in the order they were asked for."""
        return tuple(self._file["quantities"])

    @cached_property
    def controls(self) -> tuple[str, ...]:
        """Controls in the file."""
        return tuple(self._file["controls"])

    def unit(self, name: str) -> str:
        """Unit of a name, e.g. m/s. Raises UnknownName."""
        return str(self._find(name)[0].attrs["unit"])

    def meaning(self, name: str) -> str:
        """What a name means. Raises UnknownName."""
        return str(self._find(name)[0].attrs["meaning"])

    @property
    def units(self) -> dict[str, str]:
        """Units of all quantities and controls by name."""
        found = {name: self.unit(name) for name in self.names}
        return found | {name: self.unit(f"controls/{name}") for name in self.controls if name not in found}

    def __len__(self) -> int:
        """Whole frames."""
        return self._frames

    @property
    def times(self) -> np.ndarray:
        """Time of every frame [s]."""
        return self["time"]

    def __contains__(self, name: str) -> bool:
        return self._look(name) is not None

    def __getitem__(self, name: str) -> np.ndarray:
        """Values over time, shape (frames,) or (frames, size). Raises UnknownName.

        A control is found by its name, or where a body has a quantity of that name, by controls/NAME.
        """
        return self.block(name, 0, self._frames)

    def block(self, name: str, start: int, stop: int) -> np.ndarray:
        """Values of the frames from start to stop, for files larger than memory. Raises UnknownName."""
        dataset, pick = self._find(name)
        return self._fresh(dataset)[(slice(start, min(stop, self._frames)), *pick)]

    # ---- replay ------------------------------------------------------------------------------------------------------

    def poses(self, frame: int) -> tuple[np.ndarray, np.ndarray]:
        """Origins [m], shape (n, 3), and quaternions, shape (n, 4), of all bodies in a frame; -1 is the last."""
        place = range(self._frames)[frame]
        position, orientation = self.pose_block(place, place + 1)
        return position[0], orientation[0]

    def pose_block(self, start: int, stop: int) -> tuple[np.ndarray, np.ndarray]:
        """The same of the frames from start to stop, shapes (frames, n, 3) and (frames, n, 4)."""
        position, orientation = (self._fresh(self._file[f"bodies/{kind}"]) for kind in _OF_BODIES)
        rows = slice(start, min(stop, self._frames))
        return position[rows], orientation[rows]

    def frame_at(self, time: float) -> int:
        """The last frame at or before a time [s]; the first one for earlier times."""
        if not self._frames:
            raise RecordError(f"{self.path}: holds no frame")
        # half a step in a thousand: 0.1 must find the frame at 0.09999999
        found = int(np.searchsorted(self._times_so_far(), time + 5e-4 * self.dt, side="right")) - 1
        return max(0, found)

    def frame(self, index: int) -> Frame:
        """One frame; -1 is the last."""
        place = range(self._frames)[index]
        return Frame(float(self._times_so_far()[place]), *self.poses(place))

    def __iter__(self) -> Iterator[Frame]:
        return (self.frame(i) for i in range(self._frames))

    def _times_so_far(self) -> np.ndarray:
        if len(self._known_times) < self._frames:
            self._known_times = self["time"]
        return self._known_times

    # ---- the file ----------------------------------------------------------------------------------------------------

    def refresh(self) -> int:
        """Look for frames written since; returns how many there are now."""
        committed = self._file["committed"]
        committed.id.refresh()
        self._frames = max(self._frames, int(committed[()]))
        return self._frames

    def _lengths(self) -> Iterator[int]:
        """Frames in each dataset: a tail that is not in all of them does not count."""
        for path in ("time", "step", "bodies/position", "bodies/orientation"):
            yield self._file[path].shape[0]
        for group in ("quantities", "controls"):
            yield from (dataset.shape[0] for dataset in self._file[group].values())

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _fresh(self, dataset: Any) -> Any:
        if dataset.shape[0] < self._frames:
            dataset.id.refresh()
        return dataset

    def _look(self, name: str) -> tuple[Any, tuple[int, ...]] | None:
        """Dataset of a name and the place in a frame."""
        name = name.strip()
        if name in ("time", "step"):
            return self._file[name], ()
        if name in self._file["quantities"]:
            return self._file["quantities"][name], ()
        body, _, quantity = name.partition(".")
        # of a body, the control and what it did have the same name: trolley.velocity[0] is what it did
        control = name if body not in self._body else ""
        control = name.removeprefix("controls/") if name.startswith("controls/") else control
        if control in self._file["controls"]:
            return self._file["controls"][control], ()
        if quantity in _OF_BODIES and body in self._body:
            return self._file[f"bodies/{quantity}"], (self._body[body],)
        if (match := _INDEX.match(name)) and (found := self._look(match["base"])) is not None:
            dataset, pick = found
            size = dataset.shape[1 + len(pick) :]
            if size and int(match["index"]) < size[0]:
                return dataset, (*pick, int(match["index"]))
        return None

    def _find(self, name: str) -> tuple[Any, tuple[int, ...]]:
        found = self._look(name)
        if found is None:
            import difflib

            from taut.measure import UnknownName

            known = [*self.names, *self.controls, *(f"{body}.position" for body in self.body_names[:1000])]
            near = difflib.get_close_matches(name, known, 3, 0.5)
            hint = f"did you mean {', '.join(near)}?" if near else f"it has {', '.join(known[:12])}, ..."
            raise UnknownName(f"{self.path}: {name!r} was not recorded; {hint}")
        return found
