"""Ctrl-C that waits for the end of a step, so that no frame is taken half or twice."""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import Any


class Interrupts:
    """Hears Ctrl-C while it is entered. Once `wait` was called the first one is only noted in `asked`; before that, and from the
    second one on, it interrupts at once: a first step may be compiled for long, and a step may hang."""

    def __init__(self) -> None:
        self.asked = False
        self._waits = False
        self._before: Any = None

    def wait(self) -> None:
        """From here on the first Ctrl-C is noted."""
        self._waits = True

    def __enter__(self) -> Interrupts:
        # only the main thread may set handlers, and only Python's own is replaced: who set another one wants it called
        if (
            threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        ):
            self._before = signal.signal(signal.SIGINT, self._hear)
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def _hear(self, number: int, frame: FrameType | None) -> None:
        if self.asked or not self._waits:
            raise KeyboardInterrupt
        self.asked = True
