"""A route file that opens with the shape that stands.

Where several shapes are stable, the one that is found depends on where the search begins. A shape that was reached by dragging, or by way
of another material, need not be the one that the file alone leads to: then points of it are written into the file (`through`).
"""

from __future__ import annotations

import copy
import math
from typing import Any

import numpy as np

from taut.cables.rod.fit import distances
from taut.cables.rod.found_rolls import without_rolls
from taut.cables.rod.route import Lean, Route
from taut.cables.rod.values import RodError
from taut.cables.rod.written import length_like, point_like, unit_of_route

#: points that lead to a shape; they are written to a tenth of a millimetre
POINTS, TENTHS = 9, 4
#: share of its length by which the shape of a cable may be another and counts as the same
SAME = 2e-3
#: twist that may be another and counts as the same: less than a connector is turned by when it is mounted [rad]
SAME_TWIST = math.radians(2.0)
#: how often rolls are left out, each time fewer
TRIES = 2


def lead(route: Route) -> dict[str, float]:
    """Find what has to be written of a solved route for its shape to be found again: no more rolls than it takes, and points that lead there, which
    are put into its data. Returns the cables for which that was not enough, with how far they would lie elsewhere [m], infinite where no
    shape would be found at all."""
    kept: set[str] = set()
    for _ in range(TRIES):
        if not (apart := _opens(route, without_rolls(route.data, kept))):
            return {}
        if {*apart} <= kept:
            break
        kept |= {*apart}
    if not (far := _far(route, apart)):
        return {}
    before = copy.deepcopy(route.data)
    unit = unit_of_route(route.data)
    for name in far:
        cable = route.harness[name]
        shares = np.arange(1, POINTS + 1) / (POINTS + 1)
        nodes, at = route.harness._net.nodes(cable._chain), cable._chain.shares()
        points = np.column_stack([np.interp(shares, at, nodes[:, c]) for c in range(3)])
        route.data["route"]["cables"][name]["through"] = [
            {
                "s": length_like(None, round(share * cable.length, TENTHS), unit),
                "point": point_like(None, np.round(point, TENTHS), unit),
            }
            for share, point in zip(shares, points)
        ]
    left = _far(route, _opens(route, without_rolls(route.data, kept)))
    if left and sum(left.values()) >= sum(far.values()):
        route.data = before  # they lead nowhere
        return far
    return left


def _opens(route: Route, written: dict[str, Any]) -> dict[str, float]:
    """Cables that would lie elsewhere, or be twisted otherwise, if this were written; where there are none, it is what will be."""
    apart = elsewhere(route, written, twist=True)
    if not apart:
        route.lean = Lean(copy.deepcopy(route.data), written)
    return apart


def _far(route: Route, apart: dict[str, float]) -> dict[str, float]:
    """Without the cables that lie where they lay and are only twisted otherwise: no points lead those."""
    return {name: size for name, size in apart.items() if size > SAME * route.harness[name].length}


def elsewhere(route: Route, data: dict[str, Any] | None = None, twist: bool = False) -> dict[str, float]:
    """Cables of a solved route that would lie elsewhere if it were opened anew, with how far [m]. data: as it would be written; twist: also those
    that would be twisted otherwise."""
    try:
        anew = Route.of(copy.deepcopy(route.data if data is None else data), route.folder, route.name)
        anew.solve()
    except RodError:
        return dict.fromkeys(route.harness.cables, math.inf)
    found = {}
    for name, cable in route.harness.cables.items():
        here, there = (one.harness._net.nodes(one.harness[name]._chain) for one in (route, anew))
        # of the curves, not of the nodes: those lie closer on one side of a clip through which the cable has slid
        apart = float(max(distances(here, there).max(), distances(there, here).max()))
        turned = [float(np.ptp(one.harness[name].turned[1])) for one in (route, anew)]
        if apart > SAME * cable.length or (twist and abs(turned[0] - turned[1]) > SAME_TWIST):
            found[name] = apart
    return found
