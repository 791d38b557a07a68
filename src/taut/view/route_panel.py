"""The panel of the routing studio: numbers to type, cards to choose, and what the route makes of its limits."""

from __future__ import annotations

import threading
from abc import abstractmethod
from functools import partial
from pathlib import Path
from typing import Any

from taut.cables.rod.limits import LIMITS
from taut.cables.rod.material_cards import cards
from taut.cables.rod.route import Route
from taut.cables.rod.values import RodError
from taut.view.route_busy import Busy
from taut.view.route_cable import AS_IT_IS, STRETCHED, OneCable
from taut.view.route_chosen import Chosen
from taut.view.route_kinds import KINDS
from taut.view.route_motion import Motion
from taut.view.route_new import NewCable, Place
from taut.view.route_parts import Parts
from taut.view.route_places import CABLE, CLIP, cables_at
from taut.view.route_removal import remove_cable
from taut.view.route_results import limit_label, page
from taut.view.route_scene import RouteScene
from taut.view.route_takeaway import Takeaway
from taut.view.route_tools import clip_in_hand, inner_of, let_go
from taut.view.route_typing import FINE, FINEST, Typing

#: what a click on a face may set, beside one end
BOTH, NEW = "both ends", "new cable"
CLICK_END = "now click where it ends"
#: what is said beside the pull of an automatic length
PULL = "the pull is what each metre of the cable costs (N = J/m); it is no tension of a place: that at its ends can be far larger"


class Panel(OneCable):
    """What can be typed and chosen beside the picture."""

    server: Any
    scene: RouteScene
    _wake: threading.Event

    def _panel(self) -> None:
        gui = self.server.gui
        gui.configure_theme(show_logo=False, show_share_button=False, control_width="large")
        self.typing = Typing(self.guarded)
        names = list(self.route.harness.cables)
        self.busy = Busy(gui)
        self._state = gui.add_html("")
        with gui.add_folder("Cable"):
            self._cable: Any = gui.add_dropdown("cable", names, initial_value=names[0])
            self._length: Any = gui.add_number("length [mm]", 1.0, step=1.0)
            self._diameter: Any = gui.add_number(
                "diameter [mm]", 1.0, step=0.1, hint="the outer one; the inner one of a hose goes along in proportion"
            )
            self._inner: Any = gui.add_number("inner diameter [mm]", 0.0, step=0.1, hint="0: it is solid")
            self._card: Any = gui.add_dropdown(
                "material", [AS_IT_IS, *cards()],
                hint="the outer diameter stays; the wall is as thick for it as that of the card",
            )  # fmt: skip
            self._made: Any = gui.add_html("")
            self._picks: Any = gui.add_dropdown(
                "click on a face sets", ["nothing", "start", "end", BOTH, NEW],
                initial_value=BOTH if self.fresh else "nothing",
            )  # fmt: skip
            self._undo: Any = gui.add_button("undo", disabled=True)
            self._redo: Any = gui.add_button("redo", disabled=True)
            self._frozen = gui.add_checkbox("freeze", initial_value=False, hint="nothing follows until it thaws")
        self.new = NewCable(gui, self, self._new_between)
        self.chosen = Chosen(gui, self, self.scene, self.typing)
        self._more = gui.add_folder("More of this cable", expand_by_default=False)
        with self._more:
            self._more_of: Any = gui.add_html("")
            self._direct_fields(gui)
            self._pull: Any = gui.add_number(
                "at a pull of [N]", 0.5, min=0.001, step=0.1,
                hint="for automatic length: what each metre of it costs, in J/m, which is N; as if it were drawn in with this force. "
                "It is neither the tension at an end nor the largest one: bending and weight have their part in those",
            )  # fmt: skip
            gui.add_html(f'<div data-taut="pull" style="padding:0 1em;font-size:0.8em;opacity:0.75">{PULL}</div>')
            auto = gui.add_button(
                "automatic length",
                hint="the length at which its energy (bending, twist, weight) and the pull times its length are least together: the "
                "more pull, the shorter; a small one leaves slack",
            )
            stretch = gui.add_button(
                "stretch",
                hint=f"the straight way from one thing that holds it to the next, and {STRETCHED:.0%} more; what is left of slack is said. "
                "It bends most where it is held",
            )
            untwist = gui.add_button(
                "take out the twist", hint="turns its last end about the cable until nothing is twisted"
            )
            gone = gui.add_button("remove this cable")
        self._asks = gui.add_folder("Limits", expand_by_default=False)
        with self._asks:
            self._limits_of: Any = gui.add_html("")
            self._limits: dict[str, Any] = {
                what: gui.add_number(limit_label(what), 0.0, step=1.0, hint="0: no limit") for what in LIMITS
            }
        self.parts = Parts(gui, self, self.chosen)
        self.motion = Motion(gui, self, self.scene)
        self.takeaway = Takeaway(gui, self, self.motion)
        with gui.add_folder("File"):
            self._file = gui.add_text("file", self._opened())
            save = gui.add_button("save")
        self._fill()
        direct = (self._bending, self._torsion, self._mass)
        self.typing.digits(FINEST, *direct)
        for which, box in enumerate(direct):
            self.typing.when_typed(box, partial(self._set_direct, box, which))
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
        self.typing.when_chosen(self._cable, lambda: self.chosen.choose(f"{CABLE}/{self._cable.value}"))
        for button, act in (
            (auto, self.automatic_length), (stretch, self.stretch), (untwist, self.untwist),
            (gone, lambda: remove_cable(self, self._cable.value)), (self.chosen.clip, self.set_clip),
            (save, lambda: self.save(self._file.value)), (self._undo, self.undo), (self._redo, self.redo),
        ):  # fmt: skip
            button.on_click(self.guarded(lambda _, act=act: act()))

    def _direct_fields(self, gui: Any) -> None:
        """Stiffness and mass of a metre."""
        directly = "told directly, in place of the material"
        self._bending = gui.add_number(
            "bending stiffness [N m^2]", 1.0, step=1e-4, hint=f"EI, of a strap about its first axis; {directly}"
        )
        self._torsion = gui.add_number("torsional stiffness [N m^2]", 1.0, step=1e-4, hint=f"GJ; {directly}")
        self._mass = gui.add_number("mass per metre [kg/m]", 0.0, step=1e-3, hint=f"{directly}; 0: no weight")

    @abstractmethod
    def _new_between(self, first: Place, last: Place, asked: str) -> bool:
        """A cable between two places. Whether it was done."""

    def _offer_steps(self) -> None:
        """What would be undone, or made again; nothing to press where there is none."""
        for button, steps, none in ((self._undo, self._history, "nothing is left to undo"),
                                    (self._redo, self._undone, "nothing was undone")):  # fmt: skip
            hint = f"{button.label}: {steps[-1].name}" if steps else none
            if button.hint != hint:
                button.hint = hint
            if button.disabled == bool(steps):
                button.disabled = not steps

    def _offer(self) -> None:
        """Fields of a cable are there where there is one."""
        there = not self.fresh
        for one in (self._cable, self._length, self._diameter, self._card, self._made, self._more, self._asks,
                    self.motion.folder, self.takeaway.folder):  # fmt: skip
            if one.visible != there:
                one.visible = there
        inner = there and inner_of(self._data()) is not None
        if self._inner.visible != inner:
            self._inner.visible = inner
        sets = ("nothing", "start", "end", BOTH, NEW) if there else ("nothing", BOTH)
        if tuple(self._picks.options) != sets:
            self._picks.options = sets

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

    def chose(self, key: str) -> None:
        """Something is chosen: what stands of a cable is that of the one it belongs to."""
        with self.lock:
            cables = cables_at(self.route, key)
            if cables and self._cable.value not in cables:
                self._cable.value = cables[0]

    def _other_cable(self) -> None:
        """What was being typed for the cable before is not meant for this one."""
        self.typing.forget(
            self._length, self._diameter, self._inner, self._bending, self._torsion, self._mass, *self._limits.values()
        )
        self.takeaway.follow(self._cable.value)
        self._fill()
        self._show()

    @property
    def seen(self) -> Route:
        """The route as the picture shows it: the present one, or a frame of its motion."""
        return self.motion.frames.route or self.route

    def _show(self) -> None:
        message = "; ".join(filter(None, (self.motion.frames.words, self.message)))
        self._state.content = page(self.seen, self._cable.value, message, not self.fresh, self.motion.worst)
        self._offer_steps()

    def redraw(self, held: frozenset[str] = frozenset()) -> None:
        """Everything as it stands, but for arrows that a person holds."""
        with self.lock:
            self.motion.show()  # first: a frame of what was changed since is no longer seen
            self.chosen.show()
            self.takeaway.show()
            self._offer()
            begins = None if self._first is None else self._first[0]
            self.scene.draw(
                self.seen, self.chosen.key, held, cables=not self.fresh, begins=begins, arrows=not self.watching
            )
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
                name, clip = clip_in_hand(self.route, KINDS[self.chosen.release.value])
            except RodError as error:
                self.message = str(error)
                self._show()
                return
            self.edit(lambda: _add_clip(self.route.data["route"]["cables"][name], clip), f"a clip on {name}")
            self._fill()
            if clip["name"] in self.route.clips[name]:
                self.chosen.choose(f"{CLIP}/{name}/{clip['name']}")

    def _went_back(self) -> None:
        """A step was undone or made again: the values of now, and where it has no places any more the question for them."""
        if self.fresh:
            self._picks.value = BOTH
            self._listen()
        self._fill()


def _add_clip(cable: dict[str, Any], clip: dict[str, Any]) -> None:
    cable["clips"] = [*(cable.get("clips") or []), clip]
