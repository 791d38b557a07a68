"""Layered ropes: cost by spans and modes beside the paper's explicit scheme, and the steps of a driven tower crane."""

from __future__ import annotations

from typing import Any

from taut.bench.display import Display
from taut.bench.driving import drive
from taut.bench.timing import interleaved, repeats_for, time_of
from taut.cables.layered.explicit import ExplicitStrings
from taut.cables.layered.strings import Strings
from taut.scenes import open_scene
from taut.simulation import Simulation

SPANS, MODES, PIECES = (10, 100), (12, 100), (10, 100)
SAMPLE, ROUNDS = 0.02, 5
#: real-time factor of the tower crane at least
REAL_TIME = 50.0
DENSITY, STIFFNESS, LENGTH, TENSION = 1.2, 3.7425e6, 30.0, 4905.0


def run(display: Display, seconds: float = 120.0, rounds: int = ROUNDS) -> dict[str, Any]:
    """Measure both; `seconds` of driving."""
    return {"spans": _spans(display, rounds), "driving": _driving(display, seconds)}


def _ours(spans: int, modes: int) -> Any:
    rope = Strings([LENGTH] * spans, DENSITY, STIFFNESS, LENGTH * spans, modes=modes, warped=True, tau=0.01, dt=1 / 60)
    rope.settle(TENSION)
    # every span waves in both directions, and goes on to: waves that died out would make cheaper steps the longer it is measured
    rope.mode[::modes, 2:] = 0.2
    return _job(rope)


def _explicit(spans: int, pieces: int) -> Any:
    # at a step that it stands: the gate is k sqrt(T/rho)/(l dx) = sqrt(1/2)
    rope = ExplicitStrings(
        [LENGTH] * spans, DENSITY, STIFFNESS, LENGTH * spans, pieces=pieces, dt=0.5 * LENGTH / pieces / 64.0
    )
    rope.settle(TENSION)
    return _job(rope)


def _job(rope: Any) -> Any:
    rope.run(20)
    repeats = repeats_for(time_of(lambda: rope.run(50)) / 50, SAMPLE)
    return lambda: time_of(lambda: rope.run(repeats)) / repeats


def _spans(display: Display, rounds: int) -> list[dict[str, Any]]:
    jobs = {("ours", n, k): _ours(n, k) for n in SPANS for k in MODES}
    jobs |= {("explicit", n, k): _explicit(n, k) for n in SPANS for k in PIECES}
    with display.progress("spans by themselves") as tell:
        found = interleaved(jobs, rounds, tell)
    rows: list[dict[str, Any]] = []
    for (kind, spans, size), timing in found.items():
        base = found["explicit", spans, 10 if size < 100 else 100].best
        rows.append(
            {
                "scheme": kind,
                "spans": spans,
                "size": size,
                "step": timing.plain("step"),
                "times_explicit": timing.best / base,
            }
        )
    display.table(
        "one step of spans on given supports", ("scheme", "spans", "modes or pieces", "step [us]", "times explicit"),
        [[r["scheme"], str(r["spans"]), str(r["size"]), f"{1e6 * r['step']['best']:.2f}", f"{r['times_explicit']:.2f}"] for r in rows],
    )  # fmt: skip
    display.note(
        "ours: two directions, 1/60 s; explicit: one direction, at a step below its gate; 12 modes stand beside 10 pieces"
    )
    growth = found["ours", 100, 12].best / found["ours", 10, 12].best
    display.note(
        f"ten times the spans cost {growth:.1f} times as much; the paper printed 20 and 1,300 us on a machine of 2008"
    )
    return rows


def _driving(display: Display, seconds: float) -> dict[str, Any]:
    sim = Simulation(open_scene("tower_crane"))
    found = drive(display, sim, "tower crane", seconds)
    factor = found["real_time_factor"]
    display.note(
        f"real-time factor {factor:.0f}; target {REAL_TIME:.0f}: {'reached' if factor >= REAL_TIME else 'missed'}"
    )
    passes = sim.read("step.second_passes") / max(1, int(sim.read("step.count")))
    display.note(f"passes beyond the first: {passes:.2f} a step; steps redone: {int(sim.read('step.redone'))}")
    return found
