"""L D L' of a small symmetric indefinite matrix with its inertia: largest pivot first (Bunch and Parlett 1971).

The matrix stands in columns `at` and following of an array, its pivot rows in the column `order`: the row swapped to k,
or -1 minus that row for both rows of a 2 x 2 pivot.
"""

from __future__ import annotations

import math

from taut.cables.rod.arrays import Array
from taut.core.jit import kernel

#: a diagonal pivot is taken above this share of the largest element: (1 + sqrt(17))/8, least growth
DIAGONAL = 0.6404


@kernel
def pivot(S: Array, at: int, m: int, order: int) -> int:
    """Factor in place the first m rows; returns the number of negative eigenvalues, or -1 for a singular matrix."""
    negative, k = 0, 0
    while k < m:
        p, q, r, top, off = k, k, k, 0.0, 0.0
        for i in range(k, m):
            if abs(S[i, at + i]) > top:
                top, p = abs(S[i, at + i]), i
            for j in range(k, i):
                if abs(S[i, at + j]) > off:
                    off, q, r = abs(S[i, at + j]), i, j
        if not max(top, off) > 0.0 or not math.isfinite(top + off):
            return -1
        wide = 1 if top >= DIAGONAL * off else 2
        if wide == 1:
            _swap(S, at, m, k, p)
            S[k, order] = p
            negative += int(S[k, at + k] < 0.0)
        else:
            # a 2 x 2 pivot chosen like this has one eigenvalue of each sign
            _swap(S, at, m, k, r)
            _swap(S, at, m, k + 1, q)
            S[k, order], S[k + 1, order] = -1 - r, -1 - q
            negative += 1
        _reduce(S, at, m, k, wide)
        k += wide
    return negative


@kernel
def _reduce(S: Array, at: int, m: int, k: int, wide: int) -> None:
    """Take the pivot at k out of the rest and leave its multipliers below it."""
    a, b, c = S[k, at + k], 0.0, 1.0
    if wide == 2:
        b, c = S[k + 1, at + k], S[k + 1, at + k + 1]
    d = a * c - b * b
    for i in range(k + wide, m):
        s, t = S[i, at + k], S[i, at + k + 1] if wide == 2 else 0.0
        f, g = (c * s - b * t) / d, (a * t - b * s) / d
        # rows below still hold the unscaled values, mirrored above the diagonal
        for j in range(i, m):
            S[j, at + i] -= f * S[j, at + k] + (g * S[j, at + k + 1] if wide == 2 else 0.0)
            S[i, at + j] = S[j, at + i]
    for i in range(k + wide, m):
        s, t = S[i, at + k], S[i, at + k + 1] if wide == 2 else 0.0
        S[i, at + k] = (c * s - b * t) / d
        if wide == 2:
            S[i, at + k + 1] = (a * t - b * s) / d


@kernel
def _swap(S: Array, at: int, m: int, a: int, b: int) -> None:
    """Exchange rows and columns a and b of the symmetric matrix, multipliers on the left included."""
    if a == b:
        return
    for j in range(m):
        S[a, at + j], S[b, at + j] = S[b, at + j], S[a, at + j]
    for i in range(min(a, b), m):
        S[i, at + a], S[i, at + b] = S[i, at + b], S[i, at + a]


@kernel
def substitute(S: Array, at: int, m: int, order: int, x: int) -> None:
    """Solve with the factors of `pivot`; right side and solution in column x."""
    for k in range(m):
        place = int(S[k, order])
        p = place if place >= 0 else -1 - place
        S[k, x], S[p, x] = S[p, x], S[k, x]
    k = 0
    while k < m:
        wide = 1 if S[k, order] >= 0.0 else 2
        for i in range(k + wide, m):
            for j in range(k, k + wide):
                S[i, x] -= S[i, at + j] * S[j, x]
        if wide == 1:
            S[k, x] /= S[k, at + k]
        else:
            a, b, c = S[k, at + k], S[k + 1, at + k], S[k + 1, at + k + 1]
            s, t = S[k, x], S[k + 1, x]
            S[k, x], S[k + 1, x] = (c * s - b * t) / (a * c - b * b), (a * t - b * s) / (a * c - b * b)
        k += wide
    k = m - 1
    while k >= 0:
        first = k if S[k, order] >= 0.0 else k - 1
        for i in range(k + 1, m):
            for j in range(first, k + 1):
                S[j, x] -= S[i, at + j] * S[i, x]
        k = first - 1
    for k in range(m - 1, -1, -1):
        place = int(S[k, order])
        p = place if place >= 0 else -1 - place
        S[k, x], S[p, x] = S[p, x], S[k, x]
