"""Rows of contacts: room for them, and the curvature of their gaps."""

from __future__ import annotations

from taut.cables.rod.arrays import CURVE, DIRECTOR, LOST, ROWS, Array
from taut.cables.rod.obstacles import AT, FRAME, HESSIAN
from taut.core import quat as rotation
from taut.core.jit import kernel


@kernel
def into(shape: Array, x: float, y: float, z: float) -> tuple[float, float, float]:
    """A world point in the frame of a solid."""
    return rotation.rotate_inverse(
        shape[FRAME], shape[FRAME + 1], shape[FRAME + 2], shape[FRAME + 3], x - shape[AT], y - shape[AT + 1],
        z - shape[AT + 2],
    )  # fmt: skip


@kernel
def new_row(row: Array, count: Array) -> int:
    """Place for one more contact, or -1."""
    if count[ROWS] >= row.shape[0]:
        count[LOST] += 1
        return -1
    count[ROWS] += 1
    return count[ROWS] - 1


@kernel
def curvature(shape: Array, probe: Array, a: Array, l: float, q: Array, slides: bool) -> None:
    """C, k and s of the gap (see `loads.py`) from the Hessian W of the distance, in world axes."""
    f0, f1, f2, f3 = shape[FRAME], shape[FRAME + 1], shape[FRAME + 2], shape[FRAME + 3]
    for k in range(10):
        q[CURVE + k] = 0.0
    h = probe[HESSIAN : HESSIAN + 6]
    ux, uy, uz = l * a[DIRECTOR + 6], l * a[DIRECTOR + 7], l * a[DIRECTOR + 8]
    vx, vy, vz = rotation.rotate_inverse(f0, f1, f2, f3, ux, uy, uz)
    # W u in the frame of the solid
    wx, wy, wz = (
        h[0] * vx + h[1] * vy + h[2] * vz,
        h[1] * vx + h[3] * vy + h[4] * vz,
        h[2] * vx + h[4] * vy + h[5] * vz,
    )
    along = vx * wx + vy * wy + vz * wz
    # W by columns, turned into the world: R W R'
    for c in range(3):
        ex, ey, ez = rotation.rotate_inverse(
            f0, f1, f2, f3, (1.0 if c == 0 else 0.0), (1.0 if c == 1 else 0.0), (1.0 if c == 2 else 0.0)
        )
        cx, cy, cz = (
            h[0] * ex + h[1] * ey + h[2] * ez,
            h[1] * ex + h[3] * ey + h[4] * ez,
            h[2] * ex + h[4] * ey + h[5] * ez,
        )
        cx, cy, cz = rotation.rotate(f0, f1, f2, f3, cx, cy, cz)
        if c == 0:
            q[CURVE], q[CURVE + 1], q[CURVE + 2] = cx, cy, cz
        elif c == 1:
            q[CURVE + 3], q[CURVE + 4] = cy, cz
        else:
            q[CURVE + 5] = cz
    if slides and along > 1e-6 * l * (abs(h[0]) + abs(h[3]) + abs(h[5])) * l:
        wx, wy, wz = rotation.rotate(f0, f1, f2, f3, wx, wy, wz)
        q[CURVE] -= wx * wx / along
        q[CURVE + 1] -= wx * wy / along
        q[CURVE + 2] -= wx * wz / along
        q[CURVE + 3] -= wy * wy / along
        q[CURVE + 4] -= wy * wz / along
        q[CURVE + 5] -= wz * wz / along
        q[CURVE + 6], q[CURVE + 7], q[CURVE + 8], q[CURVE + 9] = wx / along, wy / along, wz / along, 1.0 / along
