"""Energies and momentum of a state.

Kinetic energy of the mean velocity over the last step belongs to the middle of that step; so does the potential energy
taken at x - h v / 2. Their sum is time-centred: the plain sum of K(v_n) + U(x_n) would ripple by percents.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from taut.cables.layered.columns import E_CARRIED, E_KINETIC, E_POTENTIAL
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


def _rods(sim: Any) -> float:
    """Energy of the rods in the middle of the last step [J]."""
    if sim.compiled.rods is None:
        return 0.0
    from taut.cables.rod.columns import RE_MIDDLE  # only here: a package that takes time to load

    return float(sim.state.rod_end[:, RE_MIDDLE].sum())


def _lattices(sim: Any) -> tuple[float, float, float, float]:
    """Kinetic, elastic and potential energy of honeycomb cables, and what was taken from them [J]."""
    if sim.compiled.lattices is None:
        return 0.0, 0.0, 0.0, 0.0
    from taut.measure import lattices  # only here: kernels take time to load

    return lattices.energies(sim)


def kinetic(sim: Any) -> float:
    """Kinetic energy of all dynamic bodies, layered and honeycomb ropes [J]."""
    b, s = sim.compiled.bodies, sim.state
    nodes = b.node_body
    v, w = s.body_vel[nodes, :3], s.body_vel[nodes, 3:]
    linear = 0.5 * float((sim.model.body_mass[nodes] * (v * v).sum(axis=1)).sum())
    return (
        linear + 0.5 * float((w * s.body_momentum[nodes]).sum()) + float(s.wave_energy[E_KINETIC]) + _lattices(sim)[0]
    )


def potential(sim: Any) -> float:
    """Energy in the field of gravity, zero at the origin, at the middle of the last step, and all energy of rods [J]."""
    b, s = sim.compiled.bodies, sim.state
    nodes = b.node_body
    centred = s.body_pos[nodes] - 0.5 * sim.centred_dt * s.body_vel[nodes, :3]
    bodies = -float((sim.model.body_mass[nodes] * (centred @ np.asarray(sim.scene.gravity))).sum())
    ropes = float(s.wave_energy[E_POTENTIAL]) + float(s.rope_energy[X_WEIGHT])
    return bodies + ropes + _rods(sim) + _lattices(sim)[2]


def elastic(sim: Any) -> float:
    """Energy stored in compliant rows at the middle of the last step, and in springs of lattices [J]."""
    return float(sim.state.ledger[ELASTIC]) + _lattices(sim)[1]


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


def carried(sim: Any) -> float:
    """Kinetic energy that layered rope has come by since the start because it was handed from span to span or its chords turned [J].

    The forces that belong to it are left out of the model.
    """
    return float(sim.state.wave_energy[E_CARRIED])


def lattice_loss(sim: Any) -> float:
    """Energy taken from honeycomb cables by damping, air, contacts and their scheme since the start [J]."""
    return _lattices(sim)[3]


def dissipated(sim: Any) -> float:
    """Energy lost in joints, contacts and honeycomb cables since the start [J]."""
    return joint_loss(sim) + contact_loss(sim) + lattice_loss(sim)


def supplied(sim: Any) -> float:
    """Work of motors, kinematic bodies, wind and pushes since the start [J]."""
    return motors(sim) + kinematic(sim) + wind(sim) + push(sim)


def remainder(sim: Any) -> float:
    """What the account does not explain: the error of the linearised step [J]."""
    return mechanical(sim) - sim.start_energy - supplied(sim) + dissipated(sim) + geometric(sim) - carried(sim)


def linear_momentum(sim: Any) -> Array:
    """Sum of m v over all dynamic bodies and honeycomb cables [kg m/s]."""
    b, s = sim.compiled.bodies, sim.state
    nodes = b.node_body
    total = (sim.model.body_mass[nodes, None] * s.body_vel[nodes, :3]).sum(axis=0)
    if sim.compiled.lattices is not None:
        from taut.measure import lattices

        total = total + lattices.linear_momentum(sim)
    return total


def angular_momentum(sim: Any) -> Array:
    """Angular momentum about the origin [kg m^2/s]."""
    b, s = sim.compiled.bodies, sim.state
    nodes = b.node_body
    orbital = np.cross(s.body_pos[nodes], sim.model.body_mass[nodes, None] * s.body_vel[nodes, :3])
    total = (orbital + s.body_momentum[nodes]).sum(axis=0)
    if sim.compiled.lattices is not None:
        from taut.measure import lattices

        total = total + lattices.angular_momentum(sim)
    return total
