"""Frames and bodies turned by a part of a step, and the angles between frames."""

from __future__ import annotations

import math

from taut.cables.rod.arrays import (
    BODY_A,
    BODY_B,
    FIRST,
    FRAME_A,
    FRAME_B,
    LAST,
    MOVE,
    POS,
    SEG,
    STEP,
    STIFF,
    TRY,
    TRY_TURNED,
    TURNED,
    Array,
)
from taut.core import quat as rotation
from taut.core.jit import kernel


@kernel
def turn(chain: Array, body: Array, quat: Array, block: Array, part: float, out: Array) -> None:
    """q exp(part step / 2), kept of unit length, for bodies and frames; chain ends follow their bodies."""
    for b in range(body.shape[0]):
        q = body[b]
        for c in range(3):
            q[TRY + c] = q[POS + c] + part * q[MOVE + c]
        w, x, y, z = _turned(
            q[TURNED], q[TURNED + 1], q[TURNED + 2], q[TURNED + 3], part * q[MOVE + 3], part * q[MOVE + 4],
            part * q[MOVE + 5],
        )  # fmt: skip
        q[TRY_TURNED], q[TRY_TURNED + 1], q[TRY_TURNED + 2], q[TRY_TURNED + 3] = w, x, y, z
    for k in range(chain.shape[0]):
        first, last, c = int(chain[k, FIRST]), int(chain[k, LAST]), chain[k]
        for end in range(2):
            at, i = (FRAME_A, first) if end == 0 else (FRAME_B, last)
            q = body[int(c[BODY_A if end == 0 else BODY_B])]
            w, x, y, z = rotation.multiply(
                q[TRY_TURNED], q[TRY_TURNED + 1], q[TRY_TURNED + 2], q[TRY_TURNED + 3], c[at], c[at + 1], c[at + 2],
                c[at + 3],
            )  # fmt: skip
            out[i, 0], out[i, 1], out[i, 2], out[i, 3] = w, x, y, z
        for i in range(first + 1, last):
            a, q = block[i], quat[i]
            w, x, y, z = _turned(q[0], q[1], q[2], q[3], part * a[STEP], part * a[STEP + 1], part * a[STEP + 2])
            out[i, 0], out[i, 1], out[i, 2], out[i, 3] = w, x, y, z


@kernel
def _turned(
    w: float, x: float, y: float, z: float, a: float, b: float, c: float
) -> tuple[float, float, float, float]:  # fmt: skip
    """A unit quaternion turned by a vector in its own axes [rad]."""
    ew, ex, ey, ez = rotation.exponential(a, b, c)
    w, x, y, z = rotation.multiply(w, x, y, z, ew, ex, ey, ez)
    f = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
    return w * f, x * f, y * f, z * f


@kernel
def accept(quat: Array, trial: Array, body: Array) -> None:
    """What was tried stands."""
    for i in range(quat.shape[0]):
        for c in range(4):
            quat[i, c] = trial[i, c]
    for b in range(body.shape[0]):
        for c in range(3):
            body[b, POS + c] = body[b, TRY + c]
        for c in range(4):
            body[b, TURNED + c] = body[b, TRY_TURNED + c]


@kernel
def angles(rod: Array, chain: Array, quat: Array) -> tuple[float, float]:
    """Largest angle of a joint, and largest part of it about the tangent [rad]."""
    across, along = 0.0, 0.0
    for k in range(chain.shape[0]):
        for j in range(int(chain[k, FIRST]), int(chain[k, LAST])):
            if rod[j, STIFF + 2] > 0.0:
                a, b = quat[j], quat[j + 1]
                x = a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2]
                y = a[0] * b[2] + a[1] * b[3] - a[2] * b[0] - a[3] * b[1]
                z = a[0] * b[3] - a[1] * b[2] + a[2] * b[1] - a[3] * b[0]
                across, along = max(across, math.sqrt(x * x + y * y + z * z)), max(along, abs(z))
    return 2.0 * math.asin(min(1.0, across)), 2.0 * math.asin(min(1.0, along))


@kernel(entry=True)
def spin(quat: Array, rod: Array, first: int, last: int, start: float, end: float) -> None:
    """Spread the spin of two frames about the tangent [rad] evenly over those between: exact for a uniform rod."""
    total, s = 0.0, 0.0
    for i in range(first + 1, last):
        total += rod[i, SEG]
    for i in range(first + 1, last):
        middle = (s + 0.5 * rod[i, SEG]) / total
        s += rod[i, SEG]
        half = 0.5 * (start + (end - start) * middle)
        w, x, y, z = rotation.multiply(
            quat[i, 0], quat[i, 1], quat[i, 2], quat[i, 3], math.cos(half), 0.0, 0.0, math.sin(half)
        )
        quat[i, 0], quat[i, 1], quat[i, 2], quat[i, 3] = w, x, y, z
