"""What takes long is told while it goes on: on stderr, in a terminal as one line that changes, in a pipe as a line now and then."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

#: what takes less is not told; how often it is told in a terminal, and in a pipe [s]
SHORT, OFTEN, SELDOM = 2.0, 0.5, 5.0


@contextmanager
def waiting(text: str) -> Iterator[Callable[[str], None]]:
    """Tell what goes on with the seconds it has taken; the function that is handed out changes the text. Print nothing else meanwhile."""
    said, done, begun = [text], threading.Event(), time.monotonic()

    def now() -> str:
        return f"{said[0]}, {time.monotonic() - begun:.0f} s"

    teller = threading.Thread(target=_tell, args=(now, done), daemon=True)
    teller.start()
    try:
        yield lambda other: said.__setitem__(0, other)
    finally:
        done.set()
        teller.join()


def _tell(now: Callable[[], str], done: threading.Event) -> None:
    if done.wait(SHORT):
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(stderr=True)
    if not sys.stderr.isatty():
        while True:
            console.print(Text(now()), soft_wrap=True)
            if done.wait(SELDOM):
                return
    with console.status(Text(now())) as status:
        while not done.wait(OFTEN):
            status.update(Text(now()))
