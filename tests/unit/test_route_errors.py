"""A mistake in a route file is told with file, line, place and what is allowed."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from taut.cables.rod.route import Route, RouteError
from taut.cli import main
from taut.scene.problems import SceneError
from taut.scenes import open_scene

GOOD = """taut: 1
route:
  parts:
    block: {shape: {type: box, size: [80 mm, 40 mm, 10 mm]}, point: [0, 0, -0.2]}
  connectors:
    pump: {point: [0, 0, 0.1]}
  cables:
    hose:
      length: 600 mm
      segments: 20
      section: {outer: 12 mm, inner: 8 mm}
      E: 6 MPa
      density: 1200 kg/m^3
      start: {at: pump, direction: [1, 0, 0]}
      end: {point: [350 mm, 80 mm, 40 mm], direction: [1, 0, 0]}
      clips:
        - {s: 300 mm, point: [0.2, 0, 0], direction: [1, 0, 0]}
      limits: {bend_radius: 40 mm}
      nu: 0.45
"""


@pytest.mark.parametrize(
    ("right", "wrong", "line", "said"),
    [
        ("E: 6 MPa", "EE: 6 MPa", 12, "cables.hose.EE: '6 MPa' - no such field, did you mean 'E'?"),
        ("length: 600 mm", "length: 6 kg", 9, "cables.hose.length: '6 kg' - expected a length"),
        ("E: 6 MPa", "E: -6 MPa", 12, "cables.hose.E: '-6 MPa' - expected"),
        ("section: {outer: 12 mm, inner: 8 mm}", "section: {outer: 12 mm}", 11, "cables.hose.section"),
        (
            "at: pump",
            "at: pomp",
            14,
            "cables.hose.start.at: 'pomp' - no such connector or branch, did you mean 'pump'?",
        ),
        (
            "limits: {bend_radius: 40 mm}",
            "limits: {radius: 40 mm}",
            18,
            "cables.hose.limits.radius: '40 mm' - no such field, did you mean 'bend_radius'?",
        ),
        ("{s: 300 mm, point", "{s: 900 mm, point", 17, "900 mm"),
        (
            "size: [80 mm, 40 mm, 10 mm]",
            "size: [80 mm, 40 kg, 10 mm]",
            4,
            "parts.block.shape.size: ['80 mm', '40 kg', '10 mm'] - expected a length",
        ),
        ("type: box, size", "type: bix, size", 4, "parts.block.shape.type: 'bix' - no such type, did you mean 'box'?"),
        ("type: box, ", "", 4, "parts.block.shape.type: missing: what it is, one of box, sphere"),
        ("{point: [0, 0, 0.1]}", "{point: [0, 0]}", 6, "pump.point"),
        ("      E: 6 MPa", "      E: 6 MPa\n      E: 7 MPa", 13, "written twice, first in line 12"),
        ("  cables:", "\tcables:", 7, "indent with spaces, not tabs"),
        (
            "      end: {point: [350 mm, 80 mm, 40 mm], direction: [1, 0, 0]}\n",
            "",
            8,
            "cables.hose.end: missing: where it ends",
        ),
    ],
)
def test_a_mistake_is_told_with_its_line(tmp_path: Path, right: str, wrong: str, line: int, said: str) -> None:
    assert GOOD.count(right) == 1
    file = tmp_path / "route.yaml"
    file.write_text(GOOD.replace(right, wrong))
    with pytest.raises(RouteError) as caught:
        Route.load(file)
    message = str(caught.value)
    assert message.startswith(f"{file}:{line}: "), message
    assert said in message


def test_a_route_without_mistakes_is_read(tmp_path: Path) -> None:
    (tmp_path / "route.yaml").write_text(GOOD)
    assert list(Route.load(tmp_path / "route.yaml").harness.connectors) == ["pump", "hose.end"]


def test_all_mistakes_are_told_at_once_in_the_order_of_the_lines(tmp_path: Path) -> None:
    """Of fields, of names that lead nowhere, of clips beyond the end and of material that does not go together."""
    wrong = {
        "size: [80 mm, 40 mm, 10 mm]": "size: [80 mm, -40 mm, 10 mm], colour: red",
        "point: [0, 0, 0.1]": "point: [0, 0, 0.1], held: loosely",
        "E: 6 MPa": "E: 6 kg",
        "{s: 300 mm, point: [0.2, 0, 0]": "{s: 300 mm, release: sliding, point: [0.2, 0, 0]",
        "      nu: 0.45\n": """      nu: 0.45
    lead:
      length: 300 mm
      EI: 0.1 kg
      start: {at: nowhere}
      end: free
    rope:
      length: 300 mm
      EI: 0.1
      start: {point: [0, 0, 0]}
      end: free
""",
    }
    text = GOOD
    for right, other in wrong.items():
        assert text.count(right) == 1
        text = text.replace(right, other)
    file = tmp_path / "route.yaml"
    file.write_text(text)
    with pytest.raises(RouteError) as caught:
        Route.load(file)
    lines = str(caught.value).splitlines()
    expected = [
        (4, "parts.block.shape.size"), (4, "parts.block.shape.colour"), (6, "connectors.pump.held"), (12, "cables.hose.E"),
        (17, "cables.hose.clips[0].release"), (22, "cables.lead.EI"), (23, "cables.lead.start.at"), (25, "cables.rope: EI, GJ: give both"),
    ]  # fmt: skip
    assert len(lines) == len(expected), caught.value
    for line, (number, said) in zip(lines, expected):
        assert line.startswith(f"{file}:{number}: route.{said}"), line
    assert [problem.line for problem in caught.value.problems] == [number for number, _ in expected]


def test_a_clip_beyond_the_end_is_told_at_the_clip(tmp_path: Path) -> None:
    (tmp_path / "route.yaml").write_text(GOOD.replace("{s: 300 mm, point", "{s: 900 mm, point"))
    with pytest.raises(RouteError) as caught:
        Route.load(tmp_path / "route.yaml")
    assert caught.value.problems[0].parts == ("route", "cables", "hose", "clips", 0)


def test_a_route_that_is_opened_as_a_scene_tells_the_same(tmp_path: Path) -> None:
    file = tmp_path / "route.yaml"
    file.write_text(GOOD.replace("E: 6 MPa", "E: 6 kg").replace("at: pump", "at: pomp"))
    with pytest.raises(RouteError) as route:
        Route.load(file)
    with pytest.raises(SceneError) as scene:
        open_scene(str(file))
    assert scene.value.problems == route.value.problems and len(route.value.problems) == 2


def told(folder: Path, text: str) -> list[str]:
    """Lines of what is wrong, without the file."""
    file = folder / "route.yaml"
    file.write_text(text)
    with pytest.raises(RouteError) as caught:
        Route.load(file)
    return [line.removeprefix(f"{file}:") for line in str(caught.value).splitlines()]


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("nu: 0.45", "nu: 0.7", "19: route.cables.hose.nu: 0.7 - expected a plain number above -1 and up to 0.5"),
        (
            "{outer: 12 mm, inner: 8 mm}",
            "{outer: 12, inner: 8}",
            "11: route.cables.hose.section.outer: 12 - 12 m is more than the cable is long (0.6 m); a number without a unit is in metres, did you mean '12 mm'?",
        ),
        ("outer: 12 mm", "outer: 0.7 m", "11: route.cables.hose.section.outer: '0.7 m' - 0.7 m is more than the cable is long (0.6 m)"),
        ("length: 600 mm", "length: 600", "9: route.cables.hose.length: 600 - 600 m is 1"),
        ("{bend_radius: 40 mm}", "{bend: 40 mm}", "18: route.cables.hose.limits.bend: '40 mm' - no such field, did you mean 'bend_radius'?"),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_refused(tmp_path: Path, right: str, wrong: str, said: str) -> None:
    assert GOOD.count(right) == 1
    lines = told(tmp_path, GOOD.replace(right, wrong))
    assert len(lines) == 1 and lines[0].startswith(said), lines


def test_a_long_cable_is_not_refused_where_it_says_its_unit(tmp_path: Path) -> None:
    (tmp_path / "route.yaml").write_text(
        GOOD.replace("length: 600 mm", "length: 600 m").replace("s: 300 mm", "s: 300 m")
    )
    assert Route.load(tmp_path / "route.yaml").harness["hose"].length == 600.0


def test_what_stands_below_a_misspelled_name_is_looked_at(tmp_path: Path) -> None:
    """Names of fields and of types, below each other; a clip beyond the length of a cable that is wrong otherwise."""
    text = GOOD.replace("  parts:", "  part:").replace(
        "type: box, size: [80 mm, 40 mm, 10 mm]", "type: bx, size: [80 mm, 40 mm]"
    )
    text = (
        text.replace("length: 600 mm", "lenght: 600 mm")
        .replace("E: 6 MPa", "E: 6 mm")
        .replace("s: 300 mm", "s: 900 mm")
    )
    lines = told(tmp_path, text)
    expected = [
        "3: route.part: {block} - no such field, did you mean 'parts'?",
        "4: route.part.block.shape.type: 'bx' - no such type, did you mean 'box'?",
        "4: route.part.block.shape.size: ['80 mm', '40 mm'] - expected 3 numbers",
        "9: route.cables.hose.lenght: '600 mm' - no such field, did you mean 'length'?",
        "12: route.cables.hose.E: '6 mm' - expected",
        "17: route.cables.hose.clips[0]: s: '900 mm' - the rod goes from 0 to 600 mm",
    ]
    assert len(lines) == len(expected), lines
    assert all(line.startswith(said) for line, said in zip(lines, expected)), lines


def test_lengths_that_are_meant_in_millimetres_are_warned_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ends and length alike without a unit: nothing contradicts them, but segments of 6 m of a hose of 12 mm are odd."""
    file = tmp_path / "long.yaml"
    text = """
    taut: 1
    route:
      cables:
        hose: {length: 600, section: {outer: 12 mm, inner: 8 mm}, E: 6 MPa, nu: 0.45, density: 1200 kg/m^3, start: {point: [0, 0, 0]}, end: {point: [400, 0, 0]}}
    """
    file.write_text(textwrap.dedent(text))
    words = "segments of 6 m are 500 times as long as it is thick: are lengths in mm meant? 600 is 600 m"
    assert main(["route", str(file), "--no-view"]) == 0
    assert f"warning: hose: {words}\n" in capsys.readouterr().err
    assert main(["check", str(file)]) == 0
    assert f"hose: {words}" in capsys.readouterr().out
    file.write_text(textwrap.dedent(text).replace("length: 600,", "length: 600 m,"))
    main(["route", str(file), "--no-view"])
    assert "mm meant" not in (said := capsys.readouterr().err) and "shape and contacts are coarse" in said
