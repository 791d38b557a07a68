"""Four layers to an instruction: what LLVM is to emit for springs of one kind in neighbouring layers, and for turning tables.

The lattice repeats itself from layer to layer. With coordinates of one place of the section in a row, layer by layer, springs
of one kind lie side by side in memory: no index is looked up, and four of them go through each operation at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from taut.core.jit import intrinsic

#: numbers to an instruction
WIDTH = 4
#: rows of a record, a place of the section in four layers: three coordinates, three velocities, three forces. A second such part has those of
#: the layers above; forces are then those of springs from the layers below
X, V, F, ROWS = 0, 3, 6, 9


class Lanes:
    """Four numbers at a time, with the operators of Python for those of LLVM."""

    def __init__(self, builder: Any, value: Any) -> None:
        self.builder, self.value = builder, value

    def __add__(self, other: Lanes) -> Lanes:
        return Lanes(self.builder, self.builder.fadd(self.value, other.value))

    def __sub__(self, other: Lanes) -> Lanes:
        return Lanes(self.builder, self.builder.fsub(self.value, other.value))

    def __mul__(self, other: Lanes) -> Lanes:
        return Lanes(self.builder, self.builder.fmul(self.value, other.value))

    def __truediv__(self, other: Lanes) -> Lanes:
        return Lanes(self.builder, self.builder.fdiv(self.value, other.value))

    def __lt__(self, other: Lanes) -> Any:
        return self.builder.fcmp_ordered("<", self.value, other.value)

    def where(self, condition: Any, other: Lanes) -> Lanes:
        """This where the condition holds, else the other."""
        return Lanes(self.builder, self.builder.select(condition, self.value, other.value))

    def plus(self, factor: Lanes, other: Lanes) -> Lanes:
        """self + factor * other, rounded once where the processor can."""
        return self._call(f"llvm.fmuladd.v{WIDTH}f64", factor.value, other.value, self.value)

    def root(self) -> Lanes:
        """Square root."""
        return self._call(f"llvm.sqrt.v{WIDTH}f64", self.value)

    def size(self) -> Lanes:
        """Without its sign."""
        return self._call(f"llvm.fabs.v{WIDTH}f64", self.value)

    def _call(self, name: str, *values: Any) -> Lanes:
        import llvmlite.ir as ir

        kind, known = self.value.type, self.builder.module.globals
        called = known.get(name) or ir.Function(self.builder.module, ir.FunctionType(kind, [kind] * len(values)), name)
        return Lanes(self.builder, self.builder.call(called, values))


class Memory:
    """Reading and writing numbers of an array from a place on."""

    def __init__(self, context: Any, builder: Any, array_type: Any, array: Any) -> None:
        fields = context.data_model_manager[array_type]
        self._data = builder.extract_value(array, fields.get_field_position("data"))
        self._builder = builder

    def _at(self, place: Any, further: int, width: int) -> Any:
        import llvmlite.ir as ir

        there = self._builder.gep(self._data, [place], inbounds=True)
        there = self._builder.gep(there, [ir.IntType(64)(further)], inbounds=True)
        return self._builder.bitcast(there, ir.VectorType(ir.DoubleType(), width).as_pointer())

    def read(self, place: Any, further: int = 0) -> Lanes:
        """Four numbers."""
        return Lanes(self._builder, self._builder.load(self._at(place, further, WIDTH), align=8))

    def write(self, lanes: Any, place: Any, further: int = 0) -> None:
        """As many numbers as there are lanes."""
        value = lanes.value if isinstance(lanes, Lanes) else lanes
        self._builder.store(value, self._at(place, further, value.type.count), align=8)

    def three(self, place: Any, first: int) -> list[Lanes]:
        """Three rows of four, from a row of a record on."""
        return [self.read(place, WIDTH * (first + k)) for k in range(3)]


def _spread(builder: Any, number: Any) -> Lanes:
    """A number in all lanes."""
    import llvmlite.ir as ir

    lane = ir.IntType(32)
    empty = ir.Constant(ir.VectorType(number.type, WIDTH), ir.Undefined)
    one = builder.insert_element(empty, number, ir.Constant(lane, 0))
    return Lanes(builder, builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(lane, WIDTH), [0] * WIDTH)))


def _constant(builder: Any, value: float) -> Lanes:
    import llvmlite.ir as ir

    return Lanes(builder, ir.Constant(ir.VectorType(ir.DoubleType(), WIDTH), [value] * WIDTH))


def dot(a: list[Lanes], b: list[Lanes]) -> Lanes:
    """Scalar product."""
    return (a[0] * b[0]).plus(a[1], b[1]).plus(a[2], b[2])


Law = Callable[[Lanes, Lanes, Lanes], tuple[Lanes, Lanes]]


def _hooke(k: Lanes, rest: Lanes, l: Lanes) -> tuple[Lanes, Lanes]:
    """f = k (l - l0), and df/dl."""
    return k * (l - rest), k


def _quadratic(k: Lanes, rest: Lanes, l: Lanes) -> tuple[Lanes, Lanes]:
    """f = k l q |q| with q = l/l0 - 1, and df/dl."""
    share = l / rest
    q = (l - rest) / rest
    return k * l * q * q.size(), k * q.size() * (q + share + share)


def _code(force_of: Callable[..., list[Lanes]], law: Law, sided: bool) -> Any:
    """Signature and code of what acts between the masses of springs of one kind in four layers.

    Arguments: the array; where in it the records of the first and of the second masses begin, and the constants of the springs (three rows); the side
    on which they act, which is looked at where some are `sided`.
    """
    from numba.core import types

    floats, whole = types.Array(types.float64, 1, "C"), types.int64

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array, one, other, constants, side = args
        memory = Memory(context, builder, floats, array)
        x = [b - a for a, b in zip(memory.three(one, X), memory.three(other, X))]
        v = [b - a for a, b in zip(memory.three(one, V), memory.three(other, V))]
        k, c, rest = memory.three(constants, 0)
        l = dot(x, x).root()
        f, slope = law(k, rest, l)
        if sided:
            zero = _constant(builder, 0.0)
            idle = (l - rest) * _spread(builder, side) < zero
            f, slope, c = zero.where(idle, f), zero.where(idle, slope), zero.where(idle, c)
        force = force_of(x, v, l, c, f, slope)
        for n, each in enumerate(force):
            row = WIDTH * (F + n)
            memory.write(memory.read(one, row) + each, one, row)
            memory.write(memory.read(other, row) - each, other, row)
        return context.get_dummy_value()

    return types.void(floats, whole, whole, whole, types.float64), code


def _pull(x: list[Lanes], v: list[Lanes], l: Lanes, c: Lanes, f: Lanes, slope: Lanes) -> list[Lanes]:
    """f + c (v_b - v_a) . E along E; an idle one-sided spring does not damp either."""
    inverse = _constant(l.builder, 1.0) / l
    along = f.plus(c * inverse, dot(v, x)) * inverse
    return [along * each for each in x]


def _stiffness(x: list[Lanes], v: list[Lanes], l: Lanes, c: Lanes, f: Lanes, slope: Lanes) -> list[Lanes]:
    """(k E E^T + max(f, 0)/l (1 - E E^T)) (v_b - v_a), k = df/dl."""
    zero, inverse = _constant(l.builder, 0.0), _constant(l.builder, 1.0) / l
    side = zero.where(f < zero, f) * inverse
    along = (slope - side) * inverse * inverse * dot(v, x)
    return [(along * each).plus(side, own) for each, own in zip(x, v)]


def _damping(x: list[Lanes], v: list[Lanes], l: Lanes, c: Lanes, f: Lanes, slope: Lanes) -> list[Lanes]:
    """c E E^T (v_b - v_a)."""
    along = c * dot(v, x) / (l * l)
    return [along * each for each in x]


@intrinsic
def pull_hooke(typingctx, rows, one, other, constants, side):  # type: ignore[no-untyped-def]
    """Add the forces of four springs with Hooke's law on both sides."""
    return _code(_pull, _hooke, False)


@intrinsic
def pull_sided(typingctx, rows, one, other, constants, side):  # type: ignore[no-untyped-def]
    """The same for springs that act on one side."""
    return _code(_pull, _hooke, True)


@intrinsic
def pull_quadratic(typingctx, rows, one, other, constants, side):  # type: ignore[no-untyped-def]
    """Add the forces of four springs with the paper's law."""
    return _code(_pull, _quadratic, True)


@intrinsic
def stiffness_hooke(typingctx, rows, one, other, constants, side):  # type: ignore[no-untyped-def]
    """Subtract the tangent stiffness of four springs times the vector in the place of velocities."""
    return _code(_stiffness, _hooke, True)


@intrinsic
def stiffness_quadratic(typingctx, rows, one, other, constants, side):  # type: ignore[no-untyped-def]
    """The same with the paper's law."""
    return _code(_stiffness, _quadratic, True)


@intrinsic
def damping_of(typingctx, rows, one, other, constants, side):  # type: ignore[no-untyped-def]
    """Subtract the damping of four springs times the vector in the place of velocities."""
    return _code(_damping, _hooke, False)


@intrinsic
def fall(typingctx, rows, record, mass, x, y, z, constant, u, w, t):  # type: ignore[no-untyped-def]
    """Set the forces of gravity (x, y, z) and air on four masses: m g - C |v - w| (v - w), w the wind (u, w, t)."""
    from numba.core import types

    floats, whole, real = types.Array(types.float64, 1, "C"), types.int64, types.float64

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array, record, mass, x, y, z, constant, *wind = args
        memory = Memory(context, builder, floats, array)
        away = [own - _spread(builder, air) for own, air in zip(memory.three(record, V), wind)]
        drag = _constant(builder, 0.0) - _spread(builder, constant) * dot(away, away).root()
        m = memory.read(mass)
        for k, (each, g) in enumerate(zip(away, (x, y, z))):
            memory.write((drag * each).plus(m, _spread(builder, g)), record, WIDTH * (F + k))
        return context.get_dummy_value()

    return types.void(floats, whole, whole, *([real] * 7)), code


def _shuffled(builder: Any, a: Any, b: Any, *places: int) -> Any:
    import llvmlite.ir as ir

    return builder.shuffle_vector(a, b, ir.Constant(ir.VectorType(ir.IntType(32), len(places)), list(places)))


def _turned(builder: Any, four: list[Any]) -> list[Any]:
    """Rows and columns of four times four numbers exchanged."""
    a, b, c, d = four
    low, high = _shuffled(builder, a, b, 0, 4, 2, 6), _shuffled(builder, a, b, 1, 5, 3, 7)
    low2, high2 = _shuffled(builder, c, d, 0, 4, 2, 6), _shuffled(builder, c, d, 1, 5, 3, 7)
    return [
        _shuffled(builder, low, low2, 0, 1, 4, 5),
        _shuffled(builder, high, high2, 0, 1, 4, 5),
        _shuffled(builder, low, low2, 2, 3, 6, 7),
        _shuffled(builder, high, high2, 2, 3, 6, 7),
    ]


def _gather(first: int) -> Any:
    """Signature and code: four times four numbers, turned, of which three columns from the first on are kept."""
    from numba.core import types

    floats, whole = types.Array(types.float64, 1, "C"), types.int64

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        source, at, step, target, to = args
        reading, writing = Memory(context, builder, floats, source), Memory(context, builder, floats, target)
        four = [reading.read(builder.add(at, builder.mul(step, step.type(k)))).value for k in range(WIDTH)]
        for k, value in enumerate(_turned(builder, four)[first : first + 3]):
            writing.write(value, to, WIDTH * k)
        return context.get_dummy_value()

    return types.void(floats, whole, whole, floats, whole), code


@intrinsic
def spare(typingctx, array):  # type: ignore[no-untyped-def]
    """Numbers to leave out so that the rest of an array begins a line of the cache: what crosses two lines is read and written twice."""
    from numba.core import types

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        import llvmlite.ir as ir

        fields = context.data_model_manager[signature.args[0]]
        data = builder.extract_value(args[0], fields.get_field_position("data"))
        whole = ir.IntType(64)
        numbers = builder.lshr(builder.ptrtoint(data, whole), whole(3))
        return builder.and_(builder.neg(numbers), whole(2 * WIDTH - 1))

    return types.int64(types.Array(types.float64, 1, "C")), code


@intrinsic
def gather(typingctx, source, at, step, target, to):  # type: ignore[no-untyped-def]
    """Three coordinates of four masses at source[at:], `step` apart, as rows of four at target[to:]; a fourth number is read too."""
    return _gather(0)


@intrinsic
def gather_last(typingctx, source, at, step, target, to):  # type: ignore[no-untyped-def]
    """The same where the fourth number is read before the three."""
    return _gather(1)


@intrinsic
def scatter(typingctx, rows, record, carry, target, to, step):  # type: ignore[no-untyped-def]
    """Forces of four masses to target[to:], `step` apart: from springs of their layers and from below, of which the last lies in `carry` and
    the next is put there."""
    from numba.core import types

    floats, whole = types.Array(types.float64, 1, "C"), types.int64

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array, record, carry, target, to, step = args
        memory, writing = Memory(context, builder, floats, array), Memory(context, builder, floats, target)
        total = []
        for k in range(3):
            above = memory.read(record, WIDTH * (ROWS + F + k))
            below = memory.read(carry, WIDTH * k)
            memory.write(above, carry, WIDTH * k)
            shifted = Lanes(builder, _shuffled(builder, below.value, above.value, 3, 4, 5, 6))
            total.append((memory.read(record, WIDTH * (F + k)) + shifted).value)
        for k, value in enumerate(_turned(builder, [*total, total[2]])):
            place = builder.add(to, builder.mul(step, step.type(k)))
            writing.write(_shuffled(builder, value, value, 0, 1), place)
            writing.write(_shuffled(builder, value, value, 2), place, 2)
        return context.get_dummy_value()

    return types.void(floats, whole, whole, floats, whole, whole), code
