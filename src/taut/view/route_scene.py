"""What the routing studio draws: parts, cables coloured by how near they are to their limits, and a control on everything that can be dragged."""

from __future__ import annotations

from typing import Any

import numpy as np

from taut.cables.rod.ends import rotate
from taut.cables.rod.export import tube
from taut.cables.rod.route import Route
from taut.cables.rod.touch import solid_mesh
from taut.view.eye import look
from taut.view.route_arrows import Arrows, Hears, put
from taut.view.route_camera import FIELD, Window, fitted, seen
from taut.view.route_colours import colours_along
from taut.view.route_marks import CHOSEN, Marks
from taut.view.route_places import BODY, PART, idle, loose, on_cables, parts

#: faces that meet at less than this have no edge between them [rad]; a mesh with more edges is drawn without
CREASE, MOST_EDGES = 0.5, 20000
#: colours: connectors, parts and their edges
PLUG = (96, 128, 166)
SOLID, EDGE = (128, 142, 160), (52, 60, 72)


class RouteScene(Arrows, Marks):
    """The three-dimensional part of the page."""

    def __init__(self, server: Any, hears: Hears) -> None:
        Arrows.__init__(self)
        Marks.__init__(self)
        self._server, self._hears = server, hears
        self._cables: dict[str, Any] = {}
        self._parts: dict[str, Any] = {}
        self._solids: dict[str, Any] = {}  # their shapes as drawn
        self._plugs: dict[str, Any] = {}
        self._listens = False
        server.scene.set_up_direction("+z")
        server.scene.world_axes.visible = False
        self._around: np.ndarray | None = None  # points of what was looked at last
        server.on_client_connect(self._fit)
        server.scene.on_click()(
            lambda event: self._hears.click(np.array(event.ray_origin), np.array(event.ray_direction))
        )

    def look(self, route: Route, cables: bool = True) -> None:
        """Point the camera of whoever opens the page at the whole route. cables: false as long as nobody has said where they go."""
        around = self._around = seen(route, cables)
        first = self._server.initial_camera
        first.position, first.look_at = fitted(around, Window.of(first))
        first.up, first.fov = (0.0, 0.0, 1.0), FIELD
        for client in self._server.get_clients().values():
            self._fit(client)

    def _fit(self, client: Any) -> None:
        """All of it in the window of somebody, which has a size of its own."""
        if self._around is None:
            return  # an old tab may be back before anything is there: it is led when there is
        camera = client.camera
        position, look_at = fitted(self._around, Window.of(camera))
        look(camera, position, look_at)
        camera.up_direction, camera.fov = (0.0, 0.0, 1.0), FIELD

    def clear(self) -> None:
        """Nothing is shown any more."""
        for table in (self._parts, self._plugs, self._cables, self._controls, self._names):
            while table:
                table.popitem()[1].remove()
        while self._points:
            self._points.popitem()[1][1].remove()

    def draw(
        self, route: Route, chosen: str = "", held: frozenset[str] = frozenset(), cables: bool = True,
        begins: np.ndarray | None = None, arrows: bool = True,
    ) -> None:  # fmt: skip
        """Show the route. chosen: the key of what is chosen, which has arrows; held: keys of the arrows that a person holds;
        cables: false as long as nobody has said where they go; begins: where one begins that has no end yet [m]; arrows: false where
        nothing can be dragged."""
        with self._server.atomic():
            self._draw_parts(route, chosen)
            self._draw_plugs(route)
            shown = route.harness.cables if cables else {}
            for name in set(self._cables) - set(shown):
                self._cables.pop(name).remove()
            for name, cable in shown.items():
                self._draw_cable(name, cable, colours_along(route, name))
            held_up = on_cables(route) if cables else {}
            wanted = {
                key: one for key, one in (held_up | idle(route) | parts(route)).items() if key == chosen or key in held
            }
            self._place_controls(route, ((held_up if self.all_arrows else {}) | wanted) if arrows else {}, held)
            marked = held_up | (loose(route) if cables else {})
            self._place_points(route, marked, chosen)
            self._place_names(route, chosen, marked, cables)
            self._draw_rim(route, chosen, cables)
            self._draw_touches(route, cables)
            self._draw_mark(route, begins)

    def _draw_parts(self, route: Route, chosen: str) -> None:
        for name in [name for name in self._parts if route.shapes.get(name) != self._solids.get(name)]:
            self._parts.pop(name).remove()
        for name, shape in route.shapes.items():
            target = route.harness._obstacle(name)
            colour = CHOSEN if chosen == f"{PART}/{name}" else SOLID
            if name in self._parts:
                put(self._parts[name], target.point, target.frame)
                if tuple(self._parts[name].color) != colour:
                    self._parts[name].color = colour
                continue
            self._solids[name] = shape
            vertices, faces = solid_mesh(shape)
            mesh = self._server.scene.add_mesh_simple(
                f"/parts/{name}", vertices, faces, color=colour, opacity=0.8, flat_shading=True, side="double",
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

    def add_lines(self, name: str, ends: np.ndarray, colour: tuple[int, int, int]) -> Any:
        """Lines between points [m], shape (n, 2, 3); what is shown can be removed."""
        return self._server.scene.add_line_segments(name, ends, colour, thickness=1.0, thickness_units="screen")

    def _draw_plugs(self, route: Route) -> None:
        """Connectors that have a shape."""
        for name in set(self._plugs) - set(route.plugs):
            self._plugs.pop(name).remove()
        for name, shape in route.plugs.items():
            body = route.harness._body(name)
            place = body.point + rotate(body.frame, body.lever)
            if name in self._plugs:
                put(self._plugs[name], place, body.frame)
                continue
            vertices, faces = solid_mesh(shape)
            self._plugs[name] = self._server.scene.add_mesh_simple(
                f"/connectors/{name}", vertices, faces, color=PLUG, flat_shading=True, side="double", position=place,
                wxyz=body.frame,
            )  # fmt: skip
            self._plugs[name].on_click(lambda _, key=f"{BODY}/{name}": self._hears.pick(key))

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

    def _draw_cable(self, name: str, cable: Any, ring: np.ndarray) -> None:
        import trimesh

        vertices, faces = tube(cable, sides=10)
        colours = np.vstack([np.repeat(ring, 10, axis=0), ring[:1], ring[-1:]])
        mesh = trimesh.Trimesh(vertices, faces, vertex_colors=colours, process=False)
        made = self._server.scene.add_mesh_trimesh(f"/cables/{name}", mesh)
        made.on_click(lambda event: self._hears.take(name, np.array(event.ray_origin), np.array(event.ray_direction)))
        self._cables[name] = made


def _edges(vertices: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """Edges of a mesh that are seen as such: ends of its creases and rims, shape (n, 2, 3)."""
    import trimesh

    mesh = trimesh.Trimesh(vertices, faces)  # corners of neighbours become one
    creases = mesh.face_adjacency_edges[mesh.face_adjacency_angles > CREASE]
    rims = mesh.edges[trimesh.grouping.group_rows(mesh.edges_sorted, require_count=1)]
    return np.asarray(mesh.vertices[np.vstack([creases, rims])], float)
