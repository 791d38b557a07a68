"""Starts and changes while running: as laid, with a tension, just lifted; cut, parted, hooked on and off. Nothing else jumps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from taut.measure import ropes
from taut.scene import Body, Box, Cable, End, Falls, Plane, Scene, Winch
from taut.validate import reference
from taut.validate.item import Item, below, between, close
from taut.validate.lab import Lab
from taut.validate.watch import watch

G = reference.G
MASS, STIFFNESS = 2000.0, 1e7


def _hoist(load: tuple[float, float, float], **cable: Any) -> Scene:
    """Two tonnes on four falls."""
    bodies = {
        "ground": Body(kind="static", shape=Plane()),
        "load": Body(shape=Box(size=(1, 1, 1)), mass=MASS, position=load),
    }
    x, y, z = load
    drum = Winch(at=(x, y - 0.05, 8), axis=(0, 1, 0), turn="left", radius=0.2, name="drum")
    falls = Falls(
        count=4, lower="load", upper_at=(x, y, 8), lower_at=(x, y, z + 0.9), axis=(0, 1, 0), radius=0.2, spacing=0.1
    )
    rope = Cable(**{"route": (drum, falls), "axial_stiffness": STIFFNESS, "damping_time": 0.02, **cable})
    return Scene(bodies=bodies, cables={"hoist": rope})


def starts(lab: Lab) -> Iterator[Item]:
    """Three starts of a hoist with four falls: what is said is so in the first step, and stays so."""
    probes = {"pull": "hoist.tension", "z": "load.position[2]", "ground": "contact.force", "out": "hoist.rope_out"}
    # as laid, on the ground: taut without tension, and nothing happens
    sim = lab.simulate(_hoist((0.0, 0.0, 0.5)))
    path = ropes.path_length(sim, "hoist")
    yield close(
        "massless.start.laid", sim.read("hoist.rope_out"), path, 1e-12, unit="m", source="unstretched length = path", reason="as laid",
    )  # fmt: skip
    seen = watch(sim, 5.0, probes)
    yield below(
        "massless.start.laid.pull", float(seen["pull"].max()) / (MASS * G), 1e-3, unit="-", source="no tension, of the weight", reason="the ground gives way by micrometres",
    )  # fmt: skip
    yield below(
        "massless.start.laid.moves", float(np.abs(seen["z"] - 0.5).max()), 1e-4, unit="m", source="nothing moves", reason="as above",
    )  # fmt: skip
    # with a tension that takes a part of the weight off the ground
    sim = lab.simulate(_hoist((0.0, 0.0, 0.5), tension=1500.0))
    seen = watch(sim, 5.0, probes)
    yield below(
        "massless.start.tension", float(np.abs(seen["pull"] - 1500.0).max()) / 1500.0, 2e-2, unit="-", source="the tension given, from the first step on",
        reason="the falls lean a little, so that the load turns by a hair",
    )  # fmt: skip
    yield close(
        "massless.start.tension.ground", float(seen["ground"][-1]), MASS * G - 4.0 * 1500.0, 1e-2, unit="N", source="m g - 4 T on the ground", reason="as above",
    )  # fmt: skip
    # in the air, lifted: it hangs
    sim = lab.simulate(_hoist((0.0, 0.0, 2.5), lifted=True))
    seen = watch(sim, 5.0, probes)
    yield close(
        "massless.start.lifted", float(seen["pull"][0]), MASS * G / 4.0, 2e-3, unit="N", source="m g/4 in the first step", reason="the falls lean a little",
    )  # fmt: skip
    yield below(
        "massless.start.lifted.jumps", float(np.abs(np.diff(seen["pull"])).max()) / (MASS * G / 4.0), 2e-3, unit="-", source="and no jump after it", reason="it settles under its blocks",
    )  # fmt: skip
    yield below(
        "massless.start.lifted.moves", float(np.abs(seen["z"] - 2.5).max()), 1e-3, unit="m", source="it hangs where it is", reason="as above",
    )  # fmt: skip


def changes(lab: Lab) -> Iterator[Item]:
    """A rope that is cut, tied again, or parts: the load falls, is held where it is, and its neighbour feels only physics."""
    bodies = {
        "left": Body(kind="particle", mass=100.0, position=(-2, 0, -5)),
        "right": Body(kind="particle", mass=100.0, position=(2, 0, -5)),
    }
    cables = {
        f"{name}_rope": Cable(
            route=(End(at=(x, 0, 0)), End(on=name)), axial_stiffness=1e6, damping_time=0.05, lifted=True
        )
        for name, x in (("left", -2.0), ("right", 2.0))
    }
    sim = lab.simulate(Scene(bodies=bodies, cables=cables))
    sim.run(60)
    sim.cut("left_rope")
    sim.run(30)
    yield close(
        "massless.cut.falls", sim.read("left.velocity[2]"), -0.5 * G, 1e-9, unit="m/s", source="v = -g t from the step after the cut", reason="nothing holds it",
    )  # fmt: skip
    yield below(
        "massless.cut.other", (sim.read("right_rope.tension") - 100.0 * G) / (100.0 * G), 1e-9, unit="-", source="the other rope does not notice", reason="nothing connects them",
    )  # fmt: skip
    fallen = sim.read("left.position[2]")
    speed = abs(sim.read("left.velocity[2]"))
    sim.tie("left_rope")
    seen = watch(sim, 5.0, {"z": "left.position[2]", "pull": "left_rope.tension", "other": "right_rope.tension"})
    stretch = 100.0 * G * abs(fallen) / 1e6 + speed * float(np.sqrt(100.0 * abs(fallen) / 1e6))
    yield between(
        "massless.tie.holds", fallen - float(seen["z"].min()), 0.5 * stretch, 1.1 * stretch, unit="m", theory=stretch,
        source="tied where it is: m g L/EA + v sqrt(m L/EA) further", reason="less what its damping of 0.05 s takes",
    )  # fmt: skip
    yield close(
        "massless.tie.rest", float(seen["pull"][-1]), 100.0 * G, 1e-3, unit="N", source="then it carries m g", reason="what is left of the bounce",
    )  # fmt: skip
    yield below(
        "massless.tie.other", float(np.abs(seen["other"] / (100.0 * G) - 1.0).max()), 1e-9, unit="-", source="the other rope does not notice", reason="nothing connects them",
    )  # fmt: skip
    # two ropes share a load; one parts at its breaking load
    bar = Body(shape=Box(size=(4, 0.2, 0.2)), mass=400.0, position=(0, 0, -5), collide=False)
    pair = {
        name: Cable(
            route=(End(at=(x, 0, 0)), End(on="bar", at=(x, 0, -5))), axial_stiffness=2e6, damping_time=0.05, lifted=True,
            breaking_load=load,
        )
        for name, x, load in (("weak", -1.5, 2200.0), ("strong", 1.5, 50e3))
    }  # fmt: skip
    sim = lab.simulate(Scene(bodies={"bar": bar}, cables=pair))
    sim.run(120)
    yield close(
        "massless.break.holds", sim.read("weak.tension"), 200.0 * G, 1e-6, unit="N", source="below its breaking load it holds", reason="at rest",
    )  # fmt: skip
    sim.push("bar", (0.0, 0.0, -600.0))
    sim.run(60)
    yield below(
        "massless.break.parts", sim.read("weak.tension"), 1e-12, unit="N", source="above it is gone, for good", reason="no tension",
    )  # fmt: skip
    yield below(
        "massless.break.other", 1.0 if sim.read("strong.tension") <= 0.0 else 0.0, 0.5, unit="-", source="the other still carries", reason="0 or 1",
    )  # fmt: skip


def pick_up(lab: Lab) -> Iterator[Item]:
    """A hook takes a load within its reach, not beyond, without a jerk, and lets go of it."""
    scene = Scene(
        bodies={
            "ground": Body(kind="static", shape=Plane()),
            "hook": Body(shape=Box(size=(0.3, 0.3, 0.3)), mass=100.0, position=(0, 0, 3.0), collide=False),
            "load": Body(shape=Box(size=(1, 1, 1)), mass=500.0, position=(0, 0, 0.5)),
        },
        cables={
            "hoist": Cable(
                route=(Winch(at=(-0.3, 0, 10), axis=(0, 1, 0), radius=0.3, turn="left", name="drum"), End(on="hook", at=(0, 0, 3.15))),
                axial_stiffness=3e6, damping_time=0.05, lifted=True,
            ),
            "grab": Cable(
                route=(End(on="hook", at=(0, 0, 2.85)), End(on="load", at=(0, 0, 1.0))), axial_stiffness=3e6, damping_time=0.05,
                length=0.3, attached=False, reach=0.5,
            ),
        },
    )  # fmt: skip
    sim = lab.simulate(scene)
    sim.controls["grab.hook"] = 1.0
    sim.run(30)
    yield below(
        "massless.hook.far", sim.read("grab.tension"), 1e-12, unit="N", source="1.85 m away: beyond 0.3 m + 0.5 m of reach", reason="it stays off",
    )  # fmt: skip
    sim.controls["grab.hook"], sim.controls["drum.speed"] = 0.0, -0.5
    sim.run(round(60 * (1.25 / 0.5 + 0.5)))
    sim.controls["drum.speed"] = 0.0
    sim.run(120)
    sim.controls["grab.hook"] = 1.0
    seen = watch(sim, 1.0, {"pull": "grab.tension", "hoist": "hoist.tension"})
    yield below(
        "massless.hook.jerk", float(np.abs(seen["hoist"] / (100.0 * G) - 1.0).max()), 1e-2, unit="-", source="it takes what it reaches without a jerk", reason="of the weight of the hook",
    )  # fmt: skip
    sim.controls["drum.speed"] = 0.5
    sim.run(240)
    sim.controls["drum.speed"] = 0.0
    sim.run(240)
    yield close(
        "massless.hook.lifts", sim.read("grab.tension"), 500.0 * G, 1e-2, unit="N", source="then it carries the load", reason="what is left of the bounce",
    )  # fmt: skip
    yield below(
        "massless.hook.ground", sim.read("contact.force"), 1e-9, unit="N", source="off the ground", reason="nothing touches",
    )  # fmt: skip
    sim.controls["grab.hook"] = 0.0
    sim.run(6)
    yield close(
        "massless.hook.lets_go", sim.read("load.velocity[2]"), -0.1 * G, 5e-2, unit="m/s", source="let go, it falls: v = -g t", reason="what it had of a bounce",
    )  # fmt: skip
