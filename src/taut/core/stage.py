"""Stages: compiled units that call each other by address.

numba links the code of every callee into its caller and optimises it again at each level; a step compiled in one piece
takes over a minute. A stage is a C function of one signature, compiled once by itself and called through its address,
so that the page of the step compiles in a second, stages compile in parallel, and a stage that a scene does not need is
an address of zero.

Its arguments: the address of a context (where model, state, scratch and settings lie), the step h, and one number more.
"""

from __future__ import annotations

import numpy as np
from numba import cfunc, types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from taut.core.buffers import Buffer
from taut.core.compiler import EntryCompiler
from taut.core.jit import cached, kernel
from taut.core.model import Settings

SETTINGS_COUNT = len(Settings._fields)
SIGNATURE = types.int64(types.int64, types.float64, types.float64)
#: places in a context: three buffers of six numbers each, the settings, the addresses of all stages
MODEL_AT, STATE_AT, WORK_AT, SETTINGS_AT, STAGES_AT, CONTEXT_SIZE = 0, 6, 12, 18, 19, 20
MOST_STAGES = 32


def _view_at(element: types.Type, columns: int):  # type: ignore[no-untyped-def]
    """An intrinsic that makes an array of the memory at an address."""
    ndim = 2 if columns else 1

    @intrinsic
    def view(typingctx, address, rows):  # type: ignore[no-untyped-def]
        result = types.Array(element, ndim, "C")

        def codegen(context, builder, sig, args):  # type: ignore[no-untyped-def]
            made = context.make_array(result)(context, builder)
            item = context.get_constant(types.intp, 8)
            width = context.get_constant(types.intp, max(columns, 1))
            shape, strides = [args[1]], [item]
            if columns:
                shape, strides = [args[1], width], [builder.mul(width, item), item]
            populate_array(
                made,
                data=builder.inttoptr(args[0], made.data.type),
                shape=cgutils.pack_array(builder, shape),
                strides=cgutils.pack_array(builder, strides),
                itemsize=item,
                meminfo=None,
            )
            return made._getvalue()

        return result(types.int64, types.int64), codegen

    return view


_floats_at = _view_at(types.float64, 0)
_ints_at = _view_at(types.int64, 0)
_int_table_at = _view_at(types.int64, 3)


@intrinsic
def call(typingctx, address, context, h, extra):  # type: ignore[no-untyped-def]
    """Call the stage at an address."""

    def codegen(ctx, builder, sig, args):  # type: ignore[no-untyped-def]
        import llvmlite.ir as ir

        integer, double = ir.IntType(64), ir.DoubleType()
        function = ir.FunctionType(integer, [integer, double, double])
        pointer = builder.inttoptr(args[0], function.as_pointer())
        return builder.call(pointer, [args[1], args[2], args[3]])

    return types.int64(types.int64, types.int64, types.float64, types.float64), codegen


@kernel
def _buffer_at(c, k):
    return Buffer(_floats_at(c[k], c[k + 1]), _ints_at(c[k + 2], c[k + 3]), _int_table_at(c[k + 4], c[k + 5]))


@kernel
def model_of(context):
    """The model of a context."""
    return _buffer_at(_ints_at(context, CONTEXT_SIZE), MODEL_AT)


@kernel
def state_of(context):
    """The state of a context."""
    return _buffer_at(_ints_at(context, CONTEXT_SIZE), STATE_AT)


@kernel
def work_of(context):
    """The scratch of a context."""
    return _buffer_at(_ints_at(context, CONTEXT_SIZE), WORK_AT)


@kernel
def settings_of(context):
    """The settings of a context."""
    v = _floats_at(_ints_at(context, CONTEXT_SIZE)[SETTINGS_AT], SETTINGS_COUNT)
    return Settings(
        v[0], v[1], v[2], v[3], v[4], v[5], int(v[6]), int(v[7]), int(v[8]), int(v[9]), int(v[10]), int(v[11]), v[12]
    )


@kernel
def call_if(address, context, h, extra):
    """Call the stage at an address, if the scene has it; its result, or zero."""
    return call(address, context, h, extra) if address != 0 else 0


@kernel
def call_stage(stage, context, h, extra):
    """Call another stage of the same context, from within a stage."""
    return call(_ints_at(_ints_at(context, CONTEXT_SIZE)[STAGES_AT], MOST_STAGES)[stage], context, h, extra)


@kernel
def has_stage(context, stage):
    """Whether the scene needs this stage."""
    return _ints_at(_ints_at(context, CONTEXT_SIZE)[STAGES_AT], MOST_STAGES)[stage] != 0


class Context:
    """Where a simulation's arrays lie, for compiled code. Keeps them alive."""

    def __init__(self, model: Buffer, state: Buffer, work: Buffer, settings: Settings, stages: np.ndarray) -> None:
        self._settings = np.asarray(settings, float)
        self._stages = stages
        self._kept = (model, state, work)
        numbers: list[int] = []
        for buffer in self._kept:
            for array in buffer:
                numbers += [array.ctypes.data, len(array)]
        self.array = np.array([*numbers, self._settings.ctypes.data, stages.ctypes.data], np.int64)

    @property
    def address(self) -> int:
        """What a stage is given."""
        return int(self.array.ctypes.data)


def compile_stage(function):  # type: ignore[no-untyped-def]
    """Compile a stage (or take it from the cache) and return the compiled object; its `.address` is to be called."""
    return cfunc(
        SIGNATURE, cache=cached(function.__module__), nopython=True, error_model="numpy", pipeline_class=EntryCompiler
    )(function)
