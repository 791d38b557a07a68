"""Arithmetic of the second-order cone in three dimensions, x0 >= |(x1, x2)|, for an interior-point method.

Nesterov and Todd's scaling of a pair of inner points z, y is the W with W z = W^-1 y. With J = diag(1, -1, -1),
det x = x0^2 - x1^2 - x2^2 and unit points z' = z / sqrt(det z), y' = y / sqrt(det y),

    u = (y' + J z') / (2 g),  g^2 = (1 + z'.y') / 2,    b^2 = sqrt(det y / det z),    W^2 = b^2 (2 u u^T - J)
    W = b (2 p p^T - J),   p = (u + e) / sqrt(2 (u0 + 1)),   e = (1, 0, 0)

(Alizadeh, Goldfarb 2003; Vandenberghe 2010, The CVXOPT linear and quadratic cone program solvers).
"""

from __future__ import annotations

import math

from taut.core.jit import kernel

#: smallest part of its length by which a point is taken to be inside the cone: round-off
INSIDE = 1e-15
#: part of the way to the boundary that is gone, least centring
REACH, CENTRE = 0.95, 1e-4


@kernel
def depth(x0, x1, x2):
    """sqrt(det x) of a point inside the cone."""
    size = math.sqrt(x1 * x1 + x2 * x2)
    return math.sqrt(max(x0 - size, INSIDE * x0) * (x0 + size))


@kernel
def scaling(z, y):
    """(b^2, u0, u1, u2) of a pair of inner points."""
    dz, dy = depth(z[0], z[1], z[2]), depth(y[0], y[1], y[2])
    a0, a1, a2 = y[0] / dy, y[1] / dy, y[2] / dy
    c0, c1, c2 = z[0] / dz, z[1] / dz, z[2] / dz
    g = 0.5 / math.sqrt(max(0.5 * (1.0 + a0 * c0 + a1 * c1 + a2 * c2), 1.0))
    u1, u2 = g * (a1 - c1), g * (a2 - c2)
    # on the unit hyperbola to the last digit
    return dy / dz, math.sqrt(1.0 + u1 * u1 + u2 * u2), u1, u2


@kernel
def square(w, x):
    """W^2 x."""
    f = 2.0 * (w[1] * x[0] + w[2] * x[1] + w[3] * x[2])
    return w[0] * (f * w[1] - x[0]), w[0] * (f * w[2] + x[1]), w[0] * (f * w[3] + x[2])


@kernel
def scale(w, x):
    """W x."""
    b, n = math.sqrt(w[0]), 1.0 / math.sqrt(2.0 * (w[1] + 1.0))
    p0, p1, p2 = n * (w[1] + 1.0), n * w[2], n * w[3]
    f = 2.0 * (p0 * x[0] + p1 * x[1] + p2 * x[2])
    return b * (f * p0 - x[0]), b * (f * p1 + x[1]), b * (f * p2 + x[2])


@kernel
def multiply(a, b):
    """Jordan product a o b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2], a[0] * b[1] + b[0] * a[1], a[0] * b[2] + b[0] * a[2]


@kernel
def divide(a, d):
    """x with a o x = d."""
    det = depth(a[0], a[1], a[2]) ** 2
    along = a[1] * d[1] + a[2] * d[2]
    x0 = (a[0] * d[0] - along) / det
    return x0, (d[1] - x0 * a[1]) / a[0], (d[2] - x0 * a[2]) / a[0]


@kernel
def way(x, d):
    """How far one may go from an inner point x along d: the largest t with x + t d in the cone."""
    size = math.sqrt(x[1] * x[1] + x[2] * x[2])
    c = max(x[0] - size, INSIDE * x[0]) * (x[0] + size)
    b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2]
    a = d[0] * d[0] - d[1] * d[1] - d[2] * d[2]
    root = b * b - a * c
    # a t^2 + 2 b t + c = 0: the smaller positive root, none where the way leads inside
    if root < 0.0 or (a >= 0.0 and b >= 0.0):
        return math.inf
    below = -b + math.sqrt(root)
    return c / below if below > 0.0 else math.inf
