"""The one decorator for compiled kernels.

A kernel is made when it is first called or compiled into another, and not before: a start that finds its machine code
in the cache (taut.core.objects) does not even import numba.

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
from functools import cached_property, lru_cache, update_wrapper
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

PACKAGE = Path(__file__).resolve().parent.parent
#: folders whose files hold the compiled code of the step
STEP_FOLDERS = ("core", "contact", "step", "cables/massless", "cables/layered", "cables/segmented")


def folders_of(module: str) -> tuple[str, ...]:
    """The folders that compiled code of a module can depend on."""
    parts = module.split(".")
    if parts[:2] == ["taut", "cables"] and len(parts) > 2 and f"cables/{parts[2]}" not in STEP_FOLDERS:
        return ("core", "contact", f"cables/{parts[2]}")
    return STEP_FOLDERS


@lru_cache(maxsize=16)
def source_hash(folders: tuple[str, ...]) -> str:
    """Hash of the kernel sources in some folders and of the compiler that builds them; the same for the whole process."""
    machine = f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"
    digest = hashlib.sha256(f"{sys.version_info[:3]} {machine} {llvm.llvm_version_info}".encode())
    compiler = find_spec("numba")  # its version, without importing it
    assert compiler is not None and compiler.origin is not None
    digest.update(Path(compiler.origin).with_name("_version.py").read_bytes())
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


def kept_at(folders: tuple[str, ...]) -> Path | None:
    """Where compiled code of the kernels in some folders is kept; None: nowhere."""
    return cache_directory(folders) if _use_cache(folders) else None


def compiled_before(module: str) -> bool:
    """Whether kernels of a module's unit are in the cache, as they stand now."""
    folder = kept_at(folders_of(module))
    return folder is not None and any(folder.rglob("*.nbi"))


class Kernel:
    """A function that is compiled when it is needed: nopython, without the interpreter lock."""

    def __init__(self, body: Any, entry: bool, fused: bool, inlined: bool) -> None:
        self.py_func, self._entry, self._fused, self._inlined = body, entry, fused, inlined
        update_wrapper(self, body)

    @cached_property
    def dispatcher(self) -> Any:
        """What numba makes of it."""
        from taut.core.compiler import dispatcher_of  # only here: numba takes half a second to import

        return dispatcher_of(self.py_func, self._entry, self._fused, self._inlined)

    def __call__(self, *args: Any) -> Any:
        """Call it from Python."""
        return self.dispatcher(*args)

    @property
    def _numba_type_(self) -> Any:
        """Its type for numba, which asks where a kernel names another."""
        return self.dispatcher._numba_type_


class Intrinsic:
    """A function whose code is given by what LLVM is to emit; made by numba when it is needed."""

    def __init__(self, define: Any) -> None:
        self._define = define

    @cached_property
    def _numba_type_(self) -> Any:
        from taut.core.compiler import intrinsic_type

        return intrinsic_type(self._define)


def kernel(function: Any = None, *, entry: bool = False, fused: bool = False, inlined: bool = False) -> Any:
    """Make a kernel of a function. An `entry` is one that only Python calls; in a `fused` one a product and a sum may be one
    instruction, rounded once, where the processor has it. One that is called very often with many arrays is `inlined`: each array is some
    nine arguments of a call."""
    if function is None:
        return lambda body: Kernel(body, entry, fused, inlined)
    return Kernel(function, entry, fused, inlined)


def intrinsic(define: Any) -> Any:
    """Make an intrinsic: `define` takes numba's typing context and the types, and returns signature and code."""
    return Intrinsic(define)
