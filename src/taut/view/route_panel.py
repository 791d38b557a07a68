"""The panel of the routing studio: numbers to type, cards to choose, and what the route makes of its limits."""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from taut.cables.rod.chain import CLAMPED
from taut.cables.rod.ends import rotate
from taut.cables.rod.harness import Cable
from taut.cables.rod.judging import notes
from taut.cables.rod.limits import Limits, findings
from taut.cables.rod.routing import CARDS, plug_clearance
from taut.cables.rod.targets import CLIPS
from taut.cables.rod.values import RodError
from taut.view.route_chosen import Chosen
from taut.view.route_edits import CLICK_START, Edits
from taut.view.route_parts import Parts
from taut.view.route_places import CLIP, remember
from taut.view.route_places import target as place
from taut.view.route_removal import remove_cable
from taut.view.route_scene import RouteScene
from taut.view.route_takeaway import Takeaway
from taut.view.route_tools import clip_in_hand, let_go, made_of, set_diameter, set_length, set_limit
from taut.view.route_typing import FINE, Typing
from taut.view.server import tell

#: what is left beyond the straight line when a cable is stretched
STRETCHED = 0.01
#: a cable with less twist lies without any, and is cut longer or shorter without [rad]
UNTWISTED = 0.01
#: what a click on a face may set, beside one end
BOTH, NEW = "both ends", "new cable"
AS_IT_IS = "as it is"
CLICK_END = "now click where it ends"


class Panel(Edits):
    """What can be typed and chosen beside the picture."""

    server: Any
    scene: RouteScene
    _wake: threading.Event
    _said: str  # what was told last

    def _panel(self) -> None:
        gui = self.server.gui
        self.typing = Typing()
        names = list(self.route.harness.cables)
        self._state = gui.add_markdown("")
        with gui.add_folder("Cable"):
            self._cable: Any = gui.add_dropdown("cable", names, initial_value=names[0])
            self._length: Any = gui.add_number("length [mm]", 1.0, min=1.0, step=1.0)
            self._pull: Any = gui.add_number("at a pull of [N]", 0.5, min=0.001, step=0.1)
            auto = gui.add_button(
                "automatic length",
                hint="as long as it makes itself where each metre costs this pull: short, but not taut",
            )
            stretch = gui.add_button("stretch", hint="as short as it goes between what holds it")
            self._diameter: Any = gui.add_number("diameter [mm]", 1.0, min=0.01, step=0.1)
            self._card: Any = gui.add_dropdown("material", [AS_IT_IS, *CARDS])
            self._picks: Any = gui.add_dropdown(
                "click on a face sets", ["nothing", "start", "end", BOTH, NEW],
                initial_value=BOTH if self.fresh else "nothing",
            )  # fmt: skip
            self._frozen = gui.add_checkbox("freeze", initial_value=False)
            undo = gui.add_button("undo")
            redo = gui.add_button("redo")
            gone = gui.add_button("remove this cable")
        self.chosen = Chosen(gui, self, self.scene, self.typing)
        with gui.add_folder("Clips"):
            self._release: Any = gui.add_dropdown(
                "kind of a new clip",
                list(CLIPS),
                hint="what it lets go: nothing, twist, sliding, both, turning (ball), sliding and turning (duct)",
            )
            clip = gui.add_button("set a clip where the cable is in hand")
        with gui.add_folder("Limits"):
            self._limits: dict[str, Any] = {
                what: gui.add_number(f"least {what.replace('_', ' ')} [mm]", 0.0, min=0.0, step=1.0)
                for what in ("bend_radius", "clearance")
            }
        self.parts = Parts(gui, self, self.chosen)
        self.takeaway = Takeaway(gui, self)
        with gui.add_folder("File"):
            self._file = gui.add_text("file", self._opened())
            save = gui.add_button("save")
        self._fill()
        self._cable.on_update(lambda _: self._other_cable())
        self.typing.digits(FINE, self._length, self._diameter, *self._limits.values())
        self.typing.when_typed(self._length, self._set_length)
        self.typing.when_typed(self._diameter, self._set_diameter)
        self._picks.on_update(lambda _: self._listen())
        self._listen()
        self._card.on_update(lambda _: self._set_card())
        auto.on_click(lambda _: self.automatic_length())
        stretch.on_click(lambda _: self.stretch())
        self._frozen.on_update(lambda _: self._wake.set())
        undo.on_click(lambda _: self.undo())
        redo.on_click(lambda _: self.redo())
        gone.on_click(lambda _: remove_cable(self, self._cable.value))
        clip.on_click(lambda _: self.set_clip())
        for what, box in self._limits.items():
            self.typing.when_typed(box, partial(self._set_limit, what))
        save.on_click(lambda _: self.save(self._file.value))

    def _opened(self) -> str:
        """The file it came from, or one for a new route where the command was given."""
        file = self.folder / f"{self.route.name}.yaml"
        other = file.with_suffix(".yml")
        file = other if other.exists() and not file.exists() else file
        return file.name if self.folder.resolve() == Path.cwd() else str(file)

    def _listen(self) -> None:
        self.scene.listen(self._picks.value != "nothing")

    def _renamed(self) -> None:
        """Names of cables may have changed."""
        names = list(self.route.harness.cables)
        if list(self._cable.options) != names:
            self._cable.options = tuple(names)
        if self._cable.value not in names:
            self._cable.value = names[0]

    def _data(self) -> dict[str, Any]:
        found: dict[str, Any] = self.route.data["route"]["cables"][self._cable.value]
        return found

    def _other_cable(self) -> None:
        """What was being typed for the cable before is not meant for this one."""
        self.typing.forget(self._length, self._diameter, *self._limits.values())
        self._fill()

    def _fill(self) -> None:
        """Show the values of the chosen cable."""
        with self.lock:
            cable = self.route.harness[self._cable.value]
            self.typing.put(self._length, round(1e3 * cable.length, 3))
            self.typing.put(self._diameter, round(2e3 * cable.radius, 3))
            card = next((word for word, one in CARDS.items() if made_of(self._data(), one)), AS_IT_IS)
            if self._card.value != card:
                self._card.value = card
            for what, box in self._limits.items():
                self.typing.put(box, round(1e3 * self.route.limits[self._cable.value].values.get(what, 0.0), 3))

    def _fill_unless_refused(self) -> None:
        """What was typed and refused stands there to be corrected."""
        if not self.message:
            self._fill()

    def _set_length(self) -> None:
        with self.lock:
            now = 1e3 * self.route.harness[self._cable.value].length
            if abs(self._length.value - now) > 1e-3:
                self._change_length(lambda cable: 1e-3 * self._length.value)

    def automatic_length(self) -> None:
        """As long as the chosen cable makes itself for a pull."""
        self._change_length(lambda cable: cable.automatic_length(float(self._pull.value)))

    def stretch(self) -> None:
        """As short as the chosen cable can be."""
        self._change_length(lambda cable: cable.stretched_length(STRETCHED))

    def _change_length(self, find: Callable[[Cable], float]) -> None:
        """Change a length from the shape that stands: a cable that is cut longer does not jump into another shape."""
        with self.lock:
            name = self._cable.value
            cable, before = self.route.harness[name], self._as_it_stands()
            old, lay_flat = cable.length, bool(abs(turned(cable)) < UNTWISTED)
            try:
                cable.set_length(find(cable))
                self.route.harness.solve()
            except RodError as error:
                if cable.length != old:
                    cable.set_length(old)
                    self.route.harness.solve()
                self.message = str(error)
                self.redraw()
                return
            set_length(self._data(), cable.length, [one.share for one in cable._chain.clips.values()])
            self.route.tensions.pop(name, None)
            if lay_flat:
                self._untwist(name)
            self._remember(before)
            self.message = ""
            self.redraw()
            self._fill()

    def _untwist(self, name: str) -> None:
        """Nobody mounts a hose twisted: the roll of its last end is the one without twist."""
        cable, key = self.route.harness[name], f"body/{name}.end"
        target = place(self.route, key)
        if target is None or cable._chain.held != [CLAMPED, CLAMPED]:
            return
        # strain is not quite an angle: what a turn leaves is taken out by the next
        for _ in range(3):
            along = rotate(target.frame, np.array([0.0, 0.0, 1.0]))
            target.turn(-turned(cable) * along)
            try:
                self.route.harness.solve()
            except RodError:
                # it stays as it lies
                target = place(self.route, key) or target
                break
        remember(self.route, key, target.point, target.frame)
        self.redraw()

    def _set_diameter(self) -> None:
        with self.lock:
            now = 2e3 * self.route.harness[self._cable.value].radius
            if abs(self._diameter.value - now) > 1e-3:
                self.edit(lambda: set_diameter(self._data(), 1e-3 * self._diameter.value))
                self._fill_unless_refused()

    def _set_limit(self, what: str) -> None:
        """A limit was typed; zero asks for nothing."""
        with self.lock:
            now = 1e3 * self.route.limits[self._cable.value].values.get(what, 0.0)
            if abs(self._limits[what].value - now) > 1e-3:
                # nothing moves: the shape stands
                self._remember(self._as_it_stands())
                set_limit(self._data(), what, 1e-3 * self._limits[what].value)
                name = self._cable.value
                self.route.limits[name] = Limits.read(f"cables.{name}.limits", self._data()["limits"])
                self.message = ""
                self.redraw()

    def _set_card(self) -> None:
        if self._card.value in CARDS:
            card = copy.deepcopy(CARDS[self._card.value])
            gone = ("EI", "GJ", "G", "mass_per_length", "radius")
            with self.lock:
                if made_of(self._data(), card):
                    return
                self.edit(lambda: ([self._data().pop(key, None) for key in gone], self._data().update(card)))
                self._fill()

    def _show(self) -> None:
        lines = [f"**{self.message}**", ""] if self.message else []
        for name in () if self.fresh else self.route.harness.cables:
            lines += [f"**{name}**", "", "| | | limit | |", "|---|---|---|---|"]
            for one in findings(self.route.harness, name, self.route.limits[name], self.route.clips[name]):
                # in words: coloured signs are empty boxes where a system has no font for them
                value, limit, verdict = one.shown()
                lines.append(f"| {one.what.replace('_', ' ')} | {value} {one.where} | {limit} | {verdict} |")
            lines.append("")
        lines += [text for line in ([] if self.fresh else notes(self.route)) for text in (line, "")]
        for name in () if self.fresh else self.route.plugs:
            if nearest := plug_clearance(self.route, name):
                lines += [f"**{name}** clearance {nearest}", ""]
        self._state.content = "\n".join(lines)
        if self.message != self._said:
            self._said = self.message
            if self.message and self.message not in (CLICK_START, CLICK_END):
                tell(self.server, self.route.name, self.message)

    def redraw(self, held: frozenset[str] = frozenset()) -> None:
        """Everything as it stands, but for arrows that a person holds."""
        with self.lock:
            self.chosen.show()
            self.takeaway.show()
            self.scene.draw(self.route, self.chosen.key, held, cables=not self.fresh)
            self._show()

    def let_go(self) -> None:
        """Nothing is held by hand any more."""
        with self.lock:
            if let_go(self.route):
                self.route.harness.solve()
                self.message = ""
                self.redraw()

    def set_clip(self) -> None:
        """A clip where the cable is in hand."""
        with self.lock:
            try:
                name, clip = clip_in_hand(self.route, self._release.value)
            except RodError as error:
                self.message = str(error)
                self._show()
                return
            self.edit(lambda: self.route.data["route"]["cables"][name].setdefault("clips", []).append(clip))
            self._cable.value = name
            self._fill()
            if clip["name"] in self.route.clips[name]:
                self.chosen.choose(f"{CLIP}/{name}/{clip['name']}")

    def _went_back(self) -> None:
        """A step was undone or made again: the values of now, and where it has no places any more the question for them."""
        if self.fresh:
            self._picks.value = BOTH
            self._listen()
        self._fill()


def turned(cable: Cable) -> float:
    """Twist from one end of a cable to the other [rad]."""
    return float(0.5 * (cable.twist[1:] + cable.twist[:-1]) @ np.diff(cable.arc_length))
