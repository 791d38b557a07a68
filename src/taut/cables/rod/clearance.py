"""How near the rod comes to what is around it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from taut.cables.rod import arrays as col
from taut.cables.rod.arrays import Array
from taut.cables.rod.chain import FREED
from taut.cables.rod.detect import ENDS, nearest
from taut.cables.rod.ends import rotate
from taut.cables.rod.mounts import MOUNTED, beyond_mounts
from taut.cables.rod.obstacles import AT, FRAME
from taut.cables.rod.reach import stops
from taut.cables.rod.values import sized

if TYPE_CHECKING:
    from taut.cables.rod.network import Network


#: step by which the way out of a part is felt for [m]
WAY_OUT = 1e-6


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
    whole, arc = net.nodes(chain), chain.shares() * net.lengths[which]
    found: dict[str, Clearance] = {}
    out = np.zeros(2)
    for name in known:
        if name not in net.shape_rows:
            continue
        row = net.shape_rows[name]
        _, first, last = beyond_mounts(whole, arc, net.obstacles, row, chain.properties.radius)
        # nodes and the insides of segments, in steps that cannot miss more than a thousandth of a segment
        nearest(np.ascontiguousarray(whole[first : last + 1]), net.obstacles, row, out)
        if math.isinf(out[0]):
            found[name] = Clearance(name, math.inf, 0.0)
            continue
        place = float(out[1]) + first
        i = min(int(place), len(arc) - 2)
        radius = float(net.arrays.rod[chain.seg_rows[min(i, len(chain.seg_rows) - 1)], col.RADIUS])
        found[name] = Clearance(name, float(out[0]) - radius, float(arc[i] + (place - i) * (arc[i + 1] - arc[i])))
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
                    found.append(
                        f"{chain.name}: its {name} lies {sized(round(-gap, 6))} inside of {part}{_way_out(net, part, point, gap)}"
                    )
    return found


def _way_out(net: Network, part: str, point: Array, gap: float) -> str:
    """How a point that lies in a part comes out of it, in words; nothing where the nearest way is not clear."""
    steps = WAY_OUT * np.eye(3)
    slope = np.array(
        [
            distance_to(net, part, (point + step)[None], np.zeros(1))
            - distance_to(net, part, (point - step)[None], np.zeros(1))
            for step in steps
        ]
    )
    size = float(np.linalg.norm(slope))
    if not math.isfinite(size) or size < WAY_OUT:
        return ""
    away = slope / size
    if distance_to(net, part, (point - 1.001 * gap * away)[None], np.zeros(1)) < 0.0:
        return ""
    along = ", ".join(f"{round(x, 3) + 0.0:g}" for x in away.tolist())
    there = ", ".join(f"{round(1e3 * x, 2) + 0.0:g}" for x in (point - gap * away).tolist())
    return f"; move it out by {sized(round(-gap, 6))} along [{along}], to [{there}] mm"


def standing(net: Network, part: str) -> list[str]:
    """Names of the bodies, own ones of ends among them, on which an end stands on a part."""
    found = []
    for chain in net.asked.chains:
        for side, index in enumerate(chain.bodies):
            body = net.asked.bodies[index]
            if chain.held[side] == FREED or body.is_free or body.name in found:
                continue
            point = body.point + rotate(body.frame, chain.points[side])
            if distance_to(net, part, point[None], np.zeros(1)) < MOUNTED * chain.properties.radius:
                found.append(body.name)
    return found
