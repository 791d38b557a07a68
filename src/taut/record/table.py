"""A recording as a table of numbers for other programs: CSV."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from taut.measure.first import OF_A_STEP
from taut.record.errors import RecordError
from taut.record.recording import Recording

#: frames held in memory at once
BLOCK = 4096


def write_csv(recording: Recording, names: Sequence[str], path: Path) -> int:
    """Write time and names, a column for each component, SI units in the header; returns the number of rows.

    Numbers read back bit by bit; forces before the first step, which nobody knows, stand there as nan. The file is written whole or not at all. Raises UnknownName and RecordError.
    """
    header = ["time [s]"]
    for name in names:
        header += _headings(recording, name)
    draft = path.with_name(path.name + ".part")
    try:
        with draft.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(header)
            for start in range(0, len(recording), BLOCK):
                _write_block(writer, recording, ["time", *names], start)
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise RecordError(f"{path}: cannot be written: {error.strerror or error}") from error
    return len(recording)


def _headings(recording: Recording, name: str) -> list[str]:
    unit = recording.unit(name)
    shape = recording.block(name, 0, 1).shape[1:]
    return [f"{name}[{k}] [{unit}]" for k in range(shape[0])] if shape else [f"{name} [{unit}]"]


def _write_block(writer: Any, recording: Recording, names: Sequence[str], start: int) -> None:
    blocks = [recording.block(name, start, start + BLOCK) for name in names]
    columns = [block.reshape(len(block), -1) for block in blocks]
    if start == 0 and len(columns[0]) and columns[0][0, 0] == 0.0:
        for k, name in enumerate(names):
            if k > 0 and recording.unit(name) in OF_A_STEP:
                columns[k] = columns[k].astype(float)
                columns[k][0] = np.nan
    writer.writerows(np.concatenate(columns, axis=1, dtype=np.float64).tolist())


def default_columns(recording: Recording) -> list[str]:
    """Everything but the poses."""
    return [*recording.names, *(f"controls/{name}" for name in recording.controls)]


#: what can be exported, by the ending of the file
WRITERS = {".csv": write_csv}


def check_export(path: Path) -> None:
    """Refuse a name that nothing can be exported to. Raises RecordError."""
    if path.suffix.lower() not in WRITERS:
        raise RecordError(f"{path}: possible endings are {', '.join(WRITERS)}")
    if not path.parent.is_dir():
        raise RecordError(f"{path}: there is no folder {path.parent}")


def export(recording: Recording, names: Sequence[str], path: Path) -> int:
    """Write a file by its ending; returns the number of rows. Raises UnknownName and RecordError."""
    check_export(path)
    return WRITERS[path.suffix.lower()](recording, names or default_columns(recording), path)
