"""How near the rod comes to what is around it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from taut.cables.rod import arrays as col
from taut.cables.rod.arrays import Array
from taut.cables.rod.detect import ENDS, nearest
from taut.cables.rod.obstacles import AT, FRAME
from taut.cables.rod.reach import stops
from taut.cables.rod.values import sized

if TYPE_CHECKING:
    from taut.cables.rod.network import Network


#: an end nearer to a part than this, in radii of the cable, stands on it; arc length from there that may lead away from it without counting
MOUNTED, DEPARTURE = 0.5, 10.0


class Clearance(NamedTuple):
    """Least distance to an obstacle."""

    name: str
    """Of the obstacle."""
    distance: float
    """Between the surfaces [m]; negative where they overlap."""
    s: float
    """Arc length where it is [m]."""


def clearances(net: Network, which: int, known: dict[str, Any]) -> dict[str, Clearance]:
    """Of one chain, for each obstacle."""
    chain = net.kept.chains[which]
    whole, shares = net.nodes(chain), chain.shares()
    length = net.lengths[which]
    # what is within its own thickness of an end may sit on a part
    skip = ENDS * chain.properties.radius / length
    inside = np.flatnonzero((shares >= skip) & (shares <= 1.0 - skip))
    points, shares = whole[inside], shares[inside]
    found: dict[str, Clearance] = {}
    out = np.zeros(2)
    for name in known:
        if name not in net.shape_rows:
            continue
        row = net.shape_rows[name]
        # nodes and the insides of segments, in steps that cannot miss more than a thousandth of a segment
        first, last = _beyond_mounts(whole, points, shares * length, net.obstacles, row, chain.properties.radius)
        nearest(np.ascontiguousarray(points[first : last + 1]), net.obstacles, row, out)
        out[1] += first
        if math.isinf(out[0]):
            found[name] = Clearance(name, math.inf, 0.0)
            continue
        place = float(out[1])
        i = min(int(place), len(shares) - 2)
        s = (shares[i] + (place - i) * (shares[i + 1] - shares[i])) * length
        radius = float(net.arrays.rod[chain.seg_rows[min(i, len(chain.seg_rows) - 1)], col.RADIUS])
        found[name] = Clearance(name, float(out[0]) - radius, float(s))
    return found


def distance_to(net: Network, part: str, points: Array, radii: Array) -> float:
    """Least distance of balls to an obstacle where it is asked for [m]."""
    out, least = np.zeros(2), math.inf
    row, target = net.shape_rows[part], net.asked.obstacles[part]
    line = net.obstacles.shape[row]
    line[AT : AT + 3], line[FRAME : FRAME + 4] = target.point, target.frame
    for k in range(len(points)):
        nearest(np.ascontiguousarray(points[k : k + 1]), net.obstacles, row, out)
        least = min(least, float(out[0]) - float(radii[k]))
    return least


def sunk(net: Network) -> list[str]:
    """Ends and clips that lie in a part, in words: so deep that the cable cannot leave it without being pushed."""
    found = []
    for chain in net.asked.chains:
        deep = ENDS * chain.properties.radius
        for name, _, point in stops(chain, net.asked.bodies):
            for part in net.shape_rows:
                gap = distance_to(net, part, point[None], np.zeros(1))
                if gap < -deep:
                    found.append(f"{chain.name}: its {name} lies {sized(-gap)} inside of {part}")
    return found


def _beyond_mounts(
    whole: Array, points: Array, arc: Array, obstacles: Any, row: int, radius: float
) -> tuple[int, int]:  # fmt: skip
    """First and last node that are counted: a cable that stands on a part is near to it there, and that says nothing. Left out is
    what only leads away from the part."""
    counts, out, ends = np.arange(len(points)), np.zeros(2), []
    for end, order, away in ((whole[:2], counts, arc - arc[0]), (whole[-2:], counts[::-1], arc[-1] - arc)):
        nearest(np.ascontiguousarray(end), obstacles, row, out)
        before, left = -math.inf, 0
        while out[0] < MOUNTED * radius and left < len(order) - 2 and away[order[left]] < DEPARTURE * radius:
            mounted = float(out[0])
            nearest(np.ascontiguousarray(points[order[left : left + 2]]), obstacles, row, out)
            if not before < out[0] < math.inf:
                break
            before, left, out[0] = float(out[0]), left + 1, mounted
        ends.append(left)
    first, last = ends[0], len(points) - 1 - ends[1]
    return (first, last) if first < last else (0, len(points) - 1)
