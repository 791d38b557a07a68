"""One port for everything: viser's page and socket, our own files and sockets beside them, and who may come in.

viser serves its page and its messages, but has no place for a handler of ours. Its web server is started through
`websockets.asyncio.server.serve`; while that happens, the door stands in for it and wraps the two functions handed over.
"""

from __future__ import annotations

import gzip
import hmac
import http
import logging
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_urlsafe
from typing import Any
from urllib.parse import parse_qs, urlsplit

import viser
import websockets.asyncio.server as sockets
from websockets.asyncio.server import ServerConnection
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

STATIC = Path(__file__).parent / "static"
#: our own files live under this path
OURS = "/taut/"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "application/javascript",
    ".css": "text/css",
    ".json": "application/json",
    ".jpg": "image/jpeg",
    ".webp": "image/webp",
}
#: scripts that are loaded before viser's own, so that they hear keys first
SCRIPTS = (
    "messages.js", "soft.js", "lights.js", "trainee.js", "labels.js", "typed.js", "search.js", "emptied.js", "units.js", "operator.js",
    "camera.js", "gallery.js", "bar.js", "goto.js", "tripod.js", "lost.js",
)  # fmt: skip
#: answered with a word that is another one after each start, so that a tab knows whom it talks to
ALIVE = "alive"
#: with this code a socket is closed that has no one at its end
NOTHING_HERE = 4404
_starting = threading.Lock()

Answer = Callable[[ServerConnection, Request], Any]
Handler = Callable[[ServerConnection], Awaitable[None]]


class Door:
    """What is served beside viser's own, and the secret that opens it."""

    def __init__(self, secret: str = "") -> None:
        self.secret = secret
        """Part of the address, if not empty; a cookie carries it from the page to the sockets."""
        self.sockets: dict[str, Handler] = {}
        """Our own sockets, by path."""
        self.made: dict[str, Callable[[], bytes]] = {}
        """Files that are made when they are asked for, by name."""
        self.opened = False
        self.word = token_urlsafe(9)
        """Another one in each server."""
        self._files: dict[str, tuple[bytes, str]] = {}

    @contextmanager
    def around(self) -> Iterator[None]:
        """Let the server that starts within go through the door."""
        with _starting:
            real = sockets.serve

            def serve(handler: Handler, *place: Any, process_request: Answer, **options: Any) -> Any:
                self.opened = True
                options.setdefault("logger", _log())
                return real(self._routed(handler), *place, process_request=self._asked(process_request), **options)

            sockets.serve = serve  # type: ignore[assignment, misc]
            try:
                yield
            finally:
                sockets.serve = real  # type: ignore[misc]
        assert self.opened, "this version of viser starts its server in another way"

    def _routed(self, theirs: Handler) -> Handler:
        async def route(connection: ServerConnection) -> None:
            assert connection.request is not None
            path = connection.request.path.partition("?")[0]
            if path.startswith(OURS) and path not in self.sockets:
                await connection.close(NOTHING_HERE, "nothing here")
            else:
                await self.sockets.get(path, theirs)(connection)

        return route

    def _asked(self, theirs: Answer) -> Answer:
        def answer(connection: ServerConnection, request: Request) -> Any:
            if not self._knows(request):
                return _plain(http.HTTPStatus.FORBIDDEN, "The address needs its key: open it as it was printed.")
            if request.headers.get("Upgrade", "").lower() == "websocket":
                # a page of another site that was opened in the same browser must not drive the machine
                return None if _same_origin(request) else _plain(http.HTTPStatus.FORBIDDEN, "another site")
            path = request.path.partition("?")[0]
            if path == OURS + ALIVE:
                return _plain(http.HTTPStatus.OK, self.word, cached=False)
            if path in ("/", "/index.html"):
                return self._file("index.html", request)
            return (
                self._file(path.removeprefix(OURS), request) if path.startswith(OURS) else theirs(connection, request)
            )

        return answer

    def _knows(self, request: Request) -> bool:
        """Whether the secret comes along, in the address or as a cookie."""
        if not self.secret:
            return True
        given = parse_qs(urlsplit(request.path).query).get("key", [])
        cookies = [part.strip() for part in request.headers.get("Cookie", "").split(";")]
        given += [value for cookie in cookies for name, _, value in [cookie.partition("=")] if name == _cookie(request)]
        return any(hmac.compare_digest(value.encode(), self.secret.encode()) for value in given)

    def _file(self, name: str, request: Request) -> Response:
        if name not in self._files:
            content = front() if name == "index.html" else self.made[name]() if name in self.made else _own(name)
            if content is None:
                return _plain(http.HTTPStatus.NOT_FOUND, "not found")
            self._files[name] = gzip.compress(content, 6), TYPES.get(Path(name).suffix, "application/octet-stream")
        packed, kind = self._files[name]
        takes = "gzip" in request.headers.get("Accept-Encoding", "")
        body = packed if takes else gzip.decompress(packed)
        headers = Headers()
        headers["Content-Type"] = kind
        headers["Content-Length"] = str(len(body))
        headers["Cache-Control"] = "no-cache"
        if takes:
            headers["Content-Encoding"] = "gzip"
        if self.secret:
            headers["Set-Cookie"] = f"{_cookie(request)}={self.secret}; Path=/; HttpOnly; SameSite=Strict"
        return Response(200, "OK", headers, body)


def _log() -> logging.Logger:
    """A browser that comes and goes is no news, and a message that makes no sense is one line."""
    log = logging.getLogger("taut.page")
    if not log.filters:
        log.setLevel(logging.WARNING)
        log.addFilter(_is_news)
    return log


def _is_news(record: logging.LogRecord) -> bool:
    if record.getMessage() == "connection handler failed":
        why = record.exc_info[1] if record.exc_info else None
        record.msg, record.exc_info = f"a connection was closed: {why!r}", None
        return True
    return record.getMessage() != "opening handshake failed"


def front() -> bytes:
    """viser's page with our name and our scripts before its own."""
    page = (Path(viser.__file__).parent / "client" / "build" / "index.html").read_text(encoding="utf-8")
    scripts = "".join(f'<script src="{OURS.lstrip("/")}{name}"></script>' for name in SCRIPTS)
    title = page.index("<title>"), page.index("</title>") + len("</title>")
    return f"{page[: title[0]]}<title>Taut</title>{scripts}{page[title[1] :]}".encode()


def _own(name: str) -> bytes | None:
    """A file of ours; nothing outside of our folder."""
    file = (STATIC / name).resolve()
    return file.read_bytes() if file.is_relative_to(STATIC.resolve()) and file.is_file() else None


def _cookie(request: Request) -> str:
    """One for each port: cookies do not tell them apart."""
    return f"taut_{urlsplit('//' + request.headers.get('Host', '')).port or 80}"


def _same_origin(request: Request) -> bool:
    """Whether a socket is opened by our own page, or by a program, which sends no origin."""
    origin = request.headers.get("Origin")
    return origin is None or urlsplit(origin).netloc == request.headers.get("Host")


def _plain(status: http.HTTPStatus, text: str, cached: bool = True) -> Response:
    body = text.encode()
    headers = Headers()
    headers["Content-Type"] = "text/plain; charset=utf-8"
    headers["Content-Length"] = str(len(body))
    if not cached:
        headers["Cache-Control"] = "no-store"
    return Response(status.value, status.phrase, headers, body)
