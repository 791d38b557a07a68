"""A real Chromium on the software renderer, and the page of the yard, shared by the tests of a module."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tabs import Tab, until

from taut.view import Page

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
)
#: how long compiling the solver may take on a slow machine [s]
COMPILING = 400.0


def lacking(what: str) -> None:
    """Skip, saying what is missing; where a browser is required, fail."""
    if os.environ.get("CI") or os.environ.get("TAUT_REQUIRE_BROWSER") == "1":
        pytest.fail(f"{what}, and a browser is required here")
    pytest.skip(f"{what}; `pip install taut[test]` and a Chromium in the PATH run these tests")


# all of a module's own: a page left open keeps the software renderer busy, and with it every test after it
@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A browser."""
    path = next((found for name in NAMES if (found := shutil.which(name))), None)
    if path is None:
        lacking("no Chromium was found")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        lacking("playwright is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, headless=True, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def yard(chromium: Any) -> Iterator[Page]:
    """The page of the yard, running."""
    page = Page("yard", port=0)
    page.start()
    until(lambda: page.runner is not None and page.runner.ready.is_set(), "the solver is ready", COMPILING)
    assert page.runner is not None and page.runner.failure is None
    yield page
    page.stop()


@pytest.fixture(scope="module")
def only_tab(chromium: Any, yard: Page) -> Iterator[Tab]:
    """A tab on the yard; opening one takes the software renderer ten seconds, so all tests share it."""
    made = Tab(chromium, yard)
    yield made
    made.close()


@pytest.fixture
def tab(only_tab: Tab, yard: Page) -> Iterator[Tab]:
    """The tab, the run set back to its start and running; nothing may go wrong in it meanwhile."""
    assert yard.runner is not None
    yard.runner.set_speed(1.0)
    yard.runner.reset()
    yard.runner.play()
    until(lambda: only_tab.time < 1.5 and only_tab.has_button("Pause"), "the tab shows the start")
    yield only_tab
    assert not only_tab.complaints, only_tab.complaints


@pytest.fixture(scope="session")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where screenshots go: TAUT_PICTURES if given."""
    given = os.environ.get("TAUT_PICTURES")
    folder = Path(given) if given else tmp_path_factory.mktemp("pictures")
    folder.mkdir(parents=True, exist_ok=True)
    return folder
