"""Solving: the equilibrium that is asked for, from the one that stands."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from taut.cables.rod.arrays import POINT, Array, Arrays
from taut.cables.rod.asked import Asked
from taut.cables.rod.ends import multiply
from taut.cables.rod.newton import (
    ANGLE,
    BACKTRACKS,
    ENERGY,
    ITERATIONS,
    MINIMUM,
    REPORTED,
    RESIDUAL,
    SHIFTS,
    TWISTED,
    newton,
    spin,
)
from taut.cables.rod.place import guess, place_ends, place_length, place_loads
from taut.cables.rod.properties import Properties
from taut.cables.rod.results import Results
from taut.cables.rod.values import RodError
from taut.cables.rod.walk import Place, Pose, StuckError, disturbances, walk

#: equilibrium to this share of the force scale EI/L^2 + weight, and of the length
TOLERANCE = 1e-8
#: most twist in one joint [rad]
MOST_TWIST = math.radians(60.0)
#: iterations from a mere guess, as a multiple of those for a stride
FIRST = 5
#: shares of the loads by which a difficult first shape is approached
RAMP = (0.0, 0.01, 0.03, 0.1, 0.3, 0.6, 1.0)


@dataclass(frozen=True)
class Solution:
    """How a solve ended."""

    residual: float
    """Largest imbalance, relative to EI/L^2 + loads (forces) and to the length (gaps) [-]."""
    iterations: int
    """Newton iterations in all."""
    is_minimum: bool
    """The energy has a minimum here, neutral directions (a free spin) aside: the shape is stable."""
    energy: float
    """Elastic energy plus potential of weight and loads [J]."""
    steps: int
    """Strides in which the change was walked."""
    shifts: int
    """Corrections of the inertia: none in ordinary dragging."""
    backtracks: int
    """Shortened Newton steps: none in ordinary dragging."""
    largest_angle: float
    """Largest angle between neighbouring segments [rad]: above 0.5 the shape there wants more of them."""


class Solving(Results):
    """The part of a rod that finds equilibria."""

    def __init__(self, properties: Properties, gravity: Array, asked: Asked) -> None:
        self._properties, self._gravity, self._asked = properties, gravity, asked
        self._kept = asked.copy()  # what was asked of the shape that stands
        self._end_force = np.zeros(3)  # its last multiplier at the end [N]
        self._solution = None
        self._report, self._counts = np.zeros(REPORTED), np.zeros(3, int)
        self._rebuild(asked.points[0], None)

    def _rebuild(self, start: Array, quat: Array | None) -> None:
        """Arrays for this number of held points, with these frames and the last multipliers."""
        asked = self._asked
        forces = [handle.force for handle in asked.order] + ([] if asked.ends_free else [self._end_force])
        self._arrays = Arrays.empty(self.segments, len(forces))
        self._arrays.start[:] = start
        self._arrays.force[:] = np.array(forces).reshape(len(forces), 3)
        self._placed_length = 0.0
        self._changed, self._loaded = False, False
        if quat is not None:
            self._arrays.quat[:] = quat
            self._set_length(self._solved_length)

    def _set_length(self, length: float) -> None:
        if length != self._placed_length:
            place_length(self._arrays, self._asked, self._properties, length)
            self._placed_length, self._loaded = length, False
        if not self._loaded:
            self._load, self._scales = place_loads(self._arrays, self._asked, self._properties, self._gravity)
            self._loaded = True

    def _solve(self, tolerance: float, most: int, escape: bool) -> Solution:
        self._counts[:] = 0
        fresh = self._solution is None
        try:
            self._asked.check_reach(not fresh)
            now = self._arrays.held[:, POINT : POINT + 3].copy()
            if self._changed:
                now = now if fresh else self._places()
                self._rebuild(self._arrays.start, None if fresh else self._arrays.quat)
            steps = self._begin(tolerance, most) if fresh else self._walk(now, tolerance, most)
        except RodError:
            self._fall_back()
            raise
        if escape and not self._report[MINIMUM]:
            self._escape(tolerance, most)
        return self._keep(steps)

    def _check_twist(self, kept: str) -> None:
        """Joints that can carry their twist: beyond 60 degrees the chord is no measure of it, beyond 90 turns slip."""
        twist = float(self._report[TWISTED])
        if twist > MOST_TWIST:
            need = math.ceil(self.segments * twist / MOST_TWIST)
            raise RodError(
                f"twist: {math.degrees(twist):.0f} degrees between two segments, at most "
                f"{math.degrees(MOST_TWIST):.0f} can be resolved; use {need} segments or more{kept}"
            )

    def _begin(self, tolerance: float, most: int) -> int:
        """The first equilibrium, from a guessed curve; if that fails, with the loads brought on in steps."""
        asked, arrays = self._asked, self._arrays
        self._set_length(asked.length)
        place_ends(arrays, asked.points[0], asked.held_points(), asked.turns[-1])
        loads = arrays.seg_load.copy()
        for attempt in ((1.0,), RAMP):
            arrays.frames[:] = guess(arrays, asked, self._load)
            arrays.force[:] = 0.0
            for share in attempt:
                arrays.seg_load[:] = share * loads
                if not self._newton(tolerance, FIRST * most):
                    break
            else:
                self._check_twist("")
                return len(attempt)
        self._loaded = False
        raise RodError(
            f"no equilibrium found from the first guess in {self._counts[0]} iterations (residual "
            f"{self._report[RESIDUAL]:.1e}); begin with easier ends or more slack and move them"
        )

    def _places(self) -> Array:
        """Where the points that are to be held are in the shape that stands [m], shape (m, 3)."""
        return np.array([self._at(share * self._solved_length) for share in self._asked.shares]).reshape(-1, 3)

    def _walk(self, now: Array, tolerance: float, most: int) -> int:
        """From the shape that stands, with the held points where they are now."""
        asked, arrays = self._asked, self._arrays
        old = Pose(self._solved_length, arrays.start.copy(), now)
        new = Pose(asked.length, asked.points[0], asked.held_points())

        def try_at(place: Place) -> bool:
            quat, force = arrays.quat.copy(), arrays.force.copy()
            self._set_length(place.pose.length)
            place_ends(arrays, place.pose.start, place.pose.held, place.quats)
            self._spin(place.spins)
            if self._newton(tolerance, most):
                # on the way, before turns can slip unseen
                self._check_twist("; the last shape is kept")
                return True
            arrays.quat[:], arrays.force[:] = quat, force
            return False

        try:
            return walk(old, new, asked.turns, try_at)
        except StuckError as stuck:
            raise RodError(
                f"no equilibrium found beyond {100.0 * stuck.share:.1f} % of the change (residual "
                f"{self._report[RESIDUAL]:.1e}); the last shape is kept"
            ) from None

    def _newton(self, tolerance: float, most: int) -> bool:
        report = self._report
        newton(self._arrays, self._scales, tolerance, most, report)
        for k, column in enumerate((ITERATIONS, SHIFTS, BACKTRACKS)):
            self._counts[k] += int(report[column])
        return bool(report[RESIDUAL] <= tolerance)

    def _spin(self, spins: tuple[float, float]) -> None:
        """Predict the twist that turning clamps bring."""
        clamped = self._asked.clamped(0), self._asked.clamped(1)
        if any(clamped) and any(spins):
            only = spins[0] if clamped[0] else spins[1]
            start, end = spins if all(clamped) else (only, only)
            spin(self._arrays.quat, start, end, self._arrays.rod)

    def _escape(self, tolerance: float, most: int) -> None:
        """Leave a saddle: disturb all frames a little and descend; the saddle stands if that finds nothing better."""
        arrays, report = self._arrays, self._report
        for disturbance in disturbances(self.segments):
            quat, force, before = arrays.quat.copy(), arrays.force.copy(), report.copy()
            arrays.frames[:] = multiply(arrays.frames, disturbance)
            found = self._newton(tolerance, FIRST * most)
            if found and report[MINIMUM]:
                return
            if not found or report[ENERGY] > before[ENERGY]:
                arrays.quat[:], arrays.force[:], report[:] = quat, force, before

    def _keep(self, steps: int) -> Solution:
        """The shape found is the one that stands."""
        asked, arrays, report = self._asked, self._arrays, self._report
        self._solved_length = asked.length
        asked.turns = asked.turns[-1:]
        for handle, force in zip(asked.order, arrays.force):
            handle.force[:] = force
        self._end_force[:] = 0.0 if asked.ends_free else arrays.force[-1]
        self._kept = asked.copy()
        self._good = arrays.quat.copy(), arrays.start.copy()
        energy = float(report[ENERGY] - self._load @ arrays.start)
        iterations, shifts, backtracks = (int(count) for count in self._counts)
        minimum = bool(report[MINIMUM])
        counts, angle = (steps, shifts, backtracks), float(report[ANGLE])
        self._solution = Solution(float(report[RESIDUAL]), iterations, minimum, energy, *counts, angle)
        return self._solution

    def _fall_back(self) -> None:
        """All as it was when last solved."""
        if self._solution is None:
            return
        self._asked = self._kept.copy()
        quat, start = self._good
        self._rebuild(start, quat)
        place_ends(self._arrays, self._asked.points[0], self._asked.held_points(), self._asked.turns[-1])
