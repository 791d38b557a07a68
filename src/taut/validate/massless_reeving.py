"""Ropes over sheaves: lengths and wraps, falls, losses, Atwood's machine, the capstan, and rope that is neither made nor lost."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from taut.scene import Body, Box, Cable, End, Falls, Ring, Scene, Sheave, Slider, Traction, Winch
from taut.simulation import Simulation
from taut.validate import reference
from taut.validate.item import Item, below, close
from taut.validate.lab import Lab
from taut.validate.watch import watch

G = reference.G


def wrap_geometry(lab: Lab) -> Iterator[Item]:
    """Tangents and arcs against closed forms: a point, an open and a crossed belt, full turns, a fleet angle."""
    one, two, apart, axis = 0.4, 0.25, 3.0, (0.0, 1.0, 0.0)

    def measured(*sheaves: Sheave, start: tuple[float, float, float], end: tuple[float, float, float]) -> Simulation:
        bead = Body(kind="particle", mass=1.0, position=end)
        route: tuple[End | Sheave, ...] = (End(at=start), *sheaves, End(on="bead"))
        # without weight and slack nothing moves; the step forms the path anew
        sim = lab.simulate(Scene(gravity=0, bodies={"bead": bead}, cables={"rope": Cable(route=route)}))
        sim.run(1)
        return sim

    # up on one side, down on the other: half a turn
    sim = measured(Sheave(at=(0, 0, 0), axis=axis, radius=one), start=(-one, 0, -2), end=(one, 0, -5))
    cases = [("half_turn", sim, 7.0 + math.pi * one, {1: math.pi})]
    # from a point at distance d: sqrt(d^2 - R^2) and acos(R/d)
    sim = measured(Sheave(at=(0, 0, 0), axis=axis, radius=one, turn="left"), start=(-2, 0, 0), end=(one, 0, -3))
    wrap = math.pi - math.acos(one / 2.0)
    cases.append(("point", sim, math.sqrt(4.0 - one**2) + one * wrap + 3.0, {1: wrap}))
    sim = measured(
        Sheave(at=(0, 0, 0), axis=axis, radius=one, turn="left", wraps=3), start=(-2, 0, 0), end=(one, 0, -3)
    )
    turns = wrap + 6.0 * math.pi
    cases.append(("three_turns", sim, math.sqrt(4.0 - one**2) + one * turns + 3.0, {1: turns}))
    # an open belt leans by asin((R - r)/c), a crossed one by asin((R + r)/c)
    for name, sense, sign in (("open", "left", 1.0), ("crossed", "right", -1.0)):
        lean = math.asin((one - sign * two) / apart)
        wheels = (
            Sheave(at=(0, 0, 0), axis=axis, radius=one, turn="left"),
            Sheave(at=(apart, 0, 0), axis=axis, radius=two, turn=sense),  # type: ignore[arg-type]
        )
        sim = measured(*wheels, start=(-one, 0, -2), end=(apart + two, 0, -2.0 * sign))
        first, second = 0.5 * math.pi + lean, 0.5 * math.pi - sign * lean
        total = 4.0 + math.sqrt(apart**2 - (one - sign * two) ** 2) + one * first + two * second
        cases.append((name, sim, total, {1: first, 2: second}))
    # off the plane of the groove by b: the tangent point as seen along the axis, the span sqrt(d^2 - R^2 + b^2)
    sim = measured(Sheave(at=(0, 0, 0), axis=axis, radius=one, turn="left"), start=(-2, 0.4, 0), end=(one, -0.5, -3))
    cases.append(("fleet", sim, math.sqrt(4.0 - one**2 + 0.16) + one * wrap + math.sqrt(9.25), {1: wrap}))
    for name, sim, length, wraps in cases:
        yield below(
            f"massless.geometry.{name}.length", sim.read("rope.path") - length, 1e-10, unit="m", source="tangents and arcs", reason="round-off of Newton's method",
        )  # fmt: skip
        worst = max(abs(sim.read("rope.wraps")[k] - angle) for k, angle in wraps.items())
        yield below(
            f"massless.geometry.{name}.wrap", worst, 1e-10, unit="rad", source="angle of contact", reason="round-off of Newton's method",
        )  # fmt: skip


def hoist_scene(falls: int, stiffness: float | None, efficiency: float = 1.0, speed: float = 0.4) -> Scene:
    """A drum at the upper block, parallel falls, 8 t on the lower block, which is guided: sheaves with loss turn it along."""
    radius, mass, deep = 0.25, 8000.0, 30.0
    block = Body(shape=Box(size=(1.0, 1.0, 1.0)), mass=mass, position=(0, 0, -deep), collide=False)
    reeved = Falls(
        count=falls, lower="block", upper_at=(0, 0, 0), lower_at=(0, 0, -deep), axis=(0, 1, 0), radius=radius, efficiency=efficiency,
    )  # fmt: skip
    # the lead falls from the drum straight to the first lower sheave
    drum = Winch(at=(0, 0, 0), axis=(0, 1, 0), radius=radius, turn="left", speed=speed, acceleration=0.5, name="drum")
    rope = Cable(route=(drum, reeved), axial_stiffness=stiffness, damping_time=0.1 if stiffness else 0.0)
    return Scene(bodies={"block": block}, joints={"guide": Slider(b="block", axis=(0, 0, 1))}, cables={"rope": rope})


def falls(lab: Lab) -> Iterator[Item]:
    """2, 4 and 8 falls: tension m g / n, the block rises at v (1 + T/EA) / n."""
    weight, speed = 8000.0 * G, 0.4
    for n in (2, 4, 8):
        for name, stiffness in (("elastic", 2e7), ("rigid", None)):
            sim = lab.simulate(hoist_scene(n, stiffness))
            sim.run(1800)
            yield close(
                f"massless.falls.{n}.{name}.tension", sim.read("rope.tension"), weight / n, 1e-6, unit="N", source="T = m g / n, parallel falls",
                reason="steady hoisting; what is left of the start",
            )  # fmt: skip
            stretch = 1.0 + (weight / n / stiffness if stiffness else 0.0)
            yield close(
                f"massless.falls.{n}.{name}.speed", sim.read("block.velocity[2]"), speed * stretch / n, 1e-6, unit="m/s",
                source="v (1 + T/EA) / n", reason="steady hoisting; what is left of the start",
            )  # fmt: skip
            yield close(
                f"massless.falls.{n}.{name}.drum", sim.read("drum.power"), weight * speed / n, 1e-6, unit="W", source="P = T v", reason="one rope, one tension",
            )  # fmt: skip


def leaning_falls(lab: Lab) -> Iterator[Item]:
    """Falls at an angle: tension m g / sum cos alpha, speed v / sum cos alpha, with the angles of the moment."""
    weight, wide, deep = 2000.0 * G, 6.0, 10.0
    drum = Winch(at=(-wide, 0, 0), axis=(0, 1, 0), radius=0.01, turn="left", acceleration=0.5, name="drum")
    middle = (Ring(on="load"), Ring(at=(0, 0, 0)), Ring(on="load"))
    load = Body(kind="particle", mass=2000.0, position=(0, 0, -deep))
    rope = Cable(route=(drum, *middle, End(at=(wide, 0, 0))))
    sim = lab.simulate(Scene(bodies={"load": load}, cables={"rope": rope}))

    def cosines() -> float:
        x, z = sim.read("load.position[0]"), -sim.read("load.position[2]")
        # the drum's tangent lies its radius off the line to its centre
        far = math.hypot(x + wide, z)
        lead = math.atan2(z, x + wide) + math.asin(0.01 / far)
        return math.sin(lead) + 2.0 * z / math.hypot(x, z) + z / math.hypot(x - wide, z)

    sim.run(1800)
    yield close(
        "massless.falls.leaning.tension", sim.read("rope.tension"), weight / cosines(), 1e-6, unit="N", source="T = m g / sum cos alpha",
        reason="at rest; falls of 31 degrees and two upright", note=f"sum of cosines {cosines():.4f}",
    )  # fmt: skip
    sim.controls["drum.speed"] = 0.3
    sim.run(240)
    before = cosines()
    sim.run(1)
    yield close(
        "massless.falls.leaning.speed", sim.read("load.velocity[2]"), 0.3 / before, 1e-4, unit="m/s", source="v / sum cos alpha",
        reason="the angles turn within the step, and the load sways by the drum's radius",
    )  # fmt: skip


def lead_line(lab: Lab) -> Iterator[Item]:
    """Pull of the lead line with sheaves of efficiency e, hoisting and lowering, as in rope handbooks."""
    e, weight = 0.96, 8000.0 * G
    for n in (2, 4, 8):
        for name, speed, factor in (("hoist", 0.4, e), ("lower", -0.4, 1.0 / e)):
            sim = lab.simulate(hoist_scene(n, 2e7, e, speed))
            sim.run(1800)
            theory = weight * (1.0 - factor) / (1.0 - factor**n)
            yield close(
                f"massless.lead_line.{n}.{name}", sim.read("drum.pull"), theory, 1e-6, unit="N",
                source="P = W (1 - e)/(1 - e^n); e becomes 1/e when lowering", reason="steady; what is left of the start",
            )  # fmt: skip
            pulls = sim.read("rope.tensions")
            yield below(
                f"massless.lead_line.{n}.{name}.falls", np.abs(pulls[1:] / pulls[:-1] / factor - 1.0).max(), 1e-9, unit="-",
                source="each sheave takes its part", reason="the limit follows the tensions of the same step to 1e-10",
            )  # fmt: skip


def _atwood(m1: float, m2: float, **sheave: object) -> Scene:
    radius = 0.3
    bodies = {
        "one": Body(kind="particle", mass=m1, position=(-radius, 0, -4)),
        "two": Body(kind="particle", mass=m2, position=(radius, 0, -4)),
    }
    wheel = Sheave(at=(0, 0, 0), axis=(0, 1, 0), radius=radius, **sheave)  # type: ignore[arg-type]
    return Scene(bodies=bodies, cables={"rope": Cable(route=(End(on="one"), wheel, End(on="two")))})


def atwood(lab: Lab) -> Iterator[Item]:
    """Two weights over a sheave: plain, with inertia, with losses, on a bollard; moving and stuck."""
    radius, m1, m2 = 0.3, 10.0, 7.0
    grip = math.exp(0.1 * math.pi)
    cases: tuple[tuple[str, dict[str, object], float, str], ...] = (
        ("plain", {}, G * (m1 - m2) / (m1 + m2), "a = g (m1 - m2)/(m1 + m2)"),
        ("inertia", {"inertia": 0.9}, G * (m1 - m2) / (m1 + m2 + 0.9 / radius**2), "a = g (m1 - m2)/(m1 + m2 + I/R^2)"),
        ("efficiency", {"efficiency": 0.9}, G * (0.9 * m1 - m2) / (0.9 * m1 + m2), "T2 = e T1"),
        ("bearing", {"bearing_loss": 12.0}, (G * (m1 - m2) - 12.0) / (m1 + m2), "T1 - T2 = loss"),
        ("bollard", {"fixed": True, "friction": 0.1}, G * (m1 - grip * m2) / (m1 + grip * m2), "T1 = T2 exp(mu pi)"),
    )
    for name, sheave, theory, source in cases:
        sim = lab.simulate(_atwood(m1, m2, **sheave))
        seen = watch(sim, 1.0, {"v": "two.velocity[2]"})
        yield close(
            f"massless.atwood.{name}", float(np.polyfit(seen.time[2:], seen["v"][2:], 1)[0]), theory, 1e-3, unit="m/s^2", source=source,
            reason="0.1 %: constant forces, but for the mass of 0.1 g that flows along",
        )  # fmt: skip
    stuck: tuple[tuple[str, dict[str, object]], ...] = (
        ("efficiency", {"efficiency": 0.69}), ("bollard", {"fixed": True, "friction": 0.12}),
    )  # fmt: skip
    for name, sheave in stuck:
        sim = lab.simulate(_atwood(m1, m2, **sheave))
        sim.run(300)
        yield below(
            f"massless.atwood.stuck.{name}", sim.read("two.velocity[2]"), 1e-9, unit="m/s", source="m2/m1 above the limit: it sticks", reason="held by a rigid row",
        )  # fmt: skip
        pulls = np.asarray(sim.read("rope.tensions")) / G
        yield below(
            f"massless.atwood.stuck.{name}.tension", np.abs(pulls - [m1, m2]).max(), 1e-6, unit="kg", source="T = m g on both sides", reason="statics is exact",
        )  # fmt: skip


def capstan(lab: Lab) -> Iterator[Item]:
    """Euler and Eytelwein over the true wrap: turns about a bollard, and the traction sheave of a lift at its limit."""
    for turns, mu in ((0, 0.2), (2, 0.15), (4, 0.15), (3, 6.3 / (7.0 * math.pi)), (4, 12.6 / (9.0 * math.pi))):
        wrap = math.pi + 2.0 * math.pi * turns
        name, ratio = f"massless.capstan.{mu * wrap:.2f}", math.exp(mu * wrap)
        for side, load in (("slips", 1.01), ("holds", 0.99)):
            light = 1.0
            bollard = Sheave(at=(0, 0, 0), axis=(0, 1, 0), radius=0.2, wraps=turns, friction=mu, fixed=True)
            bodies = {
                "heavy": Body(kind="particle", mass=load * light * ratio, position=(-0.2, 0, -3)),
                "light": Body(kind="particle", mass=light, position=(0.2, 0, -3)),
            }
            rope = Cable(route=(End(on="heavy"), bollard, End(on="light")))
            sim = lab.simulate(Scene(bodies=bodies, cables={"rope": rope}))
            sim.run(30)
            if side == "holds":
                yield below(
                    f"{name}.holds", sim.read("light.velocity[2]"), 1e-9, unit="m/s", source="1 % below exp(mu theta): it holds", reason="held by a rigid row",
                )  # fmt: skip
                continue
            one, two = sim.read("rope.tensions")
            yield below(
                name, one / two / ratio - 1.0, 1e-6, unit="-", source="T1/T2 = exp(mu theta)", reason="limit and tension of the same step; error relative to the low side",
                note=f"ratio {ratio:.4g}",
            )  # fmt: skip
            theory = G * (load - 1.0) / (load + 1.0)
            yield close(
                f"{name}.acceleration", sim.read("light.velocity[2]") / sim.time, theory, 1e-3, unit="m/s^2", source="a = g (m1 - r m2)/(m1 + r m2)",
                reason="0.1 %: constant forces, but for the mass of 0.1 g that flows along",
            )  # fmt: skip
    yield from _two_bollards(lab)
    mu, car = 0.12, 1200.0
    most = car * math.exp(mu * math.pi)
    for other, slips in ((0.99 * most, False), (1.05 * most, True)):
        drive = Traction(at=(0, 0, 0), axis=(0, 1, 0), radius=0.3, friction=mu, name="drive")
        bodies = {
            "car": Body(kind="particle", mass=car, position=(-0.3, 0, -20)),
            "weight": Body(kind="particle", mass=other, position=(0.3, 0, -20)),
        }
        rope = Cable(route=(End(on="car"), drive, End(on="weight")))
        sim = lab.simulate(Scene(bodies=bodies, cables={"rope": rope}))
        sim.run(60)
        ratio = math.exp(mu * math.pi)
        theory = G * (other - ratio * car) / (other + ratio * car) if slips else 0.0
        if slips:
            yield close(
                "massless.traction.slips", sim.read("car.velocity[2]"), theory * sim.time, 1e-3, unit="m/s", source="T1 = T2 exp(mu pi) while it slips",
                reason="constant forces",
            )  # fmt: skip
        else:
            yield below(
                "massless.traction.holds", sim.read("car.velocity[2]"), 1e-9, unit="m/s", source="below exp(mu pi)", reason="held by a rigid row",
            )  # fmt: skip


def _two_bollards(lab: Lab) -> Iterator[Item]:
    """Two bollards one after the other multiply: both slip, both limits are met at once."""
    mu, light = 0.3, 20.0
    first, second = (
        Sheave(at=(x, 0, 0), axis=(0, 1, 0), radius=0.2, friction=mu, fixed=True, turn="left") for x in (0.0, 1.0)
    )
    ratio = math.exp(mu * math.pi)
    bodies = {
        "heavy": Body(kind="particle", mass=1.05 * light * ratio, position=(-0.2, 0, -3)),
        "light": Body(kind="particle", mass=light, position=(1.2, 0, -3)),
    }
    sim = lab.simulate(
        Scene(bodies=bodies, cables={"rope": Cable(route=(End(on="heavy"), first, second, End(on="light")))})
    )
    sim.run(30)
    pulls = np.asarray(sim.read("rope.tensions"))
    worst = float(np.abs(pulls[:-1] / pulls[1:] / math.exp(0.5 * mu * math.pi) - 1.0).max())
    yield below(
        "massless.capstan.two", worst, 1e-6, unit="-", source="exp(mu pi/2) at each of two bollards", reason="limits and tensions of the same step",
    )  # fmt: skip


def length_account(lab: Lab) -> Iterator[Item]:
    """Up and down for an hour over sheaves that hold back: what leaves the drum is between the parts, to a nanometre."""
    radius, deep = 0.25, 30.0
    block = Body(shape=Box(size=(1, 1, 1)), mass=3000.0, position=(0, 0, -deep - 2.0), collide=False)
    reeved = Falls(count=4, lower="block", upper_at=(0, 0, 0), lower_at=(0, 0, -deep), axis=(0, 1, 0), radius=radius, spacing=0.05, efficiency=0.97)  # fmt: skip
    drum = Winch(
        at=(0, -0.025, 0), axis=(0, 1, 0), radius=radius, turn="left", acceleration=0.5, name="drum", stored=150.0
    )
    rope = Cable(route=(drum, reeved), axial_stiffness=2e7, damping_time=0.1)
    sim = lab.simulate(Scene(bodies={"block": block}, cables={"rope": rope}))
    start = sim.read("rope.rope_out")
    worst = 0.0
    for _ in range(lab.choose(10, 60)):
        for speed in (1.2, 0.0, -1.2, 0.0):
            sim.controls["drum.speed"] = speed
            sim.run(1600 if speed else 200)
        wound = radius * sim.read("drum.drum_angle")
        worst = max(worst, abs(sim.read("rope.rope_out") + wound - start))
    seconds = sim.time
    yield below(
        "massless.length.kept", worst, 1e-9, unit="m", source="spans + arcs + drum", reason="round-off of adding the flow of each step",
        note=f"{seconds / 60.0:.0f} minutes of hoisting and lowering, 3 sheaves that hold back",
    )  # fmt: skip
    pulls, lengths = np.asarray(sim.read("rope.tensions")), np.asarray(sim.read("rope.lengths"))
    stretched = float((lengths * (1.0 + pulls / 2e7)).sum())
    yield below(
        "massless.length.path", sim.read("rope.path") - stretched, 1e-6, unit="m", source="path = sum of L (1 + T/EA)", reason="at rest, what is left of the last stop",
    )  # fmt: skip
