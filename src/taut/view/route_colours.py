"""Colours of the cables in the routing studio: red where a limit is broken, and nowhere else; from amber to green the larger the bend radius."""

from __future__ import annotations

import math

import numpy as np

from taut.cables.rod.limits import findings
from taut.cables.rod.route import Route

#: bend radius over its limit from which on a cable is green
WIDE = 2.0
#: radius of the cable that stands for a limit where none is set
USUAL = 5.0
#: colours: a broken limit, a bend radius at its limit, a wide one
RED, AMBER, GREEN = (214, 40, 40), (232, 176, 40), (70, 180, 70)
#: a place where a limit is broken is red so many radii to both sides
AROUND = 3.0


def colours_along(route: Route, name: str) -> np.ndarray:
    """Of the nodes of a cable, red, green, blue and opacity, shape (segments + 1, 4)."""
    cable = route.harness[name]
    limit = route.limits[name].values.get("bend_radius")
    radius = 1.0 / np.maximum(cable.curvature, 1e-9)
    share = np.clip((radius / (limit or USUAL * cable.radius) - 1.0) / (WIDE - 1.0), 0.0, 1.0)[:, None]
    made = (1.0 - share) * np.array(AMBER) + share * np.array(GREEN)
    broken = {
        one.what for one in findings(route.harness, name, route.limits[name], route.clips[name]) if one.passed is False
    }
    if limit is not None and "bend_radius" in broken:
        made[radius < limit] = RED
    size = max(AROUND * cable.radius, cable.length / cable.segments)
    for place in _places(route, name, broken):
        made[np.abs(cable.arc_length - place) <= size] = RED
    return np.column_stack([made, np.full(len(made), 255.0)]).astype(np.uint8)


def _places(route: Route, name: str, broken: set[str]) -> list[float]:
    """Arc lengths where limits other than that of the bend radius are broken [m]: clearance, clips, ends."""
    cable, limits = route.harness[name], route.limits[name].values
    found = [route.harness.clearance_of(cable).s] if "clearance" in broken else []
    if "clip_force" in broken:
        sizes = {number: np.linalg.norm(cable.clip_force(number)) for number in route.clips[name].values()}
        found += [cable.clip_arc(number) for number, size in sizes.items() if size > limits["clip_force"]]
    for what, read in (("end_force", cable.end_force), ("end_moment", cable.end_moment)):
        if what in broken:
            ends = {"start": 0.0, "end": cable.length}
            found += [place for end, place in ends.items() if np.linalg.norm(read(end)) > limits[what]]
    return found


def scale(route: Route, name: str) -> str:
    """What the colours of a cable stand for, in words and numbers."""
    cable = route.harness[name]
    limit = route.limits[name].values.get("bend_radius")
    asked = limit or USUAL * cable.radius
    if not asked > 0.0 or not math.isfinite(asked):
        return "red: a limit is broken there"
    at = "its limit" if limit is not None else "no limit is set"
    return f"red: a limit is broken there; amber: bend radius {1e3 * asked:.4g} mm ({at}); green: {1e3 * WIDE * asked:.4g} mm and more"
