"""How tests are shared out among processes."""

from __future__ import annotations

from typing import Any

import pytest

#: tests that share a browser
PAGE = "tests/browser"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """A file at a time, but all tests of the page in one process: two browsers beside each other would halve the pace of both. They come when
    most of what they need is compiled: a browser takes a core from a compiler that it waits for."""
    from xdist.scheduler import LoadFileScheduling

    class OneBrowser(LoadFileScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            file: str = super()._split_scope(nodeid)
            return PAGE if file.startswith("tests/browser/") else file

        def schedule(self) -> None:
            first = self.collection is None
            super().schedule()
            if first and PAGE in self.workqueue:
                others = [scope for scope in self.workqueue if scope != PAGE]
                for scope in (PAGE, *others[len(others) // 4 :]):
                    self.workqueue.move_to_end(scope)

    return OneBrowser(config, log)
