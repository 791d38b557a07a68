"""Ropes that meet things while they move: pendulums on pegs, friction over obstacles, free obstacles, fast ropes."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from taut.scene import (
    Body,
    Box,
    Cable,
    Capsule,
    Cylinder,
    End,
    Material,
    Ring,
    Scene,
    Sheave,
    SolverSettings,
    Sphere,
    Winch,
)
from taut.scene.shapes import Shape
from taut.scenes import open_scene
from taut.validate import reference
from taut.validate.item import Item, below, close, told
from taut.validate.lab import Lab

G = reference.G
#: from z, the axis of a cylinder, to y
ACROSS = (math.cos(math.pi / 4.0), math.sin(math.pi / 4.0), 0.0, 0.0)


def interrupted_pendulum(lab: Lab) -> Iterator[Item]:
    """A bob on 2 m of rope that meets a peg half-way down at every swing: one event per crossing, energy kept."""
    length, angle = 2.0, math.radians(40.0)
    shapes: dict[str, tuple[Shape, tuple[float, float, float, float]]] = {
        "cylinder": (Cylinder(radius=0.05, length=1.0), ACROSS),
        "ball": (Sphere(radius=0.05), (1.0, 0.0, 0.0, 0.0)),
        "capsule": (Capsule(radius=0.05, length=1.0), ACROSS),
        "box": (Box(size=(0.1, 1.0, 0.1)), (1.0, 0.0, 0.0, 0.0)),
    }
    swing = G * length * (1.0 - math.cos(angle))
    for name, (shape, turn) in shapes.items():
        # a sharp edge is met up to a step late, which costs energy in proportion to the square of the step
        step = 1.0 / 960.0 if name == "box" else 1.0 / 240.0
        peg = Body(
            kind="static", shape=shape, position=(0.08, 0.0, -1.0), orientation=turn, collide=False, material="smooth"
        )
        bob = Body(kind="particle", mass=1.0, position=(-length * math.sin(angle), 0.0, -length * math.cos(angle)))
        rope = Cable(
            route=(End(at=(0, 0, 0)), End(on="bob")), obstacles=("peg",), diameter=0.01, axial_stiffness=1e5,
            tension=G * math.cos(angle), material="smooth",
        )  # fmt: skip
        sim = lab.simulate(
            Scene(
                dt=step, bodies={"peg": peg, "bob": bob}, cables={"rope": rope}, solver=SolverSettings(damping_floor=0.0),
                materials={"smooth": Material(friction=0.0)},
            )
        )  # fmt: skip
        touching, events, energy, path = 0, 0, [], []
        for _ in range(round(lab.choose(10.0, 60.0) / sim.dt)):
            sim.run(1)
            now = int(sim.read("rope.wraps_on_peg") > 0)
            events += int(now != touching)
            touching = now
            energy.append(sum(sim.read(f"energy.{kind}") for kind in ("kinetic", "potential", "elastic")))
            path.append(sim.read("bob.position"))
        if name == "cylinder":
            _draw_swing(lab, np.array(path)[: round(5.0 / step)], length, angle)
        yield close(
            f"wrapping.pendulum.{name}.events", events / sim.time, 2.0 / _period(length, angle), 0.12, unit="1/s", source="two events a period: it meets the peg and leaves it",
            reason="the period of large swings by its first terms, and a run that ends anywhere; chatter would multiply it", note=f"{events} events",
        )  # fmt: skip
        drift = (np.mean(energy[-round(2.0 / step) :]) - np.mean(energy[: round(2.0 / step)])) / swing
        yield below(
            f"wrapping.pendulum.{name}.energy", drift, 1e-3, unit="-", source="energy of the swing", reason="0.1 % asked for, here of the swing alone",
            note=f"{sim.time:.0f} s",
        )  # fmt: skip


def _draw_swing(lab: Lab, path: np.ndarray, length: float, angle: float) -> None:
    """The way of the bob in five seconds, beside the circle of the free rope and the involute of the peg."""
    centre, thick = np.array([0.08, -1.0]), 0.055  # the peg, and half the rope on it
    away = float(np.linalg.norm(centre))
    met = math.atan2(centre[0], -centre[1]) - math.asin(thick / away)
    free = np.linspace(-angle, met, 50)
    # the rope leaves the peg where it is tangent, and what lies on it is missing below
    turn = np.linspace(met, 1.05, 50)
    left = length - math.sqrt(away**2 - thick**2) - thick * (turn - met)
    wound = (
        centre[0] - thick * np.cos(turn) + left * np.sin(turn),
        centre[1] - thick * np.sin(turn) - left * np.cos(turn),
    )
    lab.plot(
        "A pendulum that meets a peg, five seconds", "x [m]", "z [m]",
        {
            "ours": (path[:, 0], path[:, 2]), "theory: free, a circle": (length * np.sin(free), -length * np.cos(free)),
            "theory: on the peg, an involute": wound,
        },
    )  # fmt: skip


def _period(length: float, angle: float) -> float:
    """Half a swing of the whole length and half of what is left below the peg, with the first term for large swings."""
    short = length - 0.95
    up = math.acos(1.0 - length * (1.0 - math.cos(angle)) / short)
    return math.pi * (math.sqrt(length / G) * (1.0 + angle**2 / 16.0) + math.sqrt(short / G) * (1.0 + up**2 / 16.0))


def friction(lab: Lab) -> Iterator[Item]:
    """Two weights on a rope that goes over a body by itself: exp(mu theta) over the true angle; held below it."""
    mu, light, diameter = 0.3, 50.0, 0.01
    wide, high = 1.2, 0.05  # rings beside the body, a little above its middle: the short way is over the top
    radius = 1.0 + 0.5 * diameter
    turn = 2.0 * (0.5 * math.pi - math.atan2(high, wide) - math.acos(radius / math.hypot(wide, high)))
    over = 2.0 * math.atan2(1.0 - high, wide - 1.0)
    cases: dict[str, tuple[Shape, tuple[float, float, float, float], float, float]] = {
        "cylinder": (Cylinder(radius=1.0, length=2.0), ACROSS, turn, 1e-6),
        "ball": (Sphere(radius=1.0), (1.0, 0.0, 0.0, 0.0), turn, 1e-6),
        "box": (Box(size=(2.0, 2.0, 2.0)), (1.0, 0.0, 0.0, 0.0), over, 0.01),
    }
    for name, (shape, pose, wrap, tolerance) in cases.items():
        ratio = math.exp(mu * wrap)
        for kind, load in (("slips", 1.02), ("holds", 0.98)):
            bodies = {
                "body": Body(kind="static", shape=shape, orientation=pose, collide=False, material="rough"),
                "heavy": Body(kind="particle", mass=load * light * ratio, position=(-wide, 0, -3)),
                "light": Body(kind="particle", mass=light, position=(wide, 0, -3)),
            }
            rings = (Ring(at=(-wide, 0, high)), Ring(at=(wide, 0, high)))
            rope = Cable(
                route=(End(on="heavy"), *rings, End(on="light")),
                obstacles=("body",),
                material="rough",
                diameter=diameter,
            )
            sim = lab.simulate(Scene(materials={"rough": Material(friction=mu)}, bodies=bodies, cables={"rope": rope}))
            sim.run(60)
            if kind == "holds":
                yield below(
                    f"wrapping.friction.{name}.holds", sim.read("light.velocity[2]"), 1e-9, unit="m/s", source="2 % below exp(mu theta)", reason="held by rigid rows",
                )  # fmt: skip
                continue
            pulls = [pull for pull in sim.read("rope.tensions") if pull > 0.0]
            yield close(
                f"wrapping.friction.{name}", math.log(pulls[0] / pulls[-1]), mu * sim.read("rope.wrap_angle_on_body"), 1e-6, unit="-",
                source="ln(T1/T2) = mu theta", reason="limits and tensions of the same step; 0.1 g of rope flows along",
            )  # fmt: skip
            yield close(
                f"wrapping.friction.{name}.angle", sim.read("rope.wrap_angle_on_body"), wrap, tolerance, unit="rad", source="tangents",
                reason="round-off; a box has edges as round as the rope is thick",
            )  # fmt: skip


def free_body(lab: Lab) -> Iterator[Item]:
    """A rod that floats, and a rope between two beads thrown against it: it winds round, and what one loses the other gains."""
    rod = Body(
        shape=Cylinder(radius=0.05, length=1.0), mass=2.0, orientation=ACROSS, spin=(0.0, 1.0, 0.2), collide=False
    )
    bodies = {
        "rod": rod,
        "left": Body(kind="particle", mass=1.0, position=(-1.0, 0.1, -0.3), velocity=(0.0, 0.0, 2.0)),
        "right": Body(kind="particle", mass=1.5, position=(1.0, -0.1, -0.3), velocity=(0.0, 0.0, 2.0)),
    }
    rope = Cable(
        route=(End(on="left"), End(on="right")),
        obstacles=("rod",),
        diameter=0.01,
        axial_stiffness=1e4,
        material="smooth",
    )
    scene = Scene(
        dt=1e-3, gravity=0, bodies=bodies, cables={"rope": rope}, materials={"smooth": Material(friction=0.0)},
        solver=SolverSettings(damping_floor=0.0),
    )  # fmt: skip
    sim = lab.simulate(scene)

    def momentum() -> np.ndarray:
        return np.asarray(
            sum(body.mass * np.asarray(sim.read(f"{name}.velocity")) for name, body in bodies.items() if body.mass)
        )

    def spin() -> np.ndarray:
        total = np.asarray(sim.state.body_momentum[sim.compiled.bodies.index["rod"]]).copy()
        for name, body in bodies.items():
            total += np.cross(
                sim.read(f"{name}.position"), (body.mass or 0.0) * np.asarray(sim.read(f"{name}.velocity"))
            )
        return total

    def energy() -> float:
        return float(sim.read("energy.kinetic") + sim.read("energy.elastic"))

    start, turning, least = momentum(), spin(), energy()
    most = 0.0
    for _ in range(round(0.9 / sim.dt)):
        sim.run(1)
        most = max(most, float(sim.read("rope.wrap_angle_on_rod")))
    yield below(
        "wrapping.free.momentum", float(np.abs(momentum() - start).max()), 1e-9, unit="kg m/s", source="conservation", reason="round-off",
        note=f"wound round by {most:.2f} rad",
    )  # fmt: skip
    yield below(
        "wrapping.free.spin", float(np.abs(spin() - turning).max()), 2e-3, unit="kg m^2/s", source="conservation of angular momentum",
        reason="positions are half a step off the velocities, and geometric stiffness turns it a little",
    )  # fmt: skip
    yield below(
        "wrapping.free.energy", energy() / least - 1.0, 5e-3, unit="-", source="no friction, no damping", reason="order of the step, at 1 ms",
    )  # fmt: skip
    yield close("wrapping.free.wound", min(most, 1.0), 1.0, 1e-9, unit="rad", source="the rope has wound round it by a radian or more", reason="a rope that passes through does not")  # fmt: skip


def fast_rope(lab: Lab) -> Iterator[Item]:
    """A thin rope at up to 200 m/s against a thin peg, 1/60 s a step: it is caught, not passed through."""
    for speed in (5.0, 50.0, 200.0):
        bodies = {
            "peg": Body(kind="static", shape=Cylinder(radius=0.01, length=2.0), orientation=ACROSS, collide=False),
            "left": Body(kind="particle", mass=1.0, position=(-2.0, 0.0, -0.31), velocity=(0.0, 0.0, speed)),
            "right": Body(kind="particle", mass=1.0, position=(2.0, 0.0, -0.31), velocity=(0.0, 0.0, speed)),
        }
        rope = Cable(
            route=(End(on="left"), End(on="right")), obstacles=("peg",), diameter=0.004, length=4.5, axial_stiffness=1e5
        )
        sim = lab.simulate(Scene(gravity=0, bodies=bodies, cables={"rope": rope}))
        caught = 0.0
        for _ in range(max(2, math.ceil(0.4 / speed / sim.dt))):
            sim.run(1)
            caught = max(caught, float(sim.read("rope.wraps_on_peg")))
        yield close(
            f"wrapping.fast.{speed:g}", caught, 1.0, 1e-9, unit="-", source="swept: the rope is on the peg", reason="whole number", note=f"{speed / 60.0:.2g} m in a step",
        )  # fmt: skip


def bollard(lab: Lab) -> Iterator[Item]:
    """The library's scene `bollard`: a hand at the tail lowers two tonnes, three and a half turns away."""
    scene = open_scene("bollard")
    _, wheel, hand = scene.cables["line"].route
    assert isinstance(wheel, Sheave) and wheel.friction is not None and isinstance(hand, Winch) and hand.at is not None
    sim = lab.simulate(scene)
    sim.controls["line.speed"] = -0.2
    sim.run(round(lab.choose(3.0, 6.0) / sim.dt))
    pulls, wrap = sim.read("line.tensions"), float(sim.read("line.wraps")[1])
    # should the load swing along the bar: the rope is a straight line on the unrolled surface, of the same slope all along
    w, x, y, z = (float(part) for part in sim.read("load.orientation"))
    tied = float(sim.read("load.position[1]")) + 0.4 * 2.0 * (y * z - w * x)
    along = (tied - hand.at[1]) / float(sim.read("line.path"))
    turned = wrap * math.sqrt(1.0 - along**2)
    yield close(
        "wrapping.bollard.ratio", float(pulls[0] / pulls[-1]), math.exp(wheel.friction * turned), 2e-4, unit="-",
        source="T1/T2 = exp(mu theta), theta = w cos(slope)", reason="path and slope are of the ends of a step, tensions means over it",
        note=f"{wrap / (2.0 * math.pi):.2f} turns",
    )  # fmt: skip
    yield told(
        "wrapping.bollard.hand", float(pulls[-1]), unit="N", source="scene `bollard`", note="what the hand holds while it pays out at 0.2 m/s",
    )  # fmt: skip
    yield close(
        "wrapping.bollard.speed", float(sim.read("line.flows")[0]), -0.2, 1e-3, unit="m/s", source="rope slips as fast as the hand pays out",
        reason="the swing changes the stretch of the line by 1e-4 m in a second",
    )  # fmt: skip
