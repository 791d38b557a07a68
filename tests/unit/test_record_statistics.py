"""Statistics over a run, against the same over the whole history."""

from __future__ import annotations

import math

import numpy as np
import pytest

import taut
from taut.measure import UnknownName
from taut.record import Measure, Watch, add_error_bars, measures_of, run
from taut.record.statistics import STATISTICS, Tally, name_in

PENDULUM = """
taut: 1
name: pendulum
bodies:
  load: {shape: {type: sphere, radius: 10 cm}, mass: 1 t, position: [1, 0, -1], collide: false}
joints:
  pivot: {type: ball, b: load, at: [0, 0, 0]}
"""


@pytest.fixture
def sim() -> taut.Simulation:
    return taut.Simulation(taut.Scene.from_yaml(PENDULUM))


def test_tally_of_numbers() -> None:
    values = np.random.default_rng(1).normal(3.0, 2.0, 500)
    tally = Tally()
    for k, value in enumerate(values):
        tally.add(value, 0.1 * k)
    assert tally.value("max") == (values.max(), pytest.approx(0.1 * values.argmax()))
    assert tally.value("min") == (values.min(), pytest.approx(0.1 * values.argmin()))
    # sums in another order: round-off of 500 terms
    assert tally.value("mean").value == pytest.approx(values.mean(), rel=1e-12)
    assert tally.value("rms").value == pytest.approx(np.sqrt((values**2).mean()), rel=1e-12)
    assert tally.value("final") == (values[-1], pytest.approx(49.9))


def test_tally_of_arrays_counts_every_component() -> None:
    values = np.random.default_rng(2).normal(size=(200, 7))
    tally = Tally()
    for k, row in enumerate(values):
        tally.add(row, float(k))
    assert tally.value("max").value == values.max()
    assert tally.value("min").value == values.min()
    assert tally.value("rms").value == pytest.approx(np.sqrt((values**2).mean()), rel=1e-12)


def test_nothing_and_not_a_number_are_not_hidden() -> None:
    assert all(math.isnan(Tally().value(statistic).value) for statistic in STATISTICS)
    tally = Tally()
    for value in (1.0, math.nan, 2.0):
        tally.add(value, 0.0)
    assert math.isnan(tally.value("mean").value)


def test_what_a_text_asks_for(sim: taut.Simulation) -> None:
    assert measures_of("max(pivot.tension)", sim) == [Measure("max", "pivot.tension")]
    assert measures_of(" rms( load.velocity[2] ) ", sim) == [Measure("rms", "load.velocity[2]")]
    assert [measure.statistic for measure in measures_of("pivot.tension", sim)] == list(STATISTICS)
    # a vector is told component by component, what has more of them as a whole
    assert measures_of("max(load.velocity)", sim) == [Measure("max", f"load.velocity[{k}]") for k in range(3)]
    assert len(measures_of("load.velocity", sim)) == 3 * len(STATISTICS)
    assert name_in("max(pivot.tension)") == name_in("pivot.tension") == "pivot.tension"
    assert str(Measure("max", "pivot.tension")) == "max(pivot.tension)"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("median(pivot.tension)", "no statistic 'median'"),
        ("max(pivot.tensoin)", "did you mean"),
        ("max()", "no quantity"),
        ("max(max(load.speed))", "no quantity"),
    ],
)
def test_what_cannot_be_asked_for(sim: taut.Simulation, text: str, said: str) -> None:
    with pytest.raises(UnknownName, match=said):
        measures_of(text, sim)


def test_watch_agrees_with_the_history(sim: taut.Simulation) -> None:
    watch = Watch(sim, ["pivot.tension", "load.velocity"])
    history = []
    for _ in range(50):
        sim.step()
        watch.note()
        history.append(sim.read("pivot.tension"))
    assert watch.value(Measure("max", "pivot.tension")).value == max(history)
    assert watch.value(Measure("final", "pivot.tension")).value == history[-1]
    assert watch.units == {"pivot.tension": "N", "load.velocity": "m/s"}


def test_run_reports_and_error_bars_shrink_with_the_step() -> None:
    scene = taut.Scene.from_yaml(PENDULUM)
    measures = [Measure("max", "pivot.tension")]

    def change(dt: float) -> float:
        coarse, fine = (
            run(taut.Simulation(scene.model_copy(update={"dt": h})), round(3.0 / h), measures) for h in (dt, dt / 2)
        )
        add_error_bars(coarse, fine)
        error = coarse.figures[0].error
        assert error is not None
        return error

    # the sphere swings from 45 degrees: tension at the lowest point m g (3 - 2 cos 45) = 15.55 kN as a point mass,
    # 0.03 % less with the sphere's own inertia; the step misses the lowest point by at most h/2
    report = run(taut.Simulation(scene), 180, measures)
    assert report.figures[0].value == pytest.approx(9810.0 * (3.0 - math.sqrt(2.0)), rel=2e-3)
    assert report.figures[0].unit == "N"
    assert change(1 / 240) < 0.5 * change(1 / 60)


def test_run_adds_up(sim: taut.Simulation) -> None:
    heard: list[int] = []
    report = run(sim, 120, progress=lambda made, wall: heard.append(made))
    energy = report.energy
    assert report.steps == report.steps_asked == 120
    assert report.simulated == pytest.approx(2.0)
    assert heard[0] == 1 and heard[-1] == 120
    total = energy.start + energy.supplied - energy.dissipated - energy.geometric + energy.remainder
    assert energy.end == pytest.approx(total, rel=1e-12)
    # it falls from 45 degrees at 1.41 m: m g l (1 - cos 45) = 4063 J are moved
    assert energy.scale == pytest.approx(9810.0 * (math.sqrt(2.0) - 1.0), rel=0.01)
    assert abs(energy.remainder) < 1e-3 * energy.scale
    assert report.real_time_factor > 0.0
    data = report.as_data()
    assert data["complete"] and data["energy"]["start"] == -9810.0


def test_a_run_of_no_steps(sim: taut.Simulation) -> None:
    report = run(sim, 0, measures_of("load.speed", sim))
    assert report.steps == 0
    assert report.as_data()["measures"]["max(load.speed)"]["value"] is None
