"""Random coupled systems [M G^T; G -Sigma] as graphs for the plan and as dense matrices for numpy."""

from __future__ import annotations

import numpy as np

from taut.core.factor import factorise, solve
from taut.core.plan import (
    BODY,
    P_DIAG,
    P_ORDER,
    P_POSITION,
    P_UNKNOWN,
    PLAN_OK,
    RIGID_ROW,
    SLOT_FLOATS,
    SOFT_ROW,
    UNKNOWNS,
    add_edge,
    add_node,
    clear_graph,
    make_graph,
    make_plan,
    order_nodes,
    place_blocks,
    slot_between,
)


class System:
    """Bodies with masses, row groups between them, and blocks that couple two bodies directly."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.dims: list[int] = []
        self.kinds: list[int] = []
        self.blocks: dict[tuple[int, int], np.ndarray] = {}  # (i, j), i <= j

    def body(self, mass: float) -> int:
        k = self._node(6, BODY)
        arm = self.rng.normal(size=(6, 6))
        # well conditioned by itself: the spread of the system lies between bodies
        self.blocks[k, k] = mass * (np.eye(6) + 0.1 * arm @ arm.T)
        return k

    def row(self, bodies: list[int], dim: int, sigma: float, soft: bool = False) -> int:
        k = self._node(dim, SOFT_ROW if soft else RIGID_ROW)
        self.blocks[k, k] = -sigma * np.eye(dim)
        for body in bodies:
            jacobian = self.rng.normal(size=(dim, 6))
            self.blocks[body, k] = jacobian.T
        return k

    def pair(self, a: int, b: int, weight: float) -> None:
        """Stiffness between two bodies: w [J_a J_b]^T [J_a J_b], positive semi-definite."""
        one, two = self.rng.normal(size=(3, 6)), self.rng.normal(size=(3, 6))
        self.blocks[a, a] = self.blocks[a, a] + weight * one.T @ one
        self.blocks[b, b] = self.blocks[b, b] + weight * two.T @ two
        key = (min(a, b), max(a, b))
        block = weight * (one.T @ two if a < b else two.T @ one)
        self.blocks[key] = self.blocks.get(key, np.zeros((6, 6))) + block

    def _node(self, dim: int, kind: int) -> int:
        self.dims.append(dim)
        self.kinds.append(kind)
        return len(self.dims) - 1

    def bodies_of(self, row: int) -> list[int]:
        return [i for i, j in self.blocks if j == row and i != row and self.kinds[i] == BODY]

    # ---- as a plan ---------------------------------------------------------------------------------------------------

    def plan(self):
        n = len(self.dims)
        room = 64 + 8 * n * min(n, 60)
        self.g, self.p = make_graph(n, room), make_plan(n, room, 4 * room)
        clear_graph(self.g)
        for dim, kind in zip(self.dims, self.kinds):
            add_node(self.g, dim, kind)
        for i, j in self.blocks:
            if i != j:
                assert add_edge(self.g, i, j)
        assert order_nodes(self.g, self.p) == PLAN_OK
        assert place_blocks(self.g, self.p, 36 * room) == PLAN_OK
        return self.p

    def order(self) -> list[int]:
        return [int(k) for k in self.plan().node[: len(self.dims), P_ORDER]]

    def position(self, k: int) -> int:
        return int(self.p.node[k, P_POSITION])

    def solve(self, rhs: np.ndarray) -> np.ndarray:
        """Solution by the plan, in the order of the nodes."""
        plan = self.plan()
        floats, unknowns = int(plan.size[SLOT_FLOATS]), int(plan.size[UNKNOWNS])
        slots, inv, peak = np.zeros(floats), np.zeros(unknowns), np.zeros(unknowns)
        for (i, j), block in self.blocks.items():
            if i == j:
                at = plan.node[i, P_DIAG]
                slots[at : at + block.size] = np.tril(block).ravel()
            else:
                at, apart, first = slot_between(plan, i, j)
                assert at >= 0
                for r, line in enumerate(block if first else block.T):
                    slots[at + r * apart : at + r * apart + len(line)] = line
        scratch = np.zeros(6 * unknowns + 36)
        factorise(self.g.node, plan, slots, inv, peak, scratch)
        x = rhs.copy()
        assert [int(plan.node[k, P_UNKNOWN]) for k in range(len(self.dims))] == list(self.starts()[:-1])
        solve(self.g.node, plan, slots, inv, x, scratch)
        return x

    # ---- as a matrix -------------------------------------------------------------------------------------------------

    def starts(self) -> np.ndarray:
        return np.concatenate([[0], np.cumsum(self.dims)])

    def matrix(self) -> np.ndarray:
        at = self.starts()
        A = np.zeros((at[-1], at[-1]))
        for (i, j), block in self.blocks.items():
            A[at[i] : at[i + 1], at[j] : at[j + 1]] = block
            A[at[j] : at[j + 1], at[i] : at[i + 1]] = block.T
        return A


def scaled_residual(A: np.ndarray, x: np.ndarray, b: np.ndarray) -> float:
    """Largest |A x - b| of a row relative to the size of its own terms: round-off is 1e-16 times a few."""
    return float((np.abs(A @ x - b) / (np.abs(A) @ np.abs(x) + np.abs(b) + 1e-300)).max())
