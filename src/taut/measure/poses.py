"""Poses and motion of bodies, in the frames the user wrote down."""

from __future__ import annotations

from typing import Any

import numpy as np

from taut.compile import frames

Array = np.ndarray


def orientations(sim: Any) -> Array:
    """Orientation of every body, quaternion (w, x, y, z), shape (n, 4)."""
    b = sim.compiled.bodies
    return frames.multiply(sim.state.body_quat, b.frame * np.array([1.0, -1.0, -1.0, -1.0]))


def positions(sim: Any) -> Array:
    """Origin of every body's own frame [m], shape (n, 3)."""
    b = sim.compiled.bodies
    if not b.centre.any():
        return sim.state.body_pos.copy()
    return sim.state.body_pos - frames.rotate(orientations(sim), b.centre)


def position(sim: Any, i: int) -> Array:
    """Origin of body i [m]."""
    centre = sim.compiled.bodies.centre[i]
    if not centre.any():
        return sim.state.body_pos[i].copy()
    return sim.state.body_pos[i] - frames.rotate(orientation(sim, i), centre)


def orientation(sim: Any, i: int) -> Array:
    """Orientation of body i, quaternion (w, x, y, z)."""
    return frames.multiply(sim.state.body_quat[i], frames.conjugate(sim.compiled.bodies.frame[i]))


def velocity(sim: Any, i: int) -> Array:
    """Velocity of the origin of body i, mean over the last step [m/s]."""
    v, w = sim.state.body_vel[i, :3], sim.state.body_vel[i, 3:]
    return v + np.cross(w, position(sim, i) - sim.state.body_pos[i])


def spin(sim: Any, i: int) -> Array:
    """Angular velocity of body i, mean over the last step [rad/s]."""
    return sim.state.body_vel[i, 3:].copy()
