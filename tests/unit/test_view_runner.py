"""The runner: plays, pauses, steps, resets, and survives what a page or a simulation does to it."""

import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pytest

from taut import Scene, SimulationError
from taut.view.frame import Account, Control, Frame
from taut.view.history import FINE, INTERVAL, SPAN, History
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
        self.known_from = 0.0
        self.values = {"hoist.speed": 0.0}

    @property
    def time(self) -> float:
        return self.steps * self.dt

    @property
    def controls(self) -> list[Control]:
        units = {"position": "m", "hook": "-", "emergency": "-"}
        return [Control(name, units.get(name.split(".")[1], "m/s"), value) for name, value in self.values.items()]

    @property
    def quantities(self) -> dict[str, str]:
        return {"time": "s"}

    def unit_of(self, name: str) -> str | None:
        return self.quantities.get(name)

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

    def keep(self) -> tuple[int, dict[str, float]]:
        return self.steps, dict(self.values)

    def recall(self, kept: tuple[int, dict[str, float]]) -> None:
        self.steps, self.values = kept[0], dict(kept[1])

    def value_then(self, quantity: str, frame: Frame, kept: tuple[int, dict[str, float]]) -> float | None:
        then = kept[0] * self.dt
        return then if then >= self.known_from else None

    def frame(self, quantities: Sequence[str], account: bool, forces: bool = False) -> Frame:
        known = Account(1.0, 2.0, 3.0, 4.0) if account else None
        values = {name: self.time if name == "time" else 2.0 * self.time for name in quantities}
        return Frame(self.time, self.steps, np.zeros((0, 3)), np.zeros((0, 4)), account=known, values=values)


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


def test_a_swing_keeps_its_crests_where_samples_are_left_out() -> None:
    """Eight samples a period at least: two of its extremes are among them, as high as they were."""
    history = History()
    history.choose(("value",))
    for k in range(1800):
        now = k * INTERVAL
        value = float(np.sin(2.0 * np.pi * now / 1.42))
        account = Account(value**2, 1.0 - value**2, 0.0, 0.0)
        history.add(Frame(now, k, np.zeros((0, 3)), np.zeros((0, 4)), account=account, values={"value": value}))
    time, value = history.values("value")
    old = value[time < 45.0]
    assert len(old) < 0.25 * 45.0 / INTERVAL
    inner = old[1:-1]
    crests = inner[(inner > old[:-2]) & (inner > old[2:])]
    assert len(crests) == pytest.approx(45.0 / 1.42, abs=1.5) and crests.min() > 0.98
    assert (np.abs(np.diff(old)) > 0.0).all() and history.columns()[1].max() > 0.99


def test_the_history_keeps_a_minute_in_a_fixed_number_of_samples() -> None:
    history = History()
    assert history.choose(("value",)) == ["value"]
    for k in range(10 * FINE):
        now = k * INTERVAL
        assert history.wants(now)
        value = 50.0 if k == 7 * FINE + 4 else math.sin(now)
        account = Account(1.0, 2.0, 3.0, 4.0)
        history.add(Frame(now, k, np.zeros((0, 3)), np.zeros((0, 4)), account=account, values={"value": value}))
    newest = (10 * FINE - 1) * INTERVAL
    for table, rows in ((history.columns(), 5), (history.values("value"), 2)):
        assert table.shape[0] == rows and table.shape[1] < 2.2 * FINE
        assert table[0, -1] == pytest.approx(newest) and table[0, 0] == pytest.approx(newest - SPAN, abs=0.5)
        assert (np.diff(table[0]) > 0.0).all()
    assert history.values("value")[1].max() == 50.0, "a jerk does not vanish where samples are left out"
    assert not history.wants(newest + 0.1 * INTERVAL)
    assert history.choose(("value", "other")) == ["other"], "what is plotted goes on"
    assert history.values("value").size and history.values("other").shape == (2, 0)
    history.choose(())
    assert history.values("value").shape == (2, 0) and (history.columns()[1] == 1.0).all()


def test_what_is_chosen_later_is_read_back_from_what_was_kept(runner: Runner, toy: Toy) -> None:
    """While it runs and in a pause; of a moment that does not tell it, and of those before, nothing is shown."""
    until(lambda: runner.reach > 1.0)
    runner.choose("time")
    until(
        lambda: (
            runner.history.values("time").shape[1] > 9
            and runner.history.values("time")[0, 0] <= (runner.past.oldest or 0.0)
        )
    )
    time, value = runner.history.values("time")
    assert value == pytest.approx(time) and (np.diff(time) > 0.0).all()
    runner.pause()
    until(lambda: runner.status.phase == "paused")
    shown, toy.known_from = runner.frame, toy.time - 0.5

    def first() -> float:
        return float(runner.history.values("time")[0, 0]) if runner.history.values("time").size else 0.0

    runner.choose()
    runner.choose("time")
    until(lambda: toy.known_from <= first() < toy.known_from + 0.15)
    time, value = runner.history.values("time")
    assert value == pytest.approx(time) and time[-1] == pytest.approx(toy.time)
    # somebody who looks at the past keeps looking at it
    runner.look_back(0.5)
    until(lambda: runner.looks_back)
    past, toy.known_from = runner.frame, toy.time - 0.3
    runner.choose()
    runner.choose("time")
    until(lambda: toy.known_from <= first() < toy.known_from + 0.15)
    assert runner.looks_back and runner.frame is past and past is not shown


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


def back_to_a_held_lever(runner: Runner, toy: Toy) -> None:
    """A lever is held for a while and let go; then the moment in the middle of that is looked at."""
    runner.set_control("hoist.speed", -0.8)
    began = toy.time
    until(lambda: toy.time > began + 0.6)
    runner.set_control("hoist.speed", 0.0)
    until(lambda: toy.values["hoist.speed"] == 0.0 and toy.time > began + 1.0)
    runner.pause()
    until(lambda: runner.status.phase == "paused")
    runner.look_back(toy.time - began - 0.3)
    until(lambda: runner.looks_back)


@pytest.mark.parametrize("go_on", ["play", "step", "change"])
def test_a_lever_that_was_held_then_drives_nothing_when_time_goes_on_from_there(
    runner: Runner, toy: Toy, go_on: str
) -> None:
    back_to_a_held_lever(runner, toy)
    last = toy.steps
    seen: list[float] = []
    advance = toy.advance
    toy.advance = lambda steps: (seen.append(toy.values["hoist.speed"]), advance(steps))[1]  # type: ignore[method-assign]
    if go_on == "change":
        runner.change(["bodies.load.mass=2 t"], lambda wrong: None)
    else:
        getattr(runner, go_on)()
    until(lambda: not runner.looks_back and toy.steps < last)
    runner.play()
    until(lambda: len(seen) > 3)
    assert set(seen) == {0.0}


def test_what_a_slider_shows_in_the_pause_is_what_it_goes_on_with(runner: Runner, toy: Toy) -> None:
    back_to_a_held_lever(runner, toy)
    runner.set_control("hoist.speed", 0.25)  # while the past is shown
    runner.step()
    until(lambda: not runner.looks_back)
    assert toy.values["hoist.speed"] == 0.25


def test_what_hangs_on_a_hook_is_part_of_the_moment_unless_it_is_asked_for_while_it_is_shown(
    runner: Runner, toy: Toy
) -> None:
    toy.values |= {"sling.hook": 1.0, "crab.emergency": 0.0, "arm.position": 2.0}
    back_to_a_held_lever(runner, toy)
    now = runner.frame
    assert now is not None
    for name, value in (("sling.hook", 0.0), ("crab.emergency", 1.0), ("arm.position", 5.0)):
        toy.values[name] = value  # as if it had been so in the present
    runner.step()
    until(lambda: not runner.looks_back)
    assert toy.values["sling.hook"] == 1.0 and toy.values["arm.position"] == 2.0, "nothing falls or goes there unasked"
    assert toy.values["crab.emergency"] == 1.0, "a stop stays in"
    back_to_a_held_lever(runner_at_play(runner), toy)
    runner.set_control("sling.hook", 0.0)
    runner.step()
    until(lambda: not runner.looks_back)
    assert toy.values["sling.hook"] == 0.0


def runner_at_play(runner: Runner) -> Runner:
    """The same, running."""
    runner.play()
    until(lambda: runner.status.phase == "running")
    return runner


def test_while_the_emergency_stop_is_on_no_drive_is_set_to_anything_and_a_reset_releases_it(
    runner: Runner, toy: Toy
) -> None:
    toy.values |= {"trolley.velocity[0]": 0.0, "wind.speed": 0.0, "sling.hook": 0.0}
    runner.set_control("hoist.speed", 0.5)
    runner.stop_drives(True)
    until(lambda: runner.stopped)
    assert toy.values["hoist.speed"] == 0.0
    for name in toy.values:
        runner.set_control(name, 1.0)
    until(lambda: toy.values["sling.hook"] == 1.0)
    assert toy.values["wind.speed"] == 1.0, "the wind is no drive"
    assert toy.values["hoist.speed"] == toy.values["trolley.velocity[0]"] == 0.0
    runner.stop_drives(False)
    runner.set_control("trolley.velocity[0]", 0.5)
    until(lambda: toy.values["trolley.velocity[0]"] == 0.5)
    runner.stop_drives(True)
    until(lambda: runner.stopped)
    runner.reset()
    until(lambda: not runner.stopped)
