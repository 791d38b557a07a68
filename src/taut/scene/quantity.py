"""The types of the fields: numbers and vectors that know their unit.

Each is an ordinary float, int or tuple once read; what may be typed is wider: 0.012, '0.012' or '12 mm'.
"""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from taut.scene import units
from taut.scene.units import Kind, UnitError

LARGEST = 1e15
"""Largest magnitude of a quantity: its square and cube stay finite in every formula."""
SMALLEST = 1e-12
"""Smallest value of a quantity that must be positive: its inverse stays finite in every formula."""

NUMBER_OR_TEXT: dict[str, Any] = {"anyOf": [{"type": "number"}, {"type": "string"}]}


def refuse(message: str, kind: str = "taut", **context: Any) -> PydanticCustomError:
    """A mistake in words that need no rewriting."""
    return PydanticCustomError(kind, message, context or None)


def refuse_unit(error: UnitError) -> PydanticCustomError:
    """The same words as the error, less the value, which every message shows already."""
    return refuse(f"{error.expected}; {error.found}" if error.found else error.expected)


class Typed(ABC):
    """How one type of field is read from what a person typed, and how it looks in the JSON Schema."""

    @abstractmethod
    def read(self, value: object) -> Any:
        """The plain value. Raises what `refuse` makes."""

    @abstractmethod
    def schema(self) -> dict[str, Any]:
        """What may be typed, as JSON Schema; 'x-unit' is the unit of a plain number."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return self.schema()


@dataclass(frozen=True)
class Quantity(Typed):
    """A number of one kind, within bounds (SI)."""

    kind: Kind
    positive: bool = False
    least: float = -LARGEST
    most: float = LARGEST

    def read(self, value: object) -> float:
        try:
            return self.bounded(units.parse(value, self.kind))
        except UnitError as error:
            raise refuse_unit(error) from None

    def bounded(self, number: float) -> float:
        unit = "" if self.kind.unit == "-" else f" {self.kind.unit}"
        least = max(self.least, SMALLEST) if self.positive else self.least
        if self.positive and number <= 0.0:
            raise refuse(f"expected {self.kind.name} greater than 0")
        if number < least:
            raise refuse(f"expected {self.kind.name} of at least {least:g}{unit}")
        if number > self.most:
            raise refuse(f"expected {self.kind.name} of at most {self.most:g}{unit}")
        return number

    def schema(self) -> dict[str, Any]:
        number: dict[str, Any] = {"type": "number"}
        if self.positive:
            number["exclusiveMinimum"] = 0
        elif self.least > -LARGEST:
            number["minimum"] = self.least
        if self.most < LARGEST:
            number["maximum"] = self.most
        return {"anyOf": [number, {"type": "string"}], "x-unit": self.kind.unit}


@dataclass(frozen=True)
class Vector(Typed):
    """Some numbers of one kind, within the same bounds as single ones."""

    kind: Kind
    count: int = 3
    positive: bool = False
    direction: bool = False
    """Only the direction matters: it is brought to length one, and must not be zero."""

    def read(self, value: object) -> tuple[float, ...]:
        try:
            numbers = units.parse_vector(value, self.kind, self.count)
        except UnitError as error:
            raise refuse_unit(error) from None
        numbers = tuple(Quantity(self.kind, self.positive).bounded(number) for number in numbers)
        return normalised(numbers, "a direction") if self.direction else numbers

    def schema(self) -> dict[str, Any]:
        array = {"type": "array", "items": NUMBER_OR_TEXT, "minItems": self.count, "maxItems": self.count}
        return {"anyOf": [array, {"type": "string"}], "x-unit": self.kind.unit}


@dataclass(frozen=True)
class Count(Typed):
    """A whole number within bounds."""

    least: int
    most: int

    def read(self, value: object) -> int:
        try:
            number = units.parse(value, units.NUMBER)
        except UnitError:
            number = 0.5
        if not self.least <= number <= self.most or number != math.floor(number):
            raise refuse(f"expected a whole number from {self.least} to {self.most}")
        return int(number)

    def schema(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.least, "maximum": self.most}


def normalised(numbers: tuple[float, ...], what: str) -> tuple[float, ...]:
    """The same direction with length one; one that has it already keeps its bits, so that files round-trip."""
    length = math.hypot(*numbers)
    if length < SMALLEST:
        raise refuse(f"{what} must not be zero")
    return numbers if abs(length - 1.0) < 1e-14 else tuple(number / length for number in numbers)


Vec3: TypeAlias = tuple[float, float, float]

Number = Annotated[float, Quantity(units.NUMBER)]
Fraction = Annotated[float, Quantity(units.NUMBER, least=0.0, most=1.0)]
PositiveNumber = Annotated[float, Quantity(units.NUMBER, positive=True)]
NotNegative = Annotated[float, Quantity(units.NUMBER, least=0.0)]
Length = Annotated[float, Quantity(units.LENGTH)]
PositiveLength = Annotated[float, Quantity(units.LENGTH, positive=True)]
Mass = Annotated[float, Quantity(units.MASS, positive=True)]
Density = Annotated[float, Quantity(units.DENSITY, positive=True)]
LinearDensity = Annotated[float, Quantity(units.LINEAR_DENSITY, positive=True)]
Time = Annotated[float, Quantity(units.TIME, least=0.0, most=1e9)]
PositiveTime = Annotated[float, Quantity(units.TIME, positive=True, most=1e9)]
Angle = Annotated[float, Quantity(units.ANGLE)]
Speed = Annotated[float, Quantity(units.SPEED)]
AngularSpeed = Annotated[float, Quantity(units.ANGULAR_SPEED)]
Acceleration = Annotated[float, Quantity(units.ACCELERATION, positive=True)]
AngularAcceleration = Annotated[float, Quantity(units.ANGULAR_ACCELERATION, positive=True)]
Force = Annotated[float, Quantity(units.FORCE, least=0.0)]
Torque = Annotated[float, Quantity(units.TORQUE, least=0.0)]
# a steel rope of a metre has 1e7 N/m, a stiff block 1e11: the top leaves room for "as good as rigid"
Stiffness = Annotated[float, Quantity(units.STIFFNESS, positive=True, most=1e18)]
AngularStiffness = Annotated[float, Quantity(units.ANGULAR_STIFFNESS, positive=True, most=1e18)]

Point = Annotated[Vec3, Vector(units.LENGTH)]
Size = Annotated[Vec3, Vector(units.LENGTH, positive=True)]
Velocity = Annotated[Vec3, Vector(units.SPEED)]
Spin = Annotated[Vec3, Vector(units.ANGULAR_SPEED)]
Direction = Annotated[Vec3, Vector(units.NUMBER, direction=True)]
