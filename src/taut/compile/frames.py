"""Small rigid-frame algebra on plain numpy arrays, for compile and read-out (the step has its own compiled form)."""

from __future__ import annotations

import numpy as np

Array = np.ndarray

IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])


def conjugate(q: Array) -> Array:
    """Inverse of a unit quaternion."""
    return q * np.array([1.0, -1.0, -1.0, -1.0])


def multiply(a: Array, b: Array) -> Array:
    """Product a b of quaternions, over the last axis."""
    if a.ndim == 1 and b.ndim == 1:
        # single ones, read every frame: plain numbers are ten times faster than small arrays
        p, x, y, z = a.tolist()
        w, i, j, k = b.tolist()
        return np.array(
            [
                p * w - x * i - y * j - z * k,
                p * i + x * w + y * k - z * j,
                p * j - x * k + y * w + z * i,
                p * k + x * j - y * i + z * w,
            ]
        )
    aw, ax, ay, az = a[..., 0], a[..., 1], a[..., 2], a[..., 3]
    bw, bx, by, bz = b[..., 0], b[..., 1], b[..., 2], b[..., 3]
    return np.stack(
        [
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ],
        axis=-1,
    )


def rotate(q: Array, v: Array) -> Array:
    """Body vector v in world axes, over the last axis."""
    if q.ndim == 1 and v.ndim == 1:
        p, x, y, z = q.tolist()
        a, b, c = v.tolist()
        i, j, k = 2.0 * (y * c - z * b), 2.0 * (z * a - x * c), 2.0 * (x * b - y * a)
        return np.array([a + p * i + y * k - z * j, b + p * j + z * i - x * k, c + p * k + x * j - y * i])
    p, x, y, z = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    a, b, c = v[..., 0], v[..., 1], v[..., 2]
    i, j, k = 2.0 * (y * c - z * b), 2.0 * (z * a - x * c), 2.0 * (x * b - y * a)
    return np.stack([a + p * i + (y * k - z * j), b + p * j + (z * i - x * k), c + p * k + (x * j - y * i)], axis=-1)


def cross(a: Array, b: Array) -> Array:
    """Vector product over the last axis; for small arrays a third of the time of numpy's, which allows for any axis."""
    if a.ndim == 1 and b.ndim == 1:
        x, y, z = a.tolist()
        i, j, k = b.tolist()
        return np.array([y * k - z * j, z * i - x * k, x * j - y * i])
    ax, ay, az = (a[..., k] for k in range(3))
    bx, by, bz = (b[..., k] for k in range(3))
    first = ay * bz - az * by
    out = np.empty((*first.shape, 3), first.dtype)
    out[..., 0], out[..., 1], out[..., 2] = first, az * bx - ax * bz, ax * by - ay * bx
    return out


def matrix(q: Array) -> Array:
    """Rotation matrix, body to world."""
    return np.stack([rotate(q, e) for e in np.eye(3)], axis=1)


def from_matrix(m: Array) -> Array:
    """Unit quaternion of a rotation matrix."""
    k = np.array(
        [
            [m[0, 0] - m[1, 1] - m[2, 2], 0, 0, 0],
            [m[0, 1] + m[1, 0], m[1, 1] - m[0, 0] - m[2, 2], 0, 0],
            [m[0, 2] + m[2, 0], m[1, 2] + m[2, 1], m[2, 2] - m[0, 0] - m[1, 1], 0],
            [m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1], m[0, 0] + m[1, 1] + m[2, 2]],
        ]
    )
    _, vectors = np.linalg.eigh(k / 3.0, "L")
    x, y, z, w = vectors[:, -1]
    q = np.array([w, x, y, z])
    return q if w >= 0 else -q


def with_axis(axis: Array) -> Array:
    """A frame whose z axis points along `axis`: the shortest turn from z."""
    x, y, z = axis / np.linalg.norm(axis)
    if z < -1.0 + 1e-12:
        return np.array([0.0, 1.0, 0.0, 0.0])
    q = np.array([1.0 + z, -y, x, 0.0])
    return q / np.linalg.norm(q)
