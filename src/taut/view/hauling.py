"""Lengths that were changed while they carry something: rope is hauled in or paid out, as gently as a winch would."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from taut.core.model import J_REST, LOSS_JOINT, WORK_MOTOR
from taut.measure import ropes
from taut.simulation import Simulation

#: how fast a length changes at most, and how fast that speed does [m/s, m/s^2]
SPEED, ACCELERATION = 1.0, 1.0


@dataclass
class Haul:
    """The length of a rope, or of a joint between two points, on its way."""

    name: str
    target: float
    """In the end [m]."""
    speed: float = 0.0
    """Now, positive while it gets longer [m/s]."""
    paid: np.ndarray = field(default_factory=lambda: np.zeros(1))
    """Rope paid out for this step, in each of its runs [m]."""

    def go_on(self, sim: Simulation, dt: float) -> bool:
        """Haul for some time [s]; whether there is more to do. Braked in time, so that it ends at rest."""
        now = length_of(sim, self.name)
        left = self.target - now
        # so fast that after this step it can still be braked: v dt + v^2/(2 a) is what is left
        most = ACCELERATION * dt
        wanted = math.copysign(min(SPEED, math.sqrt(most**2 + 2.0 * ACCELERATION * abs(left)) - most), left)
        self.speed += min(max(wanted - self.speed, -most), most)
        done = abs(left) <= most * dt
        before = lengths_of(sim, self.name).copy()
        set_length(sim, self.name, self.target if done else now + self.speed * dt)
        self.paid = lengths_of(sim, self.name) - before
        return not done

    def book(self, sim: Simulation) -> None:
        """After the step: the account knows of no winch here, and takes the work of hauling for a loss below zero; it is that of a
        motor, -T dl [J]."""
        work = -float(
            (
                np.ravel(sim.read(f"{self.name}.{'tension' if is_joint(sim, self.name) else 'tensions'}")) * self.paid
            ).sum()
        )
        sim.state.ledger[[WORK_MOTOR, LOSS_JOINT]] += work


def is_joint(sim: Simulation, name: str) -> bool:
    """Whether it is a joint between two points, rather than a rope."""
    return name in sim.scene.joints


def lengths_of(sim: Simulation, name: str) -> np.ndarray:
    """Unstretched lengths of the runs of a rope, or the distance that a joint holds, as a view [m]."""
    found: np.ndarray = (
        sim.model.joint_value[sim.compiled.joints.first[name], J_REST : J_REST + 1]
        if is_joint(sim, name)
        else sim.state.rope_length[ropes.segments(sim, name)]
    )
    return found


def length_of(sim: Simulation, name: str) -> float:
    """Unstretched length of a rope, or distance that a joint holds [m]."""
    return float(lengths_of(sim, name).sum())


def set_length(sim: Simulation, name: str, length: float) -> None:
    """Give it another length [m]; the runs of a rope keep their shares."""
    found = lengths_of(sim, name)
    if is_joint(sim, name):
        found[:] = length  # that of a tie that is reeled by a motor counts from zero
    else:
        found *= length / length_of(sim, name)
