"""Energy that a scene holds, for the account when its segments are merged or split."""

from __future__ import annotations

from typing import Any

import numpy as np

from taut.cables.segmented.columns import E_LENGTH
from taut.compile import frames
from taut.compile.layout import boundaries
from taut.compile.strands import joint_values
from taut.compile.system import Compiled
from taut.core.codes import GROUP_DIM
from taut.core.model import J_COMPLIANCE, STEPS

Array = np.ndarray


def energy_of_bodies(c: Compiled) -> float:
    """Kinetic energy and energy in the field of gravity of the cables that change, at the middle of the last step [J]."""
    s: Any = c.fields
    slots = np.concatenate([pool.slots for pool in c.pools])
    i = slots[c.bodies.dynamic[slots] == 1]
    mass = _masses(c, s)[i]
    v, h = s.body_vel[i], float(c.scene.dt)
    moving = 0.5 * float((mass * (v[:, :3] ** 2).sum(axis=1)).sum()) + 0.5 * float(
        (v[:, 3:] * s.body_momentum[i]).sum()
    )
    return moving - float((mass * ((s.body_pos[i] - 0.5 * h * v[:, :3]) @ np.asarray(c.scene.gravity))).sum())


def _masses(c: Compiled, s: Any) -> Array:
    """Masses, those of segments that are paid out as they are now [kg]."""
    mass, feed = c.bodies.mass.copy(), 0
    for pool, layout in zip(c.pools, c.layouts):
        for end in pool.feeding(layout):
            mass[pool.slots[layout.runs[end].first]] = pool.line * s.feed_state[feed, E_LENGTH]
            feed += 1
    return mass


def moved_poses(s: Any, h: float) -> tuple[Array, Array]:
    """Poses of all bodies a time later, with the velocities of the state."""
    spin = s.body_vel[:, 3:]
    rate = np.linalg.norm(spin, axis=1)
    scale = np.where(rate > 1e-12, np.sin(0.5 * h * rate) / np.maximum(rate, 1e-12), 0.5 * h)
    turn = np.concatenate([np.cos(0.5 * h * rate)[:, None], scale[:, None] * spin], axis=1)
    return s.body_pos + h * s.body_vel[:, :3], frames.multiply(turn, s.body_quat)


def joint_stretches(c: Compiled, s: Any, groups: Array, pos: Array, quat: Array) -> Array:
    """Stretch, bend and twist over full turns of some joints, in poses of the middle of the last step, shape (g, 6)."""
    model: Any = c.constants
    phi = joint_values(c.joints, pos, quat, groups, model.joint_frame)
    phi[:, 5] += 2.0 * np.pi * s.joint_turns[groups]
    h = 0.5 * float(c.scene.dt)
    for (g, _, i, _, _), (_, speed, _) in zip(model.feed_int.tolist(), s.feed_state.tolist()):
        # half a step before, the point was at another place of the segment
        phi[groups == g, :3] += h * speed * frames.rotate(quat[i], np.array([0.0, 0.0, 1.0]))
    return phi


def stored_energy(c: Compiled) -> float:
    """Elastic energy of the joints of the cables that change, at the middle of the last step [J]."""
    s: Any = c.fields
    model: Any = c.constants
    names = [
        f"{pool.name}_joint_{j}" for pool, layout in zip(c.pools, c.layouts) for j, _, _ in boundaries(pool, layout)
    ]
    groups = np.array([c.joints.first[name] for name in names], int)
    phi = joint_stretches(c, s, groups, *moved_poses(s, -0.5 * float(c.scene.dt) if s.counter[STEPS] else 0.0))
    soft = model.joint_row[groups, J_COMPLIANCE : J_COMPLIANCE + 6]
    dims = np.array([GROUP_DIM[c.joints.groups[g].kind] for g in groups.tolist()])
    held = (soft > 0.0) & (np.arange(6) < dims[:, None])
    return float((0.5 * phi[held] ** 2 / soft[held]).sum())


def held_energy(c: Compiled) -> float:
    """Energy of the bends that are held within merged segments, and come back when they are split [J]."""
    total = 0.0
    for pool, layout in zip(c.pools, c.layouts):
        for run in layout.runs:
            if run.single:
                continue
            here = frames.multiply(run.poses[:-1, 3:], pool.frames[run.first : run.last - 1, 1])
            there = frames.multiply(run.poses[1:, 3:], pool.frames[run.first + 1 : run.last, 0])
            _, x, y, _ = frames.multiply(frames.conjugate(here), there).T
            # about both axes of the section; the angle is small
            soft = c.tables.joints.rows[pool.groups[run.first + 1 : run.last], J_COMPLIANCE + 3 : J_COMPLIANCE + 5]
            total += float((0.5 * (2.0 * np.stack([x, y], axis=1)) ** 2 / soft).sum())
    return total
