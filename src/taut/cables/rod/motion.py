"""A cycle of the machine: poses of connectors, ends and parts over time, the harness solved in every frame."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from taut.cables.rod.arrays import Array
from taut.cables.rod.jumps import Jump, jumps_of
from taut.cables.rod.jumps import poses as poses_of
from taut.cables.rod.limits import LIMITS, Finding, findings
from taut.cables.rod.route import Route
from taut.cables.rod.values import RodError

POSITION, ROTATION = ("x", "y", "z"), ("qw", "qx", "qy", "qz")


@dataclass
class Worst:
    """The worst finding of a cycle, and when."""

    finding: Finding
    time: float


@dataclass
class Cycle:
    """What a motion showed."""

    times: list[float] = field(default_factory=list)
    worst: dict[tuple[str, str], Worst] = field(default_factory=dict)
    history: dict[tuple[str, str], list[float]] = field(default_factory=dict)
    shapes: dict[str, list[Array]] = field(default_factory=dict)  # points of each cable in every frame
    jumps: list[Jump] = field(default_factory=list)  # frames between which a shape goes further than it is led

    def passed(self) -> bool:
        """No limit is broken in any frame."""
        return all(one.finding.passed is not False for one in self.worst.values())


def read_motion(file: str | Path) -> Iterator[tuple[float, dict[str, dict[str, float]]]]:
    """Frames of a CSV file: column `time` [s] and NAME.x NAME.y NAME.z [m], NAME.qw NAME.qx NAME.qy NAME.qz each."""
    path = Path(file)
    try:
        with path.open(newline="", encoding="utf-8-sig") as stream:
            rows = list(csv.reader(stream))
    except FileNotFoundError:
        raise RodError(f"{path}: no such file") from None
    except OSError as error:
        raise RodError(f"{path}: {(error.strerror or str(error)).lower()}") from None
    if not rows or "time" not in rows[0]:
        raise RodError(f"{path}: expected a first line with 'time' and columns such as pump.x, pump.qw")
    head = [name.strip() for name in rows[0]]
    for name in head:
        if name != "time" and name.rpartition(".")[2] not in (*POSITION, *ROTATION):
            raise RodError(f"{path}: column {name!r} - expected 'time' or NAME with .x .y .z .qw .qx .qy .qz")
    for line, row in enumerate(rows[1:], 2):
        if not row:
            continue
        try:
            values = [float(word) for word in row]
        except ValueError:
            raise RodError(f"{path}:{line}: {','.join(row)!r} - expected numbers") from None
        if len(values) != len(head) or not all(map(math.isfinite, values)):
            raise RodError(f"{path}:{line}: expected {len(head)} finite numbers, got {len(values)}")
        poses: dict[str, dict[str, float]] = {}
        time = 0.0
        for name, value in zip(head, values):
            if name == "time":
                time = value
            else:
                body, _, word = name.rpartition(".")
                poses.setdefault(body, {})[word] = value
        yield time, poses


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
            known = ", ".join([*connectors, *parts])
            raise RodError(f"motion: no connector, end or part {name!r}; known: {known}")
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


def run_motion(route: Route, file: str | Path, progress: Callable[[int], None] = lambda _done: None) -> Cycle:
    """Solve every frame; an error names the time at which it happened."""
    cycle, held = Cycle(), []
    for k, (time, poses) in enumerate(read_motion(file)):
        apply(route, poses)
        try:
            route.harness.solve()
        except RodError as error:
            raise RodError(f"at {time:g} s: {error}") from None
        cycle.times.append(time)
        held.append(poses_of(route.harness._net.asked))
        for name, cable in route.harness.cables.items():
            cycle.shapes.setdefault(name, []).append(cable.points)
            for one in findings(route.harness, name, route.limits[name], route.clips[name]):
                key = (name, one.what)
                cycle.history.setdefault(key, []).append(one.value)
                known = cycle.worst.get(key)
                least = LIMITS[one.what][1]
                if known is None or ((one.value < known.finding.value) == least and one.value != known.finding.value):
                    cycle.worst[key] = Worst(one, time)
        progress(k + 1)
    if not cycle.times:
        raise RodError(f"{file}: holds no frames")
    for name, shapes in cycle.shapes.items():
        cycle.jumps += jumps_of(name, route.harness[name].radius, cycle.times, shapes, held)
    return cycle
