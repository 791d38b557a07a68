"""The schemes of paper 4's Table 1 that the rope itself does not have: Euler, Heun and Runge-Kutta, written out plainly.

They take accelerations from the rope's forces and count them; nothing else of its stepping is used.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from taut.cables.honeycomb import Honeycomb
from taut.cables.honeycomb import arrays as at
from taut.cables.honeycomb.explicit import evaluate

Array = np.ndarray
State = tuple[Array, Array]


class Forces:
    """Accelerations of a rope as a function of positions and velocities."""

    def __init__(self, rope: Honeycomb, dt: float) -> None:
        self._a, self._dt = rope._a, dt
        self.calls = 0

    def __call__(self, x: Array, v: Array) -> Array:
        """[m/s^2], shape (N, 3)."""
        self._a.pos[:], self._a.vel[:] = x, v
        if evaluate(self._a, self._dt) != at.FINE:
            raise ValueError("forces are not finite")
        self.calls += 1
        return self._a.acc.copy()


def mixed_euler(f: Forces, x: Array, v: Array, dt: float) -> State:
    """Velocity explicitly, then position with the new velocity."""
    v = v + dt * f(x, v)
    return x + dt * v, v


def leapfrog(f: Forces, x: Array, v: Array, dt: float) -> State:
    """Verlet as drift, kick, drift: one evaluation. What the others' times are compared with, in the same Python."""
    x = x + 0.5 * dt * v
    v = v + dt * f(x, v)
    return x + 0.5 * dt * v, v


def heun(f: Forces, x: Array, v: Array, dt: float) -> State:
    """Explicit trapezoid: two evaluations."""
    a = f(x, v)
    b = f(x + dt * v, v + dt * a)
    return x + dt * v + 0.5 * dt * dt * a, v + 0.5 * dt * (a + b)


def runge_kutta(f: Forces, x: Array, v: Array, dt: float) -> State:
    """Classical, of fourth order: four evaluations."""
    h = 0.5 * dt
    a1, v1 = f(x, v), v
    v2 = v + h * a1
    a2 = f(x + h * v1, v2)
    v3 = v + h * a2
    a3 = f(x + h * v2, v3)
    v4 = v + dt * a3
    a4 = f(x + dt * v3, v4)
    return x + dt / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4), v + dt / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4)


SCHEMES: dict[str, Callable[[Forces, Array, Array, float], State]] = {
    "leapfrog": leapfrog, "heun": heun, "runge_kutta": runge_kutta, "mixed_euler": mixed_euler,
}  # fmt: skip


def run(rope: Honeycomb, scheme: str, dt: float, steps: int) -> tuple[Array, int]:
    """Positions after so many steps from the rope's present state, and force evaluations per step."""
    f = Forces(rope, dt)
    x, v = rope.positions.copy(), rope.velocities.copy()
    for _ in range(steps):
        x, v = SCHEMES[scheme](f, x, v, dt)
    return x, f.calls // steps
