"""Ropes coloured by what they carry, and by how they are bent."""

from pathlib import Path

import numpy as np
import pytest
import viser

from taut.record import Recorder, Recording
from taut.scenes import open_scene
from taut.view import readout, shares
from taut.view import server as web
from taut.view.colours import HOT, SLACK, as_bytes, heat
from taut.view.curves import along_pieces
from taut.view.frame import Frame, Rope
from taut.view.live import LivePlayer
from taut.view.mirror import Mirror, start_frame
from taut.view.replay import ReplayPlayer
from taut.view.shades import HALVED, Scales, largest_pull, pull_along


def test_colours_go_from_slack_to_hot() -> None:
    found = heat(np.array([0.0, 0.5, 1.0, 2.0]))
    assert tuple(found[0]) == as_bytes(SLACK) and tuple(found[2]) == tuple(found[3]) == as_bytes(HOT)
    assert along_pieces(np.array([0.0, 2.0]), 3) == pytest.approx([0.0, 1.0, 2.0])
    assert along_pieces(np.zeros(0), 2) == pytest.approx([0.0, 0.0])


def test_a_hose_is_hot_where_it_is_bent_most_and_the_legend_tells_the_radius() -> None:
    """A straight piece, then a quarter of a circle of 0.2 m."""
    server, scene = web.start("127.0.0.1", 0), open_scene("robot_hose")
    try:
        mirror = Mirror(server, scene)
        name = next(iter(scene.rods()))
        count = len(mirror.rods._last[name])
        straight = count // 2
        angle = np.linspace(0.0, 0.5 * np.pi, count - straight)
        line = np.zeros((count, 3))
        line[:straight, 0] = np.linspace(-1.0, -0.02, straight)
        line[straight:] = 0.2 * np.column_stack([np.sin(angle), np.zeros(len(angle)), 1.0 - np.cos(angle)])
        start = start_frame(scene)
        bent = Rope(np.zeros(0), np.full(count, 50.0), points=line)
        frame = Frame(0.0, 1, start.positions, start.orientations, cables={name: bent})
        mirror.colour_by(False, True)
        assert mirror.rods.changed
        mirror.show(frame)
        colours = mirror.rods._handle.batched_colors
        assert tuple(colours[0]) == as_bytes(SLACK) and np.abs(colours[-2] - np.array(as_bytes(HOT), float)).max() < 3
        assert mirror.scales.sharpest == pytest.approx(5.0, rel=0.02)
        assert "radius 200 mm" in readout.bends(5.0) and "straight" in readout.bends(0.0)
        mirror.colour_by(True, False)
        mirror.show(frame)
        assert mirror.scales.highest == 50.0 and tuple(mirror.rods._handle.batched_colors[0]) == as_bytes(HOT)
        mirror.colour_by(False, False)
        mirror.show(frame)
        assert not mirror.rods.changed and (mirror.rods._handle.batched_colors == mirror.rods._plain).all()
    finally:
        web.stop(server)


@pytest.fixture(scope="module")
def yard() -> LivePlayer:
    """Ropes between two points and a chain, some steps on."""
    player = LivePlayer(open_scene("yard"))
    player.advance(30)
    return player


def test_links_of_chains_and_ropes_between_points_are_coloured_by_what_they_carry(yard: LivePlayer) -> None:
    server = web.start("127.0.0.1", 0)
    try:
        mirror, frame = Mirror(server, yard.scene), yard.frame((), False)
        # what has a look of several colours keeps them
        coloured = [group.handle for group in mirror.groups if isinstance(group.handle, viser.BatchedMeshHandle)]
        plain = [handle.batched_colors.copy() for handle in coloured]
        mirror.colour_by(True, False)
        mirror.show(frame)
        largest = max(float(rope.tension.max()) for rope in frame.cables.values() if len(rope.tension))
        assert mirror.scales.highest == largest > 0.0
        # the hottest rope between two points has the colour that the one scale gives to its tension
        ties = [tie.name for tie in mirror.ties._ropes.ties]
        k, pull = ties.index("hoist"), yard.sim.read("hoist.tension")
        shown = mirror.ties._handle.batched_colors[k * mirror.ties._ropes.pieces]
        assert tuple(shown) == tuple(heat(np.array([pull / largest]))[0])
        links = list(yard.scene.chains["chain"].link_names("chain"))
        number = list(yard.scene.all_bodies()).index(links[0])
        group = next(group for group in mirror.groups if number in group.bodies)
        there = yard.sim.read("chain.tension")[0]
        assert tuple(group.handle.batched_colors[group.bodies.index(number)]) == tuple(
            heat(np.array([there / largest]))[0]
        )
        mirror.colour_by(False, False)
        mirror.show(frame)
        assert all((handle.batched_colors == was).all() for handle, was in zip(coloured, plain))
    finally:
        web.stop(server)


def test_what_is_not_known_keeps_its_own_colour(yard: LivePlayer) -> None:
    scales = Scales()
    scales.note([Rope(np.zeros(0), np.array([10.0, 30.0]))], 0.0)
    plain = np.array([[1, 2, 3], [4, 5, 6]], np.uint8)
    found = scales.by_tension(np.array([np.nan, 30.0]), plain)
    assert tuple(found[0]) == (1, 2, 3) and tuple(found[1]) == as_bytes(HOT)
    assert np.isnan(pull_along(None, 2)).all()
    scales.clear()
    assert scales.highest == scales.sharpest == 0.0


def test_a_jerk_is_forgotten_by_and_by_and_not_by_going_back() -> None:
    scales, rest = Scales(), [Rope(np.zeros(0), np.array([10.0]))]
    scales.note([Rope(np.zeros(0), np.array([80.0]))], 1.0)
    scales.note(rest, 1.0 + HALVED)
    assert scales.highest == pytest.approx(40.0)
    scales.note(rest, 1.0)
    assert scales.highest == pytest.approx(40.0)
    scales.note(rest, 1.0 + 20.0 * HALVED)
    assert scales.highest == 10.0, "what is there now is shown in full"


def test_the_scale_knows_what_was_largest_before_it_is_asked_for(yard: LivePlayer) -> None:
    server = web.start("127.0.0.1", 0)
    try:
        mirror, start = Mirror(server, yard.scene), start_frame(yard.scene)
        for step, pull in ((1, 9e4), (2, 3e4)):
            rope = {"hoist": Rope(np.zeros(0), np.array([pull]))}
            mirror.show(Frame(0.1 * step, step, start.positions, start.orientations, cables=rope))
        mirror.colour_by(True, False)
        # less the little that is forgotten in a tenth of a second
        assert 8.5e4 < mirror.scales.highest < 9e4
    finally:
        web.stop(server)


@pytest.mark.parametrize(
    "scene", ["heavy_chain", "tow", "honeycomb_hoist", "rope_over_edge", "tower_crane", "robot_hose"]
)
def test_a_recording_knows_the_tension_of_everything_that_is_coloured(scene: str, tmp_path: Path) -> None:
    player = LivePlayer(open_scene(scene))
    with Recorder(tmp_path / "run.h5", player.sim) as recorder:
        for _ in range(6):
            player.advance(1)
            recorder.take()
    live = player.frame((), False)
    with Recording(tmp_path / "run.h5") as recording:
        replayed = ReplayPlayer(recording)
        replayed.seek(live.time)
        then = replayed.frame((), False)
        for name, rope in live.cables.items():
            assert len(rope.tension) and len(then.cables[name].tension), name
            then_pull, pull = largest_pull(then.cables[name]), largest_pull(rope)
            assert max(then_pull, 0.0) == pytest.approx(max(pull, 0.0), rel=1e-3, abs=1.0), name
            if rope.course_tension is not None:
                # on either side of an edge it is another, and is shown so
                assert np.ptp(rope.course_tension) > 0.1 * pull
                assert then.cables[name].course_tension == pytest.approx(rope.course_tension, rel=1e-6)


def test_share_of_the_breaking_load_is_one_scale_however_strong_the_ropes_are() -> None:
    scene = open_scene("gantry").with_overrides(
        [f"{name}.breaking_load={600 + 100 * k} kN" for k, name in enumerate(open_scene("gantry").cables)]
    )
    known = shares.breaking_loads(scene)
    assert list(known) == list(scene.cables) and known["left"] in (6e5, 7e5, 8e5, 9e5, 1e6, 1.1e6)
    start = start_frame(scene)
    # both carry a fifth of what breaks them, in newtons they differ
    cables = {name: Rope(np.zeros(1), np.array([0.2 * known[name]])) for name in ("left", "sling_1")}
    frame = Frame(0.0, 1, start.positions, start.orientations, cables=cables)
    found = shares.as_shares(frame, known)
    assert found.cables["left"].tension == pytest.approx([0.2]) == found.cables["sling_1"].tension
    scales = Scales()
    scales.note(cables.values(), 0.0)
    scales.whole = True
    plain = np.zeros((1, 3), np.uint8)
    assert tuple(scales.by_tension(np.array([0.2]), plain)[0]) == tuple(heat(np.array([0.2]))[0])
    assert shares.safety(scene, "left", 0.2 * known["left"]) == "safety factor 5"
    assert not shares.safety(scene, "left", 0.0) and not shares.safety(scene, "load", 1.0)
    told = readout.shares(shares.USUAL)
    assert "100 %" in told and "left:20%" in told
    assert not shares.breaking_loads(open_scene("yard")), "nobody knows what breaks its chain"


def test_the_picture_is_coloured_anew_when_the_meaning_of_the_colours_changes() -> None:
    server, scene = web.start("127.0.0.1", 0), open_scene("gantry")
    scene = scene.with_overrides([f"{name}.breaking_load=1 MN" for name in scene.cables])
    try:
        mirror, player = Mirror(server, scene), LivePlayer(scene)
        player.advance(30)
        frame = player.frame((), False)
        mirror.colour_by(True, False)
        mirror.show(frame)
        hot = mirror.cables.handle.batched_colors.copy()  # type: ignore[union-attr]
        mirror.colour_by(False, False, True)
        mirror.show(frame)
        pale = mirror.cables.handle.batched_colors  # type: ignore[union-attr]
        assert (pale != hot).any(), "ropes that carry little of what they could are not red"
    finally:
        web.stop(server)
