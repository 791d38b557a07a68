"""Motors, servos, end stops, ropes that go slack, and wind."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from taut.scene import (
    AngularLimits,
    AngularMotor,
    Body,
    Box,
    Distance,
    Hinge,
    LinearLimits,
    LinearMotor,
    Scene,
    Slider,
    Sphere,
    Wind,
)
from taut.validate import reference
from taut.validate.item import Item, below, between, close, told
from taut.validate.lab import Lab
from taut.validate.watch import watch

MASS = 10.0
WEIGHT = MASS * reference.G


def _lift(motor: LinearMotor | None, limits: LinearLimits | None = None, damping_time: float = 0.0) -> Scene:
    joint = Slider(b="cage", axis=(0, 0, 1), motor=motor, limits=limits, damping_time=damping_time)
    return Scene(bodies={"cage": Body(shape=Box(size=(0.4, 0.4, 0.4)), mass=MASS)}, joints={"lift": joint})


def motors(lab: Lab) -> Iterator[Item]:
    """A lift: reaches its speed, stalls at its force limit, accelerates with what is left of it."""
    limit = 1.5 * WEIGHT
    sim = lab.simulate(_lift(LinearMotor(target=2.0, force_limit=limit)))
    seen = watch(
        sim, 3.0, {"speed": "lift.rate", "force": "lift.motor_force", "work": "energy.motors", "z": "lift.travel"}
    )
    rise = float(np.polyfit(seen.time[:12], seen["speed"][:12], 1)[0])
    yield close(
        "solver.motor.acceleration", rise, 0.5 * reference.G, 1e-9, unit="m/s^2", source="a = F/m - g", reason="constant force: exact steps",
    )  # fmt: skip
    yield close(
        "solver.motor.speed", seen["speed"][-1], 2.0, 1e-9, unit="m/s", source="v = target", reason="a rigid row"
    )
    yield close(
        "solver.motor.force", seen["force"][-1], WEIGHT, 1e-9, unit="N", source="F = m g at constant speed", reason="statics is exact",
    )  # fmt: skip
    supplied = 0.5 * MASS * 2.0**2 + WEIGHT * (seen["z"][-1] - 0.5 * sim.dt * 2.0)
    yield close(
        "solver.motor.work", seen["work"][-1], supplied, 1e-9, unit="J", source="W = m v^2/2 + m g z at mid-step", reason="the account is exact",
    )  # fmt: skip
    weak = 0.6 * WEIGHT
    sim = lab.simulate(_lift(LinearMotor(target=1.0, force_limit=weak)))
    sim.run(60)
    yield close(
        "solver.motor.stall",
        sim.read("lift.motor_force"),
        weak,
        1e-9,
        unit="N",
        source="F = limit",
        reason="a bound of the solve",
    )
    yield close(
        "solver.motor.sinks", sim.read("lift.travel"), -float(reference.falling_steps(0.4 * reference.G, sim.dt, np.array(60))), 1e-9,
        unit="m", source="a = F/m - g", reason="constant force: exact steps",
    )  # fmt: skip
    wheel = Body(shape=Box(size=(1, 1, 1)), mass=6.0, inertia=(1.0, 2.0, 1.0))
    turn = Hinge(b="wheel", axis=(0, 1, 0), motor=AngularMotor(target=3.0, force_limit=4.0))
    sim = lab.simulate(Scene(bodies={"wheel": wheel}, joints={"shaft": turn}))
    sim.run(60)
    yield close(
        "solver.motor.hinge",
        sim.read("shaft.rate"),
        2.0,
        1e-9,
        unit="rad/s",
        source="w = M t / I",
        reason="constant torque",
    )
    sim.run(120)
    yield close(
        "solver.motor.hinge.speed",
        sim.read("shaft.rate"),
        3.0,
        1e-9,
        unit="rad/s",
        source="w = target",
        reason="a rigid row",
    )


def servos(lab: Lab) -> Iterator[Item]:
    """A position held rigidly, held by a spring, and a rope wound to a length."""
    sim = lab.simulate(_lift(LinearMotor(mode="position", target=0.5)))
    sim.run(180)
    yield close(
        "solver.servo.rigid",
        sim.read("lift.travel"),
        0.5,
        1e-6,
        unit="m",
        source="z = target",
        reason="damped by 0.85 a step",
    )
    stiffness = 2000.0
    sim = lab.simulate(_lift(LinearMotor(mode="position", target=0.5, stiffness=stiffness), damping_time=0.1))
    sim.run(1200)
    yield close(
        "solver.servo.soft", sim.read("lift.travel"), 0.5 - WEIGHT / stiffness, 1e-6, unit="m", source="z = target - m g / k",
        reason="at rest after 20 s of damping",
    )  # fmt: skip
    hook = Body(kind="particle", mass=MASS, position=(0, 0, -2))
    rope = Distance(b="hook", point_a=(0, 0, 0), rope=True, motor=LinearMotor(target=-0.5))
    sim = lab.simulate(Scene(bodies={"hook": hook}, joints={"hoist": rope}))
    sim.run(120)
    yield close(
        "solver.winch.length",
        sim.read("hoist.length"),
        1.0,
        1e-6,
        unit="m",
        source="l = l0 + v t",
        reason="a rigid row",
    )
    yield close(
        "solver.winch.tension",
        sim.read("hoist.tension"),
        WEIGHT,
        1e-6,
        unit="N",
        source="T = m g",
        reason="statics is exact",
    )
    yield close(
        "solver.winch.work", sim.read("energy.motors"), WEIGHT * (1.0 - 0.25 * sim.dt) + 0.125 * MASS, 1e-4, unit="J",
        source="W = m g z + m v^2/2 at mid-step", reason="the start of the winch is an impact of m v^2/2, counted as loss",
        note="the rope pulls at once: start speed 0",
    )  # fmt: skip


def limits(lab: Lab) -> Iterator[Item]:
    """End stops: a falling cage stops there and the stop carries it; a door stops at its angle."""
    sim = lab.simulate(_lift(None, LinearLimits(lower=-0.7, upper=1.0)))
    seen = watch(sim, 3.0, {"z": "lift.travel", "force": "lift.force[2]", "e": "energy.mechanical"})
    yield below(
        "solver.limit.position", seen["z"][-1] + 0.7, 1e-6, unit="m", source="z = lower", reason="the stop is reached exactly, then held",
    )  # fmt: skip
    yield below(
        "solver.limit.overshoot", min(0.0, float(seen["z"].min()) + 0.7), 1e-6, unit="m", source="z >= lower", reason="no step may pass it",
    )  # fmt: skip
    yield close(
        "solver.limit.force", seen["force"][-1], WEIGHT, 1e-6, unit="N", source="F = m g", reason="statics is exact"
    )
    door = Body(
        shape=Box(size=(1.0, 0.05, 2.0)), mass=20.0, position=(0.5, 0, 0), spin=(0, 0, 1.5), velocity=(0, 0.75, 0)
    )
    stop = Hinge(b="door", at=(0, 0, 0), axis=(0, 0, 1), limits=AngularLimits(lower=0.0, upper=math.radians(80.0)))
    sim = lab.simulate(Scene(bodies={"door": door}, joints={"post": stop}))
    sim.run(180)
    freed = "what the linearised hinge had opened, (w h)^2 r, closes again"
    yield close(
        "solver.limit.angle", sim.read("post.angle"), math.radians(80.0), 3e-4, unit="rad", source="angle = upper", reason=freed,
    )  # fmt: skip
    yield below(
        "solver.limit.rest", sim.read("post.rate"), 3e-4, unit="rad/s", source="the stop takes all speed", reason=freed
    )
    narrow = LinearLimits(lower=-0.02, upper=0.025)
    cage = Body(shape=Box(size=(0.4, 0.4, 0.4)), mass=MASS, velocity=(1.8, 0, 0))
    sim = lab.simulate(
        Scene(gravity=0, bodies={"cage": cage}, joints={"rail": Slider(b="cage", axis=(1, 0, 0), limits=narrow)})
    )
    seen = watch(sim, 1.0, {"x": "rail.travel"})
    yield between(
        "solver.limit.narrow",
        float(np.abs(seen["x"]).max()),
        0.0,
        0.025 + 1.8 * sim.dt,
        unit="m",
        theory=0.025,
        source="lower <= x <= upper",
        reason="stops nearer to each other than the way of a step: only the nearer one is seen ahead, v h",
    )


def slack_rope(lab: Lab) -> Iterator[Item]:
    """A weight thrown up on a rope: free flight, then the rope catches it; it never pushes and never stretches."""
    speed = 6.0
    hook = Body(kind="particle", mass=MASS, position=(0, 0, -2), velocity=(0, 0, speed))
    rope = Distance(b="hook", point_a=(0, 0, 0), rope=True)
    sim = lab.simulate(Scene(bodies={"hook": hook}, joints={"rope": rope}))
    seen = watch(
        sim,
        4.0,
        {
            "z": "hook.position[2]",
            "pull": "rope.tension",
            "v": "hook.velocity[2]",
            "length": "rope.length",
            "e": "energy.mechanical",
        },
    )
    n = np.arange(1, 40)
    flight = -2.0 + speed * sim.dt * n - reference.falling_steps(reference.G, sim.dt, n)
    yield below(
        "solver.rope.flight", np.abs(seen["z"][:39] - flight).max(), 1e-12, unit="m", source="free fall while slack", reason="round-off",
    )  # fmt: skip
    yield between(
        "solver.rope.pull", float(seen["pull"].min()), -1e-9, math.inf, unit="N", theory=0.0, source="T >= 0", reason="a bound of the solve",
    )  # fmt: skip
    yield below(
        "solver.rope.length", seen["length"].max() - 2.0, speed * sim.dt, unit="m", source="l <= l0",
        reason="the row sees that the rope is taut after the step that made it so: v h",
    )  # fmt: skip
    impulse = float((seen["pull"] * sim.dt).sum())
    yield close(
        "solver.rope.impulse", impulse, WEIGHT * 4.0 + MASS * (seen["v"][-1] - speed), 1e-9, unit="N s",
        source="m dv = sum of (T - m g) dt", reason="all that acts on it",
    )  # fmt: skip
    yield below(
        "solver.rope.energy", max(0.0, float(seen["e"].max()) - sim.start_energy) / (0.5 * MASS * speed**2), 1e-3, unit="-",
        source="a catch gives nothing", reason="time-centred energy, half a step of way in the rope's stretch",
    )  # fmt: skip
    caught = int(np.flatnonzero(seen["pull"] > 0.0)[0])
    yield told(
        "solver.rope.rebound", float(seen["v"][caught:].max()) / -float(seen["v"][:caught].min()), unit="-", source="none for a rigid rope",
        note="speed after the catch over speed before; the rope of a hoist has its own stiffness and damping",
    )  # fmt: skip
    hook = Body(kind="particle", mass=MASS, position=(0, 0, -2))
    taut = Distance(b="hook", point_a=(0, 0, 0), length=2.5, rope=True, damping_time=0.1)
    sim = lab.simulate(Scene(bodies={"hook": hook}, joints={"rope": taut}))
    sim.run(1200)
    yield close(
        "solver.rope.tension",
        sim.read("rope.tension"),
        WEIGHT,
        1e-6,
        unit="N",
        source="T = m g at rest",
        reason="statics is exact",
    )


def wind(lab: Lab) -> Iterator[Item]:
    """Terminal speed in still air and drift with the wind."""
    radius, mass, density, drag = 0.2, 0.4, 1.225, 0.47
    c = 0.5 * density * drag * math.pi * radius**2
    ball = Body(shape=Sphere(radius=radius), mass=mass, drag=drag)
    sim = lab.simulate(Scene(bodies={"ball": ball}, wind=Wind(speed=0.0, air_density=density)))
    sim.run(1200)
    limit = math.sqrt(mass * reference.G / c)
    ours = -sim.read("ball.velocity[2]")
    half = 0.5 * reference.G * sim.dt
    yield close(
        "solver.wind.discrete", ours, math.hypot(limit, half) + half, 1e-9, unit="m/s", source="v (v - g h) = m g / c, the fixed point",
        reason="round-off",
    )  # fmt: skip
    yield close(
        "solver.wind.terminal", ours, limit, 1.1 * half / limit, unit="m/s", source="v = sqrt(2 m g / (rho Cd A))",
        reason="drag of the speed after the fall of the step: g h / 2",
    )  # fmt: skip
    sim = lab.simulate(
        Scene(gravity=0, bodies={"ball": ball}, wind=Wind(speed=8.0, direction=(0, 1, 0), air_density=density))
    )
    sim.run(600)
    exact = 8.0 - 8.0 / (1.0 + 8.0 * c / mass * sim.time)
    yield close(
        "solver.wind.drift", sim.read("ball.velocity[1]"), exact, 1e-9, unit="m/s", source="v = u - u/(1 + u c t/m)",
        reason="the implicit step of quadratic drag is exact: 1/u+ = 1/u + c h/m",
    )  # fmt: skip
