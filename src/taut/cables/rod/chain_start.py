"""What a chain leaves at its start: it acts on the body there, and moves with it."""

from __future__ import annotations

from taut.cables.rod.arrays import (
    BODY_A,
    BORDER,
    FRAME_A,
    POINT_A,
    SIDE,
    TRY_TURNED,
    Array,
)
from taut.cables.rod.bodies import to_frame
from taut.cables.rod.entering import SLOPES
from taut.cables.rod.forms import linked, lower, symmetric
from taut.core import quat as rotation
from taut.core.jit import kernel


@kernel
def start_motion(chain: Array, body: Array, c: int, k: int) -> tuple[float, float, float, float, float, float]:
    """Shift of a chain's first point and turn of its first frame when body freedom k moves by one."""
    if k < 3:
        return (1.0 if k == 0 else 0.0), (1.0 if k == 1 else 0.0), (1.0 if k == 2 else 0.0), 0.0, 0.0, 0.0
    ex, ey, ez = (1.0 if k == 3 else 0.0), (1.0 if k == 4 else 0.0), (1.0 if k == 5 else 0.0)
    q, b = chain[c], int(chain[c, BODY_A])
    x, y, z = q[POINT_A], q[POINT_A + 1], q[POINT_A + 2]
    t = body[b, TRY_TURNED : TRY_TURNED + 4]
    x, y, z = rotation.rotate(t[0], t[1], t[2], t[3], ey * z - ez * y, ez * x - ex * z, ex * y - ey * x)
    ex, ey, ez = to_frame(chain, c, FRAME_A, ex, ey, ez)
    return x, y, z, ex, ey, ez


@kernel
def begin(chain: Array, body: Array, dense: Array, touch: Array, carry: Array, c: int, columns: int) -> None:
    """What is left of a chain at its start acts on the body there."""
    at = int(body[int(chain[c, BODY_A]), BORDER])
    if at < 0:
        return
    end, side = carry.shape[0] - 5, 2 * dense.shape[0] + SIDE
    Y, Z, W, P = carry[end + 1], carry[end + 2], carry[end + 3], carry[end + 4]
    v = carry[end + SLOPES]
    for k in range(6):
        x, y, z, p, s, t = start_motion(chain, body, c, k)
        dense[at + k, side] -= x * v[0] + y * v[1] + z * v[2] + p * v[3] + s * v[4] + t * v[5]
        for j in range(columns):
            u, here = carry[j], touch[0, j]
            value = x * u[0] + y * u[1] + z * u[2] + p * u[3] + s * u[4] + t * u[5]
            dense[at + k, here] += value
            dense[here, at + k] += value
        for j in range(6):
            a0, a1, a2, c0, c1, c2 = start_motion(chain, body, c, j)
            value = 0.0
            for r in range(3):
                h = x if r == 0 else y if r == 1 else z
                e = p if r == 0 else s if r == 1 else t
                value += h * (symmetric(Y, 0, r, 0) * a0 + symmetric(Y, 0, r, 1) * a1 + symmetric(Y, 0, r, 2) * a2)
                z0, z1, z2 = linked(Z, W, 3 * r), linked(Z, W, 3 * r + 1), linked(Z, W, 3 * r + 2)
                value += h * (z0 * c0 + z1 * c1 + z2 * c2)
                value += e * (linked(Z, W, r) * a0 + linked(Z, W, 3 + r) * a1 + linked(Z, W, 6 + r) * a2)
                value += e * (lower(P, r, 0) * c0 + lower(P, r, 1) * c1 + lower(P, r, 2) * c2)
            dense[at + k, at + j] += value
