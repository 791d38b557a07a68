"""The page without a browser: where it listens, what it says, what it shows of a scene."""

import socket
import sys
import time
import urllib.request
import weakref
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml

from taut import Body, Scene, Sphere
from taut.scene import SceneError
from taut.scenes import open_scene
from taut.view import Page, ViewError, cutouts, keys, readout, stage
from taut.view import server as web
from taut.view.axes import NOTHING, Scale, framed, number, scaled, together, value_at
from taut.view.cameras import PRESETS, Cameras
from taut.view.frame import Frame, Machine, Sides
from taut.view.panel import Panel
from taut.view.plots import first_choice
from taut.view.runner import Status
from taut.view.server import Server
from taut.view.stage import camera, cell_size

SCENE = Scene(
    name="<b>bold</b>", description="One & only.\nMore.", bodies={"ball": Body(mass=1.0, shape=Sphere(radius=1))}
)
FRAME = Frame(12.345, 740, np.zeros((0, 3)), np.zeros((0, 4)), readings={"step.redone": 2.0, "residual.relative": 3e-7})


def test_it_listens_on_this_machine_only_and_answers_before_any_solver() -> None:
    page = Page(SCENE, port=0)
    try:
        assert page.url.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(page.url, timeout=60) as answer:
            assert b"<html" in answer.read(2000).lower()
    finally:
        page.stop()


def test_a_port_in_use_leads_to_the_next() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        page = Page(SCENE, port=port)
        try:
            assert page.port > port
        finally:
            page.stop()


def test_other_threads_do_not_keep_the_run_waiting_while_a_page_is_up() -> None:
    before = sys.getswitchinterval()
    page = Page(SCENE, port=0)
    page.start()
    assert sys.getswitchinterval() < 0.2 * before
    page.stop()
    assert sys.getswitchinterval() == before


def test_a_scene_that_made_room_leaves_nothing_behind() -> None:
    page = Page(SCENE, port=0)
    page.start()
    left: list[weakref.ref[object]] = []
    for _ in range(3):
        _until(lambda: page.runner is not None and page.runner.status.phase == "running")
        assert page.runner is not None
        left.append(weakref.ref(page.runner))
        page.open(SCENE)
        _until(lambda: page.runner is not None and page.runner is not left[-1]())
    _until(lambda: page.runner is not None and page.runner.status.phase == "running")
    page.stop()
    assert left[0]() is None and left[1]() is None


def _until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 60.0
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.parametrize(("host", "port", "words"), [("256.1.1.1", 0, "256.1.1.1"), ("127.0.0.1", 99999, "65535")])
def test_an_impossible_address_is_told_at_once(host: str, port: int, words: str) -> None:
    with pytest.raises(ViewError, match=words):
        Page(SCENE, host=host, port=port)


def test_a_bad_scene_is_told_before_anything_opens() -> None:
    with pytest.raises(SceneError, match="no such file"):
        Page("no_such_scene", port=0)
    with pytest.raises(SceneError):
        Page(SCENE, port=0, changes=["ball.mass=-1"])


def test_a_file_with_mistakes_is_told_and_shown_once_they_are_mended(tmp_path: Path) -> None:
    file = tmp_path / "crane.yaml"
    file.write_text("taut: 1\nbodies:\n  ball: {shape: {type: ball, radius: 1}, mass: 1}\n", encoding="utf-8")
    page = Page(str(file), port=0)
    page.start()
    try:
        assert page.broken is not None and "ball" in page.broken.message and page.source == str(file)
        file.write_text(
            "taut: 1\nbodies:\n  ball: {shape: {type: sphere, radius: 1}, mass: 1, colour: red}\n", encoding="utf-8"
        )
        _until(lambda: page.broken is not None and "colour" in page.broken.message)
        file.write_text(SCENE.to_yaml(), encoding="utf-8")
        _until(lambda: page.runner is not None and page.runner.status.phase == "running")
        assert page.broken is None and page.scene.name == SCENE.name
    finally:
        page.stop()


def test_what_is_given_beside_a_file_is_no_mistake_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "ball.yaml"
    file.write_text(SCENE.to_yaml(), encoding="utf-8")
    with pytest.raises(SceneError, match="mass"):
        Page(str(file), port=0, changes=["ball.mass=-1"])


def test_changes_reach_the_scene() -> None:
    page = Page(SCENE, port=0, changes=["ball.mass=2 t"])
    page.stop()
    assert page.scene.bodies["ball"].mass == 2000.0


def test_nothing_from_a_scene_becomes_markup() -> None:
    text = readout.title(SCENE, "")
    assert "<b>" not in text and "&lt;b&gt;" in text and "One &amp; only." in text
    assert "<script" not in readout.trouble("<script>", "")


def test_several_mistakes_begin_in_a_line_of_their_own() -> None:
    assert "</b>\none: 1" in readout.trouble("one: 1\ntwo: 2", "", "Not taken over.")
    assert "</b> one" in readout.trouble("one", "", "Not taken over.")


def test_winches_that_are_cut_out_say_why_and_what_is_left() -> None:
    both = {"left": Machine(("upper_limit",)), "right": Machine(("upper_limit", "slipping"))}
    frame = replace(FRAME, machines=both)
    assert cutouts.words(frame) == "left, right: upper limit, may only lower"
    frame = replace(FRAME, machines={"main_hoist": Machine(("overload",)), "luff": Machine(("lower_limit", "slack"))})
    assert cutouts.words(frame) == "main hoist: overload, may only lower · luff: lower limit, may only raise"
    # a fault is the instructor's secret, and the emergency stop is told already
    assert cutouts.words(replace(FRAME, machines={"hoist": Machine(("brake_fault", "emergency"))})) == ""
    assert cutouts.words(None) == ""
    # the rope of a guarded boom is hauled in to bring the load back
    both = replace(FRAME, machines=dict.fromkeys(("luff", "hoist"), Machine(("load_moment",))))
    told = "luff: beyond the rated load, may only haul in (boom up) · hoist: beyond the rated load, may only lower"
    assert cutouts.guarded(open_scene("mobile_crane")) == {"luff"} and cutouts.words(both, {"luff"}) == told
    stuck = replace(FRAME, machines={"luff": Machine(("upper_limit", "load_moment"))})
    assert cutouts.words(stuck, {"luff"}) == "luff: upper limit, beyond the rated load, may not move"


def test_a_page_that_fails_while_it_runs_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from taut.view.first_look import FirstLook
    from taut.view.tools import Tools

    told: list[tuple[str, ...]] = []
    monkeypatch.setattr(FirstLook, "place", lambda self, client: None)
    monkeypatch.setattr(Panel, "fail", lambda self, *words: told.append(words))
    # the clients are those of the server; one that is there lets the page draw
    monkeypatch.setattr(Server, "get_clients", lambda self: {0: None})
    monkeypatch.setattr(Tools, "show", lambda self, frame: [][0])
    monkeypatch.setattr(stage, "set_up", lambda *given: None)
    page = Page("pendulum", port=0)
    page.start()
    try:
        _until(lambda: bool(page.trouble))
        assert "IndexError" in told[0][0] and "Scenes" in told[0][1]
        assert "Traceback" in page.trouble, "the terminal tells where"
    finally:
        page.stop()


def test_a_scene_with_nothing_in_it_says_so() -> None:
    assert "nothing in this scene" in readout.title(Scene(), "empty.yaml")
    assert "nothing in this scene" not in readout.title(SCENE, "")


def test_a_file_of_ones_own_is_named_beneath_the_name_of_its_scene() -> None:
    named = SCENE.model_copy(update={"name": "Gantry"})
    assert "mine.yaml</div>" in readout.title(named, "somewhere/mine.yaml")
    assert 'data-taut="source"' not in readout.title(named, "gantry")


def test_the_clock_tells_time_pace_and_health() -> None:
    status = Status("running", factor=0.984, cost=2.5e-4)
    text = readout.clock(FRAME, status) + readout.health(FRAME, status)
    for part in (">12.35<", ">0.98<", ">250 µs<", ">2<", ">3e-07<"):
        assert part in text
    assert "paused" in readout.clock(FRAME, Status("paused"))


def test_units_grow_with_their_values_and_do_not_flicker() -> None:
    scale = Scale("N")
    scale.fit(np.array([42156.0]))
    assert (scale.size, scale.text) == (1e3, "kN")
    scale.fit(np.array([990.0]))
    assert scale.text == "kN"
    scale.fit(np.array([2.0, np.nan]))
    assert scale.text == "N"
    length = Scale("m")
    length.fit(np.array([1e6]))
    assert length.text == "m"
    turn = Scale("rad/s")
    turn.fit(np.array([100.0]))
    assert turn.text == "deg/s" and np.pi / turn.size == pytest.approx(180.0), "as beside the sliders"


def test_lines_of_one_chart_share_their_moments() -> None:
    early, late = np.array([[0.0, 1.0, 3.0], [0.0, 10.0, 30.0]]), np.array([[2.0, 3.0], [5.0, 6.0]])
    moments, values = together([early, late])
    assert moments.tolist() == [2.0, 3.0], "from when on both are known"
    assert values.tolist() == [[20.0, 30.0], [5.0, 6.0]]


@pytest.mark.parametrize(("value", "text"), [(42.156, "42.16"), (0.0, "0.000"), (12345.6, "12346"), (3e-9, "3.00e-09")])
def test_numbers_have_a_steady_width(value: float, text: str) -> None:
    assert number(value) == text


def test_the_first_plot_is_what_the_scene_measures() -> None:
    names = {"energy.kinetic": "J", "load.speed": "m/s", "hoist.tension": "N", "load.position[0]": "m"}
    assert first_choice(names, ("load.position",)) == "load.position[0]"
    assert first_choice(names, ()) == "hoist.tension"
    assert first_choice({}, ()) == ""


def test_a_camera_that_was_given_no_place_sees_everything() -> None:
    low, high = np.array([-3.0, -1.0, 0.0]), np.array([3.0, 1.0, 4.0])
    position, target = camera(SCENE, low, high)
    assert target == pytest.approx([0.0, 0.0, 2.0])
    # the ball around the box lies within the field of view of 45 degrees
    distance = np.linalg.norm(position - target)
    assert 0.5 * np.linalg.norm(high - low) / distance < np.sin(np.radians(22.5))


@pytest.mark.parametrize(("size", "cell"), [(20.0, 1.0), (2.0, 0.1), (150.0, 10.0)])
def test_the_grid_has_cells_of_a_round_size(size: float, cell: float) -> None:
    assert cell_size(size) == pytest.approx(cell)


def test_lamps_of_the_machines() -> None:
    machines = {"hoist": Machine(("two_block", "load_warning"), 0.934), "luff": Machine(())}
    text = readout.machines(Frame(0.0, 0, np.zeros((0, 3)), np.zeros((0, 4)), machines=machines))
    assert "93 % of rated load" in text and "two block" in text and "load warning" in text
    assert 'data-taut="signal-hoist.two_block"' in text and "luff" not in text
    assert readout.machines(FRAME) == ""
    hanging = replace(FRAME, machines={"hoist": Machine((), 0.5, 25_200.0, 8.25, 8_204.0)})
    assert "8.20 t</span> on the hook" in readout.machines(hanging)
    pulling = {"hoist": Machine((), None, 25_200.0, 8.25)}
    text = readout.machines(Frame(0.0, 0, np.zeros((0, 3)), np.zeros((0, 4)), machines=pulling))
    assert ">25.2 kN<" in text and ">8.25 m<" in text
    lift = {"hoist": Machine((), sheave=Sides(("car", ""), (13_700.0, 16_700.0), 0.52))}
    text = readout.machines(Frame(0.0, 0, np.zeros((0, 3)), np.zeros((0, 4)), machines=lift))
    assert ">13.7 kN</span> to the car" in text and ">16.7 kN</span> on the other side" in text and ">52 %<" in text
    assert "drum" not in text and " out" not in text, "a driven sheave has no end of rope"


def test_the_number_above_a_plot_is_that_of_the_moment_which_is_shown() -> None:
    time, value = np.array([1.0, 2.0, 3.0]), np.array([np.nan, 20.0, 40.0])
    assert value_at(2.5, time, value) == 30.0
    assert np.isnan(value_at(1.5, time, value)) and np.isnan(value_at(9.0, time, value))
    assert np.isnan(value_at(1.0, time, np.full(3, np.nan)))


def test_a_recording_does_not_promise_that_things_can_be_pulled() -> None:
    for text in ("", "hoist 12 kN"):
        assert "to pull" in readout.reading(text) and "to pull" not in readout.reading(text, live=False)
    assert "a rope or a body" in readout.reading("") and "rope" not in readout.reading("", ropes=False)


@pytest.mark.parametrize("level, unit", [(1e-3, "mJ"), (0.0, "J"), (-2e-8, "J")])
def test_energies_of_what_rests_are_straight_lines(level: float, unit: str) -> None:
    noise = 1e-9 * np.random.default_rng(5).normal(size=(4, 50))
    scale = Scale("J")
    shown, frame = scaled(noise + level * np.array([[0.0], [1.0], [1.0], [0.0]]), scale)
    assert scale.text == unit and np.ptp(frame) >= 0.5, "and its marks bear numbers of their own"
    assert np.ptp(shown, axis=1).max() < 1e-4 * np.ptp(frame)
    high = scaled(noise + 1e-3, Scale("J"))
    assert np.ptp(high[0]) < 1e-3 * np.ptp(high[1]), "also where nothing is near zero"
    _, steady = scaled(np.full(9, 0.0576), Scale("m"))
    assert np.ptp(steady) == pytest.approx(0.003), "an axis has three decimals"


def test_a_camera_is_offered_where_it_means_something(tmp_path) -> None:
    def offered(scene: str) -> tuple[str, ...]:
        return Cameras(None, open_scene(scene)).offered  # type: ignore[arg-type]

    for crane in ("gantry", "tower_crane", "mobile_crane"):
        assert offered(crane) == PRESETS
    # no cabin where nobody sits, no hook where nothing hangs on one
    assert offered("gantry_sling") == offered("bollard") == ("free", "follow", "hook", "side")
    for scene in ("elevator", "pendulum", "knot", "drum_winding"):
        assert offered(scene) == ("free", "follow", "near", "side")
    told = keys.listed(keys.of_scene(False, False, offered("pendulum")))[-1]
    assert told["caps"] == ["1", "2", "3", "5"] and told["words"] == "camera: free, follow, near, side"
    cable = {"length": "300 mm", "section": {"diameter": "12 mm"}, "E": "20 MPa", "nu": 0.4, "density": "1400 kg/m^3"}
    for word, x in (("start", 0.0), ("end", 0.2)):
        cable[word] = {"point": [x, 0.0, 0.0], "direction": [1, 0, 0]}
    (tmp_path / "hose.yaml").write_text(yaml.safe_dump({"taut": 1, "route": {"cables": {"hose": cable}}}))
    found = offered(str(tmp_path / "hose.yaml"))
    assert found == ("free", "side")
    told = keys.listed(keys.of_scene(False, False, found))[-1]
    assert told["caps"] == ["1", "5"] and told["words"] == "camera: free, side"


def test_what_is_steady_is_a_straight_line_in_its_chart() -> None:
    steady = framed(np.array([4.905, 4.9052, 4.9049]))
    assert steady.min() < 4.89 and steady.max() > 4.92, "a hundredth of it at least"
    swinging = framed(np.array([1.0, 5.0, 2.0]))
    assert (swinging.min(), swinging.max()) == (1.0, 5.0), "nothing is added to what moves"
    assert not framed(np.zeros(3)).any()
    noise = framed(np.array([1e-14, -2e-14, 3e-14]), NOTHING["m/s"])
    assert np.ptp(noise) == pytest.approx(NOTHING["m/s"]), "round-off of a load at rest lies on one line"


def test_a_page_for_all_tells_addresses_that_lead_to_it_from_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "office")
    found = web.addresses()
    assert found[-1] == "office" and not {"localhost", "127.0.0.1", "::1"} & set(found)
    page = Page(host="0.0.0.0", port=0, secret="s")
    try:
        assert page.urls[-1] == f"http://office:{page.port}/?key=s" and page.url.startswith("http://localhost:")
    finally:
        page.stop()
    here = Page(port=0)
    try:
        assert here.urls == []
    finally:
        here.stop()
