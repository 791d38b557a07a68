"""Energies and momentum of a state.

Kinetic energy of the mean velocity over the last step belongs to the middle of that step; so does the potential energy
taken at x - h v / 2. Their sum is time-centred: the plain sum of K(v_n) + U(x_n) would ripple by percents.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from taut.cables.layered.columns import E_KINETIC, E_POTENTIAL
from taut.cables.massless.columns import X_WEIGHT
from taut.core.model import (
    ELASTIC,
    GEOMETRIC,
    LOSS_CONTACT,
    LOSS_JOINT,
    WORK_KINEMATIC,
    WORK_MOTOR,
    WORK_PUSH,
    WORK_WIND,
)

Array = np.ndarray


def kinetic(sim: Any) -> float:
    """Kinetic energy of all dynamic bodies and layered ropes [J]."""
    b, s = sim.compiled.bodies, sim.state
    nodes = b.node_body
    v, w = s.body_vel[nodes, :3], s.body_vel[nodes, 3:]
    linear = 0.5 * float((b.mass[nodes] * (v * v).sum(axis=1)).sum())
    return linear + 0.5 * float((w * s.body_momentum[nodes]).sum()) + float(s.wave_energy[E_KINETIC])


def potential(sim: Any) -> float:
    """Energy in the field of gravity, zero at the origin, at the middle of the last step [J]."""
    b, s = sim.compiled.bodies, sim.state
    nodes = b.node_body
    centred = s.body_pos[nodes] - 0.5 * sim.centred_dt * s.body_vel[nodes, :3]
    bodies = -float((b.mass[nodes] * (centred @ np.asarray(sim.scene.gravity))).sum())
    return bodies + float(s.wave_energy[E_POTENTIAL]) + float(s.rope_energy[X_WEIGHT])


def elastic(sim: Any) -> float:
    """Energy stored in compliant rows at the middle of the last step [J]."""
    return float(sim.state.ledger[ELASTIC])


def mechanical(sim: Any) -> float:
    """Kinetic, potential and elastic energy [J]."""
    return kinetic(sim) + potential(sim) + elastic(sim)


def _ledger(place: int) -> Any:
    return lambda sim: float(sim.state.ledger[place])


motors = _ledger(WORK_MOTOR)
kinematic = _ledger(WORK_KINEMATIC)
wind = _ledger(WORK_WIND)
push = _ledger(WORK_PUSH)
joint_loss = _ledger(LOSS_JOINT)
contact_loss = _ledger(LOSS_CONTACT)
geometric = _ledger(GEOMETRIC)


def dissipated(sim: Any) -> float:
    """Energy lost in joints and contacts since the start [J]."""
    return joint_loss(sim) + contact_loss(sim)


def supplied(sim: Any) -> float:
    """Work of motors, kinematic bodies, wind and pushes since the start [J]."""
    return motors(sim) + kinematic(sim) + wind(sim) + push(sim)


def remainder(sim: Any) -> float:
    """What the account does not explain: the error of the linearised step [J]."""
    return mechanical(sim) - sim.start_energy - supplied(sim) + dissipated(sim) + geometric(sim)


def linear_momentum(sim: Any) -> Array:
    """Sum of m v over all dynamic bodies [kg m/s]."""
    b, s = sim.compiled.bodies, sim.state
    nodes = b.node_body
    return (b.mass[nodes, None] * s.body_vel[nodes, :3]).sum(axis=0)


def angular_momentum(sim: Any) -> Array:
    """Angular momentum about the origin [kg m^2/s]."""
    b, s = sim.compiled.bodies, sim.state
    nodes = b.node_body
    orbital = np.cross(s.body_pos[nodes], b.mass[nodes, None] * s.body_vel[nodes, :3])
    return (orbital + s.body_momentum[nodes]).sum(axis=0)
