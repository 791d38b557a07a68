"""The search for the largest accurate step, on an engine whose limit is known."""

import math

import numpy as np
import pytest

from taut.bench.peers import harness
from taut.bench.peers.case import HOIST
from taut.bench.peers.harness import LARGEST_STEP, Search, compare, step_at, table
from taut.bench.peers.reference import reference, swing
from taut.bench.peers.trace import Trace

EMPTY = Trace(*(np.zeros(0) for _ in range(5)))


class Limited:
    """Exact up to a step of `limit / links`, lost beyond; each step takes `cost` seconds, by its own account."""

    name = "limited"

    def __init__(self, limit: float, cost: float = 0.0) -> None:
        self.limit, self.cost = limit, cost
        self.tried: list[tuple[int, float]] = []

    def prepare(self, links: int, dt: float) -> "LimitedRunner":
        return LimitedRunner(self, links, dt)


class LimitedRunner:
    def __init__(self, engine: Limited, links: int, dt: float) -> None:
        self.engine, self.links, self.dt = engine, links, dt

    def reset(self) -> None:
        pass

    def run(self, seconds: float, record: bool = True) -> Trace:
        if not record:
            return EMPTY
        self.engine.tried.append((self.links, self.dt))
        return swing(1, tolerance=1e-6) if self.dt <= self.engine.limit / self.links else EMPTY


@pytest.fixture(autouse=True)
def _told_costs(monkeypatch):
    """The engine says what it costs: no clock decides here."""
    told = lambda runner, seconds: max(1e-9, runner.engine.cost * seconds / runner.dt)  # noqa: E731
    monkeypatch.setattr(harness, "time_of", told)


def search(engine: Limited, links: int, budget: float = 60.0) -> Search:
    return Search(engine, links, HOIST, reference(), budget, lambda _text: None)


def test_steps_fill_the_run():
    assert step_at(10.0, 0) == LARGEST_STEP
    for rung in range(12):
        steps = 10.0 / step_at(10.0, rung)
        assert steps == pytest.approx(round(steps))


@pytest.mark.parametrize("hint", [math.inf, 0.4, 0.05, 0.02, 0.003])
def test_the_limit_is_found_from_anywhere(hint):
    row = search(Limited(0.2), 10).row(hint)
    # bisected twice: the bad step lies at most a factor 2^(1/8) above, whole numbers of steps aside
    assert not row.bound and row.dt <= 0.02 < row.dt * 1.1


def test_more_links_begin_where_fewer_ended():
    engine = Limited(0.4)
    rows = compare([engine], (20, 10), rounds=1)
    assert [row.links for row in rows] == [10, 20]
    assert max(dt for links, dt in engine.tried if links == 20) < 0.06
    assert rows[0].dt <= 0.04 < 1.1 * rows[0].dt and rows[1].dt <= 0.02 < 1.1 * rows[1].dt


def test_an_engine_that_was_given_up_is_tried_once_with_more_links():
    # 10 s of 0.01 s a step: budget for steps of 0.1 s with any number of links, which are all too long
    engine = Limited(0.2, cost=0.01)
    rows = compare([engine], (10, 20, 40), rounds=1, budget=1.0)
    assert all(row.bound for row in rows)
    assert [dt for links, dt in engine.tried if links > 10] == [pytest.approx(0.1)] * 2


def test_steps_that_were_found_are_not_looked_for_again():
    engine = Limited(0.4)
    first = compare([engine], (10,), rounds=1)
    tried = list(engine.tried)
    again = compare([engine, Limited(0.3)], (10,), rounds=1)
    assert engine.tried == tried and again[0].dt == first[0].dt and again[0].errors == first[0].errors
    assert again[1].dt < again[0].dt  # another engine of the same name is another engine


def test_what_goes_beyond_the_budget_is_a_bound():
    # 10 s at 0.02 s are 500 steps: five times the budget
    engine = Limited(0.2, cost=0.01)
    row = search(engine, 10, budget=1.0).row()
    assert row.bound and row.dt == pytest.approx(0.1)
    # also with a hint that cannot be afforded: the smallest step that can is tried
    engine.tried.clear()
    row = search(engine, 10, budget=1.0).row(hint=0.02)
    assert row.bound and engine.tried == [(10, pytest.approx(0.1))]
    assert "<100 ms" in table([row])


def test_ratios_are_told_with_those_of_every_round(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, other, slow = Limited(0.4), Limited(0.4), Limited(0.004, cost=0.01)
    ours.name, slow.name = "taut", "slow"  # type: ignore[misc]
    rounds = {"taut": [2.0, 1.0, 2.0], "limited": [4.0, 4.0, 6.0], "slow": [9.0, 9.0, 9.0]}

    def time_round(self: harness.Candidate) -> None:
        self.times.append(rounds[self.row.adapter][len(self.times)])

    monkeypatch.setattr(harness.Candidate, "time_round", time_round)
    found = {row.adapter: row for row in compare([ours, other, slow], (10,), rounds=3, budget=0.5)}
    row = found["limited"]
    assert row.cpu == 4.0 and row.ratio == 4.0 and row.ratio_range == (2.0, 4.0)
    assert row.time is not None and (row.time["best"], row.time["median"], row.time["worst"]) == (4.0, 4.0, 6.0)
    assert found["taut"].ratio_range == (1.0, 1.0) and "2.00 to 4.00" in table(list(found.values()))
    # of an engine that was given up no time is drawn as if it were one
    assert found["slow"].bound and found["slow"].time is None
