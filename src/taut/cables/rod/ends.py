"""How an end of the rod is held: clamped in a pose, pinned to a point, or free."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.cables.rod.values import RodError, direction, vector
from taut.scene import units

Array = np.ndarray

#: what turns a quaternion into that of the inverse rotation
_INVERSE = np.array([1.0, -1.0, -1.0, -1.0])


@dataclass(frozen=True)
class Clamp:
    """Point and frame are given.

    At both ends the direction is that of growing arc length: out of the first clamp, into the last.
    """

    point: Any
    """Where the end is [m]."""
    direction: Any = (1.0, 0.0, 0.0)
    """Tangent d3 of the rod, any length."""
    up: Any = None
    """d1 of the frame, as far as it is across the direction; None is z, or x where the direction is upright."""
    quaternion: Any = None
    """The whole frame (w, x, y, z), local z along the rod; replaces direction and up."""

    def position(self, name: str) -> Array:
        """The point [m]."""
        return vector(f"{name}.point", self.point, units.LENGTH)

    def frame(self, name: str) -> Array:
        """Unit quaternion, local to world, shape (4,)."""
        if self.quaternion is not None:
            try:
                q = np.array(units.parse_vector(self.quaternion, units.NUMBER, 4))
            except units.UnitError as error:
                raise RodError(f"{name}.quaternion: {error}") from None
            size = math.sqrt(q @ q)
            if size < 1e-12:
                raise RodError(f"{name}.quaternion: must not be zero")
            return q / size
        along = direction(f"{name}.direction", self.direction)
        if self.up is None:
            up = np.array([0.0, 0.0, 1.0] if abs(along[2]) < 0.99 else [1.0, 0.0, 0.0])
        else:
            up = direction(f"{name}.up", self.up)
        across = up - (up @ along) * along
        if math.sqrt(across @ across) < 1e-6:
            raise RodError(f"{name}.up: {self.up!r} - must not lie along the direction {self.direction!r}")
        across /= math.sqrt(across @ across)
        return quaternion(across, np.cross(along, across), along)


@dataclass(frozen=True)
class Pin:
    """The point is given, the end may turn in every direction."""

    point: Any
    """Where the end is [m]."""

    def position(self, name: str) -> Array:
        """The point [m]."""
        return vector(f"{name}.point", self.point, units.LENGTH)


@dataclass(frozen=True)
class Free:
    """Nothing holds the end. The last one only: the first point of a rod is always held."""


End = Clamp | Pin | Free


def quaternion(d1: Array, d2: Array, d3: Array) -> Array:
    """Of the rotation with these columns (w, x, y, z); the largest component is found first (Shepperd)."""
    R = np.column_stack([d1, d2, d3])
    square = np.array([np.trace(R), R[0, 0], R[1, 1], R[2, 2]])
    best = int(np.argmax(square))
    if best == 0:
        q = np.array([1.0 + square[0], R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    else:
        i, j, k = best - 1, best % 3, (best + 1) % 3
        q = np.empty(4)
        q[0] = R[k, j] - R[j, k]
        q[1 + i] = 1.0 + 2.0 * R[i, i] - square[0]
        q[1 + j] = R[j, i] + R[i, j]
        q[1 + k] = R[k, i] + R[i, k]
    return q / math.sqrt(q @ q)


def multiply(p: Array, q: Array) -> Array:
    """Quaternion product p q, last axis (w, x, y, z)."""
    if p.ndim == 1 and q.ndim == 1:
        # plain floats: ten times faster than arrays of four
        (pw, px, py, pz), (qw, qx, qy, qz) = p.tolist(), q.tolist()
        return np.array(_product(pw, px, py, pz, qw, qx, qy, qz))
    pw, px, py, pz = np.moveaxis(p, -1, 0)
    qw, qx, qy, qz = np.moveaxis(q, -1, 0)
    return np.stack(_product(pw, px, py, pz, qw, qx, qy, qz), axis=-1)


def _product(pw: Any, px: Any, py: Any, pz: Any, qw: Any, qx: Any, qy: Any, qz: Any) -> tuple[Any, Any, Any, Any]:
    return (
        pw * qw - px * qx - py * qy - pz * qz,
        pw * qx + px * qw + py * qz - pz * qy,
        pw * qy - px * qz + py * qw + pz * qx,
        pw * qz + px * qy - py * qx + pz * qw,
    )


def conjugate(q: Array) -> Array:
    """The inverse rotation."""
    return q * _INVERSE


def from_vector(turn: Array) -> Array:
    """Quaternion of a rotation vector [rad]."""
    x, y, z = turn.tolist()
    half = 0.5 * math.sqrt(x * x + y * y + z * z)
    share = 0.5 * (math.sin(half) / half if half > 0.0 else 1.0)
    return np.array([math.cos(half), share * x, share * y, share * z])


def to_vector(q: Array) -> Array:
    """Rotation vector of a quaternion, the short way round [rad]."""
    w, x, y, z = q.tolist()
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    size = math.sqrt(x * x + y * y + z * z)
    share = 2.0 * math.atan2(size, w) / size if size > 1e-300 else 2.0
    return np.array([share * x, share * y, share * z])


def rotate(q: Array, v: Array) -> Array:
    """Vectors of the local frame in world axes, last axis 3."""
    if q.ndim == 1 and v.ndim == 1:
        # plain floats: ten times faster than arrays of three
        (w, a, b, c), (x, y, z) = q.tolist(), v.tolist()
        tx, ty, tz = 2.0 * (b * z - c * y), 2.0 * (c * x - a * z), 2.0 * (a * y - b * x)
        return np.array([x + w * tx + b * tz - c * ty, y + w * ty + c * tx - a * tz, z + w * tz + a * ty - b * tx])
    t = 2.0 * np.cross(q[..., 1:], v)
    return v + q[..., :1] * t + np.cross(q[..., 1:], t)
