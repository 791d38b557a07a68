"""Fresh processes: what is waited for, what is told on failure, and that nothing stays behind."""

import io
import time

import pytest
from rich.console import Console

from taut.bench import start
from taut.bench.display import Display
from taut.bench.processes import Child, ChildError, answers, free_port

SERVE = """
import http.server, sys
class Quiet(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers()
    def log_message(self, *_): pass
server = http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Quiet)
print("ready", flush=True)
server.serve_forever()
"""


def test_a_line_and_the_end():
    with Child("-c", "print('first'); print('moved', flush=True)") as child:
        assert child.until_line("moved") > 0.0
        assert child.until_end() > 0.0


def test_a_child_that_fails_says_why():
    with Child("-c", "raise SystemExit('out of rope')") as child, pytest.raises(ChildError, match="out of rope"):
        child.until_line("moved")
    with Child("-c", "import sys; sys.exit(3)") as child, pytest.raises(ChildError, match="ended with 3"):
        child.until_end()
    with Child("-c", "print('no page')") as child, pytest.raises(ChildError, match="no page"):
        child.until_answer(free_port())


def test_a_page_is_waited_for_and_ended():
    port = free_port()
    with Child("-c", SERVE, str(port)) as child:
        assert child.until_answer(port) > 0.0
    deadline = time.monotonic() + 60.0
    while answers(port) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not answers(port)


def test_help_answers():
    assert start._help() > 0.0


@pytest.fixture
def caches(monkeypatch):
    """No process is started; the caches that first steps are given."""
    used = []
    monkeypatch.setattr(start, "_help", lambda: 0.2)
    monkeypatch.setattr(start, "_page", lambda scene, cache: used.append(cache) or {"up": 1.0, "motion": 20.0})
    monkeypatch.setattr(start, "_view_up", lambda scene, cache: 1.0)
    monkeypatch.setattr(
        start, "_first_step", lambda scene, cache: used.append(cache) or (2.0 if scene != "loop" else None)
    )
    return used


def test_start_shows_and_hands_back_all_times(caches):
    text = io.StringIO()
    found = start.run(Display(Console(file=text, width=160)), scenes=["pendulum", "loop"])
    assert found["page_cold"]["motion"] == 20.0 and found["help"] == 0.2
    assert found["scenes"] == {"pendulum": {"first": 2.0, "warm": 2.0}, "loop": {"first": None, "warm": None}}
    assert "failed" in text.getvalue() and "missed" in text.getvalue()


def test_other_scenes_find_what_the_first_has_compiled(caches):
    found = start.run(Display(Console(file=io.StringIO())), scenes=["pendulum", "loop"])
    assert len(set(caches)) == 1 and not found["long"]


def test_the_long_form_empties_the_cache_for_every_scene(caches):
    found = start.run(Display(Console(file=io.StringIO())), scenes=["pendulum", "loop"], long=True)
    assert len(set(caches)) == 3 and found["long"]
