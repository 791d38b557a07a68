"""The runner: plays, pauses, steps, resets, and survives what a page or a simulation does to it."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pytest

from taut import Scene, SimulationError
from taut.view.frame import Account, Control, Frame
from taut.view.history import INTERVAL, SAMPLES, History
from taut.view.past import MOST_BYTES, Past
from taut.view.runner import MOST_COMMANDS, Runner
from taut.view.springs import Grip


class Toy:
    """A player that only counts."""

    def __init__(self, duration: float | None = None) -> None:
        self.scene = Scene()
        self.dt = 1.0 / 200.0
        self.duration = duration
        self.steps = 0
        self.fails_at = -1
        self.values = {"hoist.speed": 0.0}

    @property
    def time(self) -> float:
        return self.steps * self.dt

    @property
    def controls(self) -> list[Control]:
        return [Control(name, "m/s", value) for name, value in self.values.items()]

    @property
    def quantities(self) -> dict[str, str]:
        return {"time": "s"}

    def advance(self, steps: int) -> None:
        if 0 <= self.fails_at <= self.steps + steps:
            raise SimulationError("load has run away")
        self.steps += steps

    def reset(self) -> None:
        self.steps = 0
        self.values["hoist.speed"] = 0.0

    def seek(self, time: float) -> None:
        self.steps = round(time / self.dt)

    def set_control(self, name: str, value: float) -> None:
        self.values[name] = value

    def change(self, changes: Sequence[str]) -> None:
        pass

    def pull(self, grip: Grip | None, target: np.ndarray | None = None) -> None:
        pass

    def keep(self) -> int:
        return self.steps

    def recall(self, kept: int) -> None:
        self.steps = kept

    def frame(self, quantity: str, account: bool, forces: bool = False) -> Frame:
        known = Account(1.0, 2.0, 3.0, 4.0) if account else None
        value = self.time if quantity else None
        return Frame(self.time, self.steps, np.zeros((0, 3)), np.zeros((0, 4)), account=known, value=value)


def until(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    """Wait for something that must come."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.002)


@pytest.fixture
def toy() -> Toy:
    return Toy()


@pytest.fixture
def runner(toy: Toy) -> Iterator[Runner]:
    made = Runner(lambda: toy)
    made.start()
    assert made.ready.wait(10.0)
    yield made
    made.close()
    made.join(10.0)
    assert not made.is_alive()


def test_it_runs_at_once_and_shows_where_it_is(runner: Runner) -> None:
    until(lambda: runner.frame is not None and runner.frame.step > 5)
    assert runner.status.phase == "running"
    until(lambda: runner.status.factor is not None)


def test_pause_stands_still_and_step_makes_one(runner: Runner, toy: Toy) -> None:
    runner.pause()
    until(lambda: runner.status.phase == "paused")
    before = toy.steps
    time.sleep(0.05)
    assert toy.steps == before
    # what is shown is where it stands, not a frame from shortly before
    assert runner.frame is not None and runner.frame.step == before
    runner.step()
    until(lambda: toy.steps == before + 1)
    until(lambda: runner.frame is not None and runner.frame.step == before + 1)
    runner.play()
    until(lambda: toy.steps > before + 5)


def test_reset_goes_back_and_tells_the_panel(runner: Runner, toy: Toy) -> None:
    runner.set_control("hoist.speed", 0.5)
    until(lambda: toy.values["hoist.speed"] == 0.5)
    until(lambda: toy.steps > 20)
    runner.pause()
    runner.reset()
    until(lambda: runner.resets == 1)
    assert toy.steps == 0 and runner.controls()[0].value == 0.0
    assert runner.frame is not None and runner.frame.time == 0.0


def test_an_error_stops_it_and_reset_leads_out(runner: Runner, toy: Toy) -> None:
    toy.fails_at = toy.steps + 10
    until(lambda: runner.status.phase == "failed")
    assert "run away" in runner.status.message
    last = runner.frame
    runner.play()
    runner.step()
    time.sleep(0.05)
    assert runner.status.phase == "failed"
    assert last is not None and runner.frame is not None and runner.frame.time <= last.time
    toy.fails_at = -1
    runner.reset()
    until(lambda: runner.status.phase == "paused")
    runner.play()
    until(lambda: toy.steps > 5)
    assert runner.status.message == ""


def test_a_flood_of_commands_is_cut_off_and_the_run_goes_on(runner: Runner, toy: Toy) -> None:
    gate = threading.Event()
    runner._ask(lambda: gate.wait(5.0) and None)
    for k in range(20 * MOST_COMMANDS):
        runner.set_control("hoist.speed", float(k))
    assert runner._inbox.qsize() <= MOST_COMMANDS
    gate.set()
    before = toy.steps
    until(lambda: toy.steps > before + 5)


def test_a_delay_is_not_made_up_without_end(runner: Runner, toy: Toy) -> None:
    gate = threading.Event()
    runner._ask(lambda: gate.wait(5.0) and None)
    time.sleep(1.0)
    before = toy.steps
    gate.set()
    time.sleep(0.05)
    # a second was lost, of which a tenth may come back: 20 steps, and those of the 50 ms since, here left much room
    assert toy.steps - before < 0.7 / toy.dt


def test_a_recording_ends_and_can_be_played_again() -> None:
    toy = Toy(duration=0.05)
    runner = Runner(lambda: toy)
    runner.start()
    until(lambda: runner.status.phase == "ended")
    runner.seek(0.02)
    until(lambda: runner.status.phase == "paused" and toy.steps == 4)
    runner.play()
    until(lambda: runner.status.phase == "ended")
    runner.play()
    until(lambda: runner.resets == 1)
    runner.close()
    runner.join(10.0)


def test_what_cannot_be_made_is_told() -> None:
    def broken() -> Toy:
        raise ValueError("no such thing")

    runner = Runner(broken)
    runner.start()
    assert runner.ready.wait(10.0)
    assert runner.status.phase == "failed"
    assert str(runner.failure) == "no such thing"


def test_the_history_keeps_a_fixed_number_of_samples() -> None:
    history = History()
    for k in range(3 * SAMPLES):
        now = k * INTERVAL
        assert history.wants(now)
        history.add(Frame(now, k, np.zeros((0, 3)), np.zeros((0, 4)), account=Account(1.0, 2.0, 3.0, 4.0), value=now))
    columns = history.columns()
    assert columns.shape == (6, SAMPLES)
    assert columns[0, -1] == pytest.approx((3 * SAMPLES - 1) * INTERVAL)
    assert not history.wants(columns[0, -1] + 0.1 * INTERVAL)
    history.forget_value()
    assert np.isnan(history.columns()[5]).all() and (history.columns()[1] == 1.0).all()
    # in a pause no more moments come: of what is chosen then one value is known
    history.forget_value(3.0)
    assert history.columns()[5, -1] == 3.0 and np.isnan(history.columns()[5, :-1]).all()


def kept_nearest(runner: Runner, moment: float) -> Frame:
    """Of the moments that a run at rest has kept, the one that lies nearest [s]."""
    return min((frame for _, frame, _ in runner.past._kept), key=lambda frame: abs(frame.time - moment))


def test_one_looks_back_and_goes_on_from_there(runner: Runner, toy: Toy) -> None:
    until(lambda: runner.reach > 0.3)
    runner.look_back(0.2)
    until(lambda: runner.status.phase == "paused" and runner.frame is not None and runner.frame.step < toy.steps)
    shown, newest = runner.frame, toy.steps
    # the nearest of the moments that were kept; on a busy machine they lie further apart than a tenth of a second
    assert shown is not None and shown is kept_nearest(runner, toy.time - 0.2)
    # back to the present without a trace
    runner.look_back(0.0)
    until(lambda: runner.frame is not None and runner.frame.step > shown.step)
    assert toy.steps == newest
    runner.look_back(0.2)
    until(lambda: runner.frame is not None and runner.frame.step == shown.step)
    runner.step()
    until(lambda: toy.steps == shown.step + 1)
    assert runner.history.columns()[0, -1] <= toy.time
    # that is the present now: nothing past is looked at, and one looks back from there
    until(lambda: not runner.looks_back)
    assert runner.reach == pytest.approx(toy.time - (runner.past.oldest or 0.0))
    for _ in range(3):
        runner.step()
    until(lambda: toy.steps == shown.step + 4)
    until(lambda: runner.reach == pytest.approx(toy.time - (runner.past.oldest or 0.0)))
    runner.look_back(0.1)
    until(lambda: runner.looks_back)
    assert runner.frame is kept_nearest(runner, toy.time - 0.1)
    runner.look_back(0.0)
    runner.play()
    until(lambda: toy.steps > newest)


def test_the_past_is_a_minute_and_takes_no_more_memory_than_it_may() -> None:
    past = Past()
    small, large = np.zeros((1, 3)), np.zeros((100_000, 3))
    for k in range(3000):
        if past.wants(k * INTERVAL):
            past.add(Frame(k * INTERVAL, k, small, small), (small,))
    newest = 2999 * INTERVAL
    assert past.oldest == pytest.approx(newest - 60.0, abs=0.1)
    found = past.at(newest - 10.0)
    assert found is not None and found[0].time == pytest.approx(newest - 10.0, abs=INTERVAL)
    past.clear()
    count = 0
    for k in range(1800):
        if past.wants(k * INTERVAL):
            past.add(Frame(k * INTERVAL, k, large, large), (large,))
            count += 1
    assert count * 3 * large.nbytes <= 1.1 * MOST_BYTES
