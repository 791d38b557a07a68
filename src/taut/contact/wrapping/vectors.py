"""Vectors of three numbers, as tuples: compiled code keeps them in registers."""

from __future__ import annotations

import math

from taut.core.jit import kernel
from taut.core.quat import rotate, rotate_inverse


@kernel
def dot(a, b):
    """a . b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def cross(a, b):
    """a x b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel
def minus(a, b):
    """a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@kernel
def plus(a, f, b):
    """a + f b."""
    return a[0] + f * b[0], a[1] + f * b[1], a[2] + f * b[2]


@kernel
def size(a):
    """|a|."""
    return math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@kernel
def unit(a):
    """a / |a|; zero stays zero."""
    f = size(a)
    f = 1.0 / f if f > 0.0 else 0.0
    return f * a[0], f * a[1], f * a[2]


@kernel
def three(row, at):
    """Three neighbouring numbers of a row."""
    return row[at], row[at + 1], row[at + 2]


@kernel
def put(row, at, a):
    """Write a vector into a row."""
    row[at], row[at + 1], row[at + 2] = a[0], a[1], a[2]


@kernel
def turned(q, a):
    """A vector of a body's axes in the world; q the quaternion as a row."""
    return rotate(q[0], q[1], q[2], q[3], a[0], a[1], a[2])


@kernel
def turned_back(q, a):
    """A vector of the world in a body's axes."""
    return rotate_inverse(q[0], q[1], q[2], q[3], a[0], a[1], a[2])


@kernel
def across(a, d):
    """The part of a that is normal to the unit vector d, of length one."""
    return unit(plus(a, -dot(a, d), d))
