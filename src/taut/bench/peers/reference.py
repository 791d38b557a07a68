"""The swing, from an integration that shares nothing with any of the engines.

Planar chain of N rigid uniform rods with frictionless hinges and a point load, minimal coordinates: the absolute angles
theta_i from the vertical. With m = rope mass / N, l = length / N and A_ij = l^2 (M + m (N - max(i,j)) + m/2) for i /= j
(count from 1), A_ii = l^2 (M + m (N - i) + m/3), G_i = g l (M + m (N - i) + m/2), Lagrange's equations are

    sum_j A_ij cos(theta_i - theta_j) theta_j'' + sum_j A_ij sin(theta_i - theta_j) theta_j'^2 + G_i sin theta_i = 0.

How good it is (DOP853, relative tolerance 1e-10; period by the same zero crossings at 60 samples per second):

    links    period [s]   mean tension [N]   energy drift
        1    6.4520293        10430.972         1.6e-9     one rigid rod: the compound pendulum
        2    6.4520298        10430.976         5.0e-12
        4    6.4520299        10430.983         7.7e-15
        8    6.4520309        10430.970         2.0e-14
       12    6.4520307        10430.973         3.3e-15
       16    6.4520306        10430.972         4.4e-15
       24    6.4520304        10430.970         2.8e-15

The load is 250 times the rope, so the period has converged to 2e-7 and the mean tension to 1e-6 with very few links:
four orders below the tolerances of the comparison (0.5 % and 1 %). The rope shortens the period by 0.033 % against a
massless one (6.4541767 s, 4 sqrt(L/g) K(sin 15 deg)).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.integrate import solve_ivp

from .case import HOIST, Hoist
from .trace import SAMPLE_INTERVAL, Trace, mean, period


@dataclass(frozen=True)
class Reference:
    """The numbers every engine is compared with."""

    period: float
    """[s]"""
    mean_tension: float
    """Mean force at the fixed point over the run [N]."""
    energy_drift: float
    """Largest change of the total energy relative to the swing energy [-]; how far the reference can be trusted."""


class Chain:
    """Mass matrix, forces and outputs of the planar chain."""

    def __init__(self, hoist: Hoist, links: int) -> None:
        self.hoist = hoist
        self.links = links
        self.l = hoist.length / links
        m = hoist.density * self.l
        number = np.arange(1, links + 1)
        last = np.maximum.outer(number, number)
        self.A = self.l**2 * (hoist.load + m * (links - last) + 0.5 * m)
        np.fill_diagonal(self.A, self.l**2 * (hoist.load + m * (links - number) + m / 3.0))
        # mass moved by the lower end of link i, half the link included
        self.carried = hoist.load + m * (links - number) + 0.5 * m
        self.G = hoist.gravity * self.l * self.carried

    def acceleration(self, theta: np.ndarray, omega: np.ndarray) -> np.ndarray:
        """theta'' [rad/s^2], shape (links,)."""
        difference = theta[:, None] - theta[None, :]
        rest = (self.A * np.sin(difference)) @ omega**2 + self.G * np.sin(theta)
        return -np.linalg.solve(self.A * np.cos(difference), rest)

    def rate(self, _time: float, state: np.ndarray) -> np.ndarray:
        """Right side of the first-order system."""
        theta, omega = state[: self.links], state[self.links :]
        return np.concatenate([omega, self.acceleration(theta, omega)])

    def energy(self, theta: np.ndarray, omega: np.ndarray) -> float:
        """Kinetic + potential energy [J]."""
        kinetic = 0.5 * omega @ (self.A * np.cos(theta[:, None] - theta[None, :])) @ omega
        return float(kinetic - self.G @ np.cos(theta))

    def tension(self, theta: np.ndarray, omega: np.ndarray) -> float:
        """Magnitude of the force at the fixed point [N], by Newton's law for the whole chain."""
        alpha = self.acceleration(theta, omega)
        weight = self.l * self.carried
        # sum over links of mass * acceleration: link i moves everything it carries by l (alpha t - omega^2 n)
        force_x = weight @ (alpha * np.cos(theta) - omega**2 * np.sin(theta))
        force_z = weight @ (alpha * np.sin(theta) + omega**2 * np.cos(theta))
        total = self.hoist.load + self.hoist.density * self.hoist.length
        return float(np.hypot(force_x, force_z + total * self.hoist.gravity))


def swing(links: int, hoist: Hoist = HOIST, tolerance: float = 1e-10) -> Trace:
    """Integrate the chain of `links` rods over the run; samples as of the engines."""
    chain = Chain(hoist, links)
    start = np.concatenate([np.full(links, hoist.angle), np.zeros(links)])
    times = np.linspace(0.0, hoist.seconds, round(hoist.seconds / SAMPLE_INTERVAL) + 1)
    solution = solve_ivp(
        chain.rate, (0.0, hoist.seconds), start, method="DOP853", t_eval=times, rtol=tolerance, atol=tolerance
    )
    if not solution.success:
        raise RuntimeError(f"reference swing with {links} links: {solution.message}")
    theta, omega = solution.y[:links], solution.y[links:]
    return Trace(
        time=times,
        load_x=chain.l * np.sin(theta).sum(axis=0),
        load_z=-chain.l * np.cos(theta).sum(axis=0),
        tension_top=np.array([chain.tension(a, b) for a, b in zip(theta.T, omega.T)]),
        energy=np.array([chain.energy(a, b) for a, b in zip(theta.T, omega.T)]),
    )


@cache
def reference(links: int = 8, hoist: Hoist = HOIST) -> Reference:
    """Period, mean tension and energy drift of the swing."""
    trace = swing(links, hoist)
    drift = float(np.max(np.abs(trace.energy - trace.energy[0]))) / hoist.swing_energy
    return Reference(period(trace.time, trace.load_x), mean(trace.time, trace.tension_top), drift)
