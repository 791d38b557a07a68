"""What an operator switches: the emergency stop of all winches, and hooks, which show whether they hold.

A hook takes its rope on only within reach. Asked for beyond it, nothing is done, and the page says how far it is too far: a
wish that waits unseen would be taken for a load that hangs. One that carries a load lets go of it only when it is asked twice.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import viser

from taut.view import sliders
from taut.view.frame import Control, Frame, Hook
from taut.view.keys import HOOK
from taut.view.readout import metres, newtons
from taut.view.runner import Runner
from taut.view.server import tell

#: steps after which a hook that was asked for must hold
STEPS = 2
#: within this time a second wish lets a load fall [s]
SURE = 5.0
#: how long it is told what a hook has just done [s]
TOLD = 5.0


class Switches:
    """Boxes of the panel and the buttons of the operator. All of it is called in the thread that hears of presses (`in_turn`): a box
    that is shown as its hook is must not be written between a tick and what the tick asks for. `stop` brings all levers to the middle."""

    def __init__(self, server: viser.ViserServer, runner: Runner, stop: Callable[[], None]) -> None:
        self._server, self._runner, self._stop = server, runner, stop
        self._emergency: Any = None
        self._boxes: dict[str, Any] = {}
        self._warned: tuple[frozenset[str], float] = (
            frozenset(),
            -SURE,
        )  # hooks that carry and were asked to let go, and when
        self._warning: list[viser.NotificationHandle] = []  # what stands over the page about them
        self._letting: set[str] = set()  # hooks that were asked to let go
        self._said: tuple[str, float] = "", -TOLD  # what they did, and when
        self._asked: dict[str, int] = {}  # hooks that were asked to hold, and the step at which they were

    def add_emergency(self, controls: Sequence[Control]) -> None:
        """The box of the emergency stop, where the panel is being built."""
        gui = self._server.gui
        if any(sliders.is_emergency(control) or sliders.is_drive(control.name) for control in controls):
            on = any(control.value > 0.5 for control in controls if sliders.is_emergency(control))
            self._emergency = gui.add_checkbox(
                "emergency stop",
                on,
                hint="motors off at once, brakes close; nothing can be driven until it is released",
            )
            if on:
                self._runner.stop_drives(True)
            self._emergency.on_update(self._on_emergency)

    def add_hooks(self, controls: Sequence[Control]) -> None:
        """The boxes of the hooks."""
        gui = self._server.gui
        hooks = [control for control in controls if sliders.is_hook(control)]
        if hooks:
            with gui.add_folder("Hooks", expand_by_default=False):
                for control in hooks:
                    box = gui.add_checkbox(
                        _element(control.name).replace("_", " "), control.value > 0.5, hint="whether it holds the load"
                    )
                    box.on_update(partial(self._on_hook, control.name))
                    self._boxes[control.name] = box

    # ---- what is pressed -------------------------------------------------------------------------------------------

    def press(self, what: str) -> None:
        """A button of the operator: 'emergency' stops by the brakes and releases them again, 'hook' hooks on and off."""
        if what == "emergency" and self._emergency is not None:
            on = not self._emergency.value
            self._emergency.value = on
            self._stop_by_brake(on)
        elif what == "hook" and self._boxes:
            self._hook(list(self._boxes), not self.state["hook"])

    async def _on_emergency(self, event: Any) -> None:
        if event.client_id is not None:
            self._stop_by_brake(bool(event.target.value))

    def _stop_by_brake(self, on: bool) -> None:
        """Stop every winch by its brake and all other drives by their ramps, and their levers go to zero: nothing starts by itself
        afterwards."""
        if on:
            self._stop()
        self._runner.stop_drives(on)
        for control in self._runner.controls():
            if sliders.is_emergency(control):
                self._runner.set_control(control.name, float(on))

    def stop_again(self) -> None:
        """It was on before the same scene was built anew."""
        if self._emergency is not None:
            self._emergency.value = True
            self._stop_by_brake(True)

    async def _on_hook(self, name: str, event: Any) -> None:
        if event.client_id is not None:
            self._hook([name], bool(event.target.value))

    def _hook(self, names: Sequence[str], on: bool) -> None:
        """Ask hooks to hold or to let go."""
        frame = self._runner.frame
        known = frame.hooks if frame is not None else {}
        step = frame.step if frame is not None else 0
        if not on and self._would_fall({name: known[name] for name in names if name in known and known[name].carries}):
            return
        far = {name: known[name] for name in names if on and name in known and not known[name].within_reach}
        for name in names:
            self._asked.pop(name, None)
            self._letting.discard(name)
            if not on and name in known and known[name].on:
                self._letting.add(name)
            if name in far:
                self._boxes[name].value = known[name].on
                continue
            if on and not (name in known and known[name].on):
                self._asked[name] = step
            self._runner.set_control(name, float(on))
        if far:
            self._refuse(far, len(names))
        elif self._asked and self._runner.status.phase == "paused":
            tell(self._server, "Paused", "It is hooked on as soon as it goes on.")

    def _would_fall(self, carrying: dict[str, Hook]) -> bool:
        """Whether hooks are not let go because a load hangs on them and this was not said a moment ago."""
        (warned, when), now = self._warned, time.monotonic()
        self._warned = frozenset(carrying), now
        while self._warning:
            self._warning.pop().remove()
        if not carrying or (warned >= set(carrying) and now - when < SURE):
            self._warned = frozenset(), -SURE
            return False
        for name in carrying:
            self._boxes[name].value = True
        # no longer than it holds: a note that still stands would be believed
        self._warning = tell(
            self._server,
            "A load hangs on it",
            f"{hanging(carrying)}. Set the load down first, or press {HOOK.cap} again within {SURE:.0f} s to let it fall.",
            SURE,
        )
        return True

    # ---- what is shown ---------------------------------------------------------------------------------------------

    @property
    def state(self) -> dict[str, bool | None]:
        """What the operator's buttons show: `emergency`, and `hook` where there is one: whether any holds."""
        hooks = [bool(box.value) for box in self._boxes.values()]
        on = self._emergency is not None and bool(self._emergency.value)
        return {"emergency": on, "hook": any(hooks) if hooks else None}

    def show(self, frame: Frame) -> None:
        """Ticks as the hooks are; what was asked for and could not be done is withdrawn and told."""
        failed, done = {}, []
        for name, hook in frame.hooks.items():
            if name not in self._boxes:
                continue
            asked = self._asked.get(name)
            if asked is not None and not hook.on and frame.step <= asked + STEPS:
                continue  # it has not had its turn
            if asked is not None:
                del self._asked[name]
                if not hook.on:
                    failed[name] = hook
                    self._runner.set_control(name, 0.0)
                else:
                    done.append(name)
            if bool(self._boxes[name].value) != hook.on:
                self._boxes[name].value = hook.on
        gone = [name for name in frame.hooks if name in self._letting and not frame.hooks[name].on]
        self._letting -= set(gone)
        for words, names in (("hooked on", done), ("let go", gone)):
            if names:
                self._said = f"{words}: {several(names)}", time.monotonic()
        if failed:
            self._refuse(failed, len(self._boxes))

    @property
    def said(self) -> str:
        """What hooks have just done, or would do if they were asked again; empty after some seconds."""
        warned, asked = self._warned
        if warned and time.monotonic() - asked < SURE:
            return f"a load hangs on it: {HOOK.cap} again lets it fall"
        words, when = self._said
        return words if time.monotonic() - when < TOLD else ""

    def begin_again(self) -> None:
        """The run went back: switches as they were then; hooks follow by themselves."""
        self._asked.clear()
        self._letting.clear()
        if self._emergency is not None:
            stopped = [c.value > 0.5 for c in self._runner.controls() if sliders.is_emergency(c)]
            self._emergency.value = self._runner.stopped or any(stopped)

    def _refuse(self, far: dict[str, Hook], asked: int) -> None:
        """Say what was too far away, and what to do."""
        title = "Nothing is hooked on" if len(far) == asked else f"{len(far)} of {asked} are not hooked on"
        tell(self._server, title, refusal(far))


def hanging(carrying: dict[str, Hook]) -> str:
    """How hard ropes pull that a load hangs on, all of them together."""
    pull = newtons(sum(hook.pull for hook in carrying.values()))
    return (
        f"The rope pulls with {pull}" if len(carrying) == 1 else f"Its {len(carrying)} ropes pull with {pull} together"
    )


def refusal(far: dict[str, Hook]) -> str:
    """How far what could not be hooked on is out of reach, and what to do."""
    name, worst = max(far.items(), key=lambda item: item[1].short)
    which = _element(name).replace("_", " ")
    short = max(worst.short, 0.01)
    return (
        f"Out of reach by {metres(short)} ({which}). "
        f"Lower the hook, or bring it above the load, and press {HOOK.cap} again."
    )


def several(hooks: Sequence[str]) -> str:
    """Hooks in a few words: 'sling 1 … sling 4 (4 of them)'."""
    names = [_element(name).replace("_", " ") for name in hooks]
    return ", ".join(names) if len(names) < 3 else f"{names[0]} … {names[-1]} ({len(names)} of them)"


def _element(control: str) -> str:
    return control.partition(".")[0]
