"""Cables that change their model while running: what the load feels of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from taut.compile import LOOK, wanted
from taut.scene import Body, Cable, End, Scene, Sheave, Slider, Sphere, Winch
from taut.scene.cables import RopeChoice
from taut.simulation import Simulation
from taut.validate.item import Item, below, close
from taut.validate.lab import Lab
from taut.validate.reference import G

Array = np.ndarray
MASS, SPAN, LENGTH = 2000.0, 20.0, 20.05


def _moored(model: str) -> Scene:
    """A load on a rail, tied to a wall by a line that is a little longer than the way."""
    line = Cable(
        model=model, segments=40, diameter=0.02, modulus=2e9, density=7850.0, length=LENGTH, damping_time=0.05,  # type: ignore[arg-type]
        route=(End(), End(on="load", at=(SPAN, 0.0, 0.0))),
    )  # fmt: skip
    load = Body(mass=MASS, shape=Sphere(radius=0.5), position=(SPAN, 0.0, 0.0), collide=False)
    return Scene(bodies={"load": load}, joints={"rail": Slider(b="load", axis=(1.0, 0.0, 0.0))}, cables={"line": line})


def _swell(sim: Simulation) -> None:
    """A spring whose other end goes back and forth by 0.6 m in 12 s, and a damper."""
    x, v = float(sim.read("load.position[0]")), float(sim.read("load.velocity[0]"))
    sim.push("load", (2e4 * (SPAN + 0.6 * math.sin(2.0 * math.pi * sim.time / 12.0) - x) - 8e3 * v, 0.0, 0.0))


def _hoist() -> Scene:
    rope = Cable(
        model="auto", rope=RopeChoice(construction="6x36WS-IWRC", diameter=0.016, grade=1960), damping_time=0.02, tension=8e3 * G,
        route=(
            Winch(at=(-30.0, 0.0, 20.0), axis=(0.0, 1.0, 0.0), radius=0.3, turn="left", stored=50.0),
            Sheave(at=(-0.3, 0.0, 20.0), axis=(0.0, 1.0, 0.0), radius=0.3), End(on="load", at=(0.0, 0.0, 0.4)),
        ),
    )  # fmt: skip
    load = Body(mass=8e3, shape=Sphere(radius=0.4), collide=False)
    return Scene(bodies={"load": load}, cables={"line": rope})


def _landed(sim: Simulation) -> None:
    """The ground takes most of the load, slowly, and gives it back."""
    share = 0.9 * max(0.0, math.sin(2.0 * math.pi * (sim.time - 2.0) / 20.0)) if sim.time > 2.0 else 0.0
    sim.push("load", (0.0, 0.0, share * 8e3 * G))


class _Twice:
    """Runs a simulation; where a cable is to change its model, the next step is made without and with it."""

    def __init__(self, sim: Simulation, mass: float, drive: Callable[[Simulation], None]) -> None:
        self.sim, self._mass, self._drive = sim, mass, drive
        self._change, self.seen = sim.switch, []  # type: ignore[var-annotated]
        sim.switch = lambda models: None  # type: ignore[method-assign]

    def _state(self) -> tuple[float, float]:
        force, v = self.sim.read("line.force_on_load"), self.sim.read("load.velocity")
        return float(np.linalg.norm(force)), 0.5 * self._mass * float(v @ v)

    def step(self) -> None:
        """One step."""
        sim = self.sim
        self._drive(sim)
        models = wanted(sim.compiled, sim.work) if sim.steps % LOOK == 0 else dict(sim.compiled.choices)
        if models == dict(sim.compiled.choices):
            sim.run(1)
            return
        now, before = sim.snapshot(), sim.compiled.choices["line"]
        sim.run(1)
        without = self._state()
        sim.restore(now)
        self._change(models)
        sim.run(1)
        self.seen.append((before, models["line"], without, self._state()))


def _steps(name: str, run: _Twice, energy: float, models: str) -> Iterator[Item]:
    """Both ways, and the steps of tension and energy at the load."""
    ways = [(one, two) for one, two, _, _ in run.seen]
    both = bool(ways) and any((two, one) in ways for one, two in ways)
    yield below(
        f"segmented.auto.{name}.both_ways", float(not both), 0.5, unit="-", source="it changes at least once each way",
        reason="else nothing was tested", note=f"{models}; {len(ways)} changes",
    )  # fmt: skip
    if not run.seen:
        return
    tension = max(abs(after[0] - without[0]) / without[0] for _, _, without, after in run.seen)
    moved = max(abs(after[1] - without[1]) for _, _, without, after in run.seen) / energy
    yield below(
        f"segmented.auto.{name}.tension", tension, 0.01, unit="-", source="the next step without the change",
        reason="acceptance: 1 %", note="at the load",
    )  # fmt: skip
    yield below(
        f"segmented.auto.{name}.energy", moved, 0.01, unit="-", source="the next step without the change",
        reason="acceptance: 1 %", note="kinetic energy of the load beside its largest",
    )  # fmt: skip


def moored(lab: Lab) -> Iterator[Item]:
    """A line that goes slack and taut: layered, segmented, and back."""
    run = _Twice(lab.simulate(_moored("auto")), MASS, _swell)
    beside = lab.simulate(_moored("segmented"))
    pulls: list[tuple[float, float]] = []
    highest = 0.0
    for _ in range(lab.choose(1080, 2160)):
        run.step()
        _swell(beside)
        beside.run(1)
        sims = (run.sim, beside)
        pulls.append(tuple(float(np.linalg.norm(sim.read("line.force_on_load"))) for sim in sims))  # type: ignore[arg-type]
        highest = max(highest, run._state()[1])
    yield from _steps("moored", run, highest, "layered and segmented")
    ours, fine = np.array(pulls[600:]).T
    lab.plot(
        "Tension of a line that is a rope while it is taut, and segmented while it is slack", "time [s]", "tension at the load [N]",
        {"model: auto": (np.arange(len(pulls)) / 60.0, np.array(pulls)[:, 0]), "model: segmented": (np.arange(len(pulls)) / 60.0, np.array(pulls)[:, 1])},
    )  # fmt: skip
    yield close(
        "segmented.auto.moored.peak", ours.max(), fine.max(), 0.01, unit="N", source="segmented all the time",
        reason="what the models differ by at a sag of 0.05 of the span",
    )  # fmt: skip
    yield close(
        "segmented.auto.moored.slack", ours.min(), fine.min(), 0.05, unit="N", source="segmented all the time",
        reason="waves of the snatch before: they die out slowly, and differ",
    )  # fmt: skip
    left = abs(float(run.sim.read("energy.remainder"))) / (MASS * G * 1.0)
    yield below(
        "segmented.auto.moored.account", left, 1e-4, unit="M g m", source="energy account", reason="a change is booked as a loss",
    )  # fmt: skip


def hoisted(lab: Lab) -> Iterator[Item]:
    """A hoist whose load is set down and taken up: massless, layered, and back."""
    run = _Twice(lab.simulate(_hoist()), 8e3, _landed)
    highest = 1e-9
    for _ in range(lab.choose(960, 1440)):
        run.step()
        highest = max(highest, run._state()[1])
    yield from _steps("hoisted", run, highest, "massless and layered")
