"""From the description to masses and springs: the lattice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.cables.honeycomb.arrangement import Arrangement, arrangement
from taut.cables.honeycomb.arrays import HOOKE, LAW_COLUMNS, QUADRATIC, TABLE, TABLE_COLUMNS
from taut.cables.honeycomb.calibration import Constants, Stiffness, calibrate, stiffness
from taut.cables.honeycomb.spec import Elastic, Springs
from taut.cables.honeycomb.values import HoneycombError, length, number, whole
from taut.scene import units

Array = np.ndarray

FAMILIES = ("structural", "tension", "torsion", "bending", "diagonal")
MOST_LAYERS = 100_000
#: layers may be so much further apart than asked, to fit the length
FIT = 0.25


@dataclass(frozen=True)
class Lattice:
    """Masses and springs of a rope at rest, straight."""

    section: Arrangement
    layers: int
    side: float  # of the hexagon, d [m]
    spacing: float  # of the layers, h [m]
    constants: Constants
    stiffness: Stiffness  # of the rope, from the springs
    mass: Array  # of every mass [kg], shape (N,)
    spring: Array  # shape (S, 2)
    law: Array  # shape (S, LAW_COLUMNS)
    family: Array  # index into FAMILIES, shape (S,)
    table: Array  # shape (rows, TABLE_COLUMNS)

    @property
    def length(self) -> float:
        """Unstretched [m]."""
        return self.spacing * (self.layers - 1)

    @property
    def radius(self) -> float:
        """Of the outline masses, the furthest [m]."""
        return self.side * float(np.linalg.norm(self.section.points[self.section.outline], axis=1).max())


@dataclass(frozen=True)
class _Plan:
    """What both kinds of material come down to."""

    side: float
    spacing: float
    constants: Constants
    point_mass: float
    half_ends: bool
    damping_time: float
    damping: float
    quadratic: bool


def build(
    material: Elastic | Springs, size: float, layers: int | None, arranged: str, one_sided: bool, force_strain: Any
) -> Lattice:
    """A lattice of `size` metres. Raises HoneycombError."""
    section = arrangement(arranged)
    if layers is not None:
        whole("layers", layers, 2, MOST_LAYERS)
    if isinstance(material, Springs):
        count, plan = _plan_springs(material, size, layers)
    elif isinstance(material, Elastic):
        count, plan = _plan_elastic(material, size, layers, section)
    else:
        raise HoneycombError(f"material: {material!r} - expected Elastic or Springs")
    found = stiffness(section, plan.constants, plan.side, plan.spacing)
    mass = np.full(count * section.count, plan.point_mass)
    if plan.half_ends:
        mass[: section.count] *= 0.5
        mass[-section.count :] *= 0.5
    spring, law, family = _springs(section, count, plan, one_sided)
    table = np.zeros((1, TABLE_COLUMNS))
    if force_strain is not None:
        table = _table(force_strain, section, plan, found)
        law[family == FAMILIES.index("tension"), 4] = TABLE
    return Lattice(section, count, plan.side, plan.spacing, plan.constants, found, mass, spring, law, family, table)


def _layers(size: float, spacing: float, layers: int | None) -> int:
    count = round(size / spacing) + 1 if layers is None else layers
    if not 2 <= count <= MOST_LAYERS:
        raise HoneycombError(
            f"length: {size:g} m with layers {spacing:g} m apart makes {count} layers - expected 2 to {MOST_LAYERS}, "
            f"that is a length from {spacing:g} m to {spacing * (MOST_LAYERS - 1):g} m"
        )
    return count


def _plan_springs(material: Springs, size: float, layers: int | None) -> tuple[int, _Plan]:
    names = ("structural", "torsion", "bending", "tension", "centre", "diagonal")
    centre = material.tension if material.centre is None else material.centre
    given = {name: centre if name == "centre" else getattr(material, name) for name in names}
    k = [number(f"material.{name}", value, units.STIFFNESS, least=0.0) for name, value in given.items()]
    if given["tension"] == 0.0:
        raise HoneycombError(
            "material.tension: 0 - the layers would not hang together; expected a stiffness greater than 0"
        )
    side, apart = length("material.radius", material.radius), length("material.spacing", material.spacing)
    mass = number("material.mass", material.mass, units.MASS, positive=True)
    damping = number("material.damping", material.damping, units.DAMPING, least=0.0)
    count = _layers(size, apart, layers)
    if abs(size / (count - 1) / apart - 1.0) > FIT:
        raise HoneycombError(
            f"length: {size:g} m in {count} layers puts them {size / (count - 1):g} m apart, material.spacing is {apart:g} m; "
            f"expected a length within {100 * FIT:.0f} % of {apart * (count - 1):g} m"
        )
    return count, _Plan(side, size / (count - 1), Constants(*k), mass, False, 0.0, damping, material.quadratic)


def _plan_elastic(material: Elastic, size: float, layers: int | None, section: Arrangement) -> tuple[int, _Plan]:
    rope = material.properties()
    outer = float(np.linalg.norm(section.points[section.outline], axis=1).max())
    # the outline masses lie on the surface of the rope
    side = rope.radius / outer
    count = _layers(size, side, layers)
    apart = size / (count - 1)
    inside = material.section_stiffness
    if inside is not None:
        inside = number("material.section_stiffness", inside, units.STIFFNESS, positive=True)
    k = calibrate(section, rope.EA, rope.EI, rope.GJ, side, apart, inside)
    time = number("material.damping_time", material.damping_time, units.TIME, least=0.0)
    return count, _Plan(side, apart, k, rope.mass * apart / section.count, True, time, 0.0, False)


def _springs(section: Arrangement, layers: int, plan: _Plan, one_sided: bool) -> tuple[Array, Array, Array]:
    """All springs, cell by cell, so that neighbours in space are neighbours in memory."""
    k, m = plan.constants, section.count
    inside = [(0, pairs, value) for pairs, value in ((section.structural, k.structural),)]
    inside += [(2, section.torsion, k.torsion), (3, section.bending, k.bending)]
    spring: list[tuple[int, int]] = []
    rows: list[tuple[float, int]] = []
    for layer in range(layers):
        first = layer * m
        # the end layers stand for half a cell, if their masses do
        share = 0.5 if plan.half_ends and layer in (0, layers - 1) else 1.0
        for family, pairs, value in inside:
            spring += [(first + p, first + q) for p, q in pairs]
            rows += [(share * value, family)] * len(pairs)
        if layer + 1 == layers:
            break
        spring += [(first + p, first + m + p) for p in range(m)]
        rows += [(k.centre if section.is_centre[p] else k.axial, 1) for p in range(m)]
        for p, q in section.neighbours:
            spring += [(first + p, first + m + q), (first + q, first + m + p)]
            rows += [(k.diagonal, 4)] * 2
    values, families = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    keep = values > 0.0
    ends = np.array(spring)[keep]
    law = np.zeros((len(ends), LAW_COLUMNS))
    law[:, 0] = values[keep]
    law[:, 1] = plan.damping + plan.damping_time * values[keep]
    points = rest_points(section, plan.side, plan.spacing, layers)
    law[:, 2] = np.linalg.norm(points[ends[:, 1]] - points[ends[:, 0]], axis=1)
    kept = families[keep]
    if one_sided:
        # paper 4: a rope has no pull across and no push along it
        law[kept == 0, 3] = -1.0
        law[kept == 1, 3] = 1.0
    law[:, 4] = np.where((kept < 2) & plan.quadratic, QUADRATIC, HOOKE)
    return np.ascontiguousarray(ends, dtype=np.int64), law, kept


def rest_points(section: Arrangement, side: float, spacing: float, layers: int) -> Array:
    """The rope at rest along z [m], shape (N, 3)."""
    points = np.zeros((layers, section.count, 3))
    points[:, :, :2] = side * section.points
    points[:, :, 2] = spacing * np.arange(layers)[:, None]
    return points.reshape(-1, 3)


def _table(given: Any, section: Arrangement, plan: _Plan, found: Stiffness) -> Array:
    """g of f = k l0 g(strain), such that axial springs and linear diagonals together carry the force of the table."""
    try:
        rows = [(number("strain", s, units.NUMBER), number("force", f, units.FORCE)) for s, f in given]
    except (TypeError, ValueError) as error:
        raise HoneycombError(f"force_strain: expected pairs of strain and force [N]; {error}") from None
    strain, force = np.array(rows, float).T if rows else (np.zeros(0), np.zeros(0))
    if len(rows) < 2 or strain[0] != 0.0 or force[0] != 0.0 or np.any(np.diff(strain) <= 0.0):
        raise HoneycombError("force_strain: expected at least two rows, the first (0, 0), with strains that rise")
    k = plan.constants
    axial = plan.spacing * (k.centre * section.is_centre.sum() + k.axial * (~section.is_centre).sum())
    rest = found.EA - axial
    first = force[1] / strain[1]
    if abs(first / found.EA - 1.0) > 0.01:
        raise HoneycombError(
            f"force_strain: begins with a slope of {first:.5g} N, but the rope has EA = {found.EA:.5g} N; they must agree to 1 %"
        )
    slope = np.diff(force) / np.diff(strain)
    if np.any(slope < rest):
        bad = int(np.argmin(slope))
        raise HoneycombError(
            f"force_strain: slope {slope[bad]:.4g} N after strain {strain[bad]:g} - the diagonals alone carry {rest:.4g} N; "
            f"slopes must not be below that"
        )
    table = np.zeros((len(rows), TABLE_COLUMNS))
    table[:, 0], table[:, 1] = strain, (force - rest * strain) / axial
    steep = np.diff(table[:, 1]) / np.diff(strain)
    table[:, 2] = np.append(steep, steep[-1])
    x = np.diff(strain)
    table[1:, 3] = np.cumsum(table[:-1, 1] * x + 0.5 * table[:-1, 2] * x * x)
    return table
