"""Cylinders, hulls and triangles against distances from elsewhere: numeric minimisation, coal, closed forms."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import trimesh
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation

from taut.compile.solids import SolidTables, box_tree, free_edges, hull_faces
from taut.contact import detect, make_contacts, make_shapes, make_work
from taut.contact.shapes import BOX, CAPSULE, CYLINDER, HULL, MESH, PLANE, SPHERE, TYPE_NAME

MARGIN = 0.05
#: the generic test looks at smaller solids once they touch: directions at curved corners turn by a thousandth
TURNED = 2e-3
PAIRS = [
    (CYLINDER, CAPSULE), (CYLINDER, BOX), (CYLINDER, CYLINDER), (HULL, SPHERE), (HULL, CAPSULE), (HULL, BOX),
    (HULL, CYLINDER), (HULL, HULL),
]  # fmt: skip
CUBE = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))


def solid(kind, rng, tables):
    """Size, place in the tables and corners of a random shape."""
    if kind == SPHERE:
        return [rng.uniform(0.1, 0.5), 0.0, 0.0], (0, 0, 0, 0), None
    if kind == BOX:
        return list(rng.uniform(0.1, 0.6, 3)), (0, 0, 0, 0), None
    if kind != HULL:
        return [rng.uniform(0.1, 0.3), rng.uniform(0.1, 0.6), 0.0], (0, 0, 0, 0), None
    points = rng.normal(size=(14, 3)) * rng.uniform(0.1, 0.4, 3)
    points -= 0.5 * (points.min(axis=0) + points.max(axis=0))
    return list(points.max(axis=0)), tables.add_hull(points), points


def collide(kinds, sizes, data, pos, rot, tables, margin=MARGIN):
    quat = np.ascontiguousarray(rot.as_quat(scalar_first=True))
    skins = [
        tables.add_skin(kind, size, place) if MESH in kinds else (0,) * 4
        for kind, size, place in zip(kinds, sizes, data)
    ]
    shapes = make_shapes(
        kinds, sizes, [0, 1], solids=tables.tables(np.array(data, np.int64), np.array(skins, np.int64))
    )
    work, contacts = make_work(2, 64), make_contacts(64)
    count = detect(shapes, np.array(pos), quat, np.zeros((2, 6)), np.ones(2, np.int64), 0.0, margin, work, contacts)
    assert count >= 0
    found = {name: getattr(contacts, name)[:count].copy() for name in contacts._fields}
    for name in ("point", "normal", "gap"):
        assert np.isfinite(found[name]).all()
    assert np.allclose(np.linalg.norm(found["normal"], axis=1), 1.0, atol=1e-9)
    return found


def support(kind, size, points, way):
    """Largest projection of a solid onto directions, in its own frame."""
    if kind == HULL:
        return (way @ points.T).max(axis=-1)
    if kind == BOX:
        return np.abs(way) @ size
    if kind == SPHERE:
        return size[0] * np.linalg.norm(way, axis=-1)
    along = size[1] * np.abs(way[..., 2])
    if kind == CAPSULE:
        return along + size[0] * np.linalg.norm(way, axis=-1)
    return along + size[0] * np.hypot(way[..., 0], way[..., 1])


def separation(kinds, sizes, points, pos, rot, way):
    """How far b begins beyond the end of a along unit vectors, exact for any direction."""
    away = way @ (np.asarray(pos[1]) - pos[0])
    return (
        away
        - support(kinds[0], sizes[0], points[0], rot[0].inv().apply(way))
        - support(kinds[1], sizes[1], points[1], rot[1].inv().apply(-way))
    )


def best_separation(kinds, sizes, points, pos, rot, start):
    """Distance, or minus the depth: the largest separation over all directions, from many starts and then locally."""
    rng = np.random.default_rng(0)
    ways = np.concatenate([rng.normal(size=(3000, 3)), np.asarray(start).reshape(-1, 3)])
    ways /= np.linalg.norm(ways, axis=1)[:, None]
    values = separation(kinds, sizes, points, pos, rot, ways)
    best = -np.inf
    for k in np.argsort(-values)[:4]:
        # two angles about the start: the separation has corners, so without derivatives
        frame = Rotation.align_vectors([ways[k]], [[0, 0, 1.0]])[0]

        def miss(angles, frame=frame):
            way = frame.apply(np.array([angles[0], angles[1], 1.0]) / np.sqrt(1.0 + angles @ angles))
            return -float(separation(kinds, sizes, points, pos, rot, way[None])[0])

        found = minimize(miss, np.zeros(2), method="Nelder-Mead", options={"xatol": 1e-10, "fatol": 1e-13})
        best = max(best, -found.fun)
    return best


def near(kinds, count, seed):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        tables = SolidTables()
        parts = [solid(k, rng, tables) for k in kinds]
        sizes, data, points = (list(column) for column in zip(*parts))
        away = rng.normal(size=3)
        pos = [rng.normal(size=3)]
        rot = Rotation.random(2, rng)
        # half of them apart by a little, half of them a little inside each other
        wanted, low, high = rng.uniform(-0.03, 0.04), 0.0, 5.0
        away /= np.linalg.norm(away)
        for _ in range(25):
            middle = 0.5 * (low + high)
            trial = [pos[0], pos[0] + middle * away]
            ways = np.random.default_rng(1).normal(size=(400, 3))
            ways /= np.linalg.norm(ways, axis=1)[:, None]
            value = separation(kinds, sizes, points, trial, rot, ways).max()
            low, high = (middle, high) if value < wanted else (low, middle)
        yield sizes, data, points, [pos[0], pos[0] + high * away], rot, tables


@pytest.mark.parametrize("kinds", PAIRS, ids=lambda k: f"{TYPE_NAME[k[0]]}-{TYPE_NAME[k[1]]}")
def test_gap_is_the_largest_separation(kinds):
    """Distance apart, depth inside: max over directions of the separation. The direction found parts the solids by the gap
    reported, up to the 1e-5 by which faces are grown; that no other parts them better is known to what shrinking turns
    it."""
    touching = 0
    for sizes, data, points, pos, rot, tables in near(kinds, 40, seed=10 * kinds[0] + kinds[1]):
        found = collide(kinds, sizes, data, pos, rot, tables)
        start = found["normal"] if len(found["gap"]) else np.array([[0, 0, 1.0]])
        true = best_separation(kinds, sizes, points, pos, rot, start)
        if true > MARGIN + 1e-6:
            assert len(found["gap"]) == 0
            continue
        k = int(np.argmin(found["gap"]))
        along = separation(kinds, sizes, points, pos, rot, found["normal"][k : k + 1])[0]
        assert found["gap"][k] == pytest.approx(along, abs=2e-6)
        touching += 1
        slack = 2e-6 if true > 1e-3 else TURNED
        # deeper inside it is a way out, not the shortest
        assert min(true, 1.6 * true) - slack <= found["gap"].min() <= true + 1e-7
    assert touching > 20


@pytest.mark.parametrize("kinds", PAIRS, ids=lambda k: f"{TYPE_NAME[k[0]]}-{TYPE_NAME[k[1]]}")
def test_agrees_with_coal_apart(kinds):
    coal = pytest.importorskip("coal", reason="coal, the independent collision library, is not installed")

    def geometry(kind, size, points):
        if kind == SPHERE:
            return coal.Sphere(size[0])
        if kind == BOX:
            return coal.Box(*(2.0 * np.array(size)))
        if kind == HULL:
            corners, _, _ = hull_faces(points)
            vertices = coal.StdVec_Vec3s()
            vertices.extend([np.asarray(p) for p in corners])
            return coal.Convex.convexHull(vertices, False, "")
        return (coal.Capsule if kind == CAPSULE else coal.Cylinder)(size[0], 2.0 * size[1])

    seen = 0
    for sizes, data, points, pos, rot, tables in near(kinds, 60, seed=3):
        frames = [coal.Transform3s(r.as_matrix(), np.asarray(p)) for r, p in zip(rot, pos)]
        a, b = (geometry(k, s, p) for k, s, p in zip(kinds, sizes, points))
        result = coal.DistanceResult()
        coal.distance(a, frames[0], b, frames[1], coal.DistanceRequest(), result)
        found = collide(kinds, sizes, data, pos, rot, tables)
        if 1e-3 < result.min_distance < 0.9 * MARGIN:
            seen += 1
            assert found["gap"].min() == pytest.approx(result.min_distance, abs=2e-5)
    assert seen > 10


def test_a_hull_of_a_cube_is_a_box():
    """Six square faces; resting flat on another box it has four points at its corners."""
    corners, faces, normals = hull_faces(0.5 * CUBE)
    assert len(corners) == 8 and sorted(map(len, faces)) == [4] * 6
    assert np.allclose(np.sort(np.abs(normals), axis=1), [[0, 0, 1]] * 6)
    tables = SolidTables()
    data = [tables.add_hull(0.5 * CUBE), (0, 0, 0, 0)]
    turn = Rotation.from_rotvec([[0, 0, 0.4], [0, 0, 0]])
    for gap in (2e-2, 1e-4, 0.0, -1e-6, -1e-3):
        found = collide((HULL, BOX), [[0.5] * 3, [2, 2, 1]], data, [[0, 0, 1.5 + gap], [0, 0, 0]], turn, tables)
        assert len(found["gap"]) == 4
        assert np.allclose(found["gap"], gap, atol=1e-12) and np.allclose(found["normal"], [0, 0, -1], atol=1e-9)
        assert np.allclose(np.sort(np.linalg.norm(found["point"][:, :2], axis=1)), np.sqrt(0.5), atol=1e-4)


def test_a_cylinder_stands_on_a_box_with_points_round_its_rim():
    for tilt in (0.0, 1e-5, 0.02):
        rot = Rotation.from_rotvec([[0, 0, 0], [tilt, 0, 0]])
        height = 1.0 + 0.4 * np.cos(tilt) + 0.3 * np.sin(tilt) - 1e-6
        found = collide(
            (BOX, CYLINDER), [[2, 2, 1], [0.3, 0.4, 0]], [(0,) * 4] * 2, [[0, 0, 0], [0, 0, height]], rot, SolidTables()
        )
        assert found["gap"].min() == pytest.approx(-1e-6, abs=1e-9)
        assert np.allclose(found["normal"], [0, 0, 1], atol=1e-9)
        if tilt == 0.0:
            assert len(found["gap"]) == 4


def test_a_plane_sees_the_lowest_corner_of_a_hull():
    rng = np.random.default_rng(8)
    for _ in range(50):
        tables = SolidTables()
        size, place, points = solid(HULL, rng, tables)
        rot = Rotation.random(2, rng)
        normal = rot[0].as_matrix()[:, 2]
        lowest = (rot[1].apply(points) @ normal).min()
        gap = rng.uniform(-0.05, 0.9 * MARGIN)
        found = collide(
            (PLANE, HULL), [[0, 0, 0], size], [(0,) * 4, place], [np.zeros(3), (gap - lowest) * normal], rot, tables
        )
        assert found["gap"].min() == pytest.approx(gap, abs=1e-12)
        assert 1 <= len(found["gap"]) <= 4 and np.allclose(found["normal"], normal)


@pytest.mark.parametrize("kinds", [(BOX, BOX), (CYLINDER, CAPSULE), (HULL, HULL), (CYLINDER, CYLINDER)])
def test_deep_inside_there_is_a_way_out(kinds):
    """Even with the same centre: a finite normal along which the gap parts the solids."""
    rng = np.random.default_rng(4)
    for share in (0.0, 0.0, 0.01, 0.3):
        tables = SolidTables()
        sizes, data, points = zip(*(solid(k, rng, tables) for k in kinds))
        rot = Rotation.random(2, rng)
        pos = [np.zeros(3), share * 0.1 * rng.normal(size=3)]
        found = collide(kinds, sizes, data, pos, rot, tables)
        assert len(found["gap"]) >= 1
        k = int(np.argmin(found["gap"]))
        assert separation(kinds, sizes, points, pos, rot, found["normal"][k : k + 1])[0] < 0.0


def floor(n=6, size=1.0, bend=0.0):
    """A square of 2 n n triangles in the plane z = 0, looking up; `bend` lifts its far half."""
    x, y = np.meshgrid(np.linspace(-size, size, n + 1), np.linspace(-size, size, n + 1))
    points = np.column_stack([x.ravel(), y.ravel(), bend * np.maximum(0.0, x.ravel())])
    first = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).ravel()
    faces = np.concatenate(
        [np.column_stack([first, first + 1, first + n + 2]), np.column_stack([first, first + n + 2, first + n + 1])]
    )
    return points, faces


@pytest.mark.parametrize("kind", [SPHERE, CAPSULE, BOX, CYLINDER, HULL])
def test_a_floor_of_triangles_is_as_flat_as_a_plane(kind):
    """Anywhere over a floor of triangles, over edges and corners as well: normals straight up, the lowest point as of a
    plane, and no two points on top of each other."""
    rng = np.random.default_rng(9)
    points, faces = floor()
    for trial in range(60):
        tables = SolidTables()
        mesh = tables.add_mesh(points, faces)
        size, place, hull = solid(kind, rng, tables)
        size = [0.6 * s for s in size] if kind != HULL else size
        rot = Rotation.concatenate(
            [Rotation.identity(), Rotation.random(None, rng) if trial % 2 else Rotation.identity()]
        )
        lowest = -support(kind, np.array(size), hull, rot[1].inv().apply([[0, 0, -1.0]]))[0]
        gap = rng.uniform(-0.02, 0.9 * MARGIN)
        # a third of them exactly over a corner of triangles
        at = np.append(rng.uniform(-0.3, 0.3, 2) if trial % 3 else np.zeros(2), gap - lowest)
        found = collide((MESH, kind), [[1, 1, 0], size], [mesh, place], [np.zeros(3), at], rot, tables)
        assert len(found["gap"]) >= 1
        assert np.allclose(found["normal"], [0, 0, 1], atol=1e-6)
        assert found["gap"].min() == pytest.approx(gap, abs=1e-9)
        apart = np.linalg.norm(found["point"][:, None] - found["point"][None], axis=2) + np.eye(len(found["gap"]))
        assert apart.min() > 1e-3


def test_sphere_on_a_closed_mesh_as_on_a_box():
    """All triangles of a cube against the exact distance to the box, from every side, over faces, edges and corners."""
    cube = trimesh.creation.box((1.0, 0.8, 0.6))
    rng = np.random.default_rng(2)
    half = np.array([0.5, 0.4, 0.3])
    for _ in range(200):
        tables = SolidTables()
        data = [tables.add_mesh(cube.vertices, cube.faces), (0,) * 4]
        way = rng.normal(size=3)
        x = way / np.linalg.norm(way) * rng.uniform(0.4, 1.0)
        over = x - np.clip(x, -half, half)
        true = np.linalg.norm(over) - 0.2
        if true < 1e-3 - 0.2 or true > MARGIN:
            continue
        found = collide((MESH, SPHERE), [half, [0.2, 0, 0]], data, [np.zeros(3), x], Rotation.identity(2), tables)
        k = int(np.argmin(found["gap"]))
        assert found["gap"][k] == pytest.approx(true, abs=1e-9)
        assert np.allclose(found["normal"][k], over / np.linalg.norm(over), atol=1e-6)


def test_edges_in_a_floor_are_not_free_and_ridges_are():
    points, faces = floor(4)
    flags = free_edges(points, faces)
    # only the border of the square: 16 edges
    assert sum(bin(f).count("1") for f in flags) == 16
    ridge = sum(bin(f).count("1") for f in free_edges(*floor(4, bend=-0.5)))
    valley = sum(bin(f).count("1") for f in free_edges(*floor(4, bend=0.5)))
    # four edges along the bend, each of two triangles
    assert ridge == 16 + 8 and valley == 16


def test_the_tree_holds_every_triangle_once():
    points, faces = floor(9)
    tree, branch, order = box_tree(points[faces])
    assert sorted(order) == list(range(len(faces)))
    leaves = branch[branch[:, 2] > 0]
    assert leaves[:, 2].sum() == len(faces) and leaves[:, 2].max() <= 4
    assert (branch[:, 0] > np.arange(len(branch))).all() and branch[0, 0] == len(branch)
    for node in range(len(tree)):
        members = [t for k in range(node, branch[node, 0]) for t in order[branch[k, 1] : branch[k, 1] + branch[k, 2]]]
        corners = points[faces[members]].reshape(-1, 3)
        assert (corners >= tree[node, :3] - 1e-12).all() and (corners <= tree[node, 3:] + 1e-12).all()
