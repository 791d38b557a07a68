"""The linear algebra alone: plan, factors and substitution on a few graphs, beside SuperLU on the same pattern."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from scipy.sparse import csc_matrix
from scipy.sparse.linalg import splu

from taut.bench import scenes
from taut.bench.display import Display
from taut.bench.stages import Stages
from taut.bench.timing import Timing, interleaved, repeats_for, time_of
from taut.core.codes import GROUP_DIM
from taut.core.model import C_A, C_B, J_A, J_B
from taut.core.order import Stage
from taut.core.plan import FRONT, SLOT_FLOATS, UNKNOWNS
from taut.scene import Scene
from taut.simulation import Simulation

GRAPHS: dict[str, Callable[[], Scene]] = {
    "chain of 100": lambda: scenes.hanging_chain(100),
    "chain of 1000": lambda: scenes.hanging_chain(1000),
    "loop of 200": lambda: scenes.loop(200),
    "loop of 1000": lambda: scenes.loop(1000),
    "tree of 1023": lambda: scenes.tree(1023),
    "stack of 20 boxes": lambda: scenes.stack(20),
    "400 loose boxes": lambda: scenes.boxes(400),
}
WARM_UP = 20
SAMPLE, ROUNDS = 0.01, 5
PLAN, FACTOR, SOLVE, PEER = "plan", "factor", "solve", "superlu"


class Graph:
    """A scene in the middle of a step: rows assembled, plan built, system solved once."""

    def __init__(self, scene: Scene) -> None:
        self.sim = Simulation(scene)
        self.sim.run(WARM_UP)
        self.stages = Stages(self.sim)
        self.stages.up_to_solve()
        self.pattern = pattern(self.sim)

    @property
    def nodes(self) -> int:
        """Bodies and row groups."""
        return len(self.sim.compiled.bodies.node_body) + len(edges(self.sim))

    def jobs(self) -> dict[str, Callable[[], float]]:
        """What is timed; each returns seconds."""
        inside = {PLAN: Stage.PLAN, FACTOR: Stage.FACTORISE, SOLVE: Stage.SUBSTITUTE}
        jobs = {name: _repeat(lambda stage=stage: self.stages.call(stage)) for name, stage in inside.items()}  # type: ignore[misc]
        right = np.ones(self.pattern.shape[0])
        options = {"permc_spec": "MMD_AT_PLUS_A", "diag_pivot_thresh": 0.0, "options": {"SymmetricMode": True}}
        return {**jobs, PEER: _repeat(lambda: splu(self.pattern, **options).solve(right))}


def _repeat(work: Callable[[], object]) -> Callable[[], float]:
    repeats = repeats_for(time_of(work), SAMPLE, 1000)
    return lambda: time_of(lambda: [work() for _ in range(repeats)]) / repeats


def edges(sim: Any) -> list[tuple[int, int, int]]:
    """Rows and both bodies of every row group now, joints and contacts."""
    table = sim.compiled.joints
    joints = [
        (GROUP_DIM[group.kind], int(ends[J_A]), int(ends[J_B])) for group, ends in zip(table.groups, table.integers)
    ]
    contacts = sim.state.contact_int[: int(sim.state.contact_count[0])] if len(sim.state.contact_int) else ()
    return joints + [(3, int(contact[C_A]), int(contact[C_B])) for contact in contacts]


def pattern(sim: Any) -> csc_matrix:
    """A matrix of the same pattern with other numbers: what a general sparse solver is given."""
    random = np.random.default_rng(0)
    node_of = sim.compiled.bodies.node
    blocks: list[tuple[int, int, np.ndarray]] = []
    count = len(sim.compiled.bodies.node_body)
    for node in range(count):
        blocks.append((6 * node, 6 * node, np.eye(6) + 0.01 * np.ones((6, 6))))
    at = 6 * count
    for dim, a, b in edges(sim):
        blocks.append((at, at, -1e-3 * np.eye(dim)))
        for node in (node_of[a], node_of[b]):
            if node >= 0:
                jacobian = random.uniform(-1.0, 1.0, (dim, 6))
                blocks += [(at, 6 * node, jacobian), (6 * node, at, jacobian.T)]
        at += dim
    parts = [(i + row, j + column, value) for i, j, value in blocks for row, column in [np.indices(value.shape)]]
    rows, columns, values = (np.concatenate([part[k].ravel() for part in parts]) for k in range(3))
    return csc_matrix((values, (rows, columns)), shape=(at, at))


def run(
    display: Display, graphs: Mapping[str, Callable[[], Scene]] | None = None, rounds: int = ROUNDS
) -> dict[str, Any]:
    """Measure, show, and hand back the numbers."""
    with display.progress("building the graphs") as progress:
        built = {name: Graph(make()) for name, make in (graphs or GRAPHS).items()}
        jobs = {(name, what): job for name, graph in built.items() for what, job in graph.jobs().items()}
        timings = interleaved(jobs, rounds, progress)
    rows = [_row(name, graph, {what: timings[name, what] for what in graph.jobs()}) for name, graph in built.items()]
    display.table(
        "microseconds per node (body or row group)",
        ("graph", "nodes", "unknowns", "widest front", "floats", "plan", "factor", "solve", "SuperLU", "ratio"),
        [
            (
                row["graph"], str(row["nodes"]), str(row["unknowns"]), str(row["front"]), str(row["floats"]),
                *(f"{1e6 * row[what]['best'] / row['nodes']:.3f}" for what in (PLAN, FACTOR, SOLVE, PEER)),
                f"{row['ratio']:.1f}",
            )
            for row in rows
        ],
    )  # fmt: skip
    display.note(
        "floats: of the factors; ratio: SuperLU's factors and solution over ours; the plan is kept between steps"
    )
    return {"graphs": rows}


def _row(name: str, graph: Graph, timings: dict[str, Timing]) -> dict[str, Any]:
    size = graph.stages.work.plan_size
    return {
        "graph": name,
        "nodes": graph.nodes,
        "unknowns": int(size[UNKNOWNS]),
        "front": int(size[FRONT]),
        "floats": int(size[SLOT_FLOATS]),
        **{what: timing.plain("graph") for what, timing in timings.items()},
        "ratio": timings[PEER].best / (timings[FACTOR].best + timings[SOLVE].best),
    }
