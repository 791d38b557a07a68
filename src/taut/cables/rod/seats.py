"""Poses of all that holds a rod, written into the solver's tables."""

from __future__ import annotations

import itertools
import math

import numpy as np

from taut.cables.rod import arrays as col
from taut.cables.rod.arrays import Array, Arrays
from taut.cables.rod.asked import Asked
from taut.cables.rod.chain import CLAMPED, Chain
from taut.cables.rod.ends import conjugate, from_vector, multiply, rotate
from taut.cables.rod.obstacles import Obstacles
from taut.cables.rod.targets import Clip
from taut.cables.rod.turning import spin


def place(arrays: Arrays, asked: Asked, obstacles: Obstacles, rows: dict[str, int], points: Array, frames: list[Array]) -> None:  # fmt: skip
    """Write the poses of all targets."""
    k = len(asked.bodies)
    for b, body in enumerate(asked.bodies):
        line = arrays.body[b]
        # plain numbers: arrays of three cost more than the work
        free = body.free.tolist()
        for axis, value in enumerate(points[b].tolist()):
            if not free[axis]:
                line[col.POS + axis] = value
        if not any(free[3:]):
            line[col.TURNED : col.TURNED + 4] = frames[b]
    for chain in asked.chains:
        r = chain.row_start
        for _ in chain.handles:
            arrays.row[r : r + 3, col.SPOT : col.SPOT + 3] = points[k]
            k, r = k + 1, r + 3
        for clip, row in zip(chain.order, chain.clip_rows):
            axes = axes_of(clip, frames[k])
            arrays.row[r : r + len(axes), col.SPOT : col.SPOT + 3] = points[k]
            arrays.row[r : r + len(axes), col.NORMAL : col.NORMAL + 3] = axes
            arrays.quat[row] = seat(clip, frames[k], arrays.quat[row])
            k, r = k + 1, r + len(axes)
    for name in asked.obstacles:
        line = obstacles.shape[rows[name]]
        line[1:4], line[4:8] = points[k], frames[k]
        k += 1


def spread_spin(arrays: Arrays, asked: Asked, spins: list[float]) -> None:
    """Predict the twist that turning frames bring, in each stretch between frames that hold it."""
    k = len(asked.bodies)
    for chain in asked.chains:
        k += len(chain.handles)
        fixed = []
        if chain.held[0] == CLAMPED:
            fixed.append((chain.first, spins[chain.bodies[0]]))
        for clip, row in zip(chain.order, chain.clip_rows):
            if clip.locked[2]:
                fixed.append((row, spins[k]))
            k += 1
        if chain.held[1] == CLAMPED:
            fixed.append((chain.last, spins[chain.bodies[1]]))
        if not any(turn for _, turn in fixed):
            continue
        quat, rod = arrays.quat, arrays.rod
        edges = [(chain.first, fixed[0][1]), *fixed, (chain.last, fixed[-1][1])]
        for (a, before), (b, after) in itertools.pairwise(edges):
            if b > a and (before or after):
                spin(quat, rod, a, b, before, after)


def clip_rows(chain: Chain) -> list[tuple[int, int]]:
    """Numbers of the clips and their rows."""
    numbers = sorted(chain.clips, key=lambda key: chain.clips[key].share)
    return list(zip(numbers, chain.clip_rows))


def axes_of(clip: Clip, frame: Array) -> list[Array]:
    names = ("across1", "across2")
    kept = [axis for axis, name in enumerate(names) if name not in clip.releases]
    return [rotate(frame, np.eye(3)[axis]) for axis in [*kept, 2]]


def seat(clip: Clip, frame: Array, now: Array) -> Array:
    """Frame of the rod in a clip: that of the clip but for the rotation it lets go."""
    free = [axis for axis, locked in enumerate(clip.locked) if not locked]
    if not free:
        return frame
    if len(free) == 3:
        return now
    relative = multiply(conjugate(frame), now)
    relative = relative if relative[0] >= 0.0 else -relative
    turn = np.zeros(3)
    turn[free[0]] = 2.0 * math.atan2(relative[1 + free[0]], relative[0])
    return multiply(frame, from_vector(turn))
