"""How segmented cables start: what their joints hold and store as they are laid."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from taut.compile import frames
from taut.compile.bodies import BodyTable
from taut.compile.joints import JointTable
from taut.core.model import BALL, J_A, J_ARM_A, J_ARM_B, J_B, J_COMPLIANCE, J_FRAME_A, J_FRAME_B, SEGMENT

Array = np.ndarray


@dataclass(frozen=True)
class Laid:
    """Rows of the joints of segmented cables at the start."""

    groups: tuple[int, ...]
    forces: tuple[Array, ...]  # multiplier over dt of each row of those groups [N, N m]
    stored: float  # elastic energy [J]


def laid_joints(joints: JointTable, bodies: BodyTable) -> Laid:
    """Forces -phi/c of the compliant rows of all joints of segmented cables, and the energy phi^2/2c in them."""
    groups: list[int] = []
    forces: list[Array] = []
    stored = 0.0
    for g, group in enumerate(joints.groups):
        if not group.laid:
            continue
        phi, soft = _values(joints, bodies, g), joints.rows[g, J_COMPLIANCE : J_COMPLIANCE + 6]
        held = soft[: len(phi)] > 0.0
        force = np.zeros(len(phi))
        force[held] = -phi[held] / soft[: len(phi)][held]
        stored += float(-0.5 * (force * phi).sum())
        groups.append(g)
        forces.append(force)
    return Laid(tuple(groups), tuple(forces), stored)


def _values(joints: JointTable, bodies: BodyTable, g: int) -> Array:
    """Constraint values as laid: the formulas of taut.cables.segmented.joint."""
    a, b, at = joints.integers[g, J_A], joints.integers[g, J_B], joints.frames[g]
    qa, qb = bodies.start_quat[a], bodies.start_quat[b]
    gap = bodies.start_pos[b] + frames.rotate(qb, at[J_ARM_B : J_ARM_B + 3])
    gap = gap - bodies.start_pos[a] - frames.rotate(qa, at[J_ARM_A : J_ARM_A + 3])
    kind = joints.groups[g].kind
    if kind == BALL:
        return gap
    here = frames.multiply(qa, at[J_FRAME_A : J_FRAME_A + 4])
    there = frames.multiply(qb, at[J_FRAME_B : J_FRAME_B + 4])
    w, x, y, z = frames.multiply(frames.conjugate(here), there)
    theta = 2.0 * math.asin(min(1.0, math.hypot(x, y)))
    f = theta / math.sin(theta) if theta > 1e-9 else 1.0
    bend = (-f * 2.0 * (y * z - w * x), f * 2.0 * (x * z + w * y))
    twist = 2.0 * math.atan2(z, w)
    twist = (twist + math.pi) % (2.0 * math.pi) - math.pi
    return np.array([*gap, *bend, twist]) if kind == SEGMENT else np.array([*gap, theta, twist])
