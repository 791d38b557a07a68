"""Materials: how surfaces touch."""

from typing import Annotated

from pydantic import Field

from taut.scene import units
from taut.scene.quantity import Fraction, Quantity, Stiffness, Time
from taut.scene.spec import Spec


class Material(Spec):
    """How a surface behaves in contact."""

    friction: Annotated[float, Quantity(units.NUMBER, least=0.0, most=100.0)] = 0.5
    """Coefficient of Coulomb friction, of what slides if `static_friction` is given too; of two materials the geometric mean counts, unless one says otherwise [-]."""
    against: dict[str, Annotated[float, Quantity(units.NUMBER, least=0.0, most=100.0)]] = Field(default_factory=dict)
    """Friction against other materials by their names [-]."""
    static_friction: Annotated[float, Quantity(units.NUMBER, least=0.0, most=100.0)] | None = None
    """Coefficient of friction of what does not slide yet; None, or less than `friction`: as `friction` [-]."""
    static_against: dict[str, Annotated[float, Quantity(units.NUMBER, least=0.0, most=100.0)]] = Field(
        default_factory=dict
    )
    """The same against other materials by their names [-]."""
    restitution: Fraction = 0.0
    """Share of the approach speed with which it bounces off [-]."""
    stiffness: Stiffness | None = None
    """Of one contact point; None is chosen from the masses and the step [N/m]."""
    damping_time: Time = 0.0
    """Damping time of a contact; the solver's floor acts below it [s]."""
