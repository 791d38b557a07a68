"""Quaternions (w, x, y, z), body to world, and the rotations they stand for."""

from __future__ import annotations

import math

from taut.core.jit import kernel


@kernel
def rotate(w, x, y, z, a, b, c):
    """Vector (a, b, c) of the body frame, in world axes."""
    # v + 2 w (u x v) + 2 u x (u x v), u the vector part
    tx = 2.0 * (y * c - z * b)
    ty = 2.0 * (z * a - x * c)
    tz = 2.0 * (x * b - y * a)
    return a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx


@kernel
def rotate_inverse(w, x, y, z, a, b, c):
    """World vector (a, b, c) in the axes of the body."""
    return rotate(w, -x, -y, -z, a, b, c)


@kernel
def matrix(w, x, y, z, out):
    """Rotation matrix, body to world, into `out` (3, 3)."""
    out[0, 0] = 1.0 - 2.0 * (y * y + z * z)
    out[0, 1] = 2.0 * (x * y - w * z)
    out[0, 2] = 2.0 * (x * z + w * y)
    out[1, 0] = 2.0 * (x * y + w * z)
    out[1, 1] = 1.0 - 2.0 * (x * x + z * z)
    out[1, 2] = 2.0 * (y * z - w * x)
    out[2, 0] = 2.0 * (x * z - w * y)
    out[2, 1] = 2.0 * (y * z + w * x)
    out[2, 2] = 1.0 - 2.0 * (x * x + y * y)


@kernel
def multiply(aw, ax, ay, az, bw, bx, by, bz):
    """Product a b: first b, then a."""
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


@kernel
def exponential(x, y, z):
    """Quaternion of the rotation vector (x, y, z) [rad]."""
    angle2 = x * x + y * y + z * z
    if angle2 < 1e-4:
        # sin(a/2)/a and cos(a/2) by their series: exact to round-off here
        s = 0.5 - angle2 / 48.0 + angle2 * angle2 / 3840.0
        c = 1.0 - angle2 / 8.0 + angle2 * angle2 / 384.0 - angle2 * angle2 * angle2 / 46080.0
    else:
        angle = math.sqrt(angle2)
        s = math.sin(0.5 * angle) / angle
        c = math.cos(0.5 * angle)
    return c, s * x, s * y, s * z


@kernel
def rotation_vector(w, x, y, z):
    """Rotation vector [rad] of a unit quaternion, the short way round."""
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    s = math.sqrt(x * x + y * y + z * z)
    if s < 1e-9:
        f = 2.0
    else:
        f = 2.0 * math.atan2(s, w) / s
    return f * x, f * y, f * z


@kernel
def turn(q, i, x, y, z):
    """Rotate quaternion q[i] in place by the world rotation vector (x, y, z) [rad] and keep it a unit quaternion."""
    dw, dx, dy, dz = exponential(x, y, z)
    w, a, b, c = multiply(dw, dx, dy, dz, q[i, 0], q[i, 1], q[i, 2], q[i, 3])
    # one Newton step of 1/sqrt: the norm is 1 to round-off already
    f = 1.5 - 0.5 * (w * w + a * a + b * b + c * c)
    q[i, 0] = w * f
    q[i, 1] = a * f
    q[i, 2] = b * f
    q[i, 3] = c * f


@kernel
def turn_straight(q, i, x, y, z):
    """Rotate quaternion q[i] in place by Cayley's map of (x, y, z) [rad]: by 2 atan(a/2) for a vector of length a.

    A point r of the body then goes by exactly the mean of its velocities before and after, R r - r = t x (r + R r) / 2.
    """
    f = 1.0 / math.sqrt(1.0 + 0.25 * (x * x + y * y + z * z))
    w, a, b, c = multiply(f, 0.5 * f * x, 0.5 * f * y, 0.5 * f * z, q[i, 0], q[i, 1], q[i, 2], q[i, 3])
    # one Newton step of 1/sqrt, as above
    f = 1.5 - 0.5 * (w * w + a * a + b * b + c * c)
    q[i, 0] = w * f
    q[i, 1] = a * f
    q[i, 2] = b * f
    q[i, 3] = c * f


@kernel
def half_straight(x, y, z):
    """Quaternion of half the rotation that `turn_straight` makes of (x, y, z)."""
    w = 1.0 + math.sqrt(1.0 + 0.25 * (x * x + y * y + z * z))
    f = 1.0 / math.sqrt(w * w + 0.25 * (x * x + y * y + z * z))
    return f * w, 0.5 * f * x, 0.5 * f * y, 0.5 * f * z
