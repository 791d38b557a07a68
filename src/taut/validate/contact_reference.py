"""Answers that are known for ropes in contact, from formulas and small integrations of their own."""

from __future__ import annotations

import math

from scipy.optimize import brentq

G = 9.81


def capstan_exponent(friction: float, angle: float, radius: float, thickness: float) -> float:
    """ln(T2/T1) of a rope hauled round a post, mu theta (Euler 1769, Eytelwein 1808), for a rope of some thickness.

    Friction acts on its surface at `radius`, its pull at its middle: about the post's axis dT (r + d/2) = mu N r, N = T dtheta.
    """
    return friction * angle * radius / (radius + 0.5 * thickness)


def touchdown(height: float, distance: float, length: float) -> tuple[float, float]:
    """Catenary that ends on smooth ground: its parameter a = H/w and the place of touchdown, from the far end [m].

    From the far end it lies on the ground for t, then rises by `height` over the rest of `distance`:
    height = a (cosh(u/a) - 1), length = t + a sinh(u/a), u = distance - t.
    """

    def rest(a: float) -> float:
        u = a * math.acosh(1.0 + height / a)
        return distance - u + a * math.sinh(u / a) - length

    a = brentq(rest, 1e-3 * height, 1e3 * height, xtol=1e-14)
    return a, distance - a * math.acosh(1.0 + height / a)
