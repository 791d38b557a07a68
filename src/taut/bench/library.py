"""Every scene of the library at its own rate: what its steps cost, and whether it keeps up with the clock while the page is open.

Steps are timed alone in a process, over the whole duration of the scene, as processor time; then the page runs the scene in a process of its
own, with a socket that plays the browser. Processor time per simulated second says how many cores the page needs to keep up; other
programs on the machine hardly change it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np

from taut.bench.processes import LIMIT, Child
from taut.scenes import library

#: how long the page shows each scene [s]
SHOWN = 6.0
#: simulated seconds per second from which on a scene is said to keep up
KEEPS_UP = 0.99
#: what is kept of what the page showed: simulated seconds per second; steps late by a frame, and by others; updates a second; processor time
#: per simulated second of all threads and of the one that steps
SEEN = ("factor", "late", "others", "rate", "cores", "stepping")
#: a first step is made and taken back: kernels that are loaded when first called are no part of a step
STEPS = """
import json, sys, warnings
warnings.simplefilter("ignore")
from taut import Simulation
from taut.bench.timing import CLOCK
sim = Simulation(sys.argv[1])
start = sim.snapshot()
sim.step()
sim.restore(start)
times = []
for _ in range(max(1, round((sim.scene.duration or 10.0) / sim.dt))):
    before = CLOCK()
    sim.step()
    times.append(CLOCK() - before)
print(json.dumps({"dt": sim.dt, "times": times}), flush=True)
"""


def steps_of(scene: str) -> dict[str, Any]:
    """Processor time of all steps of a scene [s]: mean, the 99th of 100, the worst and when that was."""
    with Child("-c", STEPS, scene, limit=2.0 * LIMIT) as child:
        told = json.loads(child.line())
    times, dt = np.array(told["times"]), float(told["dt"])
    return {
        "dt": dt,
        "steps": len(times),
        "mean": float(times.mean()),
        "most": float(np.percentile(times, 99.0)),
        "worst": float(times.max()),
        "worst_at": float(dt * np.argmax(times)),
        "over": int((times > dt).sum()),
    }


def run(watch: Callable[[str], dict[str, Any]], progress: Callable[[str], None]) -> list[dict[str, Any]]:
    """All scenes; `watch` shows one in the page and hands back what was seen (taut.bench.page)."""
    rows = []
    for scene in sorted(library()):
        progress(scene)
        seen = watch(scene)
        rows.append({"scene": scene, **steps_of(scene), **{key: seen[key] for key in SEEN}})
    return rows


HEAD = (
    "scene", "step ms", "99 of 100", "worst", "at", "steps above their own length", "page: cores to step", "in all", "late by a frame", "real time",
)  # fmt: skip


def cells(row: dict[str, Any]) -> tuple[str, ...]:
    """A row of the table."""
    return (
        row["scene"],
        f"{1e3 * row['mean']:.2f}",
        f"{1e3 * row['most']:.2f}",
        f"{1e3 * row['worst']:.2f}",
        f"{row['worst_at']:.2f} s",
        f"{row['over']} of {row['steps']}",
        f"{row['stepping']:.2f}",
        f"{row['cores']:.2f}",
        f"{row['late']}" + (f", {row['others']} by others" if row["others"] else ""),
        f"{row['factor']:.3f}",
    )
