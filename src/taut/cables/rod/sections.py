"""Cross-sections: area and second moments, from which the stiffnesses follow.

EI = E I about d1 and d2, GJ = G J with the torsion constant J: polar for round and hollow, Saint-Venant's series for a
rectangle.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from taut.cables.rod.values import RodError, length


@dataclass(frozen=True)
class Round:
    """A solid circle."""

    diameter: float | str
    """Outer diameter [m]."""

    def moments(self) -> tuple[float, float, float, float]:
        """Area [m^2], second moments about d1 and d2 and torsion constant [m^4]."""
        return _ring(length("section.diameter", self.diameter), 0.0)

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
        return _ring(outer, inner)

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
        return w * h, w * h**3 / 12.0, h * w**3 / 12.0, _saint_venant(max(w, h), min(w, h))

    def reach(self) -> float:
        """Radius of the circle around it [m]."""
        return 0.5 * math.hypot(length("section.width", self.width), length("section.height", self.height))


Section = Round | Hollow | Rectangular


def _ring(outer: float, inner: float) -> tuple[float, float, float, float]:
    fourth = math.pi / 64.0 * (outer**4 - inner**4)
    return math.pi / 4.0 * (outer**2 - inner**2), fourth, fourth, 2.0 * fourth


def _saint_venant(a: float, b: float) -> float:
    """a b^3 (1/3 - 64 b/(pi^5 a) sum_odd tanh(n pi a/(2 b))/n^5), a the longer side (Timoshenko and Goodier)."""
    series = sum(math.tanh(min(0.5 * n * math.pi * a / b, 50.0)) / n**5 for n in range(1, 60, 2))
    return a * b**3 * (1.0 / 3.0 - 64.0 * b / (math.pi**5 * a) * series)
