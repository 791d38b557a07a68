"""The pointer's spring: it pulls a point of a body, a stretch of a segmented cable, or the span of a rope.

A body is held by a spring with which it would swing PULL times a second over 2 pi, damped, and never by more than some
times its weight: it follows, it is not shot away. Ropes are held as hard as they resist.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from taut.cables.massless.columns import N_BODY, W_ARRIVES, W_LEAVES, W_SEGMENT
from taut.compile import frames
from taut.measure import poses, ropes, waves
from taut.simulation import Simulation

#: frequency [rad/s], damping ratio, and the most it pulls in weights of the body [-]
PULL, DAMPING, STRONGEST = 8.0, 0.7, 6.0
GRAVITY = 9.81
#: links of a segmented cable that are held together, as a part of all of them
STRETCH = 0.04
#: of the tension, what a pull may add across a segmented cable [-]
ACROSS = 0.3
#: how far aside a span is pulled, as a part of the way to its nearer end, and how much of the way in a step [-]
ASIDE, AT_ONCE = 0.25, 0.12
#: no nearer to an end of a span than this part of it
NEAREST = 0.05


@dataclass(frozen=True)
class Grip:
    """What is held."""

    name: str
    """Body or cable."""
    arm: np.ndarray | None = None
    """Of a body: the point in its frame [m], shape (3,)."""
    span: int = -1
    """Of a rope: number of the span; -1: a segmented cable, or a body."""
    share: float = 0.0
    """Place along the span, or along the segmented cable, from 0 to 1."""


class Spring(Protocol):
    """Pulls as often as it is told to."""

    force: np.ndarray
    """On what is held [N], shape (3,)."""

    def pull(self, target: np.ndarray) -> None:
        """Set the forces of the next step, towards a target in the world [m]."""

    def rest(self) -> None:
        """Take the forces away, until the next pull."""


def hold(sim: Simulation, grip: Grip) -> Spring:
    """The spring for a grip."""
    if grip.arm is not None:
        return BodySpring(sim, grip.name, grip.arm)
    return StrandSpring(sim, grip) if grip.span < 0 else SpanSpring(sim, grip)


class BodySpring:
    """Holds a point of a body."""

    def __init__(self, sim: Simulation, name: str, arm: np.ndarray) -> None:
        self.force = np.zeros(3)
        self._sim, self._name, self._arm = sim, name, arm

    def pull(self, target: np.ndarray) -> None:
        """Towards the target, from where the point is."""
        sim, k = self._sim, self._sim.compiled.bodies.index[self._name]
        reach = frames.rotate(poses.orientations(sim)[k], self._arm)
        place = poses.positions(sim)[k]
        mass, velocity = float(sim.model.body_mass[k]), sim.state.body_vel[k, :3]
        force = mass * (PULL**2 * (target - place - reach) - 2.0 * DAMPING * PULL * velocity)
        self.force = _at_most(force, STRONGEST * GRAVITY * mass)
        sim.push(self._name, self.force, np.cross(place + reach - sim.state.body_pos[k], self.force))

    def rest(self) -> None:
        """Take the forces away."""
        self._sim.push(self._name)


class StrandSpring:
    """Holds some links of a segmented cable, the middle one most."""

    def __init__(self, sim: Simulation, grip: Grip) -> None:
        self.force = np.zeros(3)
        self._sim, self._name = sim, grip.name
        links = sim.scene.strands()[grip.name].link_names()
        self._place = min(grip.share * len(links), len(links) - 1.0)
        reach = max(1.0, STRETCH * len(links))
        near = [k for k in range(len(links)) if abs(k - self._place) <= reach]
        self._links = [links[k] for k in near]
        self._body = np.array([sim.compiled.bodies.index[link] for link in self._links])
        self._weight = np.array([1.0 - abs(k - self._place) / (reach + 1.0) for k in near])
        self._middle = int(np.argmax(self._weight))
        self._share = self._place / len(links)

    def pull(self, target: np.ndarray) -> None:
        """Towards the target; beside the links' own weight, half as hard as the taut cable resists."""
        sim = self._sim
        mass = self._weight * sim.model.body_mass[self._body]
        along = sim.read(f"{self._name}.tensions")
        tension = max(0.0, float(np.interp(self._share, np.linspace(0.0, 1.0, len(along)), along)))
        length = float(sim.read(f"{self._name}.length"))
        # a taut string gives way to a force across it by f a b / (T (a + b))
        before = max(NEAREST, min(self._share, 1.0 - NEAREST)) * length
        stiffness = 0.5 * tension * (1.0 / before + 1.0 / (length - before))
        way = target - sim.state.body_pos[self._body[self._middle]]
        total = _at_most(
            (mass.sum() * PULL**2 + stiffness) * way, STRONGEST * GRAVITY * float(mass.sum()) + ACROSS * tension
        )
        slow = -2.0 * DAMPING * PULL * sim.state.body_vel[self._body, :3]
        for link, share, drag in zip(self._links, mass, slow):
            self._push(link, share / mass.sum() * total + share * drag)
        self.force = total

    def rest(self) -> None:
        """Take the forces away."""
        for link in self._links:
            self._push(link, np.zeros(3))

    def _push(self, link: str, force: np.ndarray) -> None:
        bodies = self._sim.compiled.bodies
        if bodies.dynamic[bodies.index[link]]:  # not while it is merged with its neighbours
            self._sim.push(link, force)


class SpanSpring:
    """Pulls a span of a massless or layered rope aside into a kink.

    The rope has no mass of its own there, so it is in balance: with the deflection d at the share s of a span of length L,
    the tension T asks for the force T d / (s (1 - s) L), which acts on the parts at its ends, (1 - s) on the one and s on
    the other; and the path gets longer, which the tension then feels.
    """

    def __init__(self, sim: Simulation, grip: Grip) -> None:
        self.force = np.zeros(3)
        self.name, self.span = grip.name, grip.span
        self._sim = sim
        self._share = min(max(grip.share, NEAREST), 1.0 - NEAREST)
        self._aside = np.zeros(3)
        self._longer = 0.0
        first = ropes.parts(sim, grip.name).start + grip.span
        self._parts = first, first + 1
        self._bodies = [int(sim.model.part_int[part, N_BODY]) for part in self._parts]
        self._first_tension = max(self._tension(), 1e-6)

    def pull(self, target: np.ndarray) -> None:
        """Towards the target across the span: as hard as the rope resisted when it was taken, so about half way."""
        sim, s = self._sim, self._share
        one = sim.work.part_place[self._parts[0], W_LEAVES : W_LEAVES + 3].copy()
        two = sim.work.part_place[self._parts[1], W_ARRIVES : W_ARRIVES + 3].copy()
        length = max(float(np.linalg.norm(two - one)), 1e-9)
        along = (two - one) / length
        way = target - one - s * (two - one)
        way -= along * float(along @ way)
        tension = self._tension()
        wanted = _at_most(way * self._first_tension / (self._first_tension + tension), ASIDE * min(s, 1.0 - s) * length)
        # step by step: a stiff rope answers to a jump with a snatch
        self._aside += AT_ONCE * (wanted - self._aside)
        self._lengthen(length)
        self.force = self._aside * tension / (s * (1.0 - s) * length)
        pushes: dict[int, np.ndarray] = {}
        for body, point, share in zip(self._bodies, (one, two), (1.0 - s, s)):
            force = share * self.force
            wrench = np.concatenate([force, np.cross(point - sim.state.body_pos[body], force)])
            pushes[body] = pushes.get(body, np.zeros(6)) + wrench
        for body, wrench in pushes.items():
            if sim.compiled.bodies.dynamic[body]:
                sim.push(sim.compiled.bodies.names[body], wrench[:3], wrench[3:])

    def rest(self) -> None:
        """Take the forces away, and give back the length that the kink takes."""
        self._sim.state.rope_length[self._segment()] += self._longer
        self._longer = 0.0
        for body in self._bodies:
            if self._sim.compiled.bodies.dynamic[body]:
                self._sim.push(self._sim.compiled.bodies.names[body])

    def kink(self) -> np.ndarray:
        """How far the span lies aside at nine points between its ends [m], shape (9, 3)."""
        x = np.arange(1, 10) / 10.0
        return np.minimum(x / self._share, (1.0 - x) / (1.0 - self._share))[:, None] * self._aside

    def _lengthen(self, length: float) -> None:
        aside = float(np.linalg.norm(self._aside))
        longer = float(np.hypot(self._share * length, aside) + np.hypot((1.0 - self._share) * length, aside)) - length
        self._sim.state.rope_length[self._segment()] += self._longer - longer
        self._longer = longer

    def _run(self) -> int:
        return int(self._sim.work.part_place[self._parts[0], W_SEGMENT])

    def _segment(self) -> int:
        return ropes.segments(self._sim, self.name).start + self._run()

    def _tension(self) -> float:
        if waves.is_layered(self._sim, self.name):
            return max(0.0, float(waves.end_tensions(self._sim, self.name)[self.span].mean()))
        return max(0.0, float(ropes.tensions(self._sim, self.name)[self._run()]))


def _at_most(vector: np.ndarray, most: float) -> np.ndarray:
    """A vector, shortened where it is longer than that."""
    return vector * min(1.0, most / max(float(np.linalg.norm(vector)), 1e-12))
