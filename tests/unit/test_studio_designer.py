"""What a designer asks of the studio: what touches, which limit is broken, a motion that is kept, words that are known."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from taut.cables.rod import leading
from taut.cables.rod.judging import touches
from taut.cables.rod.leading import lead
from taut.cables.rod.route import Route, RouteError
from taut.cables.rod.touching import touched_by
from taut.cables.rod.values import RodError
from taut.cli import main
from taut.view.route_camera import FIELD, Window, fitted, seen
from taut.view.route_studio import Studio

#: a hose that lies on a post
ROUTE = """taut: 1
route:
  parts:
    post: {shape: {type: cylinder, radius: 20 mm, length: 300 mm}, point: [150 mm, 0, -105 mm], quaternion: [0.70710678, 0.70710678, 0, 0]}
  cables:
    hose: {length: 380 mm, segments: 30, section: {diameter: 12 mm}, E: 6 MPa, nu: 0.45, density: 1200 kg/m^3, start: {point: [0, 0, 0]}, end: {point: [300 mm, 0, 0]}, limits: {bend_radius: 20 mm}}
    line: {length: 360 mm, segments: 30, section: {diameter: 6 mm}, E: 6 MPa, nu: 0.45, density: 1200 kg/m^3, start: {point: [0, -200 mm, 0]}, end: {point: [300 mm, -200 mm, 0]}}
"""
MOTION = b"time,post.z\n0,-0.105\n0.1,-0.1\n0.2,-0.102\n"


@pytest.fixture
def route(tmp_path: Path) -> Route:
    (tmp_path / "hose.yaml").write_text(ROUTE)
    made = Route.load(tmp_path / "hose.yaml")
    made.solve()
    return made


@pytest.fixture
def studio(tmp_path: Path, route: Route):
    made = Studio(route, tmp_path, "127.0.0.1", 0)
    yield made
    made.stop()


def test_what_a_cable_touches_is_told_with_where_and_how_hard(route, tmp_path, capsys) -> None:
    harness = route.harness
    (post,) = touched_by(harness, harness["hose"])
    assert post.name == "post" and not touched_by(harness, harness["line"])
    # between two places that push at both sides of the middle the pushes are not quite along one line
    assert post.push == pytest.approx(np.linalg.norm(harness.contact_force["post"]), rel=0.1)
    for place in post.places:
        assert np.hypot(place.point[0] - 0.15, place.point[2] + 0.105) == pytest.approx(0.02, abs=1e-4)
    (line,) = touches(route)
    assert re.fullmatch(r"hose touches post at s = \d+( to \d+)? mm, pushes with [\d.]+ N", line)
    assert main(["route", str(tmp_path / "hose.yaml"), "--no-view", "--report", str(tmp_path / "out.html")]) == 0
    assert line in capsys.readouterr().out and line in (tmp_path / "out.html").read_text()


def test_two_cables_that_touch_tell_of_each_other(tmp_path) -> None:
    text = ROUTE.replace("route:\n", "route:\n  itself: true\n", 1).replace("length: 360 mm", "length: 400 mm")
    for x, y in (("0", "-150 mm"), ("300 mm", "150 mm")):
        text = text.replace(f"point: [{x}, -200 mm, 0]", f"point: [150 mm, {y}, 10 mm], direction: [0, 1, 0]")
    (tmp_path / "two.yaml").write_text(text)
    route = Route.load(tmp_path / "two.yaml")
    route.solve()
    told = " ".join(touches(route))
    assert "hose touches line" in told and "line touches hose" in told


def test_what_touches_is_marked_and_told_in_the_page(studio) -> None:
    marks, (post,) = studio.scene._touches, touched_by(studio.route.harness, studio.route.harness["hose"])
    assert len(marks) == len(post.places) and 'data-taut="touches"' in studio._state.content
    assert {tuple(mark.position) for mark in marks} == {tuple(place.point) for place in post.places}
    studio.route.harness.move_obstacle("post", [0.15, 0.0, -0.5])
    studio.route.harness.solve()
    studio.redraw()
    assert not studio.scene._touches and 'data-taut="touches"' not in studio._state.content


def test_a_limit_that_is_broken_is_named(studio) -> None:
    assert 'data-taut="broken"' not in studio._state.content
    studio._limits["clearance"].value = 3.0
    studio._set_limit("clearance")
    (told,) = re.findall(r'data-taut="broken" hidden>([^<]*)<', studio._state.content)
    assert re.fullmatch(r"hose: clearance 0 mm to post at \d+ mm, allowed at least 3 mm", told)


def test_a_limit_keeps_the_motion_and_judges_it_anew(studio) -> None:
    studio.motion.run("lift.csv", MOTION)
    cycle, frames = studio.motion.cycle, studio.motion.frames
    assert "FAIL" not in studio.motion.table.content
    studio._limits["clearance"].value = 3.0
    studio._set_limit("clearance")
    assert studio.motion.cycle is cycle and "FAIL" in studio.motion.table.content
    frames.watch(1)
    assert 'data-broken="1"' in studio._state.content, "and so are its frames"
    studio.undo()
    assert studio.motion.cycle is cycle and "FAIL" not in studio.motion.table.content
    studio._length.value = 385.0
    studio._set_length()
    assert studio.motion.cycle is None, "another length is another shape"


def test_beside_the_worst_of_a_motion_stands_its_frame(studio) -> None:
    studio.motion.run("lift.csv", b"time,post.z,line.end.x\n0,-0.105,0.3\n0.1,-0.1,0.28\n0.2,-0.102,0.3\n")
    worst = studio.motion.cycle.worst
    for (cable, what), one in worst.items():
        assert studio.motion.cycle.history[cable, what][one.frame] == one.finding.value
    told = [one.frame for key, one in worst.items() if not studio.motion.cycle.constant(key)]
    shown = re.findall(r'data-frame="(\d+)"', studio.motion.table.content)
    assert len({*told}) > 1 and [int(word) - 1 for word in shown] == told
    assert len(told) < len(worst) and "in every frame" in studio.motion.table.content


def test_a_missing_mesh_and_cables_that_are_too_short_are_told_with_all_else(tmp_path) -> None:
    text = ROUTE.replace("length: 380 mm", "length: 280 mm").replace("bend_radius: 20 mm", "bend_radius: 20 kg")
    text = text.replace("length: 360 mm", "length: 260 mm")
    text = text.replace("  cables:\n", "    lid: {shape: {type: mesh, file: lid.stl, unit: mm, up: z}}\n  cables:\n")
    (tmp_path / "bad.yaml").write_text(text)
    with pytest.raises(RouteError) as error:
        Route.load(tmp_path / "bad.yaml")
    told = {problem.line: str(problem) for problem in error.value.problems}
    assert list(told) == [5, 7, 8]
    assert "parts.lid" in told[5] and "no such file" in told[5]
    assert "limits.bend_radius" in told[7]
    assert "cables.line.length" in told[8] and "40 mm too short" in told[8]
    # a clip that is too far away, and a cable that is wrong in nothing else
    text = ROUTE.replace("length: 380 mm", "length: 280 mm")
    text = text.replace("0]}}\n", "0]}, clips: [{s: 100 mm, point: [120 mm, -200 mm, 0]}]}\n")
    (tmp_path / "bad.yaml").write_text(text)
    with pytest.raises(RouteError) as error:
        Route.load(tmp_path / "bad.yaml")
    assert "hose.length: start and end" in str(error.value) and "line.length: start and clip 1" in str(error.value)


def test_a_saved_file_is_opened_no_more_often_than_it_takes(route, monkeypatch) -> None:
    """Once where it opens as it stands, three times at most."""
    opened = []
    ways = iter([{}, {"hose": 0.1}, {"hose": 0.1}, {}])
    monkeypatch.setattr(leading, "elsewhere", lambda *_, **__: opened.append(1) or next(ways))
    assert lead(route) == {} and len(opened) == 1
    opened.clear()
    assert lead(route) == {} and len(opened) == 3
    assert "through" in route.data["route"]["cables"]["hose"] and route.lean is not None


def test_the_name_of_what_is_chosen_stands_where_no_arrow_points(studio) -> None:
    studio.chosen.choose("body/hose.end")
    control, name = studio.scene._controls["body/hose.end"], studio.scene._names["body/hose.end"]
    away = np.array(name.position) - np.array(control.position)
    assert away[:2] == pytest.approx([0.0, 0.0]) and away[2] > control.scale, "above the arrows and what they move"


@pytest.mark.parametrize("size", [(1280, 800), (1000, 640), (2560, 1300)])
def test_all_of_it_fills_what_the_panel_leaves_free(route, size) -> None:
    window = Window(*map(float, size))
    points = seen(route, cables=True)
    position, look_at = fitted(points, window)
    ahead = (look_at - position) / np.linalg.norm(look_at - position)
    right = np.cross(ahead, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    half = np.tan(0.5 * FIELD)
    depth = (points - position) @ ahead
    x = (points - position) @ right / depth / (half * size[0] / size[1])
    y = (points - position) @ np.cross(right, ahead) / depth / half
    west, east, south, north = window.free()
    assert west < x.min() and x.max() < east and south < y.min() and y.max() < north
    assert max(np.ptp(x) / (east - west), np.ptp(y) / (north - south)) == pytest.approx(0.76, abs=0.01)
    assert x.max() + x.min() == pytest.approx(west + east, abs=0.02)


def test_a_length_or_direction_that_is_no_number_is_refused_in_words(studio) -> None:
    studio.new.length.value = "long"
    with pytest.raises(RodError, match=r"expected a number of mm, .* or automatic"):
        studio.new.make()
    studio.new.length.value, studio.new.leaves.value = "automatic", "1, 2"
    with pytest.raises(RodError, match="leaves along '1, 2' is refused: expected three numbers"):
        studio.new.make()
