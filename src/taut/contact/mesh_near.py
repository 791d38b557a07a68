"""The point of a mesh nearest to a given one, and on which side of the surface that lies. All in the frame of the mesh.

The side is the sign of (p - nearest) . N, with N the normal of the face, the sum of both normals at an edge, and the mean by
angles at a corner: right everywhere for a closed surface (Baerentzen, Aanaes 2005).
"""

from __future__ import annotations

import math

from taut.contact.simplex import on_triangle
from taut.contact.wrapping.vectors import cross, dot, minus, plus, size, three, unit
from taut.core.jit import kernel

#: rows of `local`: corners of the triangle in hand seen from the point; nearest point of all, nearest point of a face that looks
#: at what comes: way there from the point (3), its square, triangle, region, height above
#: the triangle's plane
SEEN, NEAREST, FACED = 128, 131, 132
#: region of a triangle: its face, EDGE + k the edge after corner k, CORNER + k corner k
FACE, EDGE, CORNER = 0, 1, 4
#: cosine by which two sides must look at each other to touch (3 degrees)
LOOKS = 0.05
#: faces are grown by this part of a length, so that equal ones share corners and do not flicker
GROW = 1e-5
#: squares of distances that are equal up to this are those of an edge or corner of several triangles [-]
TIE = 1e-9


@kernel
def face_normal(t, triangle, corner):
    """Outward unit normal of triangle t."""
    a = three(corner[triangle[t, 0]], 0)
    return unit(cross(minus(three(corner[triangle[t, 1]], 0), a), minus(three(corner[triangle[t, 2]], 0), a)))


@kernel
def _region(a, b, c):
    """Where on a triangle the point with these shares of its corners lies."""
    if a > 0.0 and b > 0.0 and c > 0.0:
        return FACE
    if c == 0.0 and a > 0.0 and b > 0.0:
        return EDGE
    if a == 0.0 and b > 0.0 and c > 0.0:
        return EDGE + 1
    if b == 0.0 and c > 0.0 and a > 0.0:
        return EDGE + 2
    if a > 0.0:
        return CORNER
    return CORNER + 1 if b > 0.0 else CORNER + 2


@kernel
def find_nearest(m, p, radius, way, shapes, local):
    """Nearest point of mesh m to p within `radius`, to row NEAREST, and of its faces that look against `way`, to row FACED;
    triangle -1: there is none."""
    tree, branch, triangle, corner = shapes.tree, shapes.branch, shapes.triangle, shapes.corner
    for row in range(NEAREST, FACED + 1):
        local[row, 3], local[row, 4] = radius * radius, -1.0
    node, stop = shapes.skin[m, 0], shapes.skin[m, 0] + shapes.skin[m, 1]
    while node < stop:
        square = 0.0
        for k in range(3):
            beside = max(tree[node, k] - p[k], p[k] - tree[node, 3 + k], 0.0)
            square += beside * beside
        if square > (1.0 + TIE) * max(local[NEAREST, 3], local[FACED, 3]):
            node = branch[node, 0]
            continue
        for t in range(branch[node, 1], branch[node, 1] + branch[node, 2]):
            for k in range(3):
                for c in range(3):
                    local[SEEN + k, c] = corner[triangle[t, k], c] - p[c]
            a, b, c = on_triangle(local, SEEN, SEEN + 1, SEEN + 2)
            square = 0.0
            for k in range(3):
                x = a * local[SEEN, k] + b * local[SEEN + 1, k] + c * local[SEEN + 2, k]
                square += x * x
            if square > (1.0 + TIE) * max(local[NEAREST, 3], local[FACED, 3]):
                continue
            n = face_normal(t, triangle, corner)
            height = -dot(n, three(local[SEEN], 0))
            for row in range(NEAREST, FACED + 1):
                nearer = square < (1.0 - TIE) * local[row, 3]
                if not nearer and square <= (1.0 + TIE) * local[row, 3] and local[row, 4] >= 0.0:
                    # on an edge or corner of several: the one that the point lies over
                    nearer = abs(height) > abs(local[row, 6])
                if nearer and (row == NEAREST or dot(n, way) < -LOOKS):
                    for k in range(3):
                        local[row, k] = a * local[SEEN, k] + b * local[SEEN + 1, k] + c * local[SEEN + 2, k]
                    local[row, 3], local[row, 4], local[row, 5] = square, 1.0 * t, 1.0 * _region(a, b, c)
                    local[row, 6] = height
        node += 1


@kernel
def normal_at(t, region, shapes):
    """Normal that tells the side, of any length."""
    n = face_normal(t, shapes.triangle, shapes.corner)
    if region >= CORNER:
        return three(shapes.upright[shapes.triangle[t, region - CORNER]], 0)
    if region >= EDGE and shapes.beside[t, region - EDGE] >= 0:
        return plus(n, 1.0, face_normal(shapes.beside[t, region - EDGE], shapes.triangle, shapes.corner))
    return n


@kernel
def side_of_nearest(shapes, local):
    """Height of the point above the surface where it is nearest, times any positive number; below zero it is inside."""
    t, region = int(local[NEAREST, 4]), int(local[NEAREST, 5])
    return -dot(three(local[NEAREST], 0), normal_at(t, region, shapes))


@kernel
def is_inside(m, p, radius, slack, shapes, local):
    """Whether p lies inside of mesh m, nearer to its surface than `radius`, or outside by no more than `slack`."""
    find_nearest(m, p, radius, (0.0, 0.0, 0.0), shapes, local)
    if local[NEAREST, 4] < 0.0:
        return False
    return local[NEAREST, 3] <= slack * slack or side_of_nearest(shapes, local) <= 0.0


@kernel
def touch_point(m, p, way, reach, deep, grow, shapes, local):
    """Contact of a corner at p, of a body that lies behind it against `way`, with mesh m: its rank, the outward normal of m,
    the gap. Rank 1: over a face, 2: beside one, 0: none.

    Outside, the nearest point counts, if it looks at the body. Inside, and up to `grow` outside, the nearest face that does: of
    a thin mesh not the far side, which may be nearer, nor the side of a block on which an equal one stands.
    """
    none = (0.0, 0.0, 0.0)
    find_nearest(m, p, max(reach, deep), way, shapes, local)
    if local[NEAREST, 4] < 0.0:
        return 0, none, 0.0
    gap = math.sqrt(local[NEAREST, 3])
    if gap > grow and side_of_nearest(shapes, local) > 0.0:
        t, region = int(local[NEAREST, 4]), int(local[NEAREST, 5])
        if gap > reach:
            return 0, none, 0.0
        n = face_normal(t, shapes.triangle, shapes.corner)
        q = three(local[NEAREST], 0)
        offset = size(plus(q, local[NEAREST, 6], n))
        free = region >= CORNER or (region >= EDGE and shapes.triangle[t, 3] & (1 << (region - EDGE)) != 0)
        rank = 1
        if free and offset > grow:
            n, rank = (-q[0] / gap, -q[1] / gap, -q[2] / gap), 2
        return rank if dot(n, way) < -LOOKS else 0, n, gap
    if local[FACED, 4] < 0.0:
        return 0, none, 0.0
    t = int(local[FACED, 4])
    n = face_normal(t, shapes.triangle, shapes.corner)
    gap = dot(n, minus(p, three(shapes.corner[shapes.triangle[t, 0]], 0)))
    return 1 if -deep <= gap <= grow else 0, n, gap
