"""Broad phase: pairs of shapes whose swept bounding boxes overlap, by sort and sweep along one axis; where there are
many in slabs across another (taut.contact.slabs), so that the time is linear in their number.

The order along the axis is kept between steps, so that the insertion sort is nearly free when things move little
(Baraff 1992, "Dynamic Simulation of Non-Penetrating Rigid Bodies", section 4.2). The pairs leave in ascending order:
the result does not depend on what the order was before.
"""

from __future__ import annotations

from taut.contact.allowed import may_touch
from taut.contact.slabs import cut_slabs, slab_width
from taut.contact.work import PAIR_TALLY, SWEEP_AXIS
from taut.core.jit import kernel


@kernel
def sweep_axis(pose, present):
    """Axis along which the centres spread most, and the next one; the present one stays unless another spreads twice as much."""
    n = pose.shape[0]
    tx, ty, tz, sx, sy, sz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(n):
        x, y, z = pose[i, 9] - pose[0, 9], pose[i, 10] - pose[0, 10], pose[i, 11] - pose[0, 11]
        tx, ty, tz = tx + x, ty + y, tz + z
        sx, sy, sz = sx + x * x, sy + y * y, sz + z * z
    best, most, second, next_most = 0, -1.0, 1, -1.0
    for k in range(3):
        total, square = (tx, sx) if k == 0 else ((ty, sy) if k == 1 else (tz, sz))
        spread = square - total * total / max(n, 1)
        if k == present:
            spread *= 2.0
        if spread > most:
            best, most, second, next_most = k, spread, best, most
        elif spread > next_most:
            second, next_most = k, spread
    return best, second if second != best else (best + 1) % 3


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
def sort_pairs(raw, pair, count, n, put):
    """Sort the keys i * n + j, ascending, from `raw` into `pair`: each to the part of its i, then by j, of which each i has few.

    Scratch: `put` (n + 1), where the next key of an i goes, in the end where its part ends.
    """
    for i in range(n + 1):
        put[i] = 0
    for p in range(count):
        put[raw[p] // n + 1] += 1
    for i in range(n):
        put[i + 1] += put[i]
    for p in range(count):
        i = raw[p] // n
        pair[put[i]] = raw[p]
        put[i] += 1
    first = 0
    for i in range(n):
        # a large shape has many: wide strides first (Shell sort)
        stride = 1
        while stride < (put[i] - first) // 3:
            stride = 3 * stride + 1
        while stride > 0:
            for p in range(first + stride, put[i]):
                key, q = pair[p], p
                while q >= first + stride and pair[q - stride] > key:
                    pair[q] = pair[q - stride]
                    q -= stride
                pair[q] = key
            stride //= 3
        first = put[i]


@kernel
def _scan_large(i, first, last, shapes, body_dynamic, work, count):
    """Append the pairs of a large shape i with all of place[first:last], wherever they begin; returns how many there are then, also
    those that do not fit."""
    low, high, pair, place = work.low, work.high, work.raw, work.place
    body, group, mask, n = shapes.body, shapes.group, shapes.mask, work.order.shape[0]
    for q in range(first, last):
        j, apart = place[q], False
        for k in range(3):
            apart = apart or low[j, k] > high[i, k] or high[j, k] < low[i, k]
        if not apart and may_touch(i, j, body, group, mask, body_dynamic, work.excluded):
            if count < pair.shape[0]:
                pair[count] = i * n + j if i < j else j * n + i
            count += 1
    return count


@kernel
def _sweep_slabs(shapes, body_dynamic, work, axis, slabs):
    """Fill work.raw with the pairs of shapes that are not large; returns how many there are, also those that do not fit."""
    low, high, pair, place, start, excluded = work.low, work.high, work.raw, work.place, work.start, work.excluded
    body, group, mask, n = shapes.body, shapes.group, shapes.mask, work.order.shape[0]
    u, v = (axis + 1) % 3, (axis + 2) % 3
    count = 0
    for slab in range(slabs):
        end, before, after = start[slab + 1], start[max(slab - 1, 0)], start[slab + 1]
        stop = start[slab + 2] if slab + 1 < slabs else end
        for p in range(start[slab], end):
            i = place[p]
            begins, ends = low[i, axis], high[i, axis]
            # shapes of the slabs on both sides that begin after this one; of two that begin together the lower slab's sees the other
            while before < start[slab] and low[place[before], axis] <= begins:
                before += 1
            while after < stop and low[place[after], axis] < begins:
                after += 1
            for side in range(3):
                first, last = p + 1, end
                if side > 0:
                    first, last = (before, start[slab]) if side == 1 else (after, stop)
                for q in range(first, last):
                    j = place[q]
                    if low[j, axis] > ends:
                        break
                    if low[j, u] > high[i, u] or high[j, u] < low[i, u]:
                        continue
                    if low[j, v] > high[i, v] or high[j, v] < low[i, v]:
                        continue
                    if may_touch(i, j, body, group, mask, body_dynamic, excluded):
                        if count < pair.shape[0]:
                            pair[count] = i * n + j if i < j else j * n + i
                        count += 1
    return count


@kernel
def broad(shapes, body_dynamic, work):
    """Fill work.pair with the pairs that may touch, ascending; their count, or minus it when they do not fit."""
    order, low, high, tally, place, start = work.order, work.low, work.high, work.tally, work.place, work.start
    n = order.shape[0]
    axis, across = sweep_axis(work.pose, tally[SWEEP_AXIS])
    # a new axis is a new order: wide strides first
    stride = 1
    while axis != tally[SWEEP_AXIS] and stride < n // 3:
        stride = 3 * stride + 1
    tally[SWEEP_AXIS] = axis
    sort_order(order, low, axis, stride)
    slabs = cut_slabs(order, low, high, across, slab_width(low, high, n), work.slab, place, start)
    count = _sweep_slabs(shapes, body_dynamic, work, axis, slabs)
    for p in range(start[slabs], start[slabs + 1]):
        count = _scan_large(place[p], 0, start[slabs], shapes, body_dynamic, work, count)
        count = _scan_large(place[p], p + 1, start[slabs + 1], shapes, body_dynamic, work, count)
    tally[PAIR_TALLY] = count
    if count > work.pair.shape[0]:
        return -count
    sort_pairs(work.raw, work.pair, tally[PAIR_TALLY], n, start)
    return count
