"""The operator's seat: levers that are held, and what happens when they are not.

The script in the page says how far each lever is deflected: at every change, and some times a second while one is held.
Silence means a page that cannot be trusted to say when a key is released, so the levers go back to the middle. Whoever
deflects a lever first has the seat until all of them are released; an emergency stop is heard from everybody. While it lasts no
lever moves anything, and one that was held meanwhile works again only after it has been in the middle.
"""

from __future__ import annotations

import asyncio
import json
import math
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from taut.scenes import catalogue
from taut.view import keys
from taut.view.keys import Key
from taut.view.levers import Lever

#: longest silence while a lever is held, and how long it then takes to the middle: 0.2 s together [s]
SILENCE, RAMP = 0.12, 0.08
#: time between two steps of a ramp [s]
TICK = 1.0 / 120.0
#: how long the server gathers messages before it sends them, and how long a page may take to show them [s]
WINDOW, PATIENCE = 0.04, 2.0
#: headings of cameras are told apart in such steps [rad]
STEP = math.radians(5.0)
#: largest message that is read [characters]
LONGEST = 2000
#: buttons of the script
PRESSED = ("emergency", "hook", "exercise", "exercise_stop", "exercise_watch")


class Seat:
    """Takes deflections from pages and moves controls. Everything here runs in the thread of the server's loop, but
    for `take`, `leave`, `tell` and `settle`."""

    def __init__(self, open_scene: Callable[[str], None] | None = None) -> None:
        self._open = open_scene
        self._levers: Sequence[Lever] = ()
        self._set: Callable[[str, float], None] = lambda name, value: None
        self._press: Callable[[str], None] = lambda what: None
        self._keys: Sequence[Key] = ()
        self._state: dict[str, Any] = {}
        self._pages: set[ServerConnection] = set()
        self._headings: dict[ServerConnection, float] = {}
        self._driver: ServerConnection | None = None
        self._held: list[float] = []  # as the driver's page says
        self._shut: list[bool] = []  # levers that were held during a stop and have not been in the middle since
        self._wanted: list[float] = []
        self._now: list[float] = []
        self._moving: set[str] = set()  # controls that levers moved when a machine was left
        self._ramp: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._unsettled: set[ServerConnection] = set()
        self._settled = threading.Event()
        self.moved = 0.0
        """When a lever was last off its middle, by time.perf_counter [s]."""

    # ---- from other threads ----------------------------------------------------------------------------------------

    def take(
        self,
        levers: Sequence[Lever],
        set_control: Callable[[str, float], None],
        press: Callable[[str], None],
        keys: Sequence[Key] = (),
    ) -> None:
        """A machine to drive: its levers, how a control is set, what hears of buttons (PRESSED), and the keys
        beside those of the levers. What a lever was moving when the last one was left stands still in this one."""
        self._moving |= {name for lever, now in zip(self._levers, self._now) if now for name in lever.full}
        self._levers, self._set, self._press, self._keys = tuple(levers), set_control, press, tuple(keys)
        if levers:
            for name in self._moving & {name for lever in levers for name in lever.full}:
                set_control(name, 0.0)
            self._moving = set()
        self._wanted, self._now, self._held = [0.0] * len(levers), [0.0] * len(levers), [0.0] * len(levers)
        self._shut = [False] * len(levers)
        self.tell()

    def leave(self) -> None:
        """Nothing to drive."""
        self.take((), lambda name, value: None, lambda what: None)

    def tell(self, **state: Any) -> None:
        """Tell every page what there is to drive, and a state: `emergency`, `hook`, `exercise`, `exercise_more`, `scene`, and `note`: for
        every heading of `headings`."""
        if state and all(self._state.get(key) == value for key, value in state.items()):
            return
        self._state.update(state)
        if self._loop is not None:
            with suppress(RuntimeError):  # the server has ended
                if state.get("emergency"):
                    self._loop.call_soon_threadsafe(self._shut_off)
                self._loop.call_soon_threadsafe(self._send_all)

    @property
    def headings(self) -> set[float | None]:
        """To where the pages look, as they say, in steps of STEP [rad]; None: for those that have not said it."""
        return {None, *list(self._headings.values())}

    def settle(self) -> None:
        """Wait until every page has shown what it was sent: viser's script complains of what is changed and removed
        within one of its pictures. A page that does not answer is not waited for long."""
        if self._loop is None:
            return
        self._settled.clear()
        time.sleep(WINDOW)
        with suppress(RuntimeError):  # the server has ended
            self._loop.call_soon_threadsafe(self._ask_to_settle)
            self._settled.wait(PATIENCE)

    # ---- one page --------------------------------------------------------------------------------------------------

    async def serve(self, page: ServerConnection) -> None:
        """Listen to one page until it is gone."""
        self._loop = asyncio.get_running_loop()
        self._pages.add(page)
        try:
            await page.send(self._words(page))
            while True:
                await self._listen(page)
        except ConnectionClosed:
            pass
        finally:
            self._pages.discard(page)
            self._headings.pop(page, None)
            self._release(page)
            self._has_settled(page)

    async def _listen(self, page: ServerConnection) -> None:
        try:
            text = await asyncio.wait_for(page.recv(), SILENCE if self._driver is page else None)
        except TimeoutError:
            shut = self._shut
            self._release(page)
            self._shut = shut  # silence is no lever in the middle
            return
        try:
            if len(text) > LONGEST:
                raise ValueError("too long")
            message = json.loads(text)
            deflections = [_fraction(value) for value in message.get("levers", ())]
            heading = message.get("heading")
            if heading is not None and not math.isfinite(heading := float(heading)):
                raise ValueError("not finite")
            press, wanted, settled = message.get("press"), message.get("open"), message.get("settled")
        except (ValueError, TypeError, AttributeError, RecursionError):
            # not our script; whoever it is does not drive
            await page.close(1003, "not understood")
            return
        if heading is not None:
            self._headings[page] = STEP * round(heading / STEP)
        if settled:
            self._has_settled(page)
        if press in PRESSED:
            self._press(press)
        if press == "emergency":
            self._shut_off()
        if isinstance(wanted, str) and self._open is not None and wanted in catalogue():
            self._open(wanted)
        if len(deflections) == len(self._levers):
            self._deflect(page, deflections)

    def _ask_to_settle(self) -> None:
        self._unsettled = set(self._pages)
        if not self._unsettled:
            self._settled.set()
        for page in self._pages:
            asyncio.get_running_loop().create_task(self._send(page, '{"settle": true}'))

    def _has_settled(self, page: ServerConnection) -> None:
        self._unsettled.discard(page)
        if not self._unsettled:
            self._settled.set()

    # ---- the levers ------------------------------------------------------------------------------------------------

    def _deflect(self, page: ServerConnection, deflections: list[float]) -> None:
        held = any(deflections)
        if self._driver is None and held:
            self._driver = page
            self._send_all()
        if self._driver is not page:
            if self._driver is None:  # all of them are in the middle
                self._shut = [False] * len(self._levers)
            return
        self._held = deflections
        stopped = bool(self._state.get("emergency"))
        self._shut = [x != 0.0 and (shut or stopped) for x, shut in zip(deflections, self._shut)]
        self._wanted = [0.0 if shut else x for x, shut in zip(deflections, self._shut)]
        if not held:
            self._driver = None
            self._send_all()
        self._follow()

    def _release(self, page: ServerConnection) -> None:
        if self._driver is page:
            self._deflect(page, [0.0] * len(self._levers))

    def _shut_off(self) -> None:
        """A stop has brought all drives to zero: what is held now moves nothing until it has been in the middle."""
        self._shut = [x != 0.0 for x in self._held]
        self._wanted = [0.0] * len(self._levers)
        self._move(1.0)

    def _follow(self) -> None:
        """Move the controls now; go on by a ramp where a lever falls back."""
        self._move(0.0)
        if self._now != self._wanted and (self._ramp is None or self._ramp.done()):
            self._ramp = asyncio.get_running_loop().create_task(self._fall())

    async def _fall(self) -> None:
        before = time.perf_counter()
        while self._now != self._wanted:
            await asyncio.sleep(TICK)
            now = time.perf_counter()
            self._move((now - before) / RAMP)
            before = now

    def _move(self, most: float) -> None:
        """Towards what is wanted: up at once, since drives have ramps of their own; back by `most`, never past zero."""
        before = list(self._now)
        for k, wanted in enumerate(self._wanted):
            now = self._now[k]
            if now * wanted < 0.0:
                now = 0.0
            self._now[k] = wanted if abs(wanted) >= abs(now) else math.copysign(max(abs(wanted), abs(now) - most), now)
        if any(self._now) or any(before):
            self.moved = time.perf_counter()
        changed = {name for lever, a, b in zip(self._levers, before, self._now) if a != b for name in lever.full}
        for name in changed:
            # two levers may move the same control
            total = sum(now * lever.full[name] for lever, now in zip(self._levers, self._now) if name in lever.full)
            top = max(abs(lever.full[name]) for lever in self._levers if name in lever.full)
            self._set(name, min(max(total, -top), top))

    # ---- what pages are told ---------------------------------------------------------------------------------------

    def _send_all(self) -> None:
        for page in self._pages:
            asyncio.get_running_loop().create_task(self._send(page))

    async def _send(self, page: ServerConnection, words: str = "") -> None:
        with suppress(ConnectionClosed):
            await page.send(words or self._words(page))

    def _words(self, page: ServerConnection) -> str:
        driver = "" if self._driver is None else "me" if self._driver is page else "other"
        levers, others = [lever.shown() for lever in self._levers], keys.listed(self._keys)
        notes = self._state.get("note") or {}
        note = notes.get(self._headings.get(page), notes.get(None, ""))
        return json.dumps({"levers": levers, "keys": others, "driver": driver, **self._state, "note": note})


def _fraction(value: object) -> float:
    """A number from -1 to 1. Raises TypeError or ValueError."""
    number = float(value)  # type: ignore[arg-type]
    if not math.isfinite(number):
        raise ValueError("not finite")
    return min(max(number, -1.0), 1.0)
