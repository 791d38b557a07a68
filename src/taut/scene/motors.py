"""Motors and limits of joints, along a line or about an axis."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import GetCoreSchemaHandler, ValidationInfo
from pydantic_core import CoreSchema, core_schema

from taut.scene import units
from taut.scene.quantity import (
    NUMBER_OR_TEXT,
    Acceleration,
    Angle,
    AngularAcceleration,
    AngularStiffness,
    Force,
    Length,
    Quantity,
    Stiffness,
    Torque,
    Typed,
)
from taut.scene.spec import Spec
from taut.scene.units import Kind


@dataclass(frozen=True)
class Target(Typed):
    """What a motor aims at: a speed or a position, by its mode."""

    speed: Kind
    position: Kind

    def read(self, value: object, mode: str = "speed") -> float:
        return Quantity(self.position if mode == "position" else self.speed).read(value)

    def schema(self) -> dict[str, Any]:
        return {**NUMBER_OR_TEXT, "x-unit": f"{self.speed.unit} or {self.position.unit}"}

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        def by_mode(value: object, info: ValidationInfo) -> float:
            # a mode that was refused is not among the data: one mistake is enough
            return self.read(value, info.data["mode"]) if "mode" in info.data else 0.0

        return core_schema.with_info_plain_validator_function(by_mode)


class LinearMotor(Spec):
    """Drives a slider along its axis, or the length of a distance joint."""

    mode: Literal["speed", "position"] = "speed"
    """Whether the target is a speed or a position."""
    target: Annotated[float, Target(units.SPEED, units.LENGTH)] = 0.0
    """Speed [m/s] or position [m], by mode; a control of the same name changes it live. For a distance joint
    the speed is that at which the length grows, and the position is the length."""
    force_limit: Force | None = None
    """Largest force, either way; None is unlimited, or 10 kN per kilogram of all that moves where there are end stops [N]."""
    stiffness: Stiffness | None = None
    """In position mode, how softly the target is held; None is rigid [N/m]."""
    acceleration: Acceleration | None = None
    """Largest change of speed per time; None follows at once [m/s^2]."""


class AngularMotor(Spec):
    """Drives a hinge about its axis."""

    mode: Literal["speed", "position"] = "speed"
    """Whether the target is a speed or a position."""
    target: Annotated[float, Target(units.ANGULAR_SPEED, units.ANGLE)] = 0.0
    """Speed [rad/s] or angle [rad], by mode; a control of the same name changes it live."""
    force_limit: Torque | None = None
    """Largest torque, either way; None is unlimited, or 10 kN m per kilogram of all that moves where there are end stops
    [N m]."""
    stiffness: AngularStiffness | None = None
    """In position mode, how softly the target is held; None is rigid [N m/rad]."""
    acceleration: AngularAcceleration | None = None
    """Largest change of speed per time; None follows at once [rad/s^2]."""


class LinearLimits(Spec):
    """How far a slider may go from its start (0), or how short and long a distance joint may be."""

    lower: Length | None = None
    """Least position or length; None is no limit [m]."""
    upper: Length | None = None
    """Largest position or length; None is no limit [m]."""


class AngularLimits(Spec):
    """How far a hinge may turn from its start (0)."""

    lower: Angle | None = None
    """Least angle; None is no limit [rad]."""
    upper: Angle | None = None
    """Largest angle; None is no limit [rad]."""
