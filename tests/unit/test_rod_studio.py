"""The studio without a browser: what dragging, editing, undo and saving do to the route."""

import asyncio
import re
import time
from types import SimpleNamespace

import numpy as np
import pytest
import yaml
from waiting import wait_for

from taut.cables.rod.harness import Harness
from taut.cables.rod.route import Route
from taut.cables.rod.routing import LIBRARY, begin
from taut.cables.rod.values import RodError
from taut.view.readout import newtons
from taut.view.route_cable import turned
from taut.view.route_hit import hit
from taut.view.route_removal import remove
from taut.view.route_studio import Studio
from taut.view.route_tools import pull_in_hand


@pytest.fixture
def studio():
    made = Studio(Route.load(LIBRARY / "harness.yaml"), LIBRARY, "127.0.0.1", 0)
    yield made
    made.stop()


def test_dragging_a_connector_undo_and_save(studio, tmp_path) -> None:
    before = studio.route.harness["lead_a"].points
    studio.drag("body/sensor", np.array([0.65, 0.14, 0.06]), studio.route.harness.pose("sensor")[1])
    wait_for(lambda: studio.solves >= 1)
    assert studio.route.harness["lead_a"].points[-1] == pytest.approx([0.65, 0.14, 0.06], abs=1e-6)
    studio.save(str(tmp_path / "saved.yaml"))
    again = Route.load(tmp_path / "saved.yaml")
    again.solve()
    assert again.harness["lead_a"].points[-1] == pytest.approx([0.65, 0.14, 0.06], abs=1e-6)
    studio.undo()
    assert studio.route.harness["lead_a"].points == pytest.approx(before, abs=1e-5)


def test_undo_and_redo_need_no_equilibrium_to_be_found_again(studio, monkeypatch) -> None:
    """A shape that was reached by dragging need not be found from its data alone."""
    stood = studio.route.harness["lead_a"].points.copy()
    studio.drag("body/sensor", np.array([0.65, 0.14, 0.06]), studio.route.harness.pose("sensor")[1])
    wait_for(lambda: studio.solves >= 1)
    dragged = studio.route.harness["lead_a"].points.copy()

    def fails(route: Route) -> None:
        raise RodError("no equilibrium found")

    monkeypatch.setattr(Route, "solve", fails)
    for step, expected in ((studio.undo, stood), (studio.redo, dragged), (studio.undo, stood)):
        step()
        assert np.array_equal(studio.route.harness["lead_a"].points, expected)
    studio.drag("body/sensor", np.array([0.64, 0.14, 0.06]), studio.route.harness.pose("sensor")[1])
    wait_for(lambda: studio.solves >= 2)
    assert studio.route.harness["lead_a"].points[-1] == pytest.approx([0.64, 0.14, 0.06], abs=1e-6), (
        "it goes on from there"
    )


def test_what_is_undone_can_be_made_again_until_something_else_is_done(studio) -> None:
    studio._cable.value = "hose"
    lengths = [studio.route.harness["hose"].length]
    for millimetres in (800.0, 820.0):
        studio._length.value = millimetres
        studio._set_length()
        lengths.append(studio.route.harness["hose"].length)
    for step, expected in ((studio.undo, 1), (studio.undo, 0), (studio.redo, 1), (studio.redo, 2), (studio.redo, 2)):
        step()
        assert studio.route.harness["hose"].length == pytest.approx(lengths[expected])
        assert studio._length.value == pytest.approx(1e3 * lengths[expected])
    studio.undo()
    studio._length.value = 790.0
    studio._set_length()
    studio.redo()
    assert studio.route.harness["hose"].length == pytest.approx(0.79)


def test_out_of_reach_is_said_and_the_last_shape_stays(studio) -> None:
    before = studio.route.harness["hose"].points
    studio.drag("body/hose.end", np.array([3.0, 0, 0]), studio.route.harness.pose("hose.end")[1])
    wait_for(lambda: "too short" in studio.message)
    assert "hose" in studio.message
    assert studio.route.harness["hose"].points == pytest.approx(before, abs=1e-9)


def test_length_and_material_from_the_panel(studio) -> None:
    studio._cable.value = "hose"
    radius = studio.route.harness["hose"].radius
    studio._card.value = "cable harness"
    studio._set_card()
    assert studio.route.harness["hose"].radius == pytest.approx(radius), "a material does not change the size"
    assert studio.route.data["route"]["cables"]["hose"]["section"] == {"diameter": "16 mm"}
    assert "20 MPa" in studio._made.content and "1400 kg/m^3" in studio._made.content
    studio.undo()
    assert studio._inner.value == pytest.approx(10.0) and studio._card.value == "rubber hose"
    studio._length.value = 800.0
    studio._set_length()
    assert studio.route.harness["hose"].length == pytest.approx(0.8)


def test_a_click_on_a_face_sets_an_end(studio) -> None:
    studio._cable.value = "hose"
    studio._picks.value = "end"
    # straight down on the housing, whose top is at -90 mm
    studio.grab("housing", np.array([0.34, 0.05, 1.0]), np.array([0.0, 0.0, -1.0]))
    assert studio.message == ""
    assert studio.route.harness["hose"].points[-1] == pytest.approx([0.34, 0.05, -0.09], abs=1e-6)


def test_rays_meet_turned_boxes() -> None:
    import trimesh

    box = trimesh.creation.box((2.0, 2.0, 2.0))
    turned = np.array([np.cos(np.pi / 8), 0, 0, np.sin(np.pi / 8)])  # 45 degrees about z
    point, normal = hit(box.vertices, box.faces, np.array([5.0, 0, 0]), turned, np.zeros(3), np.array([1.0, 0.1, 0.0]))
    # the edge of the box is sqrt(2) before its centre, the face beyond it stands at 45 degrees
    assert normal == pytest.approx([-np.sqrt(0.5), np.sqrt(0.5), 0], abs=1e-12)
    assert point[1] == pytest.approx(0.1 * point[0])
    assert hit(box.vertices, box.faces, np.zeros(3), turned, np.array([9.0, 0, 0]), np.array([1.0, 0, 0])) is None


def test_a_new_cable_between_two_clicks(studio) -> None:
    studio._picks.value = "new cable"
    before = set(studio.route.harness.cables)
    studio.grab("housing", np.array([0.30, 0.04, 1.0]), np.array([0.0, 0.0, -1.0]))
    assert "ends" in studio.message
    studio.grab("housing", np.array([0.32, -0.05, 1.0]), np.array([0.0, 0.0, -1.0]))
    assert studio.message == ""
    (name,) = set(studio.route.harness.cables) - before
    points = studio.route.harness[name].points
    assert points[0] == pytest.approx([0.30, 0.04, -0.09], abs=1e-6)
    assert points[-1] == pytest.approx([0.32, -0.05, -0.09], abs=1e-6)
    assert name in studio._cable.options
    studio.undo()
    assert set(studio.route.harness.cables) == before


def test_a_cable_is_taken_in_hand_anywhere_and_let_go(studio) -> None:
    hose = studio.route.harness["hose"]
    before, middle = hose.points, hose.points[len(hose.points) // 2]
    studio.take("hose", middle + np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.0, -1.0]))
    assert "in hand at arc length" in studio.message and "in hand at arc length" in studio.chosen.where.content
    assert studio._cable.value == "hose" and studio.chosen.naming.name.value == "hose", "the cable is chosen by it, too"
    place = np.array(studio.scene._controls["hand/hose"].position)
    assert np.linalg.norm(place - middle) < 0.02
    solves = studio.solves
    studio.drag("hand/hose", place + np.array([0.0, 0.01, 0.02]), np.array([1.0, 0.0, 0.0, 0.0]))
    wait_for(lambda: studio.solves > solves)
    away = np.linalg.norm(studio.route.harness["hose"].points - (place + np.array([0.0, 0.01, 0.02])), axis=1)
    assert away.min() < 1e-3
    pull = pull_in_hand(studio.route, "hose")
    # what is carried along the hose jumps by it, less the weight of a segment
    hose = studio.route.harness["hose"]
    jumps = np.linalg.norm(np.diff(hose.internal_force, axis=0), axis=1)
    assert pull == pytest.approx(jumps.max(), rel=0.05) and pull > 0.5
    assert f"pulled with {newtons(pull)}" in studio.chosen.where.content
    studio.let_go()
    assert "hand/hose" not in studio.scene._controls
    assert studio.route.harness["hose"].points == pytest.approx(before, abs=1e-5)


def test_what_is_in_hand_is_told_when_what_was_chosen_is_undone(studio) -> None:
    _take_the_middle(studio)
    (cable,) = (key.partition("/")[2] for key in studio.scene._controls if key.startswith("hand/"))
    studio.set_clip()
    assert studio.chosen.key.startswith("clip/")
    studio.undo()
    assert studio.chosen.key == f"hand/{cable}" and "in hand at arc length" in studio.chosen.where.content


def test_a_cable_in_hand_gets_another_name_and_stays_in_hand(studio) -> None:
    place = _take_the_middle(studio)
    studio.chosen.naming.name.value = "coolant"
    studio.chosen.naming.set_name()
    assert studio.message == "" and studio.chosen.key == "hand/coolant" and studio._cable.value == "coolant"
    assert np.array(studio.scene._controls["hand/coolant"].position) == pytest.approx(place, abs=1e-12)


def test_the_report_is_called_by_the_file_that_was_saved(empty) -> None:
    empty.new.make()
    assert b"A route that was not saved" in empty.takeaway.report()[1]
    for file in ("route.yaml", "steering hose.yaml"):
        empty.save(file)
        empty._length.value = empty._length.value + 1.0
        empty._set_length()
        empty.undo()
        report = empty.takeaway.report()[1].decode()
        assert f"<p>Route {file}, taut" in report and f"<h1>{file.removesuffix('.yaml')}</h1>" in report


def test_a_mesh_is_uploaded_as_a_part(studio, tmp_path) -> None:
    import trimesh

    studio.folder = tmp_path
    block = trimesh.creation.box(extents=(20.0, 20.0, 20.0))
    block.apply_translation((100.0, 300.0, 200.0))
    studio.parts.upload("my block.stl", block.export(file_type="stl"))
    assert studio.message == ""
    assert "my_block" in studio.route.shapes and (tmp_path / "my_block.stl").exists()
    studio.parts.upload("notes.txt", b"nothing")
    assert "expected a mesh file" in studio.message
    studio.parts.upload("broken.stl", b"nothing")
    assert "broken.stl" in studio.message and "broken" not in studio.route.shapes


def test_the_diameter_from_the_panel(studio) -> None:
    studio._cable.value = "hose"
    studio._diameter.value = 20.0
    studio._set_diameter()
    hose = studio.route.harness["hose"]
    assert hose.radius == pytest.approx(0.01)
    section = studio.route.data["route"]["cables"]["hose"]["section"]
    assert section == {"outer": "20 mm", "inner": section["inner"]}
    studio.undo()
    assert studio.route.harness["hose"].radius != pytest.approx(0.01)


def test_both_ends_by_two_clicks_without_twist(studio) -> None:
    studio._cable.value = "hose"
    studio._picks.value = "both ends"
    studio.grab("housing", np.array([0.30, 0.04, 1.0]), np.array([0.0, 0.0, -1.0]))
    studio.grab("housing", np.array([0.36, -0.04, 1.0]), np.array([0.0, 0.0, -1.0]))
    assert studio.message == "hose is 140 mm long now: 1.4 times as far as its ends are apart"
    assert studio._picks.value == "nothing"
    hose = studio.route.harness["hose"]
    assert hose.length == pytest.approx(1.4 * 0.1, abs=1e-4)
    assert np.abs(hose.twist).max() * hose.length < 1e-6


def _take_the_middle(studio) -> np.ndarray:
    hose = studio.route.harness["hose"]
    middle = hose.points[len(hose.points) // 2]
    studio.take("hose", middle + np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.0, -1.0]))
    return np.array(studio.scene._controls["hand/hose"].position)


def test_a_clip_is_set_where_a_cable_is_in_hand_dragged_saved_and_removed(studio, tmp_path) -> None:
    place, before = _take_the_middle(studio), set(studio.route.clips["hose"])
    solves = studio.solves
    there = place + np.array([0.0, 0.01, 0.02])
    studio.drag("hand/hose", there, np.array([1.0, 0.0, 0.0, 0.0]))
    wait_for(lambda: studio.solves > solves)
    in_hand = studio.route.harness["hose"].points
    studio.chosen.release.value = "sliding clip"
    studio.set_clip()
    assert studio.message == ""
    (word,) = set(studio.route.clips["hose"]) - before
    # the hand is gone, and the clip holds the cable as the hand did but for the turning that a hand lets it have
    assert "hand/hose" not in studio.scene._controls
    assert np.abs(studio.route.harness["hose"].points - in_hand).max() < 2e-3
    control = studio.scene._controls[f"clip/hose/{word}"]
    # a place that a click has made is written to a micrometre
    assert np.array(control.position) == pytest.approx(there, abs=0.51e-6)
    studio.drag(f"clip/hose/{word}", there + np.array([0.0, 0.0, 0.01]), np.array(control.wxyz))
    wait_for(lambda: studio.solves > solves + 1)
    studio.save(str(tmp_path / "clipped.yaml"))
    again = Route.load(tmp_path / "clipped.yaml")
    again.solve()
    away = np.linalg.norm(again.harness["hose"].points - (there + np.array([0.0, 0.0, 0.01])), axis=1)
    assert away.min() < 1e-9
    studio._cable.value = "hose"
    studio._fill()
    studio.chosen.choose(f"clip/hose/{word}")
    remove(studio, studio.chosen.key)
    assert set(studio.route.clips["hose"]) == before
    studio.set_clip()
    assert "nothing is in hand" in studio.message


def test_limits_from_the_panel_turn_the_verdict(studio) -> None:
    studio._cable.value = "lead_a"
    studio._fill()
    radius = 1e3 * studio.route.harness["lead_a"].bend_radius[0]
    for asked, verdict in ((0.9 * radius, "pass"), (1.1 * radius, "FAIL")):
        studio._limits["bend_radius"].value = asked
        studio._set_limit("bend_radius")
        (line,) = [line for line in studio._state.content.split("<tr") if 'data-taut="bend_radius"' in line]
        assert verdict in line
    studio._limits["bend_radius"].value = 0.0
    studio._set_limit("bend_radius")
    assert "bend_radius" not in studio.route.limits["lead_a"].values


def test_mesh_files_beside_a_saved_route_move_with_it(studio, tmp_path) -> None:
    import shutil

    import trimesh

    studio.folder = tmp_path / "made"
    studio.folder.mkdir()
    block = trimesh.creation.box(extents=(20.0, 20.0, 20.0))
    block.apply_translation((100.0, 300.0, 200.0))
    studio.parts.upload("block.stl", block.export(file_type="stl"))
    studio.save(str(studio.folder / "route.yaml"))
    shutil.move(studio.folder, tmp_path / "elsewhere")
    assert "block" in Route.load(tmp_path / "elsewhere" / "route.yaml").shapes


def test_a_fresh_cable_is_not_shown_before_it_has_its_places() -> None:
    made = Studio(Route.load(LIBRARY / "harness.yaml"), LIBRARY, "127.0.0.1", 0, fresh=True)
    try:
        assert not made.scene._cables and not made.scene._controls
        made._cable.value = "hose"
        made.grab("housing", np.array([0.30, 0.04, 1.0]), np.array([0.0, 0.0, -1.0]))
        made.grab("housing", np.array([0.36, -0.04, 1.0]), np.array([0.0, 0.0, -1.0]))
        assert made.message == "" and "hose" in made.scene._cables and "body/hose.end" in made.scene._points
        made.undo()
        assert not made.scene._cables and "begins" in made.message
    finally:
        made.stop()


@pytest.fixture
def empty(tmp_path, monkeypatch):
    """`taut route` without a file."""
    monkeypatch.chdir(tmp_path)
    made = Studio(*begin([], None, None, "z"), "127.0.0.1", 0, fresh=True)
    yield made
    made.stop()


def test_a_cable_between_two_points_that_are_typed(empty) -> None:
    new, fields = empty.new, (empty._length, empty._diameter, empty._inner, empty._card, empty._more, empty._asks)
    assert not any(one.visible for one in fields), "no fields of a cable that is not there"
    assert "New cable" in empty.message and empty._picks.options == ("nothing", "both ends")
    new.first.value, new.last.value, new.leaves.value = (0.0, 0.0, 50.0), (250.0, 0.0, 50.0), "0, 0, 2"
    assert (new.length.value, new.arrives.value) == ("automatic", "straight"), "words, not zeros"
    new.length.value, new.card.value = "100", "cable harness"
    new.make()
    assert "100 mm long is refused" in empty.message and "too short" in empty.message and empty.fresh
    assert not any(one.visible for one in fields) and not empty.scene._cables
    new.length.value = "333 mm"
    new.make()
    cable = empty.route.harness["cable"]
    assert empty.message == "" and cable.length == pytest.approx(0.333) and empty._length.value == 333.0
    assert cable.points[[0, -1]] == pytest.approx(np.array([[0, 0, 0.05], [0.25, 0, 0.05]]), abs=1e-9)
    way = np.diff(cable.points, axis=0) / np.diff(cable.arc_length)[:, None]
    assert way[0] == pytest.approx([0, 0, 1], abs=0.1) and way[-1] == pytest.approx([1, 0, 0], abs=0.1)
    assert abs(turned(cable)) < 1e-6 and empty._card.value == "cable harness" and empty.chosen.key == "cable/cable"
    assert all(one.visible for one in fields) and new.length.value == "automatic"
    # another one, as long as it makes sense; and back to nothing
    new.first.value = (0.0, 50.0, 50.0)
    new.make()
    assert empty.route.harness["cable_1"].length == pytest.approx(1.4 * np.hypot(0.25, 0.05), abs=1e-4)
    new.last.value = new.first.value
    empty.guarded(new.make)()
    assert "they are the same" in empty.message
    empty.undo()
    empty.undo()
    assert empty.fresh and "New cable" in empty.message and not any(one.visible for one in fields)


def test_parts_without_a_cable_are_not_solved_and_two_clicks_keep_the_length_that_was_typed(empty, monkeypatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Harness, "solve", lambda *_: pytest.fail("there is nothing to solve"))
        empty.parts.add()
        assert "being solved" not in empty._under_way() and "begins" in empty.message
        empty.chosen.point.value = (0.0, 0.0, 30.0)
        empty.chosen.set_point()
        wait_for(lambda: empty.solves == 1)
        assert "begins" in empty.message, "what to do next stays"
    empty.new.length.value = "120"
    for x in (-0.04, 0.04):
        empty.grab("box_1", np.array([x, 0.0, 1.0]), np.array([0.0, 0.0, -1.0]))
    cable = empty.route.harness["cable"]
    assert empty.message == "" and cable.length == pytest.approx(0.12)
    assert cable.points[-1] == pytest.approx([0.04, 0.0, 0.04], abs=1e-6)


def test_a_drag_is_one_step_to_undo(studio) -> None:
    before = studio.route.harness["lead_a"].points
    quaternion = studio.route.harness.pose("sensor")[1]
    for k in range(1, 6):
        solves = studio.solves
        studio.drag("body/sensor", np.array([0.65, 0.14, 0.04 + 0.002 * k]), quaternion)
        wait_for(lambda solves=solves: studio.solves > solves)
    studio.undo()
    assert studio.route.harness["lead_a"].points == pytest.approx(before, abs=1e-5)


def _pull(studio, key: str, places: list[np.ndarray]) -> None:
    """What viser tells of a drag, as it tells it: mouse down, moves, mouse up, each awaited by the thread that hears the page."""
    control = studio.scene._controls[key]
    (heard,) = control._impl_aux.update_cb
    asyncio.run(heard(SimpleNamespace(phase="start")))
    for place in places:
        control._impl.position = place
        asyncio.run(heard(SimpleNamespace(phase="update")))
    asyncio.run(heard(SimpleNamespace(phase="end")))


@pytest.mark.parametrize("slow", [False, True])
def test_from_mouse_down_to_mouse_up_is_one_step_however_long_it_is_solved(studio, monkeypatch, slow: bool) -> None:
    studio.chosen.choose("body/sensor")
    before = studio.route.harness["lead_a"].points.copy()
    places = [np.array([0.65, 0.14, z]) for z in (0.05, 0.06, 0.07, 0.06, 0.055)]
    monkeypatch.setattr("taut.view.route_moves.PAUSE", 0.0)  # as if each frame took longer than a rest
    for _ in range(2):
        history = len(studio._history)
        if slow:
            with studio.lock:  # something is solved: what is told meanwhile waits for nothing
                _pull(studio, "body/sensor", places)
        else:
            control = studio.scene._controls["body/sensor"]
            studio.scene._moved("body/sensor", "start")
            for place in places:
                solves, control._impl.position = studio.solves, place
                studio.scene._moved("body/sensor", "update")
                wait_for(lambda solves=solves: studio.solves > solves)
            studio.scene._moved("body/sensor", "end")
        wait_for(lambda last=places[-1]: np.allclose(studio.route.harness.pose("sensor")[0], last, atol=1e-9))
        wait_for(lambda: not studio.moves.held and not studio.moves._waiting)
        with studio.lock:
            assert len(studio._history) == history + 1, "one step"
        places = [place + np.array([0.0, 0.0, -0.01]) for place in places]
    studio.undo()
    assert studio.route.harness.pose("sensor")[0] == pytest.approx([0.65, 0.14, 0.055], abs=1e-9), "the last place"
    studio.undo()
    assert studio.route.harness["lead_a"].points == pytest.approx(before, abs=1e-9)


def test_undo_takes_back_what_is_not_followed_yet(studio) -> None:
    stood, frame = (one.copy() for one in studio.route.harness.pose("sensor"))
    solved = studio.solves
    with studio.lock:
        studio.drag("body/sensor", np.array([0.65, 0.14, 0.06]), frame)
        studio.undo()
    studio.drag("body/sensor", np.array([0.65, 0.14, 0.05]), frame)
    wait_for(lambda: studio.solves > solved)
    assert studio.solves == solved + 1 and len(studio._history) == 1
    studio.undo()
    assert studio.route.harness.pose("sensor")[0] == pytest.approx(stood, abs=1e-12)


def test_what_is_dragged_in_the_cold_is_followed_when_it_thaws(studio) -> None:
    before = studio.route.harness["lead_a"].points
    studio._frozen.value = True
    studio.drag("body/sensor", np.array([0.65, 0.14, 0.06]), studio.route.harness.pose("sensor")[1])
    time.sleep(0.3)
    assert studio.route.harness["lead_a"].points == pytest.approx(before, abs=1e-12)
    studio._frozen.value = False
    wait_for(lambda: studio.solves >= 1)
    assert studio.route.harness["lead_a"].points[-1] == pytest.approx([0.65, 0.14, 0.06], abs=1e-6)


def test_the_card_shown_is_that_of_the_cable(studio) -> None:
    studio._cable.value = "hose"
    studio._fill()
    assert studio._card.value == "rubber hose"
    studio._card.value = "cable harness"
    studio._set_card()
    studio.undo()
    assert studio._card.value == "rubber hose"


def test_length_tools(studio, tmp_path) -> None:
    studio._cable.value = "hose"
    apart = studio.route.harness["hose"].stretched_length()
    before = studio.route.harness["hose"].points
    studio._length.value = 705.0
    studio._set_length()
    assert np.abs(studio.route.harness["hose"].points - before).max() < 0.05, "it goes on from the shape it had"
    hose = studio.route.harness["hose"]
    assert abs(0.5 * (hose.twist[1:] + hose.twist[:-1]) @ np.diff(hose.arc_length)) < 0.01, "and has no twist still"
    studio.automatic_length()
    assert "more than the straight way between what holds it" in studio.message
    assert apart < studio.route.harness["hose"].length < 0.7
    studio.stretch()
    assert studio.route.harness["hose"].length == pytest.approx(1.01 * apart)
    assert f"{10.0 * apart:.1f} mm (1.0%) more than the straight way" in studio.message, (
        "the slack that is left is said"
    )
    studio.save(str(tmp_path / "short.yaml"))
    assert Route.load(tmp_path / "short.yaml").harness["hose"].length == pytest.approx(1.01 * apart, rel=1e-5)
    studio._length.value = 100.0
    studio._set_length()
    assert "hose" in studio.message and "too short" in studio.message
    assert studio.route.harness["hose"].length == pytest.approx(1.01 * apart)


def test_what_is_not_saved_is_kept(studio, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert studio.keep() is None, "nothing was changed"
    studio._cable.value = "hose"
    studio._length.value = 800.0
    studio._set_length()
    kept = studio.keep()
    assert kept is not None and Route.load(kept).harness["hose"].length == pytest.approx(0.8)
    studio.save(str(tmp_path / "saved.yaml"))
    assert studio.keep() is None


def test_the_file_is_the_one_that_was_opened(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert begin(["harness"], None, None, "z")[1] == tmp_path, "the library is not written to"
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "mine.yaml").write_text((LIBRARY / "harness.yaml").read_text())
    made = Studio(*begin(["sub/mine.yaml"], None, None, "z"), "127.0.0.1", 0)
    assert made._file.value == "sub/mine.yaml"
    made.stop()


def test_the_length_of_a_cable_with_a_free_end(tmp_path) -> None:
    data = yaml.safe_load((LIBRARY / "harness.yaml").read_text())
    data["route"]["cables"]["hose"]["end"] = "free"
    made = Studio(Route.of(data), tmp_path, "127.0.0.1", 0)
    made._cable.value = "hose"
    made._length.value = 500.0
    made._set_length()
    assert made.message == "" and made.route.harness["hose"].length == pytest.approx(0.5)
    made.stop()


def test_a_material_keeps_the_size_and_has_the_wall_of_its_card() -> None:
    from taut.cables.rod.material_cards import cards
    from taut.view.route_tools import made_of, set_material

    card = cards()["steel brake line"].given()
    cable = {"radius": 0.01, "EI": 1.0, "GJ": 1.0, "mass_per_length": 0.1}
    set_material(cable, card, 0.02)
    assert cable["section"]["outer"] == "20 mm" and "EI" not in cable and made_of(cable, card)
    assert float(cable["section"]["inner"].split()[0]) == pytest.approx(20.0 * 3.35 / 4.75, rel=1e-3)


def test_what_fails_unexpectedly_is_said_and_changes_nothing(studio, monkeypatch, capsys) -> None:
    studio._cable.value = "hose"
    before, data = studio.route.harness["hose"].points.copy(), yaml.safe_dump(studio.route.data)
    with monkeypatch.context() as patch:
        patch.setattr(Route, "solve", lambda *_: [][1])
        studio._diameter.value = 400.0
        studio.guarded(studio._set_diameter)()
    assert studio.message.startswith("diameter 400 mm failed, and nothing was changed (IndexError")
    assert "failed" in studio._state.content and "Traceback" in capsys.readouterr().err
    assert yaml.safe_dump(studio.route.data) == data and studio._diameter.value == pytest.approx(16.0)
    assert np.array_equal(studio.route.harness["hose"].points, before)
    studio._length.value = 790.0
    studio._set_length()
    assert studio.message == "" and studio.route.harness["hose"].length == pytest.approx(0.79), "it goes on"


def test_every_callback_of_the_panel_has_the_guard(studio) -> None:
    found = [one for handle in studio.server.gui._gui_input_handle_from_uuid.values() for one in handle._impl.update_cb]
    assert len(found) > 20 and all(getattr(one, "guarded", False) for one in found)


@pytest.mark.parametrize("box, act, values", [
    ("_length", "_set_length", (100.0, 0.0, -5.0)), ("_diameter", "_set_diameter", (0.0, -5.0)),
    ("_inner", "_set_inner", (16.0, -1.0)),
])  # fmt: skip
def test_a_field_falls_back_from_what_is_refused(studio, box: str, act: str, values) -> None:
    studio._cable.value = "hose"
    field = getattr(studio, box)
    holds = field.value
    for value in values:
        field.value = value
        getattr(studio, act)()
        assert f"{value:g} mm is refused" in studio.message
        assert field.value == holds


def test_results_of_the_chosen_cable_and_one_line_for_each_other(studio) -> None:
    studio._cable.value = "hose"
    shown = studio._state.content
    assert shown.count("<table") == 1 and "<b>hose</b>" in shown and shown.count('data-taut="other"') == 3
    studio._limits["end_force"].value = 0.001
    studio._set_limit("end_force")
    assert studio.route.limits["hose"].values["end_force"] == pytest.approx(0.001)
    studio._cable.value = "trunk"
    (line,) = [line for line in studio._state.content.split("<div") if '"other">hose' in line]
    assert "FAIL" in line and "end force" in line
    broken, asked = (int(re.search(f'data-{word}="(.*?)"', studio._state.content)[1]) for word in ("broken", "asked"))
    assert asked >= broken >= 1, "counted for the bar over the picture"
