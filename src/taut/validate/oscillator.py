"""A mass on a spring: the stepper's own recurrence, damping, force, order of convergence, and stiffness over 13 decades."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from taut.scene import Body, Distance, Scene, SolverSettings
from taut.simulation import Simulation
from taut.validate import reference
from taut.validate.conservation import PENDULUM_LENGTH, pendulum_scene
from taut.validate.item import Item, below, between, close
from taut.validate.lab import Lab
from taut.validate.watch import watch

STIFFNESS, MASS, STRETCH = 400.0, 1.0, 0.1


def spring_scene(
    damping_time: float = 0.0, dt: float = 1.0 / 60.0, stiffness: float = STIFFNESS, **solver: object
) -> Scene:
    """A particle on a spring of 1 m along x, drawn out by STRETCH, no gravity."""
    return Scene(
        gravity=0,
        dt=dt,
        bodies={"bob": Body(kind="particle", mass=MASS, position=(1.0 + STRETCH, 0, 0))},
        joints={
            "spring": Distance(b="bob", point_a=(0, 0, 0), length=1.0, stiffness=stiffness, damping_time=damping_time)
        },
        solver=SolverSettings.model_validate(solver),
    )


def _follow(sim: Simulation, steps: int) -> np.ndarray:
    """(x, v) after 0, 1, ... steps."""
    found = [(STRETCH, 0.0)]
    for _ in range(steps):
        sim.run(1)
        found.append((sim.read("bob.position[0]") - 1.0, sim.read("bob.velocity[0]")))
    return np.array(found)


def recurrence(lab: Lab) -> Iterator[Item]:
    """Every step is the stepper's own 2 x 2 matrix."""
    steps, h = 600, 1.0 / 60.0
    floor = 0.1 * h
    cases: tuple[tuple[str, dict[str, Any], float, np.ndarray], ...] = (
        ("undamped", {"damping_floor": 0.0}, 0.0, reference.variational_spring(STIFFNESS, MASS, 0.0, h)),
        ("floor", {}, 0.0, reference.variational_spring(STIFFNESS, MASS, floor, h)),
        ("damped", {}, 0.01, reference.variational_spring(STIFFNESS, MASS, 0.01, h)),
        ("first_order", {"stepper": "first_order"}, 0.0, reference.first_order_spring(STIFFNESS, MASS, 0.0, h)),
    )
    for name, solver, tau, matrix in cases:
        ours = _follow(lab.simulate(spring_scene(tau, **solver)), steps)
        theory = reference.recurrence(matrix, ours[0], steps)
        times = h * np.arange(steps + 1)
        lab.plot(
            f"Spring, {name}",
            "time [s]",
            "stretch [m]",
            {"ours": (times[:180], ours[:180, 0]), "theory": (times[:180], theory[:180, 0])},
        )
        yield below(
            f"solver.spring.{name}", np.abs(ours - theory)[:, 0].max() / STRETCH, 1e-9, unit="-",
            source="lam = -h k x - h^2 k (v+ - v)/4 - h k tau v+" if name != "first_order" else "lam = -h k (x + (h + tau) v+)",
            reason="round-off over 600 steps, and the 1e-12 floor of the compliance", note="largest difference of 600 steps",
        )  # fmt: skip
        if name == "undamped":
            omega = math.sqrt(STIFFNESS / MASS)
            period = 2.0 * math.pi * h / (2.0 * math.atan(0.5 * omega * h))
            yield close(
                "solver.spring.period", reference.period(times, ours[:, 0]), period, 1e-4, unit="s",
                source="tan(theta/2) = omega h / 2", reason="crossings by cubic interpolation of 19 samples a period",
            )  # fmt: skip
        if name == "first_order":
            omega = math.sqrt(STIFFNESS / MASS)
            size = np.hypot(ours[:, 0], ours[:, 1] / omega)
            rate = math.log(size[60] / size[0]) / 60.0
            yield close(
                "solver.spring.first_order.damping", rate, -0.5 * math.log1p((omega * h) ** 2), 2e-2, unit="1/step",
                source="det = 1/(1 + omega^2 h^2)", reason="the size (x, v/omega) ripples within a period",
            )  # fmt: skip


def damping(lab: Lab) -> Iterator[Item]:
    """Loss of energy per period 2 pi omega tau, from the amplitude and from the account."""
    h, tau = lab.choose(1.0 / 1000.0, 1.0 / 2000.0), 1e-3
    omega = math.sqrt(STIFFNESS / MASS)
    sim = lab.simulate(spring_scene(tau, dt=h))
    start, periods = 0.5 * STIFFNESS * STRETCH**2, 5
    sim.run(round(periods * 2.0 * math.pi / omega / h))
    loss = math.log(start / sim.read("energy.mechanical")) / periods
    yield close(
        "solver.damping", loss, 2.0 * math.pi * omega * tau, 1e-2, unit="1/period", source="m x'' = -k (x + tau x')",
        reason="the period is cut to whole steps, (omega h)^2 and (omega tau)^2/8",
    )  # fmt: skip
    balance = (start - sim.read("energy.mechanical") - sim.read("energy.dissipated")) / start
    yield below(
        "solver.damping.account", balance, 1e-10, unit="-", source="energy = start - dissipated", reason="computed by row, not as a rest",
    )  # fmt: skip


def spring_force(lab: Lab) -> Iterator[Item]:
    """Force of a step: k times the mean (x- + 2 x + x+)/4 of the scheme, and k tau times the new rate."""
    tau, h = 0.004, 1.0 / 60.0
    sim = lab.simulate(spring_scene(tau))
    misses, before = [], np.array([STRETCH, STRETCH])
    for _ in range(120):
        sim.run(1)
        after = sim.read("bob.position[0]") - 1.0
        mean = 0.25 * (before[0] + 2.0 * before[1] + after)
        theory = STIFFNESS * (mean + tau * (after - before[1]) / h)
        misses.append(sim.read("spring.tension") - theory)
        before = np.array([before[1], after])
    yield below(
        "solver.spring.force", np.abs(misses).max() / (STIFFNESS * STRETCH), 1e-9, unit="k x", source="T = k (x- + 2x + x+)/4 + k tau v+",
        reason="round-off, and the 1e-12 floor of the compliance",
    )  # fmt: skip


def orders(lab: Lab) -> Iterator[Item]:
    """Error of the period over the time step."""
    angle = math.radians(30.0)
    theory = reference.pendulum_period(PENDULUM_LENGTH, angle)
    rates = lab.choose((30, 60, 120), (30, 60, 120, 240, 480))
    for name, solver in (("default", {}), ("plain", {"geometric_stiffness": 0.0})):
        errors = []
        for rate in rates:
            sim = lab.simulate(pendulum_scene(angle, 1.0 / rate, **solver))
            seen = watch(sim, 10.0, {"x": "bob.position[0]"})
            errors.append(abs(reference.period(seen.time, seen["x"]) / theory - 1.0))
        order = float(np.polyfit(np.log(rates), np.log(errors), 1)[0])
        steps = 1.0 / np.array(rates)
        lab.plot(
            f"Pendulum, error of the period ({name})", "step [s]", "relative error",
            {"ours": (steps, np.array(errors)), "theory: h^2": (steps, errors[0] * (steps / steps[0]) ** 2)}, log_x=True, log_y=True,
        )  # fmt: skip
        yield between(
            f"solver.order.{name}", -order, 1.8, 2.2, unit="-", theory=2.0, source="the stepper is symmetric: second order",
            reason="slope over a few halvings", note=f"error {errors[rates.index(60)]:.1e} at 1/60 s",
        )  # fmt: skip


def stiffness_range(lab: Lab) -> Iterator[Item]:
    """Springs from 1e1 to 1e14 N/m in one rope, a weight below: each carries the weight, each stretches by m g / k."""
    decades = range(1, 15)
    bodies, joints, height, above = {}, {}, 0.0, "world"
    for n in decades:
        height -= 1.0
        name = f"k{n}"
        bodies[name] = Body(kind="particle", mass=0.1 if n < 14 else 2.0, position=(0, 0, height))
        anchor = {"point_a": (0, 0, 0)} if n == 1 else {"a": above}
        joints[f"s{n}"] = Distance(**anchor, b=name, length=1.0, stiffness=10.0**n, damping_time=0.3)
        above = name
    sim = lab.simulate(Scene(bodies=bodies, joints=joints))
    sim.run(60 * 60)
    weights = np.array([reference.G * (0.1 * (14 - n) + 2.0) for n in decades])
    pulls = np.array([sim.read(f"s{n}.tension") for n in decades])
    stretches = np.array([sim.read(f"s{n}.length") - 1.0 for n in decades])
    known = weights / np.array([10.0**n for n in decades])
    yield below(
        "solver.stiffness.force", np.abs(pulls / weights - 1.0).max(), 1e-6, unit="-", source="T = weight below",
        reason="at rest after a minute of damping", note="1e1 to 1e14 N/m in series",
    )  # fmt: skip
    visible = known > 1e-8
    yield below(
        "solver.stiffness.stretch", np.abs(stretches[visible] / known[visible] - 1.0).max(), 1e-3, unit="-", source="x = T / k",
        reason="stretches above 10 nm; the floor of the compliance adds picometres",
    )  # fmt: skip
    yield below(
        "solver.stiffness.rigid", np.abs(stretches[~visible]).max(), 2e-8, unit="m", source="x = T / k",
        reason="less than 10 nm each",
    )  # fmt: skip
