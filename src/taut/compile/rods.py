"""Rods of a scene: their start in equilibrium, and the tables that the step goes on with."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from taut.cables.rod import arrays as col
from taut.cables.rod.chain import CLAMPED, FREED, PINNED, Chain
from taut.cables.rod.columns import LONGEST, RE_BEFORE, RE_ENERGY, RE_MIDDLE, RE_NOW
from taut.cables.rod.end_stiffness import end_stiffness, end_wrenches
from taut.cables.rod.ends import Clamp, conjugate, from_vector, multiply, to_vector
from taut.cables.rod.factor import factor
from taut.cables.rod.network import TOLERANCE, Asked, Network
from taut.cables.rod.newton import NEUTRAL
from taut.cables.rod.properties import Properties, check_rest
from taut.cables.rod.targets import Body
from taut.cables.rod.values import RodError
from taut.compile import frames
from taut.compile.bodies import BodyTable
from taut.core.codes import POINT
from taut.scene import WORLD, Scene
from taut.scene.cables import Cable
from taut.scene.parts import End, Free
from taut.scene.problems import Problem, SceneError
from taut.scene.rod_checks import segments_of
from taut.scene.segments import bending_of, twisting_of

Array = np.ndarray
AXIS = np.array([0.0, 0.0, 1.0])
#: solves in which the end is turned until the rod is without twist, and the twist that is left [rad]
UNTWISTING, UNTWISTED = 20, 1e-9


@dataclass
class RodTable:
    """Rods by number, and their tables at the start."""

    names: tuple[str, ...]
    specs: tuple[Cable, ...]
    networks: list[Network] = field(default_factory=list)
    integers: list[list[int]] = field(default_factory=list)  # columns RI_FRAME ...
    laws: list[list[float]] = field(default_factory=list)
    table: list[Array] = field(default_factory=list)
    chains: list[Array] = field(default_factory=list)
    rows: list[Array] = field(default_factory=list)
    quats: list[Array] = field(default_factory=list)
    forces: list[Array] = field(default_factory=list)
    poses: list[Array] = field(default_factory=list)
    ends: list[Array] = field(default_factory=list)
    stiffness: list[Array] = field(default_factory=list)
    pairs: list[tuple[int, int]] = field(default_factory=list)

    @property
    def frames(self) -> int:
        """Rows in the tables of frames."""
        return sum(len(quat) for quat in self.quats)

    @property
    def longest(self) -> int:
        """Frames of the longest rod."""
        return max(len(quat) for quat in self.quats)

    def model(self) -> dict[str, Any]:
        """Fields of the model."""
        return {
            "rod_int": self.integers,
            "rod_law": self.laws,
            "rod_table": np.concatenate(self.table),
            "rod_chain": np.array(self.chains),
        }

    def state(self) -> dict[str, Any]:
        """Fields of the state."""
        return {
            "rod_frame": np.concatenate(self.quats),
            "rod_force": np.concatenate(self.forces),
            "rod_pose": np.array(self.poses),
            "rod_end": np.array(self.ends),
            "rod_stiffness": np.array(self.stiffness),
        }

    def work(self) -> dict[str, int]:
        """Rows of the scratch."""
        rods, frames_, longest = len(self.names), self.frames, self.longest
        return {
            "rod_frame_new": frames_, "rod_force_new": 3 * rods, "rod_pose_new": rods, "rod_end_new": rods,
            "rod_stiffness_new": rods, "rod_line": rods, "rod_line_stiffness": rods, "rod_row": 3 * rods, "rod_body": 2,
            "rod_trial": longest, "rod_saved": longest + 1, "rod_block": longest, "rod_border": longest, "rod_dense": 3,
            "rod_dense_free": 15, "rod_carry": 20, "rod_square": 24, "rod_talk": 16, "rod_pass": 2, "rod_tally": col.COUNTS,
            "rod_touch": 2,
        }  # fmt: skip


def compile_rods(scene: Scene, bodies: BodyTable, first_pair: int) -> RodTable:
    """Every rod at rest between its bodies; raises SceneError for those that have no such shape."""
    rods = scene.rods()
    found, problems = RodTable(tuple(rods), tuple(rods.values())), []
    if scene.solver.kind != "direct":
        problems.append(Problem("a rod needs the direct solver", ("solver", "kind"), scene.solver.kind))
    for name, cable in rods.items():
        try:
            _add(found, name, cable, scene, bodies, first_pair)
        except RodError as error:
            problems.append(Problem(str(error), ("cables", name)))
    if problems:
        raise SceneError(problems)
    return found


def _add(found: RodTable, name: str, cable: Cable, scene: Scene, bodies: BodyTable, first_pair: int) -> None:
    """Solve one rod and write it into the tables."""
    network, at = _start(name, cable, scene, bodies)
    arrays, rows = network.arrays, int(network.arrays.tally[col.ROWS])
    node = [int(bodies.node[i]) for i in at]
    pair = -1
    if min(node) >= 0 and node[0] != node[1]:
        pair = first_pair + len(found.pairs)
        found.pairs.append((node[0], node[1]))
    pose = np.concatenate([np.concatenate([bodies.start_pos[i], bodies.start_quat[i]]) for i in at])
    negative = _negative(bodies, at, network.scales[1], float(scene.dt))
    wrench, stiffness = _ends(network, rows, pose, negative)
    end = np.zeros(27)
    end[RE_NOW : RE_NOW + 12] = end[RE_BEFORE : RE_BEFORE + 12] = wrench
    solution = network.solution
    end[RE_ENERGY] = end[RE_MIDDLE] = 0.0 if solution is None else solution.energy
    hold, force = np.zeros((3, col.ROW_COLUMNS)), np.zeros(3)
    hold[:rows], force[:rows] = arrays.row[:rows], arrays.force[:rows]
    reach = LONGEST * network.lengths[0]
    found.networks.append(network)
    found.integers.append([found.frames, len(arrays.quat), rows, at[0], at[1], pair])
    found.laws.append([*network.scales.tolist(), cable.damping_time, reach, negative])
    found.table.append(arrays.rod.copy())
    found.chains.append(arrays.chain[0].copy())
    found.rows.append(hold)
    found.quats.append(arrays.quat.copy())
    found.forces.append(force)
    found.poses.append(pose)
    found.ends.append(end)
    found.stiffness.append(stiffness)


def _start(name: str, cable: Cable, scene: Scene, bodies: BodyTable) -> tuple[Network, list[int]]:
    """A rod in equilibrium at the start, without twist but for the roll that is asked for; the bodies it sits on."""
    segments, length = segments_of(cable), float(cable.length or 0.0)
    first, second = bending_of(cable)
    given: dict[str, Any] = dict.fromkeys(("section", "E", "nu", "G", "density"))
    given |= {
        "EI": np.tile([first, second], (segments, 1)),
        "GJ": twisting_of(cable),
        "radius": 0.5 * cable.thickness(),
    }
    given |= {"mass_per_length": cable.line_mass(), "rest_curvature": np.tile(cable.rest_curvature, (segments, 1))}
    properties = Properties.read(segments, given | {"rest_twist": cable.rest_twist})
    check_rest(properties.rest, np.full(segments, length / segments))
    chain = Chain(segments, length, properties, np.asarray(scene.gravity, float), name=name)
    at, held, targets = [], [], []
    for side, part in enumerate(cable.route):
        i = bodies.index[part.on if isinstance(part, End) else WORLD]
        hold = FREED if isinstance(part, Free) else CLAMPED if part.hold == "pose" else PINNED  # type: ignore[union-attr]
        back = frames.conjugate(bodies.start_quat[i])
        point = _place(part, scene)
        if bodies.rotor[i] != POINT or not bodies.dynamic[i]:
            chain.points[side] = frames.rotate(back, point - bodies.start_pos[i])
        frame = Clamp((0, 0, 0), part.direction).frame("direction") if hold == CLAMPED else bodies.start_quat[i]  # type: ignore[union-attr]
        chain.frames[side] = frames.multiply(back, frame)
        at.append(i)
        held.append(hold)
        targets.append(Body(bodies.start_pos[i].copy(), [bodies.start_quat[i].copy()], name=str(side)))
    chain.held = held
    network = Network(Asked([chain], targets))
    network.solve(TOLERANCE, 60, True)
    if held == [CLAMPED, CLAMPED]:
        last = cable.route[1]
        _turn_end(network, float(last.roll) if isinstance(last, End) else 0.0)
    return network, at


def _place(part: Any, scene: Scene) -> Array:
    """Where a part is at the start [m]; of a free end it does not matter."""
    if part.at is not None:
        return np.asarray(part.at, float)
    on = scene.all_bodies().get(part.on)
    return np.zeros(3) if on is None else np.asarray(on.start_position, float)


def _turn_end(network: Network, roll: float) -> None:
    """Turn the frame at the end about its tangent until the rod has no twist but its own, then by the roll."""
    left = math.inf
    for _ in range(UNTWISTING):
        left = _twist(network)
        if abs(left) < UNTWISTED:
            break
        _roll(network, -left)
    pieces = max(1, math.ceil(abs(roll) / math.radians(45.0)))
    for _ in range(pieces if roll else 0):
        _roll(network, roll / pieces)


def _roll(network: Network, angle: float) -> None:
    """Turn the end about its own tangent and solve."""
    chain = network.asked.chains[0]
    chain.frames[1] = multiply(chain.frames[1], from_vector(angle * AXIS))
    network.arrays.chain[0, col.FRAME_B : col.FRAME_B + 4] = chain.frames[1]
    network.spread(angle)
    network.solve(TOLERANCE, 60, True)


def _twist(network: Network) -> float:
    """Twist of the rod from end to end beyond its rest twist [rad]."""
    arrays = network.arrays
    quat, rod = arrays.quat, arrays.rod[:-1]
    turned = np.array([to_vector(multiply(conjugate(a), b)) for a, b in pairwise(quat)])
    return float((turned[:, 2] - rod[:, col.JOINT] * rod[:, col.REST + 2]).sum())


def _negative(bodies: BodyTable, at: list[int], length: float, dt: float) -> float:
    """Negative stiffness that half the inertia of the lightest body bears in a step [N/m]: m/h^2 of that, turns weighed by
    the length."""
    held = [i for i in at if bodies.node[i] >= 0]
    lightest = min((min(bodies.mass[i], bodies.inertia[i].min() / length**2) for i in held), default=0.0)
    return 0.5 * float(lightest) / dt**2


def _ends(network: Network, rows: int, pose: Array, negative: float) -> tuple[Array, Array]:
    """Wrenches and stiffness of both ends as the step will have them (taut.cables.rod.moving)."""
    arrays = network.arrays
    body = arrays.body.copy()
    hold = np.zeros((3, col.ROW_COLUMNS))
    hold[:rows] = arrays.row[:rows]
    force = np.zeros(3)
    force[:rows] = arrays.force[:rows]
    wrench, stiffness = np.zeros(12), np.zeros(144)
    end_wrenches(body, pose, wrench)
    body[:, col.BORDER], body[:, col.FREE : col.FREE + 6] = [0.0, 6.0], 1.0
    dense = np.zeros((15, 30 + col.EXTRA))
    factor(
        arrays.rod, arrays.chain, body, hold, force, arrays.block, np.zeros((len(arrays.quat), 45)), dense, arrays.tally,
        np.zeros((2, 15), np.int64), np.zeros((20, 6)), NEUTRAL * network.scales[3], network.scales[2], network.scales,
    )  # fmt: skip
    end_stiffness(dense, rows, pose, network.scales[1], negative, np.zeros((24, 12)), stiffness)
    return wrench, stiffness
