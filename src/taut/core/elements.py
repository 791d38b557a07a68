"""How an element of an array is read and written in compiled kernels: one address, one load or store.

numba lets an index count from the end when it is negative, copies the whole array structure to the stack to look at it, and
writes some thirty instructions for `row[i, R_RHS]`, most of which LLVM takes out again. Kernels have no negative index (a
test reads their sources), so their elements need a third of the text and none of the comparisons.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from numba.core import types

_NUMBERS = (types.float64, types.int64)


def element_access(context: Any, function: Any, signature: Any) -> Callable[..., Any] | None:
    """Code for `array[index]` or `array[index] = value`, or None where numba's own is needed."""
    key = getattr(function, "typing_key", None)
    if key is not operator.getitem and key is not operator.setitem:
        return None
    array, index = signature.args[0], signature.args[1]
    if not isinstance(array, types.Array) or array.layout != "C" or array.dtype not in _NUMBERS:
        return None
    if index == types.int64 and array.ndim == 1:
        tuples = False
    elif isinstance(index, types.UniTuple) and index.dtype == types.int64 and array.ndim == index.count == 2:
        tuples = True
    else:
        return None
    fields = context.data_model_manager[array]
    data, shape = fields.get_field_position("data"), fields.get_field_position("shape")

    def address(builder: Any, args: Any) -> Any:
        at = args[1]
        if tuples:
            width = builder.extract_value(args[0], [shape, 1])
            row, place = builder.extract_value(at, 0), builder.extract_value(at, 1)
            at = builder.add(builder.mul(row, width, flags=["nsw"]), place, flags=["nsw"])
        return builder.gep(builder.extract_value(args[0], data), [at], inbounds=True)

    def read(builder: Any, args: Any, loc: Any = None) -> Any:
        return builder.load(address(builder, args))

    def write(builder: Any, args: Any, loc: Any = None) -> Any:
        value = context.cast(builder, args[2], signature.args[2], array.dtype)
        builder.store(value, address(builder, args))
        return context.get_dummy_value()

    return read if key is operator.getitem else write
