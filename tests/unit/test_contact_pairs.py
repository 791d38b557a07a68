"""Every pair of shapes against a distance from elsewhere: closed forms, least squares, separating axes, coal."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.optimize import lsq_linear, minimize
from scipy.spatial.transform import Rotation

from taut.contact import detect, make_contacts, make_shapes, make_work
from taut.contact.shapes import BOX, CAPSULE, CYLINDER, PLANE, SPHERE, TYPE_NAME

MARGIN = 0.05
ROUND_OFF = 1e-9
CONVEX = (SPHERE, BOX, CAPSULE)
PAIRS = list(itertools.product(CONVEX, repeat=2))


def collide(kinds, sizes, pos, rot, margin=MARGIN):
    """Contacts of two bodies with one shape each, as a dict of arrays."""
    quat = np.ascontiguousarray(rot.as_quat(scalar_first=True))
    shapes, work, contacts = make_shapes(kinds, sizes, [0, 1]), make_work(2, 16), make_contacts(16)
    count = detect(shapes, np.array(pos), quat, np.zeros((2, 6)), np.ones(2, np.int64), 0.0, margin, work, contacts)
    assert count >= 0
    found = {name: getattr(contacts, name)[:count].copy() for name in contacts._fields}
    for name in ("point", "normal", "gap"):
        assert np.isfinite(found[name]).all()
    assert np.allclose(np.linalg.norm(found["normal"], axis=1), 1.0, atol=1e-12)
    assert (found["gap"] <= margin).all()
    return found


def random_size(kind, rng):
    if kind == SPHERE:
        return [rng.uniform(0.1, 0.5), 0.0, 0.0]
    if kind == BOX:
        return list(rng.uniform(0.1, 0.6, 3))
    return [rng.uniform(0.05, 0.3), rng.uniform(0.0, 0.6), 0.0]


def core(kind, size):
    """Half sizes of point, segment or box, and the radius around it."""
    if kind == BOX:
        return np.array(size), 0.0
    return np.array([0.0, 0.0, size[1]]), size[0]


def reference_gap(kinds, sizes, pos, rot):
    """Distance of two cores, min |c_b + B u_b - c_a - A u_a| over |u| <= 1, less both radii."""
    (ea, ra), (eb, rb) = core(kinds[0], sizes[0]), core(kinds[1], sizes[1])
    A, B = rot.as_matrix()
    J = np.hstack([A * ea, -B * eb])
    away = np.array(pos[1]) - np.array(pos[0])
    best = lsq_linear(J, away, (-np.ones(6), np.ones(6)), method="bvls", tol=1e-15)
    return float(np.linalg.norm(J @ best.x - away)) - ra - rb


def separation(sizes, pos, rot):
    """Largest gap of two boxes over the fifteen separating axes, by projecting all corners."""
    A, B = rot.as_matrix()
    signs = np.array(list(itertools.product((-1, 1), repeat=3)))
    a = signs * sizes[0] @ A.T + pos[0]
    b = signs * sizes[1] @ B.T + pos[1]
    axes = [*A.T, *B.T, *(np.cross(u, v) for u in A.T for v in B.T)]
    axes = [n / np.linalg.norm(n) for n in axes if np.linalg.norm(n) > 1e-9]
    return max(max((b @ n).min() - (a @ n).max(), (a @ n).min() - (b @ n).max()) for n in axes)


def near_pairs(kinds, count, seed):
    """Random poses of two shapes, about half of them within the margin."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        direction = rng.normal(size=3)
        pos = [rng.normal(size=3), np.zeros(3)]
        pos[1] = pos[0] + direction / np.linalg.norm(direction) * rng.uniform(0.2, 1.3)
        rot = Rotation.random(2, rng)
        yield [random_size(k, rng) for k in kinds], pos, rot


@pytest.mark.parametrize("kinds", PAIRS, ids=lambda k: f"{TYPE_NAME[k[0]]}-{TYPE_NAME[k[1]]}")
def test_random_poses_have_the_true_gap(kinds):
    """Exact to round-off while the cores are apart, touching or not; two boxes have their own tests."""
    near = 0
    for sizes, pos, rot in near_pairs(kinds, 300, seed=kinds[0] * 10 + kinds[1]):
        true = reference_gap(kinds, sizes, pos, rot)
        found = collide(kinds, sizes, pos, rot)
        radii = core(kinds[0], sizes[0])[1] + core(kinds[1], sizes[1])[1]
        if true > MARGIN + ROUND_OFF:
            assert len(found["gap"]) == 0
        elif radii > 0.0 and true + radii > 1e-6:
            near += 1
            assert abs(found["gap"].min() - true) < ROUND_OFF
            # the normal is the gradient of the distance: b moved along it parts by as much
            k, step = int(np.argmin(found["gap"])), 1e-5
            further = reference_gap(kinds, sizes, [pos[0], pos[1] + step * found["normal"][k]], rot)
            assert further - true == pytest.approx(step, rel=1e-3)
    assert near > 50 or kinds == (BOX, BOX)


def test_penetrating_boxes_have_the_depth_of_the_best_axis():
    deep = 0
    for sizes, pos, rot in near_pairs((BOX, BOX), 600, seed=1):
        true = separation(sizes, pos, rot)
        if true < 0.0:
            deep += 1
            found = collide((BOX, BOX), sizes, pos, rot, margin=0.0)
            assert 1 <= len(found["gap"]) <= 4
            assert abs(found["gap"].min() - true) < ROUND_OFF
            # moved out along the normal by the depth, the boxes just touch
            k = int(np.argmin(found["gap"]))
            assert abs(separation(sizes, [pos[0], pos[1] - true * found["normal"][k]], rot)) < 1e-6
    assert deep > 300


def test_separated_boxes():
    """Faces and crossing edges give the true distance; corners facing corners or edges err by a part of the margin."""
    exact, errors = 0, []
    rng = np.random.default_rng(5)
    for sizes, pos, rot in near_pairs((BOX, BOX), 300, seed=2):
        direction, wanted = pos[1] - pos[0], rng.uniform(1e-3, 0.9 * MARGIN)
        low, high = 0.0, 10.0
        for _ in range(40):
            middle = 0.5 * (low + high)
            apart = reference_gap((BOX, BOX), sizes, [pos[0], pos[0] + middle * direction], rot)
            low, high = (middle, high) if apart < wanted else (low, middle)
        pos[1] = pos[0] + low * direction
        true = reference_gap((BOX, BOX), sizes, pos, rot)
        found = collide((BOX, BOX), sizes, pos, rot)
        if len(found["gap"]):
            errors.append(found["gap"].min() - true)
            exact += abs(errors[-1]) < ROUND_OFF
    assert len(errors) > 290
    assert exact > 240
    assert np.abs(errors).max() < 0.3 * MARGIN


@pytest.mark.parametrize("kind", CONVEX, ids=lambda k: TYPE_NAME[k])
def test_plane_sees_the_lowest_point(kind):
    """gap = n . (c - p) - sum_k |n . R_k| e_k - r, the support of the shape against the plane's normal."""
    rng = np.random.default_rng(3)
    for _ in range(200):
        size, rot = random_size(kind, rng), Rotation.random(2, rng)
        pos = [rng.normal(size=3), rng.normal(size=3)]
        (e, r), normal = core(kind, size), rot[0].as_matrix()[:, 2]
        lowest = normal @ (pos[1] - pos[0]) - np.abs(normal @ rot[1].as_matrix()) @ e - r
        found = collide((PLANE, kind), [[0, 0, 0], size], pos, rot)
        assert (len(found["gap"]) > 0) == (lowest <= MARGIN)
        if lowest <= MARGIN:
            assert abs(found["gap"].min() - lowest) < ROUND_OFF
            assert np.allclose(found["normal"], normal)
            # the point lies half-way: as far below the surface of the shape as above the plane
            height = (found["point"] - pos[0]) @ normal
            assert np.allclose(height, 0.5 * found["gap"], atol=1e-12)


def test_plane_sees_the_lowest_rim_point_of_a_cylinder():
    """gap = n . (c - p) - l |n . u| - r sqrt(1 - (n . u)^2)."""
    rng = np.random.default_rng(4)
    for tilt in [*rng.uniform(0.0, np.pi, 200), 0.0, 1e-4, np.pi / 2, np.pi]:
        r, l = rng.uniform(0.1, 0.5, 2)
        rot = Rotation.from_rotvec([[0, 0, 0], [tilt, 0, 0]]) * Rotation.from_rotvec([0, 0, rng.uniform(0, 6)])
        half = l * abs(np.cos(tilt)) + r * abs(np.sin(tilt))
        gap = rng.uniform(-0.02, 0.04)
        found = collide((PLANE, CYLINDER), [[0, 0, 0], [r, l, 0]], [np.zeros(3), [1.0, 2.0, half + gap]], rot)
        assert abs(found["gap"].min() - gap) < max(ROUND_OFF, 3e-4 * MARGIN * (abs(np.sin(tilt)) * r < 1e-3 * MARGIN))
        if tilt in (0.0, np.pi):
            assert len(found["gap"]) == 4
        if tilt == np.pi / 2:
            assert len(found["gap"]) == 2


def test_sphere_on_cylinder():
    """Against the nearest point of the solid by constrained minimisation; inside, the nearer of side and cap."""
    rng = np.random.default_rng(6)
    for trial in range(60):
        r, l, ball = *rng.uniform(0.2, 0.6, 2), 0.3
        rot, x = Rotation.random(2, rng), rng.uniform(-0.9, 0.9, 3)
        rho = np.hypot(x[0], x[1])
        if rho < r and abs(x[2]) < l:
            true = max(rho - r, abs(x[2]) - l) - ball
        else:
            inside = ({"type": "ineq", "fun": lambda y, r=r: r * r - y[0] ** 2 - y[1] ** 2},)
            limits = [(None, None), (None, None), (-l, l)]
            near = minimize(lambda y, x=x: ((y - x) ** 2).sum(), 0.1 * x, bounds=limits, constraints=inside, tol=1e-14)
            true = np.sqrt(near.fun) - ball
        pos = [np.zeros(3), rot[0].apply(x)]
        kinds, sizes = [(CYLINDER, SPHERE), (SPHERE, CYLINDER)][trial % 2], [[r, l, 0.0], [ball, 0.0, 0.0]]
        if trial % 2:
            sizes, pos, rot = sizes[::-1], pos[::-1], rot[[1, 0]]
        found = collide(kinds, sizes, pos, rot, margin=2.0)
        assert found["gap"][0] == pytest.approx(true, abs=1e-6)
        # leaving the cylinder, whichever is first
        toward = (np.array(pos[1]) - pos[0]) @ found["normal"][0]
        assert toward > 0.0


def test_capsule_axis_inside_a_box_leaves_by_the_nearest_face():
    """A capsule standing in a box, its lower end 0.3 below the top face: 0.3 + r to go, along +z or -z."""
    rot = Rotation.from_rotvec([[0, 0, 0], [0, 0, 0.3]])
    found = collide((BOX, CAPSULE), [[1, 1, 1], [0.1, 0.2, 0]], [np.zeros(3), [0.1, 0.2, 0.9]], rot)
    assert found["gap"].min() == pytest.approx(-0.3 - 0.1)
    assert np.allclose(found["normal"], [0, 0, 1])


@pytest.mark.parametrize("kinds", [*PAIRS, (CYLINDER, SPHERE)])
def test_agrees_with_coal(kinds):
    coal = pytest.importorskip("coal", reason="coal, the independent collision library, is not installed")

    def geometry(kind, size):
        if kind == SPHERE:
            return coal.Sphere(size[0])
        if kind == BOX:
            return coal.Box(*(2.0 * np.array(size)))
        return (coal.Capsule if kind == CAPSULE else coal.Cylinder)(size[0], 2.0 * size[1])

    for sizes, pos, rot in near_pairs(kinds, 150, seed=7):
        frames = [coal.Transform3s(r.as_matrix(), np.asarray(p)) for r, p in zip(rot, pos)]
        result = coal.DistanceResult()
        a, b = (geometry(k, s) for k, s in zip(kinds, sizes))
        coal.distance(a, frames[0], b, frames[1], coal.DistanceRequest(), result)
        # the calm choice of axis may cost a tenth of the margin: none for two boxes
        found = collide(kinds, sizes, pos, rot, margin=0.0 if kinds == (BOX, BOX) else 0.2)
        cores_apart = result.min_distance > -0.9 * (core(kinds[0], sizes[0])[1] + core(kinds[1], sizes[1])[1])
        # its iterations stop at 1e-6, deep inside at 1e-4; boxes apart are covered above
        if result.min_distance < 0.2 and (cores_apart if kinds != (BOX, BOX) else result.min_distance < 0.0):
            assert found["gap"].min() == pytest.approx(result.min_distance, abs=2e-5 if cores_apart else 2e-4)
