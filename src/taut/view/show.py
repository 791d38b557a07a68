"""One scene or recording on the page, from the first picture to the moment it makes room for another."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from taut.core.collecting import no_collection
from taut.view.frame import Progress
from taut.view.looks import Look
from taut.view.opening import Opened
from taut.view.operator import Seat
from taut.view.replay import ReplayPlayer
from taut.view.server import Server, tell

if TYPE_CHECKING:
    from viser import NotificationHandle

    from taut.view.cameras import Cameras
    from taut.view.changes import Reopen
    from taut.view.first_look import FirstLook
    from taut.view.frame import Player
    from taut.view.mirror import Mirror
    from taut.view.panel import Panel
    from taut.view.recording import Kept
    from taut.view.runner import Runner
    from taut.view.tools import Tools
    from taut.view.tries import Tries

#: most pushes a second: poses of few and of many bodies, texts, plots
POSE_RATE, MANY_POSE_RATE, TEXT_RATE, PLOT_RATE = 60.0, 30.0, 10.0, 5.0
MANY = 400
#: what helps where the page itself is wrong, not the scene
REOPEN = "This is a mistake in Taut, told in full on the terminal. Scenes opens this or another scene again."
#: how long sliders follow the levers after they were last moved [s]
DRIVEN = 0.5


class Show:
    """Mirror, panel, plots, cameras and the runner behind them. All of it lives in the thread that calls `run`."""

    def __init__(
        self,
        server: Server,
        seat: Seat,
        opened: Opened,
        keep_camera: bool,
        kept: list[Kept],
        reopen: Reopen,
        tries: Tries | None = None,
    ) -> None:
        self.opened, self._tries = opened, tries
        self._kept, self._reopen = kept, reopen
        self.runner: Runner | None = None
        self.panel: Panel | None = None
        self.first: FirstLook | None = None
        """From where browsers look at it first; None before there is something to look at."""
        self._server, self._seat, self._keep_camera = server, seat, keep_camera
        self._progress = Progress()
        self._tools: Tools | None = None
        self._told: list[NotificationHandle] = []

    def run(self, leave: Callable[[], bool]) -> None:
        """Show it until it is time to leave. Raises what keeps it from running at all."""
        with no_collection(keep=True):
            mirror, panel, cameras, runner = self._build()
            ready = self._prepare(panel, runner, leave)
            tools = self._tools = self._furnish(mirror, panel, runner) if ready else None
        if tools is not None:
            # not before everything is in its place: building it would keep the first steps waiting
            if self.opened.play:
                runner.play()
            try:
                self._push(mirror, panel, cameras, runner, tools, leave)
            except Exception as error:
                # a picture that stands still without a word would be taken for a machine that does
                panel.fail(f"The page itself failed: {type(error).__name__}: {error}", REOPEN)
                raise

    def close(self) -> None:
        """End the run; what is drawn stays until something else is."""
        self._take_back()
        self._seat.leave()
        if self.runner is not None:
            self.runner.close()
            self.runner.join(timeout=5.0)
        if self._tools is not None:
            self._tools.close()
        # nothing runs that could be late: what was kept out of the collector's sight may go
        gc.unfreeze()
        gc.collect()

    @property
    def look(self) -> Look:
        """What a person has chosen to see of it."""
        chosen = self.opened.look if self.panel is None else self.panel.look
        return replace(chosen, quantities=chosen.quantities if self._tools is None else self._tools.quantities)

    def tell(self, message: str, brief: str = "") -> None:
        """Say in the panel what is wrong with what was asked for, and over the picture, there in brief words if there are any; the run goes
        on. Nothing to say takes it away."""
        if self.panel is not None:
            self.panel.warn(message)
        self._take_back()
        if message:
            self._told = tell(self._server, "Not taken over", brief or message)

    def _take_back(self) -> None:
        """What was wrong before must not stand over what is right now."""
        while self._told:
            self._told.pop().remove()

    def _build(self) -> tuple[Mirror, Panel, Cameras, Runner]:
        """Everything that needs no solver. The heavy imports come here, when the page is already up."""
        from taut.view import stage
        from taut.view.cameras import Cameras
        from taut.view.first_look import FirstLook
        from taut.view.mirror import Mirror
        from taut.view.panel import Panel
        from taut.view.runner import Runner

        server, scene = self._server, self.opened.scene
        runner = self.runner = Runner(self._make_player, play=False)
        runner.start()
        with server.atomic():
            server.gui.reset()
            server.scene.reset()
            server.scene.remove_click_callback("all")
            stage.dress(server)
            look = self.opened.look
            cameras = Cameras(server, scene, look.presets)
            panel = self.panel = Panel(server, scene, runner, self.opened.name, cameras, look)
            stage.set_up(server, scene, self._keep_camera)
            first = self.first = FirstLook(scene)
            for client in () if self._keep_camera else server.get_clients().values():
                first.place(client)
            self._seat.tell(ground=stage.ground_level(scene))
            mirror = Mirror(server, scene)
        return mirror, panel, cameras, runner

    def _make_player(self) -> Player:
        if self.opened.recording is not None:
            return ReplayPlayer(self.opened.recording)
        from taut.view.live import LivePlayer

        return LivePlayer(self.opened.sim or self.opened.scene, self._note, self.opened.made)

    def _note(self, ready: int, total: int, stage: str) -> None:
        self._progress = Progress(ready, total, stage)

    def _prepare(self, panel: Panel, runner: Runner, leave: Callable[[], bool]) -> bool:
        """Tell how far the solver is until it is ready; whether there is something to run."""
        started = time.perf_counter()
        while not runner.ready.wait(0.25):
            if leave():
                return False
            panel.prepare(time.perf_counter() - started, self._progress)
        if runner.failure is not None:
            panel.fail(str(runner.failure))
            raise runner.failure
        return True

    def _furnish(self, mirror: Mirror, panel: Panel, runner: Runner) -> Tools:
        """Everything that needs the solver."""
        from taut.view import keys, levers
        from taut.view.tools import Tools

        panel.ready()
        moved = levers.of_scene(self.opened.scene, runner.controls())
        others = keys.of_scene(bool(moved), panel.state["hook"] is not None, panel.cameras)
        opened = self.opened
        tools = Tools(
            self._server, opened.scene, runner, mirror, opened.file, self.tell, self._reopen, opened.made, opened.name,
            self._kept, opened.look.quantities, self._tries,
        )  # fmt: skip
        self._seat.tell(exercise=tools.exercise, exercise_more=tools.exercise_more)

        def press(what: str) -> None:
            if not tools.press(what):
                panel.press(what)

        self._seat.take(moved, tools.drive, press, others)
        return tools

    def _push(
        self,
        mirror: Mirror,
        panel: Panel,
        cameras: Cameras,
        runner: Runner,
        tools: Tools,
        leave: Callable[[], bool],
    ) -> None:
        """Bring the latest moment to the browsers, never more often than they can use, until it is time to leave.

        The server keeps one message per property for all of them: a browser that stalls finds the newest one when it
        comes back, and nothing piles up.
        """
        rate = POSE_RATE if len(self.opened.scene.all_bodies()) <= MANY else MANY_POSE_RATE
        beats = Beats(TEXT_RATE, PLOT_RATE)
        pushed, resets = 0.0, runner.resets
        while not leave():
            # as soon as there is something new, but not more often than that
            runner.fresh.wait(0.25)
            time.sleep(max(0.0, pushed + 0.9 / rate - time.perf_counter()))
            runner.fresh.clear()
            if runner.resets != resets:  # asked before the frame, which is then one from after it
                resets = runner.resets
                tools.begin_again()
            frame, pushed = runner.frame, time.perf_counter()
            self._seat.tell(**panel.state)
            if frame is None or not self._server.get_clients():
                continue
            mirror.colour_by(panel.by_tension, panel.by_bend, panel.by_share)
            mirror.show(frame)
            tools.show(frame)
            # without this the server would wait for more to send, and halve the rate
            self._server.flush()
            cameras.show(frame)
            now = time.perf_counter()
            if beats.due(0, now):
                panel.show(frame, runner.status, now - self._seat.moved < DRIVEN)
                tools.write(frame, panel)
                said = f"{panel.said} · " if panel.said else ""
                notes = {
                    heading: f"{said}{tools.note_for(heading)}".removesuffix(" · ") for heading in self._seat.headings
                }
                self._seat.tell(note=notes, exercise=tools.exercise, exercise_more=tools.exercise_more)
            if beats.due(1, now):
                tools.draw()


class Beats:
    """Several rates, each due on its own."""

    def __init__(self, *rates: float) -> None:
        self._every = [1.0 / rate for rate in rates]
        self._next = [0.0] * len(rates)

    def due(self, k: int, now: float) -> bool:
        """Whether rate k is due; counts from now if so."""
        if now < self._next[k]:
            return False
        self._next[k] = now + self._every[k]
        return True
