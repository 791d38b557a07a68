"""The path of a rope at the start: tangent points and arcs on plain numpy, for lengths, checks and drawings.

The step has its own compiled form with the derivative (taut.cables.massless.geometry).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from taut.scene import WORLD, Body
from taut.scene.parts import RoutePart, Wheel, Winch

Array = np.ndarray


@dataclass
class Placed:
    """A part in the world: a point, or a wheel with axis, first direction, radius and sense of the turn."""

    centre: Array
    axis: Array | None = None
    first: Array | None = None
    radius: float = 0.0
    turn: int = 1

    def at(self, angle: float) -> Array:
        """Point of the wheel at an angle; the centre of a point."""
        if self.axis is None or self.first is None:
            return self.centre
        second = np.cross(self.axis, self.first)
        return self.centre + self.radius * (math.cos(angle) * self.first + math.sin(angle) * second)

    def seen_from(self, point: Array, side: int) -> float:
        """Angle of the tangent point, seen along the axis; the rope arrives on side +turn and leaves on side -turn."""
        if self.axis is None or self.first is None:
            return 0.0
        d = point - self.centre
        a, b = float(d @ self.first), float(d @ np.cross(self.axis, self.first))
        far = math.hypot(a, b)
        return math.atan2(b, a) + side * (math.acos(self.radius / far) if far > self.radius else 0.0)


def direction_across(axis: Array) -> Array:
    """A unit vector normal to the axis."""
    trial = np.eye(3)[int(np.argmin(np.abs(axis)))]
    across = trial - (trial @ axis) * axis
    return across / np.linalg.norm(across)


def tangent(one: Placed, two: Placed) -> tuple[float, float, float]:
    """Angles at which a rope leaves one part and arrives at the next, and the length between."""
    a, b = one.seen_from(two.centre, -one.turn), two.seen_from(one.centre, two.turn)
    for _ in range(200):
        last = a, b
        a = one.seen_from(two.at(b), -one.turn)
        b = two.seen_from(one.at(a), two.turn)
        if abs(a - last[0]) + abs(b - last[1]) < 1e-15:
            break
    return a, b, float(np.linalg.norm(two.at(b) - one.at(a)))


def wrap_angle(arrives: float, leaves: float, turn: int, wraps: int) -> float:
    """Angle of contact between minus a quarter turn and three quarters, plus full wraps [rad]."""
    angle = (turn * (leaves - arrives) + 0.5 * math.pi) % (2.0 * math.pi) - 0.5 * math.pi
    return angle + 2.0 * math.pi * wraps


def sense(before: Array, centre: Array, after: Array, axis: Array) -> float:
    """How far the route bends about the axis at a wheel: positive to the left, zero when it cannot be told."""
    one, two = centre - before, after - centre
    size = float(np.linalg.norm(one) * np.linalg.norm(two))
    return float(np.cross(one, two) @ axis) / size if size > 0.0 else 0.0


def point_of(part: RoutePart, bodies: Mapping[str, Body]) -> Array:
    """Where a part is at the start [m]."""
    if part.at is not None:
        return np.asarray(part.at, float)
    return np.zeros(3) if part.on == WORLD else np.asarray(bodies[part.on].start_position, float)


def turn_of(part: RoutePart, points: Sequence[Array], k: int) -> int:
    """Sense in which the rope goes round a part of a route: 1 to the left, -1 to the right."""
    if not isinstance(part, Wheel):
        return 1
    if part.turn != "auto":
        return 1 if part.turn == "left" else -1
    if isinstance(part, Winch) or not 0 < k < len(points) - 1:
        return 1
    return 1 if sense(points[k - 1], points[k], points[k + 1], np.asarray(part.axis, float)) > 0.0 else -1


def carry(vector: Array, p: Array, q: Array) -> Array:
    """A vector after the shortest turn from p to q."""
    k = np.cross(p, q)
    return vector + np.cross(k, vector) + np.cross(k, np.cross(k, vector)) / max(1.0 + float(p @ q), 1e-9)
