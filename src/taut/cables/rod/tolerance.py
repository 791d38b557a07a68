"""What manufacturing does to a route: lengths, stiffnesses and clip poses at the ends of their tolerances."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from taut.cables.rod.arrays import Array
from taut.cables.rod.limits import LIMITS, Finding, findings
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
    """Shift of clips along each axis [m]; one diameter of the cable if not given."""

    def __str__(self) -> str:
        clips = "one diameter of the cable" if self.clip is None else f"{1e3 * self.clip:g} mm"
        return f"length +-{100 * self.length:g} %, stiffness +-{100 * self.stiffness:g} %, clips +-{clips} along each axis, one at a time"


@dataclass
class Spread:
    """Shapes at the corners of the tolerances, and how far they are from the nominal one."""

    shapes: dict[str, list[Array]]
    farthest: dict[str, float]  # [m]
    failed: list[str]  # corners without an equilibrium, with the reason
    worst: dict[tuple[str, str], tuple[Finding, str]] = field(
        default_factory=dict
    )  # of each measure, and what is off there


def spread(data: dict[str, Any], folder: Any, tolerance: Tolerance) -> Spread:
    """Solve the route at each corner: one thing off at a time."""
    nominal = Route.of(data, folder)
    nominal.solve()
    base = {name: cable.points for name, cable in nominal.harness.cables.items()}
    found = Spread({name: [points] for name, points in base.items()}, dict.fromkeys(base, 0.0), [])
    for name in base:
        for what, amount, words in _corners(nominal, name, tolerance):
            route = Route.of(data, folder)
            try:
                route.solve()
                _disturb(route, name, what, amount)
                route.harness.solve()
            except RodError as error:
                found.failed.append(f"{words}: {error}")
                continue
            _judge(route, words, found)
            for other, cable in route.harness.cables.items():
                found.shapes[other].append(cable.points)
                off = float(np.linalg.norm(cable.points - base[other], axis=1).max())
                found.farthest[other] = max(found.farthest[other], off)
    return found


def _judge(route: Route, words: str, found: Spread) -> None:
    """Keep the findings of a corner that are worse than those of the others."""
    for name in route.harness.cables:
        for one in findings(route.harness, name, route.limits[name], route.clips[name]):
            known = found.worst.get((name, one.what))
            if known is None or (one.value != known[0].value and (one.value < known[0].value) == LIMITS[one.what][1]):
                found.worst[name, one.what] = (one, words)


def _corners(route: Route, name: str, tolerance: Tolerance) -> list[tuple[str, Any, str]]:
    """What is off, by what, and both in words."""
    size = 2.0 * route.harness[name].radius if tolerance.clip is None else tolerance.clip
    corners: list[tuple[str, Any, str]] = []
    for what, amount in (("length", tolerance.length), ("stiffness", tolerance.stiffness)):
        corners += [(what, sign * amount, f"{what} of {name} {100 * sign * amount:+.3g} %") for sign in (-1.0, 1.0)]
    for clip, number in route.clips[name].items():
        for sign in (-1.0, 1.0):
            for letter, axis in zip("xyz", np.eye(3)):
                words = f"{clip} of {name} {1e3 * sign * size:+.3g} mm in {letter}"
                corners.append(("clip", (number, sign * size * axis), words))
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
