"""The energy account of a step.

With v' = (v + v+)/2 the kinetic energy changes by exactly the sum of impulse times v', and the potential energy at the
centred position x - h v/2 by exactly minus the work of gravity. So every row's share is known by itself:

    work on all bodies        W = lam . (G v + G v+) / 2
    elastic energy            V = phi'^2 / (2 c) at the centred phi' = phi + h G v+ / 2
    dissipated                -W - dV          (joints, contacts)
    given by kinematic bodies -lam . (their part of G v')
    taken by geometric stiffness   v' . a h^2 K (v+ - v)

Velocities of the start are those of the middle of a step that was never made: there the account begins, with the energy of the
start and what that is more at x - h v/2 (BEGIN).

Nothing is computed as a remainder; what is left over is the error of the linearisation, and is reported as such.
"""

from __future__ import annotations

from taut.cables.massless.columns import X_STORED
from taut.core.buffers import column, index_table, indices, table
from taut.core.codes import AXIS_LIMIT, AXIS_MOTOR
from taut.core.jit import kernel
from taut.core.model import (
    BEGIN,
    BODY_FREE,
    BODY_MASS,
    BODY_NEW,
    BODY_PUSH,
    BODY_VEL,
    BODY_WORLD_INERTIA,
    COUNT,
    ELASTIC,
    G_START,
    GEOMETRIC,
    GROUP_INT,
    GROUPS,
    J_COMPLIANCE,
    J_DRIVE,
    J_HIGH,
    J_KIND,
    JOINT_GROUPS,
    JOINT_INT,
    JOINT_ROW,
    JOINT_SLOPE,
    JOINT_VALUE,
    LEDGER,
    LOSS_CONTACT,
    LOSS_JOINT,
    NODE_BLOCK,
    NODE_BODY,
    NODE_DRAG,
    PAIR_BLOCK,
    PAIR_NODE,
    R_KNOWN,
    R_KNOWN_OLD,
    R_RATE,
    R_RATE_NEW,
    ROPE_ENERGY,
    ROW,
    ROW_AGE,
    ROW_LAM,
    ROW_PHI,
    TIME,
    WORK_KINEMATIC,
    WORK_MOTOR,
    WORK_PUSH,
    WORK_WIND,
)
from taut.step.rocking import rocking_energy


@kernel
def account_rows(m, s, w, h):
    """Work, loss and elastic energy of all rows."""
    joint, law, group, row = index_table(m, JOINT_INT), table(m, JOINT_ROW), index_table(w, GROUP_INT), table(w, ROW)
    lam, phi, slopes, ledger = column(s, ROW_LAM), column(s, ROW_PHI), table(w, JOINT_SLOPE), column(s, LEDGER)
    groups, joint_groups = indices(w, COUNT)[GROUPS], indices(w, COUNT)[JOINT_GROUPS]
    value, age, first = table(m, JOINT_VALUE), indices(s, ROW_AGE), ledger[TIME] == 0.0
    elastic, kinematic, motor, loss, contact, begun = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for g in range(groups):
        for i in range(group[g, G_START], group[g + 1, G_START]):
            acts = lam[i] != 0.0
            if not acts and (g >= joint.shape[0] or age[i] == 0):
                continue
            work = 0.5 * lam[i] * (row[i, R_RATE] + row[i, R_RATE_NEW])
            kinematic -= 0.5 * lam[i] * (row[i, R_KNOWN] + row[i, R_KNOWN_OLD])
            if g >= joint_groups:
                contact -= work
                continue
            if g >= joint.shape[0]:
                continue  # ropes keep their own account
            c = law[g, J_COMPLIANCE + i - group[g, G_START]]
            given, slope, slope_old = 0.0, 0.0, 0.0
            if joint[g, J_DRIVE] >= 0:
                if joint[g, J_KIND] == AXIS_MOTOR or c == 0.0:
                    motor += work
                    continue
                # what the drive puts in by moving its target
                slope, slope_old = slopes[g, 0], slopes[g, 1]
                given = 0.5 * lam[i] * (slope + slope_old)
                motor += given
            if c > 0.0 and joint[g, J_KIND] != AXIS_LIMIT:
                before = phi[i] - 0.5 * h * (row[i, R_RATE] - slope_old)
                after = phi[i] + 0.5 * h * (row[i, R_RATE_NEW] - slope)
                # a slack rope holds nothing; what one held that goes slack is lost
                if value[g, J_HIGH] == 0.0 and age[i] == 0 and (before < 0.0 or not first):
                    before = 0.0
                if not acts:
                    after = 0.0
                elastic += 0.5 * after * after / c
                work += 0.5 * (after * after - before * before) / c
                begun += 0.5 * before * before / c
            loss -= work - given
    if first:
        # beside what was known of the joints of cables when they were laid
        ledger[BEGIN] += begun - (ledger[ELASTIC] - column(s, ROPE_ENERGY)[X_STORED])
    ledger[ELASTIC] = elastic
    ledger[WORK_KINEMATIC] += kinematic
    ledger[WORK_MOTOR] += motor
    ledger[LOSS_JOINT] += loss
    ledger[LOSS_CONTACT] += contact


@kernel
def account_bodies(settings, m, s, w, h):
    """Work of pushes and wind, and what the geometric stiffness takes."""
    body_of, mass, pair_node = indices(m, NODE_BODY), column(m, BODY_MASS), index_table(m, PAIR_NODE)
    vel, push, ledger = table(s, BODY_VEL), table(s, BODY_PUSH), column(s, LEDGER)
    new, free, inertia = table(w, BODY_NEW), table(w, BODY_FREE), table(w, BODY_WORLD_INERTIA)
    block, pair_block, drag = table(w, NODE_BLOCK), table(w, PAIR_BLOCK), table(w, NODE_DRAG)
    gravity = (h * settings.gravity_x, h * settings.gravity_y, h * settings.gravity_z)
    pushed, wind, geometric, dragged, begun = 0.0, 0.0, 0.0, 0.0, 0.0
    for node in range(body_of.shape[0]):
        i = body_of[node]
        for c in range(3):
            mean = 0.5 * (vel[i, c] + new[i, c])
            pushed += h * push[i, c] * mean + 0.5 * h * push[i, 3 + c] * (vel[i, 3 + c] + new[i, 3 + c])
            begun += 0.5 * mass[i] * gravity[c] * vel[i, c]
            wind += (mass[i] * (free[i, c] - vel[i, c] - gravity[c]) - h * push[i, c]) * mean
        for c in range(6):
            dragged += 0.5 * drag[node, c] * (vel[i, c] + new[i, c])
        # v'^T K (v+ - v) = (v+^T K v+ - v^T K v) / 2 with K = block - M symmetric, lower part stored
        for r in range(6):
            for c in range(r + 1):
                k = block[node, 6 * r + c]
                if r >= 3 and c >= 3:
                    k -= inertia[i, r + c - 6 + (1 if c > 3 else 0)]
                elif r == c:
                    k -= mass[i]
                if k != 0.0:
                    f = 0.5 if r == c else 1.0
                    geometric += f * k * (new[i, r] * new[i, c] - vel[i, r] * vel[i, c])
    for k in range(pair_node.shape[0]):
        a, b = body_of[pair_node[k, 0]], body_of[pair_node[k, 1]]
        for r in range(6):
            for c in range(6):
                geometric += pair_block[k, 6 * r + c] * (new[a, r] * new[b, c] - vel[a, r] * vel[b, c])
    geometric += rocking_energy(m, s, w)
    if ledger[TIME] == 0.0:
        ledger[BEGIN] += begun
    ledger[LOSS_JOINT] += dragged
    ledger[WORK_PUSH] += pushed
    ledger[WORK_WIND] += wind
    ledger[GEOMETRIC] += geometric
