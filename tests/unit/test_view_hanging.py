"""Slack rope as it is drawn: of its length, between its ends, symmetric, on the floor."""

import numpy as np
import pytest

from taut.view.hanging import hang

DOWN = np.array([0.0, 0.0, -1.0])
FINE = np.linspace(0.0, 1.0, 2001)
DEEP = np.array([np.inf])


def length_of(points: np.ndarray) -> float:
    return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())


@pytest.mark.parametrize("slack", [1e-6, 0.01, 0.3, 2.0, 20.0])
@pytest.mark.parametrize("end", [(3.0, 0.0, 0.0), (2.0, 1.0, -4.0), (0.5, 0.0, 3.0)])
def test_it_has_its_length_and_its_ends(slack: float, end: tuple[float, float, float]) -> None:
    ends = np.array([[(1.0, 2.0, 3.0), tuple(np.add(end, (1.0, 2.0, 3.0)))]])
    points = hang(ends, np.array([slack]), DOWN, FINE, DEEP)[0]
    assert np.allclose(points[[0, -1]], ends[0], atol=1e-9)
    wide = np.hypot(end[0], end[1])
    if wide > 0.12 * slack:  # a loop that is drawn wider than its ends are apart is a little longer
        assert length_of(points) == pytest.approx(np.linalg.norm(end) + slack, rel=1e-5)
    # equal shares are equal lengths, so that pieces of a drawn rope look alike
    pieces = np.linalg.norm(np.diff(points, axis=0), axis=1)
    if wide > 0.12 * slack:
        assert pieces.max() / pieces.min() == pytest.approx(1.0, abs=0.02)


def test_a_shallow_one_is_the_parabola_of_its_sag() -> None:
    # sag d of an arc that is longer than its chord c by 8 d^2/(3 c)
    ends, slack = np.array([[(0.0, 0.0, 5.0), (10.0, 0.0, 5.0)]]), 0.01
    points = hang(ends, np.array([slack]), DOWN, FINE, DEEP)[0]
    assert 5.0 - points[:, 2].min() == pytest.approx(np.sqrt(3.0 * 10.0 * slack / 8.0), rel=2e-3)
    assert np.allclose(points[:, 2], points[::-1, 2], atol=1e-9)


def test_an_upright_one_falls_below_its_lower_end_as_a_loop() -> None:
    ends, slack = np.array([[(0.0, 0.0, 5.0), (0.0, 0.0, 3.0)]]), 1.0
    points = hang(ends, np.array([slack]), DOWN, FINE, DEEP)[0]
    assert 3.0 - points[:, 2].min() == pytest.approx(0.5 * slack, rel=0.1)
    assert np.allclose(points[-1], ends[0, 1]) and 0.0 < np.ptp(points[:, 0]) < 0.2


def test_it_lies_on_the_floor_and_a_taut_one_is_straight() -> None:
    ends = np.array([[(0.0, 0.0, 2.0), (3.0, 0.0, 1.0)], [(0.0, 0.0, 2.0), (3.0, 0.0, 1.0)]])
    points = hang(ends, np.array([4.0, 0.0]), DOWN, FINE, np.array([-0.5, -0.5]))
    assert points[0, :, 2].min() == pytest.approx(0.5) and np.ptp(points[0, points[0, :, 2] < 0.5001, 0]) > 2.5
    assert np.allclose(points[1], ends[1, 0] + FINE[:, None] * (ends[1, 1] - ends[1, 0]))
    # what is tied below the floor goes there
    low = hang(np.array([[(0.0, 0.0, 2.0), (3.0, 0.0, 0.0)]]), np.array([4.0]), DOWN, FINE, np.array([-0.5]))[0]
    assert low[:, 2].min() == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("end", [(6.0, 0.0, 0.5), (6.0, 2.0, 1.5), (9.0, 0.0, 2.0)])
def test_it_comes_down_to_the_floor_level_and_keeps_its_length(end: tuple[float, float, float]) -> None:
    ends, floor = np.array([[(0.0, 0.0, 2.5), end]]), np.array([-0.5])
    slack = 1.0
    assert hang(ends, np.array([slack]), DOWN, FINE, DEEP)[0, :, 2].min() < 0.4, "else it would not lie there"
    points = hang(ends, np.array([slack]), DOWN, FINE, floor)[0]
    assert np.allclose(points[[0, -1]], ends[0], atol=1e-9) and points[:, 2].min() == pytest.approx(0.5, abs=1e-9)
    assert length_of(points) == pytest.approx(np.linalg.norm(ends[0, 1] - ends[0, 0]) + slack, rel=1e-5)
    # it has no corner, as a catenary that is cut off at the floor has: tens of degrees in one piece of 2000
    along = np.diff(points, axis=0)
    along /= np.linalg.norm(along, axis=1)[:, None]
    turns = np.degrees(np.arccos(np.clip((along[1:] * along[:-1]).sum(axis=1), -1.0, 1.0)))
    assert turns.max() < 2.0
    assert (along @ (ends[0, 1] - ends[0, 0]) > 0.0).all()


def test_surplus_rope_falls_straight_down_and_lies_between_its_ends() -> None:
    ends = np.array([[(0.0, 0.0, 2.0), (3.0, 0.0, 1.0)]])
    points = hang(ends, np.array([40.0]), DOWN, FINE, np.array([0.0]))[0]
    assert np.isfinite(points).all() and points[:, 2].min() == pytest.approx(0.0, abs=1e-9)
    assert points[:, 0].min() > -0.2 and points[:, 0].max() < 3.2, "however much there is"
    assert np.ptp(points[points[:, 2] < 1e-6, 0]) > 2.5, "it lies from foot to foot"
