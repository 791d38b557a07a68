"""Joints between two bodies, or a body and the world.

Points and axes are given in the world, as things stand at the start; each body then carries them along.
"""

import math
from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from taut.scene.bodies import ORIGIN, Body
from taut.scene.motors import AngularLimits, AngularMotor, LinearLimits, LinearMotor
from taut.scene.quantity import AngularStiffness, Direction, Point, PositiveLength, Stiffness, Time, Vec3
from taut.scene.spec import Spec

WORLD = "world"
"""The name of what stands still, for joints."""


class JointSpec(Spec):
    """What every joint has."""

    a: str = WORLD
    """First body, or world."""
    b: str
    """Second body, or world."""
    stiffness: Stiffness | None = None
    """Of the rows that hold points together; None is rigid [N/m]."""
    damping_time: Time = 0.0
    """Damping as the time tau in force = k (x + tau dx/dt); the solver's floor acts below it [s]."""


class AnchoredJoint(JointSpec):
    """A joint that holds the bodies together at one point."""

    at: Point | None = None
    """The point, in the world at the start; None is the position of b, or that of a if b is the world [m]."""

    def anchor(self, bodies: Mapping[str, Body]) -> Vec3:
        """The point, in the world at the start [m]."""
        if self.at is not None:
            return self.at
        return start_of(self.b if self.b != WORLD else self.a, bodies)


class Ball(AnchoredJoint):
    """Holds a point of a to a point of b; they turn freely."""

    type: Literal["ball"] = "ball"
    """What it is: ball."""


class Hinge(AnchoredJoint):
    """Lets b turn about an axis of a."""

    type: Literal["hinge"] = "hinge"
    """What it is: hinge."""
    axis: Direction
    """The axis, in the world at the start; b turns about it by the right-hand rule [-]."""
    angular_stiffness: AngularStiffness | None = None
    """Of the rows that hold the axes parallel; None is rigid [N m/rad]."""
    motor: AngularMotor | None = None
    """What drives it."""
    limits: AngularLimits | None = None
    """How far it may turn."""


class Slider(AnchoredJoint):
    """Lets b slide along an axis of a, without turning."""

    type: Literal["slider"] = "slider"
    """What it is: slider."""
    axis: Direction
    """The axis, in the world at the start; b moves along it [-]."""
    angular_stiffness: AngularStiffness | None = None
    """Of the rows that keep it from turning; None is rigid [N m/rad]."""
    motor: LinearMotor | None = None
    """What drives it."""
    limits: LinearLimits | None = None
    """How far it may go."""


class Lock(AnchoredJoint):
    """Holds b to a as they stand at the start."""

    type: Literal["lock"] = "lock"
    """What it is: lock."""
    angular_stiffness: AngularStiffness | None = None
    """Of the rows that keep it from turning; None is rigid [N m/rad]."""


class PointOnLine(AnchoredJoint):
    """Keeps a point of b on a line of a; everything else is free."""

    type: Literal["point_on_line"] = "point_on_line"
    """What it is: point_on_line."""
    axis: Direction
    """Direction of the line, in the world at the start [-]."""


class Distance(JointSpec):
    """Keeps two points at a distance; as a rope, it only pulls."""

    type: Literal["distance"] = "distance"
    """What it is: distance."""
    point_a: Point | None = None
    """Point of a, in the world at the start; None is the position of a [m]."""
    point_b: Point | None = None
    """Point of b, in the world at the start; None is the position of b [m]."""
    length: PositiveLength | None = None
    """How far apart it holds the two points, of a rope how long it is; None is their distance at the start [m]."""
    rope: bool = False
    """Whether it only pulls: shorter than its length it is slack."""
    motor: LinearMotor | None = None
    """What changes its length."""
    limits: LinearLimits | None = None
    """How short and how long it may be."""

    def anchors(self, bodies: Mapping[str, Body]) -> tuple[Vec3, Vec3]:
        """Both points, in the world at the start [m]."""
        first = self.point_a if self.point_a is not None else start_of(self.a, bodies)
        second = self.point_b if self.point_b is not None else start_of(self.b, bodies)
        return first, second

    @staticmethod
    def least(point: Vec3) -> float:
        """Distance from a point within which another one is at the same place: round-off, as far out as it is [m]."""
        return 1e-9 * (1.0 + math.hypot(*point))

    def start_length(self, bodies: Mapping[str, Body]) -> float:
        """The given length, or the distance at the start [m]."""
        return self.length if self.length is not None else math.dist(*self.anchors(bodies))


def start_of(name: str, bodies: Mapping[str, Body]) -> Vec3:
    """Where a body's origin is at the start [m]."""
    return bodies[name].start_position if name != WORLD else ORIGIN


Joint = Annotated[Ball | Hinge | Slider | Lock | Distance | PointOnLine, Field(discriminator="type")]
