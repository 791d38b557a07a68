"""Triangles against convex solids: a tree of boxes finds the triangles, each is a pair of convex cores.

A triangle has one outside, where its corners go round counter-clockwise. Where it touches at an edge towards a neighbour
that lies flat or rises, the neighbour is the one to decide about other directions: the normal is that of the face, so that
a body sliding over a floor of triangles does not trip over the edges in it. What lies below a face with its centre outside of
the mesh, or deeper than the body is wide, belongs to the other side of a thin mesh and is left alone.
"""

from __future__ import annotations

import math

from taut.contact.convex import meet
from taut.contact.gjk import WITNESS, gap_along, part
from taut.contact.keep import keep
from taut.contact.mesh_near import is_inside
from taut.contact.shapes import FEATURES, TRIANGLE
from taut.contact.support import BASE, CORNERS, FACING
from taut.contact.work import CONTACT_TALLY
from taut.contact.wrapping.vectors import three
from taut.core.jit import kernel

#: row of `local`: centre of the solid in the frame of the mesh (3), half widths of the box around it (3), whether it is inside
AROUND = 5
#: contacts of one pair nearer to each other than this part of the solid's size are one
SAME = 0.02
#: feature numbers of each triangle
PER_TRIANGLE = 16
#: cosine below which the way out at an edge does not belong to a face beside it
ASIDE = 0.5
#: where on a triangle a point lies
INSIDE, FREE_EDGE, SHUT = 0, 1, 2


@kernel
def place_solid(m, b, reach, pose, local):
    """Box around solid b in the frame of mesh m."""
    for k in range(3):
        x, half = 0.0, pose[b, 15] + reach
        for j in range(3):
            x += pose[m, 3 * j + k] * (pose[b, 9 + j] - pose[m, 9 + j])
            turn = 0.0
            for i in range(3):
                turn += pose[m, 3 * i + k] * pose[b, 3 * i + j]
            half += abs(turn) * pose[b, 12 + j]
        local[AROUND, k], local[AROUND, 3 + k] = x, half
    local[AROUND, 6] = -1.0


@kernel
def box_around(local):
    """Lowest and highest corner of the box that `place_solid` has left."""
    x, y, z = local[AROUND, 0], local[AROUND, 1], local[AROUND, 2]
    a, b, c = local[AROUND, 3], local[AROUND, 4], local[AROUND, 5]
    return (x - a, y - b, z - c), (x + a, y + b, z + c)


@kernel
def next_in_box(node, stop, low, high, tree, branch):
    """First node of a tree of boxes, from `node` on, that meets the box from `low` to `high`; `stop` when there is none. The triangles of
    all nodes that do, one after the other, are all that may."""
    while node < stop and (
        tree[node, 0] > high[0] or tree[node, 1] > high[1] or tree[node, 2] > high[2]
        or tree[node, 3] < low[0] or tree[node, 4] < low[1] or tree[node, 5] < low[2]
    ):  # fmt: skip
        node = branch[node, 0]
    return node


@kernel
def _place_triangle(m, t, triangle, corner, pose, local):
    """Corners of triangle t relative to the centre of the mesh, in world axes, and its normal."""
    for k in range(3):
        i = triangle[t, k]
        for j in range(3):
            x = 0.0
            for c in range(3):
                x += pose[m, 3 * j + c] * corner[i, c]
            local[CORNERS + k, j] = x
    u = (
        local[CORNERS + 1, 0] - local[CORNERS, 0],
        local[CORNERS + 1, 1] - local[CORNERS, 1],
        local[CORNERS + 1, 2] - local[CORNERS, 2],
    )
    v = (
        local[CORNERS + 2, 0] - local[CORNERS, 0],
        local[CORNERS + 2, 1] - local[CORNERS, 1],
        local[CORNERS + 2, 2] - local[CORNERS, 2],
    )
    x, y, z = u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]
    size = math.sqrt(x * x + y * y + z * z)
    local[FACING, 0], local[FACING, 1], local[FACING, 2] = x / size, y / size, z / size


@kernel
def _edge_at(flags, local):
    """Where the nearest point lies: INSIDE the triangle, on a FREE edge, or only on edges that are SHUT.

    Bit k of the flags says that the edge after corner k is free: convex, or without a neighbour.
    """
    where = INSIDE
    for k in range(3):
        i, j = CORNERS + k, CORNERS + (k + 1) % 3
        length, along, square = 0.0, 0.0, 0.0
        for c in range(3):
            e, d = local[j, c] - local[i, c], local[WITNESS, c] - local[i, c]
            length, along, square = length + e * e, along + e * d, square + d * d
        if square - along * along / length <= 1e-10 * length:
            if flags & (1 << k) != 0:
                return FREE_EDGE
            where = SHUT
    return where


@kernel
def _centre_inside(m, size, shapes, local):
    """Whether the centre of the solid lies inside of mesh m; asked once for each pair."""
    if local[AROUND, 6] < 0.0:
        inside = is_inside(m, three(local[AROUND], 0), size, 0.0, shapes, local)
        local[AROUND, 6] = 1.0 if inside else 0.0
    return local[AROUND, 6] > 0.0


@kernel
def _touch_triangle(kb, m, b, flags, reach, margin, shapes, pose, found, local):
    """Points of solid b on the triangle in hand."""
    data, corner, face, loop, facing = shapes.data, shapes.corner, shapes.face, shapes.loop, shapes.facing
    size = pose[b, 12] + pose[b, 13] + pose[b, 14] + pose[b, 15]
    # seen from behind: the side of the centre decides
    height = 0.0
    for k in range(3):
        height += local[FACING, k] * (pose[b, 9 + k] - local[BASE, k] - local[CORNERS, k])
    if height < -size:
        return 0
    gap = part(TRIANGLE, kb, m, b, size, pose, data, corner, local)
    if gap > size + reach:
        return 0
    lean = 0.0
    for k in range(3):
        lean += local[FACING, k] * local[WITNESS, 3 + k]
    where = _edge_at(flags, local)
    if lean < ASIDE and where == SHUT:
        # beside or below: a matter of the neighbour
        return 0
    if lean <= 0.0 and (where != INSIDE or gap > 0.0 or not _centre_inside(m, size, shapes, local)):
        # behind: deep in the mesh this is the way out, else on the far side of a thin one
        return 0
    if lean < 1.0 - 1e-9 and where != FREE_EDGE:
        for k in range(3):
            local[WITNESS, 3 + k] = local[FACING, k]
        gap = gap_along(
            TRIANGLE, kb, m, b, local[FACING, 0], local[FACING, 1], local[FACING, 2], pose, data, corner, local
        )
        if not _over_triangle(SAME * size, local):
            return 0
    return meet(TRIANGLE, kb, m, b, gap, reach, margin, pose, data, corner, face, loop, facing, found, local)


@kernel
def _over_triangle(slack, local):
    """Whether the nearest point lies over the triangle, up to a distance outside of its edges."""
    for k in range(3):
        i, j = CORNERS + k, CORNERS + (k + 1) % 3
        ex, ey, ez = local[j, 0] - local[i, 0], local[j, 1] - local[i, 1], local[j, 2] - local[i, 2]
        dx, dy, dz = local[WITNESS, 0] - local[i, 0], local[WITNESS, 1] - local[i, 1], local[WITNESS, 2] - local[i, 2]
        x, y, z = ey * dz - ez * dy, ez * dx - ex * dz, ex * dy - ey * dx
        inside = x * local[FACING, 0] + y * local[FACING, 1] + z * local[FACING, 2]
        if inside < -slack * math.sqrt(ex * ex + ey * ey + ez * ez):
            return False
    return True


@kernel
def _drop_doubles(points, first, size, sign, work, contacts):
    """Leave out points where this pair has one already that faces the same way; the deeper one stands. Returns how many
    are left."""
    found, left = work.found, 0
    last = min(work.tally[CONTACT_TALLY], contacts.gap.shape[0])
    for row in range(points):
        double = False
        for c in range(first, last):
            square, alike = 0.0, 0.0
            for k in range(3):
                square += (contacts.point[c, k] - found[row, k]) ** 2
                alike += sign * contacts.normal[c, k] * found[row, 3 + k]
            if not double and square < (SAME * size) ** 2 and alike > 0.99:
                double = True
                if found[row, 6] < contacts.gap[c]:
                    for k in range(3):
                        contacts.point[c, k] = found[row, k]
                        contacts.normal[c, k] = sign * found[row, 3 + k]
                    contacts.gap[c] = found[row, 6]
        for other in range(left):
            square = 0.0
            for k in range(3):
                square += (found[other, k] - found[row, k]) ** 2
            if not double and square < (SAME * size) ** 2:
                double = True
                if found[row, 6] < found[other, 6]:
                    for k in range(7):
                        found[other, k] = found[row, k]
        if not double:
            if left != row:
                for k in range(8):
                    found[left, k] = found[row, k]
            left += 1
    return left


@kernel
def mesh_pair(kb, m, b, i, j, sign, reach, margin, pair, shapes, work, contacts):
    """Contacts of solid b with the triangles of mesh m, kept one triangle after the other."""
    pose, local, data, corner = work.pose, work.local, shapes.data, shapes.corner
    tree, branch, triangle = shapes.tree, shapes.branch, shapes.triangle
    first = min(work.tally[CONTACT_TALLY], contacts.gap.shape[0])
    for k in range(3):
        local[BASE, k] = pose[m, 9 + k]
    place_solid(m, b, reach, pose, local)
    size = pose[b, 12] + pose[b, 13] + pose[b, 14] + pose[b, 15]
    low, high = box_around(local)
    stop = data[m, 0] + data[m, 1]
    node = next_in_box(data[m, 0], stop, low, high, tree, branch)
    while node < stop:
        for t in range(branch[node, 1], branch[node, 1] + branch[node, 2]):
            _place_triangle(m, t, triangle, corner, pose, local)
            points = _touch_triangle(kb, m, b, triangle[t, 3], reach, margin, shapes, pose, work.found, local)
            points = _drop_doubles(points, first, size, sign, work, contacts)
            for row in range(points):
                feature = PER_TRIANGLE * (t - data[m, 2]) + int(work.found[row, 7]) % PER_TRIANGLE
                work.found[row, 7] = feature % FEATURES
            keep(points, i, j, sign, shapes.body, pair, work, contacts)
        node = next_in_box(node + 1, stop, low, high, tree, branch)
