"""Spans of one cable between ends whose motion is given: the layered model without bodies.

It is what theory, the tables of stability and the cost per span are measured on; in a scene the same kernels are condensed
into bodies and rows (taut.cables.layered.condense).
"""

from __future__ import annotations

import math

import numpy as np

from taut.cables.layered.columns import (
    C_ARC,
    C_CHORD,
    C_ENDS,
    C_GRAVITY,
    C_LENGTH,
    C_MASS,
    L_COUNT,
    L_KNOWN,
    L_RATE,
    L_STIFFNESS,
    L_STRETCH,
    L_TAU,
    M_P,
    M_Q,
    X_COLUMNS,
)
from taut.cables.layered.modes import arc_length, begin_modes, commit_modes
from taut.cables.layered.tension import find_tension
from taut.core.jit import kernel


@kernel(entry=True)
def step_strings(mode, work, spans, ends, count, law, state, damping, warped, h, steps):
    """Make `steps` steps; returns how often the modes were gone over.

    ends: velocity of both ends along both directions, over the last step and over the coming ones, shape (spans, 8).
    state: unstretched length [m], its rate [m/s], tension [N], EA [N], tension of the step before [N].
    """
    made = 0
    for _ in range(steps):
        arcs = 0.0
        for s in range(spans.shape[0]):
            begin_modes(mode, work, s * count, count, spans[s], state[2], warped, h)
            arcs += spans[s, C_ARC]
            for c in range(4):
                spans[s, C_ENDS + c] = ends[s, 4 + c] - ends[s, c]
        law[L_STRETCH], law[L_STIFFNESS] = arcs - state[0], state[3] / state[0]
        law[L_KNOWN], law[L_RATE] = -state[1], -state[1]
        guess = max(2.0 * state[2] - state[4], 0.0)
        state[4] = state[2]
        state[2], _, passes = find_tension(mode, work, spans, 0, spans.shape[0], 0, count, guess, law, damping, h)
        made += passes
        for s in range(spans.shape[0]):
            commit_modes(mode, work, s * count, count, h)
            for c in range(4):
                ends[s, c] = ends[s, 4 + c]
        state[0] += h * state[1]
    return made


class Strings:
    """A cable over given supports: one tension, waves on every span."""

    def __init__(
        self, lengths: list[float], density: float, stiffness: float, unstretched: float, *, modes: int = 12,
        gravity: tuple[float, float] = (-9.81, 0.0), tau: float = 0.0, damping: float = 0.0, warped: bool = False,
        dt: float = 1e-3,
    ) -> None:  # fmt: skip
        """Lengths of the chords [m], mass per length [kg/m], EA [N], unstretched length [m]; gravity along both directions
        [m/s^2], damping time of the stretch [s], damping of the waves [1/s]."""
        self.count, self.dt, self.stiffness, self.density = modes, dt, stiffness, density
        self._laws = damping, warped
        n = len(lengths)
        self.mode, self._work = np.zeros((n * modes, 4)), np.zeros((n * modes, X_COLUMNS))
        self.span = np.zeros((n, C_CHORD))  # what follows is the engine's
        self.span[:, C_LENGTH] = lengths
        self.span[:, C_GRAVITY : C_GRAVITY + 2] = gravity
        self.span[:, C_MASS] = [density * length * mass_ratio(unstretched, sum(lengths)) for length in lengths]
        self.ends, self._law = np.zeros((n, 8)), np.zeros(L_COUNT)
        self._law[L_TAU] = tau
        self.state = np.array([unstretched, 0.0, 0.0, stiffness, 0.0])
        self.passes = 0

    @property
    def tension(self) -> float:
        """Mean tension [N]."""
        return float(self.state[2])

    def settle(self, thrust: float) -> None:
        """Static shape under this component of the tension along the chords, at rest, with the unstretched length that
        belongs to it."""
        for s, (length, mass, g1, g2) in enumerate(self.span[:, :4].tolist()):
            self.mode[s * self.count : (s + 1) * self.count] = static_modes(self.count, length, mass, thrust, g1, g2)
        arc = self.arc()
        tension = thrust * arc / float(self.span[:, C_LENGTH].sum())
        self.state[0] = arc / (1.0 + tension / self.stiffness)
        self.state[2] = self.state[4] = tension

    def arc(self) -> float:
        """Arc length of all spans [m]."""
        return sum(
            float(arc_length.py_func(self.mode, s * self.count, self.count, float(self.span[s, 0]), 0.0))
            for s in range(len(self.span))
        )

    def run(self, steps: int) -> None:
        """Make some steps."""
        self.passes += step_strings(
            self.mode, self._work, self.span, self.ends, self.count, self._law, self.state, *self._laws, self.dt, steps
        )

    def shape(self, s: int, x: np.ndarray) -> np.ndarray:
        """Displacement of span s at positions x from 0 to 1 along its chord [m], shape (x, 2)."""
        return shape_at(self.mode[s * self.count : (s + 1) * self.count, M_Q : M_Q + 2], x)

    def energy(self) -> float:
        """Kinetic, elastic and gravitational energy half a step back, where all three belong together [J]."""
        q = self.mode[:, M_Q : M_Q + 2] - 0.5 * self.dt * self.mode[:, M_P : M_P + 2]
        n = np.arange(1, self.count + 1)
        weight = (1.0 - (-1.0) ** n) / (math.pi * n)
        total, arcs = 0.0, 0.0
        for s, (length, mass, g1, g2) in enumerate(self.span[:, :4].tolist()):
            part = slice(s * self.count, (s + 1) * self.count)
            total += 0.25 * mass * float((self.mode[part, M_P : M_P + 2] ** 2).sum())
            total -= mass * float(weight @ q[part] @ np.array([g1, g2]))
            arcs += math.sqrt(length**2 + 0.5 * float(((math.pi * n) ** 2 * (q[part] ** 2).sum(axis=1)).sum()))
        stretch = max(arcs - self.state[0], 0.0)
        return total + 0.5 * self.stiffness / self.state[0] * stretch**2


def mass_ratio(unstretched: float, path: float) -> float:
    """Mass of a span over density times chord: its share of the unstretched rope.

    Spread evenly over the chord, what sag makes longer raises the thrust by half the mean square slope, where the catenary's
    rises by a quarter: 1.3 % too much at a sag of a tenth. Mass, weight and energy are right instead.
    """
    return unstretched / path


def static_modes(count: int, length: float, mass: float, thrust: float, g1: float, g2: float) -> np.ndarray:
    """Modes of a span at rest under gravity along both directions, shape (count, 4): H (n pi)^2/(2 l) q = (c . 1) g."""
    n = np.arange(1, count + 1)
    unit = 2.0 * (1.0 - (-1.0) ** n) / (math.pi * n) ** 3 * length * mass / thrust
    found = np.zeros((count, 4))
    found[:, M_Q], found[:, M_Q + 1] = unit * g1, unit * g2
    return found


def shape_at(q: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Sum of sine modes at positions x from 0 to 1, shape (x, 2)."""
    n = np.arange(1, len(q) + 1)
    return np.asarray(np.sin(math.pi * np.outer(np.asarray(x, float), n)) @ q)
