"""The frames to begin with: smooth curves of the right length through all that is held."""

from __future__ import annotations

import math

import numpy as np

from taut.cables.rod import arrays as col
from taut.cables.rod import first
from taut.cables.rod.arrays import Array, Arrays
from taut.cables.rod.chain import CLAMPED, FREED, Chain
from taut.cables.rod.ends import multiply, rotate
from taut.cables.rod.targets import Body

AXIS = np.array([0.0, 0.0, 1.0])
#: share of the length within which a point of the guess says nothing beside one that is held
NEAR = 0.02


def guess(arrays: Arrays, chains: list[Chain], bodies: list[Body]) -> None:
    """Write frames of segments and clips."""
    for chain in chains:
        _guess(arrays, chain, bodies)


def _guess(arrays: Arrays, chain: Chain, bodies: list[Body]) -> None:
    ends = [_end(chain, bodies, side) for side in range(2)]
    load = arrays.chain[chain.index, col.TOTAL : col.TOTAL + 3]
    size = math.sqrt(load @ load)
    down = load / size if size > 0.0 else np.zeros(3)
    hang = down if size > 0.0 else np.array([1.0, 0.0, 0.0])
    start, begin = ends[0]
    stops: list[tuple[float, Array, Array | None]] = [
        (clip.share, clip.point, rotate(clip.frame, AXIS) if clip.locked[0] else None) for clip in chain.order
    ]
    stops += [(handle.share, handle.point, None) for handle in chain.handle_order if handle.body < 0]
    stops += [(share, point, None) for share, point in chain.through if _between(share, stops)]
    stops.sort(key=lambda stop: stop[0])
    if chain.held[1] != FREED:
        stops.append((1.0, ends[1][0], None if ends[1][1] is None else rotate(ends[1][1], AXIS)))
    if not stops:
        frame = first.aligned(hang) if begin is None else begin
        rows = arrays.rod[chain.first : chain.last]
        shape = first.rest_shape(frame, rows[:, col.JOINT], rows[:, col.REST : col.REST + 3], begin is not None)
        arrays.quat[chain.seg_rows] = shape
        return
    if chain.held[1] == FREED:
        # beyond the last handle it hangs
        share, point, _ = stops[-1]
        if share < 1.0:
            stops.append((1.0, point + 0.99 * (1.0 - share) * chain.length * hang, None))
    if chain.held[0] == FREED:
        share, point, _ = stops[0]
        start = point + 0.99 * share * chain.length * hang
    points = np.vstack([start, *(point for _, point, _ in stops)])
    arcs = np.array([0.0, *(share for share, _, _ in stops)]) * chain.length
    tangents = [None if begin is None else rotate(begin, AXIS), *(tangent for _, _, tangent in stops)]
    ways = first.chords(points, arcs, tangents, down, chain.shares() * chain.length)
    if chain.held[0] == FREED:
        arrays.body[chain.bodies[0], col.POS : col.POS + 3] = start
    _frames(arrays, chain, ways, begin, ends[1][1])


def _between(share: float, stops: list[tuple[float, Array, Array | None]]) -> bool:
    """Whether a point of the guess is far enough from the ends and from what is held for a curve of its own."""
    return NEAR < share < 1.0 - NEAR and all(abs(share - other) > NEAR for other, _, _ in stops)


def _end(chain: Chain, bodies: list[Body], side: int) -> tuple[Array, Array | None]:
    """Point of an end, and its frame where that is held."""
    body = bodies[chain.bodies[side]]
    point = body.point + rotate(body.frame, chain.points[side])
    return point, multiply(body.frame, chain.frames[side]) if chain.held[side] == CLAMPED else None


def _frames(arrays: Arrays, chain: Chain, ways: Array, begin: Array | None, end: Array | None) -> None:
    """Frames along the curve, with the twist spread evenly between frames that hold it."""
    done, before, at = 0, begin, 0
    clips = [*zip(chain.order, chain.clip_rows), (None, chain.last)]
    for k, (clip, row) in enumerate(clips):
        at += chain.counts[k]
        holds = clip is None or clip.locked[2]
        if not holds:
            continue
        after = end if clip is None else clip.frame
        arrays.quat[chain.seg_rows[done:at]] = first.transport(ways[done:at], before, after)
        done, before = at, after
        if clip is not None:
            arrays.quat[row] = clip.frame
    for k, (clip, row) in enumerate(clips[:-1]):
        if clip is not None and not clip.locked[2]:
            near = arrays.quat[chain.seg_rows[sum(chain.counts[: k + 1]) - 1]]
            free = sum(not one for one in clip.locked) == 3
            arrays.quat[row] = near if free else clip.frame
