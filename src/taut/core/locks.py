"""Locks between processes, so that those that start with an empty cache at the same time compile everything once.

A lock is held by an open file, and free again when its process ends, however it ends.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if os.name == "nt":
    import msvcrt

    def _take(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
else:
    import fcntl

    def _take(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


#: how often a process that waits looks again [s]
PAUSE = 0.02


@contextmanager
def held(file: Path | None, wait: bool = True) -> Iterator[bool]:
    """Hold the lock of a file, or of nothing; whether it is ours. Without `wait` it is not when another process has it. Where files cannot be
    locked, it is: then work is done twice, not wrongly."""
    if file is None:
        yield True
        return
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        opened = file.open("a")
    except OSError:
        yield True
        return
    with opened:
        while not (mine := _try_to_take(opened.fileno())) and wait:
            time.sleep(PAUSE)
        yield mine


def _try_to_take(descriptor: int) -> bool:
    try:
        _take(descriptor)
    except (BlockingIOError, PermissionError):  # another process has it; Windows calls that a matter of permission
        return False
    except OSError:
        return True
    return True
