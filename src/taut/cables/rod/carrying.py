"""A shape that is carried over to another mesh: of the same network when clips or freedoms came or went, or of one that was built
anew from nearly the same route."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from taut.cables.rod import arrays as col
from taut.cables.rod import seats
from taut.cables.rod.arrays import Array
from taut.cables.rod.asked import Asked
from taut.cables.rod.chain import FREED, Chain
from taut.cables.rod.ends import multiply, rotate

if TYPE_CHECKING:
    from taut.cables.rod.network import Network

#: ends that are no further apart are the same [m], and frames [-]
SAME_POINT, SAME_FRAME = 1e-7, 1e-6
#: a cable whose length is another by more than this share has another shape
SAME_LENGTH = 0.2


class Shape(NamedTuple):
    """Frames of an equilibrium, by name."""

    chains: dict[str, tuple[Array, Array]]  # shares of the nodes, frames of the segments
    clips: dict[tuple[str, int], Array]  # frames in clips, by chain and number
    bodies: dict[str, Array]  # point and frame [m], shape (7,)


def shape_of(net: Network, kept: Asked) -> Shape:
    """The shape in the arrays of a network, for what was asked then."""
    quat = net.arrays.quat
    return Shape(
        {chain.name: (chain.shares(), quat[chain.seg_rows]) for chain in kept.chains},
        {(chain.name, id_): quat[row].copy() for chain in kept.chains for id_, row in seats.clip_rows(chain)},
        {
            body.name: np.concatenate(
                [net.arrays.body[b, col.POS : col.POS + 3], net.arrays.body[b, col.TURNED : col.TURNED + 4]]
            )
            for b, body in enumerate(kept.bodies)
        },
    )


def put(net: Network, shape: Shape, only: set[str] | None = None) -> None:
    """Write a shape into the arrays, each segment with the frame that stood there. only: chains that it is put into."""
    for b, body in enumerate(net.asked.bodies):
        if body.name in shape.bodies and (only is None or body.is_free):
            pose = shape.bodies[body.name]
            net.arrays.body[b, col.POS : col.POS + 3], net.arrays.body[b, col.TURNED : col.TURNED + 4] = (
                pose[:3],
                pose[3:],
            )
    for chain in net.asked.chains:
        if chain.name in shape.chains and (only is None or chain.name in only):
            shares, frames = shape.chains[chain.name]
            now = chain.shares()
            middle = 0.5 * (now[1:] + now[:-1])
            index = np.clip(np.searchsorted(shares, middle) - 1, 0, len(frames) - 1)
            net.arrays.quat[chain.seg_rows] = frames[index]
            for id_, row in seats.clip_rows(chain):
                near = net.arrays.quat[row - 1]
                net.arrays.quat[row] = shape.clips.get((chain.name, id_), near)


def alike(net: Network, other: Network) -> set[str]:
    """Names of the chains that are held at their ends as those of another network are, which has been solved."""
    twins = {chain.name: chain for chain in other.kept.chains}
    return {
        chain.name
        for chain in net.asked.chains
        if (twin := twins.get(chain.name)) is not None
        and twin.held == chain.held
        and abs(twin.length - chain.length) < SAME_LENGTH * chain.length
        and all(_same(_end(net.asked, chain, side), _end(other.kept, twin, side)) for side in (0, 1))
    }


def _end(asked: Asked, chain: Chain, side: int) -> tuple[Array, Array] | str:
    """Point and frame of an end, or the name of what it goes along with."""
    body = asked.bodies[chain.bodies[side]]
    if body.is_free or chain.held[side] == FREED:
        return body.name
    return body.point + rotate(body.frame, chain.points[side]), multiply(body.frame, chain.frames[side])


def _same(one: tuple[Array, Array] | str, two: tuple[Array, Array] | str) -> bool:
    if isinstance(one, str) or isinstance(two, str):
        return isinstance(one, str) and isinstance(two, str)
    near = float(np.abs(one[0] - two[0]).max()) < SAME_POINT
    return near and 1.0 - abs(float(one[1] @ two[1])) < SAME_FRAME
