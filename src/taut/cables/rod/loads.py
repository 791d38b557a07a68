"""Points, gaps and dead loads: everything of gradient and Hessian that does not come from the joints.

A force on a point of segment i turns that segment by its lever and all segments before it by their whole length. With
F = (length of the segment times the load beyond it, less what holders pull) the energy is -d3.F; with tau = R'F and
e = e_z its gradient is -e x tau and its Hessian -(tau e' + e tau')/2 + (tau.e).

The curvature of a gap that may only push enters with its force p as -p times

    y'C y - 2 (k.y)(n.u) - s (n.u)^2,    y change of the touching point, u change of the chord of its segment:

the place of touching slides along the segment and is eliminated (k = W c/(c'W c), s = 1/(c'W c), C = W - W c c'W/(c'W c)
for the chord c and the Hessian W of the distance); at a node C = W and k = s = 0.
"""

from __future__ import annotations

from taut.cables.rod.arrays import (
    BEYOND,
    BODY,
    CURVE,
    CURVED,
    DIAG,
    DIRECTOR,
    FIRST,
    GAP,
    GRAD,
    LAST,
    LOAD,
    NODE,
    NORMAL,
    OFFSET,
    PART_A,
    PART_B,
    POINT_A,
    PUSHES,
    ROW_A,
    ROW_B,
    SEG,
    SPOT,
    TOTAL,
    TRY,
    TRY_TURNED,
    Array,
)
from taut.core import quat as rotation
from taut.core.jit import kernel


@kernel
def body_point(body: Array, b: int, x: float, y: float, z: float) -> tuple[float, float, float]:
    """A point of a body in the world, as it is being tried [m]."""
    q = body[b]
    x, y, z = rotation.rotate(
        q[TRY_TURNED], q[TRY_TURNED + 1], q[TRY_TURNED + 2], q[TRY_TURNED + 3], x, y, z
    )  # fmt: skip
    return q[TRY] + x, q[TRY + 1] + y, q[TRY + 2] + z


@kernel
def shape(rod: Array, chain: Array, body: Array, quat: Array, block: Array) -> None:
    """Directors and points of all segments at these frames."""
    for c in range(chain.shape[0]):
        k = int(chain[c, POINT_A - 2])
        x, y, z = body_point(body, k, chain[c, POINT_A], chain[c, POINT_A + 1], chain[c, POINT_A + 2])
        for i in range(int(chain[c, FIRST]), int(chain[c, LAST]) + 1):
            l = rod[i, SEG]
            w, a, b, d = quat[i, 0], quat[i, 1], quat[i, 2], quat[i, 3]
            row = block[i]
            row[DIRECTOR], row[DIRECTOR + 1] = 1.0 - 2.0 * (b * b + d * d), 2.0 * (a * b + w * d)
            row[DIRECTOR + 2], row[DIRECTOR + 3] = 2.0 * (a * d - w * b), 2.0 * (a * b - w * d)
            row[DIRECTOR + 4], row[DIRECTOR + 5] = 1.0 - 2.0 * (a * a + d * d), 2.0 * (b * d + w * a)
            tx, ty, tz = 2.0 * (a * d + w * b), 2.0 * (b * d - w * a), 1.0 - 2.0 * (a * a + b * b)
            row[DIRECTOR + 6], row[DIRECTOR + 7], row[DIRECTOR + 8] = tx, ty, tz
            row[NODE], row[NODE + 1], row[NODE + 2] = x, y, z
            x += l * tx
            y += l * ty
            z += l * tz


@kernel
def place(block: Array, i: int, part: float) -> tuple[float, float, float]:
    """The point so far along segment i [m]."""
    a = block[i]
    return (
        a[NODE] + part * a[DIRECTOR + 6],
        a[NODE + 1] + part * a[DIRECTOR + 7],
        a[NODE + 2] + part * a[DIRECTOR + 8],
    )


@kernel
def gaps(body: Array, row: Array, block: Array, rows: int) -> None:
    """n.(x_a - x_b) - offset of all rows."""
    for r in range(rows):
        q = row[r]
        x, y, z = -q[SPOT], -q[SPOT + 1], -q[SPOT + 2]
        b = int(q[BODY])
        if q[ROW_B] >= 0.0:
            x, y, z = place(block, int(q[ROW_B]), q[PART_B])
            x, y, z = -x, -y, -z
        elif b >= 0:
            x, y, z = body_point(body, b, q[SPOT], q[SPOT + 1], q[SPOT + 2])
            x, y, z = -x, -y, -z
        if q[ROW_A] >= 0.0:
            ax, ay, az = place(block, int(q[ROW_A]), q[PART_A])
            x, y, z = x + ax, y + ay, z + az
        if q[PUSHES] < 0.0:
            continue
        q[GAP] = q[NORMAL] * x + q[NORMAL + 1] * y + q[NORMAL + 2] * z - q[OFFSET]


@kernel
def _scatter(row: Array, r: int, force: float, block: Array, at: int, part: float) -> None:
    """A holder's pull at a point of a segment."""
    a = block[at]
    for c in range(3):
        f = force * row[r, NORMAL + c]
        a[BEYOND + c] += f
        a[BEYOND + 3 + c] += part * f


@kernel
def curve(row: Array, r: int, push: float, length: float, a: Array) -> None:
    """Curvature of a touching row on its segment: by point (6), point and chord (9), chord (6)."""
    q, n = row[r], row[r, NORMAL : NORMAL + 3]
    t = q[PART_A] / length
    s = q[CURVE + 9]
    m = 0
    for i in range(3):
        for j in range(3):
            low, high = min(i, j), max(i, j)
            C = q[CURVE + (2 * low + high if low == 0 else low + high + 1)]
            ki, kj = q[CURVE + 6 + i], q[CURVE + 6 + j]
            a[CURVED + 6 + 3 * i + j] -= push * (t * C - ki * n[j])
            if j >= i:
                a[CURVED + m] -= push * C
                a[CURVED + 15 + m] -= push * (t * t * C - t * (ki * n[j] + n[i] * kj) - s * n[i] * n[j])
                m += 1


@kernel
def pulls(rod: Array, row: Array, force: Array, block: Array, rows: int) -> bool:
    """Scatter the multipliers over the segments; returns whether there is any curvature."""
    bent = False
    for i in range(block.shape[0]):
        for c in range(6):
            block[i, BEYOND + c] = 0.0
    for r in range(rows):
        a, b, f = int(row[r, ROW_A]), int(row[r, ROW_B]), force[r]
        if f != 0.0:
            if a >= 0:
                _scatter(row, r, f, block, a, row[r, PART_A])
            if b >= 0:
                _scatter(row, r, -f, block, b, row[r, PART_B])
            bent = bent or (row[r, PUSHES] > 0.0 and b < 0 and a >= 0)
    if bent:
        for i in range(block.shape[0]):
            for c in range(21):
                block[i, CURVED + c] = 0.0
        for r in range(rows):
            a = int(row[r, ROW_A])
            if row[r, PUSHES] > 0.0 and row[r, ROW_B] < 0.0 and a >= 0 and force[r] != 0.0:
                curve(row, r, -force[r], rod[a, SEG], block[a])
    return bent


@kernel
def loads(rod: Array, chain: Array, block: Array) -> float:
    """Gradient and diagonal from loads and pulls, from the end to the start; returns the potential of the loads [J]."""
    energy = 0.0
    for c in range(chain.shape[0]):
        first, last = int(chain[c, FIRST]), int(chain[c, LAST])
        px, py, pz = 0.0, 0.0, 0.0
        for i in range(last - 1, first, -1):
            a, l = block[i], rod[i, SEG]
            gx, gy, gz = rod[i, LOAD], rod[i, LOAD + 1], rod[i, LOAD + 2]
            fx = gx - l * px - a[BEYOND + 3]
            fy = gy - l * py - a[BEYOND + 4]
            fz = gz - l * pz - a[BEYOND + 5]
            px += a[BEYOND]
            py += a[BEYOND + 1]
            pz += a[BEYOND + 2]
            energy -= a[DIRECTOR + 6] * gx + a[DIRECTOR + 7] * gy + a[DIRECTOR + 8] * gz
            t1 = a[DIRECTOR] * fx + a[DIRECTOR + 1] * fy + a[DIRECTOR + 2] * fz
            t2 = a[DIRECTOR + 3] * fx + a[DIRECTOR + 4] * fy + a[DIRECTOR + 5] * fz
            t3 = a[DIRECTOR + 6] * fx + a[DIRECTOR + 7] * fy + a[DIRECTOR + 8] * fz
            a[GRAD], a[GRAD + 1], a[GRAD + 2] = t2, -t1, 0.0
            a[DIAG], a[DIAG + 1], a[DIAG + 2] = t3, 0.0, t3
            a[DIAG + 3], a[DIAG + 4], a[DIAG + 5] = -0.5 * t1, -0.5 * t2, 0.0
        a = block[first]
        # the derivative by the first point: what holders pull, less the loads
        a[BEYOND], a[BEYOND + 1], a[BEYOND + 2] = (
            px - chain[c, TOTAL],
            py - chain[c, TOTAL + 1],
            pz - chain[c, TOTAL + 2],
        )
        for k in range(3):
            energy -= chain[c, TOTAL + k] * a[NODE + k]
        for k in range(DIAG + 6):
            block[first, k], block[last, k] = 0.0, 0.0
    return energy
