"""Flat buffers with named views.

A model, a state and the scratch of the step are one `Buffer` each: one float array, one integer array and a table that
says where every named field lies. Compiled code cuts the views it needs at the top of each kernel,

    pos = table(state, BODY_POS)          # (n, 3) floats

which costs nothing at run time; a call from Python passes nine arrays, not a hundred, and a snapshot is two copies.
(Tuples of a hundred arrays, the obvious way, took two minutes to compile.)
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from taut.core.jit import intrinsic, kernel


class Buffer(NamedTuple):
    """Floats, integers, and for every field its start, rows and columns in the one or the other."""

    floats: np.ndarray  # shape (f,)
    ints: np.ndarray  # shape (i,)
    at: np.ndarray  # [start, rows, columns] of each field, shape (fields, 3)


class Field(NamedTuple):
    """Name, type, columns (0: one-dimensional), unit and meaning of a field. Its number is its place in the list."""

    name: str
    kind: type
    columns: int
    unit: str
    meaning: str


def make_buffer(fields: tuple[Field, ...], rows: dict[str, int]) -> Buffer:
    """Take memory for all fields; `rows` gives the number of rows of each."""
    if set(rows) != {field.name for field in fields}:
        raise KeyError(f"fields and rows differ: {set(rows) ^ {field.name for field in fields}}")
    used = {float: 0, int: 0}
    at = np.zeros((len(fields), 3), np.int64)
    for k, field in enumerate(fields):
        at[k] = used[field.kind], rows[field.name], field.columns
        used[field.kind] += rows[field.name] * max(field.columns, 1)
    return Buffer(np.zeros(used[float]), np.zeros(used[int], np.int64), at)


class Views:
    """The fields of a buffer as numpy arrays by name: zero-copy, for Python."""

    def __init__(self, fields: tuple[Field, ...], buffer: Buffer) -> None:
        for field, (start, rows, columns) in zip(fields, buffer.at.tolist()):
            data = buffer.floats if field.kind is float else buffer.ints
            view = data[start : start + rows * max(columns, 1)]
            setattr(self, field.name, view.reshape(rows, columns) if columns else view)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"no field {name!r}; fields: {', '.join(vars(self))}")


@intrinsic
def _view1(typingctx, data, start, rows):  # type: ignore[no-untyped-def]
    from taut.core.arrays import part_of

    return part_of(data, 1)


@intrinsic
def _view2(typingctx, data, start, rows, columns):  # type: ignore[no-untyped-def]
    from taut.core.arrays import part_of

    return part_of(data, 2)


@kernel
def column(b, k):
    """Field k as a one-dimensional float array."""
    return _view1(b.floats, b.at[k, 0], b.at[k, 1])


@kernel
def table(b, k):
    """Field k as a two-dimensional float array."""
    return _view2(b.floats, b.at[k, 0], b.at[k, 1], b.at[k, 2])


@kernel
def indices(b, k):
    """Field k as a one-dimensional integer array."""
    return _view1(b.ints, b.at[k, 0], b.at[k, 1])


@kernel
def index_table(b, k):
    """Field k as a two-dimensional integer array."""
    return _view2(b.ints, b.at[k, 0], b.at[k, 1], b.at[k, 2])


@kernel
def column_part(b, k, first, count):
    """Some entries of field k, a one-dimensional float array."""
    return _view1(b.floats, b.at[k, 0] + first, count)


@kernel
def table_part(b, k, first, count):
    """Some rows of field k, a two-dimensional float array."""
    return _view2(b.floats, b.at[k, 0] + first * b.at[k, 2], count, b.at[k, 2])


@kernel
def indices_part(b, k, first, count):
    """Some entries of field k, a one-dimensional integer array."""
    return _view1(b.ints, b.at[k, 0] + first, count)


@kernel
def index_table_part(b, k, first, count):
    """Some rows of field k, a two-dimensional integer array."""
    return _view2(b.ints, b.at[k, 0] + first * b.at[k, 2], count, b.at[k, 2])


@kernel
def matrix(b, k, rows, columns):
    """Field k, a one-dimensional float array, as a matrix of this size; it may have room for more."""
    return _view2(b.floats, b.at[k, 0], rows, columns)


@kernel
def matrix_part(b, k, first, rows, columns):
    """The same from entry `first` on."""
    return _view2(b.floats, b.at[k, 0] + first, rows, columns)


@kernel
def index_matrix(b, k, rows, columns):
    """Field k, a one-dimensional integer array, as a matrix of this size."""
    return _view2(b.ints, b.at[k, 0], rows, columns)
