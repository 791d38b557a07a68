"""Writes a recording while a simulation runs."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from taut.record import storage
from taut.record.defaults import default_names
from taut.record.errors import FILE_ERRORS, RecordError, reason
from taut.record.layout import columns
from taut.record.recording import BEING_WRITTEN

#: frames are collected in memory of at most this size, and at most this many, before they are written [B, -]
BUFFER_BYTES, BUFFER_FRAMES = 8 * 1024 * 1024, 4096


class Recorder:
    """Records a simulation: `with Recorder("run.h5", sim) as rec: sim.step(); rec.take()`.

    The file can be read while it is written, and after a kill at any moment. A frame reaches it at most `flush_every`
    seconds after it was taken, also while the simulation rests: a thread sees to that.
    """

    def __init__(
        self,
        path: str | Path,
        sim: Any,
        names: Iterable[str] | None = None,
        every: int = 1,
        flush_every: float = 0.5,
        *,
        overwrite: bool = False,
    ) -> None:
        """Start a recording with the present state as its first frame.

        names: quantities besides the poses, None for a sensible choice. every: steps from frame to frame.
        flush_every: longest time that a frame waits in memory [s]. Raises RecordError and UnknownName.
        """
        if every < 1:
            raise ValueError(f"every: {every} - expected a whole number of steps, at least 1")
        self.path = Path(path)
        self.every = int(every)
        self._sim = sim
        self._columns = columns(sim, default_names(sim) if names is None else names)
        storage.check_target(self.path, overwrite)
        storage.create(self.path, sim, self._columns, self.every)
        self._file = storage.open_for_writing(self.path)
        self._place = self.path.resolve()
        self._datasets = [self._file[column.path] for column in self._columns]
        self._committed = self._file["committed"]
        self._take_buffers()
        self._lock = threading.Lock()
        self._error: RecordError | None = None
        self._said = False  # whether the caller has seen the error
        self._stop = threading.Event()
        self._last_step = sim.steps
        self._thread = threading.Thread(target=self._flush_often, args=(flush_every,), name="recorder", daemon=True)
        self._thread.start()
        atexit.register(self.close)

    def _take_buffers(self) -> None:
        frame = sum(column.frame_bytes for column in self._columns)
        self._room = max(1, min(BUFFER_FRAMES, BUFFER_BYTES // frame))
        self._buffers: list[Any] = [np.zeros((self._room, *column.shape), column.kind) for column in self._columns]
        self._waiting = 0
        self._written = 1  # the state at the start

    # ---- while it runs -----------------------------------------------------------------------------------------------

    @property
    def frames(self) -> int:
        """Frames taken so far."""
        return self._written + self._waiting

    @property
    def flushed(self) -> int:
        """Frames that a reader finds, also after a kill."""
        return self._written

    def take(self) -> bool:
        """Take the present state as a frame if it is due, `every` steps after the last; whether it was.

        Raises RecordError.
        """
        self._refuse()
        sim = self._sim
        made = sim.steps - self._last_step
        if made < 0:
            raise RecordError(f"{self.path}: the simulation went back in time; start a new recording")
        if made < self.every:
            return False
        with self._lock:
            if self._waiting == self._room:
                self._write()
            for buffer, column in zip(self._buffers, self._columns):
                buffer[self._waiting] = column.read(sim)
            self._last_step = sim.steps
            self._waiting += 1
        return True

    def flush(self) -> None:
        """Put everything taken so far into the file. Raises RecordError."""
        self._refuse()
        with self._lock:
            self._write()

    def close(self) -> None:
        """Write what is left and close the file; raises RecordError if that fails and was not said before."""
        if self._stop.is_set():
            return
        self._stop.set()
        self._thread.join()
        atexit.unregister(self.close)
        BEING_WRITTEN.discard(self._place)
        if self._error is None:
            with self._lock:
                self._write()
            try:
                self._file.close()
            except FILE_ERRORS as error:
                self._fail(error)
        elif not self._said:
            raise self._error

    def _refuse(self) -> None:
        if self._error is not None:
            self._said = True
            raise self._error
        if self._stop.is_set():
            raise RecordError(f"{self.path}: this recording is closed")

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- the file ----------------------------------------------------------------------------------------------------

    def _write(self) -> None:
        """Write the frames that wait, all datasets first, then how many frames are whole. Holds the lock."""
        if self._waiting == 0 or self._error is not None:
            return
        start, stop = self._written, self._written + self._waiting
        try:
            for dataset, buffer in zip(self._datasets, self._buffers):
                dataset.resize(stop, axis=0)
                dataset[start:stop] = buffer[: self._waiting]
            for dataset in self._datasets:
                dataset.flush()
            self._committed[()] = stop
            self._committed.flush()
        except FILE_ERRORS as error:
            self._fail(error)
        self._written, self._waiting = stop, 0

    def _fail(self, error: BaseException) -> None:
        storage.abandon(self._file)
        self._said = threading.current_thread() is not self._thread
        self._error = RecordError(
            f"{self.path}: recording stopped: {reason(error)}; the file holds the first {self._written} frames, "
            "the simulation is not touched"
        )
        raise self._error from error

    def _flush_often(self, flush_every: float) -> None:
        # a little more often than promised: a frame waits for its turn, and then for the disk
        while not self._stop.wait(0.8 * flush_every):
            try:
                with self._lock:
                    self._write()
            except RecordError:
                return  # said by the next take or by close
