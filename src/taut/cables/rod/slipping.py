"""Turns that a rod loses by passing through itself: no cable can, so that what was asked for is impossible."""

from __future__ import annotations

import math

import numpy as np

from taut.cables.rod import arrays as col
from taut.cables.rod.arrays import Array, Arrays
from taut.cables.rod.chain import CLAMPED, Chain
from taut.cables.rod.ends import conjugate, multiply, rotate
from taut.cables.rod.values import RodError

TURN = 2.0 * math.pi
#: change of the twist in one stride from which it is looked at closely [turns]: it is never asked for that much at once
SUSPECT = 0.75
#: change of twist and writhe together that only a passage explains, which makes two of it [turns]
PASSED = 1.2


def check_turns(arrays: Arrays, chains: list[Chain], before: Array) -> None:
    """Raises where a chain has lost turns since it had these frames; a loop that forms has as much writhe as it loses twist."""
    for chain in chains:
        if chain.held != [CLAMPED, CLAMPED]:
            continue
        old, new = before[chain.seg_rows], arrays.quat[chain.seg_rows]
        was = _twist(old)
        lost = _twist(new) - was
        if abs(lost) < SUSPECT:
            continue
        sizes = arrays.rod[chain.seg_rows, col.SEG]
        if abs(lost + writhe(_nodes(new, sizes)) - writhe(_nodes(old, sizes))) > PASSED:
            name = f"{chain.name}: " if chain.name else ""
            raise RodError(
                f"{name}twist: {abs(was):.2g} turns of it are more than the rod can hold; it would coil up and pass through "
                "itself. Turn its end by less, or let it touch itself; the last shape is kept"
            )


def writhe(x: Array) -> float:
    """Gauss integral of the curve with itself, in turns; nodes [m], shape (n, 3)."""
    tangent, middle = np.diff(x, axis=0), 0.5 * (x[1:] + x[:-1])
    apart = middle[:, None] - middle[None, :]
    cube = np.linalg.norm(apart, axis=2) ** 3
    np.fill_diagonal(cube, np.inf)
    triple = np.einsum("ijk,ijk->ij", np.cross(tangent[:, None], tangent[None, :]), apart)
    return float((triple / cube).sum()) / (4.0 * math.pi)


def _twist(frames: Array) -> float:
    """Of all joints together [turns]."""
    between = multiply(conjugate(frames[:-1]), frames[1:])
    angles = 2.0 * np.arctan2(between[:, 3], between[:, 0])
    return float((angles - TURN * np.round(angles / TURN)).sum()) / TURN


def _nodes(frames: Array, sizes: Array) -> Array:
    steps = sizes[:, None] * rotate(frames, np.array([0.0, 0.0, 1.0]))
    return np.vstack([np.zeros(3), np.cumsum(steps, axis=0)])
