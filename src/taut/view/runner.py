"""The thread that runs: at its own clock, whatever browsers do."""

from __future__ import annotations

import queue
import threading
import time
from bisect import bisect_left
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any, Literal

from taut.view.backlog import Backlog
from taut.view.frame import Control, Frame, Player
from taut.view.history import History
from taut.view.pace import Meter, Pace
from taut.view.past import Past
from taut.view.sliders import is_drive, is_speed, stays_as_then

if TYPE_CHECKING:
    from taut.view.springs import Grip

Phase = Literal["starting", "running", "paused", "ended", "failed"]
#: frames are copied out at most so often [1/s]
FRAME_RATE = 60.0
#: how long a pause sleeps before it looks up; commands wake it at once [s]
IDLE = 0.25
#: how long what was kept is read at once, for a quantity that was chosen [s]
READING = 0.001
#: commands that may wait; a page that sends more is not listened to
MOST_COMMANDS = 256


@dataclass(frozen=True)
class Status:
    """Where the run stands, for the panel."""

    phase: Phase
    message: str = ""
    factor: float | None = None
    """Simulated seconds per second; None while it is not known."""
    cost: float = 0.0
    """Time that a step takes [s]."""
    speed: float = 1.0
    """Simulated seconds per second that are wanted."""
    run: int = 0
    """Number of the run in this process: what a tab shows can be told from what it showed before."""
    replays: bool = False
    """Whether moments that were kept are shown again."""


#: numbers of runs
_RUNS = count(1)


class Runner(threading.Thread):
    """Makes a player and moves it on. Every method may be called from any thread and returns at once."""

    def __init__(self, make: Callable[[], Player], play: bool = True) -> None:
        super().__init__(name="taut-runner", daemon=True)
        self._run = next(_RUNS)
        self._play = play
        self._make = make
        self._player: Player | None = None
        self._inbox: queue.Queue[Callable[[], None]] = queue.Queue(MOST_COMMANDS)
        self._pace = Pace(1.0)
        self._meter = Meter()
        self._phase: Phase = "starting"
        self._message = ""
        self._quantities: tuple[str, ...] = ()
        self._frame: Frame | None = None
        self._present = 0.0  # time of the latest step, whatever is shown [s]
        self._published = 0.0
        self._closing = threading.Event()
        self.history = History()
        self.past = Past()
        self._backlog = Backlog(self.history)
        self.show_forces = False
        """Whether frames tell the forces of contacts and joints."""
        self._looked: tuple[Frame, Any] | None = None
        self._set_since: set[str] = set()  # controls that were set while the past was looked at
        self._stopped = False
        self.heard: list[Callable[[Frame], None]] = []
        """Who hears of every new moment of the run, in this thread."""
        # moments that were kept and how far they have come [s], and when that was
        self._again: tuple[Sequence[Frame], float] | None = None
        self._replay = 0.0
        self.resets = 0
        """How often it went back, or on with a changed scene: sliders then show the controls as they are now, and what was
        largest before does not count any more."""
        self.fresh = threading.Event()
        """Set with every new frame; whoever shows it clears it."""
        self.ready = threading.Event()
        """Set once the player is made, or could not be made."""
        self.failure: Exception | None = None
        """Why the player could not be made."""

    # ---- what others see -------------------------------------------------------------------------------------------

    @property
    def player(self) -> Player:
        """The player; only its constants may be read from other threads."""
        assert self._player is not None, "wait for `ready` first"
        return self._player

    @property
    def frame(self) -> Frame | None:
        """The latest moment."""
        return self._frame

    @property
    def status(self) -> Status:
        """Where the run stands."""
        factor = self._meter.factor if self._phase == "running" else None
        return Status(self._phase, self._message, factor, self._pace.cost, self._pace.speed, self._run, self.replays)

    @property
    def present(self) -> float:
        """Simulated time of the present, whatever is shown [s]."""
        return self._present

    @property
    def reach(self) -> float:
        """How far back one can look from the present [s]."""
        oldest = self.past.oldest
        return 0.0 if oldest is None else max(0.0, self._present - oldest)

    @property
    def looks_back(self) -> bool:
        """Whether a moment of the past is shown."""
        return self._looked is not None or self._again is not None

    @property
    def replays(self) -> bool:
        """Whether moments that were kept are shown again."""
        return self._again is not None

    @property
    def replayed(self) -> tuple[float, float] | None:
        """How far what is shown again has come, and how long it is [s]; None: nothing is."""
        again, frame = self._again, self._frame
        if again is None or frame is None:
            return None
        first, last = again[0][0].time, again[0][-1].time
        return min(max(frame.time - first, 0.0), last - first), last - first

    @property
    def stopped(self) -> bool:
        """Whether the emergency stop is on: no drive is set to anything but rest."""
        return self._stopped

    @property
    def speed(self) -> float:
        """Wanted simulated seconds per second."""
        return self._pace.speed

    # ---- what others ask for ---------------------------------------------------------------------------------------

    def play(self) -> None:
        """Run at the clock."""
        self._ask(lambda: self._go("running"))

    def pause(self) -> None:
        """Stand still."""
        self._ask(lambda: self._go("paused"))

    def toggle(self) -> None:
        """Pause if it runs, else play."""
        self._ask(lambda: self._go("paused" if self._phase == "running" else "running"))

    def step(self) -> None:
        """Make one step, then stand still."""
        self._ask(self._single)

    def reset(self) -> None:
        """Back to the start; goes on if it was running, and also after an error."""
        self._ask(self._restart)

    def seek(self, moment: float) -> None:
        """Go to a moment of a recording [s]."""
        self._ask(lambda: self._jump(moment))

    def set_speed(self, speed: float) -> None:
        """Simulated seconds per second."""
        self._ask(lambda: setattr(self._pace, "speed", speed))

    def set_control(self, name: str, value: float) -> None:
        """Change a control from the next step on."""
        self._ask(lambda: self._set_control(name, value))

    def stop_drives(self, on: bool) -> None:
        """Bring every drive to rest and keep it there, or let them be driven again; a reset lets them, too."""
        self._ask(lambda: self._stop_drives(on))

    def begin_anew(self, then: Callable[[], None]) -> None:
        """Back to the start and run; `then` is called before the first step."""
        self._ask(lambda: self._begin_anew(then))

    def between_steps(self, act: Callable[[], None]) -> None:
        """Call something in this thread, while nothing moves."""
        self._ask(act)

    def show_again(self, frames: Sequence[Frame]) -> None:
        """Stand still and show moments that were kept, at their own pace; then the present again."""
        self._ask(lambda: self._show_again(frames))

    def replay_from(self, moment: float) -> None:
        """Go on with what is shown again so long after its beginning [s]."""
        self._ask(lambda: self._replay_from(moment))

    def look_back(self, back: float) -> None:
        """Stand still and show what was so long before the present [s]; play and step go on from there."""
        self._ask(lambda: self._look_back(back))

    def change(self, changes: Sequence[str], told: Callable[[str], None]) -> None:
        """Go on with a changed scene from the present pose; `told` hears what is wrong with it, or nothing."""
        self._ask(lambda: self._change(tuple(changes), told))

    def remake(self, changes: Sequence[str], told: Callable[[str, Any, float, bool], None]) -> None:
        """Stand still, and make a simulation of a changed scene that goes on from the present pose, for a run of its own; `told`
        hears what is wrong with it, or nothing, the simulation, its potential energy at the start [J], and whether it was running."""
        self._ask(lambda: self._remake(tuple(changes), told))

    def pull(self, grip: Grip | None, target: Any = None) -> None:
        """Pull what is held to a target by a spring; without them, let go."""
        self._ask(lambda: self.player.pull(grip, target))

    def choose(self, *quantities: str) -> None:
        """The quantities to plot, instead of those before."""
        self._ask(lambda: self._choose(quantities))

    def controls(self) -> list[Control]:
        """Controls with their values; for the panel, after `ready` or a reset."""
        return self.player.controls

    def close(self) -> None:
        """End the thread."""
        self._closing.set()
        self._ask(lambda: None)

    def _ask(self, command: Callable[[], None]) -> None:
        # a full inbox means a page gone wild: what it sends now is lost, the run is not
        with suppress(queue.Full):
            self._inbox.put_nowait(command)

    # ---- the thread ------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Make the player, then step until closed."""
        try:
            self._player = self._make()
        except Exception as error:
            self.failure, self._phase, self._message = error, "failed", str(error)
            self.ready.set()
            return
        self._pace.dt = self._player.dt
        self._publish()
        self.ready.set()
        if not self._closing.is_set():
            self._go("running" if self._play else "paused")
        while not self._closing.is_set():
            self._turn()
        with suppress(queue.Empty):  # what was asked for before: a lever that was released, a stop
            while True:
                self._inbox.get_nowait()()

    def _turn(self) -> None:
        """One round: make what is due, then listen until the next step is."""
        wait = IDLE
        if self._phase == "running":
            steps = self._pace.due(time.perf_counter())
            if steps > 0:
                self._advance(steps)
            wait = self._pace.wait(time.perf_counter())
            if self._backlog.left:
                self._backlog.read(self.player, time.perf_counter() + min(READING, wait - READING))
                wait = self._pace.wait(time.perf_counter())
        elif self._again is not None:
            wait = self._next_again(*self._again)
        if self._backlog.left and self._phase != "running":
            self._backlog.read(self.player, time.perf_counter() + READING)
            wait = 0.0 if self._backlog.left else min(wait, 1.0 / FRAME_RATE)
            self.fresh.set()
        with suppress(queue.Empty):
            self._inbox.get(timeout=wait)() if wait > 0.0 else self._inbox.get_nowait()()
            while True:
                self._inbox.get_nowait()()

    def _advance(self, steps: int) -> None:
        from taut.simulation import SimulationError

        started = time.perf_counter()
        try:
            self.player.advance(steps)
        except SimulationError as error:
            self._phase, self._message = "failed", str(error)
        else:
            now = time.perf_counter()
            self._pace.spent(steps, now - started)
            self._meter.mark(now, self.player.time)
            end = self.player.duration
            if end is not None and self.player.time >= end:
                self._phase = "ended"
        if self._phase != "running" or time.perf_counter() - self._published >= 0.9 / FRAME_RATE:
            self._publish()

    def _publish(self) -> None:
        sample = self.history.wants(self.player.time)
        forces = {"forces": True} if self.show_forces else {}
        frame = self.player.frame(self._quantities, sample, **forces)
        if sample:
            self.history.add(frame)
        if self.past.wants(frame.time) and (kept := self.player.keep()) is not None:
            self.past.add(frame, kept)
        self._frame, self._present, self._published = frame, frame.time, time.perf_counter()
        for hear in self.heard:
            hear(frame)
        self.fresh.set()

    def _set_control(self, name: str, value: float) -> None:
        if self._stopped and is_drive(name):
            return  # whoever asks: a lever, a slider, a page that has not heard of it yet
        self.player.set_control(name, value)
        if self._looked is not None:
            self._set_since.add(name)

    def _stop_drives(self, on: bool) -> None:
        for control in self.player.controls if on else ():
            if is_speed(control):
                self._set_control(control.name, 0.0)
        self._stopped = on

    def _begin_anew(self, then: Callable[[], None]) -> None:
        self._restart()
        then()
        self._go("running")
        self._publish()

    def _show_again(self, frames: Sequence[Frame]) -> None:
        if self._phase == "running":
            self._go("paused")
        if self._phase == "paused" and frames:
            # the frame first: whoever sees that it is a replay must not find the present in it
            self._frame = frames[0]
            self._again, self._replay = (frames, 0.0), time.perf_counter()
            self.fresh.set()

    def _replay_from(self, moment: float) -> None:
        if self._again is not None:
            self._again = self._again[0], moment

    def _next_again(self, frames: Sequence[Frame], gone: float) -> float:
        """Show what was so long after the beginning of an earlier run [s]; time until the next moment [s]."""
        clock = time.perf_counter()
        gone, self._replay = gone + (clock - self._replay) * self.speed, clock
        now = frames[0].time + gone
        if now > frames[-1].time:
            self._again = None
            self._publish()
            return IDLE
        self._frame = frames[bisect_left(frames, now, key=lambda frame: frame.time)]
        self._again = frames, gone
        self.fresh.set()
        return 1.0 / FRAME_RATE

    def _look_back(self, back: float) -> None:
        if self._phase == "running":
            self._go("paused")
        found = self.past.at(self.player.time - back) if back > 0.0 else None
        if self._phase != "paused" or (back > 0.0 and found is None):
            return
        self._again = None
        # the frame first: whoever sees that the past is looked at must not find the present in it
        if found is None:
            self._set_since.clear()
            self._publish()  # the present
        else:
            self._frame = found[0]
            self.fresh.set()
        self._looked = found

    def _go_on_from_there(self) -> None:
        """If something past is shown, that is where it goes on: what came after has not happened. A replay ends."""
        self._again = None
        if self._looked is not None:
            frame, kept = self._looked
            self._looked = None
            shown = self.player.controls
            self.player.recall(kept)
            # a lever that was held then is not held now: drives go, by their ramps, to what the sliders show in the pause
            for control in shown:
                if control.name in self._set_since or not stays_as_then(control):
                    self.player.set_control(control.name, control.value)
            self._set_since.clear()
            self.past.forget_after(frame.time)
            self.history.forget_after(frame.time)
            self.resets += 1

    def _go(self, phase: Phase) -> None:
        if self._phase == "failed":
            return  # only a reset leads out
        if phase == "running":
            self._go_on_from_there()
        self._again = None
        if self._phase == "ended" and phase == "running":
            self._restart()
        self._phase = phase
        self._pace.start(time.perf_counter())
        self._meter.clear()
        if phase == "paused":
            self._publish()  # the very step at which it stands, not one shortly before

    def _single(self) -> None:
        if self._phase == "running":
            self._go("paused")
        self._go_on_from_there()
        if self._phase == "paused":
            self._advance(1)
            self._publish()

    def _restart(self) -> None:
        self.player.reset()
        self._looked = self._again = None
        self._set_since.clear()
        self._stopped = False
        self.past.clear()
        self._backlog.clear()
        if self._phase in ("failed", "ended"):
            self._phase, self._message = "paused" if self._phase == "failed" else "running", ""
        self._begin_again()
        self.resets += 1

    def _jump(self, moment: float) -> None:
        self.player.seek(moment)
        if self._phase == "ended":
            self._phase = "paused"
        self._begin_again()

    def _change(self, changes: tuple[str, ...], told: Callable[[str], None]) -> None:
        from taut.scene import SceneError

        self._go_on_from_there()
        try:
            self.player.change(changes)
        except (SceneError, ValueError) as error:
            told(str(error))
            return
        # states that were kept are those of another machine
        self.resets += 1
        self.past.clear()
        self._backlog.clear()
        self._pace.start(time.perf_counter())
        self._publish()
        told("")

    def _remake(self, changes: tuple[str, ...], told: Callable[[str, Any, float, bool], None]) -> None:
        from taut.scene import SceneError

        self._go_on_from_there()
        try:
            sim, base = self.player.remade(changes)
        except (SceneError, ValueError) as error:
            self._pace.start(time.perf_counter())
            told(str(error), None, 0.0, False)
            return
        running = self._phase == "running"
        self._go("paused")
        told("", sim, base, running)

    def _choose(self, quantities: Sequence[str]) -> None:
        self._quantities = tuple(name for name in quantities if self.player.unit_of(name) is not None)
        new = self.history.choose(self._quantities)
        self._backlog.choose(self._quantities)
        if not self.looks_back:
            self._publish()
        if new:
            now = self.player.time
            for name, value in self.player.frame(new, account=False).values.items():
                self.history.add_before(name, now, value)
            self._backlog.fill(new, self.past.before(now))

    def _begin_again(self) -> None:
        """Nothing before this moment belongs to what comes."""
        self.history.clear()
        self._meter.clear()
        self._pace.start(time.perf_counter())
        self._publish()
