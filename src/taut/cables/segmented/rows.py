"""Rows of the joints of segmented cables.

Three rows hold the points together (stretch and shear, compliance l/EA), two hold the bend (l/EI), one the twist (l/GJ);
see taut.cables.segmented.joint.

A twisting moment M turns with the segments it acts on. Its direction is that of the start of the step; on a cable that bends to
and fro this lag of a step feeds the bend, as a negative damping of M h on every joint. The bend rows therefore have a
damping time of at least TWISTED M h l/EI, which is nothing unless a cable is about to buckle by its twist.
"""

from __future__ import annotations

from taut.cables.segmented.joint import paper_rows, six_rows
from taut.core.angles import unwind
from taut.core.buffers import column, index_table, indices, table
from taut.core.codes import PAPER_SEGMENT, SEGMENT
from taut.core.jit import kernel
from taut.core.model import (
    B_AT,
    BLOCK_INT,
    BODY_DYNAMIC,
    BODY_NEW,
    BODY_POS,
    BODY_QUAT,
    BODY_VEL,
    COUNTER,
    G_BLOCK,
    G_START,
    GROUP_INT,
    J_A,
    J_ALONG,
    J_ARM_A,
    J_ARM_B,
    J_B,
    J_COMPLIANCE,
    J_FLOOR,
    J_FRAME_A,
    J_FRAME_B,
    J_KIND,
    J_TAU,
    JAC,
    JOINT_ANGLE,
    JOINT_FRAME,
    JOINT_INT,
    JOINT_ROW,
    JOINT_TURNS,
    R_FLOOR,
    R_HELD,
    R_KNOWN,
    R_KNOWN_OLD,
    R_RATE,
    R_RHS,
    R_SIGMA,
    ROW,
    ROW_LAM,
    ROW_LAM_OLD,
    ROW_PHI,
    STEPS,
)
from taut.core.quat import multiply, rotate
from taut.core.rows import expect_tension, holonomic

#: damping of bend by a twisting moment, in units of what its lag of a step takes away
TWISTED = 2.0


@kernel
def _spin(jac, at, sign, x, y, z):
    """Columns 3 to 5 of a row; the others are zero and stay so."""
    jac[at + 3], jac[at + 4], jac[at + 5] = sign * x, sign * y, sign * z


@kernel
def _arm(jac, at, sign, x, y, z):
    """sign (1, -[r]x) of a point at arm r, three rows of six; what is zero stays zero."""
    jac[at], jac[at + 7], jac[at + 14] = sign, sign, sign
    jac[at + 4], jac[at + 5] = sign * z, -sign * y
    jac[at + 9], jac[at + 11] = -sign * z, sign * x
    jac[at + 15], jac[at + 16] = sign * y, -sign * x


@kernel
def assemble_segments(settings, m, s, w, h, extra):
    """All rows of all joints of segmented cables."""
    joint, frame, law = index_table(m, JOINT_INT), table(m, JOINT_FRAME), table(m, JOINT_ROW)
    dynamic = indices(m, BODY_DYNAMIC)
    pos, quat, vel, new = table(s, BODY_POS), table(s, BODY_QUAT), table(s, BODY_VEL), table(w, BODY_NEW)
    phi, lam, turns, angles = column(s, ROW_PHI), column(s, ROW_LAM), indices(s, JOINT_TURNS), column(s, JOINT_ANGLE)
    old = column(s, ROW_LAM_OLD)
    group, block, jac, row = index_table(w, GROUP_INT), index_table(w, BLOCK_INT), column(w, JAC), table(w, ROW)
    started = indices(s, COUNTER)[STEPS] > 0
    for g in range(joint.shape[0]):
        kind = joint[g, J_KIND]
        if kind != SEGMENT and kind != PAPER_SEGMENT:
            continue
        p, e = group[g, G_START], group[g, G_BLOCK]
        ga, gb = block[e, B_AT], block[e + 1, B_AT]
        a, b = joint[g, J_A], joint[g, J_B]
        aw, ax, ay, az = quat[a, 0], quat[a, 1], quat[a, 2], quat[a, 3]
        bw, bx, by, bz = quat[b, 0], quat[b, 1], quat[b, 2], quat[b, 3]
        rax, ray, raz = rotate(aw, ax, ay, az, frame[g, J_ARM_A], frame[g, J_ARM_A + 1], frame[g, J_ARM_A + 2])
        rbx, rby, rbz = rotate(bw, bx, by, bz, frame[g, J_ARM_B], frame[g, J_ARM_B + 1], frame[g, J_ARM_B + 2])
        aw, ax, ay, az = multiply(
            aw,
            ax,
            ay,
            az,
            frame[g, J_FRAME_A],
            frame[g, J_FRAME_A + 1],
            frame[g, J_FRAME_A + 2],
            frame[g, J_FRAME_A + 3],
        )
        bw, bx, by, bz = multiply(
            bw,
            bx,
            by,
            bz,
            frame[g, J_FRAME_B],
            frame[g, J_FRAME_B + 1],
            frame[g, J_FRAME_B + 2],
            frame[g, J_FRAME_B + 3],
        )
        _arm(jac, ga, -1.0, rax, ray, raz)
        _arm(jac, gb, 1.0, rbx, rby, rbz)
        phi[p] = pos[b, 0] + rbx - pos[a, 0] - rax
        phi[p + 1] = pos[b, 1] + rby - pos[a, 1] - ray
        phi[p + 2] = pos[b, 2] + rbz - pos[a, 2] - raz
        if kind == SEGMENT:
            dim = 6
            bend_x, bend_y, twist, one, two, three = six_rows(aw, ax, ay, az, bw, bx, by, bz)
            phi[p + 3], phi[p + 4] = bend_x, bend_y
            _spin(jac, ga + 30, -1.0, three[0], three[1], three[2])
            _spin(jac, gb + 30, 1.0, three[0], three[1], three[2])
        else:
            dim = 5
            bend_x, twist, one, two = paper_rows(joint[g, J_ALONG] == 1, aw, ax, ay, az, bw, bx, by, bz)
            phi[p + 3] = bend_x
        _spin(jac, ga + 18, -1.0, one[0], one[1], one[2])
        _spin(jac, gb + 18, 1.0, one[0], one[1], one[2])
        _spin(jac, ga + 24, -1.0, two[0], two[1], two[2])
        _spin(jac, gb + 24, 1.0, two[0], two[1], two[2])
        phi[p + dim - 1] = unwind(g, twist, turns, angles)
        _rates(row, p, dim, jac, ga, gb, vel[a], vel[b], new[a], new[b], dynamic[a] == 0, dynamic[b] == 0)
        expect_tension(row, p, 3, lam, old)
        twisting = TWISTED * abs(lam[p + dim - 1])
        for r in range(dim):
            i = p + r
            compliance, tau = law[g, J_COMPLIANCE + r], law[g, J_TAU + r]
            if 3 <= r < dim - 1:
                tau = max(tau, twisting * compliance)
            rate = row[i, R_RATE]
            if not started and compliance == 0.0:
                rate = 0.0  # a start velocity that a rigid joint does not allow is gone at once, as after an impact
            sigma, rhs = holonomic(settings, h, phi[i], rate, compliance, tau, extra)
            floor = law[g, J_FLOOR + r]
            row[i, R_FLOOR], row[i, R_HELD] = floor, lam[i]
            row[i, R_SIGMA], row[i, R_RHS] = sigma + floor, rhs + floor * lam[i]


@kernel
def _rates(row, p, dim, jac, ga, gb, va, vb, new_a, new_b, known_a, known_b):
    """G v of all rows, and G v+ of what moves as given."""
    for r in range(dim):
        oa, ob, i = ga + 6 * r, gb + 6 * r, p + r
        before = jac[oa + 3] * va[3] + jac[oa + 4] * va[4] + jac[oa + 5] * va[5]
        after = jac[ob + 3] * vb[3] + jac[ob + 4] * vb[4] + jac[ob + 5] * vb[5]
        if r < 3:
            before -= va[r]
            after += vb[r]
        given, given_old = 0.0, 0.0
        if known_a:
            given_old += before
            given += jac[oa + 3] * new_a[3] + jac[oa + 4] * new_a[4] + jac[oa + 5] * new_a[5]
            if r < 3:
                given -= new_a[r]
        if known_b:
            given_old += after
            given += jac[ob + 3] * new_b[3] + jac[ob + 4] * new_b[4] + jac[ob + 5] * new_b[5]
            if r < 3:
                given += new_b[r]
        row[i, R_RATE], row[i, R_KNOWN], row[i, R_KNOWN_OLD] = before + after, given, given_old
