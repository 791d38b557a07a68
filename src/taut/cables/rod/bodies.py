"""Bodies that hold the ends of rods: derivative of the energy by their motion, and what they add to the border.

A body moves by t (world axes) and turns by theta (its own axes), x = X + R exp([theta]) r. A force f on its point r has,
with F = R'f, the slopes f and r x F, and by the second order of the exponential the stiffness (F r' + r F')/2 - (F.r).
"""

from __future__ import annotations

from taut.cables.rod.arrays import (
    BEYOND,
    BODY,
    BODY_A,
    BODY_B,
    BORDER,
    DIAG,
    FIRST,
    FRAME_A,
    FRAME_B,
    FREE,
    GRAD,
    LAST,
    LEVER,
    NORMAL,
    POINT_A,
    PULL,
    SLOPE,
    SPOT,
    TRY_TURNED,
    Array,
)
from taut.core import quat as rotation
from taut.core.jit import kernel


@kernel
def to_body(body: Array, b: int, x: float, y: float, z: float) -> tuple[float, float, float]:
    """A world vector in the axes of a body."""
    q = body[b]
    return rotation.rotate_inverse(
        q[TRY_TURNED], q[TRY_TURNED + 1], q[TRY_TURNED + 2], q[TRY_TURNED + 3], x, y, z
    )  # fmt: skip


@kernel
def from_frame(table: Array, c: int, at: int, x: float, y: float, z: float) -> tuple[float, float, float]:
    """A vector in the axes of a chain's end frame, in the axes of the body it sits on."""
    q = table[c]
    return rotation.rotate(q[at], q[at + 1], q[at + 2], q[at + 3], x, y, z)


@kernel
def to_frame(table: Array, c: int, at: int, x: float, y: float, z: float) -> tuple[float, float, float]:
    """The other way."""
    q = table[c]
    return rotation.rotate_inverse(q[at], q[at + 1], q[at + 2], q[at + 3], x, y, z)


@kernel
def _push(body: Array, b: int, x: float, y: float, z: float, fx: float, fy: float, fz: float) -> None:
    """Add the slopes of a force on the point (x, y, z) of a body."""
    q = body[b]
    q[SLOPE] += fx
    q[SLOPE + 1] += fy
    q[SLOPE + 2] += fz
    fx, fy, fz = to_body(body, b, fx, fy, fz)
    q[SLOPE + 3] += y * fz - z * fy
    q[SLOPE + 4] += z * fx - x * fz
    q[SLOPE + 5] += x * fy - y * fx


@kernel
def slopes(chain: Array, body: Array, row: Array, force: Array, block: Array, rows: int) -> None:
    """Derivative of the Lagrangian by the motion of each body [N], [N m]."""
    for b in range(body.shape[0]):
        q = body[b]
        for k in range(6):
            q[SLOPE + k] = 0.0
        _push(body, b, q[LEVER], q[LEVER + 1], q[LEVER + 2], -q[PULL], -q[PULL + 1], -q[PULL + 2])
    for r in range(rows):
        b, f, q = int(row[r, BODY]), -force[r], row[r]
        if b >= 0:
            _push(
                body, b, q[SPOT], q[SPOT + 1], q[SPOT + 2], f * q[NORMAL], f * q[NORMAL + 1], f * q[NORMAL + 2]
            )  # fmt: skip
    for c in range(chain.shape[0]):
        a, b, q = int(chain[c, BODY_A]), int(chain[c, BODY_B]), chain[c]
        g, h = block[int(q[FIRST])], block[int(q[LAST])]
        _push(body, a, q[POINT_A], q[POINT_A + 1], q[POINT_A + 2], g[BEYOND], g[BEYOND + 1], g[BEYOND + 2])
        x, y, z = from_frame(chain, c, FRAME_A, g[GRAD], g[GRAD + 1], g[GRAD + 2])
        body[a, SLOPE + 3] += x
        body[a, SLOPE + 4] += y
        body[a, SLOPE + 5] += z
        x, y, z = from_frame(chain, c, FRAME_B, h[GRAD], h[GRAD + 1], h[GRAD + 2])
        body[b, SLOPE + 3] += x
        body[b, SLOPE + 4] += y
        body[b, SLOPE + 5] += z


@kernel
def _turned(
    body: Array, b: int, x: float, y: float, z: float, fx: float, fy: float, fz: float, dense: Array
) -> None:  # fmt: skip
    """(F r' + r F')/2 - (F.r) on the rotations of a body."""
    at = int(body[b, BORDER]) + 3
    fx, fy, fz = to_body(body, b, fx, fy, fz)
    dot = fx * x + fy * y + fz * z
    dense[at, at] += fx * x - dot
    dense[at + 1, at + 1] += fy * y - dot
    dense[at + 2, at + 2] += fz * z - dot
    xy, xz, yz = 0.5 * (fx * y + fy * x), 0.5 * (fx * z + fz * x), 0.5 * (fy * z + fz * y)
    dense[at, at + 1] += xy
    dense[at + 1, at] += xy
    dense[at, at + 2] += xz
    dense[at + 2, at] += xz
    dense[at + 1, at + 2] += yz
    dense[at + 2, at + 1] += yz


@kernel
def stiffen(
    chain: Array, body: Array, row: Array, force: Array, block: Array, dense: Array, rows: int, freedoms: int
) -> None:
    """What bodies add to the border themselves; the chains that begin on them are added after their elimination."""
    side = 2 * dense.shape[0] + 1
    for b in range(body.shape[0]):
        at, q = int(body[b, BORDER]), body[b]
        if at >= 0:
            for k in range(6):
                dense[at + k, side] -= q[SLOPE + k]
            _turned(body, b, q[LEVER], q[LEVER + 1], q[LEVER + 2], -q[PULL], -q[PULL + 1], -q[PULL + 2], dense)
    for r in range(rows):
        b, q, f = int(row[r, BODY]), row[r], -force[r]
        at = int(body[b, BORDER]) if b >= 0 else -1
        if at >= 0:
            nx, ny, nz = q[NORMAL], q[NORMAL + 1], q[NORMAL + 2]
            x, y, z = q[SPOT], q[SPOT + 1], q[SPOT + 2]
            _turned(body, b, x, y, z, f * nx, f * ny, f * nz, dense)
            lx, ly, lz = to_body(body, b, nx, ny, nz)
            here = freedoms + r
            for k in range(3):
                dense[at + k, here] -= q[NORMAL + k]
                dense[here, at + k] -= q[NORMAL + k]
            mx, my, mz = y * lz - z * ly, z * lx - x * lz, x * ly - y * lx
            dense[at + 3, here] -= mx
            dense[at + 4, here] -= my
            dense[at + 5, here] -= mz
            dense[here, at + 3] -= mx
            dense[here, at + 4] -= my
            dense[here, at + 5] -= mz
    for c in range(chain.shape[0]):
        a, b, q = int(chain[c, BODY_A]), int(chain[c, BODY_B]), chain[c]
        g = block[int(q[FIRST])]
        if body[a, BORDER] >= 0.0:
            _turned(
                body, a, q[POINT_A], q[POINT_A + 1], q[POINT_A + 2], g[BEYOND], g[BEYOND + 1], g[BEYOND + 2], dense
            )  # fmt: skip
        at = int(body[b, BORDER])
        if at >= 0:
            # the end joint by the end frame, in the axes of the body
            d = block[int(q[LAST])]
            for k in range(3):
                ex, ey, ez = to_frame(
                    chain, c, FRAME_B, (1.0 if k == 0 else 0.0), (1.0 if k == 1 else 0.0), (1.0 if k == 2 else 0.0)
                )
                hx = d[DIAG] * ex + d[DIAG + 1] * ey + d[DIAG + 3] * ez
                hy = d[DIAG + 1] * ex + d[DIAG + 2] * ey + d[DIAG + 4] * ez
                hz = d[DIAG + 3] * ex + d[DIAG + 4] * ey + d[DIAG + 5] * ez
                hx, hy, hz = from_frame(chain, c, FRAME_B, hx, hy, hz)
                dense[at + 3, at + 3 + k] += hx
                dense[at + 4, at + 3 + k] += hy
                dense[at + 5, at + 3 + k] += hz


@kernel
def lock(body: Array, dense: Array, size: int) -> None:
    """Freedoms that a body has not: the unknown is zero."""
    side = 2 * dense.shape[0] + 1
    for b in range(body.shape[0]):
        at = int(body[b, BORDER])
        if at >= 0:
            for k in range(6):
                if body[b, FREE + k] == 0.0:
                    for j in range(size):
                        dense[at + k, j] = 0.0
                        dense[j, at + k] = 0.0
                    dense[at + k, at + k], dense[at + k, side] = 1.0, 0.0
