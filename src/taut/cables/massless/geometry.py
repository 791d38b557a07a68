"""The path of a rope over its parts, and the exact derivative of its length.

A part is a point (radius 0) or a wheel with centre C, axis a and radius R, carried by a body. A span runs from A1 on part
1 to A2 on part 2, d = A2 - A1, u = d/|d|. In a groove the rope leaves tangentially, seen along the axis:

    c1 = d . n1 = 0,   c2 = d . n2 = 0,     n radial at A, t = a x n

(two equations for the two angles, Newton). With the arcs R s (angle) that belong to the span, s = +-1 the sense of the
turn, its length changes by

    u . (dA2 - dA1) + k1 dtheta1 + k2 dtheta2,   k1 = R1 (s1 - u . t1),  k2 = R2 (u . t2 - s2)

where k vanishes unless the rope runs off at an angle to the groove (fleet angle). The angles follow the bodies by
J dtheta = -dc; with J^T m = -k the whole is a force F = u + m1 n1 + m2 n2 at the two points and a couple m n x d on each
wheel: the side force of the fleet angle.
"""

from __future__ import annotations

import math

from taut.cables.massless.columns import (
    N_ARM,
    N_AXIS,
    N_BODY,
    N_FIRST,
    N_KIND,
    N_RADIUS,
    N_TURN,
    POINT_PART,
    W_ARRIVES,
    W_AXIS,
    W_CENTRE,
    W_FIRST,
    W_LEAVES,
    W_LENGTH,
    W_SECOND,
)
from taut.core.jit import kernel
from taut.core.quat import rotate

#: Newton steps on the tangent points and the part of the span to which they are exact
TURNS, TOLERANCE = 12, 1e-15


@kernel
def place_part(k, part, frame, pos, quat, place):
    """Centre, axis and directions of a part in the world."""
    b = part[k, N_BODY]
    w, x, y, z = quat[b, 0], quat[b, 1], quat[b, 2], quat[b, 3]
    cx, cy, cz = rotate(w, x, y, z, frame[k, N_ARM], frame[k, N_ARM + 1], frame[k, N_ARM + 2])
    p = place[k]
    p[W_CENTRE], p[W_CENTRE + 1], p[W_CENTRE + 2] = pos[b, 0] + cx, pos[b, 1] + cy, pos[b, 2] + cz
    if part[k, N_KIND] == POINT_PART:
        for c in range(3):
            p[W_ARRIVES + c] = p[W_CENTRE + c]
            p[W_LEAVES + c] = p[W_CENTRE + c]
        return
    ax, ay, az = rotate(w, x, y, z, frame[k, N_AXIS], frame[k, N_AXIS + 1], frame[k, N_AXIS + 2])
    ex, ey, ez = rotate(w, x, y, z, frame[k, N_FIRST], frame[k, N_FIRST + 1], frame[k, N_FIRST + 2])
    p[W_AXIS], p[W_AXIS + 1], p[W_AXIS + 2] = ax, ay, az
    p[W_FIRST], p[W_FIRST + 1], p[W_FIRST + 2] = ex, ey, ez
    p[W_SECOND], p[W_SECOND + 1], p[W_SECOND + 2] = ay * ez - az * ey, az * ex - ax * ez, ax * ey - ay * ex


@kernel
def _tangent_angle(p, radius, side, x, y, z):
    """Angle of the tangent point seen from (x, y, z), projected into the plane of the wheel."""
    dx, dy, dz = x - p[W_CENTRE], y - p[W_CENTRE + 1], z - p[W_CENTRE + 2]
    a = dx * p[W_FIRST] + dy * p[W_FIRST + 1] + dz * p[W_FIRST + 2]
    b = dx * p[W_SECOND] + dy * p[W_SECOND + 1] + dz * p[W_SECOND + 2]
    far = math.sqrt(a * a + b * b)
    return math.atan2(b, a) + side * (math.acos(radius / far) if far > radius else 0.0)


@kernel
def _radial(p, angle):
    """Radial unit vector at an angle."""
    c, s = math.cos(angle), math.sin(angle)
    return (
        c * p[W_FIRST] + s * p[W_SECOND],
        c * p[W_FIRST + 1] + s * p[W_SECOND + 1],
        c * p[W_FIRST + 2] + s * p[W_SECOND + 2],
    )


@kernel
def _along(p, n):
    """Tangent unit vector a x n."""
    x, y, z = p[W_AXIS], p[W_AXIS + 1], p[W_AXIS + 2]
    return y * n[2] - z * n[1], z * n[0] - x * n[2], x * n[1] - y * n[0]


@kernel
def _dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def _near(angle, last):
    """The angle, by full turns nearest to its last value."""
    return angle + 2.0 * math.pi * math.floor((last - angle) / (2.0 * math.pi) + 0.5)


@kernel
def span(i, j, part, frame, place, angle, pull):
    """Tangent points of the span from part i to part j; angles leave i at angle[i, 1] and arrive at angle[j, 0].

    `pull` receives F (3), n1 m1 x d (3), n2 m2 x d (3): the derivative of the length of span and arcs.
    """
    p, q = place[i], place[j]
    # points and wraps have a place of their own where the rope leaves or arrives
    pc, qc = W_CENTRE if frame[i, N_RADIUS] > 0.0 else W_LEAVES, W_CENTRE if frame[j, N_RADIUS] > 0.0 else W_ARRIVES
    ri, rj = frame[i, N_RADIUS], frame[j, N_RADIUS]
    si, sj = float(part[i, N_TURN]), float(part[j, N_TURN])
    n1, n2 = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    t1, t2 = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    one, two = 0.0, 0.0
    if ri > 0.0:
        one = _tangent_angle(p, ri, -si, q[qc], q[qc + 1], q[qc + 2])
    if rj > 0.0:
        two = _tangent_angle(q, rj, sj, p[pc], p[pc + 1], p[pc + 2])
    d = (0.0, 0.0, 0.0)
    length = 0.0
    a, b, c, e = 1.0, 0.0, 0.0, 1.0
    for turn in range(TURNS):
        if ri > 0.0:
            n1 = _radial(p, one)
            t1 = _along(p, n1)
        if rj > 0.0:
            n2 = _radial(q, two)
            t2 = _along(q, n2)
        d = (
            q[qc] + rj * n2[0] - p[pc] - ri * n1[0],
            q[qc + 1] + rj * n2[1] - p[pc + 1] - ri * n1[1],
            q[qc + 2] + rj * n2[2] - p[pc + 2] - ri * n1[2],
        )
        length = math.sqrt(_dot(d, d))
        # J = [dc1/dtheta1, dc1/dtheta2; dc2/dtheta1, dc2/dtheta2]
        c1, c2 = _dot(d, n1), _dot(d, n2)
        a = _dot(d, t1) if ri > 0.0 else 1.0
        b = rj * _dot(t2, n1)
        c = -ri * _dot(t1, n2)
        e = _dot(d, t2) if rj > 0.0 else 1.0
        if abs(c1) + abs(c2) <= TOLERANCE * length or turn == TURNS - 1:
            break
        det = a * e - b * c
        if det == 0.0:
            break
        one -= (e * c1 - b * c2) / det
        two -= (a * c2 - c * c1) / det
    short = max(length, 1e-12)
    u = (d[0] / short, d[1] / short, d[2] / short)
    k1, k2 = ri * (si - _dot(u, t1)), rj * (_dot(u, t2) - sj)
    # J^T m = -k
    det = a * e - b * c
    m1, m2 = 0.0, 0.0
    if det != 0.0:
        m1, m2 = -(e * k1 - c * k2) / det, -(a * k2 - b * k1) / det
    for x in range(3):
        p[W_LEAVES + x] = p[pc + x] + ri * n1[x]
        q[W_ARRIVES + x] = q[qc + x] + rj * n2[x]
        pull[x] = u[x] + m1 * n1[x] + m2 * n2[x]
    pull[3], pull[4], pull[5] = (
        m1 * (n1[1] * d[2] - n1[2] * d[1]), m1 * (n1[2] * d[0] - n1[0] * d[2]), m1 * (n1[0] * d[1] - n1[1] * d[0]),
    )  # fmt: skip
    pull[6], pull[7], pull[8] = (
        m2 * (n2[1] * d[2] - n2[2] * d[1]), m2 * (n2[2] * d[0] - n2[0] * d[2]), m2 * (n2[0] * d[1] - n2[1] * d[0]),
    )  # fmt: skip
    p[W_LENGTH] = length
    if ri > 0.0:
        angle[i, 1] = _near(one, angle[i, 1])
    if rj > 0.0:
        angle[j, 0] = _near(two, angle[j, 0])
    return length
