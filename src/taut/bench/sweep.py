"""What a sweep costs beside the runs themselves: processes, messages, the file."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from taut.bench.display import Display

#: cases, and how long one should run [s]
CASES, RUN = 12, 1.0
TARGET = 0.05


def run(display: Display, cases: int = CASES, seconds_each: float = RUN) -> dict[str, Any]:
    """Measure, show, and hand back the numbers."""
    from taut.scenes import open_scene
    from taut.sweep import Processes, Results, make_plan, sweep
    from taut.sweep.task import run_case

    scene = open_scene("gantry")
    masses = ["load.mass=5000:12000:2"]
    probe = make_plan(scene, masses, seconds=2.0)
    run_case(probe.task, probe.cases.rows[0])
    begun = time.perf_counter()
    run_case(probe.task, probe.cases.rows[1])
    simulated = 2.0 * seconds_each / (time.perf_counter() - begun)
    plan = make_plan(scene, [f"load.mass=5000:12000:{cases}"], seconds=simulated)
    ended: list[float] = []
    # one worker, so that what is not in its runs lies between them; the first run brings the worker up
    with tempfile.TemporaryDirectory() as folder, display.progress("a sweep of runs of a second"):
        file = Path(folder) / "sweep.h5"
        sweep(plan, file, Processes(1), progress=lambda *_: ended.append(time.perf_counter()))
        walls = Results(file).wall
    busy = float(walls[1:].sum())
    overhead = (ended[-1] - ended[0]) / busy - 1.0
    display.table(
        f"{cases - 1} runs of {busy / (cases - 1):.2f} s, one after the other in a worker process",
        ("", "overhead", "target"),
        [("beside the runs", f"{overhead:.2%}", f"{TARGET:.0%} {'reached' if overhead < TARGET else 'missed'}")],
    )
    return {"runs": cases - 1, "each": busy / (cases - 1), "overhead": overhead}
