"""The honeycomb rope: steps a second, implicit beside explicit, growth with the number of masses."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numba
import numpy as np

from taut.bench.display import Display
from taut.bench.timing import interleaved, time_of
from taut.cables.honeycomb import PRINTED, Elastic, Honeycomb, HoneycombWarning, Obstacle, Springs, Surroundings
from taut.scene import Plane
from taut.scenes.honeycomb_ropes import coil
from taut.validate.honeycomb_lattice import MATERIALS

Array = np.ndarray

#: frames a second that paper 4 prints for its method, and the multiple of it that is asked for
PAPER, WANTED = 232.56, 40.0
ARRANGED = {"hexagon": 46, "three_hexagons": 20, "four_hexagons": 16, "two_hexagons": 32}
#: masses of the ropes whose cost is compared
SIZES = (1000, 2000, 5000, 10_000)
ROUNDS = 5


@numba.njit(nogil=True, error_model="numpy")
def plain_forces(pos: Array, spring: Array, law: Array, force: Array) -> None:
    """The least that any explicit step must do: one loop over Hooke's springs."""
    for i in range(pos.shape[0]):
        for k in range(3):
            force[i, k] = 0.0
    for s in range(spring.shape[0]):
        a, b = spring[s, 0], spring[s, 1]
        x, y, z = pos[b, 0] - pos[a, 0], pos[b, 1] - pos[a, 1], pos[b, 2] - pos[a, 2]
        l = math.sqrt(x * x + y * y + z * z)
        f = law[s, 0] * (l - law[s, 2]) / l
        force[a, 0] += f * x
        force[a, 1] += f * y
        force[a, 2] += f * z
        force[b, 0] -= f * x
        force[b, 1] -= f * y
        force[b, 2] -= f * z


def run(display: Display) -> dict[str, Any]:
    """Measure, show, and hand back the numbers."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HoneycombWarning)
        with display.progress("steps a second") as progress:
            steps = steps_a_second(progress)
        display.table(
            "printed constants with diagonals, steps of 0.5 ms",
            ("arrangement", "masses", "springs", "us a step", "steps/s", "over paper's 232", "over a plain force loop"),
            [
                (
                    row["arrangement"], str(row["masses"]), str(row["springs"]), f"{1e6 * row['step']['best']:.1f}",
                    f"{row['per_second']:.0f}", f"{row['over_paper']:.0f}", f"{row['over_plain']:.2f}",
                )
                for row in steps
            ],
        )  # fmt: skip
        with display.progress("implicit beside explicit"):
            schemes = [implicit_and_explicit(name, material) for name, material in _materials().items()]
        display.table(
            "processor time for a second of a swinging rope of 0.48 m",
            ("lattice", "explicit step us", "explicit s", "implicit s", "iterations", "explicit over implicit"),
            [
                (
                    row["lattice"], f"{1e6 * row['stable_step']:.3g}", f"{row['explicit']:.3g}", f"{row['implicit']:.3g}",
                    f"{row['newton']:.1f}", f"{row['ratio']:.2f}",
                )
                for row in schemes
            ],
        )  # fmt: skip
        with display.progress("growth") as progress:
            growth, exponent = grow(progress)
        display.table(
            "a coil on the ground that touches itself",
            ("masses", "contacts", "cell pairs", "us a step", "ns a mass"),
            [
                (
                    str(row["masses"]), str(row["contacts"]), str(row["pairs"]), f"{1e6 * row['step']['best']:.0f}",
                    f"{1e9 * row['step']['best'] / row['masses']:.0f}",
                )
                for row in growth
            ],
        )  # fmt: skip
        display.note(f"exponent of the growth {exponent:.3f}")
    return {"steps": steps, "schemes": schemes, "growth": growth, "exponent": exponent}


def steps_a_second(progress: Callable[[str], None]) -> list[dict[str, Any]]:
    """Every arrangement of the paper's 320 masses, and the hexagon's 322."""
    count = 200
    ropes = {
        name: Honeycomb(
            [(0, 0, 0), (0.016 * (layers - 1), 0, 0)], replace(PRINTED, damping=0.5, diagonal=500.0), arrangement=name,
            dt=5e-4 * count, substeps=count, surroundings=Surroundings(air_drag=0.02),
        )
        for name, layers in ARRANGED.items()
    }  # fmt: skip
    jobs: dict[tuple[str, str], Callable[[], float]] = {}
    for name, rope in ropes.items():
        a = rope._a
        plain_forces(a.pos, a.spring, a.law, a.force)
        rope.step()
        jobs[name, "step"] = lambda rope=rope: time_of(rope.step) / count  # type: ignore[misc]
        jobs[name, "plain"] = lambda a=a: (  # type: ignore[misc]
            time_of(lambda: [plain_forces(a.pos, a.spring, a.law, a.force) for _ in range(count)]) / count
        )
    timings = interleaved(jobs, ROUNDS, progress)
    rows = []
    for name, rope in ropes.items():
        step, plain = timings[name, "step"], timings[name, "plain"]
        rows.append(
            {
                "arrangement": name, "masses": len(rope.masses), "springs": len(rope.lattice.spring), "step": step.plain("step"),
                "plain": plain.plain("force loop"), "per_second": 1.0 / step.best, "over_paper": 1.0 / step.best / PAPER,
                "wanted": WANTED, "over_plain": step.best / plain.best,
            }
        )  # fmt: skip
    return rows


def _materials() -> dict[str, Elastic | Springs]:
    return {
        "nylon, calibrated": MATERIALS["nylon"],
        "rod, calibrated": MATERIALS["rod"],
        "printed constants": replace(PRINTED, damping=0.5, diagonal=500.0),
    }


def implicit_and_explicit(name: str, material: Elastic | Springs) -> dict[str, Any]:
    """A clamped rope that swings down: explicit with automatic substeps, implicit at 1/60 s."""
    route = [(0, 0, 0), (0.48, 0, 0)]
    explicit = Honeycomb(route, material)
    frames = max(1, min(30, 20_000 // explicit.substeps))
    explicit.step()
    taken = time_of(lambda: explicit.step(frames)) / (frames * explicit.dt)
    implicit = Honeycomb(route, material, scheme="implicit")
    implicit.step()
    before = implicit.counts["newton"]
    solved = time_of(lambda: implicit.step(30)) / (30 * implicit.dt)
    return {
        "lattice": name, "stable_step": explicit.stable_step, "explicit": taken, "implicit": solved,
        "newton": (implicit.counts["newton"] - before) / 30, "ratio": taken / solved,
    }  # fmt: skip


def laid(masses: int) -> Honeycomb:
    """A limp rope laid in turns on each other; more masses are more turns in more coils of the same form."""
    thick, layers = 0.03, masses // 7
    material = Springs(radius=0.5 * thick, spacing=0.5 * thick, mass=2e-3, structural=2e3, tension=2e3, torsion=1e3, bending=1e3,
                       diagonal=100.0, damping=0.2)  # fmt: skip
    turns = layers * 0.5 * thick / (2.0 * math.pi * 0.16)
    around = Surroundings(obstacles=(Obstacle(Plane()),), self_contact=True)
    # stacks of four turns, side by side: what a mass touches does not depend on their number
    route, each = [], 4.0
    for stack in range(math.ceil(turns / each)):
        part = coil(0.16, min(each, turns - stack * each), 0.98 * thick, 0.5 * thick)
        route.append(part[:: 1 if stack % 2 == 0 else -1] + (0.5 * stack, 0.0, 0.0))
    points = np.concatenate(route)
    length = 0.5 * thick * (layers - 1)
    walked = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    return Honeycomb(
        points[walked <= length * 1.001] if walked[-1] > length else points, material, layers=layers, start="free",
        surroundings=around, dt=2e-3,
    )  # fmt: skip


def grow(progress: Callable[[str], None]) -> tuple[list[dict[str, Any]], float]:
    """Time of a substep against the number of masses, and the exponent of a fit."""
    ropes = {size: laid(size) for size in SIZES}
    for rope in ropes.values():
        rope.step(5)

    def job(rope: Honeycomb) -> float:
        taken = time_of(lambda: rope.step(4))
        return taken / (4 * rope.substeps)

    timings = interleaved({size: (lambda rope=rope: job(rope)) for size, rope in ropes.items()}, ROUNDS, progress)  # type: ignore[misc]
    rows: list[dict[str, Any]] = []
    for size, rope in ropes.items():
        counts = rope.counts
        rows.append(
            {
                "masses": len(rope.masses), "contacts": counts["touches"], "pairs": counts["cell_pairs"],
                "step": timings[size].plain("substep"),
            }
        )  # fmt: skip
    x, y = np.log([row["masses"] for row in rows]), np.log([row["step"]["best"] for row in rows])
    return rows, float(np.polyfit(x, y, 1)[0])
