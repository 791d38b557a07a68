"""A route file that opens with the shape that stands.

Where several shapes are stable, the one that is found depends on where the search begins. A shape that was reached by dragging, or by way
of another material, need not be the one that the file alone leads to: then points of it are written into the file (`through`).
"""

from __future__ import annotations

import copy
import math

import numpy as np

from taut.cables.rod.route import Route
from taut.cables.rod.values import RodError
from taut.cables.rod.written import length_like, point_like, unit_of_route

#: points that lead to a shape; they are written to a tenth of a millimetre
POINTS, TENTHS = 9, 4
#: share of its length by which the shape of a cable may be another and counts as the same
SAME = 2e-3


def lead(route: Route) -> dict[str, float]:
    """Write into the data of a solved route what its shape needs to be found again; returns the cables for which that was not enough, with
    how far they would lie elsewhere [m], infinite where no shape would be found at all."""
    far = elsewhere(route)
    if not far:
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
    left = elsewhere(route)
    if left and sum(left.values()) >= sum(far.values()):
        route.data = before  # they lead nowhere
        return far
    return left


def elsewhere(route: Route) -> dict[str, float]:
    """Cables of a solved route that would lie elsewhere if it were opened anew, with how far [m]."""
    anew = Route.of(copy.deepcopy(route.data), route.folder, route.name)
    try:
        anew.solve()
    except RodError:
        return dict.fromkeys(route.harness.cables, math.inf)
    found = {}
    for name, cable in route.harness.cables.items():
        here, there = (one.harness._net.nodes(one.harness[name]._chain) for one in (route, anew))
        if here.shape != there.shape:
            continue
        apart = float(np.linalg.norm(here - there, axis=1).max())
        if apart > SAME * cable.length:
            found[name] = apart
    return found
