"""Whether held points are no further apart than the rod between them is long, or the rods by way of branches that move."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import NamedTuple

from taut.cables.rod.chain import FREED, Chain
from taut.cables.rod.ends import Array, rotate
from taut.cables.rod.targets import Body
from taut.cables.rod.values import RodError, sized

#: least slack between two held points, as a share of the rod between them
SLACK = 1e-9
#: points that are further apart than a rod is long by this factor are in another unit
OTHER_UNIT = 100.0
#: what is thought of that in a file
METRES_MEANT = "; points without a unit are in metres, were mm meant?"
#: name, share of the length and point [m] of what is held
Stop = tuple[str, float, Array]
#: how long it is along rods [m], and which ones
Way = tuple[float, tuple[str, ...]]


def check_reach(chains: list[Chain], bodies: list[Body], kept: bool) -> None:
    """Raises with the names of both points and by how much the rod is too short."""
    for name, words in too_short(chains, bodies):
        raise RodError(f"{name}: {words}{'; the last shape is kept' if kept else ''}")


def too_short(chains: list[Chain], bodies: list[Body]) -> Iterator[tuple[str, str]]:
    """Names of rods that are too short for what holds them, with both points and by how much."""
    for chain in chains:
        held = stops(chain, bodies)
        for (name, share, point), (other, beyond, there) in itertools.pairwise(held):
            apart, rod = math.dist(point, there), (beyond - share) * chain.length
            if apart > rod * (1.0 - SLACK):
                straight = apart <= rod * (1.0 + SLACK)
                short = "exactly straight, without slack" if straight else f"{_lack(apart - rod)} too short"
                yield (
                    chain.name,
                    f"{name} and {other} are {sized(apart)} apart, but it is {sized(rod)} long between them: "
                    f"{short}{_in_metres(apart, rod)}",
                )
        yield from _passed(chain, bodies, held)
    yield from _by_branches(chains, bodies)


def _passed(chain: Chain, bodies: list[Body], held: list[Stop]) -> Iterator[tuple[str, str]]:
    """The same by way of the clips that it slides through, between two points that it does not slide through."""
    every = stops(chain, bodies, sliding=True)
    fixed = [k for k, stop in enumerate(every) if any(stop[0] == one[0] for one in held)]
    for first, last in itertools.pairwise(fixed):
        span = every[first : last + 1]
        way = sum(math.dist(a[2], b[2]) for a, b in itertools.pairwise(span))
        rod = (span[-1][1] - span[0][1]) * chain.length
        if len(span) > 2 and way > rod * (1.0 - SLACK):
            names = [stop[0] for stop in span]
            yield (
                chain.name,
                f"from {names[0]} by way of {', '.join(names[1:-1])} to {names[-1]} it is {sized(round(way, 6))}, but it is "
                f"{sized(rod)} long between them: {_lack(way - rod)} too short; it needs more than {sized(round(way, 6))} there"
                f"{_in_metres(way, rod)}",
            )


def _lack(length: float) -> str:
    """What a rod lacks [m], to four digits."""
    return sized(float(f"{length:.4g}"))


def _in_metres(apart: float, rod: float) -> str:
    """What to think of where points are very far apart."""
    return METRES_MEANT if apart > OTHER_UNIT * rod else ""


class Lead(NamedTuple):
    """The rod between a branch, a body that moves, and the next held point on it."""

    body: int
    length: float
    chain: str
    name: str
    point: Array


def _by_branches(chains: list[Chain], bodies: list[Body]) -> Iterator[tuple[str, str]]:
    """The same for points that are held on two rods which meet at a branch, or beyond several of them."""
    leads, between = _leads(chains, bodies)
    for one, two in itertools.combinations(leads, 2):
        way, through = between.get((one.body, two.body), (math.inf, ()))
        apart, rods = math.dist(one.point, two.point), one.length + way + two.length
        if apart > rods * (1.0 + SLACK):
            names = ", ".join(dict.fromkeys((one.chain, *through, two.chain)))
            yield (
                one.chain,
                f"{one.name} and {two.chain}: {two.name} are {sized(apart)} apart, but the cables between them ({names}) are "
                f"{sized(rods)} long together: {_lack(apart - rods)} too short",
            )


def _leads(chains: list[Chain], bodies: list[Body]) -> tuple[list[Lead], dict[tuple[int, int], Way]]:
    """All leads, and the shortest way along rods between any two branches with the rods on it. Where a rod begins beside the middle of its
    branch, that is added to it."""
    free = [b for b, body in enumerate(bodies) if body.is_free]
    between: dict[tuple[int, int], Way] = {(b, b): (0.0, ()) for b in free}
    leads = []
    for chain in chains:
        held, arms = stops(chain, bodies), [math.hypot(*point) for point in chain.points]
        moves = [chain.held[side] != FREED and bodies[chain.bodies[side]].is_free for side in (0, 1)]
        for side in (0, 1):
            if moves[side] and held:
                name, share, point = held[-side]
                length = abs(side - share) * chain.length + arms[side]
                leads.append(Lead(chain.bodies[side], length, chain.name, name, point))
        if all(moves) and not held:
            a, b = chain.bodies
            way: Way = (chain.length + sum(arms), (chain.name,))
            if way[0] < between.get((a, b), (math.inf, ()))[0]:
                between[a, b] = between[b, a] = way
    for mid, a, b in itertools.product(free, repeat=3):
        if (a, mid) in between and (mid, b) in between:
            way = (between[a, mid][0] + between[mid, b][0], between[a, mid][1] + between[mid, b][1])
            if way[0] < between.get((a, b), (math.inf, ()))[0]:
                between[a, b] = way
    return leads, between


def stops(chain: Chain, bodies: list[Body], sliding: bool = False) -> list[Stop]:
    """Names, shares and points of all that is held in place, in the order of the rod; sliding: also of the clips that it slides
    through, which it passes in any case."""
    found = [(one.name or f"handle {key}", one.share, one.point) for key, one in chain.handles.items() if one.body < 0]
    found += [
        (one.name or f"clip {key}", one.share, one.point)
        for key, one in chain.clips.items()
        if (sliding or not one.slides) and not one.releases & {"across1", "across2"}
    ]
    for side, name in enumerate(("start", "end")):
        body = bodies[chain.bodies[side]]
        if chain.held[side] != FREED and not body.is_free:
            on = chain.points[side]
            found.append((name, float(side), body.point + rotate(body.frame, on) if any(on.tolist()) else body.point))
    return sorted(found, key=_share)


def _share(stop: Stop) -> float:
    return stop[1]
