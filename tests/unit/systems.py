"""The coupled system that a step has just solved, taken out of its scratch as dense matrices."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from taut.core.codes import FREE
from taut.core.model import B_AT, B_BODY, G_BLOCK, G_DIM, G_START, GROUPS, R_HIGH, R_KNOWN, R_LOW, R_RHS, R_SIGMA


class Dense(NamedTuple):
    """M v+ = r + G^T lam;  G v+ + Sigma lam = b where lam is free, bounds elsewhere."""

    M: np.ndarray
    G: np.ndarray
    sigma: np.ndarray
    r: np.ndarray
    b: np.ndarray
    low: np.ndarray
    high: np.ndarray
    lam: np.ndarray
    bound: np.ndarray
    v: np.ndarray


def dense_system(sim) -> Dense:
    w, m, s = sim.work, sim.model, sim.state
    nodes = len(m.node_body)
    M = np.zeros((6 * nodes, 6 * nodes))
    for k in range(nodes):
        lower = np.tril(w.node_block[k].reshape(6, 6))
        M[6 * k : 6 * k + 6, 6 * k : 6 * k + 6] = lower + np.tril(lower, -1).T
    for k, (i, j) in enumerate(m.pair_node):
        block = w.pair_block[k].reshape(6, 6)
        M[6 * i : 6 * i + 6, 6 * j : 6 * j + 6] += block
        M[6 * j : 6 * j + 6, 6 * i : 6 * i + 6] += block.T
    groups = int(w.count[GROUPS])
    rows = int(w.group_int[groups, G_START])
    G = np.zeros((rows, 6 * nodes))
    for g in range(groups):
        start, dim = w.group_int[g, G_START], w.group_int[g, G_DIM]
        for e in range(w.group_int[g, G_BLOCK], w.group_int[g + 1, G_BLOCK]):
            node = m.body_node[w.block_int[e, B_BODY]]
            if node >= 0:
                at = w.block_int[e, B_AT]
                G[start : start + dim, 6 * node : 6 * node + 6] += w.jac[at : at + 6 * dim].reshape(dim, 6)
    row = w.row[:rows]
    return Dense(
        M, G, row[:, R_SIGMA].copy(), w.node_rhs.ravel().copy(), row[:, R_RHS] - row[:, R_KNOWN], row[:, R_LOW].copy(),
        row[:, R_HIGH].copy(), s.row_lam[:rows].copy(), s.row_bound[:rows].copy(), s.body_vel[m.node_body].ravel().copy(),
    )  # fmt: skip


def free_solution(d: Dense) -> tuple[np.ndarray, np.ndarray]:
    """Velocities and multipliers by a dense solve, the rows that are not free held at the multipliers they have."""
    free = d.bound == FREE
    n, k = len(d.M), int(free.sum())
    A = np.zeros((n + k, n + k))
    A[:n, :n] = d.M
    A[:n, n:], A[n:, :n] = d.G[free].T, d.G[free]
    A[n:, n:] = -np.diag(d.sigma[free])
    x = np.linalg.solve(A, np.concatenate([d.r + d.G[~free].T @ d.lam[~free], d.b[free]]))
    lam = d.lam.copy()
    lam[free] = -x[n:]
    return x[:n], lam
