"""Sets of joints for the block Gauss-Seidel solver: what is solved as one, and a copy of every body in each set.

With copies the sets share no unknown, so one elimination plan serves them all and each leaves in its own range.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from taut.core.model import J_A, J_B, J_SET, S_GROUP, S_GROUP_END, S_NODE, S_NODE_END, S_ROW_NODE


@dataclass(frozen=True)
class SetTable:
    """Sets in the order of the sweep: chains first, then the joints between them."""

    integers: np.ndarray  # columns S_GROUP ..., shape (k, 7)
    copy_node: np.ndarray  # node of the body of each copy, -1 for row groups, shape (p,)
    block_copy: np.ndarray  # copy that each Jacobian block acts on, -1 for known motion, shape (2 g,)

    @property
    def copies(self) -> int:
        """Copies of bodies in all sets."""
        return int((self.copy_node >= 0).sum())


def compile_sets(joint_int: np.ndarray, body_node: np.ndarray) -> SetTable:
    """Number copies and row groups, set by set. A set is a run of groups with one number in J_SET."""
    of_group = joint_int[:, J_SET]
    starts = np.flatnonzero(np.diff(of_group, prepend=-1))
    ends = np.append(starts[1:], len(of_group))
    touched = body_node[joint_int[:, [J_A, J_B]]]
    integers = np.zeros((len(starts), 7), np.int64)
    block_copy = np.full(touched.shape, -1, np.int64)
    copy_node: list[np.ndarray] = []
    at = 0
    for k, run in enumerate(np.argsort(of_group[starts], kind="stable")):
        first, last = int(starts[run]), int(ends[run])
        nodes = touched[first:last]
        copies, place = np.unique(nodes[nodes >= 0], return_inverse=True)
        block_copy[first:last][nodes >= 0] = at + place
        copy_node += [copies, np.full(last - first, -1)]
        rows = at + len(copies)
        integers[k, [S_GROUP, S_GROUP_END, S_NODE, S_ROW_NODE, S_NODE_END]] = first, last, at, rows, rows + last - first
        at = rows + last - first
    return SetTable(integers, np.concatenate([np.zeros(0, np.int64), *copy_node]), block_copy.ravel())
