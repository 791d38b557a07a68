"""Rods of a scene: their start in equilibrium, and the tables that the step goes on with."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from taut.cables.rod import arrays as col
from taut.cables.rod.columns import RE_BEFORE, RE_ENERGY, RE_MIDDLE, RE_NOW, RI_SLIDES
from taut.cables.rod.end_stiffness import end_stiffness, end_wrenches
from taut.cables.rod.factor import factor
from taut.cables.rod.network import Network
from taut.cables.rod.newton import NEUTRAL
from taut.cables.rod.values import RodError
from taut.compile.bodies import BodyTable
from taut.compile.rod_lean import Leaning, LeanTable, leaning_of
from taut.compile.rod_start import start
from taut.scene import Scene
from taut.scene.cables import Cable
from taut.scene.problems import Problem, SceneError
from taut.scene.rod_checks import LONGEST, segments_of

Array = np.ndarray


@dataclass
class RodTable:
    """Rods by number, each from one body to the next, and their tables at the start. A cable with clips is several."""

    spans: dict[str, list[int]] = field(default_factory=dict)  # numbers of the rods of each cable, from its start
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
    lean: LeanTable = field(default_factory=LeanTable)

    @property
    def frames(self) -> int:
        """Rows in the tables of frames."""
        return sum(len(quat) for quat in self.quats)

    @property
    def names(self) -> tuple[str, ...]:
        """Cables by name."""
        return tuple(self.spans)

    @property
    def longest(self) -> int:
        """Frames of the longest rod."""
        return max(len(quat) for quat in self.quats)

    @property
    def kinds(self) -> int:
        """Sum of: 1 some lean on nothing, 2 some lean on bodies, 4 some have more seats than their ends, 8 some slide."""
        lean, slides = len(self.lean.rows), any(place[RI_SLIDES] for place in self.integers)
        return int(lean < len(self.networks)) + 2 * int(lean > 0) + 4 * int(bool(self.lean.seats)) + 8 * int(slides)

    def model(self) -> dict[str, Any]:
        """Fields of the model."""
        made = {
            "rod_int": self.integers,
            "rod_law": self.laws,
            "rod_table": np.concatenate(self.table),
            "rod_chain": np.array(self.chains),
        }
        return made if not self.kinds & 4 else made | self.lean.model()

    def state(self) -> dict[str, Any]:
        """Fields of the state."""
        made = {
            "rod_frame": np.concatenate(self.quats),
            "rod_force": np.concatenate(self.forces),
            "rod_pose": np.array(self.poses),
            "rod_end": np.array(self.ends),
            "rod_stiffness": np.array(self.stiffness),
            "rod_slide": np.array([[network.lengths[0], 0.0] for network in self.networks]),
        }
        return made if not self.kinds & 4 else made | self.lean.state()

    def work(self) -> dict[str, int]:
        """Rows of the scratch."""
        rods, frames_, longest = len(self.networks), self.frames, self.longest
        made = {
            "rod_frame_new": frames_, "rod_force_new": 3 * rods, "rod_pose_new": rods, "rod_end_new": rods,
            "rod_stiffness_new": rods, "rod_slide_new": rods, "rod_table_new": frames_, "rod_chain_new": rods, "rod_way": rods, "rod_lost": rods,
            "rod_line": rods, "rod_line_stiffness": rods, "rod_row": 3 * rods, "rod_body": 2,
            "rod_trial": longest, "rod_saved": longest + 1, "rod_block": longest, "rod_border": longest, "rod_dense": 3,
            "rod_dense_free": 15, "rod_carry": 20, "rod_square": 24, "rod_talk": 16, "rod_pass": 2, "rod_tally": col.COUNTS,
            "rod_touch": 2,
        }  # fmt: skip
        return made if not self.kinds & 4 else made | self.lean.work()


def compile_rods(scene: Scene, bodies: BodyTable, first_pair: int) -> RodTable:
    """Every rod at rest between its bodies; raises SceneError for those that have no such shape."""
    rods = scene.rods()
    found, problems = RodTable(), []
    if scene.solver.kind != "direct":
        problems.append(Problem("a rod needs the direct solver", ("solver", "kind"), scene.solver.kind))
    for name, cable in rods.items():
        try:
            leaning = leaning_of(cable, bodies, found.lean.meshes)
            obstacles = None if leaning is None else leaning.obstacles(bodies, found.lean.meshes)
            for network, at, slides in start(name, cable, scene, bodies, obstacles):
                found.spans.setdefault(name, []).append(len(found.networks))
                _add(found, cable, network, at, slides, scene, bodies, first_pair, leaning)
            _share(found, found.spans[name], bodies, first_pair)
        except RodError as error:
            problems.append(Problem(str(error), ("cables", name)))
    if problems:
        raise SceneError(problems)
    return found


def _add(
    found: RodTable, cable: Cable, network: Network, at: list[int], slides: bool, scene: Scene, bodies: BodyTable,
    first_pair: int, leaning: Leaning | None,
) -> None:  # fmt: skip
    """Write one rod into the tables; `slides`: through a clip into the next."""
    arrays, rows = network.arrays, int(network.arrays.tally[col.EQUATIONS])
    node = [int(bodies.node[i]) for i in at]
    pair = -1
    if leaning is None and min(node) >= 0 and node[0] != node[1]:
        pair = first_pair + len(found.pairs)
        found.pairs.append((node[0], node[1]))
    pose = np.concatenate([np.concatenate([bodies.start_pos[i], bodies.start_quat[i]]) for i in at])
    moved = at if leaning is None else [*at, *leaning.moving]
    negative = _negative(bodies, moved, network.scales[1], float(scene.dt), float(cable.damping_time))
    if leaning is None:
        lean = found.lean.skip()
        wrench, stiffness = _ends(network, rows, pose, negative)
    else:
        lean = found.lean.add(leaning, network, at, bodies, negative, found.pairs, first_pair)
        n = len(found.lean.ends[-1])
        wrench, stiffness = found.lean.ends[-1][:12, 0], found.lean.stiffness[-1].reshape(n, n)[:12, :12].ravel()
    end = np.zeros(28)
    end[RE_NOW : RE_NOW + 12] = end[RE_BEFORE : RE_BEFORE + 12] = wrench
    solution = network.solution
    end[RE_ENERGY] = end[RE_MIDDLE] = 0.0 if solution is None else solution.energy
    hold, force = np.zeros((3, col.ROW_COLUMNS)), np.zeros(3)
    hold[:rows], force[:rows] = arrays.row[:rows], arrays.force[:rows]
    length, least = network.lengths[0], float(cable.length or 0.0) / segments_of(cable)
    found.networks.append(network)
    found.integers.append(
        [found.frames, len(arrays.quat), rows, at[0], at[1], pair, int(slides), *lean, -1, 0, 0, 0, 0, 0]
    )
    found.laws.append([*network.scales.tolist(), cable.damping_time, LONGEST * length, negative, length, least])
    found.table.append(arrays.rod.copy())
    found.chains.append(arrays.chain[0].copy())
    found.rows.append(hold)
    found.quats.append(arrays.quat.copy())
    found.forces.append(force)
    found.poses.append(pose)
    found.ends.append(end)
    found.stiffness.append(stiffness)


def _share(found: RodTable, rods: list[int], bodies: BodyTable, first_pair: int) -> None:
    """Runs of rods that slide into each other are one thing with all their seats, where one of these moves by itself."""
    run: list[int] = []
    for k in rods:
        run.append(k)
        if found.integers[k][RI_SLIDES]:
            continue
        if len(run) > 1:
            found.lean.add_run(run, found.integers, found.ends, found.stiffness, bodies, found.pairs, first_pair)
        run = []


def _negative(bodies: BodyTable, at: list[int], length: float, dt: float, tau: float) -> float:
    """Negative stiffness that half the inertia of the lightest body bears in a step [N/m]: m/h^2 of that, turns weighed by
    the length."""
    held = [i for i in at if bodies.node[i] >= 0]
    lightest = min((min(bodies.mass[i], bodies.inertia[i].min() / length**2) for i in held), default=0.0)
    # damping acts with the same stiffness: it must not drive
    return 0.5 * float(lightest) / (dt**2 + dt * tau)


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
