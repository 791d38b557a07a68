"""Which cells of the rope may touch each other: a binary tree of boxes over the cells in their order along the rope.

A cell lies between two neighbouring layers. The tree is a heap over a power of two of leaves and never changes its form;
only its boxes are refitted. Boxes are grown by a margin, so that the pairs found stay complete until some mass has moved by
half of it.
"""

from __future__ import annotations

import math

import numpy as np

from taut.cables.honeycomb.arrays import (
    APART,
    CULLED_CELLS,
    FINE,
    LAYERS,
    PAIRS,
    PER_LAYER,
    REACH,
    REBUILDS,
    SKIN,
    TOO_MANY_PAIRS,
)  # fmt: skip
from taut.cables.honeycomb.tables import copy
from taut.core.jit import kernel

Array = np.ndarray


@kernel
def refit(pos: Array, size: Array, grow: float, tree: Array) -> None:
    """Boxes of all cells and of their groups."""
    leaves, per = tree.shape[0] // 2, size[PER_LAYER]
    for c in range(leaves):
        box = tree[leaves + c]
        if c >= size[LAYERS] - 1:
            # an empty box, which overlaps nothing
            for k in range(3):
                box[k], box[3 + k] = math.inf, -math.inf
            continue
        for k in range(3):
            low, high = math.inf, -math.inf
            for i in range(c * per, (c + 2) * per):
                low, high = min(low, pos[i, k]), max(high, pos[i, k])
            box[k], box[3 + k] = low - grow, high + grow
    for n in range(leaves - 1, 0, -1):
        for k in range(3):
            tree[n, k] = min(tree[2 * n, k], tree[2 * n + 1, k])
            tree[n, 3 + k] = max(tree[2 * n, 3 + k], tree[2 * n + 1, 3 + k])


@kernel
def overlap(tree: Array, a: int, b: int) -> bool:
    """Whether two boxes meet."""
    meet = True
    for k in range(3):
        meet = meet and tree[a, k] <= tree[b, 3 + k] and tree[b, k] <= tree[a, 3 + k]
    return meet


@kernel
def find_pairs(pos: Array, field: Array, size: Array, tree: Array, pair: Array, ref: Array, count: Array) -> int:
    """All pairs of cells whose grown boxes meet and that are not near each other along the rope."""
    refit(pos, size, field[SKIN] + 0.5 * field[REACH], tree)
    copy(pos, ref)
    count[REBUILDS] += 1
    count[PAIRS] = 0
    leaves = tree.shape[0] // 2
    # pairs still to be looked at wait at the far end of the pool, found ones grow from its beginning
    top = pair.shape[0] - 1
    pair[top, 0], pair[top, 1] = 1, 1
    while top < pair.shape[0]:
        a, b = pair[top, 0], pair[top, 1]
        top += 1
        if a != b and not overlap(tree, a, b):
            continue
        if a >= leaves:
            if b - a > size[APART]:
                if count[PAIRS] >= top:
                    return TOO_MANY_PAIRS
                pair[count[PAIRS], 0], pair[count[PAIRS], 1] = a - leaves, b - leaves
                count[PAIRS] += 1
            continue
        if top - 4 <= count[PAIRS]:
            return TOO_MANY_PAIRS
        # both nodes are of one level: the tree is split on both sides at once
        for left in range(2):
            for right in range(2):
                if a != b or left <= right:
                    top -= 1
                    pair[top, 0], pair[top, 1] = 2 * a + left, 2 * b + right
    cells = size[LAYERS] - 1
    count[CULLED_CELLS] = cells * (cells - 1) // 2 - count[PAIRS]
    return FINE


@kernel
def moved(pos: Array, ref: Array, reach: float) -> bool:
    """Whether some mass has used up half of the margin."""
    most = 0.25 * reach * reach
    for i in range(pos.shape[0]):
        x, y, z = pos[i, 0] - ref[i, 0], pos[i, 1] - ref[i, 1], pos[i, 2] - ref[i, 2]
        if x * x + y * y + z * z > most:
            return True
    return False
