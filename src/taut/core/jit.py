"""The one decorator for compiled kernels.

numba's on-disk cache does not notice a changed callee in another file, so the cache directory is keyed by a hash of
every kernel source of its unit: change one line and the unit's cache is new, never half old. Units are the step (core,
contact, step and the cable models in it), each cable model that has kernels of its own (core, contact, cables/NAME), and
the stages of such a model.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numba
from numba.core import types

from taut.core.compiler import CalleeCompiler, EntryCompiler

PACKAGE = Path(__file__).resolve().parent.parent
#: folders whose files hold the compiled code of the step
STEP_FOLDERS = ("core", "contact", "step", "cables/massless", "cables/layered", "cables/segmented")

#: stages whose kernels are in no folder of the step: editing those costs no other scene a cold start
STAGES_OF = {"lattice_stages": "cables/honeycomb"}


def folders_of(module: str) -> tuple[str, ...]:
    """The folders that compiled code of a module can depend on."""
    parts = module.split(".")
    if parts[:2] == ["taut", "step"] and parts[2] in STAGES_OF:
        return (*STEP_FOLDERS, STAGES_OF[parts[2]])
    if parts[:2] == ["taut", "cables"] and len(parts) > 2 and f"cables/{parts[2]}" not in STEP_FOLDERS:
        return ("core", "contact", f"cables/{parts[2]}")
    return STEP_FOLDERS


@lru_cache(maxsize=16)
def source_hash(folders: tuple[str, ...]) -> str:
    """Hash of the kernel sources in some folders and of the compiler that builds them; the same for the whole process."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version_info[:3]}".encode())
    for folder in folders:
        for file in sorted((PACKAGE / folder).rglob("*.py")):
            digest.update(file.name.encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def cache_directory(folders: tuple[str, ...] = STEP_FOLDERS) -> Path:
    """Where compiled kernels are kept: `TAUT_CACHE_DIR`, else the user's cache folder."""
    if given := os.environ.get("TAUT_CACHE_DIR"):
        return Path(given) / source_hash(folders)
    if os.name == "nt":
        base = Path(os.environ.get("LOCALAPPDATA", tempfile.gettempdir()))
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return base / "taut" / "kernels" / source_hash(folders)


@lru_cache(maxsize=16)
def _use_cache(folders: tuple[str, ...]) -> bool:
    directory = cache_directory(folders)
    try:
        directory.mkdir(parents=True, exist_ok=True)
        probe = directory / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError:
        return False  # read-only home: compile in memory, every run pays the cold start
    return True


def cached(module: str) -> bool:
    """Whether compiled code of a module is kept on disk; numba is pointed at its unit's directory for what follows."""
    folders = folders_of(module)
    if not _use_cache(folders):
        return False
    numba.config.CACHE_DIR = str(cache_directory(folders))
    return True


CACHED = _use_cache(STEP_FOLDERS)


def kernel(function: Any = None, *, entry: bool = False) -> Any:
    """Compile `function`: nopython, without the interpreter lock. An `entry` is one that only Python calls.

    Compiled callers get a twin without Python wrappers or a cache file of its own (its caller's file holds its code),
    compiled once for plain types: numba would compile f(x, 0) and f(x, 1) apart, and `table(state, BODY_POS)` anew for
    every field. Both together halve the cold start.
    """

    def decorate(body: Any) -> Any:
        outer = numba.njit(
            cache=cached(body.__module__), nogil=True, error_model="numpy", pipeline_class=EntryCompiler
        )(body)

        @cache
        def inner() -> Any:  # made when it is needed: not at a start with compiled code in the cache
            return numba.njit(
                nogil=True,
                error_model="numpy",
                no_cpython_wrapper=True,
                no_cfunc_wrapper=True,
                pipeline_class=CalleeCompiler,
            )(body)

        if not entry:
            outer.get_call_template = lambda args, kws: inner().get_call_template(
                [types.unliteral(a) for a in args], kws
            )
            outer.get_overload = lambda signature: inner().get_overload(signature)
        return outer

    return decorate(function) if function is not None else decorate
