"""A solve that somebody no longer wants to wait for: it is left between two calls of the compiled iteration, and within one."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import numpy as np


class Stop(threading.Event):
    """Somebody who may no longer want to wait; compiled code, which cannot ask, is told through its own table."""

    def __init__(self) -> None:
        super().__init__()
        self._told: tuple[np.ndarray, int] | None = None

    def set(self) -> None:
        """Nobody waits any more."""
        super().set()
        told = self._told
        if told is not None:
            told[0][told[1]] = 1.0

    @contextmanager
    def telling(self, table: np.ndarray, place: int) -> Iterator[None]:
        """Meanwhile this place of a table becomes 1 when nobody waits any more."""
        self._told = table, place
        try:
            # it may have been asked for just before
            table[place] = float(self.is_set())
            yield
        finally:
            self._told = None


_asked: ContextVar[Stop | None] = ContextVar("taut_stop_solving", default=None)


class StoppedError(Exception):
    """A solve was left; what was being solved is to be thrown away."""


@contextmanager
def stoppable(stop: Stop) -> Iterator[None]:
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


@contextmanager
def hearing(table: np.ndarray, place: int) -> Iterator[None]:
    """Around compiled code that looks at this place of a table from time to time; raises StoppedError where it was left so."""
    stop = _asked.get()
    if stop is None:
        table[place] = 0.0
        yield
        return
    with stop.telling(table, place):
        yield
    table[place] = 0.0
    check_stop()
