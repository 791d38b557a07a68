"""The exercise: gates in their order, rest in the last one, touches that are counted once, and what it all costs."""

import time
from collections.abc import Callable

import numpy as np
import pytest

from taut import Scene, SceneError
from taut.scene.view import Course, Gate
from taut.view.course import APART, RESTED, SWAY, SWING, TOUCH, Attempt, Exercise
from taut.view.live import LivePlayer
from taut.view.runner import Runner

SCENE = """taut: 1
bodies:
  ground: {kind: static, shape: {type: plane}}
  load: {mass: 1 t, shape: {type: sphere, radius: 0.5}, position: [0, 0, 2]}
view:
  course: {load: load, gates: [{position: [0, 0, 1.5], radius: 20 cm}, {position: [0, 0, 0.5]}], rest: 5 cm/s}
"""
GATES = Scene.from_yaml(SCENE).view.course


def attempt() -> Attempt:
    """One that has begun, high above the first gate."""
    assert GATES is not None
    made = Attempt(GATES)
    made.note(10.0, np.array([0.0, 0.0, 2.0]), 0.0, 0.0, False)
    return made


def test_gates_count_in_their_order_and_the_last_one_when_the_load_rests() -> None:
    made = attempt()
    made.note(11.0, np.array([0.0, 0.0, 0.5]), 0.0, 0.0, False)
    assert made.passed == 0, "the second gate before the first"
    made.note(12.0, np.array([0.0, 0.15, 1.5]), 1.0, 0.3, False)
    assert made.passed == 1, "a gate is passed at any speed"
    made.note(13.0, np.array([0.0, 0.0, 0.5]), 0.06, 0.1, False)
    assert not made.done, "the last one only at rest"
    for moment, speed in ((13.5, 0.04), (13.5 + 0.9 * RESTED, 0.04), (14.0 + RESTED, 0.2), (14.5 + RESTED, 0.04)):
        made.note(moment, np.array([0.0, 0.0, 0.5]), speed, 0.2, False)
        assert not made.done, "where a swing turns it is slow, too, but not for long"
    made.note(14.5 + 2.0 * RESTED, np.array([0.0, 0.0, 0.5]), 0.04, 0.2, False)
    assert made.done and made.points == pytest.approx(4.5 + 2.0 * RESTED + SWAY * 0.3)
    made.note(20.0, np.array([0.0, 0.0, 0.5]), 0.0, 5.0, True)
    assert made.points == pytest.approx(4.5 + 2.0 * RESTED + SWAY * 0.3), "what comes later does not count"


def test_the_swing_is_the_largest_sway_of_late() -> None:
    made = attempt()
    for moment, sway in ((11.0, 2.0), (14.0, 0.5), (11.0 + SWING, 0.1)):
        made.note(moment, np.array([0.0, 0.0, 9.0]), 1.0, sway, False)
        assert made.swing == 2.0
    made.note(11.5 + SWING, np.array([0.0, 0.0, 9.0]), 1.0, 0.2, False)
    assert made.swing == 0.5 and made.swayed == 2.0


def test_touches_that_belong_together_are_one() -> None:
    made = attempt()
    far = np.array([0.0, 0.0, 9.0])
    for moment, touching in (
        (11.0, True),
        (11.1, False),
        (11.0 + 0.9 * APART, True),
        (13.0, True),
        (14.0, False),
        (15.0, True),
    ):
        made.note(moment, far, 1.0, 0.0, touching)
    assert made.touches == 2 and made.points == pytest.approx(5.0 + 2.0 * TOUCH)


def test_a_load_that_stands_at_the_start_has_touched_nothing() -> None:
    assert GATES is not None
    made = Attempt(GATES)
    for k in range(30):
        made.note(k / 10.0, np.array([0.0, 0.0, 9.0]), 0.0, 0.0, True)
    assert made.touches == 0
    made.note(3.5, np.array([0.0, 0.0, 9.0]), 0.0, 0.0, False)
    made.note(4.0, np.array([0.0, 0.0, 9.0]), 0.0, 0.0, True)
    assert made.touches == 1, "but it has when it comes down again"


def test_going_back_in_time_does_not_count() -> None:
    made = attempt()
    made.note(9.0, np.array([0.0, 0.0, 1.5]), 0.0, 0.0, False)
    assert made.void and made.over


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("load: loat", "did you mean 'load'"),
        ("load: ground", "expected a body that is moved by forces"),
        ("gates: []", "expected from 1 to 50 gates"),
    ],
)
def test_mistakes_are_told(change: str, words: str) -> None:
    field = change.partition(":")[0]
    line = {"load": "load: load", "gates": SCENE[SCENE.index("gates:") : SCENE.index(", rest")]}
    with pytest.raises(SceneError, match=words):
        Scene.from_yaml(SCENE.replace(line[field], change))


def until(condition: Callable[[], object], what: str) -> None:
    """Wait for something that must come."""
    end = time.monotonic() + 60.0
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.01)


def test_a_load_that_falls_to_the_ground_is_scored_and_shown_again() -> None:
    scene = Scene.from_yaml(SCENE)
    runner = Runner(lambda: LivePlayer(scene), play=False)
    runner.start()
    assert runner.ready.wait(300.0) and runner.failure is None
    made = Attempt(scene.view.course)  # type: ignore[arg-type]
    frames, begun = [], []

    def hear(frame) -> None:  # type: ignore[no-untyped-def]
        if begun and not made.over:
            known = frame.readings
            made.note(
                frame.time, frame.positions[1].astype(float), known["course.speed"], known["course.sway"], known["course.touch"] > 0.0
            )  # fmt: skip
            frames.append(frame)

    try:
        runner.heard.append(hear)
        runner.begin_anew(lambda: begun.append(True))
        until(lambda: made.done, "it falls through both gates and comes to rest")
        # 1.5 m to the ground: 0.55 s; nothing but the ground is touched
        assert made.touches == 1 and 0.5 < made.time < 3.0 + RESTED and made.swayed < 1e-6
        shown = lambda: any(frame is runner.frame for frame in frames[:-1])  # noqa: E731
        runner.show_again(frames)
        until(shown, "it is shown again")
        until(lambda: runner.status.phase == "paused" and not shown(), "and then the present")
        assert runner.frame is not None and runner.frame.time >= frames[-1].time
    finally:
        runner.close()
        runner.join(10.0)


def test_what_to_do_next_is_said_until_it_rests() -> None:
    gates = (Gate(position=(0.0, 0.0, 1.0)), Gate(position=(2.0, 0.0, 1.0)))
    exercise = Exercise.__new__(Exercise)
    exercise._course = Course(load="load", gates=gates, rest=0.1)
    exercise._best = None
    exercise._attempt = attempt = Attempt(exercise._course)
    attempt.note(0.0, np.array([5.0, 0.0, 1.0]), 0.5, 0.0, False)
    assert "yellow gate" in exercise._words() and "rest" not in exercise._words()
    attempt.note(1.0, np.array([0.0, 0.0, 1.0]), 0.5, 0.0, False)
    attempt.note(2.0, np.array([2.0, 0.0, 1.0]), 0.32, 0.0, False)
    assert "below 10 cm/s for a second, now 32 cm/s" in exercise._words()
    exercise._best = 3.0
    for moment in (3.0, 3.0 + RESTED):
        attempt.note(moment, np.array([2.0, 0.0, 1.0]), 0.05, 0.0, False)
    assert attempt.done and "At rest" in exercise._words()
