"""The file of a sweep: every case from the start, filled in as results come.

    /scene                 the scene as YAML text
    /case                  number of each case in the whole table, shape (n,)
    /vary/NAME             value of each case as it was given, shape (n,) of text
    /measure/NAME          result, not a number until it is there; attribute unit, shape (n,)
    /status                0 open, 1 done, 2 failed, shape (n,)
    /reason                why a case failed, shape (n,) of text
    /wall                  time that a case took [s], shape (n,)

The file has its full size before the first case runs: a disk that fills up later takes nothing away. A case's status is
written after its values, so that a kill at any moment leaves cases that are whole or open. It can be read while it is
written (SWMR).
"""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from taut.record.errors import FILE_ERRORS, RecordError, reason
from taut.record.recording import BEING_WRITTEN
from taut.record.storage import FILE_FORMAT, abandon, open_for_writing
from taut.record.whole import write_whole
from taut.sweep.errors import SweepError
from taut.sweep.plan import Plan
from taut.sweep.results import FORMAT, VERSION, Results
from taut.sweep.task import LONGEST_REASON, Outcome

OPEN, DONE, FAILED = 0, 1, 2


class Store:
    """Results on their way to disk: `put` one at a time; each is safe when it returns."""

    def __init__(self, path: str | Path, plan: Plan, *, resume: bool = False, overwrite: bool = False) -> None:
        """Create the file, or with `resume` go on with the one that is there. Raises SweepError."""
        self.path = Path(path)
        before = _before(self.path, plan, resume, overwrite)
        self.status = np.zeros(len(plan.cases), np.int8) if before is None else before.status.copy()
        _create(self.path, plan, before)
        try:
            self._file = open_for_writing(self.path)
        except RecordError as error:
            raise SweepError(str(error)) from error
        self._measures = [self._file["measure"][name] for name in plan.measures]
        self._others = [self._file[name] for name in ("reason", "wall", "status")]

    def open_cases(self, retry: bool = False) -> list[int]:
        """Rows that are still to be run; with `retry` those that failed too."""
        return [int(k) for k in np.flatnonzero(self.status != DONE if retry else self.status == OPEN)]

    def put(self, row: int, outcome: Outcome) -> None:
        """Keep the outcome of a case. Raises SweepError when the disk refuses."""
        status = FAILED if outcome.reason else DONE
        told = _cut(outcome.reason, LONGEST_REASON)
        try:
            for dataset, value in zip(self._measures, outcome.values):
                dataset[row] = value
                dataset.flush()
            last: list[Any] = [told, outcome.wall, status]
            for dataset, entry in zip(self._others, last):
                dataset[row] = entry
                dataset.flush()
        except FILE_ERRORS as error:
            BEING_WRITTEN.discard(self.path.resolve())
            abandon(self._file)
            raise SweepError(
                f"{self.path}: the result of a case could not be written: {reason(error)}; those before it are safe. "
                "Make room and run the same command with --resume."
            ) from error
        self.status[row] = status

    def close(self) -> None:
        """Close the file."""
        BEING_WRITTEN.discard(self.path.resolve())
        with contextlib.suppress(*FILE_ERRORS):
            self._file.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _before(path: Path, plan: Plan, resume: bool, overwrite: bool) -> Results | None:
    """What an older run of the same sweep has left, if it is to be gone on with. Raises SweepError."""
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise SweepError(f"{path}: expected the name of a file in a folder that exists, e.g. sweep.h5")
    if not path.exists():
        return None
    older = Results(path)  # raises SweepError for what is no sweep: it is left alone
    if overwrite:
        return None
    if not resume:
        open_cases = int((older.status == OPEN).sum())
        left = f"{open_cases} of its {len(older)} cases are open" if open_cases else "it is complete"
        raise SweepError(
            f"{path}: exists, {left}; go on with it (--resume), replace it (--overwrite) or choose another name"
        )
    if older.fingerprint != plan.fingerprint:
        raise SweepError(f"{path}: cannot go on with it: {_difference(older, plan)}; choose another name")
    return older


def _difference(older: Results, plan: Plan) -> str:
    if tuple(older.names) != plan.task.names:
        return f"it varies {', '.join(older.names)}, not {', '.join(plan.task.names)}"
    if tuple(older.measures) != plan.measures:
        return f"it measures {', '.join(older.measures)}, not {', '.join(plan.measures)}"
    if older.seconds != plan.task.seconds:
        return f"its runs last {older.seconds:g} s, not {plan.task.seconds:g} s"
    if older.scene_text != plan.task.scene:
        return "its scene is another one"
    return "its cases are other ones (ranges, sample, seed or part of the table)"


def _create(path: Path, plan: Plan, before: Results | None) -> None:
    """Write the whole file, with what an older one holds, and put it in its place in one move. Raises SweepError."""
    n = len(plan.cases)
    # in memory first, as the library crashes when it cannot write
    with h5py.File(path.name, "w", libver=FILE_FORMAT, driver="core", backing_store=False) as file:
        _describe(file, plan)
        _text(file, "scene", [plan.task.scene], ())
        file["case"] = np.arange(plan.cases.first, plan.cases.first + n)
        for k, name in enumerate(plan.cases.names):
            _text(file, f"vary/{name}", [row[k] for row in plan.cases.rows], (n,))
        for name, unit in zip(plan.measures, plan.units):
            values = np.full(n, np.nan) if before is None else before.measure(name)
            file.create_dataset(f"measure/{name}", data=values).attrs["unit"] = unit
        file["status"] = np.zeros(n, np.int8) if before is None else before.status
        file["wall"] = np.zeros(n) if before is None else before.wall
        reasons = np.zeros(n, f"S{LONGEST_REASON}")
        if before is not None:
            reasons[:] = [_cut(text, LONGEST_REASON) for text in before.reasons]
        file["reason"] = reasons
        file.flush()
        image = file.id.get_file_image()
    try:
        write_whole(path, lambda draft: draft.write_bytes(image))
    except OSError as error:
        raise SweepError(f"{path}: cannot be written: {reason(error)}; it needs {len(image) / 1e6:.1f} MB") from error


def _describe(file: Any, plan: Plan) -> None:
    from taut import __version__

    file.attrs["format"], file.attrs["version"], file.attrs["taut"] = FORMAT, VERSION, __version__
    file.attrs["scene_name"] = plan.title
    file.attrs["seconds"], file.attrs["seed"], file.attrs["total"] = plan.task.seconds, plan.seed, plan.total
    file.attrs["fingerprint"] = plan.fingerprint
    file.attrs["created"] = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    for group in ("vary", "measure"):
        file.create_group(group, track_order=True)


def _text(file: Any, name: str, values: Sequence[str], shape: tuple[int, ...]) -> None:
    encoded = [value.encode() for value in values]
    kind = h5py.string_dtype("utf-8", max(1, max(len(value) for value in encoded)))
    file.create_dataset(name, data=np.array(encoded, kind).reshape(shape))


def _cut(text: str, most: int) -> bytes:
    """At most so many bytes of it, whole letters."""
    return text.encode()[:most].decode(errors="ignore").encode()
