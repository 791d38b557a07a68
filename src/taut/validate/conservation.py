"""What a free system keeps: momentum, and the energy of a tumbling box and of a pendulum over ten minutes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from taut.scene import Ball, Body, Box, Chain, Scene, SolverSettings, Sphere
from taut.simulation import Simulation
from taut.validate import reference
from taut.validate.item import Item, below, close
from taut.validate.lab import Lab, triple
from taut.validate.watch import watch

ROUND_OFF = "round-off of sums over the run"


def flying_chain(**solver: Any) -> Scene:
    """Twelve links thrown with different spins, no gravity, no anchor."""
    chain = Chain(start=(0, 0, 0), end=(3, 0, 0), links=12, mass_per_length=2.0, a=None, slack=0.2)
    bodies, joints = chain.expand("rope")
    centre = np.mean([body.position for body in bodies.values()], axis=0)
    turn = np.array([0.3, 1.0, -0.5])
    for name, body in bodies.items():
        velocity = np.cross(turn, np.asarray(body.position) - centre) + [0.4, 0.0, 0.2]
        bodies[name] = body.model_copy(update={"velocity": triple(velocity), "spin": triple(turn)})
    return Scene(gravity=0, bodies=bodies, joints=joints, solver=SolverSettings(**solver))


def _fictitious(sim: Simulation, before: np.ndarray) -> float:
    """Largest angular momentum that the geometric stiffness can take in a step: sum of h^2 |F| |r| |w+ - w|, both ends."""
    force = np.linalg.norm(sim.state.row_lam.reshape(-1, 3), axis=1) / sim.dt
    change = np.linalg.norm(sim.state.body_vel[:-1, 3:] - before, axis=1)
    arm = 0.5 * 3.0 * 1.2 / 12.0
    ends = np.concatenate([[0.0], force, [0.0]])
    return float((sim.dt**2 * arm * (ends[:-1] + ends[1:]) * change).sum())


def momentum(lab: Lab) -> Iterator[Item]:
    """Linear momentum to round-off; angular momentum to the bound that the geometric stiffness allows, or to round-off."""
    steps = lab.choose(600, 3600)
    for name, solver in (("default", {}), ("exact", {"geometric_stiffness": 0.0, "relinearise": 20})):
        sim = lab.simulate(flying_chain(**solver))
        linear, angular = sim.read("momentum.linear"), sim.read("momentum.angular")
        bound, allowed, drift = 0.0, [], []
        for _ in range(steps):
            before = sim.state.body_vel[:-1, 3:].copy()
            sim.run(1)
            bound += _fictitious(sim, before)
            allowed.append(bound)
            drift.append(np.linalg.norm(sim.read("momentum.angular") - angular))
        scale = float(np.linalg.norm(angular))
        miss = float(np.linalg.norm(sim.read("momentum.linear") - linear) / np.linalg.norm(linear))
        yield below(
            f"solver.momentum.linear.{name}", miss, 1e-11, unit="-", source="sum of m v is constant", reason=ROUND_OFF,
            note=f"12 free links, {steps} steps",
        )  # fmt: skip
        if name == "default":
            # the first step projects nothing, yet phi x F of a joint that opened by phi turns the chain as well
            yield below(
                "solver.momentum.angular.default", max(drift) / scale, bound / scale, unit="-",
                source="|dL| <= sum of h^2 |F| |r| |w+ - w| per step", reason="the derived bound, summed over the run",
            )  # fmt: skip
            times = sim.dt * np.arange(1, steps + 1)
            lab.plot(
                "Angular momentum of a free chain", "time [s]", "|L - L0| / |L0|",
                {"ours": (times, np.array(drift) / scale), "theory: bound": (times, np.array(allowed) / scale)}, log_y=True,
            )  # fmt: skip
        else:
            yield below(
                "solver.momentum.angular.exact", max(drift) / scale, 1e-10, unit="-", source="L is constant",
                reason=ROUND_OFF, note="without geometric stiffness, joints re-linearised to convergence",
            )  # fmt: skip


def tumbling_box(lab: Lab) -> Iterator[Item]:
    """A box with moments 1, 2, 3 about its middle axis, which is unstable."""
    minutes = lab.choose(1.0, 10.0)
    for rate in (1.0, 6.0):
        spin = (1e-3 * rate, rate, 1e-3 * rate)
        box = Body(shape=Box(size=(1, 1, 1)), mass=1.0, inertia=(1.0, 2.0, 3.0), spin=spin)
        sim = lab.simulate(Scene(gravity=0, bodies={"box": box}))
        energy, angular = sim.read("energy.kinetic"), sim.read("momentum.angular")
        seen = watch(
            sim,
            60.0 * minutes,
            {"energy": "energy.kinetic", "L": "momentum.angular", "spin": "box.spin"},
            every=lab.choose(1, 10),
        )
        drift = np.linalg.norm(seen["L"] - angular, axis=1).max() / np.linalg.norm(angular)
        yield below(
            f"solver.box.{rate:.0f}.momentum", drift, 1e-12, unit="-", source="L is constant", reason="it is the state itself",
            note=f"{minutes:.0f} min at 1/60 s",
        )  # fmt: skip
        yield below(
            f"solver.box.{rate:.0f}.energy", np.abs(seen["energy"] / energy - 1.0).max(), 1e-3, unit="-",
            source="w.L is constant", reason="acceptance; the midpoint rule keeps it to (w h)^2/12, without drift",
        )  # fmt: skip
    yield from _first_flip(lab)


def _first_flip(lab: Lab) -> Iterator[Item]:
    """Euler's equations: when the box turns over for the first time."""
    spin = np.array([1e-2, 1.0, 1e-2])
    box = Body(shape=Box(size=(1, 1, 1)), mass=1.0, inertia=(1.0, 2.0, 3.0), spin=triple(spin))
    sim = lab.simulate(Scene(gravity=0, bodies={"box": box}))
    # spin along the middle axis of the body, over time
    axis = {"middle": lambda s: s.read("momentum.angular") @ _middle_axis(s.read("box.orientation")) / 2.0}
    seen = watch(sim, 20.0, axis)
    truth = reference.free_top(np.array([1.0, 2.0, 3.0]), spin, np.concatenate([[0.0], seen.time]))[1:, 1]
    lab.plot(
        "Tumbling box, spin about its middle axis",
        "time [s]",
        "rad/s",
        {"ours": (seen.time, seen["middle"]), "theory": (seen.time, truth)},
    )
    ours, theory = (
        float(seen.time[np.flatnonzero(curve < 0.0)[0]]) if (curve < 0.0).any() else math.inf
        for curve in (seen["middle"], truth)
    )
    yield close(
        "solver.box.flip", ours, theory, 5e-3, unit="s", source="Euler's equations, integrated (DOP853)",
        reason="one step of 1/60 s in 6 s, and the midpoint rule's (w h)^2/12",
    )  # fmt: skip


def _middle_axis(q: np.ndarray) -> np.ndarray:
    w, x, y, z = q
    return np.array([2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)])


def pendulum_scene(angle: float, dt: float = 1.0 / 60.0, **solver: Any) -> Scene:
    """A ball of 1 kg, 1 m below a ball joint, released at an angle."""
    bob = Body(shape=Sphere(radius=0.1), mass=1.0, position=(math.sin(angle), 0.0, -math.cos(angle)))
    joints = {"pivot": Ball(b="bob", at=(0, 0, 0))}
    return Scene(dt=dt, bodies={"bob": bob}, joints=joints, solver=SolverSettings(**solver))


#: the ball turns with the rod: l + 2/5 r^2 / l
PENDULUM_LENGTH = 1.0 + 0.4 * 0.1**2


def long_pendulum(lab: Lab) -> Iterator[Item]:
    """A rigid 1 m pendulum at 30 degrees for ten minutes."""
    angle, minutes = math.radians(30.0), lab.choose(1.0, 10.0)
    swing = reference.G * (1.0 - math.cos(angle))
    cycle = round(reference.pendulum_period(PENDULUM_LENGTH, angle) * 60.0)
    curves = {}
    for name, solver in (("default", {}), ("relinearised", {"relinearise": 20})):
        sim = lab.simulate(pendulum_scene(angle, **solver))
        start = sim.start_energy
        seen = watch(
            sim,
            60.0 * minutes,
            {"energy": "energy.mechanical", "loss": "energy.dissipated", "rest": "energy.remainder"},
        )
        change = (seen["energy"] - start) / swing
        mean = np.convolve(change, np.full(cycle, 1.0 / cycle), "valid")[::cycle]
        curves[f"ours, {name}"] = (cycle / 60.0 * np.arange(len(mean)), mean)
        if name == "default":
            yield below(
                "solver.pendulum.default", np.abs(change).max(), 1e-2, unit="swing", source="conservation of energy",
                reason="acceptance: a hundredth in ten minutes", note=f"{minutes:.0f} min at 1/60 s",
            )  # fmt: skip
        else:
            yield below(
                "solver.pendulum.relinearised", np.abs(mean - mean[0]).max(), 1e-3, unit="swing",
                source="conservation of energy", reason="acceptance", note="drift of the mean over one swing",
            )  # fmt: skip
        yield below(
            f"solver.pendulum.{name}.account", np.abs(seen["rest"]).max() / swing, 1e-9, unit="swing",
            source="start + supplied - dissipated - geometric = now", reason=ROUND_OFF,
        )  # fmt: skip
    times = next(iter(curves.values()))[0]
    lab.plot(
        "Pendulum, mean energy of each swing",
        "time [s]",
        "change / swing energy",
        {**curves, "theory": (times, 0.0 * times)},
    )
