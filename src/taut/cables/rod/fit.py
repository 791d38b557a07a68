"""Stiffness, rest curvature and connector roll of a real hose, from measured shapes of it.

Each measured shape is a cloud of points along the centreline with the poses of the ends it was taken in. Sought are the
bending stiffness (torsion keeps its ratio to it), the rest curvature about both axes and the roll of the end connector, so
that the orthogonal distances of the points are least, robustly (soft L1: some points are always wrong). The problem has
many local minima: a grid over stiffness and curvature first, then the best stiffness of each curvature is polished. Only EI over
weight can be seen in a shape.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from taut.cables.rod.arrays import Array
from taut.cables.rod.ends import from_vector, multiply
from taut.cables.rod.measured import Shape, check_size
from taut.cables.rod.route import Route
from taut.cables.rod.values import RodError

#: factors of the stiffness, and rest curvatures times the length, that are tried first
STIFFNESSES, CURVATURES = (0.25, 0.6, 1.5, 4.0), (-1.2, -0.4, 0.0, 0.4, 1.2)
#: steps of the derivatives, share by which the values may still change, tries of each start
DIFFERENCE, SETTLED, MOST = 1e-4, 1e-5, 60
#: median length of a vector with two components of spread one
RAYLEIGH = 1.1774
NAMES = ("stiffness factor", "rest curvature about d1", "rest curvature about d2", "roll of the end")
UNITS = ("-", "1/m", "1/m", "rad")
#: distances up to this are as much as points of a photo or a hand-held laser are off by [m]
ROUGH = 5e-3
#: points that are further from the best hose than this times their noise are not of it
UNLIKE = 2.0
#: a value whose uncertainty is larger than this is not told by the data: share, [1/m], [1/m], [rad]
TELLING = (0.5, 1.0, 1.0, 0.3)


@dataclass(frozen=True)
class Fit:
    """What was found."""

    values: Array  # stiffness factor, both rest curvatures [1/m], roll [rad]
    interval: Array  # half width of the 95 % confidence interval, same
    noise: float  # root mean square of the distances [m]
    warnings: list[str]


class Model:
    """The hose with other values of what is sought."""

    def __init__(self, data: dict[str, Any], folder: Path | None, cable: str | None = None) -> None:
        self._data, self._folder = data, folder
        route = Route.of(data, folder)
        self.cable = cable or next(iter(route.harness.cables))
        self.length = route.harness[self.cable].length

    def check(self, shape: Shape) -> None:
        """Whether the points and poses of a shape can be those of this hose; before any work. Raises RodError."""
        from taut.cables.rod.motion import apply

        check_size(shape, self.length)
        try:
            apply(Route.of(self._data, self._folder), shape.poses)
        except RodError as error:
            raise RodError(f"{shape.file}: {str(error).removeprefix('motion: ')}") from None

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


def offsets(points: Array, curve: Array) -> Array:
    """From the nearest place on a polyline to each point [m], shape (k, 3)."""
    a, d = curve[:-1], np.diff(curve, axis=0)
    relative = points[:, None] - a[None]
    share = np.clip((relative * d).sum(axis=-1) / (d * d).sum(axis=-1), 0.0, 1.0)
    away: Array = relative - share[..., None] * d
    nearest = np.linalg.norm(away, axis=-1).argmin(axis=1)
    found: Array = away[np.arange(len(points)), nearest]
    return found


def soften(off: Array) -> Array:
    """Offsets in units of the noise, shortened so that the sum of their squares is that of soft L1: 2 sqrt(1 + z) - 2 for each
    point, z its squared offset.

    Least squares are sought of vectors, not of their lengths: a length has a kink at zero, where a good fit ends.
    """
    square = (off * off).sum(axis=1)
    # rho(z)/z, without the difference of near numbers
    share = 2.0 / (np.sqrt(1.0 + square) + 1.0)
    found: Array = off * np.sqrt(share)[:, None]
    return found


def distances(points: Array, curve: Array) -> Array:
    """From each point to a polyline [m]."""
    return np.linalg.norm(offsets(points, curve), axis=1)


class _Misses:
    """How far the measured points are from a hose with some values: the logarithm of its stiffness factor, both rest curvatures, roll."""

    def __init__(self, model: Model, shapes: list[Shape], noise: float) -> None:
        self._model, self._shapes, self._noise = model, shapes, noise
        self._steps = np.array([1.0, 1.0 / model.length, 1.0 / model.length, 1.0])
        self._lacking = {k: "" for k in range(len(shapes))}  # shapes in whose poses no hose was found yet, and why

    def lengths(self, values: Array) -> Array:
        """Distances of all points [m]."""
        return np.linalg.norm(self._offsets(values), axis=1)

    def __call__(self, values: Array) -> Array:
        """What the sum of squares is sought of; weak priors keep what the data cannot tell in a sensible range."""
        weak = values / self._steps / [3.0, 6.0, 6.0, 3.0]
        return np.concatenate([soften(self._offsets(values) / self._noise).ravel(), weak])

    def slopes(self, values: Array) -> Array:
        """Derivatives by the values. Steps are of one size: one that goes by the value would vanish where it is zero."""
        here, steps = self(values), DIFFERENCE * self._steps
        return np.array([(self(values + step) - here) / step.sum() for step in np.diag(steps)]).T

    def _offsets(self, values: Array) -> Array:
        out = []
        for k, shape in enumerate(self._shapes):
            try:
                curve = self._model.curve(np.array([np.exp(values[0]), *values[1:]]), shape.poses)
                out.append(offsets(shape.points, curve))
                self._lacking.pop(k, None)
            except RodError as error:
                # no shape with these values: as bad as any
                out.append(np.full(shape.points.shape, 0.1 * self._model.length))
                if k in self._lacking:
                    self._lacking[k] = str(error)
        return np.concatenate(out)

    def settle(self) -> None:
        """After the first values were tried: in each pose one of them must have a shape. Raises RodError."""
        for k, why in self._lacking.items():
            shape = self._shapes[k]
            raise RodError(
                f"{shape.file}: no hose of {self._model.length:.4g} m has a shape with its ends where this file says, with any stiffness "
                f"that was tried; are they in metres? {why}"
            )


def fit(
    model: Model, shapes: list[Shape], noise: float = 5e-4, progress: Callable[[int, int], None] = lambda _done, _all: None
) -> Fit:  # fmt: skip
    """Find the values. noise: what a point is off by [m], beyond which it counts less. Raises RodError."""
    from scipy.optimize import least_squares

    for shape in shapes:
        model.check(shape)
    starts = [np.array([np.log(b), k / model.length, 0.0, 0.0]) for b in STIFFNESSES for k in CURVATURES]
    total, misses = len(starts) + len(CURVATURES), _Misses(model, shapes, noise)
    tried = []
    for k, begin in enumerate(starts):
        tried.append((float((misses(begin) ** 2).sum()), k))
        progress(k + 1, total)
    misses.settle()
    best = None
    for k in range(len(CURVATURES)):
        begin = starts[min(tried[k :: len(CURVATURES)])[1]]
        found = least_squares(misses, begin, misses.slopes, x_scale=[0.3, 0.5, 0.5, 0.2], xtol=SETTLED, max_nfev=MOST)
        best = found if best is None or found.cost < best.cost else best
        progress(len(starts) + k + 1, total)
    assert best is not None
    found = _judge(best, misses.lengths(best.x), noise)
    if found.noise > UNLIKE * noise:
        found.warnings.append(_unlike(shapes, found.noise, noise))
    return found


def _unlike(shapes: list[Shape], left: float, noise: float) -> str:
    """Why no hose may have the shapes measured, in words."""
    silent = [shape.file for shape in shapes if not shape.poses]
    missing = f" (there are none in {', '.join(silent)})" if silent else ""
    beyond = f"the points are {1e3 * left:.3g} mm from the best hose, a point is taken to be off by {1e3 * noise:.3g} mm (--noise)"
    others = (
        f"an end was unclamped or turned between the poses; lines such as '# hose.end.x: 350 mm' are missing for an end that "
        f"was elsewhere than in the route{missing}; length or ends of the route are not those of the hose"
    )
    if left <= ROUGH:
        # as much as a photo is off by
        return (
            f"{beyond}. Likely: the points were measured less exactly than that; if so, say it: --noise '{math.ceil(1e3 * left):d} mm'. "
            f"If not, it is not this hose that was measured: {others}"
        )
    return f"{beyond}: it is not this hose that was measured. Likely: {others}"


def _judge(best: Any, lengths: Array, noise: float) -> Fit:
    """Confidence from the curvature of the cost, and what it means."""
    square = best.jac.T @ best.jac
    # the median length of offsets across the hose, which have two components of this spread each
    spread = max(1.0, float(np.median(lengths) / (noise * RAYLEIGH)))
    half = 1.96 * spread * np.sqrt(np.maximum(np.diag(np.linalg.pinv(square)), 0.0))
    values = np.array([np.exp(best.x[0]), *best.x[1:]])
    half[0] *= values[0]
    warnings = [
        f"{name}: {value:.3g} +- {width:.2g}{'' if unit == '-' else f' {unit}'}: the data cannot tell it; add a shape in another pose"
        for name, unit, value, width, telling in zip(NAMES, UNITS, values, half, (TELLING[0] * values[0], *TELLING[1:]))
        if width > telling
    ]
    if best.status == 0:
        warnings.append(f"the best values had not settled after {MOST} tries; add a shape in another pose")
    return Fit(values, half, float(np.sqrt(np.mean(lengths**2))), warnings)
