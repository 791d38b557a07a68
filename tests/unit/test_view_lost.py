"""Every page can ask whether its server is there: a small address, another word in each server."""

from __future__ import annotations

import urllib.error
import urllib.request

import pytest

from taut.view import server as web
from taut.view.door import SCRIPTS, front


def said(address: str) -> str:
    with urllib.request.urlopen(address, timeout=60) as answer:
        assert answer.headers["Cache-Control"] == "no-store"
        return answer.read().decode()


def test_each_server_has_a_word_of_its_own() -> None:
    first, second = (web.start("127.0.0.1", 0) for _ in range(2))
    try:
        words = [said(f"http://127.0.0.1:{one.get_port()}/taut/alive") for one in (first, second)]
        assert words[0] == said(f"http://127.0.0.1:{first.get_port()}/taut/alive") and words[0] != words[1]
    finally:
        web.stop(first)
        web.stop(second)


def test_who_does_not_know_the_secret_is_refused() -> None:
    server = web.start("127.0.0.1", 0, "open-sesame")
    address = f"http://127.0.0.1:{server.get_port()}/taut/alive"
    try:
        with pytest.raises(urllib.error.HTTPError, match="403"):
            said(address)
        assert said(f"{address}?key=open-sesame")
    finally:
        web.stop(server)


def test_every_page_has_the_script_that_asks() -> None:
    assert "lost.js" in SCRIPTS and b'src="taut/lost.js"' in front()
