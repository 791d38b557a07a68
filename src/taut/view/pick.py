"""What lies under the pointer: a point of a rope, or a body."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from taut.compile import frames
from taut.scene import Plane, Scene
from taut.view.bounds import half_size
from taut.view.frame import Frame
from taut.view.mirror import Mirror
from taut.view.ropes import Ropes
from taut.view.springs import Grip

#: a rope is hit within this angle of the ray [rad]; ropes are thin and fingers are not
NEAR = 0.012


@dataclass(frozen=True)
class Picked:
    """A point of a rope, or a body."""

    kind: str
    """'rope' or 'body'."""
    name: str
    point: np.ndarray
    """Where it was hit [m], shape (3,)."""
    piece: int = -1
    """Of a rope: which piece of its drawn line, by which it is found again."""
    share: float = 0.0
    """Of a rope: place along that piece, from 0 to 1."""
    arm: np.ndarray | None = None
    """Of a body: the point in its frame [m]."""


class Picker:
    """Finds what a ray hits."""

    def __init__(self, scene: Scene, mirror: Mirror) -> None:
        self._mirror, self._scene = mirror, scene
        bodies = scene.all_bodies()
        drawn = {link for strand in scene.strands().values() for link in strand.link_names()}
        self._names = [
            name
            for name, body in bodies.items()
            if body.visible and name not in drawn and body.shape is not None and not isinstance(body.shape, Plane)
        ]
        self._moved = {name for name, body in bodies.items() if body.moved_by_forces}
        self._strands = set(scene.strands())
        self._choosing = {name for name, cable in scene.cables.items() if cable.model == "auto"}
        ropes = set(scene.ropes()) - self._choosing
        self.pulls = bool(self._strands | ropes | (self._moved & set(self._names)))
        """Whether there is anything that can be pulled."""
        number = {name: k for k, name in enumerate(bodies)}
        self._number = np.array([number[name] for name in self._names], int)
        self._half = np.array([half_size(bodies[name].shape) for name in self._names]).reshape(-1, 3)
        self._ties = Ropes(scene, 0.0)

    def at(self, origin: np.ndarray, way: np.ndarray, frame: Frame) -> Picked | None:
        """What a ray hits first; a rope in front of a body, or beside it, wins."""
        way = way / np.linalg.norm(way)
        rope, depth = self._rope(origin, way, frame)
        body, reach = self._body(origin, way, frame)
        return rope if rope is not None and depth < reach * 1.02 else body

    def lines(self, frame: Frame) -> tuple[list[str], np.ndarray, np.ndarray]:
        """All ropes as pieces: the rope of each, its start and its end [m], shape (n, 3)."""
        names, starts, stops = [], [], []
        for part in (self._mirror.cables, self._mirror.strands):
            found = part.lines(frame)
            names += found[0]
            starts.append(found[1])
            stops.append(found[2])
        for name, rope in frame.cables.items():
            line = rope.line
            if line is not None:
                names += [name] * (len(line) - 1)
                starts.append(line[:-1])
                stops.append(line[1:])
        if self._ties.ties:
            points = self._ties.points(frame)
            names += [tie.name for tie in self._ties.ties for _ in range(points.shape[1] - 1)]
            starts.append(points[:, :-1].reshape(-1, 3))
            stops.append(points[:, 1:].reshape(-1, 3))
        return names, np.concatenate(starts), np.concatenate(stops)

    def near(self, point: np.ndarray, frame: Frame) -> Picked | None:
        """The point of a rope that lies nearest to a point [m]; None if there is no rope."""
        names, starts, stops = self.lines(frame)
        if not names:
            return None
        along = stops - starts
        size = np.maximum((along * along).sum(axis=1), 1e-18)
        share = np.clip(((point - starts) * along).sum(axis=1) / size, 0.0, 1.0)
        found = starts + share[:, None] * along
        k = int(np.argmin(((found - point) ** 2).sum(axis=1)))
        return Picked("rope", names[k], found[k], k, float(share[k]))

    def grip(self, picked: Picked, frame: Frame) -> Grip | None:
        """What to pull of a picked thing; None where it cannot be pulled."""
        if picked.kind == "body":
            return Grip(picked.name, arm=picked.arm) if picked.name in self._moved else None
        if picked.name in self._choosing:
            return None  # what holds it may be gone in the next step
        if picked.name in self._strands:
            return Grip(picked.name, share=self.share(picked, frame))
        place = self._mirror.cables.place_in_span(picked.name, picked.piece, picked.share)
        return None if place is None else Grip(picked.name, span=place[0], share=place[1])

    def why_not(self, picked: Picked) -> str:
        """Why a picked thing cannot be pulled, and what can be instead."""
        name, cable = picked.name, self._scene.cables.get(picked.name)
        if picked.kind == "body":
            return f"{name} does not move by forces."
        if cable is None:
            return f"{name} is a rope without mass between two points: pull a body at its ends."
        ends = " or ".join(dict.fromkeys(part.on for part in cable.parts() if part.on in self._moved))
        instead = f"Pull {ends} instead." if ends else "It has no end that moves by forces."
        why = {
            "rod": "is a rod: in balance at every moment, with no mass that a pull could move.",
            "honeycomb": "is a lattice of masses, which the pointer's spring does not hold.",
            "auto": "changes its model while it runs: what holds it may be gone in the next step.",
        }.get(cable.model, "lies on a wheel or round a thing here: take it where it runs free.")
        return f"{name} {why} {instead}"

    def share(self, picked: Picked, frame: Frame) -> float:
        """Place of a picked point along its whole rope, from 0 to 1."""
        names, _, _ = self.lines(frame)
        mine = [k for k, name in enumerate(names) if name == picked.name]
        return (mine.index(picked.piece) + picked.share) / len(mine)

    def curve(self, name: str, frame: Frame) -> np.ndarray | None:
        """Points by which the bend of a rope is told [m], shape (n, 3); None where only its wheels bend it."""
        if name in self._strands:
            return self._mirror.strands.joints(name, frame)
        rope = frame.cables.get(name)
        return None if rope is None else rope.line

    def wheels(self, picked: Picked) -> tuple[float | None, float | None]:
        """Radius of the wheel on which a picked point lies, and of the smallest wheel of its rope [m]; None for none."""
        cables = self._mirror.cables
        return cables.bend_radius(picked.name, picked.piece) if picked.name in cables.names else (None, None)

    def follow(self, picked: Picked, frame: Frame) -> np.ndarray:
        """Where a picked point is at another moment [m]."""
        if picked.kind == "body":
            assert picked.arm is not None
            centre, way = self.pose(picked, frame)
            return centre + frames.rotate(way, picked.arm)
        _, starts, stops = self.lines(frame)
        return starts[picked.piece] + picked.share * (stops[picked.piece] - starts[picked.piece])

    def pose(self, picked: Picked, frame: Frame) -> tuple[np.ndarray, np.ndarray]:
        """Centre of a picked body [m] and its orientation, shapes (3,) and (4,)."""
        k = self._number[self._names.index(picked.name)]
        return frame.positions[k].astype(float), frame.orientations[k].astype(float)

    def _rope(self, origin: np.ndarray, way: np.ndarray, frame: Frame) -> tuple[Picked | None, float]:
        names, starts, stops = self.lines(frame)
        if not names:
            return None, np.inf
        along = stops - starts
        # the nearest points of a ray and of a segment, by the usual two equations; then within the segment
        b, c = along @ way, np.maximum((along * along).sum(axis=1), 1e-18)
        d, e = (starts - origin) @ way, ((starts - origin) * along).sum(axis=1)
        share = np.clip((b * d - e) / np.maximum(c - b * b, 1e-12 * c), 0.0, 1.0)
        point = starts + share[:, None] * along
        depth = (point - origin) @ way
        off = np.linalg.norm(point - origin - depth[:, None] * way, axis=1)
        angle = np.where((depth > 0.0) & (c > 1e-12), off / np.maximum(depth, 1e-9), np.inf)
        k = int(np.argmin(angle))
        if angle[k] > NEAR:
            return None, np.inf
        return Picked("rope", names[k], point[k], k, float(share[k])), float(depth[k])

    def _body(self, origin: np.ndarray, way: np.ndarray, frame: Frame) -> tuple[Picked | None, float]:
        """By the boxes around the shapes, in the frames of the bodies."""
        if not self._names:
            return None, np.inf
        back = frames.conjugate(frame.orientations[self._number].astype(float))
        start = frames.rotate(back, origin - frame.positions[self._number].astype(float))
        ray = frames.rotate(back, np.broadcast_to(way, start.shape))
        ray = np.where(np.abs(ray) < 1e-12, 1e-12, ray)
        one, two = (-self._half - start) / ray, (self._half - start) / ray
        enter, leave = np.minimum(one, two).max(axis=1), np.maximum(one, two).min(axis=1)
        depth = np.where((enter <= leave) & (leave > 0.0), np.maximum(enter, 0.0), np.inf)
        k = int(np.argmin(depth))
        if not np.isfinite(depth[k]):
            return None, np.inf
        hit = origin + depth[k] * way
        return Picked("body", self._names[k], hit, arm=start[k] + depth[k] * ray[k]), float(depth[k])
