"""What takes long is told in the page while it lasts, with how long it has taken and a button that stops it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from typing import Any

from taut.cables.rod.stopping import Stop, stoppable

#: what takes longer than this is told, and how often the time it has taken is told anew [s]
TOLD, AGAIN = 0.3, 0.5


class Busy:
    """A line at the top of the panel and a button below it, both there only while something is solved."""

    def __init__(self, gui: Any) -> None:
        self._note: Any = gui.add_html("", visible=False)
        self._button: Any = gui.add_button("stop", visible=False, color="red", hint="all stays as it was before")
        self._stop = Stop()
        self._work = threading.Condition()
        self._since = 0.0  # when what is under way began; zero: nothing is
        self._what: Callable[[], str] = str
        self._ended = False
        # without the guard of other actions: it waits for the one that is to be stopped
        self._button.on_click(self._stopped)
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _stopped(self, _: Any) -> None:
        self._stop.set()

    _stopped.guarded = True  # type: ignore[attr-defined]

    @contextmanager
    def during(self, what: Callable[[], str]) -> Iterator[None]:
        """Around what may take long. what: called when it is told, for the words."""
        self._stop.clear()
        with self._work:
            self._since, self._what = time.monotonic(), what
            self._work.notify()
        try:
            with stoppable(self._stop):
                yield
        finally:
            with self._work:
                self._since = 0.0
                self._work.notify()

    def close(self) -> None:
        """The page ends."""
        with self._work:
            self._ended = True
            self._work.notify()

    def _watch(self) -> None:
        shown = False
        while True:
            with self._work:
                if self._ended:
                    return
                since = self._since
                if not since and not shown:
                    self._work.wait()
                    continue
                took = time.monotonic() - since if since else 0.0
                if since and took < TOLD:
                    self._work.wait(TOLD - took)
                    continue
            if since:
                self._tell(took)
                shown = True
                with self._work:
                    if self._since == since:
                        self._work.wait(AGAIN)
            else:
                self._note.visible = self._button.visible = False
                shown = False

    def _tell(self, took: float) -> None:
        words = f"{escape(self._what())}: {took:.0f} s"
        self._note.content = (
            f'<div data-taut="busy" style="padding:0.4em 1em;font-weight:700;color:#b35c00">{words}</div>'
        )
        if not self._note.visible:
            self._note.visible = self._button.visible = True
