"""Rocking: the point at which two crossed segments touch runs along both when one turns beside the other.

The gap of two capsules is the distance D of their axes (unit vectors u and v, at an angle theta) less their radii. When b turns by a small
angle gamma about the point where it touches the inside of a at rest, the nearest points run along both axes, D falls short, and the
force f n of the contact (n from a to b) turns it back:

    D(gamma) = D - (D / sin^2(theta)) q^2 / 2,     q = gamma.(v x n),       K = f (D / sin^2(theta)) (v x n)(v x n)^T

and likewise for a turn of a, with p = gamma.(u x n); where the point is an end of one segment the other one has K = f D alone. Two segments of a
rope that cross at 20 degrees under some newtons have (omega h)^2 of tens: with a point that is frozen over the step they rock to and fro with
every step, for ever. Both K are added to the mass matrix like the stiffness of joints (taut.step.geometric), on the turn of one body
beside the other, so that both together turn freely and angular momentum is kept. Where K appears suddenly it is a drag: the rocking that it stops
would have been faster than steps.
"""

from __future__ import annotations

import math

from taut.contact.capsule import PARALLEL
from taut.contact.shapes import CAPSULE
from taut.core.buffers import column, index_table, indices, table
from taut.core.jit import kernel
from taut.core.model import (
    BODY_INERTIA,
    BODY_NEW,
    BODY_NODE,
    BODY_VEL,
    C_A,
    C_GAP,
    C_NORMAL,
    C_POINT,
    C_ROCK,
    CONTACT_COUNT,
    CONTACT_GEOMETRY,
    CONTACT_INT,
    COUNT,
    FOUND_SHAPE_A,
    FOUND_SHAPE_B,
    G_START,
    GROUP_INT,
    JOINT_GROUPS,
    NODE_BLOCK,
    NODE_DRAG,
    NODE_RHS,
    ROCK,
    ROW_LAM,
    SHAPE_POSE,
    SHAPE_TYPE,
)
from taut.step.geometric import smooth_part

#: part of a half length beyond which a point is at the end of a segment
END = 0.999


@kernel
def rocking_stiffness(pose, geometry, i, j, force, turns_a, turns_b, out):
    """K of a contact of the capsules i and j for the force, as a matrix on the turn of one beside the other: xx xy xz yy yz zz; returns its trace.

    `turns_a`, `turns_b`: 1 for a capsule that is free to turn, 0 for one whose motion is given."""
    cosine, s, t = 0.0, 0.0, 0.0
    for k in range(3):
        cosine += pose[i, 3 * k + 2] * pose[j, 3 * k + 2]
        s += pose[i, 3 * k + 2] * (geometry[C_POINT + k] - pose[i, 9 + k])
        t += pose[j, 3 * k + 2] * (geometry[C_POINT + k] - pose[j, 9 + k])
    stiff = force * max(geometry[C_GAP] + pose[i, 15] + pose[j, 15], 0.0)
    on_a, on_b = 1.0 if abs(s) < END * pose[i, 14] else 0.0, 1.0 if abs(t) < END * pose[j, 14] else 0.0
    if on_a * on_b > 0.0:
        sine2 = 1.0 - cosine * cosine
        if sine2 < PARALLEL:
            return 0.0  # such segments touch at two points
        stiff /= sine2
    nx, ny, nz = geometry[C_NORMAL], geometry[C_NORMAL + 1], geometry[C_NORMAL + 2]
    a = (pose[i, 5] * nz - pose[i, 8] * ny, pose[i, 8] * nx - pose[i, 2] * nz, pose[i, 2] * ny - pose[i, 5] * nx)
    b = (pose[j, 5] * nz - pose[j, 8] * ny, pose[j, 8] * nx - pose[j, 2] * nz, pose[j, 2] * ny - pose[j, 5] * nx)
    k = 0
    for r in range(3):
        for c in range(r, 3):
            out[k] = stiff * (on_a * turns_a * a[r] * a[c] + on_b * turns_b * b[r] * b[c])
            k += 1
    return out[0] + out[3] + out[5]


@kernel
def _turn(rock, x, y, z):
    """K times a turn."""
    return (
        rock[0] * x + rock[1] * y + rock[2] * z,
        rock[1] * x + rock[3] * y + rock[4] * z,
        rock[2] * x + rock[4] * y + rock[5] * z,
    )


@kernel
def _add(block, rock):
    """Add K to the rotational part of a mass matrix, of which the lower half counts."""
    block[21] += rock[0]
    block[27] += rock[1]
    block[28] += rock[3]
    block[33] += rock[2]
    block[34] += rock[4]
    block[35] += rock[5]


@kernel
def add_rocking_stiffness(settings, m, s, w, h):
    """K of every contact of two capsules, from the impulses at hand."""
    kind, pose = indices(m, SHAPE_TYPE), table(w, SHAPE_POSE)
    shape_a, shape_b, rock = indices(w, FOUND_SHAPE_A), indices(w, FOUND_SHAPE_B), table(w, ROCK)
    now, geometry, lam = index_table(s, CONTACT_INT), table(s, CONTACT_GEOMETRY), column(s, ROW_LAM)
    vel, new, moment = table(s, BODY_VEL), table(w, BODY_NEW), table(m, BODY_INERTIA)
    group, joints, node_of = index_table(w, GROUP_INT), indices(w, COUNT)[JOINT_GROUPS], indices(m, BODY_NODE)
    block, rhs, drag = table(w, NODE_BLOCK), table(w, NODE_RHS), table(w, NODE_DRAG)
    for c in range(indices(s, CONTACT_COUNT)[0]):
        i, j, force = shape_a[c], shape_b[c], lam[group[joints + c, G_START]]
        for k in range(6):
            rock[c, k] = 0.0
        stiff, last = 0.0, geometry[c, C_ROCK]
        if kind[i] == CAPSULE and kind[j] == CAPSULE and force > 0.0:
            turns_a, turns_b = 1.0 if node_of[now[c, C_A]] >= 0 else 0.0, 1.0 if node_of[now[c, C_A + 1]] >= 0 else 0.0
            stiff = rocking_stiffness(
                pose, geometry[c], i, j, settings.geometric * h * force, turns_a, turns_b, rock[c]
            )
        if stiff == 0.0:
            continue
        lighter = math.inf
        for side in range(2):
            body = now[c, C_A + side]
            if node_of[body] >= 0:
                lighter = min(lighter, max(moment[body, 0], moment[body, 1], moment[body, 2]))
        part = smooth_part(last, stiff, lighter)
        a, b = now[c, C_A], now[c, C_A + 1]
        x, y, z = _turn(rock[c], vel[b, 3] - vel[a, 3], vel[b, 4] - vel[a, 4], vel[b, 5] - vel[a, 5])
        for side in range(2):
            body, other, sign = now[c, C_A + side], now[c, C_A + 1 - side], -1.0 if side == 0 else 1.0
            node = node_of[body]
            if node < 0:
                continue
            _add(block[node], rock[c])
            gx, gy, gz = 0.0, 0.0, 0.0
            if node_of[other] < 0:
                # the motion of the other one is given
                gx, gy, gz = _turn(rock[c], new[other, 3], new[other, 4], new[other, 5])
            rhs[node, 3] += sign * part * x + gx
            rhs[node, 4] += sign * part * y + gy
            rhs[node, 5] += sign * part * z + gz
            drag[node, 3] += sign * (1.0 - part) * x
            drag[node, 4] += sign * (1.0 - part) * y
            drag[node, 5] += sign * (1.0 - part) * z


@kernel
def keep_rocking(s, w):
    """Keep the stiffness of every contact: the next step compares its own with it."""
    geometry, rock = table(s, CONTACT_GEOMETRY), table(w, ROCK)
    for c in range(indices(s, CONTACT_COUNT)[0]):
        geometry[c, C_ROCK] = rock[c, 0] + rock[c, 3] + rock[c, 5]


@kernel
def rocking_energy(m, s, w):
    """Sum of v+^T K v+ - v^T K v over the blocks between two bodies that rock on each other, as taut.step.ledger wants it [J]."""
    now, rock, vel, new = index_table(s, CONTACT_INT), table(w, ROCK), table(s, BODY_VEL), table(w, BODY_NEW)
    node_of, found = indices(m, BODY_NODE), 0.0
    for c in range(indices(s, CONTACT_COUNT)[0]):
        a, b = now[c, C_A], now[c, C_A + 1]
        if node_of[a] >= 0 and node_of[b] >= 0:
            x, y, z = _turn(rock[c], new[a, 3], new[a, 4], new[a, 5])
            found -= x * new[b, 3] + y * new[b, 4] + z * new[b, 5]
            x, y, z = _turn(rock[c], vel[a, 3], vel[a, 4], vel[a, 5])
            found += x * vel[b, 3] + y * vel[b, 4] + z * vel[b, 5]
    return found
