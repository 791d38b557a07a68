"""Wind: a steady flow, with gusts and a profile over height."""

from typing import Annotated

from taut.scene import units
from taut.scene.quantity import Density, Direction, PositiveLength, PositiveTime, Quantity
from taut.scene.spec import Spec

WindSpeed = Annotated[float, Quantity(units.SPEED, least=0.0, most=1000.0)]


class Gust(Spec):
    """A wave on top of the steady speed: amplitude sin(2 pi t / period)."""

    amplitude: WindSpeed
    """Largest deviation from the steady speed [m/s]."""
    period: PositiveTime
    """Time from gust to gust [s]."""


class Profile(Spec):
    """Wind grows with height: speed (z / reference_height)^exponent, none below the ground at z = 0."""

    exponent: Annotated[float, Quantity(units.NUMBER, least=0.0, most=2.0)] = 0.14
    """Exponent of the power law; 0.14 is open country [-]."""
    reference_height: PositiveLength = 10.0
    """Height at which the given speed blows [m]."""


class Wind(Spec):
    """The air, moving."""

    speed: WindSpeed = 0.0
    """Speed [m/s]; with a profile, that at its reference height."""
    direction: Direction = (1.0, 0.0, 0.0)
    """Where it blows to, in the world [-]."""
    gust: Gust | None = None
    """Gusts on top of the steady speed."""
    profile: Profile | None = None
    """How the speed grows with height; None is the same everywhere."""
    air_density: Density = 1.225
    """Density of the air [kg/m^3]."""
