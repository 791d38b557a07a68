"""Held masses during a step: they follow their end, a rigid frame that moves and turns at constant rates."""

from __future__ import annotations

import math

import numpy as np

from taut.cables.honeycomb.arrays import HELD_BY, POINT, SPEED, SPIN
from taut.core.jit import kernel

Array = np.ndarray


@kernel
def turn(arm: Array, i: int, wx: float, wy: float, wz: float, out: Array) -> None:
    """Rotate arm i by a rotation vector (Rodrigues)."""
    angle = math.sqrt(wx * wx + wy * wy + wz * wz)
    x, y, z = arm[i, 0], arm[i, 1], arm[i, 2]
    if angle > 0.0:
        wx, wy, wz = wx / angle, wy / angle, wz / angle
        c, s = math.cos(angle), math.sin(angle)
        dot = (wx * x + wy * y + wz * z) * (1.0 - c)
        x, y, z = (
            c * x + s * (wy * z - wz * y) + dot * wx,
            c * y + s * (wz * x - wx * z) + dot * wy,
            c * z + s * (wx * y - wy * x) + dot * wz,
        )
    out[0], out[1], out[2] = x, y, z


@kernel
def place_held(time: float, per: int, node: Array, arm: Array, ends: Array, pos: Array, vel: Array) -> None:
    """Positions and velocities of the held masses, which are in the first and last `per`, at `time` after the step began [s]."""
    for k in range(2 * per):
        i = k if k < per else node.shape[0] - 2 * per + k
        which = int(node[i, HELD_BY])
        if which < 0:
            continue
        wx, wy, wz = ends[which, SPIN], ends[which, SPIN + 1], ends[which, SPIN + 2]
        turn(arm, i, wx * time, wy * time, wz * time, pos[i])
        x, y, z = pos[i, 0], pos[i, 1], pos[i, 2]
        vel[i, 0] = ends[which, SPEED] + wy * z - wz * y
        vel[i, 1] = ends[which, SPEED + 1] + wz * x - wx * z
        vel[i, 2] = ends[which, SPEED + 2] + wx * y - wy * x
        for c in range(3):
            pos[i, c] += ends[which, POINT + c] + ends[which, SPEED + c] * time


@kernel(entry=True)
def advance_ends(dt: float, node: Array, arm: Array, ends: Array) -> None:
    """The ends where they are after a step of dt."""
    for i in range(node.shape[0]):
        which = int(node[i, HELD_BY])
        if which >= 0:
            turn(arm, i, ends[which, SPIN] * dt, ends[which, SPIN + 1] * dt, ends[which, SPIN + 2] * dt, arm[i])
    for which in range(2):
        for k in range(3):
            ends[which, POINT + k] += ends[which, SPEED + k] * dt
