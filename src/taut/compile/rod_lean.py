"""Rods that lean on bodies: the shapes they meet, their seats, and their contacts and stiffness at the start."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from taut.cables.rod import arrays as col
from taut.cables.rod.columns import RE_NOW, RI_A, RI_MATRIX, RI_ROW, RI_RUN, RI_SEAT, RI_SEATS
from taut.cables.rod.end_stiffness import end_wrenches
from taut.cables.rod.lean_solve import lean_stiffness
from taut.cables.rod.mesh_table import tree, triangles
from taut.cables.rod.network import Network
from taut.cables.rod.newton import REPORTED
from taut.cables.rod.obstacles import (
    AT,
    FRAME,
    MOST_FEATURES,
    PROBE_COLUMNS,
    SHAPE_COLUMNS,
    SIZES,
    TREE_COLUMNS,
    TRIANGLE_COLUMNS,
    Obstacles,
)
from taut.cables.rod.touch import mesh_of, solid_line
from taut.compile import frames
from taut.compile.bodies import BodyTable
from taut.scene.cables import Cable

Array = np.ndarray
#: numbers of a seat
SEAT = 6


@dataclass
class Meshes:
    """Triangles and boxes of the meshes that rods of a scene lean on, each body once."""

    triangle: list[Array] = field(default_factory=lambda: [np.zeros((0, TRIANGLE_COLUMNS))])
    tree: list[Array] = field(default_factory=lambda: [np.zeros((0, TREE_COLUMNS))])
    root: dict[int, int] = field(default_factory=dict)

    def add(self, body: int, name: str, shape: Any) -> int:
        """Root of the tree of a body's mesh."""
        if body not in self.root:
            vertices, faces = mesh_of(name, shape)
            first = sum(map(len, self.tree))
            boxes, table = tree(triangles(vertices, faces, name), first, sum(map(len, self.triangle)))
            self.root[body] = first
            self.tree.append(boxes)
            self.triangle.append(table)
        return self.root[body]


@dataclass
class Leaning:
    """What one cable leans on: shapes on their bodies, and which of these may move."""

    bodies: list[int]
    shapes: Array  # rows of taut.cables.rod.obstacles on their bodies, shape (k, SHAPE_COLUMNS)
    moving: list[int]  # bodies that are not static

    def obstacles(self, bodies: BodyTable, meshes: Meshes) -> Obstacles:
        """The shapes in the world at the start."""
        lines = self.shapes.copy()
        for line, i in zip(lines, self.bodies):
            turn = bodies.start_quat[i]
            line[AT : AT + 3] = bodies.start_pos[i] + frames.rotate(turn, line[AT : AT + 3])
            line[FRAME : FRAME + 4] = frames.multiply(turn, line[FRAME : FRAME + 4])
        return Obstacles.of(lines, np.vstack(meshes.triangle), np.vstack(meshes.tree))


def leaning_of(cable: Cable, bodies: BodyTable, meshes: Meshes) -> Leaning | None:
    """What a rod leans on, in the order it is written; None: nothing."""
    if not cable.obstacles:
        return None
    numbers, lines = [bodies.index[name] for name in cable.obstacles], []
    for name, i in zip(cable.obstacles, numbers):
        spec = bodies.specs[i]
        assert spec is not None and spec.shape is not None  # the scene's checks have seen to it
        line = solid_line(name, spec.shape)
        if hasattr(spec.shape, "content"):
            line[SIZES] = meshes.add(i, name, spec.shape)
        # the shape sits in the user's frame; inside, bodies are their principal axes
        back = frames.conjugate(bodies.frame[i])
        line[AT : AT + 3], line[FRAME : FRAME + 4] = frames.rotate(back, -bodies.centre[i]), back
        lines.append(line)
    moving = [i for i in numbers if bodies.specs[i].kind != "static"]  # type: ignore[union-attr]
    return Leaning(numbers, np.array(lines).reshape(-1, SHAPE_COLUMNS), moving)


@dataclass
class LeanTable:
    """Tables of all rods that lean on bodies."""

    meshes: Meshes = field(default_factory=Meshes)
    seats: list[int] = field(default_factory=list)
    pairs: list[int] = field(default_factory=list)  # pair block of any two seats of a rod, or -1
    shape_int: list[tuple[int, int]] = field(default_factory=list)
    shapes: list[Array] = field(default_factory=list)
    sizes: list[float] = field(default_factory=list)
    rows: list[Array] = field(default_factory=list)
    forces: list[Array] = field(default_factory=list)
    poses: list[Array] = field(default_factory=list)
    ends: list[Array] = field(default_factory=list)
    stiffness: list[Array] = field(default_factory=list)
    pulls: list[Array] = field(default_factory=list)  # of rods that slide, run by run
    settings: list[Array] = field(default_factory=list)  # of every rod, also of those that do not lean
    counts: list[int] = field(default_factory=list)  # the same
    widest: tuple[int, int, int] = (0, 0, 0)  # most rows, seats and frames of a rod

    def skip(self) -> list[int]:
        """A rod that does not lean: its columns RI_ROW ... of rod_int."""
        self.settings.append(np.zeros(2))
        self.counts.append(0)
        return [-1, 0, 0, 0, 0, 0, 0]

    def add(
        self, leaning: Leaning, network: Network, at: list[int], bodies: BodyTable, negative: float,
        pairs: list[tuple[int, int]], first_pair: int,
    ) -> list[int]:  # fmt: skip
        """Write one rod between the bodies `at` into the tables; returns its columns RI_ROW ... of rod_int."""
        arrays, seats = network.arrays, [*at, *leaning.moving]
        place = [
            sum(map(len, self.rows)), len(arrays.row), len(self.shape_int), len(leaning.bodies), len(self.seats), len(seats),
            sum(map(len, self.stiffness)),
        ]  # fmt: skip
        self.shape_int += [(i, seats.index(i, 2) if i in leaning.moving else -1) for i in leaning.bodies]
        self.shapes += list(leaning.shapes)
        self.sizes += [_size(bodies, i, network) for i in leaning.bodies]
        self.seats += seats
        self.settings.append(network.obstacles.setting.copy())
        self.counts.append(int(arrays.tally[col.ROWS]))
        self._couple(seats, bodies, pairs, first_pair)
        poses = _poses(seats, bodies)
        wrench, stiffness = _seats(network, np.array(self.shape_int[place[2] :]), poses, negative)
        self.rows.append(arrays.row.copy())
        self.forces.append(arrays.force.copy())
        self.poses.append(poses)
        self.ends.append(np.column_stack([wrench, wrench]))
        self.stiffness.append(stiffness)
        self.widest = tuple(map(max, self.widest, (len(arrays.row), len(seats), len(arrays.quat))))  # type: ignore[assignment]
        return place

    def _couple(self, seats: list[int], bodies: BodyTable, pairs: list[tuple[int, int]], first_pair: int) -> None:
        """Pair blocks for any two seats that move by themselves."""
        nodes = [int(bodies.node[i]) for i in seats]
        for a, one in enumerate(nodes):
            for b, other in enumerate(nodes):
                coupled = a < b and min(one, other) >= 0 and one != other
                self.pairs.append(first_pair + len(pairs) if coupled else -1)
                if coupled:
                    pairs.append((one, other))

    def add_run(
        self, run: list[int], integers: list[list[int]], ends: list[Array], stiffness: list[Array], bodies: BodyTable,
        pairs: list[tuple[int, int]], first_pair: int,
    ) -> None:  # fmt: skip
        """Rods that slide into each other as one (taut.cables.rod.sharing): writes its columns RI_RUN ... of rod_int."""
        seats = [integers[run[0]][RI_A], *(integers[k][RI_A + 1] for k in run)]
        leans = []
        for k in run:
            leans.append(len(seats))
            own = integers[k][RI_SEAT]
            seats += self.seats[own + 2 : own + integers[k][RI_SEATS]]
        if all(bodies.node[i] < 0 for i in seats):
            return
        n = SEAT * len(seats)
        wrench, K = np.zeros(n), np.zeros((n, n))
        for j, k in enumerate(run):
            place = integers[k]
            force, own_K = ends[k][RE_NOW : RE_NOW + 12], stiffness[k].reshape(12, 12)
            where = np.arange(12) + SEAT * j
            if place[RI_ROW] >= 0:
                m = SEAT * place[RI_SEATS]
                force = np.concatenate(self.ends)[SEAT * place[RI_SEAT] :][:m, 0]
                own_K = np.concatenate(self.stiffness)[place[RI_MATRIX] :][: m * m].reshape(m, m)
                where = np.concatenate([where, np.arange(m - 12) + SEAT * leans[j]])
            wrench[where] += force
            K[np.ix_(where, where)] += own_K
        first = [len(self.seats), len(seats), sum(map(len, self.stiffness)), sum(map(len, self.pulls))]
        for j, k in enumerate(run):
            # with the first of them: how many seats are ends
            integers[k][RI_RUN:] = [run[0], *first, leans[j]]
        self.seats += seats
        self._couple(seats, bodies, pairs, first_pair)
        self.poses.append(_poses(seats, bodies))
        self.ends.append(np.column_stack([wrench, wrench]))
        self.stiffness.append(K.ravel())
        self.pulls.append(np.zeros((n + 1) * len(run)))
        self.widest = (self.widest[0], max(self.widest[1], len(seats)), self.widest[2])

    def model(self) -> dict[str, Any]:
        """Fields of the model."""
        return {
            "lean_seat": self.seats, "lean_pair": self.pairs, "lean_shape_int": self.shape_int, "lean_shape": self.shapes,
            "lean_size": self.sizes, "lean_setting": self.settings, "lean_triangle": np.vstack(self.meshes.triangle),
            "lean_tree": np.vstack(self.meshes.tree),
        }  # fmt: skip

    def state(self) -> dict[str, Any]:
        """Fields of the state."""
        return {
            "lean_count": self.counts, "lean_row": np.concatenate([np.zeros((0, col.ROW_COLUMNS)), *self.rows]),
            "lean_force": np.concatenate([np.zeros(0), *self.forces]), "lean_pose": np.concatenate(self.poses),
            "lean_end": np.concatenate(self.ends), "lean_stiffness": np.concatenate(self.stiffness),
            "slide_pull": np.concatenate([np.zeros(0), *self.pulls]),
        }  # fmt: skip

    def work(self) -> dict[str, int]:
        """Rows of the scratch."""
        held = {name: len(value) for name, value in self.state().items()}
        rows, seats, frames_ = self.widest
        n = SEAT * seats
        wide = rows + 2 * n
        return {f"{name}_new": count for name, count in held.items()} | {
            "lean_line": held["lean_end"], "lean_line_stiffness": held["lean_stiffness"], "lean_shape_new": len(self.shapes),
            "lean_way": 2 * seats, "lean_kept": rows, "lean_old": rows, "lean_block": frames_, "lean_border": 3 * frames_ * wide,
            "lean_dense": wide * (2 * wide + col.EXTRA), "lean_carry": wide + 5, "lean_square": (n + 3) ** 2 + 2 * n * n,
            "lean_probe": MOST_FEATURES + 2, "lean_stud": 0, "lean_report": REPORTED, "lean_sudden": held["lean_count"], "lean_stack": 128, "lean_touch": 2 * wide,
        }  # fmt: skip


assert PROBE_COLUMNS == SHAPE_COLUMNS  # lean_probe and lean_shape have as many columns


def _poses(seats: list[int], bodies: BodyTable) -> Array:
    """Poses of bodies at the start, shape (seats, 7)."""
    return np.array([np.concatenate([bodies.start_pos[i], bodies.start_quat[i]]) for i in seats])


def _size(bodies: BodyTable, i: int, network: Network) -> float:
    """How far the shape of a body reaches from its centre [m]; of a plane the length of the rod."""
    from taut.cables.rod.touch import solid_mesh  # only here: meshes of shapes take a package to load
    from taut.scene.shapes import Plane

    spec = bodies.specs[i]
    assert spec is not None
    if isinstance(spec.shape, Plane):
        return network.lengths[0]
    vertices, _ = solid_mesh(spec.shape)
    return float(np.linalg.norm(vertices - bodies.centre[i], axis=1).max())


def _seats(network: Network, shape_int: Array, poses: Array, negative: float) -> tuple[Array, Array]:
    """Wrenches and stiffness of all seats as the step will have them (taut.cables.rod.lean_follow)."""
    arrays, n = network.arrays, SEAT * len(poses)
    body, row, tally = arrays.body.copy(), arrays.row.copy(), arrays.tally.copy()
    wrench, pose = np.zeros(n), poses[:2].ravel()
    end_wrenches(body, pose, wrench[:12])
    for r in range(tally[col.EQUATIONS], tally[col.ROWS]):
        seat = int(shape_int[int(row[r, col.KEY]), 1])
        if seat >= 0 and arrays.force[r] < 0.0:
            a = arrays.block[int(row[r, col.ROW_A])]
            point = a[col.NODE : col.NODE + 3] + row[r, col.PART_A] * a[col.DIRECTOR + 6 : col.DIRECTOR + 9]
            force = arrays.force[r] * row[r, col.NORMAL : col.NORMAL + 3]
            wrench[SEAT * seat :][:3] += force
            wrench[SEAT * seat + 3 :][:3] += np.cross(point - poses[seat, :3], force)
    body[:, col.BORDER], body[:, col.FREE : col.FREE + 6], body[:, col.MOVE : col.MOVE + 6] = [0.0, 6.0], 1.0, 0.0
    rows, wide = int(tally[col.EQUATIONS]), len(row) + n
    size, stiffness = len(row) + 12, np.zeros(n * n)
    lean_stiffness(
        arrays.rod, arrays.chain, body, row, arrays.force.copy(), arrays.block, np.zeros((len(arrays.quat), 3 * wide)),
        np.zeros((size, 2 * size + col.EXTRA)), tally, np.zeros((2, size), np.int64), np.zeros((wide + 5, 6)), network.scales,
        shape_int, poses, pose, negative, np.zeros((n + rows, n + rows)), np.zeros((2 * n, n)), stiffness,
    )  # fmt: skip
    return wrench, stiffness
