"""Rods in the page: their nodes joined by short cylinders in one node of the page."""

from __future__ import annotations

import numpy as np
import viser

from taut.scene import Scene
from taut.scene.joints import WORLD
from taut.scene.parts import End
from taut.scene.rod_checks import segments_of
from taut.view import solids
from taut.view.bounds import extent
from taut.view.colours import CABLE, as_bytes
from taut.view.curves import along_pieces, curvatures
from taut.view.frame import Frame
from taut.view.lines import Lines
from taut.view.paths import thickness
from taut.view.ropes import pieces_between
from taut.view.shades import Scales, pull_along


class Rods:
    """All rods of a scene."""

    def __init__(self, api: viser.SceneApi, scene: Scene, frame: Frame, scales: Scales) -> None:
        self._scales = scales
        self._names = list(scene.rods())
        self._last: dict[str, np.ndarray] = {}
        self.by_tension = self.by_bend = False
        """Whether they are coloured by their tension, or by their bend."""
        self._coloured = (False, False)
        if not self._names:
            return
        size = extent(scene.all_bodies())
        radius, colour = [], []
        for name, cable in scene.rods().items():
            count = segments_of(cable)
            self._last[name] = _straight(scene, name, count)
            radius.append(np.full(count, thickness(cable, size)))
            colour.append(np.tile(np.array(as_bytes(cable.color or CABLE), np.uint8), (count, 1)))
        self._radius, self._plain = np.concatenate(radius), np.concatenate(colour)
        middle, turn, scale = self._transforms(frame)
        solid = solids.turned([[(1.0, -0.52), (1.0, 0.52)]], 14)
        self._handle = api.add_batched_meshes_simple(
            "/cables/rods",
            solid.vertices,
            solid.faces,
            batched_wxyzs=turn,
            batched_positions=middle,
            batched_scales=scale,
            batched_colors=self._plain,
            side="double",
            lod="off",
        )
        counts = [len(self._last[name]) - 1 for name in self._names]
        self._line = Lines(api, "/cables/rod_lines", counts, 1, *self._ends(frame), self._plain)

    def show(self, frame: Frame) -> None:
        """Follow the nodes."""
        if self._names:
            middle, turn, scale = self._transforms(frame)
            self._handle.batched_positions = middle
            self._handle.batched_wxyzs = turn
            self._handle.batched_scales = scale
            colours, shaded = None, self.by_tension or self.by_bend
            if shaded or any(self._coloured):
                colours = self._shades(frame) if shaded else self._plain
                self._handle.batched_colors = colours
                self._coloured = (self.by_tension, self.by_bend)
            self._line.show(*self._ends(frame), colours)

    @property
    def changed(self) -> bool:
        """Whether other colours are wanted than those that are shown."""
        return bool(self._names) and (self.by_tension, self.by_bend) != self._coloured

    @property
    def handle(self) -> viser.BatchedMeshHandle | None:
        """The rods in the page, for drags."""
        return self._handle if self._names else None

    def _shades(self, frame: Frame) -> np.ndarray:
        """From slack to hot by tension, or by bend."""
        counts = {name: len(self._last[name]) - 1 for name in self._names}
        if self.by_bend:
            bent = [along_pieces(curvatures(self._last[name]), count) for name, count in counts.items()]
            return self._scales.by_bend(np.concatenate(bent))
        pull = [pull_along(frame.cables.get(name), count) for name, count in counts.items()]
        return self._scales.by_tension(np.concatenate(pull), self._plain)

    def _ends(self, frame: Frame) -> tuple[np.ndarray, np.ndarray]:
        """Starts and stops of all pieces [m], shape (n, 3)."""
        for name in self._names:
            rope = frame.cables.get(name)
            if rope is not None and rope.points is not None:
                self._last[name] = rope.points
        return (
            np.concatenate([self._last[name][:-1] for name in self._names]),
            np.concatenate([self._last[name][1:] for name in self._names]),
        )

    def _transforms(self, frame: Frame) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        middle, turn, scale = pieces_between(*self._ends(frame), self._radius)
        return middle.astype(np.float32), turn.astype(np.float32), scale.astype(np.float32)


def _straight(scene: Scene, name: str, count: int) -> np.ndarray:
    """A line between the ends, until the first shape is known [m], shape (count + 1, 3)."""
    places = []
    for part in scene.rods()[name].route:
        if isinstance(part, End) and part.at is None and part.on != WORLD:
            places.append(np.asarray(scene.all_bodies()[part.on].start_position, float))
        else:
            places.append(np.asarray(getattr(part, "at", None) or (0.0, 0.0, 0.0), float))
    return np.linspace(places[0], places[-1], count + 1)
