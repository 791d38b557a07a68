"""What the routing studio draws: parts, cables coloured by bend radius, and a control on everything that can be dragged."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from taut.cables.rod.ends import conjugate, multiply, rotate
from taut.cables.rod.export import tube
from taut.cables.rod.route import Route
from taut.cables.rod.targets import Target
from taut.cables.rod.touch import solid_mesh
from taut.view.route_places import PART, on_cables, parts

#: bend radius over the limit at which the colour is red, and green
RED, GREEN = 1.0, 2.0
#: size of controls over the length of the longest cable
CONTROL = 0.2
#: colour of connectors
PLUG = (96, 128, 166)
#: half a turn about x; twice of it is no turn, with the sign of a quaternion turned
HALF_TURN = np.array([0.0, 1.0, 0.0, 0.0])
NO_TURN = np.array([1.0, 0.0, 0.0, 0.0])
#: from where a route is looked at first, over its size, and what is to the right then
FROM, RIGHT = np.array([0.32, -1.04, 0.64]), np.array([0.956, 0.294, 0.0])


class Hears(Protocol):
    """Who is told what a person does in the picture; places are points [m], rays an origin and a way."""

    def hold(self, key: str) -> None:
        """Arrows were taken hold of."""

    def drag(self, key: str, point: np.ndarray, quaternion: np.ndarray) -> None:
        """They were moved."""

    def release(self, key: str) -> None:
        """They were let go."""

    def grab(self, part: str, origin: np.ndarray, way: np.ndarray) -> None:
        """A part was clicked."""

    def take(self, cable: str, origin: np.ndarray, way: np.ndarray) -> None:
        """A cable was clicked."""


class RouteScene:
    """The three-dimensional part of the page."""

    def __init__(self, server: Any, hears: Hears) -> None:
        self._server, self._hears = server, hears
        #: whether arrows point along the axes of the world, not of what they move
        self.along_world = False
        self._cables: dict[str, Any] = {}
        self._controls: dict[str, Any] = {}
        self._last: dict[str, tuple[Any, Any]] = {}  # where arrows that are held were last
        self._bases: dict[str, np.ndarray] = {}  # frame of what is moved, seen from its arrows
        self._parts: dict[str, Any] = {}
        self._solids: dict[str, Any] = {}  # their shapes as drawn
        self._plugs: dict[str, Any] = {}
        self._listens = False
        server.scene.set_up_direction("+z")
        server.scene.world_axes.visible = False

    def look(self, route: Route) -> None:
        """Point the camera of whoever opens the page at the whole route."""
        points = [cable.points for cable in route.harness.cables.values()]
        for name, shape in route.shapes.items():
            target = route.harness._obstacle(name)
            points.append(target.point + rotate(target.frame, solid_mesh(shape)[0]))
        low, high = np.vstack(points).min(axis=0), np.vstack(points).max(axis=0)
        size = float(np.linalg.norm(high - low))
        # a little to the right of the middle: the panel hides what is there
        look_at = 0.5 * (low + high) + 0.3 * size * RIGHT
        views = [self._server.initial_camera, *(client.camera for client in self._server.get_clients().values())]
        for camera in views:
            # the place first: what is looked at goes along with it
            camera.position, camera.look_at, camera.up = look_at + size * FROM, look_at, (0.0, 0.0, 1.0)

    def clear(self) -> None:
        """Nothing is shown any more."""
        for table in (self._parts, self._plugs, self._cables, self._controls):
            while table:
                table.popitem()[1].remove()

    def draw(self, route: Route, chosen: str = "", held: frozenset[str] = frozenset(), cables: bool = True) -> None:
        """Show the route. chosen: the key of what is chosen, parts have arrows only then; held: keys of the arrows that a person
        holds; cables: false as long as nobody has said where they go."""
        with self._server.atomic():
            self._draw_parts(route)
            self._draw_plugs(route)
            shown = route.harness.cables if cables else {}
            for name in set(self._cables) - set(shown):
                self._cables.pop(name).remove()
            for name, cable in shown.items():
                limit = route.limits[name].values.get("bend_radius", 5.0 * cable.radius)
                self._draw_cable(name, cable, limit)
            around = {key: one for key, one in parts(route).items() if key == chosen}
            self._place_controls(route, (on_cables(route) if cables else {}) | around, held)

    def _draw_parts(self, route: Route) -> None:
        for name in [name for name in self._parts if route.shapes.get(name) != self._solids.get(name)]:
            self._parts.pop(name).remove()
        for name, shape in route.shapes.items():
            target = route.harness._obstacle(name)
            if name in self._parts:
                _put(self._parts[name], target.point, target.frame)
                continue
            self._solids[name] = shape
            vertices, faces = solid_mesh(shape)
            mesh = self._server.scene.add_mesh_simple(
                f"/parts/{name}", vertices, faces, color=(150, 158, 168), opacity=0.75, flat_shading=True, side="double",
                position=target.point, wxyz=target.frame,
            )  # fmt: skip
            self._parts[name] = mesh
            if self._listens:
                self._hear(name)

    def _draw_plugs(self, route: Route) -> None:
        """Connectors that have a shape."""
        for name in set(self._plugs) - set(route.plugs):
            self._plugs.pop(name).remove()
        for name, shape in route.plugs.items():
            body = route.harness._body(name)
            place = body.point + rotate(body.frame, body.lever)
            if name in self._plugs:
                _put(self._plugs[name], place, body.frame)
                continue
            vertices, faces = solid_mesh(shape)
            self._plugs[name] = self._server.scene.add_mesh_simple(
                f"/connectors/{name}", vertices, faces, color=PLUG, flat_shading=True, side="double", position=place,
                wxyz=body.frame,
            )  # fmt: skip

    def listen(self, listens: bool) -> None:
        """Whether parts can be clicked: while they can, controls inside of them are out of reach."""
        if listens != self._listens:
            self._listens = listens
            for name, mesh in self._parts.items():
                self._hear(name) if listens else mesh.remove_click_callback()

    def _hear(self, name: str) -> None:
        self._parts[name].on_click(
            lambda event: self._hears.grab(name, np.array(event.ray_origin), np.array(event.ray_direction))
        )

    def _draw_cable(self, name: str, cable: Any, limit: float) -> None:
        import trimesh

        vertices, faces = tube(cable, sides=10)
        radius = 1.0 / np.maximum(cable.curvature, 1e-9)
        share = np.clip((radius / limit - RED) / (GREEN - RED), 0.0, 1.0)
        ring = np.column_stack([220 - 150 * share, 60 + 120 * share, 70 + 0 * share, 255 + 0 * share]).astype(np.uint8)
        colours = np.vstack([np.repeat(ring, 10, axis=0), ring[:1], ring[-1:]])
        mesh = trimesh.Trimesh(vertices, faces, vertex_colors=colours, process=False)
        made = self._server.scene.add_mesh_trimesh(f"/cables/{name}", mesh)
        made.on_click(lambda event: self._hears.take(name, np.array(event.ray_origin), np.array(event.ray_direction)))
        self._cables[name] = made

    def _place_controls(self, route: Route, wanted: dict[str, Target], held: frozenset[str]) -> None:
        """Arrows on what is wanted, but where a person holds them."""
        for key in set(self._controls) - set(wanted):
            self._controls.pop(key).remove()
        size = max(0.02, CONTROL * max(cable.length for cable in route.harness.cables.values()))
        for key, target in wanted.items():
            if key in held:
                continue
            frame = NO_TURN if self.along_world else _shown(key, target.frame)
            # what turns the arrows turns what they move
            self._bases[key] = multiply(conjugate(frame), target.frame)
            place = target.point + rotate(target.frame, self._middle(key))
            if key in self._controls:
                _put(self._controls[key], place, frame)
                continue
            control = self._server.scene.add_transform_controls(
                f"/controls/{key}", scale=size, position=place, wxyz=frame, depth_test=False
            )
            control.on_update(lambda event, key=key: self._moved(key, event.phase))
            self._controls[key] = control

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


def _shown(key: str, frame: np.ndarray) -> np.ndarray:
    """The frame of arrows along the axes of what they move: at the start of a cable turned by half a turn about x, or the
    arrow along z would lie inside the cable."""
    return multiply(frame, HALF_TURN) if key.startswith("body/") and key.endswith(".start") else frame


def _put(shown: Any, point: np.ndarray, frame: np.ndarray) -> None:
    """Place what is shown; nothing is sent where it stands there already."""
    if not np.array_equal(shown.position, point):
        shown.position = point
    if not np.array_equal(shown.wxyz, frame):
        shown.wxyz = frame
