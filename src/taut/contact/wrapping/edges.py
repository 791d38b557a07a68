"""The edge of a polyhedron that a span has to go over.

In the plane of the span and the way out m, the body shows a polygon whose corners are edges. Of the corners above the
straight line the highest lies on the taut path round it, as in the first step of a quickhull; the others follow by asking
the same of the two halves.
"""

from __future__ import annotations

import math

from taut.contact.wrapping.vectors import across, cross, dot, minus, plus, size, unit
from taut.core.jit import kernel


@kernel
def highest_edge(a, b, m, edge, first, last, radius, skip_one, skip_two, skip_three):
    """(edge or -1, by how much its rounded form stands above the line, where it is cut from 0 to 1)."""
    d = minus(b, a)
    length = size(d)
    best, most, where = -1, 0.0, 0.0
    if length == 0.0:
        return best, most, where
    d = (d[0] / length, d[1] / length, d[2] / length)
    m = across(m, d)
    q = cross(d, m)
    for k in range(first, last):
        if k == skip_one or k == skip_two or k == skip_three:
            continue
        one = (edge[k, 0], edge[k, 1], edge[k, 2])
        two = (edge[k, 3], edge[k, 4], edge[k, 5])
        s, t = dot(minus(one, a), q), dot(minus(two, a), q)
        if s * t > 0.0 or s == t:
            continue
        y = s / (s - t)
        at = plus(one, y, minus(two, one))
        x = dot(minus(at, a), d)
        if x <= 1e-9 * length or x >= (1.0 - 1e-9) * length:
            continue
        # the rounded edge is a cylinder: how far it stands out counts along the common normal of line and edge
        n = unit(cross(d, minus(two, one)))
        lean = abs(dot(n, m))
        above = dot(minus(at, a), m) * lean + radius
        if above > most:
            best, most, where = k, above, y
    return best, most, where


@kernel
def least_way_out(a, b, edge, first, last):
    """Direction normal to a line in which a polyhedron stands out least above it: the shortest way off it.

    Seen along the line the body is a polygon; its sides belong to edges, and their normals are the directions to try.
    """
    d = unit(minus(b, a))
    least, best = math.inf, (0.0, 0.0, 0.0)
    for k in range(first, last):
        n = unit(cross(d, (edge[k, 3] - edge[k, 0], edge[k, 4] - edge[k, 1], edge[k, 5] - edge[k, 2])))
        for side in (1.0, -1.0):
            m = (side * n[0], side * n[1], side * n[2])
            above = -math.inf
            for j in range(first, last):
                above = max(above, dot(minus((edge[j, 0], edge[j, 1], edge[j, 2]), a), m))
                above = max(above, dot(minus((edge[j, 3], edge[j, 4], edge[j, 5]), a), m))
            if above < least and dot(m, m) > 0.5:
                least, best = above, m
    return best


@kernel
def near_turn(angle, last):
    """The angle, by full turns nearest to its last value."""
    return angle + 2.0 * math.pi * math.floor((last - angle) / (2.0 * math.pi) + 0.5)
