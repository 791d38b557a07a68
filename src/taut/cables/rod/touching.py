"""Where cables touch what is around them, and how hard they push there."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from taut.cables.rod import arrays as col
from taut.cables.rod.arrays import Array
from taut.cables.rod.clearance import clearances
from taut.cables.rod.harness import Cable, Harness

#: surfaces that are no further apart touch, and deeper than this they overlap [m]: less than anybody measures
TOUCHES, OVERLAPS = 1e-7, 1e-6
ITSELF = "itself"


class Place(NamedTuple):
    """One place of a contact."""

    s: float
    """Arc length [m]."""
    push: float
    """How hard [N]; zero where the surfaces only meet."""
    point: Array
    """Between the surfaces [m]."""


class Touched(NamedTuple):
    """What a cable touches."""

    name: str
    """Of a part, of another cable, or `itself`."""
    places: tuple[Place, ...]
    """In the order of the cable."""
    overlap: float
    """How deep the surfaces lie in each other where nothing pushes them apart, beside what holds the cable [m]."""

    @property
    def push(self) -> float:
        """Sum of all places [N]."""
        return sum(place.push for place in self.places)

    def __str__(self) -> str:
        first, last = (f"{1e3 * self.places[k].s:.0f}" for k in (0, -1))
        where = first if first == last else f"{first} to {last}"
        deep = f", overlaps it by {1e3 * self.overlap:.3g} mm" if self.overlap > OVERLAPS else ""
        force = f", pushes with {self.push:.3g} N" if self.push > 0.0 else ""
        return f"touches {self.name} at s = {where} mm{force}{deep}"


def touched_by(harness: Harness, cable: Cable) -> list[Touched]:
    """All that a cable touches, as it stands."""
    places, overlaps = _pushed(harness, cable), {}
    for near in clearances(harness._net, cable._which, harness._obstacle_shapes()).values():
        if near.distance > TOUCHES:
            continue
        overlaps[near.name] = -near.distance
        if near.name not in places:
            places[near.name] = [Place(near.s, 0.0, _at(cable, near.s))]
    return [
        Touched(name, tuple(sorted(found, key=lambda place: place.s)), max(0.0, overlaps.get(name, 0.0)))
        for name, found in places.items()
    ]


def _pushed(harness: Harness, cable: Cable) -> dict[str, list[Place]]:
    """Places that push, by what they push at."""
    net, arc = harness._net, cable.arc_length
    arrays, parts = net.arrays, {row: name for name, row in net.shape_rows.items()}
    segments = {int(row): (chain.name, k) for chain in net.kept.chains for k, row in enumerate(chain.seg_rows)}
    found: dict[str, list[Place]] = {}
    for r in range(arrays.tally[col.EQUATIONS], arrays.tally[col.ROWS]):
        row, push = arrays.row[r], -float(arrays.force[r])
        if not push > 0.0 or row[col.PUSHES] <= 0.0:
            continue
        sides = [
            (int(row[col.ROW_A]), float(row[col.PART_A]), -1.0),
            (int(row[col.ROW_B]), float(row[col.PART_B]), 1.0),
        ]
        names = [segments[side[0]][0] if side[0] in segments else "" for side in sides]
        if cable.name not in names:
            continue
        mine = names.index(cable.name)
        index, along, sign = sides[mine]
        other = parts[int(row[col.KEY])] if row[col.KEY] >= 0.0 else names[1 - mine]
        s = float(arc[segments[index][1]]) + along
        # the normal leads from what is touched to the first of both
        point = _at(cable, s) + sign * cable.radius * row[col.NORMAL : col.NORMAL + 3]
        found.setdefault(ITSELF if other == cable.name else other, []).append(Place(s, push, point))
    return found


def _at(cable: Cable, s: float) -> Array:
    """The point of a centreline at an arc length [m]."""
    points, arc = cable.points, cable.arc_length
    return np.array([np.interp(s, arc, points[:, c]) for c in range(3)])
