"""Layered ropes with bodies: a heavy rope's pendulum, free fall, a slewing jib."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from taut.cables.layered import theory
from taut.measure import waves
from taut.scene import Body, Cable, End, Scene, VelocityMotion
from taut.validate import reference
from taut.validate.item import Item, below, close
from taut.validate.lab import Lab
from taut.validate.layered_waves import DENSITY, EA, SPAN
from taut.validate.watch import watch


def heavy_pendulum(lab: Lab) -> Iterator[Item]:
    """A load on a rope of 5, 16 and 50 % of its mass: the exact frequency by Bessel functions, 1 + m/(12 M) and more."""
    length, mass, angle = 40.0, 1000.0, 0.02
    for ratio in lab.choose((0.5,), (0.05, 0.16, 0.5)):
        bob = Body(kind="particle", mass=mass, position=(length * math.sin(angle), 0, -length * math.cos(angle)))
        rope = Cable(
            model="layered", route=(End(), End(on="load")), axial_stiffness=10.0 * EA, mass_per_length=ratio * mass / length,
            tension=mass * theory.G * (1.0 + 0.5 * ratio),
        )  # fmt: skip
        sim = lab.simulate(Scene(bodies={"load": bob}, cables={"rope": rope}))
        seen = watch(sim, lab.choose(40.0, 80.0), {"x": "load.position[0]", "z": "load.position[2]"})
        period = reference.period(seen.time, seen["x"])
        known = 2.0 * math.pi / (theory.pendulum_ratio(ratio) * math.sqrt(theory.G / length))
        yield close(
            f"layered.pendulum.{round(100 * ratio)}_percent", period, known, 1e-3, unit="s",
            source="string with T = M g + rho g x, J0 and Y0", reason="asked for: 0.4 %",
            note=f"massless: {2.0 * math.pi * math.sqrt(length / theory.G):.4f} s",
        )  # fmt: skip


def free_fall(lab: Lab) -> Iterator[Item]:
    """Two bodies and the heavy rope between them fall as one, whatever the rope's direction."""
    bodies = {
        "a": Body(kind="particle", mass=10.0, position=(0, 0, 0)),
        "b": Body(kind="particle", mass=30.0, position=(6, 0, -8)),
    }
    rope = Cable(
        model="layered", route=(End(on="a"), End(on="b")), axial_stiffness=EA, mass_per_length=2.0, length=10.01
    )
    sim = lab.simulate(Scene(bodies=bodies, cables={"rope": rope}))
    # straight and without tension, not as it would hang between supports
    sim.state.wave_mode[:], sim.state.row_lam[:], sim.state.row_lam_old[:] = 0.0, 0.0, 0.0
    sim.run(60)
    fallen = theory.G * (1.0 + 1.0 / 60.0) / 2.0
    for name, start in (("a", 0.0), ("b", -8.0)):
        yield close(
            f"layered.fall.{name}", start - float(sim.read(f"{name}.position[2]")), fallen, 1e-3, unit="m",
            source="g h^2 n (n + 1)/2", reason="asked for of every setting: weight and inertia of the rope belong together",
        )  # fmt: skip


def slew(lab: Lab) -> Iterator[Item]:
    """A jib starts to turn with 0.1 rad/s^2: a rope along it bends sideways as the series of its modes says."""
    thrust, turn = 4905.0, 0.1
    jib = Body(
        kind="kinematic",
        motion=VelocityMotion(times=(0.0, 10.0), velocities=((0, 0, 0),) * 2, spins=((0, 0, 0), (0, 0, 10.0 * turn))),
    )
    # so soft that the small bend does not change its tension: the series is linear
    rope = Cable(
        model="layered", route=(End(on="jib", at=(0, 0, 0)), End(on="jib", at=(SPAN, 0, 0))), axial_stiffness=1e5,
        mass_per_length=DENSITY * (1.0 + thrust / 1e5), tension=thrust,
    )  # fmt: skip
    sim = lab.simulate(Scene(bodies={"jib": jib}, cables={"rope": rope}, gravity=(0, 0, 0)))
    x, n = np.linspace(0.0, 1.0, 61), np.arange(1, 40)
    omega = n * math.pi / SPAN * math.sqrt(thrust / DENSITY)
    still = -2.0 * DENSITY * turn * SPAN**3 * (-1.0) ** (n + 1) / (n * math.pi) ** 3 / thrust
    peak, known, largest = 0.0, 0.0, 0.0
    for k in range(round(1.5 * 60)):
        sim.step()
        series = np.sin(math.pi * np.outer(x, n)) @ (still * (1.0 - np.cos(omega * (k + 1) / 60.0)))
        known = max(known, float(np.abs(series).max()))
        peak = max(peak, float(np.linalg.norm(waves.displacements(sim, "rope", x)[0], axis=1).max()))
        largest = max(largest, float(sim.read("rope.sag[0]")))
    yield close(
        "layered.slew.peak", largest, known, 1e-2, unit="m", source="sum of modes under rho alpha r",
        reason="asked for; modes above omega h = 1 follow quasi-statically", note=f"on a finer grid {peak:.5f} m",
    )  # fmt: skip
    yield below(
        "layered.slew.energy", abs(float(sim.read("energy.remainder"))), 1e-3, unit="J", source="conservation",
        reason="of some 100 J that the jib gives", note="what the account does not explain",
    )  # fmt: skip
