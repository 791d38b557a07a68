"""The frames of a motion in the studio: all of them can be seen again, and nothing is solved for it."""

import numpy as np
import pytest
from waiting import wait_for

from taut.cables.rod.limits import findings
from taut.cables.rod.motion import run_motion
from taut.cables.rod.network import Network
from taut.cables.rod.route import Route
from taut.cables.rod.stills import stand
from taut.view.route_studio import Studio

#: a hose that comes to lie on a post, a line that slides through a clip, a lead with a plug that is let go
ROUTE = """taut: 1
route:
  parts:
    post: {shape: {type: cylinder, radius: 20 mm, length: 300 mm}, point: [150 mm, 0, -150 mm], quaternion: [0.70710678, 0.70710678, 0, 0]}
  connectors:
    plug: {point: [200 mm, 200 mm, -100 mm], held: free, mass: 20 g}
  cables:
    hose: {length: 380 mm, segments: 30, section: {diameter: 12 mm}, E: 6 MPa, nu: 0.45, density: 1200 kg/m^3, start: {point: [0, 0, 0]}, end: {point: [300 mm, 0, 0]}, limits: {bend_radius: 20 mm}}
    line:
      {length: 360 mm, segments: 30, section: {diameter: 6 mm}, E: 6 MPa, nu: 0.45, density: 1200 kg/m^3, start: {point: [0, -200 mm, 0]}, end: {point: [300 mm, -200 mm, 0]},
       clips: [{s: 150 mm, point: [120 mm, -200 mm, -50 mm], release: slide}]}
    lead: {length: 300 mm, segments: 20, section: {diameter: 6 mm}, E: 6 MPa, nu: 0.45, density: 1200 kg/m^3, start: {point: [0, 200 mm, 0]}, end: {at: plug}}
"""
FRAMES = 6
MOTION = "time,post.z,line.end.x\n" + "".join(
    f"{0.1 * k:g},{-0.13 + 0.005 * k:g},{0.3 - 0.004 * k:g}\n" for k in range(FRAMES)
)


@pytest.fixture
def studio(tmp_path):
    (tmp_path / "hose.yaml").write_text(ROUTE)
    made = Studio(Route.load(tmp_path / "hose.yaml"), tmp_path, "127.0.0.1", 0)
    made.motion.run("lift.csv", MOTION.encode())
    yield made
    made.stop()


def test_a_frame_that_is_seen_again_has_all_that_it_had(tmp_path, monkeypatch) -> None:
    """Every measure of every frame, forces, clearances and slid clips among them, in any order, without a solve."""
    (tmp_path / "hose.yaml").write_text(ROUTE)
    (tmp_path / "lift.csv").write_text(MOTION)
    route = Route.load(tmp_path / "hose.yaml")
    route.solve()
    cycle = run_motion(route, tmp_path / "lift.csv", stills=True)
    assert [one.solution.contacts > 0 for one in cycle.stills][:: FRAMES - 1] == [False, True]
    assert len({one.asked.chains[1].clips[1].share for one in cycle.stills}) == FRAMES, "it slides"
    monkeypatch.setattr(Network, "newton", None)
    for k in (0, 5, 3, 1, 4, 2):
        stand(route.harness._net, cycle.stills[k])
        for name in route.harness.cables:
            assert np.array_equal(route.harness[name].points, cycle.shapes[name][k])
            for one in findings(route.harness, name, route.limits[name], route.clips[name]):
                expected = cycle.history[name, one.what][k]
                assert one.value == pytest.approx(expected, rel=1e-9, abs=1e-12), (k, name, one.what)


def test_the_slider_shows_a_frame_and_an_edit_goes_back(studio, monkeypatch) -> None:
    frames, present = studio.motion.frames, studio.route.harness["hose"].points
    assert frames.slider.visible and frames.slider.max == FRAMES and not studio.watching
    drawn = []
    monkeypatch.setattr(studio.scene, "draw", lambda route, *_, **how: drawn.append((route, how["arrows"])))
    studio.chosen.choose("part/post")
    frames.watch(FRAMES - 1)
    assert studio.watching and drawn[-1] == (studio.seen, False)
    assert studio.seen.harness._obstacle("post").point[2] == pytest.approx(-0.105)
    assert np.array_equal(studio.seen.harness["hose"].points, studio.motion.cycle.shapes["hose"][-1])
    assert np.array_equal(studio.route.harness["hose"].points, present), "the route itself stays as it stands"
    assert f"frame {FRAMES} of {FRAMES} of motion lift.csv, at 0.5 s" in studio._state.content
    assert not studio.chosen.point.visible and "-105) mm" in studio.chosen.where.content
    assert studio.takeaway.cables("hose", "centreline, table (CSV)")[0] == f"hose_frame_{FRAMES}.csv"
    # another cable of the same frame, by a click on it: it is not taken in hand
    studio.take("lead", np.array([0.1, 0.2, 1.0]), np.array([0.0, 0.0, -1.0]))
    assert studio.watching and studio.chosen.key == "cable/lead" and "<b>lead</b>" in studio._state.content
    frames.leave()
    assert not studio.watching and drawn[-1] == (studio.route, True)
    frames.watch(2)
    studio._cable.value, studio._length.value = "hose", 385.0
    studio._set_length()
    assert not studio.watching and not frames.slider.visible, "frames of what was changed are gone"
    assert drawn[-1][0] is studio.route and "frame 3" not in studio._state.content


def test_a_motion_is_played_to_its_end_and_paused(studio, monkeypatch) -> None:
    monkeypatch.setattr("taut.view.route_frames.SHORTEST", 0.5)
    frames = studio.motion.frames
    frames.run()
    assert frames.play.label == "pause"
    wait_for(lambda: frames.play.label == "play")
    assert frames.slider.value == FRAMES and studio.watching
    frames.run()
    wait_for(lambda: 1 < frames.slider.value < FRAMES)
    frames.pause()
    where = frames.slider.value
    assert frames.play.label == "play" and studio.seen is not studio.route
    frames.run()
    studio.undo()
    assert frames.slider.value >= where
    frames.leave()
    assert not studio.watching


def test_a_length_that_may_be_in_millimetres_is_warned_of_in_the_page(tmp_path) -> None:
    """When the file is opened, as long as it stands there, and when a cable is made."""
    steel = "section: {diameter: 4 mm}, E: 200 GPa, nu: 0.3, density: 7850 kg/m^3"
    ends = "start: {point: [0, 0, 0]}, end: {point: [5, 0, 0]}"
    (tmp_path / "long.yaml").write_text(
        f"taut: 1\nroute:\n  cables:\n    line: {{length: 5.5, segments: 10, {steel}, {ends}}}\n"
    )
    made = Studio(Route.load(tmp_path / "long.yaml"), tmp_path, "127.0.0.1", 0)
    try:
        assert "are lengths in mm meant? 5.5 is 5.5 m" in made.message and "lengths in mm" in made._state.content
        made._set_limit("bend_radius")
        made.say("something else")
        assert 'data-taut="warned"' in made._state.content, "it stands there as long as it is so"
        made.new.first.value, made.new.last.value = (0.0, 100.0, 0.0), (40000.0, 100.0, 0.0)
        made.new.card.value, made.new.length.value = "steel brake line", "41000"
        made.new.make()
        assert "cable_1: segments of" in made.message
    finally:
        made.stop()
