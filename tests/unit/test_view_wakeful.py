"""Whoever waits for messages is woken, also by a thread that pushes one at the worst moment."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from taut.view import server as web
from taut.view.wakeful import Wakeful


def slept_through(make: Callable[[asyncio.AbstractEventLoop], asyncio.Event]) -> bool:
    """Whether one who waits for an event is not woken by a push, as viser does it, between their look and their lying down."""

    async def main() -> bool:
        loop = asyncio.get_running_loop()
        event = make(loop)

        class Moment:
            """The loop as the event sees it: a future is made right after the look."""

            def create_future(self) -> Any:
                other = threading.Thread(target=lambda: (event.set(), loop.call_soon_threadsafe(event.set)))
                other.start()
                other.join()
                return loop.create_future()

        event._get_loop = Moment  # type: ignore[method-assign]
        try:
            await asyncio.wait_for(event.wait(), 0.5)
        except TimeoutError:
            # nor by any later push
            loop.call_soon_threadsafe(event.set)
            await asyncio.sleep(0.05)
            return True
        return False

    return asyncio.run(main())


def test_one_who_waits_is_always_woken() -> None:
    assert slept_through(lambda loop: asyncio.Event()), "the moment is the one that was slept through"
    assert not slept_through(Wakeful)


def test_another_thread_with_a_loop_of_its_own_does_not_set_it() -> None:
    async def main() -> bool:
        event = Wakeful(asyncio.get_running_loop())

        async def elsewhere() -> None:
            event.set()

        other = threading.Thread(target=lambda: asyncio.run(elsewhere()))
        other.start()
        other.join()
        before = event.is_set()
        event.set()
        return not before and event.is_set()

    assert asyncio.run(main())


def test_the_buffers_of_a_page_have_such_events() -> None:
    server = web.start("127.0.0.1", 0)
    try:
        assert isinstance(server._websock_server._broadcast_buffer.message_event, Wakeful)
    except AttributeError as error:
        pytest.fail(f"this version of viser keeps its messages elsewhere: {error}")
    finally:
        web.stop(server)


def test_every_page_has_the_server_that_stays_awake() -> None:
    package = Path(web.__file__).parents[1]
    made = [file for file in package.rglob("*.py") if "ViserServer(" in file.read_text(encoding="utf-8")]
    assert not made, "pages are served by taut.view.server.start"
