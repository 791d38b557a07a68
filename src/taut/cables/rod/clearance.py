"""How near the rod comes to what is around it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from taut.cables.rod import arrays as col
from taut.cables.rod.detect import ENDS, nearest

if TYPE_CHECKING:
    from taut.cables.rod.network import Network


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
    points, shares = net.nodes(chain), chain.shares()
    length = net.lengths[which]
    # what is within its own thickness of an end may sit on a part
    skip = ENDS * chain.properties.radius / length
    inside = np.flatnonzero((shares >= skip) & (shares <= 1.0 - skip))
    points, shares = points[inside], shares[inside]
    found: dict[str, Clearance] = {}
    out = np.zeros(2)
    for name in known:
        if name not in net.shape_rows:
            continue
        row = net.shape_rows[name]
        # nodes and the insides of segments, in steps that cannot miss more than a thousandth of a segment
        nearest(np.ascontiguousarray(points), net.obstacles, row, out)
        if math.isinf(out[0]):
            found[name] = Clearance(name, math.inf, 0.0)
            continue
        place = float(out[1])
        i = min(int(place), len(shares) - 2)
        s = (shares[i] + (place - i) * (shares[i + 1] - shares[i])) * length
        radius = float(net.arrays.rod[chain.seg_rows[min(i, len(chain.seg_rows) - 1)], col.RADIUS])
        found[name] = Clearance(name, float(out[0]) - radius, float(s))
    return found
