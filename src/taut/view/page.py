"""The page: a server, and one scene after another on it. Without one it shows the gallery."""

from __future__ import annotations

import json
import sys
import threading
import time
import traceback
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from taut.core.collecting import no_collection
from taut.view import gallery
from taut.view import server as web
from taut.view.looks import Look
from taut.view.opening import Broken, Opened, read, read_or_tell, stamp
from taut.view.operator import Seat
from taut.view.server import ViewError
from taut.view.show import Beats, Show
from taut.view.tries import Tries

if TYPE_CHECKING:
    from taut.scene import Scene
    from taut.simulation import Simulation
    from taut.view.first_look import FirstLook
    from taut.view.made import Made
    from taut.view.recording import Kept
    from taut.view.runner import Runner

#: path of the operator's socket, and of the list of scenes
OPERATOR, SCENES = "/taut/operator", "scenes.json"
#: how often a file is looked at for changes [1/s]
LOOK_RATE = 3.0
#: how long a thread may keep the others waiting [s]. Python's own 5 ms, waited for after each of the many array operations
#: of a frame, would make steps late as soon as the server or the mirror has something to do.
TURN = 0.0005


class Page:
    """Serves a scene, a recording or the gallery. `start` returns at once; everything happens in threads of its own.

    page = Page("yard"); page.start(); print(page.url); ...; page.stop()
    """

    def __init__(
        self,
        source: str | Path | Scene | Simulation | None = None,
        *,
        host: str = "127.0.0.1",
        port: int = 8080,
        changes: Iterable[str] = (),
        secret: str = "",
        play: bool = True,
    ) -> None:
        with no_collection(keep=True):
            found = None if source is None else read_or_tell(source, tuple(changes))
        self.broken = found if isinstance(found, Broken) else None
        """The file that is to be shown and has mistakes; None once they are mended."""
        self._wanted = replace(found, play=play) if isinstance(found, Opened) else None
        self.host = host
        self.server = web.start(host, port, secret)
        self.port: int = self.server.get_port()
        self.seat = Seat(self.open)
        self.server.door.sockets[OPERATOR] = self.seat.serve
        self.server.door.made[SCENES] = lambda: json.dumps(gallery.entries()).encode()
        self.failure: Exception | None = None
        """What ended it."""
        self.trouble = ""
        """Why the last scene could not be run, where the page waits for it to be corrected."""
        self._secret = secret
        self._show: Show | None = None
        self._shown: Opened | None = self._wanted
        self._refused: object = None
        self._kept: list[Kept] = []  # recordings of this session, whatever scene they are of
        self._tries: dict[str, Tries] = defaultdict(Tries)  # attempts of this session at the exercise of each scene
        self._looks = Beats(LOOK_RATE)
        self._turn_before = sys.getswitchinterval()
        self._turn, self._closing, self._done = threading.Event(), threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._work, name="taut-page", daemon=True)

    @property
    def url(self) -> str:
        """The address to open."""
        return self._at("localhost" if self.host in ("0.0.0.0", "::") else self.host)

    def _at(self, shown: str) -> str:
        key = f"/?key={self._secret}" if self._secret else ""
        return f"http://{f'[{shown}]' if ':' in shown else shown}:{self.port}{key}"

    @property
    def urls(self) -> list[str]:
        """The addresses to open at other machines; none where it is served to this one only."""
        if self.host in web.LOOPBACK:
            return []
        hosts = web.addresses() if self.host in ("0.0.0.0", "::") else [self.host]
        return [self._at(host) for host in hosts]

    @property
    def scene(self) -> Scene:
        """The scene that is shown, or is about to be."""
        assert self._shown is not None, "the gallery shows no scene"
        return self._shown.scene

    @property
    def source(self) -> str:
        """Name of what is shown; empty in the gallery."""
        if self._shown is not None:
            return self._shown.name
        return "" if self.broken is None else str(self.broken.file)

    @property
    def runner(self) -> Runner | None:
        """What runs; None in the gallery and before it is made."""
        return None if self._show is None else self._show.runner

    def start(self) -> None:
        """Show the scene, prepare the solver, run. Returns at once."""
        sys.setswitchinterval(TURN)
        self._thread.start()

    def open(self, source: str | Path | Scene) -> None:
        """Show another scene instead; what is wrong with it is said in the page. Returns at once, from any thread."""
        try:
            self._wanted = read(source, ())
        except Exception as error:
            from taut.view import mistakes

            self._tell(mistakes.told(error))
            return
        self._turn.set()

    def _reopen(self, made: Made, sim: Simulation, play: bool) -> None:
        """Show the same scene again with other models of cables, from where it stands."""
        shown = self._shown
        if shown is not None and not self._turn.is_set():  # else another scene is wanted already
            self._wanted = replace(shown, scene=sim.scene, sim=sim, made=made, play=play, look=self._look())
            self._turn.set()

    def wait(self, timeout: float | None = None) -> bool:
        """Until it is stopped or has failed; whether it has. A failure to begin with is raised."""
        done = self._done.wait(timeout)
        if done and self.failure is not None:
            raise self.failure
        return done

    def stop(self) -> None:
        """End the run and the server."""
        self._closing.set()
        self._turn.set()
        if self._thread.is_alive():
            self._thread.join(timeout=10.0)
        web.stop(self.server)
        sys.setswitchinterval(self._turn_before)
        self._done.set()

    # ---- the thread of the page ------------------------------------------------------------------------------------

    def _work(self) -> None:
        from taut.view import stage

        stage.dress(self.server)
        self.server.on_client_connect(lambda client: stage.fit(client, self._first_look))
        first = self._wanted is not None
        while not self._closing.is_set():
            self._turn.clear()
            if self._wanted is None:
                self.seat.tell(scene=self.source)
                if self.broken is not None:
                    self._wait_for_mending(self.broken)
                else:
                    self._turn.wait()
                continue
            keep = self._show is not None and self._shown is not None and self._shown.name == self._wanted.name
            self._shown = self._wanted
            self.seat.tell(scene=self._shown.name)
            tries = self._tries[self._shown.name]
            self._show = Show(self.server, self.seat, self._shown, keep, self._kept, self._reopen, tries)
            try:
                self._show.run(self._leaves)
            except Exception as error:
                if first and (self._shown.file is None or self._shown.changes):
                    self.failure = error
                    self._done.set()
                    return
                # said in the page; another scene, or the file corrected, leads out
                self.trouble = _in_full(error)
                while not self._leaves():
                    time.sleep(0.2)
            finally:
                self._show.close()
            first = False
            if not self._closing.is_set():
                self.seat.settle()

    def _first_look(self) -> FirstLook | None:
        """From where what is shown is looked at first."""
        return None if self._show is None else self._show.first

    def _wait_for_mending(self, broken: Broken) -> None:
        """Tell what is wrong with the file until it can be read, or something else is wanted."""
        from taut.scene import Scene
        from taut.view import readout, stage

        # sky and ground: an empty white page would be taken for one that did not load
        stage.set_up(self.server, Scene())
        gui = self.server.gui
        gui.reset()
        gui.set_panel_label("Taut")
        told: Any = gui.add_html("")
        while not self._turn.is_set():
            advice = "Correct the file: it is read again when it is saved."
            told.content = readout.trouble(broken.message, advice, f"{broken.file.name} cannot be shown.")
            self._turn.wait(1.0 / LOOK_RATE)
            found = broken.again()
            if isinstance(found, Opened):
                self.broken, self._wanted = None, found
                return
            self.broken = broken = found
        self.broken = None

    def _leaves(self) -> bool:
        """Whether to make room: for the end, or for another scene; looks at the file now and then."""
        if self._shown is not None and self._shown.file is not None and self._looks.due(0, time.perf_counter()):
            self._reread(self._shown, self._shown.file)
        return self._turn.is_set() or self._closing.is_set()

    def _reread(self, shown: Opened, file: Path) -> None:
        """Take over a file that has changed; one that cannot be read is told once, and what runs goes on."""
        now = stamp(file)
        if now is None or now in (shown.stamp, self._refused):
            return
        try:
            self._wanted = replace(read(file, shown.changes, shown.name), look=self._look())
        except Exception as error:
            from taut.view import mistakes

            self._refused = now
            self._tell(mistakes.told(error), mistakes.summary(error, file.name))
            return
        self._turn.set()

    def _look(self) -> Look:
        """What was chosen to be seen, for a scene that is built anew; one that is opened begins without."""
        return Look() if self._show is None else self._show.look

    def _tell(self, message: str, brief: str = "") -> None:
        if self._show is not None:
            self._show.tell(message, brief)


def _in_full(error: Exception) -> str:
    """Words for the terminal: those of an error that is written to be read, of any other where it came from too."""
    ours = any(kind.__module__.startswith("taut.") for kind in type(error).__mro__)
    return str(error) if ours else "".join(traceback.format_exception(error)).rstrip()


__all__ = ["Page", "ViewError"]
