"""The honeycomb rope: a lattice of masses and springs that is stepped in time."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from taut.cables.honeycomb import arrays as at
from taut.cables.honeycomb.arrangement import ARRANGEMENTS
from taut.cables.honeycomb.compile import SIDES, compile_rope, hold
from taut.cables.honeycomb.lattice import build
from taut.cables.honeycomb.route import arc_length, read_route
from taut.cables.honeycomb.spec import Elastic, Springs, Surroundings
from taut.cables.honeycomb.stepping import Stepping
from taut.cables.honeycomb.values import HoneycombError, HoneycombWarning, length, number, one_of, vector, whole
from taut.scene import units

Array = np.ndarray

SCHEMES = ("verlet", "predictor_corrector", "implicit", "paper")
#: explicit steps below this deserve a word [s]
SHORT = 20e-6
#: largest strain limit: beyond it a spring may turn inside out
MOST_STRAIN = 0.9


class Honeycomb(Stepping):
    """A thick soft rope with a cross-section: it stretches, bends, twists, flattens, coils and comes to rest.

    Lengths in m, forces in N, times in s; each value may carry its unit, '12 mm'. The rope lies along `route` at first.
    """

    def __init__(
        self,
        route: Any,
        material: Elastic | Springs,
        *,
        length: Any = None,
        layers: int | None = None,
        arrangement: str = ARRANGEMENTS[0],
        start: str = "clamp",
        end: str = "free",
        start_mass: Any = 0.0,
        end_mass: Any = 0.0,
        one_sided: bool = False,
        force_strain: Any = None,
        scheme: str = "verlet",
        dt: Any = 1.0 / 60.0,
        substeps: int | str = "auto",
        threshold: Any = None,
        strain_limit: float | None = None,
        sweeps: int = 5,
        surroundings: Surroundings | None = None,
    ) -> None:
        """route: points [m] that the rope lies along; length: unstretched [m], that of the route if not given.
        layers: None is one per hexagon side (Elastic) or per spacing (Springs). start, end: 'clamp' holds the whole
        layer, 'pin' its middle, 'free' nothing; start_mass, end_mass: what hangs there, spread over the end layer [kg].
        one_sided: radial springs only push, axial ones only pull, as in the paper; calibration holds for two-sided
        ones. force_strain: rows of strain and force [N] of the whole rope. dt: of one `step` [s]; substeps: of the explicit
        schemes, 'auto' or a number. threshold: epsilon of the correctors [m]. strain_limit: tau_max, kept by up to
        `sweeps` sweeps after every substep.
        """
        points = read_route(route)
        size = _length(length, points)
        lattice = build(material, size, layers, arrangement, bool(one_sided), force_strain)
        carried = (
            number("start_mass", start_mass, units.MASS, least=0.0),
            number("end_mass", end_mass, units.MASS, least=0.0),
        )
        arrays = compile_rope(lattice, points, (start, end), carried, surroundings or Surroundings())
        limit = 0.0
        if strain_limit is not None:
            limit = number("strain_limit", strain_limit, units.NUMBER, positive=True)
            if limit > MOST_STRAIN:
                raise HoneycombError(f"strain_limit: {strain_limit!r} - expected at most {MOST_STRAIN:g}")
        epsilon = 1e-6 * lattice.side if threshold is None else _positive("threshold", threshold, units.LENGTH)
        super().__init__(
            lattice, arrays, one_of("scheme", scheme, SCHEMES), _positive("dt", dt, units.TIME),
            "auto" if substeps == "auto" else whole("substeps", substeps, 1, 10_000_000),
            epsilon, limit, whole("sweeps", sweeps, 1, 1000),
        )  # fmt: skip
        self._say_cost()

    def _say_cost(self) -> None:
        if self.scheme == "implicit":
            return
        self._check_step()
        step = self.dt / self.substeps
        if step < SHORT:
            warnings.warn(
                f"this lattice needs explicit steps of {1e6 * step:.3g} us, {self.substeps} in a step of {self.dt:.4g} s. Use "
                f"scheme='implicit'; if no cross-section is to be seen, model: segmented or massless (hoisting) or rod (routing)",
                HoneycombWarning,
                stacklevel=3,
            )

    def drive_end(self, which: str, velocity: Any = (0, 0, 0), spin: Any = (0, 0, 0)) -> None:
        """Move a held end from now on at a velocity [m/s], turning at an angular velocity [rad/s]."""
        side = self._held(which)
        self._a.ends[side, at.SPEED : at.SPEED + 3] = vector("velocity", velocity, units.SPEED)
        self._a.ends[side, at.SPIN : at.SPIN + 3] = vector("spin", spin, units.ANGULAR_SPEED)
        self._once[side] = False

    def move_end(self, which: str, point: Any) -> None:
        """Move a held end to a point [m] within the next step; it stops there."""
        self.drive_end(which)
        side = SIDES.index(which)
        away = vector("point", point, units.LENGTH) - self._a.ends[side, at.POINT : at.POINT + 3]
        self._a.ends[side, at.SPEED : at.SPEED + 3] = away / self.dt
        self._once[side] = True

    def hold_end(self, which: str, how: str) -> None:
        """Clamp, pin or free an end where it is now."""
        side = SIDES.index(one_of("which", which, SIDES))
        hold(self.lattice, self._a, side, one_of("how", how, ("clamp", "pin", "free")))
        self._changed()

    def drive_obstacle(self, number: int, velocity: Any) -> None:
        """Move an obstacle from now on at a velocity [m/s]."""
        whole("obstacle", number, 0, len(self._a.shape) - 1)
        self._a.shape[number, at.DRIVE : at.DRIVE + 3] = vector("velocity", velocity, units.SPEED)

    def end_point(self, which: str) -> Array:
        """Where a held end is, or the centre of a free one [m], shape (3,)."""
        side = SIDES.index(one_of("which", which, SIDES))
        held = bool(np.any(self._a.node[:, at.HELD_BY] == side))
        return self._a.ends[side, at.POINT : at.POINT + 3].copy() if held else self.axis[-side]

    def _held(self, which: str) -> int:
        side = SIDES.index(one_of("which", which, SIDES))
        if not np.any(self._a.node[:, at.HELD_BY] == side):
            raise HoneycombError(f"{which}: is free and cannot be moved; hold it with hold_end first")
        return side


def _length(given: Any, points: Array) -> float:
    route = float(arc_length(points)[-1])
    if given is None:
        return route
    asked = length("length", given)
    if not 0.5 <= route / asked <= 1.5:
        raise HoneycombError(
            f"length: {asked:g} m along a route of {route:g} m would begin with a strain of {100 * (route / asked - 1):.0f} %; "
            f"expected a length from {route / 1.5:.4g} to {route / 0.5:.4g} m"
        )
    return asked


def _positive(name: str, value: Any, kind: Any) -> float:
    return number(name, value, kind, positive=True)
