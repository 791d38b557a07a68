"""Rows of the joints: Jacobian, compliance and right side of every row group, and the geometric stiffness.

A holonomic row phi(q, t) = 0 with stiffness k and damping time tau enters the solve as (Lacoursiere's regularised
variational stepper, h the step)

    G v+ + Sigma lam = -(4 gamma / h) phi + gamma (G v)       gamma = 1 / (1 + 4 tau / h),  Sigma = 4 gamma / (h^2 k)

and in the papers' first-order form as  G v+ + lam / (h (h + tau) k) = -phi / (h + tau).  The force on the bodies is
G^T lam / h. A velocity row is G v+ + Sigma lam = w. A rigid row has a small floor e in Sigma, taken off again where it
would act on the force: G v+ + e (lam - lam_last) = ..., refined in the solve when the force jumps.

Points: phi = p_b - p_a, so G_b = [1, -[r_b]x], G_a = [-1, [r_a]x]. A direction e fixed in a, with d = p_b - p_a:
phi = e . d, G_b = [e, r_b x e], G_a = [-e, -(r_a + d) x e].
"""

from __future__ import annotations

import math

from taut.core.angles import turn_about_z, unwind
from taut.core.buffers import column, index_table, indices, table
from taut.core.codes import (
    ABOUT_AXIS,
    ALONG_LENGTH,
    AXIS_LIMIT,
    AXIS_MOTOR,
    BALL,
    BY_TRAVEL,
    DISTANCE,
    HINGE,
    LOCK,
    PAPER_SEGMENT,
    POINT_ON_LINE,
    SEGMENT,
    SLIDER,
)
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
    D_SLOPE,
    D_SLOPE_OLD,
    D_TARGET,
    D_TRAVEL,
    DRIVE,
    G_BLOCK,
    G_DIM,
    G_START,
    GROUP_INT,
    J_A,
    J_ALONG,
    J_ARM_A,
    J_ARM_B,
    J_B,
    J_COMPLIANCE,
    J_DRIVE,
    J_FLOOR,
    J_FRAME_A,
    J_FRAME_B,
    J_HIGH,
    J_KIND,
    J_LOW,
    J_MODE,
    J_REST,
    J_TAU,
    JAC,
    JOINT_ANGLE,
    JOINT_ARM,
    JOINT_FRAME,
    JOINT_INT,
    JOINT_ROW,
    JOINT_SLOPE,
    JOINT_TURNS,
    JOINT_VALUE,
    R_FLOOR,
    R_HELD,
    R_HIGH,
    R_LOW,
    R_RATE,
    R_RHS,
    R_SIGMA,
    ROW,
    ROW_AGE,
    ROW_LAM,
    ROW_LAM_OLD,
    ROW_PHI,
    ROW_PHI_OLD,
    STEPS,
)
from taut.core.quat import multiply, rotate
from taut.core.rows import catch, expect_tension, holonomic, row_rates
from taut.step.onset import settled_part

#: part of its lever by which a joint may be open and still close at once; a whip's tip, which turns by radians in a
#: step, opens its joints further, and closing them at once would throw the links away
FAR_OPEN = 0.03
#: part of the other lever below which a lever is none
NO_LEVER = 0.01


@kernel
def _point_rows(jac, ga, gb, rax, ray, raz, rbx, rby, rbz):
    """Three rows phi = p_b - p_a."""
    for k in range(18):
        jac[ga + k] = 0.0
        jac[gb + k] = 0.0
    for k in range(3):
        jac[ga + 7 * k] = -1.0
        jac[gb + 7 * k] = 1.0
    jac[ga + 4], jac[ga + 5] = -raz, ray
    jac[ga + 9], jac[ga + 11] = raz, -rax
    jac[ga + 15], jac[ga + 16] = -ray, rax
    jac[gb + 4], jac[gb + 5] = rbz, -rby
    jac[gb + 9], jac[gb + 11] = -rbz, rbx
    jac[gb + 15], jac[gb + 16] = rby, -rbx


@kernel
def _direction_row(jac, ga, gb, ex, ey, ez, sax, say, saz, rbx, rby, rbz):
    """One row phi = e . (p_b - p_a), e fixed in a; sa = r_a + d."""
    jac[ga], jac[ga + 1], jac[ga + 2] = -ex, -ey, -ez
    jac[ga + 3] = -(say * ez - saz * ey)
    jac[ga + 4] = -(saz * ex - sax * ez)
    jac[ga + 5] = -(sax * ey - say * ex)
    jac[gb], jac[gb + 1], jac[gb + 2] = ex, ey, ez
    jac[gb + 3] = rby * ez - rbz * ey
    jac[gb + 4] = rbz * ex - rbx * ez
    jac[gb + 5] = rbx * ey - rby * ex


@kernel
def _spin_row(jac, ga, gb, ex, ey, ez):
    """One row with rate e . (w_b - w_a)."""
    jac[ga], jac[ga + 1], jac[ga + 2] = 0.0, 0.0, 0.0
    jac[gb], jac[gb + 1], jac[gb + 2] = 0.0, 0.0, 0.0
    jac[ga + 3], jac[ga + 4], jac[ga + 5] = -ex, -ey, -ez
    jac[gb + 3], jac[gb + 4], jac[gb + 5] = ex, ey, ez


@kernel
def _frame(quat, body, frame, g, at):
    """Joint frame of one side in world axes, as a quaternion."""
    return multiply(
        quat[body, 0], quat[body, 1], quat[body, 2], quat[body, 3],
        frame[g, at], frame[g, at + 1], frame[g, at + 2], frame[g, at + 3],
    )  # fmt: skip


@kernel
def _lock_rows(jac, ga, gb, phi, p, aw, ax, ay, az, bw, bx, by, bz):
    """Three rows phi = 2 vec(conj(a) b) in the axes of a: rate (p0 1 - [v]x) R_a^T (w_b - w_a)."""
    w, x, y, z = multiply(aw, -ax, -ay, -az, bw, bx, by, bz)
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    phi[p], phi[p + 1], phi[p + 2] = 2.0 * x, 2.0 * y, 2.0 * z
    # rows of (w 1 - [v]x), each turned to world axes
    ex, ey, ez = rotate(aw, ax, ay, az, w, z, -y)
    _spin_row(jac, ga, gb, ex, ey, ez)
    ex, ey, ez = rotate(aw, ax, ay, az, -z, w, x)
    _spin_row(jac, ga + 6, gb + 6, ex, ey, ez)
    ex, ey, ez = rotate(aw, ax, ay, az, y, -x, w)
    _spin_row(jac, ga + 12, gb + 12, ex, ey, ez)


@kernel
def hinge_angle(g, aw, ax, ay, az, bw, bx, by, bz, turns, angles):
    """Angle of b about the z axis of a's joint frame, counted over full turns [rad]."""
    w, _, _, z = multiply(aw, -ax, -ay, -az, bw, bx, by, bz)
    return unwind(g, turn_about_z(w, z), turns, angles)


@kernel
def joint_geometry(g, joint, frame, rest, pos, quat, turns, angles, arm, phi, p, jac, ga, gb):
    """Jacobian blocks of group g at jac[ga:], jac[gb:] and its constraint values at phi[p:], for the poses given."""
    kind = joint[g, J_KIND]
    a, b = joint[g, J_A], joint[g, J_B]
    rax, ray, raz = rotate(
        quat[a, 0], quat[a, 1], quat[a, 2], quat[a, 3], frame[g, J_ARM_A], frame[g, J_ARM_A + 1], frame[g, J_ARM_A + 2]
    )
    rbx, rby, rbz = rotate(
        quat[b, 0], quat[b, 1], quat[b, 2], quat[b, 3], frame[g, J_ARM_B], frame[g, J_ARM_B + 1], frame[g, J_ARM_B + 2]
    )
    dx = pos[b, 0] + rbx - pos[a, 0] - rax
    dy = pos[b, 1] + rby - pos[a, 1] - ray
    dz = pos[b, 2] + rbz - pos[a, 2] - raz
    if kind == BALL:
        _point_rows(jac, ga, gb, rax, ray, raz, rbx, rby, rbz)
        phi[p], phi[p + 1], phi[p + 2] = dx, dy, dz
        return
    along = joint[g, J_ALONG]
    if kind == DISTANCE or (kind >= AXIS_MOTOR and along == ALONG_LENGTH):
        length = math.sqrt(dx * dx + dy * dy + dz * dz)
        if length > 1e-12:
            ex, ey, ez = dx / length, dy / length, dz / length
        else:
            ex, ey, ez = 0.0, 0.0, -1.0
        _direction_row(jac, ga, gb, ex, ey, ez, rax, ray, raz, rbx, rby, rbz)
        phi[p] = length - rest
        arm[g, 0], arm[g, 1], arm[g, 2] = rax, ray, raz
        arm[g, 3], arm[g, 4], arm[g, 5], arm[g, 6] = rbx, rby, rbz, length
        return
    aw, ax, ay, az = _frame(quat, a, frame, g, J_FRAME_A)
    bw, bx, by, bz = _frame(quat, b, frame, g, J_FRAME_B)
    sax, say, saz = rax + dx, ray + dy, raz + dz
    if kind >= AXIS_MOTOR:
        ex, ey, ez = rotate(aw, ax, ay, az, 0.0, 0.0, 1.0)
        if along == ABOUT_AXIS:
            _spin_row(jac, ga, gb, ex, ey, ez)
            phi[p] = hinge_angle(g, aw, ax, ay, az, bw, bx, by, bz, turns, angles) - rest
        else:
            _direction_row(jac, ga, gb, ex, ey, ez, sax, say, saz, rbx, rby, rbz)
            phi[p] = ex * dx + ey * dy + ez * dz - rest
    elif kind == HINGE:
        _point_rows(jac, ga, gb, rax, ray, raz, rbx, rby, rbz)
        phi[p], phi[p + 1], phi[p + 2] = dx, dy, dz
        # the axis of b stays normal to x and y of a: rate (u_b x x_a) . (w_b - w_a)
        ux, uy, uz = rotate(bw, bx, by, bz, 0.0, 0.0, 1.0)
        for k in range(2):
            if k == 0:
                ex, ey, ez = rotate(aw, ax, ay, az, 1.0, 0.0, 0.0)
            else:
                ex, ey, ez = rotate(aw, ax, ay, az, 0.0, 1.0, 0.0)
            phi[p + 3 + k] = ex * ux + ey * uy + ez * uz
            o = 6 * (3 + k)
            _spin_row(jac, ga + o, gb + o, uy * ez - uz * ey, uz * ex - ux * ez, ux * ey - uy * ex)
    elif kind == LOCK:
        _point_rows(jac, ga, gb, rax, ray, raz, rbx, rby, rbz)
        phi[p], phi[p + 1], phi[p + 2] = dx, dy, dz
        _lock_rows(jac, ga + 18, gb + 18, phi, p + 3, aw, ax, ay, az, bw, bx, by, bz)
    elif kind == SLIDER or kind == POINT_ON_LINE:
        ex, ey, ez = rotate(aw, ax, ay, az, 1.0, 0.0, 0.0)
        _direction_row(jac, ga, gb, ex, ey, ez, sax, say, saz, rbx, rby, rbz)
        phi[p] = ex * dx + ey * dy + ez * dz
        ex, ey, ez = rotate(aw, ax, ay, az, 0.0, 1.0, 0.0)
        _direction_row(jac, ga + 6, gb + 6, ex, ey, ez, sax, say, saz, rbx, rby, rbz)
        phi[p + 1] = ex * dx + ey * dy + ez * dz
        if kind == SLIDER:
            _lock_rows(jac, ga + 12, gb + 12, phi, p + 2, aw, ax, ay, az, bw, bx, by, bz)


@kernel
def _gentle(phi, p, frame, g, moves_a, moves_b):
    """Factor on the opening of a point joint for its correction: 1, or less when the joint is far open.

    Its square is the factor on the rate. A joint that is closed at a limited speed and keeps that speed arrives with it where
    it closes at once, goes through, is caught on the other side, and so on for ever, four steps to a period.
    What does not move has no lever, and a body that is held at its centre but for round-off has none either: its joint
    would count as far open from the first step on and never close.
    """
    lever_a = moves_a * (frame[g, J_ARM_A] ** 2 + frame[g, J_ARM_A + 1] ** 2 + frame[g, J_ARM_A + 2] ** 2)
    lever_b = moves_b * (frame[g, J_ARM_B] ** 2 + frame[g, J_ARM_B + 1] ** 2 + frame[g, J_ARM_B + 2] ** 2)
    none = NO_LEVER * NO_LEVER * max(lever_a, lever_b)
    lever = lever_b if lever_a <= none else lever_a if lever_b <= none else min(lever_a, lever_b)
    opening = phi[p] ** 2 + phi[p + 1] ** 2 + phi[p + 2] ** 2
    most = FAR_OPEN * FAR_OPEN * lever
    return math.sqrt(most / opening) if lever > 0.0 and opening > most else 1.0


@kernel
def assemble_joints(settings, m, s, w, h, extra):
    """All rows of all joints."""
    joint, frame, value = index_table(m, JOINT_INT), table(m, JOINT_FRAME), table(m, JOINT_VALUE)
    dynamic, law = indices(m, BODY_DYNAMIC), table(m, JOINT_ROW)
    pos, quat, vel, new = table(s, BODY_POS), table(s, BODY_QUAT), table(s, BODY_VEL), table(w, BODY_NEW)
    phi, phi_old, lam, old = column(s, ROW_PHI), column(s, ROW_PHI_OLD), column(s, ROW_LAM), column(s, ROW_LAM_OLD)
    turns, angles, drive = indices(s, JOINT_TURNS), column(s, JOINT_ANGLE), table(s, DRIVE)
    group, block, age = index_table(w, GROUP_INT), index_table(w, BLOCK_INT), indices(s, ROW_AGE)
    jac, row, arm, slopes = column(w, JAC), table(w, ROW), table(w, JOINT_ARM), table(w, JOINT_SLOPE)
    started = indices(s, COUNTER)[STEPS] > 0
    true_rates = settings.relinearise > 0 and started
    for g in range(joint.shape[0]):
        p, dim, e = group[g, G_START], group[g, G_DIM], group[g, G_BLOCK]
        ga, gb = block[e, B_AT], block[e + 1, B_AT]
        kind, a, b = joint[g, J_KIND], joint[g, J_A], joint[g, J_B]
        if kind == SEGMENT or kind == PAPER_SEGMENT:
            continue  # a stage of their own
        if true_rates:
            for i in range(p, p + dim):
                phi_old[i] = phi[i]
        joint_geometry(g, joint, frame, value[g, J_REST], pos, quat, turns, angles, arm, phi, p, jac, ga, gb)
        row_rates(row, p, dim, jac, ga, vel[a], new[a], dynamic[a] == 0, True)
        row_rates(row, p, dim, jac, gb, vel[b], new[b], dynamic[b] == 0, False)
        for r in range(dim):
            # the floor of a rigid row acts on the change of its multiplier only: a load of 1e9 links would stretch it
            row[p + r, R_FLOOR] = law[g, J_FLOOR + r] if kind != AXIS_LIMIT else 0.0
            row[p + r, R_HELD] = lam[p + r]
        # the force of a point joint is one vector
        vector = 3 if kind == BALL or kind == HINGE or kind == LOCK else 0
        if vector > 0:
            expect_tension(row, p, vector, lam, old)
        for r in range(vector, dim):
            expect_tension(row, p + r, 1, lam, old)
        if kind == AXIS_LIMIT:
            _limit_row(row, p, phi[p], value[g, J_LOW], value[g, J_HIGH], law[g, J_FLOOR], h)
            continue
        if kind == AXIS_MOTOR:
            row[p, R_SIGMA] = law[g, J_FLOOR] + law[g, J_COMPLIANCE] / h
            row[p, R_RHS] = drive[joint[g, J_DRIVE], D_TARGET] + row[p, R_FLOOR] * row[p, R_HELD]
        else:
            gentle = 1.0
            if (kind == BALL or kind == HINGE or kind == LOCK) and law[g, J_COMPLIANCE] == 0.0:
                moves_a, moves_b = 1.0 if dynamic[a] != 0 else 0.0, 1.0 if dynamic[b] != 0 else 0.0
                gentle = _gentle(phi, p, frame, g, moves_a, moves_b)
            slope, slope_old = 0.0, 0.0
            if joint[g, J_DRIVE] >= 0:
                offset, slope, slope_old = driven_offset(drive, joint[g, J_DRIVE], joint[g, J_MODE], h)
                phi[p] -= offset
                slopes[g, 0], slopes[g, 1] = slope, slope_old
            for r in range(dim):
                i = p + r
                rate = (phi[i] - phi_old[i]) / h if true_rates else row[i, R_RATE] - slope_old
                if (not started or (dim > 1 and age[i] == 0)) and law[g, J_COMPLIANCE + r] == 0.0:
                    rate = 0.0  # a velocity that a new rigid joint does not allow is gone at once, as after an impact
                one_sided = dim == 1 and value[g, J_HIGH] == 0.0
                if one_sided and age[i] == 0:
                    sigma, rhs = catch(h, phi[i], rate, law[g, J_COMPLIANCE])
                else:
                    sigma, rhs = holonomic(
                        settings, h, gentle * phi[i], gentle * gentle * rate,
                        law[g, J_COMPLIANCE + r], law[g, J_TAU + r], extra,
                    )  # fmt: skip
                    if one_sided and age[i] == 1 and settings.first_order == 0:
                        kept = settled_part(m, w, jac, ga, a, gb, b, sigma)
                        _, rhs = holonomic(settings, h, phi[i], kept * rate, 0.0, law[g, J_TAU], extra)
                row[i, R_SIGMA] = sigma + law[g, J_FLOOR + r]
                row[i, R_RHS] = rhs + slope + row[i, R_FLOOR] * row[i, R_HELD]
        if dim == 1:
            row[p, R_LOW], row[p, R_HIGH] = value[g, J_LOW] * h, value[g, J_HIGH] * h


@kernel
def driven_offset(drive, d, mode, h):
    """Where the drive of a position row stands at the start of the step, and its rate over this and the last step."""
    if mode == BY_TRAVEL:
        slope = drive[d, D_TARGET]
        return drive[d, D_TRAVEL] - h * slope, slope, slope - h * drive[d, D_SLOPE]
    slope = drive[d, D_SLOPE]
    return drive[d, D_TARGET] - h * slope, slope, drive[d, D_SLOPE_OLD]


@kernel
def _limit_row(row, p, value, low, high, floor, h):
    """One-sided row of the nearer end stop; it stops the motion and gives nothing back."""
    row[p, R_SIGMA] = floor
    if value - low < high - value:
        gap = value - low
        row[p, R_LOW], row[p, R_HIGH] = 0.0, math.inf
        row[p, R_RHS] = -gap / h if gap > 0.0 else -0.5 * gap / h
    else:
        gap = value - high
        row[p, R_LOW], row[p, R_HIGH] = -math.inf, 0.0
        row[p, R_RHS] = -gap / h if gap < 0.0 else -0.5 * gap / h
