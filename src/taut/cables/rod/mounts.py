"""Ends that stand on a part: what leads away from the part there says nothing about clearance to it.

Every cable that is mounted on a part touches it. Left out, for that part alone, is the stretch from the end on along which the
distance to the part grows at least half as fast as the arc length: it leaves the part at 30 degrees or more. Where it turns along
the part, or back to it, it counts, and all that follows does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from taut.cables.rod.arrays import Array
from taut.cables.rod.detect import ENDS, nearest

if TYPE_CHECKING:
    from taut.cables.rod.network import Network

#: an end nearer to a part than this, in radii of the cable, stands on it
MOUNTED = 0.5
#: least growth of the distance per arc length of what leads away: the sine of 30 degrees
AWAY = 0.5


class Mount(NamedTuple):
    """An end of a cable that stands on a part."""

    end: str
    """start or end."""
    part: str
    """Name of the part."""
    length: float
    """How much of the cable from there on leads away from the part [m]."""

    def __str__(self) -> str:
        where = "first" if self.end == "start" else "last"
        return f"the {where} {1e3 * self.length:.0f} mm for {self.part}"


def mounts(net: Network, which: int) -> list[Mount]:
    """Of one chain as it stands."""
    chain = net.kept.chains[which]
    whole, arc, radius = net.nodes(chain), chain.shares() * net.lengths[which], chain.properties.radius
    found = []
    for part, row in net.shape_rows.items():
        stands, first, last = beyond_mounts(whole, arc, net.obstacles, row, radius)
        lengths = (float(arc[first]), float(arc[-1] - arc[last]))
        found += [Mount(end, part, length) for end, on, length in zip(("start", "end"), stands, lengths) if on]
    return found


def beyond_mounts(
    whole: Array, arc: Array, obstacles: Any, row: int, radius: float
) -> tuple[list[bool], int, int]:  # fmt: skip
    """Whether start and end stand on a part, and the first and the last node that count for it; of all nodes the points and the
    arc lengths [m]."""
    # what is within its own thickness of an end may sit on a part in any case
    inside = np.flatnonzero((arc >= ENDS * radius) & (arc <= arc[-1] - ENDS * radius))
    if len(inside) == 0:
        # shorter than it is thick at both ends: its middle alone counts
        inside = np.array([int(np.argmin(np.abs(arc - 0.5 * arc[-1])))])
    out, stands, left = np.zeros(2), [], []
    for end, order in ((0, inside), (-1, inside[::-1])):
        nearest(np.ascontiguousarray(whole[end][None]), obstacles, row, out)
        before, at, gone = float(out[0]), float(arc[end]), 0
        stands.append(before < MOUNTED * radius)
        for k in order if stands[-1] else ():
            nearest(np.ascontiguousarray(whole[k][None]), obstacles, row, out)
            if float(out[0]) - before < AWAY * abs(float(arc[k]) - at):
                break
            before, at, gone = float(out[0]), float(arc[k]), gone + 1
        # it counts from the place on where it ceases to lead away
        left.append(max(0, gone - 1))
    first, last = int(inside[left[0]]), int(inside[len(inside) - 1 - left[1]])
    return stands, min(first, last), max(first, last)
