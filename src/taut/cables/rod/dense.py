"""L D L' of a small symmetric indefinite matrix with its inertia: largest pivot first (Bunch and Parlett 1971).

The matrix stands in the first columns of `dense`, its pivot rows in the column ORDER after it: the row swapped to k,
or -1 minus that row for both rows of a 2 x 2 pivot.
"""

from __future__ import annotations

import math

from taut.cables.rod.arrays import ORDER, Array
from taut.core.jit import kernel

#: a diagonal pivot is taken above this share of the largest element: (1 + sqrt(17))/8, least growth
DIAGONAL = 0.6404


@kernel
def pivot(S: Array) -> int:
    """Factor in place; returns the number of positive eigenvalues, or -1 for a singular matrix."""
    m = S.shape[0]
    positive, k = 0, 0
    while k < m:
        p, q, r, top, off = k, k, k, 0.0, 0.0
        for i in range(k, m):
            if abs(S[i, i]) > top:
                top, p = abs(S[i, i]), i
            for j in range(k, i):
                if abs(S[i, j]) > off:
                    off, q, r = abs(S[i, j]), i, j
        if not max(top, off) > 0.0 or not math.isfinite(top + off):
            return -1
        wide = 1 if top >= DIAGONAL * off else 2
        if wide == 1:
            _swap(S, k, p)
            S[k, m + ORDER] = p
            positive += int(S[k, k] > 0.0)
        else:
            # a 2 x 2 pivot chosen like this has one eigenvalue of each sign
            _swap(S, k, r)
            _swap(S, k + 1, q)
            S[k, m + ORDER], S[k + 1, m + ORDER] = -1 - r, -1 - q
            positive += 1
        _reduce(S, k, wide)
        k += wide
    return positive


@kernel
def _reduce(S: Array, k: int, wide: int) -> None:
    """Take the pivot at k out of the rest and leave its multipliers below it."""
    m = S.shape[0]
    a, b, c = S[k, k], 0.0, 1.0
    if wide == 2:
        b, c = S[k + 1, k], S[k + 1, k + 1]
    d = a * c - b * b
    for i in range(k + wide, m):
        s, t = S[i, k], S[i, k + 1] if wide == 2 else 0.0
        f, g = (c * s - b * t) / d, (a * t - b * s) / d
        # rows below still hold the unscaled values, mirrored above the diagonal
        for j in range(i, m):
            S[j, i] -= f * S[j, k] + (g * S[j, k + 1] if wide == 2 else 0.0)
            S[i, j] = S[j, i]
    for i in range(k + wide, m):
        s, t = S[i, k], S[i, k + 1] if wide == 2 else 0.0
        S[i, k] = (c * s - b * t) / d
        if wide == 2:
            S[i, k + 1] = (a * t - b * s) / d


@kernel
def _swap(S: Array, a: int, b: int) -> None:
    """Exchange rows and columns a and b of the symmetric matrix, multipliers on the left included."""
    if a == b:
        return
    m = S.shape[0]
    for j in range(m):
        S[a, j], S[b, j] = S[b, j], S[a, j]
    for i in range(min(a, b), m):
        S[i, a], S[i, b] = S[i, b], S[i, a]


@kernel
def substitute(S: Array, x: int) -> None:
    """Solve with the factors of `pivot`; right side and solution in column x."""
    m = S.shape[0]
    for k in range(m):
        order = int(S[k, m + ORDER])
        p = order if order >= 0 else -1 - order
        S[k, x], S[p, x] = S[p, x], S[k, x]
    k = 0
    while k < m:
        wide = 1 if S[k, m + ORDER] >= 0.0 else 2
        for i in range(k + wide, m):
            for j in range(k, k + wide):
                S[i, x] -= S[i, j] * S[j, x]
        if wide == 1:
            S[k, x] /= S[k, k]
        else:
            a, b, c = S[k, k], S[k + 1, k], S[k + 1, k + 1]
            s, t = S[k, x], S[k + 1, x]
            S[k, x], S[k + 1, x] = (c * s - b * t) / (a * c - b * b), (a * t - b * s) / (a * c - b * b)
        k += wide
    k = m - 1
    while k >= 0:
        first = k if S[k, m + ORDER] >= 0.0 else k - 1
        for i in range(k + 1, m):
            for j in range(first, k + 1):
                S[j, x] -= S[i, j] * S[i, x]
        k = first - 1
    for k in range(m - 1, -1, -1):
        order = int(S[k, m + ORDER])
        p = order if order >= 0 else -1 - order
        S[k, x], S[p, x] = S[p, x], S[k, x]
