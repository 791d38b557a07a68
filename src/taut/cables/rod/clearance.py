"""How near the rod comes to what is around it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from taut.cables.rod import arrays as col
from taut.cables.rod.arrays import Array
from taut.cables.rod.chain import CLAMPED, FREED, Chain
from taut.cables.rod.detect import ENDS, nearest
from taut.cables.rod.ends import multiply, rotate
from taut.cables.rod.mounts import MOUNTED, beyond_mounts
from taut.cables.rod.obstacles import AT, FRAME
from taut.cables.rod.reach import stops
from taut.cables.rod.targets import Body
from taut.cables.rod.values import sized

if TYPE_CHECKING:
    from taut.cables.rod.network import Network


#: step by which the way out of a part is felt for [m]
WAY_OUT = 1e-6
#: a cable may take a way out of a part that is longer than the shortest one by this factor
FURTHER = 3.001
#: a way out leads back where it goes against the cable by this cosine
BACK = 0.5
#: a way out is looked for so far [m]
FARTHEST = 10.0


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


def sunk(net: Network, failed: bool = False) -> list[str]:
    """Ends and clips that lie in a part, in words: so deep that the cable cannot leave it without being pushed. failed: no shape was found
    with them; then what lies less deep is told, too."""
    found = []
    for chain in net.asked.chains:
        radius = chain.properties.radius
        stands, deep = MOUNTED * radius, (MOUNTED if failed else ENDS) * radius
        for name, _, point in stops(chain, net.asked.bodies):
            way = _leaves(chain, net.asked.bodies, name)
            for part in net.shape_rows:
                gap = distance_to(net, part, point[None], np.zeros(1))
                # what is within its own thickness of an end is not looked at; where that is still inside, the rest has to get out
                caught = gap < -stands and way is not None and _depth(net, part, point + ENDS * radius * way) > 0.0
                if gap < -deep or caught:
                    found.append(
                        f"{chain.name}: its {name} lies {sized(round(-gap, 6))} inside of {part}{_way_out(net, part, point, way)}"
                    )
    return found


def _depth(net: Network, part: str, point: Array) -> float:
    """How deep a point lies in a part [m]; negative where it lies outside."""
    return -distance_to(net, part, point[None], np.zeros(1))


def _leaves(chain: Chain, bodies: list[Body], name: str) -> Array | None:
    """Where a cable goes to from one of its ends that holds it in a direction, as a unit vector."""
    side = {"start": 0, "end": 1}.get(name)
    if side is None or chain.held[side] != CLAMPED:
        return None
    along: Array = rotate(multiply(bodies[chain.bodies[side]].frame, chain.frames[side]), np.array([0.0, 0.0, 1.0]))
    return along if side == 0 else -along


def _way_out(net: Network, part: str, point: Array, way: Array | None) -> str:
    """How a point that lies in a part comes out of it, in words. way: where the cable goes to from there."""
    deep = _depth(net, part, point)
    steps = WAY_OUT * np.eye(3)
    slope = np.array([_depth(net, part, point - step) - _depth(net, part, point + step) for step in steps])
    size = float(np.linalg.norm(slope))
    nearest_ = slope / size if math.isfinite(size) and size >= WAY_OUT else None
    # the shortest way, but for one that leads to the other side of the part than the cable does
    back = nearest_ is not None and way is not None and float(nearest_ @ way) < -BACK
    for away, most in ((way if back else None, FURTHER * deep), (nearest_, 1.001 * deep), (way, FARTHEST)):
        if away is None:
            continue
        # a step as long as a point lies deep does not leave the part
        far, left = deep, _depth(net, part, point + deep * away)
        while left > WAY_OUT and far <= most:
            far += left
            left = _depth(net, part, point + far * away)
        if left <= WAY_OUT and far <= most:
            along = ", ".join(f"{round(x, 3) + 0.0:g}" for x in away.tolist())
            there = ", ".join(f"{round(1e3 * x, 2) + 0.0:g}" for x in (point + far * away).tolist())
            return f"; move it out by {sized(round(far, 5))} along [{along}], to [{there}] mm"
    return "; move it out of there"


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
