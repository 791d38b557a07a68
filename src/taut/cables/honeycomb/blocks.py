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


@kernel
def factorise(system: Array) -> bool:
    """U of A = U^T U; False when a pivot is not positive."""
    layers, size = system.shape[0], system.shape[1]
    for n in range(layers):
        rows = system[n]
        # the last layer is coupled to none
        width = 2 * size if n + 1 < layers else size
        for k in range(size):
            pivot = rows[k, k]
            if not pivot > 0.0:
                return False
            scale = 1.0 / math.sqrt(pivot)
            top = rows[k]
            for q in range(k, width):
                top[q] *= scale
            for r in range(k + 1, size):
                f = top[r]
                if f != 0.0:
                    row = rows[r]
                    for q in range(r, width):
                        row[q] -= f * top[q]
            if n + 1 < layers:
                below = system[n + 1]
                for r in range(size):
                    f = top[size + r]
                    if f != 0.0:
                        row = below[r]
                        for q in range(r, size):
                            row[q] -= f * top[size + q]
    return True


@kernel
def substitute(system: Array, x: Array) -> None:
    """x = A^-1 x, shape (layers, B)."""
    layers, size = system.shape[0], system.shape[1]
    for n in range(layers):
        for k in range(size):
            top = system[n, k]
            f = x[n, k] / top[k]
            x[n, k] = f
            for q in range(k + 1, size):
                x[n, q] -= f * top[q]
            if n + 1 < layers:
                for q in range(size):
                    x[n + 1, q] -= f * top[size + q]
    for n in range(layers - 1, -1, -1):
        for k in range(size - 1, -1, -1):
            top = system[n, k]
            f = x[n, k]
            for q in range(k + 1, size):
                f -= top[q] * x[n, q]
            if n + 1 < layers:
                for q in range(size):
                    f -= top[size + q] * x[n + 1, q]
            x[n, k] = f / top[k]


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
