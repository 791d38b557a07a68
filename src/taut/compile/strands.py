"""How segmented cables start: what their joints hold and store as they are laid."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from taut.compile import frames
from taut.compile.bodies import BodyTable
from taut.compile.joints import JointTable
from taut.core.codes import GROUP_DIM, PAPER_SEGMENT, SEGMENT
from taut.core.model import J_A, J_ARM_A, J_ARM_B, J_B, J_COMPLIANCE, J_FRAME_A, J_FRAME_B

Array = np.ndarray


@dataclass(frozen=True)
class Laid:
    """Rows of the joints of segmented cables at the start."""

    groups: tuple[int, ...]
    forces: tuple[Array, ...]  # multiplier over dt of each row of those groups [N, N m]
    stored: float  # elastic energy [J]


def laid_joints(joints: JointTable, bodies: BodyTable) -> Laid:
    """Forces -phi/c of the compliant rows of all joints of segmented cables, and the energy phi^2/2c in them."""
    groups = tuple(g for g, group in enumerate(joints.groups) if group.laid)
    if not groups:
        return Laid((), (), 0.0)
    values = joint_values(joints, bodies.start_pos, bodies.start_quat, np.array(groups))
    soft = joints.rows[list(groups), J_COMPLIANCE : J_COMPLIANCE + 6]
    dims = [GROUP_DIM[joints.groups[g].kind] for g in groups]
    within = np.arange(6) < np.array(dims)[:, None]
    held = within & (soft > 0.0)
    force = np.where(held, -values / np.where(held, soft, 1.0), 0.0)
    return Laid(groups, tuple(row[:dim] for row, dim in zip(force, dims)), float(-0.5 * (force * values).sum()))


def joint_values(joints: JointTable, pos: Array, quat: Array, groups: Array, located: Array | None = None) -> Array:
    """Constraint values of joints of segmented cables: the formulas of taut.cables.segmented.joint, zero where a joint has
    no such row, shape (groups, 6); `located` are other arms and frames than those of the table."""
    a, b = joints.integers[groups, J_A], joints.integers[groups, J_B]
    at = (joints.frames if located is None else located)[groups]
    gap = pos[b] + frames.rotate(quat[b], at[:, J_ARM_B : J_ARM_B + 3])
    gap = gap - pos[a] - frames.rotate(quat[a], at[:, J_ARM_A : J_ARM_A + 3])
    here = frames.multiply(quat[a], at[:, J_FRAME_A : J_FRAME_A + 4])
    there = frames.multiply(quat[b], at[:, J_FRAME_B : J_FRAME_B + 4])
    w, x, y, z = frames.multiply(frames.conjugate(here), there).T
    theta = 2.0 * np.arcsin(np.minimum(1.0, np.hypot(x, y)))
    f = np.where(theta > 1e-9, theta / np.where(theta > 1e-9, np.sin(theta), 1.0), 1.0)
    bend, across = -f * 2.0 * (y * z - w * x), f * 2.0 * (x * z + w * y)
    twist = (2.0 * np.arctan2(z, w) + np.pi) % (2.0 * np.pi) - np.pi
    kind = np.array([joints.groups[g].kind for g in groups.tolist()])
    ours, paper, none = kind == SEGMENT, kind == PAPER_SEGMENT, np.zeros(len(kind))
    columns = (
        np.where(ours, bend, np.where(paper, theta, none)),
        np.where(ours, across, np.where(paper, twist, none)),
        np.where(ours, twist, none),
    )
    return np.concatenate([gap, np.stack(columns, axis=1)], axis=1)
