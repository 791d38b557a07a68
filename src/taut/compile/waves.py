"""Layered spans at the start: the shape in which the rope hangs at rest, its unstretched length or its tension."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from taut.cables.layered.columns import (
    C_ARC,
    C_CHORD,
    C_COLUMNS,
    C_FIRST,
    C_FORCE_A,
    C_FORCE_B,
    C_LENGTH,
    C_MASS,
    C_MEAN,
    C_PART_A,
    C_PART_B,
    C_ROW,
    C_SECOND,
)
from taut.cables.layered.strings import mass_ratio, static_modes
from taut.cables.layered.thrown import GATE
from taut.compile.reeving import direction_across

Array = np.ndarray


@dataclass(frozen=True)
class Hanging:
    """A segment at rest."""

    unstretched: float  # [m]
    tension: float  # mean along the rope [N]
    masses: list[float]  # of its spans [kg]
    modes: list[Array]  # of its spans, shape (count, 4)

    @staticmethod
    def arc_of(modes: Array, length: float) -> float:
        """Arc length of a span [m]."""
        n = np.arange(1, len(modes) + 1)
        return math.sqrt(length**2 + 0.5 * float(((math.pi * n) ** 2 * (modes[:, :2] ** 2).sum(axis=1)).sum()))


def frame_of(chord: Array, gravity: Array) -> tuple[Array, Array]:
    """Direction of a chord and the first direction across it: upwards as far as that is possible."""
    u = chord / np.linalg.norm(chord)
    up = -gravity + (gravity @ u) * u
    size = float(np.linalg.norm(up))
    return u, up / size if size > 1e-6 * float(np.linalg.norm(gravity)) and size > 0.0 else direction_across(u)


def start_of_span(
    ends: tuple[Array, Array], u: Array, across: Array, mass: float, arc: float, where: tuple[int, int], pull: Array,
    weight: Array,
) -> list[float]:  # fmt: skip
    """What is known of a span before the first step, in the columns of span_work; `where` is its first part and its row."""
    found = np.zeros(C_COLUMNS)
    found[C_LENGTH], found[C_MASS], found[C_ARC], found[C_MEAN] = np.linalg.norm(ends[1] - ends[0]), mass, arc, arc
    found[C_CHORD : C_CHORD + 3], found[C_FIRST : C_FIRST + 3] = u, across
    found[C_SECOND : C_SECOND + 3] = np.cross(u, across)
    found[C_PART_A], found[C_PART_B], found[C_ROW] = where[0], where[0] + 1, where[1]
    found[C_FORCE_A : C_FORCE_A + 3], found[C_FORCE_B : C_FORCE_B + 3] = weight + pull, weight - pull
    return [float(x) for x in found]


class Segment:
    """Spans that share one tension: chords [m], rope on wheels between them [m], and what the rope is like."""

    def __init__(self, chords: list[Array], arcs: float, density: float, stiffness: float, count: int, gravity: Array):
        self.chords, self.arcs, self.density, self.stiffness, self.count = chords, arcs, density, stiffness, count
        self.lengths = [float(np.linalg.norm(chord)) for chord in chords]
        self.path = arcs + sum(self.lengths)
        self.loads = []  # gravity along both directions of each span
        for chord in chords:
            u, first = frame_of(chord, gravity)
            self.loads.append((float(gravity @ first), float(gravity @ np.cross(u, first))))
        n = np.arange(1, count + 1)
        self._slope = 0.5 * float(((2.0 * (1.0 - (-1.0) ** n) / (math.pi * n) ** 2) ** 2).sum())

    def masses(self, unstretched: float) -> list[float]:
        """Masses of the spans [kg]."""
        return [self.density * length * mass_ratio(unstretched, self.path) for length in self.lengths]

    def weakest(self, unstretched: float) -> float:
        """Tension below which a span has no shape at rest [N]."""
        weights = [mass * math.hypot(*g) for mass, g in zip(self.masses(unstretched), self.loads)]
        return math.sqrt(self._slope) * max(weights)

    def arc(self, tension: float, unstretched: float) -> float:
        """Length of rope along the bent path [m]: H^2 = T^2 - slope (m g)^2, lhat = l T/H."""
        total = self.arcs
        for mass, length, g in zip(self.masses(unstretched), self.lengths, self.loads):
            load = mass * math.hypot(*g)
            total += length * tension / math.sqrt(tension**2 - self._slope * load**2)
        return total

    def under(self, tension: float) -> Hanging:
        """At rest under a tension. Raises ValueError when that is too small."""
        unstretched = self.path / (1.0 + tension / self.stiffness)
        for _ in range(30):
            if tension <= 1.0001 * self.weakest(unstretched):
                raise ValueError(f"{self.weakest(unstretched):.4g}")
            unstretched = self.arc(tension, unstretched) / (1.0 + tension / self.stiffness)
        return self._hang(unstretched, tension)

    def of_length(self, unstretched: float) -> Hanging:
        """At rest with an unstretched length; a straight rope that is too long has no tension."""
        weakest = self.weakest(unstretched)

        def longer(tension: float) -> float:
            return self.arc(tension, unstretched) - unstretched * (1.0 + tension / self.stiffness)

        low, high = 1.0000001 * weakest, 2.0 * weakest + self.stiffness * max(self.path / unstretched - 1.0, 1e-3)
        if weakest <= 1e-12 * self.stiffness:
            tension = max(self.stiffness * (self.path / unstretched - 1.0), 0.0)
        else:
            while longer(high) > 0.0:
                high *= 2.0
            from scipy.optimize import brentq  # half a second to load

            tension = float(brentq(longer, low, high, xtol=1e-12 * high, rtol=1e-14)) if longer(low) > 0.0 else low
        return self._hang(unstretched, tension)

    def _hang(self, unstretched: float, tension: float) -> Hanging:
        masses, modes = self.masses(unstretched), []
        for mass, length, (g1, g2) in zip(masses, self.lengths, self.loads):
            square = tension**2 - self._slope * (mass * math.hypot(g1, g2)) ** 2
            thrust = math.sqrt(max(square, 0.0))
            modes.append(
                static_modes(self.count, length, mass, thrust, g1, g2) if thrust > 0.0 else np.zeros((self.count, 4))
            )
        return Hanging(unstretched, tension, masses, modes)


def refusal(run: Segment, hanging: Hanging, dt: float) -> str:
    """Why the explicit scheme would not stand at the start, in words; empty where it does."""
    for length, mass, (g1, g2) in zip(run.lengths, hanging.masses, run.loads):
        fastest = math.pi * run.count * math.sqrt(hanging.tension / (mass * length))
        if 0.5 * fastest * dt >= GATE:
            return (
                f"with {run.count} waves on {length:.3g} m at {hanging.tension:.4g} N the explicit scheme stands for steps up to "
                f"{2.0 * GATE / fastest:.2g} s, and dt is {dt:.2g} s: take a shorter step, fewer modes, or leave scheme out"
            )
        if hanging.tension > 0.0:
            # the sag feeds back on the tension: a limit that the paper's gate does not see
            share = length / hanging.unstretched
            feedback = math.hypot(g1, g2) / hanging.tension * math.sqrt(run.density * run.stiffness * share)
            if feedback * dt >= 2.0:
                return (
                    f"at {hanging.tension:.4g} N the sag of {length:.3g} m of it drives its tension, and the explicit scheme stands for steps up to "
                    f"{2.0 / feedback:.2g} s; dt is {dt:.2g} s: take a shorter step, more tension, or leave scheme out"
                )
    return ""
