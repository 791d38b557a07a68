"""The web server, quiet and kept to this machine."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import rich
import viser

from taut.view import wakeful
from taut.view.door import Door

#: how long a note stands over the page [s]
TOLD = 8.0
LOOPBACK = ("127.0.0.1", "localhost", "::1")


class ViewError(RuntimeError):
    """A page that cannot be served, with the reason."""


class Server(viser.ViserServer):
    """viser's server without its tunnel to the public internet: a page could ask for it unseen. A door beside it."""

    def __init__(self, host: str, port: int, secret: str = "") -> None:
        self.door = Door(secret)
        wakeful.install()
        with self.door.around():
            super().__init__(host=host, port=port, label="Taut", verbose=False)

    def request_share_url(self, verbose: bool = True) -> str | None:
        """Nothing is shared."""
        return None


def start(host: str, port: int, secret: str = "") -> Server:
    """Serve on a host, at a port or the next one that is free; with a secret only to who knows it. Raises ViewError."""
    if not 0 <= port <= 65535:
        raise ViewError(f"port {port}: expected a number from 0 to 65535")
    _check_host(host)
    with _quiet():
        return Server(host, port, secret)


def stop(server: Server) -> None:
    """End the server and its threads."""
    with _quiet():
        server.stop()


def addresses() -> list[str]:
    """By what other machines may know this one: the address of the interface that leads out, and its name."""
    found = []
    for family, far in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        # a datagram socket that is connected sends nothing: it only chooses its way; these addresses are nobody's (RFC 5737, RFC 3849)
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((far, 9))
            found.append(str(probe.getsockname()[0]))
    name = socket.gethostname()
    return [one for one in dict.fromkeys([*found, name]) if one and one not in LOOPBACK]


def tell(server: viser.ViserServer, title: str, text: str, seconds: float = TOLD) -> list[viser.NotificationHandle]:
    """Say something over the page of everyone for a while: what stands in the panel may be scrolled out of sight. What was said can be
    taken back."""
    clients = server.get_clients().values()
    return [client.add_notification(title, text, auto_close_seconds=seconds) for client in clients]


def in_turn(server: viser.ViserServer, act: Callable[[], None]) -> None:
    """Call something in the thread that hears what people do, between two messages.

    viser takes a value over and passes it on to the other browsers in two strokes. What another thread writes into the field between
    them is overtaken by that echo, which leaves out the one who moved it: they would see their own value for good.
    """
    with suppress(RuntimeError):  # the server has ended
        server.get_event_loop().call_soon_threadsafe(act)


def _check_host(host: str) -> None:
    """The server tries a thousand ports before it gives up; a host that cannot be had at all is told at once."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.bind(address)
    except (OSError, UnicodeError) as error:
        raise ViewError(f"host {host!r} cannot be served: {getattr(error, 'strerror', None) or error}") from None


@contextmanager
def _quiet() -> Iterator[None]:
    """viser greets on the terminal; we say it in our own words."""
    console = rich.get_console()
    before = console.quiet
    console.quiet = True
    try:
        yield
    finally:
        console.quiet = before
