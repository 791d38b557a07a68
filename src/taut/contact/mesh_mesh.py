"""Meshes against meshes and planes: corners on faces, and convex edges across convex edges.

A corner touches where the nearest surface of the other mesh looks at it. Two edges touch where they cross, when their common
normal n lies between the faces of either: no corner of these faces is higher along n than the edge of the one, nor lower than
that of the other.

    n = e_a x e_b,    n . (c_a - a) <= 0 <= n . (c_b - b),    gap = n . (b - a)

With gap < 0 each crossing point must lie inside the other mesh: edges on far sides of thin parts cross as well.
"""

from __future__ import annotations

import math

from taut.contact.frame import IN_HAND
from taut.contact.gather import gather, keep_gathered, open_ways
from taut.contact.mesh import SAME, box_around, next_in_box, place_solid
from taut.contact.mesh_near import EDGE, GROW, is_inside, normal_at, touch_point
from taut.contact.plane import face_plane
from taut.contact.shapes import FEATURES, OWN_CORNER, OWN_EDGE
from taut.contact.wrapping.vectors import cross, dot, minus, plus, size, three
from taut.core.jit import kernel

#: sine below which two edges count as parallel: their ends are corners on faces
PARALLEL = 0.02
#: sine by which a face beside an edge may stand above the common normal: faces that lie on each other up to this have their
#: patch bounded by the edges that cross (3 degrees)
FLAT = 0.05


@kernel
def _out(m, x, pose):
    """Direction x of the frame of m in the world."""
    return (
        pose[m, 0] * x[0] + pose[m, 1] * x[1] + pose[m, 2] * x[2],
        pose[m, 3] * x[0] + pose[m, 4] * x[1] + pose[m, 5] * x[2],
        pose[m, 6] * x[0] + pose[m, 7] * x[1] + pose[m, 8] * x[2],
    )


@kernel
def _back(m, x, pose):
    """Direction x of the world in the frame of m."""
    return (
        pose[m, 0] * x[0] + pose[m, 3] * x[1] + pose[m, 6] * x[2],
        pose[m, 1] * x[0] + pose[m, 4] * x[1] + pose[m, 7] * x[2],
        pose[m, 2] * x[0] + pose[m, 5] * x[1] + pose[m, 8] * x[2],
    )


@kernel
def _seen(m, c, x, pose):
    """Point x of the frame of c in the frame of m."""
    return _back(m, plus(minus(three(pose[c], 9), three(pose[m], 9)), 1.0, _out(c, x, pose)), pose)


@kernel
def _depth(a, b, pose):
    """How deep two meshes may be in each other and still be told from being past each other [m]: the smallest half width of
    either that is not flat."""
    least = math.inf
    for m in (a, b):
        widest = max(pose[m, 12], pose[m, 13], pose[m, 14])
        for k in range(12, 15):
            if pose[m, k] > 1e-3 * widest:
                least = min(least, pose[m, k])
    return least


@kernel
def _touch_corner(m, c, i, turn, reach, deep, tie, pose, shapes, local):
    """Corner i of mesh c on mesh m; `turn` is 1 when m is the first of the pair."""
    p = _seen(m, c, three(shapes.corner[i], 0), pose)
    way = _back(m, _out(c, three(shapes.upright[i], 0), pose), pose)
    rank, n, gap = touch_point(m, p, way, reach, deep, GROW * size(three(pose[m], 12)), shapes, local)
    if rank > 0 and -dot(n, way) >= shapes.upright[i, 3]:
        middle = plus(three(pose[m], 9), 1.0, _out(m, plus(p, -0.5 * gap, n), pose))
        n = _out(m, n, pose)
        feature = (2 * i + (1 if turn > 0.0 else 0)) % FEATURES
        gather(middle, (turn * n[0], turn * n[1], turn * n[2]), gap, 1.0 * feature, rank, tie, local)


@kernel
def _opposite(t, i, j, triangle):
    """Corner of triangle t that is neither i nor j."""
    for k in range(2):
        if triangle[t, k] != i and triangle[t, k] != j:
            return triangle[t, k]
    return triangle[t, 2]


@kernel
def _above(n, t, k, at, m, c, pose, shapes):
    """Largest and least height along n, over a point of edge k of triangle t of mesh c, of the corners opposite the edge; all in
    the frame of m, and relative to the distance of these corners."""
    i, j = shapes.triangle[t, k], shapes.triangle[t, (k + 1) % 3]
    most, least = -math.inf, math.inf
    for beside in (t, shapes.beside[t, k]):
        if beside >= 0:
            x = three(shapes.corner[_opposite(beside, i, j, shapes.triangle)], 0)
            if m != c:
                x = _seen(m, c, x, pose)
            d = minus(x, at)
            height = dot(n, d) / max(size(d), 1e-300)
            most, least = max(most, height), min(least, height)
    return most, least


@kernel
def _cross_edges(a, s, ka, b, t, kb, reach, deep, tie, pose, shapes, local):
    """Edge kb of triangle t of mesh b over edge ka of triangle s of mesh a."""
    triangle, corner = shapes.triangle, shapes.corner
    one, two = three(corner[triangle[s, ka]], 0), three(corner[triangle[s, (ka + 1) % 3]], 0)
    begin, end = (
        _seen(a, b, three(corner[triangle[t, kb]], 0), pose),
        _seen(a, b, three(corner[triangle[t, (kb + 1) % 3]], 0), pose),
    )
    d, e, w = minus(two, one), minus(end, begin), minus(one, begin)
    dd, ee, de, dw, ew = dot(d, d), dot(e, e), dot(d, e), dot(d, w), dot(e, w)
    sine = dd * ee - de * de
    if sine < PARALLEL * PARALLEL * dd * ee:
        return
    x, y = (de * ew - ee * dw) / sine, (dd * ew - de * dw) / sine
    if x < -GROW or x > 1.0 + GROW or y < -GROW or y > 1.0 + GROW:
        return
    p, q = plus(one, x, d), plus(begin, y, e)
    n = cross(d, e)
    length = size(n)
    if dot(n, normal_at(s, EDGE + ka, shapes)) < 0.0:
        length = -length
    n = (n[0] / length, n[1] / length, n[2] / length)
    gap = dot(n, minus(q, p))
    if gap > reach or gap < -deep:
        return
    most, _ = _above(n, s, ka, p, a, a, pose, shapes)
    _, least = _above(n, t, kb, q, a, b, pose, shapes)
    if most > FLAT or least < -FLAT:
        return
    # where faces lie on each other, a crossing is on the border of both: outside by the slant of n at most, and by round-off
    slack = GROW * size(three(pose[a], 12)) - 2.0 * FLAT * gap
    if gap < 0.0 and not (
        is_inside(a, q, deep, slack, shapes, local) and is_inside(b, _seen(b, a, p, pose), deep, slack, shapes, local)
    ):
        return
    middle = plus(three(pose[a], 9), 1.0, _out(a, plus(p, 0.5, minus(q, p)), pose))
    feature = (3 * (shapes.skin[a, 2] - s) + ka + 64 * (3 * (t - shapes.skin[b, 2]) + kb)) % FEATURES
    gather(middle, _out(a, n, pose), gap, 1.0 * feature, 1, tie, local)


@kernel
def _touch_edge(a, b, t, kb, reach, deep, tie, pose, shapes, local):
    """Edge kb of triangle t of mesh b on all edges of mesh a that it may cross."""
    tree, branch, triangle = shapes.tree, shapes.branch, shapes.triangle
    far = max(reach, deep)
    p = _seen(a, b, three(shapes.corner[triangle[t, kb]], 0), pose)
    q = _seen(a, b, three(shapes.corner[triangle[t, (kb + 1) % 3]], 0), pose)
    low = (min(p[0], q[0]) - far, min(p[1], q[1]) - far, min(p[2], q[2]) - far)
    high = (max(p[0], q[0]) + far, max(p[1], q[1]) + far, max(p[2], q[2]) + far)
    stop = shapes.skin[a, 0] + shapes.skin[a, 1]
    node = next_in_box(shapes.skin[a, 0], stop, low, high, tree, branch)
    while node < stop:
        for s in range(branch[node, 1], branch[node, 1] + branch[node, 2]):
            for ka in range(3):
                if triangle[s, 3] & (1 << ka) != 0 and triangle[s, 3] & (1 << (OWN_EDGE + ka)) != 0:
                    _cross_edges(a, s, ka, b, t, kb, reach, deep, tie, pose, shapes, local)
        node = next_in_box(node + 1, stop, low, high, tree, branch)


@kernel
def mesh_mesh(a, b, i, j, sign, reach, margin, pair, shapes, work, contacts):
    """Contacts of mesh b with mesh a."""
    pose, local, tree, branch, triangle = work.pose, work.local, shapes.tree, shapes.branch, shapes.triangle
    deep, tie = _depth(a, b, pose), 1e-3 * margin
    open_ways(local)
    for turned in range(2):
        m, c = (a, b) if turned == 0 else (b, a)
        place_solid(c, m, max(reach, deep), pose, local)
        low, high = box_around(local)
        stop = shapes.skin[c, 0] + shapes.skin[c, 1]
        node = next_in_box(shapes.skin[c, 0], stop, low, high, tree, branch)
        while node < stop:
            for t in range(branch[node, 1], branch[node, 1] + branch[node, 2]):
                for k in range(3):
                    if triangle[t, 3] & (1 << (OWN_CORNER + k)) != 0:
                        _touch_corner(m, c, triangle[t, k], 1.0 - 2.0 * turned, reach, deep, tie, pose, shapes, local)
                    if turned == 0 and triangle[t, 3] & (1 << k) != 0 and triangle[t, 3] & (1 << (OWN_EDGE + k)) != 0:
                        _touch_edge(a, b, t, k, reach, deep, tie, pose, shapes, local)
            node = next_in_box(node + 1, stop, low, high, tree, branch)
    keep_gathered(SAME * deep, i, j, sign, shapes.body, pair, work, contacts)


@kernel
def mesh_plane(p, m, i, j, sign, reach, margin, pair, shapes, work, contacts):
    """The lowest corner of mesh m on plane p and the outermost of those near it."""
    pose, local, tree, branch, triangle = work.pose, work.local, shapes.tree, shapes.branch, shapes.triangle
    height = face_plane(p, m, pose, local)
    x, y, z = local[IN_HAND, 3], local[IN_HAND, 4], local[IN_HAND, 5]
    n = (pose[p, 2], pose[p, 5], pose[p, 8])
    open_ways(local)
    node, stop = shapes.skin[m, 0], shapes.skin[m, 0] + shapes.skin[m, 1]
    while node < stop:
        lowest = height
        for k, lean in ((0, x), (1, y), (2, z)):
            lowest += lean * (tree[node, k] if lean > 0.0 else tree[node, 3 + k])
        if lowest > reach:
            node = branch[node, 0]
            continue
        for t in range(branch[node, 1], branch[node, 1] + branch[node, 2]):
            for k in range(3):
                i_corner = triangle[t, k]
                at = three(shapes.corner[i_corner], 0)
                gap = height + x * at[0] + y * at[1] + z * at[2]
                if triangle[t, 3] & (1 << (OWN_CORNER + k)) != 0 and gap <= reach:
                    middle = plus(plus(three(pose[m], 9), 1.0, _out(m, at, pose)), -0.5 * gap, n)
                    gather(middle, n, gap, 1.0 * (i_corner % FEATURES), 1, 1e-3 * margin, local)
        node += 1
    keep_gathered(0.0, i, j, sign, shapes.body, pair, work, contacts)
