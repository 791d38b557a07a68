"""The rod: a cable in static equilibrium, solved anew whenever an end, a handle or the length has changed."""

from __future__ import annotations

from typing import Any

import numpy as np

from taut.cables.rod.asked import SIDES, Asked, Handle
from taut.cables.rod.ends import Clamp, End, Free, Pin, rotate
from taut.cables.rod.properties import Properties, check_rest
from taut.cables.rod.sections import Section
from taut.cables.rod.solving import TOLERANCE, Solution, Solving
from taut.cables.rod.values import RodError, direction, number, vector
from taut.cables.rod.values import length as positive_length
from taut.scene import units

FEWEST, MOST = 4, 100_000


class Rod(Solving):
    """A hose, cable or strip that cannot stretch, bends and twists, and rests in equilibrium.

    Lengths in m, forces in N; each value may carry its unit, '12 mm'. Local axes: d3 along the rod, d1 and d2 across.
    """

    def __init__(
        self,
        length: float | str,
        segments: int = 100,
        *,
        start: End,
        end: End,
        section: Section | None = None,
        E: Any = None,
        nu: float | None = None,
        G: Any = None,
        EI: Any = None,
        GJ: Any = None,
        density: Any = None,
        mass_per_length: Any = None,
        rest_curvature: Any = 0.0,
        rest_twist: Any = 0.0,
        gravity: Any = (0.0, 0.0, -9.81),
    ) -> None:
        """Material either by `section`, `E` [Pa] and `nu` or `G` [Pa], or directly by `EI` and `GJ` [N m^2].

        E, G, EI, GJ, density [kg/m^3], mass_per_length [kg/m], rest_twist [1/m] are one number or one per segment. EI
        and rest_curvature [1/m] have two components, about d1 and d2: EI as one number is the same about both,
        rest_curvature as one number is about d1. Without density and mass_per_length the rod has no weight.
        """
        if not isinstance(segments, int) or isinstance(segments, bool) or not FEWEST <= segments <= MOST:
            raise RodError(f"segments: {segments!r} - expected a whole number from {FEWEST} to {MOST}")
        given = {"section": section, "E": E, "nu": nu, "G": G, "EI": EI, "GJ": GJ, "density": density}
        given |= {"mass_per_length": mass_per_length, "rest_curvature": rest_curvature, "rest_twist": rest_twist}
        properties = Properties.read(segments, given)
        size = positive_length("length", length)
        check_rest(properties.rest, np.full(segments, size / segments))
        asked = Asked(segments, size)
        _hold(asked, "start", start)
        _hold(asked, "end", end)
        super().__init__(properties, vector("gravity", gravity, units.ACCELERATION), asked)
        self._count = 0

    def hold(self, which: str, end: End) -> None:
        """Clamp, pin or free an end ('start' or 'end'); a clamp turns there the short way."""
        side, asked = _side(which), self._asked
        if self._solution is not None and not asked.clamped(side):
            # a new clamp takes hold of the end as it is, without moment, and turns from there
            asked.turns = [quats.copy() for quats in asked.turns]
            for quats in asked.turns:
                quats[side] = self.frames[-side]
        _hold(asked, which, end)
        self._changed = True

    def move_end(self, point: Any, which: str = "end") -> None:
        """Move a clamped or pinned end to a point [m]; takes effect in the next solve."""
        side = _side(which)
        if isinstance(self._asked.ends[which], Free):
            raise RodError(f"{which}: is free and cannot be moved; hold it with Pin or Clamp first")
        self._asked.points[side] = vector("point", point, units.LENGTH)

    def rotate_end(self, axis: Any, angle: Any, which: str = "end") -> None:
        """Turn a clamped end about a world axis through its point [rad]; whole turns count."""
        side = _side(which)
        if not self._asked.clamped(side):
            raise RodError(f"{which}: is not clamped and cannot be turned; hold it with Clamp first")
        self._asked.turn(side, number("angle", angle, units.ANGLE) * direction("axis", axis))

    def twist_end(self, angle: Any, which: str = "end") -> None:
        """Turn a clamped end about its own tangent [rad]; whole turns count."""
        tangent = rotate(self._asked.turns[-1][_side(which)], np.array([0.0, 0.0, 1.0]))
        self.rotate_end(tangent, angle, which)

    def set_length(self, length: Any) -> None:
        """Change the length [m]; segments, handles and loads keep their share of it."""
        size = positive_length("length", length)
        check_rest(self._properties.rest, np.full(self.segments, size / self.segments))
        self._asked.length = size

    def add_handle(self, s: Any, point: Any = None) -> int:
        """Hold the rod at arc length s [m], at a point [m] or, without one, where it is; the rod may turn there.

        Returns the number of the handle.
        """
        share = self._asked.share(s)
        self._asked.check_apart(share)
        where = self._at(share * self._solved_length) if point is None else vector("point", point, units.LENGTH)
        self._count += 1
        self._asked.handles[self._count] = Handle(share, where)
        self._changed = True
        return self._count

    def move_handle(self, handle: int, point: Any) -> None:
        """Move a handle to a point [m]."""
        _known(self._asked.handles, handle, "handle").value[:] = vector("point", point, units.LENGTH)

    def remove_handle(self, handle: int) -> None:
        """Let go."""
        _known(self._asked.handles, handle, "handle")
        del self._asked.handles[handle]
        self._changed = True

    def add_load(self, s: Any, force: Any) -> int:
        """A dead force [N] at arc length s [m]: it keeps its direction. Returns its number."""
        load = Handle(self._asked.share(s), vector("force", force, units.FORCE))
        self._count += 1
        self._asked.loads[self._count] = load
        self._loaded = False
        return self._count

    def change_load(self, load: int, force: Any) -> None:
        """Change a dead force [N]; zero takes it away."""
        _known(self._asked.loads, load, "load").value[:] = vector("force", force, units.FORCE)
        self._loaded = False

    def solve(self, *, tolerance: float = TOLERANCE, most: int = 60, escape: bool = True) -> Solution:
        """Find the equilibrium, from the last shape if there is one. If none is found the last shape, with all that
        was asked then, is kept and RodError is raised.

        tolerance: of the residual; most: Newton iterations per stride. With `escape` an equilibrium that is no minimum
        (a straight column above its buckling load) is left by a small disturbance; without, it is returned.
        """
        if not 1e-13 <= tolerance <= 1e-2:
            raise RodError(f"tolerance: {tolerance!r} - expected 1e-13 to 1e-2")
        if not isinstance(most, int) or most < 1:
            raise RodError(f"most: {most!r} - expected a whole number of at least 1")
        return self._solve(tolerance, most, escape)

    def handle_force(self, handle: int) -> np.ndarray:
        """Force of a handle on the rod [N], shape (3,)."""
        self._solved()
        return -_known(self._kept.handles, handle, "handle").force


def _side(which: str) -> int:
    if which not in SIDES:
        raise RodError(f"which: {which!r} - expected 'start' or 'end'")
    return SIDES.index(which)


def _hold(asked: Asked, which: str, end: End) -> None:
    side = _side(which)
    if not isinstance(end, Clamp | Pin | Free):
        raise RodError(f"{which}: {end!r} - expected Clamp, Pin or Free")
    if isinstance(end, Free) and side == 0:
        raise RodError("start: the first point of a rod is always held; turn the rod round to free its other end")
    if isinstance(end, Clamp):
        frame = end.frame(which)
        asked.points[side] = end.position(which)
        quats = asked.turns[-1].copy()
        quats[side] = frame
        asked.turns = [quats] if which not in asked.ends else [*asked.turns, quats]
    elif isinstance(end, Pin):
        asked.points[side] = end.position(which)
    asked.ends[which] = end


def _known(table: dict[int, Handle], number: int, what: str) -> Handle:
    if number not in table:
        raise RodError(f"{what} {number!r} - there is none; known: {', '.join(map(str, table)) or 'none'}")
    return table[number]
