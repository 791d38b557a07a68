"""What a run begins with: the state of bodies, rows, ropes and controls at the start."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from taut.cables.layered.columns import E_COUNT, E_POTENTIAL
from taut.cables.massless.columns import T_AFTER, T_BEFORE, X_STORED, X_WEIGHT
from taut.cables.segmented.columns import E_LENGTH
from taut.compile.bodies import BodyTable
from taut.compile.controls import Controls
from taut.compile.frames import matrix, multiply, rotate
from taut.compile.joints import JointTable
from taut.compile.layout import Divided
from taut.compile.pools import QUIET
from taut.compile.ropes import RopeTable
from taut.compile.strands import laid_joints
from taut.core.buffers import Buffer, Field, Views, make_buffer
from taut.core.codes import GROUP_DIM
from taut.core.model import D_TARGET, ELASTIC, LEDGER_SIZE, STATE

if TYPE_CHECKING:
    from taut.compile.rods import RodTable


def fill(fields: tuple[Field, ...], buffer: Buffer, values: dict[str, Any]) -> None:
    views = Views(fields, buffer)
    for name, value in values.items():
        view = getattr(views, name)
        view[:] = np.asarray(value, view.dtype).reshape(view.shape)


def make_state(
    bodies: BodyTable, joints: JointTable, ropes: RopeTable | None, rods: RodTable | None, lattices: Any, controls: Controls,
    contacts: int, scene_dt: float, divided: Divided | None,
) -> Buffer:  # fmt: skip
    n, groups, drives = len(bodies.names), len(joints.groups), len(controls.names)
    rope = RopeTable() if ropes is None else ropes
    rows = sum(GROUP_DIM[group.kind] for group in joints.groups) + sum(rope.dims) + 3 * contacts
    size = {
        field.name: {"body": n, "row": rows, "joint": groups, "contact": contacts}.get(field.name.split("_")[0], 0)
        for field in STATE
    }
    size |= {
        "rope_length": len(rope.lengths), "rope_broken": len(rope.lengths), "rope_energy": 4,
        "rope_twist": len(rope.integers),
        "part_angle": len(rope.part_angle), "transfer_state": len(rope.transfer_int), "winch_state": len(rope.winch_int),
    }  # fmt: skip
    size |= {
        "wave_mode": len(rope.wave_mode),
        "wave_frame": len(rope.wave_frame),
        "wave_energy": E_COUNT,
        "wave_tension": len(rope.lengths),
        "transfer_head": len(rope.transfer_int),
        "transfer_row": len(rope.transfer_int),
        "rope_order": len(rope.part_int),
        "rope_live": len(rope.integers),
        "wrap_int": len(rope.wrap_state),
        "wrap_state": len(rope.wrap_state),
    }
    size |= {
        "feed_state": 0 if divided is None else len(divided.feed_int),
        "strand_quiet": 0 if divided is None else len(divided.strand_law),
    }
    size |= {"control": drives, "drive": drives, "contact_count": 1, "ledger": LEDGER_SIZE, "counter": 8}
    held = ({} if rods is None else rods.state()) | ({} if lattices is None else lattices.state)
    state = make_buffer(STATE, size | {name: len(value) for name, value in held.items()})
    fill(STATE, state, held)
    views = Views(STATE, state)
    views.body_pos[:] = bodies.start_pos
    views.body_quat[:] = bodies.start_quat
    views.body_vel[:, :3] = bodies.start_vel
    views.body_vel[:, 3:] = bodies.start_spin
    for i in np.flatnonzero(bodies.start_spin.any(axis=1)):
        axes = matrix(bodies.start_quat[i])
        views.body_momentum[i] = axes @ (bodies.inertia[i] * (axes.T @ bodies.start_spin[i]))
    views.joint_stiffness[:] = -1.0
    views.rope_length[:] = rope.lengths
    views.rope_broken[:] = rope.off
    first = sum(GROUP_DIM[group.kind] for group in joints.groups)
    views.row_lam[first : first + len(rope.tensions)] = -scene_dt * np.array(rope.tensions)
    views.row_lam_old[first : first + len(rope.tensions)] = -scene_dt * np.array(rope.tensions)
    views.rope_energy[X_STORED], views.rope_energy[X_WEIGHT] = rope.stored, rope.weight_energy
    views.winch_state[:] = np.array(rope.winch_start, float).reshape(views.winch_state.shape)
    start = laid_joints(joints, bodies)
    first_rows = np.cumsum([0, *(GROUP_DIM[group.kind] for group in joints.groups)])
    for g, force in zip(start.groups, start.forces):
        rows_of = slice(first_rows[g], first_rows[g] + len(force))
        views.row_lam[rows_of] = views.row_lam_old[rows_of] = scene_dt * force
    views.ledger[ELASTIC] = rope.stored + start.stored
    if rope.part_angle:
        views.part_angle[:] = rope.part_angle
        views.rope_order[:], views.rope_live[:] = rope.order, rope.live
    if rope.transfer_int:
        views.transfer_row[:] = np.array(rope.transfer_int)[:, T_BEFORE : T_AFTER + 1]
    if rope.wrap_state:
        views.wrap_state[:], views.wrap_int[:] = rope.wrap_state, rope.wrap_int
    if rope.wave_mode:
        views.wave_mode[:], views.wave_frame[:] = rope.wave_mode, rope.wave_frame
        views.wave_energy[E_POTENTIAL] = rope.wave_potential
        views.wave_tension[:] = [pull for k, n in enumerate(rope.segments) for pull in rope.pulls(k)[:n]]
    if divided is not None:
        views.feed_state[:, E_LENGTH] = divided.feed_length
        views.strand_quiet[:] = QUIET  # what lies straight at the start is merged at once
        _park(views, divided)
    views.row_age[:] = 2  # a rope that is stretched at the start has been so before
    views.control[:] = controls.start
    views.drive[:, D_TARGET] = controls.start
    return state


def _park(views: Any, divided: Divided) -> None:
    """Put the segments that others carry along where they are."""
    for (i, host), pose in zip(divided.follow_int.tolist(), divided.follow_pose):
        turn = views.body_quat[host]
        views.body_pos[i] = views.body_pos[host] + rotate(turn, pose[:3])
        views.body_quat[i] = multiply(turn, pose[3:])
