"""Stiffness, rest curvature and connector roll of a real hose, from measured shapes of it.

Each measured shape is a cloud of points along the centreline with the poses of the ends it was taken in. Sought are the
bending stiffness (torsion keeps its ratio to it), the rest curvature about both axes and the roll of the end connector, so
that the orthogonal distances of the points are least, robustly (soft L1: some points are always wrong). The problem has
many local minima: a grid over stiffness and curvature first, then the best of them polished. Only EI over weight can be
seen in a shape.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from taut.cables.rod.arrays import Array
from taut.cables.rod.ends import from_vector, multiply
from taut.cables.rod.route import Route
from taut.cables.rod.values import RodError

#: factors of the stiffness, and rest curvatures times the length, that are tried first; how many of them are polished
STIFFNESSES, CURVATURES, POLISHED = (0.25, 0.6, 1.5, 4.0), (-1.2, -0.4, 0.0, 0.4, 1.2), 4
NAMES = ("stiffness factor", "rest curvature about d1", "rest curvature about d2", "roll of the end")
UNITS = ("-", "1/m", "1/m", "rad")
#: a value whose uncertainty is larger than this is not told by the data: share, [1/m], [1/m], [rad]
TELLING = (0.5, 1.0, 1.0, 0.3)


@dataclass(frozen=True)
class Shape:
    """A measured shape."""

    points: Array  # [m], shape (k, 3)
    poses: dict[str, dict[str, float]]  # as in a motion


@dataclass(frozen=True)
class Fit:
    """What was found."""

    values: Array  # stiffness factor, both rest curvatures [1/m], roll [rad]
    interval: Array  # half width of the 95 % confidence interval, same
    noise: float  # root mean square of the distances [m]
    warnings: list[str]


def read_shape(file: str | Path) -> Shape:
    """A CSV file with columns x [mm], y [mm], z [mm] (or in m: x, y, z), and lines such as `# hose.end.x: 0.35` for poses."""
    path = Path(file)
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise RodError(f"{path}: {(error.strerror or str(error)).lower()}") from None
    poses: dict[str, dict[str, float]] = {}
    for line in lines:
        if line.startswith("#") and ":" in line:
            name, _, value = line[1:].partition(":")
            body, _, word = name.strip().rpartition(".")
            try:
                poses.setdefault(body, {})[word] = float(value)
            except ValueError:
                raise RodError(f"{path}: {line!r} - expected a number after the colon") from None
    rows = list(csv.reader(line for line in lines if line.strip() and not line.startswith("#")))
    head = [name.strip() for name in rows[0]] if rows else []
    millimetres = [f"{axis} [mm]" for axis in "xyz"]
    if all(name in head for name in millimetres):
        columns, scale = [head.index(name) for name in millimetres], 1e-3
    elif all(axis in head for axis in "xyz"):
        columns, scale = [head.index(axis) for axis in "xyz"], 1.0
    else:
        raise RodError(
            f"{path}: expected columns 'x [mm]', 'y [mm]', 'z [mm]' or 'x', 'y', 'z' in m; got {', '.join(head)}"
        )
    try:
        points = scale * np.array([[float(row[c]) for c in columns] for row in rows[1:]])
    except (ValueError, IndexError):
        raise RodError(f"{path}: a line does not hold three numbers") from None
    if len(points) < 8:
        raise RodError(f"{path}: {len(points)} points are too few to tell a shape; at least 8 are needed")
    return Shape(points, poses)


class Model:
    """The hose with other values of what is sought."""

    def __init__(self, data: dict[str, Any], folder: Path | None, cable: str | None = None) -> None:
        self._data, self._folder = data, folder
        route = Route.of(data, folder)
        self.cable = cable or next(iter(route.harness.cables))
        self.length = route.harness[self.cable].length

    def curve(self, values: Array, poses: dict[str, dict[str, float]]) -> Array:
        """Centreline [m] for these values in these poses."""
        from taut.cables.rod.motion import apply

        route = Route.of(self._data, self._folder)
        cable = route.harness[self.cable]
        cable.scale_stiffness(float(values[0]))
        cable.set_rest_curvature(float(values[1]), float(values[2]))
        apply(route, poses)
        body = route.harness._net.asked.bodies[cable._chain.bodies[1]]
        roll = from_vector(np.array([0.0, 0.0, float(values[3])]))
        cable._chain.frames = [cable._chain.frames[0], multiply(cable._chain.frames[1], roll)]
        # from where the shape is to be, not on the way there
        body.turns = body.turns[-1:]
        route.harness._net.changed = True
        route.harness.solve(tolerance=1e-9)
        return cable.points


def distances(points: Array, curve: Array) -> Array:
    """From each point to a polyline [m]."""
    a, d = curve[:-1], np.diff(curve, axis=0)
    relative = points[:, None] - a[None]
    share = np.clip((relative * d).sum(axis=-1) / (d * d).sum(axis=-1), 0.0, 1.0)
    return np.linalg.norm(relative - share[..., None] * d, axis=-1).min(axis=1)


def fit(
    model: Model, shapes: list[Shape], noise: float = 5e-4, progress: Callable[[int, int], None] = lambda _done, _all: None
) -> Fit:  # fmt: skip
    """Find the values. noise: what a point is off by [m], beyond which it counts less."""
    from scipy.optimize import least_squares

    starts = [np.array([b, k / model.length, 0.0, 0.0]) for b in STIFFNESSES for k in CURVATURES]
    total = len(starts) + POLISHED

    def misses(values: Array) -> Array:
        out = []
        for shape in shapes:
            try:
                out.append(
                    distances(shape.points, model.curve(np.array([np.exp(values[0]), *values[1:]]), shape.poses))
                )
            except RodError:
                out.append(np.full(len(shape.points), 0.1 * model.length))
        # weak priors keep what the data cannot tell in a sensible range
        weak = np.array(
            [values[0] / 3.0, values[1] * model.length / 6.0, values[2] * model.length / 6.0, values[3] / 3.0]
        )
        return np.concatenate([np.concatenate(out) / noise, weak])

    tried = []
    for k, start in enumerate(starts):
        begin = np.array([np.log(start[0]), *start[1:]])
        tried.append((float((2.0 * (np.sqrt(1.0 + misses(begin) ** 2) - 1.0)).sum()), k, begin))
        progress(k + 1, total)
    tried.sort(key=lambda one: one[0])
    best = None
    for k, (_, _, begin) in enumerate(tried[:POLISHED]):
        found = least_squares(misses, begin, loss="soft_l1", x_scale=[0.3, 0.5, 0.5, 0.2], diff_step=1e-4, max_nfev=25)
        best = found if best is None or found.cost < best.cost else best
        progress(len(starts) + k + 1, total)
    assert best is not None
    return _judge(best, misses(best.x), noise)


def _judge(best: Any, misses: Array, noise: float) -> Fit:
    """Confidence from the curvature of the cost, and what it means."""
    points = misses[:-4]
    square = best.jac.T @ best.jac
    spread = max(1.0, float(np.median(np.abs(points)) / 0.6745))
    half = 1.96 * spread * np.sqrt(np.maximum(np.diag(np.linalg.pinv(square)), 0.0))
    values = np.array([np.exp(best.x[0]), *best.x[1:]])
    half[0] *= values[0]
    warnings = [
        f"{name}: {value:.3g} +- {width:.2g} {unit} - the data cannot tell it; add a shape in another pose"
        for name, unit, value, width, telling in zip(NAMES, UNITS, values, half, (TELLING[0] * values[0], *TELLING[1:]))
        if width > telling
    ]
    return Fit(values, half, noise * float(np.sqrt(np.mean(points**2))), warnings)
