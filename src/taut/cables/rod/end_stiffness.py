"""What a rod in equilibrium does to the bodies at its ends, and how that changes when they move.

The border of `factor.py` with both bodies free holds the exact stiffness K = S_bb - S_br S_rr^-1 S_rb of all that lies
between them, in shifts along world axes and turns about the bodies' own. A bent rod has directions in which K is negative;
an implicit step bears as much of that as the inertia of the bodies outweighs, the rest is left out.
"""

from __future__ import annotations

import math

from taut.cables.rod.arrays import SLOPE
from taut.core.jit import kernel
from taut.core.quat import rotate

#: sweeps of Jacobi's rotations at most, and what is taken as zero beside the largest element
SWEEPS, SMALL = 30, 1e-14


@kernel
def end_wrenches(body, pose, out):
    """Forces and torques of the rod on both bodies, world axes [N, N m]: minus the slopes of its energy."""
    for e in range(2):
        b, p = body[e], 7 * e + 3
        for c in range(3):
            out[6 * e + c] = -b[SLOPE + c]
        x, y, z = rotate(
            pose[p], pose[p + 1], pose[p + 2], pose[p + 3], b[SLOPE + 3], b[SLOPE + 4], b[SLOPE + 5]
        )  # fmt: skip
        out[6 * e + 3], out[6 * e + 4], out[6 * e + 5] = -x, -y, -z


@kernel
def end_stiffness(dense, rows, pose, length, negative, square, out):
    """K of both ends, world axes, with no direction below -`negative` [N/m], row by row into `out`."""
    seat_stiffness(dense, 12, rows, pose, length, negative, square, out)


@kernel
def seat_stiffness(dense, n, rows, pose, length, negative, square, out):
    """The same for n unknowns: those of both ends, then of bodies that are leaned on, in world axes already."""
    if rows == 3:
        _hold(dense, n)
    for i in range(n):
        for j in range(n):
            # the body of an end that is free feels nothing
            nothing = rows == 0 and (6 <= i < 12 or 6 <= j < 12)
            square[i, j] = 0.0 if nothing else dense[i, j]
    for e in range(2):
        p, at = 7 * e + 3, 6 * e + 3
        for j in range(n):
            square[at, j], square[at + 1, j], square[at + 2, j] = rotate(
                pose[p], pose[p + 1], pose[p + 2], pose[p + 3], square[at, j], square[at + 1, j], square[at + 2, j]
            )
        for i in range(n):
            square[i, at], square[i, at + 1], square[i, at + 2] = rotate(
                pose[p], pose[p + 1], pose[p + 2], pose[p + 3], square[i, at], square[i, at + 1], square[i, at + 2]
            )
    bound(square, n, length, negative, out)


@kernel
def bound(square, n, length, negative, out):
    """A stiffness of n unknowns without directions below -`negative` [N/m], row by row into `out`; `square` is overwritten."""
    # turns weighed by the length of the rod: one unit for all
    for i in range(n):
        for j in range(i + 1):
            f = (1.0 if i % 6 < 3 else 1.0 / length) * (1.0 if j % 6 < 3 else 1.0 / length)
            square[i, j] = square[j, i] = 0.5 * f * (square[i, j] + square[j, i])
    _eigen(square, n)
    for i in range(n):
        for j in range(i + 1):
            f = (1.0 if i % 6 < 3 else length) * (1.0 if j % 6 < 3 else length)
            value = 0.0
            for c in range(n):
                value += max(square[c, c], -negative) * square[n + i, c] * square[n + j, c]
            out[n * i + j] = out[n * j + i] = f * value


@kernel
def _hold(dense, n):
    """Take the three conditions at the end out of the stiffness of the bodies, one pivot after the other."""
    for r in range(n + 2, n - 1, -1):
        pivot = dense[r, r]
        if pivot == 0.0:
            continue
        for i in range(r):
            f = dense[i, r] / pivot
            for j in range(r):
                dense[i, j] -= f * dense[r, j]


@kernel
def _eigen(a, n):
    """Jacobi's rotations: eigenvalues on the diagonal of the first n rows, vectors in the columns below."""
    for i in range(n):
        for j in range(n):
            a[n + i, j] = 1.0 if i == j else 0.0
    for _ in range(SWEEPS):
        largest, off = 0.0, 0.0
        for i in range(n):
            largest = max(largest, abs(a[i, i]))
            for j in range(i):
                off = max(off, abs(a[i, j]))
        if off <= SMALL * largest or not math.isfinite(off + largest):
            return
        for p in range(n - 1):
            for q in range(p + 1, n):
                if abs(a[p, q]) <= 1e-300:
                    continue
                theta = 0.5 * (a[q, q] - a[p, p]) / a[p, q]
                t = (1.0 if theta >= 0.0 else -1.0) / (abs(theta) + math.sqrt(theta * theta + 1.0))
                c = 1.0 / math.sqrt(t * t + 1.0)
                s = t * c
                for k in range(n):
                    x, y = a[k, p], a[k, q]
                    a[k, p], a[k, q] = c * x - s * y, s * x + c * y
                for k in range(n):
                    x, y = a[p, k], a[q, k]
                    a[p, k], a[q, k] = c * x - s * y, s * x + c * y
                for k in range(n, 2 * n):
                    x, y = a[k, p], a[k, q]
                    a[k, p], a[k, q] = c * x - s * y, s * x + c * y
