"""A segmented rope round a fixed cylinder: Euler's and Eytelwein's law, from contacts alone."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from taut.scene import Body, Cable, Cylinder, End, Material, Scene, Sphere
from taut.scene.quantity import Vec3
from taut.simulation import Simulation
from taut.validate.contact_reference import G, capstan_exponent, segmented_exponent
from taut.validate.item import Item, below, between, close, told
from taut.validate.lab import Lab, triple
from taut.validate.segmented_scene import settle


@dataclass(frozen=True)
class Wrap:
    """A rope round a horizontal post: its low end hangs on a weight, its high end is hauled down or carries another one."""

    friction: float
    half_turns: int  # odd: both ends hang down
    per_turn: int = 36  # segments
    radius: float = 0.2  # of the post [m]
    thickness: float = 0.006  # of the rope [m]
    line: float = 0.002  # mass per length [kg/m]: its weight changes ln(T2/T1) by less than 3e-4
    low: float = 20.0  # weight at the low end [N]
    free: int = 4  # segments that hang at either end

    @property
    def angle(self) -> float:
        """Angle of contact [rad]."""
        return math.pi * self.half_turns

    @property
    def exponent(self) -> float:
        """ln(T2/T1) when hauled."""
        return capstan_exponent(self.friction, self.angle, self.radius, self.thickness)

    def places(self) -> list[Vec3]:
        """Joints of the rope: every segment on the post touches it at its middle."""
        step = 2.0 * math.pi / self.per_turn
        middle = self.radius + 0.5 * self.thickness
        r = middle / math.cos(0.5 * step)
        length = 2.0 * r * math.sin(0.5 * step)
        count = round(self.angle / step)
        pitch = 1.3 * self.thickness / self.per_turn
        arc = [
            (r * math.cos(math.pi - k * step), pitch * (k - 0.5 * count), r * math.sin(math.pi - k * step))
            for k in range(count + 1)
        ]
        start = [(arc[0][0], arc[0][1], -length * k) for k in range(self.free, 0, -1)]
        end = [(arc[-1][0], arc[-1][1], -length * (k + 1)) for k in range(self.free)]
        return [*start, *arc, *end]

    def scene(self, high: float | None = None, speed: float = 0.0) -> Scene:
        """With a weight `high` at the high end [N], or hauled at a speed [m/s]."""
        places = self.places()
        first, last = triple(places[0]), triple(places[-1])
        stiffness = 2e5
        start = self.low * math.exp(0.5 * self.exponent)
        laid = sum(math.dist(p, q) for p, q in pairwise(places))
        weight = Sphere(radius=0.03)
        hauled = Body(kind="kinematic", shape=weight, position=last, velocity=(0.0, 0.0, -speed), collide=False)
        if high is not None:
            hauled = Body(shape=weight, mass=high / G, position=last, collide=False)
        return Scene(
            dt=1.0 / 120.0,
            materials={"rough": Material(friction=self.friction)},
            bodies={
                "post": Body(
                    kind="static", shape=Cylinder(radius=self.radius, length=1.0), material="rough",
                    orientation=(math.cos(math.pi / 4), math.sin(math.pi / 4), 0.0, 0.0),
                ),
                "low": Body(shape=weight, mass=self.low / G, position=first, collide=False),
                "high": hauled,
            },
            cables={
                "rope": Cable(
                    model="segmented", places=tuple(places), length=laid / (1.0 + start / stiffness),
                    route=(End(on="low", at=first), End(on="high", at=last)), mass_per_length=self.line, diameter=self.thickness,
                    axial_stiffness=stiffness, bending_stiffness=1e-4, torsional_stiffness=1e-3, damping_time=0.02, collide=True,
                    material="rough",
                )
            },
        )  # fmt: skip


#: slows the weights down that would dance on the rope: its force is outside of the rope [1/s]
DRAG = 10.0
#: of a manoeuvre, should the rope not slide
MOST_STEPS = 1000
#: speed of hauling [m/s]: the law is one of statics, and directions lag by half a step behind a rope that turns with the post; that adds
#: 1e-3 to ln(T2/T1) at 0.1 m/s and steps of 1/120 s, 4e-4 at half the speed or the step, 1e-5 at a quarter
SPEED = 0.05


@dataclass(frozen=True)
class Hauled:
    """What was seen in every step of a manoeuvre: ln(T2/T1) and the miss of the cones."""

    exponents: tuple[float, ...]
    cones: tuple[float, ...]


def haul(sim: Simulation, wrap: Wrap, segments: float) -> Hauled:
    """Haul until the low weight rises, so that the rope slides all the way round; then look at every step until so many segments more have
    come onto the post, and as many have left it."""
    step = 2.0 * math.pi * (wrap.radius + 0.5 * wrap.thickness) / wrap.per_turn
    start, exponents, cones = float(sim.read("low.position[2]")), [], []
    way, steps = 0.0, 0
    while way < (segments + 0.25) * step and steps < MOST_STEPS:
        settle(sim, DRAG, 1)
        way, steps = float(sim.read("low.position[2]")) - start, steps + 1
        if way > 0.25 * step:
            pull = np.asarray(sim.read("rope.tensions"))
            exponents.append(math.log(max(pull[-2], 1e-9) / max(pull[1], 1e-9)))
            cones.append(float(sim.read("residual.cone")))
    return Hauled(tuple(exponents), tuple(cones))


def capstan(lab: Lab) -> Iterator[Item]:
    """Hauled over several segments: the logarithm of the ratio of both pulls is mu theta all the while."""
    curves: dict[str, tuple[np.ndarray, np.ndarray]] = {}
    for friction, half_turns in ((0.3, 1), (0.3, 3), (0.4, 5)):
        wrap = Wrap(friction, half_turns)
        seen = haul(lab.simulate(wrap.scene(speed=SPEED)), wrap, lab.choose(1.0, 2.0))
        name, mean = f"contact.capstan.{friction * wrap.angle:.2f}", float(np.mean(seen.exponents))
        turns = f"mu {friction}, {wrap.angle / 2 / math.pi:.1f} turns, {wrap.per_turn} segments a turn"
        yield close(
            name, mean, wrap.exponent, 1e-2, unit="-", source="ln(T2/T1) = mu theta r/(r + d/2) (Euler 1769)", reason="acceptance",
            note=f"{turns}, mean of {len(seen.exponents)} steps",
        )  # fmt: skip
        law = segmented_exponent(friction, wrap.angle, wrap.radius, wrap.thickness, wrap.per_turn)
        yield below(
            f"{name}.discrete", abs(mean / law - 1.0), 1e-3, unit="-",
            source="rigid segments, force and moment of each (taut.validate.contact_reference)", reason="acceptance",
            note=f"mean {mean:.4f}, law {law:.4f}",
        )  # fmt: skip
        farthest = max(seen.exponents, key=lambda e: abs(e - law))
        count = np.arange(len(seen.exponents))
        curves[f"ours, mu {friction}, {wrap.angle / 2 / math.pi:.1f} turns"] = (count, np.array(seen.exponents))
        curves[f"theory, {wrap.exponent:.2f}"] = (count, np.full(len(count), wrap.exponent))
        yield close(
            f"{name}.worst", farthest, law, 1e-2, unit="-", source="in every single step", reason="acceptance",
            note="while segments come onto the post and leave it",
        )  # fmt: skip
        yield below(
            f"{name}.cone", max(seen.cones), 1e-6, unit="-", source="|lam_t - L| / L of every contact that slides, in every step",
            reason="acceptance", note=f"median {float(np.median(seen.cones)):.1e}",
        )  # fmt: skip
    lab.plot("A segmented rope hauled over a post", "step", "ln(T2/T1)", curves)


def hold_and_slip(lab: Lab) -> Iterator[Item]:
    """Two weights: two per cent below the limit they hang still, two per cent above the heavy one goes down."""
    wrap = Wrap(0.3, 1)
    limit = wrap.low * math.exp(
        segmented_exponent(wrap.friction, wrap.angle, wrap.radius, wrap.thickness, wrap.per_turn)
    )
    for word, factor in (("holds", 0.98), ("slips", 1.02)):
        sim = lab.simulate(wrap.scene(high=factor * limit))
        settle(sim, DRAG, 120)
        before = float(sim.read("high.position[2]"))
        settle(sim, DRAG, 120)
        way = before - float(sim.read("high.position[2]"))
        if word == "holds":
            yield below(
                "contact.capstan.holds", way, 1e-3, unit="m", source="T2 < T1 e^(mu theta)", reason="it creeps by its softness",
                note="two per cent below the limit, for one second",
            )  # fmt: skip
        else:
            yield between(
                "contact.capstan.slips", way, 1.5e-3, 1.0, unit="m", source="T2 > T1 e^(mu theta)",
                reason="at least half the speed at which the drag holds the difference of weights", note="two per cent above",
            )  # fmt: skip
    yield told("contact.capstan.limit", limit, unit="N", source="T1 e^(mu theta)", note="at the high end")
