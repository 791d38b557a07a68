"""The page in the browser: `taut view`, and `Page` for whoever drives it from Python."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from secrets import token_urlsafe
from typing import TYPE_CHECKING

from taut.view.page import Page
from taut.view.server import LOOPBACK, ViewError

if TYPE_CHECKING:
    from taut.scene import Scene

__all__ = ["Page", "ViewError", "serve"]


def serve(
    source: str | Path | Scene | None = None,
    *,
    host: str = "127.0.0.1",
    port: int = 8080,
    open_browser: bool = True,
    changes: Iterable[str] = (),
) -> None:
    """Show a scene (a library name, a file or an object), a recording or the gallery in the browser until interrupted.

    Prints the address. Raises SceneError for a scene that cannot be read or run, ViewError for a host that cannot be
    served.
    """
    open_to_all = host not in LOOPBACK
    page = Page(source, host=host, port=port, changes=changes, secret=token_urlsafe(9) if open_to_all else "")
    page.start()
    if port not in (0, page.port):
        print(f"Port {port} is in use; taking {page.port}.")
    if page.broken is not None:
        print(page.broken.message, file=sys.stderr, flush=True)
        title = f"{page.source} (to be corrected: it is read again when it is saved)"
    else:
        title = "Gallery" if source is None else page.scene.name or page.source
    print(f"{title}: {page.url}  (Ctrl+C ends)", flush=True)
    if page.urls:
        print("At another machine open one of these, the first that answers:", *page.urls, sep="\n  ", flush=True)
        print(f"If none does, a firewall keeps port {page.port} of this machine closed.", flush=True)
    if open_to_all:
        print("Careful: whoever has this address can drive the machine.", file=sys.stderr, flush=True)
    if open_browser and _has_display():
        _open(page.url)
    try:
        # in short waits, so that Ctrl+C is heard everywhere
        told = ""
        while not page.wait(0.5):
            if page.trouble != told:
                told = page.trouble
                print(told, file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        print("Stopped.")
    finally:
        page.stop()


def _has_display() -> bool:
    """Whether a browser with windows can open; a terminal browser would take over this terminal."""
    if os.name == "nt" or sys.platform == "darwin":
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _open(url: str) -> None:
    import webbrowser

    # if it does not open, the address stands on the terminal
    with suppress(webbrowser.Error, OSError):
        webbrowser.open(url)
