"""Why a change of a network goes no further, in words for those who lay cables: which one is pulled taut, around what, by how much."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from taut.cables.rod import arrays as col
from taut.cables.rod.arrays import Array
from taut.cables.rod.chain import FREED, Chain
from taut.cables.rod.values import plain

if TYPE_CHECKING:
    from taut.cables.rod.network import Network

#: a cable is taut where the straight ways from what holds it to what it lies on, and along that, are this share of its length
TAUT = 0.98


class Push(NamedTuple):
    """A place at which a chain leans on something."""

    node: int  # at the start of its segment
    name: str
    force: float  # [N]


def pulled_taut(net: Network) -> str:
    """The cable that is pulled most taut between two places that hold it, in words; empty where none is."""
    best, words = TAUT, ""
    for chain in net.asked.chains:
        if chain.held[1] == FREED:
            continue
        nodes, pushes = net.nodes(chain), pushes_on(net, chain)
        step = np.linalg.norm(np.diff(nodes, axis=0), axis=1)
        ends = [0, *np.cumsum(chain.counts).tolist()]
        moved = _asked_ends(net, chain, nodes, ends)
        for (a, b), (here, there) in zip(itertools.pairwise(ends), itertools.pairwise(moved)):
            on = [push for push in pushes if a <= push.node < b]
            first, last = (min(p.node for p in on), max(p.node for p in on) + 1) if on else (b, b)
            along, length = float(step[first:last].sum()), float(step[a:b].sum())
            share = _way(nodes[a], nodes[first], nodes[last], nodes[b], along) / length
            if share > best:
                lacks = _way(here, nodes[first], nodes[last], there, along) - length * chain.length / float(step.sum())
                best, words = share, _told(chain.name, on, lacks)
    return words


def pushes_on(net: Network, chain: Chain) -> list[Push]:
    """Where a chain leans on obstacles in the shape that stands."""
    arrays, names = net.arrays, {row: name for name, row in net.shape_rows.items()}
    index = {int(row): i for i, row in enumerate(chain.seg_rows)}
    found = []
    for r in range(arrays.tally[col.EQUATIONS], arrays.tally[col.ROWS]):
        name, node = names.get(int(arrays.row[r, col.KEY])), index.get(int(arrays.row[r, col.ROW_A]))
        if name is not None and node is not None and arrays.force[r] < 0.0:
            found.append(Push(node, name, -float(arrays.force[r])))
    return found


def _asked_ends(net: Network, chain: Chain, nodes: Array, ends: list[int]) -> list[Array]:
    """Where what holds a chain is asked to be; bodies that are free stay where they are."""
    from taut.cables.rod.reach import stops

    asked = {round(share, 9): point for _, share, point in stops(chain, net.asked.bodies, sliding=True)}
    shares = [0.0, *(clip.share for clip in chain.order), 1.0]
    return [asked.get(round(share, 9), nodes[end]) for share, end in zip(shares, ends)]


def _way(a: Array, first: Array, last: Array, b: Array, along: float) -> float:
    """From a straight to where it begins to lean, along that, and straight to b [m]; where it leans nowhere all are b."""
    return math.dist(a, first) + along + math.dist(last, b)


def _told(name: str, on: list[Push], lacks: float) -> str:
    sums: dict[str, float] = {}
    for push in on:
        sums[push.name] = sums.get(push.name, 0.0) + push.force
    around = f"taut around {' and '.join(sorted(sums, key=lambda one: -sums[one]))}" if sums else "straight"
    # less is lost in what it is bent by
    much = f" by about {plain(1e3 * lacks, 2)} mm" if lacks > 1e-3 else ""
    return f"{name} is pulled {around}: it is too short to go further{much}"
