"""Tables of a scene whose segmented cables are divided in another way than they were laid: what the step then works on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from taut.cables.segmented.columns import (
    A_BENT,
    A_LINE,
    A_MERGE,
    A_QUIET,
    A_SPLIT,
    A_STRAIGHT,
    E_BEND,
    E_BEND_ACROSS,
    E_LEAST,
    E_LINE,
    E_LONG,
    E_MOST,
    E_NEXT_LENGTH,
    E_RADIUS,
    E_SHORT,
    E_STRETCH,
    E_TWIST,
)
from taut.compile import frames
from taut.compile.bodies import THIN, BodyTable
from taut.compile.joints import JointTable
from taut.compile.pools import BENT, LONG, MERGED, QUIET, SHORT, SPLIT, STRAIGHT, Layout, Pool, anchor
from taut.contact.shapes import Shapes
from taut.core.codes import NEEDLE, SEGMENT, STOUT
from taut.core.model import J_A, J_ARM_A, J_ARM_B, J_B, J_COMPLIANCE, J_FRAME_A, J_FRAME_B

Array = np.ndarray


@dataclass(frozen=True)
class Divided:
    """Tables of bodies, joints and shapes as the cables are divided, and what is watched."""

    bodies: BodyTable
    joints: JointTable
    shapes: Shapes | None
    follow_int: Array
    follow_pose: Array
    watch_int: Array
    watch_law: Array
    strand_law: Array
    feed_int: Array
    feed_law: Array
    feed_length: Array  # at the start [m], shape (feeds,)


def divide(
    bodies: BodyTable, joints: JointTable, shapes: Shapes | None, pools: Sequence[Pool], layouts: Sequence[Layout]
) -> Divided:
    """The tables of the finest segments as `layouts` say they move."""
    follow, pose = _followers(pools, layouts, joints)
    moved = _bodies(bodies, pools, layouts)
    host = np.arange(len(bodies.names))
    host[follow[:, 0]] = follow[:, 1]
    frame = np.tile([0.0, 0.0, 0.0, *frames.IDENTITY], (len(bodies.names), 1))
    for pool, layout in zip(pools, layouts):
        for run in layout.runs:
            frame[pool.slots[run.first : run.last]] = run.poses
    table, numbers = _joints(joints, pools, layouts, host, frame)
    watch_int, watch_law = _watched(pools, layouts, numbers)
    feed_int, feed_law, lengths = _feeds(pools, layouts, numbers)
    stored = [pool.slots[inside] for pool, layout in zip(pools, layouts) for inside in _not_out(pool, layout)]
    laws = np.zeros((len(pools), 6))
    for k, pool in enumerate(pools):
        laws[k, [A_LINE, A_STRAIGHT, A_BENT, A_MERGE, A_SPLIT, A_QUIET]] = (
            pool.line,
            STRAIGHT,
            BENT,
            MERGED,
            SPLIT,
            QUIET,
        )
    return Divided(
        moved,
        table,
        _shapes(shapes, host, frame, np.concatenate(stored)),
        follow,
        pose,
        watch_int,
        watch_law,
        laws,
        feed_int,
        feed_law,
        lengths,
    )


def _not_out(pool: Pool, layout: Layout) -> tuple[slice, slice]:
    """Segments before and after those that are out; all of them where the cable is not segmented now."""
    if not layout.runs:
        return slice(0, pool.count), slice(0, 0)
    return slice(0, layout.runs[0].first), slice(layout.runs[-1].last, pool.count)


def _followers(pools: Sequence[Pool], layouts: Sequence[Layout], joints: JointTable) -> tuple[Array, Array]:
    """Segments that another body carries along, that body, and their poses in it."""
    pairs: list[tuple[int, int]] = []
    poses: list[Array] = []
    for pool, layout in zip(pools, layouts):
        for run in layout.runs:
            pairs += [(int(pool.slots[k]), int(pool.slots[run.first])) for k in range(run.first + 1, run.last)]
            poses += list(run.poses[1:])
        if not layout.runs:
            continue  # they lie along a rope: who shows them places them
        inside = ((0, range(layout.runs[0].first)), (1, range(layout.runs[-1].last, pool.count)))
        for end, slots in inside:
            for k in slots:
                pairs.append((int(pool.slots[k]), pool.held[end]))
                poses.append(np.concatenate(anchor(pool, joints, end)))
    return np.array(pairs, np.int64).reshape(-1, 2), np.array(poses, float).reshape(-1, 7)


def _bodies(bodies: BodyTable, pools: Sequence[Pool], layouts: Sequence[Layout]) -> BodyTable:
    dynamic, mass, inertia = bodies.dynamic.copy(), bodies.mass.copy(), bodies.inertia.copy()
    rotor, centre, frame = bodies.rotor.copy(), bodies.centre.copy(), bodies.frame.copy()
    for pool, layout in zip(pools, layouts):
        dynamic[pool.slots] = 0
        for run in layout.runs:
            i = pool.slots[run.first]
            back = frames.conjugate(run.poses[0, 3:])
            dynamic[i], mass[i], inertia[i] = 1, run.mass, run.inertia
            rotor[i] = NEEDLE if run.inertia[2] < THIN * run.inertia[0] else STOUT
            centre[i], frame[i] = -frames.rotate(back, run.poses[0, :3]), back
    node = np.where(dynamic == 1, np.cumsum(dynamic) - 1, -1)
    return replace(
        bodies, dynamic=dynamic, node=node, mass=mass, inertia=inertia, rotor=rotor, centre=centre, frame=frame
    )


def _joints(
    joints: JointTable, pools: Sequence[Pool], layouts: Sequence[Layout], host: Array, frame: Array
) -> tuple[JointTable, Array]:
    """Joints that still hold something, with arms in the bodies that carry their segments; and the new number of each."""
    integers, located, rows = joints.integers.copy(), joints.frames.copy(), joints.rows.copy()
    kept = np.ones(len(joints.groups), bool)
    for pool in pools:
        kept[pool.groups[pool.groups >= 0]] = False
    # what else holds a segment, as grips do, holds the body that carries it
    for side, arm, turn in ((J_A, J_ARM_A, J_FRAME_A), (J_B, J_ARM_B, J_FRAME_B)):
        for g in np.flatnonzero(kept & (host[integers[:, side]] != integers[:, side])):
            i = integers[g, side]
            integers[g, side] = host[i]
            located[g, arm : arm + 3] = frame[i, :3] + frames.rotate(frame[i, 3:], located[g, arm : arm + 3])
            located[g, turn : turn + 4] = frames.multiply(frame[i, 3:], located[g, turn : turn + 4])
    for pool, layout in zip(pools, layouts):
        for j, before, after in boundaries(pool, layout):
            g = pool.groups[j]
            kept[g] = True
            length = 0.0
            if before is not None:
                run = layout.runs[before]
                integers[g, J_A], length = pool.slots[run.first], length + 0.5 * run.length
                located[g, J_ARM_A : J_ARM_A + 3], located[g, J_FRAME_A : J_FRAME_A + 4] = run.end, run.end_frame
            if after is not None:
                run = layout.runs[after]
                integers[g, J_B], length = pool.slots[run.first], length + 0.5 * run.length
                located[g, J_ARM_B : J_ARM_B + 3], located[g, J_FRAME_B : J_FRAME_B + 4] = run.begin, run.begin_frame
            # the bend of merged segments is held as it is; stretch and twist are shared out
            rows[g, J_COMPLIANCE : J_COMPLIANCE + 3] = length * pool.stretch
            if joints.groups[g].kind == SEGMENT:
                rows[g, J_COMPLIANCE + 5] = length * pool.twist
    numbers = np.where(kept, np.cumsum(kept) - 1, -1)

    def renumbered(table: dict[str, int]) -> dict[str, int]:
        return {name: int(numbers[g]) for name, g in table.items() if kept[g]}

    table = replace(
        joints, groups=tuple(group for group, keep in zip(joints.groups, kept) if keep),
        first=renumbered(joints.first), motor=renumbered(joints.motor), limit=renumbered(joints.limit),
        integers=integers[kept], frames=located[kept], rows=rows[kept], values=joints.values[kept],
    )  # fmt: skip
    return table, numbers


def boundaries(pool: Pool, layout: Layout) -> list[tuple[int, int | None, int | None]]:
    """Joints that hold: number along the cable, and the runs before and after it."""
    runs = layout.runs
    found: list[tuple[int, int | None, int | None]] = []
    if not runs:
        return found
    if pool.held[0] >= 0:
        found.append((0, None, 0))
    found += [(run.first, k, k + 1) for k, run in enumerate(runs[1:])]
    if pool.loop:
        found.append((pool.count, len(runs) - 1, 0))
    elif pool.held[1] >= 0:
        found.append((pool.count, len(runs) - 1, None))
    return [each for each in found if each[0] not in layout.parted]


def _watched(pools: Sequence[Pool], layouts: Sequence[Layout], numbers: Array) -> tuple[Array, Array]:
    integers: list[list[int]] = []
    laws: list[list[float]] = []
    for strand, (pool, layout) in enumerate(zip(pools, layouts)):
        fed = pool.feeding(layout)
        for j, before, after in boundaries(pool, layout):
            sides = [None if k is None else layout.runs[k] for k in (before, after)]
            merge = pool.auto and None not in sides and before not in fed and after not in fed
            split = [int(run is not None and not run.single) for run in sides]
            tells = next(run for run in reversed(sides) if run is not None)
            integers.append([int(numbers[pool.groups[j]]), strand, int(merge), *split, int(pool.slots[tells.first])])
            laws.append([*(0.0 if run is None else run.length for run in sides), pool.strength])
    return np.array(integers, np.int64).reshape(-1, 6), np.array(laws, float).reshape(-1, 3)


def _feeds(pools: Sequence[Pool], layouts: Sequence[Layout], numbers: Array) -> tuple[Array, Array, Array]:
    integers, laws, lengths = [], [], []
    for pool, layout in zip(pools, layouts):
        where = {(before, after): j for j, before, after in boundaries(pool, layout)}
        runs = layout.runs
        if not runs:
            continue
        for end, drive in enumerate(pool.drives):
            if drive < 0:
                continue
            k, side = (0, 1) if end == 0 else (len(runs) - 1, -1)
            run, step = runs[k], 1 if end == 0 else -1
            beyond = k + step if 0 <= k + step < len(runs) else None
            pair = (k, beyond) if end == 0 else (beyond, k)
            near = pool.groups[0 if end == 0 else pool.count]
            far = where.get(pair)
            integers.append([
                int(numbers[near]), -1 if far is None else int(numbers[pool.groups[far]]), int(pool.slots[run.first]),
                side, drive,
            ])  # fmt: skip
            law = np.zeros(11)
            unit = float(pool.lengths[run.first])
            inside = run.first if end == 0 else pool.count - run.last
            out = _paid(pool, layout, end)
            law[[E_LINE, E_RADIUS, E_STRETCH, E_BEND, E_BEND_ACROSS, E_TWIST]] = (
                pool.line, pool.radius, pool.stretch, *pool.bend, pool.twist,
            )  # fmt: skip
            law[E_NEXT_LENGTH] = 0.0 if beyond is None else runs[beyond].length
            law[E_LONG] = LONG * unit if inside > 0 else math.inf
            law[E_SHORT] = SHORT * unit if beyond is not None else -math.inf
            law[E_MOST] = run.length + pool.rest[end] - out
            # the last segment does not go in, nor what the other end pays out
            law[E_LEAST] = SHORT * unit + run.length - _others(pool, layout, end)
            laws.append(law)
            lengths.append(run.length)
    return (
        np.array(integers, np.int64).reshape(-1, 5), np.array(laws, float).reshape(-1, 11), np.array(lengths, float)
    )  # fmt: skip


def _paid(pool: Pool, layout: Layout, end: int) -> float:
    """Length that has come out at an end since the start [m]; less than nothing when it has gone in."""
    runs, first, last = layout.runs, pool.stored[0], pool.count - pool.stored[1]
    run = runs[0] if end == 0 else runs[-1]
    # whole segments that came out, and what the one that is paid out has beyond or short of its own length
    whole = pool.lengths[run.first : first].sum() if end == 0 else pool.lengths[last : run.last].sum()
    gone = pool.lengths[first : run.first].sum() if end == 0 else pool.lengths[run.last : last].sum()
    return float(whole - gone + run.length - pool.lengths[run.first])


def _others(pool: Pool, layout: Layout, end: int) -> float:
    """Length out that this end could reel in: all but what the other end pays out [m]."""
    runs = layout.runs
    kept = runs[1:] if end == 0 else runs[:-1]
    if pool.drives[1 - end] >= 0 and kept:
        kept = kept[:-1] if end == 0 else kept[1:]
    return sum(run.length for run in kept) + (runs[0] if end == 0 else runs[-1]).length


def _shapes(shapes: Shapes | None, host: Array, frame: Array, stored: Array) -> Shapes | None:
    """Shapes of merged segments belong to the body that carries them; those of what is not paid out touch nothing."""
    if shapes is None:
        return None
    inside = np.isin(shapes.body, stored)
    group, mask = np.where(inside, 0, shapes.group), np.where(inside, 0, shapes.mask)
    body, pos, quat = shapes.body.copy(), shapes.pos.copy(), shapes.quat.copy()
    changed = np.flatnonzero((host[body] != body) | (frame[body] != [0.0, 0.0, 0.0, *frames.IDENTITY]).any(axis=1))
    if len(changed):
        at = frame[body[changed]]
        pos[changed] = at[:, :3] + frames.rotate(at[:, 3:], pos[changed])
        quat[changed] = frames.multiply(at[:, 3:], quat[changed])
        body[changed] = host[body[changed]]
    return shapes._replace(body=body, pos=pos, quat=quat, group=group, mask=mask)
