"""The page: a server, a mirror of the scene, a panel, plots, and the runner behind them."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from taut.view import server as web
from taut.view.frame import Progress
from taut.view.operator import Seat
from taut.view.replay import ReplayPlayer, is_recording, open_recording
from taut.view.server import ViewError

if TYPE_CHECKING:
    from taut.scene import Scene
    from taut.view.cameras import Cameras
    from taut.view.frame import Player
    from taut.view.mirror import Mirror
    from taut.view.panel import Panel
    from taut.view.plots import Plots
    from taut.view.runner import Runner

#: most pushes a second: poses of few and of many bodies, texts, plots
POSE_RATE, MANY_POSE_RATE, TEXT_RATE, PLOT_RATE = 60.0, 30.0, 10.0, 5.0
MANY = 400
#: path of the operator's socket
OPERATOR = "/taut/operator"
#: how long sliders follow the levers after they were last moved [s]
DRIVEN = 0.5


class Page:
    """Serves a scene or a recording. `start` returns at once; everything happens in threads of its own.

    page = Page("yard"); page.start(); print(page.url); ...; page.stop()
    """

    def __init__(
        self,
        source: str | Path | Scene,
        *,
        host: str = "127.0.0.1",
        port: int = 8080,
        changes: Iterable[str] = (),
        secret: str = "",
    ) -> None:
        self._recording = open_recording(str(source)) if is_recording(source) else None
        with _no_collection():
            self.scene = self._recording.scene if self._recording is not None else _scene(source, changes)
        self.source = source if isinstance(source, str) else getattr(source, "name", "")
        self.host = host
        self.server = web.start(host, port, secret)
        self.seat = Seat()
        self.server.door.sockets[OPERATOR] = self.seat.serve
        self._secret = secret
        self.port: int = self.server.get_port()
        self.runner: Runner | None = None
        self.failure: Exception | None = None
        self._progress = Progress()
        self._cameras: Cameras | None = None
        self._closing = threading.Event()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._work, name="taut-page", daemon=True)

    @property
    def url(self) -> str:
        """The address to open."""
        shown = "localhost" if self.host in ("0.0.0.0", "::") else self.host
        key = f"/?key={self._secret}" if self._secret else ""
        return f"http://{f'[{shown}]' if ':' in shown else shown}:{self.port}{key}"

    def start(self) -> None:
        """Show the scene, prepare the solver, run. Returns at once."""
        self._thread.start()

    def wait(self, timeout: float | None = None) -> bool:
        """Until it is stopped or has failed; whether it has. A failure to begin with is raised."""
        done = self._done.wait(timeout)
        if done and self.failure is not None:
            raise self.failure
        return done

    def stop(self) -> None:
        """End the run and the server."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join(timeout=5.0)
        if self.runner is not None:
            self.runner.close()
        web.stop(self.server)
        self._done.set()

    # ---- the thread of the page ------------------------------------------------------------------------------------

    def _work(self) -> None:
        try:
            with _no_collection():
                mirror, panel, runner = self._build()
                ready = self._prepare(panel, runner)
            if ready:
                self._push(mirror, panel, runner)
        except Exception as error:
            self.failure = error
            self._done.set()

    def _build(self) -> tuple[Mirror, Panel, Runner]:
        """Everything that needs no solver. The heavy imports come here, when the page is already up."""
        from taut.view import stage
        from taut.view.cameras import Cameras
        from taut.view.mirror import Mirror
        from taut.view.panel import Panel
        from taut.view.runner import Runner

        stage.dress(self.server)
        runner = self.runner = Runner(self._make_player)
        runner.start()
        self._cameras = Cameras(self.server, self.scene)
        panel = Panel(self.server, self.scene, runner, self.source, self._cameras)
        stage.set_up(self.server, self.scene)
        return Mirror(self.server, self.scene), panel, runner

    def _make_player(self) -> Player:
        if self._recording is not None:
            return ReplayPlayer(self._recording)
        from taut.view.live import LivePlayer

        return LivePlayer(self.scene, self._note)

    def _note(self, ready: int, total: int, stage: str) -> None:
        self._progress = Progress(ready, total, stage)

    def _prepare(self, panel: Panel, runner: Runner) -> bool:
        """Tell how far the solver is until it is ready; whether there is something to run."""
        started = time.perf_counter()
        while not runner.ready.wait(0.25):
            if self._closing.is_set():
                return False
            panel.prepare(time.perf_counter() - started, self._progress)
        if runner.failure is not None:
            panel.fail(str(runner.failure))
            raise runner.failure
        return True

    def _push(self, mirror: Mirror, panel: Panel, runner: Runner) -> None:
        """Bring the latest moment to the browsers, never more often than they can use, until closed.

        The server keeps one message per property for all of them: a browser that stalls finds the newest one when it
        comes back, and nothing piles up.
        """
        from taut.view import levers
        from taut.view.plots import Plots

        assert self._cameras is not None
        panel.ready()
        self.seat.take(levers.of_scene(self.scene, runner.controls()), runner.set_control, panel.press)
        plots: Plots | None = Plots(self.server, runner) if runner.player.quantities else None
        rate = POSE_RATE if len(self.scene.all_bodies()) <= MANY else MANY_POSE_RATE
        beats = Beats(TEXT_RATE, PLOT_RATE)
        pushed = 0.0
        while not self._closing.is_set():
            # as soon as there is something new, but not more often than that
            runner.fresh.wait(0.25)
            self._closing.wait(max(0.0, pushed + 0.9 / rate - time.perf_counter()))
            runner.fresh.clear()
            frame, pushed = runner.frame, time.perf_counter()
            self.seat.tell(**panel.state)
            if frame is None or not self.server.get_clients():
                continue
            mirror.cables.by_tension = mirror.strands.by_tension = panel.by_tension
            mirror.show(frame)
            # without this the server would wait for more to send, and halve the rate
            self.server.flush()
            self._cameras.show(frame)
            now = time.perf_counter()
            if beats.due(0, now):
                panel.show(frame, runner.status, now - self.seat.moved < DRIVEN)
            if plots is not None and beats.due(1, now):
                plots.show()


@contextmanager
def _no_collection() -> Iterator[None]:
    """No search for garbage among the many objects that a start makes: nearly all of them stay, and later searches,
    which would make a frame late, need not look at them either."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


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


def _scene(source: str | Path | Scene, changes: Iterable[str]) -> Scene:
    from taut.scene import Scene
    from taut.scenes import open_scene

    changes = tuple(changes)
    if isinstance(source, Scene):
        return source.with_overrides(changes) if changes else source
    return open_scene(source, changes)


__all__ = ["Page", "ViewError"]
