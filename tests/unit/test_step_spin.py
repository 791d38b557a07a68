"""Free rotation: the midpoint rule I W = exp(-h W / 2) P in body axes, and how segments turn."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from taut.core.quat import half_straight, multiply, rotate, turn_straight
from taut.step.forces import midpoint_spin

H = 1.0 / 60.0


def _unit(vector: np.ndarray) -> np.ndarray:
    return vector / np.linalg.norm(vector)


def half_way(turn: np.ndarray, straight: bool) -> Rotation:
    """Half the rotation of a step: of the vector itself, or of Cayley's map, which turns by 2 atan(a/2)."""
    a = np.linalg.norm(turn)
    return Rotation.from_rotvec(turn * (np.arctan(0.5 * a) / a if straight else 0.5))


@pytest.mark.parametrize("straight", [False, True])
@pytest.mark.parametrize("seed", range(60))
def test_it_solves_its_equation(seed, straight):
    """For needles, plates and lumps. The iteration leaves out the curvature of the turn: a needle that spins fast across
    its axis converges to 1e-8 only, all else to round-off."""
    rng = np.random.default_rng(seed)
    # second moments of a body along its axes: any three are possible, any three moments of inertia are not
    a, b, c = 10.0 ** rng.uniform(-4, 1, 3)
    inertia = np.array([b + c, a + c, a + b])
    spin = rng.normal(size=3) * 10.0 ** rng.uniform(-1, 1)
    momentum = inertia * spin
    w = np.array(midpoint_spin(*inertia, *momentum, H, straight))
    mid = half_way(H * w, straight).inv().apply(momentum)
    needle = inertia.min() < 0.05 * inertia.max()
    assert np.abs(inertia * w - mid).max() < (1e-8 if needle else 1e-13) * np.linalg.norm(momentum)


@pytest.mark.parametrize("size", [1e-9, 0.01, 0.5, 3.0])
def test_a_segment_goes_straight(size):
    """Cayley's map: a point moves by the mean of its velocities, and half way is half of the rotation."""
    rng = np.random.default_rng(7)
    turn, point = size * _unit(rng.normal(size=3)), rng.normal(size=3)
    quat = np.array([[1.0, 0.0, 0.0, 0.0]])
    turn_straight(quat, 0, *turn)
    moved = np.array(rotate(*quat[0], *point))
    assert np.allclose(moved - point, np.cross(turn, 0.5 * (point + moved)), rtol=0.0, atol=1e-15)
    half = half_straight(*turn)
    assert np.allclose(multiply(*half, *half), quat[0], rtol=0.0, atol=1e-15)
    assert np.allclose(half_way(turn, True).as_quat(scalar_first=True), half, rtol=0.0, atol=1e-15)


def test_about_a_principal_axis_it_is_exact():
    for k in range(3):
        momentum = np.zeros(3)
        momentum[k] = 7.0
        assert np.allclose(midpoint_spin(1.0, 2.0, 3.0, *momentum, H, False), momentum / [1.0, 2.0, 3.0], atol=1e-15)


def test_equal_moments_do_not_precess():
    momentum = np.array([1.0, -2.0, 0.5])
    assert np.allclose(midpoint_spin(2.0, 2.0, 2.0, *momentum, H, False), momentum / 2.0, atol=1e-15)


def test_second_order():
    """One second of tumbling against Euler's equations: the error falls by four when the step is halved."""
    inertia, spin = np.array([1.0, 2.0, 3.0]), np.array([0.5, 3.0, 0.4])
    end = solve_ivp(lambda t, w: np.cross(inertia * w, w) / inertia, (0, 1), spin, rtol=1e-12, atol=1e-12).y[:, -1]
    errors = []
    for steps in (50, 100, 200):
        h, turn = 1.0 / steps, Rotation.identity()
        momentum = inertia * spin  # in the world
        for _ in range(steps):
            w = np.array(midpoint_spin(*inertia, *turn.inv().apply(momentum), h, False))
            turn = turn * Rotation.from_rotvec(h * w)
        errors.append(np.linalg.norm(turn.inv().apply(momentum) / inertia - end))
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.allclose(orders, 2.0, atol=0.1)
