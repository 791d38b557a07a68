"""Memory of contact detection: the contacts found and the scratch they are found with. Taken once, never in a step."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from taut.contact.shapes import BOX, CAPSULE, CYLINDER, HULL, MESH, PLANE, SPHERE, TYPE_NAME, Shapes

Array = np.ndarray

#: columns of `DetectWork.pose`: rotation matrix by rows (9), centre (3), half sizes of the core (3), radius around it
POSE_COLUMNS = 16
#: columns of `DetectWork.found`: middle point (3), unit normal (3), gap, feature number
FOUND_COLUMNS = 8
#: rows of `DetectWork.found`: four points, and room to build them
FOUND_ROWS = 8
#: rows of `DetectWork.local`: frames of the pair in hand, polygons of `box_face`; simplex and polygons of `gjk` and `patch`; what
#: `mesh_near` finds and `gather` collects; and what both bodies do in the step, for `keep`
LOCAL_ROWS = 259

#: places in `DetectWork.tally`
SWEEP_AXIS, PAIR_TALLY, CONTACT_TALLY, PRESSED_TALLY = 0, 1, 2, 3
#: margins within which shapes that pressed on each other in the last step are kept: without its contact a body that was pressed is thrown
#: off by all of that force [-]
PRESSED = 10.0

#: what `detect` returns when a pool is too small; the count that was needed stands in `DetectWork.tally`
PAIRS_FULL, CONTACTS_FULL = -1, -2


class Families(NamedTuple):
    """Pair tests a scene needs; None leaves the code of a test out of the compiled step."""

    round_round: int | None  # spheres and capsules with each other
    box_round: int | None  # boxes with spheres and capsules
    box_box: int | None
    cylinder_round: int | None  # cylinders with spheres and capsules
    plane_cylinder: int | None
    convex: int | None  # hulls with all others; boxes and cylinders with cylinders
    mesh: int | None  # meshes with spheres, capsules and cylinders
    mesh_plane: int | None  # planes with meshes that are moved by forces
    mesh_mesh: int | None  # such meshes with meshes, all meshes with boxes and hulls


class Contacts(NamedTuple):
    """Contacts of one step, grouped by pair of shapes, pairs in ascending order; `m` is the capacity."""

    a: Array  # first body, shape (m,)
    b: Array  # second body, shape (m,)
    shape_a: Array  # shape of the first body, always the lower shape index, shape (m,)
    shape_b: Array  # shape of the second body, shape (m,)
    point: Array  # half-way between both surfaces, world [m], shape (m, 3)
    normal: Array  # unit, from a to b, shape (m, 3)
    gap: Array  # signed distance, negative when penetrating [m], shape (m,)
    key: Array  # identity of the touching features, the same from step to step, shape (m,)


class DetectWork(NamedTuple):
    """Scratch of `detect`; nothing in it changes a result, so no snapshot needs it."""

    families: Families
    pose: Array  # shapes in the world, shape (n, POSE_COLUMNS)
    low: Array  # lower corner of the swept bounding box [m], shape (n, 3)
    high: Array  # upper corner [m], shape (n, 3)
    slab: Array  # slab of every shape, see taut.contact.slabs, shape (n,)
    place: Array  # shapes slab by slab, shape (n,)
    start: Array  # first place of every slab, shape (n + 4,)
    order: Array  # shapes by lower bound along the sweep axis, kept between steps, shape (n,)
    pair: Array  # keys i * n + j, i < j, of shape pairs that may touch, shape (p,)
    raw: Array  # the same as they are found, shape (p,)
    excluded: Array  # sorted keys a * bodies + b, a < b, of body pairs that never touch, shape (k,)
    found: Array  # points of the pair in hand, shape (FOUND_ROWS, FOUND_COLUMNS)
    local: Array  # geometry of the pair in hand, shape (LOCAL_ROWS, 8)
    tally: Array  # [sweep axis, pairs wanted, contacts wanted, pairs that pressed], shape (4,)
    pressed: Array  # keys of the pairs that pressed on each other in the last step, ascending, shape (m,)
    fall: Array  # way of a body that falls freely from rest in the step [m], shape (3,)


def families_of(shapes: Shapes, body_dynamic: Array | None = None) -> Families:
    """The pair tests that shapes of these types can ever need, where bodies are moved by forces (1) or not (0); None: all are."""
    have = [int((shapes.type == kind).sum()) for kind in range(len(TYPE_NAME))]
    moved = np.ones(len(shapes.type), bool) if body_dynamic is None else body_dynamic[shapes.body] != 0
    falling = bool((moved & (shapes.type == MESH)).any())
    rounds = have[SPHERE] + have[CAPSULE]
    return Families(
        round_round=1 if rounds > 1 else None,
        box_round=1 if rounds and have[BOX] else None,
        box_box=1 if have[BOX] > 1 else None,
        cylinder_round=1 if have[CYLINDER] and rounds else None,
        plane_cylinder=1 if have[CYLINDER] and have[PLANE] else None,
        convex=1 if have[HULL] or (have[CYLINDER] and have[CYLINDER] + have[BOX] > 1) else None,
        mesh=1 if have[MESH] and rounds + have[CYLINDER] else None,
        mesh_plane=1 if falling and have[PLANE] else None,
        mesh_mesh=1 if (falling and have[MESH] > 1) or (have[MESH] and have[BOX] + have[HULL]) else None,
    )


def make_contacts(capacity: int) -> Contacts:
    """Room for `capacity` contacts."""
    index = [np.zeros(capacity, np.int64) for _ in range(5)]
    point, normal = np.zeros((capacity, 3)), np.zeros((capacity, 3))
    return Contacts(*index[:4], point=point, normal=normal, gap=np.zeros(capacity), key=index[4])


def make_work(
    shape_count: int,
    contact_capacity: int,
    *,
    pair_capacity: int | None = None,
    excluded: Array | None = None,
    shapes: Shapes | None = None,
) -> DetectWork:
    """Scratch for `shape_count` shapes.

    `pair_capacity`: candidate pairs, by default 8 per shape and one per contact. `excluded`: sorted keys
    a * body_count + b, a < b, of body pairs that never touch (joined ones). With `shapes`, only the pair tests these
    need are compiled; without, all of them.
    """
    pairs = 8 * shape_count + contact_capacity if pair_capacity is None else pair_capacity
    return DetectWork(
        families=Families(*[1] * len(Families._fields)) if shapes is None else families_of(shapes),
        pose=np.zeros((shape_count, POSE_COLUMNS)),
        low=np.zeros((shape_count, 3)),
        high=np.zeros((shape_count, 3)),
        slab=np.zeros(shape_count, np.int64),
        place=np.zeros(shape_count, np.int64),
        start=np.zeros(shape_count + 4, np.int64),
        order=np.arange(shape_count, dtype=np.int64),
        pair=np.zeros(pairs, np.int64),
        raw=np.zeros(pairs, np.int64),
        excluded=np.zeros(0, np.int64) if excluded is None else np.ascontiguousarray(excluded, np.int64),
        found=np.zeros((FOUND_ROWS, FOUND_COLUMNS)),
        local=np.zeros((LOCAL_ROWS, 8)),
        # no axis yet: the first sweep sorts from scratch
        tally=np.array([-1, 0, 0, 0], np.int64),
        pressed=np.zeros(0, np.int64),
        fall=np.zeros(3),
    )
