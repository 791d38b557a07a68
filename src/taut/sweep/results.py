"""Reads the file of a sweep: finished, still running, or left behind by a kill. Several parts read as one table."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from taut.record.errors import FILE_ERRORS, reason
from taut.scene.units import NUMBER, UnitError, parse, unit
from taut.sweep.errors import SweepError, SweepInput

FORMAT = "taut sweep"
VERSION = 1


class Results:
    """The cases of a sweep: `results.vary("load.mass")`, `results.measure("max(hoist.tension)")`, `results.status`."""

    def __init__(self, path: str | Path) -> None:
        """Read a file. Raises SweepError."""
        self.path = Path(path)
        try:
            with h5py.File(self.path, "r", libver="latest", swmr=True) as file:
                if file.attrs.get("format") != FORMAT:
                    raise SweepError(f"{self.path}: is not the file of a sweep")
                self._read(file)
        except FILE_ERRORS as error:
            if isinstance(error, SweepError):
                raise
            raise SweepError(f"{self.path}: cannot be read: {reason(error)}") from None

    def _read(self, file: Any) -> None:
        self.title, self.fingerprint = str(file.attrs["scene_name"]), str(file.attrs["fingerprint"])
        self.seconds, self.seed, self.total = (file.attrs[name].item() for name in ("seconds", "seed", "total"))
        self.scene_text = file["scene"][()].decode()
        self.case: np.ndarray = file["case"][()]
        self.status: np.ndarray = file["status"][()]
        self.wall: np.ndarray = file["wall"][()]
        self.reasons = [text.decode() for text in file["reason"][()]]
        self._vary = {name: [text.decode() for text in data[()]] for name, data in file["vary"].items()}
        self._measure = {name: data[()] for name, data in file["measure"].items()}
        self.units = {name: str(data.attrs["unit"]) for name, data in file["measure"].items()}

    def __len__(self) -> int:
        return len(self.case)

    @property
    def names(self) -> list[str]:
        """What is varied."""
        return list(self._vary)

    @property
    def measures(self) -> list[str]:
        """What is measured."""
        return list(self._measure)

    @property
    def done(self) -> np.ndarray:
        """Which cases have their numbers."""
        return self.status == 1

    @property
    def failed(self) -> np.ndarray:
        """Which cases failed."""
        return self.status == 2

    def vary(self, name: str) -> list[str]:
        """Value of a name in each case, as it was given. Raises SweepInput."""
        return self._vary[self._known(name, self._vary)]

    def measure(self, name: str) -> np.ndarray:
        """Result of each case, not a number where there is none. Raises SweepInput."""
        return self._measure[self._known(name, self._measure)]

    def numbers(self, name: str) -> np.ndarray | None:
        """The values of a name in SI units, or None if they are words."""
        values = [si_number(text) for text in self.vary(name)]
        return None if any(value is None for value in values) else np.array(values, float)

    def _known(self, name: str, table: dict[str, Any]) -> str:
        if name not in table:
            raise SweepInput(f"{self.path}: no {name!r}; there are {', '.join([*self._vary, *self._measure])}")
        return name


def si_number(text: str) -> float | None:
    """The number in '2 t' or '500', in SI units; None if it is none."""
    try:
        return parse(text, NUMBER)
    except UnitError:
        pass
    number, _, rest = text.partition(" ")
    try:
        return float(number) * unit(rest)[0]
    except ValueError:
        return None


def read(paths: Sequence[str | Path]) -> Results:
    """One table of one or several files, such as the parts that the jobs of an array have written. Raises SweepError."""
    parts = [Results(path) for path in paths]
    if not parts:
        raise SweepInput("no file of a sweep was named")
    whole = parts[0]
    for part in parts[1:]:
        if (part.names, part.measures, part.scene_text) != (whole.names, whole.measures, whole.scene_text):
            raise SweepError(f"{part.path} and {whole.path} are of different sweeps: they cannot be put together")
    if len(parts) > 1:
        _join(whole, parts)
    return whole


def _join(whole: Results, parts: Sequence[Results]) -> None:
    """Sorted by the number of the case; a case that is in two files counts once, as the one that is done."""
    case = np.concatenate([part.case for part in parts])
    status = np.concatenate([part.status for part in parts])
    preference = np.where(status == 1, 0, np.where(status == 2, 1, 2))
    order = np.lexsort((preference, case))
    _, first = np.unique(case[order], return_index=True)
    keep = order[first]
    reasons = [text for part in parts for text in part.reasons]
    for name in whole.measures:
        whole._measure[name] = np.concatenate([part.measure(name) for part in parts])[keep]
    for name in whole.names:
        every = [text for part in parts for text in part.vary(name)]
        whole._vary[name] = [every[k] for k in keep]
    whole.wall = np.concatenate([part.wall for part in parts])[keep]
    whole.reasons = [reasons[k] for k in keep]
    whole.case, whole.status = case[keep], status[keep]


def write_csv(results: Results, path: Path) -> int:
    """Write a row for each case: its number, its values, its results, its status and the reason; returns how many."""
    words = ("open", "done", "failed")
    heading = [
        "case",
        *results.names,
        *(f"{name} [{results.units[name]}]" for name in results.measures),
        "status",
        "reason",
    ]
    draft = path.with_name(path.name + ".part")
    try:
        with draft.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(heading)
            columns = [results.vary(name) for name in results.names]
            columns += [results.measure(name).tolist() for name in results.measures]
            status = [words[k] for k in results.status]
            writer.writerows(zip(results.case.tolist(), *columns, status, results.reasons))
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise SweepError(f"{path}: cannot be written: {error.strerror or error}") from error
    return len(results)
