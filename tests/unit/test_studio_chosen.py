"""The studio without a browser: what is chosen, in numbers; parts that are added, moved and removed; what is taken along."""

import io
import zipfile

import numpy as np
import pytest
import yaml
from waiting import wait_for

from taut.cables.rod.ends import conjugate, from_vector, multiply, rotate
from taut.cables.rod.network import Network
from taut.cables.rod.route import Route
from taut.cables.rod.targets import CLIPS
from taut.view.route_cable import turned as turned_by
from taut.view.route_chosen import WORLD
from taut.view.route_kinds import KINDS, OTHER, kind_of
from taut.view.route_names import rename_cable, unfit
from taut.view.route_poses import angles_of, direction_of, pointed, roll_of, rolled, turned
from taut.view.route_removal import remove, remove_cable
from taut.view.route_studio import Studio
from taut.view.route_takeaway import ALL, FORMS

DATA = """
taut: 1
route:
  parts:
    bracket: {shape: {type: box, size: [80 mm, 120 mm, 60 mm]}, point: [0, 0, 30 mm]}
    pump: {shape: {type: box, size: [60 mm, 60 mm, 140 mm]}, point: [320 mm, 40 mm, 70 mm]}
  connectors:
    plug: {point: [0, 0.3, 0.1]}
  cables:
    hose:
      length: 460 mm
      segments: 40
      section: {outer: 16 mm, inner: 10 mm}
      E: 8 MPa
      nu: 0.45
      density: 1200 kg/m^3
      start: {point: [0, 0, 60 mm], direction: [0, 0, 1]}
      end: {point: [290 mm, 40 mm, 100 mm], direction: [1, 0, 0]}
    lead:
      length: 400 mm
      segments: 30
      section: {diameter: 8 mm}
      E: 20 MPa
      nu: 0.4
      density: 1400 kg/m^3
      start: {at: plug, direction: [1, 0, 0]}
      end: {point: [0.3, 0.3, 0.15], direction: [1, 0, 0]}
"""


@pytest.fixture
def studio(tmp_path):
    made = Studio(Route.of(yaml.safe_load(DATA), tmp_path, "bench"), tmp_path, "127.0.0.1", 0)
    yield made
    made.stop()


def solved(studio, act) -> None:
    """Do something that is followed by the thread that solves."""
    before = studio.solves
    act()
    wait_for(lambda: studio.solves > before)


def test_poses_as_numbers_and_back() -> None:
    random = np.random.default_rng(3)
    for frame in random.normal(size=(20, 4)):
        frame /= np.linalg.norm(frame)
        same = turned(angles_of(frame))
        assert abs(same @ frame) == pytest.approx(1.0)
        assert abs(rolled(frame, roll_of(frame)) @ frame) == pytest.approx(1.0)
        assert roll_of(rolled(frame, 33.0)) == pytest.approx(33.0)
        asked = random.normal(size=3)
        swung = pointed(frame, asked)
        assert direction_of(swung) == pytest.approx(asked / np.linalg.norm(asked))
        # the short way: the axis of the turn lies across both directions
        turn = multiply(swung, conjugate(frame))
        assert turn[1:] @ direction_of(frame) == pytest.approx(0.0, abs=1e-12)
    # z after a turn by 90 degrees about y is x
    assert rotate(turned(np.array([0.0, 90.0, 0.0])), np.eye(3)[2]) == pytest.approx([1, 0, 0], abs=1e-12)
    for about_y in (90.0, -90.0):
        upright = turned(np.array([20.0, about_y, 30.0]))
        assert abs(turned(angles_of(upright)) @ upright) == pytest.approx(1.0)


def test_an_end_is_chosen_shown_in_numbers_and_typed(studio) -> None:
    chosen = studio.chosen
    assert chosen.what.value == "nothing" and not chosen.point.visible
    studio.hold("body/hose.end")  # its arrows are taken
    wait_for(lambda: chosen.direction.visible)
    assert chosen.what.value == "hose.end"
    assert chosen.point.value == pytest.approx((290.0, 40.0, 100.0)) and chosen.direction.value == pytest.approx(
        (1, 0, 0)
    )
    assert chosen.direction.visible and not chosen.rotation.visible and not chosen.kind.visible
    solved(
        studio,
        lambda: studio.drag("body/hose.end", np.array([0.28, 0.04, 0.11]), studio.route.harness.pose("hose.end")[1]),
    )
    assert chosen.point.value == pytest.approx((280.0, 40.0, 110.0)), "it follows what is dragged"
    studio.release("body/hose.end")
    chosen.point.value = (285.0, 45.0, 105.0)
    solved(studio, chosen.set_point)
    assert studio.route.harness["hose"].points[-1] == pytest.approx([0.285, 0.045, 0.105], abs=1e-7)
    assert np.array(studio.scene._controls["body/hose.end"].position) == pytest.approx([0.285, 0.045, 0.105])
    chosen.direction.value = (2.0, 0.0, -2.0)
    solved(studio, chosen.set_direction)
    assert chosen.direction.value == pytest.approx((np.sqrt(0.5), 0, -np.sqrt(0.5)), abs=1e-5)
    way = np.diff(studio.route.harness["hose"].points, axis=0)[-1]
    assert way / np.linalg.norm(way) == pytest.approx([np.sqrt(0.5), 0, -np.sqrt(0.5)], abs=0.1)
    twist = np.ptp(studio.route.harness["hose"].twist)
    chosen.roll.value = chosen.roll.value + 40.0
    solved(studio, chosen.set_roll)
    assert np.abs(studio.route.harness["hose"].twist).max() > twist + 0.1, "it is twisted by that"
    holds = chosen.direction.value
    chosen.direction.value = (0.0, 0.0, 0.0)
    chosen.set_direction()
    assert "direction (0, 0, 0) of hose.end is refused" in studio.message and chosen.direction.value == holds
    studio.undo()
    assert chosen.direction.value == pytest.approx((np.sqrt(0.5), 0, -np.sqrt(0.5)), abs=1e-5)


def test_a_connector_is_turned_by_numbers(studio) -> None:
    studio.chosen.choose("body/plug")
    assert studio.chosen.rotation.visible and not studio.chosen.direction.visible
    studio.chosen.rotation.value = (0.0, 0.0, 30.0)
    solved(studio, studio.chosen.set_rotation)
    way = np.diff(studio.route.harness["lead"].points, axis=0)[0]
    # the first segment is half a joint away from the clamp
    assert way / np.linalg.norm(way) == pytest.approx([np.cos(np.pi / 6), 0.5, 0], abs=0.1)
    assert studio.chosen.rotation.value == pytest.approx((0, 0, 30))


def test_arrows_along_the_world_turn_what_they_move_all_the_same(studio) -> None:
    assert set(studio.scene._controls) == set() and "body/hose.start" in studio.scene._points
    studio.pick("body/hose.start")  # its point is clicked
    assert set(studio.scene._controls) == {"body/hose.start"} and "body/hose.start" not in studio.scene._points
    studio.chosen.axes.value = WORLD
    studio.chosen.set_axes()
    control = studio.scene._controls["body/hose.start"]
    assert np.array(control.wxyz) == pytest.approx([1, 0, 0, 0])
    before = studio.route.harness.pose("hose.start")[1]
    turn = from_vector(np.array([0.0, 0.2, 0.0]))
    studio.hold("body/hose.start")
    control.wxyz = turn
    solved(studio, lambda: studio.scene._moved("body/hose.start", "update"))
    assert abs(studio.route.harness.pose("hose.start")[1] @ multiply(turn, before)) == pytest.approx(1.0)
    assert np.array(control.wxyz) == pytest.approx(turn), "arrows stay where they are held"
    studio.scene._moved("body/hose.start", "end")
    wait_for(lambda: np.allclose(control.wxyz, [1, 0, 0, 0]))
    assert abs(studio.route.harness.pose("hose.start")[1] @ multiply(turn, before)) == pytest.approx(1.0)


def test_a_part_is_moved_with_the_end_that_stands_on_it(studio) -> None:
    assert "part/pump" not in studio.scene._controls
    studio.chosen.choose("part/pump")
    assert "part/pump" in studio.scene._controls and studio.chosen.rotation.visible
    studio.chosen.point.value = (320.0, 40.0, 100.0)
    solved(studio, studio.chosen.set_point)
    assert studio.route.harness["hose"].points[-1] == pytest.approx([0.29, 0.04, 0.13], abs=1e-7)
    studio.chosen.rotation.value = (0.0, 0.0, 90.0)
    solved(studio, studio.chosen.set_rotation)
    # the end was 30 mm before its middle, along -x: now it is along -y
    assert studio.route.harness["hose"].points[-1] == pytest.approx([0.32, 0.01, 0.13], abs=1e-7)
    way = direction_of(studio.route.harness.pose("hose.end")[1])
    assert way == pytest.approx([0, 1, 0], abs=1e-9)
    studio.parts.along.value = False
    studio.chosen.point.value = (320.0, 60.0, 100.0)
    solved(studio, studio.chosen.set_point)
    assert studio.route.harness["hose"].points[-1] == pytest.approx([0.32, 0.01, 0.13], abs=1e-7)
    again = Route.of(studio.route.data)
    assert again.harness._obstacle("pump").point == pytest.approx([0.32, 0.06, 0.1])


@pytest.mark.parametrize("kind", ["box", "cylinder", "sphere"])
def test_a_shape_of_given_sizes_is_added_moved_and_removed(studio, kind: str, tmp_path) -> None:
    parts = studio.parts
    parts.shape.value = kind
    parts._ask()
    parts.size.value, parts.diameter.value, parts.length.value = (50.0, 40.0, 30.0), 30.0, 70.0
    hose = studio.route.harness["hose"].points.copy()
    parts.add()
    name = f"{kind}_1"
    assert studio.message == "" and studio.chosen.key == f"part/{name}"
    assert studio.route.harness["hose"].points == pytest.approx(hose, abs=1e-5), "it is in nobody's way"
    assert np.ptp(studio.scene._parts[name].vertices, axis=0)[2] == pytest.approx(
        {"box": 0.03, "cylinder": 0.07, "sphere": 0.03}[kind], rel=1e-3
    )
    studio.chosen.point.value = (150.0, 0.0, 0.0)
    solved(studio, studio.chosen.set_point)
    studio.save(str(tmp_path / "with.yaml"))
    assert Route.load(tmp_path / "with.yaml").harness._obstacle(name).point == pytest.approx([0.15, 0, 0])
    remove(studio, studio.chosen.key)
    assert name not in studio.route.shapes and name not in studio.scene._parts and studio.chosen.key == ""
    studio.undo()
    assert name in studio.scene._parts


def test_what_holds_something_says_so_when_it_is_removed(studio) -> None:
    shape = studio.route.harness["hose"].points.copy()
    remove(studio, "part/pump")
    assert studio.message == "pump is removed; hose.end stood on it and stays in place"
    assert "pump" not in studio.route.data["route"]["parts"]
    assert studio.route.harness["hose"].points == pytest.approx(shape, abs=1e-6)
    remove(studio, "body/plug")
    assert "plug holds lead.start" in studio.message and "plug" in studio.route.data["route"]["connectors"]
    remove(studio, "body/hose.end")
    assert "hose.end is the end of a cable" in studio.message


def test_a_cable_is_removed_but_not_the_last(studio) -> None:
    remove_cable(studio, "lead")
    assert list(studio.route.harness.cables) == ["hose"] and "lead" not in studio.scene._cables
    remove_cable(studio, "hose")
    assert "only cable" in studio.message and list(studio.route.harness.cables) == ["hose"]
    studio.undo()
    assert set(studio.route.harness.cables) == {"hose", "lead"}


def test_the_kind_of_a_clip_is_changed_in_place(studio) -> None:
    hose = studio.route.harness["hose"]
    middle = hose.points[20]
    studio.take("hose", middle + np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.0, -1.0]))
    assert studio.chosen.what.value == "hose in hand"
    studio.set_clip()
    assert studio.message == "" and studio.chosen.key == "clip/hose/clip 1"
    assert studio.chosen.kind.visible and studio.chosen.kind.value == "rigid clamp"
    assert "clip/hose/clip 1" in studio.scene._points, "a ring"
    assert studio.chosen.arc.value == pytest.approx(1e3 * studio.route.harness["hose"].clip_arc(1), abs=1e-3)
    arc = studio.route.harness["hose"].clip_arc(1)
    studio.chosen.point.value = tuple(np.array(studio.chosen.point.value) + np.array([10.0, 0.0, 0.0]))
    solved(studio, studio.chosen.set_point)
    assert studio.route.harness["hose"].clip_arc(1) == pytest.approx(arc)
    studio.chosen.kind.value = "sliding clip"
    studio.chosen.set_kind()
    assert studio.message == ""
    assert studio.route.data["route"]["cables"]["hose"]["clips"][0]["release"] == "slide"
    assert abs(studio.route.harness["hose"].clip_arc(1) - arc) > 1e-3, "it slides to where nothing drives it"
    studio.automatic_length()
    assert "straight way" in studio.message
    assert np.linalg.norm(studio.route.harness["hose"].end_moment("start")) > 1e-3
    studio.undo()
    studio.undo()
    assert studio.chosen.kind.value == "rigid clamp" and studio.route.harness["hose"].clip_arc(1) == pytest.approx(arc)
    assert kind_of(["slide", "across1"]) == OTHER
    assert [kind_of(word) for word in CLIPS] == list(KINDS) and list(KINDS.values()) == list(CLIPS)


def test_exports_and_the_report_to_take_along(studio) -> None:
    for form, ending in FORMS.items():
        name, content = studio.takeaway.cables("hose", form)
        assert name == f"hose{ending}" and len(content) > 500
    name, content = studio.takeaway.cables("hose", "centreline, table (CSV)")
    assert len(content.decode().splitlines()) > 40
    name, content = studio.takeaway.cables(ALL, "centreline, STEP")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert sorted(archive.namelist()) == ["bench_hose.step", "bench_lead.step"]
        assert b"B_SPLINE_CURVE" in archive.read("bench_hose.step")
    name, content = studio.takeaway.report()
    assert name == "bench.html" and b"bend radius" in content
    name, content = studio.takeaway.file()
    assert yaml.safe_load(content)["route"]["cables"].keys() == {"hose", "lead"}


def test_what_is_typed_belongs_to_what_was_chosen_then(studio) -> None:
    """A number that is still waiting to be complete when another thing is chosen goes to the first one."""
    from types import SimpleNamespace

    studio.chosen.choose("body/hose.end")
    box = studio.chosen.point
    box.value = (285.0, 40.0, 100.0)
    for typed in box._impl.update_cb:
        typed(SimpleNamespace(client_id=1, target=box))
    solved(studio, lambda: studio.chosen.choose("body/plug"))
    assert studio.route.harness["hose"].points[-1] == pytest.approx([0.285, 0.04, 0.1], abs=1e-7)
    assert studio.route.harness.pose("plug")[0] == pytest.approx([0, 0.3, 0.1])
    assert box.value == pytest.approx((0.0, 300.0, 100.0))


def test_names_go_along_wherever_they_stand() -> None:
    data = yaml.safe_load(DATA)
    data["route"]["ties"] = {"strap": {"cables": {"lead": "200 mm", "hose": "230 mm"}, "point": [0.15, 0.2, 0.1]}}
    rename_cable(data, "hose", "coolant")
    assert list(data["route"]["cables"]) == ["coolant", "lead"], "in its place"
    assert data["route"]["ties"]["strap"]["cables"] == {"lead": "200 mm", "coolant": "230 mm"}
    assert "there is" in unfit("lead", data["route"]["cables"]) and "letters" in unfit("a/b", {})
    assert unfit("brake line-2", data["route"]["cables"]) == ""


def test_a_part_is_resized_and_renamed_and_a_cable_renamed(studio) -> None:
    studio.chosen.choose("part/pump")
    sizes = studio.chosen.sizes
    assert sizes.size.value == (60.0, 60.0, 140.0) and sizes.size.label == studio.parts.size.label, "one word for it"
    sizes.size.value = (60.0, 60.0, 150.0)
    sizes.set_sizes()
    assert Route.of(studio.route.data).shapes["pump"].size == pytest.approx((0.06, 0.06, 0.15))
    sizes.size.value = (0.0, 60.0, 150.0)
    sizes.set_sizes()
    assert "more than 0 mm" in studio.message and sizes.size.value == (60.0, 60.0, 150.0)
    naming = studio.chosen.naming
    assert naming.name.visible and naming.name.value == "pump"
    naming.name.value = "cooler"
    naming.set_name()
    assert set(studio.route.shapes) == {"bracket", "cooler"} and studio.chosen.key == "part/cooler"
    studio.undo()
    assert set(studio.route.shapes) == {"bracket", "pump"}
    studio.chosen.choose("cable/hose")
    naming.name.value = "lead"
    naming.set_name()
    assert studio.message == "name 'lead' is refused: there is a lead already" and naming.name.value == "hose"
    naming.name.value = "coolant"
    naming.set_name()
    assert studio.chosen.key == "cable/coolant" and studio._cable.value == "coolant"
    assert "<b>coolant</b>" in studio._state.content


def test_another_name_is_not_solved(studio, monkeypatch) -> None:
    middle = studio.route.harness["hose"].points[20]
    studio.take("hose", middle + np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.0, -1.0]))
    studio.set_clip()
    naming = studio.chosen.naming
    with monkeypatch.context() as patch:
        patch.setattr(Network, "solve", lambda *_: pytest.fail("nothing is to be solved"))
        for key, new in (
            ("clip/hose/clip 1", "bracket clip"), ("cable/hose", "coolant"), ("part/pump", "cooler"), ("body/plug", "jack"),
        ):  # fmt: skip
            stood = [cable.points.copy() for cable in studio.route.harness.cables.values()]
            studio.chosen.choose(key)
            naming.name.value = new
            naming.set_name()
            assert studio.message == "" and studio.chosen.key.endswith(new) and naming.name.value == new
            assert all(map(np.array_equal, stood, [one.points for one in studio.route.harness.cables.values()]))
    again = Route.of(studio.route.data, studio.folder)
    for one in ("limits", "shapes", "plugs", "clips"):
        assert list(getattr(again, one)) == list(getattr(studio.route, one))
    assert list(again.harness.cables) == list(studio.route.harness.cables) == ["coolant", "lead"]
    assert again.harness.connectors == studio.route.harness.connectors and "jack" in again.harness.connectors
    assert list(again.clips["coolant"]) == list(studio.route.clips["coolant"]) == ["bracket clip"]
    # all goes on under the new names
    frame = studio.route.harness.pose("jack")[1]
    solved(studio, lambda: studio.drag("body/jack", np.array([0.0, 0.3, 0.11]), frame))
    studio.drag("part/cooler", np.array([0.322, 0.04, 0.07]), np.array([1.0, 0, 0, 0]))
    wait_for(lambda: studio.message or studio.route.harness._obstacle("cooler").point[0] == 0.322)
    assert studio.message == ""
    assert studio.route.harness["lead"].points[0] == pytest.approx([0.0, 0.3, 0.11], abs=1e-9)
    for _ in range(6):
        studio.undo()
    assert set(studio.route.shapes) == {"bracket", "pump"} and "hose" in studio.route.harness.cables


def test_a_clip_gets_a_name_and_is_told_by_it(studio, tmp_path) -> None:
    middle = studio.route.harness["hose"].points[20]
    studio.take("hose", middle + np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.0, -1.0]))
    studio.set_clip()
    shape = studio.route.harness["hose"].points.copy()
    naming = studio.chosen.naming
    assert naming.name.value == "clip 1"
    naming.name.value = "pump bracket"
    naming.set_name()
    assert studio.message == "" and studio.chosen.what.value == "pump bracket of hose"
    assert studio.route.harness["hose"].points == pytest.approx(shape, abs=1e-6), "nothing moves"
    assert "pump bracket" in studio._state.content, "clip force"
    studio.chosen.point.value = (900.0, 0.0, 0.0)
    studio.chosen.set_point()
    wait_for(lambda: "refused" in studio.message)
    assert "start and pump bracket are" in studio.message
    studio.save(str(tmp_path / "named.yaml"))
    assert list(Route.load(tmp_path / "named.yaml").clips["hose"]) == ["pump bracket"]
    assert b"pump bracket" in studio.takeaway.report()[1]


def test_what_is_chosen_in_the_picture_and_in_the_lists_is_one_thing(studio) -> None:
    from types import SimpleNamespace

    assert studio._cable.value == "hose"
    studio.pick("body/lead.end")  # a click on its ball
    assert studio._cable.value == "lead" and "<b>lead</b>" in studio._state.content
    assert studio._length.value == pytest.approx(400.0)
    middle = studio.route.harness["hose"].points[20]
    studio.take("hose", middle + np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.0, -1.0]))  # a click on the cable
    assert studio._cable.value == "hose" and "<b>hose</b>" in studio._state.content and studio.scene._rim is not None
    studio.pick("body/plug")  # a connector: the cable that ends on it
    assert studio._cable.value == "lead" and studio.scene._rim is None
    # the list of cables chooses too
    studio._cable.value = "hose"
    for chosen in studio._cable._impl.update_cb:
        chosen(SimpleNamespace(client_id=1, target=studio._cable))
    assert studio.chosen.key == "cable/hose" and studio.chosen.what.value == "cable hose"
    assert studio.scene._rim is not None and "<b>hose</b>" in studio._state.content
    # and the other list, a part in the picture
    studio.chosen.choose("cable/lead")
    assert studio._cable.value == "lead"
    studio._held_at = 0.0
    studio.click(np.array([0.33, 0.06, 1.0]), np.array([0.0, 0.0, -1.0]))
    assert studio.chosen.key == "part/pump" and studio._cable.value == "lead"
    assert tuple(studio.scene._parts["pump"].color) != tuple(studio.scene._parts["bracket"].color)
    end = studio.route.harness["hose"].points[-1]
    studio.click(end + np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.0, -1.0]))
    assert studio.chosen.key == "part/pump", "the ball of the end hears it itself"


def test_what_goes_where_it_is_pulled_can_be_chosen_and_named() -> None:
    from taut.cables.rod.routing import LIBRARY

    made = Studio(Route.load(LIBRARY / "harness.yaml"), LIBRARY, "127.0.0.1", 0)
    try:
        assert "body/fork" in made.scene._points
        made.pick("body/fork")
        chosen = made.chosen
        assert (
            chosen.what.value == "fork"
            and not chosen.point.visible
            and "goes where the cables pull" in chosen.where.content
        )
        trunk = made.route.harness["trunk"].points.copy()
        chosen.naming.name.value = "Y-piece"
        chosen.naming.set_name()
        assert made.message == "" and chosen.key == "body/Y-piece"
        assert made.route.data["route"]["cables"]["trunk"]["end"]["at"] == "Y-piece"
        assert made.route.harness["trunk"].points == pytest.approx(trunk, abs=1e-6)
    finally:
        made.stop()


def test_the_studio_begins_without_anything(tmp_path, monkeypatch) -> None:
    from taut.cables.rod.routing import begin

    monkeypatch.chdir(tmp_path)
    route, folder = begin([], None, None, "z")
    made = Studio(route, folder, "127.0.0.1", 0, fresh=True)
    try:
        assert "folder Parts" in made.message and "cable/cable" not in made.chosen._keys.values()
        made.parts.add()
        assert "click on the face where the cable begins" in made.message and "folder Parts" not in made.message
        assert made.route.harness._obstacle("box_1").point == pytest.approx([0, 0, 0])
        made.save("early.yaml")
        assert "no cable yet" in made.message and not (tmp_path / "early.yaml").exists()
        for x in (-0.03, 0.03):
            made.grab("box_1", np.array([x, 0.0, 1.0]), np.array([0.0, 0.0, -1.0]))
        assert made.message == "" and not made.fresh
        made.save("first.yaml")
        assert "point: [-30 mm, 0, 10 mm]" in (tmp_path / "first.yaml").read_text()
        again = Route.load(tmp_path / "first.yaml")
        again.solve()
        assert again.harness["cable"].points == pytest.approx(made.route.harness["cable"].points, abs=1e-5)
    finally:
        made.stop()


def test_a_clip_is_moved_along_its_cable_and_twist_is_taken_out(studio) -> None:
    hose = studio.route.harness["hose"]
    point = [float(x) for x in hose.points[20]]
    clip = {
        "s": "230 mm",
        "point": point,
        "direction": [float(x) for x in hose.points[21] - hose.points[19]],
        "name": "middle",
    }
    studio.edit(lambda: studio.route.data["route"]["cables"]["hose"].update(clips=[clip]), "a clip")
    assert studio.message == "" or "refused" not in studio.message
    studio.chosen.choose("clip/hose/middle")
    assert studio.chosen.arc.value == pytest.approx(230.0, abs=0.01)
    studio.chosen.arc.value = 238.0
    studio.chosen.set_arc()
    assert "too short" in studio.message and studio.chosen.arc.value == pytest.approx(230.0), "the other side would be"
    studio.chosen.arc.value = 225.0
    studio.chosen.set_arc()
    assert studio.route.harness["hose"].clip_arc(studio.route.clips["hose"]["middle"]) == pytest.approx(0.225, abs=1e-6)
    assert studio.route.data["route"]["cables"]["hose"]["clips"][0]["s"] == "225 mm"
    studio.undo()
    studio.undo()
    studio.chosen.choose("body/hose.end")
    solved(
        studio,
        lambda: (setattr(studio.chosen.roll, "value", studio.chosen.roll.value + 40.0), studio.chosen.set_roll()),
    )
    twisted = studio.route.harness["hose"]
    assert abs(turned_by(twisted)) > np.radians(20.0)
    studio._cable.value = "hose"
    studio.untwist()
    assert abs(turned_by(studio.route.harness["hose"])) < np.radians(0.5)
