"""How far the compiler is: it reports every function it has finished."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Progress:
    """Functions compiled so far."""

    def __init__(self) -> None:
        self.functions = 0


@contextmanager
def watched(progress: Progress) -> Iterator[None]:
    """Count what is compiled meanwhile; nothing is, when it was compiled before and kept."""
    from numba.core import event

    class Counter(event.Listener):
        def on_start(self, event: Any) -> None:
            pass

        def on_end(self, event: Any) -> None:
            progress.functions += 1

    counter = Counter()
    event.register("numba:compile", counter)
    try:
        yield
    finally:
        event.unregister("numba:compile", counter)
