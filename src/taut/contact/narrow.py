"""Narrow phase: points, normals and gaps of every candidate pair."""

from __future__ import annotations

import math

from taut.contact.box_box import box_box
from taut.contact.capsule import capsule_capsule
from taut.contact.capsule_box import box_capsule
from taut.contact.cylinder import cylinder_sphere
from taut.contact.plane import plane_core, plane_cylinder
from taut.contact.shapes import BOX, CYLINDER, FEATURES, PLANE, SPHERE
from taut.contact.work import CONTACT_TALLY
from taut.core.jit import kernel

#: which shape of a pair its test takes first, by type code: plane, then box, then cylinder, then the round ones
RANK = (0, 0, 2, 0, 3, 1)
#: row of `local` with the displacement of the second body relative to the first in this step
IN_STEP = 6


@kernel
def keep(points, i, j, sign, margin, body, pair, work, contacts):
    """Append the found points of shapes i and j that are near enough; `sign` turns their normals from i to j.

    Near enough: a gap of at most the margin plus what the bodies close on each other along the normal in this step,
    so that a fast body is seen before it is through.
    """
    found, local, gap, count = work.found, work.local, contacts.gap, work.tally[CONTACT_TALLY]
    for row in range(points):
        closing = 0.0
        for k in range(3):
            closing -= sign * found[row, 3 + k] * local[IN_STEP, k]
        if found[row, 6] > margin + 0.5 * (closing + abs(closing)):
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


@kernel
def narrow(
    shapes, body_vel, dt, margin, pair_count, work, contacts, round_round, box_round, box_box_too, cylinder_round, rim
):
    """Contacts of the first `pair_count` pairs of work.pair; work.tally counts them, whether they fit or not.

    The last five arguments are work.families, one by one: tests that come as None are not compiled.
    """
    types, body, pair = shapes.type, shapes.body, work.pair
    pose, found, local = work.pose, work.found, work.local
    n = types.shape[0]
    work.tally[CONTACT_TALLY] = 0
    for m in range(pair_count):
        i = pair[m] // n
        j = pair[m] - i * n
        reach = 0.0
        for k in range(3):
            x = (body_vel[body[j], k] - body_vel[body[i], k]) * dt
            local[IN_STEP, k] = x
            reach += x * x
        reach = margin + math.sqrt(reach)
        a, b, sign = i, j, 1.0
        if RANK[types[j]] > RANK[types[i]]:
            a, b, sign = j, i, -1.0
        kind, other = types[a], types[b]
        points = 0
        # each test: points of b on a, normals from a to b
        if kind == PLANE:
            if other != CYLINDER:
                points = plane_core(a, b, pose, found, local)
            elif rim is not None:
                points = plane_cylinder(a, b, margin, pose, found, local)
        elif kind == BOX:
            if other == BOX:
                if box_box_too is not None:
                    points = box_box(a, b, reach, margin, pose, found, local)
            elif other != CYLINDER:
                if box_round is not None:
                    points = box_capsule(a, b, pose, found, local)
        elif kind == CYLINDER:
            if other == SPHERE:
                if cylinder_round is not None:
                    points = cylinder_sphere(a, b, pose, found, local)
        elif round_round is not None:
            points = capsule_capsule(a, b, pose, found, local)
        keep(points, i, j, sign, margin, body, pair[m], work, contacts)
