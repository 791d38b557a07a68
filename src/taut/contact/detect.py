"""Contact detection, one call: where shapes are, which may touch, where they touch."""

from __future__ import annotations

from taut.contact.broad import broad
from taut.contact.narrow import narrow
from taut.contact.place import place
from taut.contact.work import CONTACT_TALLY, CONTACTS_FULL, PAIRS_FULL, PRESSED
from taut.core.jit import kernel


@kernel
def detect(shapes, body_pos, body_quat, body_vel, body_dynamic, dt, margin, work, contacts):
    """Fill `contacts`; returns their count, or PAIRS_FULL or CONTACTS_FULL with the need in work.tally."""
    place(shapes, body_pos, body_quat, body_vel, dt, PRESSED * margin, work)
    pair_count = broad(shapes, body_dynamic, work)
    if pair_count < 0:
        return PAIRS_FULL
    test = work.families
    narrow(
        shapes,
        body_pos,
        body_vel,
        body_dynamic,
        dt,
        margin,
        pair_count,
        work,
        contacts,
        test.round_round,
        test.box_round,
        test.box_box,
        test.cylinder_round,
        test.plane_cylinder,
        test.convex,
        test.mesh,
        test.mesh_plane,
        test.mesh_mesh,
    )
    if work.tally[CONTACT_TALLY] > contacts.gap.shape[0]:
        return CONTACTS_FULL
    return work.tally[CONTACT_TALLY]
