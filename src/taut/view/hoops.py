"""Gates of an exercise as they are drawn and as they count: the load is through, or rests in the last one, exactly when it is seen
wholly inside.

A hoop stands upright across the way to it, or lies flat where that goes up or down. It is the outline of the load, however
that is turned about the vertical, with the radius of the gate as room around it. The last one is a cage of two such hoops.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from taut.compile import frames
from taut.scene import Capsule, Cylinder, Scene, Shape, Sphere
from taut.scene.view import Course
from taut.view.bounds import half_size
from taut.view.solids import Solid

#: sides of an outline, turns of a load that are tried, sides of a bar, bars of a cage
SIDES, TURNS, ROUND, BARS = 48, 90, 8, 8
#: of a hoop, as a share of its size [-]
THICK = 0.03
#: where one looks who has the x axis to the right [rad]
AHEAD = 0.5 * math.pi
#: gates that stand off a line by less than this share of its length stand on it [-]
STRAIGHT = 0.01
#: a way that rises by more than this share of its length goes up or down [-]
STEEP = 0.7


class Off(NamedTuple):
    """Where a load is beside a gate."""

    miss: np.ndarray
    """By how much and where to it sticks out [m]; zero: it is inside."""
    along: float
    """From the middle of the gate on, along the way [m]."""
    deep: float
    """How far the load reaches along the way, from its middle [m]."""


@dataclass(frozen=True)
class Hoop:
    """One gate."""

    middle: np.ndarray
    way: np.ndarray
    """Along which the load goes through it."""
    normals: np.ndarray
    """Of the sides of its outline, shape (SIDES, 3)."""
    reach: np.ndarray
    """Of its sides, from the middle [m], shape (SIDES,)."""
    deep: float | None
    """Half the length of a cage [m]; None: a single hoop."""
    shape: Shape | None
    """Of the load."""

    @property
    def size(self) -> float:
        """From its middle to its farthest side [m]."""
        return float(self.reach.max())

    def off(self, place: np.ndarray, turn: np.ndarray) -> Off:
        """Where the load is beside it: its place [m] and orientation."""
        off = np.asarray(place, float) - self.middle
        out = self.normals @ off + reach(self.shape, turn, self.normals) - self.reach
        worst = int(np.argmax(out))
        # the nearest place at which it would be inside lies across the side that it sticks out of most
        miss = max(0.0, float(out[worst])) * self.normals[worst]
        along, deep = float(self.way @ off), float(reach(self.shape, turn, self.way[None])[0])
        if self.deep is not None:
            miss = miss + math.copysign(max(0.0, abs(along) + deep - self.deep), along) * self.way
        return Off(miss, along, deep)

    def solid(self) -> Solid:
        """What is drawn, around the middle: its inner edge is where the load may just be."""
        thick = THICK * self.size
        ring = self._corners(thick)
        if self.deep is None:
            return _joined([_bar(ring, thick, closed=True)])
        ends = [ring + side * (self.deep + thick) * self.way for side in (-1.0, 1.0)]
        bars = [np.stack([ends[0][k], ends[1][k]]) for k in range(0, SIDES, SIDES // BARS)]
        return _joined([*(_bar(end, thick, closed=True) for end in ends), *(_bar(bar, 0.5 * thick) for bar in bars)])

    def _corners(self, more: float) -> np.ndarray:
        """Of its outline, made larger all around [m], shape (SIDES, 3)."""
        first, second = self.normals, np.roll(self.normals, -1, axis=0)
        a, b = self.reach + more, np.roll(self.reach, -1) + more
        # where two sides meet: on both of them
        dot = (first * second).sum(axis=1)
        scale = 1.0 / (1.0 - dot * dot)
        return (scale * (a - dot * b))[:, None] * first + (scale * (b - dot * a))[:, None] * second


def of_scene(scene: Scene) -> list[Hoop]:
    """The gates of the course of a scene."""
    course = scene.view.course
    assert course is not None
    load = scene.all_bodies()[course.load]
    return of_course(course, load.shape, np.asarray(load.start_position, float), load.start_orientation)


def of_course(
    course: Course, shape: Shape | None, start: np.ndarray, turn: Sequence[float] | np.ndarray = (1.0, 0.0, 0.0, 0.0)
) -> list[Hoop]:
    """Gates for a load of a shape that starts somewhere [m], in an orientation."""
    places = [np.asarray(start, float), *(np.asarray(gate.position, float) for gate in course.gates)]
    found = []
    for k, gate in enumerate(course.gates):
        way = _way(places[k + 1] - places[k])
        side = np.cross(way, [0.0, 0.0, 1.0]) if way[2] == 0.0 else np.array([1.0, 0.0, 0.0])
        angle = 2.0 * np.pi * np.arange(SIDES) / SIDES
        normals = np.outer(np.cos(angle), side) + np.outer(np.sin(angle), np.cross(side, way))
        wanted = _widest(shape, np.asarray(turn, float), np.concatenate([normals, way[None]])) + gate.radius
        last = k == len(course.gates) - 1
        found.append(Hoop(places[k + 1], way, normals, wanted[:-1], float(wanted[-1]) if last else None, shape))
    return found


def reach(shape: Shape | None, turn: np.ndarray, ways: np.ndarray) -> np.ndarray:
    """How far a body of a shape reaches from its middle in some directions of the world [m]; a mesh as the box around it."""
    x, y, z = frames.rotate(np.asarray(turn, float) * (1.0, -1.0, -1.0, -1.0), ways).T
    if isinstance(shape, Sphere):
        return np.full(len(ways), shape.radius)
    if isinstance(shape, Capsule):
        return np.asarray(shape.radius + 0.5 * shape.length * np.abs(z))
    if isinstance(shape, Cylinder):
        return np.asarray(shape.radius * np.hypot(x, y) + 0.5 * shape.length * np.abs(z))
    return np.asarray(np.abs(np.stack([x, y, z], axis=1)) @ half_size(shape))


def line_of(hoops: Sequence[Hoop], start: np.ndarray) -> float | None:
    """Direction in the plane of the one line above which the load starts [m] and all gates stand, from the x axis on, counter-clockwise
    [rad]: a machine that leads it through them goes along it, and not across. None where they stand otherwise."""
    places = np.array([start[:2], *(hoop.middle[:2] for hoop in hoops)])
    _, size, ways = np.linalg.svd(places - places.mean(axis=0))
    if len(places) < 3 or size[1] > STRAIGHT * size[0]:
        return None
    return math.atan2(ways[0, 1], ways[0, 0])


def beside(miss: np.ndarray, heading: float = AHEAD, line: float | None = None) -> str:
    """A miss in words, always in the same order: '0.3 m too far left, 0.9 m too low'; empty: it is inside.

    `heading`: to where in the plane one looks, from the x axis on, counter-clockwise [rad]. Left and right are those of who looks there: a
    trainee knows the picture, not the axes of the scene. `line`: the direction along which the machine goes, where it is one (`line_of`): it
    is what it is most like in a picture that looks at it aslant, left and right or near and far; nothing is told of what lies across.
    """
    if line is not None:
        along = np.array([math.cos(line), math.sin(line)])
        miss = np.array([*(miss[:2] @ along * along), miss[2]])
        heading = line + 0.5 * math.pi * round((heading - line) / (0.5 * math.pi))
    ahead = miss[0] * math.cos(heading) + miss[1] * math.sin(heading)
    right = miss[0] * math.sin(heading) - miss[1] * math.cos(heading)
    told = (
        (right, "too far left", "too far right"),
        (ahead, "too close to you", "too far from you"),
        (miss[2], "too low", "too high"),
    )
    parts = [(abs(by), above if by > 0.0 else below) for by, below, above in told]
    largest = max(by for by, _ in parts)
    if largest <= 0.0:
        return ""
    # what is out by less than it can be told is out nevertheless
    shown = [part for part in parts if part[0] >= max(0.05, 0.1 * largest)] or [(0.1, max(parts)[1])]
    return ", ".join(f"{metres(by)} {words}" for by, words in shown)


def metres(length: float) -> str:
    """A distance to a gate, in steps of a decimetre where it is near."""
    return f"{length:.1f} m" if length < 9.95 else f"{length:.0f} m"


def _way(way: np.ndarray) -> np.ndarray:
    """The way to a gate, level or upright."""
    long = float(np.linalg.norm(way))
    if long < 1e-9:
        return np.array([1.0, 0.0, 0.0])
    if abs(way[2]) > STEEP * long:
        return np.array([0.0, 0.0, math.copysign(1.0, way[2])])
    flat = np.array([way[0], way[1], 0.0])
    return np.asarray(flat / np.linalg.norm(flat))


def _widest(shape: Shape | None, turn: np.ndarray, ways: np.ndarray) -> np.ndarray:
    """How far a load reaches in some directions, however it is turned about the vertical [m]."""
    found = np.zeros(len(ways))
    for angle in np.pi * np.arange(TURNS) / TURNS:
        # the load turned one way is the directions turned the other way
        c, s = math.cos(angle), math.sin(angle)
        spun = np.column_stack([c * ways[:, 0] - s * ways[:, 1], s * ways[:, 0] + c * ways[:, 1], ways[:, 2]])
        found = np.maximum(found, reach(shape, turn, spun))
    return found


def _bar(path: np.ndarray, thick: float, closed: bool = False) -> Solid:
    """A round bar along points [m], shape (n, 3), that lie in a plane; closed: a ring."""
    count = len(path)
    ahead = np.roll(path, -1, axis=0) - np.roll(path, 1, axis=0) if closed else np.gradient(path, axis=0)
    ahead = ahead / np.linalg.norm(ahead, axis=1)[:, None]
    over = np.cross(path[1] - path[0], path[2] - path[1]) if closed else np.cross(ahead[0], _other(ahead[0]))
    up = np.broadcast_to(over / np.linalg.norm(over), path.shape)
    out = np.cross(ahead, up)
    angle = 2.0 * np.pi * np.arange(ROUND) / ROUND
    rings = path[:, None] + thick * (
        np.cos(angle)[None, :, None] * out[:, None] + np.sin(angle)[None, :, None] * up[:, None]
    )
    rows = np.arange(count if closed else count - 1)[:, None]
    one, two = np.arange(ROUND)[None], ((np.arange(ROUND) + 1) % ROUND)[None]
    a, b = rows * ROUND + one, rows * ROUND + two
    c, d = (rows + 1) % count * ROUND + one, (rows + 1) % count * ROUND + two
    faces = np.concatenate([np.stack([a, c, b], axis=-1).reshape(-1, 3), np.stack([b, c, d], axis=-1).reshape(-1, 3)])
    return Solid(rings.reshape(-1, 3), faces)


def _other(way: np.ndarray) -> np.ndarray:
    """An axis that is not along a way."""
    return np.asarray(np.eye(3)[int(np.argmin(np.abs(way)))])


def _joined(parts: Sequence[Solid]) -> Solid:
    """Several solids as one."""
    first = np.cumsum([0, *(len(part.vertices) for part in parts)])
    return Solid(
        np.concatenate([part.vertices for part in parts]),
        np.concatenate([part.faces + start for part, start in zip(parts, first)]),
    )
