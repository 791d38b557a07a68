"""Volume, inertia and areas of shapes, against sums over many small pieces and known limits."""

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import trimesh

from taut.scene import Body, Box, Capsule, Cylinder, Mesh, Plane, Scene, SceneError, Sphere
from taut.scene.shapes import ShapeSpec

Inside = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


def _in_capsule(x: np.ndarray, y: np.ndarray, z: np.ndarray) -> np.ndarray:
    return x**2 + y**2 + np.maximum(np.abs(z) - 0.5, 0.0) ** 2 <= 0.3**2


@pytest.mark.parametrize(
    ("shape", "inside", "half"),
    [
        (Box(size=(0.4, 0.6, 1.0)), lambda x, y, z: (abs(x) < 0.2) & (abs(y) < 0.3) & (abs(z) < 0.5), (0.2, 0.3, 0.5)),
        (Sphere(radius=0.5), lambda x, y, z: x**2 + y**2 + z**2 <= 0.25, (0.5, 0.5, 0.5)),
        (Cylinder(radius=0.3, length=1.0), lambda x, y, z: (x**2 + y**2 <= 0.09) & (abs(z) < 0.5), (0.3, 0.3, 0.5)),
        (Capsule(radius=0.3, length=1.0), _in_capsule, (0.3, 0.3, 0.8)),
    ],
)
def test_formulas_agree_with_a_sum_over_cells(shape: ShapeSpec, inside: Inside, half: tuple[float, ...]) -> None:
    n = 100
    x, y, z = np.meshgrid(*(h * (2 * (np.arange(n) + 0.5) / n - 1) for h in half), indexing="ij")
    cell = 8 * math.prod(half) / n**3
    mask = inside(x, y, z)
    volume = mask.sum() * cell
    # cells of size 2 h/n at a curved surface are counted whole or not at all: an error of second order, below 1e-3
    assert shape.volume() == pytest.approx(volume, rel=1e-3)
    moments = [(a[mask] ** 2 + b[mask] ** 2).mean() for a, b in ((y, z), (x, z), (x, y))]
    assert shape.unit_inertia() == pytest.approx(moments, rel=2e-3)
    areas = [mask.any(axis=k).mean() * 4 * math.prod(half) / half[k] for k in range(3)]
    assert shape.projected_areas() == pytest.approx(areas, rel=5e-3)


def test_a_flat_capsule_is_a_sphere_and_a_long_one_a_rod() -> None:
    short, ball = Capsule(radius=0.5, length=1e-9), Sphere(radius=0.5)
    assert short.volume() == pytest.approx(ball.volume(), rel=1e-8)
    assert short.unit_inertia() == pytest.approx(ball.unit_inertia(), rel=1e-8)
    # with r/l = 1e-4 the ends still count to first order in r/l
    assert Capsule(radius=1e-4, length=1.0).unit_inertia()[0] == pytest.approx(1 / 12, rel=2e-3)


def test_a_plane_weighs_nothing() -> None:
    assert Plane().volume() == 0.0


def test_mass_properties_come_from_what_is_given() -> None:
    box = Box(size=(1, 2, 3))
    assert Body(shape=box, density=100).mass_properties().mass == pytest.approx(600.0)
    given = Body(mass=2, inertia=(1, 1, 1.5)).mass_properties()
    assert given.inertia == (1.0, 1.0, 1.5, 0.0, 0.0, 0.0) and given.centre == (0.0, 0.0, 0.0)
    whole = Body(mass=2, inertia=(1, 1, 1.5, 0.1, 0, 0)).mass_properties()
    assert whole.inertia[3] == 0.1
    from_shape = Body(shape=box, mass=12).mass_properties()
    assert from_shape.inertia == pytest.approx((13.0, 10.0, 5.0, 0, 0, 0))
    assert Body(kind="particle", mass=2).mass_properties().inertia == (0.0,) * 6
    assert Body(kind="static", shape=box).mass_properties().mass == 0.0


@pytest.fixture
def brick(tmp_path: Path) -> Path:
    """A brick of 200 x 300 x 400 mm whose corner is at the origin of its file, y up."""
    mesh = trimesh.creation.box((200, 300, 400))
    mesh.apply_translation((100, 150, 200))
    mesh.export(tmp_path / "brick.stl")
    mesh.update_faces(np.arange(len(mesh.faces)) > 0)
    mesh.export(tmp_path / "open.stl")
    return tmp_path


def test_a_mesh_is_weighed_in_its_unit_with_its_axis_up(brick: Path) -> None:
    mesh = Mesh(file=str(brick / "brick.stl"), unit="mm", up="y")
    assert mesh.volume() == pytest.approx(0.024)
    # y becomes z, and z becomes -y
    assert mesh.centre() == pytest.approx((0.1, -0.2, 0.15))
    same = Box(size=(0.2, 0.4, 0.3))
    assert mesh.unit_inertia_tensor() == pytest.approx((*same.unit_inertia(), 0, 0, 0), abs=1e-12)
    assert mesh.projected_areas() == pytest.approx(same.projected_areas())
    assert mesh.content().vertices.min(axis=0) == pytest.approx((0.0, -0.4, 0.0), abs=1e-12)
    doubled = Mesh(file=str(brick / "brick.stl"), unit="cm", up="z", scale=2)
    assert doubled.volume() == pytest.approx(0.024 * 20**3)


def test_mesh_files_are_found_from_the_scene(brick: Path) -> None:
    text = "bodies: {b: {density: 1000, shape: {type: mesh, file: brick.stl, unit: mm, up: z}}}"
    (brick / "scene.yaml").write_text(text)
    scene = Scene.load(brick / "scene.yaml")
    assert scene.bodies["b"].mass_properties().mass == pytest.approx(24.0)
    (brick / "deeper").mkdir()
    scene.save(brick / "deeper" / "copy.yaml")
    assert "file: ../brick.stl" in (brick / "deeper" / "copy.yaml").read_text()
    copy = Scene.load(brick / "deeper" / "copy.yaml")
    assert copy.bodies["b"].mass_properties() == scene.bodies["b"].mass_properties()


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("open.stl", "not closed"),
        ("none.stl", "no such file"),
        ("scene.step", "ending in .stl"),
        ("junk.stl", "cannot be read as a mesh|no triangles"),
    ],
)
def test_meshes_that_cannot_be_used_are_named(brick: Path, file: str, words: str) -> None:
    (brick / "junk.stl").write_bytes(b"\x01\x02 this is no mesh")
    shape = {"type": "mesh", "file": str(brick / file), "unit": "mm", "up": "z"}
    with pytest.raises(SceneError, match=words) as error:
        Scene(bodies={"b": {"density": 1000, "shape": shape}})
    assert error.value.problems[0].path == "bodies.b.shape.file"
