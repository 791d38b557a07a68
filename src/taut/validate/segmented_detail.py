"""Segments that are merged and split while running: what an event costs, and what it spares on a long rope."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from typing import Any, Literal

import numpy as np

from taut.compile.held import held_energy
from taut.scene import Body, Cable, ControlMotion, End, PoseMotion, Scene, Sphere
from taut.simulation import Simulation
from taut.validate.item import Item, below, close, told
from taut.validate.lab import Lab, triple
from taut.validate.reference import G

Array = np.ndarray
Detail = Literal["fixed", "auto"]
SECTION: dict[str, Any] = {"diameter": math.sqrt(4e-4 / math.pi), "modulus": 200e9, "density": 7850.0}


def _dropped(load: float, length: float) -> Scene:
    """The upper end goes down faster than the load falls, to one side, and comes back: slack, bends and snatches."""
    s = np.linspace(0.0, 1.0, 21)
    s = s * s * (3.0 - 2.0 * s)
    times = [0.0, *(1.0 + np.linspace(0.0, 1.0, 21)), *(3.0 + np.linspace(0.0, 2.0, 21)), 60.0]
    way = [0.0, *s, *(1.0 - s), 0.0]
    path = tuple(triple((0.3 * length * w, 0.0, length - 0.4 * length * w)) for w in way)
    rope = Cable(
        model="segmented", segments=40, detail="auto", tension=load * G, damping_time=0.04, **SECTION,
        route=(End(on="top", at=(0.0, 0.0, length)), End(on="load", at=(0.0, 0.0, 0.0))),
    )  # fmt: skip
    top = Body(
        kind="kinematic", collide=False, shape=Sphere(radius=0.1),
        motion=PoseMotion(times=tuple(float(t) for t in times), positions=path),
    )  # fmt: skip
    bodies = {"top": top, "load": Body(mass=load, shape=Sphere(radius=0.3), collide=False)}
    return Scene(bodies=bodies, cables={"rope": rope})


class _Events:
    """Runs a simulation step by step and looks at it before and after segments are merged or split."""

    def __init__(self, sim: Simulation) -> None:
        self.sim, self.due, self.seen = sim, False, []  # type: ignore[var-annotated]
        self._change = sim._rearrange
        sim._rearrange = self._flag  # type: ignore[method-assign]

    def _flag(self) -> None:
        self.due = True

    def _state(self) -> tuple[Array, Array, float]:
        read = self.sim.read
        return (
            read("momentum.linear"),
            read("momentum.angular"),
            read("energy.mechanical") + held_energy(self.sim.compiled),
        )

    def step(self) -> None:
        """One step; where something is due, first as it would go on without, then with it."""
        sim = self.sim
        if not self.due:
            sim.run(1)
            return
        now, count, before = sim.snapshot(), sim.read("rope.segments"), self._state()
        self.due = False
        sim.run(1)
        without = float(sim.read("rope.tensions")[-1])
        sim.restore(now)
        self._change()
        after = self._state()
        self.due = False
        changed = sim.read("rope.segments") != count
        sim.run(1)
        if changed:
            step = float(sim.read("rope.tensions")[-1]) - without
            change = (after[0] - before[0], after[1] - before[1], after[2] - before[2])
            self.seen.append([*change, step, sim.read("rope.segments") - count])


def events(lab: Lab) -> Iterator[Item]:
    """Slack, bends and snatches: both momenta, energy and tension across every merge and split."""
    load, length = 1e3, 10.0
    sim = lab.simulate(_dropped(load, length))
    watched, counts = _Events(sim), []
    for _ in range(lab.choose(720, 1800)):
        watched.step()
        counts.append(sim.read("rope.segments"))
    merges, splits = (sum(1 for each in watched.seen if sign * each[4] > 0) for sign in (-1, 1))
    yield below(
        "segmented.detail.both_ways", float(merges < 2 or splits < 1), 0.5, unit="-", source="merges and splits happen",
        reason="else nothing was tested",
    )  # fmt: skip
    if not watched.seen:
        return
    linear, angular = (max(float(np.abs(each[k]).max()) for each in watched.seen) for k in (0, 1))
    energy = np.array([each[2] for each in watched.seen]) / (load * G * length)
    steps = np.abs([each[3] for each in watched.seen]) / (load * G)
    speed = math.sqrt(G * length)
    told_of = f"{merges} merges, {splits} splits; {min(counts):.0f} to {max(counts):.0f} segments"
    lab.plot(
        "Segments of a rope that goes slack, snatches and comes to rest", "time [s]", "segments",
        {"ours": (np.arange(len(counts)) * sim.dt, np.array(counts, float))},
    )  # fmt: skip
    yield below(
        "segmented.detail.momentum", linear / (load * speed), 1e-10, unit="M sqrt(g L)", source="conservation",
        reason="acceptance", note=told_of,
    )  # fmt: skip
    yield below(
        "segmented.detail.spin", angular / (load * speed * length), 1e-10, unit="M L sqrt(g L)", source="conservation",
        reason="acceptance",
    )  # fmt: skip
    yield below(
        "segmented.detail.gain", max(float(energy.max()), 0.0), 1e-9, unit="M g L", source="energy never up",
        reason="acceptance; round-off of M g L",
    )  # fmt: skip
    yield below(
        "segmented.detail.loss", max(float(-energy.min()), 0.0), 1e-4, unit="M g L", source="motion within merged segments",
        reason="acceptance",
    )  # fmt: skip
    yield below(
        "segmented.detail.tension", steps.max(), 0.01, unit="M g", source="the next step without the event",
        reason="acceptance: 1 %", note="at the load",
    )  # fmt: skip


def parting(lab: Lab) -> Iterator[Item]:
    """A load that is pulled down harder and harder: at which tension the rope parts, and how the load falls then."""
    load, length, strength, rate = 1e3, 10.0, 15e3, 1e3
    rope = Cable(
        model="segmented", segments=20, tension=load * G, damping_time=0.1, breaking_load=strength, **SECTION,
        route=(End(), End(on="load", at=(0.0, 0.0, -length))),
    )  # fmt: skip
    body = Body(mass=load, shape=Sphere(radius=0.3), position=(0.0, 0.0, -length), collide=False)
    sim = lab.simulate(Scene(bodies={"load": body}, cables={"rope": rope}))
    highest, pull, held = 0.0, 0.0, True
    for k in range(600):
        pull = -rate * k * sim.dt
        sim.push("load", (0.0, 0.0, pull))
        sim.run(1)
        held = "rope_joint_0" in sim.compiled.joints.first
        if not held:
            break
        highest = max(highest, float(sim.read("rope.tension")))
    yield close(
        "segmented.parting.tension", highest, strength, 3e-3, unit="N", source="breaking load",
        reason="the pull grows by 17 N in a step; the highest joint carries the weight of the rope as well",
    )  # fmt: skip
    first = float(sim.read("load.velocity[2]"))
    sim.run(30)
    mass = load + sim.read("rope.mass")
    yield close(
        "segmented.parting.fall", (float(sim.read("load.velocity[2]")) - first) / (30 * sim.dt), pull / mass - G, 0.02,
        unit="m/s^2", source="free fall with what pulls it and the rope that it takes along",
        reason="the stretched rope shortens as it falls: a few m/s of its few kilograms",
    )  # fmt: skip
    yield below(
        "segmented.parting.top", float(held), 0.5, unit="-", source="the joint with the largest tension lets go",
        reason="the first one carries all of the rope",
    )  # fmt: skip


def sliding(lab: Lab) -> Iterator[Item]:
    """A hand slides down a taut rope: it goes from segment to segment, and a straight rope does not feel it."""
    load, length, speed, n = 1e3, 10.0, 1.0, 40
    rope = Cable(
        model="segmented", segments=n, tension=load * G, damping_time=0.1, **SECTION,
        route=(End(), End(on="load", at=(0.0, 0.0, -length))),
    )  # fmt: skip
    bodies = {
        "hand": Body(kind="kinematic", collide=False, position=(0.0, 0.0, -2.0), motion=ControlMotion(), shape=Sphere(radius=0.05)),
        "load": Body(mass=load, shape=Sphere(radius=0.3), position=(0.0, 0.0, -length), collide=False),
    }  # fmt: skip
    sim = lab.simulate(Scene(bodies=bodies, cables={"rope": rope}))
    sim.run(120)
    grip = sim.attach("rope", s=2.0, body="hand", kind="slide")
    sim.controls["hand.velocity[2]"] = -speed
    worst, seen = 0.0, set()
    for _ in range(240):
        sim.run(1)
        seen.add(sim.compiled.grips[grip].a)
        worst = max(worst, abs(float(sim.read("rope.tensions")[-1]) / (load * G) - 1.0))
    yield close(
        "segmented.slide.way", (len(seen) - 1) * length / n, speed * 4.0, 0.07, unit="m", source="speed times 4 s",
        reason="told by the segments it has come through: a quarter of a metre each",
    )  # fmt: skip
    yield below(
        "segmented.slide.tension", worst, 1e-3, unit="M g", source="no friction along a straight rope",
        reason="what is left of laying it", note="largest change of the tension at the load",
    )  # fmt: skip


def _long(detail: Detail, side: float) -> Scene:
    """100 m with 10 t, from the side [m]."""
    load, length, segments = 1e4, 100.0, 100
    at = triple((side, 0.0, -math.sqrt(length**2 - side**2)))
    rope = Cable(
        model="segmented", segments=segments, detail=detail, tension=load * G * -at[2] / length, **SECTION,
        route=(End(), End(on="load", at=at)),
    )  # fmt: skip
    bodies = {"load": Body(mass=load, shape=Sphere(radius=0.5), position=at, collide=False)}
    return Scene(bodies=bodies, cables={"rope": rope})


def _frequency(signal: Array, dt: float) -> float:
    """From the first to the last upward crossing of its mean [Hz]."""
    x = signal - signal.mean()
    at = np.flatnonzero((x[:-1] < 0.0) & (x[1:] >= 0.0))
    crossings = at + x[at] / (x[at] - x[at + 1])
    return (len(crossings) - 1) / (crossings[-1] - crossings[0]) / dt if len(crossings) > 1 else math.nan


def long_rope(lab: Lab) -> Iterator[Item]:
    """A rope of 100 m with 10 t in 100 segments, and with as many as the step can show: swing, first wave, tension."""
    swing: dict[str, tuple[Array, Array]] = {}
    wave: dict[str, float] = {}
    counts: dict[str, float] = {}
    cost: dict[str, float] = {}
    for detail in ("fixed", "auto"):
        sim = lab.simulate(_long(detail, 10.0))
        sim.run(30)
        begun = time.process_time()
        sim.run(600)
        cost[detail] = time.process_time() - begun
        counts[detail] = float(sim.read("rope.segments"))
        sim.reset()
        seen = []
        for _ in range(lab.choose(1300, 2600)):
            sim.run(1)
            seen.append((sim.read("load.position[0]"), sim.read("rope.tensions")[-1]))
        place, pull = np.array(seen).T
        swing[detail] = place, pull
        wave[detail] = _first_wave(lab, detail)
    crossing = {d: _quarter(place) for d, (place, _) in swing.items()}
    yield below(
        "segmented.detail.count", counts["auto"] / counts["fixed"], 0.2, unit="-", source="segments that the step can show",
        reason="acceptance: a fifth", note=f"{counts['auto']:.0f} of {counts['fixed']:.0f}",
    )  # fmt: skip
    yield close(
        "segmented.detail.swing", crossing["auto"], crossing["fixed"], 0.01, unit="steps", source="100 segments",
        reason="acceptance: 1 %", note="time until it hangs straight down",
    )  # fmt: skip
    yield close(
        "segmented.detail.wave", wave["auto"], wave["fixed"], 0.01, unit="Hz", source="100 segments",
        reason="acceptance: 1 %", note="first transverse mode",
    )  # fmt: skip
    yield below(
        "segmented.detail.pull", np.abs(swing["auto"][1] / swing["fixed"][1] - 1.0).max(), 0.01, unit="-",
        source="100 segments", reason="acceptance: 1 %", note="tension at the load while it swings",
    )  # fmt: skip
    yield told(
        "segmented.detail.time", cost["auto"] / cost["fixed"], unit="-", source="600 steps with 100 segments",
        note="acceptance: a third; a ratio of two runs beside each other, not judged here",
    )  # fmt: skip


def _quarter(place: Array) -> float:
    """When it first hangs straight down [steps]."""
    at = int(np.flatnonzero((place[:-1] > 0.0) & (place[1:] <= 0.0))[0])
    return float(at + place[at] / (place[at] - place[at + 1]))


def _first_wave(lab: Lab, detail: Detail) -> float:
    """Frequency of the first transverse mode, plucked by 0.5 m/s [Hz]."""
    sim = lab.simulate(_long(detail, 0.0))
    sim.run(40)
    slots = np.array([sim.compiled.bodies.index[f"rope_{k}"] for k in range(100)])
    shape = np.sin(math.pi * (np.arange(100) + 0.5) / 100)
    along = math.pi / 100.0 * np.cos(math.pi * (np.arange(100) + 0.5) / 100)
    sim.state.body_vel[slots, 0] += 0.5 * shape
    # the cable hangs along -z: dx/ds = w_y times -1
    sim.state.body_vel[slots, 4] -= 0.5 * along
    hosts = slots[sim.compiled.bodies.dynamic[slots] == 1]
    sim.state.body_momentum[hosts, 1] = sim.compiled.bodies.inertia[hosts, 0] * sim.state.body_vel[hosts, 4]
    middle = []
    for _ in range(600):
        sim.run(1)
        middle.append(float(sim.state.body_pos[slots[49], 0]))
    return _frequency(np.array(middle), sim.dt)
