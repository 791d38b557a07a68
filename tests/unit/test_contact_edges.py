"""Edges that lie nearly along a face or along each other: points at both ends, continuous while the turn goes through zero."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from taut.compile.solids import SolidTables
from taut.contact import detect, make_contacts, make_shapes, make_work
from taut.contact.shapes import BOX, CAPSULE, HULL

MARGIN = 0.05
CUBE = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))
#: turns on both sides of zero, from round-off to one where the far end is out of the margin [rad]
TURNS = [sign * turn for turn in (1e-9, 1e-7, 1e-5, 1e-4, 1e-3, 1e-2, 5e-2) for sign in (1.0, -1.0)]
#: a long block under a crate, half sizes [m]
BLOCK, CRATE = [2.0, 3.0, 2.0], [0.4, 0.4, 0.4]


def collide(kinds, sizes, pos, turns):
    """Contacts of two shapes; a hull is that of the box of its size."""
    tables = SolidTables()
    data = [tables.add_hull(CUBE * size) if kind == HULL else (0,) * 4 for kind, size in zip(kinds, sizes)]
    shapes = make_shapes(kinds, sizes, [0, 1], solids=tables.tables(np.array(data, np.int64)))
    work, contacts = make_work(2, 32), make_contacts(32)
    quat = np.array([r.as_quat(scalar_first=True) for r in turns])
    count = detect(
        shapes, np.array(pos, float), quat, np.zeros((2, 6)), np.ones(2, np.int64), 0.0, MARGIN, work, contacts
    )
    return {name: getattr(contacts, name)[:count].copy() for name in contacts._fields}


def near(found, y, tolerance=0.02):
    """The least gap of the contacts at this place along y."""
    gaps = found["gap"][np.abs(found["point"][:, 1] - y) < tolerance]
    assert len(gaps), f"no contact at y = {y}: {found['point']}"
    return gaps.min()


@pytest.mark.parametrize("kinds", [(BOX, BOX), (HULL, BOX), (HULL, HULL)])
@pytest.mark.parametrize("turn", [0.0, *TURNS])
def test_an_edge_along_a_face_touches_at_both_ends(kinds, turn):
    """A crate leans with a face on the long edge of a block. The face turns by phi against the edge, about the middle of the
    crate: at y its height over the edge is d + y phi to first order, whatever the sign of phi."""
    lean = Rotation.from_rotvec([0, np.pi / 5, 0])
    tilt = Rotation.from_rotvec([turn, 0, 0])
    turns = [Rotation.identity(), lean * tilt]
    normal, apart = turns[1].as_matrix()[:, 2], 1e-3
    # the middle of the crate's lower face over the middle of the block's edge at x = 2, z = 2, `apart` from it
    centre = np.array([2.0, 0.0, 2.0]) + lean.as_matrix()[:, 2] * apart + normal * CRATE[2]
    found = collide(kinds, [BLOCK, CRATE], [np.zeros(3), centre], turns)
    assert found["normal"] @ normal == pytest.approx(np.ones(len(found["gap"])), abs=2e-3)
    for side in (1.0, -1.0):
        there = apart + side * CRATE[1] * turn
        if there < 0.9 * MARGIN:
            assert near(found, side * CRATE[1]) == pytest.approx(there, abs=1e-5 + 0.6 * turn**2)


@pytest.mark.parametrize("kinds", [(BOX, BOX), (HULL, BOX), (HULL, HULL)])
@pytest.mark.parametrize("turn", [t for t in TURNS if abs(t) > 5e-5])
def test_roof_on_roof_touches_at_both_ends_of_the_overlap(kinds, turn):
    """Two square edges, one on the other, crossing at a small angle: beside the crossing the gap grows by the offset."""
    edge_up, apart = Rotation.from_rotvec([0, np.pi / 4, 0]), 1e-3
    turns = [edge_up, Rotation.from_rotvec([0, 0, turn]) * edge_up]
    centre = [0, 0, (0.3 + 0.4) * np.sqrt(2.0) + apart]
    found = collide(kinds, [[0.3, 1.0, 0.3], CRATE], [np.zeros(3), centre], turns)
    assert np.allclose(found["normal"], [0, 0, 1], atol=1e-6)
    # gaps within a thousandth of the margin count as the same point
    assert apart - 1e-9 <= found["gap"].min() <= apart + 1e-3 * MARGIN
    for side in (1.0, -1.0):
        there = apart + CRATE[1] * abs(np.sin(turn))
        if there < 0.9 * MARGIN:
            # the end of one edge, or the place on the other beside it: sine or tangent
            assert near(found, side * CRATE[1] * np.cos(turn)) == pytest.approx(there, abs=1e-5 + 0.25 * abs(turn) ** 3)


@pytest.mark.parametrize("turn", [0.0, *TURNS])
def test_a_capsule_along_the_edge_of_a_hull_keeps_both_ends(turn):
    """Round on sharp: the end of the capsule's axis is sqrt(h^2 + o^2) from the edge."""
    edge_up, radius, half = Rotation.from_rotvec([0, np.pi / 4, 0]), 0.1, 0.4
    turns = [edge_up, Rotation.from_rotvec([0, 0, turn]) * Rotation.from_rotvec([np.pi / 2, 0, 0])]
    height = radius + 1e-3
    centre = [0, 0, 0.3 * np.sqrt(2.0) + height]
    found = collide((HULL, CAPSULE), [[0.3, 1.0, 0.3], [radius, half, 0]], [np.zeros(3), centre], turns)
    for side in (1.0, -1.0):
        there = np.hypot(height, half * np.sin(turn)) - radius
        assert near(found, side * half * np.cos(turn)) == pytest.approx(there, abs=1e-6)
