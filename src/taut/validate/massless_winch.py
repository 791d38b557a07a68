"""The winch: speed under load, force and brake limits, delay, emergency stop, end stops, cut-outs, and layers on its drum."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from taut.scene import Body, Cable, DriveCurve, End, Scene, Winch
from taut.simulation import Simulation
from taut.validate import reference
from taut.validate.item import Item, below, between, close
from taut.validate.lab import Lab
from taut.validate.watch import watch

G, MASS = reference.G, 1500.0
WEIGHT = MASS * G
DEEP, RADIUS = 20.0, 0.3


def winch_scene(stiffness: float | None = None, mass: float = MASS, **winch: Any) -> Scene:
    """A load of 1.5 t, 20 m under a drum of 0.3 m."""
    given = {"acceleration": 2.0, **winch}
    drum = Winch(at=(-RADIUS, 0, 0), axis=(0, 1, 0), radius=RADIUS, turn="left", name="drum", **given)
    load = Body(kind="particle", mass=mass, position=(0, 0, -DEEP))
    rope = Cable(
        route=(drum, End(on="load")), axial_stiffness=stiffness, damping_time=0.05 if stiffness else 0.0,
        tension=mass * G if stiffness else None,
    )  # fmt: skip
    return Scene(bodies={"load": load}, cables={"rope": rope})


def _run(lab: Lab, seconds: float, speed: float | None = None, scene: Scene | None = None, **winch: Any) -> Simulation:
    sim = lab.simulate(scene or winch_scene(**winch))
    if speed is not None:
        sim.controls["drum.speed"] = speed
    sim.run(round(seconds * 60))
    return sim


def winch_speed(lab: Lab) -> Iterator[Item]:
    """Speed is held under load, whatever the load; it is reached along its ramp."""
    for name, mass in (("light", 1.0), ("heavy", 1e5)):
        sim = _run(lab, 3.0, 0.8, mass=mass)
        yield close(
            f"massless.winch.speed.{name}", sim.read("load.velocity[2]"), 0.8, 1e-9, unit="m/s", source="v = target", reason="a rigid row",
        )  # fmt: skip
        yield close(
            f"massless.winch.pull.{name}", sim.read("drum.pull"), mass * G, 1e-6, unit="N", source="T = m g at constant speed", reason="statics is exact",
        )  # fmt: skip
    sim = lab.simulate(winch_scene(acceleration=0.25))
    sim.controls["drum.speed"] = 0.8
    seen = watch(
        sim, 2.0, {"v": "load.velocity[2]", "pull": "drum.pull", "power": "drum.power", "line": "drum.line_speed"}
    )
    rise = float(np.polyfit(seen.time[5:], seen["v"][5:], 1)[0])
    yield close(
        "massless.winch.ramp", rise, 0.25, 1e-6, unit="m/s^2", source="v = a t", reason="the ramp of the control: exact steps",
    )  # fmt: skip
    yield close(
        "massless.winch.ramp.pull", float(seen["pull"][5:].mean()), MASS * (G + 0.25), 1e-6, unit="N", source="T = m (g + a)", reason="constant forces",
    )  # fmt: skip
    yield close(
        "massless.winch.power", seen["power"][-1], seen["pull"][-1] * seen["v"][-1], 1e-6, unit="W", source="P = T v", reason="a rigid rope",
    )  # fmt: skip


def winch_limits(lab: Lab) -> Iterator[Item]:
    """At its force limit it stalls and gives way; above the weight it accelerates with what is left."""
    sim = _run(lab, 1.0, 0.5, force=0.6 * WEIGHT)
    yield close(
        "massless.winch.stall", sim.read("drum.pull"), 0.6 * WEIGHT, 1e-6, unit="N", source="T = limit", reason="held at its limit, less 0.1 g that flows along",
    )  # fmt: skip
    yield close(
        "massless.winch.stall.sinks", sim.read("load.velocity[2]"), -0.4 * G * 1.0, 1e-6, unit="m/s", source="a = F/m - g", reason="constant force",
    )  # fmt: skip
    yield between(
        "massless.winch.stall.signal", sim.read("drum.slipping_signal"), 0.99, 1.01, unit="-", theory=1.0, source="it says that it gives way", reason="0 or 1",
    )  # fmt: skip
    sim = lab.simulate(winch_scene(force=1.3 * WEIGHT, acceleration=50.0, most_speed=10.0))
    sim.controls["drum.speed"] = 3.0
    seen = watch(sim, 2.0, {"v": "load.velocity[2]", "pull": "drum.pull"})
    rising = (seen["v"] > 0.2) & (seen["v"] < 2.8)
    yield close(
        "massless.winch.force.acceleration", float(np.polyfit(seen.time[rising], seen["v"][rising], 1)[0]), 0.3 * G, 1e-5, unit="m/s^2",
        source="a = F/m - g", reason="constant force, 0.1 g that flows along",
    )  # fmt: skip
    yield close(
        "massless.winch.force.speed", seen["v"][-1], 3.0, 1e-6, unit="m/s", source="then v = target", reason="a rigid row",
    )  # fmt: skip
    curve = (DriveCurve(speed=0.0, force=2.0 * WEIGHT), DriveCurve(speed=2.0, force=0.5 * WEIGHT))
    for speed, holds in ((1.2, True), (1.5, False)):
        sim = _run(lab, 3.0, speed, curve=curve, acceleration=0.5)
        if holds:
            yield close(
                "massless.winch.curve.lifts", sim.read("load.velocity[2]"), speed, 1e-6, unit="m/s", source="1.1 m g at 1.2 m/s: it lifts",
                reason="a rigid row",
            )  # fmt: skip
        else:
            most = (2.0 - 1.5 * speed / 2.0) * WEIGHT
            yield close(
                "massless.winch.curve.stalls", sim.read("drum.pull"), most, 1e-6, unit="N", source="0.875 m g at 1.5 m/s: it does not",
                reason="held at its limit",
            )  # fmt: skip


def winch_brake(lab: Lab) -> Iterator[Item]:
    """The brake holds to its limit and slips above; it closes after its delay; an emergency stop falls until then."""
    sim = _run(lab, 5.0, 0.0, brake=1.05 * WEIGHT)
    yield below(
        "massless.brake.holds", sim.read("load.velocity[2]"), 1e-9, unit="m/s", source="m g below the brake", reason="a rigid row",
    )  # fmt: skip
    yield close(
        "massless.brake.pull", sim.read("drum.pull"), WEIGHT, 1e-9, unit="N", source="T = m g, not the limit", reason="statics is exact",
    )  # fmt: skip
    sim = _run(lab, 1.0, 0.0, brake=0.9 * WEIGHT)
    yield close(
        "massless.brake.slips", sim.read("load.velocity[2]"), -0.1 * G, 1e-6, unit="m/s", source="a = F/m - g", reason="constant force",
    )  # fmt: skip
    delay, brake = 0.4, 2.0
    sim = lab.simulate(winch_scene(brake=brake * WEIGHT, brake_delay=delay))
    sim.controls["drum.speed"] = -1.0
    sim.run(120)
    sim.controls["drum.emergency"] = 1.0
    seen = watch(sim, 4.0, {"v": "load.velocity[2]", "z": "load.position[2]", "pull": "drum.pull", "mode": "drum.mode"})
    yield close(
        "massless.brake.emergency.speed", float(seen["v"].min()), -(1.0 + G * delay), 1e-4, unit="m/s", source="free fall until the brake closes: v + g t",
        reason="in the step in which it closes the brake has its part of the impulse",
    )  # fmt: skip
    fall = 1.0 * delay + 0.5 * G * delay**2
    fast = 1.0 + G * delay
    way = fall + fast**2 / (2.0 * G * (brake - 1.0))
    start = -DEEP - (1.0 * 2.0 - 0.5 * 1.0**2 / 2.0)
    yield close(
        "massless.brake.emergency.way", start - seen["z"][-1], way, 1e-3, unit="m", source="v t + g t^2/2 + v^2/(2 (F/m - g))", reason="fall in steps of 1/60 s",
    )  # fmt: skip
    slowing = (seen.time - seen.time[0] > delay + 0.1) & (seen["v"] < -0.5)
    yield close(
        "massless.brake.emergency.pull", float(seen["pull"][slowing].mean()), brake * WEIGHT, 1e-6, unit="N", source="T = brake while it slips", reason="held at its limit",
    )  # fmt: skip
    yield below(
        "massless.brake.emergency.rest", seen["v"][-1], 1e-9, unit="m/s", source="it stops and holds", reason="a rigid row",
    )  # fmt: skip
    sim = lab.simulate(winch_scene(brake=brake * WEIGHT, brake_delay=delay, acceleration=10.0))
    sim.controls["drum.speed"] = 1.0
    sim.run(60)
    sim.controls["drum.speed"] = 0.0
    seen = watch(sim, 2.0, {"mode": "drum.mode", "v": "load.velocity[2]"})
    closes = float(seen.time[np.flatnonzero(seen["mode"] > 1.5)[0]] - seen.time[np.flatnonzero(seen["mode"] > 0.5)[0]])
    yield close(
        "massless.brake.delay", closes, delay, 6e-2, unit="s", source="stops, then holds after the delay", reason="whole steps of 1/60 s",
    )  # fmt: skip
    sim = _run(lab, 1.0, 0.0, brake=2.0 * WEIGHT)
    sim.controls["drum.brake_fault"] = 1.0
    sim.run(60)
    yield close(
        "massless.brake.fault", sim.read("load.velocity[2]"), -G, 1e-5, unit="m/s", source="free fall", reason="0.1 g that flows along",
    )  # fmt: skip


def winch_stops(lab: Lab) -> Iterator[Item]:
    """End stops by rope out, overload cut-out, slack-rope switch; the way back stays open."""
    for name, speed, limits in (("upper", 1.0, {"upper_limit": 17.0}), ("lower", -1.0, {"lower_limit": 23.0})):
        sim = lab.simulate(winch_scene(**limits))
        sim.controls["drum.speed"] = speed
        seen = watch(sim, 8.0, {"out": "rope.rope_out", "pull": "drum.pull", "v": "load.velocity[2]"})
        limit = 17.0 if speed > 0.0 else 23.0
        yield close(
            f"massless.stop.{name}", seen["out"][-1], limit, 1e-6, unit="m", source="stops at the limit", reason="slows down to reach it exactly",
        )  # fmt: skip
        beyond = (limit - seen["out"].min()) if speed > 0.0 else (seen["out"].max() - limit)
        yield below(
            f"massless.stop.{name}.beyond", max(0.0, float(beyond)), 1e-9, unit="m", source="never beyond", reason="no faster than the way that is left",
        )  # fmt: skip
        fastest = float(np.abs(seen["pull"] / MASS - G).max())
        yield between(
            f"massless.stop.{name}.slowing", fastest, 1.9, 4.1, unit="m/s^2", theory=2.0, source="slows down along its ramp",
            reason="its last steps take the way that is left, up to twice as hard",
        )  # fmt: skip
        sim.controls["drum.speed"] = -speed
        sim.run(120)
        yield close(
            f"massless.stop.{name}.back", sim.read("load.velocity[2]"), -speed, 1e-6, unit="m/s", source="the way back is open", reason="a rigid row",
        )  # fmt: skip
    sim = _run(lab, 4.0, 1.0, overload=0.95 * WEIGHT, stiffness=3e6)
    yield below(
        "massless.stop.overload", sim.read("rope.rope_out") - DEEP / (1.0 + WEIGHT / 3e6), 1e-3, unit="m", source="does not lift above its cut-out", reason="no rope taken in",
    )  # fmt: skip
    yield between(
        "massless.stop.overload.signal", sim.read("drum.overload_signal"), 0.99, 1.01, unit="-", theory=1.0, source="it says so", reason="0 or 1",
    )  # fmt: skip


def drum_layers(lab: Lab) -> Iterator[Item]:
    """Rope winds up in layers: torque T ds/dtheta, a smooth radius, the tension does not step."""
    turns, rise = 5.0, 0.02
    first = 2.0 * math.pi * RADIUS * turns
    sim = lab.simulate(winch_scene(3e6, stored=0.6 * first, layer_turns=turns, layer_rise=rise, most_speed=0.5))
    sim.run(60)
    sim.controls["drum.speed"] = 0.5
    seen = watch(
        sim, 32.0,
        {"out": "rope.rope_out", "angle": "drum.drum_angle", "torque": "drum.drum_torque", "pull": "drum.pull"},
    )  # fmt: skip
    steady = seen.time > 4.0
    wound = -np.diff(seen["out"])
    turned = np.diff(seen["angle"])
    middle = steady[1:]
    arm = (seen["torque"] / seen["pull"])[1:]
    yield below(
        "massless.drum.torque", np.abs(arm[middle] * turned[middle] / wound[middle] - 1.0).max(), 6e-4, unit="-", source="M = T ds/dtheta",
        reason="the radius climbs 0.02 m in a turn of 230 steps, at most 1.5 times as fast: 4e-4 of it in a step",
    )  # fmt: skip
    lab.plot(
        "Drum with layers", "rope wound since the start [m]", "radius [m]",
        {"ours": (seen["out"][0] - seen["out"], seen["torque"] / seen["pull"])},
    )  # fmt: skip
    yield close(
        "massless.drum.first", float((seen["torque"] / seen["pull"])[0]), RADIUS, 1e-9, unit="m", source="first layer: R", reason="constant there",
    )  # fmt: skip
    yield close(
        "massless.drum.third", float((seen["torque"] / seen["pull"])[-1]), RADIUS + 2.0 * rise, 1e-9, unit="m", source="third layer: R + 2 rise", reason="constant there",
    )  # fmt: skip
    yield below(
        "massless.drum.step", float(np.abs(seen["pull"][steady] / WEIGHT - 1.0).max()), 1e-2, unit="-", source="the tension does not step at the change of layer",
        reason="1 %", note="the drive holds the speed of the rope, the drum turns slower",
    )  # fmt: skip
