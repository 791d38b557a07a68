"""Whether held points are no further apart than the rod between them is long."""

from __future__ import annotations

import itertools
import math

from taut.cables.rod.chain import FREED, Chain
from taut.cables.rod.ends import Array, rotate
from taut.cables.rod.targets import Body
from taut.cables.rod.values import RodError

#: least slack between two held points, as a share of the rod between them
SLACK = 1e-9


def check_reach(chains: list[Chain], bodies: list[Body], kept: bool) -> None:
    """Raises with the names of both points and by how much the rod is too short."""
    for chain in chains:
        held = stops(chain, bodies)
        for (name, share, point), (other, beyond, there) in itertools.pairwise(held):
            apart, rod = math.dist(point, there), (beyond - share) * chain.length
            if apart > rod * (1.0 - SLACK):
                straight = apart <= rod * (1.0 + SLACK)
                short = "exactly straight, without slack" if straight else f"{1e3 * (apart - rod):.4g} mm too short"
                where = "" if len(chains) == 1 else f"{chain.name}: "
                raise RodError(
                    f"{where}{name} and {other} are {apart:.6g} m apart, but the rod between them is {rod:.6g} m "
                    f"long: {short}{'; the last shape is kept' if kept else ''}"
                )


def stops(chain: Chain, bodies: list[Body]) -> list[tuple[str, float, Array]]:
    """Names, shares and points of all that is held in place, in the order of the rod."""
    found = [(f"handle {key}", one.share, one.point) for key, one in chain.handles.items() if one.body < 0]
    found += [
        (f"clip {key}", one.share, one.point)
        for key, one in chain.clips.items()
        if not one.slides and not one.releases & {"across1", "across2"}
    ]
    for side, name in enumerate(("start", "end")):
        body = bodies[chain.bodies[side]]
        if chain.held[side] != FREED and not body.is_free:
            on = chain.points[side]
            found.append((name, float(side), body.point + rotate(body.frame, on) if any(on.tolist()) else body.point))
    return sorted(found, key=_share)


def _share(stop: tuple[str, float, Array]) -> float:
    return stop[1]
