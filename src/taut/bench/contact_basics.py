"""Contacts: boxes on a plane, a stack, a pile of spheres; what a step costs for each contact point."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from taut.bench import scenes
from taut.bench.display import Display
from taut.bench.stages import Stages
from taut.bench.timing import Timing, interleaved, repeats_for, time_of
from taut.core.order import Stage
from taut.scene import Scene
from taut.simulation import Simulation

SCENES: dict[str, Callable[[], Scene]] = {
    "10 boxes on plane": lambda: scenes.boxes(10),
    "100 boxes on plane": lambda: scenes.boxes(100),
    "1000 boxes on plane": lambda: scenes.boxes(1000),
    "stack of 5 boxes": lambda: scenes.stack(5),
    "stack of 20 boxes": lambda: scenes.stack(20),
    "pile of 50 spheres": lambda: scenes.spheres(50),
    "pile of 200 spheres": lambda: scenes.spheres(200),
}
#: until everything lies [steps]
SETTLE = 120
SAMPLE, ROUNDS = 0.05, 5
#: steps looked at one by one
FRAMES = 60


class Rest:
    """A scene that has come to rest."""

    def __init__(self, scene: Scene) -> None:
        self.sim = Simulation(scene)
        self.sim.run(SETTLE)
        self.steps = repeats_for(time_of(lambda: self.sim.run(3)) / 3, SAMPLE, 1000)

    def per_step(self) -> float:
        """Time of a step [s]."""
        return time_of(lambda: self.sim.run(self.steps)) / self.steps

    def frames(self, count: int) -> Timing:
        """Steps one by one, for the worst of them."""
        return Timing.of([time_of(self.sim.step) for _ in range(count)])

    def counters(self) -> dict[str, int]:
        """What has been counted so far."""
        return {name: int(self.sim.read(f"step.{name}")) for name in ("count", "bound_iterations", "plans", "redone")}

    def detection(self) -> float:
        """Best time of finding contacts and making them rows [s]."""
        stages = Stages(self.sim)
        for _ in range(5):
            stages.step()
        return stages.best.get(Stage.COLLIDE, 0.0)


def run(
    display: Display, chosen: Mapping[str, Callable[[], Scene]] | None = None, rounds: int = ROUNDS
) -> dict[str, Any]:
    """Measure, show, and hand back the numbers."""
    with display.progress("letting things come to rest") as progress:
        built: dict[str, Rest] = {}
        for name, make in (chosen or SCENES).items():
            progress(f"{name} comes to rest")
            built[name] = Rest(make())
        before = {name: rest.counters() for name, rest in built.items()}
        timings = interleaved({name: rest.per_step for name, rest in built.items()}, rounds, progress)
        rows = [_row(name, rest, before[name], timings[name]) for name, rest in built.items()]
    display.table(
        "one step at rest, dt 1/60 s, friction, solver defaults",
        ("scene", "contacts", "step [us]", "spread", "worst [us]", "per contact", "found", "sets", "plans", "cone"),
        [
            (
                row["scene"], str(row["contacts"]), f"{1e6 * row['step']['best']:.0f}", f"{row['step']['spread']:.0%}",
                f"{1e6 * row['worst']:.0f}", _each(row["step"]["best"], row["contacts"]),
                _each(row["detection"], row["contacts"]), f"{row['bound_iterations']:.2f}",
                f"{row['plans']:.2f}", f"{row['cone']:.0e}",
            )
            for row in rows
        ],
    )  # fmt: skip
    display.note(
        "per contact: step over contacts [us]; found: detection alone [us]; sets: active sets tried per step; "
        "plans: elimination orders per step; cone: miss of the friction cones at the end"
    )
    return {"scenes": rows}


def _row(name: str, rest: Rest, before: dict[str, int], timing: Timing) -> dict[str, Any]:
    after = rest.counters()
    steps = after["count"] - before["count"]
    return {
        "scene": name,
        "contacts": int(rest.sim.read("contact.count")),
        "step": timing.plain("step"),
        "worst": rest.frames(FRAMES).worst,
        "cone": float(rest.sim.read("residual.cone")),
        "kinetic_energy": float(rest.sim.read("energy.kinetic")),
        "detection": rest.detection(),
        **{what: (after[what] - before[what]) / steps for what in ("bound_iterations", "plans", "redone")},
    }


def _each(seconds: float, contacts: int) -> str:
    return f"{1e6 * seconds / contacts:.2f}" if contacts else "-"
