"""Limits of a cable and what it makes of them: each one passed or failed, with the worst value and where it is."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from taut.cables.rod.arrays import Array
from taut.cables.rod.harness import Cable, Harness
from taut.cables.rod.values import RodError, number, plain
from taut.scene import units

#: name of a limit, what is typed for it, and whether it is a least value
LIMITS: dict[str, tuple[units.Kind, bool]] = {
    "bend_radius": (units.LENGTH, True),
    "twist": (units.ANGLE, False),
    "end_force": (units.FORCE, False),
    "end_moment": (units.TORQUE, False),
    "clip_force": (units.FORCE, False),
    "clearance": (units.LENGTH, True),
    "length": (units.LENGTH, False),
}
UNITS = {
    "bend_radius": ("mm", 1e3), "twist": ("deg", 180.0 / math.pi), "end_force": ("N", 1.0), "end_moment": ("N m", 1.0),
    "clip_force": ("N", 1.0), "clearance": ("mm", 1e3), "length": ("mm", 1e3),
}  # fmt: skip


#: what a value may miss its limit by, as part of it, and of lengths [m]: less than anybody measures; no twist to speak of [rad]
SLIGHT, NO_LENGTH, NO_ANGLE = 1e-6, 1e-7, math.radians(0.01)
#: no value to speak of, by what is typed: round-off of a solve [SI]
NOTHING = {units.LENGTH: NO_LENGTH, units.ANGLE: NO_ANGLE, units.FORCE: 1e-6, units.TORQUE: 1e-7}
#: why a limit cannot be judged, and what stands in the place of its verdict
WHY = {"clearance": "nothing to be clear of", "clip_force": "no clips"}
NOT_JUDGED = "not judged"
#: twist that differs by less counts as the same, as part of all of it
FLAT = 1e-4


class Finding(NamedTuple):
    """One measure of a cable beside its limit."""

    cable: str
    what: str
    value: float  # SI; not a number where there is nothing to judge
    where: str
    limit: float | None  # SI
    passed: bool | None  # None: nothing is asked

    def shown(self) -> tuple[str, str, str]:
        """Value, limit and verdict as people read them."""
        unit, factor = UNITS[self.what]
        sign = "at least" if LIMITS[self.what][1] else "at most"
        limit = "" if self.limit is None else f"{sign} {plain(factor * self.limit, 4)} {unit}"
        if math.isnan(self.value):
            return WHY.get(self.what, "no value"), limit, NOT_JUDGED
        verdict = "" if self.passed is None else "pass" if self.passed else "FAIL"
        value = 0.0 if abs(self.value) < NOTHING[LIMITS[self.what][0]] else self.value
        # nobody measures less than a hundredth of a degree
        told = round(factor * value, 2) if LIMITS[self.what][0] is units.ANGLE else factor * value
        return f"{plain(told, 4)} {unit}", limit, verdict


@dataclass(frozen=True)
class Limits:
    """What a cable must keep to; absent ones are only reported."""

    values: dict[str, float]

    @staticmethod
    def read(where: str, given: Any) -> Limits:
        """As typed."""
        if not isinstance(given, dict):
            raise RodError(f"{where}: expected names and values")
        unknown = sorted(set(given) - set(LIMITS))
        if unknown:
            raise RodError(f"{where}.{unknown[0]}: unknown; allowed: {', '.join(LIMITS)}")
        return Limits({key: number(f"{where}.{key}", value, LIMITS[key][0]) for key, value in given.items()})


def findings(harness: Harness, name: str, limits: Limits, clips: dict[str, int]) -> list[Finding]:
    """All measures of one cable, as it stands."""
    cable = harness[name]
    found = measures(harness, cable, clips).items()
    return [judged(Finding(name, what, value, where, None, None), limits) for what, (value, where) in found]


def unjudged(name: str, limits: Limits, found: Iterable[str]) -> list[Finding]:
    """Limits of a cable for which there is no measure, as a clearance where there are no parts. found: the measures that there are."""
    return [
        Finding(name, what, math.nan, "", limits.values[what], None)
        for what in LIMITS
        if what in limits.values and what not in found
    ]


def judged(one: Finding, limits: Limits) -> Finding:
    """The same measure beside the limits of now."""
    limit, passed = limits.values.get(one.what), None
    if limit is not None:
        slight = SLIGHT * abs(limit) + (NO_LENGTH if LIMITS[one.what][0] is units.LENGTH else 0.0)
        passed = bool(one.value >= limit - slight) if LIMITS[one.what][1] else bool(one.value <= limit + slight)
    return one._replace(limit=limit, passed=passed)


def measures(harness: Harness, cable: Cable, clips: dict[str, int]) -> dict[str, tuple[float, str]]:
    """Worst value and where it is."""
    radius, s = cable.bend_radius
    out: dict[str, tuple[float, str]] = {
        "bend_radius": (radius, f"at {1e3 * s:.0f} mm"),
        "twist": _twist(*cable.turned),
        "length": (cable.length, ""),
    }
    for word, read in (("end_force", cable.end_force), ("end_moment", cable.end_moment)):
        sizes = {end: float(np.linalg.norm(read(end))) for end in ("start", "end")}
        worst = max(sizes, key=lambda end: sizes[end])
        out[word] = (sizes[worst], f"at the {worst}")
    if clips:
        sizes = {word: float(np.linalg.norm(cable.clip_force(number_))) for word, number_ in clips.items()}
        worst = max(sizes, key=lambda word: sizes[word])
        out["clip_force"] = (sizes[worst], f"at {worst}")
    near = harness.clearance_of(cable)
    if near.name:
        out["clearance"] = (near.distance, f"to {near.name} at {1e3 * near.s:.0f} mm")
    return out


def _twist(arc: Array, turned: Array) -> tuple[float, str]:
    """How far the section turns in all between two places, and these: where it turns no further the nearer ones."""
    low, high = float(turned.min()), float(turned.max())
    if high - low < NO_ANGLE:
        return high - low, ""
    slight = FLAT * (high - low)
    least, most = arc[turned <= low + slight], arc[turned >= high - slight]
    apart = np.abs(most[:, None] - least)
    k, j = np.unravel_index(int(apart.argmin()), apart.shape)
    return high - low, "between {:.0f} and {:.0f} mm".format(*sorted((1e3 * most[k], 1e3 * least[j])))
