"""Paper 2's own scheme with its equations corrected: explicit differences in space and time, suspended when unstable.

    u_tt + b u_t = T/(rho l^2) u_xx + g,    T = max(0, EA/L (lhat - L) + c (lhat' - L')),   0 where lhat <= L

lhat is the length of the polygon through the nodes. Central differences are stable for k sqrt(T/rho)/(l dx) <= 1; where
the gate sqrt(1/2) is passed the wave of the span is thrown away and starts again from a straight line. One direction, one
tension, as in the paper. It is the baseline: nothing of the engine uses it.
"""

from __future__ import annotations

import math

import numpy as np

from taut.core.jit import kernel

#: part of the stability limit at which the paper suspends a span
GATE = math.sqrt(0.5)


@kernel(entry=True)
def step_explicit(u, last, lengths, state, density, stiffness, c, b, gravity, gate, h, steps):
    """Make `steps` steps of all spans; u and last are displacements at the nodes now and a step before, (spans, M + 1).

    state: unstretched length, its rate, tension, arc length a step before (below zero: not known), suspended span steps.
    """
    spans, pieces = u.shape[0], u.shape[1] - 1
    dx = 1.0 / pieces
    for _ in range(steps):
        arc = 0.0
        for s in range(spans):
            piece = lengths[s] * dx
            for i in range(pieces):
                d = u[s, i + 1] - u[s, i]
                arc += math.sqrt(piece * piece + d * d)
        rate = (arc - state[3]) / h - state[1] if state[3] >= 0.0 else 0.0
        tension = 0.0
        if arc > state[0]:
            tension = max(0.0, stiffness / state[0] * (arc - state[0]) + c * rate)
        state[3], state[2] = arc, tension
        for s in range(spans):
            courant = h * math.sqrt(tension / density) / (lengths[s] * dx)
            if courant >= gate:
                state[4] += 1.0
                for i in range(pieces + 1):
                    u[s, i], last[s, i] = 0.0, 0.0
                continue
            k, damp = courant * courant, 0.5 * b * h
            left = u[s, 0]
            for i in range(1, pieces):
                here = u[s, i]
                bend = u[s, i + 1] - 2.0 * here + left
                new = (2.0 * here - (1.0 - damp) * last[s, i] + k * bend + h * h * gravity) / (1.0 + damp)
                last[s, i], left = here, here
                u[s, i] = new
        state[0] += h * state[1]


class ExplicitStrings:
    """A cable over fixed supports by the explicit scheme."""

    def __init__(
        self, lengths: list[float], density: float, stiffness: float, unstretched: float, *, pieces: int = 20,
        gravity: float = -9.81, c: float = 0.0, damping: float = 0.0, gate: float = GATE, dt: float = 1e-3,
    ) -> None:  # fmt: skip
        """Chords [m], mass per length [kg/m], EA [N], unstretched length [m], subdivisions, gravity along the displacement
        [m/s^2], damping of the stretch [N s/m] and of the waves [1/s]; an infinite gate never suspends."""
        self.lengths, self.dt = np.array(lengths, float), dt
        self._laws = density, stiffness, c, damping, gravity, gate
        self.u = np.zeros((len(lengths), pieces + 1))
        self.last = np.zeros_like(self.u)
        self.state = np.array([unstretched, 0.0, 0.0, -1.0, 0.0])
        self.steps = 0

    @property
    def tension(self) -> float:
        """Tension in the last step [N]."""
        return float(self.state[2])

    @property
    def suspended(self) -> float:
        """Part of all span steps in which the waves were thrown away."""
        return float(self.state[4]) / max(1, self.steps * len(self.lengths))

    def settle(self, tension: float) -> None:
        """Static shape of the difference equation under this tension, with the unstretched length that belongs to it."""
        density, stiffness, _, _, gravity, _ = self._laws
        x = np.linspace(0.0, 1.0, self.u.shape[1])
        load = density * gravity * self.lengths[:, None] ** 2 / (2.0 * tension)
        self.u[:] = load * x * (1.0 - x)
        self.last[:] = self.u
        piece = self.lengths[:, None] / (self.u.shape[1] - 1)
        arc = float(np.hypot(piece, np.diff(self.u, axis=1)).sum())
        self.state[0], self.state[2], self.state[3] = arc / (1.0 + tension / stiffness), tension, -1.0

    def run(self, steps: int) -> None:
        """Make some steps."""
        self.steps += steps
        step_explicit(self.u, self.last, self.lengths, self.state, *self._laws, self.dt, steps)
