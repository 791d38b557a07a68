"""How the elimination of a chain keeps its small matrices: elements of symmetric ones, and weighed products."""

from __future__ import annotations

from taut.cables.rod.arrays import Array
from taut.core.jit import kernel


@kernel
def symmetric(a: Array, at: int, r: int, c: int) -> float:
    """Element of a symmetric matrix kept as xx, xy, xz, yy, yz, zz."""
    low, high = min(r, c), max(r, c)
    return a[at + (high if low == 0 else low + high + 1)]


@kernel
def linked(Z: Array, W: Array, k: int) -> float:
    """Element k of the nine in two rows of six."""
    return Z[k] if k < 6 else W[k - 6]


@kernel
def lower(P: Array, r: int, c: int) -> float:
    """Element of a symmetric matrix kept as xx, yx, yy, zx, zy, zz."""
    low, high = min(r, c), max(r, c)
    return P[high * (high + 1) // 2 + low]


@kernel
def weighed(a: Array, r: int, s: int, i0: float, i1: float, i2: float) -> float:
    """Product of two reduced columns."""
    return a[r] * a[s] * i0 + a[r + 1] * a[s + 1] * i1 + a[r + 2] * a[s + 2] * i2
