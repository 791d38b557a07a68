"""What a solver needs of a contact patch: enough points, in the right places, the same ones from step to step."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

from taut.contact import detect, make_contacts, make_shapes, make_work
from taut.contact.shapes import BOX, CAPSULE, PLANE, SPHERE

MARGIN = 0.02
FLAT = Rotation.identity()


def collide(kinds, sizes, pos, turns, margin=MARGIN):
    quat = np.array([r.as_quat(scalar_first=True) for r in turns])
    shapes, work, contacts = make_shapes(kinds, sizes, range(len(kinds))), make_work(len(kinds), 32), make_contacts(32)
    still, dynamic = np.zeros((len(kinds), 6)), np.ones(len(kinds), np.int64)
    count = detect(shapes, np.array(pos, float), quat, still, dynamic, 0.0, margin, work, contacts)
    assert count >= 0
    found = {name: getattr(contacts, name)[:count].copy() for name in contacts._fields}
    assert all(np.isfinite(value).all() for value in found.values())
    return found


def about_z(angle):
    return Rotation.from_rotvec([0, 0, angle])


def patch_area(points):
    return ConvexHull(points[:, :2]).volume if len(points) > 2 else 0.0


@pytest.mark.parametrize("ground", [PLANE, BOX])
def test_a_resting_box_stands_on_its_whole_face(ground):
    below = [[0, 0, 0], [0, 0, 0]] if ground == PLANE else [[3, 3, 0.5], [0, 0, -0.5]]
    found = collide((ground, BOX), [below[0], [0.5, 0.3, 0.2]], [below[1], [0.1, 0.2, 0.2]], [FLAT, about_z(0.4)])
    assert len(found["gap"]) == 4
    assert patch_area(found["point"]) == pytest.approx(4 * 0.5 * 0.3, rel=1e-6)
    assert np.allclose(found["gap"], 0.0, atol=1e-12)
    assert np.allclose(found["normal"], [0, 0, 1])


@pytest.mark.parametrize("angle", [0.0, 0.2, np.pi / 4, 1.1])
def test_a_stack_keeps_most_of_its_patch(angle):
    """Two unit squares turned against each other overlap in up to eight corners: four carry at least 70 % of it."""
    found = collide((BOX, BOX), [[0.5] * 3] * 2, [[0, 0, 0], [0, 0, 0.999]], [FLAT, about_z(angle)])
    assert len(found["gap"]) == 4
    turn = angle % (np.pi / 2)
    # octagon left when two unit squares overlap turned: 1 - (1 - cos)(1 - sin) / (sin cos)
    full = 1.0 if turn == 0.0 else 1.0 - (1 - np.cos(turn)) * (1 - np.sin(turn)) / (np.sin(turn) * np.cos(turn))
    assert 0.7 * full < patch_area(found["point"]) <= full * (1 + 1e-4)
    assert np.allclose(found["gap"], -1e-3, atol=1e-9)


def test_overhang_is_clipped():
    found = collide((BOX, BOX), [[0.5] * 3, [0.5, 0.2, 0.1]], [[0, 0, 0], [0.6, 0, 0.6]], [FLAT, FLAT])
    assert patch_area(found["point"]) == pytest.approx(0.4 * 0.4, rel=1e-4)
    assert found["point"][:, 0].max() == pytest.approx(0.5, abs=1e-5)


def test_capsule_lies_on_two_points():
    lying = Rotation.from_rotvec([0, np.pi / 2, 0])
    for ground, size, top in ((PLANE, [0, 0, 0], 0.0), (BOX, [3, 3, 0.5], 0.5)):
        found = collide((ground, CAPSULE), [size, [0.1, 0.4, 0]], [[0, 0, 0], [0, 0, top + 0.1]], [FLAT, lying])
        assert np.allclose(np.sort(found["point"][:, 0]), [-0.4, 0.4])
        assert np.allclose(found["gap"], 0.0, atol=1e-12)
    # over the edge of the box only the supported part counts
    found = collide((BOX, CAPSULE), [[0.5] * 3, [0.1, 0.4, 0]], [[0, 0, 0], [0.4, 0, 0.6]], [FLAT, lying])
    assert np.allclose(np.sort(found["point"][:, 0]), [0.0, 0.5])


def test_capsule_along_an_edge_touches_at_both_ends():
    """Parallel to the edge of a box, beside it at 45 degrees; a hundredth of a degree off makes no difference."""
    for tilt in (0.0, 1e-12, 2e-4):
        turn = Rotation.from_rotvec([0, np.pi / 2 - tilt, 0])
        away = 0.1 / np.sqrt(2.0)
        found = collide(
            (BOX, CAPSULE), [[0.5] * 3, [0.1, 0.4, 0]], [[0, 0, 0], [0, 0.5 + away, 0.5 + away]], [FLAT, turn]
        )
        assert np.allclose(np.sort(found["point"][:, 0]), [-0.4, 0.4], atol=1e-4)
        assert np.allclose(found["normal"], [0, np.sqrt(0.5), np.sqrt(0.5)], atol=1e-3)


def test_parallel_capsules_touch_at_both_ends_of_their_overlap():
    found = collide((CAPSULE, CAPSULE), [[0.1, 0.5, 0], [0.2, 0.5, 0]], [[0, 0, 0], [0.3, 0, 0.4]], [FLAT, FLAT])
    assert np.allclose(np.sort(found["point"][:, 2]), [-0.1, 0.5])
    assert np.allclose(found["gap"], 0.0, atol=1e-12)
    assert np.allclose(found["point"][:, 0], 0.1)
    # crossing at a small angle, the middle is nearest and is not lost
    tilted = Rotation.from_rotvec([0.08, 0, 0])
    found = collide((CAPSULE, CAPSULE), [[0.1, 0.5, 0]] * 2, [[0, 0, 0], [0.2, 0, 0]], [FLAT, tilted])
    assert found["gap"].min() == pytest.approx(0.0, abs=1e-12)


PATCHES = [
    ((PLANE, BOX), [[0, 0, 0], [0.5] * 3], 0.5, 0.3),
    ((BOX, BOX), [[0.5] * 3] * 2, 1.0, 0.0),
    ((BOX, BOX), [[0.5] * 3] * 2, 1.0, np.pi / 4),
    ((BOX, BOX), [[0.5] * 3, [0.3] * 3], 0.8, 0.2),
    ((BOX, BOX), [[0.3] * 3, [0.5] * 3], 0.8, 0.2),
    ((BOX, CAPSULE), [[0.5] * 3, [0.1, 0.3, 0]], 0.9, 0.2),
    ((PLANE, CAPSULE), [[0, 0, 0], [0.1, 0.3, 0]], 0.4, 0.2),
]


@pytest.mark.parametrize("kinds, sizes, height, angle", PATCHES)
def test_features_keep_their_keys_under_small_motion(kinds, sizes, height, angle):
    """A micrometre and a microradian: points neither change their identity nor jump."""
    rng = np.random.default_rng(8)
    first = None
    for _ in range(50):
        pos = [[0, 0, 0], np.array([0, 0, height]) + rng.uniform(-1e-6, 1e-6, 3)]
        found = collide(kinds, sizes, pos, [FLAT, about_z(angle) * Rotation.from_rotvec(rng.uniform(-1e-6, 1e-6, 3))])
        assert len(np.unique(found["key"])) == len(found["key"])
        now = dict(zip(found["key"], found["point"]))
        first = first or now
        assert now.keys() == first.keys()
        assert all(np.abs(now[key] - first[key]).max() < 1e-4 for key in now)


def test_exactly_touching_boxes_and_parallel_edges():
    for away in ([1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]):
        found = collide((BOX, BOX), [[0.5] * 3] * 2, [[0, 0, 0], away], [FLAT, FLAT])
        assert len(found["gap"]) >= 1
        assert np.allclose(found["gap"], 0.0, atol=1e-12)
        assert np.allclose(np.linalg.norm(found["normal"], axis=1), 1.0)


@pytest.mark.parametrize("kinds", list(itertools.combinations_with_replacement((SPHERE, BOX, CAPSULE), 2)))
def test_coinciding_centres_give_a_unit_normal(kinds):
    size = {SPHERE: [0.3, 0, 0], BOX: [0.5, 0.4, 0.3], CAPSULE: [0.2, 0.4, 0]}
    for turn in (FLAT, Rotation.from_rotvec([np.pi / 2, 0, 0]), Rotation.from_rotvec([0.3, 0.4, 0.5])):
        found = collide(kinds, [size[k] for k in kinds], [[1, 2, 3]] * 2, [FLAT, turn])
        assert len(found["gap"]) >= 1
        assert np.allclose(np.linalg.norm(found["normal"], axis=1), 1.0)
        assert found["gap"].min() < -0.2


def test_crossing_capsule_axes_part_along_their_common_perpendicular():
    across = Rotation.from_rotvec([np.pi / 2, 0, 0])
    found = collide((CAPSULE, CAPSULE), [[0.1, 0.5, 0]] * 2, [[0, 0, 0]] * 2, [about_z(0.7), across])
    assert np.allclose(np.abs(found["normal"]), [1, 0, 0])
    assert np.allclose(found["gap"], -0.2)


def test_a_capsule_without_length_is_a_sphere():
    rng = np.random.default_rng(9)
    for other, size in ((BOX, [0.5, 0.4, 0.3]), (CAPSULE, [0.2, 0.4, 0]), (PLANE, [0, 0, 0])):
        for _ in range(20):
            pos, turns = [[0, 0, 0], rng.uniform(-0.8, 0.8, 3)], [Rotation.random(rng=rng), Rotation.random(rng=rng)]
            a = collide((other, CAPSULE), [size, [0.3, 0, 0]], pos, turns)
            b = collide((other, SPHERE), [size, [0.3, 0, 0]], pos, turns)
            for name in ("gap", "point", "normal", "key"):
                assert np.array_equal(a[name], b[name])
