"""Python's search for garbage, held back where it costs most."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collection(keep: bool = False) -> Iterator[None]:
    """Without garbage collection: a start and a compiler make millions of objects and drop few, and each search looks through all.

    keep: what was made stays out of later searches too, which would make a frame late.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if keep:
            gc.freeze()
        if collecting:
            gc.enable()
