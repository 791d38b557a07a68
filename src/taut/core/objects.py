"""Machine code on disk and in memory, without numba.

A stage is compiled once (taut.core.compiler) and kept as an object file. A later start reads it, hands it to LLVM's
linker and has an address to call, in a few milliseconds.
"""

from __future__ import annotations

import hashlib
import os
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import llvmlite.binding as llvm

_MARK = "taut-object"


class ObjectCode(NamedTuple):
    """An object file: the symbol of its one entry, the symbols that it needs from elsewhere, and its bytes."""

    symbol: str
    needs: tuple[str, ...]
    data: bytes


def write_object(path: Path, code: ObjectCode) -> None:
    """Keep machine code in a file."""
    head = " ".join([_MARK, hashlib.sha256(code.data).hexdigest(), code.symbol, *code.needs])
    draft = path.with_name(f"{path.name}-{os.getpid()}")  # several processes may write the same file
    draft.write_bytes(head.encode() + b"\n" + code.data)
    draft.replace(path)


def read_object(path: Path) -> ObjectCode | None:
    """Machine code from a file; None when there is none, or not all of it."""
    try:
        head, _, data = path.read_bytes().partition(b"\n")
        mark, digest, symbol, *needs = head.decode().split(" ")
    except (OSError, ValueError):
        return None
    if mark != _MARK or digest != hashlib.sha256(data).hexdigest():
        return None
    return ObjectCode(symbol, tuple(needs), data)


@cache
def _engine() -> Any:
    """The linker of this process."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)


def load_object(code: ObjectCode) -> int:
    """Link machine code into this process and return the address of its entry; it stays until the process ends."""
    engine = _engine()
    if any(llvm.address_of_symbol(name) is None for name in code.needs):
        from numba.core.registry import cpu_target  # some need functions of numba's, which it makes known itself

        cpu_target.target_context.refresh()
        if unknown := [name for name in code.needs if llvm.address_of_symbol(name) is None]:
            raise OSError(f"machine code of {code.symbol} needs {', '.join(unknown)}, which nobody has")
    engine.add_object_file(llvm.ObjectFileRef.from_data(code.data))
    engine.finalize_object()
    return int(engine.get_function_address(code.symbol))
