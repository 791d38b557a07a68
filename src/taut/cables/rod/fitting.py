"""Is the cable long enough to fit or remove this part? Connectors and parts taken along a straight way, the harness solved in
every frame: what stops them, and by how much a cable is too short."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from taut.cables.rod.arrays import Array
from taut.cables.rod.chain import FREED
from taut.cables.rod.clearance import distance_to, standing
from taut.cables.rod.ends import rotate
from taut.cables.rod.limits import LIMITS, Finding, findings
from taut.cables.rod.route import Route
from taut.cables.rod.surface import studs_of
from taut.cables.rod.targets import Target
from taut.cables.rod.values import RodError, sized, vector
from taut.scene import shapes, units

#: length of a frame of the way [m], and fewest and most frames
FRAME, FEWEST, MOST = 5e-3, 10, 200
#: Newton iterations in one go: a frame of this length takes a few, and where there is no shape more of them find none
ITERATIONS = 20
#: how deep a connector may sit in what it touches already at the start, more than there [m]
SEATED = 1e-4
#: distance of its ends over its length from which on a cable is pulled straight [-]
STRAIGHT = 0.995
#: by what a cable that is too short is lengthened at a time, and how often at most in all, and where nothing is found at one place
LONGER, TIMES, FAILURES = 1.01, 100, 3
#: a way that is longer than the route is large by this factor is in another unit
TOO_FAR = 20.0


@dataclass
class Way:
    """What a way showed, as far as it went."""

    moved: tuple[str, ...]
    shift: Array  # from start to end [m], shape (3,)
    done: float = 0.0  # share of the way that there is a shape for
    stopped: str = ""  # why it went no further
    meets: str = ""  # the part that is run into first
    meets_at: float = math.inf  # share of the way
    clearance: tuple[str, float, float] = (
        "",
        math.inf,
        0.0,
    )  # nearest part that is not touched from the start [m], share
    worst: dict[tuple[str, str], tuple[Finding, float]] = field(default_factory=dict)  # by cable and measure, share
    needed: dict[str, float] = field(
        default_factory=dict
    )  # cables that are too short, and the length that would do [m]
    notes: list[str] = field(default_factory=list)  # what goes along, in words
    before: set[tuple[str, str]] = field(default_factory=set)  # limits that are broken before anything moves

    @property
    def length(self) -> float:
        """Of the whole way [m]."""
        return float(np.linalg.norm(self.shift))

    @property
    def fits(self) -> bool:
        """It goes the whole way, runs into nothing and breaks no limit."""
        broken = any(one.passed is False for one, _ in self.worst.values())
        return self.done == 1.0 and not self.meets and not broken

    def lines(self) -> list[str]:
        """As people read it, in mm and N."""
        along = 1e3 * self.length
        said = [
            f"{', '.join(self.moved)}: {along:.4g} mm by {_mm(self.shift)}: {'fits' if self.fits else 'DOES NOT FIT'}"
        ]
        said += self.notes
        if self.stopped:
            said.append(f"stops after {self.done * along:.4g} mm: {self.stopped}")
        for name, length in self.needed.items():
            said.append(f"{name} is too short: {1e3 * length:.4g} mm would do")
        if self.meets:
            said.append(f"runs into {self.meets} after {self.meets_at * along:.4g} mm")
        elif self.clearance[0]:
            part, distance, share = self.clearance
            said.append(f"nearest to {part}: {1e3 * distance:.4g} mm after {share * along:.4g} mm")
        for (cable, what), (one, share) in self.worst.items():
            if one.passed is False or one.what in ("bend_radius", "end_force"):
                value, limit, verdict = one.shown()
                where = f"{one.where} after {share * along:.4g} mm".lstrip()
                verdict += ", already broken before it moves" if (cable, what) in self.before else ""
                said.append(f"{cable:10s} {one.what:12s} {value:12s} {where:34s} {limit:18s} {verdict}".rstrip())
        return said


def fit(
    route: Route, moved: tuple[str, ...], to: Any = None, by: Any = None, progress: Callable[[float], None] = lambda _: None
) -> Way:  # fmt: skip
    """Take connectors, ends and parts along together, to a point [m] for the first of them or by a shift [m]; solved already. Ends
    and connectors that stand on a part go with it.

    Where a cable is pulled straight, or no shape is found, the way ends. It is gone a second time then with cables that grow where
    they are straight, and what they have grown to at the end would do.
    """
    shift = _shift(route, moved, to, by)
    moved, notes = _with_ends(route, moved)
    way = _go(route, moved, shift, progress, False)
    way.notes = notes
    # a cable that ends on nothing of this gains nothing from being longer
    if way.done < 1.0 and not way.meets and _cables_on(route, moved):
        longer = Route.of(copy.deepcopy(route.data), route.folder, route.name)
        longer.solve()
        again = _go(longer, moved, shift, progress, True)
        if again.done == 1.0:
            way.needed = again.needed
    return way


def _shift(route: Route, moved: tuple[str, ...], to: Any, by: Any) -> Array:
    if (to is None) == (by is None):
        raise RodError("fit: give either the point to go to or the shift to go by")
    if by is not None:
        shift = vector("by", by, units.LENGTH)
    else:
        shift = vector("to", to, units.LENGTH) - _target(route, moved[0]).point
    far, size = float(np.linalg.norm(shift)), _size(route)
    if far > TOO_FAR * size:
        word, given = ("by", by) if by is not None else ("to", to)
        raise RodError(
            f"{word}: {given} - that moves it by {sized(far)}, all of the route is {sized(round(size, 3))} large; numbers without a unit "
            "are in metres, write '[0, 0, 50] mm' for millimetres"
        )
    return shift


def _size(route: Route) -> float:
    """Diagonal of the box around all cables, connectors and the points of all parts [m]."""
    harness = route.harness
    points = [cable.points for cable in harness.cables.values()]
    points += [target.point[None] for target in harness._net.asked.obstacles.values()]
    every = np.vstack(points)
    return float(np.linalg.norm(np.ptp(every, axis=0)))


def _with_ends(route: Route, moved: tuple[str, ...]) -> tuple[tuple[str, ...], list[str]]:
    """What is moved with the ends that stand on parts among it, and that in words."""
    out, notes = list(moved), []
    for part in moved:
        if part not in route.shapes:
            continue
        on = standing(route.harness._net, part)
        more = [name for name in on if name not in out]
        out += more
        if more:
            notes.append(f"with {part} go{'es' if len(more) == 1 else ''} what stands on it: {', '.join(more)}")
        elif not on:
            notes.append(f"no end stands on {part}: no cable goes with it")
    return tuple(out), notes


def _target(route: Route, name: str) -> Target:
    """What is moved: a part, a connector or an end."""
    parts = route.harness._net.asked.obstacles
    if name in parts:
        return parts[name]
    if name not in route.harness.connectors:
        raise RodError(
            f"fit: no connector, end or part {name!r}; known: {', '.join([*route.harness.connectors, *parts])}"
        )
    body = route.harness._body(name)
    if body.is_free:
        raise RodError(f"fit: {name} is free and goes where the cables pull it; make it fixed")
    return body


def _go(route: Route, moved: tuple[str, ...], shift: Array, progress: Callable[[float], None], grows: bool) -> Way:
    """Frame by frame, until the end or where it goes no further."""
    way, starts = Way(moved, shift), [_target(route, name).point.copy() for name in moved]
    seated = {name: _gaps(route, name, moved) for name in moved}
    frames = min(MOST, max(FEWEST, math.ceil(way.length / FRAME)))
    times, failures = 0, 0
    for frame in range(frames + 1):
        share = frame / frames
        while True:
            for name, start in zip(moved, starts):
                # asked anew: after an error they are others
                _target(route, name).point = start + share * shift
            straight, reason = _solve(route)
            if not reason:
                break
            times, failures = times + 1, failures + (straight is None)
            if not grows or times > TIMES or failures > FAILURES:
                way.stopped = reason
                return way
            cable = route.harness[straight or _straightest(route, _cables_on(route, moved))[0]]
            way.needed[cable.name] = LONGER * cable.length
            cable.set_length(way.needed[cable.name])
        way.done, failures = share, 0
        _look(route, way, seated, share)
        progress(share)
        if way.meets:
            break
    return way


def _solve(route: Route) -> tuple[str | None, str]:
    """Solve: the cable that is pulled straight, and why it goes no further."""
    try:
        route.harness.solve(most=ITERATIONS)
    except RodError as error:
        return None, str(error).removesuffix("; the last shape is kept")
    name, share = _straightest(route, list(route.harness.cables))
    return (name, f"{name} is pulled straight") if share > STRAIGHT else (None, "")


def _straightest(route: Route, names: list[str]) -> tuple[str, float]:
    """The cable whose ends are furthest apart beside its length."""
    shares = {}
    for name in names:
        cable = route.harness[name]
        free = cable._chain.held[1] == FREED or cable._chain.held[0] == FREED
        shares[name] = 0.0 if free or route.clips[name] else math.dist(cable.points[0], cable.points[-1]) / cable.length
    best = max(shares, key=lambda name: shares[name])
    return best, shares[best]


def _look(route: Route, way: Way, seated: dict[str, dict[str, float]], share: float) -> None:
    """What a frame shows: limits, and how near what is moved comes to parts."""
    for name in route.harness.cables:
        for one in findings(route.harness, name, route.limits[name], route.clips[name]):
            if share == 0.0 and one.passed is False:
                way.before.add((name, one.what))
            known = way.worst.get((name, one.what))
            if known is None or (one.value < known[0].value) == LIMITS[one.what][1]:
                way.worst[name, one.what] = (one, share)
    for name in way.moved:
        for part, gap in _gaps(route, name, way.moved).items():
            start = seated[name][part]
            if gap < min(0.0, start) - SEATED and not way.meets:
                way.meets, way.meets_at = part, share
            if start > SEATED and gap < way.clearance[1]:
                way.clearance = (part, gap, share)


def _gaps(route: Route, name: str, moved: tuple[str, ...]) -> dict[str, float]:
    """Distances of a connector or part that has a shape to the parts that stay [m]."""
    harness = route.harness
    target = _target(route, name)
    if name in route.shapes:
        shape = route.shapes[name]
        studs = np.zeros((0, 4)) if isinstance(shape, shapes.Plane) else studs_of(name, shape, np.zeros(3))
    else:
        studs = harness._body(name).studs
    points = target.point + rotate(target.frame, studs[:, :3])
    stays = [part for part in route.shapes if part not in moved]
    return {part: distance_to(harness._net, part, points, studs[:, 3]) for part in (stays if len(studs) else ())}


def _cables_on(route: Route, moved: tuple[str, ...]) -> list[str]:
    """Cables that end on what is moved."""
    names = route.harness.connectors
    return [
        name
        for name, cable in route.harness.cables.items()
        if any(names[body] in moved for body in cable._chain.bodies)
    ]


def _mm(shift: Array) -> str:
    return "[" + ", ".join(f"{1e3 * x:.4g}" for x in shift) + "] mm"
