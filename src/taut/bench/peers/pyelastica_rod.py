"""PyElastica: a Cosserat rod with stretch, shear, bending and twist, explicit position Verlet.

A round section is chosen that has the rope's EA and EI; the load is a mass on the last node. The step is limited by the spin
of its elements under shear, not by the swing: microseconds for any number of elements.
"""

from __future__ import annotations

import math
from typing import Any

import elastica
import numpy as np

from .case import HOIST, Hoist
from .ours import EI
from .trace import Recorder, Trace, steps_between_samples


class _Collection(elastica.BaseSystemCollection, elastica.Constraints, elastica.Forcing):
    pass


class RodRunner:
    """The rod at one number of elements and one step."""

    def __init__(self, hoist: Hoist, links: int, dt: float) -> None:
        self.hoist, self.links, self.dt = hoist, links, dt
        self.rest = hoist.rest_lengths(links)
        self.stiffness = hoist.stretch_stiffness / self.rest
        self.reset()

    def reset(self) -> None:
        """A new rod at the release."""
        hoist, links = self.hoist, self.links
        x, z = hoist.direction()
        radius = 2.0 * math.sqrt(EI / hoist.stretch_stiffness)
        area = math.pi * radius**2
        along = np.array([x, 0.0, z])
        self.collection: Any = _Collection()
        self.rod = elastica.CosseratRod.straight_rod(
            links, np.zeros(3), along, np.array([0.0, 1.0, 0.0]), float(self.rest.sum()), radius,
            hoist.density / area, youngs_modulus=hoist.stretch_stiffness / area,
            shear_modulus=hoist.stretch_stiffness / area / 2.6,
        )  # fmt: skip
        self.rod.mass[-1] += hoist.load
        stretched = np.arange(links + 1) * (hoist.length / links)
        self.rod.position_collection[:] = along[:, None] * stretched
        self.collection.append(self.rod)
        self.collection.constrain(self.rod).using(
            elastica.GeneralConstraint,
            constrained_position_idx=(0,),
            translational_constraint_selector=np.array([True, True, True]),
        )
        self.collection.add_forcing_to(self.rod).using(
            elastica.GravityForces, acc_gravity=np.array([0.0, 0.0, -hoist.gravity])
        )
        self.collection.finalize()
        self.stepper = elastica.PositionVerlet()
        self.time = np.float64(0.0)

    def run(self, seconds: float, record: bool = True) -> Trace:
        """See `Runner.run`; its steps are called from Python."""
        total, recorder = round(seconds / self.dt), Recorder(self.hoist)
        chunk = steps_between_samples(self.dt) if record else total
        alive, done = not record or self.sample(recorder), 0
        with np.errstate(all="ignore"):
            while alive and done < total:
                count = min(chunk, total - done)
                for _ in range(count):
                    self.time = self.stepper.step(self.collection, self.time, np.float64(self.dt))
                done += count
                alive = not record or self.sample(recorder)
        return recorder.trace()

    def sample(self, recorder: Recorder) -> bool:
        """Add the state to the trace; bending and spin are left out of the energy, a millionth of it."""
        position, velocity, mass = self.rod.position_collection, self.rod.velocity_collection, self.rod.mass
        stretch = np.linalg.norm(np.diff(position, axis=1), axis=0) - self.rest
        energy = (
            0.5 * mass @ np.sum(velocity**2, axis=0)
            + self.hoist.gravity * mass @ position[2]
            + 0.5 * self.stiffness @ stretch**2
        )
        tension = abs(self.stiffness[0] * stretch[0])
        return recorder.add(float(self.time), float(position[0, -1]), float(position[2, -1]), float(tension), float(energy))  # fmt: skip


class PyElastica:
    """PyElastica's rod."""

    name = "pyelastica"

    def __init__(self, hoist: Hoist = HOIST) -> None:
        self.hoist = hoist

    def prepare(self, links: int, dt: float) -> RodRunner:
        """See `Adapter.prepare`."""
        return RodRunner(self.hoist, links, dt)
