"""Validation of honeycomb cables in scenes: what they carry, push and keep, beside closed forms and conservation laws."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from taut.scene import Scene
from taut.scenes import open_scene
from taut.simulation import Simulation
from taut.validate.item import Item, below, between, close, told
from taut.validate.lab import Lab

MATERIAL = "axial_stiffness: 8 kN, bending_stiffness: 0.2 N m^2, torsional_stiffness: 0.15 N m^2, diameter: 40 mm, mass_per_length: 0.8 kg/m"
#: two bodies and the rope between them, turning and swinging in space
IN_SPACE = f"""
taut: 1
gravity: 0
bodies:
  a: {{mass: 1 kg, velocity: [0, 0.3, 0.5], spin: [0, 1, 2], shape: {{type: box, size: [0.1, 0.1, 0.1]}}}}
  b: {{position: [0.3, 0, 0], mass: 2 kg, velocity: [0.2, -0.5, 0], shape: {{type: box, size: [0.1, 0.2, 0.1]}}}}
cables:
  rope:
    {{model: honeycomb, {MATERIAL}, route: [{{type: end, on: a, at: [0.05, 0, 0], hold: pose}}, {{type: end, on: b, at: [0.25, 0, 0], hold: pose}}]}}
"""
#: a load on a metre of rope that hardly bends, LEAN to the side
PENDULUM = f"""
taut: 1
bodies:
  load: {{position: [X, 0, Z], mass: 20 kg, shape: {{type: sphere, radius: 0.01}}, collide: false}}
cables:
  rope:
    {{model: honeycomb, {MATERIAL}, tension: 196 N, lattice: {{layers: 41}}, route: [{{type: end, at: [0, 0, 0]}}, {{type: end, on: load}}]}}
"""


def carried(lab: Lab) -> Iterator[Item]:
    """Momentum of bodies and their rope, and the order of the step that solves them together."""
    sim = Simulation(Scene.from_yaml(IN_SPACE))
    linear = sim.read("momentum.linear")
    sim.run(lab.choose(120, 300))
    yield below(
        "honeycomb.carried.momentum", float(np.abs(sim.read("momentum.linear") - linear).max()), 1e-12, unit="kg m/s",
        source="action and reaction", reason="what a body gets the rope gives, at every linearisation: round-off",
    )  # fmt: skip
    for rate, most in ((60, 1e-3), (120, 1e-3), (240, 1e-4)):
        fine = Simulation(Scene.from_yaml(IN_SPACE).with_overrides([f"dt=1/{rate}"]))
        angular = fine.read("momentum.angular")
        fine.run(rate)
        change = np.linalg.norm(fine.read("momentum.angular") - angular) / np.linalg.norm(angular)
        yield below(
            f"honeycomb.carried.spin.{rate}", float(change), most, unit="-", source=f"no moment from outside, 1 s at 1/{rate} s",
            reason="the moment of the mean force is taken back; what is left is that of passes which end at 1e-4 of the hexagon's side",
        )  # fmt: skip
    places = []
    for refine in (1, 2, 4):
        fine = Simulation(open_fine(IN_SPACE, refine))
        fine.run(12 * refine)
        places.append(np.concatenate([fine.read("a.position"), fine.read("b.position")]))
    order = math.log2(np.abs(places[0] - places[1]).max() / np.abs(places[1] - places[2]).max())
    yield between(
        "honeycomb.carried.order", order, 0.9, 2.5, theory=1.0, unit="-", source="positions of both bodies, 1/120, 1/240 and 1/480 s, 0.1 s",
        reason="the mean force is centred, of second order; the damping floor, a share of the step, is of first",
    )  # fmt: skip


def open_fine(text: str, refine: int) -> Scene:
    """The scene with steps of 1/120 s over `refine`."""
    return Scene.from_yaml(text).with_overrides([f"dt={1.0 / (120.0 * refine)!r}"])


def pendulum(lab: Lab) -> Iterator[Item]:
    """A load on a rope: period and what it loses."""
    lean = 0.05
    text = PENDULUM.replace("X", f"{math.sin(lean):.6f}").replace("Z", f"{-math.cos(lean):.6f}")
    sim = Simulation(Scene.from_yaml(text))
    angle, times = [], []
    for _ in range(round(lab.choose(2.5, 4.5) / sim.dt)):
        sim.step()
        x, _, z = sim.read("load.position")
        angle.append(math.atan2(x, -z))
        times.append(sim.time)
    crossings = [
        times[k] + sim.dt * angle[k] / (angle[k] - angle[k + 1])
        for k in range(len(angle) - 1)
        if angle[k] * angle[k + 1] < 0
    ]
    period = 2.0 * float(np.mean(np.diff(crossings)))
    # a rod of 0.8 kg and a load of 20 kg at its end, 1 m: sqrt((m/3 + M)/(m/2 + M)) shorter than that of the load alone
    theory = 2.0 * math.pi * math.sqrt((20.0 + 0.8 / 3.0) / (20.0 + 0.4) / 9.81)
    yield close(
        "honeycomb.pendulum.period", period, theory, 0.01, unit="s", source="load and straight rope",
        reason="bending stiffness at both ends and the sag of the rope: parts of a percent",
    )  # fmt: skip
    yield close(
        "honeycomb.pendulum.tension", float(np.mean(sim.read("rope.tensions"))), (20.0 + 0.4) * 9.81, 0.01, unit="N",
        source="weight of load and half the rope", reason="swings of 0.05 rad change it by a quarter of a percent",
    )  # fmt: skip
    yield told(
        "honeycomb.pendulum.lost", sim.read("rope.lost"), unit="J", source="no damping",
        note=f"of {20.4 * 9.81 * (1.0 - math.cos(lean)):.3g} J in the swing: the springs' damping floor, and the start",
    )  # fmt: skip


def hoist(lab: Lab) -> Iterator[Item]:
    """Fig. 6: the boom slews and lifts; the rope does not overstretch."""
    sim = Simulation(open_scene("honeycomb_hoist"))
    most, sway = 0.0, 0.0
    for _ in range(lab.choose(25, 100)):
        sim.run(6)
        most, sway = max(most, sim.read("rope.stretch")), max(sway, sim.read("hook.sway"))
    yield below(
        "honeycomb.hoist.stretch", most, 0.055, unit="-", source="tau_max = 0.05 (paper 4, Fig. 6)", reason="within 1.1 tau_max",
        note=f"largest sway {sway:.3f} m, steps in which the limit acted {sim.read('rope.limited_steps'):.0f}",
    )  # fmt: skip
