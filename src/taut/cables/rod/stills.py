"""Equilibria that were found once, kept to be looked at again: nothing is solved when one of them is shown."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from taut.cables.rod import arrays as col
from taut.cables.rod.arrays import Array
from taut.cables.rod.asked import Asked, Solution
from taut.cables.rod.network import Network


class Still(NamedTuple):
    """All that a network holds of the shape that stands."""

    asked: Asked
    quat: Array
    force: Array
    body: Array
    row: Array  # those in use: there is room for hundreds of contacts
    room: int
    tally: Array
    lengths: list[float]
    solution: Solution


def still(net: Network) -> Still:
    """The shape that stands in a solved network. What a solve has kept is never written to again: it is shared, not copied."""
    assert net.solution is not None
    quat, force, body, row, tally = net.good
    used = int(tally[col.ROWS])
    return Still(
        net.kept, quat, force[:used].copy(), body, row[:used].copy(), len(row), tally, net.lengths, net.solution
    )


def stand(net: Network, one: Still) -> None:
    """Let a network stand as it did then."""
    force, row = np.zeros(one.room), np.zeros((one.room, col.ROW_COLUMNS))
    force[: len(one.force)], row[: len(one.row)] = one.force, one.row
    net.kept, net.lengths, net.solution = one.asked, list(one.lengths), one.solution
    net.good = one.quat, force, one.body, row, one.tally
    net.fall_back()
