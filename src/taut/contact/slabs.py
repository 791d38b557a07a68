"""Many shapes are swept in slabs: each slab by itself and with its neighbours.

A sweep along one axis looks at all shapes that overlap there: for each of n segments that lie on the ground at some sqrt(n) others.
Slabs across a second axis, as wide as the largest shape, leave only those nearby. The few shapes that are much larger than the
others are tested against all.
"""

from __future__ import annotations

import math

from taut.core.jit import kernel

#: shapes from which on there is more than one slab, and how many of them may be large
MANY, MOST_LARGE = 256, 64
#: a shape is large from so many times the mean size on
LARGE = 4.0


@kernel
def _size(low, high, i):
    """Largest width of a bounding box [m]; negative for what touches nothing."""
    return max(high[i, 0] - low[i, 0], high[i, 1] - low[i, 1], high[i, 2] - low[i, 2])


@kernel
def slab_width(low, high, n):
    """Width of a slab [m]: that of the largest shape which is not large; 0 where one slab is better."""
    if n < MANY:
        return 0.0
    limit = 1e150  # planes have no size
    for _ in range(2):
        total, count = 0.0, 0
        for i in range(n):
            size = _size(low, high, i)
            if 0.0 <= size <= limit:
                total += size
                count += 1
        limit = LARGE * total / max(count, 1)
    width, large = 0.0, 0
    for i in range(n):
        size = _size(low, high, i)
        if size > limit:
            large += 1
        else:
            width = max(width, size)
    return width if large <= MOST_LARGE else 0.0


@kernel
def cut_slabs(order, low, high, axis, width, slab, place, start):
    """Sort the shapes into slabs across `axis`, in each by `order`; returns the number of slabs.

    `slab`: that of every shape; the large ones are in the last but one; the last one has what touches nothing. `place`: shapes slab by slab;
    `start`: where each slab begins in it. Without a width all that touch are in one slab.
    """
    n = order.shape[0]
    least = math.inf
    for i in range(n):
        if 0.0 <= _size(low, high, i) <= width:
            least = min(least, low[i, axis])
    slabs = 1 if width == 0.0 else n
    for k in range(slabs + 3):
        start[k] = 0
    for i in range(n):
        size = _size(low, high, i)
        if size < 0.0:
            slab[i] = slabs + 1
        elif width == 0.0:
            slab[i] = 0
        elif size > width:
            slab[i] = slabs
        else:
            slab[i] = int(min((low[i, axis] - least) / width, slabs - 1.0))
        start[slab[i] + 1] += 1
    for k in range(slabs + 2):
        start[k + 1] += start[k]
    for p in range(n):
        i = order[p]
        place[start[slab[i]]] = i
        start[slab[i]] += 1
    for k in range(slabs + 2, 0, -1):
        start[k] = start[k - 1]
    start[0] = 0
    return slabs
