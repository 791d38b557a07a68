"""Energy of the rod, its gradient and its Hessian, in closed form.

Unknown are the frames q_i of the segments, changed by q <- q exp(phi/2); the points follow by summation,
x_(j+1) = x_j + l_j d3(q_j). Between neighbours a, b lies a joint of length l with p = (p0, v) = +-conj(q_a) q_b, the
sign such that p0 >= 0 (q and -q are the same frame), and the strain 2 v / l:

    E   = l/2 sum_c K_c (2 v_c/l - w0_c)^2
    s_c = 2 K_c (2 v_c/l - w0_c),  k_c = 4 K_c/l                       first and second derivative by v_c
    dv/da = -(p0 - [v])/2,  dv/db = (p0 + [v])/2
    H_aa = A_a' k A_a - (s.v)/4,   H_bb = A_b' k A_b - (s.v)/4
    H_ab = A_a' k A_b + (v s' + s v')/4 - (s.v)/4 + p0/4 [s]

Loads and holders are in `loads.py`.

Model: M. Gregoire and E. Schoemer, Interactive simulation of one-dimensional flexible parts; what differs is told in
docs/rod.md.
"""

from __future__ import annotations

import math

from taut.cables.rod.arrays import (
    BENT,
    DIAG,
    FIRST,
    FREE,
    GAP,
    GRAD,
    JOINT,
    LAST,
    LEVER,
    LOCK,
    PULL,
    PUSHES,
    REST,
    ROWS,
    SEG,
    SLOPE,
    STIFF,
    UPPER,
    Array,
)
from taut.cables.rod.bodies import slopes
from taut.cables.rod.loads import body_point, gaps, loads, pulls, shape
from taut.core.jit import kernel


@kernel
def assemble(
    rod: Array, chain: Array, body: Array, row: Array, quat: Array, force: Array, block: Array, count: Array
) -> float:
    """Fill gradient, Hessian, points and gaps at these frames, body poses and multipliers; returns the energy [J].

    The rows of chain ends receive the moments of the rod on what holds them.
    """
    shape(rod, chain, body, quat, block)
    gaps(body, row, block, count[ROWS])
    count[BENT] = 1 if pulls(rod, row, force, block, count[ROWS]) else 0
    energy = loads(rod, chain, block)
    for c in range(chain.shape[0]):
        for j in range(int(chain[c, FIRST]), int(chain[c, LAST])):
            energy += _joint(rod, j, quat, block)
    slopes(chain, body, row, force, block, count[ROWS])
    for b in range(body.shape[0]):
        x, y, z = body_point(body, b, body[b, LEVER], body[b, LEVER + 1], body[b, LEVER + 2])
        energy -= body[b, PULL] * x + body[b, PULL + 1] * y + body[b, PULL + 2] * z
    return energy


@kernel
def _joint(rod: Array, j: int, quat: Array, block: Array) -> float:
    """Add joint j between rows j and j + 1; returns its energy."""
    aw, ax, ay, az = quat[j, 0], quat[j, 1], quat[j, 2], quat[j, 3]
    bw, bx, by, bz = quat[j + 1, 0], quat[j + 1, 1], quat[j + 1, 2], quat[j + 1, 3]
    p = aw * bw + ax * bx + ay * by + az * bz
    x = aw * bx - ax * bw - ay * bz + az * by
    y = aw * by + ax * bz - ay * bw - az * bx
    z = aw * bz - ax * by + ay * bx - az * bw
    if p < 0.0:
        p, x, y, z = -p, -x, -y, -z
    l = rod[j, JOINT]
    f = 2.0 / l
    K0, K1, K2 = rod[j, STIFF], rod[j, STIFF + 1], rod[j, STIFF + 2]
    e0, e1, e2 = f * x - rod[j, REST], f * y - rod[j, REST + 1], f * z - rod[j, REST + 2]
    s0, s1, s2 = 2.0 * K0 * e0, 2.0 * K1 * e1, 2.0 * K2 * e2
    q = 0.25 * (s0 * x + s1 * y + s2 * z)
    # k with 1/4 from the two halves in A
    k0, k1, k2 = 0.5 * f * K0, 0.5 * f * K1, 0.5 * f * K2
    g0, g1, g2 = 0.5 * p * s0, 0.5 * p * s1, 0.5 * p * s2
    c0, c1, c2 = 0.5 * (y * s2 - z * s1), 0.5 * (z * s0 - x * s2), 0.5 * (x * s1 - y * s0)
    # p0 - [v] has the rows (p, z, -y), (-z, p, x), (y, -x, p); p0 + [v] is its transpose
    d0 = k0 * p * p + k1 * z * z + k2 * y * y - q
    d2 = k0 * z * z + k1 * p * p + k2 * x * x - q
    d5 = k0 * y * y + k1 * x * x + k2 * p * p - q
    d1, o1 = -k2 * y * x, (k0 - k1) * p * z
    d3, o3 = -k1 * z * x, (k2 - k0) * p * y
    d4, o4 = -k0 * z * y, (k1 - k2) * p * x
    a, b = block[j], block[j + 1]
    a[GRAD] -= g0 + c0
    a[GRAD + 1] -= g1 + c1
    a[GRAD + 2] -= g2 + c2
    b[GRAD] += g0 - c0
    b[GRAD + 1] += g1 - c1
    b[GRAD + 2] += g2 - c2
    a[DIAG] += d0
    a[DIAG + 1] += d1 + o1
    a[DIAG + 2] += d2
    a[DIAG + 3] += d3 + o3
    a[DIAG + 4] += d4 + o4
    a[DIAG + 5] += d5
    b[DIAG] += d0
    b[DIAG + 1] += d1 - o1
    b[DIAG + 2] += d2
    b[DIAG + 3] += d3 - o3
    b[DIAG + 4] += d4 - o4
    b[DIAG + 5] += d5
    h, r = 0.25 * p, 0.25
    xy, xz, yz = r * (x * s1 + y * s0), r * (x * s2 + z * s0), r * (y * s2 + z * s1)
    u1, u2, u5 = (k0 + k1) * p * z, (k0 + k2) * p * y, (k1 + k2) * p * x
    a[UPPER] = -k0 * p * p + k1 * z * z + k2 * y * y + 0.5 * x * s0 - q
    a[UPPER + 1] = u1 - k2 * y * x + xy - h * s2
    a[UPPER + 2] = -u2 - k1 * z * x + xz + h * s1
    a[UPPER + 3] = -u1 - k2 * x * y + xy + h * s2
    a[UPPER + 4] = k0 * z * z - k1 * p * p + k2 * x * x + 0.5 * y * s1 - q
    a[UPPER + 5] = u5 - k0 * z * y + yz - h * s0
    a[UPPER + 6] = u2 - k1 * x * z + xz - h * s1
    a[UPPER + 7] = -u5 - k0 * y * z + yz + h * s0
    a[UPPER + 8] = k0 * y * y + k1 * x * x - k2 * p * p + 0.5 * z * s2 - q
    return 0.5 * l * (K0 * e0 * e0 + K1 * e1 * e1 + K2 * e2 * e2)


@kernel
def merit(row: Array, force: Array, count: Array, weight: float) -> float:
    """What the rows add to the augmented Lagrangian: force gap + weight/2 gap^2; one-sided where a row only pushes."""
    total = 0.0
    for r in range(count[ROWS]):
        gap = row[r, GAP]
        if row[r, PUSHES] > 0.0 and force[r] + weight * gap >= 0.0:
            total -= 0.5 * force[r] ** 2 / weight
        else:
            total += gap * (force[r] + 0.5 * weight * gap)
    return total


@kernel
def residual(
    rod: Array, chain: Array, body: Array, row: Array, force: Array, block: Array, count: Array, scales: Array
) -> float:
    """Largest imbalance: moment over segment length against a force, gap against the length of the rod [-].

    For a row that only pushes, the smaller of gap and push (both must not be negative, one must be zero).
    """
    worst, force_scale, length = 0.0, scales[0], scales[1]
    for c in range(chain.shape[0]):
        for i in range(int(chain[c, FIRST]) + 1, int(chain[c, LAST])):
            reach = max(rod[i, SEG], rod[i, JOINT]) * force_scale
            for k in range(3):
                if rod[i, LOCK + k] == 0.0:
                    worst = max(worst, abs(block[i, GRAD + k]) / reach)
    for b in range(body.shape[0]):
        for k in range(6):
            if body[b, FREE + k] > 0.0:
                worst = max(worst, abs(body[b, SLOPE + k]) / (force_scale * (1.0 if k < 3 else length)))
    for r in range(count[ROWS]):
        gap = row[r, GAP] / length
        if row[r, PUSHES] > 0.0:
            gap = min(gap, -force[r] / force_scale)
        worst = max(worst, abs(gap))
    return worst if math.isfinite(worst) else math.inf
