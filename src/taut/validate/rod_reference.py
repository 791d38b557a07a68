"""Rods whose shape is known: boundary-value problems of the elastica, and closed forms. Imports nothing of Taut."""

from __future__ import annotations

import math

import numpy as np
from scipy.integrate import solve_bvp
from scipy.optimize import brentq

Array = np.ndarray

#: cantilever under its own weight: Gamma = w L^3/EI -> drop over reach of the tip
HANGING = {
    0.1: 0.012500,
    1.0: 0.124562,
    3.0: 0.364621,
    10.0: 1.066802,
    30.0: 2.547214,
    100.0: 5.888105,
    1000.0: 21.3354,
}
#: cantilever with a dead load at the tip: P L^2/EI -> drop/L, 1 - reach/L
TIP_LOADED = {1.0: (0.30172, 0.05643), 2.0: (0.49346, 0.16064), 5.0: (0.71379, 0.38763), 10.0: (0.81061, 0.55500)}
#: circular arc of 45 degrees and radius 100, loaded across its plane at the tip (Bathe and Bolourchi): load -> tip
ARC_TIP = {300.0: (58.78, 22.25, 40.19), 450.0: (52.24, 18.51, 48.50), 600.0: (47.15, 15.69, 53.47)}
#: Euler loads P L^2/EI by the ends
EULER = {
    "clamped-free": 0.25 * math.pi**2,
    "pinned-pinned": math.pi**2,
    "clamped-pinned": 20.1907,
    "clamped-clamped": 4.0 * math.pi**2,
}
#: critical w L^3/EI of a standing column, w L^3 and P L^2 over sqrt(EI_weak GJ) of a strip on edge
STANDING, STRIP_WEIGHT, STRIP_TIP = 7.8373, 12.854, 4.0126
#: moment M L/EI at which a clamped rod without thrust buckles into space (Greenhill, clamped): tan(x/2) = x/2
GREENHILL = 8.98682


class Hung:
    """A rod with weight w between horizontal clamps at a distance, EI = L = 1, as a planar boundary-value problem.

    theta'' = n_x sin(theta) - n_z cos(theta), n_z = n_0 + w s: four equations, two unknown forces.
    """

    def __init__(self, weight: float, distance: float) -> None:
        def rate(s: Array, y: Array, p: Array) -> Array:
            theta, bend = y[0], y[1]
            pull = p[0] * np.sin(theta) - (p[1] + weight * s) * np.cos(theta)
            return np.vstack([bend, pull, np.cos(theta), np.sin(theta)])

        def ends(a: Array, b: Array, p: Array) -> Array:
            return np.array([a[0], a[2], a[3], b[0], b[2] - distance, b[3]])

        s = np.linspace(0.0, 1.0, 400)
        # theta = -a sin(2 pi s) has the mean cosine J0(a): the distance fixes a
        a = brentq(lambda a: np.mean(np.cos(a * np.sin(2.0 * np.pi * s))) - distance, 0.01, 2.4)
        theta = -a * np.sin(2.0 * np.pi * s)
        x, z = np.cumsum(np.cos(theta)) / 400, np.cumsum(np.sin(theta)) / 400
        guess = np.vstack([theta, np.gradient(theta, s), x, z])
        found = solve_bvp(rate, ends, s, guess, p=[0.35 * weight, -0.5 * weight], tol=1e-9, max_nodes=100_000)
        if not found.success:
            raise ArithmeticError(found.message)
        self._solution, self.pull = found.sol, float(found.p[0])

    def points(self, s: Array) -> Array:
        """Centreline (n, 3), in the x-z plane."""
        y = self._solution(s)
        return np.column_stack([y[2], np.zeros(len(s)), y[3]])


def hanging_tip(weight: float) -> tuple[float, float]:
    """x and z of the tip of a horizontal cantilever with weight, EI = L = 1: theta'' = w (1 - s) cos(theta)."""

    def rate(s: Array, y: Array) -> Array:
        return np.vstack([y[1], weight * (1.0 - s) * np.cos(y[0]), np.cos(y[0]), np.sin(y[0])])

    def ends(a: Array, b: Array) -> Array:
        return np.array([a[0], b[1], a[2], a[3]])

    s = np.linspace(0.0, 1.0, 400)
    steep = np.arctan(weight / 6.0) * (1.0 - np.exp(-s * (2.0 + weight ** (1.0 / 3.0))))
    guess = np.vstack([-steep, -np.gradient(steep, s), s * math.cos(steep[-1]), -s * math.sin(steep[-1])])
    found = solve_bvp(rate, ends, s, guess, tol=1e-9, max_nodes=100_000)
    if not found.success:
        raise ArithmeticError(found.message)
    return float(found.y[2, -1]), float(found.y[3, -1])


def catenary(distance: float, s: Array) -> tuple[Array, float]:
    """Hanging chain of length 1 between points at one height: points (n, 3) and the slope of its first tangent."""
    # 2 a sinh(d/(2 a)) = 1
    a = brentq(lambda a: 2.0 * a * math.sinh(0.5 * distance / a) - 1.0, 0.02, 100.0)
    x = a * np.arcsinh((s - 0.5) / a)
    z = a * np.cosh(x / a)
    return np.column_stack([x - x[0], np.zeros(len(s)), z - z[0]]), -0.5 / a


def helix_tip(curvature: float, twist: float, length: float) -> Array:
    """Tip of a rod with constant strain (curvature about d1), frame upright at the origin: d' = w x d.

    x = integral of exp(s [w]) e_z = s e + (1 - cos)/w (u x e) + (s - sin(w s)/w) u x (u x e).
    """
    w = math.hypot(curvature, twist)
    u, e = np.array([curvature, 0.0, twist]) / w, np.array([0.0, 0.0, 1.0])
    across, angle = np.cross(u, e), w * length
    return length * e + (1.0 - math.cos(angle)) / w * across + (length - math.sin(angle) / w) * np.cross(u, across)


def michell(bending: float, torsion: float) -> float:
    """Twist at which a closed ring leaves its plane [rad]: 2 pi sqrt(3) EI/GJ (Michell 1889)."""
    return 2.0 * math.pi * math.sqrt(3.0) * bending / torsion


def loop_slack(turns: float, bending: float, torsion: float) -> float:
    """Share of slack at which a long rod with so many turns folds into a loop (Coyne 1990).

    The localised buckle has M = 2 sqrt(EI T) cos a, end rotation M L/GJ + 4 a and slack 4 sqrt(EI/T) sin(a)/L; without
    T the slack is 4 EI/GJ sin(2 a)/(R - 4 a), and the fold is its maximum.
    """
    a = np.linspace(0.3, 1.5, 200_001)
    return float((4.0 * bending / torsion * np.sin(2.0 * a) / (2.0 * math.pi * turns - 4.0 * a)).max())


def spatial(
    stiffness: Array,
    weight: float,
    ends: tuple[Array, Array, Array, Array],
    guess: tuple[Array, Array, Array, Array, Array],
) -> tuple[Array, Array]:
    """A rod in space between clamps, L = 1, as a boundary-value problem; its points and the force at its end.

    x' = d3, q' = q (0, u)/2, m' = -u x m - e_z x R'n, m = K u in local axes, n = n_0 + w s e_z in world axes. ends:
    points and frames of both clamps; guess: arc lengths, points, frames, moments there, and n_0.
    """
    s, points, quats, moments, force = guess

    def rate(s: Array, y: Array, p: Array) -> Array:
        w, v, m = y[3], y[4:7], y[7:10]
        u = m / stiffness[:, None]
        n = np.vstack([np.full_like(s, p[0]), np.full_like(s, p[1]), p[2] + weight * s])
        # R'n = n - 2 w (v x n) + 2 v x (v x n)
        across = np.cross(v, n, axis=0)
        local = n - 2.0 * w * across + 2.0 * np.cross(v, across, axis=0)
        d3 = np.vstack([2 * (v[0] * v[2] + w * v[1]), 2 * (v[1] * v[2] - w * v[0]), 1 - 2 * (v[0] ** 2 + v[1] ** 2)])
        turn = np.vstack([-(v * u).sum(axis=0), w * u + np.cross(v, u, axis=0)]) / 2.0
        change = -np.cross(u, m, axis=0) - np.vstack([-local[1], local[0], 0.0 * local[2]])
        return np.vstack([d3, turn, change])

    def fixed(a: Array, b: Array, p: Array) -> Array:
        start, end, first, last = ends
        off = last[0] * b[4:7] - b[3] * last[1:] - np.cross(last[1:], b[4:7])
        return np.concatenate([a[:3] - start, a[3:7] - first, b[:3] - end, off])

    found = solve_bvp(rate, fixed, s, np.vstack([points.T, quats.T, moments.T]), p=force, tol=1e-7, max_nodes=50_000)
    if not found.success:
        raise ArithmeticError(found.message)
    return found.sol(s)[:3].T, found.p + np.array([0.0, 0.0, weight])
