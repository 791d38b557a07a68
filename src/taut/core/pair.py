"""Geometric stiffness of a force along the line between two points of two bodies."""

from __future__ import annotations

from taut.core.jit import kernel


@kernel
def across(out, rx, ry, rz, ex, ey, ez):
    """P J with J = [1, -[r]x], the velocity of a point at arm r, and P = 1 - e e^T; row-major (3, 6)."""
    for k in range(18):
        out[k] = 0.0
    out[0], out[7], out[14] = 1.0, 1.0, 1.0
    out[4], out[5] = rz, -ry
    out[9], out[11] = -rz, rx
    out[15], out[16] = ry, -rx
    for c in range(6):
        along = ex * out[c] + ey * out[6 + c] + ez * out[12 + c]
        out[c] -= ex * along
        out[6 + c] -= ey * along
        out[12 + c] -= ez * along


@kernel
def _speed(v, rx, ry, rz):
    """Velocity of a point at arm r of a body with velocity and spin v."""
    return v[0] + v[4] * rz - v[5] * ry, v[1] + v[5] * rx - v[3] * rz, v[2] + v[3] * ry - v[4] * rx


@kernel
def _push(rhs, jac, x, y, z):
    """Add J^T P (x, y, z)."""
    for c in range(6):
        rhs[c] += jac[c] * x + jac[6 + c] * y + jac[12 + c] * z


@kernel
def stiffen_pair(
    block, rhs, drag, pair_block, pair, point, na, nb, va, vb, new_a, new_b, ax, ay, az, bx, by, bz, ex, ey, ez,
    factor, part,
):  # fmt: skip
    """K = factor J^T P J of the vector between two points, on both bodies (lower parts), and on the right side
    part K v; the rest of K v is noted as drag. Where the motion of one body is given, only its change acts."""
    one, two = point[0], point[1]
    across(one, ax, ay, az, ex, ey, ez)
    across(two, bx, by, bz, ex, ey, ez)
    for side in range(2):
        node, jac = (na, one) if side == 0 else (nb, two)
        if node >= 0:
            # P is a projection: (P J)^T (P J) = J^T P J
            for i in range(6):
                for j in range(i + 1):
                    k = jac[i] * jac[j] + jac[6 + i] * jac[6 + j] + jac[12 + i] * jac[12 + j]
                    block[node, 6 * i + j] += factor * k
    if na >= 0 and nb >= 0:
        for i in range(6):
            for j in range(6):
                k = one[i] * two[j] + one[6 + i] * two[6 + j] + one[12 + i] * two[12 + j]
                pair_block[pair, 6 * i + j] -= factor * k
    ua, ub = _speed(va, ax, ay, az), _speed(vb, bx, by, bz)
    dx, dy, dz = factor * (ub[0] - ua[0]), factor * (ub[1] - ua[1]), factor * (ub[2] - ua[2])
    if nb >= 0:
        gx, gy, gz = (0.0, 0.0, 0.0) if na >= 0 else _speed(new_a, ax, ay, az)
        _push(rhs[nb], two, part * dx + factor * gx, part * dy + factor * gy, part * dz + factor * gz)
    if na >= 0:
        gx, gy, gz = (0.0, 0.0, 0.0) if nb >= 0 else _speed(new_b, bx, by, bz)
        _push(rhs[na], one, factor * gx - part * dx, factor * gy - part * dy, factor * gz - part * dz)
    if part < 1.0:
        rest = 1.0 - part
        if nb >= 0:
            _push(drag[nb], two, rest * dx, rest * dy, rest * dz)
        if na >= 0:
            _push(drag[na], one, -rest * dx, -rest * dy, -rest * dz)
