"""A tab says when its server has ended, and finds the next one at the same port."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tabs import Tab, until

from taut.cables.rod.routing import LIBRARY

pytestmark = pytest.mark.browser

COMMAND = "import sys; from taut.cli import main; sys.exit(main())"
BANNER = "#taut-lost"


def begin(words: list[str], folder: Path) -> tuple[subprocess.Popen, str]:
    """A command that serves a page, and its address."""
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, *words, "--no-open"], cwd=folder, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    found = re.search(r"http://127\.0\.0\.1:\d+", process.stdout.readline())
    assert found is not None
    return process, found[0]


def end(process: subprocess.Popen, kill: bool) -> None:
    """By Ctrl+C, or without a word."""
    process.kill() if kill else process.terminate()
    process.wait(30.0)
    assert process.stdout is not None
    process.stdout.close()


def test_a_server_that_is_busy_is_not_lost_while_its_clock_goes_on(chromium: Any, tmp_path: Path) -> None:
    process, address = begin(["view", "pendulum", "--port", "0"], tmp_path)
    # questions that nobody answers, as from a machine that has no time for them
    mute = """{ const ask = window.fetch; window.asked = 0;
        window.fetch = (address, how) => String(address).includes("taut/alive") ? new Promise((_, fail) => { window.asked += 1;
            how.signal.addEventListener("abort", () => fail(how.signal.reason)); }) : ask(address, how); }"""
    tab = Tab(chromium, address, mute)
    try:
        until(lambda: tab.has_button("Pause"), "it runs")
        assert not tab.tab.locator(BANNER).count(), "nor while the solver was prepared"
        first = tab.tab.evaluate("() => window.asked")
        until(lambda: tab.tab.evaluate("() => window.asked") > first + 3, "it was asked often enough")
        assert not tab.tab.locator(BANNER).count()
        tab.press("Pause")
        tab.tab.locator(BANNER).wait_for()
        assert "busy" in tab.tab.locator(BANNER).inner_text(), "it may be compiling: not at once that it has ended"
        began = time.monotonic()
        until(lambda: "has ended" in tab.tab.locator(BANNER).inner_text(), "that is said when it goes on")
        assert time.monotonic() - began > 12.0
    finally:
        tab.close()
        end(process, True)


@pytest.mark.parametrize(
    "words, ready, kill",
    [
        (["route", str(LIBRARY / "harness.yaml")], "[data-taut=results]", True),
        (["view"], ".taut-card", False),
    ],
    ids=["studio", "gallery"],
)
def test_a_tab_says_that_its_server_has_ended_and_finds_the_next(
    chromium: Any, tmp_path: Path, words: list[str], ready: str, kill: bool
) -> None:
    process, address = begin([*words, "--port", "0"], tmp_path)
    tab = Tab(chromium, address, ready=ready)
    try:
        time.sleep(2.5)
        assert not tab.tab.locator(BANNER).count() and not tab.complaints
        end(process, kill)
        began = time.monotonic()
        tab.tab.locator(BANNER).wait_for()
        assert "The server has ended or cannot be reached" in tab.tab.locator(BANNER).inner_text()
        assert f"port {address.rpartition(':')[2]}" in tab.tab.locator(BANNER).inner_text()
        print(f"told after {time.monotonic() - began:.1f} s")
        process, again = begin([*words, "--port", address.rpartition(":")[2]], tmp_path)
        assert again == address, "the port is free again"
        until(lambda: not tab.tab.locator(BANNER).count(), "it is found")
        tab.tab.wait_for_selector(ready)
    finally:
        tab.complaints.clear()  # of connections that were refused
        tab.close()
        end(process, True)
