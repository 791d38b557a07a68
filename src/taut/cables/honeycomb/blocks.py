"""The matrix of an implicit step: symmetric, block tridiagonal, one block row per layer; and its factors.

Row block n of `system` holds the upper half, [D_n | C_n]: shape (layers, B, 2 B), B = 3 m. Factored in place to U with
U^T U = A. Every inner loop runs along rows, which is what vectorises.
"""

from __future__ import annotations

import math

import numpy as np

from taut.cables.honeycomb.tables import clear
from taut.core.jit import kernel

Array = np.ndarray


@kernel
def add_block(system: Array, per: int, i: int, j: int, block: Array) -> None:
    """Add a symmetric 3 x 3 block between masses i <= j of the same or of neighbouring layers."""
    layer = i // per
    row, column = 3 * (i - layer * per), 3 * (j - layer * per)
    for p in range(3):
        for q in range(3):
            system[layer, row + p, column + q] += block[p, q]


@kernel(fused=True)
def factorise(system: Array) -> bool:
    """U of A = U^T U; False when a pivot is not positive. Three rows, those of a mass, go over the rest together."""
    layers, size = system.shape[0], system.shape[1]
    for n in range(layers):
        rows = system[n]
        # the last layer is coupled to none
        width = 2 * size if n + 1 < layers else size
        for k in range(0, size, 3):
            for i in range(k, k + 3):
                top = rows[i]
                if not top[i] > 0.0:
                    return False
                scale = 1.0 / math.sqrt(top[i])
                for q in range(i, width):
                    top[q] *= scale
                for r in range(i + 1, k + 3):
                    take_one(rows[r], top, top[r], r, width)
            for r in range(k + 3, size):
                take_three(
                    rows[r], rows[k], rows[k + 1], rows[k + 2], rows[k, r], rows[k + 1, r], rows[k + 2, r], 0, r, width
                )
            if n + 1 == layers:
                continue
            for r in range(size):
                x, y, z = rows[k, size + r], rows[k + 1, size + r], rows[k + 2, size + r]
                take_three(system[n + 1, r], rows[k], rows[k + 1], rows[k + 2], x, y, z, size, r, size)
    return True


@kernel(fused=True, inlined=True)
def take_one(row: Array, top: Array, f: float, first: int, last: int) -> None:
    """Subtract a multiple of a row from another."""
    for q in range(first, last):
        row[q] -= f * top[q]


@kernel(fused=True, inlined=True)
def take_three(row: Array, one: Array, two: Array, three: Array, x: float, y: float, z: float, shift: int, first: int, last: int) -> None:  # fmt: skip
    """Subtract multiples of three rows, from `shift` on, from another."""
    if x == 0.0 and y == 0.0 and z == 0.0:
        return
    for q in range(first, last):
        row[q] -= x * one[shift + q] + y * two[shift + q] + z * three[shift + q]


@kernel(fused=True)
def substitute(system: Array, x: Array) -> None:
    """x = A^-1 x, shape (layers, B). A layer and the next lie one behind the other in memory, in x as in the rows of the matrix."""
    layers, size = system.shape[0], system.shape[1]
    flat = x.reshape(x.size)
    first = 0
    # what an end does to the rope begins at that end
    while first < x.size and flat[first] == 0.0:
        first += 1
    for n in range(first // size, layers):
        width = 2 * size if n + 1 < layers else size
        own = flat[n * size : n * size + width]
        for k in range(0, size, 3):
            one, two, three = system[n, k], system[n, k + 1], system[n, k + 2]
            f = own[k] / one[k]
            g = (own[k + 1] - f * one[k + 1]) / two[k + 1]
            h = (own[k + 2] - f * one[k + 2] - g * two[k + 2]) / three[k + 2]
            own[k], own[k + 1], own[k + 2] = f, g, h
            take_three(own, one, two, three, f, g, h, 0, k + 3, width)
    for n in range(layers - 1, -1, -1):
        width = 2 * size if n + 1 < layers else size
        own = flat[n * size : n * size + width]
        for k in range(size - 3, -1, -3):
            one, two, three = system[n, k], system[n, k + 1], system[n, k + 2]
            f, g, h = own[k], own[k + 1], own[k + 2]
            # two sums each: one alone would wait for itself
            f2, g2, h2 = 0.0, 0.0, 0.0
            q = k + 3
            while q + 1 < width:
                a, b = own[q], own[q + 1]
                f, g, h = f - one[q] * a, g - two[q] * a, h - three[q] * a
                f2, g2, h2 = f2 - one[q + 1] * b, g2 - two[q + 1] * b, h2 - three[q + 1] * b
                q += 2
            if q < width:
                f, g, h = f - one[q] * own[q], g - two[q] * own[q], h - three[q] * own[q]
            h = (h + h2) / three[k + 2]
            g = (g + g2 - two[k + 2] * h) / two[k + 1]
            own[k], own[k + 1], own[k + 2] = (f + f2 - one[k + 1] * g - one[k + 2] * h) / one[k], g, h


@kernel
def multiply(system: Array, x: Array, out: Array) -> None:
    """out = U^T U x."""
    layers, size = system.shape[0], system.shape[1]
    clear(out)
    for n in range(layers):
        for k in range(size):
            top = system[n, k]
            f = 0.0
            for q in range(k, size):
                f += top[q] * x[n, q]
            if n + 1 < layers:
                for q in range(size):
                    f += top[size + q] * x[n + 1, q]
            for q in range(k, size):
                out[n, q] += f * top[q]
            if n + 1 < layers:
                for q in range(size):
                    out[n + 1, q] += f * top[size + q]
