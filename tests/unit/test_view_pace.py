"""Pacing: simulated time follows the clock on the wall and never runs away."""

import pytest

from taut.view.pace import CATCH_UP, FASTEST, LONGEST_CALL, SLOWEST, Meter, Pace

DT = 1.0 / 60.0


def run(pace: Pace, times: list[float], cost: float = 1e-4) -> int:
    """Steps made when asked at those times, each step costing `cost` seconds."""
    made = 0
    for now in times:
        steps = pace.due(now)
        if steps:
            pace.spent(steps, cost * steps)
        made += steps
    return made


def every(interval: float, until: float, start: float = 0.0) -> list[float]:
    return [start + k * interval for k in range(round((until - start) / interval) + 1)]


@pytest.mark.parametrize("interval", [0.001, 0.007, 1 / 60, 0.031])
@pytest.mark.parametrize("speed", [0.1, 1.0, 4.0])
def test_steps_follow_the_clock_however_often_it_is_asked(interval: float, speed: float) -> None:
    pace = Pace(DT, speed)
    times = every(interval, 10.0)
    # the first call does not know yet what a step costs: one step, then as many as are due
    assert run(pace, times) == pytest.approx(times[-1] * speed / DT, abs=2)


def test_a_stall_is_caught_up_a_little_and_then_let_go() -> None:
    pace = Pace(DT)
    run(pace, every(0.01, 1.0))
    assert pace.due(6.0) <= CATCH_UP / DT + 1
    # afterwards it keeps time again, without the five seconds
    assert run(pace, every(0.01, 7.0, start=6.01)) == pytest.approx(60, abs=2 + CATCH_UP / DT)


def test_a_step_dearer_than_real_time_makes_no_debt() -> None:
    pace = Pace(DT)
    cost, now, made = 0.05, 0.0, 0
    for _ in range(100):
        steps = pace.due(now)
        assert steps <= 1
        if steps:
            pace.spent(steps, cost)
            now += cost
            made += 1
        now += 0.001
    # until the first step is due 17 rounds pass; from then on every round makes one, and no round makes two
    assert made > 80


def test_one_call_is_short_however_small_the_step_is() -> None:
    pace = Pace(1e-5)
    run(pace, every(0.001, 0.5), cost=2e-5)
    assert pace.due(0.55) * 2e-5 <= LONGEST_CALL * 1.01


def test_a_step_longer_than_the_catch_up_still_comes_due() -> None:
    pace = Pace(0.5)
    assert run(pace, every(0.02, 10.0)) == pytest.approx(20, abs=1)


def test_waiting_ends_when_the_next_step_is_due() -> None:
    pace = Pace(DT)
    pace.start(0.0)
    assert pace.wait(0.0) == pytest.approx(DT)
    assert pace.wait(0.5 * DT) == pytest.approx(0.5 * DT)
    assert pace.wait(2.0 * DT) == 0.0
    assert pace.due(pace.wait(0.0) + 1e-9) == 1


def test_a_clock_that_goes_backwards_does_no_harm() -> None:
    pace = Pace(DT)
    pace.start(10.0)
    assert pace.due(9.0) == 0
    assert pace.due(9.0 + 1.5 * DT) == 1


def test_speed_is_kept_within_bounds() -> None:
    pace = Pace(DT)
    pace.speed = 1e9
    assert pace.speed == FASTEST
    pace.speed = -1.0
    assert pace.speed == SLOWEST


def test_the_meter_tells_the_factor_over_the_last_moments() -> None:
    meter = Meter(window=1.0)
    assert meter.factor is None
    for k in range(200):
        meter.mark(0.02 * k, 0.01 * k)
    assert meter.factor == pytest.approx(0.5)
    meter.clear()
    assert meter.factor is None
