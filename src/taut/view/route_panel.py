"""The panel of the routing studio: numbers to type, cards to choose, and what the route makes of its limits."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from taut.cables.rod.chain import CLAMPED
from taut.cables.rod.ends import rotate
from taut.cables.rod.harness import Cable
from taut.cables.rod.limits import LIMITS, UNITS, Limits
from taut.cables.rod.routing import CARDS
from taut.cables.rod.values import RodError
from taut.view.route_chosen import Chosen
from taut.view.route_edits import CLICK_START, Edits, refusal
from taut.view.route_names import rename_cable, unfit
from taut.view.route_parts import Parts
from taut.view.route_places import CLIP, remember
from taut.view.route_places import target as place
from taut.view.route_removal import remove_cable
from taut.view.route_results import failing, limit_label, page
from taut.view.route_scene import RouteScene
from taut.view.route_takeaway import Takeaway
from taut.view.route_tools import (
    clip_in_hand,
    inner_of,
    let_go,
    made_of,
    material,
    set_diameter,
    set_inner,
    set_length,
    set_limit,
    set_material,
)
from taut.view.route_typing import FINE, Typing
from taut.view.server import tell

#: twist that is as good as none when it is taken out [rad], and how often an end is rolled for it at most
LAID, ROLLS = 1e-7, 12
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
        gui.configure_theme(show_logo=False, show_share_button=False, control_width="large")
        self.typing = Typing(self.guarded)
        names = list(self.route.harness.cables)
        self._state = gui.add_html("")
        with gui.add_folder("Cable"):
            self._cable: Any = gui.add_dropdown("cable", names, initial_value=names[0])
            self._length: Any = gui.add_number("length [mm]", 1.0, step=1.0)
            self._diameter: Any = gui.add_number("diameter [mm]", 1.0, step=0.1)
            self._inner: Any = gui.add_number("inner diameter [mm]", 0.0, step=0.1, hint="0: it is solid")
            self._card: Any = gui.add_dropdown(
                "material", [AS_IT_IS, *CARDS],
                hint="the outer diameter stays; the wall is as thick for it as that of the card",
            )  # fmt: skip
            self._made: Any = gui.add_html("")
            self._picks: Any = gui.add_dropdown(
                "click on a face sets", ["nothing", "start", "end", BOTH, NEW],
                initial_value=BOTH if self.fresh else "nothing",
            )  # fmt: skip
            self._steps: Any = gui.add_button_group("steps", ["undo", "redo"])
            self._frozen = gui.add_checkbox("freeze", initial_value=False, hint="nothing follows until it thaws")
        self.chosen = Chosen(gui, self, self.scene, self.typing)
        with gui.add_folder("More of this cable", expand_by_default=False):
            self._pull: Any = gui.add_number("at a pull of [N]", 0.5, min=0.001, step=0.1)
            auto = gui.add_button(
                "automatic length",
                hint="as long as it makes itself where each metre costs this pull: short, but not taut",
            )
            stretch = gui.add_button(
                "stretch",
                hint=f"as short as it goes between what holds it, and {STRETCHED:.0%} more: it bends most where it is held",
            )
            untwist = gui.add_button(
                "take out the twist", hint="turns its last end about the cable until nothing is twisted"
            )
            self._name: Any = gui.add_text("its name", names[0])
            rename = gui.add_button("rename it")
            gone = gui.add_button("remove this cable")
        with gui.add_folder("Limits", expand_by_default=False):
            self._limits: dict[str, Any] = {
                what: gui.add_number(limit_label(what), 0.0, step=1.0, hint="0: nothing is asked") for what in LIMITS
            }
        self.parts = Parts(gui, self, self.chosen)
        self.takeaway = Takeaway(gui, self)
        with gui.add_folder("File"):
            self._file = gui.add_text("file", self._opened())
            save = gui.add_button("save")
        self._fill()
        self.typing.digits(FINE, self._length, self._diameter, self._inner, *self._limits.values())
        self.typing.when_typed(self._length, self._set_length)
        self.typing.when_typed(self._diameter, self._set_diameter)
        self.typing.when_typed(self._inner, self._set_inner)
        for what, box in self._limits.items():
            self.typing.when_typed(box, partial(self._set_limit, what))
        self._listen()
        for box, act in ((self._cable, self._other_cable), (self._picks, self._listen), (self._card, self._set_card),
                         (self._frozen, self._wake.set)):  # fmt: skip
            box.on_update(self.guarded(lambda _, act=act: act()))
        self._steps.on_click(self.guarded(lambda _: self.undo() if self._steps.value == "undo" else self.redo()))
        for button, act in (
            (auto, self.automatic_length), (stretch, self.stretch), (untwist, self.untwist), (rename, self.rename),
            (gone, lambda: remove_cable(self, self._cable.value)), (self.chosen.clip, self.set_clip),
            (save, lambda: self.save(self._file.value)),
        ):  # fmt: skip
            button.on_click(self.guarded(lambda _, act=act: act()))

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
        self.typing.forget(self._length, self._diameter, self._inner, *self._limits.values())
        self._fill()
        self._show()

    def _fill(self) -> None:
        """Show the values of the chosen cable."""
        with self.lock:
            name = self._cable.value
            cable, data, put = self.route.harness[name], self._data(), self.typing.put
            put(self._length, round(1e3 * cable.length, 3))
            put(self._diameter, round(2e3 * cable.radius, 3))
            inner = inner_of(data)
            if self._inner.visible != (inner is not None):
                self._inner.visible = inner is not None
            put(self._inner, round(1e3 * (inner or 0.0), 3))
            card = next((word for word, one in CARDS.items() if made_of(data, one)), AS_IT_IS)
            if self._card.value != card:
                self._card.value = card
            self._made.content = (
                f'<div style="padding:0 1em;font-size:0.8em;opacity:0.75">{escape(material(data))}</div>'
            )
            put(self._name, name)
            for what, box in self._limits.items():
                put(box, round(UNITS[what][1] * self.route.limits[name].values.get(what, 0.0), 6))

    def _set_length(self) -> None:
        with self.lock:
            asked, now = float(self._length.value), 1e3 * self.route.harness[self._cable.value].length
            if not asked > 0.0:
                self.refuse(f"length {asked:g} mm", "it must be more than 0 mm")
            elif abs(asked - now) > 1e-3:
                self._change_length(lambda cable: 1e-3 * asked, f"length {asked:g} mm")

    def automatic_length(self) -> None:
        """As long as the chosen cable makes itself for a pull."""
        self._change_length(lambda cable: cable.automatic_length(float(self._pull.value)))

    def stretch(self) -> None:
        """As short as the chosen cable can be; limits that it breaks then are told."""
        with self.lock:
            name = self._cable.value
            before = failing(self.route, name)
            if self._change_length(lambda cable: cable.stretched_length(STRETCHED)):
                broken = [one for what, one in failing(self.route, name).items() if what not in before]
                if broken:
                    told = " and ".join(
                        "{} {} (asked: {})".format(one.what.replace("_", " "), *one.shown()) for one in broken
                    )
                    self.say(f"{name} is stretched, and breaks a limit by that: {told}")

    def _change_length(self, find: Callable[[Cable], float], asked: str = "") -> bool:
        """Change a length from the shape that stands: a cable that is cut longer does not jump into another shape.
        asked: what was typed. Whether it was done."""
        with self.lock:
            name = self._cable.value
            cable, before = self.route.harness[name], self._as_it_stands()
            lay_flat = bool(abs(turned(cable)) < UNTWISTED)
            try:
                cable.set_length(find(cable))
                self.route.harness.solve()
            except RodError as error:
                self.route, self.message = before, refusal(asked, error, None)
                self._took_back()
                return False
            set_length(self._data(), cable.length, [one.share for one in cable._chain.clips.values()])
            self.route.tensions.pop(name, None)
            if lay_flat:
                self._untwist(name)
            self._remember(before)
            self.message = ""
            self.redraw()
            self._fill()
            return True

    def untwist(self) -> None:
        """The chosen cable lies without twist."""
        with self.lock:
            name, before = self._cable.value, self._as_it_stands()
            if not self._untwist(name):
                self.say(f"{name}: its end is not clamped by itself on both sides; turn what holds it instead")
                return
            self._remember(before)
            left = math.degrees(turned(self.route.harness[name]))
            self.say(f"{name} is twisted by {abs(left):.1f} deg now")

    def rename(self) -> None:
        """The chosen cable gets the name that was typed."""
        with self.lock:
            old, new = self._cable.value, str(self._name.value).strip()
            if new == old:
                return
            if why := unfit(new, self.route.data["route"]["cables"]):
                self.refuse(f"name {new!r}", why)
            elif self.edit(lambda: rename_cable(self.route.data, old, new), f"name {new!r}"):
                self._cable.value = new

    def _untwist(self, name: str) -> bool:
        """Nobody mounts a hose twisted: the roll of its last end is the one without twist. Whether that end can be rolled."""
        cable, key = self.route.harness[name], f"body/{name}.end"
        target = place(self.route, key)
        if target is None or cable._chain.held != [CLAMPED, CLAMPED]:
            return False
        # strain is not quite an angle: what a turn leaves is taken out by the next
        for _ in range(ROLLS):
            if abs(turned(cable)) < LAID:
                break
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
        return True

    def _set_diameter(self) -> None:
        with self.lock:
            asked, now = float(self._diameter.value), 2e3 * self.route.harness[self._cable.value].radius
            if abs(asked - now) > 1e-3:
                self.edit(lambda: set_diameter(self._data(), 1e-3 * asked), f"diameter {asked:g} mm")
                self._fill()

    def _set_inner(self) -> None:
        with self.lock:
            asked, now = float(self._inner.value), 1e3 * (inner_of(self._data()) or 0.0)
            outer = 2.0 * self.route.harness[self._cable.value].radius
            if abs(asked - now) > 1e-3:
                self.edit(lambda: set_inner(self._data(), 1e-3 * asked, outer), f"inner diameter {asked:g} mm")
                self._fill()

    def _set_limit(self, what: str) -> None:
        """A limit was typed; zero asks for nothing."""
        with self.lock:
            name, asked = self._cable.value, float(self._limits[what].value)
            now = UNITS[what][1] * self.route.limits[name].values.get(what, 0.0)
            if abs(asked - now) > 1e-6:
                before = self._as_it_stands()
                try:
                    set_limit(self._data(), what, asked)
                except RodError as error:
                    self.refuse(f"{limit_label(what)} {asked:g}", str(error))
                    return
                # nothing moves: the shape stands
                self._remember(before)
                self.route.limits[name] = Limits.read(f"cables.{name}.limits", self._data()["limits"])
                self.message = ""
                self.redraw()

    def _set_card(self) -> None:
        if self._card.value in CARDS:
            word, card = self._card.value, CARDS[self._card.value]
            with self.lock:
                if made_of(self._data(), card):
                    return
                across = 2.0 * self.route.harness[self._cable.value].radius
                self.edit(lambda: set_material(self._data(), card, across), f"material {word}")
                self._fill()

    def _show(self) -> None:
        self._state.content = page(self.route, self._cable.value, self.message, not self.fresh)
        if self.message != self._said:
            self._said = self.message
            if self.message and CLICK_START not in self.message and CLICK_END not in self.message:
                tell(self.server, self.route.name, self.message)

    def redraw(self, held: frozenset[str] = frozenset()) -> None:
        """Everything as it stands, but for arrows that a person holds."""
        with self.lock:
            self.chosen.show()
            self.takeaway.show()
            begins = None if self._first is None else self._first[0]
            self.scene.draw(self.route, self.chosen.key, held, cables=not self.fresh, begins=begins)
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
                name, clip = clip_in_hand(self.route, self.chosen.release.value)
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
