"""Twist where it is hard: ropes that go slack while they are twisted, and laid ropes, whose twist and stretch are one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from taut.scene import Body, Box, Cable, Cylinder, End, Scene
from taut.scenes import open_scene
from taut.validate import reference
from taut.validate.item import Item, below, close
from taut.validate.lab import Lab
from taut.validate.watch import watch

G = reference.G


def twist_slack(lab: Lab) -> Iterator[Item]:
    """Small boxes of Fig. 9 thrown up, so that their rope goes slack and they tumble: energy is only ever lost.

    A box that turns over against the end of its rope comes near the one pose in which twist is not defined.
    """
    thrown = "small_1.velocity=[2, 2, 6]", "small_1.spin=[1, 2, 3]"
    for name, stiffness in (("soft", "80 N m^2"), ("stiff", "800 N m^2")):
        scene = open_scene("paper0_demo", [*thrown, f"pulley.torsional_stiffness={stiffness}"])
        sim = lab.simulate(scene)
        seen = watch(
            sim,
            lab.choose(60.0, 300.0),
            {"energy": "energy.mechanical", "pull": "pulley.tension", "twist": "pulley.twist"},
        )
        mean = np.convolve(seen["energy"], np.full(20, 0.05), "valid") - sim.start_energy
        yield below(
            f"massless.twist.slack.{name}", max(0.0, float(mean.max())) / 1500.0 if seen.lost is None else 1.0, 1e-2,
            unit="-", source="energy, as a mean of a second, never rises above the start, of 1500 J", reason="ripple of steps of 0.05 s",
            note=f"slack in {int((seen['pull'] <= 0.0).sum())} of {len(seen.time)} steps, twist up to {np.abs(seen['twist']).max():.1f} rad",
        )  # fmt: skip


def laid_rope(lab: Lab) -> Iterator[Item]:
    """A rope that unlays under load: turn of a free load, torque of a held one, and energy through slack and back."""
    stiffness, torsion, lay, length, mass = 4e5, 30.0, 4e-3, 10.0, 200.0
    rope: dict[str, Any] = {"axial_stiffness": stiffness, "torsional_stiffness": torsion, "lay_torque": lay}
    disc = Cylinder(radius=0.5, length=0.2)
    load = Body(shape=disc, mass=mass, position=(0, 0, -length - 0.1), collide=False)
    route = (End(), End(on="load", at=(0, 0, -length)))
    # free to turn: M = 0, so k EA e + GJ c = 0 and T = (EA - k^2 EA^2/GJ) e
    sim = lab.simulate(Scene(bodies={"load": load}, cables={"rope": Cable(route=route, damping_time=2.0, **rope)}))
    sim.run(60 * 120)
    soft = stiffness - (lay * stiffness) ** 2 / torsion
    strain = mass * G / soft
    yield close(
        "massless.laid.stretch", -0.1 - length - sim.read("load.position[2]"), strain * length, 1e-4, unit="m", source="T L/(EA - k^2 EA^2/GJ)", reason="at rest",
    )  # fmt: skip
    yield close(
        "massless.laid.turn", abs(sim.read("rope.twist")), lay * stiffness * strain * length / torsion, 1e-4, unit="rad", source="k EA e L/GJ", reason="at rest",
    )  # fmt: skip
    # held: both ends still, the torque of the lay alone
    block = Body(shape=Box(size=(1, 1, 1)), mass=1e9, position=(0, 0, -length - 0.5), collide=False)
    held = Cable(route=(End(), End(on="block", at=(0, 0, -length))), tension=mass * G, **rope)
    sim = lab.simulate(Scene(gravity=0, bodies={"block": block}, cables={"rope": held}))
    sim.run(1)
    yield close(
        "massless.laid.torque", abs(sim.read("rope.twist_torque")), lay * mass * G, 1e-6, unit="N m", source="M = k T where it cannot turn", reason="from the first step on",
    )  # fmt: skip
    yield close(
        "massless.laid.held", sim.read("rope.tension"), mass * G, 1e-6, unit="N", source="T = EA e there", reason="from the first step on",
    )  # fmt: skip
    # thrown up, slack, caught again, over and over
    thrown = load.model_copy(update={"velocity": (0.0, 0.0, 2.0), "spin": (0.0, 0.0, 1.0)})
    sim = lab.simulate(
        Scene(dt=1 / 240, bodies={"load": thrown}, cables={"rope": Cable(route=route, tension=mass * G, **rope)})
    )
    sim.run(1)
    start, left = sim.read("energy.mechanical"), sim.read("energy.remainder")
    seen = watch(sim, 20.0, {"energy": "energy.mechanical", "pull": "rope.tension"})
    scale = 0.5 * mass * 4.0 + 0.5 * (0.5 * mass * 0.25)
    yield below(
        "massless.laid.slack", max(0.0, float((seen["energy"] - start).max())) / scale, 1e-2, unit="-", source="energy never rises, through slack and back",
        reason="ripple of the step", note=f"slack in {int((seen['pull'] <= 0.0).sum())} of {len(seen.time)} steps; throw {scale:.0f} J",
    )  # fmt: skip
    yield below(
        "massless.laid.account", (sim.read("energy.remainder") - left) / scale, 1e-6, unit="-", source="the account closes", reason="round-off; the first step begins half a step before its velocity",
    )  # fmt: skip
