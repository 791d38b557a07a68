"""The one decorator for compiled kernels.

numba's on-disk cache does not notice a changed callee in another file, so the cache directory is keyed by a hash of
every kernel source: change one line anywhere and the whole cache is new, never half old.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Any

import numba
from numba.core import types

PACKAGE = Path(__file__).resolve().parent.parent
#: folders whose files hold compiled code
KERNEL_FOLDERS = ("core", "step", "contact", "cables", "measure")


def source_hash() -> str:
    """Hash of all kernel sources and of the compiler that builds them."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version_info[:3]}".encode())
    for folder in KERNEL_FOLDERS:
        for file in sorted((PACKAGE / folder).rglob("*.py")):
            digest.update(file.name.encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


@lru_cache(maxsize=1)
def cache_directory() -> Path:
    """Where compiled kernels are kept: `TAUT_CACHE_DIR`, else the user's cache folder. The same for the whole process."""
    if given := os.environ.get("TAUT_CACHE_DIR"):
        return Path(given) / source_hash()
    if os.name == "nt":
        base = Path(os.environ.get("LOCALAPPDATA", tempfile.gettempdir()))
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return base / "taut" / "kernels" / source_hash()


def _use_cache() -> bool:
    directory = cache_directory()
    try:
        directory.mkdir(parents=True, exist_ok=True)
        probe = directory / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError:
        return False  # read-only home: compile in memory, every run pays the cold start
    numba.config.CACHE_DIR = str(directory)
    return True


CACHED = _use_cache()


def kernel(function: Any = None, *, entry: bool = False) -> Any:
    """Compile `function`: nopython, without the interpreter lock. An `entry` is one that only Python calls.

    Compiled callers get a twin without Python wrappers or a cache file of its own (its caller's file holds its code),
    compiled once for plain types: numba would compile f(x, 0) and f(x, 1) apart, and `table(state, BODY_POS)` anew for
    every field. Both together halve the cold start.
    """

    def decorate(body: Any) -> Any:
        outer = numba.njit(cache=CACHED, nogil=True, error_model="numpy")(body)
        if not entry:
            inner = numba.njit(nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)(body)
            outer.get_call_template = lambda args, kws: inner.get_call_template([types.unliteral(a) for a in args], kws)
            outer.get_overload = inner.get_overload
        return outer

    return decorate(function) if function is not None else decorate
