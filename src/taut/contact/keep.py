"""Which of the points found become contacts."""

from __future__ import annotations

from taut.contact.shapes import FEATURES
from taut.contact.work import CONTACT_TALLY
from taut.core.jit import kernel

#: row of `local` with the displacement of the second body relative to the first in this step, and that of the first
IN_STEP = 6


@kernel
def keep(points, i, j, sign, margin, body, pair, work, contacts):
    """Append the found points of shapes i and j that are near enough; `sign` turns their normals from i to j.

    Near enough: a gap of at most the margin plus what the bodies close on each other along the normal in this step, also if one
    of them is stopped by something else: so that a fast body is seen before it is through, and the next layer of what falls
    as one before it is in the first.
    """
    found, local, gap, count = work.found, work.local, contacts.gap, work.tally[CONTACT_TALLY]
    for row in range(points):
        closing, first = 0.0, 0.0
        for k in range(3):
            closing -= sign * found[row, 3 + k] * local[IN_STEP, k]
            first += sign * found[row, 3 + k] * local[IN_STEP, 3 + k]
        if found[row, 6] > margin + max(closing, first, closing - first, 0.0):
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
