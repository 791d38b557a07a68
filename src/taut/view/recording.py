"""A run that is driven in the page, recorded and taken along: a file, a replay that opens by double click, a table, a model.

The recording is written where the page was started, while it is driven; what a person asks for is made of it and sent to
their browser.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import viser

from taut.scene import Scene
from taut.view import readout
from taut.view.frame import Frame
from taut.view.runner import Runner
from taut.view.server import tell

#: what can be made of a recording, by its ending
FORMS = {"replay page": ".html", "table": ".csv", "moving model": ".glb", "recording": ".h5"}
#: moments a second of a replay
RATE = 30.0


@dataclass(frozen=True)
class Kept:
    """A recording that is whole."""

    file: Path
    length: float
    """Simulated time in it [s]."""
    begun: str
    """When it was begun, by the clock on the wall: '14:05:33'."""

    @property
    def words(self) -> str:
        """How it is told from others."""
        return f"{self.file.name}, {self.length:.1f} s, {self.begun}"


class Keeper:
    """Records what runs. Its methods but `begin` and `end` are called in the runner's thread, between two steps. What is
    whole goes to the end of `kept`, which is the page's: it outlives the scene."""

    def __init__(self, runner: Runner, folder: Path, stem: str, kept: list[Kept] | None = None) -> None:
        self._runner, self._folder, self._stem = runner, folder, stem
        self.kept = [] if kept is None else kept
        """Recordings of this session, the latest last."""
        self._clock = ""
        self._recorder: Any = None
        self._sim: Any = None
        self.file: Path | None = None
        """The recording that was made last."""
        self.trouble = ""
        """Why a recording could not be begun or ended by itself."""
        self.begun = 0.0
        """When the recording began, in simulated time [s]."""
        self.length = 0.0
        """Simulated time in it [s]."""
        runner.heard.append(self._hear)

    @property
    def on(self) -> bool:
        """Whether it records."""
        return self._recorder is not None

    def begin(self) -> None:
        """Record from the next step on."""
        self._runner.between_steps(self._begin)

    def end(self) -> None:
        """Write what is left and close the file."""
        self._runner.between_steps(self.finish)

    def _begin(self) -> None:
        from taut.record import RecordError  # brings HDF5
        from taut.record.recorder import Recorder

        if self._recorder is not None:
            return
        sim = self._runner.player.sim  # type: ignore[attr-defined]
        try:
            self._recorder = Recorder(free_file(self._folder, self._stem), sim)
        except RecordError as error:
            self.trouble = str(error)
            return
        self._sim, self.file, self.trouble = sim, self._recorder.path, ""
        self.begun, self.length, self._clock = sim.time, 0.0, datetime.now().strftime("%H:%M:%S")

    def _hear(self, frame: Frame) -> None:
        if self._recorder is None:
            return
        from taut.record import RecordError

        if self._runner.player.sim is not self._sim:  # type: ignore[attr-defined]
            self.trouble = "the scene was changed; what was driven before is kept"
            self.finish()
            return
        try:
            self._recorder.take()
        except RecordError as error:
            # it went back in time, or the disk is full: what was written is whole
            back = frame.time < self.begun + self.length
            self.trouble = "it went back in time; what was driven before is kept" if back else str(error)
            self.finish()
            return
        self.length = frame.time - self.begun

    def finish(self) -> None:
        """Write what is left and close the file, in the runner's thread or after its end."""
        from taut.record import RecordError

        if self._recorder is not None:
            with suppress(RecordError):
                self._recorder.close()
            if self.file is not None:
                self.kept.append(Kept(self.file, self.length, self._clock))
        self._recorder = self._sim = None


def free_file(folder: Path, stem: str) -> Path:
    """A name for a recording that nothing has yet."""
    count = 1
    while (file := folder / f"{stem}-{count}.h5").exists():
        count += 1
    return file


def made_of(file: Path, form: str, told: Callable[[float], None] = lambda share: None) -> tuple[str, bytes]:
    """Name and content of what a recording is turned into, an entry of FORMS; `told` hears how much of it is done, to 1."""
    suffix = FORMS[form]
    name = f"{file.stem}{suffix}"
    if suffix == ".h5":
        return name, file.read_bytes()
    from taut.record import Recording

    with (
        tempfile.TemporaryDirectory(prefix="taut-", ignore_cleanup_errors=True) as folder,
        Recording(file) as recording,
    ):
        made = Path(folder) / name
        _write(recording, made, told)
        return name, made.read_bytes()


def _write(recording: Any, to: Path, told: Callable[[float], None]) -> None:
    if to.suffix == ".csv":
        from taut.record.table import export

        export(recording, (), to)
        return
    from taut.view.render import times_of
    from taut.view.replay import ReplayPlayer
    from taut.view.takeaway import write_glb, write_html

    player = ReplayPlayer(recording)
    times = times_of(float(player.duration or 0.0), RATE, player.begins).tolist()
    (write_html if to.suffix == ".html" else write_glb)(player, to, times, told)


class TakeAway:
    """The folder of the panel."""

    def __init__(
        self, server: viser.ViserServer, scene: Scene, runner: Runner, source: str, kept: list[Kept] | None = None
    ) -> None:
        stem = re.sub(r"[^A-Za-z0-9_]+", "_", Path(source).stem or scene.name or "run").strip("_") or "run"
        self.keeper = Keeper(runner, Path.cwd(), stem, kept)
        self._server, self._said, self._told, self._making = server, "", "", ""
        self._share = 0.0
        gui = server.gui
        with gui.add_folder("Take it with you", expand_by_default=False):
            self._button: Any = gui.add_button("Record", icon=viser.Icon.PLAYER_RECORD)
            self._button.on_click(lambda _: self.keeper.end() if self.keeper.on else self.keeper.begin())
            self._line: Any = gui.add_html(readout.taken("nothing is recorded yet"))
            self._bar: Any = gui.add_progress_bar(0.0, visible=False, animated=True)
            self._which: Any = gui.add_dropdown(
                "recording", ["-"], visible=False, hint="all of this session; they lie where the page was started"
            )
            self._form: Any = gui.add_dropdown("as", list(FORMS), visible=False)
            self._send: Any = gui.add_button("Download", icon=viser.Icon.DOWNLOAD, visible=False)
            self._send.on_click(self._download)

    def write(self) -> None:
        """How far it is."""
        keeper = self.keeper
        text = self._making or self._state()
        if text == self._said:
            return
        self._said, self._line.content = text, readout.taken(text)
        if keeper.trouble != self._told:
            self._told = keeper.trouble
            if keeper.trouble:
                tell(self._server, "Recording", keeper.trouble)
        self._button.label = "Stop recording" if keeper.on else "Record"
        self._bar.visible, self._bar.value = bool(self._making), 100.0 * self._share
        self._send.disabled = bool(self._making)
        self._send.label = "Being made …" if self._making else "Download"
        words = [one.words for one in reversed(keeper.kept)]
        if words and tuple(words) != self._which.options:
            self._which.options = tuple(words)
            self._which.value = words[0]
        for part in (self._which, self._form, self._send):
            part.visible = bool(words) and not keeper.on

    def _state(self) -> str:
        keeper = self.keeper
        if keeper.on:
            return f"recording {keeper.file.name if keeper.file else ''}: {keeper.length:.1f} s"
        if keeper.kept:
            last = keeper.kept[-1].file
            return f"{last.name} is in {last.parent}" + (f" ({keeper.trouble})" if keeper.trouble else "")
        return keeper.trouble or "nothing is recorded yet"

    def _download(self, event: Any) -> None:
        chosen = next((one for one in self.keeper.kept if one.words == self._which.value), None)
        if chosen is None or event.client is None or self._making:
            return
        form = self._form.value
        self._tell_progress(form, chosen, 0.0)
        note = event.client.add_notification(
            "Being made", f"{form} of {chosen.file.name}; the download begins by itself", loading=True
        )
        try:
            name, content = made_of(chosen.file, form, lambda share: self._tell_progress(form, chosen, share))
            event.client.send_file_download(name, content, save_immediately=True)
        except (OSError, ValueError) as error:
            self.keeper.trouble = str(error)
        finally:
            self._making = ""
            note.remove()

    def _tell_progress(self, form: str, chosen: Kept, share: float) -> None:
        self._share = share
        self._making = f"{form} of {chosen.file.name} is being made: {100.0 * share:.0f} %"
