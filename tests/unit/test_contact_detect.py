"""The one entry: direction and order of contacts, fast bodies, what is left out, and that it takes no memory."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numba.core.runtime import _nrt_python, rtsys
from scipy.spatial.transform import Rotation

from taut.contact import detect, make_contacts, make_shapes, make_work
from taut.contact.shapes import BOX, CAPSULE, CYLINDER, MESH, PLANE, SPHERE, TYPE_NAME
from taut.contact.work import Families, families_of

MARGIN = 0.05
SIZE = {SPHERE: [0.3, 0, 0], BOX: [0.4, 0.3, 0.2], CAPSULE: [0.2, 0.3, 0], PLANE: [0, 0, 0], CYLINDER: [0.2, 0.3, 0]}
#: every pair with a test
PAIRS = [(a, b) for a, b in itertools.product(SIZE, repeat=2) if (a, b) != (PLANE, PLANE)]


def run(kinds, pos, quat, vel=None, dt=0.0, work=None, margin=MARGIN):
    n = len(kinds)
    shapes = make_shapes(kinds, [SIZE[k] for k in kinds], range(n))
    work, contacts = work or make_work(n, 16 * n), make_contacts(16 * n)
    vel = np.zeros((n, 6)) if vel is None else np.hstack([np.array(vel, float), np.zeros((n, 3))])
    state = (np.ascontiguousarray(pos, float), np.ascontiguousarray(quat, float), vel, np.ones(n, np.int64))
    count = detect(shapes, *state, dt, margin, work, contacts)
    return {name: getattr(contacts, name)[:count].copy() for name in contacts._fields}


def random_touching(kinds, rng, tries=1000):
    """Poses in which the two shapes touch, away from ties."""
    for _ in range(tries):
        pos = np.array([[0.0, 0, 0], rng.uniform(-0.7, 0.7, 3)])
        quat = Rotation.random(2, rng).as_quat(scalar_first=True)
        found = run(kinds, pos, quat)
        if len(found["gap"]) and found["gap"].min() > -0.15:
            return pos, quat, found
    raise AssertionError(f"no touching pose of {kinds} in {tries} tries")


@pytest.mark.parametrize("kinds", PAIRS, ids=lambda k: f"{TYPE_NAME[k[0]]}-{TYPE_NAME[k[1]]}")
def test_normals_go_from_a_to_b_and_turn_when_the_shapes_change_places(kinds):
    rng = np.random.default_rng(20)
    for _ in range(10):
        pos, quat, found = random_touching(kinds, rng)
        assert (found["a"] == 0).all() and (found["b"] == 1).all()
        # b moved along the normal is further away
        k = int(np.argmin(found["gap"]))
        further = run(kinds, pos + [[0, 0, 0], 1e-3 * found["normal"][k]], quat)["gap"]
        assert further.size == 0 or further.min() > found["gap"].min() + 0.9e-3
        back = run(kinds[::-1], pos[::-1], quat[::-1])
        assert np.allclose(back["gap"].min(), found["gap"].min(), atol=1e-12)
        m = int(np.argmin(back["gap"]))
        assert np.allclose(back["normal"][m], -found["normal"][k], atol=1e-6)


def test_a_fast_body_is_seen_before_it_is_through():
    level = np.tile([1.0, 0, 0, 0], (2, 1))
    pos = [[0, 0, 0], [0, 0, 1.0]]
    assert len(run((PLANE, SPHERE), pos, level)["gap"]) == 0
    down = run((PLANE, SPHERE), pos, level, vel=[[0, 0, 0], [0, 0, -60]], dt=1 / 60)
    assert down["gap"][0] == pytest.approx(0.7)
    # leaving, passing by, or too slow to arrive: not a contact
    for vel in ([0, 0, 60], [60, 0, 0], [0, 0, -10]):
        assert len(run((PLANE, SPHERE), pos, level, vel=[[0, 0, 0], vel], dt=1 / 60)["gap"]) == 0
    # box on box, and with the first body as the one that moves
    down = run((BOX, BOX), [[0, 0, 1.0], [0, 0, 0]], level, vel=[[0, 0, -60], [0, 0, 0]], dt=1 / 60)
    assert np.allclose(down["gap"], 0.6)
    assert len(down["gap"]) == 4


def test_shapes_sit_on_their_bodies_with_an_offset():
    """A sphere on an arm of a turned body: the body's rotation carries the offset."""
    shapes = make_shapes([PLANE, SPHERE], [[0, 0, 0], [0.2, 0, 0]], [1, 0], pos=[[0, 0, 0], [1, 0, 0]])
    quat = np.array([Rotation.from_rotvec([0, np.pi / 2, 0]).as_quat(scalar_first=True), [1, 0, 0, 0]])
    out, pos = make_contacts(4), np.array([[3.0, 0, 1.1], [0, 0, 0]])
    assert detect(shapes, pos, quat, np.zeros((2, 6)), np.array([1, 0]), 0.0, MARGIN, make_work(2, 4), out) == 1
    assert out.gap[0] == pytest.approx(-0.1)
    assert np.allclose(out.point[0], [3.0, 0, -0.05])


def test_takes_no_memory():
    """What is counted is the unboxing of the arguments, the same for a crowd in contact and for nobody."""

    def allocations(kinds, spread):
        rng, n = np.random.default_rng(21), len(kinds)
        shapes, work = make_shapes(kinds, [SIZE[k] for k in kinds], range(n)), make_work(n, 16 * n)
        pos, quat = rng.uniform(-spread, spread, (n, 3)), Rotation.random(n, rng).as_quat(scalar_first=True)
        state = (pos, np.ascontiguousarray(quat), np.zeros((n, 6)), np.ones(n, np.int64))
        out = make_contacts(16 * n)
        detect(shapes, *state, 0.0, MARGIN, work, out)
        before = rtsys.get_allocation_stats()
        count = detect(shapes, *state, 0.0, MARGIN, work, out)
        after = rtsys.get_allocation_stats()
        return count, after.alloc - before.alloc

    _nrt_python.memsys_enable_stats()
    few, quiet = allocations([SPHERE, SPHERE], 1e6)
    many, busy = allocations([PLANE, SPHERE, BOX, CAPSULE, CYLINDER] * 8, 0.8)
    assert few == 0 and many > 200
    assert busy == quiet


def test_only_the_tests_a_scene_needs():
    assert families_of(make_shapes([PLANE, BOX], [[0, 0, 0]] * 2, [0, 1])) == Families(*[None] * 9)
    assert families_of(make_shapes([BOX, BOX, SPHERE], [[0, 0, 0]] * 3, [0, 1, 2])) == Families(None, 1, 1, *[None] * 6)
    kinds, level = (PLANE, BOX), np.tile([1.0, 0, 0, 0], (2, 1))
    shapes = make_shapes(kinds, [SIZE[k] for k in kinds], range(2))
    pos = [[0, 0, 0], [0, 0, 0.19]]
    lean = run(kinds, pos, level, work=make_work(2, 32, shapes=shapes))
    full = run(kinds, pos, level)
    assert len(lean["gap"]) == 4
    assert all(np.array_equal(lean[name], full[name]) for name in full)


def test_meshes_cost_only_who_moves_them():
    """Triangles against round shapes, planes and triangles are three tests; what stands still needs the last two not."""
    shapes = make_shapes([MESH, MESH, PLANE, SPHERE], [[0.1, 0.1, 0.1]] * 4, range(4))
    meshes = lambda *dynamic: families_of(shapes, np.array(dynamic))[-3:]  # noqa: E731
    assert meshes(0, 0, 0, 1) == (1, None, None)
    assert meshes(0, 1, 0, 0) == (1, 1, 1)
    alone = make_shapes([MESH, PLANE], [[0.1, 0.1, 0.1]] * 2, range(2))
    assert families_of(alone, np.array([1, 0]))[-3:] == (None, 1, None)
    boxes = make_shapes([MESH, BOX], [[0.1, 0.1, 0.1]] * 2, range(2))
    assert families_of(boxes, np.array([0, 1]))[-3:] == (None, None, 1)
