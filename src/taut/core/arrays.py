"""Arrays in compiled code that are views of memory: they own nothing and cost nothing. For taut.core.jit.intrinsic."""

from __future__ import annotations

from typing import Any

import llvmlite.ir as ir
from numba import types
from numba.core import cgutils
from numba.np.arrayobj import populate_array

_WIDTH = 8  # bytes of a number


def _array(context: Any, builder: Any, kind: Any, data: Any, shape: list[Any]) -> Any:
    """An array of this type at `data`, rows one after another."""
    made = context.make_array(kind)(context, builder)
    item = context.get_constant(types.intp, _WIDTH)
    strides = [item] if len(shape) == 1 else [builder.mul(shape[1], item), item]
    populate_array(
        made,
        data=data(made),
        shape=cgutils.pack_array(builder, shape),
        strides=cgutils.pack_array(builder, strides),
        itemsize=item,
        meminfo=None,
    )
    return made._getvalue()


def part_of(data: Any, ndim: int) -> Any:
    """Signature and code of f(data, start, rows[, columns]): a part of the one-dimensional array `data`."""
    result = types.Array(data.dtype, ndim, "C")

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        source = context.make_array(sig.args[0])(context, builder, args[0])
        return _array(context, builder, result, lambda made: builder.gep(source.data, [args[1]]), list(args[2:]))

    return result(data, *[types.int64] * (1 + ndim)), codegen


def memory_at(element: str, columns: int) -> Any:
    """Signature and code of f(address, rows): the memory there as an array of `element`, with columns unless zero."""
    result = types.Array(getattr(types, element), 2 if columns else 1, "C")

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        shape = [args[1], *([context.get_constant(types.intp, columns)] if columns else [])]
        return _array(context, builder, result, lambda made: builder.inttoptr(args[0], made.data.type), shape)

    return result(types.int64, types.int64), codegen


def stage_call() -> Any:
    """Signature and code of f(address, context, h, extra): calls the stage at the address."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        integer, double = ir.IntType(64), ir.DoubleType()
        function = ir.FunctionType(integer, [integer, double, double])
        return builder.call(builder.inttoptr(args[0], function.as_pointer()), list(args[1:]))

    return types.int64(types.int64, types.int64, types.float64, types.float64), codegen
