"""Distance joints as ropes and rods: straight when taut, catenaries when slack."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from taut.compile import frames
from taut.scene import WORLD, Distance, Scene
from taut.view.colours import ROD, ROPE, Colour
from taut.view.frame import Frame
from taut.view.hanging import ground_depth, hang
from taut.view.items import into_body

#: pieces that a rope is drawn in, more where there are few ropes, fewer where there are many
PIECES, MOST_PIECES = 16, 4000
FINE_PIECES, OF_FINE = 40, 120


@dataclass(frozen=True)
class Tie:
    """Two points that a distance joint holds, each in the frame of its body."""

    name: str
    colour: Colour
    ends: tuple[tuple[int, np.ndarray], tuple[int, np.ndarray]]
    """Number of the body (-1 for the world) and the point in its frame [m], for both ends."""


def ties(scene: Scene) -> list[Tie]:
    """All distance joints of a scene."""
    bodies = scene.all_bodies()
    number = {name: k for k, name in enumerate(bodies)}
    found = []
    for name, joint in scene.joints.items():
        if not isinstance(joint, Distance):
            continue
        ends = []
        for end, point in zip((joint.a, joint.b), joint.anchors(bodies)):
            if end == WORLD:
                ends.append((-1, np.asarray(point, float)))
                continue
            held = bodies[end]
            # a particle is held at itself
            at = np.zeros(3) if held.kind == "particle" else into_body(held, np.asarray(point), frames.IDENTITY)[0]
            ends.append((number[end], at))
        found.append(Tie(name, ROPE if joint.rope else ROD, (ends[0], ends[1])))
    return found


def coloured(scene: Scene) -> bool:
    """Whether there is anything that is coloured by its tension: cables, chains, ropes between two points."""
    between = any(isinstance(joint, Distance) and joint.rope for joint in scene.joints.values())
    return bool(scene.cables or scene.chains) or between


class Ropes:
    """Where the pieces of all ropes are, given the poses of the bodies."""

    def __init__(self, scene: Scene, radius: float) -> None:
        self.ties = ties(scene)
        self.radius = radius
        count = max(1, len(self.ties))
        self.pieces = max(1, min(PIECES, MOST_PIECES // count), min(FINE_PIECES, OF_FINE // count))
        gravity = np.asarray(scene.gravity, float)
        size = np.linalg.norm(gravity)
        self._down = gravity / size if size > 0.0 else np.array([0.0, 0.0, -1.0])
        self._ground = ground_depth(scene, self._down)
        self._body = np.array([[end[0] for end in tie.ends] for tie in self.ties], int).reshape(-1, 2)
        self._point = np.array([[end[1] for end in tie.ends] for tie in self.ties], float).reshape(-1, 2, 3)

    def ends(self, frame: Frame) -> np.ndarray:
        """Both ends of every rope [m], shape (ropes, 2, 3)."""
        # one more row for the world, which -1 finds
        position = np.vstack([frame.positions, np.zeros(3)])
        turn = np.vstack([frame.orientations, frames.IDENTITY])
        return position[self._body] + frames.rotate(turn[self._body], self._point)

    def points(self, frame: Frame) -> np.ndarray:
        """Points along every rope [m], shape (ropes, pieces + 1, 3)."""
        ends = self.ends(frame)
        slack = np.array([frame.slack.get(tie.name, 0.0) for tie in self.ties])
        floor = np.full(len(ends), self._ground - self.radius)
        return hang(ends, slack, self._down, np.linspace(0.0, 1.0, self.pieces + 1), floor)

    def transforms(self, frame: Frame) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Position, orientation and scale of a unit cylinder for every piece."""
        points = self.points(frame)
        first, second = points[:, :-1].reshape(-1, 3), points[:, 1:].reshape(-1, 3)
        middle, turn, scale = pieces_between(first, second, np.full(len(first), self.radius))
        self._straighten(frame, middle, scale)
        return middle, turn, scale

    def _straighten(self, frame: Frame, middle: np.ndarray, scale: np.ndarray) -> None:
        """A taut rope is one piece without seams: the first one, the others vanish."""
        ends = self.ends(frame)
        for k, tie in enumerate(self.ties):
            if frame.slack.get(tie.name, 0.0) <= 0.0:
                first = k * self.pieces
                middle[first] = ends[k].mean(axis=0)
                scale[first, 2] = np.linalg.norm(ends[k, 1] - ends[k, 0])
                scale[first + 1 : first + self.pieces] = 0.0


def pieces_between(
    first: np.ndarray, second: np.ndarray, radius: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Position, orientation and scale of unit cylinders from points to points."""
    d = second - first
    length = np.linalg.norm(d, axis=1)
    axis = np.where(length[:, None] > 1e-12, d / np.maximum(length, 1e-12)[:, None], [0.0, 0.0, 1.0])
    # a little longer than the piece, so that a bend shows no gaps
    scale = np.column_stack([radius, radius, length + 0.3 * radius])
    return 0.5 * (first + second), upright(axis), scale


def upright(axis: np.ndarray) -> np.ndarray:
    """The shortest turn from z to each axis, q ~ (1 + z.d, z x d), shape (n, 4)."""
    turn = np.stack([1.0 + axis[:, 2], -axis[:, 1], axis[:, 0], np.zeros(len(axis))], axis=1)
    turn[axis[:, 2] < -1.0 + 1e-9] = (0.0, 1.0, 0.0, 0.0)
    return turn / np.linalg.norm(turn, axis=1, keepdims=True)
