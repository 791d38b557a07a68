"""Meshes that are moved by forces: against meshes, planes, height fields, boxes, balls and capsules; what a hull gets wrong."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh
from scipy.spatial.transform import Rotation

import taut
from taut.compile.solids import SolidTables, corner_normals, neighbours, owned
from taut.contact import detect, make_contacts, make_shapes, make_work
from taut.contact.shapes import BOX, MESH, OWN_CORNER, OWN_EDGE
from taut.scene import SceneError
from taut.validate.contact_mesh import BAR, LINK, link, pulled_out, write_mesh

MARGIN = 0.02


def collide(meshes, pos, turns, dynamic=(1, 1), room=128):
    tables = SolidTables()
    data = [tables.add_mesh(mesh.vertices, mesh.faces) for mesh in meshes]
    places = np.array(data, np.int64)
    sizes = [0.5 * np.ptp(mesh.vertices, axis=0) for mesh in meshes]
    shapes = make_shapes([MESH] * len(meshes), sizes, range(len(meshes)), solids=tables.tables(places, places))
    work, contacts = make_work(len(meshes), room), make_contacts(room)
    quat = np.array([r.as_quat(scalar_first=True) for r in turns])
    still = np.zeros((len(meshes), 6))
    count = detect(shapes, np.array(pos, float), quat, still, np.array(dynamic), 0.0, MARGIN, work, contacts)
    assert count >= 0
    return {name: getattr(contacts, name)[:count].copy() for name in contacts._fields}


def block(*size, cuts=0):
    mesh = trimesh.creation.box(size)
    for _ in range(cuts):
        mesh = mesh.subdivide()
    return mesh


FLAT = Rotation.identity()


@pytest.mark.parametrize("gap", [1e-2, 1e-4, 0.0, -1e-7, -1e-5, -1e-3])
@pytest.mark.parametrize("turn", [0.0, 1e-6, 0.3, np.pi / 4])
def test_a_block_stands_on_a_block_with_its_whole_face(gap, turn):
    """Over a finer one, on an equal one, or crossing each other: four to eight points that bound what overlaps."""
    spin = Rotation.from_rotvec([0, 0, turn])
    for size, cuts, area in (((3, 3, 1), 3, 0.8), ((1.0, 0.8, 0.6), 0, None), ((0.4, 3, 0.5), 0, None)):
        below = block(*size, cuts=cuts)
        found = collide((below, block(1.0, 0.8, 0.6)), [[0, 0, -0.5 * size[2]], [0, 0, 0.3 + gap]], [FLAT, spin])
        assert 4 <= len(found["gap"]) <= 9
        assert np.allclose(found["normal"], [0, 0, 1], atol=1e-9)
        assert np.allclose(found["gap"], gap, atol=1e-9)
        spread = np.ptp(found["point"][:, :2], axis=0).min()
        assert spread > 0.35
        if area is not None:
            corners = np.sort(np.linalg.norm(found["point"][:, :2], axis=1))
            assert np.allclose(corners, np.hypot(0.5, 0.4), atol=1e-9)


def test_crossing_edges_touch_where_they_cross():
    """Two roofs, one across the other: one point, along the vertical, at the true distance."""
    roof = Rotation.from_rotvec([np.pi / 4, 0, 0])
    across = Rotation.from_rotvec([0, 0, np.pi / 2]) * roof
    for gap in (5e-3, -1e-4, -5e-3):
        height = 2 * 0.2 * np.sqrt(2.0) + gap
        found = collide((block(2, 0.4, 0.4), block(2, 0.4, 0.4)), [[0, 0, 0], [0.1, 0.2, height]], [roof, across])
        k = int(np.argmin(found["gap"]))
        assert found["gap"][k] == pytest.approx(gap, abs=1e-9)
        assert np.allclose(found["normal"][k], [0, 0, 1], atol=1e-9)
        assert np.allclose(found["point"][k], [0.1, 0.0, 0.5 * height], atol=1e-9)


def test_gap_is_the_distance_of_convex_solids():
    """Random blocks apart, against the largest separation over the fifteen axes of two boxes: where that is their distance, so is
    the least gap; it is never less than the separation."""
    rng = np.random.default_rng(5)
    same = 0
    for _ in range(150):
        halves, turns = rng.uniform(0.1, 0.5, (2, 3)), Rotation.random(2, rng)
        a, b = turns.as_matrix()
        way = rng.normal(size=3)
        way /= np.linalg.norm(way)
        axes = [*a.T, *b.T, *(np.cross(p, q) for p in a.T for q in b.T)]
        axes = np.array([n / np.linalg.norm(n) for n in axes if np.linalg.norm(n) > 1e-3])
        widths = np.abs(axes @ a) @ halves[0] + np.abs(axes @ b) @ halves[1]
        wanted = rng.uniform(0.1, 0.9) * MARGIN
        low, high = 0.0, 3.0
        for _ in range(60):
            middle = 0.5 * (low + high)
            away = (np.abs(axes @ way) * middle - widths).max()
            low, high = (middle, high) if away < wanted else (low, middle)
        found = collide([block(*(2 * h)) for h in halves], [np.zeros(3), high * way], turns)
        # corner near corner has no axis of its own: further apart than the margin it is not seen
        if len(found["gap"]):
            assert found["gap"].min() >= wanted - 1e-9
            same += found["gap"].min() < wanted + 1e-9
    assert same > 60


def test_the_far_side_of_a_thin_plate_is_left_alone():
    """A plate thinner than the margin, on a plate: all points on the side that faces, at the true gap."""
    plate = block(1, 1, 0.01)
    for gap in (1e-3, 0.0, -1e-4):
        found = collide((plate, plate), [[0, 0, 0], [0.1, 0.05, 0.01 + gap]], [FLAT, FLAT])
        assert len(found["gap"]) == 4
        assert np.allclose(found["gap"], gap, atol=1e-9) and np.allclose(found["normal"], [0, 0, 1], atol=1e-9)


def test_tables_of_a_mesh():
    """Each corner and each edge is counted once; neighbours see each other; normals at the corners of a cube are its diagonals."""
    mesh = block(2, 2, 2)
    flags = owned(mesh.faces)
    bits = lambda first: sum(bin(f >> first & 7).count("1") for f in flags.tolist())  # noqa: E731
    assert bits(OWN_CORNER) == 8 and bits(OWN_EDGE) == 18
    beyond = neighbours(mesh.faces)
    assert all(t in beyond[s] for t, row in enumerate(beyond) for s in row)
    normals = corner_normals(mesh.vertices, mesh.faces)
    assert np.allclose(normals[:, :3], mesh.vertices / np.sqrt(3.0))
    assert np.allclose(normals[:, 3], np.cos(np.arccos(np.sqrt(1.0 / 3.0)) + 0.05))


def test_open_links_hang_in_each_other_and_hulls_do_not(tmp_path):
    """One C-shaped link in another carries its weight; as hulls they are inside each other, and part."""
    shape = link(str(tmp_path))
    for contact, holds in (("auto", True), ("hull", False)):
        links = shape.model_copy(update={"contact": contact})
        lower = taut.Body(
            shape=links, mass=500.0, position=(0.5 * LINK, -0.5 * LINK, 2 * BAR - LINK),
            orientation={"axis": (0, 0, 1), "angle": "90 deg"},
        )  # fmt: skip
        sim = taut.Simulation(taut.Scene(bodies={"eye": taut.Body(kind="static", shape=links), "lower": lower}))
        sim.run(120)
        moved = np.abs(sim.read("lower.position") - [0.5 * LINK, -0.5 * LINK, 2 * BAR - LINK]).max()
        assert (moved < 1e-5) == holds
        if holds:
            assert np.linalg.norm(sim.read("eye.contact_force")) == pytest.approx(500.0 * 9.81, rel=1e-9)
            assert sim.read("lower.speed") < 1e-9


def test_a_bracket_comes_to_rest_on_everything(tmp_path):
    """A C-profile dropped askew on a plane, a box, a mesh and hills: it lies still, carried, and no energy comes from it."""
    bracket = bracket_of(str(tmp_path))
    slab = write_mesh(str(tmp_path), "slab", *pulled_out([-2.0, 0.0, 2.0], [-0.5, 0.0], np.ones((2, 1), bool), 4.0))
    hills = tuple(tuple(0.05 * np.sin(i) * np.cos(1.3 * j) for i in range(9)) for j in range(9))
    grounds = {
        "plane": taut.Body(kind="static", shape=taut.Plane()),
        "box": taut.Body(kind="static", shape=taut.Box(size=(4, 4, 1)), position=(0, 0, -0.5)),
        "mesh": taut.Body(kind="static", shape=slab),
        "hills": taut.Body(kind="static", shape=taut.HeightField(width=4, depth=4, heights=hills)),
    }
    for name, ground in grounds.items():
        body = taut.Body(
            shape=bracket, density=1000, position=(0, 0, 0.7), orientation={"axis": (1, 0.3, 0.2), "angle": 1.0}
        )
        sim = taut.Simulation(taut.Scene(bodies={"ground": ground, "body": body}))
        energy = [float(sim.read("energy.kinetic") + sim.read("energy.potential"))]
        for _ in range(360):
            sim.run(1)
            energy.append(float(sim.read("energy.kinetic") + sim.read("energy.potential")))
        weight = 9.81 * float(sim.compiled.bodies.mass[sim.compiled.bodies.index["body"]])
        # on hills it may still rock a little
        assert sim.read("body.speed") < (2e-3 if name == "hills" else 1e-6), name
        assert np.linalg.norm(sim.read("body.contact_force")) == pytest.approx(weight, rel=1e-3), name
        # what is pressed in comes out at 1 m/s at most: m v^2 / 2 of rounding a corner, beside 400 J of the fall
        assert np.max(np.diff(energy)) < 1e-3 * (energy[0] - energy[-1]), name


@pytest.mark.parametrize("speed", [10.0, 50.0, 200.0])
def test_a_fast_thin_mesh_does_not_pass_a_thin_mesh(tmp_path, speed):
    """Plates of a centimetre at up to 3 m a step, as boxes do."""
    plate = write_mesh(str(tmp_path), "plate", *pulled_out([-0.5, 0.5], [-0.005, 0.005], np.ones((1, 1), bool), 1.0))
    plate = plate.model_copy(update={"contact": "triangles"})
    body = taut.Body(
        shape=plate,
        mass=1.0,
        position=(0.1, 0.05, 2.03),
        velocity=(0, 0, -speed),
        orientation={"axis": (1, 0, 0), "angle": 0.02},
    )
    sim = taut.Simulation(taut.Scene(bodies={"floor": taut.Body(kind="static", shape=plate), "body": body}))
    lowest = min(float((sim.run(1), sim.read("body.position[2]"))[1]) for _ in range(60))
    # a plate that falls on one edge turns by up to v h / 2 before the other is seen
    assert lowest > 0.009 and sim.read("body.position[2]") == pytest.approx(0.01, abs=1e-4)


def bracket_of(folder):
    """A C-profile of square bar, half a metre wide."""
    full = np.ones((3, 3), bool)
    full[1:, 1] = False
    return write_mesh(folder, "bracket", *pulled_out([0.0, 0.1, 0.3, 0.5], [0.0, 0.1, 0.4, 0.5], full, 0.1))


def test_meshes_that_start_in_each_other_part_gently(tmp_path):
    """Four brackets in one place: they leave at a limited speed, and lie apart in the end."""
    shape = bracket_of(str(tmp_path))
    bodies = {"ground": taut.Body(kind="static", shape=taut.Plane())}
    for k in range(4):
        turn = {"axis": (1, 0.3, 0.2), "angle": 0.3 * k}
        bodies[f"b{k}"] = taut.Body(shape=shape, density=1000, position=(0.01 * k, 0.02 * k, 0.3), orientation=turn)
    sim = taut.Simulation(taut.Scene(bodies=bodies))
    fastest = 0.0
    for _ in range(360):
        sim.run(1)
        fastest = max(fastest, *(float(sim.read(f"b{k}.speed")) for k in range(4)))
    # let out at 1 m/s, and they fall from half a metre
    assert fastest < 4.5
    assert sim.read("contact.penetration") < 1e-3


def test_boxes_on_hills_always_touch():
    """A box in any pose with one corner 5 mm in rough ground has a contact at least so deep."""
    rng = np.random.default_rng(0)
    heights = 0.25 * np.sin(1.3 * np.arange(17))[None, :] * np.cos(1.1 * np.arange(17))[:, None]
    field = taut.HeightField(width=8, depth=8, heights=tuple(map(tuple, heights.tolist()))).content()
    middle = 0.5 * (field.vertices.min(axis=0) + field.vertices.max(axis=0))
    half = np.array([0.15, 0.1, 0.1])

    def ground(x, y):
        u, v = (x + 4) / 0.5, (y + 4) / 0.5
        i, j = int(u), int(v)
        u, v, h = u - i, v - j, heights
        if v <= u:
            return h[j, i] + u * (h[j, i + 1] - h[j, i]) + v * (h[j + 1, i + 1] - h[j, i + 1])
        return h[j, i] + v * (h[j + 1, i] - h[j, i]) + u * (h[j + 1, i + 1] - h[j + 1, i])

    tables = SolidTables()
    data = [tables.add_mesh(field.vertices - middle, field.faces), (0,) * 4]
    skins = [data[0], tables.add_skin(BOX, half, data[1])]
    sizes = [0.5 * np.ptp(field.vertices, axis=0), half]
    shapes = make_shapes([MESH, BOX], sizes, [0, 1], solids=tables.tables(np.array(data), np.array(skins)))
    work, contacts = make_work(2, 128), make_contacts(128)
    for _ in range(300):
        turn, place = Rotation.random(None, rng), rng.uniform(-2, 2, 2)
        corners = turn.apply(np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * half)
        height = max(ground(*(c[:2] + place)) - c[2] for c in corners) - 5e-3
        quat = np.array([[1.0, 0, 0, 0], turn.as_quat(scalar_first=True)])
        at = np.array([middle, [*place, height]])
        count = detect(shapes, at, quat, np.zeros((2, 6)), np.array([0, 1]), 0.0, 1e-3, work, contacts)
        # 5 mm straight down are less along the normal of a slope of up to 35 degrees
        assert count > 0 and contacts.gap[:count].min() < -5e-3 * np.cos(np.radians(35.0)) + 1e-9


def test_a_rope_wraps_round_convex_meshes_and_hulls_and_says_what_it_cannot(tmp_path):
    """Over a cube as a mesh, as a hull and as a box the path is the same; over a link it is refused, in words."""
    cube = write_mesh(str(tmp_path), "cube", *pulled_out([-0.5, 0.5], [-0.5, 0.5], np.ones((1, 1), bool), 1.0))
    points = tuple((x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5))

    def scene(shape):
        load = taut.Body(kind="particle", mass=100.0, position=(2.0, 0.1, -1.0))
        rope = taut.Cable(
            route=(taut.End(at=(-2.0, 0.0, 0.0)), taut.End(on="load", at=(2.0, 0.1, -1.0))), obstacles=("block",), diameter=0.01,
            axial_stiffness=1e6,
        )  # fmt: skip
        bodies = {"block": taut.Body(kind="static", shape=shape), "load": load}
        return taut.Scene(bodies=bodies, cables={"rope": rope})

    lengths = []
    for shape in (taut.Box(size=(1, 1, 1)), cube, taut.Hull(points=points)):
        sim = taut.Simulation(scene(shape))
        sim.run(1)
        assert sim.read("rope.wraps_on_block") == 1
        lengths.append(sim.read("rope.lengths").sum())
    assert np.allclose(lengths, lengths[0], rtol=1e-12)
    hollow = link(str(tmp_path))
    with pytest.raises(SceneError, match=r"mesh with hollows.*contact: hull"):
        scene(hollow)
    assert scene(hollow.model_copy(update={"contact": "hull"})).cables["rope"].obstacles == ("block",)


def test_bad_meshes_are_named(tmp_path):
    """A moving mesh with a hole must be told its inertia and is its hull; one whose triangles face both ways has no outside."""
    corners, faces = pulled_out([-0.5, 0.0, 0.5], [-0.5, 0.5], np.ones((2, 1), bool), 1.0)
    holed = write_mesh(str(tmp_path), "holed", corners, faces[:-1])
    with pytest.raises(SceneError, match="not closed"):
        taut.Scene(bodies={"b": taut.Body(shape=holed, density=1000)})
    body = taut.Body(shape=holed, mass=10.0, inertia=(1.0, 1.0, 1.0))
    assert body.touches_as_hull
    faces[0] = faces[0][::-1]
    mixed = write_mesh(str(tmp_path), "mixed", corners, faces).model_copy(update={"contact": "triangles"})
    with pytest.raises(SceneError, match="face opposite ways"):
        taut.Scene(bodies={"b": taut.Body(shape=mixed, mass=10.0, inertia=(1.0, 1.0, 1.0))})
