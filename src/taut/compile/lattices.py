"""Honeycomb cables of a scene as arrays: all lattices one behind the other, their ends on bodies, what they may touch."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from taut.cables.honeycomb import arrays as at
from taut.cables.honeycomb.arrays import Arrays
from taut.cables.honeycomb.columns import (
    FIELDS,
    HAS_CARRIED,
    HAS_EXPLICIT,
    HAS_IMPLICIT,
    HAS_PUSHES,
    IMPLICIT,
    X_COLUMNS,
    X_ELASTIC,
    X_KINETIC,
    X_POTENTIAL,
    X_STABLE,
    X_SUBSTEPS,
)
from taut.cables.honeycomb.compile import end_masses
from taut.cables.honeycomb.describe import (
    SHORT,
    arrays_of,
    description,
    first_modes,
    first_stable_step,
    lattice_of,
    scheme_of,
    substeps_of,
)
from taut.cables.honeycomb.lattice import Lattice
from taut.cables.honeycomb.rooms import KINDS_OF_TROUBLE
from taut.cables.honeycomb.springs import spring_state
from taut.cables.honeycomb.stepping import CODE, SAFETY
from taut.cables.honeycomb.surroundings import KINDS, set_shape
from taut.cables.honeycomb.values import HoneycombError
from taut.compile import frames
from taut.compile.bodies import BodyTable
from taut.scene import Material, Problem, Scene, SceneError
from taut.scene.cables import Cable
from taut.scene.parts import End
from taut.scene.segments import Strand

Array = np.ndarray

#: vectors of an implicit step, and answers to both ends and to the residual
VECTORS, ANSWERS = 11, 13
#: an implicit lattice sees obstacles that move as told
CANNOT_PUSH = (
    "an implicit lattice cannot push dynamic bodies: set collide: false on the cable or on them, or scheme: verlet with ends on "
    "the world or on kinematic bodies"
)
#: contacts per mass that the pool has room for
TOUCHES_PER_MASS = 4


@dataclass
class Rope:
    """One honeycomb cable, compiled."""

    name: str
    cable: Cable
    lattice: Lattice
    arrays: Arrays
    scheme: str
    carries: bool  # solved together with bodies
    pushes: bool  # explicit, and able to push bodies
    bodies: tuple[int, int]  # at both ends, -1 for a free one
    stable: float  # explicit step of the lattice as laid [s]
    modes: Array
    arm: Array  # held masses in the principal axes of their body [m], shape (N, 3)
    obstacle_int: Array
    obstacle: Array
    velocity: Array  # at the start [m/s], shape (N, 3)
    pair: int = -1


@dataclass
class LatticeTable:
    """All of them, and the fields of model, state and scratch that they fill."""

    ropes: list[Rope] = field(default_factory=list)
    pairs: list[tuple[int, int]] = field(default_factory=list)
    model: dict[str, Any] = field(default_factory=dict)
    state: dict[str, Any] = field(default_factory=dict)
    work: dict[str, Any] = field(default_factory=dict)
    kinds: int = 0

    @property
    def names(self) -> list[str]:
        """Of the cables."""
        return [rope.name for rope in self.ropes]

    def trouble(self, number: int) -> str:
        """What went wrong with a rope, in words."""
        rope, status = self.ropes[number // KINDS_OF_TROUBLE], number % KINDS_OF_TROUBLE
        if status == at.TOO_MANY_TOUCHES:
            what = f"more contacts than the {len(rope.arrays.touch)} there is room for: the rope lies in itself or in a body"
        elif status == at.TOO_MANY_PAIRS:
            what = f"more pairs of cells than the {len(rope.arrays.pair)} there is room for: the rope lies in itself"
        elif status == at.UNSTABLE:
            what = "its lattice.substeps are too few for the lattice as it is now, also twice as many; auto follows it"
        elif status == at.NOT_CONVERGED:
            what = "Newton's method does not converge, also with more damping and in smaller steps; look for a sudden motion"
        else:
            what = "springs run away, also in smaller steps; a strain_limit or scheme: implicit may help"
        return f"{rope.name}: {what}. The last good state stands."

    def warnings(self, dt: float) -> list[str]:
        """What can be stepped, but not well."""
        found = []
        for rope in self.ropes:
            step = SAFETY * rope.stable
            if rope.scheme != "implicit" and step < SHORT:
                found.append(
                    f"{rope.name}: {rope.scheme} takes explicit steps of {1e6 * step:.3g} us, {round(dt / step)} in a step of "
                    f"{dt:.4g} s; scheme: implicit takes one"
                )
        return found


def compile_lattices(scene: Scene, bodies: BodyTable, first_pair: int) -> LatticeTable:
    """Lay out every honeycomb cable; raises SceneError for what only shows here."""
    table, problems = LatticeTable(), []
    for name, cable in scene.lattices().items():
        try:
            table.ropes.append(_rope(name, cable, scene, bodies))
        except HoneycombError as error:
            problems.append(Problem(str(error), ("cables", name)))
    if scene.solver.kind != "direct" and any(rope.carries or rope.pushes for rope in table.ropes):
        reason = "honeycomb cables that carry or push bodies need the direct solver"
        problems.append(Problem(reason, ("solver", "kind"), scene.solver.kind))
    if problems:
        raise SceneError(problems)
    for rope in table.ropes:
        nodes = [int(bodies.node[b]) if b >= 0 else -1 for b in rope.bodies]
        if rope.carries and min(nodes) >= 0 and nodes[0] != nodes[1]:
            rope.pair = first_pair + len(table.pairs)
            table.pairs.append((nodes[0], nodes[1]))
        table.kinds |= HAS_CARRIED if rope.carries else HAS_IMPLICIT if rope.scheme == "implicit" else HAS_EXPLICIT
        table.kinds |= HAS_PUSHES if rope.pushes else 0
    _fill(table, scene)
    return table


def _rope(name: str, cable: Cable, scene: Scene, bodies: BodyTable) -> Rope:
    strand = Strand(name, cable, scene.bodies)
    lattice = lattice_of(strand)
    gravity = tuple(float(g) for g in scene.gravity)
    arrays = arrays_of(strand, lattice, gravity)
    held = tuple(bodies.index[part.on] if isinstance(part, End) else -1 for part in (cable.route[0], cable.route[-1]))
    obstacle_int, obstacle = _obstacles(cable, scene, bodies, held)
    if len(obstacle) and not len(arrays.touch):
        room = 256 + TOUCHES_PER_MASS * len(arrays.pos)
        arrays = arrays._replace(
            touch=np.zeros((room, at.TOUCH_COLUMNS)), touch_node=np.zeros((room, 5), np.int64)
        )  # fmt: skip
    arrays = arrays._replace(shape=np.zeros((len(obstacle), at.SHAPE_COLUMNS)))
    modes = first_modes(arrays)
    stable = first_stable_step(arrays, modes)
    carries = any(b >= 0 and bodies.dynamic[b] for b in held)
    touches = any(bodies.dynamic[b] for b, _ in obstacle_int)
    scheme = scheme_of(cable, carries, stable)
    if scheme == "implicit" and touches:
        raise HoneycombError(CANNOT_PUSH)
    return Rope(
        name, cable, lattice, arrays, scheme, carries,
        touches, (held[0], held[1]), stable, modes, _arms(lattice, arrays, held, bodies),
        obstacle_int, obstacle, _velocity(lattice, arrays, held, bodies),
    )  # fmt: skip


def _velocity(lattice: Lattice, arrays: Arrays, held: tuple[int, ...], bodies: BodyTable) -> Array:
    """At the start: each end moves with its body, a free one with the other, and what lies between in between."""
    moved = [
        bodies.start_vel[b] + np.cross(bodies.start_spin[b], arrays.pos - bodies.start_pos[b]) if b >= 0 else None
        for b in held
    ]
    first = moved[0] if moved[0] is not None else moved[1]
    last = moved[1] if moved[1] is not None else moved[0]
    if first is None or last is None:
        return np.zeros_like(arrays.pos)
    share = np.repeat(np.linspace(0.0, 1.0, lattice.layers), lattice.section.count)[:, None]
    return np.asarray((1.0 - share) * first + share * last)


def _arms(lattice: Lattice, arrays: Arrays, held: tuple[int, ...], bodies: BodyTable) -> Array:
    """Masses of both ends seen from the bodies that hold them."""
    arm = np.zeros_like(arrays.pos)
    for side, b in enumerate(held):
        if b >= 0:
            layer = end_masses(lattice, side)
            away = arrays.pos[layer] - bodies.start_pos[b]
            arm[layer] = frames.rotate(np.tile(frames.conjugate(bodies.start_quat[b]), (len(away), 1)), away)
    return arm


def _obstacles(cable: Cable, scene: Scene, bodies: BodyTable, held: tuple[int, ...]) -> tuple[Array, Array]:
    """What a cable may touch: all that collides, but for the bodies that hold it."""
    numbers, rows = [], []
    materials: dict[str | None, Material] = {None: Material()}
    materials.update(scene.materials)
    own = materials[cable.material]
    for b, spec in enumerate(bodies.specs):
        if not cable.collide or spec is None or spec.shape is None or not spec.collide or b in held:
            continue
        if type(spec.shape) not in KINDS or spec.kind == "particle":
            continue
        row = np.zeros(at.SHAPE_COLUMNS)
        set_shape(row, spec.shape)
        back = frames.conjugate(bodies.frame[b])
        friction = float(np.sqrt(own.friction * materials[spec.material].friction))
        place = frames.rotate(back, -bodies.centre[b])
        numbers.append((b, int(row[at.KIND])))
        rows.append([*row[at.SIZE : at.SIZE + 3], *place, *back, friction, row[at.BALL]])
    return np.array(numbers, np.int64).reshape(-1, 2), np.array(rows, float).reshape(-1, 12)


def _fill(table: LatticeTable, scene: Scene) -> None:
    """The fields of all ropes, one behind the other, and where each rope's part begins."""
    parts: dict[str, list[Array]] = {name: [] for name in FIELDS}
    where: list[list[int]] = []
    for rope in table.ropes:
        a, n = rope.arrays, len(rope.arrays.pos)
        blocks = rope.scheme == "implicit"
        size = 3 * rope.lattice.section.count
        own = {name: getattr(a, name) for name in FIELDS if hasattr(a, name)} | {
            "mode": rope.modes.reshape(-1, 3), "arm_body": rope.arm,
            "system": np.zeros(2 * rope.lattice.layers * size * size if blocks else 0),
            "work": np.zeros(VECTORS * 3 * n if blocks else 0),
            "pushes": np.zeros((len(a.touch) if blocks else 0, 9)),
            "column": np.zeros(ANSWERS * 3 * n if rope.carries else 0),
        }  # fmt: skip
        row = []
        for name in FIELDS:
            row += [sum(len(part) for part in parts[name]), len(own[name])]
            parts[name].append(own[name])
        where.append(row)

    def joined(name: str) -> Array:
        return np.concatenate(parts[name])

    ropes = table.ropes
    table.model = {
        f"lattice_{name}": joined(name)
        for name in ("node", "spring", "law", "table", "size", "outline", "kind", "arm_body")
    }
    table.model |= {
        "lattice_int": [_numbers(rope) for rope in ropes],
        "lattice_rule": [_rule(rope) for rope in ropes],
        "lattice_at": where,
        "lattice_obstacle_int": np.concatenate([rope.obstacle_int for rope in ropes]),
        "lattice_obstacle": np.concatenate([rope.obstacle for rope in ropes]),
    }
    pos = joined("pos")
    still = np.zeros_like(pos)
    vel = np.concatenate([rope.velocity for rope in ropes])
    table.state = {
        "lattice_pos": pos, "lattice_vel": vel, "lattice_acc": still, "lattice_old_pos": pos - float(scene.dt) * vel, "lattice_old_vel": vel,
        "lattice_ref": np.concatenate([rope.arrays.ref for rope in ropes]), "lattice_mode": joined("mode"),
        "lattice_number": [_start(rope, scene) for rope in ropes], "lattice_pair": joined("pair"),
        "lattice_tally": joined("tally"),
    }  # fmt: skip
    table.work = {
        f"lattice_{name}": joined(name)
        for name in (
            "field", "shape", "axis", "touch", "tree", "flow", "pose", "found", "local", "lane", "system", "work", "pushes", "column",
        )
    }  # fmt: skip
    masses = {f"lattice_{name}": still for name in ("arm", "force", "pos2", "vel2")}
    table.work |= masses | {
        "lattice_load": np.zeros((len(pos), 2)),
        "lattice_touch_node": np.concatenate([rope.arrays.touch_node for rope in ropes]),
        "lattice_law_now": joined("law"),
        "lattice_ends": np.zeros((2 * len(ropes), at.END_COLUMNS)),
        "lattice_solve": np.zeros((2 * len(ropes), 84)),
    }


def _numbers(rope: Rope) -> list[int]:
    given = description(rope.cable)
    scheme = IMPLICIT if rope.scheme == "implicit" else CODE[rope.scheme]
    asked = 0 if given.substeps == "auto" else int(given.substeps)
    return [scheme, int(rope.carries), *rope.bodies, rope.pair, asked, given.sweeps, int(rope.pushes)]


def _rule(rope: Rope) -> list[float]:
    given, side = description(rope.cable), rope.lattice.side
    return [side, 1e-6 * side if given.threshold is None else given.threshold, given.strain_limit or 0.0]


def _start(rope: Rope, scene: Scene) -> Array:
    """Numbers of a rope before the first step."""
    a, number = rope.arrays, np.zeros(X_COLUMNS)
    number[X_STABLE] = rope.stable
    number[X_SUBSTEPS] = (
        1 if rope.scheme == "implicit" else substeps_of(description(rope.cable).substeps, rope.stable, float(scene.dt))
    )
    force, strain = np.empty(len(a.spring)), np.empty(len(a.spring))
    number[X_ELASTIC] = spring_state(a.pos, a.spring, a.law, a.table, force, strain)
    free = a.node[:, at.HELD_BY] < 0.0
    for side, b in enumerate(rope.bodies):
        if rope.carries and b >= 0:
            free |= (a.node[:, at.HELD_BY] == side) & bool(_is_dynamic(scene, rope, side))
    number[X_KINETIC] = 0.5 * float(a.node[free, at.MASS] @ (rope.velocity[free] ** 2).sum(axis=1))
    number[X_POTENTIAL] = -float((a.node[free, at.MASS, None] * a.pos[free]).sum(axis=0) @ np.asarray(scene.gravity))
    return number


def _is_dynamic(scene: Scene, rope: Rope, side: int) -> bool:
    part = rope.cable.route[-side]
    return isinstance(part, End) and part.on in scene.bodies and scene.bodies[part.on].moved_by_forces
