"""The frames of a motion in the routing studio: a slider through all of them, play and pause. What is shown was solved when the motion was
run; nothing is solved here."""

from __future__ import annotations

import threading
import time
from html import escape
from typing import Any

from taut.cables.rod.limits import Limits
from taut.cables.rod.motion import Cycle
from taut.cables.rod.route import Route
from taut.cables.rod.stills import stand
from taut.view.route_edits import Edits

#: a motion is played at its own pace, but for one that would be over too soon or last too long [s]
SHORTEST, LONGEST = 3.0, 30.0
#: pictures a second at most: each is a new mesh of every cable
RATE = 12.0
PLAY, PAUSE = "play", "pause"


class Frames:
    """A slider and two buttons; which frame is seen, if one is."""

    def __init__(self, gui: Any, edits: Edits) -> None:
        self._edits = edits
        self._cycle: Cycle | None = None
        self._moved: Route | None = None  # the route that went through it, standing as in the frame that is seen
        self._name = ""
        self._seen: int | None = None  # index of the frame
        self._plays = threading.Event()
        self.slider: Any = gui.add_slider(
            "frame", 1, 2, 1, 1, visible=False,
            hint="of the motion: shape, parts and results as they were solved; any change goes back to the present shape",
        )  # fmt: skip
        self.when: Any = gui.add_html("", visible=False)
        self.play: Any = gui.add_button(PLAY, visible=False)
        self.back: Any = gui.add_button("back to the present shape", visible=False)
        self.slider.on_update(self._slid)
        self.play.on_click(edits.guarded(lambda _: self.pause() if self._plays.is_set() else self.run()))
        self.back.on_click(edits.guarded(lambda _: self.leave()))

    @property
    def route(self) -> Route | None:
        """The route as it stands in the frame that is seen; none where the present one is."""
        return self._moved if self._seen is not None else None

    @property
    def words(self) -> str:
        """Which frame is seen; nothing where none is."""
        if self._seen is None or self._cycle is None:
            return ""
        times = self._cycle.times
        return f"frame {self._seen + 1} of {len(times)} of motion {self._name}, at {times[self._seen]:g} s"

    @property
    def suffix(self) -> str:
        """What the name of a file says of the frame that is seen."""
        return "" if self._seen is None else f"_frame_{self._seen + 1}"

    def take(self, cycle: Cycle | None, moved: Route | None, name: str = "") -> None:
        """Another motion was run, or the one that was no longer counts."""
        self.pause()
        self._cycle, self._moved, self._name, self._seen = cycle, moved, name, None
        there = cycle is not None and len(cycle.stills) > 1
        if cycle is not None and there:
            self.slider.max = len(cycle.stills)
            self.slider.value = 1
        self._offer(there)

    def judge(self, limits: dict[str, Limits]) -> None:
        """Frames are looked at beside these limits."""
        if self._moved is not None:
            self._moved.limits = dict(limits)

    def watch(self, frame: int) -> None:
        """See a frame, by its index. Nothing of the route is changed: there is nothing that would have to be taken back."""
        with self._edits.lock:
            if self._cycle is None or self._moved is None or frame == self._seen:
                return
            if self._seen is None:
                self._edits.message = ""  # what was said is about the present shape
            self._seen = max(0, min(frame, len(self._cycle.stills) - 1))
            stand(self._moved.harness._net, self._cycle.stills[self._seen])
            self._offer(True)
            self._edits.redraw()

    def leave(self) -> None:
        """The present shape is seen again."""
        with self._edits.lock:
            self.pause()
            if self._seen is not None:
                self._seen = None
                self._offer(self._cycle is not None)
                self._edits.redraw()

    def run(self) -> None:
        """Play from the frame that is seen, from the first one where it is the last."""
        if self._cycle is None or self._plays.is_set():
            return
        first = self._seen or 0
        first = 0 if first >= len(self._cycle.stills) - 1 else first
        self._plays.set()
        self.play.label = PAUSE
        threading.Thread(target=self._go_on, args=(self._cycle, first), daemon=True).start()

    def pause(self) -> None:
        """Stay at the frame that is seen."""
        self._plays.clear()
        if self.play.label != PLAY:
            self.play.label = PLAY

    def _go_on(self, cycle: Cycle, first: int) -> None:
        """Frame after frame as the clock goes; those that would come too fast are left out."""
        last = len(cycle.stills) - 1
        span = cycle.times[-1] - cycle.times[0]
        each = max(SHORTEST, min(span, LONGEST)) / last
        began, shown = time.monotonic(), -1
        while self._plays.is_set() and shown < last:
            frame = min(last, first + int((time.monotonic() - began) / each))
            if frame != shown:
                shown = frame
                with self._edits.lock:
                    if not self._plays.is_set() or cycle is not self._cycle:
                        return
                    self.watch(frame)
                    self.slider.value = frame + 1
            time.sleep(1.0 / RATE)
        self.pause()

    def _slid(self, event: Any) -> None:
        if event.client_id is None:
            return  # by ourselves
        self.pause()
        # where it is by now: it may have gone on faster than frames are drawn
        self.watch(int(self.slider.value) - 1)

    _slid.guarded = True  # type: ignore[attr-defined]

    def _offer(self, there: bool) -> None:
        seen = self._seen is not None
        for box, shown in ((self.slider, there), (self.play, there), (self.when, seen), (self.back, seen)):
            if box.visible != shown:
                box.visible = shown
        told = f'<div data-taut="frame" style="padding:0 1em;font-size:0.8em">{escape(self.words)}</div>'
        if seen and self.when.content != told:
            self.when.content = told
