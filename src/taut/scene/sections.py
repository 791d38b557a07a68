"""Cross-sections of cables: area and second moments, from which the stiffnesses follow.

EA, EI = E I about both axes of the section, GJ = G J with the torsion constant J: polar for round and hollow,
Saint-Venant's series for a rectangle.
"""

import math
from typing import Annotated, Literal

from pydantic import Field

from taut.scene.quantity import PositiveLength
from taut.scene.spec import Spec

Moments = tuple[float, float, float, float]
"""Area [m^2], second moments about the first and the second axis, torsion constant [m^4]."""


class RoundSection(Spec):
    """A solid circle."""

    type: Literal["round"] = "round"
    """What it is: round."""
    diameter: PositiveLength
    """Outer diameter [m]."""

    def moments(self) -> Moments:
        """Area [m^2], second moments and torsion constant [m^4]."""
        return ring_moments(self.diameter, 0.0)

    @property
    def radius(self) -> float:
        """Of the circle around it [m]."""
        return 0.5 * self.diameter


class HollowSection(Spec):
    """A tube, as a hose."""

    type: Literal["hollow"] = "hollow"
    """What it is: hollow."""
    diameter: PositiveLength
    """Outer diameter [m]."""
    inner: PositiveLength
    """Inner diameter [m]."""

    def moments(self) -> Moments:
        """Area [m^2], second moments and torsion constant [m^4]."""
        return ring_moments(self.diameter, self.inner)

    @property
    def radius(self) -> float:
        """Of the circle around it [m]."""
        return 0.5 * self.diameter


class RectangularSection(Spec):
    """A strap or belt; `width` along the first axis of the section, `height` along the second."""

    type: Literal["rectangular"] = "rectangular"
    """What it is: rectangular."""
    width: PositiveLength
    """Size along the first axis [m]: bending about the second is E height width^3 / 12."""
    height: PositiveLength
    """Size along the second axis [m]: bending about the first is E width height^3 / 12."""

    def moments(self) -> Moments:
        """Area [m^2], second moments and torsion constant [m^4]."""
        w, h = self.width, self.height
        return w * h, w * h**3 / 12.0, h * w**3 / 12.0, saint_venant(max(w, h), min(w, h))

    @property
    def radius(self) -> float:
        """Of the circle around it [m]."""
        return 0.5 * math.hypot(self.width, self.height)


Section = Annotated[RoundSection | HollowSection | RectangularSection, Field(discriminator="type")]


def ring_moments(outer: float, inner: float) -> Moments:
    """Of a circle with a round hole, both given by their diameters [m]."""
    fourth = math.pi / 64.0 * (outer**4 - inner**4)
    return math.pi / 4.0 * (outer**2 - inner**2), fourth, fourth, 2.0 * fourth


def saint_venant(a: float, b: float) -> float:
    """Torsion constant of a rectangle, a b^3 (1/3 - 64 b/(pi^5 a) sum_odd tanh(n pi a/(2 b))/n^5), a the longer side
    (Timoshenko and Goodier) [m^4]."""
    series = sum(math.tanh(min(0.5 * n * math.pi * a / b, 50.0)) / n**5 for n in range(1, 60, 2))
    return a * b**3 * (1.0 / 3.0 - 64.0 * b / (math.pi**5 * a) * series)
