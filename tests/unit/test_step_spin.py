"""Free rotation: the midpoint rule I W = exp(-h W / 2) P in body axes."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from taut.step.forces import midpoint_spin

H = 1.0 / 60.0


@pytest.mark.parametrize("seed", range(60))
def test_it_solves_its_equation(seed):
    """For needles, plates and lumps. The iteration leaves out the curvature of the turn: a needle that spins fast across
    its axis converges to 1e-8 only, all else to round-off."""
    rng = np.random.default_rng(seed)
    # second moments of a body along its axes: any three are possible, any three moments of inertia are not
    a, b, c = 10.0 ** rng.uniform(-4, 1, 3)
    inertia = np.array([b + c, a + c, a + b])
    spin = rng.normal(size=3) * 10.0 ** rng.uniform(-1, 1)
    momentum = inertia * spin
    w = np.array(midpoint_spin(*inertia, *momentum, H))
    mid = Rotation.from_rotvec(-0.5 * H * w).apply(momentum)
    needle = inertia.min() < 0.05 * inertia.max()
    assert np.abs(inertia * w - mid).max() < (1e-8 if needle else 1e-13) * np.linalg.norm(momentum)


def test_about_a_principal_axis_it_is_exact():
    for k in range(3):
        momentum = np.zeros(3)
        momentum[k] = 7.0
        assert np.allclose(midpoint_spin(1.0, 2.0, 3.0, *momentum, H), momentum / [1.0, 2.0, 3.0], atol=1e-15)


def test_equal_moments_do_not_precess():
    momentum = np.array([1.0, -2.0, 0.5])
    assert np.allclose(midpoint_spin(2.0, 2.0, 2.0, *momentum, H), momentum / 2.0, atol=1e-15)


def test_second_order():
    """One second of tumbling against Euler's equations: the error falls by four when the step is halved."""
    inertia, spin = np.array([1.0, 2.0, 3.0]), np.array([0.5, 3.0, 0.4])
    end = solve_ivp(lambda t, w: np.cross(inertia * w, w) / inertia, (0, 1), spin, rtol=1e-12, atol=1e-12).y[:, -1]
    errors = []
    for steps in (50, 100, 200):
        h, turn = 1.0 / steps, Rotation.identity()
        momentum = inertia * spin  # in the world
        for _ in range(steps):
            w = np.array(midpoint_spin(*inertia, *turn.inv().apply(momentum), h))
            turn = turn * Rotation.from_rotvec(h * w)
        errors.append(np.linalg.norm(turn.inv().apply(momentum) / inertia - end))
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.allclose(orders, 2.0, atol=0.1)
