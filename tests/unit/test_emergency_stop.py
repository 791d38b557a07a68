"""The emergency stop of the gantry while it lowers at full speed: nothing holds the drums until the brakes have closed.
And the button of the page, which means the same in every scene."""

import json
import time
from collections.abc import Callable

import numpy as np
import pytest
from websockets.sync.client import connect

import taut
from taut.scenes import open_scene
from taut.view import Page

GRAVITY = 9.81
#: mass at each rope: beam and load on two ropes of two falls each, 4 rope metres a metre squared; drum and motor at their radius [kg]
CARRIED, TURNED = (600.0 + 10296.0) / 2.0 / 4.0, 100.0 / 0.3**2


def stopped(rate: int) -> tuple[float, float, float]:
    """Steps a second; rope that runs out after the stop [m], how far the load goes down at most [m], and the largest tension [N]."""
    sim = taut.Simulation(open_scene("gantry", [f"dt=1/{rate} s"]))

    def drive(speed: float, seconds: float) -> None:
        for winch in ("left", "right"):
            sim.controls[f"{winch}.speed"] = speed
        sim.run(round(seconds * rate))

    drive(0.8, 9.0)
    drive(0.0, 5.0)
    drive(-0.8, 2.5)
    height, out = sim.read("load.position[2]"), sim.read("left.rope_out")
    for winch in ("left", "right"):
        sim.controls[f"{winch}.emergency"] = 1.0
    lowest, largest = height, 0.0
    for _ in range(rate):
        sim.step()
        lowest, largest = min(lowest, sim.read("load.position[2]")), max(largest, sim.read("left.tension"))
    return float(sim.read("left.rope_out") - out), float(height - lowest), float(largest)


def test_the_load_drops_as_far_as_brakes_that_take_their_time_let_it() -> None:
    """For 50 ms load and drum gain speed together, then the brake takes it away: as rigid bodies 88 mm of rope. The rope, which
    lets go of its stretch first, makes that less."""
    weight, both = CARRIED * GRAVITY, CARRIED + TURNED
    # one metre of rope lowers the load by half a metre: its weight at the rope is half, its mass a quarter
    pull = 2.0 * weight
    faster = 0.8 + 0.05 * pull / both
    rigid = 0.05 * (0.8 + faster) / 2.0 + faster**2 / (2.0 * (90e3 - pull) / both)
    assert rigid == pytest.approx(0.088, abs=0.002)
    found = np.array([stopped(rate) for rate in (60, 240)])
    assert 0.75 * rigid < found[1, 0] < rigid
    # the load swings on its rope before it stands
    assert 0.05 < found[1, 1] < 0.06 and found[1, 2] < 90e3
    # and it is a property of the machine, not of the step
    assert found[0] == pytest.approx(found[1], rel=0.1)


def until(condition: Callable[[], object], what: str) -> None:
    end = time.monotonic() + 60.0
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.01)


def test_the_button_of_the_page_stays_in_also_where_no_winch_has_an_emergency_stop() -> None:
    page = Page("yard", port=0)
    page.start()
    try:
        until(lambda: page.runner is not None and page.runner.status.phase == "running", "it runs")
        runner, panel = page.runner, page._show.panel  # type: ignore[union-attr]
        assert runner is not None and panel is not None
        trolley = "trolley.velocity[0]"
        value = lambda: next(c.value for c in runner.controls() if c.name == trolley)  # noqa: E731
        with connect(f"ws://127.0.0.1:{page.port}/taut/operator") as operator:
            levers: list[dict[str, object]] = []
            while not levers:
                levers = json.loads(operator.recv())["levers"]
            held = [1.0 if lever["slot"] == "left_x" else 0.0 for lever in levers]
            rest = [0.0] * len(levers)

            def press() -> None:
                operator.send(json.dumps({"press": "emergency"}))

            def hold() -> None:
                for _ in range(10):
                    operator.send(json.dumps({"levers": held}))
                    time.sleep(0.04)

            operator.send(json.dumps({"levers": held}))
            until(lambda: value() != 0.0, "it travels")
            press()
            until(lambda: runner.stopped and value() == 0.0, "it is stopped")
            until(lambda: page.seat._state["emergency"], "and the button is said to be in")
            operator.send(json.dumps({"levers": rest}))
            hold()
            assert value() == 0.0 and runner.stopped, "nothing is driven by levers"
            runner.set_control(trolley, 1.0)
            runner.pause()
            until(lambda: runner.status.phase == "paused", "it stands")
            runner.look_back(1.0)
            until(lambda: runner.looks_back, "the past is shown")
            runner.play()
            until(lambda: runner.status.phase == "running", "it goes on from there")
            time.sleep(0.3)
            assert value() == 0.0 and panel.state["emergency"], "nor by sliders, nor by going back to when it travelled"
            press()
            until(lambda: not runner.stopped and not page.seat._state["emergency"], "it is released")
            assert value() == 0.0
            operator.send(json.dumps({"levers": rest}))
            operator.send(json.dumps({"levers": held}))
            until(lambda: value() != 0.0, "and can be driven again")
    finally:
        page.stop()
