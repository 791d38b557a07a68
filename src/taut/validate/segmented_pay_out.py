"""A steel rope with 10 t that is paid out and reeled in at its upper end, at 60 steps a second."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from taut.scene import Body, Cable, End, PayOut, Scene, Sphere
from taut.validate.item import Item, below
from taut.validate.lab import Lab
from taut.validate.reference import G

LENGTH, LOAD, SPEED, RAMP = 10.0, 1e4, 1.0, 0.5


def winched_rope() -> Scene:
    """Hanging straight down, with as much again to come out."""
    pull = LOAD * G
    rope = Cable(
        model="segmented", segments=20, diameter=math.sqrt(4e-4 / math.pi), modulus=200e9, density=7850.0, tension=pull,
        damping_time=0.05,
        route=(End(pay_out=PayOut(stored=LENGTH, acceleration=RAMP)), End(on="load", at=(0.0, 0.0, -LENGTH))),
    )  # fmt: skip
    load = Body(mass=LOAD, shape=Sphere(radius=0.3), position=(0.0, 0.0, -LENGTH), collide=False)
    return Scene(bodies={"load": load}, cables={"rope": rope})


def pay_out(lab: Lab) -> Iterator[Item]:
    """6 s out and 6 s in at 1 m/s: what is out weighs what it should, and its segments come and go without a trace."""
    sim = lab.simulate(winched_rope())
    line, h, curves = sim.scene.cables["rope"].line_mass(), sim.dt, {}
    sim.run(60)
    worst, missed, worst_change = 0.0, 0.0, 0.0
    momentum = float(sim.read("momentum.linear")[2])
    for name, speed in (("out", SPEED), ("in", -SPEED)):
        sim.controls["rope.pay"] = speed
        pulls, events, count = [], [], int(sim.read("rope.segments"))
        for step in range(360):
            mass, length = sim.read("rope.mass"), sim.read("rope.length")
            worst = max(worst, abs(mass / (line * length) - 1.0))
            sim.run(1)
            tensions = sim.read("rope.tensions")
            # rope that came in has the speed of the rope below
            entered = line * (sim.read("rope.length") - length)
            momentum += h * (float(tensions[0]) - (LOAD + mass) * G) + entered * _speed_of_rope(sim)
            pulls.append(float(tensions[-1]))
            now = int(sim.read("rope.segments"))
            if now != count:
                events.append(step)
            count = now
        missed = max(missed, abs(float(sim.read("momentum.linear")[2]) - momentum))
        pull = np.array(pulls)
        steady = pull[300:]
        change = np.abs(np.diff(pull)) / pull[:-1]
        worst_change = max(worst_change, *(change[max(k - 1, 0) : k + 2].max() for k in events))
        curves[f"ours, {name}"] = (np.arange(360) * h, pull / (LOAD * G))
        yield below(
            f"segmented.pay_out.ripple.{name}", np.abs(steady / (LOAD * G) - 1.0).max(), 0.02, unit="M g",
            source="a load at constant speed hangs at its weight", reason="acceptance: 2 %",
            note=f"last second of six; {len(events)} segments came or went",
        )  # fmt: skip
    lab.plot("Rope paid out and reeled in at 1 m/s: tension at the load", "time [s]", "tension / M g", curves)
    yield below(
        "segmented.pay_out.mass", worst, 1e-9, unit="-", source="mass = m' L", reason="acceptance",
        note="largest relative error",
    )  # fmt: skip
    yield below(
        "segmented.pay_out.event", worst_change, 0.01, unit="-", source="no jump where a segment comes or goes",
        reason="acceptance for splitting and merging: 1 %", note="largest change of the tension at the load in such a step",
    )  # fmt: skip
    yield below(
        "segmented.pay_out.momentum", missed / (LOAD * SPEED), 1e-6, unit="M w", source="d(m v) = (F - m g) dt + v dm",
        reason="v is read after a segment was taken in: a strain rate of 1e-6 m/s",
    )  # fmt: skip
    yield below(
        "segmented.pay_out.energy", abs(sim.read("energy.remainder")) / (LOAD * G * LENGTH), 1e-9, unit="M g L",
        source="account of the winch", reason="round-off: along a straight rope all rows are linear",
    )  # fmt: skip


def _speed_of_rope(sim: object) -> float:
    """Of the segment that is paid out, upwards [m/s]."""
    state, model = sim.state, sim.model  # type: ignore[attr-defined]
    return float(state.body_vel[model.feed_int[0, 2], 2])
