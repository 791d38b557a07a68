"""A real Chromium on the software renderer with one tab on one page, which shows scene after scene.

Opening a tab takes the software renderer ten seconds, and another one beside it halves its pace: all tests share it. It is
closed as soon as the last of them is done, so that it takes no time from tests of other kinds.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tabs import Tab, until

from taut.view import Page

HERE = Path(__file__).parent
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
#: a gamepad in the hands of the tests
PAD = """window.pad = {connected: true, axes: [0, 0, 0, 0], buttons: Array.from({length: 4}, () => ({pressed: false}))};
Object.defineProperty(navigator, 'getGamepads', {value: () => [window.pad]});"""


def lacking(what: str) -> None:
    """Skip, saying what is missing; where a browser is required, fail."""
    if os.environ.get("CI") or os.environ.get("TAUT_REQUIRE_BROWSER") == "1":
        pytest.fail(f"{what}, and a browser is required here")
    pytest.skip(f"{what}; `pip install taut[test]` and a Chromium in the PATH run these tests")


class Shared:
    """Browser, page and tab, each made when it is first asked for."""

    def __init__(self) -> None:
        self._playwright: Any = None
        self._browser: Any = None
        self._page: Page | None = None
        self._tab: Tab | None = None

    @property
    def browser(self) -> Any:
        """The browser."""
        if self._browser is None:
            path = next((found for name in NAMES if (found := shutil.which(name))), None)
            if path is None:
                lacking("no Chromium was found")
            try:
                from playwright.sync_api import sync_playwright
            except ImportError:
                lacking("playwright is not installed")
            self._playwright = sync_playwright().start()
            self._browser = self._playwright.chromium.launch(executable_path=path, headless=True, args=list(FLAGS))
        return self._browser

    @property
    def page(self) -> Page:
        """The page, which begins as the gallery."""
        if self._page is None:
            self._page = Page(port=0)
            self._page.start()
        return self._page

    @property
    def tab(self) -> Tab:
        """The tab on it."""
        if self._tab is None:
            self._tab = Tab(self.browser, self.page, PAD)
        return self._tab

    def show(self, scene: str) -> Page:
        """Let the page show a scene from its start, and the tab too."""
        page, tab = self.page, self.tab
        before = page.runner
        page.open(scene)
        until(lambda: page.runner is not None and page.runner is not before, f"{scene} is opened")
        until(lambda: running(page, scene), f"{scene} runs", COMPILING)
        until(lambda: tab.shows(page), f"the tab shows {scene}")
        return page

    def close(self) -> None:
        """End all of it."""
        if self._tab is not None:
            self._tab.tab.close()
        if self._browser is not None:
            self._browser.close()
            self._playwright.stop()
        if self._page is not None:
            self._page.stop()
        self.__init__()  # type: ignore[misc]


SHARED = Shared()


def running(page: Page, scene: str) -> bool:
    """Whether a scene of that name runs."""
    return page.source == scene and page.runner is not None and page.runner.status.phase == "running"


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    """Close the browser after the last test that needs it, when its fixtures have closed their own tabs."""
    if nextitem is None or HERE not in nextitem.path.parents:
        SHARED.close()


@pytest.fixture(scope="module")
def chromium() -> Any:
    """The browser, for tests that want a tab of their own. Asked for anew in every module: between two it may have been closed."""
    return SHARED.browser


@pytest.fixture(scope="module")
def gallery() -> tuple[Page, Tab]:
    """The page and the tab, whatever they show."""
    return SHARED.page, SHARED.tab


@pytest.fixture(scope="module")
def gantry() -> Page:
    """The page of the gantry, from its start at the beginning of a module."""
    page = SHARED.show("gantry")
    for _ in range(2):  # where another module has left the camera; twice is the start
        SHARED.tab.press("free")
    return page


@pytest.fixture(scope="module")
def yard() -> Page:
    """The page of the yard."""
    return SHARED.show("yard")


@pytest.fixture
def tab() -> Iterator[Tab]:
    """The tab; nothing may go wrong in it meanwhile."""
    found = SHARED.tab
    found.complaints.clear()
    yield found
    assert not found.complaints, found.complaints


@pytest.fixture(scope="session")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where screenshots go: TAUT_PICTURES if given."""
    given = os.environ.get("TAUT_PICTURES")
    folder = Path(given) if given else tmp_path_factory.mktemp("pictures")
    folder.mkdir(parents=True, exist_ok=True)
    return folder
