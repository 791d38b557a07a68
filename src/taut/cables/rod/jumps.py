"""Jumps in a motion: between two frames a cable slips off an edge or snaps into another shape, and what it does in between is not seen.

A shape that follows what holds it moves about as far as that does, more where it is nearly straight, and from frame to frame in much the
same proportion. It jumps where it moves by more than its own thickness, many times as far as all that holds or touches it, and many times as
far in proportion as in the frame before or after: a cable that is pulled straight moves fast too, but in both of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from taut.cables.rod.arrays import Array
from taut.cables.rod.asked import Asked
from taut.cables.rod.targets import Body
from taut.cables.rod.values import plain

#: how many times as far as what holds it, and as in proportion in the frames beside, a shape goes that jumps
MANY = 4.0
#: what a turn of something swings a cable by, as a share of its length
SWINGS = 0.25
#: shape that moves by less never jumps, as a share of its length; where nothing moves by more it stands still [m]
LITTLE, STILL = 1e-2, 1e-9
#: jumps that are told one by one
TOLD = 4


class Jump(NamedTuple):
    """Two frames between which a cable jumps."""

    cable: str
    before: float  # [s]
    after: float  # [s]
    moved: float  # farthest that a place of it goes [m]
    held: float  # farthest that ends, clips and parts go meanwhile [m]
    turned: float  # farthest that they turn [rad]

    def __str__(self) -> str:
        still = "stand still" if self.held < 1e-6 else f"move by {plain(1e3 * self.held, 2)} mm"
        turn = f" and turn by {plain(math.degrees(self.turned), 2)} deg" if self.turned > 1e-4 else ""
        return (
            f"{self.cable}: the shape jumps between {self.before:g} and {self.after:g} s (by {plain(1e3 * self.moved)} mm while ends, clips and "
            f"parts {still}{turn}): what happens in between is not seen; finer frames tell more"
        )


def told(jumps: Sequence[Jump]) -> list[str]:
    """In words; where there are many, the first of them."""
    more = len(jumps) - TOLD
    return [*map(str, jumps[:TOLD]), *([f"and {more} more jumps like these"] if more > 0 else [])]


def poses(asked: Asked) -> tuple[Array, Array]:
    """Points [m] and frames of all that holds cables or stands in their way; what is free follows them."""
    held = [one for one in asked.targets() if not (isinstance(one, Body) and one.is_free)]
    return np.array([one.point for one in held]), np.array([one.frame for one in held])


def jumps_of(
    cable: str, radius: float, times: Sequence[float], shapes: Sequence[Array], held: Sequence[tuple[Array, Array]]
) -> list[Jump]:
    """Jumps of one cable; shapes: its nodes in every frame [m], held: `poses` in every frame."""
    ways = [_between(shapes[k : k + 2], held[k : k + 2]) for k in range(len(times) - 1)]
    found = []
    for k, (moved, far, turned, lever) in enumerate(ways):
        size = float(np.linalg.norm(np.diff(shapes[k], axis=0), axis=1).sum())
        given = far + turned * lever
        if moved <= max(2.0 * radius, LITTLE * size) or moved <= MANY * given:
            continue
        beside = [ways[j] for j in (k - 1, k + 1) if 0 <= j < len(ways)]
        usual = [one[0] / drive for one in beside if (drive := one[1] + one[2] * one[3]) > STILL]
        if not usual or moved > MANY * min(usual) * given:
            found.append(Jump(cable, times[k], times[k + 1], moved, far, turned))
    return found


def _between(shapes: Sequence[Array], held: Sequence[tuple[Array, Array]]) -> tuple[float, float, float, float]:
    """How far a shape moves between two frames, how far what holds it moves [m] and turns [rad], and what a turn swings it by [m]."""
    (before, after), ((points, frames), (there, turns)) = shapes, held
    moved = float(np.linalg.norm(after - before, axis=1).max())
    far = float(np.linalg.norm(there - points, axis=1).max())
    # of the rotation from one frame to the other; round-off of a product of equal ones is no turn
    angles = 2.0 * np.arccos(np.clip(np.abs((frames * turns).sum(axis=1)), 0.0, 1.0))
    angles[angles < 1e-6] = 0.0
    worst = int(angles.argmax())
    arm = float(np.linalg.norm(before - points[worst], axis=1).min())
    size = float(np.linalg.norm(np.diff(before, axis=0), axis=1).sum())
    return moved, far, float(angles[worst]), arm + SWINGS * size
