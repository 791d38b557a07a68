"""A rod brought to where the bodies at its ends will be: its shape there, its wrenches and its stiffness."""

from __future__ import annotations

import math

from taut.cables.rod.arrays import POINT_A, POINT_B
from taut.cables.rod.columns import (
    RI_A,
    RI_FRAME,
    RI_FRAMES,
    RI_ROW,
    RI_ROWS,
    RK_SHIFT,
    RK_WRENCH,
    RL_LENGTH,
    RL_NEGATIVE,
    RL_REACH,
    RN_ENERGY,
    RN_SHIFT,
    RN_WRENCH,
    RS_LENGTH,
    TK_ENERGY,
    TK_SHIFT,
)
from taut.cables.rod.end_stiffness import end_stiffness, end_wrenches
from taut.cables.rod.equilibrium import equilibrium, free_bodies
from taut.cables.rod.newton import NEUTRAL
from taut.core.buffers import column, index_table, table
from taut.core.jit import kernel
from taut.core.model import (
    BODY_NEW,
    BODY_POS,
    BODY_QUAT,
    ROD_BODY,
    ROD_CHAIN,
    ROD_DENSE_FREE,
    ROD_END_NEW,
    ROD_FORCE_NEW,
    ROD_FRAME_NEW,
    ROD_INT,
    ROD_LAW,
    ROD_LINE,
    ROD_LINE_STIFFNESS,
    ROD_PASS,
    ROD_POSE_NEW,
    ROD_SAVED,
    ROD_SLIDE_NEW,
    ROD_SQUARE,
    ROD_STIFFNESS_NEW,
    ROD_TALK,
)
from taut.core.order import LEAN_FOLLOW, ROD_FACTOR, ROD_FOLLOW
from taut.core.quat import exponential, multiply, rotate
from taut.core.stage import call_stage

#: pieces in which a move is walked when it cannot be made at once
PIECES = (2, 8)


@kernel
def follow(context, m, k, h):
    """Shape, wrenches and stiffness of rod k at the end of the step; 0 where it has none and goes on by the linear law.

    Rods that lean on bodies and those that do not have a stage each: a scene has the code that it needs, once.
    """
    leans = index_table(m, ROD_INT)[k, RI_ROW] >= 0
    return call_stage(LEAN_FOLLOW if leans else ROD_FOLLOW, context, h, float(k))


@kernel
def follow_free(context, m, s, w, k, h):
    """The same of a rod that leans on nothing."""
    place, law, found = index_table(m, ROD_INT)[k], table(m, ROD_LAW)[k], table(w, ROD_END_NEW)[k]
    passing, pose = table(w, ROD_PASS), table(w, ROD_POSE_NEW)[k]
    target, stiff = passing[0], table(w, ROD_STIFFNESS_NEW)[k]
    end_pose(m, s, w, k, h, target, found)
    if walk_to(context, m, w, k, target, h) == 1:
        for c in range(14):
            pose[c] = target[c]
        found[RN_ENERGY] = column(w, ROD_TALK)[TK_ENERGY]
        end_wrenches(table(w, ROD_BODY), target, found[RN_WRENCH : RN_WRENCH + 12])
        free_bodies(w)
        column(w, ROD_TALK)[TK_SHIFT] = NEUTRAL * law[3]
        call_stage(ROD_FACTOR, context, h, -1.0 - k)
        end_stiffness(
            table(w, ROD_DENSE_FREE), place[RI_ROWS], target, law[1], law[RL_NEGATIVE], table(w, ROD_SQUARE), stiff
        )
        return 1
    # no shape: by the linear law of the step
    line = table(w, ROD_LINE)[k]
    by = table(w, ROD_LINE_STIFFNESS)[k]
    for r in range(12):
        found[RN_WRENCH + r] = line[RK_WRENCH + r]
        for j in range(12):
            found[RN_WRENCH + r] -= by[12 * r + j] * (found[RN_SHIFT + j] - line[RK_SHIFT + j])
    return 0


@kernel
def free_pose(m, s, w, k, h, pose, found):
    """Poses of both bodies of rod k at the end of the step, and the motion that leads there."""
    place, pos, quat, new = index_table(m, ROD_INT)[k], table(s, BODY_POS), table(s, BODY_QUAT), table(w, BODY_NEW)
    for e in range(2):
        i, at = place[RI_A + e], 7 * e
        for c in range(6):
            found[RN_SHIFT + 6 * e + c] = h * new[i, c]
        body_pose(pos, quat, new, i, h, pose, at)


@kernel
def body_pose(pos, quat, new, i, h, pose, at):
    """Pose of body i at the end of the step."""
    for c in range(3):
        pose[at + c] = pos[i, c] + h * new[i, c]
    a, b, c, d = exponential(h * new[i, 3], h * new[i, 4], h * new[i, 5])
    pose[at + 3], pose[at + 4], pose[at + 5], pose[at + 6] = multiply(
        a, b, c, d, quat[i, 0], quat[i, 1], quat[i, 2], quat[i, 3]
    )


@kernel
def start_point(chain, pose):
    """Where the rod begins in the world [m]."""
    x, y, z = rotate(pose[3], pose[4], pose[5], pose[6], chain[POINT_A], chain[POINT_A + 1], chain[POINT_A + 2])
    return pose[0] + x, pose[1] + y, pose[2] + z


@kernel
def _apart(chain, pose):
    """From the point that holds its start to the one that holds its end [m]."""
    ax, ay, az = start_point(chain, pose)
    x, y, z = rotate(pose[10], pose[11], pose[12], pose[13], chain[POINT_B], chain[POINT_B + 1], chain[POINT_B + 2])
    return pose[7] + x - ax, pose[8] + y - ay, pose[9] + z - az


@kernel
def chord(chain, pose):
    """Distance of both ends [m]."""
    x, y, z = _apart(chain, pose)
    return math.sqrt(x * x + y * y + z * z)


@kernel
def end_pose(m, s, w, k, h, pose, found):
    """Poses of both bodies at the end of the step, the second drawn back where the chord would be too long, and the motion
    that leads there."""
    law, chain = table(m, ROD_LAW)[k], table(m, ROD_CHAIN)[k]
    free_pose(m, s, w, k, h, pose, found)
    if index_table(m, ROD_INT)[k, RI_ROWS] == 0:
        return
    x, y, z = _apart(chain, pose)
    apart, longest = chord(chain, pose), table(w, ROD_SLIDE_NEW)[k, RS_LENGTH] / law[RL_LENGTH] * law[RL_REACH]
    if apart > longest:
        back = (apart - longest) / apart
        pose[7] -= back * x
        pose[8] -= back * y
        pose[9] -= back * z
        found[RN_SHIFT + 6] -= back * x
        found[RN_SHIFT + 7] -= back * y
        found[RN_SHIFT + 8] -= back * z


@kernel
def walk_to(context, m, w, k, target, h):
    """The equilibrium for these poses, at once or in pieces from the last that was found; 1 if there is one."""
    place, saved, quat = index_table(m, ROD_INT)[k], table(w, ROD_SAVED), table(w, ROD_FRAME_NEW)
    first, count, force = place[RI_FRAME], place[RI_FRAMES], column(w, ROD_FORCE_NEW)
    start, way = table(w, ROD_POSE_NEW)[k], table(w, ROD_PASS)[1]
    for i in range(count):
        for c in range(4):
            saved[i, c] = quat[first + i, c]
    for c in range(3):
        saved[saved.shape[0] - 1, c] = force[3 * k + c]
    if equilibrium(context, m, w, k, target, h) == 1:
        return 1
    for pieces in PIECES:
        _bring_back(saved, quat, force, first, count, k)
        done = 1
        for piece in range(1, pieces + 1):
            _between(start, target, piece / pieces, way)
            done = equilibrium(context, m, w, k, way, h)
            if done == 0:
                break
        if done == 1:
            return 1
    _bring_back(saved, quat, force, first, count, k)
    return 0


@kernel
def _bring_back(saved, quat, force, first, count, k):
    for i in range(count):
        for c in range(4):
            quat[first + i, c] = saved[i, c]
    for c in range(3):
        force[3 * k + c] = saved[saved.shape[0] - 1, c]


@kernel
def _between(start, target, part, out):
    """Poses on the way."""
    for e in range(2):
        pose_between(start, target, part, out, 7 * e)


@kernel
def pose_between(start, target, part, out, at):
    """A pose on the way; these poses begin at place `at`."""
    for c in range(3):
        out[at + c] = start[at + c] + part * (target[at + c] - start[at + c])
    dot, size = 0.0, 0.0
    for c in range(3, 7):
        dot += start[at + c] * target[at + c]
    sign = 1.0 if dot >= 0.0 else -1.0
    for c in range(3, 7):
        # at the very end the target itself, sign and all
        out[at + c] = (1.0 - part) * sign * start[at + c] + part * target[at + c]
        size += out[at + c] ** 2
    for c in range(3, 7):
        out[at + c] /= math.sqrt(size)
