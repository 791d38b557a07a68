"""Length, ends, handles and loads, written into the solver's arrays."""

from __future__ import annotations

import math

import numpy as np

from taut.cables.rod import first
from taut.cables.rod.arrays import PART, POINT, SEGMENT, Array, Arrays
from taut.cables.rod.asked import Asked
from taut.cables.rod.properties import Properties


def place_length(arrays: Arrays, asked: Asked, properties: Properties, length: float) -> None:
    """Segments, joints and where along them the held points are."""
    n = asked.segments
    arrays.seg_length[:] = length / n
    joint_length, stiffness, rest = properties.joints(arrays.seg_length)
    arrays.joint_length[:], arrays.joint_stiffness[:], arrays.joint_rest[:] = joint_length, stiffness, rest
    for side, joint in enumerate((0, n)):
        if not asked.clamped(side):
            arrays.joint_stiffness[joint] = 0.0
    for h, share in enumerate(asked.shares):
        segment, arrays.held[h, PART] = asked.locate(share, length)
        arrays.held[h, SEGMENT] = segment + 1


def place_loads(arrays: Arrays, asked: Asked, properties: Properties, gravity: Array) -> tuple[Array, Array]:
    """Length of each segment times all dead load beyond it and half its own weight; returns the sum and the scales."""
    lengths = arrays.seg_length
    length = float(lengths.sum())
    weights = (properties.mass * lengths)[:, None] * gravity
    total = weights.sum(axis=0)
    size = float(np.abs(weights).sum())
    arrays.seg_load[:] = lengths[:, None] * (total - np.cumsum(weights, axis=0) + 0.5 * weights)
    for load in asked.loads.values():
        i, part = asked.locate(load.share, length)
        arrays.seg_load[:i] += lengths[:i, None] * load.value
        arrays.seg_load[i] += part * load.value
        total = total + load.value
        size += float(np.abs(load.value).sum())
    most, least = float(properties.stiffness.max()), float(properties.stiffness.min())
    joints = arrays.joint_length
    stiffest, softest = 4.0 * most / float(joints.min()), 4.0 * least / float(joints.max())
    return total, np.array([most / length**2 + size, length, stiffest, softest])


def place_ends(arrays: Arrays, start: Array, held: Array, quats: Array) -> None:
    """Points and frames that are held."""
    arrays.start[:] = start
    arrays.held[:, POINT : POINT + 3] = held
    arrays.quat[0], arrays.quat[-1] = quats


def guess(arrays: Arrays, asked: Asked, load: Array) -> Array:
    """Frames of the segments to begin with, shape (n, 4)."""
    firsts = arrays.quat[0] if asked.clamped(0) else None
    lasts = arrays.quat[-1] if asked.clamped(1) else None
    size = math.sqrt(load @ load)
    down = load / size if size > 0.0 else np.zeros(3)
    hang = down if size > 0.0 else np.array([1.0, 0.0, 0.0])
    if len(arrays.held) == 0:
        begin = first.aligned(hang) if firsts is None else firsts
        return first.rest_shape(begin, arrays.joint_length, arrays.joint_rest, firsts is not None)
    shares = [0.0, *asked.shares]
    points = np.vstack([arrays.start, arrays.held[:, POINT : POINT + 3]])
    if asked.ends_free:
        # beyond the last handle it hangs
        points = np.vstack([points, points[-1] + 0.99 * (1.0 - shares[-1]) * asked.length * hang])
        shares.append(1.0)
    return first.curve(points, np.array(shares) * asked.length, firsts, lasts, down, arrays.seg_length)
