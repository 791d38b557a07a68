"""From springs to EA, EI and GJ of the rope, and back.

Of an endless lattice with layers h apart. A spring from p in one layer to q in the next, l long, with the offset
D = q - p across, is stretched by a strain e, curvatures k and a twist t of the rope, and by displacements u of the
masses inside their layer that repeat from layer to layer, by

    s = [h^2 (e + k . r) + h t (p x q) + D . (u_q - u_p) + h (w_q - w_p)] / l,     r = (p + q)/2

With the energy per cell 1/2 sum k_spring s^2 minimised over u and w the stiffnesses follow, exactly: `stiffness`.
With a section that does not give way (u = 0) a hexagon with outer axial springs k_o, a centre one k_c and diagonals k_D has

    EA = (6 k_o + k_c) h + 24 k_D h^3/l^2,   EI = 3 k_o d^2 h + 6 k_D d^2 h^3/l^2,   GJ = 9 k_D d^4 h/l^2,   l^2 = h^2 + d^2

`closed_form` is the same sum for any arrangement.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from taut.cables.honeycomb.arrangement import Arrangement
from taut.cables.honeycomb.values import HoneycombError

Array = np.ndarray

#: springs of the section over the stiffest axial one, and over the diagonals: as stiff as costs no smaller step
SECTION_OVER_AXIAL, SECTION_OVER_DIAGONAL = 0.3, 3.0


@dataclass(frozen=True)
class Constants:
    """Spring constants of a lattice [N/m]."""

    structural: float
    torsion: float
    bending: float
    axial: float  # ring masses, layer to layer
    centre: float  # centre masses, layer to layer
    diagonal: float


@dataclass(frozen=True)
class Stiffness:
    """Of the rope."""

    EA: float  # [N]
    EI: tuple[float, float]  # principal bending stiffnesses, smaller first [N m^2]
    GJ: float  # [N m^2]

    @property
    def mean_EI(self) -> float:
        """The mean over all directions [N m^2]."""
        return 0.5 * (self.EI[0] + self.EI[1])


def closed_form(section: Arrangement, constants: Constants, d: float, h: float) -> Stiffness:
    """Of a section that keeps its shape."""
    return _read(_macro(section, constants, d, h, relax=False))


def stiffness(section: Arrangement, constants: Constants, d: float, h: float) -> Stiffness:
    """Of the lattice as it is, its section giving way."""
    return _read(_macro(section, constants, d, h, relax=True))


def calibrate(
    section: Arrangement, EA: float, EI: float, GJ: float, d: float, h: float, section_stiffness: float | None = None
) -> Constants:
    """Springs of a lattice that has these stiffnesses. `section_stiffness`: of all springs inside a layer [N/m]."""
    if not section.is_round or not section.is_centre.any():
        raise HoneycombError(
            f"arrangement: {section.name!r} bends unlike in different directions or has no centre springs, so EA, EI and "
            f"GJ of a round rope cannot be met; use 'hexagon' or 'three_hexagons', or give the springs directly"
        )
    wanted = np.array([EA, EI, GJ])
    found = _solve_stiff(section, wanted, d, h)
    _check(section, found, wanted, d, h)
    size = section_stiffness or max(SECTION_OVER_AXIAL * max(found[0], found[1]), SECTION_OVER_DIAGONAL * found[2])
    # Newton on the exact stiffness: nearly linear in the springs, since the section gives way little
    for _ in range(30):
        ours = _values(section, found, size, d, h)
        if np.all(np.abs(ours - wanted) <= 1e-12 * wanted):
            break
        step = 1e-6 * np.max(found)
        J = np.array([(_values(section, found + step * row, size, d, h) - ours) / step for row in np.eye(3)]).T
        found = found + np.linalg.solve(J, wanted - ours)
        _check(section, found, wanted, d, h)
    return _constants(found, size)


def _constants(found: Array, size: float) -> Constants:
    axial, centre, diagonal = (float(value) for value in found)
    return Constants(size, size, size, axial, centre, diagonal)


def _values(section: Arrangement, found: Array, size: float, d: float, h: float) -> Array:
    ours = stiffness(section, _constants(found, size), d, h)
    return np.array([ours.EA, ours.mean_EI, ours.GJ])


def _solve_stiff(section: Arrangement, wanted: Array, d: float, h: float) -> Array:
    """Axial, centre and diagonal springs by the closed form, which is linear in them."""
    zero = Constants(1.0, 1.0, 1.0, 0.0, 0.0, 0.0)
    columns = []
    for name in ("axial", "centre", "diagonal"):
        one = closed_form(section, replace(zero, **{name: 1.0}), d, h)
        columns.append([one.EA, one.mean_EI, one.GJ])
    return np.linalg.solve(np.array(columns).T, wanted)


def _check(section: Arrangement, found: Array, wanted: Array, d: float, h: float) -> None:
    """Springs that would have to push outwards when stretched do not exist: say which number is to blame."""
    if np.all(found >= 0.0):
        return
    EA, EI, GJ = wanted
    names = ("axial springs of the ring", "axial springs of the centre", "diagonals")
    bad = ", ".join(f"{name} {value:.4g} N/m" for name, value in zip(names, found) if value < 0.0)
    ratio, need = math.sqrt(1.5 * EI / GJ), math.sqrt((2.0 * EI + 4.0 / 3.0 * (h / d) ** 2 * GJ) / EA)
    raise HoneycombError(
        f"a {section.name} lattice with ring radius {d:.4g} m and layers {h:.4g} m apart cannot have EA {EA:.4g} N, "
        f"EI {EI:.4g} N m^2 and GJ {GJ:.4g} N m^2: it would need {bad}. A hexagon that keeps its shape needs "
        f"h/d <= sqrt(1.5 EI/GJ) = {ratio:.3g} (here {h / d:.3g}) and a radius d >= {need:.4g} m. Use more layers or "
        f"another radius; a rope without a cross-section to show is a `segmented` or `rod` cable"
    )


def _macro(section: Arrangement, constants: Constants, d: float, h: float, relax: bool) -> Array:
    """Energy per length as a quadratic form of (e, k_x, k_y, t), shape (4, 4)."""
    points = d * section.points
    count = section.count
    rows: list[tuple[Array, Array, float]] = []

    def between(p: int, q: int, k: float) -> None:
        D, r = points[q] - points[p], 0.5 * (points[p] + points[q])
        l = math.hypot(h, math.hypot(*D))
        inner = np.zeros((count, 3))
        inner[q] += (D[0], D[1], h)
        inner[p] -= (D[0], D[1], h)
        twist = points[p, 0] * points[q, 1] - points[p, 1] * points[q, 0]
        rows.append((inner.ravel() / l, np.array([h * h, h * h * r[1], h * h * r[0], h * twist]) / l, k))

    for p in range(count):
        between(p, p, constants.centre if section.is_centre[p] else constants.axial)
    for p, q in section.neighbours:
        between(p, q, constants.diagonal)
        between(q, p, constants.diagonal)
    for pairs, k in (
        (section.structural, constants.structural), (section.torsion, constants.torsion), (section.bending, constants.bending),
    ):  # fmt: skip
        for p, q in pairs:
            D = points[q] - points[p]
            inner = np.zeros((count, 3))
            inner[q, :2] += D / math.hypot(*D)
            inner[p, :2] -= D / math.hypot(*D)
            rows.append((inner.ravel(), np.zeros(4), k))
    A, B, K = (np.array(column) for column in zip(*rows))
    form = B.T @ (K[:, None] * B)
    if relax:
        coupling = A.T @ (K[:, None] * B)
        inside = A.T @ (K[:, None] * A)
        form = form - coupling.T @ np.linalg.pinv(inside, rcond=1e-12, hermitian=True) @ coupling
    return form / h


def _read(form: Array) -> Stiffness:
    low, high = np.linalg.eigvalsh(form[1:3, 1:3])
    return Stiffness(float(form[0, 0]), (float(low), float(high)), float(form[3, 3]))
