"""Contacts as a user reads them: where, along which normal, with what force and slip, between which bodies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.core.model import C_A, C_B, C_GAP, C_NORMAL, C_POINT, C_TANGENT, G_START, JOINT_GROUPS

Array = np.ndarray


@dataclass(frozen=True)
class ContactTable:
    """The contacts of the last step, one row each."""

    a: tuple[str, ...]
    """First body."""
    b: tuple[str, ...]
    """Second body."""
    point: Array
    """Half-way between both surfaces, in the world [m], shape (n, 3)."""
    normal: Array
    """Unit vector from a to b, shape (n, 3)."""
    gap: Array
    """Distance, negative inside [m], shape (n,)."""
    force: Array
    """On b, friction included [N], shape (n, 3); on a it is the opposite."""
    slip: Array
    """Velocity of b beside a across the normal [m/s], shape (n, 3)."""

    def __len__(self) -> int:
        return len(self.gap)


def forces(sim: Any) -> Array:
    """Normal and two friction forces of every contact [N], shape (n, 3)."""
    start = sim.work.group_int[sim.work.count[JOINT_GROUPS], G_START]
    count = int(sim.state.contact_count[0])
    return sim.state.row_lam[start : start + 3 * count].reshape(-1, 3) / sim.dt


def vectors(sim: Any) -> tuple[Array, Array]:
    """Bodies of every contact, shape (n, 2), and the force on the second one in the world [N], shape (n, 3)."""
    count = int(sim.state.contact_count[0])
    at, parts = sim.state.contact_geometry[:count], forces(sim)
    n, t = at[:, C_NORMAL : C_NORMAL + 3], at[:, C_TANGENT : C_TANGENT + 3]
    force = parts[:, :1] * n + parts[:, 1:2] * t + parts[:, 2:] * np.cross(n, t)
    return sim.state.contact_int[:count][:, [C_A, C_B]], force


def read_contacts(sim: Any) -> ContactTable:
    """The contacts of the last step."""
    pair, force = vectors(sim)
    at = sim.state.contact_geometry[: len(pair)]
    point, normal = at[:, C_POINT : C_POINT + 3].copy(), at[:, C_NORMAL : C_NORMAL + 3].copy()
    # velocities of the step that has just been made, at the point, which is of its start: so must be the place that its lever begins at
    before = sim.state.body_pos - sim.dt * sim.state.body_vel[:, :3]
    speed = [
        sim.state.body_vel[pair[:, k], :3] + np.cross(sim.state.body_vel[pair[:, k], 3:], point - before[pair[:, k]])
        for k in range(2)
    ]
    slip = speed[1] - speed[0]
    slip -= (slip * normal).sum(axis=1, keepdims=True) * normal
    names = sim.compiled.bodies.names
    first, second = (tuple(names[i] for i in pair[:, k]) for k in range(2))
    return ContactTable(first, second, point, normal, at[:, C_GAP].copy(), force, slip)


def resultant(sim: Any, body: int) -> Array:
    """Sum of the contact forces on a body [N], shape (3,)."""
    pair, force = vectors(sim)
    return force[pair[:, 1] == body].sum(axis=0) - force[pair[:, 0] == body].sum(axis=0)


def largest_slip(sim: Any) -> float:
    """Fastest slip of a contact that carries something [m/s]."""
    table = read_contacts(sim)
    acting = np.abs(table.force).max(axis=1, initial=0.0) > 0.0
    return float(np.linalg.norm(table.slip[acting], axis=1).max(initial=0.0))
