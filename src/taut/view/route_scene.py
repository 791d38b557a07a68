"""What the routing studio draws: parts, cables coloured by bend radius, and a control on everything that can be dragged."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from taut.cables.rod.ends import conjugate, multiply, rotate
from taut.cables.rod.export import tube
from taut.cables.rod.route import Route
from taut.cables.rod.targets import Target
from taut.cables.rod.touch import solid_mesh
from taut.view.route_places import CLIP, HAND, PART, on_cables, parts

#: bend radius over the limit at which the colour is red, and green
RED, GREEN = 1.0, 2.0
#: size of controls over the length of the longest cable; radius of points that choose, over it and at least over the cable's own
CONTROL = 0.2
POINT, POINT_OVER = 0.012, 1.5
#: clips are rings: their middle line and thickness over the radius of the cable
RING, RING_THICK = 1.3, 0.35
#: length of the axes beside the route over its size, and how far away they stand
AXES, AXES_AWAY = 0.12, 0.08
#: faces that meet at less than this have no edge between them [rad]; a mesh with more edges is drawn without
CREASE, MOST_EDGES = 0.5, 20000
#: colours: connectors, parts and their edges, clips, points that choose, where a cable begins that has no end yet
PLUG = (96, 128, 166)
SOLID, EDGE = (128, 142, 160), (52, 60, 72)
CLIP_RING, CHOOSES, BEGINS = (126, 62, 190), (40, 44, 56), (240, 140, 0)
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

    def pick(self, key: str) -> None:
        """The point or ring of something was clicked."""

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
        #: whether all arrows are shown, not only those of what is chosen
        self.all_arrows = False
        self._cables: dict[str, Any] = {}
        self._controls: dict[str, Any] = {}
        self._last: dict[str, tuple[Any, Any]] = {}  # where arrows that are held were last
        self._bases: dict[str, np.ndarray] = {}  # frame of what is moved, seen from its arrows
        self._parts: dict[str, Any] = {}
        self._solids: dict[str, Any] = {}  # their shapes as drawn
        self._plugs: dict[str, Any] = {}
        self._points: dict[str, tuple[float, Any]] = {}  # what can be clicked to choose, and its size [m]
        self._mark: Any = None
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
        self._draw_axes(low - AXES_AWAY * size, AXES * size)
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
        while self._points:
            self._points.popitem()[1][1].remove()

    def draw(
        self, route: Route, chosen: str = "", held: frozenset[str] = frozenset(), cables: bool = True,
        begins: np.ndarray | None = None,
    ) -> None:  # fmt: skip
        """Show the route. chosen: the key of what is chosen, which has arrows; held: keys of the arrows that a person holds;
        cables: false as long as nobody has said where they go; begins: where one begins that has no end yet [m]."""
        with self._server.atomic():
            self._draw_parts(route)
            self._draw_plugs(route)
            shown = route.harness.cables if cables else {}
            for name in set(self._cables) - set(shown):
                self._cables.pop(name).remove()
            for name, cable in shown.items():
                limit = route.limits[name].values.get("bend_radius", 5.0 * cable.radius)
                self._draw_cable(name, cable, limit)
            held_up = on_cables(route) if cables else {}
            wanted = {key: one for key, one in (held_up | parts(route)).items() if key == chosen or key in held}
            self._place_controls(route, (held_up if self.all_arrows else {}) | wanted, held)
            self._place_points(route, held_up)
            self._draw_mark(route, begins)

    def _draw_axes(self, corner: np.ndarray, length: float) -> None:
        """The axes of the world beside the route: x red, y green, z blue."""
        self._server.scene.add_frame("/world", axes_length=length, axes_radius=0.03 * length, position=corner)
        for name, axis in zip("xyz", np.eye(3)):
            self._server.scene.add_label(f"/world/{name}", name, position=1.15 * length * axis, anchor="center-center")

    def _draw_mark(self, route: Route, begins: np.ndarray | None) -> None:
        """Where a cable begins that has no end yet."""
        if self._mark is not None:
            self._mark.remove()
            self._mark = None
        if begins is not None:
            self._mark = self._server.scene.add_icosphere(
                "/begins", radius=1.5 * POINT * _longest(route), color=BEGINS, position=begins
            )

    def _place_points(self, route: Route, wanted: dict[str, Target]) -> None:
        """A ring on each clip, a small ball on what else has no arrows: a click chooses it."""
        wanted = {key: one for key, one in wanted.items() if key.startswith(f"{CLIP}/") or key not in self._controls}
        sizes = {key: _point_size(route, key) for key in wanted}
        for key in [key for key in self._points if sizes.get(key) != self._points[key][0]]:
            self._points.pop(key)[1].remove()
        for key, target in wanted.items():
            if key in self._points:
                _put(self._points[key][1], target.point, target.frame)
                continue
            if key.startswith(f"{CLIP}/"):
                import trimesh

                ring = trimesh.creation.torus(RING * sizes[key], RING_THICK * sizes[key], 32, 12)
                made = self._server.scene.add_mesh_simple(
                    f"/points/{key}",
                    ring.vertices,
                    ring.faces,
                    color=CLIP_RING,
                    position=target.point,
                    wxyz=target.frame,
                )
            else:
                made = self._server.scene.add_icosphere(
                    f"/points/{key}", radius=sizes[key], color=CHOOSES, position=target.point, wxyz=target.frame
                )
            made.on_click(lambda _, key=key: self._hears.pick(key))
            self._points[key] = sizes[key], made

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
                f"/parts/{name}", vertices, faces, color=SOLID, opacity=0.8, flat_shading=True, side="double",
                position=target.point, wxyz=target.frame,
            )  # fmt: skip
            edges = _edges(vertices, faces)
            if 0 < len(edges) <= MOST_EDGES:
                self._server.scene.add_line_segments(
                    f"/parts/{name}/edges", edges, EDGE, thickness=1.5, thickness_units="screen"
                )
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
        size = max(0.02, CONTROL * _longest(route))
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


def _longest(route: Route) -> float:
    """Length of the longest cable [m]."""
    return float(max(cable.length for cable in route.harness.cables.values()))


def _point_size(route: Route, key: str) -> float:
    """Radius of the ball that chooses something, or of the cable in a clip [m]."""
    kind, _, rest = key.partition("/")
    if kind == CLIP:
        return float(route.harness[rest.partition("/")[0]].radius)
    cable = rest if kind == HAND else rest.rpartition(".")[0]
    over = POINT_OVER * route.harness[cable].radius if cable in route.harness.cables else 0.0
    return float(max(POINT * _longest(route), over))


def _edges(vertices: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """Edges of a mesh that are seen as such: ends of its creases and rims, shape (n, 2, 3)."""
    import trimesh

    mesh = trimesh.Trimesh(vertices, faces)  # corners of neighbours become one
    creases = mesh.face_adjacency_edges[mesh.face_adjacency_angles > CREASE]
    rims = mesh.edges[trimesh.grouping.group_rows(mesh.edges_sorted, require_count=1)]
    return np.asarray(mesh.vertices[np.vstack([creases, rims])], float)


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
