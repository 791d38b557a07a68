"""Steps of bodies and frames from the unknowns of the border: the other half of `factor.py`."""

from __future__ import annotations

from taut.cables.rod.arrays import (
    BODY_A,
    BORDER,
    DIRECTOR,
    EQUATIONS,
    FIRST,
    GATE,
    LAST,
    LINK,
    LOWER,
    MOVE,
    RIGHT,
    ROWS,
    SEG,
    SHIFTED,
    SPARSE,
    STEP,
    Array,
)
from taut.cables.rod.chain_start import start_motion
from taut.cables.rod.factor import touching
from taut.core.jit import kernel


@kernel
def solve(
    rod: Array, chain: Array, body: Array, row: Array, block: Array, border: Array, dense: Array, count: Array,
    touch: Array,
) -> None:  # fmt: skip
    """Steps of bodies and frames from the unknowns of the border, chains from start to end."""
    rows, freedoms, turn = (
        count[EQUATIONS] if count[SPARSE] > 0 else count[ROWS],
        dense.shape[0] - row.shape[0],
        2 * dense.shape[0],
    )
    for b in range(body.shape[0]):
        at = int(body[b, BORDER])
        for k in range(6):
            body[b, MOVE + k] = dense[at + k, turn] if at >= 0 else 0.0
    for c in range(chain.shape[0]):
        first, last, b = int(chain[c, FIRST]), int(chain[c, LAST]), int(chain[c, BODY_A])
        columns = touching(chain, body, row, c, touch, rows, freedoms)
        y0, y1, y2, p0, p1, p2 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        if body[b, BORDER] >= 0.0:
            for k in range(6):
                x, y, z, p, s, t = start_motion(chain, body, c, k)
                m = body[b, MOVE + k]
                y0, y1, y2, p0, p1, p2 = y0 + m * x, y1 + m * y, y2 + m * z, p0 + m * p, p1 + m * s, p2 + m * t
        for i in range(first + 1, last):
            a, l = block[i], rod[i, SEG]
            a[SHIFTED], a[SHIFTED + 1], a[SHIFTED + 2] = y0, y1, y2
            r0, r1, r2 = a[RIGHT], a[RIGHT + 1], a[RIGHT + 2]
            for k in range(columns):
                if touch[1, k] >= i:
                    t = dense[touch[0, k], turn]
                    r0 += border[i, 3 * k] * t
                    r1 += border[i, 3 * k + 1] * t
                    r2 += border[i, 3 * k + 2] * t
            r0 += a[GATE] * y0 + a[GATE + 3] * y1 + a[GATE + 6] * y2
            r1 += a[GATE + 1] * y0 + a[GATE + 4] * y1 + a[GATE + 7] * y2
            r2 += a[GATE + 2] * y0 + a[GATE + 5] * y1 + a[GATE + 8] * y2
            r0 += a[LINK] * p0 + a[LINK + 3] * p1 + a[LINK + 6] * p2
            r1 += a[LINK + 1] * p0 + a[LINK + 4] * p1 + a[LINK + 7] * p2
            r2 += a[LINK + 2] * p0 + a[LINK + 5] * p1 + a[LINK + 8] * p2
            p2 = -r2 * a[LOWER + 5]
            p1 = -r1 * a[LOWER + 4] - a[LOWER + 2] * p2
            p0 = -r0 * a[LOWER + 3] - a[LOWER] * p1 - a[LOWER + 1] * p2
            a[STEP], a[STEP + 1], a[STEP + 2] = p0, p1, p2
            y0 += l * (a[DIRECTOR] * p1 - a[DIRECTOR + 3] * p0)
            y1 += l * (a[DIRECTOR + 1] * p1 - a[DIRECTOR + 4] * p0)
            y2 += l * (a[DIRECTOR + 2] * p1 - a[DIRECTOR + 5] * p0)
        block[last, SHIFTED], block[last, SHIFTED + 1], block[last, SHIFTED + 2] = y0, y1, y2
