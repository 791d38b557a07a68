"""Answers that are known: closed forms, and integrations that share nothing with the step. Imports nothing of Taut."""

from __future__ import annotations

import math

import numpy as np
from scipy.integrate import solve_ivp
from scipy.special import ellipk

Array = np.ndarray

G = 9.81


def pendulum_period(length: float, amplitude: float, g: float = G) -> float:
    """4 sqrt(l/g) K(sin^2(amplitude/2)); for a body on a hinge l = I / (m d), I about the hinge."""
    return float(4.0 * math.sqrt(length / g) * ellipk(math.sin(0.5 * amplitude) ** 2))


def spherical_pendulum(length: float, start: Array, velocity: Array, times: Array, g: float = G) -> tuple[Array, Array]:
    """Positions (n, 3) and tension per mass (n,) of a point on a rigid massless rod fixed at the origin.

    x'' = -g e_z - lam x,  lam = (v.v - g x_z) / l^2;  tension per mass = lam l.
    """

    def multiplier(x: Array, v: Array) -> Array:
        return ((v * v).sum(axis=0) - g * x[2]) / length**2

    def rate(_: float, y: Array) -> Array:
        x, v = y[:3], y[3:]
        return np.concatenate([v, -multiplier(x, v) * x - np.array([0.0, 0.0, g])])

    y = solve_ivp(rate, (0.0, float(times[-1])), [*start, *velocity], "DOP853", times, rtol=1e-11, atol=1e-12).y
    return y[:3].T, multiplier(y[:3], y[3:]) * length


def rod_chain_period(links: int, length: float, mass: float, load: float, amplitude: float, g: float = G) -> float:
    """Mean period of a planar chain of hinged uniform rods with a point load, released straight at an angle.

    Absolute angles t_i; with A_ij the coupling of unit velocities, Lagrange's equations are
    sum_j A_ij cos(t_i - t_j) t_j'' + sum_j A_ij sin(t_i - t_j) t_j'^2 + G_i sin t_i = 0.
    """
    m, l, number = mass / links, length / links, np.arange(1, links + 1)
    last = np.maximum.outer(number, number)
    A = l**2 * (load + m * (links - last) + 0.5 * m)
    np.fill_diagonal(A, l**2 * (load + m * (links - number) + m / 3.0))
    pull = g * l * (load + m * (links - number) + 0.5 * m)

    def rate(_: float, y: Array) -> Array:
        t, w = y[:links], y[links:]
        d = t[:, None] - t
        return np.concatenate([w, np.linalg.solve(A * np.cos(d), -(A * np.sin(d)) @ (w * w) - pull * np.sin(t))])

    end = 3.2 * pendulum_period(length, amplitude, g)
    times = np.arange(0.0, end, 1.0 / 60.0)
    start = np.concatenate([np.full(links, amplitude), np.zeros(links)])
    y = solve_ivp(rate, (0.0, end), start, "DOP853", times, rtol=1e-7, atol=1e-8).y
    return period(times, np.sin(y[:links]).sum(axis=0))


def compound_length(length: float, mass: float, load: float) -> float:
    """Length of the simple pendulum that swings like a rigid rod with a point load at its end: I / (m d)."""
    return (load + mass / 3.0) * length / (load + 0.5 * mass)


def period(times: Array, x: Array) -> float:
    """Mean time between downward crossings of zero, each found by a cubic through four samples."""
    crossings = []
    for i in np.flatnonzero((x[1:-2] > 0.0) & (x[2:-1] <= 0.0)) + 1:
        # x as a function of time by a local cubic, its root by inverse interpolation
        crossings.append(_inverse_cubic(x[i - 1 : i + 3], times[i - 1 : i + 3]))
    return float(np.mean(np.diff(crossings))) if len(crossings) > 1 else math.nan


def _inverse_cubic(x: Array, t: Array) -> float:
    total = 0.0
    for i in range(4):
        weight = 1.0
        for j in range(4):
            if j != i:
                weight *= -x[j] / (x[i] - x[j])
        total += weight * t[i]
    return total


def variational_spring(k: float, mass: float, tau: float, h: float) -> Array:
    """One step of the regularised variational stepper on m x'' = -k (x + tau x'), as a matrix on (x, v).

    lam = -h k x - (h^2 k / 4)(v+ - v) - h k tau v+,  m (v+ - v) = lam,  x+ = x + h v+.
    Without tau its eigenvalues are exp(+-i theta), tan(theta/2) = omega h / 2.
    """
    inertia = mass + 0.25 * h * h * k
    a, b = -h * k / (inertia + h * k * tau), inertia / (inertia + h * k * tau)
    return np.array([[1.0 + h * a, h * b], [a, b]])


def first_order_spring(k: float, mass: float, tau: float, h: float) -> Array:
    """The same for the papers' first-order stepper: lam = -h k (x + (h + tau) v+). Determinant 1/(1 + omega^2 h^2)."""
    inertia = mass + h * k * (h + tau)
    a, b = -h * k / inertia, mass / inertia
    return np.array([[1.0 + h * a, h * b], [a, b]])


def recurrence(step: Array, start: Array, steps: int) -> Array:
    """(x, v) after 0, 1, ... steps, shape (steps + 1, 2)."""
    found = [np.asarray(start, float)]
    for _ in range(steps):
        found.append(step @ found[-1])
    return np.array(found)


def falling_steps(acceleration: float, h: float, steps: Array) -> Array:
    """Way of symplectic Euler from rest under constant acceleration: a h^2 n (n + 1) / 2."""
    return 0.5 * acceleration * h * h * steps * (steps + 1.0)


def free_top(moments: Array, spin: Array, times: Array) -> Array:
    """Angular velocity in body axes of a free body, Euler's equations, shape (n, 3)."""
    i = np.asarray(moments, float)

    def rate(_: float, w: Array) -> Array:
        return np.cross(i * w, w) / i

    return solve_ivp(rate, (0.0, float(times[-1])), spin, "DOP853", times, rtol=1e-12, atol=1e-13).y.T


def ring_tension(links: int, mass: float, link_length: float, spin: float) -> float:
    """Tension at the joints of a spinning polygon of equal rods: 2 T sin(pi/n) = m w^2 r, r the radius of the middles."""
    return 0.5 * mass * spin**2 * 0.5 * link_length / math.tan(math.pi / links) / math.sin(math.pi / links)
