"""What can be read from a solved rod. Everything is worked out from the frames when asked for."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from taut.cables.rod.arrays import PART, SEGMENT, Array, Arrays
from taut.cables.rod.asked import Asked
from taut.cables.rod.ends import conjugate, multiply, rotate
from taut.cables.rod.values import RodError

if TYPE_CHECKING:
    from taut.cables.rod.properties import Properties
    from taut.cables.rod.solving import Solution

AXIS = np.array([0.0, 0.0, 1.0])


class Results:
    """Shape, strains and forces of the last equilibrium, whatever has been asked since."""

    _properties: Properties
    _arrays: Arrays
    _asked: Asked
    _kept: Asked
    _solution: Solution | None
    _solved_length: float
    _load: Array

    @property
    def segments(self) -> int:
        """Number of segments."""
        return self._asked.segments

    @property
    def length(self) -> float:
        """Length asked for [m]."""
        return self._asked.length

    @property
    def solution(self) -> Solution:
        """How the last solve ended."""
        self._solved()
        assert self._solution is not None
        return self._solution

    @property
    def arc_length(self) -> Array:
        """Of the nodes, from the start [m], shape (segments + 1,)."""
        self._solved()
        return np.linspace(0.0, self._solved_length, self.segments + 1)

    @property
    def points(self) -> Array:
        """Nodes of the centreline [m], shape (segments + 1, 3)."""
        steps = self._arrays.seg_length[:, None] * self._tangents()
        return self._arrays.start + np.vstack([np.zeros(3), np.cumsum(steps, axis=0)])

    @property
    def frames(self) -> Array:
        """Frames of the segments (w, x, y, z), local z along the rod, shape (segments, 4)."""
        return self._solved()[1:-1].copy()

    @property
    def strain(self) -> Array:
        """Curvature about d1 and d2 and twist at the nodes [1/m], shape (segments + 1, 3).

        The chord measure 2 sin(angle/2)/l of the energy. At an end that may turn it is the rest strain: no moment acts.
        """
        chain, arrays = self._solved(), self._arrays
        relative = multiply(conjugate(chain[:-1]), chain[1:])
        relative *= np.where(relative[:, :1] < 0.0, -1.0, 1.0)
        strain = 2.0 * relative[:, 1:] / arrays.joint_length[:, None]
        loose = arrays.joint_stiffness[:, 2] == 0.0
        strain[loose] = arrays.joint_rest[loose]
        return strain

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
        self._solved()
        arrays = self._arrays
        out = arrays.seg_load / arrays.seg_length[:, None]
        for held, force in zip(arrays.held, arrays.force):
            last = int(held[SEGMENT]) - 1
            out[:last] -= force
            # a holder on the far half of a segment is felt in its middle
            out[last] -= force * float(held[PART] >= 0.5 * arrays.seg_length[last])
        return out

    @property
    def tension(self) -> Array:
        """Pull along the rod at the middle of each segment, negative in compression [N], shape (segments,)."""
        return (self.internal_force * self._tangents()).sum(axis=1)

    @property
    def energy(self) -> float:
        """Elastic energy plus potential of weight and loads, zero at the origin [J]."""
        return self.solution.energy

    def end_force(self, which: str = "end") -> Array:
        """Force of the holder on the rod [N], shape (3,)."""
        self._solved()
        if which == "end":
            return np.zeros(3) if self._kept.ends_free else -self._arrays.force[-1]
        if which == "start":
            return self._arrays.force.sum(axis=0) - self._load
        raise RodError(f"which: {which!r} - expected 'start' or 'end'")

    def end_moment(self, which: str = "end") -> Array:
        """Moment of the clamp on the rod, about the end's point [N m], shape (3,); zero if the end may turn."""
        if which not in ("start", "end"):
            raise RodError(f"which: {which!r} - expected 'start' or 'end'")
        j = 0 if which == "start" else self.segments
        a, b = self._solved()[j : j + 2]
        p = multiply(conjugate(a), b)
        p = p if p[0] >= 0.0 else -p
        strain = 2.0 * p[1:] / self._arrays.joint_length[j] - self._arrays.joint_rest[j]
        s = 2.0 * self._arrays.joint_stiffness[j] * strain
        # derivative of the energy by a rotation of the clamp: A' s, see assemble
        if which == "start":
            return rotate(a, -0.5 * (p[0] * s + np.cross(p[1:], s)))
        return rotate(b, 0.5 * (p[0] * s - np.cross(p[1:], s)))

    def end_frame(self, which: str = "end") -> Array:
        """Frame of a clamp (w, x, y, z), or of the segment at an end that may turn, shape (4,)."""
        if which not in ("start", "end"):
            raise RodError(f"which: {which!r} - expected 'start' or 'end'")
        side = 0 if which == "start" else 1
        chain, place = self._solved(), 0 if self._kept.clamped(side) else 1
        return chain[place if side == 0 else -1 - place].copy()

    def point_at(self, s: float) -> Array:
        """Point of the centreline at arc length s [m], shape (3,)."""
        self._solved()
        if not 0.0 <= s <= self._solved_length * (1.0 + 1e-12):
            raise RodError(f"s: {s!r} - the rod goes from 0 to {self._solved_length:g} m")
        return self._at(s)

    def _at(self, s: float) -> Array:
        points, arc = self.points, self.arc_length
        return np.array([np.interp(s, arc, points[:, c]) for c in range(3)])

    def _tangents(self) -> Array:
        return rotate(self._solved()[1:-1], AXIS)

    def _solved(self) -> Array:
        """All frames, those of the clamps at both ends, shape (segments + 2, 4)."""
        if self._solution is None:
            raise RodError("the rod has not been solved yet: call solve() first")
        return self._arrays.quat
