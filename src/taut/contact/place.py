"""Where every shape is: its frame in the world and the bounding box it sweeps in one step."""

from __future__ import annotations

import math

from taut.contact.shapes import BOX, HULL, MESH, PLANE, UNTOUCHABLE
from taut.core.jit import kernel
from taut.core.quat import matrix

#: planes reach this far: further than any real coordinate
FAR = 1e300


@kernel
def place(shapes, body_pos, body_quat, body_vel, dt, margin, work):
    """Update work.pose, work.low and work.high given the bodies.

    Every shape is a core with a radius around it: a point, segment or box of half sizes e, so that the bounding box
    has half widths sum_j |R_kj| e_j + r. (A cylinder counts as the capsule around it here.)
    """
    # rotations of body and shape
    pose, low, high, turn, own = work.pose, work.low, work.high, work.local, work.found
    size, offset, quat = shapes.size, shapes.pos, shapes.quat
    for i in range(pose.shape[0]):
        kind, b = shapes.type[i], shapes.body[i]
        matrix(body_quat[b, 0], body_quat[b, 1], body_quat[b, 2], body_quat[b, 3], turn)
        matrix(quat[i, 0], quat[i, 1], quat[i, 2], quat[i, 3], own)
        # size becomes core and radius
        pose[i, 14] = size[i, 1]
        pose[i, 15] = size[i, 0]
        if kind == BOX or kind == HULL or kind == MESH:
            for k in range(3):
                pose[i, 12 + k] = size[i, k]
            pose[i, 15] = 0.0
        # how far a turn takes any point of the shape
        spin = math.sqrt(body_vel[b, 3] ** 2 + body_vel[b, 4] ** 2 + body_vel[b, 5] ** 2) * dt
        if spin > 0.0:
            arm = math.sqrt(offset[i, 0] ** 2 + offset[i, 1] ** 2 + offset[i, 2] ** 2) + pose[i, 15]
            spin *= arm + math.sqrt(pose[i, 12] ** 2 + pose[i, 13] ** 2 + pose[i, 14] ** 2)
        for k in range(3):
            centre, half = body_pos[b, k], pose[i, 15] + 0.5 * margin + spin
            for j in range(3):
                centre += turn[k, j] * offset[i, j]
                r = 0.0
                for m in range(3):
                    r += turn[k, m] * own[m, j]
                pose[i, 3 * k + j] = r
                half += abs(r) * pose[i, 12 + j]
            pose[i, 9 + k] = centre
            move = 0.5 * body_vel[b, k] * dt
            half += abs(move)
            # planes bound all there is, untouchable shapes are inside out and overlap nothing
            if kind == PLANE:
                half = FAR
            elif kind == UNTOUCHABLE:
                half = -math.inf
            low[i, k] = centre + move - half + min(work.fall[k], 0.0)
            high[i, k] = centre + move + half + max(work.fall[k], 0.0)
            # square to an axis, like most floors: nothing above the plane
            if kind == PLANE and pose[i, 3 * k + 2] == 1.0:
                high[i, k] = centre + 0.5 * margin
