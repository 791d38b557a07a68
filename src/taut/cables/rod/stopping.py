"""A solve that somebody no longer wants to wait for: it is left between two calls of the compiled iteration."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_asked: ContextVar[threading.Event | None] = ContextVar("taut_stop_solving", default=None)


class StoppedError(Exception):
    """A solve was left; what was being solved is to be thrown away."""


@contextmanager
def stoppable(stop: threading.Event) -> Iterator[None]:
    """Solves in here are left with StoppedError soon after the event is set."""
    before = _asked.set(stop)
    try:
        yield
    finally:
        _asked.reset(before)


def check_stop() -> None:
    """Raises StoppedError where somebody wants it to end."""
    stop = _asked.get()
    if stop is not None and stop.is_set():
        raise StoppedError("stopped")
