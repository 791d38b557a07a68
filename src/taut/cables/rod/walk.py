"""From one equilibrium to the next: a change too large for one Newton solve is walked in strides."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from taut.cables.rod.ends import conjugate, from_vector, multiply, to_vector
from taut.cables.rod.targets import Target

Array = np.ndarray

#: farthest that held points move, and frames swing, in one Newton solve: share of the length, and [rad]
STRIDE, SWING = 0.1, math.radians(30.0)
#: a stride that fails is halved down to this share of a piece
SMALLEST = 1.0 / 512.0


class Place(NamedTuple):
    """One stop on the way."""

    share: float  # of the whole change, for lengths
    points: Array  # of the targets [m], shape (t, 3)
    frames: list[Array]  # of the targets
    spins: list[float]  # how far they turn about their own z since the last stop [rad]


class StuckError(Exception):
    """No equilibrium within the smallest stride; `share` of the change was done."""

    def __init__(self, share: float) -> None:
        self.share = share
        super().__init__(share)


def walk(
    targets: Sequence[Target], old: Array, stretched: float, stride_length: float, try_at: Callable[[Place], bool],
    smallest: float = SMALLEST, tired: Callable[[], bool] = lambda: False,
) -> int:  # fmt: skip
    """Call `try_at` for one place after the other, nearer ones after a failure; returns the number of calls.

    old: points of the targets at the last stop [m]; stretched: change of the length [m]; tired: whether a failure is the last one.
    """
    calls = 0
    new = np.array([target.point for target in targets])
    pieces = max(1, max(len(target.turns) for target in targets) - 1)
    for k in range(pieces):
        angles = [_turn(target, k) for target in targets]
        still = not any(angle is not None for angle in angles)
        stride, done = 1.0 / _strides(old, new, stretched, angles, pieces, stride_length), 0.0
        while done < 1.0 - 1e-12:
            reach = min(1.0, done + stride)
            reach = 1.0 if reach > 1.0 - 1e-12 else reach
            calls += 1
            t = (k + reach) / pieces
            points = new if t == 1.0 else old + t * (new - old)
            frames = [_frame(target, k, angle, reach) for target, angle in zip(targets, angles)]
            spins = [] if still else [0.0 if a is None else (reach - done) * float(a[2]) for a in angles]
            if try_at(Place(t, points, frames, spins)):
                done = reach
            elif stride <= smallest or tired():
                raise StuckError((k + done) / pieces)
            else:
                stride *= 0.5
    return calls


def _turn(target: Target, k: int) -> Array | None:
    """Rotation vector of a piece, own axes [rad]; None where there is none."""
    if k + 1 >= len(target.turns):
        return None
    return to_vector(multiply(conjugate(target.turns[k]), target.turns[k + 1]))


def _frame(target: Target, k: int, angle: Array | None, reach: float) -> Array:
    if angle is None:
        return target.turns[-1]
    return target.turns[k + 1] if reach == 1.0 else multiply(target.turns[k], from_vector(reach * angle))


def _strides(
    old: Array, new: Array, stretched: float, angles: list[Array | None], pieces: int, stride_length: float
) -> int:
    """How many strides a piece is worth."""
    # what counts is the way relative to the first: a rod carried along does not change
    ways = (new - old).tolist()
    moved = max(abs(stretched), *(math.dist(way, ways[0]) for way in ways[1:]), 0.0)
    swing = max((math.hypot(angle[0], angle[1]) for angle in angles if angle is not None), default=0.0)
    return max(1, math.ceil(moved / pieces / stride_length - 1e-9), math.ceil(swing / SWING - 1e-9))


def disturbances(frames: int, attempts: int = 3) -> Iterator[Array]:
    """Small rotations of all frames, always the same ones, as quaternions (n, 4): to leave a saddle."""
    for attempt in range(attempts):
        noise = np.random.default_rng(attempt).normal(scale=1e-3, size=(frames, 3))
        q = np.column_stack([np.ones(frames), 0.5 * noise])
        yield q / np.linalg.norm(q, axis=1, keepdims=True)
