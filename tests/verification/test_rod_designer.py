"""What a designer of hoses runs into: short thick hoses, parts that are moved, lengths that do not reach, other units."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from taut.cables.rod import RodError
from taut.cables.rod.fitting import fit
from taut.cables.rod.limits import findings
from taut.cables.rod.route import Route
from taut.cli import main

COOLANT = """
taut: 1
route:
  parts:
    engine: {shape: {type: box, size: [200 mm, 200 mm, 150 mm]}, point: [0, 0, 0]}
    radiator: {shape: {type: box, size: [40 mm, 400 mm, 300 mm]}, point: [500 mm, 0, 60 mm]}
    post: {shape: {type: cylinder, radius: 15 mm, length: 200 mm}, point: [280 mm, 400 mm, 0]}
  cables:
    coolant:
      length: 520 mm
      segments: 30
      section: {outer: 25 mm, inner: 17 mm}
      E: 8 MPa
      nu: 0.45
      density: 1200 kg/m^3
      start: {point: [100 mm, 40 mm, 30 mm], direction: [1, 0, 0]}
      end: {point: [480 mm, 100 mm, 120 mm], direction: [1, 0, 0]}
      limits: {bend_radius: 75 mm, clearance: 5 mm, end_force: 20 N}
"""


def data(**changes: Any) -> dict[str, Any]:
    made: dict[str, Any] = yaml.safe_load(COOLANT)
    made["route"]["cables"]["coolant"] |= changes
    return made


def coolant(**changes: Any) -> Route:
    return Route.of(data(**changes))


def solved(**changes: Any) -> Route:
    made = coolant(**changes)
    made.solve()
    return made


def written(folder: Path, **changes: Any) -> str:
    file = folder / "coolant.yaml"
    file.write_text(yaml.safe_dump(data(**changes), sort_keys=False), encoding="utf-8")
    return str(file)


def test_a_hose_that_is_hardly_longer_than_thick_has_a_clearance() -> None:
    """72 mm between two parts that are 100 mm apart, 50 mm thick: its middle is 38.5 mm from the first."""
    made = data(
        length="72 mm",
        section={"outer": "50 mm", "inner": "42 mm"},
        start={"point": ["100 mm", 0, 0], "direction": [1, 0, 0]},
        end={"point": ["168 mm", "10 mm", 0], "direction": [1, 0, 0]},
    )
    made["route"]["parts"]["radiator"]["point"] = ["220 mm", 0, 0]
    route = Route.of(made)
    route.solve()
    found = next(
        one for one in findings(route.harness, "coolant", route.limits["coolant"], {}) if one.what == "clearance"
    )
    assert found.value == pytest.approx(0.034 - 0.025, abs=0.003)


def test_ends_that_stand_on_a_part_go_with_it() -> None:
    route = solved()
    way = fit(route, ("radiator",), by="[-40, 0, 0] mm")
    assert way.moved == ("radiator", "coolant.end") and way.done == 1.0
    assert route.harness["coolant"].points[-1] == pytest.approx([0.44, 0.1, 0.12], abs=1e-9)
    assert "with radiator goes what stands on it: coolant.end" in way.lines()


def test_a_part_without_an_end_goes_alone_and_says_so() -> None:
    """It is pushed into the hose until there is no shape any more: no cable that grows would help."""
    way = fit(solved(), ("post",), by="[0, -340, 0] mm")
    assert way.moved == ("post",) and not way.needed
    assert "no end stands on post: no cable goes with it" in way.lines()


def test_a_limit_that_is_broken_before_is_told_as_such() -> None:
    way = fit(solved(limits={"bend_radius": "500 mm", "end_force": "20 N"}), ("radiator",), by="[40, 0, 0] mm")
    line = next(one for one in way.lines() if "bend_radius" in one)
    assert line.endswith("FAIL, already broken before it moves")
    assert not any("already" in one for one in way.lines() if "end_force" in one)


def test_a_way_in_another_unit_is_refused() -> None:
    with pytest.raises(RodError, match=r"by: \[-40, 0, 0\] - that moves it by 40 m, .* mm large; .* in metres"):
        fit(solved(), ("radiator",), by="[-40, 0, 0]")


CLIP = {"s": "260 mm", "point": ["290 mm", "60 mm", "150 mm"], "direction": [1, 0, 0], "release": "slide"}


def test_too_short_by_way_of_a_sliding_clip_is_told_before_any_solve() -> None:
    """225.6 mm to the clip and 196.5 mm from it."""
    with pytest.raises(
        RodError,
        match=r"^route\.cables\.coolant\.length: from start by way of clip 1 to end it is 422.079 mm, but it is 400 mm long between them: 2\d\.\d* mm too short",
    ):
        coolant(length="400 mm", clips=[CLIP]).solve()
    route = solved(clips=[CLIP | {"point": ["290 mm", "70 mm", "130 mm"], "release": "duct"}])
    route.harness["coolant"].set_length(0.4)
    with pytest.raises(RodError, match=r"by way of clip 1 .* the last shape is kept"):
        route.harness.solve()


def test_an_end_inside_of_a_part_is_said_first_with_the_way_out() -> None:
    with pytest.raises(RodError) as caught:
        solved(start={"point": ["50 mm", "40 mm", "30 mm"], "direction": [1, 0, 0]}, clips=[CLIP])
    first, second = str(caught.value).splitlines()
    assert (
        first
        == "coolant: its start lies 45 mm inside of engine; move it out by 45 mm along [0, 0, 1], to [50, 40, 75] mm"
    )
    assert second.startswith("no equilibrium found")


def test_tolerances_are_told_under_headings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["route", written(tmp_path), "--tolerance"])
    lines = capsys.readouterr().out.splitlines()
    worst = "worst within tolerances (length +-1 %, stiffness +-20 %, clips +-one diameter of the cable along each axis, one at a time):"
    assert lines[0] == "as it stands:" and worst in lines
    assert not any(" %" in line for line in lines[: lines.index(worst)])
    assert any(line.split() == ["coolant", "twist", "0", "deg"] for line in lines), "no twist is nowhere"
    assert sum("leaves out" in line for line in lines) == 1


def test_files_that_are_missing_are_told_alike(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = written(tmp_path)
    for given, said in (
        (["route", "harnes", "--no-view"], "harnes: no such file, and no library route of that name, did you mean 'harness'?"),
        (["route", "nothing.yaml", "--no-view"], "nothing.yaml: no such file, and no library route of that name; library routes: harness"),
        (["route", "nothing.stl", "--unit", "mm", "--no-view"], "nothing.stl: no such file"),
        (["route", good, "--motion", "nothing.csv"], "nothing.csv: no such file"),
        (["fit", "nothing.yaml", "--shape", "a.csv"], "nothing.yaml: no such file"),
        (["fit", good, "--shape", "nothing.csv"], "nothing.csv: no such file"),
    ):  # fmt: skip
        assert main(given) != 0
        assert capsys.readouterr().err.splitlines()[-1] == said


def test_a_route_begun_from_meshes_tells_its_size_and_its_placeholder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import trimesh

    trimesh.creation.box((400, 200, 100)).export(tmp_path / "tank.stl")
    main(["route", str(tmp_path / "tank.stl"), "--unit", "m", "--no-view", "--save", str(tmp_path / "tank.yaml")])
    said = capsys.readouterr().out
    assert "with --unit m all of it is 400 m x 200 m x " in said
    assert "its cable is a placeholder above the parts: set its start, end, length and section" in said


def test_a_saved_route_has_no_digits_that_nobody_sees(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And has the same shape when it is opened again."""
    third = [0.48000000000000004, 1.0 / 3.0 - 0.2333333333, 0.12]
    route = solved(end={"point": third, "quaternion": [0.7071067811865476, 0.0, 0.7071067811865476, 0.0]})
    file = tmp_path / "saved.yaml"
    route.save(file)
    text = file.read_text()
    assert "point: [0.48, 0.1, 0.12]" in text and "quaternion: [0.70710678, 0, 0.70710678, 0]" in text
    again = Route.load(file)
    again.solve()
    assert again.harness["coolant"].points == pytest.approx(route.harness["coolant"].points, abs=2e-6)
    main(["route", str(file), "--no-view", "--save", str(file)])
    assert f"{file} written" in capsys.readouterr().out and file.read_text() == text, "nothing was changed"


def test_the_report_says_what_was_solved(tmp_path: Path) -> None:
    from taut import __version__

    clip = CLIP | {"point": ["290 mm", "70 mm", "130 mm"], "release": "duct", "name": "strap"}
    out = tmp_path / "out.html"
    main(["route", written(tmp_path, clips=[clip]), "--report", str(out)])
    text = out.read_text(encoding="utf-8")
    assert f"Route coolant.yaml, taut {__version__}, 20" in text
    for cell in (
        "520 mm",
        "outer 25 mm, inner 17 mm",
        "E 8 MPa, nu 0.45, density 1200 kg/m^3",
        "100, 40, 30",
        "480, 100, 120",
        "strap",
        "290, 70, 130",
        "duct (slides, tilts)",
    ):
        assert f"<td>{cell}</td>" in text, cell
    # both ends and the clip point along x
    assert text.count("<td>1, 0, 0</td>") == 3
