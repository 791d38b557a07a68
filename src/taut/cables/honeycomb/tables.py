"""Copying and clearing of tables: written out, since numba takes seconds to compile each `a[:] = b`."""

from __future__ import annotations

import numpy as np

from taut.core.jit import kernel

Array = np.ndarray


@kernel
def copy(table: Array, out: Array) -> None:
    """out = table, both of two dimensions."""
    for i in range(table.shape[0]):
        for k in range(table.shape[1]):
            out[i, k] = table[i, k]


@kernel
def clear(table: Array) -> None:
    """All zero."""
    for i in range(table.shape[0]):
        for k in range(table.shape[1]):
            table[i, k] = 0.0
