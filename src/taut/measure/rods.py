"""Read-outs of rods: shape, bend and twist along them, forces and moments at their ends."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from taut.cables.rod import arrays as col
from taut.cables.rod.columns import RE_ENERGY, RE_NOW, RE_UNSOLVED, RI_A, RI_FRAME, RI_FRAMES, RS_LENGTH
from taut.compile import frames
from taut.measure.rod_contacts import SpanContacts

Array = np.ndarray
AXIS = np.array([0.0, 0.0, 1.0])


class SpanReadings:
    """Where one rod from body to body lies in the tables, and what can be read of it."""

    def __init__(self, sim: Any, k: int) -> None:
        self.k = k
        place = sim.model.rod_int[self.k]
        first = int(place[RI_FRAME])
        self.rows = slice(first, first + int(place[RI_FRAMES]))
        self.bodies = [int(place[RI_A]), int(place[RI_A + 1])]
        self.table = sim.model.rod_table[self.rows].copy()
        self.chain = sim.model.rod_chain[self.k].copy()
        self.length = float(self.table[1:-1, col.SEG].sum())  # at the start
        self.contacts = SpanContacts(sim, k)

    @property
    def segments(self) -> int:
        """Number of segments."""
        return len(self.table) - 2

    def grown(self, sim: Any) -> float:
        """Length that it has now, by what slid through clips, over that at the start [-]."""
        return float(sim.state.rod_slide[self.k, RS_LENGTH]) / self.length

    def lengths(self, sim: Any) -> Array:
        """Of its segments [m], shape (segments,)."""
        return self.grown(sim) * self.table[1:-1, col.SEG]

    def ends(self, sim: Any) -> tuple[Array, Array]:
        """Points of the bodies that hold both ends [m]."""
        found = []
        for body, at in zip(self.bodies, (col.POINT_A, col.POINT_B)):
            arm = frames.rotate(sim.state.body_quat[body], self.chain[at : at + 3])
            found.append(sim.state.body_pos[body] + arm)
        return found[0], found[1]

    def points(self, sim: Any) -> Array:
        """Nodes from start to end [m], shape (segments + 1, 3)."""
        inner = slice(1, len(self.table) - 1)
        along = frames.rotate(sim.state.rod_frame[self.rows][inner], np.broadcast_to(AXIS, (self.segments, 3)))
        steps = self.lengths(sim)[:, None] * along
        return self.ends(sim)[0] + np.vstack([np.zeros(3), np.cumsum(steps, axis=0)])

    def strains(self, sim: Any) -> Array:
        """Curvature about both axes and twist at the nodes [1/m], shape (segments + 1, 3); at rest where it may turn."""
        quat = sim.state.rod_frame[self.rows]
        relative = frames.multiply(frames.conjugate(quat[:-1]), quat[1:])
        relative *= np.where(relative[:, :1] < 0.0, -1.0, 1.0)
        found = 2.0 * relative[:, 1:] / (self.grown(sim) * self.table[:-1, col.JOINT][:, None])
        loose = self.table[:-1, col.STIFF + 2] == 0.0
        found[loose] = self.table[:-1][loose, col.REST : col.REST + 3]
        return found

    def twist(self, sim: Any) -> float:
        """Twist from end to end [rad]."""
        return self.grown(sim) * float((self.strains(sim)[:, 2] * self.table[:-1, col.JOINT]).sum())

    def wrench(self, sim: Any, side: int) -> tuple[Array, Array]:
        """Force [N] and moment about the end's point [N m] of the rod on what holds that end."""
        at = RE_NOW + 6 * side
        force, torque = sim.state.rod_end[self.k, at : at + 3], sim.state.rod_end[self.k, at + 3 : at + 6]
        arm = self.ends(sim)[side] - sim.state.body_pos[self.bodies[side]]
        return force.copy(), torque - np.cross(arm, force)

    def tensions(self, sim: Any) -> Array:
        """Pull along the rod at the middle of each segment [N], shape (segments,)."""
        load = self.grown(sim) * self.table[1:-1, col.LOAD : col.LOAD + 3] / self.table[1:-1, col.SEG][:, None]
        beyond = load - sim.state.rod_force[3 * self.k : 3 * self.k + 3] - self.contacts.beyond(sim, self.lengths(sim))
        along = frames.rotate(sim.state.rod_frame[self.rows][1:-1], np.broadcast_to(AXIS, (self.segments, 3)))
        return np.einsum("ij,ij->i", beyond, along)


class RodReadings:
    """A cable of one rod, or of several between its clips."""

    def __init__(self, sim: Any, name: str) -> None:
        self.spans = [SpanReadings(sim, k) for k in sim.compiled.rods.spans[name]]
        self.numbers = [span.k for span in self.spans]
        self.length = sum(span.length for span in self.spans)
        self.segments = sum(span.segments for span in self.spans)
        self.bodies = [self.spans[0].bodies[0], self.spans[-1].bodies[1]]

    def points(self, sim: Any) -> Array:
        """Nodes from start to end [m], shape (segments + 1, 3)."""
        return np.concatenate([span.points(sim)[min(k, 1) :] for k, span in enumerate(self.spans)])

    def curvatures(self, sim: Any) -> Array:
        """Size of the curvature at the nodes [1/m], shape (segments + 1,); in a clip the larger of both sides."""
        first, *rest = [np.hypot(*span.strains(sim)[:, :2].T) for span in self.spans]
        for one in rest:
            first = np.concatenate([first[:-1], [max(first[-1], one[0])], one[1:]])
        return first

    def bend_radius(self, sim: Any) -> float:
        """Smallest bend radius [m]; infinite for a straight rod."""
        most = float(self.curvatures(sim).max())
        return 1.0 / most if most > 0.0 else math.inf

    def bend_place(self, sim: Any) -> float:
        """Arc length at which it is bent most [m]."""
        nodes = np.concatenate([[0.0], np.cumsum([length for span in self.spans for length in span.lengths(sim)])])
        return float(nodes[int(np.argmax(self.curvatures(sim)))])

    def twist(self, sim: Any) -> float:
        """Twist from end to end [rad]."""
        return sum(span.twist(sim) for span in self.spans)

    def wrench(self, sim: Any, side: int) -> tuple[Array, Array]:
        """Force [N] and moment about the end's point [N m] of the rod on what holds that end."""
        return self.spans[-side].wrench(sim, side)

    def clip_wrench(self, sim: Any, clip: int) -> tuple[Array, Array]:
        """Force [N] and moment about its point [N m] of the rod on a clip, counted from 0."""
        before, after = self.spans[clip].wrench(sim, 1), self.spans[clip + 1].wrench(sim, 0)
        return before[0] + after[0], before[1] + after[1]

    def clip_arc(self, sim: Any, clip: int) -> float:
        """Arc length of the rod at a clip, counted from 0 [m]."""
        return sum(span.grown(sim) * span.length for span in self.spans[: clip + 1])

    def tensions(self, sim: Any) -> Array:
        """Pull along the rod at the middle of each segment [N], shape (segments,)."""
        return np.concatenate([span.tensions(sim) for span in self.spans])

    def contacts(self, sim: Any) -> int:
        """Places where it pushes against something."""
        return sum(len(span.contacts.pushing(sim)[1]) for span in self.spans)

    def contact_on(self, sim: Any, body: int) -> Array:
        """Force on a body that it leans on [N]."""
        return np.sum([span.contacts.force_on(sim, body) for span in self.spans], axis=0)

    def clearance(self, sim: Any) -> float:
        """Least distance of its surface to what it may lean on [m]; about zero where it touches."""
        found = []
        for span in self.spans:
            arc = np.concatenate([[0.0], np.cumsum(span.lengths(sim))])
            found.append(span.contacts.clearance(sim, span.points(sim), arc, float(span.table[1, col.RADIUS])))
        return min(found)

    def reach(self, sim: Any) -> float:
        """Distance of what holds it over the length between, the largest [-]."""
        return max(math.dist(*span.ends(sim)) / (span.grown(sim) * span.length) for span in self.spans)

    def energy(self, sim: Any) -> float:
        """Elastic energy and potential of its weight, zero at the origin [J]."""
        return float(sim.state.rod_end[self.numbers, RE_ENERGY].sum())

    def unsolved(self, sim: Any) -> float:
        """Steps in which no shape was found, of all rods between its clips."""
        return float(sim.state.rod_end[self.numbers, RE_UNSOLVED].sum())
