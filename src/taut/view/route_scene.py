"""What the routing studio draws: parts, cables coloured by bend radius, and a control on everything that can be dragged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from taut.cables.rod.chain import CLAMPED
from taut.cables.rod.ends import conjugate, multiply, rotate
from taut.cables.rod.export import tube
from taut.cables.rod.route import Route
from taut.cables.rod.targets import Target
from taut.cables.rod.touch import solid_mesh
from taut.view.route_tools import held

#: bend radius over the limit at which the colour is red, and green
RED, GREEN = 1.0, 2.0
#: size of controls over the length of the longest cable
CONTROL = 0.2
#: colour of connectors
PLUG = (96, 128, 166)
#: half a turn about x; twice of it is no turn, with the sign of a quaternion turned
HALF_TURN = np.array([0.0, 1.0, 0.0, 0.0])
#: from where a route is looked at first, over its size, and what is to the right then
FROM, RIGHT = np.array([0.32, -1.04, 0.64]), np.array([0.956, 0.294, 0.0])


class RouteScene:
    """The three-dimensional part of the page."""

    def __init__(
        self, server: Any, drag: Callable[[str, np.ndarray, np.ndarray], None],
        grab: Callable[[str, np.ndarray, np.ndarray], None], take: Callable[[str, np.ndarray, np.ndarray], None],
    ) -> None:  # fmt: skip
        self._server, self._drag, self._grab, self._take = server, drag, grab, take
        self._cables: dict[str, Any] = {}
        self._controls: dict[str, Any] = {}
        self._parts: dict[str, Any] = {}
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

    def draw(self, route: Route, controls: bool, cables: bool = True) -> None:
        """Show the route; controls stay where the person holds them unless asked for. cables: false as long as nobody has said
        where they go."""
        with self._server.atomic():
            self._draw_parts(route)
            self._draw_plugs(route)
            shown = route.harness.cables if cables else {}
            for name in set(self._cables) - set(shown):
                self._cables.pop(name).remove()
            for name, cable in shown.items():
                limit = route.limits[name].values.get("bend_radius", 5.0 * cable.radius)
                self._draw_cable(name, cable, limit)
            if controls:
                self._place_controls(route if cables else None)

    def _draw_parts(self, route: Route) -> None:
        for name in set(self._parts) - set(route.shapes):
            self._parts.pop(name).remove()
        for name, shape in route.shapes.items():
            target = route.harness._obstacle(name)
            if name in self._parts:
                self._parts[name].position, self._parts[name].wxyz = target.point, target.frame
                continue
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
        for name, shape in route.plugs.items():
            body = route.harness._body(name)
            place = body.point + rotate(body.frame, body.lever)
            if name in self._plugs:
                self._plugs[name].position, self._plugs[name].wxyz = place, body.frame
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
            lambda event: self._grab(name, np.array(event.ray_origin), np.array(event.ray_direction))
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
        made.on_click(lambda event: self._take(name, np.array(event.ray_origin), np.array(event.ray_direction)))
        self._cables[name] = made

    def _place_controls(self, route: Route | None) -> None:
        wanted = {} if route is None else self._wanted(route)
        for name in set(self._controls) - set(wanted):
            self._controls.pop(name).remove()
        if route is None:
            return
        size = max(0.02, CONTROL * max(cable.length for cable in route.harness.cables.values()))
        for name, target in wanted.items():
            frame = _shown(name, target.frame)
            if name in self._controls:
                self._controls[name].position, self._controls[name].wxyz = target.point, frame
                continue
            control = self._server.scene.add_transform_controls(
                f"/controls/{name}", scale=size, position=target.point, wxyz=frame, depth_test=False
            )
            control.on_update(lambda event, key=name: self._moved(key))
            self._controls[name] = control

    def _wanted(self, route: Route) -> dict[str, Target]:
        """What can be dragged, by the name of its control."""
        wanted: dict[str, Target] = {}
        for body in route.harness._net.asked.bodies:
            if not body.free.any() and self._holds(route, body.name):
                wanted[f"body/{body.name}"] = body
        for cable, clips in route.clips.items():
            for word, number in clips.items():
                wanted[f"clip/{cable}/{word}"] = route.harness[cable]._chain.clips[number]
        return wanted | held(route)

    def _moved(self, name: str) -> None:
        control = self._controls.get(name)
        if control is not None:
            self._drag(name, np.array(control.position, float), _shown(name, np.array(control.wxyz, float)))

    @staticmethod
    def _holds(route: Route, name: str) -> bool:
        """Whether a body holds anything: the far side of a free end does not."""
        index = route.harness.connectors.index(name)
        chains = route.harness._net.asked.chains
        return any(
            body == index and chain.held[side] != "free" for chain in chains for side, body in enumerate(chain.bodies)
        )

    @staticmethod
    def target(route: Route, name: str) -> Target | None:
        """What a control moves."""
        kind, _, rest = name.partition("/")
        if kind == "body":
            return next((body for body in route.harness._net.asked.bodies if body.name == rest), None)
        if kind == "hand":
            return held(route).get(name)
        cable, _, word = rest.partition("/")
        number = route.clips.get(cable, {}).get(word)
        return None if number is None else route.harness[cable]._chain.clips.get(number)

    @staticmethod
    def remember(route: Route, name: str, point: np.ndarray, quaternion: np.ndarray) -> None:
        """Write a pose into the data of the route."""
        kind, _, rest = name.partition("/")
        if kind == "hand":
            return  # a hand is not part of the route
        data = route.data["route"]
        pose = {"point": [float(x) for x in point], "quaternion": [float(x) for x in quaternion]}
        if kind == "clip":
            cable, _, word = rest.partition("/")
            for k, clip in enumerate(data["cables"][cable]["clips"]):
                if str(clip.get("name", f"clip {k + 1}")) == word:
                    clip.pop("direction", None)
                    clip.pop("up", None)
                    clip.update(pose)
            return
        if rest in data.get("connectors", {}):
            data["connectors"][rest].update(pose)
            return
        cable, _, side = rest.rpartition(".")
        end = data["cables"][cable][side]
        end.pop("direction", None)
        end.pop("up", None)
        held = route.harness[cable]._chain.held[0 if side == "start" else 1]
        end.update(pose if held == CLAMPED else {"point": pose["point"]})


def _shown(name: str, frame: np.ndarray) -> np.ndarray:
    """The frame of a control for that of what it moves, and the other way round: at the start of a cable it is turned by half
    a turn about x, or its arrow along z would lie inside the cable."""
    return multiply(frame, HALF_TURN) if name.startswith("body/") and name.endswith(".start") else frame


def hit(
    vertices: np.ndarray, faces: np.ndarray, point: np.ndarray, frame: np.ndarray, origin: np.ndarray, way: np.ndarray
) -> tuple[np.ndarray, np.ndarray] | None:
    """Where a ray first meets a mesh that stands at a pose, and the normal there towards the viewer (Moeller-Trumbore)."""
    inverse = conjugate(frame)
    start, direction = rotate(inverse, origin - point), rotate(inverse, way / np.linalg.norm(way))
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    u, v = b - a, c - a
    p = np.cross(direction, v)
    det = (u * p).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = start - a
        s = (t * p).sum(axis=1) / det
        q = np.cross(t, u)
        r = (q @ direction) / det
        far = (v * q).sum(axis=1) / det
        good = (np.abs(det) > 1e-15) & (s >= 0.0) & (r >= 0.0) & (s + r <= 1.0) & (far > 0.0)
    if not good.any():
        return None
    k = int(np.argmin(np.where(good, far, np.inf)))
    normal = np.cross(u[k], v[k])
    normal /= np.linalg.norm(normal)
    normal = normal if normal @ direction < 0.0 else -normal
    return point + rotate(frame, start + far[k] * direction), rotate(frame, normal)
