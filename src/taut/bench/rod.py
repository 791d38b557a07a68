"""What a converged frame of the rod costs: dragging, twisting, contact, a harness, a motion; beside the paper's scheme and
Exudyn's static cable elements."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from taut.bench.display import Display
from taut.bench.timing import CLOCK, interleaved
from taut.cables.rod import Clamp, Harness, On, Rod
from taut.cables.rod.penalty import PenaltyRod
from taut.scene import shapes

KIND: dict[str, Any] = {"EI": 1.0, "GJ": 1.0, "mass_per_length": 102.0, "gravity": (0.0, 0.0, -1.0)}
FRAMES = 24


def hung(segments: int, **more: Any) -> Rod:
    """The rod of the validation, between horizontal clamps."""
    rod = Rod(1.0, segments, start=Clamp((0, 0, 0)), end=Clamp((0.6, 0, 0)), **{**KIND, **more})
    rod.solve()
    return rod


def point(k: int) -> tuple[float, float, float]:
    """Of the end in frame k: 1 cm further each time."""
    return 0.6 - 0.005 * k, 0.007 * k, 0.005 * k


def drag(act: Callable[[int], Any]) -> float:
    """Mean time of a frame, over a drag there and back [s]."""
    way = [*range(1, FRAMES + 1), *range(FRAMES - 1, -1, -1)]
    begin = CLOCK()
    for k in way:
        act(k)
    return (CLOCK() - begin) / len(way)


def frames(act: Callable[[int], Any], rounds: int = 5) -> float:
    """The least of some rounds [s]."""
    return min(drag(act) for _ in range(rounds))


def run(display: Display) -> dict[str, Any]:
    """Measure, show, and hand back the numbers."""
    out: dict[str, Any] = {}
    with display.progress("dragging") as progress:
        out["ours"] = _drags()
        progress("the same drag by others")
        out["beside"] = _beside(progress)
        best = {row["scheme"]: row["frame"]["best"] for row in out["beside"]}
        out["penalty"], out["penalty loose"] = best["penalty, gaps 1e-8"], best["penalty, gaps 1e-6"]
        out["exudyn"] = best.get("exudyn static ANCF, planar")
        progress("growth with the number of segments")
        out["growth"] = _growth()
        progress("contact, harness, motion")
        out["contact"], out["harness"], out["motion"] = _contact(), _harness(), _motion()
    rows = [(name, f"{1e3 * one['seconds']:.3f}", str(one["iterations"])) for name, one in out["ours"].items()]
    display.table(
        "a converged frame, 100 segments, residual 1e-8", ("1 cm or 5 degrees", "ms", "iterations at most"), rows
    )
    display.table(
        "the same drag by others, one interleaved run",
        ("scheme", "ms", "spread", "times ours"),
        [
            (row["scheme"], f"{1e3 * row['frame']['best']:.3f}", f"{row['frame']['spread']:.1%}", f"{row['times_ours']:.1f}")
            for row in out["beside"]
        ],
    )  # fmt: skip
    if out["exudyn"] is None:
        display.note("not compared: exudyn (not installed)")
    sizes = ", ".join(f"{n}: {1e3 * t:.3f} ms" for n, t in out["growth"]["seconds"].items())
    display.note(f"segments {sizes}; grows with n to the power {out['growth']['exponent']:.2f}")
    touch = out["contact"]
    display.note(
        f"with {touch['contacts']} contacts {1e3 * touch['seconds']:.3f} ms, {touch['seconds'] / touch['free']:.1f} times the free frame"
    )
    display.note(f"20 cables of 50 segments with branches: {1.0 / out['harness']:.0f} frames a second")
    display.note(f"1,000 frames of a motion, 100 segments: {out['motion']:.2f} s")
    return out


def _drags() -> dict[str, dict[str, Any]]:
    acts: dict[str, Callable[[Rod, int], None]] = {
        "drag": lambda rod, k: rod.move_end(point(k)),
        "turn": lambda rod, k: rod.rotate_end((0.0, 1.0, 0.3), "5 deg" if k % 2 else "-5 deg"),
        "twist": lambda rod, k: rod.twist_end("5 deg" if k % 2 else "-5 deg"),
    }
    out = {}
    for name, act in acts.items():
        rod, most = hung(100), [0]

        def frame(k: int, rod: Rod = rod, act: Callable[[Rod, int], None] = act, most: list[int] = most) -> None:
            act(rod, k)
            most[0] = max(most[0], rod.solve().iterations)

        out[name] = {"seconds": frames(frame), "iterations": most[0]}
    return out


def _beside(progress: Callable[[str], None], rounds: int = 3) -> list[dict[str, Any]]:
    """The same drag by ours, by the paper's scheme and by Exudyn, in turns; ratios of the best rounds."""
    rod = hung(100)

    def ours(k: int) -> None:
        rod.move_end(point(k))
        rod.solve()

    acts = {"ours": ours, "penalty, gaps 1e-8": _penalty(1e-8), "penalty, gaps 1e-6": _penalty(1e-6)}
    other = _exudyn()
    if other is not None:
        acts["exudyn static ANCF, planar"] = other
    jobs = {name: (lambda act=act: drag(act)) for name, act in acts.items()}
    timings = interleaved(jobs, rounds, progress)
    best = timings["ours"].best
    return [
        {"scheme": name, "frame": timing.plain("frame"), "times_ours": timing.best / best}
        for name, timing in timings.items()
    ]


def _penalty(tolerance: float) -> Callable[[int], None]:
    rod = hung(100)
    other = PenaltyRod(
        1.0, 100, start=Clamp((0, 0, 0)), end=Clamp((0.6, 0, 0)), **KIND, shape=rod.points, frames=rod.frames
    )
    other.solve(tolerance)

    def frame(k: int) -> None:
        other.move_end(point(k))
        other.solve(tolerance)

    return frame


def _exudyn() -> Callable[[int], None] | None:
    try:
        from taut.bench.peers.rod_exudyn import ExudynRod
    except ImportError:
        return None
    rod = ExudynRod(100)

    def frame(k: int) -> None:
        rod.move_end(point(k))
        rod.solve()

    return frame


def _growth() -> dict[str, Any]:
    seconds = {}
    for n in (100, 200, 400, 1000):
        rod = hung(n)

        def frame(k: int, rod: Rod = rod) -> None:
            rod.move_end(point(k))
            rod.solve()

        seconds[n] = frames(frame, 2)
    exponent = math.log(seconds[1000] / seconds[100]) / math.log(10.0)
    return {"seconds": seconds, "exponent": exponent}


def _contact() -> dict[str, Any]:
    """A floor under the lowest part, raised until about ten places touch; then the end is dragged along it."""
    rod = hung(100, radius=0.005, EI=0.02, GJ=0.02)

    def frame(k: int) -> None:
        rod.move_end((0.6 - 0.002 * k, 0.003 * k, 0.002 * k))
        rod.solve()

    free = frames(frame, 3)
    rod.add_obstacle("floor", shapes.Plane(), (0, 0, rod.points[:, 2].min() - 0.005))
    height = float(rod.points[:, 2].min()) - 0.005
    contacts = 0
    while contacts < 10 and height < -0.2:
        height += 0.004
        rod.move_obstacle("floor", (0, 0, height))
        contacts = rod.solve().contacts
    return {"seconds": frames(frame, 3), "free": free, "contacts": contacts}


def _harness() -> float:
    """Ten pairs of cables that meet in a branch, one end of each dragged."""
    kind = {"EI": 1e-2, "GJ": 1e-2, "mass_per_length": 0.1, "radius": 0.004}
    harness = Harness()
    for k in range(10):
        y = 0.1 * k
        harness.add_branch(f"branch {k}", (0.3, y, -0.05))
        harness.add_cable(f"in {k}", 0.35, 50, Clamp((0, y, 0)), On(f"branch {k}"), **kind)
        harness.add_cable(f"out {k}", 0.35, 50, On(f"branch {k}"), Clamp((0.6, y, 0)), **kind)
    harness.solve()

    def frame(k: int) -> None:
        for cable in range(10):
            harness.move(f"out {cable}.end", (0.6 - 0.002 * k, 0.1 * cable, 0.004 * k))
        harness.solve()

    return frames(frame, 1)


def _motion() -> float:
    rod = hung(100)
    angle = np.linspace(0.0, 2.0 * np.pi, 1000)
    begin = CLOCK()
    for a in angle:
        rod.move_end((0.6 - 0.05 * (1.0 - math.cos(a)), 0.1 * math.sin(a), 0.0))
        rod.solve()
    return CLOCK() - begin
