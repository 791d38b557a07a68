"""Hanging chains, cantilevers and spring pendulums as they are known. Imports nothing of Taut."""

from __future__ import annotations

import math

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from scipy.special import j0, jn_zeros

Array = np.ndarray

G = 9.81
#: roots of cos(x) cosh(x) = -1
CANTILEVER = (1.8751040687, 4.6940911330, 7.8547574382)
#: geometric stiffness with weight 1 on both sides lowers a frequency w by (1/2 - 1/24) (w h)^2: see lowered
PRICE = 11.0 / 24.0


def chain_frequency(mode: int, length: float, g: float = G) -> float:
    """Of small swings of a chain hung by one end, w = (j/2) sqrt(g/L), j the zeros of J0 (Bernoulli) [rad/s]."""
    return float(0.5 * jn_zeros(0, mode)[-1] * math.sqrt(g / length))


def chain_shape(mode: int, s: Array) -> Array:
    """Deflection at the part s of the length from the top, 1 at the free end: J0(j sqrt(1 - s))."""
    return np.asarray(j0(jn_zeros(0, mode)[-1] * np.sqrt(np.maximum(1.0 - s, 0.0))))


def cantilever_frequency(mode: int, length: float, stiffness: float, line: float) -> float:
    """Of a clamped bar, w = x^2 sqrt(EI / (m' L^4)) (Euler, Bernoulli) [rad/s]."""
    return CANTILEVER[mode - 1] ** 2 * math.sqrt(stiffness / (line * length**4))


def cantilever_shape(mode: int, s: Array) -> Array:
    """Deflection at the part s of the length from the clamp, 1 at the free end."""
    x = CANTILEVER[mode - 1]
    r = (math.cosh(x) + math.cos(x)) / (math.sinh(x) + math.sin(x))
    y = np.cosh(x * s) - np.cos(x * s) - r * (np.sinh(x * s) - np.sin(x * s))
    return np.asarray(y / y[-1])


def lowered(frequency: float, h: float) -> float:
    """Frequency of x'' = -w^2 x with w^2 also in the mass, (1 + w^2 h^2)(v+ - v) = -h w^2 x, x+ = x + h v+.

    sin(w' h/2) = (w h/2) / sqrt(1 + (w h)^2), or w' = w (1 - 11/24 (w h)^2 + ...).
    """
    x = frequency * h
    return 2.0 / h * math.asin(0.5 * x / math.sqrt(1.0 + x * x))


def spring_pendulum(length: float, rate: float, start: Array, times: Array, g: float = G) -> Array:
    """Positions (n, 3) of a point on a spring fixed at the origin, released at rest; rate is k/m [1/s^2]."""

    def motion(_: float, y: Array) -> Array:
        size = math.sqrt(float(y[:3] @ y[:3]))
        return np.concatenate([y[3:], -rate * (1.0 - length / size) * y[:3] - np.array([0.0, 0.0, g])])

    y = solve_ivp(motion, (0.0, float(times[-1])), [*start, 0.0, 0.0, 0.0], "DOP853", times, rtol=1e-11, atol=1e-12).y
    return y[:3].T


def catenary_nodes(distance: float, s: Array) -> Array:
    """Chain of length 1 between points at one height: points (n, 3) at the parts s of its length."""
    # 2 a sinh(d/(2 a)) = 1
    a = brentq(lambda a: 2.0 * a * math.sinh(0.5 * distance / a) - 1.0, 0.02, 100.0)
    x = a * np.arcsinh((s - 0.5) / a)
    z = a * np.cosh(x / a)
    return np.column_stack([x - x[0], np.zeros(len(s)), z - z[0]])


def column_stiffness(share: float) -> float:
    """Force per deflection of the tip of a clamped column under a share of its Euler load, EI = L = 1.

    P / (tan(k L)/k - L), k^2 = P; without load 3.
    """
    k = 0.5 * math.pi * math.sqrt(share)
    return k**3 / (math.tan(k) - k)
