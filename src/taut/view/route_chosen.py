"""What is chosen of a route, in numbers that can be typed: where it is, where it points, how it is turned."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np

from taut.view.readout import newtons
from taut.view.route_edits import Edits
from taut.view.route_kinds import HINT, KINDS, OTHER, kind_of
from taut.view.route_naming import Naming
from taut.view.route_places import (
    BODY,
    CLIP,
    HAND,
    PART,
    clip_data,
    every,
    has_direction,
    has_rotation,
    loose,
    parts,
    target,
    words,
)
from taut.view.route_poses import angles_of, direction_of, pointed, roll_of, rolled, turned
from taut.view.route_removal import remove
from taut.view.route_scene import RouteScene
from taut.view.route_sizes import Sizes
from taut.view.route_tools import arc_in_hand, bend_in_hand, pull_in_hand, pull_through
from taut.view.route_typing import FINE, FINER, Typing

NOTHING = "nothing"
#: what arrows point along
WORLD, ITSELF = "the world", "the thing itself"


class Chosen:
    """A folder of the panel."""

    def __init__(self, gui: Any, edits: Edits, scene: RouteScene, typing: Typing) -> None:
        self._edits, self._scene, self._typing = edits, scene, typing
        self.key = ""  # of what is chosen
        self._keys: dict[str, str] = {}  # by the words of the list
        with gui.add_folder("Chosen"):
            self.what: Any = gui.add_dropdown(
                "chosen", [NOTHING], hint="from this list, by a click in the picture, or by taking hold of its arrows"
            )
            self.naming = Naming(gui, edits, lambda key: self.choose(key))
            self.where: Any = gui.add_html("", visible=False)
            self.point: Any = gui.add_vector3("point [mm]", (0.0, 0.0, 0.0), step=1.0)
            self.direction: Any = gui.add_vector3(
                "direction", (1.0, 0.0, 0.0), step=0.1, hint="along the cable, from its start to its end"
            )
            self.roll: Any = gui.add_number(
                "roll [deg]", 0.0, step=1.0, hint="about that direction; 0: up is up, as far as it goes"
            )
            self.rotation: Any = gui.add_vector3(
                "rotation [deg]", (0.0, 0.0, 0.0), step=1.0, hint="about x, then y, then z of the world"
            )
            self.arc: Any = gui.add_number(
                "at arc length [mm]", 0.0, step=1.0, hint="how much of the cable lies between its start and the clip"
            )
            self.kind: Any = gui.add_dropdown("kind of clip", list(KINDS), hint=HINT)
            self.release: Any = gui.add_dropdown("kind of a new clip", list(KINDS), hint=HINT)
            self.clip: Any = gui.add_button("set a clip where the cable is in hand")
            self.sizes = Sizes(gui, edits, typing)
            self.axes: Any = gui.add_dropdown("arrows along", [ITSELF, WORLD])
            self.all: Any = gui.add_checkbox("all arrows", initial_value=False, hint="not only of what is chosen")
            self.names: Any = gui.add_checkbox("all names", initial_value=False, hint="not only of what is chosen")
            self.remove: Any = gui.add_button("remove it")
            look = gui.add_button("look at all of it", hint="the camera goes back so far that everything is seen")
        typing.digits(FINE, self.point, self.roll, self.rotation, self.arc)
        typing.digits(FINER, self.direction)
        typing.when_chosen(self.what, lambda: self.choose(self._keys.get(self.what.value, "")))
        for box, act in ((self.point, self.set_point), (self.direction, self.set_direction), (self.roll, self.set_roll),
                         (self.rotation, self.set_rotation), (self.arc, self.set_arc)):  # fmt: skip
            typing.when_typed(box, act)
        typing.when_chosen(self.kind, self.set_kind)
        for box in (self.all, self.names, self.axes):
            box.on_update(edits.guarded(lambda _: self.set_axes()))
        look.on_click(edits.guarded(lambda _: edits.look()))
        self.remove.on_click(edits.guarded(lambda _: remove(edits, self.key)))

    def choose(self, key: str) -> None:
        """Another thing is chosen, by its key; what is shown of a cable is that of the one it belongs to."""
        if key != self.key:
            self._typing.finish(self.point, self.direction, self.roll, self.rotation, self.arc, *self.sizes.boxes)
            self.key = key
            self._edits.chose(key)
            self._edits.redraw()

    def show(self) -> None:
        """The values of now."""
        route, put = self._edits.route, self._typing.put
        keys = list(parts(route)) if self._edits.fresh else every(route)
        self._keys = {words(key): key for key in keys}
        options = (NOTHING, *self._keys)
        if self.key not in keys:
            # what is in hand stays in sight: a hose that something holds, and nobody says what, would be a riddle
            self.key = next((key for key in keys if key.startswith(f"{HAND}/")), "")
            self._edits.chose(self.key)
        if tuple(self.what.options) != options:
            self.what.options = options
        put(self.what, words(self.key) if self.key else NOTHING)
        self.naming.show(self.key)
        # a frame of a motion is looked at, not changed: where something is in it is told, not asked
        found = None if self._edits.watching else target(route, self.key)
        self._tell(self._where(found))
        points = found is not None and has_direction(route, self.key)
        turns = found is not None and has_rotation(route, self.key)
        clip, hand = (self.key.startswith(f"{kind}/") for kind in (CLIP, HAND))
        goes = clip or hand or self.key.startswith(f"{PART}/")
        for part, there in ((self.point, found), (self.direction, points), (self.roll, points), (self.rotation, turns),
                            (self.arc, clip), (self.kind, clip), (self.release, hand), (self.clip, hand),
                            (self.axes, self.key or self.all.value), (self.remove, goes)):  # fmt: skip
            if part.visible != bool(there):
                part.visible = bool(there)
        self.sizes.show(self.key)
        if found is None:
            return
        label = "let go" if hand else "remove the clip" if clip else "remove the part"
        if self.remove.label != label:
            self.remove.label = label
        put(self.point, _plain(1e3 * found.point, 3))
        if points:
            put(self.direction, _plain(direction_of(found.frame), 5))
            put(self.roll, round(roll_of(found.frame), 3) + 0.0)
        if turns:
            put(self.rotation, _plain(angles_of(found.frame), 3))
        if clip:
            cable, _, word = self.key.partition("/")[2].partition("/")
            put(self.arc, round(1e3 * route.harness[cable].clip_arc(route.clips[cable][word]), 3))
            kind = kind_of(clip_data(route, self.key).get("release", "fixed"))
            kinds = (*KINDS, OTHER) if kind == OTHER else tuple(KINDS)
            if tuple(self.kind.options) != kinds:
                self.kind.options = kinds
            put(self.kind, kind)

    def _where(self, found: Any) -> str:
        """Where something is that nobody can put elsewhere, in words, and where along a cable it is in hand."""
        if self._edits.watching:
            there = target(self._edits.seen, self.key) or loose(self._edits.seen).get(self.key)
            return f"in this frame at {_told(_plain(1e3 * there.point, 1))} mm" if there is not None else ""
        if found is not None and self.key.startswith(f"{HAND}/"):
            route, cable = self._edits.route, self.key.partition("/")[2]
            pull = newtons(pull_in_hand(route, cable))
            return f"in hand at {arc_in_hand(route, cable)}: {bend_in_hand(route, cable)}; pulled with {pull}, which counts in its results"
        free = loose(self._edits.route).get(self.key) if found is None and self.key.startswith(f"{BODY}/") else None
        if free is None:
            return ""
        return f"it goes where the cables pull it: {_told(_plain(1e3 * free.point, 1))} mm"

    def _tell(self, text: str) -> None:
        content = f'<div style="padding:0 1em;font-size:0.8em;opacity:0.75">{escape(text)}</div>' if text else ""
        if self.where.content != content:
            self.where.content, self.where.visible = content, bool(text)

    def set_point(self) -> None:
        """A point was typed."""
        self._go(f"point {_told(self.point.value)} mm", point=1e-3 * np.array(self.point.value))

    def set_direction(self) -> None:
        """A direction was typed."""
        asked = np.array(self.direction.value, float)
        if np.linalg.norm(asked) < 1e-9:
            self._edits.say(f"direction {_told(asked)} of {words(self.key)} is refused: it must not be zero")
            self.show()
        elif (found := target(self._edits.route, self.key)) is not None:
            self._go(f"direction {_told(asked)}", frame=pointed(found.frame, asked))

    def set_roll(self) -> None:
        """A roll was typed."""
        if (found := target(self._edits.route, self.key)) is not None:
            self._go(f"roll {self.roll.value:g} deg", frame=rolled(found.frame, float(self.roll.value)))

    def set_rotation(self) -> None:
        """A rotation was typed."""
        self._go(f"rotation {_told(self.rotation.value)} deg", frame=turned(np.array(self.rotation.value)))

    def set_kind(self) -> None:
        """The chosen clip becomes one of another kind, where it is."""
        kind, route = self.kind.value, self._edits.route
        if (
            not self.key.startswith(f"{CLIP}/")
            or kind == OTHER
            or kind_of(clip_data(route, self.key).get("release", "fixed")) == kind
        ):
            return
        cable, _, word = self.key.partition("/")[2].partition("/")

        def change() -> None:
            route.harness[cable].set_release(route.clips[cable][word], KINDS[kind])
            clip_data(route, self.key)["release"] = KINDS[kind]

        self._edits.alter(change, asked=f"kind {kind} of {words(self.key)}")

    def set_arc(self) -> None:
        """The chosen clip holds the cable at another arc length, where it is: the cable is pulled through it."""
        if not self.key.startswith(f"{CLIP}/"):
            return
        cable, _, word = self.key.partition("/")[2].partition("/")
        asked, route, key = float(self.arc.value), self._edits.route, self.key
        slides = route.harness[cable]._chain.clips[route.clips[cable][word]].slides
        done = self._edits.alter(
            lambda: pull_through(route, cable, word, 1e-3 * asked), asked=f"arc length {asked:g} mm of {words(key)}"
        )
        if done and slides:
            found = 1e3 * self._edits.route.harness[cable].clip_arc(self._edits.route.clips[cable][word])
            self._edits.say(
                f"{words(key)} is a {kind_of(clip_data(self._edits.route, key).get('release', 'fixed'))}: the cable slips through it and finds "
                f"its own place, at {found:.1f} mm; {asked:g} mm is only where that began"
            )

    def set_axes(self) -> None:
        """Arrows point along other axes, or others are shown, or other names."""
        self._scene.along_world, self._scene.all_arrows = self.axes.value == WORLD, bool(self.all.value)
        self._scene.all_names = bool(self.names.value)
        self._edits.redraw()

    def _go(self, asked: str, point: np.ndarray | None = None, frame: np.ndarray | None = None) -> None:
        """Move what is chosen; asked: what was typed, in words."""
        found = target(self._edits.route, self.key)
        if found is not None:
            self._edits.next_step()
            there, turn = found.point if point is None else point, found.frame if frame is None else frame
            self._edits.drag(self.key, there, turn, f"{asked} of {words(self.key)}")


def _told(values: Any) -> str:
    """Three numbers as they were typed."""
    return f"({', '.join(f'{value:g}' for value in values)})"


def _plain(values: np.ndarray, digits: int) -> tuple[float, ...]:
    """Numbers as they are read: rounded, and no -0."""
    return tuple(round(float(value), digits) + 0.0 for value in values)
