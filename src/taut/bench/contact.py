"""Ropes in contact: a line on the ground beside the same line falling freely, the broad phase of many, a heap beside MuJoCo."""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable, Sequence
from typing import Any

from taut.bench.contact_scenes import THICK, field, heap, line
from taut.bench.display import Display
from taut.bench.timing import interleaved, repeats_for, time_of
from taut.contact.broad import broad
from taut.simulation import Simulation

#: segments of the line, of the broad phase, of the heap
SEGMENTS, MANY, HEAP = 100, (1000, 3000, 10_000, 30_000, 100_000), 100
#: targets: step over the free step; growth of the broad phase; MuJoCo's time over ours
MOST_RATIO, MOST_GROWTH, LEAST_TIMES = 15.0, 1.15, 5.0
#: seconds that a heap is watched, and of these at rest; how deep it may be at rest and while it lands, in radii
WATCHED, AT_REST, DEPTH, LANDING = 3.0, 1.0, 0.05, 0.5
#: steps of MuJoCo that are tried, longest first [s]
PEER_STEPS = (1 / 120, 1 / 250, 1 / 500, 1 / 1000)
SAMPLE, ROUNDS = 0.05, 5
#: how fast the line slides along the ground at first [m/s]
DRAWN = 10.0


def run(
    display: Display, segments: int = SEGMENTS, many: Sequence[int] = MANY, coil: int = HEAP, rounds: int = ROUNDS,
    seconds: float = WATCHED,
) -> dict[str, Any]:  # fmt: skip
    """Measure, show, and hand back the numbers."""
    return {
        "ground": ground(display, segments, rounds),
        "broad": growth(display, many, rounds),
        "heap": heaps(display, coil, seconds),
    }


def verdict(good: bool) -> str:
    """A word for it."""
    return "reached" if good else "missed"


def ground(display: Display, segments: int, rounds: int) -> dict[str, Any]:
    """A line that lies, one that slides along itself, and one that falls freely, step by step in turn."""
    sims = {"free": Simulation(line(segments, 1e5)), "rests": Simulation(line(segments))}
    sims["slides"] = Simulation(line(segments))
    sims["slides"].state.body_vel[sims["slides"].model.node_body, 0] = DRAWN
    with display.progress("segments on the ground") as progress:
        for sim in sims.values():
            sim.run(5)
        steps = repeats_for(time_of(lambda: sims["rests"].run(3)) / 3, SAMPLE, 12)
        before = {name: int(sim.read("step.bound_iterations")) for name, sim in sims.items()}

        def job(sim: Simulation) -> Callable[[], float]:
            return lambda: time_of(lambda: sim.run(steps)) / steps

        timings = interleaved({name: job(sim) for name, sim in sims.items()}, rounds, progress)
    rows: list[dict[str, Any]] = [
        {
            "line": name, "contacts": int(sim.read("contact.count")), "step": timings[name].plain("step"),
            "ratio": timings[name].best / timings["free"].best,
            "factorisations": (int(sim.read("step.bound_iterations")) - before[name]) / (rounds * steps),
            "speed": float(sim.state.body_vel[sim.model.node_body, 0].mean()),
        }
        for name, sim in sims.items()
    ]  # fmt: skip
    display.table(
        f"{segments} segments, dt 1/60 s, solver defaults",
        ("line", "contacts", "step [us]", "spread", "over free", "factorisations"),
        [
            (
                row["line"], str(row["contacts"]), f"{1e6 * row['step']['best']:.0f}", f"{row['step']['spread']:.0%}",
                f"{row['ratio']:.2f}", f"{row['factorisations']:.2f}" if row["line"] != "free" else "1.00",
            )
            for row in rows
        ],
    )  # fmt: skip
    worst = max(row["ratio"] for row in rows)
    display.note(
        f"all touching: {worst:.2f} times the free step; target {MOST_RATIO:g}: {verdict(worst <= MOST_RATIO)}"
    )
    return {"lines": rows, "target": MOST_RATIO, "verdict": verdict(worst <= MOST_RATIO)}


def growth(display: Display, many: Sequence[int], rounds: int) -> dict[str, Any]:
    """The broad phase alone, on rope that lies in loops on the ground, as dense whatever its length."""
    rows: list[dict[str, Any]] = []
    with display.progress("broad phase") as progress:
        jobs: dict[int, Callable[[], float]] = {}
        pairs: dict[int, int] = {}
        for count in many:
            progress(f"{count} segments")
            shapes, moves, work = field(count)
            pairs[count] = int(broad(shapes, moves, work))
            jobs[count] = _job(shapes, moves, work)
        timings = interleaved(jobs, rounds, progress)
    for count in many:
        rows.append({"segments": count, "pairs": pairs[count], "broad": timings[count].plain("call")})
    exponent = math.log(timings[many[-1]].best / timings[many[0]].best) / math.log(many[-1] / many[0])
    display.table(
        "broad phase of segments that lie in loops on a plane",
        ("segments", "pairs", "time [us]", "per segment [ns]"),
        [
            (
                str(row["segments"]), str(row["pairs"]), f"{1e6 * row['broad']['best']:.0f}",
                f"{1e9 * row['broad']['best'] / row['segments']:.0f}",
            )
            for row in rows
        ],
    )  # fmt: skip
    good = verdict(exponent <= MOST_GROWTH)
    display.note(
        f"time grows with the power {exponent:.2f} of the number; target 1, at most {MOST_GROWTH:g} with what falls out of the "
        f"processor's cache: {good}"
    )
    return {"sizes": rows, "exponent": exponent, "verdict": good}


def _job(shapes: Any, moves: Any, work: Any) -> Callable[[], float]:
    repeats = repeats_for(time_of(lambda: broad(shapes, moves, work)), SAMPLE)

    def many_times() -> None:
        for _ in range(repeats):
            broad(shapes, moves, work)

    return lambda: time_of(many_times) / repeats


class OurHeap:
    """The falling coil with our step."""

    name = "taut"

    def __init__(self, segments: int) -> None:
        self.sim = Simulation(heap(segments))
        self.dt = self.sim.dt

    def run(self, steps: int) -> None:
        """So many steps."""
        self.sim.run(steps)

    def depth(self) -> float:
        """Deepest penetration [m]."""
        return float(self.sim.read("contact.penetration"))

    def contacts(self) -> int:
        """Contact points."""
        return int(self.sim.read("contact.count"))


def _watch(engine: Any, seconds: float) -> dict[str, Any]:
    """Time, and how deep it is: after each sixtieth of a second, and at most over the last second."""
    frames, per = round(60 * seconds), max(1, round(1.0 / (60.0 * engine.dt)))
    spent, rest, landing, moving = 0.0, 0.0, 0.0, 0.0
    for frame in range(frames):
        spent += time_of(lambda: engine.run(per))
        if frame < frames - 60 * AT_REST:
            landing, moving = max(landing, engine.depth()), spent
        else:
            rest = max(rest, engine.depth())
    simulated = frames * per * engine.dt
    return {
        "engine": engine.name, "dt": engine.dt, "cpu": spent / simulated, "rest": 2.0 * rest / THICK,
        "cpu_at_rest": (spent - moving) / AT_REST, "landing": 2.0 * landing / THICK, "contacts": engine.contacts(),
    }  # fmt: skip


def _allowed(row: dict[str, Any]) -> bool:
    return bool(row["rest"] <= DEPTH and row["landing"] <= LANDING)


def heaps(display: Display, segments: int, seconds: float) -> dict[str, Any]:
    """The same coil let fall here and in MuJoCo, at the longest of its steps at which it sinks into itself no deeper than allowed."""
    there = importlib.util.find_spec("mujoco") is not None
    with display.progress("heaps") as progress:
        progress("ours")
        OurHeap(segments).run(2)  # compiled code is loaded here
        rows = [_watch(OurHeap(segments), seconds)]
        if there:
            from taut.bench.peers.mujoco_heap import MujocoHeap

            for dt in PEER_STEPS:
                progress(f"mujoco, step {1e3 * dt:.2g} ms")
                rows.append(_watch(MujocoHeap(segments, dt), seconds))
                if _allowed(rows[-1]):
                    break
        progress("ours once more")
        rows[0]["cpu"] = min(rows[0]["cpu"], _watch(OurHeap(segments), seconds)["cpu"])
    display.table(
        f"a coil of {segments} segments let fall, {seconds:g} s: processor time per simulated second, penetration in radii of the rope",
        ("engine", "step [ms]", "time [s]", "at rest [s]", "depth at rest", "landing", "contacts"),
        [
            (
                row["engine"], f"{1e3 * row['dt']:.3g}", f"{row['cpu']:.3g}", f"{row['cpu_at_rest']:.3g}", f"{row['rest']:.4f}",
                f"{row['landing']:.2f}", str(row["contacts"]),
            )
            for row in rows
        ],
    )  # fmt: skip
    if not there:
        display.note("not compared: mujoco is not installed (extra peers)")
        return {"rows": rows, "missing": "mujoco"}
    times, last = rows[-1]["cpu"] / rows[0]["cpu"], rows[-1]
    said = "open" if not (_allowed(last) and _allowed(rows[0])) else verdict(times >= LEAST_TIMES)
    display.note(
        f"mujoco takes {times:.1f} times our time, at its longest step with {DEPTH:.0%} of the radius at rest and {LANDING:.0%} in landing "
        f"at most; target {LEAST_TIMES:g}: {said}"
    )
    return {"rows": rows, "times": times, "target": LEAST_TIMES, "verdict": said}
