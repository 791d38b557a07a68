"""Segmented cables under heavy loads: the swing of paper 1's Table II, and a steel rope."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from taut.compile import frames
from taut.measure import strands
from taut.scene import Ball, Body, Box, Cable, End, PoseMotion, Scene, SolverSettings, Sphere
from taut.scene.joints import Joint
from taut.scene.sections import RectangularSection
from taut.simulation import Simulation
from taut.validate.lab import Lab, triple
from taut.validate.reference import G

Array = np.ndarray
Scheme = Literal["standard", "paper", "paper_alternative"]
Top = Literal["held", "heavy", "light"]

#: J / A^2 of a square
SQUARE_TORSION = 0.1406


@dataclass(frozen=True)
class Swung:
    """Paper 1, Table II, with what it leaves open: 10 m, segments of 1 kg, the anchor moves 3 m along x and 1 m along y."""

    modulus: float = 200.0  # Y [GPa]
    beta: float = 1e7  # A/I_A [1/m^2]
    joints: int = 24  # N_C
    ratio: float = 1e9  # load over segment
    scheme: Scheme = "standard"
    way: tuple[float, float] = (3.0, 1.0)  # of the anchor [m]
    seconds: float = 2.0  # that it takes
    top: Top = "held"  # clamped to the anchor; to a body like load or segment on a ball
    length: float = 10.0

    @property
    def segments(self) -> int:
        """A joint stands at either end, too."""
        return self.joints - 1

    @property
    def segment_length(self) -> float:
        """[m]"""
        return self.length / self.segments

    @property
    def axial(self) -> float:
        """EA, but at least what stretches by 0.1 % under the load [N]."""
        return max(self.true_axial, 1e3 * self.ratio * G)

    @property
    def true_axial(self) -> float:
        """Y A, A = 12 / beta [N]."""
        return 1e9 * self.modulus * 12.0 / self.beta

    @property
    def floored(self) -> bool:
        """Whether the stretch is less than that of the material."""
        return self.axial > self.true_axial

    def scene(self, **solver: Any) -> Scene:
        """Hanging straight down."""
        area, load = 12.0 / self.beta, self.ratio
        times = np.linspace(0.0, self.seconds, 41)
        s = times / self.seconds
        s = s * s * (3.0 - 2.0 * s)
        path = tuple(triple((self.way[0] * part, self.way[1] * part, self.length)) for part in s)
        motion = PoseMotion(times=tuple(float(t) for t in times), positions=path)
        bodies = {
            "anchor": Body(kind="kinematic", shape=Box(size=(0.2, 0.2, 0.2)), motion=motion, collide=False),
            "load": Body(mass=load, shape=Sphere(radius=0.3), collide=False),
        }
        joints: dict[str, Joint] = {}
        at = (0.0, 0.0, self.length)
        if self.top != "held":
            bodies["top"] = Body(
                mass=load if self.top == "heavy" else 1.0, shape=Sphere(radius=0.3), position=at, collide=False
            )
            joints["hang"] = Ball(a="anchor", b="top", at=at)
        start = End(on="anchor" if self.top == "held" else "top", at=at, hold="pose")
        rope = Cable(
            model="segmented", scheme=self.scheme, segments=self.segments, mass_per_length=self.segments / self.length,
            axial_stiffness=self.axial, bending_stiffness=1e9 * self.modulus * area**2 / 12.0,
            torsional_stiffness=1e9 * self.modulus / 2.6 * SQUARE_TORSION * area**2,
            section=RectangularSection(width=math.sqrt(area), height=math.sqrt(area)),
            route=(start, End(on="load", at=(0.0, 0.0, 0.0), hold="pose")),
        )  # fmt: skip
        settings = SolverSettings(**solver)
        return Scene(bodies=bodies, joints=joints, cables={"rope": rope}, solver=settings)

    def simulate(self, lab: Lab, **solver: Any) -> Simulation:
        """In stretched equilibrium."""
        sim = lab.simulate(self.scene(**solver))
        lay_stretched(sim, self.ratio * G, np.array([0.0, 0.0, -1.0]))
        return sim


def lay_stretched(sim: Simulation, pull: float, along: Array) -> Array:
    """Move segments and load along the cable so that it carries `pull` and its own weight; the opening of each joint [m].

    The cable hangs from its start in the direction `along`, its load is the body `load`.
    """
    cable, at = sim.scene.cables["rope"], strands.joints_of(sim, "rope")
    own = cable.line_mass() * G * -float(along[2]) * at.lengths.sum()
    tension = pull + own * np.linspace(1.0, 0.0, len(at.lengths))  # whole segments hang below every joint
    opening = tension * at.lengths / cable.stiffness()
    shift = np.cumsum(opening)
    sim.state.body_pos[at.segments] += shift[:-1, None] * along
    sim.state.body_pos[sim.compiled.bodies.index["load"]] += shift[-1] * along
    return opening


def nodes(sim: Simulation) -> Array:
    """Ends of the segments [m], shape (n + 1, 3): between two, the middle of what both say."""
    at = strands.joints_of(sim, "rope")
    strand = sim.scene.strands()["rope"]
    half = 0.5 * strand.length / strand.links
    along = half * frames.rotate(sim.state.body_quat[at.segments], np.tile([0.0, 0.0, 1.0], (strand.links, 1)))
    middles = sim.state.body_pos[at.segments]
    before, after = middles - along, middles + along
    return np.vstack([before[:1], 0.5 * (after[:-1] + before[1:]), after[-1:]])


def settle(sim: Simulation, drag: float, steps: int) -> float:
    """Run with a drag on all bodies, force = -drag times momentum; the largest speed that is left [m/s, rad/s].

    It is from outside and takes part in the way to rest, not in rest itself.
    """
    keep = 1.0 / (1.0 + drag * sim.dt)
    for _ in range(steps):
        sim.run(1)
        sim.state.body_vel[:] *= keep
        sim.state.body_momentum[:] *= keep
    return float(np.abs(sim.state.body_vel).max())
