"""Cross-sections: area and second moments, from which the stiffnesses follow.

EI = E I about d1 and d2, GJ = G J with the torsion constant J: polar for round and hollow, Saint-Venant's series for a
rectangle.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from taut.cables.rod.values import RodError, length
from taut.scene.sections import ring_moments, saint_venant


@dataclass(frozen=True)
class Round:
    """A solid circle."""

    diameter: float | str
    """Outer diameter [m]."""

    def moments(self) -> tuple[float, float, float, float]:
        """Area [m^2], second moments about d1 and d2 and torsion constant [m^4]."""
        return ring_moments(length("section.diameter", self.diameter), 0.0)

    def reach(self) -> float:
        """Radius of the circle around it [m]."""
        return 0.5 * length("section.diameter", self.diameter)


@dataclass(frozen=True)
class Hollow:
    """A tube: a hose."""

    outer: float | str
    """Outer diameter [m]."""
    inner: float | str
    """Inner diameter [m]."""

    def moments(self) -> tuple[float, float, float, float]:
        """Area [m^2], second moments about d1 and d2 and torsion constant [m^4]."""
        outer, inner = length("section.outer", self.outer), length("section.inner", self.inner)
        if inner >= outer:
            raise RodError(f"section.inner: {self.inner!r} - must be smaller than the outer diameter {self.outer!r}")
        return ring_moments(outer, inner)

    def reach(self) -> float:
        """Radius of the circle around it [m]."""
        return 0.5 * length("section.outer", self.outer)


@dataclass(frozen=True)
class Rectangular:
    """A strip; `width` along d1, `height` along d2."""

    width: float | str
    """Size along d1 [m]: bending about d2 is E height width^3 / 12."""
    height: float | str
    """Size along d2 [m]: bending about d1 is E width height^3 / 12."""

    def moments(self) -> tuple[float, float, float, float]:
        """Area [m^2], second moments about d1 and d2 and torsion constant [m^4]."""
        w, h = length("section.width", self.width), length("section.height", self.height)
        return w * h, w * h**3 / 12.0, h * w**3 / 12.0, saint_venant(max(w, h), min(w, h))

    def reach(self) -> float:
        """Radius of the circle around it [m]."""
        return 0.5 * math.hypot(length("section.width", self.width), length("section.height", self.height))


Section = Round | Hollow | Rectangular
