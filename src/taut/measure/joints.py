"""Forces, torques, lengths and angles of joints."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from taut.compile import frames
from taut.core.codes import ABOUT_AXIS, ALONG_LENGTH
from taut.core.model import B_AT, G_BLOCK, G_DIM, G_START, J_A, J_B, J_FRAME_A, J_FRAME_B
from taut.measure import poses

Array = np.ndarray


def groups_of(sim: Any, joint: str) -> range:
    """Row groups of a joint."""
    first = sim.compiled.joints.first[joint]
    last = first
    groups = sim.compiled.joints.groups
    while last < len(groups) and groups[last].joint == joint:
        last += 1
    return range(first, last)


def wrench(sim: Any, joint: str) -> Array:
    """Force and torque (about b's centre of mass) that the joint exerts on body b, world axes [N, N m], shape (6,)."""
    total = np.zeros(6)
    w = sim.work
    for g in groups_of(sim, joint):
        start, dim = w.group_int[g, G_START], w.group_int[g, G_DIM]
        at = w.block_int[w.group_int[g, G_BLOCK] + 1, B_AT]
        jac = w.jac[at : at + 6 * dim].reshape(dim, 6)
        total += jac.T @ sim.state.row_lam[start : start + dim]
    return total / sim.dt


def points(sim: Any, joint: str) -> tuple[Array, Array]:
    """The joint's points on a and on b [m]."""
    table, located = sim.compiled.joints, sim.model.joint_frame
    place, turn = sim.state.body_pos, sim.state.body_quat
    if joint not in table.first:
        # within merged segments, or parted: the segments as they lie, each by itself
        table = sim.compiled.tables.joints
        located = table.frames
        merged = np.isin(np.arange(len(place)), [i for pool in sim.compiled.pools for i in pool.slots])[:, None]
        place, turn = np.where(merged, poses.positions(sim), place), np.where(merged, poses.orientations(sim), turn)
    g = table.first[joint]
    result = []
    for side, arm in ((J_A, located[g, 0:3]), (J_B, located[g, 3:6])):
        i = table.integers[g, side]
        result.append(place[i] + frames.rotate(turn[i], arm))
    return result[0], result[1]


def force(sim: Any, joint: str) -> Array:
    """Force on body b [N], shape (3,)."""
    return wrench(sim, joint)[:3]


def torque(sim: Any, joint: str) -> Array:
    """Torque on body b about the joint's point [N m], shape (3,)."""
    both = wrench(sim, joint)
    i = sim.compiled.joints.integers[sim.compiled.joints.first[joint], J_B]
    arm = points(sim, joint)[1] - sim.state.body_pos[i]
    return both[3:] - np.cross(arm, both[:3])


def tension(sim: Any, joint: str) -> float:
    """Pull of a distance joint, positive in tension; size of the force of any other joint [N]."""
    if sim.is_distance(joint):
        a, b = points(sim, joint)
        d = b - a
        length = float(np.linalg.norm(d))
        return 0.0 - float(force(sim, joint) @ d) / length if length > 0 else 0.0
    return float(np.linalg.norm(force(sim, joint)))


def length(sim: Any, joint: str) -> float:
    """Distance between the joint's points [m]."""
    a, b = points(sim, joint)
    return float(np.linalg.norm(b - a))


def coordinate(sim: Any, joint: str) -> float:
    """Angle of a hinge over full turns [rad] or travel of a slider [m]."""
    table = sim.compiled.joints
    g = table.first[joint]
    i, k = table.integers[g, J_A], table.integers[g, J_B]
    frame = frames.multiply(sim.state.body_quat[i], table.frames[g, J_FRAME_A : J_FRAME_A + 4])
    axis_groups = [h for h in groups_of(sim, joint) if table.groups[h].along == ABOUT_AXIS]
    if type(sim.scene_joint(joint)).__name__ == "Slider":
        a, b = points(sim, joint)
        return float((b - a) @ frames.rotate(frame, np.array([0.0, 0.0, 1.0])))
    other = frames.multiply(sim.state.body_quat[k], table.frames[g, J_FRAME_B : J_FRAME_B + 4])
    w, _, _, z = frames.multiply(frames.conjugate(frame), other)
    angle = 2.0 * math.atan2(z, w)
    angle = (angle + math.pi) % (2.0 * math.pi) - math.pi
    turns = int(sim.state.joint_turns[axis_groups[0]]) if axis_groups else 0
    return angle + 2.0 * math.pi * turns


def speed(sim: Any, joint: str) -> float:
    """Rate of the joint's angle [rad/s], travel or length [m/s]."""
    table = sim.compiled.joints
    g = table.first[joint]
    i, k = table.integers[g, J_A], table.integers[g, J_B]
    va, vb = sim.state.body_vel[i], sim.state.body_vel[k]
    kind = type(sim.scene_joint(joint)).__name__
    frame = frames.multiply(sim.state.body_quat[i], table.frames[g, J_FRAME_A : J_FRAME_A + 4])
    axis = frames.rotate(frame, np.array([0.0, 0.0, 1.0]))
    if kind == "Hinge":
        return float(axis @ (vb[3:] - va[3:]))
    a, b = points(sim, joint)
    rate = vb[:3] + np.cross(vb[3:], b - sim.state.body_pos[k]) - va[:3] - np.cross(va[3:], b - sim.state.body_pos[i])
    if kind == "Slider":
        return float(axis @ rate)
    d = b - a
    size = float(np.linalg.norm(d))
    return float(d @ rate) / size if size > 0 else 0.0


def motor_force(sim: Any, joint: str) -> float:
    """Force [N] or torque [N m] of the joint's motor, positive along its axis."""
    g = sim.compiled.joints.motor[joint]
    sign = -1.0 if sim.compiled.joints.groups[g].along == ALONG_LENGTH else 1.0
    return sign * float(sim.state.row_lam[sim.work.group_int[g, G_START]]) / sim.dt


def violation(sim: Any, joint: str) -> float:
    """Largest constraint error of the joint's points [m] or directions [rad] at the last step."""
    g = sim.compiled.joints.first[joint]
    start, dim = sim.work.group_int[g, G_START], sim.work.group_int[g, G_DIM]
    return float(np.abs(sim.state.row_phi[start : start + dim]).max())
