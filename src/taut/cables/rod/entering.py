"""What begins to act at a segment while a chain is eliminated: columns of the border, and contacts that are condensed."""

from __future__ import annotations

from taut.cables.rod.arrays import (
    BENT,
    CURVED,
    DIRECTOR,
    EQUATIONS,
    FRAME_B,
    GAP,
    NORMAL,
    PART_A,
    PART_B,
    PRESSED,
    ROW_A,
    ROW_B,
    ROWS,
    SEG,
    UPPER,
    WORKS,
    Array,
)
from taut.cables.rod.bodies import to_frame
from taut.core.jit import kernel

# places in `carry` after its columns: gradient, then Y, Z (two rows: 9 numbers), P
SLOPES = 0


@kernel
def enter(
    rod: Array, chain: Array, row: Array, block: Array, carry: Array, touch: Array, c: int, k: int, i: int, last: int,
    freedoms: int,
) -> None:  # fmt: skip
    """Add to column k what is local to segment i: carry holds (pull on the next point, moment on this frame)."""
    at = touch[0, k]
    if at < freedoms:
        if i == last - 1:
            a, axis = block[i], at % 6 - 3
            ex, ey, ez = to_frame(
                chain, c, FRAME_B, (1.0 if axis == 0 else 0.0), (1.0 if axis == 1 else 0.0), (1.0 if axis == 2 else 0.0)
            )
            for j in range(3):
                u = UPPER + 3 * j
                carry[k, 3 + j] += a[u] * ex + a[u + 1] * ey + a[u + 2] * ez
        return
    q = row[at - freedoms]
    for sign in (1.0, -1.0):
        here, part = (q[ROW_A], q[PART_A]) if sign > 0.0 else (q[ROW_B], q[PART_B])
        if here == i:
            a, l = block[i], rod[i, SEG]
            nx, ny, nz = sign * q[NORMAL], sign * q[NORMAL + 1], sign * q[NORMAL + 2]
            # the point moves with the next one but for the part of the segment beyond it
            less = l - part
            carry[k, 0] += nx
            carry[k, 1] += ny
            carry[k, 2] += nz
            carry[k, 3] += less * (nx * a[DIRECTOR + 3] + ny * a[DIRECTOR + 4] + nz * a[DIRECTOR + 5])
            carry[k, 4] -= less * (nx * a[DIRECTOR] + ny * a[DIRECTOR + 1] + nz * a[DIRECTOR + 2])


@kernel
def press(
    rod: Array, row: Array, force: Array, block: Array, carry: Array, count: Array, i: int, soft: float
) -> None:  # fmt: skip
    """Contacts on segment i that are condensed: a row that works, with its compliance c, is the spring

        (gap + n.dx)^2/(2 c),   dx = y + (part/l) u

    of the touching point; a row that does not gives its force back.
    """
    a, l = block[i], rod[i, SEG]
    for k in range(21):
        # without a push nobody has cleared the curvature of before
        a[PRESSED + k] = a[CURVED + k] if count[BENT] > 0 else 0.0
    v = carry[carry.shape[0] - 5 + SLOPES]
    for r in range(count[EQUATIONS], count[ROWS]):
        q = row[r]
        if q[ROW_A] != i:
            continue
        nx, ny, nz = q[NORMAL], q[NORMAL + 1], q[NORMAL + 2]
        push = -force[r]
        if q[WORKS] > 0.0:
            push = q[GAP] / soft
            for c in range(3):
                for d in range(3):
                    stiff, part = q[NORMAL + c] * q[NORMAL + d] / soft, q[PART_A] / l
                    a[PRESSED + 6 + 3 * c + d] += part * stiff
                    if d >= c:
                        at = d if c == 0 else c + d + 1
                        a[PRESSED + at] += stiff
                        a[PRESSED + 15 + at] += part * part * stiff
        # as a column of the border would enter
        less = l - q[PART_A]
        v[0] += push * nx
        v[1] += push * ny
        v[2] += push * nz
        v[3] += push * less * (nx * a[DIRECTOR + 3] + ny * a[DIRECTOR + 4] + nz * a[DIRECTOR + 5])
        v[4] -= push * less * (nx * a[DIRECTOR] + ny * a[DIRECTOR + 1] + nz * a[DIRECTOR + 2])
