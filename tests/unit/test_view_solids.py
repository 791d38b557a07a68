"""Solids: closed, turned outwards, and of the size of their shape."""

import math

import numpy as np
import pytest

from taut import Box, Capsule, Cylinder, Plane, Sphere
from taut.scenes import library, open_scene
from taut.view import items, solids
from taut.view.bounds import bounds
from taut.view.sky import dome

SHAPES = [
    Box(size=(2.0, 1.0, 0.5)),
    Sphere(radius=0.7),
    Capsule(radius=0.2, length=1.5),
    Cylinder(radius=0.75, length=0.14),
]


def volume(solid: solids.Solid) -> float:
    """Sum of a . (b x c) / 6 over the triangles: the enclosed volume, positive if they look outwards."""
    a, b, c = (solid.vertices[solid.faces[:, k]] for k in range(3))
    return float((a * np.cross(b, c)).sum() / 6.0)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.type)
def test_triangles_enclose_the_volume_of_the_shape(shape) -> None:  # type: ignore[no-untyped-def]
    solid = solids.of_shape(shape)
    assert solid is not None
    # polygons inscribed in circles and broken edges lose up to three percent
    assert 0.97 * shape.volume() < volume(solid) <= shape.volume()


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.type)
def test_no_triangle_looks_inwards(shape) -> None:  # type: ignore[no-untyped-def]
    solid = solids.of_shape(shape)
    assert solid is not None
    a, b, c = (solid.vertices[solid.faces[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    assert (np.linalg.norm(normal, axis=1) > 0.0).all()
    # all our shapes are convex around the origin
    assert ((normal * (a + b + c)).sum(axis=1) > 0.0).all()


@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape.type != "capsule"], ids=lambda s: s.type)
def test_a_scaled_unit_solid_is_the_shape(shape) -> None:  # type: ignore[no-untyped-def]
    found = solids.unit(shape)
    assert found is not None
    solid, scale = found
    size = np.ptp(solid.vertices * np.asarray(scale), axis=0)
    whole = solids.of_shape(shape)
    assert whole is not None
    assert size == pytest.approx(np.ptp(whole.vertices, axis=0), rel=1e-9)


def test_a_plane_has_no_triangles() -> None:
    assert solids.of_shape(Plane()) is None


def test_bounds_of_a_turned_beam_are_those_of_the_beam_as_it_lies() -> None:
    from taut import Body

    turn = (math.cos(math.pi / 4), 0.0, 0.0, math.sin(math.pi / 4))  # a quarter about z
    beam = Body(kind="static", shape=Box(size=(4.0, 0.2, 0.2)), orientation=turn)
    low, high = bounds({"beam": beam, "ground": Body(kind="static", shape=Plane())})
    assert high - low == pytest.approx([0.2, 4.0, 0.2])


@pytest.mark.parametrize("name", sorted(library()))
def test_every_library_scene_is_drawn_and_introduced(name: str) -> None:
    scene = open_scene(name)
    assert scene.name and scene.description.split("\n")[0].endswith(".")
    assert scene.view.camera is not None and scene.view.look_at is not None
    drawn = {item.name for item in items.of_scene(scene)}
    bodies = {key: body for key, body in scene.all_bodies().items() if body.visible}
    shown = {key for key, body in bodies.items() if body.shape is not None and body.shape.type != "plane"}
    segments = {link for strand in scene.strands().values() for link in strand.link_names()}  # drawn as cables
    assert shown - segments <= drawn


def test_the_sky_is_a_valid_binary_gltf() -> None:
    import trimesh

    with_file = trimesh.load(trimesh.util.wrap_as_stream(dome(100.0)), file_type="glb", force="mesh")
    assert np.abs(with_file.vertices).max() == pytest.approx(100.0, rel=1e-6)
