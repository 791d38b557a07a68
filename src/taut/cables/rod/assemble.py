"""Energy of the rod, its gradient and its Hessian, in closed form.

Unknown are the frames q_i of the segments, changed by q <- q exp(phi/2); the points follow by summation,
x_(j+1) = x_j + l_j d3(q_j). Between neighbours a, b lies a joint of length l with p = (p0, v) = +-conj(q_a) q_b, the
sign such that p0 >= 0 (q and -q are the same frame), and the strain 2 v / l:

    E   = l/2 sum_c K_c (2 v_c/l - w0_c)^2
    s_c = 2 K_c (2 v_c/l - w0_c),  k_c = 4 K_c/l                       first and second derivative by v_c
    dv/da = -(p0 - [v])/2,  dv/db = (p0 + [v])/2
    H_aa = A_a' k A_a - (s.v)/4,   H_bb = A_b' k A_b - (s.v)/4
    H_ab = A_a' k A_b + (v s' + s v')/4 - (s.v)/4 + p0/4 [s]

A dead load F (length of the segment times the load beyond it, less the holders' forces) gives E = -d3.F; with
tau = R'F and e = e_z its gradient is -e x tau and its Hessian -(tau e' + e tau')/2 + (tau.e).

Model: M. Gregoire and E. Schoemer, Interactive simulation of one-dimensional flexible parts; what differs is told in
docs/rod.md.
"""

from __future__ import annotations

import math

from taut.cables.rod.arrays import (
    DIAG,
    DIRECTOR,
    GAP,
    GRAD,
    JOINT,
    LOAD,
    PART,
    POINT,
    REST,
    SEG,
    SEGMENT,
    STIFF,
    UPPER,
    Array,
)
from taut.core.jit import kernel


@kernel
def assemble(
    rod: Array, start: Array, held: Array, quat: Array, force: Array, block: Array, dense: Array
) -> tuple[float, float]:
    """Fill gradient, Hessian, directors and gaps at these frames and multipliers; returns E and E + force.gap [J].

    The rows of the clamps receive the moments of the rod on them, which the solver leaves alone.
    """
    energy = _loads(rod, start, held, quat, force, block, dense)
    for j in range(quat.shape[0] - 1):
        energy += _joint(rod, j, quat, block)
    lagrangian = energy
    column = dense.shape[0] + GAP
    for r in range(dense.shape[0]):
        lagrangian += force[r // 3, r % 3] * dense[r, column]
    return energy, lagrangian


@kernel
def _loads(rod: Array, start: Array, held: Array, quat: Array, force: Array, block: Array, dense: Array) -> float:
    """Dead loads and holders; sets gradient and diagonal, to which the joints are added later."""
    last, m, column = quat.shape[0] - 1, force.shape[0], dense.shape[0] + GAP
    for c in range(DIAG + 6):
        block[0, c], block[last, c] = 0.0, 0.0
    # pull of all holders beyond the segment
    px, py, pz = 0.0, 0.0, 0.0
    for h in range(m):
        px += force[h, 0]
        py += force[h, 1]
        pz += force[h, 2]
    x, y, z = start[0], start[1], start[2]
    energy, h = 0.0, 0
    for i in range(1, last):
        l = rod[i, SEG]
        w, a, b, c = quat[i, 0], quat[i, 1], quat[i, 2], quat[i, 3]
        ux, uy, uz = 1.0 - 2.0 * (b * b + c * c), 2.0 * (a * b + w * c), 2.0 * (a * c - w * b)
        vx, vy, vz = 2.0 * (a * b - w * c), 1.0 - 2.0 * (a * a + c * c), 2.0 * (b * c + w * a)
        tx, ty, tz = 2.0 * (a * c + w * b), 2.0 * (b * c - w * a), 1.0 - 2.0 * (a * a + b * b)
        row = block[i]
        row[DIRECTOR], row[DIRECTOR + 1], row[DIRECTOR + 2] = ux, uy, uz
        row[DIRECTOR + 3], row[DIRECTOR + 4], row[DIRECTOR + 5] = vx, vy, vz
        gx, gy, gz = rod[i, LOAD], rod[i, LOAD + 1], rod[i, LOAD + 2]
        energy -= tx * gx + ty * gy + tz * gz
        fx, fy, fz = gx - l * px, gy - l * py, gz - l * pz
        while h < m and held[h, SEGMENT] == i:
            # a holder inside this segment pulls on its first part only
            part = held[h, PART]
            fx += (l - part) * force[h, 0]
            fy += (l - part) * force[h, 1]
            fz += (l - part) * force[h, 2]
            px -= force[h, 0]
            py -= force[h, 1]
            pz -= force[h, 2]
            dense[3 * h, column] = x + part * tx - held[h, POINT]
            dense[3 * h + 1, column] = y + part * ty - held[h, POINT + 1]
            dense[3 * h + 2, column] = z + part * tz - held[h, POINT + 2]
            h += 1
        x += l * tx
        y += l * ty
        z += l * tz
        t1 = ux * fx + uy * fy + uz * fz
        t2 = vx * fx + vy * fy + vz * fz
        t3 = tx * fx + ty * fy + tz * fz
        row[GRAD], row[GRAD + 1], row[GRAD + 2] = t2, -t1, 0.0
        row[DIAG], row[DIAG + 1], row[DIAG + 2] = t3, 0.0, t3
        row[DIAG + 3], row[DIAG + 4], row[DIAG + 5] = -0.5 * t1, -0.5 * t2, 0.0
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
def residual(rod: Array, block: Array, dense: Array, force_scale: float, length: float) -> float:
    """Largest imbalance: moment over segment length against a force, gap against the length of the rod [-]."""
    worst = 0.0
    for i in range(1, rod.shape[0] - 1):
        moment = max(abs(block[i, GRAD]), abs(block[i, GRAD + 1]), abs(block[i, GRAD + 2]))
        worst = max(worst, moment / (rod[i, SEG] * force_scale))
    for r in range(dense.shape[0]):
        worst = max(worst, abs(dense[r, dense.shape[0] + GAP]) / length)
    return worst if math.isfinite(worst) else math.inf
