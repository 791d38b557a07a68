"""Which of the points found become contacts."""

from __future__ import annotations

from taut.contact.shapes import FEATURES
from taut.contact.work import CONTACT_TALLY
from taut.core.jit import kernel

#: row of `local` with the displacement of the second body relative to the first in this step, that of the first, and how near is near enough
IN_STEP = 6
#: rows of `local` with the turn of a body in this step and its centre, first and second; and with the relative displacement if both fell freely
FIRST, SECOND, FREELY = 256, 257, 258


@kernel
def _turning(local, who, found, row):
    """How far the turn of a body takes the point in the step, along the normal."""
    px, py, pz = found[row, 0] - local[who, 3], found[row, 1] - local[who, 4], found[row, 2] - local[who, 5]
    return (
        found[row, 3] * (local[who, 1] * pz - local[who, 2] * py)
        + found[row, 4] * (local[who, 2] * px - local[who, 0] * pz)
        + found[row, 5] * (local[who, 0] * py - local[who, 1] * px)
    )


@kernel
def keep(points, i, j, sign, body, pair, work, contacts):
    """Append the found points of shapes i and j that are near enough; `sign` turns their normals from i to j.

    Near enough: a gap of at most the margin (more where they pressed on each other in the last step) plus what the bodies close on each other
    along the normal in this step: with their present motion or falling freely, turning or not, also if one of them is stopped by
    something else. So a fast body is seen before it is through, and the next layer of what falls as one before it is in the first.
    """
    found, local, gap, count = work.found, work.local, contacts.gap, work.tally[CONTACT_TALLY]
    for row in range(points):
        closing, first, freely = 0.0, 0.0, 0.0
        for k in range(3):
            closing -= sign * found[row, 3 + k] * local[IN_STEP, k]
            first += sign * found[row, 3 + k] * local[IN_STEP, 3 + k]
            freely -= sign * found[row, 3 + k] * local[FREELY, k]
        turning = sign * (_turning(local, FIRST, found, row) - _turning(local, SECOND, found, row))
        moving = max(closing, freely)
        if found[row, 6] > local[IN_STEP, 6] + max(moving, moving + turning, first, closing - first, 0.0):
            continue
        if count < gap.shape[0]:
            contacts.a[count] = body[i]
            contacts.b[count] = body[j]
            contacts.shape_a[count] = i
            contacts.shape_b[count] = j
            for k in range(3):
                contacts.point[count, k] = found[row, k]
                contacts.normal[count, k] = sign * found[row, 3 + k]
            gap[count] = found[row, 6]
            contacts.key[count] = pair * FEATURES + int(found[row, 7])
        count += 1
    work.tally[CONTACT_TALLY] = count
