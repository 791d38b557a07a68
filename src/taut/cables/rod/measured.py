"""Measured shapes of a hose in files: points along its centreline, and where its ends were."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from taut.cables.rod import table_units
from taut.cables.rod.arrays import Array
from taut.cables.rod.motion import KINDS
from taut.cables.rod.values import RodError
from taut.scene import units

#: fewest points that tell a shape
FEWEST = 8
#: a cloud that is larger than the hose is long by this factor is in another unit, or of another hose
TOO_LARGE = 1.5


@dataclass(frozen=True)
class Shape:
    """A measured shape."""

    points: Array  # [m], shape (k, 3)
    poses: dict[str, dict[str, float]]  # as in a motion
    file: str = "shape"


def read_shape(file: str | Path) -> Shape:
    """A CSV file with columns x [mm], y [mm], z [mm] (or in m: x, y, z), and lines such as `# hose.end.x: 350 mm` for poses (a plain number:
    metres)."""
    path = Path(file)
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except FileNotFoundError:
        raise RodError(f"{path}: no such file") from None
    except OSError as error:
        raise RodError(f"{path}: {(error.strerror or str(error)).lower()}") from None
    poses: dict[str, dict[str, float]] = {}
    rows = []
    for number, line in enumerate(lines, 1):
        if line.startswith("#"):
            if ":" in line:
                _read_pose(f"{path}:{number}", line, poses)
        elif line.strip():
            rows.append((number, next(csv.reader([line]))))
    columns, written = _columns(path, rows)
    points = []
    for number, row in rows[1:]:
        if len(row) <= max(columns):
            raise RodError(f"{path}:{number}: {','.join(row)!r} - expected a number in each column")
        point = []
        for axis, column, unit in zip("xyz", columns, written):
            try:
                point.append(table_units.cell(row[column], units.LENGTH, unit))
            except RodError as error:
                raise RodError(f"{path}:{number}: column {axis}: {error}") from None
        points.append(point)
    if len(points) < FEWEST:
        raise RodError(f"{path}: {len(points)} points are too few to tell a shape; at least {FEWEST} are needed")
    return Shape(np.array(points), poses, str(path))


def check_size(shape: Shape, length: float) -> None:
    """Points of a hose of so many metres lie within its length. Raises RodError."""
    size = float(np.ptp(shape.points, axis=0).max())
    if size > TOO_LARGE * length:
        raise RodError(
            f"{shape.file}: the points reach over {size:.4g} m, the hose is {length:.4g} m long; columns x, y, z are in metres, "
            "name them 'x [mm]', 'y [mm]', 'z [mm]' for millimetres"
        )


def _read_pose(where: str, line: str, poses: dict[str, dict[str, float]]) -> None:
    told, _, value = line[1:].partition(":")
    try:
        name, unit = table_units.head(told, KINDS)
        body, _, word = name.rpartition(".")
        if word not in KINDS:
            return  # a remark
        found = table_units.cell(value, KINDS[word], unit)
    except RodError as error:
        raise RodError(f"{where}: {line!r}: {error}") from None
    poses.setdefault(body, {})[word] = found


def _columns(path: Path, rows: list[tuple[int, list[str]]]) -> tuple[list[int], list[str]]:
    """Where x, y, z stand, and their units, empty where none are written."""
    head = [name.strip() for name in rows[0][1]] if rows else []
    where = f"{path}{f':{rows[0][0]}' if rows else ''}"
    try:
        known = [table_units.head(name, KINDS) for name in head]
    except RodError as error:
        raise RodError(f"{where}: {error}") from None
    names = [name for name, _ in known]
    if all(axis in names for axis in "xyz"):
        columns = [names.index(axis) for axis in "xyz"]
        return columns, [known[column][1] for column in columns]
    found = f"got {', '.join(head)}" if head else "it holds no lines"
    comma = "; put commas between them" if len(head) == 1 and any(mark in head[0] for mark in ";\t") else ""
    raise RodError(f"{where}: expected columns 'x [mm]', 'y [mm]', 'z [mm]' or 'x', 'y', 'z' in m; {found}{comma}")
