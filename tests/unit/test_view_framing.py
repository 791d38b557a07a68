"""A camera for a small picture: nearer along its own line of sight, until what is to be seen fills it."""

import numpy as np
import pytest

from taut import Body, Box, Plane, Scene
from taut.scene.view import ViewSettings
from taut.view.frame import Frame
from taut.view.framing import FILLED, closer, seen_points
from taut.view.stage import FIELD_OF_VIEW, ground_level

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
