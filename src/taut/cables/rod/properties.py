"""From length, material and section to the arrays of joints: halves of neighbouring segments in series.

A joint holds the second half of the segment before and the first half of the one after; at a clamp only one half, so
that the rod is clamped at its very end and the error is of second order in the segment length.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.cables.rod.sections import Hollow, Rectangular, Round
from taut.cables.rod.values import BENDING, CURVATURE, RodError, along, number
from taut.scene import units

Array = np.ndarray

#: fewest segments in one turn of the rest curvature: below, the chord is no measure of the angle
LEAST_PER_TURN = 15


@dataclass(frozen=True)
class Properties:
    """What the rod is made of, per segment."""

    stiffness: Array  # EI about d1, EI about d2, GJ [N m^2], shape (n, 3)
    rest: Array  # rest curvature about d1 and d2, rest twist [1/m], shape (n, 3)
    mass: Array  # per length [kg/m], shape (n,)
    radius: float = 0.0  # of what touches other things [m]

    @staticmethod
    def read(segments: int, given: dict[str, Any]) -> Properties:
        """From the keywords of a rod."""
        section = given["section"]
        if section is not None and not isinstance(section, Round | Hollow | Rectangular):
            raise RodError(f"section: {section!r} - expected Round, Hollow or Rectangular")
        moments = section.moments() if section is not None else None
        radius = _radius(given, section)
        return Properties(
            _stiffness(segments, given, moments), _rest(segments, given), _mass(segments, given, moments), radius
        )

    def joints(self, lengths: Array) -> tuple[Array, Array, Array]:
        """Length (f - 1,), stiffness and rest strain (f - 1, 3) of the joints between f frames of these lengths.

        A frame of no length, a clamp or a clip, adds nothing to the joints beside it, whatever stands for its stiffness.
        """
        half = 0.5 * lengths[:, None]
        before, after = half[:-1], half[1:]
        total = before + after
        stiffness = total / (before / self.stiffness[:-1] + after / self.stiffness[1:])
        return total[:, 0], stiffness, (before * self.rest[:-1] + after * self.rest[1:]) / total


def _radius(given: dict[str, Any], section: Any) -> float:
    """Of the circle around the section, unless it is given."""
    if given.get("radius") is not None:
        return number("radius", given["radius"], units.LENGTH, positive=True)
    return section.reach() if section is not None else 0.0


def _stiffness(segments: int, given: dict[str, Any], moments: tuple[float, ...] | None) -> Array:
    table = np.empty((segments, 3))
    direct = given["EI"] is not None
    if direct != (given["GJ"] is not None):
        raise RodError("EI, GJ: give both, or neither and a section with E and nu (or G)")
    if direct:
        if given["E"] is not None or given["G"] is not None or given["nu"] is not None:
            raise RodError("EI, GJ: with these given, E, G and nu would be ignored; leave them out")
        table[:, :2] = along("EI", given["EI"], BENDING, segments, 2, positive=True)
        table[:, 2] = along("GJ", given["GJ"], BENDING, segments, 1, positive=True)[:, 0]
        return table
    if moments is None or given["E"] is None:
        raise RodError("missing: EI and GJ, or a section with E and nu (or G)")
    E = along("E", given["E"], units.PRESSURE, segments, 1, positive=True)[:, 0]
    table[:, 0], table[:, 1] = E * moments[1], E * moments[2]
    table[:, 2] = _shear(segments, given, E) * moments[3]
    return table


def _shear(segments: int, given: dict[str, Any], E: Array) -> Array:
    """G, or E / (2 (1 + nu))."""
    if (given["G"] is None) == (given["nu"] is None):
        raise RodError("G, nu: give exactly one of the shear modulus and Poisson's ratio")
    if given["G"] is not None:
        return along("G", given["G"], units.PRESSURE, segments, 1, positive=True)[:, 0]
    nu = number("nu", given["nu"], units.NUMBER)
    if not -1.0 < nu <= 0.5:
        raise RodError(f"nu: {given['nu']!r} - Poisson's ratio lies between -1 and 0.5")
    return E / (2.0 * (1.0 + nu))


def _rest(segments: int, given: dict[str, Any]) -> Array:
    table = np.empty((segments, 3))
    curvature = given["rest_curvature"]
    # one number is a curvature about d1, not about both axes
    if isinstance(curvature, str) or np.shape(curvature) == ():
        curvature = (curvature, 0.0)
    elif np.shape(curvature) == (segments,):
        curvature = [(one, 0.0) for one in curvature]
    table[:, :2] = along("rest_curvature", curvature, CURVATURE, segments, 2)
    table[:, 2] = along("rest_twist", given["rest_twist"], CURVATURE, segments, 1)[:, 0]
    return table


def _mass(segments: int, given: dict[str, Any], moments: tuple[float, ...] | None) -> Array:
    density, line = given["density"], given["mass_per_length"]
    if density is not None and line is not None:
        raise RodError("density, mass_per_length: give one of them")
    if density is not None:
        if moments is None:
            raise RodError("density: needs a section; without one give mass_per_length")
        return along("density", density, units.DENSITY, segments, 1, positive=True)[:, 0] * moments[0]
    mass = along("mass_per_length", 0.0 if line is None else line, units.LINEAR_DENSITY, segments, 1)[:, 0]
    if (mass < 0.0).any():
        raise RodError(f"mass_per_length: {mass.min():g} - must not be negative")
    return mass


def check_rest(rest: Array, seg_length: Array) -> None:
    """Enough segments for the rest strain."""
    turn = np.sqrt((rest**2).sum(axis=1)) * seg_length
    worst = int(np.argmax(turn))
    if turn[worst] * LEAST_PER_TURN > 2.0 * math.pi * (1.0 + 1e-9):
        need = math.ceil(len(seg_length) * turn[worst] * LEAST_PER_TURN / (2.0 * math.pi))
        raise RodError(
            f"segments: {len(seg_length)} are {2.0 * math.pi / turn[worst]:.1f} per turn of the rest strain at segment "
            f"{worst}; at least {LEAST_PER_TURN} are needed: use {need} or more"
        )
