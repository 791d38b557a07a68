"""Scene to model, state and scratch: names become indices, materials become compliances, memory is taken once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from taut.cables.layered.columns import L_COUNT
from taut.cables.massless.columns import P_SEGMENTS, P_TWIST
from taut.compile.bodies import BodyTable, compile_bodies
from taut.compile.choices import SEGMENTED, as_ropes, first_choices
from taut.compile.contacts import compile_materials, compile_shapes, excluded_pairs
from taut.compile.controls import Controls
from taut.compile.joints import JointTable, compile_joints
from taut.compile.layout import divide
from taut.compile.motions import compile_motions, compile_wind
from taut.compile.pools import Layout, Pool, compile_pools
from taut.compile.ropes import RopeTable, compile_ropes
from taut.compile.sets import compile_sets
from taut.compile.slides import Slide, compile_slides
from taut.compile.state import fill, make_state
from taut.contact.shapes import MESH, Shapes, Solids
from taut.contact.work import FOUND_ROWS, LOCAL_ROWS, families_of
from taut.contact.wrapping.chain import MOST_NODES
from taut.core.buffers import Buffer, Views, make_buffer
from taut.core.codes import BALL, DISTANCE, GROUP_DIM, HINGE, SEGMENT
from taut.core.model import (
    B_AT,
    B_BODY,
    BOUNDED,
    G_BLOCK,
    G_DIM,
    G_SOFT,
    G_START,
    G_TENSE,
    GROUPS,
    J_A,
    J_B,
    J_COMPLIANCE,
    J_FLOOR,
    J_HIGH,
    J_KIND,
    J_LOW,
    JOINT_GROUPS,
    KRYLOV_VECTORS,
    MODEL,
    MOST_CONTACTS,
    R_CONE,
    R_HIGH,
    R_LOW,
    STATE,
    WORK,
)
from taut.core.settings import Settings
from taut.scene import Scene
from taut.scene.grips import Grip

if TYPE_CHECKING:
    from taut.compile.rods import RodTable

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
    rods: RodTable | None  # None: no rods
    lattices: Any  # taut.compile.lattices.LatticeTable, or None: no honeycomb cables
    controls: Controls
    settings: Settings
    model: Buffer
    state: Buffer
    wind: int | None
    families: Any  # contact families, or None: nothing can touch
    contact_capacity: int
    tables: Tables
    slides: tuple[Slide, ...]  # grips that a segmented cable slides through
    layouts: tuple[Layout, ...]  # how the cables that change are divided, one for each of `pools`
    choices: Mapping[str, str]  # model of each auto cable: massless, layered or segmented
    chosen: int  # step at which they were chosen

    @property
    def pools(self) -> tuple[Pool, ...]:
        """Segmented cables that change while running."""
        return self.tables.pools

    @cached_property
    def fields(self) -> Any:
        """Fields of the state by name."""
        return Views(STATE, self.state)

    @cached_property
    def constants(self) -> Any:
        """Fields of the model by name."""
        return Views(MODEL, self.model)


@dataclass(frozen=True)
class Tables:
    """A scene as tables, with every segment by itself: what does not change while running."""

    bodies: BodyTable
    joints: JointTable
    controls: Controls  # those of joints and of cables that are paid out
    shapes: Shapes | None
    pools: tuple[Pool, ...]


def compile_tables(scene: Scene, grips: Mapping[str, Grip] | None = None) -> Tables:
    """Names become indices. Raises SceneError for what only shows here."""
    bodies = compile_bodies(scene)
    controls = Controls()
    joints = compile_joints(scene, bodies, controls, grips)
    pools = compile_pools(scene, bodies, joints, _pay_out_drives(scene, controls))
    return Tables(bodies, joints, controls, compile_shapes(scene, bodies), pools)


def _pay_out_drives(scene: Scene, controls: Controls) -> dict[str, tuple[int, int]]:
    """Controls NAME.pay of the cables that are paid out, NAME.pay_end of a second end."""
    found = {}
    for name, strand in scene.strands().items():
        drives = [-1, -1]
        for end, spec in enumerate(strand.pay_outs):
            if spec is not None:
                word = "pay" if max(drives) < 0 else "pay_end"
                drives[end] = controls.add(f"{name}.{word}", "m/s", spec.speed, spec.acceleration)
        found[name] = (drives[0], drives[1])
    return found


def compile_scene(
    scene: Scene,
    grips: Mapping[str, Grip] | None = None,
    layouts: tuple[Layout, ...] | None = None,
    tables: Tables | None = None,
    choices: Mapping[str, str] | None = None,
    chosen: int = 0,
) -> Compiled:
    """Compile a checked scene, with what was attached while running, and cables divided as `layouts` say. Raises
    SceneError for what only shows here; `tables` spares the names when they have been found before. Auto cables have the
    models of `choices`, made at step `chosen`; without them, those that fit the start."""
    tables = tables or compile_tables(scene, grips)
    bodies, joints, shapes, controls = tables.bodies, tables.joints, tables.shapes, tables.controls.copy()
    running, choices = choices is not None, choices or first_choices(scene)
    layouts = layouts or tuple(
        pool.as_laid() if choices.get(pool.name, SEGMENTED) == SEGMENTED else pool.asleep() for pool in tables.pools
    )
    divided = divide(bodies, joints, shapes, tables.pools, layouts) if tables.pools else None
    if divided is not None:
        bodies, joints, shapes = divided.bodies, divided.joints, divided.shapes
    first_row = sum(GROUP_DIM[group.kind] for group in joints.groups)
    cables = as_ropes(scene, choices, running)
    ropes = compile_ropes(scene, cables, bodies, controls, first_row, len(joints.pairs)) if cables else None
    rods = _rods(scene, bodies, len(pairs_of(joints, ropes)))
    lattices = _lattices(scene, bodies, len(pairs_of(joints, ropes, rods)))
    motion_int, motion_time, motion_value = compile_motions(bodies, controls)
    wind, wind_drive = compile_wind(scene, controls)
    capacity, margin = 0, 0.0
    values: dict[str, Any] = {
        "body_node": bodies.node,
        "node_body": bodies.node_body,
        "body_mass": bodies.mass,
        "body_inertia": bodies.inertia,
        "body_rotor": bodies.rotor,
        "body_thread": _thread_stiffness(scene, bodies, joints),
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
        "pair_node": np.array(pairs_of(joints, ropes, rods, lattices), np.int64).reshape(-1, 2),
        "excluded": excluded_pairs(bodies, joints),
    }
    slides = compile_slides(scene, grips or {})
    values["slide_int"] = [joints.first[slide.grip] for slide in slides]
    values["slide_law"] = [(slide.low, slide.high) for slide in slides]
    for name in _DIVIDED:
        values[name] = [] if divided is None else getattr(divided, name)
    for name, attribute in _ROPE_FIELDS.items():
        values[name] = [] if ropes is None else getattr(ropes, attribute)
    values |= {field.name: [] for field in MODEL if field.name.startswith("lattice_")}
    if lattices is not None:
        values |= lattices.model
    values |= {field.name: [] for field in MODEL if field.name.startswith(("rod_", "lean_"))}
    if rods is not None:
        values |= rods.model()
    for k, name in enumerate(Shapes._fields):
        values[name_of(name)] = np.zeros(0) if shapes is None else shapes[k]
    if shapes is not None:
        moving = int(bodies.dynamic[shapes.body].sum())
        capacity = scene.solver.contact_capacity or 64 + 16 * moving
        sizes = shapes.size[shapes.type != MESH]
        sizes = sizes[sizes > 0.0]
        margin = MARGIN * float(sizes.min()) if sizes.size else 0.01
    model = make_buffer(MODEL, {name: len(value) for name, value in values.items()})
    fill(MODEL, model, values)
    state = make_state(bodies, joints, ropes, rods, lattices, controls, capacity, float(scene.dt), divided)
    return Compiled(
        scene, dict(grips or {}), bodies, joints, ropes, rods, lattices, controls, _settings(scene, margin), model, state,
        None if scene.wind is None else 1, None if shapes is None else families_of(shapes, bodies.dynamic), capacity,
        tables, slides, layouts, choices, chosen,
    )  # fmt: skip


def _rods(scene: Scene, bodies: BodyTable, first_pair: int) -> RodTable | None:
    if not scene.rods():
        return None
    from taut.compile.rods import compile_rods  # only here: kernels take time to load

    return compile_rods(scene, bodies, first_pair)


def _lattices(scene: Scene, bodies: BodyTable, first_pair: int) -> Any:
    if not scene.lattices():
        return None
    from taut.compile.lattices import compile_lattices  # only here, for the same reason

    return compile_lattices(scene, bodies, first_pair)


def name_of(field: str) -> str:
    """Field of the model that holds a field of `Shapes`: tables of hulls and meshes belong to no single shape."""
    return f"solid_{field}" if field in Solids._fields[2:] else f"shape_{field}"


#: fields of the model that say how segmented cables are divided
_DIVIDED = ("follow_int", "follow_pose", "watch_int", "watch_law", "strand_law", "feed_int", "feed_law")
#: fields of the model that come straight from the table of ropes
_ROPE_FIELDS = {
    "rope_int": "integers", "rope_law": "laws", "rope_ends": "ends", "part_int": "part_int", "part_frame": "part_frame",
    "transfer_int": "transfer_int", "transfer_law": "transfer_law", "rope_span": "spans", "winch_int": "winch_int",
    "winch_law": "winch_law", "winch_curve": "winch_curve", "wave_span": "wave_span", "wave_law": "wave_law",
    "rope_pair": "rope_pair", "obstacle_int": "obstacle_int", "obstacle_frame": "obstacle_frame",
    "hull_edge": "hull_edge", "hull_plane": "hull_plane",
}  # fmt: skip


def pairs_of(joints: JointTable, *others: Any) -> list[tuple[int, int]]:
    """Nodes that a stiffness couples: ends of distance joints, then of spans, of rods and of honeycomb cables, as given."""
    return [*joints.pairs, *(pair for table in others if table is not None for pair in table.pairs)]


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


def make_work(c: Compiled, scale: int = 1) -> Buffer:
    """Scratch of the step; `scale` enlarges the pools of the elimination plan when they were too small."""
    dims = row_dims(c)
    groups, joints, rows = len(dims), len(c.joints.groups), sum(dims)
    n, nodes, contacts = len(c.bodies.names), len(c.bodies.node_body), c.contact_capacity
    pairs, ropes = len(pairs_of(c.joints, c.ropes, c.rods, c.lattices)), RopeTable() if c.ropes is None else c.ropes
    blocks = _blocks(c)
    shapes = int(c.model.at[[f.name for f in MODEL].index("shape_type"), 1])
    sets = compile_sets(c.joints.integers, c.bodies.node) if c.settings.gauss_seidel else None
    # what is eliminated: all bodies and groups, or for Gauss-Seidel copies of the bodies and the groups of joints
    planned, held = (nodes, groups) if sets is None else (sets.copies, joints)
    links = scale * (8 * (planned + held) + 4 * pairs + 64 + sum(len(touched) ** 2 for touched in ropes.blocks))
    unknowns = 6 * planned + sum(dims[:held])
    bordered = 3 * min(contacts, MOST_CONTACTS)
    size = {
        "count": 9, "tally": 5, "group_int": groups + 1, "block_int": sum(blocks),
        "jac": 6 * int(np.dot(blocks, dims)), "part_place": len(ropes.part_int), "part_pull": 9,
        "rope_rate": len(ropes.lengths), "slip": len(ropes.transfer_int), "slip_force": len(ropes.transfer_int),
        "slip_small": 35, "slip_count": 2, "row": rows, "row_int": rows,
        "joint_slope": joints, "joint_arm": joints, "joint_stiffness_new": joints, "node_drag": nodes, "node_block": nodes, "node_rhs": nodes, "body_world_inertia": n,
        "body_free": n, "body_new": n, "pair_block": pairs, "pair_int": pairs, "point": 2, "trial_pos": n,
        "trial_quat": n, "trial_phi": rows, "trial_jac": 72, "slots": 36 * planned + 12 * links + 64, "inv": unknowns,
        "peak": unknowns, "columns": 6 * unknowns + 36, "x": unknowns, "graph_node": planned + held,
        "graph_link": links, "graph_size": 3, "plan_node": planned + held + 1, "plan_nb": links, "plan_up": 2 * links,
        "plan_size": 5, "krylov": contacts, "krylov_small": KRYLOV_VECTORS + 2, "border": bordered, "border_factors": bordered, "border_side": bordered + 1, "inner": rows if contacts else 0,
        "shape_start": shapes + 4, "shape_pair": 8 * shapes + 4 * contacts, "shape_raw": 8 * shapes + 4 * contacts, "shape_found": FOUND_ROWS, "shape_local": LOCAL_ROWS, "shape_tally": 4,
        "shape_pressed": contacts, "shape_fall": 3,
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
    if ropes.wave_span and ropes.wrap_state:
        size |= {"wave_kept": len(ropes.wave_mode)}
    if ropes.wrap_state:
        size |= {"chain_node": MOST_NODES, "chain_matrix": (4 * MOST_NODES) ** 2, "chain_side": 4 * MOST_NODES}
    if c.lattices is not None:
        size |= {name: len(value) for name, value in c.lattices.work.items()}
        size |= {"lattice_push": nodes, "lattice_block": nodes, "lattice_pair_block": pairs}
    size |= {} if c.rods is None else c.rods.work()
    for field in WORK:
        head = field.name.split("_")[0]
        size.setdefault(
            field.name, {"old": contacts, "rock": contacts, "found": contacts, "shape": shapes}.get(head, 0)
        )
    work = make_buffer(WORK, size)
    _lay_out_rows(Views(WORK, work), c, dims)
    if c.ropes is not None:
        fill(WORK, work, {"part_place": c.ropes.part_place, "span_work": c.ropes.span_work})
    if c.lattices is not None:
        fill(WORK, work, c.lattices.work)
    if c.rods is not None:
        fill(WORK, work, {"rod_row": np.concatenate(c.rods.rows)})
    if sets is not None:
        fill(WORK, work, {"set_int": sets.integers, "copy_node": sets.copy_node, "block_copy": sets.block_copy})
    return work


def _thread_stiffness(scene: Scene, bodies: BodyTable, joints: JointTable) -> np.ndarray:
    """Largest stiffness of the joints of each segment of a cable, along them or across [N/m]; 0 for other bodies."""
    found = np.zeros(len(bodies.names))
    compliance = joints.rows[:, J_COMPLIANCE : J_COMPLIANCE + 3]
    softest = np.where(compliance > 0.0, compliance, np.inf).min(axis=1, initial=np.inf)
    held = (joints.integers[:, J_KIND] == SEGMENT) & np.isfinite(softest)
    for side in (J_A, J_B):
        np.maximum.at(found, joints.integers[held, side], 1.0 / softest[held])
    threads = {name for strand in scene.strands().values() for name in strand.link_names()}
    return np.where([name in threads for name in bodies.names], found, 0.0)


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
