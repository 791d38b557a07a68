"""Ropes over sheaves: cost by the number of parts, the worst frame of a crane in ten minutes of rough driving, and the
same hoist beside other engines."""

from __future__ import annotations

import importlib.util
import math
from typing import Any

import numpy as np

from taut.bench.display import Display
from taut.bench.driving import CHANGE, drive
from taut.bench.peers.hoists import PEERS, STEP, ours
from taut.bench.timing import Timing, interleaved, repeats_for, time_of
from taut.scenes import open_scene
from taut.simulation import Simulation

FALLS = (2, 4, 8, 16, 32, 64)
HOISTS = (2, 4)
FRAME = 1.0 / 60.0
#: largest part of a frame that a step may take, and mean real-time factor at least
WORST, REAL_TIME = 0.25, 200.0
SAMPLE, ROUNDS = 0.02, 5


def run(
    display: Display, seconds: float = 600.0, falls: tuple[int, ...] = FALLS, rounds: int = ROUNDS
) -> dict[str, Any]:
    """Measure all three; `seconds` of driving."""
    return {
        "parts": _by_parts(display, falls, rounds),
        "driving": _driving(display, seconds),
        "peers": _peers(display, rounds),
    }


def _job(make: Any, count: int) -> Any:
    step, _ = make(count)
    step(50)
    repeats = repeats_for(time_of(lambda: step(50)) / 50, SAMPLE)
    return lambda: time_of(lambda: step(repeats)) / repeats


def _by_parts(display: Display, falls: tuple[int, ...], rounds: int) -> list[dict[str, Any]]:
    with display.progress("hoists of many falls") as tell:
        found = interleaved({n: _job(ours, n) for n in falls}, rounds, tell)
    rows = [
        {"falls": n, "parts": n + 1, "step": timing.plain("step"), "per_part": timing.best / (n + 1)}
        for n, timing in found.items()
    ]
    display.table(
        "one step of a hoist, all sheaves merged into one row", ("falls", "step [us]", "per part [us]", "spread"),
        [[str(n), f"{1e6 * t.best:.2f}", f"{1e6 * t.best / (n + 1):.3f}", f"{t.spread:.0%}"] for n, t in found.items()],
    )  # fmt: skip
    many = [n for n in falls if n >= 8]
    if len(many) > 1:
        slope = np.polyfit(np.log([n + 1 for n in many]), np.log([found[n].best for n in many]), 1)[0]
        display.note(f"cost ~ parts^{slope:.2f} from 8 falls on; target: at most linear")
    return rows


def _driving(display: Display, seconds: float) -> dict[str, Any]:
    sim = Simulation(open_scene("gantry"))
    slack = landed = 0

    def look() -> None:
        nonlocal slack, landed
        slack += sim.read("left.tension") == 0.0
        landed += sim.read("contact.force") > 0.0

    found = drive(display, sim, "gantry", seconds, look)
    factor, steps = found["real_time_factor"], found["steps"]
    worst = found["max"] / FRAME
    display.note(f"worst step {worst:.3f} of a frame; target {WORST}: {'reached' if worst <= WORST else 'missed'}")
    display.note(
        f"mean real-time factor {factor:.0f}; target {REAL_TIME:.0f}: {'reached' if factor >= REAL_TIME else 'missed'}"
    )
    display.note(
        f"a rope was slack in {slack}, something stood on the ground in {landed} of {math.ceil(steps / CHANGE)} looks"
    )
    display.note(f"steps redone: {int(sim.read('step.redone'))}")
    return {**found, "slack": slack, "landed": landed}


def _peers(display: Display, rounds: int) -> list[dict[str, Any]]:
    there = [name for name in PEERS if name == "taut" or importlib.util.find_spec(name) is not None]
    for name in set(PEERS) - set(there):
        display.note(f"{name} is not installed: pip install taut[peers]")
    rows: list[dict[str, Any]] = []
    for falls in HOISTS:
        with display.progress(f"hoist of {falls} falls beside the peers") as tell:
            found: dict[str, Timing] = interleaved({name: _job(PEERS[name], falls) for name in there}, rounds, tell)
        for name in there:
            step, tension = PEERS[name](falls)
            step(3000)
            ratio = found[name].best / found["taut"].best
            rows.append(
                {
                    "falls": falls,
                    "engine": name,
                    "step": found[name].plain("step"),
                    "times_ours": ratio,
                    "tension": tension(),
                }
            )
    display.table(
        f"a load of 1 t on n falls, steps of {1e3 * STEP:g} ms", ("hoist", "engine", "step [us]", "times ours", "tension [N]", "theory"),
        [
            [f"{r['falls']} falls", r["engine"], f"{1e6 * r['step']['best']:.2f}", f"{r['times_ours']:.2f}",
             "not given" if math.isnan(r["tension"]) else f"{r['tension']:.1f}", f"{9810 / r['falls']:.1f}"]
            for r in rows
        ],
    )  # fmt: skip
    return rows
