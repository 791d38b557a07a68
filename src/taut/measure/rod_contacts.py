"""Read-outs of rods that lean on bodies: where they touch, what they push, how near they come."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from taut.cables.rod import arrays as col
from taut.cables.rod.columns import RI_ROOM, RI_ROW, RI_ROWS, RI_SHAPE, RI_SHAPES
from taut.cables.rod.detect import ENDS, nearest
from taut.cables.rod.obstacles import AT, FRAME, Obstacles
from taut.compile import frames

Array = np.ndarray


class SpanContacts:
    """Contacts of one rod from body to body; none where it leans on nothing."""

    def __init__(self, sim: Any, k: int) -> None:
        place = sim.model.rod_int[k]
        self.k, self.leans, self.held = k, bool(place[RI_ROW] >= 0), int(place[RI_ROWS])
        self.rows = slice(int(place[RI_ROW]), int(place[RI_ROW]) + int(place[RI_ROOM])) if self.leans else slice(0)
        shapes = slice(int(place[RI_SHAPE]), int(place[RI_SHAPE]) + int(place[RI_SHAPES]))
        self.bodies = sim.model.lean_shape_int[shapes, 0].copy()
        self.shapes = sim.model.lean_shape[shapes].copy()

    def pushing(self, sim: Any) -> tuple[Array, Array]:
        """Rows that push (columns of taut.cables.rod.arrays) and their forces along the normal [N], negative."""
        if not self.leans:
            return np.zeros((0, col.ROW_COLUMNS)), np.zeros(0)
        used = slice(self.rows.start + self.held, self.rows.start + int(sim.state.lean_count[self.k]))
        row, force = sim.state.lean_row[used], sim.state.lean_force[used]
        return row[force < 0.0], force[force < 0.0]

    def force_on(self, sim: Any, body: int) -> Array:
        """Force of the rod on a body that it leans on [N]."""
        row, force = self.pushing(sim)
        on = self.bodies[row[:, col.KEY].astype(int)] == body if len(row) else np.zeros(0, bool)
        return np.asarray(force[on] @ row[on, col.NORMAL : col.NORMAL + 3])

    def beyond(self, sim: Any, lengths: Array) -> Array:
        """What contacts beyond the middle of each segment exert on what they touch [N], shape (segments, 3)."""
        out = np.zeros((len(lengths), 3))
        for row, force in zip(*self.pushing(sim)):
            i = int(row[col.ROW_A]) - 1
            last = i + 1 if row[col.PART_A] > 0.5 * lengths[i] else i
            out[:last] += force * row[col.NORMAL : col.NORMAL + 3]
        return out

    def clearance(self, sim: Any, points: Array, arc: Array, radius: float) -> float:
        """Least distance of its surface to what it may lean on [m], but for what is near to its ends."""
        if not self.leans:
            return math.inf
        lines, out, least = self.shapes.copy(), np.zeros(2), math.inf
        for line, i in zip(lines, self.bodies):
            turn = sim.state.body_quat[i]
            line[AT : AT + 3] = sim.state.body_pos[i] + frames.rotate(turn, line[AT : AT + 3])
            line[FRAME : FRAME + 4] = frames.multiply(turn, line[FRAME : FRAME + 4])
        obstacles = Obstacles.of(lines, sim.model.lean_triangle, sim.model.lean_tree)
        inner = np.ascontiguousarray(points[np.minimum(arc, arc[-1] - arc) >= ENDS * radius])
        for o in range(len(lines)):
            nearest(inner, obstacles, o, out)
            least = min(least, float(out[0]) - radius)
        return least
