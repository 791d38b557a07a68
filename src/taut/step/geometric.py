"""Geometric stiffness: tension turns with the body that it acts on.

A direct solve freezes the force direction over the step; tension times that frozen direction is integrated explicitly
and blows up at load ratios of 10 to 1000. Adding a h^2 K_geo to the mass matrix,

    (M + a h^2 K) (v+ - v) = h f + G^T lam,

on both sides, so that nothing is damped and statics stay exact, removes the limit (a = 1; 0.25 is not enough).

A tension that grows suddenly would give away energy that was never stored: K(v+ - v) with a K that jumps from k to K
while something moves across it adds v (K - k) v / 2. On the right side K may therefore grow by GROWTH per step at
most; what is beyond acts as a drag, whose loss is booked with the joints. Steady swings never come near it.

Point joint, force F on the body at arm r:  K = max(0, F.r) (1 - r r^T / r^2) on the rotation.
Distance row with tension T, length l, direction t: K = J^T (T/l) (1 - t t^T) J on both bodies, J the Jacobian of the
vector between the points. Never lumped: a lumped block would slow the fall of the pair as a whole.
"""

from __future__ import annotations

import math

from taut.core.buffers import column, index_table, indices, table
from taut.core.codes import BALL, DISTANCE, HINGE, SEGMENT
from taut.core.jit import kernel
from taut.core.model import (
    B_AT,
    BLOCK_INT,
    BODY_INERTIA,
    BODY_MASS,
    BODY_NEW,
    BODY_NODE,
    BODY_VEL,
    COUNTER,
    G_BLOCK,
    G_START,
    GROUP_INT,
    J_A,
    J_B,
    J_KIND,
    J_PAIR,
    JAC,
    JOINT_ARM,
    JOINT_INT,
    JOINT_STIFFNESS,
    JOINT_STIFFNESS_NEW,
    NODE_BLOCK,
    NODE_DRAG,
    NODE_RHS,
    PAIR_BLOCK,
    POINT_JACOBIANS,
    R_FLAGGED,
    R_TENSION,
    ROW,
    ROW_INT,
    STEPS,
)
from taut.core.pair import stiffen_pair

#: largest growth of a stiffness from one step to the next that is taken as smooth, and the part of the inertia below
#: which it does not matter
GROWTH, SMALL = 1.25, 0.2
#: steps at the start of a run whose tensions are not compared
SETTLING = 20


@kernel
def smooth_part(last, now, inertia):
    """Part of a stiffness that acts on the right side; `last` below zero: not known yet."""
    allowed = GROWTH * last + SMALL * inertia
    return 1.0 if last < 0.0 or now <= allowed else allowed / now


@kernel
def _stiffen_rotation(block, rhs, drag, f, part, rx, ry, rz, wx, wy, wz):
    """Add f (1 - r r^T / r^2) to the rotational block and its part times w to the right side; f = a h^2 F.r."""
    r2 = rx * rx + ry * ry + rz * rz
    if f <= 0.0 or r2 == 0.0:
        return
    k = f / r2
    along = (rx * wx + ry * wy + rz * wz) * k
    block[21] += f - k * rx * rx
    block[27] -= k * rx * ry
    block[28] += f - k * ry * ry
    block[33] -= k * rx * rz
    block[34] -= k * ry * rz
    block[35] += f - k * rz * rz
    px, py, pz = f * wx - along * rx, f * wy - along * ry, f * wz - along * rz
    rhs[3] += part * px
    rhs[4] += part * py
    rhs[5] += part * pz
    if part < 1.0:
        drag[3] += (1.0 - part) * px
        drag[4] += (1.0 - part) * py
        drag[5] += (1.0 - part) * pz


@kernel
def add_geometric_stiffness(settings, m, s, w, h):
    """K_geo of every joint under tension, from the tensions expected or found, into blocks and right sides."""
    joint, node_of = index_table(m, JOINT_INT), indices(m, BODY_NODE)
    vel, new, row = table(s, BODY_VEL), table(w, BODY_NEW), table(w, ROW)
    group, blocks, flags = index_table(w, GROUP_INT), index_table(w, BLOCK_INT), index_table(w, ROW_INT)
    jac, arm, point = column(w, JAC), table(w, JOINT_ARM), table(w, POINT_JACOBIANS)
    block, rhs, pair_block, drag = table(w, NODE_BLOCK), table(w, NODE_RHS), table(w, PAIR_BLOCK), table(w, NODE_DRAG)
    last, now = table(s, JOINT_STIFFNESS), table(w, JOINT_STIFFNESS_NEW)
    mass, moment = column(m, BODY_MASS), table(m, BODY_INERTIA)
    scale = settings.geometric * h  # a h^2 F = a h lam
    for k in range(pair_block.shape[0]):
        for c in range(36):
            pair_block[k, c] = 0.0
    for k in range(drag.shape[0]):
        for c in range(6):
            drag[k, c] = 0.0
    part = 1.0
    for g in range(joint.shape[0]):
        now[g, 0], now[g, 1] = 0.0, 0.0
        kind, p = joint[g, J_KIND], group[g, G_START]
        if kind != BALL and kind != DISTANCE and kind != HINGE and kind != SEGMENT:
            continue
        # a flagged row's tension is undetermined: two rows share one force in any proportion. Which row of a joint is
        # flagged depends on the axes of the world, how many are does not
        if flags[p, R_FLAGGED] == 1 and (
            kind == DISTANCE or (flags[p + 1, R_FLAGGED] == 1 and flags[p + 2, R_FLAGGED] == 1)
        ):
            continue
        e = group[g, G_BLOCK]
        ga, gb = blocks[e, B_AT], blocks[e + 1, B_AT]
        a, b = joint[g, J_A], joint[g, J_B]
        na, nb = node_of[a], node_of[b]
        if kind == DISTANCE:
            tension = -scale * row[p, R_TENSION]
            if tension <= 0.0:
                continue
            length = max(arm[g, 6], 1e-9)
            lighter = min(mass[a] if na >= 0 else math.inf, mass[b] if nb >= 0 else math.inf)
            part = smooth_part(last[g, 0], tension, lighter * length)
            now[g, 0] = tension
            ex, ey, ez = jac[gb], jac[gb + 1], jac[gb + 2]
            stiffen_pair(
                block, rhs, drag, pair_block, joint[g, J_PAIR], point, na, nb, vel[a], vel[b], new[a], new[b],
                arm[g, 0], arm[g, 1], arm[g, 2], arm[g, 3], arm[g, 4], arm[g, 5],
                ex, ey, ez, tension / length, part,
            )  # fmt: skip
            rax, ray, raz = arm[g, 0], arm[g, 1], arm[g, 2]
            rbx, rby, rbz = arm[g, 3], arm[g, 4], arm[g, 5]
            fx, fy, fz = -tension * ex, -tension * ey, -tension * ez
        else:
            fx, fy, fz = scale * row[p, R_TENSION], scale * row[p + 1, R_TENSION], scale * row[p + 2, R_TENSION]
            rax, ray, raz = jac[ga + 16], -jac[ga + 15], -jac[ga + 4]
            rbx, rby, rbz = -jac[gb + 16], jac[gb + 15], jac[gb + 4]
        if nb >= 0:
            f = fx * rbx + fy * rby + fz * rbz
            if kind != DISTANCE:
                part, now[g, 1] = (
                    smooth_part(last[g, 1], f, max(moment[b, 0], moment[b, 1], moment[b, 2])),
                    max(f, 0.0),
                )
            _stiffen_rotation(block[nb], rhs[nb], drag[nb], f, part, rbx, rby, rbz, vel[b, 3], vel[b, 4], vel[b, 5])
        if na >= 0:
            f = -(fx * rax + fy * ray + fz * raz)
            if kind != DISTANCE:
                part, now[g, 0] = (
                    smooth_part(last[g, 0], f, max(moment[a, 0], moment[a, 1], moment[a, 2])),
                    max(f, 0.0),
                )
            _stiffen_rotation(block[na], rhs[na], drag[na], f, part, rax, ray, raz, vel[a, 3], vel[a, 4], vel[a, 5])


@kernel
def keep_stiffness(s, w):
    """What the next step compares its stiffness with; the first steps of a run are still finding the tensions."""
    last, now = table(s, JOINT_STIFFNESS), table(w, JOINT_STIFFNESS_NEW)
    known = indices(s, COUNTER)[STEPS] >= SETTLING
    for g in range(now.shape[0]):
        last[g, 0], last[g, 1] = now[g, 0] if known else -1.0, now[g, 1] if known else -1.0
