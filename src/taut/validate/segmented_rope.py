"""A real steel rope, 1 cm^2 and 10 m, under 10 t, with the stiffnesses of its material: swing and rest at 60 steps a second."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from taut.scene import Body, Cable, End, Scene, Sphere
from taut.simulation import Simulation
from taut.validate.item import Item, below, close
from taut.validate.lab import Lab, triple
from taut.validate.reference import G
from taut.validate.segmented_scene import lay_stretched
from taut.validate.watch import watch

LENGTH, LOAD, AREA = 10.0, 1e4, 1e-4
DOWN = np.array([0.0, 0.0, -1.0])


def steel_rope(segments: int, angle: float = 0.0, damping: float = 0.0) -> Scene:
    """Straight, unstretched, at an angle from the vertical [rad]."""
    load = triple(LENGTH * np.array([math.sin(angle), 0.0, -math.cos(angle)]))
    rope = Cable(
        model="segmented", segments=segments, diameter=math.sqrt(4.0 * AREA / math.pi), modulus=200e9, density=7850.0,
        damping_time=damping, route=(End(), End(on="load", at=load)),
    )  # fmt: skip
    bodies = {"load": Body(mass=LOAD, shape=Sphere(radius=0.3), position=load, collide=False)}
    return Scene(bodies=bodies, cables={"rope": rope})


def _counts(lab: Lab) -> tuple[int, ...]:
    return lab.choose((25,), (25, 50, 100))


def steel_swing(lab: Lab) -> Iterator[Item]:
    """Released at 30 degrees in stretched equilibrium: where does the energy go?"""
    angle, seconds = math.radians(30.0), lab.choose(20.0, 60.0)
    along = np.array([math.sin(angle), 0.0, -math.cos(angle)])
    scale, curves = LOAD * G * LENGTH, {}
    for n in _counts(lab):
        sim = lab.simulate(steel_rope(n, angle))
        lay_stretched(sim, LOAD * G * math.cos(angle), along)
        sim.run(1)
        seen = watch(
            sim, seconds,
            {"mechanical": "energy.mechanical", "lost": "energy.dissipated", "open": "rope.opening"}, every=2,
        )  # fmt: skip
        balance = (seen["mechanical"] + seen["lost"] - seen["mechanical"][0] - seen["lost"][0]) / scale
        curves[f"ours, N = {n}"] = (seen.time, balance)
        yield below(
            f"segmented.steel.energy.{n}", np.abs(balance).max(), 5e-4, unit="M g L", source="conservation of energy",
            reason="acceptance: 0.05 % in 60 s", note=f"{seconds:.0f} s, load {LOAD / (0.785 * LENGTH / n):.1e} segments; "
            f"lost {(seen['lost'][-1] - seen['lost'][0]) / scale:.1e}, largest opening {seen['open'].max():.1e} m",
        )  # fmt: skip
    curves["theory"] = (seen.time, 0.0 * seen.time)
    lab.plot("Steel rope with 10 t, swinging by 30 degrees: energy balance", "time [s]", "change / M g L", curves)


def steel_rest(lab: Lab) -> Iterator[Item]:
    """Hung up without stretch and let come to rest: stretch, and the tension in every segment."""
    for n in _counts(lab):
        sim = lab.simulate(steel_rope(n, damping=0.1))
        sim.run(600)
        axial, line = sim.scene.cables["rope"].stiffness(), sim.scene.cables["rope"].line_mass()
        known = (LOAD * G + 0.5 * line * G * LENGTH) * LENGTH / axial
        yield close(
            f"segmented.steel.stretch.{n}", -sim.read("load.position[2]") - LENGTH, known, 1e-3, unit="m",
            source="(M + m/2) g L / EA", reason="acceptance; the joints see the weight below them: exact",
        )  # fmt: skip
        tensions = sim.read("rope.tensions")
        statics = (LOAD + line * LENGTH * np.linspace(1.0, 0.0, n + 1)) * G
        yield below(
            f"segmented.steel.tension.{n}", np.abs(tensions / statics - 1.0).max(), 5e-3, unit="-",
            source="weight below each joint", reason="acceptance; exact at rest", note="largest relative error of all joints",
        )  # fmt: skip
        yield below(
            f"segmented.steel.rest.{n}", _fastest(sim), 1e-6, unit="m/s", source="true rest",
            reason="1e-6 m/s times the damping time is 1e-7 m, of 49 mm",
        )  # fmt: skip


def _fastest(sim: Simulation) -> float:
    return float(np.abs(sim.read("load.velocity")).max())
