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


def segmented_exponent(friction: float, angle: float, radius: float, thickness: float, per_turn: int) -> float:
    """The same for a rope of rigid segments without bending stiffness, so many a turn, that touch the post at their middles.

    Joints at (r + d/2)/c, c and s of half the angle of a segment. Forces there grow by a factor f from joint to joint; with their
    parts t along and q across the circle, normal force N and friction mu N of a segment at r:

        (f - 1) t = B mu N,   (f + 1) q s = A mu N,   N = (f + 1) t s - (f - 1) q c,    B = r c/(r + d/2),   A = 1 - B c

    (moment about the post, and both components of the force); x = (f + 1)/(f - 1) then solves mu s^2 B x^2 - s x - mu c A = 0.
    """
    half = math.pi / per_turn
    c, s = math.cos(half), math.sin(half)
    b = radius * c / (radius + 0.5 * thickness)
    a = 1.0 - b * c
    x = (1.0 + math.sqrt(1.0 + 4.0 * friction**2 * a * b * c)) / (2.0 * friction * s * b)
    return angle / (2.0 * half) * math.log((x + 1.0) / (x - 1.0))


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
