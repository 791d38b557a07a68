"""The cable that is chosen: its length, section, material and limits as they are typed, and what that does to the route."""

from __future__ import annotations

import math
from collections.abc import Callable
from html import escape
from typing import Any

import numpy as np

from taut.cables.rod.chain import CLAMPED
from taut.cables.rod.direct import DIGITS, bending, give_mass, give_stiffness, line_mass, torsion
from taut.cables.rod.ends import rotate
from taut.cables.rod.found_rolls import Found
from taut.cables.rod.harness import Cable
from taut.cables.rod.limits import UNITS, Limits
from taut.cables.rod.material_cards import cards
from taut.cables.rod.values import RodError
from taut.view.route_edits import Edits, refusal
from taut.view.route_places import remember
from taut.view.route_places import target as place
from taut.view.route_results import failing, limit_label
from taut.view.route_tools import (
    inner_of,
    made_of,
    material,
    set_diameter,
    set_inner,
    set_length,
    set_limit,
    set_material,
)
from taut.view.route_twist import twist_told
from taut.view.route_typing import Typing

#: twist that is as good as none when it is taken out [rad], and how often an end is rolled for it at most
LAID, ROLLS = 1e-7, 12
#: what is left beyond the straight line when a cable is stretched
STRETCHED = 0.01
#: a cable with less twist lies without any, and is cut longer or shorter without [rad]
UNTWISTED = 0.01
AS_IT_IS = "as it is"


class OneCable(Edits):
    """What a person changes in the cable that is chosen."""

    typing: Typing
    _cable: Any
    _length: Any
    _diameter: Any
    _inner: Any
    _card: Any
    _made: Any
    _pull: Any
    _bending: Any
    _torsion: Any
    _mass: Any
    _limits: dict[str, Any]
    _more_of: Any
    _limits_of: Any

    def _data(self) -> dict[str, Any]:
        found: dict[str, Any] = self.route.data["route"]["cables"][self._cable.value]
        return found

    def _fill(self) -> None:
        """Show the values of the chosen cable."""
        with self.lock:
            name = self._cable.value
            cable, data, put = self.route.harness[name], self._data(), self.typing.put
            put(self._length, round(1e3 * cable.length, 3))
            put(self._diameter, round(2e3 * cable.radius, 3))
            inner = inner_of(data)
            put(self._inner, round(1e3 * (inner or 0.0), 3))
            for box, value in zip((self._bending, self._torsion, self._mass), _told_directly(cable)):
                put(box, value)
            card = next((word for word, one in cards().items() if made_of(data, one.given())), AS_IT_IS)
            if self._card.value != card:
                self._card.value = card
            told = [material(data), *([cards()[card].told] if card in cards() else ())]
            self._made.content = (
                f'<div style="padding:0 1em;font-size:0.8em;opacity:0.75">{escape("; ".join(told))}</div>'
            )
            for box, words in ((self._more_of, f"of {name}"), (self._limits_of, f"of {name}; 0: no limit")):
                told_of = f'<div data-taut="of" style="padding:0 1em;font-size:0.8em">{escape(words)}</div>'
                if box.content != told_of:
                    box.content = told_of
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
        with self.lock:
            if self._change_length(
                lambda cable: cable.automatic_length(float(self._pull.value)), doing="automatic length"
            ):
                self.say(_slack(self._cable.value, self.route.harness[self._cable.value]))

    def stretch(self) -> None:
        """As short as the chosen cable can be; limits that it breaks then are told."""
        with self.lock:
            name = self._cable.value
            before = failing(self.route, name)
            if self._change_length(lambda cable: cable.stretched_length(STRETCHED), doing="stretch"):
                broken = [one for what, one in failing(self.route, name).items() if what not in before]
                said = _slack(name, self.route.harness[name])
                if broken:
                    told = " and ".join(
                        "{} {} (asked: {})".format(one.what.replace("_", " "), *one.shown()) for one in broken
                    )
                    said += f". It breaks a limit by that: {told}"
                self.say(said)

    def _change_length(self, find: Callable[[Cable], float], asked: str = "", doing: str = "") -> bool:
        """Change a length from the shape that stands: a cable that is cut longer does not jump into another shape.
        asked: what was typed; doing: what the step is called where nothing was. Whether it was done."""
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
            self._remember(before, asked or doing)
            self.message = twist_told(before, self.route)
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
            self._remember(before, f"taking the twist out of {name}")
            left = math.degrees(turned(self.route.harness[name]))
            self.say(f"{name} is twisted by {abs(left):.1f} deg now")

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
        given = self.route.data["route"]["cables"][name]["end"]
        told = not isinstance(given.get("up", Found()), Found)
        remember(self.route, key, target.point, target.frame)
        if "up" in given and not told:
            given["up"] = Found(given["up"])
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

    def _set_direct(self, box: Any, which: int) -> None:
        """A stiffness or the mass of a metre was typed, in place of the material."""
        with self.lock:
            cable, asked = self.route.harness[self._cable.value], float(box.value)
            if asked == _told_directly(cable)[which]:
                return
            data, chain = self._data(), cable._chain
            act = (
                lambda: give_stiffness(data, chain, EI=asked),
                lambda: give_stiffness(data, chain, GJ=asked),
                lambda: give_mass(data, asked),
            )[which]
            what, unit = str(box.label).rstrip("]").split(" [")
            self.edit(act, f"{what} {asked:g} {unit}")
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
                self._remember(before, f"{limit_label(what)} {asked:g}")
                self.route.limits[name] = Limits.read(f"cables.{name}.limits", self._data()["limits"])
                self.message = ""
                self.redraw()

    def _set_card(self) -> None:
        if self._card.value in cards():
            word, card = self._card.value, cards()[self._card.value].given()
            with self.lock:
                if made_of(self._data(), card):
                    return
                across = 2.0 * self.route.harness[self._cable.value].radius
                if self.edit(lambda: self._make_of(word, card, across), f"material {word}"):
                    self._say_bend(word)
                self._fill()

    def _make_of(self, word: str, card: dict[str, Any], across: float) -> None:
        """Of the material of a card, with the name of it and, where none is set, the least bend radius of its standard."""
        data = self._data()
        set_material(data, card, across)
        data["material"] = word
        limits = dict(data.get("limits") or {})
        found = cards()[word].least_bend(inner_of(data) or 0.0, across)
        if found is not None and not limits.get("bend_radius"):
            data["limits"] = {**limits, "bend_radius": f"{1e3 * found[0]:.4g} mm"}

    def _say_bend(self, word: str) -> None:
        """What the standard asks for, and whether the limit is that."""
        cable = self.route.harness[self._cable.value]
        found = cards()[word].least_bend(inner_of(self._data()) or 0.0, 2.0 * cable.radius)
        if found is not None:
            self.say(
                f"{word}: {found[1]}, {1e3 * found[0]:.4g} mm for the centreline; the limit is {self._data()['limits']['bend_radius']}"
            )


def _told_directly(cable: Cable) -> tuple[float, ...]:
    """EI, GJ [N m^2] and mass of a metre [kg/m] of a cable, in the digits that are shown."""
    chain = cable._chain
    return tuple(float(f"{value:.{DIGITS}g}") for value in (bending(chain), torsion(chain), line_mass(chain)))


def _slack(name: str, cable: Cable) -> str:
    """How long a cable is and how much of that is slack, in words."""
    straight = cable.stretched_length()
    left = cable.length - straight
    return (
        f"{name} is {1e3 * cable.length:.1f} mm long: {1e3 * left:.1f} mm ({left / straight:.1%}) more than the straight way between "
        "what holds it"
    )


def turned(cable: Cable) -> float:
    """Twist from one end of a cable to the other [rad]."""
    return float(0.5 * (cable.twist[1:] + cable.twist[:-1]) @ np.diff(cable.arc_length))
