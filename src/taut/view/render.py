"""Pictures and films without a display: a browser without windows draws the page's scene, frame by frame.

The same mirror that feeds the page feeds a Chromium that nobody sees; viser hands back what it has drawn.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from taut.view import server as web
from taut.view import stage
from taut.view.bounds import bounds
from taut.view.mirror import Mirror
from taut.view.reach import points_of
from taut.view.scale_bar import with_scale
from taut.view.server import ViewError

if TYPE_CHECKING:
    from taut.scene import Scene
    from taut.view.frame import Frame, Player

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--mute-audio",
    "--hide-scrollbars",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
)
PICTURES, FILMS = (".png", ".jpg", ".jpeg"), (".mp4", ".gif", ".webm")
#: how long a browser may take to open the page, and to draw a frame [s]
OPENING, DRAWING = 90.0, 120.0
#: pictures that are thrown away at first: what a browser loads meanwhile, sky and shadows, comes a little late
WARMING = 3
#: how often a picture is drawn again at most, until it stays as it is
MOST_STILL = 8


def browser() -> str:
    """A Chromium: TAUT_CHROMIUM, else what is in the PATH. Raises ViewError."""
    given = os.environ.get("TAUT_CHROMIUM")
    found = given or next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        raise ViewError(
            "pictures are drawn by a Chromium without windows, and none was found: install Chromium or Chrome, "
            "or name one in TAUT_CHROMIUM"
        )
    return found


class Camera:
    """Draws moments of a scene. Use as a context."""

    def __init__(self, scene: Scene, size: tuple[int, int] = (1280, 720)) -> None:
        self.scene, self.size = scene, size
        self._program = browser()
        low, high = bounds(scene.all_bodies(), points_of(scene))
        self._position, self._target = stage.camera(scene, low, high)
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Camera:
        self._folder = tempfile.TemporaryDirectory(prefix="taut-", ignore_cleanup_errors=True)
        self._server = web.start("127.0.0.1", 0)
        try:
            stage.dress(self._server)
            stage.set_up(self._server, self.scene)
            self._mirror = Mirror(self._server, self.scene)
            self._client = self._open()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=10.0)
            if self._process.poll() is None:
                self._process.kill()
                self._process.wait()
        web.stop(self._server)
        self._folder.cleanup()

    def _open(self) -> Any:
        """Start the browser; the client that it is."""
        # with shadows and smooth edges, also where a processor draws
        address = f"http://127.0.0.1:{self._server.get_port()}/?fine"
        # pictures are drawn in the size they are asked for; a small window, because all that it shows meanwhile is drawn for nobody
        window = "--window-size=560,300"
        command = [self._program, *FLAGS, f"--user-data-dir={self._folder.name}", window, address]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + OPENING
        while not (clients := self._server.get_clients()):
            if self._process.poll() is not None:
                raise ViewError(f"{self._program} ended at once with code {self._process.returncode}")
            if time.monotonic() > end:
                raise ViewError(f"{self._program} did not open the page within {OPENING:g} s")
            time.sleep(0.05)
        client = next(iter(clients.values()))
        client.camera.position, client.camera.look_at = self._position, self._target
        client.camera.fov = float(stage.FIELD_OF_VIEW)
        for _ in range(WARMING):
            self._draw(client)
        return client

    @property
    def pose(self) -> tuple[np.ndarray, np.ndarray]:
        """Where it stands and what it looks at [m]."""
        return self._position, self._target

    def look(self, position: np.ndarray, target: np.ndarray) -> None:
        """Stand and look elsewhere [m]."""
        self._position, self._target = position, target
        self._client.camera.position, self._client.camera.look_at = position, target

    def take(self, frame: Frame, by_tension: bool = False) -> np.ndarray:
        """A picture of a moment, shape (height, width, 3), 0 to 255; coloured by tension it has their scale in its corner."""
        return self._with_scale(self._plain(frame, by_tension), by_tension)

    def still(self, frame: Frame, by_tension: bool = False) -> np.ndarray:
        """The same, drawn until two pictures in a row are alike: a busy browser may still show the moment before in the first one."""
        picture = self._plain(frame, by_tension)
        for _ in range(MOST_STILL):
            before, picture = picture, self._draw(self._client)
            if np.array_equal(before, picture):
                break
        return self._with_scale(picture, by_tension)

    def _plain(self, frame: Frame, by_tension: bool) -> np.ndarray:
        self._mirror.colour_by(by_tension, False)
        self._mirror.show(frame)
        return self._draw(self._client)

    def _with_scale(self, picture: np.ndarray, by_tension: bool) -> np.ndarray:
        return with_scale(picture, self._mirror.scales.highest) if by_tension else picture

    def _draw(self, client: Any) -> np.ndarray:
        width, height = self.size
        try:
            drawn = client.get_render(
                height,
                width,
                position=self._position,
                wxyz=_facing(self._position, self._target),
                fov=float(stage.FIELD_OF_VIEW),
                transport_format="jpeg",
                timeout=DRAWING,
            )
        except (RuntimeError, TimeoutError) as error:
            raise ViewError(f"the browser did not draw: {error}") from None
        return np.asarray(drawn)[..., :3]


def times_of(duration: float, rate: float, start: float = 0.0) -> np.ndarray:
    """Moments of a film [s]."""
    return start + np.arange(max(1, int(np.floor((duration - start) * rate + 1e-6)) + 1)) / rate


def render(
    player: Player, to: Path, moments: Sequence[float], size: tuple[int, int], rate: float, by_tension: bool = False
) -> Iterator[int]:
    """Draw a recording at some moments into a picture or a film; yields how many are done."""
    with Camera(player.scene, size) as camera:
        if to.suffix.lower() in PICTURES:
            import imageio.v3 as iio

            iio.imwrite(to, camera.still(next(_frames(player, moments)), by_tension))
            yield 1
            return
        frames = (camera.take(frame, by_tension) for frame in _frames(player, moments))
        with film(to, rate) as add:
            for k, picture in enumerate(frames):
                add(picture)
                yield k + 1


@contextmanager
def film(to: Path, rate: float) -> Iterator[Any]:
    """A film that takes pictures one by one; half of a film is not left behind."""
    import imageio.v2 as imageio

    part = to.with_name(f".{to.stem}.part{to.suffix}")
    if to.suffix.lower() == ".gif":
        writer: Any = imageio.get_writer(part, duration=1000.0 / rate, loop=0)
    else:
        writer = imageio.get_writer(part, fps=rate, macro_block_size=2, quality=8)
    try:
        yield writer.append_data
    except BaseException:
        writer.close()
        part.unlink(missing_ok=True)
        raise
    writer.close()
    part.replace(to)


def check(to: Path) -> None:
    """Whether that can be written. Raises ViewError."""
    if to.suffix.lower() not in (*PICTURES, *FILMS):
        raise ViewError(f"{to}: expected a name that ends in one of {', '.join((*PICTURES, *FILMS))}")
    if not to.parent.is_dir():
        raise ViewError(f"{to}: there is no folder {to.parent}")


def _frames(player: Player, moments: Iterable[float]) -> Iterator[Frame]:
    for moment in moments:
        player.seek(float(moment))
        yield player.frame((), False)


def _facing(position: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Orientation (w, x, y, z) of a camera that looks along its z, x to the right, y down, upright in a world with z up."""
    z = target - position
    z = z / np.linalg.norm(z)
    x = np.cross(z, [0.0, 0.0, 1.0])
    x = x / max(float(np.linalg.norm(x)), 1e-9)
    matrix = np.column_stack([x, np.cross(z, x), z])
    from viser import transforms

    return np.asarray(transforms.SO3.from_matrix(matrix).wxyz)
