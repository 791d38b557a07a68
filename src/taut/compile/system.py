"""Scene to model, state and scratch: names become indices, materials become compliances, memory is taken once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.cables.layered.columns import E_POTENTIAL, L_COUNT
from taut.cables.massless.columns import P_SEGMENTS, P_TWIST, T_AFTER, T_BEFORE
from taut.compile.bodies import BodyTable, compile_bodies
from taut.compile.contacts import compile_materials, compile_shapes, excluded_pairs
from taut.compile.controls import Controls
from taut.compile.frames import matrix
from taut.compile.joints import JointTable, compile_joints
from taut.compile.motions import compile_motions, compile_wind
from taut.compile.ropes import RopeTable, compile_ropes
from taut.compile.sets import compile_sets
from taut.compile.strands import laid_joints
from taut.contact.work import FOUND_ROWS, LOCAL_ROWS, families_of
from taut.contact.wrapping.chain import MOST_NODES
from taut.core.buffers import Buffer, Field, Views, make_buffer
from taut.core.model import (
    B_AT,
    B_BODY,
    BALL,
    BOUNDED,
    D_TARGET,
    DISTANCE,
    ELASTIC,
    G_BLOCK,
    G_DIM,
    G_SOFT,
    G_START,
    G_TENSE,
    GROUP_DIM,
    GROUPS,
    HINGE,
    J_A,
    J_B,
    J_COMPLIANCE,
    J_FLOOR,
    J_HIGH,
    J_LOW,
    JOINT_GROUPS,
    LEDGER_SIZE,
    MODEL,
    MOST_CONTACTS,
    R_CONE,
    R_HIGH,
    R_LOW,
    SEGMENT,
    STATE,
    WORK,
    Settings,
)
from taut.scene import Scene
from taut.scene.grips import Grip

#: leading rows of a joint whose multipliers are a tension that turns with its bodies
TENSE_ROWS = {BALL: 3, HINGE: 3, SEGMENT: 3, DISTANCE: 1}
#: contacts closer than this part of the smallest colliding size are looked for [-]
MARGIN = 0.02


@dataclass(frozen=True)
class Compiled:
    """Everything a run needs, and the names that lead back to the scene."""

    scene: Scene
    grips: Mapping[str, Grip]
    bodies: BodyTable
    joints: JointTable
    ropes: RopeTable | None  # None: no cables
    controls: Controls
    settings: Settings
    model: Buffer
    state: Buffer
    wind: int | None
    families: Any  # contact families, or None: nothing can touch
    contact_capacity: int


def compile_scene(scene: Scene, grips: Mapping[str, Grip] | None = None) -> Compiled:
    """Compile a checked scene, with what was attached while running. Raises SceneError for what only shows here."""
    bodies = compile_bodies(scene)
    controls = Controls()
    joints = compile_joints(scene, bodies, controls, grips)
    first_row = sum(GROUP_DIM[group.kind] for group in joints.groups)
    ropes = compile_ropes(scene, bodies, controls, first_row, len(joints.pairs)) if scene.ropes() else None
    motion_int, motion_time, motion_value = compile_motions(bodies, controls)
    wind, wind_drive = compile_wind(scene, controls)
    shapes = compile_shapes(scene, bodies)
    capacity, margin = 0, 0.0
    values: dict[str, Any] = {
        "body_node": bodies.node,
        "node_body": bodies.node_body,
        "body_mass": bodies.mass,
        "body_inertia": bodies.inertia,
        "body_rotor": bodies.rotor,
        "body_drag_area": bodies.drag_area,
        "joint_int": joints.integers,
        "joint_frame": joints.frames,
        "joint_row": joints.rows,
        "joint_value": joints.values,
        "drive_control": np.arange(len(controls.names)),
        "drive_rate": controls.rate,
        "motion_int": motion_int,
        "motion_time": motion_time,
        "motion_value": motion_value,
        "wind": wind,
        "wind_drive": [wind_drive],
        "material": compile_materials(scene),
        "body_dynamic": bodies.dynamic,
        "pair_node": np.array(pairs_of(joints, ropes), np.int64).reshape(-1, 2),
        "excluded": excluded_pairs(bodies, joints),
    }
    for name, attribute in _ROPE_FIELDS.items():
        values[name] = [] if ropes is None else getattr(ropes, attribute)
    for k, name in enumerate(("type", "size", "body", "pos", "quat", "material", "group", "mask")):
        values[f"shape_{name}"] = np.zeros(0) if shapes is None else shapes[k]
    if shapes is not None:
        moving = int(bodies.dynamic[shapes.body].sum())
        capacity = scene.solver.contact_capacity or 64 + 16 * moving
        sizes = shapes.size[shapes.size > 0.0]
        margin = MARGIN * float(sizes.min()) if sizes.size else 0.01
    model = make_buffer(MODEL, {name: len(value) for name, value in values.items()})
    _fill(MODEL, model, values)
    state = _make_state(bodies, joints, ropes, controls, capacity, float(scene.dt))
    return Compiled(
        scene, dict(grips or {}), bodies, joints, ropes, controls, _settings(scene, margin), model, state,
        None if scene.wind is None else 1, None if shapes is None else families_of(shapes), capacity,
    )  # fmt: skip


#: fields of the model that come straight from the table of ropes
_ROPE_FIELDS = {
    "rope_int": "integers", "rope_law": "laws", "rope_ends": "ends", "part_int": "part_int", "part_frame": "part_frame",
    "transfer_int": "transfer_int", "transfer_law": "transfer_law", "rope_span": "spans", "winch_int": "winch_int",
    "winch_law": "winch_law", "winch_curve": "winch_curve", "wave_span": "wave_span", "wave_law": "wave_law",
    "rope_pair": "rope_pair", "obstacle_int": "obstacle_int", "obstacle_frame": "obstacle_frame",
    "hull_edge": "hull_edge", "hull_plane": "hull_plane",
}  # fmt: skip


def pairs_of(joints: JointTable, ropes: RopeTable | None) -> list[tuple[int, int]]:
    """Nodes that a geometric stiffness couples: ends of distance joints, then of spans."""
    return [*joints.pairs, *([] if ropes is None else ropes.pairs)]


def _fill(fields: tuple[Field, ...], buffer: Buffer, values: dict[str, Any]) -> None:
    views = Views(fields, buffer)
    for name, value in values.items():
        view = getattr(views, name)
        view[:] = np.asarray(value, view.dtype).reshape(view.shape)


def _settings(scene: Scene, margin: float) -> Settings:
    s = scene.solver
    gravity = scene.gravity
    # paper 1's method knows neither geometric stiffness, nor the passes it asks for, nor corrections after the solve
    direct = s.kind == "direct"
    return Settings(
        dt=float(scene.dt),
        gravity_x=float(gravity[0]),
        gravity_y=float(gravity[1]),
        gravity_z=float(gravity[2]),
        floor=float(s.damping_floor),
        geometric=float(s.geometric_stiffness) if direct else 0.0,
        passes=1 if not direct else 0 if s.passes == "auto" else int(s.passes),
        first_order=int(s.stepper == "first_order"),
        relinearise=int(s.relinearise) if direct else 0,
        refinements=int(s.refinements),
        bound_iterations=int(s.friction_iterations),
        gauss_seidel=0 if direct else int(s.iterations),
        contact_margin=float(margin),
    )


def row_dims(c: Compiled) -> list[int]:
    """Rows of each group: joints, ropes, then room for contacts."""
    ropes = [] if c.ropes is None else c.ropes.dims
    return [GROUP_DIM[group.kind] for group in c.joints.groups] + ropes + [3] * c.contact_capacity


def _make_state(
    bodies: BodyTable, joints: JointTable, ropes: RopeTable | None, controls: Controls, contacts: int, scene_dt: float
) -> Buffer:
    n, groups, drives = len(bodies.names), len(joints.groups), len(controls.names)
    rope = RopeTable() if ropes is None else ropes
    rows = sum(GROUP_DIM[group.kind] for group in joints.groups) + sum(rope.dims) + 3 * contacts
    size = {
        field.name: {"body": n, "row": rows, "joint": groups, "contact": contacts}.get(field.name.split("_")[0], 0)
        for field in STATE
    }
    size |= {
        "rope_length": len(rope.lengths), "rope_broken": len(rope.lengths), "rope_energy": 1,
        "rope_twist": len(rope.integers),
        "part_angle": len(rope.part_angle), "transfer_state": len(rope.transfer_int), "winch_state": len(rope.winch_int),
    }  # fmt: skip
    size |= {
        "wave_mode": len(rope.wave_mode),
        "wave_frame": len(rope.wave_frame),
        "wave_energy": 3,
        "wave_tension": len(rope.lengths),
        "transfer_head": len(rope.transfer_int),
        "transfer_row": len(rope.transfer_int),
        "rope_order": len(rope.part_int),
        "rope_live": len(rope.integers),
        "wrap_int": len(rope.wrap_state),
        "wrap_state": len(rope.wrap_state),
    }
    size |= {"control": drives, "drive": drives, "contact_count": 1, "ledger": LEDGER_SIZE, "counter": 8}
    state = make_buffer(STATE, size)
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
    views.rope_energy[:] = rope.stored
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
    views.row_age[:] = 2  # a rope that is stretched at the start has been so before
    views.control[:] = controls.start
    views.drive[:, D_TARGET] = controls.start
    return state


def make_work(c: Compiled, scale: int = 1) -> Buffer:
    """Scratch of the step; `scale` enlarges the pools of the elimination plan when they were too small."""
    dims = row_dims(c)
    groups, joints, rows = len(dims), len(c.joints.groups), sum(dims)
    n, nodes, contacts = len(c.bodies.names), len(c.bodies.node_body), c.contact_capacity
    pairs, ropes = len(pairs_of(c.joints, c.ropes)), RopeTable() if c.ropes is None else c.ropes
    blocks = _blocks(c)
    shapes = int(c.model.at[[f.name for f in MODEL].index("shape_type"), 1])
    sets = compile_sets(c.joints.integers, c.bodies.node) if c.settings.gauss_seidel else None
    # what is eliminated: all bodies and groups, or for Gauss-Seidel copies of the bodies and the groups of joints
    planned, held = (nodes, groups) if sets is None else (sets.copies, joints)
    links = scale * (8 * (planned + held) + 4 * pairs + 64 + sum(len(touched) ** 2 for touched in ropes.blocks))
    unknowns = 6 * planned + sum(dims[:held])
    bordered = 3 * min(contacts, MOST_CONTACTS)
    size = {
        "count": 6, "tally": 5, "group_int": groups + 1, "block_int": sum(blocks),
        "jac": 6 * int(np.dot(blocks, dims)), "part_place": len(ropes.part_int), "part_pull": 9,
        "rope_rate": len(ropes.lengths), "slip": len(ropes.transfer_int), "slip_force": len(ropes.transfer_int),
        "slip_small": 35, "slip_count": 2, "row": rows, "row_int": rows,
        "joint_slope": joints, "joint_arm": joints, "joint_stiffness_new": joints, "node_drag": nodes, "node_block": nodes, "node_rhs": nodes, "body_world_inertia": n,
        "body_free": n, "body_new": n, "pair_block": pairs, "pair_int": pairs, "point": 2, "trial_pos": n,
        "trial_quat": n, "trial_phi": rows, "trial_jac": 72, "slots": 36 * planned + 12 * links + 64, "inv": unknowns,
        "peak": unknowns, "columns": 6 * unknowns + 36, "x": unknowns, "graph_node": planned + held,
        "graph_link": links, "graph_size": 3, "plan_node": planned + held + 1, "plan_nb": links, "plan_up": 2 * links,
        "plan_size": 5, "border": bordered, "border_factors": bordered, "border_side": bordered + 1,
        "shape_pair": 8 * shapes + 4 * contacts, "shape_found": FOUND_ROWS, "shape_local": LOCAL_ROWS, "shape_tally": 4,
    }  # fmt: skip
    if sets is not None:
        size |= {
            "set_int": len(sets.integers), "copy_node": len(sets.copy_node), "block_copy": len(sets.block_copy),
            "node_impulse": nodes, "node_inverse": nodes, "contact_weight": contacts,
        }  # fmt: skip
    if ropes.wave_span:
        size |= {
            "span_work": len(ropes.wave_span), "mode_work": len(ropes.wave_mode), "wave_row": len(ropes.lengths),
            "wave_jac": size["jac"], "wave_rule": L_COUNT,
        }  # fmt: skip
    if ropes.wrap_state:
        size |= {"chain_node": MOST_NODES, "chain_matrix": (4 * MOST_NODES) ** 2, "chain_side": 4 * MOST_NODES}
    for field in WORK:
        head = field.name.split("_")[0]
        size.setdefault(field.name, {"old": contacts, "found": contacts, "shape": shapes}.get(head, 0))
    work = make_buffer(WORK, size)
    _lay_out_rows(Views(WORK, work), c, dims)
    if c.ropes is not None:
        _fill(WORK, work, {"part_place": c.ropes.part_place, "span_work": c.ropes.span_work})
    if sets is not None:
        _fill(WORK, work, {"set_int": sets.integers, "copy_node": sets.copy_node, "block_copy": sets.block_copy})
    return work


def _blocks(c: Compiled) -> list[int]:
    """Jacobian blocks of each group."""
    ropes = [] if c.ropes is None else [len(touched) for touched in c.ropes.blocks]
    return [2] * len(c.joints.groups) + ropes + [2] * c.contact_capacity


def _lay_out_rows(w: Any, c: Compiled, dims: list[int]) -> None:
    """What never changes in the scratch: where each group's rows and Jacobian blocks lie."""
    joints = len(c.joints.groups)
    held = joints + (0 if c.ropes is None else len(c.ropes.names))
    dim, blocks = np.asarray(dims, np.int64), np.asarray(_blocks(c), np.int64)
    w.count[[GROUPS, JOINT_GROUPS]] = held
    w.count[BOUNDED] = int(c.ropes is not None or bool(np.isfinite(c.joints.values[:, [J_LOW, J_HIGH]]).any()))
    w.group_int[:-1, G_DIM] = dim
    w.group_int[1:, G_START] = np.cumsum(dim)
    w.group_int[1:, G_BLOCK] = np.cumsum(blocks)
    sizes = 6 * np.repeat(dim, blocks)
    w.block_int[:, B_AT] = np.cumsum(sizes) - sizes
    w.block_int[0 : 2 * joints : 2, B_BODY] = c.joints.integers[:, J_A]
    w.block_int[1 : 2 * joints : 2, B_BODY] = c.joints.integers[:, J_B]
    if c.ropes is not None:
        bodies = [body for touched in c.ropes.blocks for body in touched]
        w.block_int[2 * joints : 2 * joints + len(bodies), B_BODY] = bodies
    w.group_int[:joints, G_TENSE] = [TENSE_ROWS.get(group.kind, 0) for group in c.joints.groups]
    if c.ropes is not None:
        # all but the motion of layered spans along themselves
        w.group_int[joints:held, G_TENSE] = [row[P_SEGMENTS] + row[P_TWIST] for row in c.ropes.integers]
    w.row[:, R_LOW], w.row[:, R_HIGH] = -np.inf, np.inf
    w.row_int[:, R_CONE] = -1
    w.shape_order[:] = np.arange(len(w.shape_order))
    w.shape_tally[0] = -1  # no sweep axis yet: the first sweep sorts from scratch
    w.group_int[held:-1, G_SOFT] = 1
    if c.ropes is not None:
        for r, law in enumerate(c.ropes.laws):
            softest = law[0] * min(length for length in c.ropes.lengths if length > 0.0) / c.settings.dt**2
            w.group_int[joints + r, G_SOFT] = int(softest > 1e5 * law[2])
    for g in range(joints):
        # soft: every row's compliance stands well above its floor, so it may leave before its bodies
        sigma = c.joints.rows[g, J_COMPLIANCE : J_COMPLIANCE + dims[g]] / c.settings.dt**2
        w.group_int[g, G_SOFT] = int(bool((sigma > 1e5 * c.joints.rows[g, J_FLOOR : J_FLOOR + dims[g]]).all()))
