"""The hoist: one rope and one load, the same numbers for every engine.

A rope hangs from a fixed point at the origin, straight, 30 degrees from the vertical in the x-z plane, z up, a compact
load at its lower end, and is let go from rest.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, kw_only=True)
class Hoist:
    """Rope, load and release, in SI units."""

    length: float = 10.0
    """Distance from the fixed point to the load at release [m]."""
    density: float = 0.4
    """Rope mass per metre [kg/m]."""
    stretch_stiffness: float = 1.0e7
    """EA [N], for the engines whose rope stretches."""
    load: float = 1000.0
    """Mass of the load [kg], a point or a small ball at the end of the rope."""
    angle: float = math.radians(30.0)
    """Angle from the vertical at release [rad]."""
    gravity: float = 9.81
    """[m/s^2], along -z."""
    seconds: float = 10.0
    """Simulated time [s]."""

    @property
    def swing_energy(self) -> float:
        """Potential energy at release above the lowest point [J]; energy errors are relative to it."""
        return (
            (self.load + 0.5 * self.density * self.length) * self.gravity * self.length * (1.0 - math.cos(self.angle))
        )

    def direction(self) -> tuple[float, float]:
        """Unit vector (x, z) along the rope at release, downwards."""
        return math.sin(self.angle), -math.cos(self.angle)

    def lumped_masses(self, links: int) -> np.ndarray:
        """Masses of the nodes below the fixed one [kg], shape (links,): rope halves to each side, load on the last."""
        mass = np.full(links, self.density * self.length / links)
        mass[-1] = 0.5 * mass[-1] + self.load
        return mass

    def rest_lengths(self, links: int) -> np.ndarray:
        """Unstretched segment lengths [m], shape (links,), for which the release is free of axial motion.

        A rope released unstretched would bounce between no tension and twice the weight (5 Hz here), which the
        inextensible engines cannot show. So every segment starts stretched by what it carries: at rest, along the rope,
        tension i = g cos(angle) * (mass below segment i); the stretched segments are `length / links` long.
        """
        below = np.cumsum(self.lumped_masses(links)[::-1])[::-1]
        tension = below * self.gravity * math.cos(self.angle)
        return (self.length / links) / (1.0 + tension / self.stretch_stiffness)


HOIST = Hoist()
