"""Waiting for what a thread does."""

import time


def wait_for(condition) -> None:
    """Return when it holds; fails if it never does."""
    for _ in range(400):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("the studio did not follow")
