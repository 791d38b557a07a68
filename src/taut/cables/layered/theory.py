"""Closed forms of hanging and vibrating cables, on plain numbers; nothing of the step is used here."""

from __future__ import annotations

import math

import numpy as np
from scipy.optimize import brentq

G = 9.81


def catenary(span: float, weight: float, stiffness: float, sag: float) -> tuple[float, float, float]:
    """Elastic catenary between level supports with this sag: thrust H [N], tension at the supports [N], unstretched length
    [m]; weight per unstretched metre [N/m].

    With V = w L/2:  span = 2 (H/w) asinh(V/H) + H L/EA,   sag = (sqrt(H^2 + V^2) - H)/w + V^2/(2 w EA).
    """

    def half_load(thrust: float) -> float:
        def miss(v: float) -> float:
            return 2.0 * thrust / weight * math.asinh(v / thrust) + 2.0 * thrust * v / (weight * stiffness) - span

        return float(brentq(miss, 1e-9, 10.0 * weight * span, xtol=1e-12))

    def miss(thrust: float) -> float:
        v = half_load(thrust)
        return (math.hypot(thrust, v) - thrust) / weight + v * v / (2.0 * weight * stiffness) - sag

    guess = weight * span**2 / (8.0 * sag)
    thrust = float(brentq(miss, 0.2 * guess, 5.0 * guess, xtol=1e-10))
    v = half_load(thrust)
    return thrust, math.hypot(thrust, v), 2.0 * v / weight


def string_frequency(n: int, length: float, tension: float, density: float) -> float:
    """f_n = n/(2 l) sqrt(T/rho) [Hz]."""
    return n / (2.0 * length) * math.sqrt(tension / density)


def irvine(squared: float) -> float:
    """First symmetric in-plane frequency over that of the string [-]: tan(x) = x - 4 x^3/lambda^2, x = omega l/(2 c)."""

    def miss(x: float) -> float:
        return math.sin(x) - math.cos(x) * (x - 4.0 * x**3 / squared)

    # the first root lies between pi/2 (no coupling) and 3 pi/2 (inextensible: 2.861 pi / 2)
    grid = np.linspace(0.5 * math.pi * (1.0 + 1e-9), 1.5 * math.pi, 4001)
    values = [miss(float(x)) for x in grid]
    for a, b, fa, fb in zip(grid[:-1], grid[1:], values[:-1], values[1:]):
        if fa == 0.0 or fa * fb < 0.0:
            return float(brentq(miss, float(a), float(b), xtol=1e-14)) / (0.5 * math.pi)
    raise ValueError(f"no root for lambda^2 = {squared}")


def parabola_length(length: float, weight: float, tension: float) -> float:
    """Arc of a span of chord l under a thrust T: l (1 + (w l/T)^2/24) [m]."""
    return length * (1.0 + (weight * length / tension) ** 2 / 24.0)


def pendulum_ratio(mass: float) -> float:
    """Small-swing frequency of a point load on a heavy rope over sqrt(g/L); `mass` is rope over load.

    Exact string with tension M g + rho g x from the bob: u = A J0(2 w sqrt(s/g)) + B Y0(...), s = x + M/rho.
    """
    from scipy.special import j0, j1, y0, y1

    # length 1, g 1, rope mass `mass`, load 1: s from 1/mass to 1/mass + 1
    low, high = 1.0 / mass, 1.0 / mass + 1.0

    # at the load: -w^2 u = u_s, weight times slope; at the top u = 0
    def balance(w: float) -> float:
        a, b = 2.0 * w * math.sqrt(low), 2.0 * w * math.sqrt(high)
        u = y0(b) * j0(a) - j0(b) * y0(a)
        slope = (-y0(b) * j1(a) + j0(b) * y1(a)) * w / math.sqrt(low)
        return float(slope + w * w * u)

    return float(brentq(balance, 0.9, 1.4, xtol=1e-13))
