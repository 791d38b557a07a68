"""How kernels are compiled: the numbers are those of Python to the last bit, and numba is left as it was found."""

import gc
import math

import numba
import numpy as np
import pytest
from numba.core.base import BaseContext
from numba.core.postproc import PostProcessor
from numba.core.types.functions import BaseFunction

from taut.core.compiler import CalleeLibrary, compile_stage
from taut.core.jit import kernel
from taut.core.objects import load_object


@kernel
def _norm(v):
    s = 0.0
    for k in range(v.shape[0]):
        s += v[k] * v[k]
    return math.sqrt(s)


@kernel
def _scale(v, by):
    for k in range(v.shape[0]):
        v[k] = v[k] * by + 0.1
    return _norm(v)


@kernel
def _both_ways(v, times):
    """Calls `_norm` directly and through `_scale`: its code is linked once."""
    found = _norm(v)
    for _ in range(times):
        found = found / 3.0 + _scale(v, 1.0 / (1.0 + found))
    return found


@kernel
def _first(v, part):
    if part is not None:
        return part[0] * v[0]
    return v[0]


@kernel
def _unknown_word(v):
    return v.no_such_word


def _python(v, times):
    """`_both_ways` by the interpreter."""
    found = math.sqrt(sum(float(x) * float(x) for x in v))
    for _ in range(times):
        by = 1.0 / (1.0 + found)
        v[:] = [float(x) * by + 0.1 for x in v]
        found = found / 3.0 + math.sqrt(sum(float(x) * float(x) for x in v))
    return found


def test_numbers_are_those_of_python_to_the_last_bit():
    v = np.random.default_rng(7).normal(size=37)
    w = v.copy()
    assert _both_ways(v, 20) == _python(w, 20)
    assert np.array_equal(v, w)


def test_a_branch_for_nothing_is_left_out():
    assert _first(np.array([2.0]), None) == 2.0
    assert _first(np.array([2.0]), np.array([3.0])) == 6.0


def _count(context, h, extra):
    """A stage that calls kernels."""
    found = 0.0
    for k in range(int(extra)):
        found = _hypotenuse(found, 1.0 + 0.0 * k)
    return int(100.0 * found)


@kernel
def _hypotenuse(a, b):
    return math.sqrt(a * a + b * b)


def _takes_memory(context, h, extra):
    return int(_norm(np.empty(3)))


def test_a_stage_is_called_by_address():
    import ctypes

    address = load_object(compile_stage(_count, "taut_test_count"))
    call = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_double, ctypes.c_double)(address)
    assert call(0, 0.0, 25.0) == 500


@kernel
def _never(a):
    """Its call is dropped before the stage is linked: nothing is less than itself."""
    return _hypotenuse(a, 1.0) if a < a else a


@kernel
def _always(a):
    return _hypotenuse(a, 1.0)


def _one_after_the_other(context, h, extra):
    return int(100.0 * _always(_never(extra)))


@kernel(entry=True)
def _both(a):
    return _always(_never(a))


def test_what_is_called_is_linked_wherever_it_was_met_first():
    import ctypes

    address = load_object(compile_stage(_one_after_the_other, "taut_test_order"))
    call = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_double, ctypes.c_double)(address)
    assert call(0, 0.0, math.sqrt(3.0)) in (199, 200)
    assert _both(math.sqrt(3.0)) == pytest.approx(2.0)


def test_stages_of_one_name_are_not_mixed_up():
    """Two functions that numba gives the same name, in objects loaded into one process."""
    import ctypes

    def make(value):
        def stage(context, h, extra):
            return value

        return stage

    STAGE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_double, ctypes.c_double)
    addresses = [load_object(compile_stage(make(k), f"taut_test_make_{k}")) for k in (3, 4)]
    assert [STAGE(each)(0, 0.0, 0.0) for each in addresses] == [3, 4]


def test_a_stage_that_takes_memory_is_refused():
    with pytest.raises(TypeError, match="_takes_memory takes memory"):
        compile_stage(_takes_memory, "taut_test_memory")


def test_a_kernel_called_by_kernels_has_no_machine_code(monkeypatch):
    finished = []
    monkeypatch.setattr(
        CalleeLibrary, "finalize", lambda library: finished.append(library) or setattr(library, "_finalized", True)
    )

    @kernel
    def inner(x):
        return x + 1.0

    @kernel
    def outer(x):
        return 2.0 * inner(x)

    assert outer(1.0) == 4.0
    assert len(finished) == 1 and finished[0].get_pointer_to_function("any") == 0


def test_numba_is_left_as_it_was():
    before = BaseFunction.get_call_type, BaseContext.get_function, PostProcessor.run
    with pytest.raises(numba.core.errors.TypingError, match="no_such_word"):
        _unknown_word(np.zeros(3))
    assert (BaseFunction.get_call_type, BaseContext.get_function, PostProcessor.run) == before
    assert gc.isenabled()

    @numba.njit
    def plain(a, b):
        return np.dot(a, b) + sum([x * 2.0 for x in a])

    # numba's own passes and its linear algebra are there for others
    assert plain(np.array([1.0, 2.0]), np.array([3.0, 4.0])) == 17.0


def test_short_ways_are_taken_only_while_kernels_are_compiled():
    from taut.core.short_ways import _WAYS, short_ways

    def taken():
        return [getattr(where, name) is way for where, name, way in _WAYS]

    assert not any(taken())
    with short_ways():
        with short_ways():
            assert all(taken())
        assert all(taken())
    assert not any(taken())
