"""The second-order cone: its scaling, product and way to the boundary against their definitions."""

from __future__ import annotations

import math

import numpy as np
import pytest

from taut.step import soc


def inner_points(seed: int):
    """Points well inside and close to the boundary of the cone."""
    rng = np.random.default_rng(seed)
    for depth in (1.0, 1e-3, 1e-6):
        angle, size = rng.uniform(0.0, 2.0 * math.pi), rng.uniform(0.1, 10.0)
        yield size * (1.0 + depth), size * math.cos(angle), size * math.sin(angle)


@pytest.mark.parametrize("seed", range(4))
def test_the_scaling_takes_force_to_slack(seed):
    """W^2 z = y is what defines it, and W twice is W^2."""
    for z in inner_points(seed):
        for y in inner_points(seed + 10):
            w = soc.scaling(z, y)
            assert np.allclose(soc.square(w, z), y, rtol=1e-6, atol=1e-6 * y[0])
            assert np.allclose(soc.scale(w, soc.scale(w, z)), soc.square(w, z), rtol=1e-9, atol=1e-9 * y[0])


@pytest.mark.parametrize("seed", range(4))
def test_division_undoes_the_product(seed):
    for a in inner_points(seed):
        b = tuple(np.random.default_rng(seed).normal(size=3))
        assert np.allclose(soc.divide(a, soc.multiply(a, b)), b, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("seed", range(8))
def test_the_way_ends_on_the_boundary(seed):
    """x0 = |(x1, x2)| where it ends; endless only along directions inside the cone."""
    d = np.random.default_rng(seed).normal(size=3)
    for x in inner_points(seed):
        t = soc.way(x, tuple(d))
        if math.isinf(t):
            assert d[0] >= math.hypot(d[1], d[2])
            continue
        end = np.array(x) + t * d
        assert t > 0.0 and end[0] == pytest.approx(math.hypot(end[1], end[2]), abs=1e-7 * (x[0] + abs(t * d[0])))
