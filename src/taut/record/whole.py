"""Files that are there whole or not at all: written beside, then put in place."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any


def write_whole(path: Path, write: Callable[[Path], Any]) -> None:
    """Let `write` make a draft beside `path` and put it there; what fails leaves `path` as it was and raises."""
    draft = path.with_name(path.name + ".part")
    try:
        write(draft)
        draft.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
        raise


def save_figure(figure: Any, path: Path, error: type[Exception]) -> None:
    """Save a picture in the format that its name says; raises `error` in words."""
    try:
        write_whole(path, lambda draft: figure.savefig(draft, format=path.suffix[1:].lower(), dpi=130))
    except OSError as failure:
        raise error(f"{path}: cannot be written: {failure.strerror or failure}") from failure
