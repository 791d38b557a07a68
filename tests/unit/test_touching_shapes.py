"""Scenes with hulls, meshes, height fields and groups: what touches, and what is said of what cannot."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import trimesh

import taut
from taut.scene import SceneError

CUBE = tuple(itertools.product((-0.5, 0.5), repeat=3))


def problems(scene):
    with pytest.raises(SceneError) as caught:
        taut.Simulation(taut.Scene(**scene))
    return str(caught.value)


def rest(body, ground, steps=240, **more):
    """A body dropped by a little onto some ground; where it is after four seconds."""
    sim = taut.Simulation(taut.Scene(bodies={"ground": ground, "body": body}, **more))
    sim.run(steps)
    return sim


@pytest.fixture
def part(tmp_path):
    def write(mesh):
        file = tmp_path / "part.stl"
        mesh.export(file)
        return str(file)

    return write


def test_everything_rests_on_triangles_as_on_a_plane(part):
    """Box, ball, capsule, cylinder and hull on a floor of triangles: at the height of their lowest point, still."""
    flat = taut.HeightField(width=4.0, depth=4.0, heights=tuple((0.0,) * 9 for _ in range(9)))
    ground = taut.Body(kind="static", shape=flat)
    shapes = {
        "box": (taut.Box(size=(0.6, 0.5, 0.4)), 0.2),
        "ball": (taut.Sphere(radius=0.2), 0.2),
        "capsule": (taut.Capsule(radius=0.1, length=0.4), 0.1),
        "cylinder": (taut.Cylinder(radius=0.2, length=0.4), 0.2),
        "hull": (taut.Hull(points=CUBE), 0.5),
    }
    lying = {"axis": (1, 0, 0), "angle": "90 deg"}
    bodies = {"ground": ground}
    for k, (name, (shape, height)) in enumerate(shapes.items()):
        turn = lying if name == "capsule" else (1, 0, 0, 0)
        bodies[name] = taut.Body(
            shape=shape, mass=2.0, position=(-1.6 + 0.8 * k, 0.13, height + 0.01), orientation=turn
        )
    sim = taut.Simulation(taut.Scene(bodies=bodies))
    sim.run(240)
    for name, (_, height) in shapes.items():
        assert sim.read(f"{name}.position[2]") == pytest.approx(height, abs=1e-4)
        assert sim.read(f"{name}.speed") < 1e-3


def test_a_mesh_that_stands_is_its_triangles_or_its_hull(part):
    """A ball dropped into a tub of triangles lies inside; on the tub's hull it lies on top."""
    walls = [((2, 2, 0.2), (0, 0, 0.1)), ((0.2, 2, 1), (-0.9, 0, 0.5)), ((0.2, 2, 1), (0.9, 0, 0.5))]
    walls += [((2, 0.2, 1), (0, -0.9, 0.5)), ((2, 0.2, 1), (0, 0.9, 0.5))]
    place = trimesh.transformations.translation_matrix
    tub = trimesh.util.concatenate([trimesh.creation.box(size, place(at)) for size, at in walls])
    file = part(tub)
    ball = taut.Body(shape=taut.Sphere(radius=0.2), mass=1.0, position=(0.05, 0.02, 1.3))
    for contact, height in (("auto", 0.4), ("hull", 1.2)):
        tray = taut.Body(kind="static", shape=taut.Mesh(file=file, unit="m", up="z", contact=contact))
        sim = rest(ball, tray, 240)
        assert sim.read("body.position[2]") == pytest.approx(height, abs=1e-3)


def test_a_capsule_lies_across_a_cylinder_and_a_cylinder_in_a_groove():
    """Two rails along x, a log across them and one between them: heights by Pythagoras."""
    along = {"axis": (0, 1, 0), "angle": "90 deg"}
    rail = taut.Body(
        kind="static", shape=taut.Cylinder(radius=0.2, length=4.0), position=(0, 0.3, 0), orientation=along
    )
    other = rail.model_copy(update={"position": (0.0, -0.3, 0.0)})
    across = taut.Body(
        shape=taut.Capsule(radius=0.1, length=1.0), mass=1.0, position=(1.0, 0, 0.31),
        orientation={"axis": (1, 0, 0), "angle": "90 deg"},
    )  # fmt: skip
    groove = taut.Body(
        shape=taut.Cylinder(radius=0.2, length=0.5), mass=1.0, position=(-1.0, 0.001, 0.28), orientation=along
    )
    sim = taut.Simulation(
        taut.Scene(bodies={"rail": rail, "other": other, "across": across, "groove": groove}, dt=1 / 120)
    )
    sim.run(240)
    assert sim.read("across.position[2]") == pytest.approx(0.3, abs=1e-4)
    assert sim.read("groove.position[2]") == pytest.approx(np.sqrt(0.4**2 - 0.3**2), abs=1e-3)


def test_groups():
    """A body falls through what it does not meet; the other side may say so as well."""
    plane = taut.Body(kind="static", shape=taut.Plane(), group="ground")
    other = taut.Body(kind="static", collide=False, group="walls")
    ball = taut.Body(shape=taut.Sphere(radius=0.2), mass=1.0, position=(0, 0, 0.2))

    def height(ball, plane):
        sim = taut.Simulation(taut.Scene(bodies={"plane": plane, "ball": ball, "other": other}))
        sim.run(30)
        return sim.read("ball.position[2]")

    meets = lambda body, *names: body.model_copy(update={"meets": names})  # noqa: E731
    assert height(ball, plane) > 0.19
    assert height(meets(ball, "ground"), plane) > 0.19
    assert height(meets(ball, "walls"), plane) < 0.0
    assert height(ball, meets(plane, "walls")) < 0.0
    with pytest.raises(SceneError, match=r"no such group.*ground"):
        taut.Scene(bodies={"plane": plane, "ball": {"kind": "static", "meets": ["gruond"]}})


def test_read_out_of_contacts():
    """A block that slides on level ground: four points, forces that carry it and brake it, slip as fast as it is."""
    ground = taut.Body(kind="static", shape=taut.Plane(), material="m")
    box = taut.Body(
        shape=taut.Box(size=(1, 1, 0.2)), mass=3.0, position=(0, 0, 0.1), velocity=(4.0, 0, 0), material="m"
    )
    scene = taut.Scene(bodies={"ground": ground, "box": box}, materials={"m": taut.Material(friction=0.5)})
    sim = taut.Simulation(scene)
    sim.run(30)
    found = sim.contacts()
    assert len(found) == 4 and set(found.a + found.b) == {"ground", "box"}
    up = np.where(np.array(found.b)[:, None] == "box", found.normal, -found.normal)
    assert np.allclose(up, [0, 0, 1])
    push = np.where(np.array(found.b)[:, None] == "box", found.force, -found.force).sum(axis=0)
    assert np.allclose(push, [-0.5 * 3 * 9.81, 0, 3 * 9.81], atol=1e-3)
    assert np.allclose(sim.read("box.contact_force"), push) and np.allclose(sim.read("ground.contact_force"), -push)
    assert np.allclose(np.abs(found.slip[:, 0]), sim.read("box.velocity[0]"), rtol=1e-3)
    assert sim.read("contact.slip") == pytest.approx(sim.read("box.velocity[0]"), rel=1e-3)


def test_bad_meshes_are_refused_with_the_reason(part, tmp_path):
    twisted = trimesh.creation.box((1, 1, 1))
    twisted.faces[0] = twisted.faces[0][::-1]
    file = str(tmp_path / "twisted.stl")
    trimesh.Trimesh(twisted.vertices, twisted.faces, process=False).export(file)
    mesh = taut.Mesh(file=file, unit="m", up="z")
    said = problems({"bodies": {"part": taut.Body(kind="static", shape=mesh)}})
    assert "face opposite ways" in said and "contact: hull" in said
    # a hull does not care
    hull = mesh.model_copy(update={"contact": "hull"})
    ball = taut.Body(shape=taut.Sphere(radius=0.2), mass=1.0, position=(0, 0, 0.7))
    assert rest(ball, taut.Body(kind="static", shape=hull), 60).read("body.position[2]") == pytest.approx(0.7, abs=1e-3)
    fine = trimesh.creation.icosphere(subdivisions=7)
    assert len(fine.faces) > 200_000
    said = problems({"bodies": {"part": taut.Body(kind="static", shape=taut.Mesh(file=part(fine), unit="m", up="z"))}})
    assert "triangles" in said and "coarser" in said


def test_an_open_mesh_is_a_surface_with_one_side(part):
    """A sheet with a hole holds what comes from its outside, lets fall what meets the hole, and is no wall from behind."""
    points, faces = [], []
    for x, y in itertools.product(range(-3, 3), repeat=2):
        if (x, y) != (-1, -1):
            k = len(points)
            points += [(x, y, 0), (x + 1, y, 0), (x + 1, y + 1, 0), (x, y + 1, 0)]
            faces += [(k, k + 1, k + 2), (k, k + 2, k + 3)]
    sheet = taut.Body(kind="static", shape=taut.Mesh(file=part(trimesh.Trimesh(points, faces)), unit="m", up="z"))
    ball = taut.Body(shape=taut.Sphere(radius=0.2), mass=1.0, position=(1.5, 1.3, 0.25))
    assert rest(ball, sheet, 60).read("body.position[2]") == pytest.approx(0.2, abs=1e-4)
    assert rest(ball.model_copy(update={"position": (-0.5, -0.5, 0.25)}), sheet, 60).read("body.position[2]") < -1.0


@pytest.mark.parametrize(
    "shape, words",
    [
        ({"type": "hull", "points": [[0, 0, 0], [1, 0, 0], [0, 1, 0]]}, "4 to"),
        ({"type": "hull", "points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]}, "no volume"),
        ({"type": "height_field", "width": 1, "depth": 1, "heights": [[0, 1], [0]]}, "equally long"),
        ({"type": "sphere", "radius": 0}, "radius"),
        ({"type": "box", "size": [1, 0, 1]}, "size"),
    ],
)
def test_shapes_without_size_are_refused(shape, words):
    with pytest.raises(SceneError, match=words):
        taut.Scene(bodies={"b": {"kind": "static", "shape": shape}})


def test_bodies_that_start_inside_each_other_part_gently():
    """Everything at one place: nothing flies off faster than the speed at which bodies are let out, and in the end they lie
    apart."""
    shapes = [
        taut.Box(size=(0.4, 0.4, 0.4)), taut.Sphere(radius=0.2), taut.Cylinder(radius=0.2, length=0.4),
        taut.Hull(points=tuple((0.4 * x, 0.4 * y, 0.4 * z) for x, y, z in CUBE)), taut.Capsule(radius=0.15, length=0.3),
    ]  # fmt: skip
    bodies = {"ground": taut.Body(kind="static", shape=taut.Plane())}
    for k, shape in enumerate(shapes):
        bodies[f"b{k}"] = taut.Body(shape=shape, mass=1.0, position=(0.01 * k, 0.0, 0.3))
    sim = taut.Simulation(taut.Scene(bodies=bodies))
    fastest = 0.0
    for _ in range(40):
        sim.run(6)
        fastest = max(fastest, *(sim.read(f"b{k}.speed") for k in range(len(shapes))))
    assert fastest < 5.0
    assert sim.read("contact.penetration") < 2e-3
