"""A route with what was found for one of its hoses, to be saved."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import numpy as np

from taut.cables.rod.arrays import Array
from taut.cables.rod.chain import CLAMPED
from taut.cables.rod.ends import from_vector, multiply, rotate
from taut.cables.rod.route import Route
from taut.cables.rod.values import BENDING, along
from taut.scene import units

#: what the stiffness factor multiplies: quantity, columns, unit that is written and its size
STIFF = {
    "E": (units.PRESSURE, 1, "MPa", 1e6),
    "G": (units.PRESSURE, 1, "MPa", 1e6),
    "EI": (BENDING, 2, "N m^2", 1.0),
    "GJ": (BENDING, 1, "N m^2", 1.0),
}


def fitted(route: Route, cable: str, values: Array) -> Route:
    """The same route with the values of `taut.cables.rod.fit`: stiffness factor, rest curvatures [1/m], roll [rad]. It is saved as the
    file was written."""
    data = copy.deepcopy(route.data)
    one = data["route"]["cables"][cable]
    for word, (kind, columns, unit, size) in STIFF.items():
        if word in one:
            table = along(word, one[word], kind, route.harness[cable].segments, columns) * float(values[0]) / size
            one[word] = _short(table, unit)
    one["rest_curvature"] = [round(float(value), 6) for value in values[1:3]]
    chain = route.harness[cable]._chain
    if chain.held[1] == CLAMPED:
        roll = from_vector(np.array([0.0, 0.0, float(values[3])]))
        end = one["end"]
        at = chain.frames[1] if "at" in end else route.harness._net.asked.bodies[chain.bodies[1]].frame
        if "quaternion" in end:
            end["quaternion"] = _plain(multiply(at, roll))
        else:
            end["up"] = _plain(rotate(multiply(at, roll), np.array([1.0, 0.0, 0.0])))
    made = route.made_of(data)
    if (opened := made.opened) is not None:
        # what it is when it is solved is not what the file held
        made.opened = replace(opened, settled=opened.settled or opened.data)
    return made


def _short(table: Array, unit: str) -> Any:
    """Values of all segments as a person writes them: one, one per column, or all."""
    words = [[f"{value:.6g} {unit}" for value in row] for row in table.tolist()]
    if any(row != words[0] for row in words):
        return words if len(words[0]) > 1 else [row[0] for row in words]
    return words[0][0] if len(set(words[0])) == 1 else words[0]


def _plain(values: Array) -> list[float]:
    return [round(float(value), 9) for value in values]
