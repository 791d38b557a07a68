"""A segmented cable from 10 to 10,000 segments: what a step costs beside LAPACK, and one hoist beside other engines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from taut.bench import hoist
from taut.bench.chain import Case, grow
from taut.bench.display import Display
from taut.bench.peers import available, missing
from taut.bench.peers.ours import Segmented
from taut.bench.scenes import hanging_cable

SEGMENTS = (10, 30, 100, 300, 1000, 3000, 10_000)
ROUNDS = 7
#: targets: step over LAPACK's banded solve with 6 rows per joint; a real-time step at 60 Hz for the longest cable [s]
MOST_RATIO, FRAME = 1.5, 1.0 / 60.0
CABLE = Case(
    "one step of a segmented cable with a load of 1000 kg, dt 1/60 s, solver defaults",
    "segment", hanging_cable, 6, MOST_RATIO,
)  # fmt: skip
#: targets beside other engines: processor time at equal accuracy over ours
TARGETS = (
    *(hoist.Target("exudyn", n, 2.5) for n in (25, 100, 400)),
    *(hoist.Target("exudyn ancf", n, 4.0) for n in (25, 100, 400)),
    *(hoist.Target(engine, n, 100.0) for engine in ("pyelastica", "newton vbd") for n in (25, 100, 400)),
    *(hoist.Target("mujoco", n, r) for n, r in ((100, 20.0), (400, 200.0))),
)


def run(
    display: Display, segments: Sequence[int] = SEGMENTS, rounds: int = ROUNDS, links: Sequence[int] = (25, 100, 400)
) -> dict[str, Any]:
    """Measure, show, and hand back the numbers; `links` are the segments of the comparison with other engines."""
    found = grow(display, CABLE, segments, rounds)
    longest = found["sizes"][-1]
    used = longest["step"]["best"] / FRAME
    verdict = "reached" if used <= 1.0 else "missed"
    display.note(f"{longest['links']} segments at 60 Hz use {used:.2f} of real time on one core; target 1: {verdict}")
    if links:
        others = [Segmented(), *(engine for engine in available() if engine.name != Segmented.name)]
        found["peers"] = {**hoist.run(display, links, others, targets=TARGETS), "missing": missing()}
        for name, reason in missing().items():
            display.note(f"not compared: {name} ({reason})")
    return found
