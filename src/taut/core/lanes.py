"""Blocks of the sparse factorisation with several numbers to an instruction.

Bodies and joints of cables have six unknowns, contacts three. LLVM turns loops over so few numbers into single operations; here rows of six and
of three are vectors from the start, with products and sums in one instruction where the processor has it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from taut.core.jit import intrinsic


def _vectors(context: Any, builder: Any, array_type: Any, array: Any, width: int) -> tuple[Callable, Callable]:
    """Reading and writing `width` numbers of an array from a place on."""
    import llvmlite.ir as ir

    fields = context.data_model_manager[array_type]
    data = builder.extract_value(array, fields.get_field_position("data"))
    kind = ir.VectorType(ir.DoubleType(), width).as_pointer()

    def at(place: Any) -> Any:
        return builder.bitcast(builder.gep(data, [place], inbounds=True), kind)

    return (lambda place: builder.load(at(place), align=8)), (
        lambda value, place: builder.store(value, at(place), align=8)
    )


def _number(context: Any, builder: Any, array_type: Any, array: Any) -> Callable[[Any], Any]:
    """Reading one number of an array."""
    fields = context.data_model_manager[array_type]
    data = builder.extract_value(array, fields.get_field_position("data"))
    return lambda place: builder.load(builder.gep(data, [place], inbounds=True))


def _spread(builder: Any, number: Any, width: int) -> Any:
    """A number in all lanes."""
    import llvmlite.ir as ir

    lane = ir.IntType(32)
    one = builder.insert_element(
        ir.Constant(ir.VectorType(number.type, width), ir.Undefined), number, ir.Constant(lane, 0)
    )
    return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(lane, width), [0] * width))


def _less(builder: Any, value: Any, factor: Any, other: Any, width: int) -> Any:
    """value - factor * other, lane by lane."""
    import llvmlite.ir as ir

    kind, name = ir.VectorType(ir.DoubleType(), width), f"llvm.fmuladd.v{width}f64"
    fused = builder.module.globals.get(name) or ir.Function(builder.module, ir.FunctionType(kind, [kind] * 3), name)
    return builder.call(fused, [_spread(builder, builder.fneg(factor), width), other, value])


#: six and three numbers in registers of four, two and one: one of eight, a part of it empty, takes longer to fill and to store
_PARTS = {6: ((0, 4), (4, 2)), 3: ((0, 2), (2, 1))}


def _columns(n: int, width: int) -> tuple[Any, Callable]:
    """Y = L^-1 B and B <- D^-1 Y for `width` columns of a node with n unknowns."""
    from numba.core import types

    floats, whole = types.Array(types.float64, 1, "C"), types.int64

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        slots, d, inv, p, b, apart, scratch, y = args
        one, inverse = _number(context, builder, floats, slots), _number(context, builder, floats, inv)
        place = lambda start, k: builder.add(start, builder.mul(apart, apart.type(k)))  # noqa: E731
        lower = {(i, k): one(builder.add(d, d.type(i * n + k))) for i in range(n) for k in range(i)}
        pivot = [inverse(builder.add(p, p.type(i))) for i in range(n)]
        for first, lanes in _PARTS[width]:
            read, write = _vectors(context, builder, floats, slots, lanes)
            _, keep = _vectors(context, builder, floats, scratch, lanes)
            from_b, from_y = builder.add(b, b.type(first)), builder.add(y, y.type(first))
            rows: list[Any] = []
            for i in range(n):
                value = read(place(from_b, i))
                for k in range(i):
                    value = _less(builder, value, lower[i, k], rows[k], lanes)
                rows.append(value)
            for i in range(n):
                keep(rows[i], place(from_y, i))
                write(builder.fmul(rows[i], _spread(builder, pivot[i], lanes)), place(from_b, i))
        return context.get_dummy_value()

    return types.void(floats, whole, floats, whole, whole, whole, floats, whole), code


def _row(n: int, width: int) -> tuple[Any, Callable]:
    """`width` numbers less the sum of n products."""
    from numba.core import types

    floats, whole = types.Array(types.float64, 1, "C"), types.int64

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        target, at, factors, q, step, source, y, apart = args
        one = _number(context, builder, floats, factors)
        place = lambda start, k, each: builder.add(start, builder.mul(each, each.type(k)))  # noqa: E731
        factor = [one(place(q, k, step)) for k in range(n)]
        for first, lanes in _PARTS[width]:
            read, write = _vectors(context, builder, floats, target, lanes)
            other, _ = _vectors(context, builder, floats, source, lanes)
            from_y, to = builder.add(y, y.type(first)), builder.add(at, at.type(first))
            value = read(to)
            for k in range(n):
                value = _less(builder, value, factor[k], other(place(from_y, k, apart)), lanes)
            write(value, to)
        return context.get_dummy_value()

    return types.void(floats, whole, floats, whole, whole, floats, whole, whole), code


@intrinsic
def columns_66(typingctx, slots, d, inv, p, b, apart, scratch, y):  # type: ignore[no-untyped-def]
    """Six columns of a node with six unknowns: L at slots[d:], 1/D at inv[p:], the columns at slots[b:], Y at scratch[y:]."""
    return _columns(6, 6)


@intrinsic
def columns_63(typingctx, slots, d, inv, p, b, apart, scratch, y):  # type: ignore[no-untyped-def]
    """Three columns of a node with six unknowns."""
    return _columns(6, 3)


@intrinsic
def columns_36(typingctx, slots, d, inv, p, b, apart, scratch, y):  # type: ignore[no-untyped-def]
    """Six columns of a node with three unknowns."""
    return _columns(3, 6)


@intrinsic
def columns_33(typingctx, slots, d, inv, p, b, apart, scratch, y):  # type: ignore[no-untyped-def]
    """Three columns of a node with three unknowns."""
    return _columns(3, 3)


@intrinsic
def row_66(typingctx, target, at, factors, q, step, source, y, apart):  # type: ignore[no-untyped-def]
    """Six numbers at target[at:] less a sum of six products: factors at factors[q:], `step` apart, times rows at source[y:], `apart`."""
    return _row(6, 6)


@intrinsic
def row_63(typingctx, target, at, factors, q, step, source, y, apart):  # type: ignore[no-untyped-def]
    """Three numbers less a sum of six products."""
    return _row(6, 3)


@intrinsic
def row_36(typingctx, target, at, factors, q, step, source, y, apart):  # type: ignore[no-untyped-def]
    """Six numbers less a sum of three products."""
    return _row(3, 6)


@intrinsic
def row_33(typingctx, target, at, factors, q, step, source, y, apart):  # type: ignore[no-untyped-def]
    """Three numbers less a sum of three products."""
    return _row(3, 3)
