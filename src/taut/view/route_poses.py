"""Poses as people type them: a direction and a roll of what holds a cable, three turns of a part."""

from __future__ import annotations

import math

import numpy as np

from taut.cables.rod.ends import Array, Clamp, from_vector, multiply, quaternion, rotate

#: a frame whose x axis is so near to upright has no turn about z of its own
UPRIGHT = 1.0 - 1e-9
ACROSS, ALONG = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])


def direction_of(frame: Array) -> Array:
    """Direction of growing arc length in a clamp, shape (3,)."""
    return rotate(frame, ALONG)


def pointed(frame: Array, direction: Array) -> Array:
    """The frame swung the short way so that it points there: nothing is rolled."""
    old, new = direction_of(frame), direction / np.linalg.norm(direction)
    axis, cosine = np.cross(old, new), float(old @ new)
    sine = float(np.linalg.norm(axis))
    if sine < 1e-12:
        # straight back is half a turn about what lies across
        return frame if cosine > 0.0 else multiply(from_vector(math.pi * rotate(frame, ACROSS)), frame)
    return multiply(from_vector(math.atan2(sine, cosine) / sine * axis), frame)


def roll_of(frame: Array) -> float:
    """How far a clamp is rolled from one that is told nothing but its direction [deg]."""
    bare = Clamp((0, 0, 0), direction_of(frame)).frame("clamp")
    across = rotate(frame, ACROSS)
    return math.degrees(math.atan2(across @ rotate(bare, np.array([0.0, 1.0, 0.0])), across @ rotate(bare, ACROSS)))


def rolled(frame: Array, roll: float) -> Array:
    """The frame with another roll [deg]."""
    return multiply(frame, from_vector(math.radians(roll - roll_of(frame)) * ALONG))


def angles_of(frame: Array) -> Array:
    """Turns about the world's x, then y, then z that lead to a frame [deg], shape (3,)."""
    x, y, z = (rotate(frame, axis) for axis in np.eye(3))
    about_y = math.asin(max(-1.0, min(1.0, -x[2])))
    if abs(x[2]) > UPRIGHT:
        about_x, about_z = math.atan2(-z[1], y[1]), 0.0
    else:
        about_x, about_z = math.atan2(y[2], z[2]), math.atan2(x[1], x[0])
    # no -0 where a person looks
    return np.degrees([about_x, about_y, about_z]) + 0.0


def turned(angles: Array) -> Array:
    """The frame after turns about the world's x, then y, then z [deg], (w, x, y, z)."""
    about_x, about_y, about_z = (from_vector(math.radians(a) * axis) for a, axis in zip(angles, np.eye(3)))
    frame = multiply(about_z, multiply(about_y, about_x))
    return quaternion(*(rotate(frame, axis) for axis in np.eye(3)))
