"""The machine around the rope: going to a position, two-block, load moment, traverse of the drum, and the rope's own weight."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from taut.measure import ropes
from taut.scene import Body, Box, Cable, End, Falls, Hinge, Scene, Sheave, Winch
from taut.scene.parts import LoadMoment, RatedLoad, TwoBlock
from taut.validate import reference
from taut.validate.item import Item, below, between, close
from taut.validate.lab import Lab
from taut.validate.massless_winch import winch_scene
from taut.validate.watch import watch

G = reference.G
Y = (0.0, 1.0, 0.0)


def winch_position(lab: Lab) -> Iterator[Item]:
    """To a length of rope out along its ramps: a trapezium of speed, there to a micrometre, and the way back from half-way."""
    way, speed, ramp = 6.0, 1.0, 0.5
    sim = lab.simulate(winch_scene(mode="position", most_speed=speed, acceleration=ramp))
    sim.run(30)
    sim.controls["drum.position"] = 20.0 - way
    seen = watch(sim, 10.0, {"out": "rope.rope_out", "v": "load.velocity[2]", "pull": "drum.pull", "mode": "drum.mode"})
    yield below(
        "massless.position.reached", seen["out"][-1] - (20.0 - way), 1e-6, unit="m", source="there", reason="nearer than a micrometre it stops",
    )  # fmt: skip
    yield below(
        "massless.position.beyond", max(0.0, 20.0 - way - float(seen["out"].min())), 1e-6, unit="m", source="never beyond", reason="as above",
    )  # fmt: skip
    taken = float(seen.time[np.flatnonzero(np.abs(seen["out"] - (20.0 - way)) > 1e-6)[-1]] - seen.time[0]) + 1.0 / 60.0
    yield close(
        "massless.position.time", taken, way / speed + speed / ramp, 1e-2, unit="s", source="s/v + v/a", reason="whole steps: one or two of 1/60 s",
    )  # fmt: skip
    hardest = float(np.abs(seen["pull"] / 1500.0 - G).max())
    yield close(
        "massless.position.ramp", hardest, ramp, 1e-3, unit="m/s^2", source="never beyond its ramp", reason="a rigid rope: its acceleration is the ramp's",
    )  # fmt: skip
    yield between(
        "massless.position.holds", seen["mode"][-1], 1.99, 2.01, unit="-", theory=2.0, source="there, the brake closes", reason="a code",
    )  # fmt: skip
    sim.controls["drum.position"] = 20.0
    sim.run(150)
    sim.controls["drum.position"] = 20.0 - way
    seen = watch(sim, 10.0, {"out": "rope.rope_out", "v": "load.velocity[2]"})
    yield below(
        "massless.position.back", seen["out"][-1] - (20.0 - way), 1e-6, unit="m", source="told to turn at full speed, it comes back", reason="as above",
    )  # fmt: skip
    yield below(
        "massless.position.back.ramp", float(np.abs(np.diff(seen["v"])).max()) * 60.0, 1.001 * ramp, unit="m/s^2", source="along its ramp", reason="as above",
    )  # fmt: skip


def _boom_scene(**winch: Any) -> Scene:
    """A load of 3 t under a jib that a second winch lets out: a trolley of rope, 12 m above the ground."""
    hoist = Winch(
        on="boom", at=(0.3, 0, 0), axis=Y, radius=0.3, turn="left", name="hoist", acceleration=0.5, most_speed=1.0, **winch,
    )  # fmt: skip
    luff = Winch(
        at=(-3, 0, 6), axis=Y, radius=0.3, turn="right", name="luff", acceleration=0.2, most_speed=0.5, guard="hoist"
    )
    boom = Body(shape=Box(size=(10, 0.5, 0.5)), mass=1000.0, position=(5, 0, 0), collide=False)
    block = Body(shape=Box(size=(0.5, 0.5, 0.5)), mass=3000.0, position=(9, 0, -8.3), collide=False)
    falls = Falls(count=2, upper="boom", lower="block", upper_at=(9.3, 0, 0), lower_at=(9.0, 0, -8), axis=Y, radius=0.3)
    tip = Sheave(on="boom", at=(9.0, 0, 0.0), axis=Y, radius=0.3)
    cables = {
        "hoist_rope": Cable(route=(hoist, tip, falls), axial_stiffness=3e7, damping_time=0.1, lifted=True),
        "luff_rope": Cable(
            route=(luff, End(on="boom", at=(9.5, 0, 0.3))), axial_stiffness=6e7, damping_time=0.1, lifted=True
        ),
    }
    foot = Hinge(b="boom", at=(0, 0, 0), axis=(0, -1, 0))
    return Scene(bodies={"boom": boom, "block": block}, joints={"foot": foot}, cables=cables)


def two_block(lab: Lab) -> Iterator[Item]:
    """Hoisted up to the sheaves it stops at its clearance, slowly; lowering stays open, and a boom is not let out."""
    sim = lab.simulate(_boom_scene(two_block=TwoBlock(block="block", clearance=1.5)))
    sim.controls["hoist.speed"] = 1.0
    seen = watch(sim, 40.0, {"gap": "hoist.clearance", "on": "hoist.two_block_signal", "line": "hoist.line_speed"})
    yield close(
        "massless.two_block.stops", seen["gap"][-1], 1.5, 2e-2, unit="m", source="stops at the clearance", reason="what swings moves it by a centimetre or two",
    )  # fmt: skip
    first = int(np.argmax(seen["on"] > 0.5))
    yield between(
        "massless.two_block.signal", float(seen["on"][-1]), 0.99, 1.01, unit="-", theory=1.0, source="it says so", reason="0 or 1",
    )  # fmt: skip
    yield below(
        "massless.two_block.gently", seen["line"][max(first - 1, 0)], 0.035, unit="m/s", source="it has slowed down before", reason="from 1 m/s",
    )  # fmt: skip
    sim.controls["hoist.speed"], sim.controls["luff.speed"] = 0.0, -0.3
    sim.run(120)
    yield below(
        "massless.two_block.guards", sim.read("luff.line_speed"), 1e-9, unit="m/s", source="the boom is not let out", reason="a rigid row",
    )  # fmt: skip
    sim.controls["luff.speed"], sim.controls["hoist.speed"] = 0.0, -0.5
    sim.run(180)
    yield close(
        "massless.two_block.lowers", sim.read("hoist.line_speed"), -0.5, 1e-9, unit="m/s", source="lowering stays open", reason="a rigid row",
    )  # fmt: skip
    yield below(
        "massless.two_block.off", sim.read("hoist.two_block_signal"), 5e-3, unit="-", source="then the signal is off", reason="0 or 1",
    )  # fmt: skip


def load_moment(lab: Lab) -> Iterator[Item]:
    """Load and radius against the table: it warns, then neither hoists nor lets the boom out; hauling it in stays open."""
    table = (
        RatedLoad(radius=4.0, load=8000.0),
        RatedLoad(radius=9.0, load=3400.0),
        RatedLoad(radius=10.0, load=2800.0),
    )
    scene = _boom_scene(load_moment=LoadMoment(block="block", table=table))
    # the boom raised: a shorter rope would take long to haul
    sim = lab.simulate(scene)
    sim.run(240)
    yield close(
        "massless.moment.load", sim.read("hoist.hook_load"), 3000.0 * G, 1e-3, unit="N", source="m g at rest", reason="what is left of a bounce",
    )  # fmt: skip
    # over a swing of the load, which never quite rests
    names = {
        "share": "hoist.load_share",
        "r": "hoist.load_radius",
        "warns": "hoist.load_warning_signal",
        "stops": "hoist.load_moment_signal",
    }
    readings: dict[str, str | Callable[[Any], Any]] = {
        **names,
        "x": lambda s: math.hypot(*s.read("block.position")[:2]),
    }
    seen = watch(sim, 2.0 * math.pi * math.sqrt(8.3 / G), readings)
    yield close(
        "massless.moment.radius", float(seen["r"].mean()), float(seen["x"].mean()), 2e-4, unit="m", source="horizontal distance of the load at rest", reason="mean over a swing of the load",
    )  # fmt: skip
    yield below(
        "massless.moment.steady", float(np.abs(seen["r"] - seen["x"].mean()).max()), 3e-3, unit="m", source="a swing of the load does not change it", reason=f"the load goes {np.ptp(seen['x']):.1f} m to and fro",
    )  # fmt: skip
    rated = np.interp(seen["r"], [4.0, 9.0, 10.0], [8000.0, 3400.0, 2800.0])
    yield close(
        "massless.moment.share", float(seen["share"].mean()), float((3000.0 / rated).mean()), 2e-3, unit="-", source="load over the table's, straight lines",
        reason="means over a swing; the share follows within a quarter of a second",
    )  # fmt: skip
    expected = (seen["share"] > 0.9).astype(float)
    yield below(
        "massless.moment.warns", float(np.abs(seen["warns"][1:] - expected[:-1]).max() + seen["stops"].max()), 0.01, unit="-", source="warns above 90 %, does not stop below 100 %",
        reason="0 or 1, a step later", note=f"at {100.0 * float(seen['share'].mean()):.0f} %",
    )  # fmt: skip
    heavy = scene.model_copy(
        update={"bodies": {**scene.bodies, "block": scene.bodies["block"].model_copy(update={"mass": 3600.0})}}
    )
    sim = lab.simulate(heavy)
    sim.run(120)
    out = sim.read("hoist_rope.rope_out")
    sim.controls["hoist.speed"], sim.controls["luff.speed"] = 0.5, -0.3
    sim.run(180)
    yield between(
        "massless.moment.signal", sim.read("hoist.load_moment_signal") * sim.read("luff.load_moment_signal"), 0.99, 1.01, unit="-", theory=1.0,
        source="above it both winches say so", reason="0 or 1",
    )  # fmt: skip
    yield below(
        "massless.moment.hoists", sim.read("hoist_rope.rope_out") - out, 1e-9, unit="m", source="it does not hoist", reason="a rigid row",
    )  # fmt: skip
    yield below(
        "massless.moment.guards", sim.read("luff.line_speed"), 1e-9, unit="m/s", source="nor is the boom let out", reason="a rigid row",
    )  # fmt: skip
    sim.controls["hoist.speed"], sim.controls["luff.speed"] = 0.0, 0.3
    sim.run(120)
    yield close(
        "massless.moment.in", sim.read("luff.line_speed"), 0.3, 1e-9, unit="m/s", source="hauling the boom in stays open", reason="a rigid row",
    )  # fmt: skip


def drum_traverse(lab: Lab) -> Iterator[Item]:
    """Turn beside turn, to and fro with the layers: the way along the drum, the fleet angle, and a pull without steps."""
    turns, rise, pitch, radius, far = 4.0, 0.03, 0.05, 0.3, 6.0
    drum = Winch(
        at=(0, 0, 0), axis=Y, radius=radius, turn="left", name="drum", acceleration=0.5, stored=0.3, layer_turns=turns,
        layer_rise=rise, pitch=pitch,
    )  # fmt: skip
    wheel = Sheave(at=(far, 0.5 * turns * pitch, 0), axis=Y, radius=radius)
    load = Body(kind="particle", mass=1500.0, position=(far + radius, 0.5 * turns * pitch, -40))
    sim = lab.simulate(Scene(bodies={"load": load}, cables={"rope": Cable(route=(drum, wheel, End(on="load")))}))
    sim.controls["drum.speed"] = 1.0
    seen = watch(
        sim, 24.0,
        {"out": lambda s: ropes.rope_out(s, "rope"), "way": "drum.traverse", "fleet": "drum.fleet_angle", "pull": "drum.pull", "v": "load.velocity[2]"},
    )  # fmt: skip
    wound = 0.3 + seen["out"][0] - seen["out"]
    first = 2.0 * math.pi * radius * turns
    inside = (wound > 1.5) & (wound < first * (1.0 - 0.5 / turns) - 0.1)
    slope = float(np.polyfit(wound[inside], seen["way"][inside], 1)[0])
    yield close(
        "massless.traverse.pitch", slope, pitch / (2.0 * math.pi * radius), 1e-9, unit="-", source="a pitch per turn", reason="a straight line",
    )  # fmt: skip
    start = pitch * 0.3 / (2.0 * math.pi * radius)
    yield close(
        "massless.traverse.width", float(seen["way"].max()) + start, (turns - 0.25) * pitch, 1e-3, unit="m", source="turns back at the flange, a quarter of a pitch rounded off",
        reason="whole steps",
    )  # fmt: skip
    aside = 0.5 * turns * pitch - seen["way"]
    # both wheels are of one size: the run is as long as their axes are apart
    theory = np.arctan2(aside, far)
    yield below(
        "massless.traverse.fleet", float(np.abs(seen["fleet"] - theory).max()), 1e-9, unit="rad", source="tan b = (way to the wheel's plane)/distance",
        reason="both as the step began",
    )  # fmt: skip
    lab.plot(
        "Traverse of a drum with layers", "rope wound [m]", "fleet angle [rad]", {"ours": (wound, seen["fleet"]), "theory": (wound, theory)},
    )  # fmt: skip
    steady = seen.time > 4.0
    yield below(
        "massless.traverse.pull", float(np.abs(seen["pull"][steady] / (1500.0 * G) - 1.0).max()), 1e-3, unit="-", source="the pull does not step where it turns back",
        reason="the way is smooth (C1): its acceleration is 1e-4 of the speed squared by metre",
    )  # fmt: skip
    account = (
        sim.read("energy.motors") - sim.read("energy.dissipated") - sim.read("energy.mechanical") + sim.start_energy
    )
    yield below(
        "massless.traverse.energy", (account - sim.read("energy.geometric")) / sim.read("energy.motors"), 1e-6, unit="-", source="work of the drum = energy of the load",
        reason="the account is closed row by row",
    )  # fmt: skip
    yield below(
        "massless.traverse.loss", sim.read("energy.dissipated") / sim.read("energy.motors"), 1e-5, unit="-", source="nothing is lost", reason="steps of a rigid rope",
    )  # fmt: skip


def rope_weight(lab: Lab) -> Iterator[Item]:
    """The weight of a massless rope: tension rises with height, on every side of every part; Atwood's machine runs away."""
    density, deep, mass = 2.5, 60.0, 400.0
    load = Body(kind="particle", mass=mass, position=(0, 0, -deep))
    sim = lab.simulate(
        Scene(
            bodies={"load": load},
            cables={"rope": Cable(route=(End(), End(on="load")), mass_per_length=density, weight=True)},
        )
    )
    sim.run(30)
    sides = np.asarray(sim.read("rope.sides"))
    yield close(
        "massless.weight.bottom", sides[2], mass * G, 1e-9, unit="N", source="T = m g below", reason="statics is exact",
    )  # fmt: skip
    yield close(
        "massless.weight.top", sides[1], (mass + density * deep) * G, 1e-9, unit="N", source="T = (m + m' L) g above", reason="statics is exact",
    )  # fmt: skip
    stiffness = 4e6
    stretched = Cable(
        route=(End(), End(on="load")), mass_per_length=density, weight=True, axial_stiffness=stiffness, damping_time=0.3
    )
    sim = lab.simulate(Scene(bodies={"load": load}, cables={"rope": stretched}))
    sim.run(1200)
    yield close(
        "massless.weight.stretch", -deep - sim.read("load.position[2]"), (mass + 0.5 * density * deep) * G * deep / stiffness, 1e-6, unit="m",
        source="(m + m' L/2) g L/EA", reason="at rest",
    )  # fmt: skip
    # winch below, sheave above, load: the pull at the winch is less by the height of the sheave over it
    high, radius = 30.0, 0.3
    drum = Winch(at=(-8, 0, 0), axis=Y, radius=radius, turn="left", name="drum")
    wheel = Sheave(at=(0, 0, high), axis=Y, radius=radius)
    load = Body(kind="particle", mass=mass, position=(radius, 0, 10))
    rope = Cable(route=(drum, wheel, End(on="load")), mass_per_length=density, weight=True)
    sim = lab.simulate(Scene(bodies={"load": load}, cables={"rope": rope}))
    sim.run(30)
    leads_off = float(ropes.polyline(sim, "rope")[0][2])
    yield close(
        "massless.weight.winch", sim.read("drum.pull"), (mass + density * (leads_off - 10.0)) * G, 1e-9, unit="N", source="T = m g + m' g (z_drum - z_load)",
        reason="statics is exact",
    )  # fmt: skip
    for name, inertia in (("plain", 0.0), ("inertia", 0.4)):
        one, two, rise = 50.0, 60.0, 20.0
        bodies = {
            "one": Body(kind="particle", mass=one, position=(-radius, 0, -30)),
            "two": Body(kind="particle", mass=two, position=(radius, 0, rise - 30)),
        }
        wheel = Sheave(at=(0, 0, 0), axis=Y, radius=radius, inertia=inertia)
        rope = Cable(route=(End(on="one"), wheel, End(on="two")), mass_per_length=1.5, weight=True)
        sim = lab.simulate(Scene(bodies=bodies, cables={"rope": rope}))
        seen = watch(sim, 2.0, {"v": "one.velocity[2]", "lost": "energy.dissipated", "e": "energy.mechanical"})
        # (m1 + m2 + I/R^2) x'' = (m1 - m2 + m' (rise + 2 x)) g: x grows like cosh(k t)
        total = one + two + inertia / radius**2
        k = math.sqrt(2.0 * 1.5 * G / total)
        speed = (one - two + 1.5 * rise) * G / (total * k) * math.sinh(k * 2.0)
        yield close(
            f"massless.weight.atwood.{name}", -seen["v"][-1], speed, 1e-4, unit="m/s", source="x' = A k sinh k t: the heavier side draws on",
            reason="(k h)^2/24 of a step of 1/60 s, and 0.1 g that flows along",
        )  # fmt: skip
        yield below(
            f"massless.weight.energy.{name}", float(np.abs(seen["e"] + seen["lost"] - sim.start_energy).max()) / (total * G), 1e-5, unit="m",
            source="energy is kept", reason="round-off, as a height of all that moves",
        )  # fmt: skip
