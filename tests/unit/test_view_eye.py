"""Cameras that are pointed from the outside."""

import numpy as np
import pytest
from viser._viser import CameraHandle

from taut.view.eye import look


class Camera:
    """What viser does: what is looked at goes along with the place, and the two are never the same."""

    def __init__(self, position: tuple[float, ...], target: tuple[float, ...]) -> None:
        self._place, self._target = np.array(position, float), np.array(target, float)

    @property
    def position(self) -> np.ndarray:
        return self._place

    @position.setter
    def position(self, place: np.ndarray) -> None:
        moved = self._target + place - self._place
        self._place = np.array(place, float)
        self.look_at = moved

    @property
    def look_at(self) -> np.ndarray:
        return self._target

    @look_at.setter
    def look_at(self, target: np.ndarray) -> None:
        if np.array_equal(target, self._place):
            raise ValueError("Camera look_at cannot equal position (zero look distance).")
        self._target = np.array(target, float)


@pytest.mark.parametrize(
    "before",
    [
        ((0, 0, 0), (0, 0, 0)),
        ((1, 2, 3), (0, 0, 0)),
        ((5, 0, 2), (0, 0, 1)),
        ((0, 0, 1), (3, 0, 0)),
        ((0, 0, 0), (1e-18, 0, 0)),
    ],
)
def test_a_camera_goes_where_it_is_sent_wherever_it_was(before: tuple[tuple[float, ...], tuple[float, ...]]) -> None:
    assert isinstance(CameraHandle.position, property), "it is set as this one is"
    camera = Camera(*before)
    look(camera, np.array([5.0, 0.0, 2.0]), np.array([0.0, 0.0, 1.0]))
    assert tuple(camera.position) == (5.0, 0.0, 2.0) and tuple(camera.look_at) == (0.0, 0.0, 1.0)
