"""The one decorator for compiled kernels.

numba's on-disk cache does not notice a changed callee in another file, so the cache directory is keyed by a hash of
every kernel source: change one line anywhere and the whole cache is new, never half old.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import numba

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


def cache_directory() -> Path:
    """Where compiled kernels are kept: `TAUT_CACHE_DIR`, else the user's cache folder."""
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


#: set by the tests, which call single kernels from Python; a simulation calls them from compiled code only
CALLABLE = os.environ.get("TAUT_CALLABLE_KERNELS") == "1"


def kernel(function: Any = None, *, entry: bool = False) -> Any:
    """Compile `function`: nopython, without the interpreter lock.

    An `entry` is called from Python and cached on disk. All others are called by compiled code, which is cached as a
    whole: leaving out their Python wrappers makes the cold start a fifth shorter.
    """

    def decorate(body: Any) -> Any:
        if entry or CALLABLE:
            return numba.njit(cache=CACHED, nogil=True, error_model="numpy")(body)
        return numba.njit(nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)(body)

    return decorate(function) if function is not None else decorate
