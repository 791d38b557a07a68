"""Constraint rows re-linearised to convergence (an option): G v+ replaced by the true change of phi over the step.

One linear solve leaves phi ~ h^2 w^2 l / 2 because G is frozen. Replacing G v+ by (phi(q+) - phi(q)) / h, with the same
factors (the Jacobian changes by O(h), so each correction gains one or two digits), makes rigid joints exact to
round-off; the stepper is then the constrained variational one (SHAKE), without drift of energy.
"""

from __future__ import annotations

from taut.core.buffers import column, index_table, indices, table
from taut.core.codes import AXIS_LIMIT, AXIS_MOTOR, FREE, PAPER_SEGMENT, SEGMENT
from taut.core.jit import kernel
from taut.core.model import (
    BODY_NEW,
    BODY_POS,
    BODY_QUAT,
    BODY_ROTOR,
    DRIVE,
    G_DIM,
    G_START,
    GROUP_INT,
    J_B,
    J_DRIVE,
    J_KIND,
    J_MODE,
    J_REST,
    JOINT_ANGLE,
    JOINT_ARM,
    JOINT_FRAME,
    JOINT_INT,
    JOINT_TURNS,
    JOINT_VALUE,
    R_CURL,
    R_RATE_NEW,
    R_RHS,
    ROW,
    ROW_BOUND,
    ROW_PHI,
    TRIAL_JAC,
    TRIAL_PHI,
    TRIAL_POS,
    TRIAL_QUAT,
)
from taut.core.order import SUBSTITUTE
from taut.core.stage import call_stage
from taut.step.assemble import driven_offset, joint_geometry
from taut.step.integrate import trial_poses

TOLERANCE = 1e-13


@kernel
def _correct(m, s, w, h):
    """Correct the right side of every holonomic row; returns the largest correction relative to the speeds."""
    joint, frame, value = index_table(m, JOINT_INT), table(m, JOINT_FRAME), table(m, JOINT_VALUE)
    turns, angles, phi, drive = indices(s, JOINT_TURNS), column(s, JOINT_ANGLE), column(s, ROW_PHI), table(s, DRIVE)
    bound, row, group, new = indices(s, ROW_BOUND), table(w, ROW), index_table(w, GROUP_INT), table(w, BODY_NEW)
    pos, quat, trial, jac = table(w, TRIAL_POS), table(w, TRIAL_QUAT), column(w, TRIAL_PHI), column(w, TRIAL_JAC)
    worst, scale = 0.0, 1e-12
    for g in range(joint.shape[0]):
        kind, p = joint[g, J_KIND], group[g, G_START]
        if kind == AXIS_MOTOR or kind == AXIS_LIMIT or kind == SEGMENT or kind == PAPER_SEGMENT:
            continue
        joint_geometry(
            g, joint, frame, value[g, J_REST], pos, quat, turns, angles, table(w, JOINT_ARM), trial, p, jac, 0, 36
        )
        slope = 0.0
        if joint[g, J_DRIVE] >= 0:
            offset, slope, _ = driven_offset(drive, joint[g, J_DRIVE], joint[g, J_MODE], h)
            trial[p] -= offset + h * slope
        for i in range(p, p + group[g, G_DIM]):
            if bound[i] != FREE:
                continue
            # what the linear rate G v+ has too much, against the true change of phi
            miss = row[i, R_RATE_NEW] - ((trial[i] - phi[i]) / h + slope)
            row[i, R_RHS] += miss - row[i, R_CURL]
            worst = max(worst, abs(miss - row[i, R_CURL]))
            row[i, R_CURL] = miss
        for c in range(3):
            scale = max(scale, abs(new[joint[g, J_B], c]))
    return worst / scale


@kernel
def relinearise(context, settings, m, s, w, h):
    """Repeat solve and correction until the rows hold at the end of the step."""
    row, joints = table(w, ROW), index_table(m, JOINT_INT).shape[0]
    for i in range(index_table(w, GROUP_INT)[joints, G_START]):
        row[i, R_CURL] = 0.0
    for _ in range(settings.relinearise):
        trial_poses(
            table(s, BODY_POS), table(s, BODY_QUAT), table(w, BODY_NEW), indices(m, BODY_ROTOR),
            table(w, TRIAL_POS), table(w, TRIAL_QUAT), h,
        )  # fmt: skip
        if _correct(m, s, w, h) < TOLERANCE:
            break
        call_stage(SUBSTITUTE, context, h, 0.0)
