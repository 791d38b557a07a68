"""Angles within a turn and over full turns."""

from __future__ import annotations

import math

from taut.core.jit import kernel


@kernel
def turn_about_z(w, z):
    """Turn about z of a quaternion with these parts, the short way round, in (-pi, pi] [rad]."""
    angle = 2.0 * math.atan2(z, w)
    if angle > math.pi:
        angle -= 2.0 * math.pi
    elif angle <= -math.pi:
        angle += 2.0 * math.pi
    return angle


@kernel
def unwind(g, angle, turns, angles):
    """The angle of entry g over full turns, from what it was last [rad]."""
    change = angle - angles[g]
    if change > math.pi:
        turns[g] -= 1
    elif change < -math.pi:
        turns[g] += 1
    angles[g] = angle
    return angle + 2.0 * math.pi * turns[g]
