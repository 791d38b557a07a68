"""What is to be shown: a scene, a recording, a simulation, or a file that cannot be read yet."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from taut.view.looks import Look
from taut.view.replay import is_recording, open_recording

if TYPE_CHECKING:
    from taut.scene import Scene
    from taut.simulation import Simulation
    from taut.view.made import Made


@dataclass(frozen=True)
class Opened:
    """What is to be shown."""

    scene: Scene
    name: str
    recording: Any = None
    file: Path | None = None
    """The file it was read from, which is looked at for changes."""
    changes: tuple[str, ...] = ()
    sim: Simulation | None = None
    """A simulation that exists already, to be moved from where it stands."""
    play: bool = True
    """Whether it runs at once."""
    made: Made | None = None
    """What was changed of it in the page, before it was built anew with `sim`."""
    look: Look = field(default_factory=Look)
    """What was chosen to be seen, before the same scene was built anew."""
    stamp: object = field(default=None, compare=False)
    """The state of that file when it was read."""


@dataclass(frozen=True)
class Broken:
    """A scene file with mistakes: the page tells them, and shows the scene once they are mended."""

    file: Path
    changes: tuple[str, ...]
    message: str
    stamp: object

    def again(self) -> Opened | Broken:
        """The same file as it is now."""
        return self if stamp(self.file) in (None, self.stamp) else read_or_tell(self.file, self.changes)


def read(source: str | Path | Scene | Simulation, changes: tuple[str, ...], name: str = "") -> Opened:
    """What is to be shown. Raises SceneError or RecordError."""
    from taut.scene import Scene
    from taut.scenes import catalogue, open_scene

    if not isinstance(source, str | Path | Scene):
        return Opened(source.scene, source.scene.name, sim=source)
    if isinstance(source, Scene):
        return Opened(source.with_overrides(changes) if changes else source, name or source.name)
    if is_recording(source):
        recording = open_recording(str(source))
        return Opened(recording.scene, str(source), recording)
    file = catalogue().get(str(source)) or Path(source)
    before = stamp(file)
    return Opened(open_scene(source, changes), name or str(source), file=file, changes=changes, stamp=before)


def read_or_tell(source: str | Path | Scene | Simulation, changes: tuple[str, ...]) -> Opened | Broken:
    """The same, where a file with mistakes in it is no reason to give up: somebody is about to mend it. Raises RecordError, and SceneError
    where there is no such file or the mistake is in what was given with it."""
    from taut.scene.problems import SceneError

    before = stamp(Path(source)) if isinstance(source, str | Path) else None
    try:
        return read(source, changes)
    except SceneError as error:
        if before is None or not isinstance(source, str | Path) or _reads_without(source, changes):
            raise
        from taut.view import mistakes

        return Broken(Path(source), changes, mistakes.told(error), before)


def _reads_without(source: str | Path, changes: tuple[str, ...]) -> bool:
    """Whether it is what was given with a file that is wrong, and not the file."""
    from taut.scene.problems import SceneError

    try:
        return bool(changes) and read(source, ()) is not None
    except SceneError:
        return False


def stamp(file: Path) -> object:
    """Tells whether a file has changed; None while it is not there, as editors do for a moment."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
