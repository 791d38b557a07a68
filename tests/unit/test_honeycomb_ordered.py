"""Layers side by side: the same forces and tangents as spring by spring; factors of the block matrix; contacts as by looking at everything."""

from dataclasses import replace

import numpy as np
import pytest

from taut.cables.honeycomb import PRINTED, Honeycomb, Obstacle, Springs, Surroundings
from taut.cables.honeycomb.arrangement import ARRANGEMENTS
from taut.cables.honeycomb.arrays import APART, LAYERS, PER_LAYER, SKIN, TOUCHES, WEIGHT
from taut.cables.honeycomb.blocks import factorise, substitute
from taut.cables.honeycomb.forces import field_forces, find_touches
from taut.cables.honeycomb.frequency import tangent_product
from taut.cables.honeycomb.ordered import lattice_forces, pack_constants
from taut.cables.honeycomb.self_contact import between_axes
from taut.cables.honeycomb.springs import spring_forces
from taut.scene import Plane
from taut.scenes.honeycomb_ropes import coil

TABLE = [(0.0, 0.0), (0.02, 0.02 * 1120.0), (0.1, 0.02 * 1120.0 + 0.08 * 5000.0)]


def shaken(layers: int, arranged: str, quadratic: bool, one_sided: bool, table: list | None) -> Honeycomb:
    """A rope whose masses are out of place and move."""
    rope = Honeycomb(
        [(0, 0, 0), (0.016 * (layers - 1), 0, 0)], replace(PRINTED, damping=0.5, quadratic=quadratic), layers=layers,
        arrangement=arranged, one_sided=one_sided, force_strain=table, surroundings=Surroundings(air_drag=0.3),
    )  # fmt: skip
    random = np.random.default_rng(layers)
    rope._a.pos[:] += 1e-3 * random.standard_normal(rope._a.pos.shape)
    rope._a.vel[:] = random.standard_normal(rope._a.pos.shape)
    return rope


@pytest.mark.parametrize("arranged", ARRANGEMENTS)
@pytest.mark.parametrize("layers", [2, 3, 4, 5, 8, 17])
def test_forces_are_those_of_the_springs_one_by_one(arranged: str, layers: int) -> None:
    """Whatever the law, and whether or not the layers fill the last instruction."""
    laws = [(False, False, None), (True, False, None), (False, True, None), (True, True, None)]
    for quadratic, one_sided, table in laws + ([(False, False, TABLE)] if arranged == "hexagon" else []):
        a = shaken(layers, arranged, quadratic, one_sided, table)._a
        expected = np.zeros_like(a.pos)
        field_forces(a.vel, a.node, a.field, expected)
        spring_forces(a.pos, a.vel, a.spring, a.law, a.table, 0.0, expected, 0, 1)
        a.force[:] = np.nan
        pack_constants(a)
        lattice_forces(a, a.pos, a.vel)
        assert np.abs(a.force - expected).max() < 1e-12 * np.abs(expected).max()


@pytest.mark.parametrize("quadratic, table", [(False, None), (True, None), (False, TABLE)])
def test_tangent_is_the_slope_of_the_forces(quadratic: bool, table: list | None) -> None:
    """K u by central differences where all springs are stretched, so that nothing of it is left out; C u is exact."""
    a = shaken(9, "hexagon", quadratic, False, table)._a
    a.pos[:] = 2.0 * a.pos
    a.vel[:] = 0.0
    u, found, step = np.random.default_rng(1).standard_normal(a.pos.shape), np.zeros_like(a.pos), 1e-7
    pack_constants(a)
    tangent_product(a, u, False, found)
    sides = []
    for sign in (1.0, -1.0):
        force = np.zeros_like(a.pos)
        spring_forces(a.pos + sign * step * u, a.vel, a.spring, a.law, a.table, 0.0, force, 0, 1)
        sides.append(force)
    slope = (sides[0] - sides[1]) / (2.0 * step)
    assert np.abs(found - slope).max() < 1e-5 * np.abs(slope).max()
    tangent_product(a, u, True, found)
    still, moving = np.zeros_like(a.pos), np.zeros_like(a.pos)
    spring_forces(a.pos, a.vel, a.spring, a.law, a.table, 0.0, still, 0, 1)
    spring_forces(a.pos, u, a.spring, a.law, a.table, 0.0, moving, 0, 1)
    assert np.abs(found - (moving - still)).max() < 1e-9 * np.abs(found).max()


@pytest.mark.parametrize("layers", [1, 2, 7])
def test_block_matrix_is_solved(layers: int) -> None:
    """Against the dense matrix, also for a right side that begins late."""
    size, random = 21, np.random.default_rng(layers)
    system, whole = np.zeros((layers, size, 2 * size)), np.zeros((layers * size, layers * size))
    for n in range(layers):
        at, own = n * size, random.standard_normal((size, size))
        whole[at : at + size, at : at + size] = own + own.T + 60.0 * np.eye(size)
        if n + 1 < layers:
            whole[at : at + size, at + size : at + 2 * size] = random.standard_normal((size, size))
            whole[at + size : at + 2 * size, at : at + size] = whole[at : at + size, at + size : at + 2 * size].T
        system[n, :, : min(2 * size, layers * size - at)] = whole[at : at + size, at : at + 2 * size]
    assert factorise(system)
    for first in (0, layers - 1):
        right = random.standard_normal((layers, size))
        right[:first] = 0.0
        answer = right.copy()
        substitute(system, answer)
        assert whole @ answer.ravel() == pytest.approx(right.ravel(), abs=1e-11)
    system[0, 0, 0] = -1.0
    assert not factorise(system)


def test_masses_within_cells_are_found_as_by_looking_at_all_of_them() -> None:
    """Every outline mass against every cell that is not near it along the rope, by plain geometry."""
    soft = Springs(radius=0.015, spacing=0.015, mass=1.5e-3, structural=5e3, tension=300.0, centre=5e3, torsion=2e3, bending=2e3,
                   diagonal=300.0, damping=0.3)  # fmt: skip
    around = Surroundings(
        obstacles=(Obstacle(Plane()),), self_contact=True, contact_stiffness=1.5e3, contact_damping=0.3
    )
    rope = Honeycomb(coil(0.08, 2.2, 0.027, 0.0156), soft, start="free", surroundings=around)
    assert rope._a.field[SKIN] == 0.0
    seen = 0
    for _ in range(3):
        rope.step(2)
        expected = inside(rope)
        assert touched(rope) == expected
        seen += len(expected)
    assert seen > 20


def touched(rope: Honeycomb) -> set[tuple[int, int]]:
    """Outline masses that the rope's own search finds in cells: contacts of one mass with four."""
    a = rope._a
    find_touches(a, a.pos)
    per = int(a.size[PER_LAYER])
    shares = a.touch[: a.tally[TOUCHES], WEIGHT : WEIGHT + 5]
    return {
        (int(nodes[0]), int(nodes[1]) // per)
        for nodes, share in zip(a.touch_node, shares)
        if share[0] == 1.0 and share[1:].sum() == pytest.approx(-1.0)
    }


def inside(rope: Honeycomb) -> set[tuple[int, int]]:
    """Outline masses in the prisms of cells, each with the cell: it projects into the cell, lies on the side of the other axis, and within the
    polygon of the outline at its height."""
    a = rope._a
    per, layers, apart = (int(a.size[k]) for k in (PER_LAYER, LAYERS, APART))
    outline = rope.lattice.section.outline
    axis = np.zeros((layers, 4))
    axis[:, :3] = a.pos.reshape(layers, per, 3).mean(axis=1)
    found = set()
    for cell in range(layers - 1):
        along = axis[cell + 1, :3] - axis[cell, :3]
        for mine in range(layers - 1):
            if abs(mine - cell) <= apart:
                continue
            first, second = min(mine, cell), max(mine, cell)
            _, *side = between_axes(axis, first, second)
            towards = np.array(side) * (-1.0 if mine == first else 1.0)
            for layer in (mine, mine + 1) if mine == layers - 2 else (mine,):
                for p in layer * per + outline:
                    s = float((a.pos[p] - axis[cell, :3]) @ along / (along @ along))
                    low, high = (-0.5 if cell == 0 else 0.0), (1.5 if cell == layers - 2 else 1.0)
                    if not low <= s < high or (a.pos[p] - axis[layer, :3]) @ towards <= 0.0:
                        continue
                    s = min(max(s, 0.0), 1.0)
                    centre = axis[cell, :3] + s * along
                    corners = (1.0 - s) * a.pos[cell * per + outline] + s * a.pos[(cell + 1) * per + outline] - centre
                    edges = np.roll(corners, -1, axis=0) - corners
                    outward = np.cross(edges, along)
                    r = a.pos[p] - centre
                    # a hexagon that is convex: within it is what lies behind all its sides
                    if np.all(np.einsum("ij,ij->i", r - corners, outward) < 0.0):
                        found.add((int(p), cell))
    return found
