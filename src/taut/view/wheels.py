"""Sheaves, drums and rings as triangles, their axis along z."""

from __future__ import annotations

import numpy as np

from taut.view import solids
from taut.view.solids import Solid

#: ribs by which one sees a wheel turn
RIBS = 5
SIDES = 40


def sheave(radius: float, rope: float) -> Solid:
    """A wheel whose groove holds the middle of a rope of that radius at `radius`."""
    rope = min(rope, 0.3 * radius)
    half = max(1.9 * rope, 0.15 * radius)
    outer, inner = radius + 1.1 * rope, 0.78 * (radius - rope)
    web, hub = 0.25 * half, 0.24 * radius
    low = [
        [(0.0, -1.15 * half), (hub, -1.15 * half)],
        [(hub, -1.15 * half), (hub, -web)],
        [(hub, -web), (inner, -web)],
        [(inner, -web), (inner, -half)],
        [(inner, -half), (outer, -half)],
        [(outer, -half), (outer, -0.85 * half)],
    ]
    # the groove: an arc around the rope
    angle = np.linspace(-0.5 * np.pi, 0.5 * np.pi, 9)
    groove = [(radius - 1.05 * rope * float(np.cos(a)), 1.05 * rope * float(np.sin(a))) for a in angle]
    slope = [[(outer, -0.85 * half), groove[0]], groove, [groove[-1], (outer, 0.85 * half)]]
    high = [[(r, -z) for r, z in reversed(stroke)] for stroke in reversed(low)]
    disc = solids.turned([*low, *slope, *high], SIDES)
    rib = solids.box((inner - 0.8 * hub, 0.09 * radius, 1.7 * half))
    middle = 0.5 * (inner + 0.8 * hub)
    return joined([disc, *(_round(rib, middle, 2.0 * np.pi * k / RIBS) for k in range(RIBS))])


def drum_width(radius: float, rope: float) -> float:
    """How wide a drum is drawn [m]."""
    return max(1.6 * radius, 8.0 * rope)


def drum(radius: float, rope: float, layers: int = 1) -> Solid:
    """The flanges of a drum, with ribs, and its barrel; high enough for some layers of rope."""
    rope = min(rope, 0.3 * radius)
    half, thick = 0.5 * drum_width(radius, rope), 0.14 * radius
    rim = max(1.22 * radius + rope, radius + 1.8 * (layers + 0.5) * rope)
    low = [
        [(0.0, -half - 1.6 * thick), (0.25 * radius, -half - 1.6 * thick)],
        [(0.25 * radius, -half - 1.6 * thick), (0.25 * radius, -half - thick)],
        [(0.25 * radius, -half - thick), (rim, -half - thick)],
        [(rim, -half - thick), (rim, -half)],
        [(rim, -half), (radius - rope, -half)],
    ]
    barrel = [[(radius - rope, -half), (radius - rope, half)]]
    high = [[(r, -z) for r, z in reversed(stroke)] for stroke in reversed(low)]
    body = solids.turned([*low, *barrel, *high], SIDES)
    rib = solids.box((0.85 * rim, 0.1 * radius, 2.0 * half + 2.9 * thick))
    return joined([body, *(_round(rib, 0.55 * rim, 2.0 * np.pi * k / RIBS) for k in range(RIBS))])


def turn_of_rope(radius: float, rope: float, pitch: float) -> Solid:
    """One turn of rope about z whose middle lies at `radius`, `pitch` wide."""
    angle = np.linspace(-0.5 * np.pi, 0.5 * np.pi, 7)
    profile = [(radius + rope * float(np.cos(a)) - rope * 0.05, 0.5 * pitch * float(np.sin(a))) for a in angle]
    return solids.turned([profile], SIDES)


def ring(rope: float) -> Solid:
    """A ring about z that a rope of that radius slides through."""
    radius, thick = 3.0 * rope, 1.1 * rope
    angle = np.linspace(-np.pi, np.pi, 17)
    # outside from bottom to top, then back on the inside
    return solids.turned(
        [[(radius + thick * float(np.sin(a)), -thick * float(np.cos(a))) for a in _from_below(angle)]], 24
    )


def _from_below(angle: np.ndarray) -> np.ndarray:
    return angle + np.pi


def joined(parts: list[Solid]) -> Solid:
    """Several solids as one."""
    first = np.cumsum([0, *(len(part.vertices) for part in parts[:-1])])
    return Solid(
        np.concatenate([part.vertices for part in parts]),
        np.concatenate([part.faces + k for part, k in zip(parts, first)]),
    )


def _round(solid: Solid, out: float, angle: float) -> Solid:
    """A solid moved out along x and turned about z."""
    c, s = np.cos(angle), np.sin(angle)
    moved = solid.vertices + np.array([out, 0.0, 0.0])
    return Solid(moved @ np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]]), solid.faces)
