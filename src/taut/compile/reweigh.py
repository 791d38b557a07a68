"""Bodies that weigh otherwise while they move: what is seen of them stays where it is and as fast as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from taut.compile import frames
from taut.core.buffers import Views
from taut.core.model import STATE

if TYPE_CHECKING:
    from taut.compile.system import Compiled


def reweigh(old: Compiled, new: Compiled) -> None:
    """Follow up on `carry_over` to a scene in which bodies have another mass, inertia or centre of mass.

    The state holds the centre of mass and the principal axes; here they are moved to where those of the new scene lie in
    the body, which keeps its pose, its velocity and its spin. Its momentum becomes that of the new mass.
    """
    state: Any = Views(STATE, new.state)
    for name, i in new.bodies.index.items():
        k = old.bodies.index.get(name)
        if k is None or not new.bodies.dynamic[i] or _same(old, k, new, i):
            continue
        turn = frames.multiply(state.body_quat[i], frames.conjugate(old.bodies.frame[k]))
        shift = frames.rotate(turn, new.bodies.centre[i] - old.bodies.centre[k])
        spin = state.body_vel[i, 3:].copy()
        state.body_pos[i] += shift
        state.body_quat[i] = frames.multiply(turn, new.bodies.frame[i])
        state.body_vel[i, :3] += np.cross(spin, shift)
        axes = frames.matrix(state.body_quat[i])
        state.body_momentum[i] = axes @ (new.bodies.inertia[i] * (axes.T @ spin))


def _same(old: Compiled, k: int, new: Compiled, i: int) -> bool:
    return all(
        np.array_equal(getattr(old.bodies, field)[k], getattr(new.bodies, field)[i])
        for field in ("mass", "inertia", "centre", "frame")
    )
