"""The rod: a cable in static equilibrium, solved anew whenever an end, a handle or the length has changed."""

from __future__ import annotations

from typing import Any

import numpy as np

from taut.cables.rod.chain import CLAMPED, FREED, PINNED, SIDES, Chain
from taut.cables.rod.clips import Clips
from taut.cables.rod.ends import Clamp, End, Free, Pin, rotate
from taut.cables.rod.lengths import Lengths
from taut.cables.rod.network import TOLERANCE, Asked, Network, Solution
from taut.cables.rod.properties import Properties, check_rest
from taut.cables.rod.sections import Section
from taut.cables.rod.slide import slide
from taut.cables.rod.targets import Body, Handle
from taut.cables.rod.touch import Touch
from taut.cables.rod.values import RodError, direction, number, outside, vector
from taut.cables.rod.values import length as positive_length
from taut.scene import units

FEWEST, MOST = 4, 100_000


class Rod(Clips, Touch, Lengths):
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
        radius: Any = None,
        gravity: Any = (0.0, 0.0, -9.81),
    ) -> None:
        """Material either by `section`, `E` [Pa] and `nu` or `G` [Pa], or directly by `EI` and `GJ` [N m^2].

        E, G, EI, GJ, density [kg/m^3], mass_per_length [kg/m], rest_twist [1/m] are one number or one per segment. EI
        and rest_curvature [1/m] have two components, about d1 and d2: EI as one number is the same about both,
        rest_curvature as one number is about d1. Without density and mass_per_length the rod has no weight. `radius` is
        what touches other things [m]; without it that of the circle around the section.
        """
        if not isinstance(segments, int) or isinstance(segments, bool) or not FEWEST <= segments <= MOST:
            raise RodError(f"segments: {segments!r} - expected a whole number from {FEWEST} to {MOST}")
        given = {"section": section, "E": E, "nu": nu, "G": G, "EI": EI, "GJ": GJ, "density": density}
        given |= {"mass_per_length": mass_per_length, "rest_curvature": rest_curvature, "rest_twist": rest_twist}
        properties = Properties.read(segments, given | {"radius": radius})
        size = positive_length("length", length)
        check_rest(properties.rest, np.full(segments, size / segments))
        chain = Chain(segments, size, properties, vector("gravity", gravity, units.ACCELERATION))
        bodies = [Body(np.zeros(3), name="start"), Body(np.zeros(3), name="end")]
        asked = Asked([chain], bodies)
        _hold(asked, "start", start, first=True)
        _hold(asked, "end", end, first=True)
        if chain.held == [FREED, FREED]:
            raise RodError("start, end: both are free; hold one of them with Pin or Clamp")
        self._net = Network(asked)
        self._count = 0

    def hold(self, which: str, end: End) -> None:
        """Clamp, pin or free an end ('start' or 'end'); a clamp turns there the short way."""
        side, asked = _side(which), self._net.asked
        if isinstance(end, Free) and asked.chains[0].held[1 - side] == FREED:
            raise RodError(f"{which}: the other end is free; hold one of them with Pin or Clamp")
        if self._net.solution is not None:
            body, points = asked.bodies[side], self.points
            # it is walked from where the end is now, also if nothing held it
            self._net.kept.bodies[side].point = points[-side].copy()
            if asked.chains[0].held[side] != CLAMPED:
                # a new clamp takes hold of the end as it is, without moment, and turns from there
                body.turns = [self.frames[-side].copy()]
        _hold(asked, which, end)
        self._net.changed = True

    def move_end(self, point: Any, which: str = "end") -> None:
        """Move a clamped or pinned end to a point [m]; takes effect in the next solve."""
        side = _side(which)
        if self._chain.held[side] == FREED:
            raise RodError(f"{which}: is free and cannot be moved; hold it with Pin or Clamp first")
        self._net.asked.bodies[side].point = vector("point", point, units.LENGTH)

    def rotate_end(self, axis: Any, angle: Any, which: str = "end") -> None:
        """Turn a clamped end about a world axis through its point [rad]; whole turns count."""
        side = _side(which)
        if self._chain.held[side] != CLAMPED:
            raise RodError(f"{which}: is not clamped and cannot be turned; hold it with Clamp first")
        self._net.asked.bodies[side].turn(number("angle", angle, units.ANGLE) * direction("axis", axis))

    def twist_end(self, angle: Any, which: str = "end") -> None:
        """Turn a clamped end about its own tangent [rad]; whole turns count."""
        tangent = rotate(self._net.asked.bodies[_side(which)].frame, np.array([0.0, 0.0, 1.0]))
        self.rotate_end(tangent, angle, which)

    def set_length(self, length: Any) -> None:
        """Change the length [m]; segments, handles, clips and loads keep their share of it."""
        size = positive_length("length", length)
        check_rest(self._chain.properties.rest, np.full(self.segments, size / self.segments))
        self._chain.length = size

    def add_handle(self, s: Any, point: Any = None) -> int:
        """Hold the rod at arc length s [m], at a point [m] or, without one, where it is; the rod may turn there.

        A Clamp as the point holds direction and twist too: the handle is a fixed clip, see `add_clip`. Returns its number.
        """
        if isinstance(point, Clamp):
            return self.add_clip(s, point)
        share = self._share(s)
        self._chain.check_apart(share)
        where = self._place_of(share) if point is None else vector("point", point, units.LENGTH)
        self._count += 1
        self._chain.handles[self._count] = Handle(where, share=share)
        self._net.changed = True
        return self._count

    def add_handles(self, count: int) -> list[int]:
        """Hold the rod where it is at so many places, equally spaced between its ends; returns their numbers."""
        if not isinstance(count, int) or count < 1:
            raise RodError(f"count: {count!r} - expected a whole number of at least 1")
        if self._net.solution is None:
            self.solve()
        return [self.add_handle(self.length * k / (count + 1)) for k in range(1, count + 1)]

    def move_handle(self, handle: int, point: Any) -> None:
        """Move a handle to a point [m], or one that holds a pose to another Clamp, the short way."""
        target = _known({**self._chain.handles, **self._chain.clips}, handle, "handle")
        if isinstance(point, Clamp):
            if handle in self._chain.handles:
                raise RodError(f"handle {handle}: holds a point only; add it with a Clamp to hold a pose")
            target.turn_to(point.frame("handle"))
            point = point.position("handle")
        target.point = vector("point", point, units.LENGTH)

    def remove_handle(self, handle: int) -> None:
        """Let go."""
        if handle in self._chain.clips:
            self.remove_clip(handle)
            return
        _known(self._chain.handles, handle, "handle")
        del self._chain.handles[handle]
        self._net.changed = True

    def add_load(self, s: Any, force: Any) -> int:
        """A dead force [N] at arc length s [m]: it keeps its direction. Returns its number."""
        load = Handle(vector("force", force, units.FORCE), share=self._share(s))
        self._count += 1
        self._chain.loads[self._count] = load
        self._net.loaded = False
        return self._count

    def change_load(self, load: int, force: Any) -> None:
        """Change a dead force [N]; zero takes it away."""
        _known(self._chain.loads, load, "load").point = vector("force", force, units.FORCE)
        self._net.loaded = False

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
        return slide(self._net, tolerance, most, escape)

    def handle_force(self, handle: int) -> np.ndarray:
        """Force of a handle on the rod [N], shape (3,)."""
        if handle in self._kept.clips:
            return self.clip_force(handle)
        return -_known(self._kept.handles, handle, "handle").force

    def _share(self, s: Any) -> float:
        """Arc length typed by a person as a share of the length."""
        where = number("s", s, units.LENGTH)
        if not 0.0 <= where <= self.length * (1.0 + 1e-12):
            raise RodError(outside(s, self.length))
        return min(1.0, where / self.length)

    def _place_of(self, share: float) -> np.ndarray:
        return self._net.point_at(self._kept, share)


def _side(which: str) -> int:
    if which not in SIDES:
        raise RodError(f"which: {which!r} - expected 'start' or 'end'")
    return SIDES.index(which)


def _hold(asked: Asked, which: str, end: End, *, first: bool = False) -> None:
    side = _side(which)
    if not isinstance(end, Clamp | Pin | Free):
        raise RodError(f"{which}: {end!r} - expected Clamp, Pin or Free")
    chain, body = asked.chains[0], asked.bodies[side]
    body.free = np.zeros(6)
    if isinstance(end, Clamp):
        frame = end.frame(which)
        body.point = end.position(which)
        body.turns = [frame] if first else [*body.turns, frame]
        chain.held[side] = CLAMPED
    elif isinstance(end, Pin):
        body.point = end.position(which)
        chain.held[side] = PINNED
    else:
        chain.held[side] = FREED
        if side == 0:
            body.free[:3] = 1.0


def _known(table: dict[int, Any], number: int, what: str) -> Any:
    if number not in table:
        raise RodError(f"{what} {number!r} - there is none; known: {', '.join(map(str, table)) or 'none'}")
    return table[number]
