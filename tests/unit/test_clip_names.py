"""Clips are told by their names, wherever they are told."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from taut.cables.rod import Clamp, Hollow, Rod
from taut.cables.rod.clip_names import clip_names
from taut.cables.rod.judging import rows
from taut.cables.rod.route import Route, RouteError
from taut.cables.rod.tolerance import Tolerance, spread
from taut.cables.rod.values import RodError
from taut.view.route_names import name_of, rename, renamed
from taut.view.route_report import write_report

HEAD = """taut: 1
route:
  cables:
    hose:
      length: 600 mm
      segments: 40
      section: {outer: 12 mm, inner: 8 mm}
      E: 6 MPa
      nu: 0.45
      density: 1200 kg/m^3
      start: {point: [0, 0, 0], direction: [1, 0, 0]}
      end: {point: [500 mm, 0, 0], direction: [1, 0, 0]}
      clips:
"""
FIRST = "        - {name: pump bracket, s: 200 mm, point: [170 mm, 0, -20 mm], direction: [1, 0, 0]}\n"
SECOND = "        - {s: 400 mm, point: [330 mm, 0, -20 mm], direction: [1, 0, 0]}\n"


def test_a_name_or_the_number() -> None:
    assert clip_names([{"name": "pump bracket"}, {}, {"name": 7}, {"name": None}]) == [
        "pump bracket", "clip 2", "7", "clip 4",
    ]  # fmt: skip
    assert clip_names(None) == []


@pytest.mark.parametrize("second, line, said", [
    (SECOND.replace("{s", "{name: pump bracket, s"), 15, "clips[1].name: 'pump bracket' - clip 1 of this cable is called so too"),
    (SECOND.replace("{s", "{name: '', s"), 15, "clips[1].name: '' - a name must not be empty"),
    (SECOND.replace("{s", "{name: [a], s"), 15, "clips[1].name: ['a'] - expected a name"),
    (SECOND.replace("{s", "{name: a/b, s"), 15, "must not hold a /"),
])  # fmt: skip
def test_a_name_that_cannot_be_is_told_with_its_line(tmp_path: Path, second: str, line: int, said: str) -> None:
    file = tmp_path / "hose.yaml"
    file.write_text(HEAD + FIRST + second)
    with pytest.raises(RouteError) as caught:
        Route.load(file)
    assert f"hose.yaml:{line}: " in str(caught.value) and said in str(caught.value)


def test_a_clip_without_a_name_must_not_be_called_as_another(tmp_path: Path) -> None:
    with pytest.raises(RouteError, match="would be called 'clip 2', as clip 1 is"):
        Route.of(yaml.safe_load(HEAD + FIRST.replace("pump bracket", "clip 2") + SECOND))


def test_results_report_tolerances_and_messages_tell_the_name(tmp_path: Path) -> None:
    data = yaml.safe_load(HEAD + FIRST + SECOND)
    data["route"]["cables"]["hose"]["limits"] = {"clip_force": "100 N"}
    route = Route.of(data)
    route.solve()
    (force,) = [one for one, _ in rows(route) if one.what == "clip_force"]
    assert force.where in ("at pump bracket", "at clip 2")
    assert list(route.clips["hose"]) == ["pump bracket", "clip 2"]
    write_report(route, tmp_path / "out.html")
    text = (tmp_path / "out.html").read_text()
    assert "<td>pump bracket</td>" in text and "<td>clip 2</td>" in text
    found = spread(data, None, Tolerance(clip=1e-3))
    assert not found.failed, "each clip is off once, by its name"
    route.harness["hose"].move_clip(route.clips["hose"]["pump bracket"], (0.4, 0.3, 0.0))
    with pytest.raises(RodError, match="hose: start and pump bracket are 500 mm apart"):
        route.harness.solve()
    rod = Rod("600 mm", 30, start=Clamp((0, 0, 0)), end=Clamp((0.5, 0, 0)), section=Hollow("12 mm", "8 mm"), E="6 MPa",
              nu=0.45)  # fmt: skip
    number = rod.add_clip("300 mm", Clamp((0.25, 0.05, 0.0)), name="the guide")
    rod.solve()
    rod.move_clip(number, (0.25, 0.9, 0.0))
    with pytest.raises(RodError, match="start and the guide are"):
        rod.solve()


def test_other_names_go_along() -> None:
    data = yaml.safe_load(HEAD + FIRST + SECOND)
    data["route"]["connectors"] = {"plug": {"point": [0, 0, 0]}}
    data["route"]["cables"]["hose"]["start"] = {"at": "plug"}
    assert name_of(data, "clip/hose/clip 2") == "clip 2" and name_of(data, "body/hose.end") == ""
    assert renamed(data, "clip/hose/clip 2", "pump bracket")[1] == "hose has a clip 'pump bracket' already"
    key, why = renamed(data, "clip/hose/clip 2", "Halter Ölfilter")
    assert (key, why) == ("clip/hose/Halter Ölfilter", "")
    rename(data, "clip/hose/clip 2", "Halter Ölfilter")
    assert clip_names(data["route"]["cables"]["hose"]["clips"]) == ["pump bracket", "Halter Ölfilter"]
    rename(data, "body/plug", "outlet")
    assert list(data["route"]["connectors"]) == ["outlet"]
    assert data["route"]["cables"]["hose"]["start"] == {"at": "outlet"}
