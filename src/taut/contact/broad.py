"""Broad phase: pairs of shapes whose swept bounding boxes overlap, by sort and sweep along one axis.

The order along the axis is kept between steps, so that the insertion sort is nearly free when things move little
(Baraff 1992, "Dynamic Simulation of Non-Penetrating Rigid Bodies", section 4.2). The pairs leave in ascending order:
the result does not depend on what the order was before.
"""

from __future__ import annotations

from taut.contact.work import PAIR_TALLY, SWEEP_AXIS
from taut.core.jit import kernel


@kernel
def sweep_axis(pose, present):
    """Axis along which the centres spread most; the present one stays unless another spreads twice as much."""
    best, most = 0, -1.0
    for k in range(3):
        total, square = 0.0, 0.0
        for i in range(pose.shape[0]):
            x = pose[i, 9 + k] - pose[0, 9 + k]
            total += x
            square += x * x
        spread = square - total * total / pose.shape[0]
        if k == present:
            spread *= 2.0
        if spread > most:
            best, most = k, spread
    return best


@kernel
def sort_order(order, low, axis, stride):
    """Shell sort of `order` by low[:, axis] from `stride` down; 1 is insertion sort, for what is nearly in order."""
    while stride > 0:
        for p in range(stride, order.shape[0]):
            i = order[p]
            x = low[i, axis]
            q = p
            while q >= stride and low[order[q - stride], axis] > x:
                order[q] = order[q - stride]
                q -= stride
            order[q] = i
        stride //= 3


@kernel
def sort_pairs(pair, count):
    """Shell sort of the keys, ascending."""
    stride = 1
    while stride < count // 3:
        stride = 3 * stride + 1
    while stride > 0:
        for p in range(stride, count):
            key = pair[p]
            q = p
            while q >= stride and pair[q - stride] > key:
                pair[q] = pair[q - stride]
                q -= stride
            pair[q] = key
        stride //= 3


@kernel
def may_touch(i, j, body, group, mask, body_dynamic, excluded):
    """Neither of one body, both unmoved, masked out nor excluded."""
    a, b = body[i], body[j]
    if a > b:
        a, b = b, a
    if a == b or body_dynamic[a] + body_dynamic[b] == 0:
        return False
    if mask[i] & group[j] == 0 or mask[j] & group[i] == 0:
        return False
    key = a * body_dynamic.shape[0] + b
    first, last = 0, excluded.shape[0]
    while first < last:
        middle = (first + last) // 2
        if excluded[middle] == key:
            return False
        if excluded[middle] < key:
            first = middle + 1
        else:
            last = middle
    return True


@kernel
def broad(shapes, body_dynamic, work):
    """Fill work.pair with the pairs that may touch, ascending; their count, or minus it when they do not fit."""
    order, low, high, pair, tally, excluded = work.order, work.low, work.high, work.pair, work.tally, work.excluded
    body, group, mask = shapes.body, shapes.group, shapes.mask
    n = order.shape[0]
    axis = sweep_axis(work.pose, tally[SWEEP_AXIS])
    # a new axis is a new order: wide strides first
    stride = 1
    while axis != tally[SWEEP_AXIS] and stride < n // 3:
        stride = 3 * stride + 1
    tally[SWEEP_AXIS] = axis
    sort_order(order, low, axis, stride)
    u, v = (axis + 1) % 3, (axis + 2) % 3
    count = 0
    for p in range(n):
        i = order[p]
        for q in range(p + 1, n):
            j = order[q]
            if low[j, axis] > high[i, axis]:
                break
            if low[j, u] > high[i, u] or high[j, u] < low[i, u] or low[j, v] > high[i, v] or high[j, v] < low[i, v]:
                continue
            if may_touch(i, j, body, group, mask, body_dynamic, excluded):
                if count < pair.shape[0]:
                    pair[count] = i * n + j if i < j else j * n + i
                count += 1
    tally[PAIR_TALLY] = count
    if count > pair.shape[0]:
        return -count
    sort_pairs(pair, tally[PAIR_TALLY])
    return count
