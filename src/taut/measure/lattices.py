"""What a honeycomb cable is asked for: its shape, tension along it, stretch, twist, substeps, energies, forces on bodies."""

from __future__ import annotations

from typing import Any

import numpy as np

from taut.cables.honeycomb import arrays as at
from taut.cables.honeycomb import shape
from taut.cables.honeycomb.columns import (
    X_ELASTIC,
    X_END,
    X_KINETIC,
    X_LIMITED,
    X_LOST,
    X_PASSES,
    X_POTENTIAL,
    X_REDONE,
    X_STABLE,
    X_SUBSTEPS,
    X_SWEEPS,
    X_TOUCHES,
)
from taut.cables.honeycomb.springs import spring_state

Array = np.ndarray

#: single numbers of a rope: name, place, unit, meaning
NUMBERS = (
    ("substeps", X_SUBSTEPS, "-", "explicit steps, or pieces of an implicit one, in the last step"),
    ("stable_step", X_STABLE, "s", "largest stable explicit step of the lattice as it was last looked at"),
    ("passes", X_PASSES, "-", "solves of the last step, where it carries bodies"),
    ("redone", X_REDONE, "-", "implicit pieces that were halved"),
    ("limited_steps", X_LIMITED, "-", "steps in which the strain limit acted"),
    ("limit_sweeps", X_SWEEPS, "-", "its sweeps so far"),
    ("contacts", X_TOUCHES, "-", "masses and edges in contact now"),
    ("kinetic", X_KINETIC, "J", "kinetic energy"),
    ("elastic", X_ELASTIC, "J", "energy of its springs"),
    ("potential", X_POTENTIAL, "J", "energy in the field of gravity"),
    ("lost", X_LOST, "J", "taken by damping, air, friction, strain limit and scheme, as the difference"),
)


def rope_of(sim: Any, name: str) -> Any:
    """The compiled cable."""
    return sim.compiled.lattices.ropes[sim.compiled.lattices.names.index(name)]


def masses_of(sim: Any, name: str) -> slice:
    """Places of its masses among all."""
    k = sim.compiled.lattices.names.index(name)
    start, count = sim.model.lattice_at[k, :2]
    return slice(int(start), int(start + count))


def number(sim: Any, name: str, place: int) -> float:
    """One of NUMBERS."""
    return float(sim.state.lattice_number[sim.compiled.lattices.names.index(name), place])


def positions(sim: Any, name: str) -> Array:
    """Of all masses [m], shape (N, 3)."""
    return np.asarray(sim.state.lattice_pos[masses_of(sim, name)])


def axis(sim: Any, name: str) -> Array:
    """Centre of every layer [m], shape (layers, 3)."""
    return shape.axis(rope_of(sim, name).lattice, positions(sim, name))


def rings(sim: Any, name: str) -> Array:
    """Masses of the surface, layer by layer [m], shape (layers, M, 3)."""
    return shape.rings(rope_of(sim, name).lattice, positions(sim, name))


def tensions(sim: Any, name: str) -> Array:
    """Along the rope, one value per cell, positive in pull [N], shape (layers - 1,)."""
    rope, pos = rope_of(sim, name), positions(sim, name)
    a = rope.arrays
    force, strain = np.empty(len(a.spring)), np.empty(len(a.spring))
    spring_state(np.ascontiguousarray(pos), a.spring, a.law, a.table, force, strain)
    return shape.tension(rope.lattice, pos, force)


def stretch(sim: Any, name: str) -> float:
    """Length of its axis over the unstretched one, less one [-]."""
    along = np.linalg.norm(np.diff(axis(sim, name), axis=0), axis=1).sum()
    return float(along / rope_of(sim, name).lattice.length - 1.0)


def twist(sim: Any, name: str) -> float:
    """From end to end, over full turns [rad]."""
    return shape.twist(rope_of(sim, name).lattice, positions(sim, name))


def force_on(sim: Any, name: str, side: int) -> Array:
    """Force on the body at an end, mean over the last step [N], shape (3,)."""
    k = sim.compiled.lattices.names.index(name)
    return np.array(sim.state.lattice_number[k, X_END + 6 * side : X_END + 6 * side + 3])


def energies(sim: Any) -> tuple[float, float, float, float]:
    """Kinetic, elastic and potential energy of all, and what was taken from them [J]."""
    total = sim.state.lattice_number.sum(axis=0)
    return float(total[X_KINETIC]), float(total[X_ELASTIC]), float(total[X_POTENTIAL]), float(total[X_LOST])


def _inside(sim: Any) -> Array:
    """Masses that are not moved as told, shape (N,)."""
    held, free = sim.model.lattice_node[:, at.HELD_BY], np.zeros(len(sim.model.lattice_node), bool)
    for name, rope in zip(sim.compiled.lattices.names, sim.compiled.lattices.ropes):
        part = masses_of(sim, name)
        own = held[part] < 0.0
        for side, b in enumerate(rope.bodies):
            if b >= 0 and sim.compiled.bodies.dynamic[b]:
                own |= held[part] == side
        free[part] = own
    return free


def linear_momentum(sim: Any) -> Array:
    """Of all lattices [kg m/s], shape (3,)."""
    free = _inside(sim)
    return np.asarray(sim.model.lattice_node[free, at.MASS] @ sim.state.lattice_vel[free])


def angular_momentum(sim: Any) -> Array:
    """Of all lattices about the origin [kg m^2/s], shape (3,)."""
    free = _inside(sim)
    return np.asarray(
        sim.model.lattice_node[free, at.MASS] @ np.cross(sim.state.lattice_pos[free], sim.state.lattice_vel[free])
    )
