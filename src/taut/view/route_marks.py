"""Marks on what can be chosen in the picture of the routing studio: balls, rings, names, and a rim around what is chosen."""

from __future__ import annotations

from typing import Any

import numpy as np

from taut.cables.rod.ends import rotate
from taut.cables.rod.export import tube
from taut.cables.rod.route import Route
from taut.cables.rod.targets import Target
from taut.cables.rod.touch import solid_mesh
from taut.cables.rod.touching import touched_by
from taut.view.route_arrows import Hears, control_size, longest, put
from taut.view.route_places import CABLE, CLIP, HAND, PART, words

#: radius of points that choose over the length of the longest cable, and at least over the cable's own
POINT, POINT_OVER = 0.012, 1.5
#: clips are rings: their middle line and thickness over the radius of the cable
RING, RING_THICK = 1.3, 0.35
#: how far the name of something stands above it, over the size of arrows: with arrows above these
ABOVE, ABOVE_ARROWS = 0.35, 1.15
#: how thick the rim of a chosen cable is, over its radius, and at least over the length of the longest
RIM, RIM_LEAST = 0.5, 0.004
#: colours: clips, points that choose, where a cable begins that has no end yet, what is chosen
CLIP_RING, CHOOSES, BEGINS, CHOSEN = (126, 62, 190), (40, 44, 56), (240, 140, 0), (20, 110, 230)
#: where a cable touches something: colour, size over its radius and at least over the length of the longest, most of them at one thing
TOUCHES, TOUCH_OVER, TOUCH, MOST_TOUCHES = (214, 0, 130), 2.0, 0.009, 12


class Marks:
    """The part of the picture that is clicked."""

    _server: Any
    _hears: Hears
    _controls: dict[str, Any]

    def __init__(self) -> None:
        #: whether the names of all that holds cables are shown, not only of what is chosen
        self.all_names = False
        self._points: dict[str, tuple[float, Any]] = {}  # what can be clicked to choose, and its size [m]
        self._names: dict[str, Any] = {}
        self._mark: Any = None
        self._rim: Any = None
        self._touches: list[Any] = []

    def _draw_mark(self, route: Route, begins: np.ndarray | None) -> None:
        """Where a cable begins that has no end yet."""
        if self._mark is not None:
            self._mark.remove()
            self._mark = None
        if begins is not None:
            self._mark = self._server.scene.add_icosphere(
                "/begins", radius=1.5 * POINT * longest(route), color=BEGINS, position=begins
            )

    def _place_points(self, route: Route, wanted: dict[str, Target], chosen: str) -> None:
        """A ring on each clip, a small ball on what else has no arrows: a click chooses it."""
        wanted = {key: one for key, one in wanted.items() if key.startswith(f"{CLIP}/") or key not in self._controls}
        sizes = {key: point_size(route, key) for key in wanted}
        for key in [key for key in self._points if sizes.get(key) != self._points[key][0]]:
            self._points.pop(key)[1].remove()
        for key, target in wanted.items():
            colour = CHOSEN if key == chosen else CLIP_RING if key.startswith(f"{CLIP}/") else CHOOSES
            if key in self._points:
                shown = self._points[key][1]
                put(shown, target.point, target.frame)
                if tuple(shown.color) != colour:
                    shown.color = colour
                continue
            if key.startswith(f"{CLIP}/"):
                import trimesh

                ring = trimesh.creation.torus(RING * sizes[key], RING_THICK * sizes[key], 32, 12)
                made = self._server.scene.add_mesh_simple(
                    f"/points/{key}",
                    ring.vertices,
                    ring.faces,
                    color=colour,
                    position=target.point,
                    wxyz=target.frame,
                )
            else:
                made = self._server.scene.add_icosphere(
                    f"/points/{key}", radius=sizes[key], color=colour, position=target.point, wxyz=target.frame
                )
            made.on_click(lambda _, key=key: self._hears.pick(key))
            self._points[key] = sizes[key], made

    def _place_names(self, route: Route, chosen: str, wanted: dict[str, Target], cables: bool) -> None:
        """What things are called, beside them; cables and parts at their middle, where all names are shown. cables: false as long as nobody
        has said where they go."""
        shown = {key: one.point for key, one in wanted.items() if self.all_names or key == chosen}
        if self.all_names:
            shown |= middles(route, cables)
        for key in [key for key in self._names if key not in shown]:
            self._names.pop(key).remove()
        for key, place in shown.items():
            # beside it: what is chosen is to be seen
            above = ABOVE_ARROWS if key in self._controls else ABOVE
            place = place + np.array([0.0, 0.0, above * control_size(route)])
            if key in self._names:
                if not np.array_equal(self._names[key].position, place):
                    self._names[key].position = place
                continue
            self._names[key] = self._server.scene.add_label(
                f"/names/{key}", words(key), position=place, anchor="bottom-left", depth_test=False
            )

    def _draw_touches(self, route: Route, cables: bool) -> None:
        """Where cables touch something."""
        while self._touches:
            self._touches.pop().remove()
        for name, cable in route.harness.cables.items() if cables else ():
            size = max(TOUCH_OVER * cable.radius, TOUCH * longest(route))
            for one in touched_by(route.harness, cable):
                for k, place in enumerate(sorted(one.places, key=lambda place: -place.push)[:MOST_TOUCHES]):
                    mark = self._server.scene.add_icosphere(
                        f"/touches/{name}/{one.name}/{k}", radius=size, color=TOUCHES, position=place.point
                    )
                    self._touches.append(mark)

    def _draw_rim(self, route: Route, chosen: str, cables: bool) -> None:
        """A rim around the cable that is chosen."""
        kind, _, name = chosen.partition("/")
        if self._rim is not None:
            self._rim.remove()
            self._rim = None
        if cables and kind in (CABLE, HAND) and name in route.harness.cables:
            cable = route.harness[name]
            size = cable.radius + max(RIM * cable.radius, RIM_LEAST * longest(route))
            vertices, faces = tube(cable, size, sides=12)
            # from behind: it is seen beside the cable, not over it
            self._rim = self._server.scene.add_mesh_simple(
                "/chosen", vertices, faces, color=CHOSEN, side="back", cast_shadow=False, receive_shadow=False
            )


def middles(route: Route, cables: bool = True) -> dict[str, np.ndarray]:
    """Where the names of cables and parts stand, by key [m]."""
    found = {}
    for name, cable in route.harness.cables.items() if cables else ():
        found[f"{CABLE}/{name}"] = cable.points[len(cable.points) // 2]
    for name, shape in route.shapes.items():
        target, corners = route.harness._obstacle(name), solid_mesh(shape)[0]
        middle = 0.5 * (corners.min(axis=0) + corners.max(axis=0))
        found[f"{PART}/{name}"] = target.point + rotate(target.frame, middle)
    return found


def point_size(route: Route, key: str) -> float:
    """Radius of the ball that chooses something, or of the cable in a clip [m]."""
    kind, _, rest = key.partition("/")
    if kind == CLIP:
        return float(route.harness[rest.partition("/")[0]].radius)
    cable = rest if kind == HAND else rest.rpartition(".")[0]
    over = POINT_OVER * route.harness[cable].radius if cable in route.harness.cables else 0.0
    return float(max(POINT * longest(route), over))
