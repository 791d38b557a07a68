"""The file under a recording: created whole, opened so that others may read it while it grows.

The layout is made in a file beside the final one, which then takes its place in one move. So the final name always
holds a readable recording: the old one, or the new one. From there on the file is open for one writer and many readers
(SWMR), whose order of writing keeps it readable after a kill at any moment.
"""

from __future__ import annotations

import contextlib
import datetime
import os
import time
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from taut.record.errors import FILE_ERRORS, RecordError, is_locked, reason
from taut.record.layout import Column
from taut.record.recording import BEING_WRITTEN, FORMAT, VERSION, is_recording
from taut.record.whole import write_whole

#: oldest file format with SWMR: tools with HDF5 1.10 and later can read it
FILE_FORMAT = ("v110", "v110")
#: how long a reader that has just looked at the new file is waited for [s]
PATIENCE = 5.0


def check_target(path: Path, overwrite: bool) -> None:
    """Refuse a file that must not or cannot be written, before anything is touched. Raises RecordError."""
    if path.is_dir():
        raise RecordError(f"{path}: is a folder; expected the name of a file, e.g. {path / 'run.h5'}")
    if not path.parent.is_dir():
        raise RecordError(f"{path}: there is no folder {path.parent}")
    if path.resolve() in BEING_WRITTEN:
        raise RecordError(f"{path}: is being recorded by this program; choose another name")
    if not path.exists():
        return
    if not is_recording(path):
        raise RecordError(f"{path}: exists and is not a recording of Taut; it is left alone, choose another name")
    if not overwrite:
        raise RecordError(f"{path}: exists; choose another name or overwrite it (--overwrite)")


def create(path: Path, sim: Any, columns: list[Column], every: int) -> None:
    """Write a recording with one frame, the present state of `sim`. Raises RecordError.

    An old recording of that name stays until the new one is whole.
    """
    # in memory first: the library crashes when it cannot write
    with h5py.File(path.name, "w", libver=FILE_FORMAT, driver="core", backing_store=False) as file:
        _describe(file, sim, every)
        for column in columns:
            _add(file, column, sim)
        file.flush()
        image = file.id.get_file_image()
    try:
        write_whole(path, lambda draft: draft.write_bytes(image))
    except FILE_ERRORS as error:
        raise RecordError(f"{path}: cannot be written: {reason(error)}") from error


def open_for_writing(path: Path) -> h5py.File:
    """Open a new recording for one writer and many readers. Raises RecordError."""
    # not by h5py.File: it would open first and allow readers later, and a kill in between leaves a locked file
    access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    access.set_libver_bounds(h5py.h5f.LIBVER_V110, h5py.h5f.LIBVER_V110)
    access.set_fclose_degree(h5py.h5f.CLOSE_STRONG)
    flags = h5py.h5f.ACC_RDWR | h5py.h5f.ACC_SWMR_WRITE
    end = time.monotonic() + PATIENCE
    while True:
        try:
            file = h5py.File(h5py.h5f.open(os.fsencode(path), flags, access))
            break
        except FILE_ERRORS as error:
            # a reader that came between the move and this has locked it for a moment
            if not is_locked(error) or time.monotonic() > end:
                raise RecordError(f"{path}: cannot be written: {reason(error)}") from error
            time.sleep(0.01)
    BEING_WRITTEN.add(path.resolve())
    return file


def abandon(file: h5py.File) -> None:
    """Let go of a file that can no longer be written, and leave it as a kill would: readable up to what was committed.

    The library insists on writing what it still holds when it closes a file, and crashes when that fails again. So the
    rest goes nowhere.
    """
    with contextlib.suppress(*FILE_ERRORS):
        nowhere = os.open(os.devnull, os.O_RDWR)
        os.dup2(nowhere, file.id.get_vfd_handle())
        os.close(nowhere)
    with contextlib.suppress(*FILE_ERRORS):
        file.close()


def _describe(file: h5py.File, sim: Any, every: int) -> None:
    from taut import __version__

    file.attrs["format"] = FORMAT
    file.attrs["version"] = VERSION
    file.attrs["taut"] = __version__
    file.attrs["dt"] = sim.dt
    file.attrs["every"] = every
    file.attrs["scene_name"] = sim.scene.name
    file.attrs["created"] = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    text = sim.scene.to_yaml().encode()
    file.create_dataset("scene", data=np.array(text, h5py.string_dtype("utf-8", max(1, len(text)))))
    file.create_dataset("committed", data=np.int64(1))
    for group in ("bodies", "quantities", "controls"):
        file.create_group(group, track_order=True)
    names = [name.encode() for name in sim.compiled.bodies.names]
    longest = max(len(name) for name in names)
    file["bodies"].create_dataset("names", data=np.array(names, h5py.string_dtype("utf-8", longest)))


def _add(file: h5py.File, column: Column, sim: Any) -> None:
    """One dataset that can grow, with the first frame in it."""
    first: Any = np.asarray(column.read(sim), column.kind)[None]
    dataset = file.create_dataset(column.path, data=first, maxshape=(None, *column.shape), chunks=column.chunk)
    dataset.attrs["unit"] = column.unit
    dataset.attrs["meaning"] = column.meaning
