"""The yardstick: LAPACK's banded Cholesky solve of a chain's Schur complement, and nothing else.

A chain of joints with the bodies eliminated is block tridiagonal: with 3 rows per ball joint there are 5 diagonals below
the main one, with the 6 rows of a segmented cable 11. `dpbsv` factorises and solves it once per step. It knows neither how to assemble the matrix nor the
inequalities, the integration or the energy account, so no step built on it could be faster.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg.lapack import dpbsv

from taut.bench.timing import CLOCK


class BandedSolve:
    """A positive definite system of the size and band of a chain with `joints` joints of `rows` rows each."""

    def __init__(self, joints: int, rows: int = 3) -> None:
        n, bandwidth = rows * joints, 2 * rows - 1
        random = np.random.default_rng(joints)
        # lower band, column by column: diagonally dominant, hence positive definite
        self._matrix = np.asfortranarray(random.uniform(-1.0, 1.0, (bandwidth + 1, n)))
        self._matrix[0] = 2.0 * bandwidth + 1.0
        self._right = random.uniform(-1.0, 1.0, n)
        self._band, self._x = self._matrix.copy(order="F"), self._right.copy()

    def solve(self) -> float:
        """Time of one factorisation and solution [s]; the copy of what it overwrites is not counted."""
        np.copyto(self._band, self._matrix)
        np.copyto(self._x, self._right)
        start = CLOCK()
        _, _, info = dpbsv(self._band, self._x, lower=1, overwrite_ab=1, overwrite_b=1)
        spent = CLOCK() - start
        if info != 0:
            raise ArithmeticError(f"dpbsv: {info}")
        return spent

    def mean(self, repeats: int) -> float:
        """Mean time of `repeats` solutions [s]."""
        return sum(self.solve() for _ in range(repeats)) / repeats
