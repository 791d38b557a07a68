"""Arrows on what can be dragged in the picture of the routing studio."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Protocol

import numpy as np

from taut.cables.rod.ends import conjugate, multiply, rotate
from taut.cables.rod.route import Route
from taut.cables.rod.targets import Target
from taut.view.route_places import PART

#: size of controls over the length of the longest cable
CONTROL = 0.2
NO_TURN = np.array([1.0, 0.0, 0.0, 0.0])


class Hears(Protocol):
    """Who is told what a person does in the picture; places are points [m], rays an origin and a way. What is told of arrows
    must be heard at once: the page waits for it."""

    def hold(self, key: str) -> None:
        """Arrows were taken hold of."""

    def drag(self, key: str, point: np.ndarray, quaternion: np.ndarray) -> None:
        """They were moved."""

    def release(self, key: str) -> None:
        """They were let go."""

    def pick(self, key: str) -> None:
        """The point or ring of something was clicked."""

    def grab(self, part: str, origin: np.ndarray, way: np.ndarray) -> None:
        """A part was clicked while a face is asked for."""

    def take(self, cable: str, origin: np.ndarray, way: np.ndarray) -> None:
        """A cable was clicked."""

    def click(self, origin: np.ndarray, way: np.ndarray) -> None:
        """Anything was clicked, or nothing."""


class Arrows:
    """The part of the picture that is dragged."""

    _server: Any
    _hears: Hears
    _parts: dict[str, Any]

    def __init__(self) -> None:
        #: whether arrows point along the axes of the world, not of what they move
        self.along_world = False
        #: whether all arrows are shown, not only those of what is chosen
        self.all_arrows = False
        self._controls: dict[str, Any] = {}
        self._last: dict[str, tuple[Any, Any]] = {}  # where arrows that are held were last
        self._bases: dict[str, np.ndarray] = {}  # frame of what is moved, seen from its arrows

    def _place_controls(self, route: Route, wanted: dict[str, Target], held: frozenset[str]) -> None:
        """Arrows on what is wanted, but where a person holds them."""
        for key in set(self._controls) - set(wanted):
            self._controls.pop(key).remove()
        size = control_size(route)
        for key, target in wanted.items():
            if key in held:
                continue
            frame = NO_TURN if self.along_world else target.frame
            # what turns the arrows turns what they move
            self._bases[key] = multiply(conjugate(frame), target.frame)
            place = target.point + rotate(target.frame, self._middle(key))
            if key in self._controls:
                put(self._controls[key], place, frame)
                continue
            control = self._server.scene.add_transform_controls(
                f"/controls/{key}", scale=size, position=place, wxyz=frame, depth_test=False
            )
            control.on_update(self._heard(key))
            self._controls[key] = control

    def _heard(self, key: str) -> Callable[[Any], Coroutine[Any, Any, None]]:
        """What viser calls. It awaits this one, while it would hand a plain function to several threads: mouse down, moves and up would
        come in any order."""

        async def heard(event: Any) -> None:
            self._moved(key, event.phase)

        return heard

    def _middle(self, key: str) -> np.ndarray:
        """Where arrows sit, in the axes of what they move [m]: a mesh may lie anywhere in its own."""
        kind, _, name = key.partition("/")
        if kind != PART or name not in self._parts:
            return np.zeros(3)
        corners = self._parts[name].vertices
        return 0.5 * (corners.min(axis=0) + corners.max(axis=0)).astype(float)

    def _moved(self, key: str, phase: str) -> None:
        """Arrows were taken, moved or let go."""
        control = self._controls.get(key)
        if control is None:
            return
        if phase == "start":
            self._hears.hold(key)
        pose = tuple(control.position), tuple(control.wxyz)
        # the last place may be told with the letting go
        if phase == "update" or self._last.get(key, pose) != pose:
            self._last[key] = pose
            frame = multiply(np.array(pose[1], float), self._bases[key])
            self._hears.drag(key, np.array(pose[0], float) - rotate(frame, self._middle(key)), frame)
        if phase == "end":
            self._last.pop(key, None)
            self._hears.release(key)


def control_size(route: Route) -> float:
    """Length of arrows [m]."""
    return max(0.02, CONTROL * longest(route))


def longest(route: Route) -> float:
    """Length of the longest cable [m]."""
    return float(max(cable.length for cable in route.harness.cables.values()))


def put(shown: Any, point: np.ndarray, frame: np.ndarray) -> None:
    """Place what is shown; nothing is sent where it stands there already."""
    if not np.array_equal(shown.position, point):
        shown.position = point
    if not np.array_equal(shown.wxyz, frame):
        shown.wxyz = frame
