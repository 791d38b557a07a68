"""Geometric stiffness of a force along the line between two points of two bodies."""

from __future__ import annotations

from taut.core.jit import kernel


@kernel
def _point_jacobian(out, rx, ry, rz):
    """[1, -[r]x], the velocity of a point at arm r, shape (3, 6)."""
    for k in range(18):
        out[k] = 0.0
    out[0], out[7], out[14] = 1.0, 1.0, 1.0
    out[4], out[5] = rz, -ry
    out[9], out[11] = -rz, rx
    out[15], out[16] = ry, -rx


@kernel
def _transverse(left, i, right, j, ex, ey, ez):
    """Entry (i, j) of left^T (1 - e e^T) right."""
    ax, ay, az = left[i], left[6 + i], left[12 + i]
    bx, by, bz = right[j], right[6 + j], right[12 + j]
    return ax * bx + ay * by + az * bz - (ax * ex + ay * ey + az * ez) * (bx * ex + by * ey + bz * ez)


@kernel
def stiffen_pair(
    block,
    rhs,
    drag,
    pair_block,
    pair,
    point,
    na,
    nb,
    va,
    vb,
    new_a,
    new_b,
    ax,
    ay,
    az,
    bx,
    by,
    bz,
    ex,
    ey,
    ez,
    factor,
    part,
):
    """K = factor J^T (1 - e e^T) J of the vector between two points, on both bodies."""
    rest = 1.0 - part
    _point_jacobian(point[0], ax, ay, az)
    _point_jacobian(point[1], bx, by, bz)
    for side in range(2):
        node = na if side == 0 else nb
        if node >= 0:
            for i in range(6):
                for j in range(6):
                    k = factor * _transverse(point[side], i, point[side], j, ex, ey, ez)
                    block[node, 6 * i + j] += k
                    p = k * (va[j] if side == 0 else vb[j])
                    rhs[node, i] += part * p
                    drag[node, i] += rest * p
    for i in range(6):
        for j in range(6):
            k = -factor * _transverse(point[0], i, point[1], j, ex, ey, ez)
            if na >= 0 and nb >= 0:
                pair_block[pair, 6 * i + j] += k
                rhs[na, i] += part * k * vb[j]
                rhs[nb, j] += part * k * va[i]
                drag[na, i] += rest * k * vb[j]
                drag[nb, j] += rest * k * va[i]
            elif na >= 0:
                # the other body's motion is given: only the change of its velocity acts
                rhs[na, i] -= k * (new_b[j] - part * vb[j])
                drag[na, i] += rest * k * vb[j]
            elif nb >= 0:
                rhs[nb, j] -= k * (new_a[i] - part * va[i])
                drag[nb, j] += rest * k * va[i]
