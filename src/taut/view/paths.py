"""Paths of all cables at once, from the poses of the bodies alone: tangent points, arcs, and how far each wheel has turned."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from taut.compile import frames
from taut.compile.reeving import direction_across, point_of, turn_of
from taut.scene import Body, Scene
from taut.scene.cables import Cable
from taut.scene.parts import RoutePart, Wheel, Winch
from taut.view.frame import Frame
from taut.view.items import into_body

#: rounds on the tangent points of wheels that are not in one plane, and the change that ends them [rad]
ROUNDS, CLOSE = 12, 1e-6


@dataclass(frozen=True)
class Laid:
    """The paths at one moment."""

    centre: np.ndarray
    """Middle of every part [m], shape (parts, 3)."""
    axis: np.ndarray
    """Axis of every wheel; zero for points, shape (parts, 3)."""
    first: np.ndarray
    """From where angles of a wheel count, shape (parts, 3)."""
    arrives: np.ndarray
    """Angle at which the rope comes to each wheel [rad], shape (parts,)."""
    wrap: np.ndarray
    """Angle of contact in the sense of the turn; zero for points and drums [rad], shape (parts,)."""
    ends: np.ndarray
    """Both ends of every span [m], shape (spans, 2, 3)."""
    slack: np.ndarray
    """Rope of every span beyond its straight line [m], shape (spans,)."""
    turned: np.ndarray
    """How far each wheel has turned about its axis, on what carries it [rad], shape (parts,)."""
    bend: np.ndarray
    """Distance of every span from its straight line at nine points between its ends [m], shape (spans, 9, 3)."""


class Paths:
    """The routes of a scene as tables of parts and spans."""

    def __init__(self, scene: Scene) -> None:
        bodies = scene.all_bodies()
        number = {name: k for k, name in enumerate(bodies)}
        self.parts: list[tuple[str, RoutePart]] = []
        """Cable and part, falls expanded, in the order of the scene."""
        self.runs: list[slice] = []
        """Parts of each cable."""
        body, arm, axis, first, turn = [], [], [], [], []
        for name, cable in scene.ropes().items():
            parts = cable.parts()
            points = [point_of(part, bodies) for part in parts]
            self.runs.append(slice(len(self.parts), len(self.parts) + len(parts)))
            for k, part in enumerate(parts):
                direction = np.asarray(part.axis, float) if isinstance(part, Wheel) else np.zeros(3)
                across = direction_across(direction) if isinstance(part, Wheel) else np.zeros(3)
                self.parts.append((name, part))
                body.append(number.get(part.on, -1))
                arm.append(_carried(bodies.get(part.on), points[k]))
                back = _back(bodies.get(part.on))
                axis.append(frames.rotate(back, direction))
                first.append(frames.rotate(back, across))
                turn.append(turn_of(part, points, k))
        self.body = np.array(body, int)
        """Number of the body of every part; -1 for the world."""
        self._arm = np.array(arm, float).reshape(-1, 3)
        self._axis = np.array(axis, float).reshape(-1, 3)
        self._first = np.array(first, float).reshape(-1, 3)
        self.turn = np.array(turn, float)
        self.radius = np.array([part.radius if isinstance(part, Wheel) else 0.0 for _, part in self.parts])
        self.wraps = np.array([getattr(part, "wraps", 0) for _, part in self.parts], int)
        self._drum = np.array([isinstance(part, Winch) for _, part in self.parts], bool)
        starts = [k for run in self.runs for k in range(run.start, run.stop - 1)]
        self.span = np.array(starts, int)
        """RoutePart at which every span starts; it ends at the next."""
        self.span_cable = np.array([c for c, run in enumerate(self.runs) for _ in range(run.start, run.stop - 1)], int)
        # where the rope is tied, from which it is counted how much has run over a wheel
        self._tied_at_start = [not isinstance(self.parts[run.start][1], Winch) for run in self.runs]
        self._cables = list(scene.ropes())
        self.thick = {name: 0.5 * cable.thickness() for name, cable in scene.ropes().items()}
        """Radius of every cable [m]."""
        gravity = np.asarray(scene.gravity, float)
        self._down = gravity / max(float(np.linalg.norm(gravity)), 1e-12)

    def at(self, frame: Frame) -> Laid:
        """The paths for the poses of a moment."""
        position = np.vstack([frame.positions, np.zeros(3)]).astype(float)
        turn = np.vstack([frame.orientations, frames.IDENTITY]).astype(float)
        carrier = turn[self.body]
        centre = position[self.body] + frames.rotate(carrier, self._arm)
        axis, first = frames.rotate(carrier, self._axis), frames.rotate(carrier, self._first)
        second = frames.cross(axis, first)
        leaves, arrives = self._tangents(centre, axis, first, second)

        def on(part: np.ndarray, angle: np.ndarray) -> np.ndarray:
            a = angle[part, None]
            return centre[part] + self.radius[part, None] * (np.cos(a) * first[part] + np.sin(a) * second[part])

        i, j = self.span, self.span + 1
        ends = np.stack([on(i, leaves), on(j, arrives)], axis=1)
        self._drop(frame, ends)
        length = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
        slack = self._slack(frame, length)
        # between a quarter turn back and three quarters on, plus full wraps
        bend = (self.turn * (leaves - arrives) + 0.5 * np.pi) % (2.0 * np.pi) - 0.5 * np.pi
        inner = np.ones(len(self.parts), bool)
        inner[[k for run in self.runs for k in (run.start, run.stop - 1)]] = False
        wrap = np.where(inner & (self.radius > 0.0), bend + 2.0 * np.pi * self.wraps, 0.0)
        turned = self._turned(length + slack, wrap, leaves, arrives)
        return Laid(centre, axis, first, arrives, wrap, ends, slack, turned, self._bend(frame))

    def _tangents(
        self, centre: np.ndarray, axis: np.ndarray, first: np.ndarray, second: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Angles at which the rope leaves and arrives: exact for wheels in one plane, by rounds for others."""
        i, j = self.span, self.span + 1
        r1, r2, s1, s2 = self.radius[i], self.radius[j], self.turn[i], self.turn[j]
        # seen along the first axis, a second wheel that looks the other way turns the other way
        same = s1 * s2 * np.where((axis[i] * axis[j]).sum(axis=1) < 0.0, -1.0, 1.0)

        def seen(k: np.ndarray, point: np.ndarray, side: np.ndarray, reach: np.ndarray) -> np.ndarray:
            d = point - centre[k]
            a, b = (d * first[k]).sum(axis=1), (d * second[k]).sum(axis=1)
            far = np.maximum(np.hypot(a, b), 1e-12)
            return np.arctan2(b, a) + side * np.arccos(np.clip(reach / far, -1.0, 1.0))

        def at(k: np.ndarray, radius: np.ndarray, angle: np.ndarray) -> np.ndarray:
            a, r = angle[:, None], radius[:, None]
            return centre[k] + r * (np.cos(a) * first[k] + np.sin(a) * second[k])

        one, two = seen(i, centre[j], -s1, r1 - same * r2), seen(j, centre[i], s2, r2 - same * r1)
        for _ in range(ROUNDS):
            before = one, two
            one = np.where(r1 > 0.0, seen(i, at(j, r2, two), -s1, r1), 0.0)
            two = np.where(r2 > 0.0, seen(j, at(i, r1, one), s2, r2), 0.0)
            if not len(one) or max(_apart(one, before[0], r1), _apart(two, before[1], r2)) < CLOSE:
                break
        leaves, arrives = np.zeros(len(self.parts)), np.zeros(len(self.parts))
        leaves[i], arrives[j] = one, two
        return leaves, arrives

    def _drop(self, frame: Frame, ends: np.ndarray) -> None:
        """What is unhooked or has parted hangs from its first end; the rest of it is not seen."""
        for c, name in enumerate(self._cables):
            rope = frame.cables.get(name)
            if rope is not None and rope.loose is not None:
                mine = np.flatnonzero(self.span_cable == c)
                ends[mine] = ends[mine[0], 0]
                ends[mine[0], 1] = ends[mine[0], 0] + rope.loose * self._down

    def _slack(self, frame: Frame, length: np.ndarray) -> np.ndarray:
        """What each span has of the slack of its cable."""
        found = np.zeros(len(self.span))
        for c, name in enumerate(self._cables):
            rope = frame.cables.get(name)
            if rope is None:
                continue
            mine = self.span_cable == c
            share = length[mine] / max(float(length[mine].sum()), 1e-9)
            found[mine] = rope.slack if len(rope.slack) == len(share) else share * rope.slack.sum()
        return found

    def _bend(self, frame: Frame) -> np.ndarray:
        """How layered spans hang; zero for others."""
        found = np.zeros((len(self.span), 9, 3))
        for c, name in enumerate(self._cables):
            rope = frame.cables.get(name)
            if rope is not None and rope.bend is not None:
                found[self.span_cable == c] = rope.bend
        return found

    def _turned(self, length: np.ndarray, wrap: np.ndarray, leaves: np.ndarray, arrives: np.ndarray) -> np.ndarray:
        """Wheels roll along their rope: what lies between them and where it is tied tells how far."""
        turned = np.zeros(len(self.parts))
        arc = self.radius * wrap
        radius = np.where(self.radius > 0.0, self.radius, 1.0)
        span = 0
        for run, at_start in zip(self.runs, self._tied_at_start):
            count = run.stop - run.start
            spans, arcs = length[span : span + count - 1], arc[run]
            span += count - 1
            k = np.arange(run.start, run.stop)
            if at_start:
                before = np.concatenate([[0.0], np.cumsum(spans + arcs[:-1])])
                turned[k] = arrives[k] - self.turn[k] * before / radius[k]
            else:
                after = np.concatenate([np.cumsum((spans + arcs[1:])[::-1])[::-1], [0.0]])
                turned[k] = leaves[k] + self.turn[k] * after / radius[k]
        return np.where(self.radius > 0.0, turned, 0.0)


def _apart(one: np.ndarray, two: np.ndarray, radius: np.ndarray) -> float:
    return float(np.abs(np.where(radius > 0.0, one - two, 0.0)).max())


def _back(body: Body | None) -> np.ndarray:
    return frames.IDENTITY if body is None else frames.conjugate(np.asarray(body.start_orientation, float))


def _carried(body: Body | None, point: np.ndarray) -> np.ndarray:
    """A point of the world at the start in the frame of the body that carries it; a particle is held at itself."""
    if body is None:
        return point
    return np.zeros(3) if body.kind == "particle" else into_body(body, point, frames.IDENTITY)[0]


def thickness(cable: Cable, size: float) -> float:
    """Radius with which a cable is drawn in a scene of that size [m]: no thinner than what can be told from a line."""
    return max(0.5 * cable.thickness(), 0.0006 * size)
