"""Collision shapes: their codes, their sizes, and which pairs of them can be tested against each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

Array = np.ndarray

#: type codes; UNTOUCHABLE shapes are drawn and weighed but never collide
UNTOUCHABLE, SPHERE, BOX, CAPSULE, PLANE, CYLINDER = range(6)
TYPE_NAME = ("untouchable", "sphere", "box", "capsule", "plane", "cylinder")

#: contacts of one pair of shapes carry feature numbers below this
FEATURES = 4096


class Shapes(NamedTuple):
    """Constant collision geometry; `n` counts shapes.

    `size` by type [m]: sphere (radius, 0, 0), box (half extents), capsule and cylinder (radius, half length along
    local z without the caps, 0), plane (0, 0, 0; solid below, local z is its outward normal, infinite).
    Two shapes meet when each one's mask holds a bit of the other's group.
    """

    type: Array  # SPHERE ... CYLINDER, shape (n,)
    size: Array  # half sizes by type [m], shape (n, 3)
    body: Array  # body that carries the shape, shape (n,)
    pos: Array  # centre in the body frame [m], shape (n, 3)
    quat: Array  # shape axes to body axes, shape (n, 4)
    material: Array  # index into the tables of materials, shape (n,)
    group: Array  # bit set: what the shape is, shape (n,)
    mask: Array  # bit set: what the shape meets, shape (n,)


def make_shapes(
    type: Sequence[int],
    size: Sequence[Sequence[float]],
    body: Sequence[int],
    *,
    pos: Sequence[Sequence[float]] | Array | None = None,
    quat: Sequence[Sequence[float]] | Array | None = None,
    material: Sequence[int] | Array | None = None,
    group: Sequence[int] | Array | None = None,
    mask: Sequence[int] | Array | None = None,
) -> Shapes:
    """Arrays of the right type and order; by default centred on the body, of one group, meeting everything."""
    n = len(type)
    index = lambda given, default: np.array([default] * n if given is None else given, np.int64).reshape(n)  # noqa: E731
    table = lambda given, width: np.array(given, np.float64, order="C").reshape(n, width)  # noqa: E731
    return Shapes(
        type=index(type, 0),
        size=table(size, 3),
        body=index(body, 0),
        pos=table([(0.0, 0.0, 0.0)] * n if pos is None else pos, 3),
        quat=table([(1.0, 0.0, 0.0, 0.0)] * n if quat is None else quat, 4),
        material=index(material, 0),
        group=index(group, 1),
        mask=index(mask, -1),
    )


def _supported() -> Array:
    table = np.zeros((len(TYPE_NAME), len(TYPE_NAME)), dtype=bool)
    basic = (SPHERE, BOX, CAPSULE)
    pairs = [(a, b) for a in (*basic, PLANE) for b in basic] + [(CYLINDER, PLANE), (CYLINDER, SPHERE)]
    for a, b in pairs:
        table[a, b] = table[b, a] = True
    # an untouchable shape is no mistake beside anything, nor are two planes: both are static
    table[UNTOUCHABLE, :] = table[:, UNTOUCHABLE] = table[PLANE, PLANE] = True
    return table


#: SUPPORTED[type_a, type_b]: False when the narrow phase has no test for the pair and would let it pass through
SUPPORTED = _supported()


def unsupported_pairs(shapes: Shapes, body_dynamic: Array, excluded: Array | None = None) -> list[tuple[int, int]]:
    """Shape pairs (i, j), i < j, that could meet but have no test, so that compile can name them.

    `excluded`: keys of body pairs that never touch, as in `make_work`.
    """
    apart = set() if excluded is None else set(excluded.tolist())
    found = []
    for i in range(len(shapes.type)):
        for j in np.flatnonzero(~SUPPORTED[shapes.type[i], shapes.type[i + 1 :]]) + i + 1:
            a, b = sorted((int(shapes.body[i]), int(shapes.body[j])))
            meets = shapes.mask[i] & shapes.group[j] and shapes.mask[j] & shapes.group[i]
            moves = body_dynamic[a] or body_dynamic[b]
            if a != b and meets and moves and a * len(body_dynamic) + b not in apart:
                found.append((i, int(j)))
    return found
