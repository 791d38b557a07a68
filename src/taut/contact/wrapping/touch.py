"""When a moving straight span first meets a convex body, and from which side.

All in the body's own frame, where the span moves from (A0, B0) to (A1, B1) within a step. Conservative advancement: the gap
tells how far both ends may go without a touch. The direction found points from the body to the span: the side on which the
rope has to stay, however far it has gone through by the end of the step.
"""

from __future__ import annotations

import math

from taut.contact.shapes import BOX, CYLINDER
from taut.contact.wrapping.vectors import cross, dot, minus, plus, size, unit
from taut.core.jit import kernel

#: least advance, as a part of the step; a gap that counts as a touch [m]
LEAST, TOUCH = 1.0 / 256.0, 1e-12


@kernel
def core_gap(a, b, half):
    """Distance of the span from the axis -half..half along local z, its direction from there, and the place on the axis."""
    d = minus(b, a)
    e = (0.0, 0.0, 2.0 * half)
    w = (a[0], a[1], a[2] + half)
    dd, ee, de, dw, ew = dot(d, d), dot(e, e), dot(d, e), dot(d, w), dot(e, w)
    det = dd * ee - de * de
    x = min(max((de * ew - ee * dw) / det, 0.0), 1.0) if det > 1e-14 * dd * ee else 0.0
    y = (de * x + ew) / ee if ee > 0.0 else 0.0
    if y < 0.0 or y > 1.0 or ee == 0.0:
        y = min(max(y, 0.0), 1.0)
        x = min(max((de * y - dw) / dd, 0.0), 1.0) if dd > 0.0 else 0.0
    apart = (w[0] + x * d[0], w[1] + x * d[1], w[2] + x * d[2] - 2.0 * half * y)
    far = size(apart)
    n = unit(apart) if far > 0.0 else unit(cross(d, (0.0, 0.0, 1.0)))
    return far, n, y


@kernel
def hull_gap(a, b, plane, first, last):
    """Least over the span of the largest distance from any face: below zero it cuts the body. And the way out, normal to
    the span where it cuts through two faces.

    A largest of straight lines: the lowest point lies where one that falls meets one that rises.
    """
    d = minus(b, a)
    low, high = -1, -1
    x, gap = 0.0, 0.0
    # the leading faces at both ends
    for end in range(2):
        best = -1
        most, slope = -math.inf, 0.0
        for k in range(first, last):
            n = (plane[k, 0], plane[k, 1], plane[k, 2])
            rise = dot(n, d)
            value = dot(n, a) - plane[k, 3] + end * rise
            # of equal ones that which leads further in
            if value > most or (value == most and (rise > slope) == (end == 0)):
                best, most, slope = k, value, rise
        if end == 0:
            low, gap = best, most
            if slope >= 0.0:
                return most, (plane[best, 0], plane[best, 1], plane[best, 2])
        else:
            high = best
            if slope <= 0.0:
                return most, (plane[best, 0], plane[best, 1], plane[best, 2])
    for _ in range(last - first + 2):
        n = (plane[low, 0], plane[low, 1], plane[low, 2])
        m = (plane[high, 0], plane[high, 1], plane[high, 2])
        falls, rises = dot(n, d), dot(m, d)
        x = (dot(n, a) - plane[low, 3] - dot(m, a) + plane[high, 3]) / (rises - falls)
        gap = dot(n, a) - plane[low, 3] + x * falls
        best, most, slope = -1, gap + 1e-13 * (abs(gap) + 1.0), 0.0
        for k in range(first, last):
            p = (plane[k, 0], plane[k, 1], plane[k, 2])
            value = dot(p, a) - plane[k, 3] + x * dot(p, d)
            if value > most:
                best, most, slope = k, value, dot(p, d)
        if best < 0:
            # n falls at `falls`, m rises at `rises`: together they do neither
            return gap, unit(plus((rises * n[0], rises * n[1], rises * n[2]), -falls, m))
        if slope < 0.0:
            low = best
        elif slope > 0.0:
            high = best
        else:
            return most, (plane[best, 0], plane[best, 1], plane[best, 2])
    return gap, (plane[low, 0], plane[low, 1], plane[low, 2])


@kernel
def gap_of(kind, extent, plane, first, last, a, b):
    """Gap between a span without thickness and a body, the way out, and the place on the axis of a round one."""
    if kind == BOX:
        gap, n = hull_gap(a, b, plane, first, last)
        return gap, n, 0.5
    far, n, y = core_gap(a, b, extent[1])
    return far - extent[0], n, y


@kernel
def first_touch(kind, extent, plane, first, last, radius, a0, b0, a1, b1):
    """(0: not met, 1: met on the way, 2: met from the start; direction from the body to the span; place on the axis, 0 to 1)."""
    way = max(size(minus(a1, a0)), size(minus(b1, b0)))
    time = 0.0
    for _ in range(400):
        a, b = plus(a0, time, minus(a1, a0)), plus(b0, time, minus(b1, b0))
        gap, n, y = gap_of(kind, extent, plane, first, last, a, b)
        gap -= radius
        # rope does not wrap round the end of a cylinder: it slips off
        beside = kind == CYLINDER and (y <= 0.0 or y >= 1.0)
        if gap <= TOUCH and not beside:
            return 1 if time > 0.0 else 2, n, y
        if time >= 1.0:
            break
        time = min(time + max(gap / way if way > 0.0 else 1.0, LEAST), 1.0)
    return 0, (0.0, 0.0, 0.0), 0.5
