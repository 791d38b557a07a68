"""Segmented cables in motion: modes of hanging chain and cantilever, what geometric stiffness costs, elastic pendulum."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal

import numpy as np

from taut.scene import Body, Cable, End, Scene, SolverSettings, Sphere
from taut.scene.parts import Free
from taut.validate import segmented_reference as reference
from taut.validate.item import Item, below, close
from taut.validate.lab import Lab, triple
from taut.validate.reference import period
from taut.validate.segmented_scene import lay_stretched, nodes
from taut.validate.watch import watch

Array = np.ndarray

FRAME = 1.0 / 60.0
#: of the tip at the start, of a length of 1 m [m]
AMPLITUDE = 5e-3


def _laid(shape: Array, hold: Literal["point", "pose"], bending: float) -> Cable:
    """Hanging down 1 m with this deflection of its joints."""
    n = len(shape) - 1
    places = tuple(triple((x, 0.0, -k / n)) for k, x in enumerate(AMPLITUDE * shape))
    start = End(hold=hold, direction=(0.0, 0.0, -1.0) if hold == "pose" else None)
    return Cable(
        model="segmented", bending_stiffness=bending, torsional_stiffness=bending, mass_per_length=0.1, diameter=0.005,
        places=places, route=(start, Free(at=places[-1])),
    )  # fmt: skip


def _frequency(lab: Lab, scene: Scene, shape: Array, expected: float) -> float:
    """Of the motion in this shape, to which other modes are orthogonal, over four periods [rad/s]."""
    sim = lab.simulate(scene)
    every = max(1, int(2.0 * math.pi / expected / scene.dt / 40.0))
    part = np.concatenate([[0.5], np.ones(len(shape) - 2), [0.5]]) * shape
    seen = watch(sim, 4.3 * 2.0 * math.pi / expected, {"x": lambda s: part @ nodes(s)[:, 0]}, every=every)
    return 2.0 * math.pi / period(seen.time, seen["x"])


def chain_modes(lab: Lab) -> Iterator[Item]:
    """Swings of a hanging chain, at 1 ms and at 1/60 s."""
    n = 40
    s = np.linspace(0.0, 1.0, n + 1)
    steps: list[float] = []
    for mode, limit in ((1, 2e-4), (2, 1e-3), (3, 4e-3)):
        shape = reference.chain_shape(mode, s) / mode
        rope = _laid(shape, "point", 1e-6)
        known = reference.chain_frequency(mode, 1.0)
        fine = _frequency(lab, Scene(dt=1e-3, cables={"rope": rope}), shape, known)
        yield close(
            f"segmented.chain_mode.{mode}", fine, known, limit, unit="rad/s", source="zeros of J0: w = (j/2) sqrt(g/L)",
            reason="40 rigid links in place of a chain: 0.03, 0.7 and 4.5 / N^2", note="step 1 ms",
        )  # fmt: skip
        coarse = _frequency(lab, Scene(dt=FRAME, cables={"rope": rope}), shape, known)
        steps.append((1.0 - coarse / fine) / (known * FRAME) ** 2)
        yield close(
            f"segmented.chain_mode.{mode}.frame", coarse / fine, reference.lowered(known, FRAME) / known, 3e-4, unit="-",
            source="sin(w' h/2) = (w h/2)/sqrt(1 + (w h)^2): w' = w (1 - 0.46 (w h)^2)",
            reason="the price of geometric stiffness as derived; the period is found to 1e-4",
            note=f"step 1/60 s over step 1 ms; {steps[-1]:.3f} (w h)^2",
        )  # fmt: skip
    lab.plot(
        "Price of geometric stiffness at 1/60 s", "mode of the hanging chain", "1 - w'/w, in (w h)^2",
        {"ours": ((1, 2, 3), steps), "theory: small w h": ((1, 2, 3), (reference.PRICE,) * 3)},
    )  # fmt: skip


def cantilever_modes(lab: Lab) -> Iterator[Item]:
    """Swings of a clamped bar without weight, at 1 ms, and their order in the segment length."""
    for mode, c in ((1, 0.5), (2, 1.8)):
        known = reference.cantilever_frequency(mode, 1.0, 0.1, 0.1)
        found = {}
        for n in (20, 40):
            shape = reference.cantilever_shape(mode, np.linspace(0.0, 1.0, n + 1)) / mode
            rope = _laid(shape, "pose", 0.1)
            found[n] = _frequency(lab, Scene(dt=1e-3, gravity=0.0, cables={"rope": rope}), shape, known)
        source = "w = x^2 sqrt(EI/(m' L^4)), cos x cosh x = -1"
        yield close(
            f"segmented.cantilever_mode.{mode}", found[40], known, 1.2 * c / 40**2, unit="rad/s", source=source,
            reason=f"second order in the segment length: {c:g}/N^2", note="N = 40, step 1 ms",
        )  # fmt: skip
        yield close(
            f"segmented.cantilever_mode.{mode}.limit", (4.0 * found[40] - found[20]) / 3.0, known, 3e-4, unit="rad/s",
            source=source, reason="second order taken out; (w h)^2/12 is 4e-5", note="from N = 20 and 40",
        )  # fmt: skip


def elastic_pendulum(lab: Lab) -> Iterator[Item]:
    """A load on a soft light cable, its bounce twice as fast as its swing: energy goes to and fro."""
    length, load, seconds, angle = 10.0, 100.0, 20.0, math.radians(20.0)
    rate = 4.0 * reference.G / length
    along = np.array([math.sin(angle), 0.0, -math.cos(angle)])
    rope = Cable(
        model="segmented", segments=10, axial_stiffness=load * rate * length, bending_stiffness=1e-3, torsional_stiffness=1e-3,
        mass_per_length=1e-4, diameter=0.01, route=(End(), End(on="load", at=triple(length * along))),
    )  # fmt: skip
    ball = Body(shape=Sphere(radius=0.1), mass=load, position=triple(length * along), collide=False)
    for floor, limit, reason in (
        (0.0, 1e-3, "(w h)^2/24 of the stepper: a phase of 2e-3 in 20 s, and the cable's mass, 1e-5 of the load"),
        (0.1, 1e-2, "the least damping of rows, 0.1 h, takes w^2 tau t/2 = 7 % of a bounce of 1.2 m in 20 s"),
    ):
        settings = SolverSettings(damping_floor=floor)
        sim = lab.simulate(Scene(bodies={"load": ball}, cables={"rope": rope}, solver=settings))
        lay_stretched(sim, load * reference.G * math.cos(angle), along)
        start = np.array(triple(sim.read("load.position")))
        seen = watch(sim, seconds, {"x": "load.position"})
        # the velocity of the start belongs to the middle of the step before
        truth = reference.spring_pendulum(length, rate, start, np.concatenate([[0.0], seen.time + 0.5 * sim.dt]))[1:]
        miss = float(np.linalg.norm(seen["x"] - truth, axis=1).max()) / length
        yield below(
            f"segmented.elastic_pendulum.{'undamped' if floor == 0.0 else 'default'}", miss, limit, unit="L",
            source="x'' = -(k/m)(1 - l/|x|) x - g e_z, integrated (DOP853)", reason=reason,
            note=f"1/60 s, {seconds:.0f} s, damping_floor {floor:g}",
        )  # fmt: skip
    lab.plot(
        "Elastic pendulum", "time [s]", "height of the load [m]",
        {"ours": (seen.time, seen["x"][:, 2]), "theory": (seen.time, truth[:, 2])},
    )  # fmt: skip
