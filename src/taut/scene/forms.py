"""Orientations, inertias, gravity and colours: fields that may be typed in more than one form."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

from pydantic_core import PydanticCustomError

from taut.scene import units
from taut.scene.quantity import NUMBER_OR_TEXT, Quantity, Typed, Vec3, Vector, normalised, refuse
from taut.scene.units import UnitError


def _array(count: int) -> dict[str, Any]:
    return {"type": "array", "items": NUMBER_OR_TEXT, "minItems": count, "maxItems": count}


@dataclass(frozen=True)
class Rotation(Typed):
    """A unit quaternion (w, x, y, z), body to world; may be typed as {axis: [0, 0, 1], angle: 30 deg}."""

    def read(self, value: object) -> tuple[float, ...]:
        if isinstance(value, Mapping):
            return self._about_axis(value)
        try:
            numbers = units.parse_vector(value, units.NUMBER, 4)
        except UnitError:
            raise refuse("expected a quaternion [w, x, y, z] or {axis: [0, 0, 1], angle: 30 deg}") from None
        return normalised(tuple(Quantity(units.NUMBER).bounded(number) for number in numbers), "a quaternion")

    def _about_axis(self, value: Mapping[object, object]) -> tuple[float, ...]:
        if set(value) != {"axis", "angle"}:
            raise refuse("expected both axis and angle, as in {axis: [0, 0, 1], angle: 30 deg}")
        axis = Vector(units.NUMBER, direction=True).read(value["axis"])
        half = 0.5 * Quantity(units.ANGLE).read(value["angle"])
        return normalised((math.cos(half), *(math.sin(half) * x for x in axis)), "a quaternion")

    def schema(self) -> dict[str, Any]:
        axis = {"anyOf": [_array(3), {"type": "string"}]}
        turn = {
            "type": "object",
            "properties": {"axis": axis, "angle": NUMBER_OR_TEXT},
            "required": ["axis", "angle"],
            "additionalProperties": False,
        }
        return {"anyOf": [_array(4), turn, {"type": "string"}], "x-unit": "-"}


@dataclass(frozen=True)
class InertiaTensor(Typed):
    """Three principal moments, or six entries xx, yy, zz, xy, xz, yz of the tensor."""

    def read(self, value: object) -> tuple[float, ...]:
        for count in (3, 6):
            try:
                return Vector(units.INERTIA, count).read(value)
            except PydanticCustomError as error:
                if isinstance(value, list | tuple) and len(value) == count:
                    raise error
        raise refuse(
            "expected 3 principal moments or 6 entries xx, yy, zz, xy, xz, yz, e.g. [2, 2, 1] or '2 2 1 kg m^2'"
        )

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [_array(3), _array(6), {"type": "string"}], "x-unit": units.INERTIA.unit}


@dataclass(frozen=True)
class Downward(Typed):
    """Gravity: one number acts along -z, three are taken as they are."""

    def read(self, value: object) -> tuple[float, ...]:
        if isinstance(value, list | tuple):
            return Vector(units.ACCELERATION).read(value)
        try:
            down = units.parse(value, units.ACCELERATION)
        except UnitError as error:
            try:
                return Vector(units.ACCELERATION).read(value)
            except PydanticCustomError:
                why = f"; {error.found}" if error.found else ""
                raise refuse(f"expected an acceleration, e.g. 9.81 or [0, 0, -9.81]{why}") from None
        # not -down, which would write a gravity of 0 as -0.0
        return (0.0, 0.0, 0.0 - Quantity(units.ACCELERATION).bounded(down))

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [{"type": "number"}, {"type": "string"}, _array(3)], "x-unit": units.ACCELERATION.unit}


@dataclass(frozen=True)
class Paint(Typed):
    """A colour, red, green and blue from 0 to 1; may be typed as '#ff8800'."""

    def read(self, value: object) -> tuple[float, ...]:
        if isinstance(value, str) and re.fullmatch(r"#[0-9a-fA-F]{6}", value):
            return tuple(int(value[i : i + 2], 16) / 255 for i in (1, 3, 5))
        try:
            numbers = units.parse_vector(value, units.NUMBER)
        except UnitError:
            numbers = (-1.0,)
        if not all(0.0 <= number <= 1.0 for number in numbers):
            raise refuse("expected a colour: '#rrggbb' in quotes, or red, green and blue from 0 to 1")
        return numbers

    def schema(self) -> dict[str, Any]:
        number = {"type": "number", "minimum": 0, "maximum": 1}
        array = {"type": "array", "items": number, "minItems": 3, "maxItems": 3}
        return {"anyOf": [array, {"type": "string"}], "x-unit": "-"}


Quaternion: TypeAlias = tuple[float, float, float, float]
Orientation = Annotated[Quaternion, Rotation()]
Inertia = Annotated[tuple[float, ...], InertiaTensor()]
Gravity = Annotated[Vec3, Downward()]
Color = Annotated[Vec3, Paint()]
