"""Camera presets: from the cabin, over the hook or near to what moves, from the side, turning with the load, free."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import viser

from taut.compile import frames
from taut.compile.reeving import point_of
from taut.scene import WORLD, Body, Hinge, Scene
from taut.view import sliders
from taut.view.bounds import bounds
from taut.view.eye import look
from taut.view.first_look import FirstLook
from taut.view.frame import Frame
from taut.view.items import into_body
from taut.view.reach import points_of

#: what a crane has; the place of each in the list is that of its key
PRESETS = ("free", "follow", "hook", "cabin", "side")
#: what the one at the hook is called where there is neither a hook nor a winch
NEAR = "near"
HINTS = {
    "free": "back to where one looked from, again to the start; the mouse moves the camera",
    "follow": "turns with the load; the mouse moves the camera around it",
    "hook": "hangs over the hook",
    NEAR: "goes along beside what moves",
    "cabin": "sits in the machine and looks at hook and load",
    "side": "sees all of it from the side",
}
#: names by which the load is known
LOADS = ("hook", "load", "car", "carriage", "lure", "float", "bob")
#: names by which the place of the operator is known
CABS = ("cab", "cabin")
#: a camera moves only by more than this share of the size of the scene, so that a still one sends nothing
STILL = 1e-5
#: what hangs below a hook is looked at together with it up to this distance, as a share of the size of the scene
TOGETHER = 0.3
#: how far from the hook to the load is looked at then: from a low cab the load, for levers lie over the lower part of the picture [-]
LOWER = {"hook": 0.5, "cabin": 0.75}
#: an eye that looks down by more than this share of the distance looks through the floor of its cab [-]
STEEP = 0.5


class Cameras:
    """What each browser looks from. Used by the thread that pushes frames."""

    def __init__(self, server: viser.ViserServer, scene: Scene, presets: Mapping[int, str] | None = None) -> None:
        """`presets`: what browsers have chosen already, by their number."""
        self._server = server
        self._chosen: dict[int, str] = dict(presets or {})
        self._placed: dict[int, np.ndarray] = {}
        self._home: dict[int, tuple[np.ndarray, np.ndarray]] = {}  # where browsers looked from before they were led
        low, high = bounds(scene.all_bodies(), points_of(scene))
        self._middle, self._size = 0.5 * (low + high), float(np.linalg.norm(high - low))
        self._ceiling = ceiling(scene)
        self._first = FirstLook(scene)
        self._load = load_of(scene)
        self._below = below(scene, self._load)
        self._cab = cab_of(scene, self._load, self._size)
        self.offered = offered(scene, self._cab is not None)
        """Presets that mean something in this scene."""

    @property
    def presets(self) -> dict[int, str]:
        """What each browser has chosen, by its number."""
        return dict(self._chosen)

    def choose(self, client: int, preset: str) -> None:
        """From now on a browser looks from there; free is where it looked from before it was led."""
        found = self._server.get_clients().get(client)
        self._placed.pop(client, None)
        if preset != "free" and client not in self._home and found is not None:
            self._home[client] = np.array(found.camera.position, float), np.array(found.camera.look_at, float)
        self._chosen[client] = preset
        if preset == "free" and found is not None:
            home = self._home.pop(client) if client in self._home else self._first.pose(found.camera)
            position, target = home
            with found.atomic():
                look(found.camera, position, target)

    def show(self, frame: Frame) -> None:
        """Move the cameras that follow something."""
        if not any(preset != "free" for preset in self._chosen.values()):
            return
        clients = self._server.get_clients()
        for number, preset in list(self._chosen.items()):
            client = clients.get(number)
            if client is None:
                del self._chosen[number]
                self._home.pop(number, None)
            elif preset != "free":
                self._place(client, preset, frame)
                client.flush()

    def _place(self, client: viser.ClientHandle, preset: str, frame: Frame) -> None:
        position, target = self.view(preset, frame)
        wanted = np.concatenate([np.zeros(3) if position is None else position, target])
        before = self._placed.get(client.client_id)
        if before is not None and np.abs(wanted - before).max() < STILL * self._size:
            return
        self._placed[client.client_id] = wanted
        with client.atomic():
            if position is not None:
                client.camera.position = position
            client.camera.look_at = target
        if preset == "side":
            self._chosen[client.client_id] = "free"

    def view(self, preset: str, frame: Frame) -> tuple[np.ndarray | None, np.ndarray]:
        """Where a preset stands, None if it stays, and what it looks at [m]."""
        load = frame.positions[self._load].astype(float) if self._load >= 0 else self._middle
        if preset in LOWER and self._below >= 0:
            # both in sight: what one sets down is the lower one
            apart = frame.positions[self._below].astype(float) - load
            load = load + LOWER[preset] * apart if np.linalg.norm(apart) < TOGETHER * self._size else load
        if preset in ("hook", NEAR):
            # below what the ropes come from, which would hide a hook that is raised
            far = 0.32 * self._size
            rise = float(np.clip(self._ceiling - 0.05 * self._size - load[2], -0.3 * far, far))
            aside = max(0.35 * far, math.sqrt(max(far**2 - rise**2, 0.0)))
            return load + np.array([0.12 * far, -aside, rise]), load
        if preset == "cabin" and self._cab is not None:
            body, point = self._cab
            turn = frame.orientations[body].astype(float)
            return frame.positions[body].astype(float) + frames.rotate(turn, point), load
        if preset == "side":
            return self._middle + 1.45 * self._size * np.array([0.0, -1.0, 0.06]), self._middle
        return None, load


def offered(scene: Scene, cab: bool) -> tuple[str, ...]:
    """Presets that mean something: nothing to follow where nothing moves, no hook where nothing hangs on a rope, and none of that
    name where there is neither a hook nor a winch. `cab`: whether an operator has a place in it."""
    bodies = scene.all_bodies()
    moving = [name for name, body in bodies.items() if body.kind not in ("static", "kinematic")]
    hangs = any(name in moving for name in LOADS) or any(
        part.on in moving for cable in scene.ropes().values() for part in cable.parts()
    )
    close = "hook" if "hook" in moving or sliders.winches(scene) else NEAR
    means = {"follow": bool(moving), "hook": hangs, "cabin": cab}
    return tuple(close if preset == "hook" else preset for preset in PRESETS if means.get(preset, True))


def load_of(scene: Scene) -> int:
    """Number of the body to look at: known by its name, else at the end of a rope, else the heaviest; -1 for none."""
    bodies = scene.all_bodies()
    names = list(bodies)
    moving = [name for name, body in bodies.items() if body.kind not in ("static", "kinematic")]
    ends = [part.on for cable in scene.ropes().values() for part in cable.parts()[::-1] if part.on in moving]
    known = [name for name in LOADS if name in moving]
    found = known or ends or sorted(moving, key=lambda name: -(bodies[name].mass or 0.0))
    return names.index(found[0]) if found else -1


def ceiling(scene: Scene) -> float:
    """Height of the highest place that a rope comes from [m]."""
    bodies = scene.all_bodies()
    heights = [point_of(part, bodies)[2] for cable in scene.ropes().values() for part in cable.parts()]
    return float(max(heights, default=math.inf))


def below(scene: Scene, hook: int) -> int:
    """Number of the load that hangs below a hook, which an operator looks at as well; -1 where it is the same or not known."""
    names = list(scene.all_bodies())
    if hook < 0 or names[hook] != "hook" or "load" not in names:
        return -1
    return names.index("load")


def cab_of(scene: Scene, load: int, size: float) -> tuple[int, np.ndarray] | None:
    """Where an operator sits: a body and a point in its frame [m]; None where there is no cab and nothing that slews."""
    bodies = scene.all_bodies()
    names = list(bodies)
    aim = np.asarray(bodies[names[load]].start_position, float) if load >= 0 else np.zeros(3)
    for name in CABS:
        if name in bodies and (eye := _window(bodies[name], aim)) is not None:
            return _on(scene, name, eye)
    for joint in scene.joints.values():
        if isinstance(joint, Hinge) and joint.motor is not None and abs(joint.axis[2]) > 0.7 and joint.b != WORLD:
            seat = np.asarray(joint.anchor(bodies), float)
            # beside what slews, a little ahead, below a high bearing and above a low one
            rise = -0.03 if seat[2] > 0.4 * size else 0.1
            return _on(
                scene,
                joint.b,
                seat + size * (0.03 * _ahead(aim - seat, 0.0) + 0.04 * _ahead(aim - seat, 0.5) + [0, 0, rise]),
            )
    return None


def _window(cab: Body, aim: np.ndarray) -> np.ndarray | None:
    """An eye just outside of what is drawn of a cab, at the corner or wall nearest to what is looked at, so that all of it lies
    behind: in the upper half, or below its floor where one looks down steeply; None in a cab that hangs under what is looked at [m]."""
    low, high = bounds({"cab": cab})
    half, way = 0.5 * (high - low), aim - cab.start_position
    if np.linalg.norm(way[:2]) <= np.linalg.norm(half[:2]):
        return None
    x, y, _ = np.clip(way, -1.1 * half, 1.1 * half)
    steep = -way[2] > STEEP * np.linalg.norm(way[:2])
    return np.asarray(0.5 * (low + high) + [x, y, (-1.05 if steep else 0.5) * half[2]])


def _ahead(way: np.ndarray, turn: float) -> np.ndarray:
    """The level direction of a vector, turned by so many half turns to the right."""
    flat = np.array([way[0], way[1], 0.0])
    x, y, _ = flat / max(float(np.linalg.norm(flat)), 1e-9)
    c, s = np.cos(np.pi * turn), np.sin(np.pi * turn)
    return np.array([c * x + s * y, c * y - s * x, 0.0])


def _on(scene: Scene, body: str, point: np.ndarray) -> tuple[int, np.ndarray]:
    bodies = scene.all_bodies()
    return list(bodies).index(body), into_body(bodies[body], point, frames.IDENTITY)[0]
