"""What a segmented cable needs between two steps: merged segments are carried along, and joints are looked after.

A wave runs lambda = h sqrt(T/m') in a step. Segments much shorter than that move in ways that the step cannot show:
they are merged where they lie straight, and split again where the cable bends or goes slack. A joint whose tension reaches
the breaking load parts.
"""

from __future__ import annotations

import math

from taut.cables.segmented.columns import (
    A_BENT,
    A_LINE,
    A_MERGE,
    A_QUIET,
    A_SPLIT,
    A_STRAIGHT,
    O_BODY,
    O_HOST,
    U_AFTER,
    U_BEFORE,
    U_BODY,
    U_BREAK,
    U_GROUP,
    U_LENGTH_AFTER,
    U_LENGTH_BEFORE,
    U_MERGE,
    U_STRAND,
)
from taut.core.buffers import column, index_table, indices, table
from taut.core.codes import SEGMENT
from taut.core.jit import kernel
from taut.core.model import (
    BODY_POS,
    BODY_QUAT,
    BODY_VEL,
    FOLLOW_INT,
    FOLLOW_POSE,
    G_START,
    GROUP_INT,
    J_A,
    J_ARM_A,
    J_ARM_B,
    J_B,
    J_FRAME_A,
    J_KIND,
    JOINT_FRAME,
    JOINT_INT,
    ROW_LAM,
    ROW_PHI,
    SLIDE_INT,
    SLIDE_LAW,
    STRAND_LAW,
    STRAND_QUIET,
    WATCH_INT,
    WATCH_LAW,
)
from taut.core.quat import multiply, rotate


@kernel
def carry_along(m, s):
    """Poses and velocities of the segments that lie in another body."""
    follow, pose = index_table(m, FOLLOW_INT), table(m, FOLLOW_POSE)
    pos, quat, vel = table(s, BODY_POS), table(s, BODY_QUAT), table(s, BODY_VEL)
    for k in range(follow.shape[0]):
        i, j, p = follow[k, O_BODY], follow[k, O_HOST], pose[k]
        w, x, y, z = quat[j, 0], quat[j, 1], quat[j, 2], quat[j, 3]
        rx, ry, rz = rotate(w, x, y, z, p[0], p[1], p[2])
        quat[i, 0], quat[i, 1], quat[i, 2], quat[i, 3] = multiply(w, x, y, z, p[3], p[4], p[5], p[6])
        a, b, c = vel[j, 3], vel[j, 4], vel[j, 5]
        pos[i, 0], pos[i, 1], pos[i, 2] = pos[j, 0] + rx, pos[j, 1] + ry, pos[j, 2] + rz
        vel[i, 0], vel[i, 1], vel[i, 2] = (
            vel[j, 0] + b * rz - c * ry,
            vel[j, 1] + c * rx - a * rz,
            vel[j, 2] + a * ry - b * rx,
        )
        vel[i, 3], vel[i, 4], vel[i, 5] = a, b, c


@kernel
def slid_over(m, s):
    """1 when a grip has come to the end of the segment that slides through it."""
    slide, rule = indices(m, SLIDE_INT), table(m, SLIDE_LAW)
    joint, frame, pos, quat = index_table(m, JOINT_INT), table(m, JOINT_FRAME), table(s, BODY_POS), table(s, BODY_QUAT)
    for k in range(slide.shape[0]):
        g = slide[k]
        a, b, f = joint[g, J_A], joint[g, J_B], frame[g]
        w, x, y, z = quat[a, 0], quat[a, 1], quat[a, 2], quat[a, 3]
        rax, ray, raz = rotate(w, x, y, z, f[J_ARM_A], f[J_ARM_A + 1], f[J_ARM_A + 2])
        rbx, rby, rbz = rotate(
            quat[b, 0], quat[b, 1], quat[b, 2], quat[b, 3], f[J_ARM_B], f[J_ARM_B + 1], f[J_ARM_B + 2]
        )
        w, x, y, z = multiply(w, x, y, z, f[J_FRAME_A], f[J_FRAME_A + 1], f[J_FRAME_A + 2], f[J_FRAME_A + 3])
        ex, ey, ez = rotate(w, x, y, z, 0.0, 0.0, 1.0)
        way = ex * (pos[b, 0] + rbx - pos[a, 0] - rax)
        way += ey * (pos[b, 1] + rby - pos[a, 1] - ray) + ez * (pos[b, 2] + rbz - pos[a, 2] - raz)
        if way < rule[k, 0] or way > rule[k, 1]:
            return 1
    return 0


@kernel
def due(m, s, w, h):
    """1 when segments are to be merged or split, or a joint has reached its breaking load."""
    watch, rules, laws = index_table(m, WATCH_INT), table(m, WATCH_LAW), table(m, STRAND_LAW)
    joint, group, lam, phi = (
        index_table(m, JOINT_INT),
        index_table(w, GROUP_INT),
        column(s, ROW_LAM),
        column(s, ROW_PHI),
    )
    quiet, quat = indices(s, STRAND_QUIET), table(s, BODY_QUAT)
    for k in range(quiet.shape[0]):
        quiet[k] += 1
    for k in range(watch.shape[0]):
        g, law = watch[k, U_GROUP], laws[watch[k, U_STRAND]]
        p = group[g, G_START]
        i = watch[k, U_BODY]
        ux, uy, uz = rotate(quat[i, 0], quat[i, 1], quat[i, 2], quat[i, 3], 0.0, 0.0, 1.0)
        tension = max(-(lam[p] * ux + lam[p + 1] * uy + lam[p + 2] * uz) / h, 0.0)
        if tension > rules[k, U_BREAK]:
            return 1
        if watch[k, U_MERGE] + watch[k, U_BEFORE] + watch[k, U_AFTER] == 0:
            continue
        bend = math.sqrt(phi[p + 3] ** 2 + phi[p + 4] ** 2) if joint[g, J_KIND] == SEGMENT else 0.0
        reach = h * math.sqrt(tension / law[A_LINE])
        before, after = rules[k, U_LENGTH_BEFORE], rules[k, U_LENGTH_AFTER]
        if watch[k, U_BEFORE] == 1 and (bend > law[A_BENT] or before > law[A_SPLIT] * reach):
            return 1
        if watch[k, U_AFTER] == 1 and (bend > law[A_BENT] or after > law[A_SPLIT] * reach):
            return 1
        if watch[k, U_MERGE] == 1 and quiet[watch[k, U_STRAND]] >= law[A_QUIET]:
            if bend < law[A_STRAIGHT] and before + after < law[A_MERGE] * reach:
                return 1
    return 0
