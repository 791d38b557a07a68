"""Connectors that collide: balls that stand for the surface of a body, and their contacts with obstacles.

A ball of radius rho at the point r of a body X, R touches a solid at the distance d - rho of its middle x = X + R r. The row
is that of a held point without a rod: n = -(outward normal), the gap n.(-x) - offset. Its curvature by the motion of the body is
that of the distance, W, by J = [1, -R [r]]; `stiffen_studs` adds force J'W J to the border.
"""

from __future__ import annotations

from taut.cables.rod.arrays import (
    BODY,
    BORDER,
    CURVE,
    GAP,
    KEY,
    MARK,
    NORMAL,
    OFFSET,
    PART_A,
    PART_B,
    PUSHES,
    ROW_A,
    ROW_B,
    SPOT,
    TRY_TURNED,
    Array,
)
from taut.cables.rod.contact_rows import curvature, into, new_row
from taut.cables.rod.distance import solid
from taut.cables.rod.loads import body_point
from taut.cables.rod.mesh_distance import mesh_point
from taut.cables.rod.obstacles import DISTANCE, FRAME, KIND, MARGIN, MESH, OUTWARD, SIZES, Obstacles
from taut.core import quat as rotation
from taut.core.jit import kernel

#: marks of rows of studs, far from those of segments, and how far they are from each other
FIRST_MARK, MARKS = 1e6, 10.0


@kernel
def touch_studs(body: Array, row: Array, block: Array, count: Array, obstacles: Obstacles) -> None:
    """Add a row for each stud that is near to an obstacle."""
    studs, probe, margin = obstacles.studs, obstacles.probe, obstacles.setting[MARGIN]
    for k in range(studs.shape[0]):
        s, b = studs[k], int(studs[k, 0])
        x, y, z = body_point(body, b, s[1], s[2], s[3])
        for o in range(obstacles.shape.shape[0]):
            shape, kind = obstacles.shape[o], int(obstacles.shape[o, KIND])
            px, py, pz = into(shape, x, y, z)
            found = 1
            if kind == MESH:
                found = mesh_point(
                    obstacles.triangle, obstacles.tree, int(shape[SIZES]), px, py, pz, s[4] + margin, probe, obstacles.stack
                )  # fmt: skip
            else:
                solid(kind, shape, px, py, pz, probe[0])
            for f in range(found):
                if probe[f, DISTANCE] < s[4] + margin:
                    _add(row, block, count, shape, o, k, s, probe[f], x, y, z)


@kernel
def _add(
    row: Array, block: Array, count: Array, shape: Array, o: int, k: int, stud: Array, probe: Array, x: float, y: float,
    z: float,
) -> None:  # fmt: skip
    r = new_row(row, count)
    if r < 0:
        return
    q = row[r]
    nx, ny, nz = rotation.rotate(
        shape[FRAME], shape[FRAME + 1], shape[FRAME + 2], shape[FRAME + 3], probe[OUTWARD], probe[OUTWARD + 1],
        probe[OUTWARD + 2],
    )  # fmt: skip
    gap = probe[DISTANCE] - stud[4]
    q[ROW_A], q[PART_A], q[ROW_B], q[PART_B], q[BODY] = -1.0, 0.0, -1.0, 0.0, stud[0]
    q[SPOT], q[SPOT + 1], q[SPOT + 2] = stud[1], stud[2], stud[3]
    q[NORMAL], q[NORMAL + 1], q[NORMAL + 2] = -nx, -ny, -nz
    q[OFFSET], q[PUSHES], q[GAP] = nx * x + ny * y + nz * z - gap, 1.0, gap
    q[KEY], q[MARK] = float(o), FIRST_MARK + MARKS * k
    curvature(shape, probe, block[0], 1.0, q, False)


@kernel
def stiffen_studs(body: Array, row: Array, force: Array, dense: Array, rows: int) -> None:
    """Curvature of the gaps of studs on the freedoms of their bodies."""
    for r in range(rows):
        q = row[r]
        b = int(q[BODY])
        if q[ROW_A] >= 0.0 or q[PUSHES] <= 0.0 or b < 0 or body[b, BORDER] < 0.0 or force[r] == 0.0:
            continue
        at, t = int(body[b, BORDER]), TRY_TURNED
        w0, w1, w2, w3 = body[b, t], body[b, t + 1], body[b, t + 2], body[b, t + 3]
        x, y, z = q[SPOT], q[SPOT + 1], q[SPOT + 2]
        for i in range(6):
            ax, ay, az = _column(i, w0, w1, w2, w3, x, y, z)
            cx = q[CURVE] * ax + q[CURVE + 1] * ay + q[CURVE + 2] * az
            cy = q[CURVE + 1] * ax + q[CURVE + 3] * ay + q[CURVE + 4] * az
            cz = q[CURVE + 2] * ax + q[CURVE + 4] * ay + q[CURVE + 5] * az
            for j in range(6):
                bx, by, bz = _column(j, w0, w1, w2, w3, x, y, z)
                dense[at + i, at + j] += force[r] * (bx * cx + by * cy + bz * cz)


@kernel
def _column(
    i: int, w0: float, w1: float, w2: float, w3: float, x: float, y: float, z: float
) -> tuple[float, float, float]:  # fmt: skip
    """Motion of a point of a body by its i-th freedom: shifts along world axes, turns about its own."""
    e0, e1, e2 = (1.0 if i % 3 == 0 else 0.0), (1.0 if i % 3 == 1 else 0.0), (1.0 if i % 3 == 2 else 0.0)
    if i < 3:
        return e0, e1, e2
    return rotation.rotate(w0, w1, w2, w3, e1 * z - e2 * y, e2 * x - e0 * z, e0 * y - e1 * x)
