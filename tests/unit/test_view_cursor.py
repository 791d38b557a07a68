"""What the cursor reads of a rope beside its tension: how it is bent, on what, and how it is twisted."""

import numpy as np
import pytest

from taut.scenes import open_scene
from taut.view import server as web
from taut.view.axes import number
from taut.view.cursor import Cursor
from taut.view.curves import curvatures
from taut.view.live import LivePlayer
from taut.view.mirror import Mirror
from taut.view.pick import Picked, Picker
from taut.view.readout import fixed, metres, newtons, places


def test_the_curvature_of_a_circle_is_one_over_its_radius_and_a_line_has_none() -> None:
    angle = np.linspace(0.0, 2.0, 7)
    circle = 0.25 * np.column_stack([np.cos(angle), np.zeros(7), np.sin(angle)])
    assert curvatures(circle) == pytest.approx(np.full(5, 4.0))
    assert curvatures(np.linspace([0.0, 0.0, 0.0], [1.0, 2.0, 3.0], 6)) == pytest.approx(np.zeros(4), abs=1e-6)
    assert curvatures(np.zeros((4, 3))) == pytest.approx(np.zeros(2)), "points in one place"


@pytest.fixture
def server():  # type: ignore[no-untyped-def]
    made = web.start("127.0.0.1", 0)
    yield made
    web.stop(made)


def test_a_segmented_cable_is_read_where_it_was_hit(server) -> None:  # type: ignore[no-untyped-def]
    scene = open_scene("tow")
    player = LivePlayer(scene)
    player.advance(30)
    frame, cursor = player.frame((), False), Cursor(server, scene, Mirror(server, scene))
    name = next(iter(scene.strands()))
    names, _, _ = cursor.picker.lines(frame)
    middle = len(names) // 2
    here, smallest = cursor.bend(Picked("rope", name, np.zeros(3), middle, 0.0), frame)
    bent = np.asarray(player.sim.read(f"{name}.curvatures"))
    inner = bent[1:-1] if len(bent) > 2 else bent
    assert smallest == pytest.approx(1.0 / inner.max(), rel=0.1)
    assert here is not None and here >= smallest
    cursor.picked = Picked("rope", name, np.zeros(3), middle, 0.0)
    text = cursor._reading(cursor.picked, frame)
    assert "bend radius" in text and "twist" in text and "N" in text


def test_a_rope_over_sheaves_is_bent_as_they_are(server) -> None:  # type: ignore[no-untyped-def]
    scene = open_scene("block_and_tackle")
    player = LivePlayer(scene)
    player.advance(2)
    frame, mirror = player.frame((), False), Mirror(server, scene)
    cursor = Cursor(server, scene, mirror)
    names, starts, stops = cursor.picker.lines(frame)
    name = next(iter(scene.ropes()))
    spans = len(mirror.cables.paths.span) * 10
    on_wheel = next(k for k in range(spans, len(names)) if names[k] == name)
    radius = min(part.radius for part in scene.ropes()[name].parts() if getattr(part, "wraps", None) is not None)
    assert cursor.bend(Picked("rope", name, starts[on_wheel], on_wheel, 0.5), frame) == (radius, radius)
    assert cursor.bend(Picked("rope", name, starts[0], 0, 0.5), frame) == (None, radius)
    # the nearest point of a rope, and what to pull of it
    found = cursor.picker.near(0.5 * (starts[0] + stops[0]) + [0.0, 0.01, 0.0], frame)
    assert found is not None and (found.name, found.piece) == (names[0], 0)
    grip = cursor.picker.grip(found, frame)
    assert grip is not None and grip.span == 0 and grip.share == pytest.approx(0.05)
    assert cursor.picker.grip(Picked("rope", name, starts[on_wheel], on_wheel, 0.5), frame) is None, "held by a wheel"


@pytest.mark.parametrize(
    ("scene", "rope", "why"),
    [
        ("robot_hose", "hose", "is a rod"),
        ("honeycomb_hoist", "rope", "lattice"),
        ("mooring", "", "changes its model"),
        ("yard", "sling_1", "pull a body at its ends"),
    ],
)
def test_what_cannot_be_pulled_says_why_and_what_can(server, scene: str, rope: str, why: str) -> None:  # type: ignore[no-untyped-def]
    player = LivePlayer(open_scene(scene))
    player.advance(2)
    frame, mirror = player.frame((), False), Mirror(server, player.scene)
    picker, rope = Picker(player.scene, mirror), rope or next(iter(player.scene.cables))
    names, starts, _ = picker.lines(frame)
    piece = names.index(rope)
    picked = picker.near(starts[piece], frame)
    assert picked is not None and picked.name == rope
    assert picker.grip(picked, frame) is None
    assert why in picker.why_not(picked)
    # whoever tries is heard: it is among the things that can be dragged
    assert any("rod" in node.name or "honeycomb" in node.name or "rope" in node.name for node in mirror.rope_handles())


def test_a_link_of_a_chain_tells_what_it_carries(server) -> None:  # type: ignore[no-untyped-def]
    player = LivePlayer(open_scene("heavy_chain"))
    player.advance(30)
    frame = player.frame((), False)
    cursor = Cursor(server, player.scene, Mirror(server, player.scene))
    link = player.scene.chains["chain"].link_names("chain")[0]
    text = cursor._reading(Picked("body", link, np.zeros(3), arm=np.zeros(3)), frame)
    pull = float(player.sim.read("chain.tension")[0])
    assert text.startswith(newtons(pull)) and pull > 1e8


def test_of_a_body_the_place_clicked_its_centre_and_its_centre_of_mass_are_told(server) -> None:  # type: ignore[no-untyped-def]
    scene = open_scene("gantry")
    player = LivePlayer(scene)
    player.advance(2)
    frame = player.frame((), False)
    changed = [scene]
    cursor = Cursor(server, scene, Mirror(server, scene), lambda: changed[0])
    picked = Picked("body", "load", np.zeros(3), arm=np.array([1.3, 0.0, 0.2]))
    found = cursor.places(picked, frame)
    assert list(found) == ["clicked at", "centre"], "its centre of mass is its centre"
    assert found["centre"] == pytest.approx([0.0, 0.0, 0.55], abs=1e-3)
    assert found["clicked at"] == pytest.approx([1.3, 0.0, 0.75], abs=1e-3)
    changed[0] = scene.with_overrides(["load.centre=[0.4, 0, 0]"])
    assert cursor.places(picked, frame)["centre of mass"] == pytest.approx([0.4, 0.0, 0.55], abs=1e-3)
    table = places("load", "", cursor.places(picked, frame))
    assert all(word in table for word in ("clicked at", "centre of mass", "x [m]", "1.30"))
    assert "-0.00" not in table
    frame.positions[list(scene.all_bodies()).index("load")] = (-0.001, 0.004, -0.55)
    assert cursor._reading(picked, frame) == "centre at 0.00, 0.00, -0.55 m"


@pytest.mark.parametrize(
    ("told", "wanted"),
    [
        (fixed(-0.004, 2), "0.00"),
        (fixed(-0.006, 2), "-0.01"),
        (fixed(-0.0, 1), "0.0"),
        (newtons(-0.0), "0 N"),
        (metres(-1e-9), "0 mm"),
        (number(-0.0), "0.000"),
    ],
)
def test_what_is_rounded_to_zero_has_no_sign(told: str, wanted: str) -> None:
    assert told == wanted


def test_a_click_beside_everything_while_the_mark_is_written_ends_nothing(server, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    scene = open_scene("gantry")
    player = LivePlayer(scene)
    player.advance(2)
    frame, cursor = player.frame((), False), Cursor(server, scene, Mirror(server, scene))
    cursor.picked = Picked("body", "load", np.zeros(3), arm=np.zeros(3))
    cursor.show(frame)
    read = cursor._reading

    def meanwhile(picked: Picked, frame: object) -> str:
        cursor.picked = None  # by a thread of the server's
        return read(picked, frame)  # type: ignore[arg-type]

    monkeypatch.setattr(cursor, "_reading", meanwhile)
    assert "load" in cursor.write(frame), "it is still marked"
    cursor.show(frame)
    assert cursor.write(frame) == ""


def test_what_is_plotted_of_a_rope_is_its_tension_where_it_was_clicked(server) -> None:  # type: ignore[no-untyped-def]
    for scene_name, rope in (("tow", None), ("harness", "hose")):
        scene = open_scene(scene_name)
        player = LivePlayer(scene)
        player.advance(30)
        frame, cursor = player.frame((), False), Cursor(server, scene, Mirror(server, scene))
        name = rope or next(iter(scene.strands()))
        mine = [k for k, of in enumerate(cursor.picker.lines(frame)[0]) if of == name]
        last, size = player.sim.names[f"{name}.tensions"].size - 1, len(mine)
        for piece, number_ in ((0, 0), (size // 2, round((size // 2 + 0.5) / size * last)), (size - 1, last)):
            picked = Picked("rope", name, np.zeros(3), mine[piece], 0.5)
            chosen = cursor.quantity(picked, frame, player.unit_of)
            assert chosen.startswith(f"{name}.tensions[")
            assert int(chosen[:-1].partition("[")[2]) == pytest.approx(number_, abs=1)
            # what the mark says there
            assert player.sim.read(chosen) == pytest.approx(cursor.pull(picked, frame), rel=0.2, abs=1.0)
    assert player.unit_of(f"{name}.tensions[{last + 1}]") is None
    assert player.unit_of(f"{name}.tensions") is None and player.unit_of("hose.tension") == "N"
    assert player.unit_of("nobody.tension") is None


@pytest.mark.parametrize(("scene", "pulls"), [("harness", False), ("pendulum", True), ("gantry", True)])
def test_pulling_is_offered_where_something_can_be_pulled(server, scene: str, pulls: bool) -> None:  # type: ignore[no-untyped-def]
    made = open_scene(scene)
    player = LivePlayer(made)
    cursor = Cursor(server, made, Mirror(server, made))
    assert cursor.can_be_pulled(player.frame((), False)) == pulls
