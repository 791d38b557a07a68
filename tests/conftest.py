"""How tests are shared out among processes."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """A file at a time, but all tests of the page in one process: two browsers beside each other would halve the pace of both."""
    from xdist.scheduler import LoadFileScheduling

    class OneBrowser(LoadFileScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            file: str = super()._split_scope(nodeid)
            return "tests/browser" if file.startswith("tests/browser/") else file

    return OneBrowser(config, log)
