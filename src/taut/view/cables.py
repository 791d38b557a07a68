"""Cables in the page: ropes along their paths, as tubes and, from afar, as lines."""

from __future__ import annotations

import numpy as np
import viser

from taut.compile import frames
from taut.measure import courses
from taut.scene import WORLD, Scene
from taut.scene.parts import Wheel
from taut.view import solids
from taut.view.bounds import extent, half_size
from taut.view.colours import CABLE, as_bytes
from taut.view.fittings import Fittings
from taut.view.frame import Frame
from taut.view.hanging import ground_depth, hang
from taut.view.lines import Lines
from taut.view.paths import Laid, Paths, thickness
from taut.view.reach import points_of
from taut.view.ropes import pieces_between
from taut.view.shades import Scales

#: pieces of a slack or waving span where there are many, where there are few, and of all of them together where there are some;
#: every one costs 4 kB a second
LEAST_SPAN, MOST_SPAN, OF_SPANS = 10, 40, 120
#: pieces of an arc for each turn, and of one at most
TURN_PIECES, MOST_PIECES = 28, 140
#: pieces of an arc that are one piece of the line; those of a span are one each, or the line would leave the tube where rope sags
LINE_PIECES = 2


class Cables:
    """All cables of a scene."""

    def __init__(
        self, api: viser.SceneApi | None, scene: Scene, frame: Frame | None, scales: Scales | None = None
    ) -> None:
        """Draw them as they lie at a moment; without an api, only tell how they lie."""
        self.paths = Paths(scene)
        self.span_pieces = min(MOST_SPAN, max(LEAST_SPAN, OF_SPANS // max(1, len(self.paths.span))))
        """Pieces of a span that is not straight."""
        self._between = _between(self.span_pieces)
        self._scales = scales or Scales()
        self.by_tension = False
        """Whether ropes are coloured by their tension."""
        if not self.paths.parts:
            return
        size = extent(scene.all_bodies(), points_of(scene))
        self._thick = {name: thickness(cable, size) for name, cable in scene.ropes().items()}
        self._colour = {name: cable.color or CABLE for name, cable in scene.ropes().items()}
        gravity = np.asarray(scene.gravity, float)
        self._down = gravity / max(float(np.linalg.norm(gravity)), 1e-12)
        self._ground = ground_depth(scene, self._down)
        # slack rope lies on what it is tied to as far as that is wide, and hangs below wheels
        bodies = scene.all_bodies()
        rests = np.array(
            [
                0.0
                if isinstance(part, Wheel) or part.on == WORLD
                else 2.0 * float(np.linalg.norm(half_size(bodies[part.on].shape)))
                for _, part in self.paths.parts
            ]
        )
        self._span_thick = np.array([self._thick[self.paths.parts[k][0]] for k in self.paths.span])
        self._rests = np.stack([rests[self.paths.span], rests[self.paths.span + 1]], axis=1)
        # cables that wrap round things are drawn along their course, in place of their spans and arcs: pieces of each
        coursed = {name: cable for name, cable in scene.ropes().items() if courses.wraps_round(cable)}
        self._courses = {name: courses.course_length(cable, bodies) - 1 for name, cable in coursed.items()}
        self._cut()
        if api is not None and frame is not None:
            laid = self.paths.at(frame)
            self._fittings = Fittings(api, self.paths, self._thick, self._colour, laid)
            self._build_ropes(api, frame, laid)

    @classmethod
    def still(cls, scene: Scene) -> Cables:
        """The cables without a page: `lines` and `along` are all there is."""
        return cls(None, scene, None)

    def along(self, frame: Frame) -> dict[str, np.ndarray]:
        """Points along every cable from its start to its end [m], shape (n, 3)."""
        if not self.paths.parts:
            return {}
        starts, stops = self._ends(self.paths.at(frame))
        arcs = {
            int(k): len(self.paths.span) * self.span_pieces + n * self._arc_pieces for n, k in enumerate(self._wheel)
        }
        found, span = {}, 0
        for name, run in zip(self._thick, self.paths.runs):
            pieces: list[int] = []
            for k in range(run.start, run.stop - 1):
                if k in arcs:
                    pieces += range(arcs[k], arcs[k] + self._arc_pieces)
                pieces += range(span * self.span_pieces, (span + 1) * self.span_pieces)
                span += 1
            course = _course(frame, name)
            found[name] = np.vstack([starts[pieces], stops[pieces[-1:]]]) if course is None else course
        return found

    @property
    def changed(self) -> bool:
        """Whether other colours are wanted than those that are shown."""
        return bool(self.paths.parts) and self.by_tension != self._coloured

    def show(self, frame: Frame) -> None:
        """Follow the bodies."""
        if not self.paths.parts:
            return
        laid = self.paths.at(frame)
        self._fittings.show(laid)
        self._show_ropes(frame, laid)

    # ---- the rope ----------------------------------------------------------------------------------------------------

    def _cut(self) -> None:
        """Which piece belongs to which span or arc of which cable."""
        paths = self.paths
        self._wheel = np.array(
            [k for run in paths.runs for k in range(run.start + 1, run.stop - 1) if paths.radius[k] > 0.0], int
        )
        turns = 1 + int(paths.wraps.max(initial=0))
        self._arc_pieces = min(TURN_PIECES * turns, MOST_PIECES)
        part_cable = [name for name, _ in paths.parts]
        span_cable = [part_cable[k] for k in paths.span]
        arc_cable = [part_cable[k] for k in self._wheel]
        owners = np.repeat(span_cable, self.span_pieces).tolist() + np.repeat(arc_cable, self._arc_pieces).tolist()
        self._owners: list[str] = owners
        self._owned = {name: np.flatnonzero(np.array(owners) == name) for name in self._courses}
        owners = owners + [name for name, count in self._courses.items() for _ in range(count)]
        self._radius = np.array([self._thick[name] for name in owners])
        self._plain = np.array([as_bytes(self._colour[name]) for name in owners], np.uint8)
        # which span tells the tension of a piece: that of an arc is the one before it
        place = {int(k): s for s, k in enumerate(paths.span)}
        self._span_of = np.concatenate(
            [
                np.repeat(np.arange(len(paths.span)), self.span_pieces),
                np.repeat(np.array([place[int(k) - 1] for k in self._wheel], int), self._arc_pieces),
            ]
        )

    def _build_ropes(self, api: viser.SceneApi, frame: Frame, laid: Laid) -> None:
        middle, turn, scale = self._pieces(frame, laid, *self._ends(laid))
        solid = solids.turned([[(1.0, -0.5), (1.0, 0.5)]], 10)
        self._rope = api.add_batched_meshes_simple(
            "/cables/ropes",
            solid.vertices,
            solid.faces,
            batched_wxyzs=turn.astype(np.float32),
            batched_positions=middle.astype(np.float32),
            batched_scales=scale.astype(np.float32),
            batched_colors=self._plain,
            side="double",
            lod="off",
        )
        runs = [
            *[self.span_pieces] * len(self.paths.span),
            *[self._arc_pieces] * len(self._wheel),
            *self._courses.values(),
        ]
        strides = [1] * len(self.paths.span) + [LINE_PIECES] * (len(runs) - len(self.paths.span))
        starts, stops = self._with_courses(frame, *self._ends(laid))
        self._line = Lines(api, "/cables/lines", runs, strides, starts, stops, self._plain)
        self._coloured = False

    def _show_ropes(self, frame: Frame, laid: Laid) -> None:
        ends = self._ends(laid)
        middle, turn, scale = self._pieces(frame, laid, *ends)
        self._rope.batched_positions = middle.astype(np.float32)
        self._rope.batched_wxyzs = turn.astype(np.float32)
        self._rope.batched_scales = scale.astype(np.float32)
        colours = None
        if self.by_tension or self._coloured:
            colours = self._by_tension(frame) if self.by_tension else self._plain
            self._rope.batched_colors = colours
            self._coloured = self.by_tension
        self._line.show(*self._with_courses(frame, *ends), colours)

    def lines(self, frame: Frame) -> tuple[list[str], np.ndarray, np.ndarray]:
        """All ropes as pieces: the cable of each, its start and its end [m], shape (n, 3)."""
        if not self.paths.parts:
            return [], np.zeros((0, 3)), np.zeros((0, 3))
        starts, stops = self._with_courses(frame, *self._ends(self.paths.at(frame)))
        return self._owners + [name for name, count in self._courses.items() for _ in range(count)], starts, stops

    def span_of(self, name: str, piece: int) -> int | None:
        """Number of the span of a cable that a piece belongs to; None if the piece is not one of its spans and arcs."""
        if not self.paths.parts or piece >= len(self._owners) or self._owners[piece] != name:
            return None
        first = np.flatnonzero(self.paths.span_cable == self.paths.span_cable[self._span_of[piece]])[0]
        return int(self._span_of[piece] - first)

    @property
    def names(self) -> set[str]:
        """The cables that are drawn here."""
        return set(self._thick) if self.paths.parts else set()

    def place_in_span(self, name: str, piece: int, share: float) -> tuple[int, float] | None:
        """Number of the span of a cable, and the place along it from 0 to 1; None on arcs and for what wraps round things."""
        span = self.span_of(name, piece)
        if span is None or name in self._courses or piece >= len(self.paths.span) * self.span_pieces:
            return None
        return span, (piece % self.span_pieces + share) / self.span_pieces

    def bend_radius(self, name: str, piece: int) -> tuple[float | None, float | None]:
        """Radius in which a rope lies at a piece, None where it is straight, and the smallest of its wheels [m]."""
        run = self.paths.runs[list(self._thick).index(name)]
        wheels = [int(k) for k in self._wheel if run.start <= k < run.stop]
        spans = len(self.paths.span) * self.span_pieces
        here = None
        if spans <= piece < len(self._owners):
            here = float(self.paths.radius[self._wheel[(piece - spans) // self._arc_pieces]])
        return here, min((float(self.paths.radius[k]) for k in wheels), default=None)

    @property
    def handle(self) -> viser.BatchedMeshHandle | None:
        """The ropes in the page, for drags."""
        return self._rope if self.paths.parts else None

    def _with_courses(self, frame: Frame, starts: np.ndarray, stops: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The same with the courses of cables that wrap round things behind them; what they stand for has no length."""
        known = {name: _course(frame, name) for name in self._courses}
        # their spans and arcs lie in its first point: a line over several of them has no length either
        starts, stops = starts.copy(), stops.copy()
        for name, course in known.items():
            if course is not None:
                starts[self._owned[name]] = stops[self._owned[name]] = course[0]
        # before the first step there may be none, and a cable that has parted has none
        rows = [
            np.zeros((count + 1, 3)) if (row := known[name]) is None else row for name, count in self._courses.items()
        ]
        return (
            np.concatenate([starts, *(row[:-1] for row in rows)]),
            np.concatenate([stops, *(row[1:] for row in rows)]),
        )

    def _ends(self, laid: Laid) -> tuple[np.ndarray, np.ndarray]:
        """Start and end of every piece of the spans, then of the arcs [m], shape (n, 3)."""
        ends, slack = laid.ends, laid.slack
        points = hang(ends, slack, self._down, np.linspace(0.0, 1.0, self.span_pieces + 1), self._floor(ends))
        if laid.bend.any():
            points[:, 1:-1] += self._between @ laid.bend
        k = self._wheel
        turn = (self.paths.turn * laid.wrap)[k, None] * np.linspace(0.0, 1.0, self._arc_pieces + 1)
        angle = laid.arrives[k, None] + turn
        first, second = laid.first[k, None], frames.cross(laid.axis, laid.first)[k, None]
        out = np.cos(angle)[..., None] * first + np.sin(angle)[..., None] * second
        arcs = laid.centre[k, None] + self.paths.radius[k, None, None] * out
        starts = np.concatenate([points[:, :-1].reshape(-1, 3), arcs[:, :-1].reshape(-1, 3)])
        stops = np.concatenate([points[:, 1:].reshape(-1, 3), arcs[:, 1:].reshape(-1, 3)])
        return starts, stops

    def _floor(self, ends: np.ndarray) -> np.ndarray:
        """How deep each span may hang: to the ground, or to what it is tied to below if that reaches under all of it [m], shape
        (spans,)."""
        depth = ends @ self._down
        lower = depth.argmax(axis=1)
        rows = np.arange(len(depth))
        chord = ends[:, 1] - ends[:, 0]
        across = np.linalg.norm(chord - (chord @ self._down)[:, None] * self._down, axis=1)
        tied = np.where(across < self._rests[rows, lower], depth[rows, lower], np.inf)
        return np.minimum(self._ground - self._span_thick, tied)

    def _pieces(
        self, frame: Frame, laid: Laid, starts: np.ndarray, stops: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Position, orientation and scale of a unit cylinder for every piece."""
        stops = stops.copy()
        ends, slack = laid.ends, laid.slack
        # a taut span is one piece without seams: the first one, the others vanish
        taut = np.flatnonzero((slack <= 0.0) & ~laid.bend.any(axis=(1, 2)))
        rest = (taut[:, None] * self.span_pieces + np.arange(1, self.span_pieces)).ravel()
        stops[taut * self.span_pieces] = ends[taut, 1]
        starts, stops = self._with_courses(frame, starts, stops)
        middle, orientation, scale = pieces_between(starts, stops, self._radius)
        scale[rest] = 0.0
        if self._courses:
            scale[(starts == stops).all(axis=1)] = 0.0  # what a course stands for, and points that only fill it up
        return middle, orientation, scale

    def _by_tension(self, frame: Frame) -> np.ndarray:
        """From slack over the plain colour to hot."""
        tension = [
            np.broadcast_to(rope.tension, n)
            if (rope := frame.cables.get(name)) is not None and len(rope.tension)
            else np.full(n, np.nan)
            for name, n in zip(self._thick, (run.stop - run.start - 1 for run in self.paths.runs))
        ]
        pull = np.concatenate(tension)
        pieces = [pull[self._span_of]]
        for name, count in self._courses.items():
            along_course = frame.cables[name].course_tension if name in frame.cables else None
            pieces.append(np.full(count, np.nan) if along_course is None else along_course)
        return self._scales.by_tension(np.concatenate(pieces), self._plain)


def _course(frame: Frame, name: str) -> np.ndarray | None:
    """Points along a cable that wraps round things, where they are known."""
    rope = frame.cables.get(name)
    return None if rope is None else rope.course


def _between(pieces: int) -> np.ndarray:
    """What leads from a span's bend at nine points to that at the ends of so many pieces, by the sines that go through them, shape
    (pieces - 1, 9)."""
    n = np.arange(1, 10)
    through = 0.2 * np.sin(0.1 * np.pi * np.outer(n, n))
    found: np.ndarray = np.sin(np.pi * np.outer(np.arange(1, pieces) / pieces, n)) @ through
    return found
