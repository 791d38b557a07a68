"""Cameras for a small picture, nearer along their line of sight until it is filled, and for a narrow window, further back."""

from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from taut import Body, Box, Plane, Scene
from taut.scene.view import ViewSettings
from taut.scenes import open_scene
from taut.view.first_look import FirstLook
from taut.view.frame import Frame
from taut.view.framing import FILLED, backed, closer, seen_points, start_points
from taut.view.stage import FIELD_OF_VIEW, field, fit, ground_level

ASPECT = 1.6


def on_picture(position: np.ndarray, target: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Where points lie in the picture, over half its width and height, written down apart from what is tested."""
    z = (target - position) / np.linalg.norm(target - position)
    x = np.cross(z, [0.0, 0.0, 1.0])
    x /= np.linalg.norm(x)
    rows = (points - position) @ np.column_stack([x, np.cross(x, z), z])
    return rows[:, :2] / rows[:, 2:] / np.tan(FIELD_OF_VIEW / 2.0) / [ASPECT, 1.0]


@pytest.mark.parametrize("size", [(1.0, 1.0, 4.0), (6.0, 1.0, 0.5), (0.02, 0.03, 0.02)])
def test_what_is_seen_fills_the_picture_from_the_same_side(size: tuple[float, float, float]) -> None:
    points = np.array([3.0, 1.0, 0.5]) + (np.random.default_rng(1).random((50, 3)) - 0.5) * size
    position, target = np.array([30.0, -60.0, 20.0]), np.array([0.0, 0.0, 2.0])
    near, middle = closer(position, target, points, ASPECT)
    found = on_picture(near, middle, points)
    assert np.abs(found).max() == pytest.approx(FILLED, abs=0.01)
    assert found.max(axis=0) + found.min(axis=0) == pytest.approx([0.0, 0.0], abs=0.01), "it lies in the middle"
    assert np.cross(target - position, middle - near) == pytest.approx([0.0, 0.0, 0.0], abs=1e-9), "from the same side"


def test_a_camera_never_goes_back() -> None:
    position, target = np.array([0.0, -2.0, 1.0]), np.array([0.0, 0.0, 1.0])
    points = np.array([[-50.0, 0.0, 0.0], [50.0, 0.0, 9.0]])
    assert closer(position, target, points, ASPECT) == (pytest.approx(position), pytest.approx(target))


def test_bodies_count_where_they_are_and_planes_do_not() -> None:
    box = Body(shape=Box(size=(0.4, 0.2, 0.6)), mass=1.0, position=(0.0, 0.0, 5.0))
    scene = Scene(bodies={"ground": Body(kind="static", shape=Plane()), "box": box})
    frame = Frame(1.0, 60, np.array([[0.0, 0.0, 0.0], [2.0, 0.0, 1.0]]), np.array([[1.0, 0, 0, 0], [1.0, 0, 0, 0]]))
    found = seen_points(scene, frame)
    assert found.min(axis=0) == pytest.approx([1.8, -0.1, 0.7]) and found.max(axis=0) == pytest.approx([2.2, 0.1, 1.3])


def test_the_ground_is_the_lowest_level_floor_or_the_grid_beneath_everything() -> None:
    box = Body(kind="static", shape=Box(size=(1.0, 1.0, 1.0)), position=(0.0, 0.0, -2.0))
    floor = Body(kind="static", shape=Plane(), position=(0.0, 0.0, 0.3))
    slope = Body(kind="static", shape=Plane(), orientation=(np.cos(0.1), np.sin(0.1), 0.0, 0.0))
    assert ground_level(Scene(bodies={"box": box})) == pytest.approx(-2.5)
    assert ground_level(Scene(bodies={"box": box, "floor": floor})) == pytest.approx(0.3)
    assert ground_level(Scene(bodies={"floor": floor, "slope": slope})) is None, "a slope is seen from below too"
    assert ground_level(Scene(bodies={"box": box}, view=ViewSettings(ground=False))) is None


def box_at(x: float, z: float, half: float = 0.5) -> np.ndarray:
    """Corners of a box in the plane of the picture."""
    return np.array([(x + i * half, 0.0, z + k * half) for i in (-1.0, 1.0) for k in (-1.0, 1.0)])


def in_window(
    position: np.ndarray, target: np.ndarray, points: np.ndarray, aspect: float, field_of: float
) -> np.ndarray:
    """Where points lie in a window, from -1 to 1."""
    return (
        on_picture(position, target, points) * [ASPECT / aspect, 1.0] * np.tan(FIELD_OF_VIEW / 2) / np.tan(field_of / 2)
    )


def test_a_narrow_window_goes_back_until_it_shows_what_a_wide_one_would() -> None:
    position, target = np.array([0.0, -20.0, 3.0]), np.array([0.0, 0.0, 3.0])
    groups = [box_at(-11.5, 3.0), box_at(4.0, 3.0), box_at(40.0, 3.0)]
    for aspect in (1.12, 0.6):
        where, middle = backed(position, target, groups, aspect, field(aspect))
        found = in_window(where, middle, np.concatenate(groups[:2]), aspect, field(aspect))
        assert 0.9 < np.abs(found).max() < 1.0, "what is out of a wide picture stays out"
        assert middle == pytest.approx(target) and where[1] < -24.0
    assert backed(position, target, groups, 16.0 / 9.0, field(16.0 / 9.0)) == (position, target)


def test_what_levers_cover_is_brought_out_below_them() -> None:
    position, target, aspect = np.array([0.0, -20.0, 3.0]), np.array([0.0, 0.0, 3.0]), 1.25
    groups = [box_at(-3.0, -2.5), box_at(-3.0, 8.0)]
    where, middle = backed(position, target, groups, aspect, field(aspect), (0.6, 0.23))
    found = in_window(where, middle, np.concatenate(groups), aspect, field(aspect))
    assert found[:, 1].min() > 2.0 * 0.23 - 1.0 and found[:, 1].max() < 1.0
    beside = [box_at(4.5, -2.5), box_at(-3.0, 8.0)]
    assert backed(position, target, beside, aspect, field(aspect), (0.6, 0.23)) == (position, target), "not covered"


def client(width: int, height: int, number: int = 0) -> Any:
    """A browser as viser knows it."""
    camera = SimpleNamespace(image_width=width, image_height=height, position=np.zeros(3), look_at=np.zeros(3), fov=0.0)
    camera.aspect = width / height
    camera.on_update = lambda act: setattr(camera, "heard", act)
    return SimpleNamespace(client_id=number, camera=camera, atomic=nullcontext)


@pytest.mark.parametrize("scene", ["fishing_rod", "ropeway", "gantry", "elevator"])
def test_the_first_camera_of_a_tab_has_the_whole_machine_in_it(scene: str) -> None:
    first, tab = FirstLook(open_scene(scene)), client(896, 800)
    fit(tab, lambda: first)
    groups, aspect = start_points(open_scene(scene)), 896 / 800
    found = in_window(tab.camera.position, tab.camera.look_at, np.concatenate(groups), aspect, field(aspect))
    assert np.abs(found).max() < 1.0
    # a window that becomes wider, and one in which somebody has looked elsewhere
    before = np.array(tab.camera.position)
    tab.camera.aspect, tab.camera.image_width = 1.8, 1440
    tab.camera.heard(tab.camera)
    assert first.stands(tab) and (scene in ("gantry", "elevator") or tab.camera.position[1] > before[1])
    tab.camera.position = moved = tab.camera.position + 1.0
    tab.camera.aspect, tab.camera.image_width = 1.12, 896
    tab.camera.heard(tab.camera)
    assert tab.camera.position is moved


def test_thrown_box_and_lifted_hook_stay_in_the_first_picture() -> None:
    for scene, point in (("fishing_rod", (17.4, 0.0, 0.15)), ("rope_heap", (-0.14, 0.04, 2.33))):
        position, target = FirstLook(open_scene(scene)).pose(client(896, 800).camera)
        found = in_window(position, target, np.array([point]), 1.12, field(1.12))
        assert np.abs(found).max() < 0.97, scene


def test_a_page_that_takes_the_camera_of_the_file_while_it_loads_is_placed_again() -> None:
    first, tab = FirstLook(open_scene("gantry")), client(896, 720)
    assert not first.overtaken(tab), "it has not been placed"
    first.place(tab)
    assert not first.overtaken(tab)
    tab.camera.position = np.array(open_scene("gantry").view.camera)
    assert first.overtaken(tab)
    tab.camera.position = tab.camera.position + np.array([0.0, 1.0, 0.0])
    assert not first.overtaken(tab), "somebody has moved it"
