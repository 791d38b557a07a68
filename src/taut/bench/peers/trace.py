"""What an engine hands back, and the three numbers by which it is judged."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from .case import Hoist

#: samples are taken this far apart [s], or every step where steps are longer
SAMPLE_INTERVAL = 1.0 / 60.0


@dataclass
class Trace:
    """Samples of one run, all of shape (samples,), the first at release."""

    time: np.ndarray
    """[s]"""
    load_x: np.ndarray
    """Horizontal coordinate of the load [m]."""
    load_z: np.ndarray
    """Height of the load [m]."""
    tension_top: np.ndarray
    """Magnitude of the force with which the rope pulls at the fixed point [N]."""
    energy: np.ndarray
    """Kinetic + potential + elastic energy of rope and load [J], any zero level."""


class Runner(Protocol):
    """One engine, set up for one number of links and one time step."""

    def reset(self) -> None:
        """Back to the release; not timed. Called before every `run`."""
        ...

    def run(self, seconds: float, record: bool = True) -> Trace:
        """Simulate `seconds` from the release, which `reset` (or `prepare`) has set up.

        With `record` the trace is sampled every `SAMPLE_INTERVAL` (or every step, if longer), first at release, last
        at the end; it may end early when the run is lost. Without, nothing is sampled and the trace is empty: this is
        the run that is timed, so it must be nothing but steps, in as few calls into compiled code as the engine allows.
        """
        ...


class Adapter(Protocol):
    """One engine. `most_links`, where it has one, is the longest rope that it can make."""

    name: str

    def prepare(self, links: int, dt: float) -> Runner:
        """Build rope and load with `links` segments and time step `dt` [s]; not timed, compiles what must be."""
        ...


@dataclass
class Recorder:
    """Collects samples; says when a run is lost, so that a bad step costs little."""

    hoist: Hoist
    samples: list[tuple[float, float, float, float, float]] = field(default_factory=list)

    def add(self, time: float, x: float, z: float, tension: float, energy: float) -> bool:
        """Append one sample; False when the run has left the physics and need not go on."""
        self.samples.append((time, x, z, tension, energy))
        drift = energy - self.samples[0][4]
        # ten times the tolerance: no run comes back from there
        return math.isfinite(x + z + tension + energy) and abs(drift) < 0.1 * self.hoist.swing_energy

    def trace(self) -> Trace:
        """The samples as arrays."""
        columns = np.array(self.samples, dtype=float).reshape(-1, 5).T
        return Trace(*(np.ascontiguousarray(column) for column in columns))


def steps_between_samples(dt: float) -> int:
    """Steps of length `dt` [s] from one sample to the next, at least one."""
    return max(1, round(SAMPLE_INTERVAL / dt))


def period(time: np.ndarray, x: np.ndarray) -> float:
    """Period [s] of a swing from the crossings of zero: twice their mean distance; NaN with fewer than three.

    A crossing is placed by a cubic through the two samples on either side: 3e-7 of the period off at five samples per
    second, 5e-6 at 2.5.
    """
    crossings = []
    for i in np.flatnonzero(np.signbit(x[:-1]) != np.signbit(x[1:])):
        first = min(max(int(i) - 1, 0), len(x) - 4)
        if first < 0:
            return math.nan
        t, values = time[first : first + 4] - time[i], x[first : first + 4]
        roots = np.roots(np.polyfit(t, values, 3))
        real = roots[np.abs(roots.imag) < 1e-9].real
        inside = real[(real >= -1e-9) & (real <= time[i + 1] - time[i] + 1e-9)]
        if len(inside) == 0:
            return math.nan
        crossings.append(time[i] + inside[0])
    if len(crossings) < 3:
        return math.nan
    return 2.0 * float(np.mean(np.diff(crossings)))


def mean(time: np.ndarray, values: np.ndarray) -> float:
    """Time average by the trapezoidal rule."""
    return float(np.trapezoid(values, time) / (time[-1] - time[0]))
