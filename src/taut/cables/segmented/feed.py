"""Paying out and reeling in at an end of a segmented cable.

The segment at that end has an unstretched length l that grows with the speed w. Its far end is always the same place of the
cable; its near end is the place that is just passing the point where the cable comes out, so that this point runs along
the segment, and the rows that hold it have a rate of their own:

    d phi/dt = G v - w u,   u the direction of the segment

Mass, inertia, arms and compliances follow from l, before every step. What comes in has been at rest in what it comes out of and
then has the velocity of the segment: the impulse for that is taken from the body that pays it out, where that is free to
move, and the energy is booked as the work of its motor.
"""

from __future__ import annotations

import math

from taut.cables.segmented.columns import (
    E_BEND,
    E_BEND_ACROSS,
    E_BODY,
    E_DRIVE,
    E_GROUP,
    E_LEAST,
    E_LENGTH,
    E_LINE,
    E_LONG,
    E_MOST,
    E_NEXT,
    E_NEXT_LENGTH,
    E_RADIUS,
    E_SHORT,
    E_SIDE,
    E_SPEED,
    E_SPEED_OLD,
    E_STRETCH,
    E_TWIST,
)
from taut.core.buffers import column, index_table, indices, table
from taut.core.codes import SEGMENT
from taut.core.jit import kernel
from taut.core.model import (
    B_AT,
    BLOCK_INT,
    BODY_INERTIA,
    BODY_MASS,
    BODY_MOMENTUM,
    BODY_NODE,
    BODY_POS,
    BODY_QUAT,
    BODY_VEL,
    D_TARGET,
    DRIVE,
    DRIVE_RATE,
    ELASTIC,
    FEED_INT,
    FEED_LAW,
    FEED_STATE,
    G_BLOCK,
    G_START,
    GROUP_INT,
    J_A,
    J_ARM_A,
    J_ARM_B,
    J_B,
    J_COMPLIANCE,
    J_KIND,
    J_TAU,
    JAC,
    JOINT_FRAME,
    JOINT_INT,
    JOINT_ROW,
    LEDGER,
    LOSS_JOINT,
    R_RATE,
    R_RATE_NEW,
    R_RHS,
    ROW,
    ROW_LAM,
    ROW_PHI,
    WORK_MOTOR,
)
from taut.core.quat import rotate
from taut.core.rows import holonomic


@kernel
def _soften(law, g, kind, rule, length):
    """Compliances of a joint that stands for a length of cable."""
    for r in range(3):
        law[g, J_COMPLIANCE + r] = length * rule[E_STRETCH]
    if kind == SEGMENT:
        law[g, J_COMPLIANCE + 3] = length * rule[E_BEND]
        law[g, J_COMPLIANCE + 4] = length * rule[E_BEND_ACROSS]
        law[g, J_COMPLIANCE + 5] = length * rule[E_TWIST]


@kernel
def set_lengths(m, s):
    """Mass, inertia, arms and compliances of the segments that grow, from their lengths."""
    feed, rules, state = index_table(m, FEED_INT), table(m, FEED_LAW), table(s, FEED_STATE)
    mass, moment, joint = column(m, BODY_MASS), table(m, BODY_INERTIA), index_table(m, JOINT_INT)
    frame, law = table(m, JOINT_FRAME), table(m, JOINT_ROW)
    for k in range(feed.shape[0]):
        i, g, n, side, l = feed[k, E_BODY], feed[k, E_GROUP], feed[k, E_NEXT], feed[k, E_SIDE], state[k, E_LENGTH]
        rule = rules[k]
        mass[i] = rule[E_LINE] * l
        across = mass[i] * (l * l / 12.0 + 0.25 * rule[E_RADIUS] ** 2)
        moment[i, 0], moment[i, 1], moment[i, 2] = across, across, 0.5 * mass[i] * rule[E_RADIUS] ** 2
        frame[g, (J_ARM_B if side > 0 else J_ARM_A) + 2] = -0.5 * side * l
        _soften(law, g, joint[g, J_KIND], rule, 0.5 * l)
        if n >= 0:
            frame[n, (J_ARM_A if side > 0 else J_ARM_B) + 2] = 0.5 * side * l
            _soften(law, n, joint[n, J_KIND], rule, 0.5 * (l + rule[E_NEXT_LENGTH]))


@kernel
def _speed(wanted, l, least, most, slowing, h):
    """Speed of the coming step: as asked, slowing down in time before the cable is all out or all in."""
    if wanted > 0.0:
        return max(min(wanted, math.sqrt(2.0 * slowing * max(most - l, 0.0)), (most - l) / h), 0.0)
    return min(max(wanted, -math.sqrt(2.0 * slowing * max(l - least, 0.0)), (least - l) / h), 0.0)


@kernel
def haul(settings, m, s, w, h, extra):
    """The rate w u of the ends that are paid out, into the rows that hold them."""
    feed, rules, state, drive = index_table(m, FEED_INT), table(m, FEED_LAW), table(s, FEED_STATE), table(s, DRIVE)
    quat, law, rate = table(s, BODY_QUAT), table(m, JOINT_ROW), column(m, DRIVE_RATE)
    group, row = index_table(w, GROUP_INT), table(w, ROW)
    for k in range(feed.shape[0]):
        i, g, d = feed[k, E_BODY], feed[k, E_GROUP], feed[k, E_DRIVE]
        slowing = min(rate[d], 1e6)
        speed = _speed(drive[d, D_TARGET], state[k, E_LENGTH], rules[k, E_LEAST], rules[k, E_MOST], slowing, h)
        state[k, E_SPEED] = speed
        u = rotate(quat[i, 0], quat[i, 1], quat[i, 2], quat[i, 3], 0.0, 0.0, 1.0)
        for r in range(3):
            p = group[g, G_START] + r
            old = -state[k, E_SPEED_OLD] * u[r]
            _, rhs = holonomic(settings, h, 0.0, old, law[g, J_COMPLIANCE + r], law[g, J_TAU + r], extra)
            row[p, R_RHS] += rhs + speed * u[r]


@kernel
def _direction(w, g, side, l):
    """Direction of the segment that grows as the rows have it: from the arm in their Jacobian, which is -side l/2 u."""
    group, block, jac = index_table(w, GROUP_INT), index_table(w, BLOCK_INT), column(w, JAC)
    at, sign = block[group[g, G_BLOCK] + (1 if side > 0 else 0), B_AT], 1.0 if side > 0 else -1.0
    k = -2.0 * side / l
    return k * sign * -jac[at + 16], k * sign * jac[at + 15], k * sign * jac[at + 4]


@kernel
def _energy(settings, m, s, i, h):
    """Kinetic energy of a body and its energy in the field of gravity at the middle of the step."""
    mass, pos, vel, spin = (
        column(m, BODY_MASS)[i],
        table(s, BODY_POS)[i],
        table(s, BODY_VEL)[i],
        table(s, BODY_MOMENTUM)[i],
    )
    gravity = (settings.gravity_x, settings.gravity_y, settings.gravity_z)
    total = 0.0
    for c in range(3):
        total += 0.5 * mass * vel[c] * vel[c] + 0.5 * vel[3 + c] * spin[c]
        total -= mass * gravity[c] * (pos[c] - 0.5 * h * vel[c])
    return total


@kernel
def _stored(m, s, w, g, h, slope):
    """Elastic energy of a joint at the middle of the step; `slope` is what runs through its point."""
    group, row, phi, law = index_table(w, GROUP_INT), table(w, ROW), column(s, ROW_PHI), table(m, JOINT_ROW)
    total, start = 0.0, group[g, G_START]
    for p in range(start, group[g + 1, G_START]):
        c = law[g, J_COMPLIANCE + p - start]
        if c > 0.0:
            own = slope[p - start] if p - start < 3 else 0.0
            total += 0.5 * (phi[p] + 0.5 * h * (row[p, R_RATE_NEW] - own)) ** 2 / c
    return total


@kernel
def _account(m, s, w, g, h, old, new):
    """Work of the motor on what runs through the point of joint g, and the account of its rows with it, as that of every
    driven joint (taut.step.ledger)."""
    group, row, phi, law = index_table(w, GROUP_INT), table(w, ROW), column(s, ROW_PHI), table(m, JOINT_ROW)
    lam, ledger = column(s, ROW_LAM), column(s, LEDGER)
    for r in range(3):
        p = group[g, G_START] + r
        c, given = law[g, J_COMPLIANCE + r], 0.5 * lam[p] * (old[r] + new[r])
        ledger[WORK_MOTOR] += given
        ledger[LOSS_JOINT] += given
        if c > 0.0 and lam[p] != 0.0:
            before, after = phi[p] - 0.5 * h * row[p, R_RATE], phi[p] + 0.5 * h * row[p, R_RATE_NEW]
            start, end = before + 0.5 * h * old[r], after - 0.5 * h * new[r]
            ledger[ELASTIC] += 0.5 * (end * end - after * after) / c
            ledger[LOSS_JOINT] += 0.5 * (after * after - before * before - end * end + start * start) / c


@kernel
def _recoil(m, s, g, side, impulse, ux, uy, uz):
    """Impulse m' w^2 h on the body that pays out, against what it pays out; the energy that it gives to that body."""
    joint, node, frame = index_table(m, JOINT_INT), indices(m, BODY_NODE), table(m, JOINT_FRAME)
    a, at = (joint[g, J_A], J_ARM_A) if side > 0 else (joint[g, J_B], J_ARM_B)
    if node[a] < 0:
        return 0.0
    quat, vel, momentum = table(s, BODY_QUAT), table(s, BODY_VEL), table(s, BODY_MOMENTUM)
    mass, moment = column(m, BODY_MASS)[a], table(m, BODY_INERTIA)
    w, x, y, z = quat[a, 0], quat[a, 1], quat[a, 2], quat[a, 3]
    rx, ry, rz = rotate(w, x, y, z, frame[g, at], frame[g, at + 1], frame[g, at + 2])
    k = -side * impulse
    jx, jy, jz = k * ux, k * uy, k * uz
    before = 0.0
    for c in range(3):
        before += 0.5 * mass * vel[a, c] ** 2 + 0.5 * vel[a, 3 + c] * momentum[a, c]
    vel[a, 0] += jx / mass
    vel[a, 1] += jy / mass
    vel[a, 2] += jz / mass
    momentum[a, 0] += ry * jz - rz * jy
    momentum[a, 1] += rz * jx - rx * jz
    momentum[a, 2] += rx * jy - ry * jx
    px, py, pz = rotate(w, -x, -y, -z, momentum[a, 0], momentum[a, 1], momentum[a, 2])
    vel[a, 3], vel[a, 4], vel[a, 5] = rotate(w, x, y, z, px / moment[a, 0], py / moment[a, 1], pz / moment[a, 2])
    after = 0.0
    for c in range(3):
        after += 0.5 * mass * vel[a, c] ** 2 + 0.5 * vel[a, 3 + c] * momentum[a, c]
    return after - before


@kernel
def grow(settings, m, s, w, h):
    """Let the segments at the ends that are paid out grow or shrink by what has run through; 1 when one of them is due."""
    feed, rules, state = index_table(m, FEED_INT), table(m, FEED_LAW), table(s, FEED_STATE)
    pos, quat, vel, momentum = table(s, BODY_POS), table(s, BODY_QUAT), table(s, BODY_VEL), table(s, BODY_MOMENTUM)
    moment, ledger, ready = table(m, BODY_INERTIA), column(s, LEDGER), 0
    for k in range(feed.shape[0]):
        i, g, n, side, speed = feed[k, E_BODY], feed[k, E_GROUP], feed[k, E_NEXT], feed[k, E_SIDE], state[k, E_SPEED]
        ux, uy, uz = rotate(quat[i, 0], quat[i, 1], quat[i, 2], quat[i, 3], 0.0, 0.0, 1.0)
        last, none = state[k, E_SPEED_OLD], (0.0, 0.0, 0.0)
        # the rows were made with the direction before the step
        vx, vy, vz = _direction(w, g, side, state[k, E_LENGTH])
        slope = (speed * vx, speed * vy, speed * vz)
        _account(m, s, w, g, h, (last * vx, last * vy, last * vz), slope)
        before = _energy(settings, m, s, i, h)
        stored = _stored(m, s, w, g, h, slope)
        if n >= 0:
            stored += _stored(m, s, w, n, h, none)
        recoil = _recoil(m, s, g, side, rules[k, E_LINE] * speed * speed * h, ux, uy, uz)
        # the middle of what is out moves towards the end it comes from
        shift = -0.5 * side * speed * h
        a, b, c = vel[i, 3], vel[i, 4], vel[i, 5]
        pos[i, 0] += shift * ux
        pos[i, 1] += shift * uy
        pos[i, 2] += shift * uz
        vel[i, 0] += shift * (b * uz - c * uy)
        vel[i, 1] += shift * (c * ux - a * uz)
        vel[i, 2] += shift * (a * uy - b * ux)
        state[k, E_LENGTH] += speed * h
        state[k, E_SPEED_OLD] = speed
        set_lengths(m, s)
        spin, ix = a * ux + b * uy + c * uz, moment[i, 0]
        extra = (moment[i, 2] - ix) * spin
        momentum[i, 0], momentum[i, 1], momentum[i, 2] = ix * a + extra * ux, ix * b + extra * uy, ix * c + extra * uz
        more = _stored(m, s, w, g, h, slope)
        if n >= 0:
            more += _stored(m, s, w, n, h, none)
        ledger[ELASTIC] += more - stored
        ledger[WORK_MOTOR] += recoil + _energy(settings, m, s, i, h) - before + more - stored
        l = state[k, E_LENGTH]
        if (l > rules[k, E_LONG] and speed > 0.0) or (l < rules[k, E_SHORT] and speed < 0.0):
            ready = 1
    return ready
