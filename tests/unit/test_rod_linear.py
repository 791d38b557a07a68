"""The linear algebra of the rod against numpy: solutions and inertia of the same matrices, written out whole."""

import numpy as np
import pytest

from taut.cables.rod import Clamp, Pin, Rod
from taut.cables.rod.arrays import (
    DIAG,
    DIRECTOR,
    EXTRA,
    GAP,
    GRAD,
    NORMAL,
    ORDER,
    PART_A,
    ROW_A,
    SEG,
    STEP,
    TURN,
    UPPER,
)
from taut.cables.rod.assemble import assemble
from taut.cables.rod.dense import pivot, substitute
from taut.cables.rod.factor import factor
from taut.cables.rod.substitution import solve


@pytest.mark.parametrize("size", [1, 2, 3, 6, 12])
def test_small_indefinite_systems(size: int) -> None:
    rng = np.random.default_rng(size)
    for attempt in range(40):
        A = rng.normal(size=(size, size))
        A = A + A.T
        if attempt % 2 and size > 1:
            np.fill_diagonal(A, 0.0)  # no diagonal pivot at all: 2 x 2 ones are needed
        b = rng.normal(size=size)
        S = np.zeros((size, 2 * size + EXTRA))
        order, x = 2 * size + ORDER, 2 * size + TURN
        S[:, size : 2 * size], S[:, x] = A, b
        assert pivot(S, size, size, order) == (np.linalg.eigvalsh(A) < 0.0).sum()
        substitute(S, size, size, order, x)
        # backward stable: error bounded by round-off times the condition
        assert S[:, x] == pytest.approx(np.linalg.solve(A, b), rel=1e-13 * np.linalg.cond(A) * size, abs=1e-12)


def test_a_singular_one_is_noticed() -> None:
    assert pivot(np.zeros((3, 6 + EXTRA)), 3, 3, 6 + ORDER) == -1


def written_out(rod: Rod) -> tuple[np.ndarray, np.ndarray, int]:
    """The whole matrix of the Newton system, its right side and the number of unknown angles."""
    arrays, n = rod._net.arrays, rod.segments
    block, m = arrays.block[1:-1], len(arrays.force)
    K = np.zeros((3 * n + m, 3 * n + m))
    for i in range(n):
        a, b, c, d, e, f = block[i, DIAG : DIAG + 6]
        K[3 * i : 3 * i + 3, 3 * i : 3 * i + 3] = [[a, b, d], [b, c, e], [d, e, f]]
        if i < n - 1:
            K[3 * i : 3 * i + 3, 3 * i + 3 : 3 * i + 6] = block[i, UPPER : UPPER + 9].reshape(3, 3)
        for r in range(m):
            last, l = int(arrays.row[r, ROW_A]) - 1, arrays.rod[i + 1, SEG]
            w = l if i < last else (arrays.row[r, PART_A] if i == last else 0.0)
            normal = arrays.row[r, NORMAL : NORMAL + 3]
            d1, d2 = block[i, DIRECTOR : DIRECTOR + 3], block[i, DIRECTOR + 3 : DIRECTOR + 6]
            K[3 * i : 3 * i + 3, 3 * n + r] = [-w * d2 @ normal, w * d1 @ normal, 0.0]
    K = np.triu(K) + np.triu(K, 1).T
    return K, -np.concatenate([block[:, GRAD : GRAD + 3].ravel(), arrays.row[:, GAP]]), 3 * n


@pytest.mark.parametrize("ends", ["clamped", "pinned"])
@pytest.mark.parametrize("handles", [0, 1, 2])
@pytest.mark.parametrize("shake", [0.1, 1.0])
def test_bordered_system_and_its_inertia(ends: str, handles: int, shake: float) -> None:
    end = Clamp((0.5, 0.2, 0.0), (1, 1, 0)) if ends == "clamped" else Pin((0.5, 0.2, 0.0))
    rod = Rod(1.0, 16, start=Clamp((0, 0, 0)), end=end, EI=(1, 2), GJ=0.7, mass_per_length=5.0)
    rod.solve()
    for k in range(handles):
        rod.add_handle(0.3 + 0.33 * k)
    rod.solve()
    # away from the equilibrium, where H is indefinite
    a, rng = rod._net.arrays, np.random.default_rng(handles)
    a.quat[1:-1] += shake * rng.normal(size=a.quat[1:-1].shape)
    a.quat[1:-1] /= np.linalg.norm(a.quat[1:-1], axis=1, keepdims=True)
    a.force[:] += 20.0 * rng.normal(size=a.force.shape)
    assemble(a.rod, a.chain, a.body, a.row, a.quat, a.force, a.block, a.tally)
    K, right, angles = written_out(rod)
    shift = 0.01
    K[:angles, :angles] += shift * np.eye(angles)
    scales = rod._net.scales
    negative = factor(
        a.rod, a.chain, a.body, a.row, a.force, a.block, a.border, a.dense, a.tally, a.touch, a.carry, shift, scales[2], scales
    )  # fmt: skip
    assert negative == (np.linalg.eigvalsh(K) < 0.0).sum()
    solve(a.rod, a.chain, a.body, a.row, a.block, a.border, a.dense, a.tally, a.touch)
    turn = a.dense[:, 2 * len(a.dense) + TURN]
    ours = np.concatenate([a.block[1:-1, STEP : STEP + 3].ravel(), turn])
    # elimination without exchanges: some digits are lost in an indefinite matrix, the iteration makes up for them
    assert np.abs(K @ ours - right).max() < 1e-8 * np.abs(right).max()
