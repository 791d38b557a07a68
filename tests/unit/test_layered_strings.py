"""The layered cable on given supports, against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest

from taut.cables.layered import theory
from taut.cables.layered.explicit import GATE, ExplicitStrings
from taut.cables.layered.strings import Strings

EA, DENSITY, SPAN = 3.7425e6, 1.2, 30.0


def frequency(samples: np.ndarray, dt: float, low: float, high: float) -> float:
    """Frequency of the highest spectral line between two bounds, by a parabola through its logarithm [Hz]."""
    y = (samples - samples.mean()) * np.hanning(len(samples))
    size = np.abs(np.fft.rfft(y, 8 * len(y)))
    line = np.fft.rfftfreq(8 * len(y), dt)
    inside = np.flatnonzero((line > low) & (line < high))
    k = int(inside[size[inside].argmax()])
    a, b, c = np.log(size[k - 1 : k + 2])
    return float(line[k] + 0.5 * (a - c) / (a - 2.0 * b + c) * (line[1] - line[0]))


@pytest.mark.parametrize("ratio, allowed", [(0.02, 1e-3), (0.05, 5e-3), (0.10, 2e-2)])
def test_sag_and_end_tension_are_the_elastic_catenary_s(ratio, allowed):
    """Same unstretched length; waves damped away. The closure of the arc errs by the square of the slope."""
    thrust, end, length = theory.catenary(SPAN, DENSITY * theory.G, EA, ratio * SPAN)
    rope = Strings([SPAN], DENSITY, EA, length, dt=1 / 60, damping=2.0)
    rope.settle(1.1 * thrust)
    rope.state[0] = length
    rope.run(3000)
    assert -rope.shape(0, np.array([0.5]))[0, 0] == pytest.approx(ratio * SPAN, rel=allowed)
    along, across = rope.tension * SPAN / rope.arc(), 0.5 * float(rope.span[0, 1]) * theory.G
    assert math.hypot(along, across) == pytest.approx(end, rel=allowed)


@pytest.mark.parametrize("dt, warped, allowed", [(1e-3, False, 2e-4), (1 / 60, True, 1e-5)])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_frequencies_of_a_taut_string(dt, warped, allowed, n):
    """The midpoint rule is low by (omega h)^2/12, 9e-5 for n = 5 at 1 ms; pre-warped it is exact."""
    rope = Strings([SPAN], DENSITY, EA, SPAN, dt=dt, warped=warped, gravity=(0.0, 0.0))
    rope.settle(4905.0)
    rope.mode[n - 1, 0] = 1e-4
    every = max(1, round(0.016 / dt))
    seen = []
    for _ in range(round(30.0 / dt / every)):
        rope.run(every)
        seen.append(rope.mode[n - 1, 0])
    known = theory.string_frequency(n, SPAN, rope.tension, float(rope.span[0, 1]) / SPAN)
    found = frequency(np.array(seen), dt * every, 0.7 * known, 1.3 * known)
    assert found == pytest.approx(known, rel=allowed)


@pytest.mark.parametrize("thrust, stiffness", [(5000.0, 5.5e4), (4905.0, EA), (2450.0, EA), (1500.0, EA), (1000.0, EA)])
def test_first_symmetric_mode_is_irvine_s(thrust, stiffness):
    """lambda^2 from 0.06 to 460: waves and tension feel each other. f alone would miss it by a factor of 2.8."""
    rope = Strings([SPAN], DENSITY, stiffness, SPAN, dt=1e-3)
    rope.settle(thrust)
    mass = float(rope.span[0, 1])
    squared = (mass * theory.G / thrust) ** 2 * stiffness * SPAN / (thrust * float(rope.state[0]))
    assert 0.05 < squared < 480.0
    rope.mode[0, 0] += 1e-5
    seen = []
    for _ in range(15000):
        rope.run(4)
        seen.append(rope.shape(0, np.array([0.5]))[0, 0])
    known = theory.irvine(squared) * theory.string_frequency(1, SPAN, thrust, mass / SPAN)
    assert frequency(np.array(seen), 4e-3, 0.85 * known, 1.15 * known) == pytest.approx(known, rel=1e-3)


@pytest.mark.parametrize("kick", [0.1, 5.0])
@pytest.mark.parametrize("dt", [1 / 60, 0.1])
@pytest.mark.parametrize("stiffness", [EA, 10.0 * EA])
@pytest.mark.parametrize("thrust", [5000.0, 1000.0, 300.0, 100.0])
def test_energy_is_kept_where_the_explicit_scheme_explodes(thrust, stiffness, dt, kick):
    """No suspension, no limit of the step; the hard kicks go slack and snap taut. What is left is rounding of EA times the
    length against the energy of the kick."""
    rope = Strings([SPAN], DENSITY, stiffness, SPAN, dt=dt)
    rope.settle(thrust)
    rope.mode[0, 2] += kick
    rope.mode[1, 3] += 0.5 * kick
    rope.run(1)
    start, worst = rope.energy(), 0.0
    for _ in range(40):
        rope.run(100)
        worst = max(worst, abs(rope.energy() - start))
    assert worst < 1e-6 * 0.25 * DENSITY * SPAN * kick**2


def test_waves_and_supports_exchange_momentum():
    """A support that moves with constant speed leaves a straight rope straight; one that accelerates bends it as gravity
    would."""
    rope = Strings([SPAN], DENSITY, EA, SPAN, gravity=(0.0, 0.0), damping=2.0, dt=0.01)
    rope.settle(2000.0)
    rope.ends[:] = 1.0
    rope.run(100)
    assert abs(rope.mode[:, 0]).max() == 0.0
    push = 0.3
    for _ in range(3000):
        rope.ends[:, 4:] += push * 0.01
        rope.run(1)
    sag = push * float(rope.span[0, 1]) * SPAN / (8.0 * rope.tension * SPAN / rope.arc())
    for d in range(2):
        assert rope.shape(0, np.array([0.5]))[0, d] == pytest.approx(-sag, rel=1e-3)


def test_explicit_scheme_is_stable_up_to_its_limit_and_suspended_beyond():
    """k sqrt(T/rho)/(l dx) = 1 is the limit of central differences at high tension; the gate acts at sqrt(1/2) of it."""
    thrust, pieces = 5000.0, 40
    limit = SPAN / pieces / math.sqrt(thrust / DENSITY)

    def size(dt, gate):
        rope = ExplicitStrings([SPAN], DENSITY, EA, SPAN, pieces=pieces, gate=gate, dt=dt)
        rope.settle(thrust)
        rope.u[0, 1:-1] += 1e-4 * np.sin(np.arange(1, pieces))
        rope.run(2000)
        return float(np.abs(rope.u).max()), rope.suspended

    sag = DENSITY * theory.G * SPAN**2 / (8.0 * thrust)
    assert size(0.98 * limit, math.inf)[0] < 1.2 * sag
    assert not size(1.03 * limit, math.inf)[0] < 2.0 * sag
    assert size(0.98 * GATE * limit, GATE)[1] == 0.0
    assert size(1.05 * GATE * limit, GATE)[1] > 0.01


def test_a_rope_without_waves_under_no_gravity_is_a_spring():
    rope = Strings([SPAN, SPAN], DENSITY, EA, 2.0 * SPAN / 1.001, gravity=(0.0, 0.0))
    rope.run(1)
    assert rope.tension == pytest.approx(0.001 * EA, rel=1e-9)
    rope.state[0] = 2.0 * SPAN * 1.001
    rope.run(2)
    assert rope.tension == 0.0
