"""What can go wrong with a file, in words for the person."""

from __future__ import annotations

import errno
import os
import re

#: what the HDF5 library raises when the disk, the file or its own bookkeeping fails
FILE_ERRORS = (OSError, RuntimeError, ValueError, KeyError)

_ERRNO = re.compile(r"errno = (\d+)")


class RecordError(RuntimeError):
    """A recording that cannot be written or read; the simulation is not touched by it."""


def _code(error: BaseException) -> int:
    """The number that the system gave a failure, 0 where there is none."""
    if code := getattr(error, "errno", None):
        return int(code)
    found = _ERRNO.search(str(error))
    return int(found[1]) if found else 0


def is_locked(error: BaseException) -> bool:
    """Whether a file could not be opened because somebody else has it open just now."""
    return _code(error) in (errno.EAGAIN, errno.EWOULDBLOCK)


def reason(error: BaseException) -> str:
    """Why a file operation failed, in a few words: 'no space left on device'."""
    code = _code(error)
    if code in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return f"no room left for the file ({os.strerror(code).lower()})"
    if code:
        return os.strerror(code).lower()
    text = str(error).strip().splitlines()
    return text[0] if text else type(error).__name__
