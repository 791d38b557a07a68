"""How a kinematic body moves: along poses, with velocities, or by a control set while running."""

from typing import Annotated, Literal

from pydantic import Field

from taut.scene.forms import Orientation
from taut.scene.quantity import Acceleration, AngularAcceleration, Length, Point, Spin, Time, Velocity
from taut.scene.spec import Spec


class PoseMotion(Spec):
    """Passes through given poses. Positions are interpolated linearly, orientations along the shorter arc.

    Before the first time the first pose holds, after the last time the last one, or it starts over.
    """

    type: Literal["pose"] = "pose"
    """What it is: pose."""
    times: tuple[Time, ...]
    """Times, increasing, at least two [s]."""
    positions: tuple[Point, ...]
    """Position in the world at each time [m]."""
    orientations: tuple[Orientation, ...] | None = None
    """Orientation at each time, quaternion (w, x, y, z) or axis and angle; None keeps that of the body [-]."""
    repeat: bool = False
    """Whether it starts over after the last time; the last pose must then equal the first."""


class VelocityMotion(Spec):
    """Moves with given velocities, interpolated linearly in between; the first and the last one are held."""

    type: Literal["velocity"] = "velocity"
    """What it is: velocity."""
    times: tuple[Time, ...]
    """Times, increasing [s]."""
    velocities: tuple[Velocity, ...]
    """Velocity in the world at each time [m/s]."""
    spins: tuple[Spin, ...] | None = None
    """Angular velocity in the world at each time; None means none [rad/s]."""


class ControlMotion(Spec):
    """Moves with the velocity and spin set live by controls, starting from those of the body."""

    type: Literal["control"] = "control"
    """What it is: control."""
    acceleration: Acceleration | None = None
    """Largest change of velocity per time; None follows the control at once [m/s^2]."""
    angular_acceleration: AngularAcceleration | None = None
    """Largest change of spin per time; None follows the control at once [rad/s^2]."""
    stops_x: tuple[Length, Length] | None = None
    """Smallest and largest x of its position, where it stops as gently as `acceleration` lets it; None: it goes on for ever [m]."""
    stops_y: tuple[Length, Length] | None = None
    """The same of y [m]."""
    stops_z: tuple[Length, Length] | None = None
    """The same of z [m]."""
    levers: Literal["x", "y", "z", "xy", "xz", "yz", "xyz", "all"] = "all"
    """Axes of the world for which the page has levers; all: also those it turns about. From elsewhere all controls can be set."""

    @property
    def stops(self) -> tuple[tuple[float, float] | None, ...]:
        """Smallest and largest position along each axis [m]; None: no end."""
        return self.stops_x, self.stops_y, self.stops_z


Motion = Annotated[PoseMotion | VelocityMotion | ControlMotion, Field(discriminator="type")]
