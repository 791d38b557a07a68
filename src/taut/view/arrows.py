"""Forces as arrows: of contacts and of joints, as long as they are strong."""

from __future__ import annotations

import numpy as np
import viser

from taut.scene import Scene
from taut.view.bounds import extent
from taut.view.colours import from_hex
from taut.view.frame import Forces, Frame
from taut.view.shades import Largest

#: length of the arrow of the largest force so far, its thickness, and the force that is not shown, as shares
LONGEST, THICK, LEAST = 0.16, 0.0035, 0.004
COLOURS = {"contact": from_hex("#e8590c"), "joint": from_hex("#1864ab")}


class Arrows:
    """Two nodes, for contacts and for joints. Used by the thread that pushes frames."""

    def __init__(self, server: viser.ViserServer, scene: Scene) -> None:
        self._api = server.scene
        self._size = extent(scene.all_bodies())
        self._nodes: dict[str, viser.ArrowsHandle] = {}
        self.clear()

    def clear(self) -> None:
        """Nothing that was before counts any more."""
        self._largest = Largest()

    @property
    def highest(self) -> float:
        """The largest force of the last while: that of the longest arrow [N]."""
        return self._largest.value

    def show(self, frame: Frame, wanted: bool) -> None:
        """Draw the forces of a moment, or none."""
        for kind in COLOURS:
            forces = frame.forces.get(kind) if wanted else None
            segments = self.segments(forces, frame.time) if forces is not None else np.zeros((0, 2, 3))
            if len(segments):
                self._draw(kind, segments.astype(np.float32))
            elif kind in self._nodes and self._nodes[kind].visible:
                self._nodes[kind].visible = False

    def segments(self, forces: Forces, time: float) -> np.ndarray:
        """Start and end of every arrow at a time [m], shape (n, 2, 3)."""
        size = np.linalg.norm(forces.vector, axis=1)
        self._largest.note(float(size.max(initial=0.0)), time)
        shown = size > LEAST * self.highest
        reach = forces.vector[shown] * (LONGEST * self._size / max(self.highest, 1e-12))
        return np.stack([forces.point[shown], forces.point[shown] + reach], axis=1)

    def _draw(self, kind: str, segments: np.ndarray) -> None:
        node = self._nodes.get(kind)
        if node is None:
            thick = THICK * self._size
            self._nodes[kind] = self._api.add_arrows(
                f"/forces/{kind}",
                segments,
                COLOURS[kind],
                shaft_radius=thick,
                head_radius=2.4 * thick,
                head_length=6.0 * thick,
            )
            return
        node.points = segments
        node.visible = True
