"""Narrow phase: points, normals and gaps of every candidate pair."""

from __future__ import annotations

import math

from taut.contact.box_box import box_box
from taut.contact.capsule import capsule_capsule
from taut.contact.capsule_box import box_capsule
from taut.contact.convex import convex_pair
from taut.contact.cylinder import cylinder_capsule
from taut.contact.keep import FIRST, FREELY, IN_STEP, SECOND, keep
from taut.contact.mesh import mesh_pair
from taut.contact.mesh_mesh import mesh_mesh, mesh_plane
from taut.contact.plane import plane_core, plane_cylinder, plane_hull
from taut.contact.shapes import BOX, CYLINDER, HULL, MESH, PLANE
from taut.contact.support import BASE
from taut.contact.work import CONTACT_TALLY, PRESSED, PRESSED_TALLY
from taut.core.jit import kernel

#: which shape of a pair its test takes first, by type code: plane, mesh, hull, box, cylinder, then the round ones
RANK = (0, 0, 2, 0, 5, 1, 3, 4)


@kernel
def _sweep(a, b, i, j, body_pos, body_vel, body_dynamic, dt, work):
    """What the bodies a and b do in this step, for `keep`; returns how far any point of the shapes i and j comes nearer, at most."""
    local, fall, pose = work.local, work.fall, work.pose
    together, first, second, freely, turn = 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(3):
        x, y = body_vel[a, k] * dt, body_vel[b, k] * dt
        z = y - x + fall[k] * (body_dynamic[b] - body_dynamic[a])
        local[IN_STEP, k], local[IN_STEP, 3 + k], local[FREELY, k] = y - x, x, z
        together += (y - x) ** 2
        first += x * x
        second += y * y
        freely += z * z
    for side in range(2):
        body, shape, row = (a, i, FIRST) if side == 0 else (b, j, SECOND)
        spin, arm = 0.0, 0.0
        for k in range(3):
            local[row, k], local[row, 3 + k] = body_vel[body, 3 + k] * dt, body_pos[body, k]
            spin += local[row, k] ** 2
            arm += (pose[shape, 9 + k] - body_pos[body, k]) ** 2
        if spin > 0.0:
            size = pose[shape, 12] ** 2 + pose[shape, 13] ** 2 + pose[shape, 14] ** 2
            turn += math.sqrt(spin) * (math.sqrt(arm) + math.sqrt(size) + pose[shape, 15])
    return math.sqrt(max(together, first, second, freely)) + turn


@kernel
def narrow(
    shapes, body_pos, body_vel, body_dynamic, dt, margin, pair_count, work, contacts, round_round, box_round, box_box_too, cylinder_round, rim, convex,
    triangles, falling, meshes,
):  # fmt: skip
    """Contacts of the first `pair_count` pairs of work.pair; work.tally counts them, whether they fit or not.

    The last nine arguments are work.families, one by one: tests that come as None are not compiled.
    """
    types, body, pair = shapes.type, shapes.body, work.pair
    pose, found, local = work.pose, work.found, work.local
    n, old, pressed = types.shape[0], 0, work.tally[PRESSED_TALLY]
    work.tally[CONTACT_TALLY] = 0
    for m in range(pair_count):
        i = pair[m] // n
        j = pair[m] - i * n
        while old < pressed and work.pressed[old] < pair[m]:
            old += 1
        sweep = _sweep(body[i], body[j], i, j, body_pos, body_vel, body_dynamic, dt, work)
        near = (PRESSED - 1.0) * margin
        if old == pressed or work.pressed[old] != pair[m]:
            near = min(near, sweep)
        local[IN_STEP, 6] = margin + near
        reach = margin + near + sweep
        a, b, sign = i, j, 1.0
        if RANK[types[j]] > RANK[types[i]]:
            a, b, sign = j, i, -1.0
        kind, other = types[a], types[b]
        points = 0
        # each test: points of b on a, normals from a to b
        if kind == PLANE:
            if other == CYLINDER:
                if rim is not None:
                    points = plane_cylinder(a, b, margin, pose, found, local)
            elif other == MESH:
                if falling is not None:
                    mesh_plane(a, b, i, j, sign, reach, margin, pair[m], shapes, work, contacts)
            elif other == HULL:
                if convex is not None:
                    points = plane_hull(a, b, reach, margin, pose, shapes.data, shapes.corner, found, local)
            else:
                points = plane_core(a, b, pose, found, local)
        elif kind == MESH and (other == MESH or other == BOX or other == HULL):
            if meshes is not None:
                mesh_mesh(a, b, i, j, sign, reach, margin, pair[m], shapes, work, contacts)
        elif kind == MESH:
            if triangles is not None:
                mesh_pair(other, a, b, i, j, sign, reach, margin, pair[m], shapes, work, contacts)
        elif kind == HULL or (other == CYLINDER and (kind == BOX or kind == CYLINDER)):
            if convex is not None:
                for k in range(3):
                    local[BASE, k] = pose[a, 9 + k]
                points = convex_pair(
                    kind, other, a, b, reach, margin, pose, shapes.data, shapes.corner, shapes.face, shapes.loop, shapes.facing,
                    found, local,
                )  # fmt: skip
        elif kind == BOX:
            if other == BOX:
                if box_box_too is not None:
                    points = box_box(a, b, reach, margin, pose, found, local)
            elif box_round is not None:
                points = box_capsule(a, b, pose, found, local)
        elif kind == CYLINDER:
            if cylinder_round is not None:
                points = cylinder_capsule(a, b, pose, found, local)
        elif round_round is not None:
            points = capsule_capsule(a, b, pose, found, local)
        keep(points, i, j, sign, body, pair[m], work, contacts)
