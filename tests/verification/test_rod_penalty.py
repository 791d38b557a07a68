"""The paper's scheme, corrected, beside ours: derivatives, and the same shapes."""

import numpy as np
import pytest

from taut.cables.rod import Clamp, Rod
from taut.cables.rod.penalty import BAND, PenaltyRod, measure

KIND = {"EI": 1.0, "GJ": 0.8, "mass_per_length": 50.0, "gravity": (0, 0, -1)}


def pair(segments: int) -> tuple[Rod, PenaltyRod]:
    ends = {"start": Clamp((0, 0, 0)), "end": Clamp((0.6, 0.05, 0))}
    rod = Rod(1.0, segments, **ends, **KIND)
    rod.solve()
    return rod, PenaltyRod(1.0, segments, **ends, **KIND, shape=rod.points, frames=rod.frames)


def test_gradient_and_hessian_by_differences() -> None:
    _rod, other = pair(5)
    rng = np.random.default_rng(0)
    z = other._z + 0.05 * rng.normal(size=other._z.shape)
    force = rng.normal(size=(5, 4))
    gradient, H, work = np.zeros((5, 7)), np.zeros((35, BAND + 1)), np.zeros((16, 7))

    def at(x):
        energy = measure(x.reshape(5, 7), force, other._fixed, other._given, gradient, H, work)
        return energy, gradient.ravel().copy(), H.copy()

    _, slope, band = at(z.ravel())
    full = np.zeros((35, 35))
    for j in range(35):
        for b in range(min(BAND, 34 - j) + 1):
            full[j + b, j] = full[j, j + b] = band[j, b]
    h = 1e-5
    for k in range(3, 35):
        step = np.zeros(35)
        step[k] = h
        ahead, behind = at(z.ravel() + step), at(z.ravel() - step)
        assert slope[k] == pytest.approx((ahead[0] - behind[0]) / (2 * h), rel=1e-5, abs=1e-4)
        by_steps = (ahead[1] - behind[1]) / (2 * h)
        by_steps[:3] = 0.0
        assert full[:, k] == pytest.approx(by_steps, rel=1e-4, abs=1e-3)


def test_the_same_shape_as_ours_after_a_drag() -> None:
    """Both discretise one energy; they differ by where the norm penalty lets the frames be, to the tolerance."""
    rod, other = pair(40)
    other.solve(1e-7)
    assert other.points == pytest.approx(rod.points, abs=1e-5)
    for k in range(1, 4):
        point = (0.6 - 0.01 * k, 0.05 + 0.01 * k, 0.005 * k)
        rod.move_end(point)
        rod.solve()
        other.move_end(point)
        other.solve(1e-7)
    assert other.points == pytest.approx(rod.points, abs=1e-5)
    # its integral forces are the internal force of the rod
    assert -other._force[-1, :3] == pytest.approx(-rod.internal_force[-1], rel=2e-3, abs=1e-2)
