"""Rows and columns of blocks with several numbers to an instruction, against numpy."""

from __future__ import annotations

import numpy as np
import pytest

from taut.core.jit import kernel
from taut.core.lanes import columns_33, columns_36, columns_63, columns_66, row_33, row_36, row_63, row_66


@kernel(entry=True)
def _row(n, width, target, factors, step, source, apart):
    if n == 6 and width == 6:
        row_66(target, 2, factors, 1, step, source, 3, apart)
    elif n == 6:
        row_63(target, 2, factors, 1, step, source, 3, apart)
    elif width == 6:
        row_36(target, 2, factors, 1, step, source, 3, apart)
    else:
        row_33(target, 2, factors, 1, step, source, 3, apart)


@kernel(entry=True)
def _columns(n, width, slots, d, inv, b, apart, scratch):
    if n == 6 and width == 6:
        columns_66(slots, d, inv, 1, b, apart, scratch, 2)
    elif n == 6:
        columns_63(slots, d, inv, 1, b, apart, scratch, 2)
    elif width == 6:
        columns_36(slots, d, inv, 1, b, apart, scratch, 2)
    else:
        columns_33(slots, d, inv, 1, b, apart, scratch, 2)


@pytest.mark.parametrize("width", [3, 6])
@pytest.mark.parametrize("n", [3, 6])
@pytest.mark.parametrize("apart", [6, 11, 24])
def test_a_row_less_a_sum_of_products(n: int, width: int, apart: int) -> None:
    rng = np.random.default_rng(n + width + apart)
    target, factors, source = rng.normal(size=12), rng.normal(size=40), rng.normal(size=6 * apart + 12)
    expected = target.copy()
    for k in range(n):
        expected[2 : 2 + width] -= factors[1 + 4 * k] * source[3 + k * apart : 3 + k * apart + width]
    _row(n, width, target, factors, 4, source, apart)
    # nothing beside the row is touched
    assert target == pytest.approx(expected, rel=1e-14, abs=1e-14)
    assert (np.delete(target, np.s_[2 : 2 + width]) == np.delete(expected, np.s_[2 : 2 + width])).all()


@pytest.mark.parametrize("width", [3, 6])
@pytest.mark.parametrize("n", [3, 6])
@pytest.mark.parametrize("apart", [6, 15])
def test_columns_of_a_node(n: int, width: int, apart: int) -> None:
    """Y = L^-1 B is kept, and B becomes D^-1 Y; numbers between the rows stay as they are."""
    rng = np.random.default_rng(n * width + apart)
    lower = np.tril(rng.normal(size=(n, n)), -1) + np.eye(n)
    pivots = rng.uniform(0.5, 2.0, n)
    d, b = 4, 4 + n * n + 3
    slots, scratch = rng.normal(size=b + n * apart + 8), rng.normal(size=n * apart + 8)
    slots[d : d + n * n] = (np.tril(lower, -1) + np.triu(rng.normal(size=(n, n)))).ravel()
    inv = np.concatenate([[9.0], 1.0 / pivots])
    rows = [slice(b + i * apart, b + i * apart + width) for i in range(n)]
    columns = np.array([slots[row] for row in rows])
    y = np.linalg.solve(lower, columns)
    expected = slots.copy()
    for i, row in enumerate(rows):
        expected[row] = y[i] / pivots[i]
    _columns(n, width, slots, d, inv, b, apart, scratch)
    assert slots == pytest.approx(expected, rel=1e-12, abs=1e-12)
    for i in range(n):
        assert scratch[2 + i * apart : 2 + i * apart + width] == pytest.approx(y[i], rel=1e-12, abs=1e-12)
