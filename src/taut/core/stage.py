"""Stages: compiled units that call each other by address.

numba links the code of every callee into its caller and optimises it again at each level; a step compiled in one piece
takes over a minute. A stage is a C function of one signature, compiled once by itself and called through its address,
so that the page of the step compiles in a second, stages compile in parallel, and a stage that a scene does not need is
an address of zero.

Its arguments: the address of a context (where model, state, scratch and settings lie), the step h, and one number more.
"""

from __future__ import annotations

import numpy as np

from taut.core.buffers import Buffer
from taut.core.jit import intrinsic, kernel
from taut.core.settings import Settings

SETTINGS_COUNT = len(Settings._fields)
#: numbers that say where a buffer lies: address and length of its three arrays
PLACES = 6
#: places in a context: four buffers, the settings, the addresses of all stages
MODEL_AT, STATE_AT, WORK_AT, BACKUP_AT, SETTINGS_AT, STAGES_AT, CONTEXT_SIZE = 0, 6, 12, 18, 24, 25, 26
MOST_STAGES = 48


@intrinsic
def _floats_at(typingctx, address, rows):  # type: ignore[no-untyped-def]
    from taut.core.arrays import memory_at

    return memory_at("float64", 0)


@intrinsic
def ints_at(typingctx, address, rows):  # type: ignore[no-untyped-def]
    """The integers at an address."""
    from taut.core.arrays import memory_at

    return memory_at("int64", 0)


@intrinsic
def _int_table_at(typingctx, address, rows):  # type: ignore[no-untyped-def]
    from taut.core.arrays import memory_at

    return memory_at("int64", 3)


@intrinsic
def call(typingctx, address, context, h, extra):  # type: ignore[no-untyped-def]
    """Call the stage at an address."""
    from taut.core.arrays import stage_call

    return stage_call()


@kernel
def _buffer_at(c, k):
    return Buffer(_floats_at(c[k], c[k + 1]), ints_at(c[k + 2], c[k + 3]), _int_table_at(c[k + 4], c[k + 5]))


@kernel
def model_of(context):
    """The model of a context."""
    return _buffer_at(ints_at(context, CONTEXT_SIZE), MODEL_AT)


@kernel
def state_of(context):
    """The state of a context."""
    return _buffer_at(ints_at(context, CONTEXT_SIZE), STATE_AT)


@kernel
def work_of(context):
    """The scratch of a context."""
    return _buffer_at(ints_at(context, CONTEXT_SIZE), WORK_AT)


@kernel
def backup_of(context):
    """Where a context's state is kept until a step is known to be good."""
    return _buffer_at(ints_at(context, CONTEXT_SIZE), BACKUP_AT)


@kernel
def stages_of(context):
    """The addresses of a context's stages."""
    return ints_at(ints_at(context, CONTEXT_SIZE)[STAGES_AT], MOST_STAGES)


@kernel
def settings_of(context):
    """The settings of a context."""
    v = _floats_at(ints_at(context, CONTEXT_SIZE)[SETTINGS_AT], SETTINGS_COUNT)
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
    return call(stages_of(context)[stage], context, h, extra)


@kernel
def has_stage(context, stage):
    """Whether the scene needs this stage."""
    return stages_of(context)[stage] != 0


class Context:
    """Where a simulation's arrays lie, for compiled code. Keeps them alive.

    `backup` has the shape of `state`; without one, stages may be called but not `run`.
    """

    def __init__(
        self,
        model: Buffer,
        state: Buffer,
        work: Buffer,
        settings: Settings,
        stages: np.ndarray,
        backup: Buffer | None = None,
    ) -> None:
        self._settings = np.asarray(settings, float)
        self._stages = stages
        self._kept = (model, state, work, backup)
        numbers: list[int] = []
        for buffer in self._kept:
            numbers += places_of(buffer) if buffer is not None else [0] * PLACES
        self.array = np.array([*numbers, self._settings.ctypes.data, stages.ctypes.data], np.int64)

    @property
    def address(self) -> int:
        """What a stage is given."""
        return int(self.array.ctypes.data)


def places_of(buffer: Buffer) -> list[int]:
    """Address and length of each array of a buffer."""
    return [number for array in buffer for number in (array.ctypes.data, len(array))]
