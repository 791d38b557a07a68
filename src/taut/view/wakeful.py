"""Pages that do not fall asleep.

viser's buffers of messages wake whoever sends them by an `asyncio.Event`, which it sets twice: at once in the thread that pushes a
message, and once more in the thread of its loop. Such an event is not made for two threads. Where the first falls between the
look of the one who waits and their lying down (`if self._value`, then `self._waiters.append`), nobody is woken; the second
finds it set already and does nothing, and so does every later one. From then on the page gets nothing, for good, while keys still drive
the machine; only another tab, which clears the event, wakes it. Here the event is set in the thread of its loop alone, where nothing can
come in between.
"""

from __future__ import annotations

import asyncio
from typing import Any

from viser.infra import _async_message_buffer as buffers


class Wakeful(asyncio.Event):
    """An event that is set in the thread of its loop; from any other it waits for viser's second call, which comes from there."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._of = loop

    def set(self) -> None:
        """Wake all who wait."""
        try:
            here = asyncio.get_running_loop()
        except RuntimeError:
            return
        if here is self._of:
            super().set()


def install() -> None:
    """Give such events to all buffers that are made from now on."""
    begin = buffers.AsyncMessageBuffer.__init__
    if getattr(begin, "wakeful", False):
        return

    def made(self: Any, event_loop: asyncio.AbstractEventLoop, *given: Any, **named: Any) -> None:
        begin(self, event_loop, *given, **named)
        self.message_event = Wakeful(event_loop)

    made.wakeful = True  # type: ignore[attr-defined]
    buffers.AsyncMessageBuffer.__init__ = made  # type: ignore[method-assign]
