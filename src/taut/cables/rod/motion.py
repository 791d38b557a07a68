"""A cycle of the machine: poses of connectors, ends and parts over time, the harness solved in every frame."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from taut.cables.rod import table_units
from taut.cables.rod.arrays import Array
from taut.cables.rod.jumps import Jump, jumps_of
from taut.cables.rod.jumps import poses as poses_of
from taut.cables.rod.limits import LIMITS, NOTHING, Finding, findings
from taut.cables.rod.route import Route
from taut.cables.rod.stills import Still, still
from taut.cables.rod.values import RodError, plain
from taut.scene import units
from taut.scene.problems import did_you_mean

#: a measure that changes by less in a motion is the same in every frame, as a share of it [-]
SAME = 1e-6
#: a motion that goes further, as a multiple of the size of the route, may be in another unit; mistakes of a file that are told
FAR, TOLD = 10.0, 12
POSITION, ROTATION = ("x", "y", "z"), ("qw", "qx", "qy", "qz")
#: what each column holds, by the last word of its name
KINDS = {"time": units.TIME, **dict.fromkeys(POSITION, units.LENGTH), **dict.fromkeys(ROTATION, units.NUMBER)}


@dataclass
class Worst:
    """The worst finding of a cycle, and when."""

    finding: Finding
    time: float
    frame: int  # index


@dataclass
class Cycle:
    """What a motion showed."""

    times: list[float] = field(default_factory=list)
    worst: dict[tuple[str, str], Worst] = field(default_factory=dict)
    history: dict[tuple[str, str], list[float]] = field(default_factory=dict)
    shapes: dict[str, list[Array]] = field(default_factory=dict)  # points of each cable in every frame
    jumps: list[Jump] = field(default_factory=list)  # frames between which a shape goes further than it is led
    stills: list[Still] = field(default_factory=list)  # of every frame, where they were asked for
    name: str = ""  # of its file
    notes: list[str] = field(default_factory=list)  # what is odd about it, in words

    def constant(self, key: tuple[str, str]) -> bool:
        """Whether a measure, by cable and name, is the same in every frame but for round-off."""
        values = self.history.get(key, [])
        if len(values) < 2:
            return False
        spread, size = max(values) - min(values), max(map(abs, values))
        return spread <= max(SAME * size, NOTHING[LIMITS[key[1]][0]])

    def passed(self) -> bool:
        """No limit is broken in any frame."""
        return all(one.finding.passed is not False for one in self.worst.values())


#: a frame of a file: its time [s], and what is told of each thing that moves
Frame = tuple[float, dict[str, dict[str, float]]]


def read_motion(file: str | Path, route: Route | None = None) -> list[Frame]:
    """Frames of a CSV file: column `time` [s] and NAME.x NAME.y NAME.z [m], NAME.qw NAME.qx NAME.qy NAME.qz each; other units stand in
    the head, as `pump.x [mm]`, or in a cell, as `300 mm`. Raises RodError with every mistake in it; route: what its names are looked for
    in."""
    path = Path(file)
    try:
        with path.open(newline="", encoding="utf-8-sig") as stream:
            rows = list(csv.reader(stream))
    except FileNotFoundError:
        raise RodError(f"{path}: no such file") from None
    except OSError as error:
        raise RodError(f"{path}: {(error.strerror or str(error)).lower()}") from None
    wrong, head, written = list[str](), list[str](), list[str]()
    for one in rows[0] if rows else []:
        try:
            name, unit = table_units.head(one, KINDS)
        except RodError as error:
            wrong.append(f"{path}:1: {error}")
            name, unit = one.partition("[")[0].strip(), ""
        head.append(name)
        written.append(unit)
    if "time" not in head:
        only = rows[0][0] if rows and len(rows[0]) == 1 else ""
        comma = "; put commas between the columns" if any(mark in only for mark in ";\t") else ""
        raise RodError(
            f"{path}: expected a first line with 'time' and columns such as pump.x, pump.y [mm], pump.qw{comma}"
        )
    wrong += [f"{path}: {words}" for words in (*_columns(head), *(_names(route, head) if route is not None else ()))]
    frames = []
    for line, row in enumerate(rows[1:], 2):
        if not row:
            continue
        if len(row) != len(head):
            wrong.append(
                f"{path}:{line}: {len(row)} values in {','.join(row)!r} - expected {len(head)}, one for each column"
            )
            continue
        values = []
        for name, unit, cell in zip(head, written, row):
            try:
                kind = KINDS.get(name.rpartition(".")[2])  # a column that is none is told already
                values.append(table_units.cell(cell, kind, unit) if kind is not None else 0.0)
            except RodError as error:
                wrong.append(f"{path}:{line}: column {name}: {error}")
        if len(values) != len(head):
            continue
        poses: dict[str, dict[str, float]] = {}
        time = 0.0
        for name, value in zip(head, values):
            if name == "time":
                time = value
            else:
                body, _, word = name.rpartition(".")
                poses.setdefault(body, {})[word] = value
        frames.append((time, poses))
    if len(wrong) > TOLD:
        wrong[TOLD:] = [f"and {len(wrong) - TOLD} more mistakes"]
    if wrong:
        raise RodError("\n".join(wrong))
    return frames


def _columns(head: list[str]) -> Iterator[str]:
    """Columns that are none, and rotations that lack some, in words."""
    for name in head:
        if name != "time" and name.rpartition(".")[2] not in (*POSITION, *ROTATION):
            yield f"column {name!r} - expected 'time', or NAME with .x .y .z (where it is) or .qw .qx .qy .qz (how it is turned: a quaternion)"
    for body in _bodies(head):
        lacking = [word for word in ROTATION if f"{body}.{word}" not in head]
        if 0 < len(lacking) < len(ROTATION):
            yield f"{body}: a rotation needs all of .qw .qx .qy .qz; .{', .'.join(lacking)} is missing"


def _names(route: Route, head: list[str]) -> Iterator[str]:
    """Names of columns that no motion can move, in words."""
    parts, connectors = route.harness._net.asked.obstacles, route.harness.connectors
    for body in _bodies(head):
        if body not in parts and body not in connectors:
            hint = did_you_mean(body, [*connectors, *parts])
            meant = f", {hint}" if hint else ""
            yield f"no connector, end or part {body!r}{meant}; known: {', '.join([*connectors, *parts])}"
        elif body not in parts and route.harness._body(body).free.any():
            yield f"{body}: is free and cannot be moved by a motion; make it fixed"


def _bodies(head: list[str]) -> list[str]:
    """What the columns are about, each once."""
    known = (*POSITION, *ROTATION)
    return list(
        dict.fromkeys(name.rpartition(".")[0] for name in head if name.rpartition(".")[2] in known and "." in name)
    )


def _in_metres(route: Route, frames: list[Frame]) -> str:
    """What to think of a motion that goes far beyond the route; empty where it does not."""
    targets = route.harness._net.asked.targets()
    size = float(np.ptp([target.point for target in targets], axis=0).max())
    size += max(cable.length for cable in route.harness.cables.values())
    parts = route.harness._net.asked.obstacles
    far = 0.0
    for _, poses in frames:
        for name, pose in poses.items():
            here = (parts[name] if name in parts else route.harness._body(name)).point
            far = max([far, *(abs(pose[word] - here[k]) for k, word in enumerate(POSITION) if word in pose)])
    if far <= FAR * size:
        return ""
    return f"it goes as far as {plain(far)} m from where things are: columns .x .y .z without a unit are in metres, were mm meant? Then write [mm] behind their names, as x [mm]"


def apply(route: Route, poses: dict[str, dict[str, float]]) -> None:
    """Ask for these poses."""
    harness = route.harness
    parts, connectors = harness._net.asked.obstacles, harness.connectors
    for name, pose in poses.items():
        if name in parts:
            target = parts[name]
        elif name in connectors:
            target = harness._body(name)
            if target.free.any():
                raise RodError(f"{name}: is free and cannot be moved by a motion; make it fixed")
        else:
            raise RodError(f"no connector, end or part {name!r}; known: {', '.join([*connectors, *parts])}")
        if any(word in pose for word in POSITION):
            target.point = np.array([pose.get(word, target.point[k]) for k, word in enumerate(POSITION)])
        if lacking := [word for word in ROTATION if word not in pose]:
            if len(lacking) < len(ROTATION):
                raise RodError(f"{name}: a rotation needs all of .qw .qx .qy .qz; .{', .'.join(lacking)} is missing")
        else:
            q = np.array([pose[word] for word in ROTATION])
            size = float(np.linalg.norm(q))
            if size < 1e-9:
                raise RodError(f"{name}: its quaternion is zero")
            q = q / size
            if abs(float(q @ target.frame)) < 1.0 - 1e-14:
                target.turn_to(q)


def run_motion(
    route: Route, file: str | Path, progress: Callable[[int], None] = lambda _done: None, *, stills: bool = False
) -> Cycle:
    """Solve every frame; an error names the time at which it happened. stills: keep each frame, to be looked at again."""
    cycle, held = Cycle(name=Path(file).name), []
    frames = read_motion(file, route)
    if words := _in_metres(route, frames):
        cycle.notes.append(words)
    for k, (time, poses) in enumerate(frames):
        apply(route, poses)
        try:
            route.harness.solve()
        except RodError as error:
            more = "".join(f"; {note}" for note in cycle.notes)
            raise RodError(f"no shape found at frame {k + 1}, {time:g} s: {error}{more}") from None
        cycle.times.append(time)
        held.append(poses_of(route.harness._net.asked))
        if stills:
            cycle.stills.append(still(route.harness._net))
        for name, cable in route.harness.cables.items():
            cycle.shapes.setdefault(name, []).append(cable.points)
            for one in findings(route.harness, name, route.limits[name], route.clips[name]):
                key = (name, one.what)
                cycle.history.setdefault(key, []).append(one.value)
                known = cycle.worst.get(key)
                least = LIMITS[one.what][1]
                if known is None or ((one.value < known.finding.value) == least and one.value != known.finding.value):
                    cycle.worst[key] = Worst(one, time, k)
        progress(k + 1)
    if not cycle.times:
        raise RodError(f"{file}: holds no frames")
    for name, shapes in cycle.shapes.items():
        cycle.jumps += jumps_of(name, route.harness[name].radius, cycle.times, shapes, held)
    return cycle
