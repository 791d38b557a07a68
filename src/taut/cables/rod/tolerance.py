"""What manufacturing does to a route: lengths, stiffnesses and clip poses at the ends of their tolerances."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.cables.rod.arrays import Array
from taut.cables.rod.route import Route
from taut.cables.rod.values import RodError


@dataclass(frozen=True)
class Tolerance:
    """How far things may be off."""

    length: float = 0.01
    """Share of the length."""
    stiffness: float = 0.2
    """Share of EI and GJ."""
    clip: float | None = None
    """Shift of clips and ends [m]; one diameter of the cable if not given."""


@dataclass
class Spread:
    """Shapes at the corners of the tolerances, and how far they are from the nominal one."""

    shapes: dict[str, list[Array]]
    farthest: dict[str, float]  # [m]
    failed: list[str]  # corners without an equilibrium, with the reason


def spread(data: dict[str, Any], folder: Any, tolerance: Tolerance) -> Spread:
    """Solve the route at each corner: one thing off at a time."""
    nominal = Route.of(data, folder)
    nominal.solve()
    base = {name: cable.points for name, cable in nominal.harness.cables.items()}
    found = Spread({name: [points] for name, points in base.items()}, dict.fromkeys(base, 0.0), [])
    for name in base:
        for what, amount in _corners(nominal, name, tolerance):
            route = Route.of(data, folder)
            try:
                route.solve()
                _disturb(route, name, what, amount)
                route.harness.solve()
            except RodError as error:
                found.failed.append(f"{name}, {what}: {error}")
                continue
            for other, cable in route.harness.cables.items():
                found.shapes[other].append(cable.points)
                off = float(np.linalg.norm(cable.points - base[other], axis=1).max())
                found.farthest[other] = max(found.farthest[other], off)
    return found


def _corners(route: Route, name: str, tolerance: Tolerance) -> list[tuple[str, Any]]:
    size = 2.0 * route.harness[name].radius if tolerance.clip is None else tolerance.clip
    corners: list[tuple[str, Any]] = [("length", sign * tolerance.length) for sign in (-1.0, 1.0)]
    corners += [("stiffness", sign * tolerance.stiffness) for sign in (-1.0, 1.0)]
    for number in route.clips[name].values():
        corners += [(f"clip {number}", (number, sign * size * axis)) for sign in (-1.0, 1.0) for axis in np.eye(3)]
    return corners


def _disturb(route: Route, name: str, what: str, amount: Any) -> None:
    cable = route.harness[name]
    if what == "length":
        cable.set_length(cable.length * (1.0 + amount))
    elif what == "stiffness":
        cable.scale_stiffness(1.0 + amount)
    else:
        number, shift = amount
        cable.move_clip(number, cable._chain.clips[number].point + shift)
