"""From the frame of one shape to the world."""

from __future__ import annotations

from taut.core.jit import kernel

#: row of `local` with the point in hand: its place half-way between the surfaces (3) and the unit normal (3)
IN_HAND = 2


@kernel
def put_local(c, gap, feature, pose, local, found, row):
    """Write the point in hand, given in the frame of shape c, as row `row` of `found`."""
    for k in range(3):
        x, n = pose[c, 9 + k], 0.0
        for j in range(3):
            x += pose[c, 3 * k + j] * local[IN_HAND, j]
            n += pose[c, 3 * k + j] * local[IN_HAND, 3 + j]
        found[row, k] = x
        found[row, 3 + k] = n
    found[row, 6] = gap
    found[row, 7] = feature
