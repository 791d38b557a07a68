"""What the studio says and how it calls things: names in the picture, files, folders, kinds of clips, a motion in the wrong unit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from taut.cables.rod.motion import read_motion, run_motion
from taut.cables.rod.route import Route
from taut.cables.rod.values import RodError
from taut.view.route_kinds import KINDS, OTHER
from taut.view.route_marks import middles
from taut.view.route_studio import Studio
from taut.view.route_twist import twist_told

ROUTE = """taut: 1
route:
  parts:
    post: {shape: {type: box, size: [20 mm, 20 mm, 20 mm]}, point: [150 mm, 300 mm, 0]}
  cables:
    hose:
      {length: 400 mm, segments: 30, section: {outer: 12 mm, inner: 8 mm}, E: 6 MPa, nu: 0.45, density: 1200 kg/m^3,
       start: {point: [0, 0, 0]}, end: {point: [300 mm, 0, 0]},
       clips: [{name: guide, s: 200 mm, point: [150 mm, 0, -90 mm], direction: [1, 0, 0], release: slide}]}
    line: {length: 360 mm, segments: 30, section: {diameter: 6 mm}, E: 6 MPa, nu: 0.45, density: 1200 kg/m^3, start: {point: [0, -200 mm, 0]}, end: {point: [300 mm, -200 mm, 0]}}
"""


@pytest.fixture
def studio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "first.yaml").write_text(ROUTE)
    made = Studio(Route.load(tmp_path / "first.yaml"), tmp_path, "127.0.0.1", 0)
    yield made
    made.stop()


def test_all_names_are_those_of_cables_and_parts_too(studio) -> None:
    studio.chosen.names.value = True
    studio.chosen.set_axes()
    assert {"cable/hose", "cable/line", "part/post", "clip/hose/guide"} <= {*studio.scene._names}
    assert middles(studio.route)["part/post"] == pytest.approx([0.15, 0.3, 0.0])
    away = np.array(studio.scene._names["cable/line"].position) - studio.route.harness["line"].points[15]
    assert away[:2] == pytest.approx([0.0, 0.0]) and away[2] > 0.01, "above it, not on it"
    studio.chosen.names.value = False
    studio.chosen.set_axes()
    assert not studio.scene._names


def test_files_are_called_like_what_was_saved_last(studio, tmp_path: Path) -> None:
    studio._length.value = 410.0
    studio._set_length()
    studio.save(str(tmp_path / "second.yaml"))
    assert studio.takeaway.report()[0] == "second.html" and studio.takeaway.file()[0] == "second.yaml"
    assert studio.takeaway.cables("all of them, in a ZIP", "centreline, table (CSV)")[0] == "second.csv.zip"
    studio.undo()
    assert studio.takeaway.file()[0] == "second.yaml"
    kept = studio.keep()
    assert kept is not None and kept.name == "second.unsaved.yaml"


def test_folders_tell_their_cable_and_what_is_taken_along_follows_it(studio) -> None:
    assert "of hose; 0: no limit" in studio._limits_of.content and "of hose" in studio._more_of.content
    studio._cable.value = "line"
    studio._other_cable()
    assert "of line; 0: no limit" in studio._limits_of.content and studio.takeaway.which.value == "line"
    studio.takeaway.which.value = "all of them, in a ZIP"
    studio._cable.value = "hose"
    studio._other_cable()
    assert studio.takeaway.which.value == "all of them, in a ZIP"


def test_a_clip_has_a_kind_and_one_that_slides_finds_its_place(studio) -> None:
    studio.chosen.choose("clip/hose/guide")
    assert tuple(studio.chosen.kind.options) == tuple(KINDS) and OTHER not in KINDS
    studio.chosen.arc.value = 180.0
    studio.chosen.set_arc()
    assert "is a sliding clip: the cable slips through it and finds its own place, at " in studio.message


def test_a_motion_tells_every_mistake_and_what_unit_it_is_in(studio, tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_text("time,pump.x,hose.end.w,hose.end.qw\n0,1,2\n1,a,b,c\n")
    with pytest.raises(RodError) as caught:
        read_motion(tmp_path / "bad.csv", studio.route)
    lines = str(caught.value).splitlines()
    assert len(lines) == 6 and "column 'hose.end.w'" in lines[0] and ".qx, .qy, .qz is missing" in lines[1]
    assert (
        "no connector, end or part 'pump'" in lines[2]
        and "bad.csv:2:" in lines[3]
        and "bad.csv:3: column pump.x: 'a'" in lines[4]
    )
    assert "bad.csv:3: column hose.end.qw: 'c'" in lines[5]
    (tmp_path / "mm.csv").write_text("time,hose.end.x\n0,300\n1,290\n")
    with pytest.raises(
        RodError, match=r"frame 1, 0 s: .* columns .x .y .z without a unit are in metres, were mm meant"
    ):
        run_motion(studio.route, tmp_path / "mm.csv")
    studio.motion.run("bad.csv", (tmp_path / "bad.csv").read_bytes())
    assert studio.message.startswith("motion bad.csv is refused: bad.csv: column") and "pump" in studio.message


def test_twist_that_comes_with_a_change_is_told(studio) -> None:
    before = studio._as_it_stands()
    assert twist_told(before, studio.route) == ""
    studio.route.harness.rotate("line.end", (1, 0, 0), "60 deg")
    studio.route.harness.solve()
    told = twist_told(before, studio.route)
    assert told.startswith("line is twisted by ") and "take out the twist" in told and "hose" not in told
    assert twist_told(studio.route, before) == ""
