"""Route files are saved as a person wrote them: only what was changed differs, in the unit that stood there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import yaml

from taut.cables.rod import route_text
from taut.cables.rod.leading import SAME, SAME_TWIST, lead
from taut.cables.rod.route import Route
from taut.cables.rod.routing import LIBRARY
from taut.cables.rod.written import length_like, numbers, point_like, unit_of_route
from taut.scene import units
from taut.view.route_places import remember
from taut.view.route_tools import lay, new_cable, remove_clip

TEXT = """# a hose of the cooler
taut: 1
route:
  parts:
    block: {shape: {type: box, size: [80 mm, 40 mm, 10 mm]}, point: [0.2, 0, -0.3]}  # below
  cables:
    hose:
      length: 600 mm        # as measured
      segments: 40
      section: {outer: 12 mm, inner: 8 mm}
      E: 6 MPa
      nu: 0.45
      density: 1200 kg/m^3
      start: {point: "[0, 0, 0] mm", direction: [1, 0, 0]}
      end: {point: [350 mm, 80 mm, 40 mm], direction: [1, 0, 0]}
      clips:
        # slides along
        - {name: guide, s: 0.3, point: [0.19, 0.03, -0.09], direction: [1, 0.2, 0], release: slide}
      limits: {bend_radius: 40 mm}

# the end
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "hose.yaml"
    made.write_text(TEXT)
    return made


def lines_that_differ(before: str, after: str) -> list[str]:
    old = before.splitlines()
    return [line for line in after.splitlines() if line not in old]


def test_a_file_that_is_opened_and_saved_without_change_stays_the_same(file: Path) -> None:
    route = Route.load(file)
    route.solve()
    assert route.data != yaml.safe_load(TEXT), "rolls and arc lengths were found"
    route.save(file)
    assert file.read_text() == TEXT
    other = file.with_name("copy.yaml")
    route.made_of(route.data).save(other)
    assert other.read_text() == TEXT, "also by way of a route that goes on from it"


def test_the_library_route_stays_the_same(tmp_path: Path) -> None:
    route = Route.load(LIBRARY / "harness.yaml")
    route.solve()
    route.save(tmp_path / "saved.yaml")
    assert (tmp_path / "saved.yaml").read_text() == (LIBRARY / "harness.yaml").read_text()


def test_only_what_was_changed_differs_in_the_unit_that_stood_there(file: Path) -> None:
    route = Route.load(file)
    route.solve()
    body = route.harness._body("hose.end")
    remember(route, "body/hose.end", np.array([0.36, 0.08, 0.0412345678912]), body.frame)
    remember(route, "body/hose.start", np.array([0.001, 0.0, 0.0]), route.harness._body("hose.start").frame)
    remember(route, "part/block", np.array([0.2, 0.0, -0.31]), np.array([1.0, 0.0, 0.0, 0.0]))
    route.save(file)
    text = file.read_text()
    data = yaml.safe_load(text)["route"]
    assert data["cables"]["hose"]["end"]["point"] == ["360 mm", "80 mm", "41.234568 mm"], "to a nanometre"
    assert data["cables"]["hose"]["start"]["point"] == "[1, 0, 0] mm"
    assert data["parts"]["block"]["point"] == [0.2, 0, -0.31] and "quaternion" not in data["parts"]["block"]
    assert "direction" in data["cables"]["hose"]["start"] and "quaternion" not in data["cables"]["hose"]["end"]
    for kept in ("# a hose of the cooler", "# below", "# as measured", "# slides along", "# the end", "E: 6 MPa"):
        assert kept in text
    assert len(lines_that_differ(TEXT, text)) == 4, "both ends, the part and the clip that has slid"
    again = Route.load(file)
    assert again.harness._body("hose.end").point == pytest.approx([0.36, 0.08, 0.041234568], abs=1e-12)


def test_a_turned_end_is_written_as_direction_and_up(file: Path) -> None:
    route = Route.load(file)
    route.solve()
    frame = np.array([0.5, 0.5, 0.5, 0.5])  # z along x, turned
    remember(route, "body/hose.end", np.array([0.35, 0.08, 0.04]), frame)
    end = route.data["route"]["cables"]["hose"]["end"]
    assert end["point"] == ["350 mm", "80 mm", "40 mm"]
    assert end["direction"] == [1, 0, 0] and end["up"] == [0, 1, 0] and "quaternion" not in end
    again = Route.of(route.data)
    assert abs(again.harness._body("hose.end").frame @ frame) == pytest.approx(1.0)


def test_units_are_those_of_the_file_and_millimetres_in_new_ones() -> None:
    assert (
        unit_of_route({"route": {"cables": {"a": {"start": {"point": [0, 0, 0]}, "end": {"point": [0.3, 0, 0]}}}}})
        == ""
    )
    assert unit_of_route({"route": {"cables": {"a": {"start": {"point": [0, "2 in", 0]}}}}}) == "in"
    assert unit_of_route({"route": {"cables": {"a": {"start": {"point": "[1, 2, 3] cm"}}}}}) == "cm"
    assert unit_of_route({"route": {"cables": {}}}) == "mm"
    assert point_like(None, (0.1, 0.0, -0.0123456789)) == ["100 mm", 0, "-12.345679 mm"]
    assert point_like([0.3, 0, 0], (0.25, 0.0, 0.1)) == [0.25, 0, 0.1]
    assert point_like(["1 cm", 0, 0], (0.01, 0.02, 0.0)) == ["1 cm", "2 cm", 0]
    assert length_like("auto", 0.5) == "500 mm" and length_like("0.5 m", 0.5) == "0.5 m"
    assert length_like(0.6, 0.46) == 0.46 and length_like("24 in", 0.254) == "10 in"
    assert numbers([1.0, -0.0, 0.123456789123], 8) == [1, 0, 0.12345679]
    for before in (None, [0.3, 0, 0], ["1 in", 0, 0], "[1, 2, 3] cm"):
        found = units.parse_vector(point_like(before, (0.123456789, -0.5, 3.25)), units.LENGTH)
        assert found == pytest.approx((0.123456789, -0.5, 3.25), abs=1e-9), "a nanometre is kept"


def test_new_cables_have_points_in_the_unit_of_the_file(file: Path) -> None:
    place = (np.array([0.1, 0.0, 0.05]), np.array([0.0, 0.0, 1.0]))
    other = (np.array([0.3, 0.1, 0.05]), np.array([0.0, 0.0, 1.0]))
    data = yaml.safe_load(TEXT)
    new_cable(data, "lead", "rubber hose", place, other)
    made = data["route"]["cables"]["lead"]
    assert made["start"] == {"point": ["100 mm", 0, "50 mm"], "direction": [0, 0, 1]}
    assert made["end"] == {"point": ["300 mm", "100 mm", "50 mm"], "direction": [0, 0, -1]}
    metres: dict = {"length": 0.5}
    lay(metres, place, other, "")
    assert metres["start"]["point"] == [0.1, 0, 0.05] and isinstance(metres["length"], float)


@pytest.mark.parametrize("change, many", [
    (lambda data: data["route"]["cables"]["hose"].update(E="8 MPa"), 1),
    (lambda data: data["route"]["cables"]["hose"]["clips"].append({"s": "450 mm", "point": ["1 mm", 0, 0]}), 1),
    (lambda data: data["route"]["cables"]["hose"]["clips"][0].update(name="bracket"), 1),
    (lambda data: data["route"].update(connectors={"plug": {"point": [0, 0, "1 mm"]}}), 3),
    (lambda data: data["route"]["parts"].pop("block"), 1),
    (lambda data: data["route"]["cables"]["hose"].pop("nu"), 0),
    (lambda data: data["route"]["cables"]["hose"].pop("limits"), 0),
    (lambda data: data["route"]["cables"]["hose"]["start"].pop("direction"), 1),
    (lambda data: data["route"].update(parts={"stone": data["route"]["parts"]["block"]}), 1),
    (lambda data: remove_clip(data["route"]["cables"]["hose"], "guide"), 0),
])  # fmt: skip
def test_changes_leave_the_rest_of_the_text(change, many: int) -> None:
    data = yaml.safe_load(TEXT)
    change(data)
    text = route_text.changed(TEXT, data)
    assert yaml.safe_load(text) == data
    assert len(lines_that_differ(TEXT, text)) == many
    assert "# a hose of the cooler" in text and "# as measured" in text


def test_what_is_shared_by_an_anchor_is_written_anew() -> None:
    text = "taut: 1\nroute:\n  cables:\n    a: &one {length: 1, end: {point: [1, 0, 0]}}\n    b: {<<: *one}\n"
    data = {"taut": 1, "route": {"cables": {"a": {"length": 2}, "b": {"length": 1, "end": {"point": [1, 0, 0]}}}}}
    assert yaml.safe_load(route_text.changed(text, data)) == data


def test_a_route_without_a_file_has_vectors_in_a_line(tmp_path: Path) -> None:
    data = yaml.safe_load(TEXT)
    Route.of(data, tmp_path).save(tmp_path / "new.yaml")
    text = (tmp_path / "new.yaml").read_text()
    assert "point: [350 mm, 80 mm, 40 mm]" in text and yaml.safe_load(text) == yaml.safe_load(TEXT)


HARNESS = """taut: 1
route:
  parts: {block: {shape: {type: box, size: [80 mm, 40 mm, 10 mm]}, point: [0.2, 0, -0.5]}}
  connectors: {plug: {point: [0, 0, 0]}, pump: {point: [350 mm, 150 mm, 40 mm]}}
  branches: {fork: {point: [200 mm, 0, 0]}}
  cables:
    trunk: {length: 230 mm, segments: 20, section: {diameter: 12 mm}, E: 6 MPa, nu: 0.4, density: 1200 kg/m^3, start: {at: plug}, end: {at: fork}}
    lead: {length: 300 mm, segments: 20, section: {diameter: 8 mm}, E: 6 MPa, nu: 0.4, density: 1200 kg/m^3, start: {at: fork}, end: {at: pump}}
    hose: {length: 400 mm, segments: 20, section: {diameter: 8 mm}, E: 6 MPa, nu: 0.4, density: 1200 kg/m^3, start: {at: plug, direction: [0, 1, 0]}, end: {point: [0, 300 mm, 80 mm], direction: [0, 1, 0]}, limits: {bend_radius: 20 mm}}
"""


@pytest.mark.parametrize(
    ("place", "value", "rolled"),
    [
        (("cables", "hose", "limits", "bend_radius"), "30 mm", set()),
        (("cables", "hose", "length"), "410 mm", {"hose"}),
        (("connectors", "pump", "point"), ["355 mm", "150 mm", "40 mm"], {"trunk", "lead"}),
        (("connectors", "plug", "point"), [0, 0, "5 mm"], {"trunk", "lead", "hose"}),
        (("parts", "block", "point"), [0.2, 0, -0.6], {"trunk", "lead", "hose"}),
    ],
)
def test_rolls_are_written_only_into_cables_that_a_change_reaches(
    tmp_path: Path, place: tuple[str, ...], value: object, rolled: set[str]
) -> None:
    """A limit reaches none; a connector the cables on it and those beyond a branch; a part may reach any."""
    file = tmp_path / "harness.yaml"
    file.write_text(HARNESS)
    route = Route.load(file)
    route.solve()
    data = route.data["route"]
    assert all("up" in one["end"] for one in data["cables"].values()), "they were found"
    for key in place[:-1]:
        data = data[key]
    data[place[-1]] = value
    route.save(file)
    cables = yaml.safe_load(file.read_text())["route"]["cables"]
    assert {name for name, one in cables.items() if "up" in one["end"]} == rolled
    if not rolled:
        assert file.read_text() == HARNESS.replace("20 mm}}", "30 mm}}")


def changed(tmp_path: Path, change) -> tuple[Route, Route, dict]:
    """A route that was changed and saved, the same opened again, and what is written of its cables."""
    file = tmp_path / "harness.yaml"
    file.write_text(HARNESS)
    route = Route.load(file)
    route.solve()
    change(route)
    assert lead(route) == {}
    route.save(file)
    again = Route.load(file)
    again.solve()
    return route, again, yaml.safe_load(file.read_text())["route"]["cables"]


def rolled(cables: dict) -> set[str]:
    return {name for name, one in cables.items() if "up" in one["end"]}


def test_a_change_that_finds_its_rolls_again_writes_none(tmp_path: Path) -> None:
    def change(route: Route) -> None:
        route.harness.move("pump", "[352, 150, 40] mm")
        route.harness.solve()
        route.data["route"]["connectors"]["pump"]["point"][0] = "352 mm"

    route, again, cables = changed(tmp_path, change)
    assert not rolled(cables) and "352 mm" in (tmp_path / "harness.yaml").read_text()
    for name, cable in route.harness.cables.items():
        assert again.harness[name].points == pytest.approx(cable.points, abs=SAME * cable.length)
    # the same file once more, as long as nothing else is changed
    before = (tmp_path / "harness.yaml").read_text()
    route.save(tmp_path / "harness.yaml")
    assert (tmp_path / "harness.yaml").read_text() == before


def test_a_twist_that_somebody_made_is_written_and_a_roll_that_somebody_told(tmp_path: Path) -> None:
    def change(route: Route) -> None:
        # the connector is turned about the lead by 40 degrees: the lead is twisted, and its roll found before belongs to that
        half = np.radians(20.0)
        route.harness.turn_to("pump", (np.cos(half), np.sin(half), 0.0, 0.0))
        route.harness.solve()
        cables = route.data["route"]["cables"]
        route.data["route"]["connectors"]["pump"]["quaternion"] = [float(np.cos(half)), float(np.sin(half)), 0.0, 0.0]
        # told by a person, though it is the one without twist
        cables["hose"]["end"]["up"] = list(cables["hose"]["end"]["up"])

    route, again, cables = changed(tmp_path, change)
    assert rolled(cables) >= {"lead", "hose"}
    for name, cable in route.harness.cables.items():
        assert again.harness[name].points == pytest.approx(cable.points, abs=SAME * cable.length)
        twist = [np.ptp(one.harness[name].turned[1]) for one in (route, again)]
        assert twist[0] == pytest.approx(twist[1], abs=SAME_TWIST), name
    assert np.ptp(again.harness["lead"].turned[1]) > np.radians(10.0)
