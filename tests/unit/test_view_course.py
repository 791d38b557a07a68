"""The exercise: gates in their order, rest in the last one, touches that are counted once, and what it all costs."""

import csv
import re
import time
from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import pytest

from taut import Box, Scene, SceneError, Sphere
from taut.compile import frames
from taut.scene import Shape
from taut.scene.view import Course, Gate
from taut.scenes import open_scene
from taut.view import hoops, readout
from taut.view import server as web
from taut.view.attempt import APART, GENTLE, RESTED, SWAY, SWING, TOUCH, Attempt
from taut.view.course import Exercise
from taut.view.frame import Frame
from taut.view.live import LivePlayer
from taut.view.runner import Runner
from taut.view.tools import SAID, Tools
from taut.view.tries import Tries, Try

SCENE = """taut: 1
bodies:
  ground: {kind: static, shape: {type: plane}}
  load: {mass: 1 t, shape: {type: sphere, radius: 0.5}, position: [0, 0, 2]}
view:
  course: {load: load, gates: [{position: [0, 0, 1.5], radius: 20 cm}, {position: [0, 0, 0.5]}], rest: 5 cm/s}
"""
GATES = Scene.from_yaml(SCENE).view.course
HOOPS = hoops.of_scene(Scene.from_yaml(SCENE))


def attempt() -> Attempt:
    """One that has begun, high above the first gate."""
    assert GATES is not None
    made = Attempt(GATES, HOOPS)
    made.note(10.0, np.array([0.0, 0.0, 3.0]), 0.0, 0.0, False)
    return made


def test_gates_count_in_their_order_and_the_last_one_when_the_load_rests() -> None:
    made = attempt()
    made.note(10.5, np.array([3.0, 0.0, 0.5]), 0.0, 0.0, False)
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


def test_a_load_that_is_set_down_in_the_last_gate_has_hit_nothing() -> None:
    made = attempt()
    made.note(11.0, np.array([0.0, 0.0, 1.5]), 1.0, 0.0, False)
    made.note(12.0, np.array([3.0, 0.0, 0.5]), 0.5, 0.0, True)
    assert made.last and made.touches == 1, "beside the gate it counts"
    made.note(13.0, np.array([0.0, 0.0, 0.6]), 0.5, 0.0, False)
    assert made.inside
    made.note(14.0, np.array([0.0, 0.0, 0.5]), 0.0, 0.0, True)
    made.note(14.0 + RESTED, np.array([0.0, 0.0, 0.5]), 0.0, 0.0, True)
    assert made.done and made.touches == 1
    made = attempt()
    made.note(11.0, np.array([0.0, 0.0, 1.5]), 1.0, 0.0, False)
    made.note(12.0, np.array([0.0, 0.0, 0.6]), 1.1 * GENTLE, 0.0, False)
    made.note(12.1, np.array([0.0, 0.0, 0.5]), 0.0, 0.0, True)
    assert made.inside and made.touches == 1, "what is dropped there hits it"


def test_a_load_that_stands_at_the_start_has_touched_nothing() -> None:
    assert GATES is not None
    made = Attempt(GATES, HOOPS)
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
    made = Attempt(scene.view.course, hoops.of_scene(scene))  # type: ignore[arg-type]
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


def test_a_replay_says_that_it_is_one_how_far_it_is_and_has_the_gates_of_its_moment() -> None:
    scene = Scene.from_yaml(SCENE.replace("[0, 0, 2]", "[0, 0, 3]"))
    server = web.start("127.0.0.1", 0)
    runner = Runner(lambda: LivePlayer(scene), play=False)
    runner.start()
    try:
        assert runner.ready.wait(300.0) and runner.failure is None
        exercise = Exercise(server, scene, runner)
        tools = Tools.__new__(Tools)
        tools._runner, tools._exercise, tools._take_away, tools._may_part = runner, exercise, None, set()  # type: ignore[assignment]
        tools._refused, tools._guarded = -SAID, frozenset()
        exercise.start()
        until(lambda: exercise._attempt is not None and exercise._attempt.done, "it falls through both gates")
        assert exercise.note.startswith("exercise done"), exercise.note
        assert "fewer are better" in exercise.note
        until(lambda: exercise._tries.last is not None, "it is kept")
        driven = exercise._tries.last
        assert driven is not None
        long = driven.frames[-1].time - driven.frames[0].time
        runner.set_speed(0.1)  # slow enough to look at
        assert [press for press, *_ in tools.exercise_more] == ["exercise_watch"] and tools.press("exercise_watch")
        until(lambda: runner.replays, "it is shown again")
        exercise.show()
        exercise.write()
        assert exercise._shown == 0 and exercise._moment.visible, "no gate is behind it again"
        assert exercise.note == f"Replay 0:00 / 0:0{int(long)} · P: back to the crane"
        assert runner.frame is not None and ">replay<" in readout.clock(runner.frame, runner.status)
        tools.drive("travel.speed", 1.0)
        assert tools.note.startswith("the replay ends first (P) · Replay 0:00"), tools.note
        runner.replay_from(long - 0.3)
        until(lambda: runner.replayed is not None and runner.replayed[0] >= long - 0.3, "it goes on from there")
        exercise.show()
        assert exercise._shown == 1, "the first gate is behind it, it does not rest yet"
        runner.toggle()
        until(lambda: runner.status.phase == "running" and not runner.replays, "P is back at the crane")
        exercise.show()
        exercise.write()
        assert exercise._shown == 2 and not exercise._moment.visible and "Replay" not in tools.note
        # neither a reset nor another attempt, broken off where it stands, takes the result away
        runner.reset()
        until(lambda: exercise._away, "it is set back")
        exercise.write()
        assert exercise._again.visible and exercise.button == "Exercise" and tools.exercise_more == []
        runner.set_speed(0.1)
        exercise.start()
        until(lambda: exercise._attempt is not None and exercise._attempt.time > 0.05, "another one has begun")
        exercise.write()
        assert f"{driven.points:.1f}" in exercise._list.content and exercise._again.visible
        assert [words for _, words, _ in tools.exercise_more] == ["Stop exercise"] and exercise._end.visible
        assert runner.frame is not None
        stood = runner.frame.time
        tools.press("exercise_stop")
        exercise.show()
        until(lambda: runner.frame is not None and runner.frame.time > stood + 0.02, "it goes on from there")
        assert exercise._shown is None and not exercise.note and exercise.button == "Exercise"
        whole, broken = exercise._tries.all
        assert whole.done and not broken.done and exercise._tries.best is whole, "what was broken off has no points"
        told = readout.tries(exercise._tries.listed, exercise._tries.best)
        assert f"{broken.missing} gate" in told and "ahead" in told and broken.frames
    finally:
        runner.close()
        runner.join(10.0)
        web.stop(server)


def test_a_long_exercise_is_kept_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("taut.view.course.MOST_KEPT", 50)
    exercise = exercise_of(Gate(position=(0.0, 0.0, 1.0)), Gate(position=(9.0, 0.0, 1.0)))
    exercise._load, exercise._frames, exercise._colours, exercise._every = 0, [], [], 0.05
    known = {"course.speed": 1.0, "course.sway": 0.0, "course.touch": 0.0}
    way, level = np.linspace(-1.0, 2.0, 1000), np.array([[1.0, 0.0, 0.0, 0.0]])
    for k, x in enumerate(way):
        exercise._hear(Frame(0.05 * (k + 1), k + 1, np.array([[x, 0.0, 1.0]]), level, readings=known))
    times = [frame.time for frame in exercise._frames]
    assert 25 <= len(times) <= 50 and times[0] == 0.05 and times[-1] > 48.0
    passed = next(frame.time for frame, behind in zip(exercise._frames, exercise._colours) if behind)
    driven = Try(1, 0.0, 0.0, 0, 0.0, exercise._frames, exercise._colours)
    assert driven.passed_at(passed - times[0]) == 1 and driven.passed_at(passed - times[0] - 5.0) == 0


def exercise_of(*gates: Gate, shape: Shape | None = None, start: tuple[float, ...] = (-5.0, 0.0, 1.0)) -> Exercise:
    """An exercise that has begun, without a page."""
    exercise = Exercise.__new__(Exercise)
    exercise._course = Course(load="load", gates=gates, rest=0.1)
    exercise._hoops = hoops.of_course(exercise._course, shape, np.array(start))
    exercise._line = hoops.line_of(exercise._hoops, np.array(start))
    exercise._driver, exercise.conditions = SimpleNamespace(value=""), str  # type: ignore[assignment]
    exercise._met = []
    exercise._tries, exercise._away, exercise._ahead = Tries(), False, 0.5 * np.pi
    exercise._runner = SimpleNamespace(replayed=None)  # type: ignore[assignment]
    exercise._attempt = Attempt(exercise._course, exercise._hoops)
    return exercise


def test_what_to_do_next_is_said_until_it_rests() -> None:
    exercise = exercise_of(Gate(position=(0.0, 0.0, 1.0)), Gate(position=(2.0, 0.0, 1.0)))
    attempt = exercise._attempt
    assert attempt is not None
    attempt.note(0.0, np.array([-5.0, 0.0, 1.0]), 0.5, 0.0, False)
    assert "yellow gate" in exercise._words() and "rest" not in exercise._words()
    attempt.note(1.0, np.array([0.0, 0.0, 1.0]), 0.5, 0.0, False)
    attempt.note(2.0, np.array([2.0, 0.0, 1.0]), 0.32, 0.0, False)
    assert "below 10 cm/s for a second, now 32 cm/s" in exercise._words()
    told = "exercise: 2 s, inside gate 2 of 2, it only has to come to rest: below 0.1 m/s for a second"
    assert exercise.note == told and "away" not in exercise.note
    for moment in (3.0, 3.0 + RESTED):
        attempt.note(moment, np.array([2.0, 0.0, 1.0]), 0.05, 0.0, False)
    assert attempt.done and "At rest" in exercise._words()


def corners(size: tuple[float, float, float], turn: np.ndarray) -> np.ndarray:
    """Of a box [m], shape (8, 3)."""
    signs = np.stack(np.meshgrid(*[[-0.5, 0.5]] * 3), axis=-1).reshape(-1, 3)
    return frames.rotate(turn, signs * size)


@pytest.mark.parametrize("yaw", [0.0, 20.0, 45.0, 90.0])
@pytest.mark.parametrize("seed", range(3))
def test_a_load_counts_exactly_when_it_is_seen_wholly_inside_the_hoop_that_is_drawn(yaw: float, seed: int) -> None:
    size = (2.6, 1.5, 1.1)
    course = Course(
        load="load", gates=(Gate(position=(4.0, 3.0, 2.0), radius=0.7), Gate(position=(9.0, 3.0, 2.0), radius=0.4))
    )
    first, cage = hoops.of_course(course, Box(size=size), np.zeros(3))
    assert first.way[2] == 0.0, "it stands upright, though the way rises"
    turn = np.array([np.cos(np.radians(yaw) / 2), 0.0, 0.0, np.sin(np.radians(yaw) / 2)])
    inner = first.solid().vertices
    side, counted = np.cross(first.way, [0.0, 0.0, 1.0]), []
    # the inner edge of what is drawn, seen along the way
    flat = np.column_stack([inner @ side, inner[:, 2]])
    ring = flat.reshape(hoops.SIDES, hoops.ROUND, 2)
    nearest = ring[np.arange(hoops.SIDES), np.linalg.norm(ring, axis=2).argmin(axis=1)]
    edges = np.roll(nearest, -1, axis=0) - nearest
    out = np.column_stack([edges[:, 1], -edges[:, 0]]) / np.linalg.norm(edges, axis=1)[:, None]
    out *= np.sign((out * nearest).sum(axis=1))[:, None]
    rng = np.random.default_rng(seed)
    for _ in range(400):
        off = rng.uniform(-1.5, 1.5) * side + np.array([0.0, 0.0, rng.uniform(-1.2, 1.2)])
        at = off + corners(size, turn)
        seen = np.column_stack([at @ side, at[:, 2]])
        gap = -((seen[:, None] - nearest[None]) * out[None]).sum(axis=2).max()
        if abs(gap) > 0.02:  # as far as the eye can tell
            miss = first.off(first.middle + off, turn).miss
            assert (not miss.any()) == (gap > 0.0), (off, gap)
            # what is told leads inside
            assert not first.off(first.middle + off - 1.02 * miss, turn).miss.any()
            counted.append(gap > 0.0)
    assert 20 < sum(counted) < len(counted) - 20
    # whatever way it is turned, it has the room that the file says
    for _ in range(100):
        way = rng.normal(size=3)
        off = 0.999 * way / np.linalg.norm(way)
        assert not first.off(first.middle + 0.7 * off, turn).miss.any()
        assert not cage.off(cage.middle + 0.4 * off, turn).miss.any()


def test_a_cage_is_drawn_as_long_as_it_counts() -> None:
    course = Course(load="load", gates=(Gate(position=(4.0, 0.0, 2.0), radius=0.5),))
    (cage,) = hoops.of_course(course, Sphere(radius=0.3), np.array([0.0, 0.0, 2.0]))
    assert cage.deep == pytest.approx(0.8)
    x = cage.solid().vertices[:, 0]
    assert x.max() == pytest.approx(-x.min()) and 0.8 < x.max() < 0.85
    level = np.array([1.0, 0.0, 0.0, 0.0])
    assert not cage.off(np.array([4.49, 0.0, 2.0]), level).miss.any()
    assert cage.off(np.array([4.6, 0.0, 2.0]), level).miss == pytest.approx([0.1, 0.0, 0.0])


@pytest.mark.parametrize(
    ("miss", "heading", "words"),
    [
        ((0.0, 0.0, 0.0), 90.0, ""),
        ((0.0, 0.0, -0.9), 0.0, "0.9 m too low"),
        ((-1.3, 0.0, 0.4), 90.0, "1.3 m too far left, 0.4 m too high"),
        ((0.0, 0.001, 0.0), 90.0, "0.1 m too far from you"),
        ((12.0, 0.0, 0.0), 90.0, "12 m too far right"),
        ((2.5, 1.3, 0.0), -90.0, "2.5 m too far left, 1.3 m too close to you"),
        ((2.5, 1.3, 0.0), 0.0, "1.3 m too far left, 2.5 m too far from you"),
        ((2.5, 1.3, 0.0), 180.0, "1.3 m too far right, 2.5 m too close to you"),
    ],
)
def test_a_miss_is_told_as_it_is_seen_from_where_one_looks(
    miss: tuple[float, float, float], heading: float, words: str
) -> None:
    assert hoops.beside(np.array(miss), np.radians(heading)) == words


@pytest.mark.parametrize(("heading", "words"), [(60.0, "right"), (120.0, "right"), (-80.0, "left"), (20.0, "from you")])
def test_a_machine_that_goes_along_one_line_is_told_nothing_of_what_lies_across(heading: float, words: str) -> None:
    lines = []
    for scene in map(open_scene, ("gantry", "tower_crane")):
        assert scene.view.course is not None
        lines.append(
            hoops.line_of(hoops.of_scene(scene), np.array(scene.bodies[scene.view.course.load].start_position))
        )
    line, slewing = lines
    assert slewing is None and line is not None and abs(np.sin(line)) < 1e-9
    told = hoops.beside(np.array([3.0, 0.8, -0.5]), np.radians(heading), line)
    assert told == f"3.0 m too far {words}, 0.5 m too low"


def test_beside_a_gate_that_lies_flat_the_way_up_is_told_until_the_load_is_through() -> None:
    """As it is left to the side: neither jumps, and what is true from afar stays true near it."""
    exercise = exercise_of(
        Gate(position=(0.0, 0.0, 3.0), radius=0.7),
        Gate(position=(9.0, 0.0, 3.0)),
        shape=Box(size=(2.0, 1.0, 1.0)),
        start=(0.0, 0.0, 1.0),
    )
    attempt = exercise._attempt
    assert attempt is not None and abs(attempt.hoops[0].way[2]) == 1.0
    told = []
    for k, x in enumerate(np.linspace(0.0, -6.0, 61)):
        attempt.note(0.1 * k, np.array([x, 0.0, 1.4]), 0.5, 0.0, False)
        told.append(exercise.note)
    assert all("1.6 m too low" in note for note in told) and not any("you" in note for note in told)
    left = [float(found[1]) for note in told if (found := re.search(r"([\d.]+) m too far left", note))]
    assert left[-1] > 5.0 and np.diff(left).min() >= 0.0 and np.diff(left).max() < 0.25, "nothing leaps on the way"


def test_a_load_that_misses_a_gate_is_told_by_how_much_and_where() -> None:
    exercise = exercise_of(
        Gate(position=(0.0, 0.0, 3.0)), Gate(position=(9.0, 0.0, 3.0)), shape=Sphere(radius=0.5), start=(-5.0, 0.0, 3.0)
    )
    attempt = exercise._attempt
    assert attempt is not None
    exercise._line = None  # it goes across, too
    attempt.note(0.0, np.array([-5.0, 0.7, 1.6]), 0.5, 0.0, False)
    assert (
        exercise.note
        == "exercise: 0 s, gate 1 of 2, 5.2 m away: 5.0 m too far left, 0.5 m too far from you, 0.9 m too low"
    )
    attempt.note(1.0, np.array([0.0, 0.0, 1.6]), 0.5, 0.0, False)
    assert exercise.note == "exercise: 1 s, gate 1 of 2, 1.4 m away: 0.9 m too low"
    assert "It is 0.9 m too low." in exercise._words()
    attempt.note(2.0, np.array([0.0, -0.8, 3.0]), 0.5, 0.0, False)
    assert exercise.note.endswith("0.8 m away: 0.3 m too close to you")
    assert exercise.note_for(0.0).endswith("0.8 m away: 0.3 m too far right")
    assert "too far" not in exercise._words() and "close" not in exercise._words(), "all see the panel"
    attempt.note(3.0, np.array([0.3, 0.0, 3.0]), 0.5, 0.0, False)
    assert attempt.passed == 1
    attempt.note(4.0, np.array([-6.0, 0.0, 3.0]), 0.5, 0.0, False)
    assert exercise.note.startswith("exercise: 4 s, gate 2 of 2, 15 m away: 14 m too far left, rest there")


def test_a_small_load_is_through_also_between_two_moments() -> None:
    exercise = exercise_of(Gate(position=(0.0, 0.0, 1.0)), Gate(position=(9.0, 0.0, 1.0)), shape=Sphere(radius=0.01))
    attempt = exercise._attempt
    assert attempt is not None
    attempt.note(0.0, np.array([-0.5, 0.0, 1.0]), 9.0, 0.0, False)
    assert attempt.passed == 0
    attempt.note(0.1, np.array([0.4, 0.0, 1.0]), 9.0, 0.0, False)
    assert attempt.passed == 1


def test_a_load_that_stands_beside_the_last_gate_is_not_said_to_swing() -> None:
    exercise = exercise_of(Gate(position=(0.0, 0.0, 1.0)), shape=Sphere(radius=0.5))
    attempt = exercise._attempt
    assert attempt is not None
    for k in range(20):
        attempt.note(0.1 * k, np.array([-0.3, 0.0, 1.0]), 0.8, 1.3, False)
    assert "it swings by 1.3 m: drive after it" in exercise.note and "Shift" in exercise._words()
    for k in range(20, 40):
        attempt.note(0.1 * k, np.array([-1.8, 0.0, 1.0]), 0.0, 1.3, True)
    told = "it stands beside the last gate, 1.3 m too far left: lift it and bring it in"
    assert told in exercise.note and "swings" not in exercise.note
    assert (
        "t stands beside the last gate: lift it and bring it in" in exercise._words()
        and "Shift" not in exercise._words()
    )
    attempt.note(4.0, np.array([-1.8, 0.0, 1.0]), 0.0, 1.3, False)
    assert "far left: bring it in" in exercise.note, "it hangs: nothing is to be lifted"


def test_attempts_are_listed_with_the_best_and_shown_again_are_the_last_and_the_best() -> None:
    tries, frame = Tries(), Frame(0.0, 1, np.zeros((1, 3)), np.zeros((1, 4)))
    for seconds in (30.0, 20.0, 40.0, 25.0):
        made = attempt()
        made.now, made.passed = 10.0 + seconds, len(made.course.gates)
        tries.add(made, [frame], [0])
    assert tries.best is not None and tries.last is not None
    assert (tries.best.number, tries.last.number) == (2, 4)
    assert [bool(one.frames) for one in tries.all] == [False, True, False, True], "the others would fill the memory"
    told = readout.tries(tries.listed, tries.best)
    assert told.count("★") == 1 and "20.0" in told and told.index("★") < told.index("try-3")
    made = attempt()
    tries.add(made, [frame], [0], " Ada ", "load mass 12 t, left brake does not hold")
    assert "Ada" in readout.tries(tries.listed, tries.best)
    rows = list(csv.DictReader(tries.table().splitlines()))
    assert [row["points"] for row in rows] == ["30.0", "20.0", "40.0", "25.0", ""], "what was broken off has none"
    assert (rows[4]["driver"], rows[4]["conditions"]) == ("Ada", "load mass 12 t, left brake does not hold")
    assert rows[4]["gates_ahead"] == str(len(made.course.gates)) and rows[1]["time_s"] == "20.00"
    tries.forget_moments()
    assert not any(one.frames for one in tries.all) and len(tries.all) == 5
