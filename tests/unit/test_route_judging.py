"""Limits in words and tables: how many are broken, what cannot be judged, what does not change in a motion."""

from __future__ import annotations

import copy
import math
from pathlib import Path

import numpy as np
import pytest

from taut.cables.rod.judging import EVERY, rows, table, verdict
from taut.cables.rod.limits import Finding
from taut.cables.rod.motion import Cycle, run_motion
from taut.cables.rod.route import Route
from taut.view.route_report import _motion_figure, write_report
from taut.view.route_results import page, worst_of
from taut.view.route_tools import place_at

DATA = {
    "taut": 1,
    "route": {
        "cables": {
            name: {
                "length": "380 mm", "segments": 20, "section": {"diameter": "12 mm"}, "E": "6 MPa", "nu": 0.45, "density": "1200 kg/m^3",
                "start": {"point": [0, y, 0]}, "end": {"point": ["300 mm", y, 0]},
            }
            for name, y in (("hose", 0), ("line", "100 mm"))
        }
    },
}  # fmt: skip


@pytest.fixture
def route() -> Route:
    data = copy.deepcopy(DATA)
    data["route"]["cables"]["hose"]["limits"] = {"bend_radius": "900 mm", "clearance": "3 mm", "length": "500 mm"}
    data["route"]["cables"]["hose"]["clips"] = [
        {"s": "190 mm", "point": ["150 mm", 0, "-90 mm"], "direction": [1, 0, 0], "release": "ball"}
    ]
    made = Route.of(data)
    made.solve()
    return made


@pytest.fixture
def cycle(route: Route, tmp_path: Path) -> Cycle:
    (tmp_path / "pump.csv").write_text("time,hose.end.x\n0,0.3\n0.1,0.29\n0.2,0.28\n")
    return run_motion(route, tmp_path / "pump.csv")


def test_a_limit_that_cannot_be_judged_keeps_its_row(route: Route, tmp_path: Path) -> None:
    found = rows(route)
    (line,) = [line for line in table(found) if "clearance" in line]
    assert line.split(maxsplit=2)[2].startswith("nothing to be clear of") and line.endswith("not judged")
    assert verdict(found) == (
        "One limit is broken, 1 kept: bend radius of hose. Not judged: clearance of hose (nothing to be clear of)."
    )
    assert "nothing to be clear of" in page(route, "hose", "", True)
    assert not write_report(route, tmp_path / "out.html")
    text = (tmp_path / "out.html").read_text()
    assert "<td>nothing to be clear of</td>" in text and "not judged</td>" in text and "<td>ball joint</td>" in text


def test_what_does_not_change_in_a_motion_has_no_time(route: Route, cycle: Cycle, tmp_path: Path) -> None:
    found = {(one.cable, one.what): when for one, when in rows(route, cycle)}
    assert found["hose", "length"] == EVERY and ("line", "length") not in found
    assert found["line", "bend_radius"] == found["line", "end_force"] == EVERY
    assert found["hose", "bend_radius"].endswith(" s") and found["hose", "clearance"] == ""
    frames = {key: one.frame for key, one in cycle.worst.items() if not cycle.constant(key)}
    assert "data-frame" not in worst_of([row for row in rows(route, cycle) if row.finding.cable == "line"], frames)
    write_report(route, tmp_path / "out.html", cycle)
    assert "pump.csv: 3 frames, 0 to 0.2 s." in (tmp_path / "out.html").read_text()


def test_a_constant_is_drawn_as_one_and_a_cable_has_one_colour(route: Route, cycle: Cycle) -> None:
    cycle.history["line", "end_force"] = [0.7617557279e0 + 1e-13 * k for k in range(3)]
    figure = _motion_figure(route, cycle)
    figure.canvas.draw()
    for axis in figure.axes:
        assert axis.yaxis.get_major_formatter().get_offset() == ""
        assert {line.get_label(): line.get_color() for line in axis.lines}.items() <= {
            "hose": "C0",
            "line": "C1",
        }.items()


def test_numbers_are_plain() -> None:
    assert Finding("hose", "end_force", 3e-12, "", None, None).shown()[0] == "0 N"
    assert Finding("hose", "length", 12.345, "", 20.0, True).shown() == ("12340 mm", "at most 20000 mm", "pass")
    assert Finding("hose", "clip_force", math.nan, "", 1.0, None).shown() == ("no clips", "at most 1 N", "not judged")
    there = place_at(np.array([0.020000000003, -8e-9, 0.06]), np.array([0.0, 0.0, 1.0]), "mm")
    assert there["point"] == ["20 mm", 0, "60 mm"]
