"""What is asked of a rod: how it is held, loaded and how long it is. Changed by the person, checked here."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from taut.cables.rod.ends import Clamp, End, Free, conjugate, from_vector, multiply, to_vector
from taut.cables.rod.values import RodError, number
from taut.scene import units

Array = np.ndarray

SIDES = ("start", "end")
#: rotations are walked in pieces no larger than this, so that whole turns are not lost [rad]
PIECE = math.radians(60.0)
#: least slack between two held points, as a share of the rod between them
SLACK = 1e-9


@dataclass
class Handle:
    """A point of the rod that is held, or a dead load on it."""

    share: float  # arc length over the length of the rod
    value: Array  # point [m] or force [N], shape (3,)
    force: Array = field(default_factory=lambda: np.zeros(3))  # last multiplier [N], shape (3,)

    def copy(self) -> Handle:
        """Independent of this one."""
        return Handle(self.share, self.value.copy(), self.force.copy())


@dataclass
class Asked:
    """Ends, handles, loads and length."""

    segments: int
    length: float
    ends: dict[str, End] = field(default_factory=dict)
    points: Array = field(default_factory=lambda: np.zeros((2, 3)))  # of the ends [m]; a free one keeps its last
    turns: list[Array] = field(default_factory=lambda: [np.tile([1.0, 0.0, 0.0, 0.0], (2, 1))])
    # frames of the clamps: solved ones first, then way-points up to those asked for, each (2, 4)
    handles: dict[int, Handle] = field(default_factory=dict)
    loads: dict[int, Handle] = field(default_factory=dict)

    def copy(self) -> Asked:
        """Independent of this one, with the last way-point only."""
        handles = {key: one.copy() for key, one in self.handles.items()}
        loads = {key: one.copy() for key, one in self.loads.items()}
        turns = [self.turns[-1].copy()]
        return Asked(self.segments, self.length, dict(self.ends), self.points.copy(), turns, handles, loads)

    def clamped(self, side: int) -> bool:
        """The frame of this end is given."""
        return isinstance(self.ends[SIDES[side]], Clamp)

    @property
    def ends_free(self) -> bool:
        """Nothing holds the last end."""
        return isinstance(self.ends["end"], Free)

    @property
    def order(self) -> list[Handle]:
        """Handles from start to end."""
        return sorted(self.handles.values(), key=lambda handle: handle.share)

    @property
    def shares(self) -> list[float]:
        """Arc length of the held points beyond the start, over the length."""
        return [handle.share for handle in self.order] + ([] if self.ends_free else [1.0])

    def held_points(self) -> Array:
        """Where they are to be [m], shape (m, 3)."""
        points = [handle.value for handle in self.order] + ([] if self.ends_free else [self.points[1]])
        return np.array(points).reshape(len(points), 3)

    def locate(self, share: float, length: float) -> tuple[int, float]:
        """Segment, counted from 0, and distance from its start [m] of a point; a node belongs to the one before."""
        place = share * self.segments
        i = min(self.segments - 1, max(0, math.ceil(place - 1e-9) - 1))
        return i, (place - i) * length / self.segments

    def share(self, s: Any) -> float:
        """Arc length typed by a person as a share of the length."""
        where = number("s", s, units.LENGTH)
        if not 0.0 <= where <= self.length * (1.0 + 1e-12):
            raise RodError(f"s: {s!r} - the rod goes from 0 to {self.length:g} m")
        return min(1.0, where / self.length)

    def turn(self, side: int, turn: Array) -> None:
        """Turn a clamp by a rotation vector in world axes [rad], whole turns included."""
        pieces = max(1, math.ceil(math.sqrt(turn @ turn) / PIECE))
        piece = from_vector(turn / pieces)
        for _ in range(pieces):
            quats = self.turns[-1].copy()
            quats[side] = multiply(piece, quats[side])
            self.turns.append(quats)
        # drop way-points that a direct turn replaces
        while len(self.turns) > 2 and _angle(self.turns[-3], self.turns[-1]) <= PIECE:
            del self.turns[-2]

    def check_apart(self, share: float) -> None:
        """Two held points on one rigid segment would contradict each other."""
        for other in [0.0, *self.shares]:
            if abs(other - share) * self.segments < 2.0 - 1e-9:
                near, two = f"{other * self.length:g} m", 2.0 * self.length / self.segments
                raise RodError(
                    f"s: {share * self.length:g} m is less than two segments ({two:g} m) from what is held at {near}; "
                    f"use more segments or another place"
                )

    def check_reach(self, kept: bool) -> None:
        """No two neighbouring held points further apart than the rod between them."""
        numbers = sorted(self.handles, key=lambda key: self.handles[key].share)
        names = ["start", *(f"handle {key}" for key in numbers), "end"]
        shares = [0.0, *self.shares]
        points = [self.points[0], *self.held_points()]
        for k in range(len(points) - 1):
            apart, rod = math.dist(points[k], points[k + 1]), (shares[k + 1] - shares[k]) * self.length
            if apart > rod * (1.0 - SLACK):
                straight = apart <= rod * (1.0 + SLACK)
                short = "exactly straight, without slack" if straight else f"{1e3 * (apart - rod):.4g} mm too short"
                raise RodError(
                    f"{names[k]} and {names[k + 1]} are {apart:.6g} m apart, but the rod between them is {rod:.6g} m "
                    f"long: {short}{'; the last shape is kept' if kept else ''}"
                )


def _angle(old: Array, new: Array) -> float:
    """Larger of the rotations of both clamps [rad]."""
    return max(float(np.linalg.norm(to_vector(multiply(conjugate(old[i]), new[i])))) for i in range(2))
