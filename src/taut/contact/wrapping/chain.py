"""Shortest path from a point over several cylinders to another point: all tangents at once, by Newton's method.

Each node has a cylinder (centre C, axis a, radius r, sense s of the turn) and four unknowns: angle and place along the axis
where the rope arrives and where it leaves. With d the span that comes in and e the one that leaves, n radial and t = a x n,

    d . n1 = 0                                         the rope comes in on a tangent
    e . n2 = 0                                         and leaves on one
    (d . a)(e . t2) = (e . a)(d . t1)                  at the same slope to the axis
    (z2 - z1)(d . t1 + e . t2) = r w (d . a + e . a)   which is that of the arc between (w = angle2 - angle1)

that is, one straight line on the unrolled surface. (The gradient of the length would be singular: it has a double zero where
a span is tangent.) On a ball the axis is normal to the plane of both spans, and z = 0.
"""

from __future__ import annotations

import math

from taut.contact.wrapping.vectors import cross, dot, minus, plus, three
from taut.core.jit import kernel

#: columns of a node: centre, axis, first and second direction, radius, sense, 1: a ball, the four unknowns
(
    H_CENTRE, H_AXIS, H_FIRST, H_SECOND, H_RADIUS, H_SENSE, H_BALL, H_ONE, H_Z_ONE, H_TWO, H_Z_TWO, H_COLUMNS,
) = 0, 3, 6, 9, 12, 13, 14, 15, 16, 17, 18, 19  # fmt: skip
#: nodes between two points at most
MOST_NODES = 16
#: rounds of Newton's method, largest change of an angle in one of them, change that ends them relative to the path
ROUNDS, LARGEST, CLOSE = 30, 0.5, 1e-14


@kernel
def radial(node, angle):
    """Radial unit vector of a node at an angle."""
    c, s = math.cos(angle), math.sin(angle)
    f, g = three(node, H_FIRST), three(node, H_SECOND)
    return c * f[0] + s * g[0], c * f[1] + s * g[1], c * f[2] + s * g[2]


@kernel
def point_of(node, n, z):
    """Point of a node's surface in direction n, at z along its axis."""
    return plus(plus(three(node, H_CENTRE), node[H_RADIUS], n), z, three(node, H_AXIS))


@kernel
def _add(matrix, row, column, value):
    matrix[row * 4 * MOST_NODES + column] += value


@kernel
def _equations(nodes, k, count, p, q, matrix, right):
    """Four rows of node k: what is missed, and its derivative by the unknowns of the node and its neighbours."""
    node = nodes[k]
    a, r = three(node, H_AXIS), node[H_RADIUS]
    n1, n2 = radial(node, node[H_ONE]), radial(node, node[H_TWO])
    t1, t2 = cross(a, n1), cross(a, n2)
    d = minus(point_of(node, n1, node[H_Z_ONE]), p)
    e = minus(q, point_of(node, n2, node[H_Z_TWO]))
    da, dt, dn, ea, et, en = dot(d, a), dot(d, t1), dot(d, n1), dot(e, a), dot(e, t2), dot(e, n2)
    i = 4 * k
    right[i], right[i + 1] = dn, en
    _add(matrix, i, i, dt)
    _add(matrix, i + 1, i + 2, et)
    rise, wrap = node[H_Z_TWO] - node[H_Z_ONE], r * (node[H_TWO] - node[H_ONE])
    if node[H_BALL] > 0.0:
        right[i + 2], right[i + 3] = node[H_Z_ONE], node[H_Z_TWO]
        _add(matrix, i + 2, i + 1, 1.0)
        _add(matrix, i + 3, i + 3, 1.0)
    else:
        right[i + 2] = da * et - ea * dt
        right[i + 3] = rise * (dt + et) - wrap * (da + ea)
        # by angle and place of arrival: d grows by r t1 and by a; t1 turns to -n1
        _add(matrix, i + 2, i, -ea * (r - dn))
        _add(matrix, i + 2, i + 1, et)
        _add(matrix, i + 3, i, rise * (r - dn) + r * (da + ea))
        _add(matrix, i + 3, i + 1, -(dt + et) - wrap)
        # by those of leaving: e shrinks by r t2 and by a
        _add(matrix, i + 2, i + 2, -da * (r + en))
        _add(matrix, i + 2, i + 3, dt)
        _add(matrix, i + 3, i + 2, -rise * (r + en) - r * (da + ea))
        _add(matrix, i + 3, i + 3, (dt + et) + wrap)
    ball = node[H_BALL] > 0.0
    if k > 0:
        # the point before moves with the angle and the place where the rope leaves its node: d shrinks by g
        other, j = nodes[k - 1], i - 2
        b = three(other, H_AXIS)
        t = cross(b, radial(other, other[H_TWO]))
        for column in range(2):
            g = (other[H_RADIUS] * t[0], other[H_RADIUS] * t[1], other[H_RADIUS] * t[2]) if column == 0 else b
            ga, gt = dot(g, a), dot(g, t1)
            _add(matrix, i, j + column, -dot(g, n1))
            if not ball:
                _add(matrix, i + 2, j + column, -ga * et + ea * gt)
                _add(matrix, i + 3, j + column, -rise * gt + wrap * ga)
    if k + 1 < count:
        # the point after moves with the angle and the place of arrival: e grows by g
        other, j = nodes[k + 1], i + 4
        b = three(other, H_AXIS)
        t = cross(b, radial(other, other[H_ONE]))
        for column in range(2):
            g = (other[H_RADIUS] * t[0], other[H_RADIUS] * t[1], other[H_RADIUS] * t[2]) if column == 0 else b
            ga, gt = dot(g, a), dot(g, t2)
            _add(matrix, i + 1, j + column, dot(g, n2))
            if not ball:
                _add(matrix, i + 2, j + column, da * gt - ga * dt)
                _add(matrix, i + 3, j + column, rise * gt - wrap * ga)


@kernel
def _solve(matrix, right, size):
    """Gauss elimination with row pivoting, in place; a node meets only its neighbours, so rows are short."""
    wide = 4 * MOST_NODES
    for c in range(size):
        last = min(size, c + 8)
        best = c
        for r in range(c + 1, last):
            if abs(matrix[r * wide + c]) > abs(matrix[best * wide + c]):
                best = r
        if matrix[best * wide + c] == 0.0:
            return False
        end = min(size, c + 16)
        if best != c:
            for j in range(c, end):
                matrix[c * wide + j], matrix[best * wide + j] = matrix[best * wide + j], matrix[c * wide + j]
            right[c], right[best] = right[best], right[c]
        for r in range(c + 1, last):
            f = matrix[r * wide + c] / matrix[c * wide + c]
            if f != 0.0:
                for j in range(c, end):
                    matrix[r * wide + j] -= f * matrix[c * wide + j]
                right[r] -= f * right[c]
    for c in range(size - 1, -1, -1):
        for j in range(c + 1, min(size, c + 16)):
            right[c] -= matrix[c * wide + j] * right[j]
        right[c] /= matrix[c * wide + c]
    return True


@kernel
def tighten(nodes, count, p, q, matrix, right):
    """Move the unknowns of `count` nodes to the shortest path from p to q; returns whether they arrived there.

    `matrix` and `right` are scratch, (4 MOST_NODES)^2 and 4 MOST_NODES numbers.
    """
    size, wide = 4 * count, 4 * MOST_NODES
    scale = 0.0
    for k in range(3):
        scale += abs(q[k] - p[k])
    for _ in range(ROUNDS):
        for r in range(size):
            for c in range(max(0, r - 8), min(size, r + 12)):
                matrix[r * wide + c] = 0.0
            for c in range(max(0, r - 16), min(size, r + 24)):
                matrix[r * wide + c] = 0.0
        for k in range(count):
            before = (
                p
                if k == 0
                else point_of(nodes[k - 1], radial(nodes[k - 1], nodes[k - 1, H_TWO]), nodes[k - 1, H_Z_TWO])
            )
            after = q
            if k + 1 < count:
                after = point_of(nodes[k + 1], radial(nodes[k + 1], nodes[k + 1, H_ONE]), nodes[k + 1, H_Z_ONE])
            _equations(nodes, k, count, before, after, matrix, right)
        if not _solve(matrix, right, size):
            return False
        change = 0.0
        for k in range(count):
            for c in range(4):
                step = right[4 * k + c]
                if not math.isfinite(step):
                    return False
                if c % 2 == 0:
                    step = min(max(step, -LARGEST), LARGEST)
                    change = max(change, abs(step) * nodes[k, H_RADIUS])
                else:
                    change = max(change, abs(step))
                nodes[k, H_ONE + c] -= step
        if change <= CLOSE * scale:
            return True
    return change <= 1e-9 * scale
