"""The long run itself."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from taut.core.model import PLANS
from taut.scene import Scene
from taut.simulation import Simulation, SimulationError
from taut.soak.hand import Hand
from taut.soak.report import Held, Soaked
from taut.soak.watches import MEMORY, Watch, memory, watches_of

#: steps between two looks
LOOK = 6
#: moves between two stretches that are run twice, from a snapshot
REPEAT = 10


class Events:
    """What a rope scene must have met for the run to mean something: slack ropes, snatches, landings."""

    def __init__(self, sim: Any) -> None:
        self._sim, self._ropes = sim, list(sim.scene.ropes())
        self._slack = {name: False for name in self._ropes}
        self._touches, self._can_touch = 0, "contact.count" in sim.names
        self.counts = {"went_slack": 0, "became_taut": 0, "landings": 0}

    def look(self) -> None:
        """Compare with the last look."""
        for name in self._ropes:
            slack = float(self._sim.read(f"{name}.tension")) <= 0.0
            self.counts["went_slack"] += slack and not self._slack[name]
            self.counts["became_taut"] += self._slack[name] and not slack
            self._slack[name] = slack
        touches = int(self._sim.read("contact.count")) if self._can_touch else 0
        self.counts["landings"] += self._touches == 0 and touches > 0
        self._touches = touches


def soak(
    scene: Scene | str | Path,
    seconds: float,
    seed: int = 1,
    tell: Callable[[float], None] = lambda _done: None,
    within: float | None = None,
) -> Soaked:
    """Run a scene for some simulated seconds under a hand drawn from `seed`; `tell` is called with the time done [s].

    `within`: end earlier, with the move that is under way when so much time has passed on the clock [s]; the report says
    how far it came.
    """
    sim = Simulation(scene)
    name = sim.scene.name or (str(scene) if not isinstance(scene, Scene) else "scene")
    report = Soaked(name, seed, seconds, memory_limit=MEMORY, within=within)
    hand, watches, events = Hand(sim, seed), watches_of(sim), Events(sim)
    sim.prepare()
    begun, warm, moves, done = time.perf_counter(), None, 0, 0.0
    try:
        while done < 1.0 and sim.time < seconds:
            steps = max(1, round(min(hand.move(), seconds - sim.time) / sim.dt))
            moves += 1
            if moves % REPEAT == 0:
                report.repeats += 1
                report.same &= _twice(sim, steps)
            for part in _parts(steps, LOOK):
                for step in range(1, part + 1):
                    _step(sim, watches, step == part)
                events.look()
            done = max(sim.time / seconds, (time.perf_counter() - begun) / within if within else 0.0)
            if warm is None and done > 0.1:
                warm = memory()
            tell(sim.time)
    except SimulationError as error:
        report.stopped = str(error)
    now = memory()
    report.grown = now - warm if now is not None and warm is not None else None
    report.wall, report.simulated, report.steps = time.perf_counter() - begun, sim.time, sim.steps
    report.redone, report.second_passes = int(sim.read("step.redone")), int(sim.read("step.second_passes"))
    report.moves, report.events = hand.made, events.counts
    report.held = [Held(w.name, w.unit, w.limit, w.worst, w.at, w.reason, w.passed) for w in watches]
    return report


def _step(sim: Simulation, watches: list[Watch], look: bool) -> None:
    """One step; what may pass in a single one is looked at after each, the rest when it is time to `look`."""
    for watch in watches:
        if look and watch.before is not None:
            watch.before()
    sim.run(1)
    for watch in watches:
        if look or watch.always:
            watch.take(sim.time)


def _twice(sim: Simulation, steps: int) -> bool:
    """Whether a stretch comes out the same to the bit when it is run again from a snapshot; the second run is taken back."""
    there, found = sim.snapshot(), []
    for _ in range(2):
        sim.run(steps)
        # an elimination plan is built anew after a restore: that it was is the only trace
        sim.state.counter[PLANS] = 0
        found.append((sim.compiled.state.floats.tobytes(), sim.compiled.state.ints.tobytes()))
        sim.restore(there)
    return found[0] == found[1]


def _parts(steps: int, size: int) -> list[int]:
    """`steps` cut into pieces of `size` and what is left."""
    return [size] * (steps // size) + ([steps % size] if steps % size else [])
