"""Shorter ways through numba's compiler, taken while kernels are compiled. What comes out is the same.

numba spends more of a cold start in Python than in LLVM: it looks up what `a * b` means for two floats at every place, asks
every array for a conversion that none has, records warnings anew for each constraint, and tells listeners that are not
there of every lock taken. Each function below does what it stands for, with less.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from numba.core import errors as numba_errors
from numba.core import event, lowering, ssa, typeinfer, types
from numba.core import ir as numba_ir
from numba.core.base import BaseContext
from numba.core.postproc import PostProcessor, VariableLifetime
from numba.core.transforms import canonicalize_cfg
from numba.core.types.functions import BaseFunction

from taut.core.collecting import no_collection
from taut.core.elements import element_access

errors: Any = numba_errors  # its checked form does not name all of it
#: arguments whose types alone decide what a call means
_PLAIN = (types.Number, types.Boolean, types.Array, types.Literal, types.BaseTuple)
_resolve, _find, _process = BaseFunction.get_call_type, BaseContext.get_function, PostProcessor.run
_resolved: dict[Any, Any] = {}
_NOTHING = nullcontext()
#: types of values in numba's code: whether they are instructions, which know their own variables
_instructions: dict[type, bool] = {}


def _resolve_once(function: Any, context: Any, args: Any, kws: Any) -> Any:
    """The signature of a call to one of numba's own functions: the same for the same types."""
    if kws or not all(isinstance(each, _PLAIN) for each in args):
        return _resolve(function, context, args, kws)
    if (function, args) not in _resolved:
        signature = _resolve(function, context, args, kws)
        _resolved[function, args] = signature, function.get_impl_key(signature)
    signature, implementation = _resolved[function, args]
    function._impl_keys[signature.args] = implementation
    return signature


def _find_at_once(context: Any, function: Any, signature: Any, _firstcall: bool = True) -> Any:
    """The code of a function; that of elements of arrays is ours. numba goes through all its registries again where there is none, as for a conversion
    that it asks every array for and none has; functions that it knows by their name alone are there from the start."""
    access = element_access(context, function, signature)
    if access is not None:
        return access
    return _find(context, function, signature, _firstcall and not isinstance(function, str))


def _process_less(processor: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """Order the blocks after a pass; how long variables live is asked only at the end, where they are dropped."""
    code = processor.func_ir
    if emit_dels or code.is_generator:
        _process(processor, emit_dels, extend_lifetimes)
        return
    code.blocks = canonicalize_cfg(code.blocks)
    code.variable_lifetime, code.generator_info = VariableLifetime(code.blocks), None


class _Place:
    """Adds to an error where it arose; numba's is a generator and is made a hundred thousand times."""

    __slots__ = ("_named", "_text", "_values")

    def __init__(self, text: str, *values: Any, **named: Any) -> None:
        self._text, self._values, self._named = text, values, named

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if isinstance(error, errors.NumbaError):
            error.add_context(errors._format_msg(self._text, self._values, self._named))


def _gather(value: Any, found: list[Any]) -> None:
    """Variables in a value of numba's code, in order."""
    kind = type(value)
    if kind is numba_ir.Var:
        found.append(value)
    elif kind is dict:
        for each in value.values():
            _gather(each, found)
    elif kind is tuple or kind is list:
        for each in value:
            _gather(each, found)
    else:
        known = _instructions.get(kind)
        if known is None:
            known = _instructions[kind] = issubclass(kind, numba_ir.Inst)
        if known:
            found.extend(value.list_vars())


def _variables_in(instruction: Any, value: Any) -> list[Any]:
    """Variables in a value of an instruction."""
    found: list[Any] = []
    _gather(value, found)
    return found


class _Silent:
    """A logger that nobody reads."""

    def debug(self, *_: Any) -> None:
        """Say nothing."""


def _nothing(*_: Any, **__: Any) -> Any:
    return _NOTHING


#: what is replaced: where, its name, by what
_WAYS: tuple[tuple[Any, str, Any], ...] = (
    (BaseFunction, "get_call_type", _resolve_once),
    (BaseContext, "get_function", _find_at_once),
    (PostProcessor, "run", _process_less),
    (typeinfer, "new_error_context", _Place),
    (lowering, "new_error_context", _Place),
    (errors.WarningsFixer, "catch_warnings", _nothing),
    (numba_ir.Inst, "_rec_list_vars", _variables_in),
    (event, "broadcast", _nothing),
    (ssa, "_logger", _Silent()),
)
_taken = 0


@contextmanager
def short_ways() -> Iterator[None]:
    """Take the short ways, without garbage collection (numba lets one thread compile at a time)."""
    global _taken
    before = [getattr(where, name) for where, name, _ in _WAYS] if _taken == 0 else []
    _taken += 1
    for where, name, way in _WAYS if _taken == 1 else ():
        setattr(where, name, way)
    try:
        with no_collection():
            yield
    finally:
        _taken -= 1
        if _taken == 0:
            for (where, name, _), old in zip(_WAYS, before, strict=True):
                setattr(where, name, old)
