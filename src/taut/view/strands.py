"""Segmented cables in the page: a smooth line through the ends of the segments, drawn as short cylinders in one node."""

from __future__ import annotations

import numpy as np
import viser

from taut.compile import frames
from taut.scene import Scene
from taut.view import solids
from taut.view.bounds import extent
from taut.view.colours import CABLE, as_bytes
from taut.view.curves import along_pieces, curvatures
from taut.view.frame import Frame
from taut.view.lines import Lines
from taut.view.paths import thickness
from taut.view.ropes import pieces_between
from taut.view.shades import Scales, pull_along

#: pieces that a segment is drawn in, and the most pieces in all: 800 poses thirty times a second are 0.7 MB/s
SMOOTH, MOST = 4, 800
#: most pieces of the line that is seen from afar
MOST_LINES = 240
#: change of the length of a piece that is not worth sending
SAME = 0.02
#: a joint that is open by more than this part of the segments beside it has parted
PARTED = 0.5


class Strands:
    """All segmented cables of a scene."""

    def __init__(
        self, api: viser.SceneApi | None, scene: Scene, frame: Frame | None, scales: Scales | None = None
    ) -> None:
        """Draw them as they lie at a moment; without an api, only tell how they lie."""
        self._scales = scales or Scales()
        self.by_tension = False
        """Whether they are coloured by their tension."""
        self.by_bend = False
        """Whether they are coloured by their bend instead."""
        self._coloured = (False, False)
        self._runs: list[tuple[str, np.ndarray, bool]] = []
        self._stored: list[tuple[bool, bool]] = []
        found = scene.strands()
        if not found:
            return
        bodies = scene.all_bodies()
        number, size = {name: k for k, name in enumerate(bodies)}, extent(bodies)
        total = sum(strand.links for strand in found.values())
        self._pieces = max(1, min(SMOOTH, MOST // total))
        self._stride = -(-total // MOST)
        self._counts: list[int] = []
        half: list[np.ndarray] = []
        radius: list[np.ndarray] = []
        colour: list[np.ndarray] = []
        for name, strand in found.items():
            links = np.array([number[link] for link in strand.link_names()])
            self._runs.append((name, links, strand.cable.loop))
            self._stored.append((strand.stored[0] > 0, strand.stored[1] > 0))
            shapes = [bodies[link].shape for link in strand.link_names()]
            half.append(np.array([0.5 * shape.length + shape.radius for shape in shapes]))  # type: ignore[union-attr]
            count = (len(thinned(np.arange(len(links) + 1), self._stride)) - 1) * self._pieces
            self._counts.append(count)
            radius.append(np.full(count, thickness(strand.cable, size)))
            colour.append(np.tile(np.array(as_bytes(strand.cable.color or CABLE), np.uint8), (count, 1)))
        self._half, self._radius, self._plain = half, np.concatenate(radius), np.concatenate(colour)
        if api is None or frame is None:
            return
        _, starts, stops = self.lines(frame)
        middle, turn, scale = self._between(starts, stops)
        self._scale = scale
        solid = solids.turned([[(1.0, -0.5), (1.0, 0.5)]], 10)
        self._handle = api.add_batched_meshes_simple(
            "/cables/segmented",
            solid.vertices,
            solid.faces,
            batched_wxyzs=turn,
            batched_positions=middle,
            batched_scales=scale,
            batched_colors=self._plain,
            side="double",
            lod="off",
        )
        stride = max(1, -(-len(starts) // MOST_LINES))
        self._line = Lines(api, "/cables/segmented_lines", self._counts, stride, starts, stops, self._plain)

    @property
    def changed(self) -> bool:
        """Whether other colours are wanted than those that are shown."""
        return bool(self._runs) and (self.by_tension, self.by_bend) != self._coloured

    def show(self, frame: Frame) -> None:
        """Follow the segments."""
        if not self._runs:
            return
        _, starts, stops = self.lines(frame)
        middle, turn, scale = self._between(starts, stops)
        self._handle.batched_positions = middle
        self._handle.batched_wxyzs = turn
        if np.abs(scale - self._scale).max() > SAME * self._scale[:, 2].max():
            self._handle.batched_scales = self._scale = scale
        colours = None
        shaded = self.by_tension or self.by_bend
        if shaded or any(self._coloured):
            colours = self._shades(frame) if shaded else self._plain
            self._handle.batched_colors = colours
            self._coloured = (self.by_tension, self.by_bend)
        self._line.show(starts, stops, colours)

    @property
    def handle(self) -> viser.BatchedMeshHandle | None:
        """The cables in the page, for drags."""
        return self._handle if self._runs else None

    def joints(self, name: str, frame: Frame) -> np.ndarray:
        """Places of the joints of a cable, or of every so many of them [m], shape (n, 3)."""
        return self.along(frame)[name][:: self._pieces]

    @classmethod
    def still(cls, scene: Scene) -> Strands:
        """The cables without a page: `lines` and `along` are all there is."""
        return cls(None, scene, None)

    def along(self, frame: Frame) -> dict[str, np.ndarray]:
        """Points along every cable from its start to its end [m], shape (n, 3)."""
        names, starts, stops = self.lines(frame)
        owner = np.array(names)
        return {name: np.vstack([starts[owner == name], stops[owner == name][-1:]]) for name, _, _ in self._runs}

    def lines(self, frame: Frame) -> tuple[list[str], np.ndarray, np.ndarray]:
        """All cables as pieces: the cable of each, its start and its end [m], shape (n, 3)."""
        names: list[str] = []
        starts, stops = [np.zeros((0, 3))], [np.zeros((0, 3))]
        for k, (name, links, loop) in enumerate(self._runs):
            begins, ends = self._pieces_of(parts(frame, links, self._half[k], loop, self._stored[k]), self._counts[k])
            starts.append(begins)
            stops.append(ends)
            names += [name] * len(begins)
        return names, np.concatenate(starts), np.concatenate(stops)

    def _pieces_of(self, lines: list[tuple[np.ndarray, bool]], count: int) -> tuple[np.ndarray, np.ndarray]:
        """Starts and ends of the pieces of a cable, always as many: where it has parted, some may be points."""
        stride = self._stride
        while True:
            found = [smooth(thinned(points, stride), self._pieces, whole) for points, whole in lines]
            missing = count - sum(len(line) - 1 for line in found)
            if missing >= 0:
                break
            stride += 1
        found[-1] = np.concatenate([found[-1], np.repeat(found[-1][-1:], missing, axis=0)])
        return np.concatenate([line[:-1] for line in found]), np.concatenate([line[1:] for line in found])

    def _between(self, starts: np.ndarray, stops: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        middle, turn, scale = pieces_between(starts, stops, self._radius)
        return middle.astype(np.float32), turn.astype(np.float32), scale.astype(np.float32)

    def _shades(self, frame: Frame) -> np.ndarray:
        """From slack to hot by tension, or by bend."""
        runs = [(name, count) for (name, _, _), count in zip(self._runs, self._counts)]
        if self.by_bend:
            bent = [along_pieces(curvatures(self.joints(name, frame)), count) for name, count in runs]
            return self._scales.by_bend(np.concatenate(bent))
        pull = [pull_along(frame.cables.get(name), count) for name, count in runs]
        return self._scales.by_tension(np.concatenate(pull), self._plain)


def parts(
    frame: Frame, links: np.ndarray, half: np.ndarray, loop: bool, stored: tuple[bool, bool]
) -> list[tuple[np.ndarray, bool]]:
    """Places of the joints of every part of a cable, shape (n + 1, 3), and whether it is a loop: in one, or parted."""
    axis = frames.rotate(frame.orientations[links].astype(float), np.tile([0.0, 0.0, 1.0], (len(links), 1)))
    middle, reach = frame.positions[links].astype(float), half[:, None] * axis
    ends, begins = middle + reach, middle - reach
    # what is not paid out yet lies in the point that it comes out of
    for here, (first, step) in zip(stored, ((0, 1), (len(links) - 1, -1))):
        k = first
        while here and 0 <= k < len(links) and (middle[k] == middle[first]).all():
            ends[k] = begins[k] = middle[first]
            k += step
        if here and 0 <= k < len(links) and k != first:
            (begins if step > 0 else ends)[k] = middle[first]
    apart = np.flatnonzero(np.linalg.norm(begins[1:] - ends[:-1], axis=1) > PARTED * (half[1:] + half[:-1]))
    if len(apart) == 0 and loop:
        closing = 0.5 * (ends[-1:] + begins[:1])
        return [(np.concatenate([closing, 0.5 * (ends[:-1] + begins[1:]), closing]), True)]
    found = []
    for first, last in zip([0, *(apart + 1)], [*(apart + 1), len(links)]):
        inner = 0.5 * (ends[first : last - 1] + begins[first + 1 : last])
        found.append((np.concatenate([begins[first : first + 1], inner, ends[last - 1 : last]]), False))
    return found


def thinned(points: np.ndarray, stride: int) -> np.ndarray:
    """Every so many points, and the last."""
    kept = points[::stride]
    return kept if (len(points) - 1) % stride == 0 else np.concatenate([kept, points[-1:]])


def smooth(points: np.ndarray, pieces: int, loop: bool) -> np.ndarray:
    """A Catmull-Rom curve through the points, shape ((n - 1) pieces + 1, 3)."""
    if pieces == 1 or len(points) < 3:
        return points if pieces == 1 else np.linspace(points[0], points[-1], (len(points) - 1) * pieces + 1)
    before = points[-2:-1] if loop else 2.0 * points[:1] - points[1:2]
    after = points[1:2] if loop else 2.0 * points[-1:] - points[-2:-1]
    p = np.concatenate([before, points, after])
    t = (np.arange(pieces) / pieces)[None, :, None]
    a, b, c, d = (p[k : len(p) - 3 + k, None] for k in range(4))
    curve = 0.5 * (
        2.0 * b + (c - a) * t + (2.0 * a - 5.0 * b + 4.0 * c - d) * t**2 + (3.0 * b - a - 3.0 * c + d) * t**3
    )
    return np.concatenate([curve.reshape(-1, 3), points[-1:]])
