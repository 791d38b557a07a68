"""From one equilibrium to the next: a change too large for one Newton solve is walked in strides."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from taut.cables.rod.ends import conjugate, from_vector, multiply, to_vector

Array = np.ndarray

#: farthest that held points move, and clamps swing, in one Newton solve: share of the length, and [rad]
STRIDE, SWING = 0.1, math.radians(30.0)
#: a stride that fails is halved down to this share of a piece
SMALLEST = 1.0 / 512.0
STILL = np.zeros(3)


class Pose(NamedTuple):
    """All that moves."""

    length: float  # [m]
    start: Array  # [m], shape (3,)
    held: Array  # [m], shape (m, 3)


class Place(NamedTuple):
    """One stop on the way."""

    pose: Pose
    quats: Array  # frames of the clamps, shape (2, 4)
    spins: tuple[float, float]  # how far the clamps turn about their tangents since the last stop [rad]


class StuckError(Exception):
    """No equilibrium within the smallest stride; `share` of the change was done."""

    def __init__(self, share: float) -> None:
        self.share = share
        super().__init__(share)


def walk(old: Pose, new: Pose, turns: list[Array], try_at: Callable[[Place], bool]) -> int:
    """Call `try_at` for one place after the other, nearer ones after a failure; returns the number of calls."""
    calls = 0
    pairs = list(pairwise(turns)) or [(turns[0], turns[0])]
    for k, (before, after) in enumerate(pairs):
        same = before is after
        angles = [STILL if same else to_vector(multiply(conjugate(before[side]), after[side])) for side in range(2)]
        stride, done = 1.0 / _strides(old, new, angles, len(pairs)), 0.0
        while done < 1.0 - 1e-12:
            reach = min(1.0, done + stride)
            reach = 1.0 if reach > 1.0 - 1e-12 else reach
            calls += 1
            if try_at(_place(old, new, (k + reach) / len(pairs), before, after, angles, done, reach)):
                done = reach
            elif stride <= SMALLEST:
                raise StuckError((k + done) / len(pairs))
            else:
                stride *= 0.5
    return calls


def _strides(old: Pose, new: Pose, angles: list[Array], pieces: int) -> int:
    """How many strides a piece is worth."""
    moved = abs(new.length - old.length)
    if len(new.held):
        # what counts is the way relative to the start: a rod carried along does not change
        relative = (new.held - new.start) - (old.held - old.start)
        moved = max(moved, math.sqrt(float((relative**2).sum(axis=1).max())))
    swing = max(math.hypot(angle[0], angle[1]) for angle in angles)
    return max(1, math.ceil(moved / pieces / (STRIDE * new.length) - 1e-9), math.ceil(swing / SWING - 1e-9))


def _place(
    old: Pose, new: Pose, t: float, before: Array, after: Array, angles: list[Array], done: float, reach: float
) -> Place:
    """Straight for points, about a fixed axis for frames."""
    pose = new
    if t < 1.0:
        length, start = old.length + t * (new.length - old.length), old.start + t * (new.start - old.start)
        pose = Pose(length, start, old.held + t * (new.held - old.held))
    quats = after
    if reach < 1.0:
        quats = np.array([multiply(q, from_vector(reach * angle)) for q, angle in zip(before, angles)])
    return Place(pose, quats, ((reach - done) * float(angles[0][2]), (reach - done) * float(angles[1][2])))


def disturbances(segments: int, attempts: int = 3) -> Iterator[Array]:
    """Small rotations of all frames, always the same ones, as quaternions (n, 4): to leave a saddle."""
    for attempt in range(attempts):
        noise = np.random.default_rng(attempt).normal(scale=1e-3, size=(segments, 3))
        q = np.column_stack([np.ones(segments), 0.5 * noise])
        yield q / np.linalg.norm(q, axis=1, keepdims=True)
