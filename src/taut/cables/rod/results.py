"""What can be read from a solved rod. Everything is worked out from the frames when asked for."""

from __future__ import annotations

import math

import numpy as np

from taut.cables.rod import arrays as col
from taut.cables.rod.arrays import Array
from taut.cables.rod.chain import CLAMPED, FREED, Chain
from taut.cables.rod.ends import conjugate, multiply, rotate
from taut.cables.rod.network import Network, Solution
from taut.cables.rod.values import RodError, outside

AXIS = np.array([0.0, 0.0, 1.0])


class Results:
    """Shape, strains and forces of the last equilibrium of one chain, whatever has been asked since."""

    _net: Network
    _which: int = 0

    @property
    def _chain(self) -> Chain:
        """As it is asked for."""
        return self._net.asked.chains[self._which]

    @property
    def _kept(self) -> Chain:
        """As it was when last solved."""
        if self._net.solution is None:
            raise RodError("the rod has not been solved yet: call solve() first")
        return self._net.kept.chains[self._which]

    @property
    def segments(self) -> int:
        """Number of segments."""
        return self._chain.segments

    @property
    def length(self) -> float:
        """Length asked for [m]."""
        return self._chain.length

    @property
    def radius(self) -> float:
        """Radius of what touches other things [m]."""
        return self._chain.properties.radius

    @property
    def solution(self) -> Solution:
        """How the last solve ended."""
        assert self._kept is not None
        assert self._net.solution is not None
        return self._net.solution

    @property
    def arc_length(self) -> Array:
        """Of the nodes, from the start [m], shape (segments + 1,)."""
        return self._kept.shares() * self._net.lengths[self._which]

    @property
    def points(self) -> Array:
        """Nodes of the centreline [m], shape (segments + 1, 3)."""
        return self._net.nodes(self._kept)

    @property
    def frames(self) -> Array:
        """Frames of the segments (w, x, y, z), local z along the rod, shape (segments, 4)."""
        return self._net.arrays.quat[self._kept.seg_rows]

    @property
    def strain(self) -> Array:
        """Curvature about d1 and d2 and twist at the nodes [1/m], shape (segments + 1, 3).

        The chord measure 2 sin(angle/2)/l of the energy. At an end that may turn it is the rest strain: no moment acts.
        In a clip it is that of the more strongly bent side.
        """
        chain, strain = self._kept, self._joints()
        keep = np.ones(len(strain), bool)
        for row in chain.clip_rows:
            j = row - chain.first
            if (strain[j] ** 2).sum() > (strain[j - 1] ** 2).sum():
                strain[j - 1] = strain[j]
            keep[j] = False
        return strain[keep]

    def _joints(self) -> Array:
        """Strain of every joint, from frame to frame: those of clips lie between two joints."""
        chain, arrays = self._kept, self._net.arrays
        quat, rod = arrays.quat[chain.first : chain.last + 1], arrays.rod[chain.first : chain.last]
        relative = multiply(conjugate(quat[:-1]), quat[1:])
        relative *= np.where(relative[:, :1] < 0.0, -1.0, 1.0)
        strain = 2.0 * relative[:, 1:] / rod[:, col.JOINT][:, None]
        loose = rod[:, col.STIFF + 2] == 0.0
        strain[loose] = rod[loose, col.REST : col.REST + 3]
        return strain

    @property
    def turned(self) -> tuple[Array, Array]:
        """How far the section is turned by twist since the start [rad], and the arc lengths where that is told [m]: both ends, the
        middles of the segments, and clips, at which twist begins and ends."""
        chain, rod = self._kept, self._net.arrays.rod
        seg, joint = rod[chain.first : chain.last + 1, col.SEG], rod[chain.first : chain.last, col.JOINT]
        summed = np.concatenate([[0.0], np.cumsum(self._joints()[:, 2] * joint)])
        return np.cumsum(seg) - 0.5 * seg, summed

    @property
    def curvature(self) -> Array:
        """Size of the curvature at the nodes [1/m], shape (segments + 1,)."""
        return np.hypot(*self.strain[:, :2].T)

    @property
    def twist(self) -> Array:
        """Twist at the nodes [rad/m], shape (segments + 1,)."""
        return self.strain[:, 2]

    @property
    def bend_radius(self) -> tuple[float, float]:
        """Smallest bend radius [m] and the arc length where it is [m]."""
        curvature = self.curvature
        worst = int(np.argmax(curvature))
        return (1.0 / float(curvature[worst]) if curvature[worst] > 0.0 else math.inf), float(self.arc_length[worst])

    @property
    def internal_force(self) -> Array:
        """What the part beyond pulls with, at the middle of each segment, world axes [N], shape (segments, 3)."""
        chain, arrays = self._kept, self._net.arrays
        lengths = arrays.rod[chain.seg_rows, col.SEG]
        out = arrays.rod[chain.seg_rows, col.LOAD : col.LOAD + 3] / lengths[:, None]
        index = {int(row): i for i, row in enumerate(chain.seg_rows)}
        for r in range(arrays.tally[col.ROWS]):
            row = arrays.row[r]
            for at, part, sign in ((row[col.ROW_A], row[col.PART_A], 1.0), (row[col.ROW_B], row[col.PART_B], -1.0)):
                last = index.get(int(at), -1)
                if last < 0:
                    continue
                force = sign * arrays.force[r] * row[col.NORMAL : col.NORMAL + 3]
                out[:last] -= force
                # a holder on the far half of a segment is felt in its middle
                out[last] -= force * float(part >= 0.5 * lengths[last])
        return out

    @property
    def tension(self) -> Array:
        """Pull along the rod at the middle of each segment, negative in compression [N], shape (segments,)."""
        return (self.internal_force * rotate(self.frames, AXIS)).sum(axis=1)

    @property
    def energy(self) -> float:
        """Elastic energy plus potential of weight and loads, zero at the origin [J]."""
        return self.solution.energy

    def end_force(self, which: str = "end") -> Array:
        """Force of the holder on the rod [N], shape (3,)."""
        chain = self._kept
        if which == "end":
            return np.zeros(3) if chain.held[1] == FREED else -chain.end_force
        if which == "start":
            return self._net.arrays.block[chain.first, col.BEYOND : col.BEYOND + 3].copy()
        raise RodError(f"which: {which!r} - expected 'start' or 'end'")

    def end_moment(self, which: str = "end") -> Array:
        """Moment of the clamp on the rod, about the end's point [N m], shape (3,); zero if the end may turn."""
        if which not in ("start", "end"):
            raise RodError(f"which: {which!r} - expected 'start' or 'end'")
        chain, arrays = self._kept, self._net.arrays
        row = chain.first if which == "start" else chain.last
        # derivative of the energy by a rotation of the clamp, see assemble
        return rotate(arrays.quat[row], arrays.block[row, col.GRAD : col.GRAD + 3])

    def end_frame(self, which: str = "end") -> Array:
        """Frame of a clamp (w, x, y, z), or of the segment at an end that may turn, shape (4,)."""
        if which not in ("start", "end"):
            raise RodError(f"which: {which!r} - expected 'start' or 'end'")
        chain, side = self._kept, 0 if which == "start" else 1
        place = 0 if chain.held[side] == CLAMPED else 1
        return self._net.arrays.quat[chain.first + place if side == 0 else chain.last - place].copy()

    def point_at(self, s: float) -> Array:
        """Point of the centreline at arc length s [m], shape (3,)."""
        length = self._net.lengths[self._which] if self._kept else 0.0
        if not 0.0 <= s <= length * (1.0 + 1e-12):
            raise RodError(outside(s, length))
        return self._net.point_at(self._kept, s / length)
