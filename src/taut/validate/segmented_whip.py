"""A rope that is let go straight out falls, whips and swings: is its energy accounted for?"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from taut.core.codes import GENERAL, NEEDLE
from taut.scene import Cable, End, Scene
from taut.scene.parts import Free
from taut.validate.item import Item, below, told
from taut.validate.lab import Lab
from taut.validate.reference import G
from taut.validate.watch import watch

LENGTH, LINE = 2.0, 0.3


def limp_rope(dt: float) -> Scene:
    """Held at one end, straight out: 20 segments, stiff along, limp across."""
    rope = Cable(
        model="segmented", segments=20, diameter=0.02, mass_per_length=LINE, axial_stiffness=5e4, bending_stiffness=2e-3,
        torsional_stiffness=2e-3, damping_time=0.02, route=(End(at=(0, 0, LENGTH)), Free(at=(LENGTH, 0, LENGTH))),
    )  # fmt: skip
    return Scene(cables={"rope": rope}, dt=dt)


def whip(lab: Lab) -> Iterator[Item]:
    """What the steps gain or lose, beside the energy that the rope has to lose; segments turn by radians in a step."""
    scale, curves, worst = LINE * LENGTH * G * 0.5 * LENGTH, {}, []
    for rate in (60, 120, 240):
        sim = lab.simulate(limp_rope(1.0 / rate))
        seen = watch(sim, 3.0, {"remainder": "energy.remainder"})
        curves[f"ours, 1/{rate} s"] = (seen.time, seen["remainder"] / scale)
        worst.append(float(np.abs(seen["remainder"]).max()) / scale)
    curves["theory"] = (seen.time, 0.0 * seen.time)
    lab.plot(
        "A rope let go straight out: energy that is not accounted for", "time [s]", "remainder / (m g L/2)", curves
    )
    yield below(
        "segmented.whip.account", worst[0], 1e-2, unit="m g L/2", source="conservation of energy",
        reason="1 % of what falls; what segments make that turn by the exponential map is told below",
        note=f"1/60 s; {worst[1]:.1e} at 1/120 s, {worst[2]:.1e} at 1/240 s",
    )  # fmt: skip
    sim = lab.simulate(limp_rope(1.0 / 60.0))
    sim.model.body_rotor[sim.model.body_rotor >= NEEDLE] = GENERAL
    made = float(np.abs(watch(sim, 3.0, {"remainder": "energy.remainder"})["remainder"]).max()) / scale
    yield told(
        "segmented.whip.exponential", made, unit="m g L/2", source="conservation of energy",
        note="segments that turn by the exponential map, as bodies do, at 1/60 s: stretch that is not there, and no energy kept",
    )  # fmt: skip
